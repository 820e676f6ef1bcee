//! Valid arguments: pointers are not null, structures are acyclic and disjoint.
//!
//! A structure is what a pointer leads to over the *links* of its type: the fields that lead to the
//! type itself, without those that lead back by their name ([`BACK`]). With one link it is a list
//! that ends, with several a tree. Globals, fields of structs that are passed by value, and what
//! integers are, are not spoken of.

use crate::ir::{CmpOp, ProcId, Program, Reg, Storage, VarId};
use crate::source::Span;
use crate::spec::{Binder, BoundId, Derived, FieldRef, Formula, Promise, Sort, Term};
use crate::types::{Scalar, TypeId};

/// What fields are called that lead back to where one came from: cycles over them are usual.
pub const BACK: [&str; 12] = [
    "prev", "previous", "prv", "pred", "back", "backward", "bwd", "blink", "parent", "father",
    "up", "owner",
];

/// A pointer that a caller passes, itself or in what it points to.
struct Root {
    term: Term,
    /// What it points to.
    pointee: TypeId,
    /// As users write it.
    text: String,
    /// The parameter that it is read through, if it is not the parameter itself.
    through: Option<Term>,
}

/// The clauses, and what they say as one phrase.
pub(super) fn clauses(program: &Program, proc: ProcId) -> (Vec<Promise>, Option<String>) {
    let procedure = program.proc(proc);
    let pointers: Vec<usize> =
        (0..procedure.params).filter(|&i| pointee_of(program, proc, i).is_some()).collect();
    let mut clauses: Vec<Promise> = pointers.iter().map(|&i| not_null(program, proc, i)).collect();
    let mut said = Vec::new();
    if !pointers.is_empty() {
        let names = pointers.iter().map(|&i| format!("`{}`", procedure.vars[i].name));
        let verb = if pointers.len() == 1 { "is" } else { "are" };
        said.push(format!("{} {verb} not null", names.collect::<Vec<_>>().join(", ")));
    }
    let roots: Vec<Root> = pointers.iter().flat_map(|&i| roots(program, proc, i)).collect();
    let span = procedure.span;
    for (record, all) in structures(program, &roots) {
        let (formulas, phrase) = acyclic(program, record, &roots, all);
        clauses.extend(formulas.into_iter().map(|formula| Promise { formula, span }));
        said.push(phrase);
    }
    let (apart, pairs) = disjoint(program, &roots, span);
    clauses.extend(apart);
    said.extend(pairs.iter().map(|(a, b)| format!("`{}` and `{}` share nothing", a.text, b.text)));
    let phrase = (!said.is_empty()).then(|| format!("arguments are valid: {}", said.join(", ")));
    (clauses, phrase)
}

/// What callers usually see to, as a clause and as users write it.
pub struct Habit {
    /// The clause.
    pub clause: Promise,
    /// The formula in the contract language.
    pub text: String,
}

/// What valid arguments are besides not null: that structures end and are disjoint, each by itself.
/// Of what is behind a null argument they say nothing.
pub fn habits(program: &Program, proc: ProcId) -> Vec<Habit> {
    let params = 0..program.proc(proc).params;
    let roots: Vec<Root> = params.flat_map(|i| roots(program, proc, i)).collect();
    let span = program.proc(proc).span;
    let habit = |formula, through: [&Option<Term>; 2], text| {
        let absent = through.into_iter().flatten();
        let mut cases: Vec<Formula> =
            absent.map(|p| Formula::Cmp(CmpOp::Eq, p.clone(), Term::Null)).collect();
        cases.push(formula);
        Habit { clause: Promise { formula: Formula::Or(cases), span }, text }
    };
    let mut all = Vec::new();
    for (ty, everywhere) in structures(program, &roots) {
        let (formulas, _) = acyclic(program, ty, &roots, everywhere);
        let links = links(program, ty);
        let says = |from: &str| match &links[..] {
            [field] => format!("reach({}, {from}, NULL)", field.name),
            several => format!("tree({}, {from})", names(several)),
        };
        if everywhere {
            let text = format!("\\forall {} *x; {}", program.types.name(ty), says("x"));
            all.extend(formulas.into_iter().map(|f| habit(f, [&None, &None], text.clone())));
            continue;
        }
        let of = formulas.into_iter().zip(roots.iter().filter(|r| r.pointee == ty));
        all.extend(of.map(|(f, root)| habit(f, [&root.through, &None], says(&root.text))));
    }
    let (clauses, pairs) = disjoint(program, &roots, span);
    for (promise, (a, b)) in clauses.into_iter().zip(pairs) {
        let through = [&a.through, &b.through];
        let links = links(program, a.pointee);
        let over = match &links[..] {
            [] => None,
            _ if a.pointee != b.pointee => None,
            [field] => Some(field.name.clone()),
            several => Some(format!("{{{}}}", names(several))),
        };
        let (ty, a, b) = (program.types.name(a.pointee), &a.text, &b.text);
        let text = match over {
            None => format!("{a} != {b}"),
            Some(over) => {
                let both = format!("reach({over}, {a}, x) && reach({over}, {b}, x)");
                format!("\\forall {ty} *x; {both} ==> x == NULL")
            }
        };
        all.push(habit(promise.formula, through, text));
    }
    all
}

