//! Contract formulas over variables that live in registers again.

use std::collections::BTreeSet;

use crate::ir::Reg;
use crate::spec::{Formula, Label, Rewrite, Term};
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
    InRegisters(registers).formula(f)
}

struct InRegisters<'a>(&'a BTreeSet<Reg>);

impl Rewrite for InRegisters<'_> {
    fn term(&mut self, term: &Term) -> Term {
        match variable(term) {
            Some((reg, _)) if self.0.contains(&reg) => Term::Reg(reg),
            _ => term.with_parts(self),
        }
    }
}
