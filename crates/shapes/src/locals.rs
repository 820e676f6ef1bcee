//! Which locals of a procedure change, and what its contract wants to know of them at entry.

use std::collections::BTreeSet;

use trellis_program::spec::{Formula, Label, Term};
use trellis_program::{Block, Instr, Procedure, Reg, VarId};

/// The local registers that code assigns.
pub fn assigned_locals(proc: &Procedure) -> BTreeSet<VarId> {
    let dst = |i: &Instr| match i.kind.dst() {
        Some(Reg::Local(v)) => Some(v),
        Some(Reg::Global(_)) | None => None,
    };
    proc.instrs().filter_map(dst).collect()
}

/// Whether code or a contract of a procedure mentions a local.
pub fn mentions(proc: &Procedure, var: VarId) -> bool {
    let reg = Reg::Local(var);
    let mut found = false;
    for e in proc.blocks().flat_map(Block::exprs) {
        e.visit_regs(&mut |r| found |= r == reg);
    }
    for formula in proc.formulas() {
        formula.visit(&mut |_| {}, &mut |t| found |= *t == Term::Reg(reg));
    }
    found || proc.instrs().any(|i| i.kind.dst() == Some(reg))
}

/// Whether a contract of a procedure reads a parameter as it was passed.
pub fn mentions_entry_value(proc: &Procedure, v: VarId) -> bool {
    fn in_term(t: &Term, v: VarId, old: bool, found: &mut bool) {
        match t {
            Term::Reg(Reg::Local(w)) if *w == v && old => *found = true,
            Term::At(label, inner) => in_term(inner, v, *label == Label::Pre, found),
            Term::Load { addr: a, .. }
            | Term::Offset(a, _)
            | Term::Neg(a)
            | Term::Content(_, a)
            | Term::Singleton(a) => in_term(a, v, old, found),
            Term::Index { base: a, index: b, .. } | Term::Arith(_, a, b) | Term::SetOp(_, a, b) => {
                in_term(a, v, old, found);
                in_term(b, v, old, found);
            }
            // Rare, and a copy too many does no harm.
            Term::Ite(..) => *found = true,
            _ => {}
        }
    }
    let mut found = false;
    for formula in proc.formulas() {
        let mut terms = Vec::new();
        // Inside `\old(formula)` every parameter is read as passed.
        let mut old_formula = false;
        formula.visit(&mut |f| old_formula |= matches!(f, Formula::At(Label::Pre, _)), &mut |t| {
            terms.push(t.clone())
        });
        terms.iter().for_each(|t| in_term(t, v, old_formula, &mut found));
    }
    found
}