fn names(fields: &[FieldRef]) -> String {
    fields.iter().map(|f| f.name.as_str()).collect::<Vec<_>>().join(", ")
}

/// That a parameter is not null.
pub(super) fn not_null(program: &Program, proc: ProcId, param: usize) -> Promise {
    let value = parameter(program, proc, param);
    let span = program.proc(proc).vars[param].span;
    Promise { formula: Formula::Cmp(CmpOp::Ne, value, Term::Null), span }
}

/// The value of a parameter.
fn parameter(program: &Program, proc: ProcId, param: usize) -> Term {
    let var = &program.proc(proc).vars[param];
    let reg = Reg::Local(VarId(param as u32));
    match (var.storage, program.types.scalar(var.ty)) {
        (Storage::Object, Some(scalar)) => Term::Load { addr: Box::new(Term::Addr(reg)), scalar },
        _ => Term::Reg(reg),
    }
}

fn pointee_of(program: &Program, proc: ProcId, param: usize) -> Option<TypeId> {
    program.types.pointee(program.proc(proc).vars[param].ty)
}

/// A parameter, and the pointers in what it points to.
fn roots(program: &Program, proc: ProcId, param: usize) -> Vec<Root> {
    let types = &program.types;
    let Some(pointee) = pointee_of(program, proc, param) else { return Vec::new() };
    let (term, text) =
        (parameter(program, proc, param), program.proc(proc).vars[param].name.clone());
    let through = Some(term.clone());
    let mut all = Vec::new();
    let load = |offset: u32, scalar| {
        let addr = match offset {
            0 => term.clone(),
            _ => Term::Offset(Box::new(term.clone()), i64::from(offset)),
        };
        Term::Load { addr: Box::new(addr), scalar }
    };
    match (types.as_record(pointee), types.scalar(pointee)) {
        (_, Some(scalar @ Scalar::Ptr(inner))) => {
            all.push(Root {
                term: load(0, scalar),
                pointee: inner,
                text: format!("*{text}"),
                through,
            });
        }
        // Of a node the links are the structure; what else it leads to may be anybody's.
        (Some(record), _) if links(program, pointee).is_empty() => {
            for field in &types.record(record).fields {
                if let Some(scalar @ Scalar::Ptr(inner)) = types.scalar(field.ty)
                    && !types.record(record).is_union
                {
                    let text = format!("{text}->{}", field.name);
                    let (term, through) = (load(field.offset, scalar), through.clone());
                    all.push(Root { term, pointee: inner, text, through });
                }
            }
        }
        _ => {}
    }
    all.insert(0, Root { term, pointee, text, through: None });
    all
}

/// The fields of a type that lead on to its own kind.
pub fn links(program: &Program, ty: TypeId) -> Vec<FieldRef> {
    let types = &program.types;
    let Some(record) = types.as_record(ty).map(|r| types.record(r)) else { return Vec::new() };
    if record.is_union {
        return Vec::new();
    }
    let forward = |name: &str| !BACK.contains(&name.trim_start_matches('_'));
    let own = record.fields.iter().filter(|f| types.pointee(f.ty) == Some(ty) && forward(&f.name));
    let field = |f: &crate::types::Field| FieldRef {
        owner: ty,
        offset: f.offset,
        scalar: Scalar::Ptr(ty),
        name: f.name.clone(),
    };
    own.map(field).collect()
}

