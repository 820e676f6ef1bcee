//! Making terms: every operation with its type, constants folded where that changes no meaning.
//!
//! Terms made here have no place of their own ([`At::default`]).

use std::collections::BTreeMap;

use trellis_hol::{At, Binder, Kind, Op, Quantifier, SymbolId, Term, Type, VarId};

/// A term of a kind and a type.
pub fn term(kind: Kind, ty: Type) -> Term {
    Term { kind, ty, at: At::default() }
}

/// An operation.
pub fn op(op: Op, args: Vec<Term>, ty: Type) -> Term {
    term(Kind::Op(op, args), ty)
}

/// True or false.
pub fn truth(value: bool) -> Term {
    op(if value { Op::True } else { Op::False }, vec![], Type::Bool)
}

/// Whether a term is the constant.
pub fn is_truth(t: &Term, value: bool) -> bool {
    matches!(&t.kind, Kind::Op(Op::True, _) if value)
        || matches!(&t.kind, Kind::Op(Op::False, _) if !value)
}

/// An integer.
pub fn int(i: i128) -> Term {
    term(Kind::Int(i), Type::Int)
}

/// Null.
pub fn null() -> Term {
    op(Op::Null, vec![], Type::Obj)
}

/// A symbol.
pub fn symbol(id: SymbolId, ty: Type) -> Term {
    term(Kind::Symbol(id), ty)
}

/// A conjunction, flat.
pub fn and(parts: Vec<Term>) -> Term {
    join(Op::And, parts)
}

/// A disjunction, flat.
pub fn or(parts: Vec<Term>) -> Term {
    join(Op::Or, parts)
}

fn join(by: Op, parts: Vec<Term>) -> Term {
    let neutral = by == Op::And;
    let mut flat = Vec::new();
    for part in parts {
        match part.kind {
            Kind::Op(o, inner) if o == by => flat.extend(inner),
            _ if is_truth(&part, neutral) => {}
            _ if is_truth(&part, !neutral) => return truth(!neutral),
            _ => flat.push(part),
        }
    }
    match flat.len() {
        0 => truth(neutral),
        1 => flat.remove(0),
        _ => op(by, flat, Type::Bool),
    }
}

/// A negation; two cancel each other.
pub fn not(t: Term) -> Term {
    match t.kind {
        Kind::Op(Op::Not, mut inner) => inner.remove(0),
        _ if is_truth(&t, true) => truth(false),
        _ if is_truth(&t, false) => truth(true),
        _ => op(Op::Not, vec![t], Type::Bool),
    }
}

/// An implication.
pub fn implies(a: Term, b: Term) -> Term {
    if is_truth(&a, true) || is_truth(&b, true) {
        return b;
    }
    if is_truth(&a, false) {
        return truth(true);
    }
    if is_truth(&b, false) {
        return not(a);
    }
    op(Op::Implies, vec![a, b], Type::Bool)
}

/// Equality; of truth values, equivalence.
pub fn eq(a: Term, b: Term) -> Term {
    let of = if a.ty == Type::Bool { Op::Iff } else { Op::Eq };
    op(of, vec![a, b], Type::Bool)
}

/// Inequality.
pub fn ne(a: Term, b: Term) -> Term {
    not(eq(a, b))
}

/// `a <= b`.
pub fn le(a: Term, b: Term) -> Term {
    op(Op::LessEq, vec![a, b], Type::Bool)
}

/// `a < b`.
pub fn lt(a: Term, b: Term) -> Term {
    op(Op::Less, vec![a, b], Type::Bool)
}

/// `x : s`.
pub fn element(x: Term, s: Term) -> Term {
    op(Op::Element, vec![x, s], Type::Bool)
}

/// `if c then a else b`.
pub fn ite(c: Term, a: Term, b: Term) -> Term {
    if is_truth(&c, true) || a == b {
        return a;
    }
    if is_truth(&c, false) {
        return b;
    }
    let ty = a.ty.clone();
    op(Op::If, vec![c, a, b], ty)
}

/// The function that is `v` at `x` and `f` elsewhere; what `f` was written at `x` does not matter.
pub fn update(f: Term, x: Term, v: Term) -> Term {
    let ty = f.ty.clone();
    if let Kind::Op(Op::Update, parts) = &f.kind
        && parts[1] == x
    {
        return update(parts[0].clone(), x, v);
    }
    op(Op::Update, vec![f, x, v], ty)
}

