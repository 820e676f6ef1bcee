//! Recursive predicates that only walk along a field, as reachability.
//!
//! `p(x) = x == null || (\valid(x) && p(x->f))` holds of `x` if its chain of `f` runs through memory
//! that is there and ends in null: `reach(f, x, null)`. Engines that prove know the latter. The
//! interpreter and exploration go on with the definition, so they say if the two differ.

use crate::ir::{CmpOp, Program};
use crate::spec::{Binder, BoundId, FieldRef, Formula, PredId, Predicate, Sort, Term};
use crate::types::{Scalar, TypeTable};

/// Replaces the definitions of such predicates.
pub(super) fn replace(program: &mut Program) {
    let types = &program.types;
    for (i, predicate) in (0..).zip(&mut program.predicates) {
        if let Some(body) = walk(types, PredId(i), predicate) {
            predicate.body = Some(body);
            predicate.is_recursive = false;
        }
    }
}

fn walk(types: &TypeTable, id: PredId, predicate: &Predicate) -> Option<Formula> {
    let [Binder { id: x, sort: Sort::Ptr(owner), .. }] = predicate.params[..] else { return None };
    let Some(Formula::Or(cases)) = &predicate.body else { return None };
    let [end, step] = &cases[..] else { return None };
    let is_end = match end {
        Formula::Cmp(CmpOp::Eq, a, b) => {
            (a, b) == (&Term::Bound(x), &Term::Null) || (a, b) == (&Term::Null, &Term::Bound(x))
        }
        _ => false,
    };
    let parts = step.conjuncts();
    let [there, Formula::Pred(next, args)] = parts[..] else { return None };
    let size = types.size_of(owner)?;
    let is_there = match there {
        Formula::Valid(Term::Bound(y), bytes) => *y == x && *bytes == size,
        Formula::Alloc(Term::Bound(y)) => *y == x,
        _ => false,
    };
    let [Term::Load { addr, scalar: scalar @ Scalar::Ptr(to) }] = &args[..] else { return None };
    let offset = u32::try_from(place(addr, x)?).ok()?;
    if !is_end || !is_there || *next != id || *to != owner {
        return None;
    }
    let cells = &types.layout(owner).filter(|l| !l.overlaps)?.cells;
    let name = cells.iter().find(|c| c.offset == offset && c.scalar == *scalar)?.path.clone();
    let field = FieldRef { owner, offset, scalar: *scalar, name };
    Some(Formula::Reach { field, strict: false, from: Term::Bound(x), to: Term::Null })
}

/// How many bytes behind `x` an address is.
fn place(addr: &Term, x: BoundId) -> Option<i64> {
    match addr {
        Term::Bound(y) if *y == x => Some(0),
        Term::Offset(base, by) => place(base, x)?.checked_add(*by),
        _ => None,
    }
}
