//! Which registers lead to memory that nobody outside a procedure has.

use std::collections::{BTreeMap, BTreeSet};

use trellis_program::ir::{Body, Expr, InstrKind, Procedure, Reg, Storage, Terminator, VarId};

/// The procedures that return new memory or null only.
pub fn makers(procs: &[Procedure]) -> BTreeSet<usize> {
    let mut makers: BTreeSet<usize> = (0..procs.len()).collect();
    loop {
        let makes = |i: &usize| {
            let Some(body) = &procs[*i].body else { return false };
            let fresh = fresh_variables(&procs[*i], body, &makers, Fresh::Own);
            let is_new = |e: &Expr| is_fresh(e, &fresh, Fresh::Own);
            body.blocks.iter().all(|b| match &b.term {
                Terminator::Return(Some(e)) => is_new(e),
                _ => true,
            })
        };
        let next: BTreeSet<usize> = makers.iter().copied().filter(makes).collect();
        if next == makers {
            return makers;
        }
        makers = next;
    }
}

/// What nobody outside a procedure has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fresh {
    /// New memory.
    Allocated,
    /// New memory and the locals of the procedure.
    Own,
}

/// The registers of a procedure that never hold anything else, null aside.
pub fn fresh_variables(
    proc: &Procedure,
    body: &Body,
    makers: &BTreeSet<usize>,
    what: Fresh,
) -> BTreeSet<VarId> {
    let mut defined: BTreeMap<VarId, Vec<&InstrKind>> = BTreeMap::new();
    for instr in body.instrs() {
        if let Some(Reg::Local(v)) = instr.kind.dst() {
            defined.entry(v).or_default().push(&instr.kind);
        }
    }
    let candidates = (proc.params..proc.vars.len())
        .filter(|v| proc.vars[*v].storage == Storage::Register)
        .map(|v| VarId(v as u32));
    let mut fresh: BTreeSet<VarId> = candidates.collect();
    loop {
        let holds = |kind: &&InstrKind| match kind {
            InstrKind::Alloc { .. } => true,
            InstrKind::Call { proc, .. } => makers.contains(&(proc.0 as usize)),
            InstrKind::Assign { value, .. } => is_fresh(value, &fresh, what),
            _ => false,
        };
        let next: BTreeSet<VarId> = fresh
            .iter()
            .copied()
            .filter(|v| defined.get(v).is_none_or(|kinds| kinds.iter().all(holds)))
            .collect();
        if next == fresh {
            return fresh;
        }
        fresh = next;
    }
}

fn is_fresh(e: &Expr, fresh: &BTreeSet<VarId>, what: Fresh) -> bool {
    match e {
        Expr::Null => true,
        Expr::Addr(Reg::Local(_)) => what == Fresh::Own,
        Expr::Reg(Reg::Local(v)) => fresh.contains(v),
        Expr::Offset(base, _) => is_fresh(base, fresh, what),
        _ => false,
    }
}
