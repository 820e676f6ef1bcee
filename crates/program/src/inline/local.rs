//! Which contracts speak only of what a procedure reaches.
//!
//! A procedure is looked at alone: all objects there are are those that its arguments reach. Where it is
//! called there are others, and a quantifier ranges over them too. So a contract may be used at a
//! call only if these make no difference: `\forall T *v; reach(f, p, v) ==> F` says nothing of a v
//! outside, `\exists T *v; reach(f, p, v) && F` finds none there.
//!
//! **Invariant.** Of a formula for which [`is_local`] says so, the truth value is the same in the part of
//! memory that is reached from its parameters and its result, and in all of memory, if no field in
//! that part leads out of it.

use std::collections::BTreeMap;

use crate::ir::{CmpOp, Program, Reg};
use crate::spec::{Binder, BoundId, Derived, Formula, Sort, Term};

/// Where the values of bound variables are: inside of the part, or not.
type Inside = BTreeMap<BoundId, bool>;

/// Whether objects that cannot be reached make no difference to a formula.
pub(super) fn is_local(program: &Program, formula: &Formula) -> bool {
    Locality { program }.check(formula, &Inside::new())
}

struct Locality<'p> {
    program: &'p Program,
}

impl Locality<'_> {
    fn check(&self, formula: &Formula, inside: &Inside) -> bool {
        match formula {
            Formula::Forall(binders, body) => self.quantifier(binders, body, true, inside),
            Formula::Exists(binders, body) => self.quantifier(binders, body, false, inside),
            Formula::Const(_) => true,
            Formula::Not(a) | Formula::At(_, a) => self.check(a, inside),
            Formula::And(fs) | Formula::Or(fs) => fs.iter().all(|f| self.check(f, inside)),
            Formula::Implies(a, b) | Formula::Iff(a, b) => {
                self.check(a, inside) && self.check(b, inside)
            }
            Formula::Pred(id, args) => {
                let predicate = &self.program.predicates[id.0 as usize];
                let places = self.places(&predicate.params, args, inside);
                !predicate.is_recursive
                    && predicate.body.as_ref().is_none_or(|body| self.check(body, &places))
            }
            // That no path enters a segment from elsewhere is about everything there is.
            Formula::Derived(d) => !matches!(**d, Derived::ListSegment(..)),
            Formula::Hol(..) => false,
            Formula::Cmp(..)
            | Formula::In(..)
            | Formula::Subset(..)
            | Formula::Reach { .. }
            | Formula::Alloc(_)
            | Formula::Valid(..)
            | Formula::Separated(_) => true,
        }
    }

    /// With some variable outside, the body has the value that does not matter.
    fn quantifier(&self, binders: &[Binder], body: &Formula, dull: bool, inside: &Inside) -> bool {
        let pointers: Vec<BoundId> =
            binders.iter().filter(|b| b.sort != Sort::Int).map(|b| b.id).collect();
        if pointers.len() > 4 {
            return false;
        }
        let place = |bits: u32| {
            let mut places = inside.clone();
            places.extend(pointers.iter().enumerate().map(|(i, id)| (*id, bits >> i & 1 == 1)));
            places
        };
        let all = (1_u32 << pointers.len()) - 1;
        (0..all).all(|bits| self.value(body, &place(bits)) == Some(dull))
            && self.check(body, &place(all))
    }

    fn places(&self, params: &[Binder], args: &[Term], inside: &Inside) -> Inside {
        let place = |(p, arg): (&Binder, &Term)| Some((p.id, self.place(arg, inside)?));
        params.iter().zip(args).filter_map(place).collect()
    }

    /// Where a pointer leads, if that is known: null, and what is read inside, is inside.
    fn place(&self, term: &Term, inside: &Inside) -> Option<bool> {
        match term {
            Term::Null | Term::Result | Term::Reg(Reg::Local(_)) => Some(true),
            Term::Bound(id) => inside.get(id).copied(),
            Term::Offset(a, _) | Term::At(_, a) => self.place(a, inside),
            Term::Load { addr, .. } => self.place(addr, inside).filter(|inside| *inside),
            Term::Ite(_, a, b) => {
                let (a, b) = (self.place(a, inside)?, self.place(b, inside)?);
                (a == b).then_some(a)
            }
            _ => None,
        }
    }

    /// The value of a formula, as far as it follows from where variables are.
    fn value(&self, formula: &Formula, inside: &Inside) -> Option<bool> {
        let of = |f: &Formula| self.value(f, inside);
        match formula {
            Formula::Const(b) => Some(*b),
            Formula::Not(a) => of(a).map(|v| !v),
            Formula::At(_, a) => of(a),
            Formula::And(fs) => all(fs.iter().map(of)),
            Formula::Or(fs) => all(fs.iter().map(|f| of(f).map(|v| !v))).map(|v| !v),
            Formula::Implies(a, b) => all([of(a), of(b).map(|v| !v)].into_iter()).map(|v| !v),
            Formula::Iff(a, b) => Some(of(a)? == of(b)?),
            Formula::Cmp(op @ (CmpOp::Eq | CmpOp::Ne), a, b) => {
                let apart = self.place(a, inside)? != self.place(b, inside)?;
                apart.then_some(*op == CmpOp::Ne)
            }
            Formula::Reach { from, to, .. } => self.reach(from, to, inside),
            Formula::Derived(d) => match &**d {
                Derived::ReachOver(_, from, to) => self.reach(from, to, inside),
                _ => None,
            },
            Formula::Pred(id, args) => {
                let predicate = &self.program.predicates[id.0 as usize];
                let places = self.places(&predicate.params, args, inside);
                let body = predicate.body.as_ref().filter(|_| !predicate.is_recursive);
                self.value(body?, &places)
            }
            _ => None,
        }
    }

    /// No path leads out.
    fn reach(&self, from: &Term, to: &Term, inside: &Inside) -> Option<bool> {
        let leaves = self.place(from, inside)? && !self.place(to, inside)?;
        leaves.then_some(false)
    }
}

/// A conjunction of values of which some may not be known.
fn all(values: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let values: Vec<Option<bool>> = values.collect();
    match values.contains(&Some(false)) {
        true => Some(false),
        false => values.iter().all(Option::is_some).then_some(true),
    }
}