/// The types with links that the roots lead to; whether all nodes have to be spoken of, because some
/// are not led to by a root itself.
fn structures(program: &Program, roots: &[Root]) -> Vec<(TypeId, bool)> {
    let types = &program.types;
    let mut todo: Vec<TypeId> = roots.iter().map(|r| r.pointee).collect();
    let (mut seen, mut all): (Vec<TypeId>, Vec<(TypeId, bool)>) = (Vec::new(), Vec::new());
    while let Some(ty) = todo.pop() {
        if seen.contains(&ty) {
            continue;
        }
        seen.push(ty);
        let Some(layout) = types.layout(ty) else { continue };
        todo.extend(layout.cells.iter().filter_map(|c| match c.scalar {
            Scalar::Ptr(inner) => Some(inner),
            _ => None,
        }));
    }
    seen.sort();
    for &ty in &seen {
        if links(program, ty).is_empty() {
            continue;
        }
        let inside = |owner: &TypeId| {
            let cells = types.layout(*owner).map(|l| l.cells.as_slice()).unwrap_or_default();
            *owner != ty && cells.iter().any(|c| c.scalar == Scalar::Ptr(ty))
        };
        // A node's own data may lead to further structures; those of a root are roots.
        let is_root = roots.iter().any(|r| r.pointee == ty);
        let holders = seen.iter().filter(|owner| inside(owner));
        let known = |owner: &&TypeId| {
            links(program, **owner).is_empty() && roots.iter().any(|r| r.pointee == **owner)
        };
        all.push((ty, !is_root || holders.clone().any(|owner| !known(&owner))));
    }
    all
}

/// That the nodes of a type are acyclic, as formulas and in words.
fn acyclic(program: &Program, ty: TypeId, roots: &[Root], all: bool) -> (Vec<Formula>, String) {
    let links = links(program, ty);
    let names: Vec<String> = links.iter().map(|f| format!("`{}`", f.name)).collect();
    let says = |from: Term| match &links[..] {
        [field] => Formula::Reach { field: field.clone(), strict: false, from, to: Term::Null },
        several => Formula::Derived(Box::new(Derived::Tree(several.to_vec(), from))),
    };
    let what = if links.len() == 1 { "a list that ends" } else { "a tree" };
    let over = names.join(", ");
    if all {
        let (binder, node) = node(ty);
        let formula = Formula::Forall(vec![binder], Box::new(says(node)));
        let whose = program.types.name(ty);
        return (vec![formula], format!("every `{whose}` is {what} over {over}"));
    }
    let of: Vec<&Root> = roots.iter().filter(|r| r.pointee == ty).collect();
    let texts: Vec<String> = of.iter().map(|r| format!("`{}`", r.text)).collect();
    let phrase = format!("{} is {what} over {over}", texts.join(", "));
    (of.iter().map(|r| says(r.term.clone())).collect(), phrase)
}

/// That no two roots lead to the same memory, with the two that each clause is about.
fn disjoint<'a>(
    program: &Program,
    roots: &'a [Root],
    span: Span,
) -> (Vec<Promise>, Vec<(&'a Root, &'a Root)>) {
    // Memory of any type; functions are none.
    let is_void =
        |ty: TypeId| program.types.size_of(ty).is_none() && !program.types.is_function(ty);
    let (mut clauses, mut pairs) = (Vec::new(), Vec::new());
    for (i, a) in roots.iter().enumerate() {
        for b in &roots[i + 1..] {
            let functions = [a, b].iter().any(|r| program.types.is_function(r.pointee));
            let alike = a.pointee == b.pointee || is_void(a.pointee) || is_void(b.pointee);
            if functions || !alike {
                continue;
            }
            let links = links(program, a.pointee);
            let formula = match a.pointee == b.pointee && !links.is_empty() {
                true => apart(&links, a.pointee, &a.term, &b.term),
                // Two null pointers are no common memory.
                false => Formula::Or(vec![
                    Formula::Cmp(CmpOp::Ne, a.term.clone(), b.term.clone()),
                    Formula::Cmp(CmpOp::Eq, a.term.clone(), Term::Null),
                ]),
            };
            clauses.push(Promise { formula, span });
            pairs.push((a, b));
        }
    }
    (clauses, pairs)
}

/// That no node is reached from both.
fn apart(links: &[FieldRef], ty: TypeId, a: &Term, b: &Term) -> Formula {
    let (binder, node) = node(ty);
    let reached = |from: &Term| match links {
        [field] => Formula::Reach {
            field: field.clone(),
            strict: false,
            from: from.clone(),
            to: node.clone(),
        },
        several => Formula::Derived(Box::new(Derived::ReachOver(
            several.to_vec(),
            from.clone(),
            node.clone(),
        ))),
    };
    let null = Formula::Cmp(CmpOp::Eq, node.clone(), Term::Null);
    let one = |root: &Term| Formula::Not(Box::new(reached(root)));
    Formula::Forall(vec![binder], Box::new(Formula::Or(vec![null, one(a), one(b)])))
}

/// A variable for the nodes of a type.
fn node(ty: TypeId) -> (Binder, Term) {
    let binder = Binder { id: BoundId(0), name: "x".to_owned(), sort: Sort::Ptr(ty) };
    (binder, Term::Bound(BoundId(0)))
}
