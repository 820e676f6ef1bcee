//! Small programs of different memory shapes.

use crate::ir::{Global, ProcId, Procedure, Program, Storage, Var};
use crate::samples::nowhere;
use crate::spec::{Binder, BoundId, Contract, Formula, Label, Predicate, Sort, Term};
use crate::types::{IntKind, Type, TypeId};

pub(super) const F: ProcId = ProcId(0);

fn var(name: &str, ty: TypeId, storage: Storage) -> Var {
    Var {
        name: name.into(),
        ty,
        storage,
        is_temp: name.starts_with('%'),
        is_ghost: false,
        is_const: false,
        span: nowhere(),
    }
}

pub(super) fn global(name: &str, ty: TypeId, storage: Storage) -> Global {
    Global {
        name: name.into(),
        ty,
        storage,
        init: vec![],
        is_const: false,
        is_ghost: false,
        span: nowhere(),
    }
}

pub(super) fn procedure(
    params: &[(&str, TypeId)],
    locals: &[(&str, TypeId, Storage)],
    ret: TypeId,
) -> Procedure {
    let params = params.iter().map(|(n, t)| (*n, *t, Storage::Register));
    let vars: Vec<Var> =
        params.clone().chain(locals.iter().copied()).map(|(n, t, s)| var(n, t, s)).collect();
    Procedure {
        name: "f".into(),
        span: nowhere(),
        params: params.len(),
        vars,
        ret,
        body: None,
        contract: Contract::default(),
        has_contract: false,
    }
}

/// A record with members; a member type of `None` is a pointer to the record itself.
pub(super) fn record(
    program: &mut Program,
    name: &str,
    members: &[(&str, Option<TypeId>)],
) -> (TypeId, TypeId) {
    let types = &mut program.types;
    let record = types.declare_record(name, false);
    let ty = types.intern(Type::Record(record));
    let ptr = types.intern(Type::Ptr(ty));
    let members = members.iter().map(|(n, t)| (n.to_string(), t.unwrap_or(ptr))).collect();
    types.complete(record, members);
    (ty, ptr)
}

/// `Marked` (uninterpreted), and a predicate that takes a pointer and looks at the past.
fn predicates(program: &mut Program, ty: TypeId) {
    let param = |id, name: &str| Binder { id: BoundId(id), name: name.into(), sort: Sort::Ptr(ty) };
    let predicate = |name: &str, params, body| {
        let name = name.into();
        Predicate { name, params, body, is_recursive: false, span: nowhere() }
    };
    let v = Term::Bound(BoundId(0));
    let marked = Formula::Pred(crate::spec::PredId(0), vec![v.clone()]);
    // \exists T *v; v == p && (Marked(v) || \old(alloc(v))): the name must not capture.
    let body = Formula::Exists(
        vec![param(7, "v")],
        Box::new(Formula::And(vec![
            Formula::Cmp(crate::ir::CmpOp::Eq, Term::Bound(BoundId(7)), v),
            Formula::Or(vec![
                marked,
                Formula::At(Label::Pre, Box::new(Formula::Alloc(Term::Bound(BoundId(7))))),
            ]),
        ])),
    );
    program.predicates.push(predicate("Marked", vec![param(0, "p")], None));
    program.predicates.push(predicate("known", vec![param(0, "p")], Some(body)));
}

/// One record type: `struct node *f(struct node *x, struct node *y, int k)`.
pub(super) fn nodes() -> Program {
    let mut program = Program::default();
    program.sources.add("nodes.c", "");
    let int = program.types.intern(Type::Int(IntKind::INT));
    let members = [("next", None), ("prev", None), ("data", Some(int))];
    let (node, ptr) = record(&mut program, "struct node", &members);
    program.types.finish();
    let locals = [("i", ptr, Storage::Register)];
    program.procs.push(procedure(&[("x", ptr), ("y", ptr), ("k", int)], &locals, ptr));
    program.globals.push(global("g", ptr, Storage::Register));
    predicates(&mut program, node);
    program
}

/// Linux lists: heads alone (`anchor`, in memory) and heads in items.
pub(super) fn heads() -> Program {
    let mut program = Program::default();
    program.sources.add("heads.c", "");
    let int = program.types.intern(Type::Int(IntKind::INT));
    let members = [("next", None), ("prev", None)];
    let (head, head_ptr) = record(&mut program, "struct list_head", &members);
    let members = [("key", Some(int)), ("link", Some(head)), ("top", None)];
    let (_, item_ptr) = record(&mut program, "struct item", &members);
    program.types.finish();
    let locals = [("n", int, Storage::Object)];
    let params = [("p", head_ptr), ("it", item_ptr)];
    program.procs.push(procedure(&params, &locals, int));
    program.globals.push(global("anchor", head, Storage::Object));
    predicates(&mut program, head);
    program
}

/// Boxes with a `void *` in them, and no other type to point to.
pub(super) fn boxes() -> Program {
    let mut program = Program::default();
    program.sources.add("boxes.c", "");
    let void = program.types.intern(Type::Void);
    let any = program.types.intern(Type::Ptr(void));
    let long = program.types.intern(Type::Int(IntKind::SIZE));
    let members = [("value", Some(any)), ("next", None), ("size", Some(long))];
    let (cell, ptr) = record(&mut program, "struct box", &members);
    program.types.finish();
    program.procs.push(procedure(&[("b", ptr), ("v", any)], &[], any));
    predicates(&mut program, cell);
    program
}
