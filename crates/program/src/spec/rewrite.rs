//! Contracts with some of their parts replaced.

use super::{Derived, Formula, Term};

/// Makes new formulas and terms of old ones. What is not said otherwise is kept, with its parts
/// rewritten: an implementation names the cases that it is about and leaves the rest to
/// [`Formula::with_parts`] and [`Term::with_parts`].
pub(crate) trait Rewrite {
    fn formula(&mut self, formula: &Formula) -> Formula
    where
        Self: Sized,
    {
        formula.with_parts(self)
    }

    fn term(&mut self, term: &Term) -> Term
    where
        Self: Sized,
    {
        term.with_parts(self)
    }
}

fn boxed<R: Rewrite>(f: &Formula, by: &mut R) -> Box<Formula> {
    Box::new(by.formula(f))
}

fn all<R: Rewrite>(fs: &[Formula], by: &mut R) -> Vec<Formula> {
    fs.iter().map(|f| by.formula(f)).collect()
}

fn terms<R: Rewrite>(ts: &[Term], by: &mut R) -> Vec<Term> {
    ts.iter().map(|t| by.term(t)).collect()
}

impl Formula {
    /// The formula with its parts rewritten, from left to right.
    pub(crate) fn with_parts<R: Rewrite>(&self, by: &mut R) -> Formula {
        match self {
            Formula::Const(b) => Formula::Const(*b),
            Formula::Not(f) => Formula::Not(boxed(f, by)),
            Formula::And(fs) => Formula::And(all(fs, by)),
            Formula::Or(fs) => Formula::Or(all(fs, by)),
            Formula::Implies(a, b) => Formula::Implies(boxed(a, by), boxed(b, by)),
            Formula::Iff(a, b) => Formula::Iff(boxed(a, by), boxed(b, by)),
            Formula::Cmp(op, a, b) => Formula::Cmp(*op, by.term(a), by.term(b)),
            Formula::In(a, b) => Formula::In(by.term(a), by.term(b)),
            Formula::Subset(a, b) => Formula::Subset(by.term(a), by.term(b)),
            Formula::Forall(binders, f) => Formula::Forall(binders.clone(), boxed(f, by)),
            Formula::Exists(binders, f) => Formula::Exists(binders.clone(), boxed(f, by)),
            Formula::Reach { field, strict, from, to } => {
                let (from, to) = (by.term(from), by.term(to));
                Formula::Reach { field: field.clone(), strict: *strict, from, to }
            }
            Formula::Derived(d) => Formula::Derived(Box::new(d.with_parts(by))),
            Formula::Alloc(t) => Formula::Alloc(by.term(t)),
            Formula::Valid(t, bytes) => Formula::Valid(by.term(t), *bytes),
            Formula::Separated(ts) => Formula::Separated(terms(ts, by)),
            Formula::Pred(id, ts) => Formula::Pred(*id, terms(ts, by)),
            Formula::Hol(clause, ts) => Formula::Hol(clause.clone(), terms(ts, by)),
            Formula::At(label, f) => Formula::At(*label, boxed(f, by)),
        }
    }
}

impl Derived {
    fn with_parts<R: Rewrite>(&self, by: &mut R) -> Derived {
        match self {
            Derived::ListSegment(f, a, b) => {
                Derived::ListSegment(f.clone(), by.term(a), by.term(b))
            }
            Derived::Stable(f, a) => Derived::Stable(f.clone(), by.term(a)),
            Derived::Reverse(f, g, a, b) => {
                Derived::Reverse(f.clone(), g.clone(), by.term(a), by.term(b))
            }
            Derived::Sorted(f, g, a, b) => {
                Derived::Sorted(f.clone(), g.clone(), by.term(a), by.term(b))
            }
            Derived::Cyclic(f, a) => Derived::Cyclic(f.clone(), by.term(a)),
            Derived::ReachOver(fs, a, b) => Derived::ReachOver(fs.clone(), by.term(a), by.term(b)),
            Derived::Tree(fs, a) => Derived::Tree(fs.clone(), by.term(a)),
        }
    }
}

impl Term {
    /// The term with its parts rewritten, from left to right.
    pub(crate) fn with_parts<R: Rewrite>(&self, by: &mut R) -> Term {
        fn part<R: Rewrite>(t: &Term, by: &mut R) -> Box<Term> {
            Box::new(by.term(t))
        }
        match self {
            Term::Int(_)
            | Term::Null
            | Term::Reg(_)
            | Term::Addr(_)
            | Term::Bound(_)
            | Term::Result
            | Term::EmptySet => self.clone(),
            Term::Load { addr, scalar } => Term::Load { addr: part(addr, by), scalar: *scalar },
            Term::Offset(t, bytes) => Term::Offset(part(t, by), *bytes),
            Term::Index { base, index, size } => {
                let (base, index) = (part(base, by), part(index, by));
                Term::Index { base, index, size: *size }
            }
            Term::Neg(t) => Term::Neg(part(t, by)),
            Term::Arith(op, a, b) => Term::Arith(*op, part(a, by), part(b, by)),
            Term::Ite(c, a, b) => Term::Ite(boxed(c, by), part(a, by), part(b, by)),
            Term::At(label, t) => Term::At(*label, part(t, by)),
            Term::Content(f, t) => Term::Content(f.clone(), part(t, by)),
            Term::Singleton(t) => Term::Singleton(part(t, by)),
            Term::SetOp(op, a, b) => Term::SetOp(*op, part(a, by), part(b, by)),
        }
    }
}
