//! Contract formulas over variables that live in registers again.

use std::collections::BTreeSet;

use crate::ir::Reg;
use crate::spec::{Derived, Formula, Label, Term};
use crate::types::Scalar;

/// The variable in memory that a term reads by its name.
pub(super) fn variable(term: &Term) -> Option<(Reg, Scalar)> {
    match term {
        Term::Load { addr, scalar } => match **addr {
            Term::Addr(reg) => Some((reg, *scalar)),
            _ => None,
        },
        _ => None,
    }
}

/// Calls `f` with every term of a formula and the state it is about; what reads a variable by its
/// name is one term.
pub(super) fn terms(formula: &Formula, label: Label, f: &mut impl FnMut(&Term, Label)) {
    let mut walk = Walk { label, f: &mut |term: &Term, label| f(term, label) };
    walk.formula(formula);
}

struct Walk<'a> {
    label: Label,
    f: &'a mut dyn FnMut(&Term, Label),
}

impl Walk<'_> {
    fn at(&mut self, label: Label, f: impl FnOnce(&mut Self)) {
        let before = std::mem::replace(&mut self.label, label);
        f(self);
        self.label = before;
    }

    fn formula(&mut self, formula: &Formula) {
        match formula {
            Formula::Const(_) => {}
            Formula::Not(a) | Formula::Forall(_, a) | Formula::Exists(_, a) => self.formula(a),
            Formula::At(label, a) => self.at(*label, |w| w.formula(a)),
            Formula::And(fs) | Formula::Or(fs) => fs.iter().for_each(|f| self.formula(f)),
            Formula::Implies(a, b) | Formula::Iff(a, b) => {
                self.formula(a);
                self.formula(b);
            }
            Formula::Cmp(_, a, b)
            | Formula::In(a, b)
            | Formula::Subset(a, b)
            | Formula::Reach { from: a, to: b, .. } => {
                self.term(a);
                self.term(b);
            }
            Formula::Derived(d) => d.terms().into_iter().for_each(|t| self.term(t)),
            Formula::Alloc(t) | Formula::Valid(t, _) => self.term(t),
            Formula::Separated(ts) | Formula::Pred(_, ts) | Formula::Hol(_, ts) => {
                ts.iter().for_each(|t| self.term(t));
            }
        }
    }

    fn term(&mut self, term: &Term) {
        (self.f)(term, self.label);
        if variable(term).is_some() {
            return;
        }
        match term {
            Term::Int(_)
            | Term::Null
            | Term::Reg(_)
            | Term::Addr(_)
            | Term::Bound(_)
            | Term::Result
            | Term::EmptySet => {}
            Term::Load { addr: a, .. }
            | Term::Offset(a, _)
            | Term::Neg(a)
            | Term::Content(_, a)
            | Term::Singleton(a) => self.term(a),
            Term::At(label, a) => self.at(*label, |w| w.term(a)),
            Term::Index { base: a, index: b, .. } | Term::Arith(_, a, b) | Term::SetOp(_, a, b) => {
                self.term(a);
                self.term(b);
            }
            Term::Ite(c, a, b) => {
                self.formula(c);
                self.term(a);
                self.term(b);
            }
        }
    }
}

/// A formula that reads some variables from registers.
pub(super) fn formula(f: &Formula, registers: &BTreeSet<Reg>) -> Formula {
    let boxed = |f: &Formula| Box::new(formula(f, registers));
    let all = |fs: &[Formula]| fs.iter().map(|f| formula(f, registers)).collect();
    let t = |t: &Term| term(t, registers);
    match f {
        Formula::Const(b) => Formula::Const(*b),
        Formula::Not(a) => Formula::Not(boxed(a)),
        Formula::And(fs) => Formula::And(all(fs)),
        Formula::Or(fs) => Formula::Or(all(fs)),
        Formula::Implies(a, b) => Formula::Implies(boxed(a), boxed(b)),
        Formula::Iff(a, b) => Formula::Iff(boxed(a), boxed(b)),
        Formula::Cmp(op, a, b) => Formula::Cmp(*op, t(a), t(b)),
        Formula::In(a, b) => Formula::In(t(a), t(b)),
        Formula::Subset(a, b) => Formula::Subset(t(a), t(b)),
        Formula::Forall(binders, a) => Formula::Forall(binders.clone(), boxed(a)),
        Formula::Exists(binders, a) => Formula::Exists(binders.clone(), boxed(a)),
        Formula::Reach { field, strict, from, to } => {
            Formula::Reach { field: field.clone(), strict: *strict, from: t(from), to: t(to) }
        }
        Formula::Derived(d) => Formula::Derived(Box::new(derived(d, registers))),
        Formula::Alloc(a) => Formula::Alloc(t(a)),
        Formula::Valid(a, bytes) => Formula::Valid(t(a), *bytes),
        Formula::Separated(ts) => Formula::Separated(ts.iter().map(t).collect()),
        Formula::Pred(id, ts) => Formula::Pred(*id, ts.iter().map(t).collect()),
        Formula::Hol(clause, ts) => Formula::Hol(clause.clone(), ts.iter().map(t).collect()),
        Formula::At(label, a) => Formula::At(*label, boxed(a)),
    }
}

fn derived(d: &Derived, registers: &BTreeSet<Reg>) -> Derived {
    let t = |t: &Term| term(t, registers);
    match d {
        Derived::ListSegment(f, a, b) => Derived::ListSegment(f.clone(), t(a), t(b)),
        Derived::Stable(f, a) => Derived::Stable(f.clone(), t(a)),
        Derived::Reverse(f, g, a, b) => Derived::Reverse(f.clone(), g.clone(), t(a), t(b)),
        Derived::Sorted(f, g, a, b) => Derived::Sorted(f.clone(), g.clone(), t(a), t(b)),
        Derived::Cyclic(f, a) => Derived::Cyclic(f.clone(), t(a)),
        Derived::ReachOver(fs, a, b) => Derived::ReachOver(fs.clone(), t(a), t(b)),
        Derived::Tree(fs, a) => Derived::Tree(fs.clone(), t(a)),
    }
}

fn term(t: &Term, registers: &BTreeSet<Reg>) -> Term {
    if let Some((reg, _)) = variable(t)
        && registers.contains(&reg)
    {
        return Term::Reg(reg);
    }
    let boxed = |t: &Term| Box::new(term(t, registers));
    match t {
        Term::Int(i) => Term::Int(*i),
        Term::Null => Term::Null,
        Term::Reg(r) => Term::Reg(*r),
        Term::Addr(r) => Term::Addr(*r),
        Term::Bound(b) => Term::Bound(*b),
        Term::Result => Term::Result,
        Term::Load { addr, scalar } => Term::Load { addr: boxed(addr), scalar: *scalar },
        Term::Offset(a, by) => Term::Offset(boxed(a), *by),
        Term::Index { base, index, size } => {
            Term::Index { base: boxed(base), index: boxed(index), size: *size }
        }
        Term::Neg(a) => Term::Neg(boxed(a)),
        Term::Arith(op, a, b) => Term::Arith(*op, boxed(a), boxed(b)),
        Term::Ite(c, a, b) => Term::Ite(Box::new(formula(c, registers)), boxed(a), boxed(b)),
        Term::At(label, a) => Term::At(*label, boxed(a)),
        Term::Content(f, a) => Term::Content(f.clone(), boxed(a)),
        Term::EmptySet => Term::EmptySet,
        Term::Singleton(a) => Term::Singleton(boxed(a)),
        Term::SetOp(op, a, b) => Term::SetOp(*op, boxed(a), boxed(b)),
    }
}
