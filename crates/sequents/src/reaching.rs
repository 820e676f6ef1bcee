//! Paths in clauses of the contract language.
//!
//! There a field of an object that is not there leads nowhere, in this logic to null; so a path of at
//! least one step begins at an object that exists. That all lists of a class end, and only meet where
//! one contains the other, is what a front end makes of `tree [f]`; it is read as that again, for
//! provers that know trees.
//!
//! **Invariant.** The formula is true exactly where the clause is: paths begin at objects of the class
//! of their field, or they are refused.

use trellis_hol::{Op, Quantifier, Term, Type};
use trellis_program::spec::{Binder, FieldRef, Formula, Term as SpecTerm};
use trellis_program::{CmpOp, Refusal};

use crate::build::{and, apply, bind, element, eq, ne, null, op, or, var};
use crate::convert::Converter;
use crate::signature::{Item, View};

impl Converter<'_> {
    /// That an object is reached over a field.
    pub(crate) fn reach(
        &mut self,
        field: &FieldRef,
        from: &SpecTerm,
        to: &SpecTerm,
        view: View,
    ) -> Result<Term, Refusal> {
        if self.pointee(from) != Some(field.owner) && !matches!(from, SpecTerm::Null) {
            return self.no("a path from an object of another class");
        }
        let next = self.item(Item::Field(field.owner, field.offset), view)?;
        let (from, to) = (self.spec_term(from, view)?, self.spec_term(to, view)?);
        let fresh = &mut self.signature.fresh;
        let (x, y) = (fresh.binder("x", Type::Obj), fresh.binder("y", Type::Obj));
        let step = eq(apply(next, vec![var(&x)]), var(&y));
        let relation = bind(Quantifier::Lambda, vec![x, y], step);
        let leads = op(Op::Reaches, vec![relation, from.clone(), to.clone()], Type::Bool);
        match view {
            // Whoever did not exist then leads nowhere.
            View::Entry if self.signature.allocates() => {
                let existed = self.item(Item::Allocated, View::Entry)?;
                let walked = and(vec![element(from.clone(), existed), leads]);
                Ok(or(vec![eq(from, to), walked]))
            }
            _ => Ok(leads),
        }
    }

    /// That an object is there.
    pub(crate) fn allocated(&mut self, t: &SpecTerm, view: View) -> Result<Term, Refusal> {
        let object = self.spec_term(t, view)?;
        let real = ne(object.clone(), null());
        match self.signature.allocates() {
            true => {
                let exists = self.item(Item::Allocated, view)?;
                Ok(and(vec![real, element(object, exists)]))
            }
            false => Ok(real),
        }
    }

    /// `tree [f]`, if formulas say that all lists of a class end, and that two which meet are one.
    pub(crate) fn tree(&mut self, fs: &[Formula], view: View) -> Result<Option<Term>, Refusal> {
        let [ends, meets] = fs else { return Ok(None) };
        let Some(field) = all_end(ends).filter(|f| only_meet(f, meets)) else { return Ok(None) };
        // Of objects that did not exist then it does not say so.
        if view == View::Entry && self.signature.allocates() {
            return Ok(None);
        }
        let next = self.item(Item::Field(field.owner, field.offset), view)?;
        Ok(Some(op(Op::Tree, vec![next], Type::Bool)))
    }
}

/// The field `f` of `\forall x; reach(f, x, NULL)`.
fn all_end(f: &Formula) -> Option<&FieldRef> {
    let Formula::Forall(binders, body) = f else { return None };
    match (&binders[..], &**body) {
        ([x], Formula::Reach { field, strict: false, from, to: SpecTerm::Null })
            if is(from, x) && of_class(x, field) =>
        {
            Some(field)
        }
        _ => None,
    }
}

/// `\forall x, y, z; z != NULL && reach(f, x, z) && reach(f, y, z) ==> reach(f, x, y) || reach(f, y, x)`.
fn only_meet(field: &FieldRef, f: &Formula) -> bool {
    let Formula::Forall(binders, body) = f else { return false };
    let ([x, y, z], Formula::Implies(meet, one)) = (&binders[..], &**body) else { return false };
    let (Formula::And(meet), Formula::Or(one)) = (&**meet, &**one) else { return false };
    let leads = |f: &Formula, a: &Binder, b: &Binder| {
        matches!(f, Formula::Reach { field: own, strict: false, from, to }
            if own == field && is(from, a) && is(to, b))
    };
    let [not_null, first, second] = &meet[..] else { return false };
    let [forth, back] = &one[..] else { return false };
    matches!(not_null, Formula::Cmp(CmpOp::Ne, t, SpecTerm::Null) if is(t, z))
        && [x, y, z].into_iter().all(|b| of_class(b, field))
        && leads(first, x, z)
        && leads(second, y, z)
        && leads(forth, x, y)
        && leads(back, y, x)
}

fn is(t: &SpecTerm, b: &Binder) -> bool {
    *t == SpecTerm::Bound(b.id)
}

fn of_class(b: &Binder, field: &FieldRef) -> bool {
    b.sort == trellis_program::spec::Sort::Ptr(field.owner)
}
