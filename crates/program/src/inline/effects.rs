//! Which procedures change nothing: memory and globals at entry are those at every later point.
//!
//! Objects for locals count as a change, because formulas inside a body could tell them from what
//! was there at entry.

use std::collections::BTreeSet;

use crate::ir::{InstrKind, ProcId, Procedure, Program, Reg, Storage};

/// The procedures among `procs` (closed under calls) that may change memory or globals, themselves
/// or through a call.
pub(super) fn writers(program: &Program, procs: &BTreeSet<ProcId>) -> BTreeSet<ProcId> {
    let mut writers: BTreeSet<ProcId> =
        procs.iter().copied().filter(|p| writes(program, program.proc(*p))).collect();
    loop {
        let more: Vec<ProcId> = procs
            .iter()
            .copied()
            .filter(|p| {
                !writers.contains(p) && program.proc(*p).callees().any(|c| writers.contains(&c))
            })
            .collect();
        if more.is_empty() {
            return writers;
        }
        writers.extend(more);
    }
}

fn writes(program: &Program, proc: &Procedure) -> bool {
    // What a contract stands for may be new memory.
    let may_allocate = proc.body.is_none() && program.types.pointee(proc.ret).is_some();
    let object_parameter = proc.vars[..proc.params].iter().any(|v| v.storage == Storage::Object);
    object_parameter
        || may_allocate
        || proc.instrs().any(|i| match &i.kind {
            InstrKind::Store { .. }
            | InstrKind::Copy { .. }
            | InstrKind::Fill { .. }
            | InstrKind::Alloc { .. }
            | InstrKind::Retype { .. }
            | InstrKind::Free { .. }
            | InstrKind::BeginLocal { .. }
            | InstrKind::BeginArray { .. }
            | InstrKind::EndLocal { .. } => true,
            kind @ (InstrKind::Assign { .. }
            | InstrKind::Load { .. }
            | InstrKind::Call { .. }
            | InstrKind::Havoc { .. }
            | InstrKind::Assume { .. }
            | InstrKind::Assert { .. }
            | InstrKind::Unsupported { .. }) => matches!(kind.dst(), Some(Reg::Global(_))),
        })
}

/// The registers that a procedure writes after its parameters are bound.
pub(super) fn written_locals(proc: &Procedure) -> BTreeSet<u32> {
    let locals = proc.instrs().filter_map(|i| match i.kind.dst() {
        Some(Reg::Local(v)) => Some(v.0),
        _ => None,
    });
    locals.collect()
}
