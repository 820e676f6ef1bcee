//! Objects of one type inside objects of another: a list node that is a member of a larger struct,
//! an element of an array, or a global variable.
//!
//! An engine that knows one kind of heap object must refuse a procedure whose inputs may point to
//! such a place: freeing it is an error, and what lies around it is memory too.

use std::collections::BTreeSet;

use crate::ir::{ProcId, Program};
use crate::source::Span;
use crate::types::{Type, TypeId, TypeTable};

/// Whether a type is `inner`, or has a member or an element of it, at any depth.
pub fn contains(types: &TypeTable, outer: TypeId, inner: TypeId) -> bool {
    if outer == inner {
        return true;
    }
    match types.get(outer) {
        Type::Record(record) => {
            types.record(*record).fields.iter().any(|f| contains(types, f.ty, inner))
        }
        Type::Array(element, _) => contains(types, *element, inner),
        Type::Void | Type::Int(_) | Type::Float(_) | Type::Ptr(_) | Type::Func(_) => false,
    }
}

/// A global or a parameter of `proc` that has, or leads to, a `node` that is not an object of its
/// own when `proc` starts.
pub fn embedded_input(program: &Program, proc: ProcId, node: TypeId) -> Option<Span> {
    let types = &program.types;
    let procedure = program.proc(proc);
    let globals = program.globals.iter().map(|g| (g.ty, g.span));
    if let Some((_, span)) = globals.clone().find(|(ty, _)| contains(types, *ty, node)) {
        return Some(span);
    }
    let params = procedure.vars[..procedure.params].iter().map(|v| (v.ty, v.span));
    params.chain(globals).find(|(ty, _)| leads_to_embedded(types, *ty, node)).map(|(_, s)| s)
}

/// Whether pointers in a value of a type lead to an object that contains a node and is none.
fn leads_to_embedded(types: &TypeTable, ty: TypeId, node: TypeId) -> bool {
    let (mut seen, mut todo) = (BTreeSet::new(), vec![ty]);
    while let Some(ty) = todo.pop() {
        if !seen.insert(ty) {
            continue;
        }
        match types.get(ty) {
            Type::Ptr(to) => {
                if *to != node && contains(types, *to, node) {
                    return true;
                }
                todo.push(*to);
            }
            Type::Record(record) => {
                todo.extend(types.record(*record).fields.iter().map(|f| f.ty));
            }
            Type::Array(element, _) => todo.push(*element),
            Type::Void | Type::Int(_) | Type::Float(_) | Type::Func(_) => {}
        }
    }
    false
}