/// A function at arguments.
pub fn apply(f: Term, args: Vec<Term>) -> Term {
    if args.is_empty() {
        return f;
    }
    let mut ty = f.ty.clone();
    for _ in &args {
        ty = match ty {
            Type::Fun(_, to) => *to,
            other => other,
        };
    }
    match f.kind {
        Kind::Apply(head, mut first) => {
            first.extend(args);
            term(Kind::Apply(head, first), ty)
        }
        _ => term(Kind::Apply(Box::new(f), args), ty),
    }
}

/// Something that binds variables; a quantifier without any is its body.
pub fn bind(quantifier: Quantifier, binders: Vec<Binder>, body: Term) -> Term {
    if binders.is_empty() {
        return body;
    }
    let ty = match quantifier {
        Quantifier::Forall | Quantifier::Exists => {
            if is_truth(&body, true) || is_truth(&body, false) {
                return body;
            }
            Type::Bool
        }
        Quantifier::Lambda => {
            binders.iter().rev().fold(body.ty.clone(), |to, b| Type::fun(b.ty.clone(), to))
        }
        Quantifier::Comprehension => Type::set(match &binders[..] {
            [one] => one.ty.clone(),
            many => Type::Prod(many.iter().map(|b| b.ty.clone()).collect()),
        }),
    };
    term(Kind::Bind(quantifier, binders, Box::new(body)), ty)
}

/// The variable of a binder.
pub fn var(binder: &Binder) -> Term {
    term(Kind::Var(binder.id), binder.ty.clone())
}

/// Numbers for bound variables, each given once.
#[derive(Clone, Debug, Default)]
pub struct Fresh(u32);

impl Fresh {
    /// Numbers above one.
    pub fn starting_at(number: u32) -> Fresh {
        Fresh(number)
    }

    /// A new bound variable.
    pub fn binder(&mut self, name: impl Into<String>, ty: Type) -> Binder {
        self.0 += 1;
        Binder { id: VarId(self.0), name: name.into(), ty }
    }
}

/// The same term with its parts changed.
pub fn map_parts(t: &Term, f: &mut dyn FnMut(&Term) -> Term) -> Term {
    let kind = match &t.kind {
        Kind::Var(_) | Kind::Symbol(_) | Kind::Int(_) => t.kind.clone(),
        Kind::Op(o, args) => Kind::Op(*o, args.iter().map(&mut *f).collect()),
        Kind::Apply(head, args) => {
            let head = f(head);
            return apply(head, args.iter().map(&mut *f).collect());
        }
        Kind::Bind(q, binders, body) => Kind::Bind(*q, binders.clone(), Box::new(f(body))),
        Kind::Comment(_, inner) => return f(inner),
    };
    Term { kind, ty: t.ty.clone(), at: t.at }
}

/// Replaces bound variables; what is put in place must not mention variables that are bound in the
/// term, which numbers given once make sure of.
pub fn substitute(t: &Term, by: &BTreeMap<VarId, Term>) -> Term {
    match &t.kind {
        Kind::Var(v) => by.get(v).cloned().unwrap_or_else(|| t.clone()),
        _ => map_parts(t, &mut |p| substitute(p, by)),
    }
}

/// Replaces symbols.
pub fn replace_symbols(t: &Term, by: &BTreeMap<SymbolId, Term>) -> Term {
    match &t.kind {
        Kind::Symbol(s) => by.get(s).cloned().unwrap_or_else(|| t.clone()),
        _ => map_parts(t, &mut |p| replace_symbols(p, by)),
    }
}

/// The same term with new numbers for everything that it binds.
pub fn rename(t: &Term, fresh: &mut Fresh) -> Term {
    renamed(t, &BTreeMap::new(), fresh)
}

fn renamed(t: &Term, names: &BTreeMap<VarId, Term>, fresh: &mut Fresh) -> Term {
    match &t.kind {
        Kind::Var(v) => names.get(v).cloned().unwrap_or_else(|| t.clone()),
        Kind::Bind(q, binders, body) => {
            let mut inner = names.clone();
            let mut new = Vec::new();
            for b in binders {
                let binder = fresh.binder(b.name.clone(), b.ty.clone());
                inner.insert(b.id, var(&binder));
                new.push(binder);
            }
            let body = Box::new(renamed(body, &inner, fresh));
            Term { kind: Kind::Bind(*q, new, body), ty: t.ty.clone(), at: t.at }
        }
        _ => map_parts(t, &mut |p| renamed(p, names, fresh)),
    }
}
