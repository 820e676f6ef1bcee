//! Small programs that the tests of this crate share.

use crate::ir::{Global, Procedure, Program, Storage, Var};
use crate::source::{FileId, Span};
use crate::spec::{Contract, FieldRef};
use crate::types::{IntKind, Type, TypeId};

/// The types of [`lists`].
pub struct Lists {
    /// `void f(struct node *x, struct node *y, int k)`, `struct node *head`, `int count`.
    pub program: Program,
    /// `struct node { struct node *next; struct node *prev; int data; }`
    pub node: TypeId,
    /// `struct item { int key; struct list_head link; }`
    pub item: TypeId,
    /// `struct list_head { struct list_head *next; }`
    pub head: TypeId,
}

/// A place in the sample's only file.
pub fn nowhere() -> Span {
    Span::new(FileId(0), 0, 0)
}

fn var(name: &str, ty: TypeId) -> Var {
    Var {
        name: name.into(),
        ty,
        storage: Storage::Register,
        is_temp: name.starts_with('%'),
        is_ghost: false,
        is_const: false,
        span: nowhere(),
    }
}

/// Lists of several kinds and a procedure without a body.
pub fn lists() -> Lists {
    let mut program = Program::default();
    program.sources.add("lists.c", "");
    let types = &mut program.types;
    let void = types.intern(Type::Void);
    let int = types.intern(Type::Int(IntKind::INT));
    let record = types.declare_record("struct node", false);
    let node = types.intern(Type::Record(record));
    let node_ptr = types.intern(Type::Ptr(node));
    let members = [("next", node_ptr), ("prev", node_ptr), ("data", int)];
    types.complete(record, members.map(|(n, t)| (n.into(), t)).into());
    let record = types.declare_record("struct list_head", false);
    let head = types.intern(Type::Record(record));
    let head_ptr = types.intern(Type::Ptr(head));
    types.complete(record, vec![("next".into(), head_ptr)]);
    let record = types.declare_record("struct item", false);
    let item = types.intern(Type::Record(record));
    let item_ptr = types.intern(Type::Ptr(item));
    types.complete(record, vec![("key".into(), int), ("link".into(), head)]);
    types.finish();
    let vars = [("x", node_ptr), ("y", node_ptr), ("k", int), ("it", item_ptr)];
    program.procs.push(Procedure {
        name: "f".into(),
        span: nowhere(),
        params: 4,
        vars: vars.map(|(n, t)| var(n, t)).into(),
        ret: void,
        body: None,
        contract: Contract::default(),
        has_contract: false,
    });
    for (name, ty, storage) in [
        ("head", node_ptr, Storage::Register),
        ("count", int, Storage::Register),
        ("anchor", head, Storage::Object),
    ] {
        program.globals.push(Global {
            name: name.into(),
            ty,
            storage,
            init: vec![],
            is_const: false,
            is_ghost: false,
            span: nowhere(),
        });
    }
    Lists { program, node, item, head }
}

impl Lists {
    /// A field of `struct node`.
    pub fn field(&self, name: &str) -> FieldRef {
        let record = self.program.types.as_record(self.node).unwrap();
        let (offset, ty) = self.program.types.field(record, name).unwrap();
        FieldRef {
            owner: self.node,
            offset,
            scalar: self.program.types.scalar(ty).unwrap(),
            name: name.into(),
        }
    }
}
