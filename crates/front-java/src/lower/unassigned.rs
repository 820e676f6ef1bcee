//! Variables that a formula may read before they have a value.
//!
//! javac sees to it that code reads no such variable, but it does not see formulas: an annotation may
//! name a local in front of its declaration, and the invariant of a loop one that only the body
//! writes. As in Jahob, such a variable has some value, nobody knows which.
//!
//! **Invariant:** no `assume` is false for want of a value: what comes after it would be verified
//! without being looked at.

use std::collections::BTreeSet;

use trellis_program::cfg;
use trellis_program::ir::{Body, Instr, InstrKind, Reg, Var, VarId};
use trellis_program::spec::Term;
use trellis_program::types::Scalar;

/// Lets the variables that are no parameters and that a formula may read too early begin with any
/// value; `scalar` is what a variable is made of.
pub(super) fn give_values(
    body: &mut Body,
    vars: &[Var],
    params: usize,
    mut scalar: impl FnMut(VarId) -> Scalar,
) {
    let in_formulas = read_by_formulas(body);
    let live = cfg::live_in(body, vars.len());
    let live = &live[body.entry.0 as usize];
    let early = (params..vars.len()).filter(|v| live[*v]).map(|v| VarId(v as u32));
    let havocs = early.filter(|v| in_formulas.contains(v)).map(|v| {
        let kind = InstrKind::Havoc { dst: Reg::Local(v), scalar: scalar(v) };
        Instr { kind, span: vars[v.0 as usize].span }
    });
    let havocs: Vec<Instr> = havocs.collect();
    // Nothing leads back to the entry.
    body.blocks[body.entry.0 as usize].instrs.splice(0..0, havocs);
}

fn read_by_formulas(body: &Body) -> BTreeSet<VarId> {
    let mut found = BTreeSet::new();
    for formula in body.instrs().filter_map(|i| i.kind.formula()) {
        formula.visit(&mut |_| {}, &mut |t| {
            if let Term::Reg(Reg::Local(v)) = t {
                found.insert(*v);
            }
        });
    }
    found
}
