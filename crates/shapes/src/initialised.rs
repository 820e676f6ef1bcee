//! Which data fields may be read before they are written.
//!
//! The engine keeps no data, so whether a field was ever written is found out beforehand, for all
//! nodes at once: at every point and for every field, a set of list variables such that every node
//! whose field is not written yet, if there is one, is pointed to by *all* of them. While no node
//! is unwritten the set is that of all variables. A write through a variable of the set completes
//! the node; an allocation while another node is unwritten empties the set for good.
//!
//! **Invariant:** a read gives a defined value unless it is marked, and through a marked one too if
//! one of the variables points to another node.

use std::collections::{BTreeMap, BTreeSet};

use crate::program::{IntExpr, ListProgram, Op, Source};

/// For one field: `None` while every node is written, else the variables that point to the one
/// that may not be.
type Unwritten = Option<BTreeSet<usize>>;
type Facts = BTreeMap<u32, Unwritten>;

/// Whether an expression may have an undefined value.
pub fn may_be_undefined(e: &IntExpr) -> bool {
    match e {
        IntExpr::Const(_) => false,
        IntExpr::Opaque(parts) => parts.iter().any(may_be_undefined),
        IntExpr::Product(_, a, b) => may_be_undefined(a) || may_be_undefined(b),
        IntExpr::Var(_)
        | IntExpr::Truth(_)
        | IntExpr::Same(..)
        | IntExpr::Cmp(..)
        | IntExpr::Not(_) => true,
    }
}

/// Marks the reads of a program that may give an undefined value.
pub fn mark(program: &mut ListProgram) {
    let fields: BTreeSet<u32> = steps(program)
        .filter_map(|op| match op {
            Op::Data { field, read: Some(_), .. } => Some(*field),
            _ => None,
        })
        .collect();
    if fields.is_empty() || program.blocks.is_empty() {
        return;
    }
    let mut at_start: Vec<Option<Facts>> = vec![None; program.blocks.len()];
    at_start[0] = Some(fields.iter().map(|f| (*f, None)).collect());
    let mut todo = vec![0];
    while let Some(b) = todo.pop() {
        let mut facts = at_start[b].clone().expect("only reached blocks are looked at");
        for step in &program.blocks[b].steps {
            apply(&step.op, &mut facts);
        }
        for s in program.blocks[b].exit.successors() {
            let joined = match &at_start[s] {
                None => facts.clone(),
                Some(before) => join(before, &facts),
            };
            if at_start[s].as_ref() != Some(&joined) {
                at_start[s] = Some(joined);
                todo.push(s);
            }
        }
    }
    for (block, facts) in program.blocks.iter_mut().zip(at_start) {
        let Some(mut facts) = facts else { continue };
        for step in &mut block.steps {
            if let Op::Data { field, read: Some(_), unwritten, .. } = &mut step.op {
                *unwritten = facts[field].as_ref().map(|set| set.iter().copied().collect());
            }
            apply(&step.op, &mut facts);
        }
    }
}

fn steps(program: &ListProgram) -> impl Iterator<Item = &Op> {
    program.blocks.iter().flat_map(|b| &b.steps).map(|s| &s.op)
}

fn join(a: &Facts, b: &Facts) -> Facts {
    let one = |f: &u32| match (&a[f], &b[f]) {
        (None, other) | (other, None) => other.clone(),
        (Some(a), Some(b)) => Some(a.intersection(b).copied().collect()),
    };
    a.keys().map(|f| (*f, one(f))).collect()
}

fn apply(op: &Op, facts: &mut Facts) {
    for (field, unwritten) in facts.iter_mut() {
        match op {
            Op::Allocate { zeroed: true, dst, .. } => forget(unwritten, *dst),
            Op::Allocate { dst, .. } => {
                *unwritten = match unwritten {
                    None => Some(BTreeSet::from([*dst])),
                    Some(_) => Some(BTreeSet::new()),
                };
            }
            Op::Assign { dst, value: Source::Var(v) } => {
                let same = unwritten.as_ref().is_some_and(|s| s.contains(v));
                forget(unwritten, *dst);
                if let (true, Some(set)) = (same, unwritten) {
                    set.insert(*dst);
                }
            }
            Op::Assign { dst, .. } | Op::Load { dst, .. } => forget(unwritten, *dst),
            Op::Reset { vars, .. } => vars.iter().for_each(|v| forget(unwritten, *v)),
            Op::Data { var, field: f, read: None, .. }
                if f == field && unwritten.as_ref().is_some_and(|s| s.contains(var)) =>
            {
                *unwritten = None;
            }
            // A field that receives an undefined value is refused by `DefinedData`.
            Op::Store { .. }
            | Op::Free { .. }
            | Op::Data { .. }
            | Op::WholeNode { .. }
            | Op::DefinedData { .. }
            | Op::Int { .. }
            | Op::Assert { .. }
            | Op::Test { .. }
            | Op::AssumeFact(_)
            | Op::Assume(_)
            | Op::MayFail(_)
            | Op::Acyclic
            | Op::Leak { .. }
            | Op::Keep { .. }
            | Op::Unsupported(_) => {}
        }
    }
}

/// A variable points elsewhere now.
fn forget(unwritten: &mut Unwritten, var: usize) {
    if let Some(set) = unwritten {
        set.remove(&var);
    }
}
