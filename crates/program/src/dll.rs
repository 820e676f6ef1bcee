//! `dll(f, b, x, y)`: a doubly linked list from `x` to `y`, in terms of `reach`.
//!
//! What it means, step by step: `y` is reached from `x` over `f` without a cycle on the way; for two
//! neighbours `u->f == v` on the way, `v->b == u`; and from `x`, `b` does not lead back, neither to
//! the list nor in a circle to `x`. What `x->b` is besides is not said: it is null at the head of a
//! list, and the node before in the middle of one.
//!
//! Said with closures, so that every engine can follow it (a single step is a universal formula in
//! the logic of closures and cannot stand under another quantifier). With `S` for the places on the
//! way from `x` to `y`, ends included, null not:
//!
//! 1. `f` and `b` are each other's reverse on `S` (`rev`);
//! 2. no two places of `S` reach each other over `f`;
//! 3. what is reached over `b` from a place of `S` lies in `S` before it, or is reached from `x`: `b`
//!    makes no detour;
//! 4. no other place reaches `x` over `b` and is reached from there.
//!
//! Conversely, let `u->f == v` be a step on the way. By 1 `b` leads from `v` to `u`, so `w = v->b` is
//! not null, and leads on to `u`. If `w` is in `S` before `v`, then `w` and `u` reach each other by 1,
//! and are one by 2. Else `w` is reached from `x` over `b`, and so is `u`; by 1 and 2 `u` is `x`, and
//! `x` and `w` reach each other, which 4 excludes.

use crate::ir::CmpOp;
use crate::spec::{Binder, BoundId, Derived, FieldRef, Formula, Sort, Term};
use crate::types::TypeId;

/// The formula of `dll(next, back, x, y)`; `bound` are names that nothing else has.
pub fn doubly_linked(
    owner: TypeId,
    next: &FieldRef,
    back: &FieldRef,
    x: &Term,
    y: &Term,
    bound: [BoundId; 3],
) -> Formula {
    let reach = |field: &FieldRef, from: &Term, to: &Term| Formula::Reach {
        field: field.clone(),
        strict: false,
        from: from.clone(),
        to: to.clone(),
    };
    let there = |t: &Term| Formula::Cmp(CmpOp::Ne, t.clone(), Term::Null);
    let same = |a: &Term, b: &Term| Formula::Cmp(CmpOp::Eq, a.clone(), b.clone());
    let on_the_way = |t: &Term| vec![there(t), reach(next, x, t), reach(next, t, y)];
    let implies = |premises: Vec<Formula>, conclusion: Formula| {
        Formula::Implies(Box::new(Formula::And(premises)), Box::new(conclusion))
    };
    let forall = |vars: &[&Binder], body: Formula| {
        Formula::Forall(vars.iter().map(|b| (*b).clone()).collect(), Box::new(body))
    };
    let binder =
        |(id, name): (BoundId, &str)| Binder { id, name: name.to_owned(), sort: Sort::Ptr(owner) };
    let [u, v, w] = [(bound[0], "u"), (bound[1], "v"), (bound[2], "w")].map(binder);
    let [ut, vt, wt] = [&u, &v, &w].map(|b| Term::Bound(b.id));

    let reverse = Derived::Reverse(next.clone(), back.clone(), x.clone(), y.clone());
    let mut both = on_the_way(&ut);
    both.extend(on_the_way(&vt));
    both.extend([reach(next, &ut, &vt), reach(next, &vt, &ut)]);
    let no_cycle = forall(&[&u, &v], implies(both, same(&ut, &vt)));

    let mut led_back = on_the_way(&vt);
    led_back.extend([there(&wt), reach(back, &vt, &wt)]);
    let before = Formula::And(vec![reach(next, x, &wt), reach(next, &wt, &vt)]);
    let beyond = reach(back, x, &wt);
    let no_detour = forall(&[&v, &w], implies(led_back, Formula::Or(vec![before, beyond])));

    let around = vec![there(&wt), reach(back, x, &wt), reach(back, &wt, x)];
    let no_circle = forall(&[&w], implies(around, same(&wt, x)));
    Formula::And(vec![
        reach(next, x, y),
        Formula::Derived(Box::new(reverse)),
        no_cycle,
        no_detour,
        no_circle,
    ])
}

/// The two fields and the two ends of a formula that [`doubly_linked`] made, for those who follow it
/// step by step.
pub fn as_doubly_linked(formula: &Formula) -> Option<(&FieldRef, &FieldRef, &Term, &Term)> {
    let Formula::And(parts) = formula else { return None };
    let [_, Formula::Derived(reverse), Formula::Forall(two, _), Formula::Forall(more, _), _] =
        parts.as_slice()
    else {
        return None;
    };
    let (Derived::Reverse(next, back, x, y), [u, v], [_, w]) =
        (&**reverse, two.as_slice(), more.as_slice())
    else {
        return None;
    };
    let Sort::Ptr(owner) = u.sort else { return None };
    let again = doubly_linked(owner, next, back, x, y, [u.id, v.id, w.id]);
    (again == *formula).then_some((next, back, x, y))
}
