//! Paths in clauses of the contract language.
//!
//! There a field of an object that is not there leads nowhere, in this logic to null; so a path of at
//! least one step begins at an object that exists. That all lists of a class end, and only meet where
//! one contains the other, is what a front end makes of `tree [f]` (and of several fields, that nothing
//! below an object is reached twice, and that ancestors are a chain); it is read as that again, for
//! provers that know trees.
//!
//! **Invariant.** The formula is true exactly where the clause is: paths begin at objects of the class
//! of their field, or they are refused.

use trellis_hol::{Op, Quantifier, Term, Type};
use trellis_program::spec::{Binder, Derived, FieldRef, Formula, Sort, Term as SpecTerm};
use trellis_program::{CmpOp, Refusal};

use crate::build::{and, apply, bind, element, eq, ne, null, op, or, var};
use crate::convert::Converter;
use crate::signature::{Item, View};

impl Converter<'_> {
    /// That an object is reached over fields.
    pub(crate) fn reach(
        &mut self,
        fields: &[FieldRef],
        from: &SpecTerm,
        to: &SpecTerm,
        view: View,
    ) -> Result<Term, Refusal> {
        let is_owner = |f: &FieldRef| self.pointee(from) == Some(f.owner);
        if !fields.iter().all(is_owner) && !matches!(from, SpecTerm::Null) {
            return self.no("a path from an object of another class");
        }
        let (from, to) = (self.spec_term(from, view)?, self.spec_term(to, view)?);
        let fresh = &mut self.signature.fresh;
        let (x, y) = (fresh.binder("x", Type::Obj), fresh.binder("y", Type::Obj));
        let mut steps = Vec::new();
        for field in fields {
            let next = self.item(Item::Field(field.owner, field.offset), view)?;
            steps.push(eq(apply(next, vec![var(&x)]), var(&y)));
        }
        let relation = bind(Quantifier::Lambda, vec![x, y], or(steps));
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

    /// A predicate of the contract language, if it is about paths.
    pub(crate) fn derived(&mut self, d: &Derived, view: View) -> Result<Term, Refusal> {
        match d {
            Derived::ReachOver(fields, from, to) => {
                let real = ne(self.spec_term(to, view)?, null());
                Ok(and(vec![real, self.reach(fields, from, to, view)?]))
            }
            _ => self.no("this formula of the contract language"),
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

    /// A conjunction, in which trees are found again.
    pub(crate) fn conjunction(&mut self, fs: &[Formula], view: View) -> Result<Term, Refusal> {
        // Of objects that did not exist at the entry the two formulas say more than `tree`.
        let trees = view == View::Now || !self.signature.allocates();
        let (mut parts, mut rest) = (Vec::new(), fs);
        while let Some((first, others)) = rest.split_first() {
            rest = others;
            match others.split_first().and_then(|(second, _)| forest(first, second)) {
                Some(fields) if trees => {
                    let fields: Result<Vec<Term>, Refusal> = fields
                        .iter()
                        .map(|f| self.item(Item::Field(f.owner, f.offset), view))
                        .collect();
                    parts.push(op(Op::Tree, fields?, Type::Bool));
                    rest = &others[1..];
                }
                _ => parts.push(self.formula(first, view)?),
            }
        }
        Ok(and(parts))
    }
}

/// The fields of a forest, if two formulas say that there is one.
fn forest<'f>(ends: &'f Formula, meets: &Formula) -> Option<&'f [FieldRef]> {
    let Formula::Forall(binders, body) = ends else { return None };
    let ([x], body) = (&binders[..], &**body) else { return None };
    let (fields, root) = match body {
        Formula::Reach { field, strict: false, from, to: SpecTerm::Null } => {
            (std::slice::from_ref(field), from)
        }
        Formula::Derived(d) => match &**d {
            Derived::Tree(fields, root) => (&fields[..], root),
            _ => return None,
        },
        _ => return None,
    };
    let fits = is(root, x) && of_class(x, fields) && only_meet(fields, meets);
    fits.then_some(fields)
}

/// `\forall x, y, z; z != NULL && reach(f, x, z) && reach(f, y, z) ==> reach(f, x, y) || reach(f, y, x)`;
/// over several fields null is never reached.
fn only_meet(fields: &[FieldRef], f: &Formula) -> bool {
    let Formula::Forall(binders, body) = f else { return false };
    let ([x, y, z], Formula::Implies(meet, one)) = (&binders[..], &**body) else { return false };
    let (Formula::And(meet), Formula::Or(one)) = (&**meet, &**one) else { return false };
    let (first, second) = match &meet[..] {
        [Formula::Cmp(CmpOp::Ne, t, SpecTerm::Null), first, second] if is(t, z) => (first, second),
        [first, second] if matches!(first, Formula::Derived(_)) => (first, second),
        _ => return false,
    };
    let [forth, back] = &one[..] else { return false };
    [x, y, z].into_iter().all(|b| of_class(b, fields))
        && leads(fields, first, x, z)
        && leads(fields, second, y, z)
        && leads(fields, forth, x, y)
        && leads(fields, back, y, x)
}

fn leads(fields: &[FieldRef], f: &Formula, a: &Binder, b: &Binder) -> bool {
    let (own, from, to) = match f {
        Formula::Reach { field, strict: false, from, to } => {
            (std::slice::from_ref(field), from, to)
        }
        Formula::Derived(d) => match &**d {
            Derived::ReachOver(own, from, to) => (&own[..], from, to),
            _ => return false,
        },
        _ => return false,
    };
    own == fields && is(from, a) && is(to, b)
}

fn is(t: &SpecTerm, b: &Binder) -> bool {
    *t == SpecTerm::Bound(b.id)
}

fn of_class(b: &Binder, fields: &[FieldRef]) -> bool {
    fields.iter().all(|f| b.sort == Sort::Ptr(f.owner))
}
