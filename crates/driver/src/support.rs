//! Constructs outside the subset that a procedure can run into.
//!
//! **Invariant:** a procedure for which [`unsupported`] finds something is never *verified*, unless the
//! evidence shows that it does not get there (see [`crate::verify_procedure`], which enforces it for
//! every engine).

use trellis_program::cfg::{reachable_procs, successors};
use trellis_program::ir::{Body, InstrKind};
use trellis_program::spec::Assigns;
use trellis_program::{BlockId, Diagnostic, ProcId, Procedure, Program};

/// One diagnostic for every unsupported instruction that the call graph of `proc` can reach, and
/// for every call of a procedure without a body whose contract does not rule out that it writes.
pub fn unsupported(program: &Program, proc: ProcId) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    for p in reachable_procs(program, proc) {
        let Some(body) = &program.proc(p).body else {
            continue;
        };
        for block in reachable_blocks(body) {
            for instr in &body.blocks[block.0 as usize].instrs {
                let message = match &instr.kind {
                    InstrKind::Unsupported { reason } => format!("not supported: {reason}"),
                    InstrKind::Call { proc, .. } if may_do_anything(program.proc(*proc)) => {
                        format!(
                            "`{}` has no body, and no contract says what it writes",
                            program.proc(*proc).name
                        )
                    }
                    _ => continue,
                };
                out.push(Diagnostic::unsupported(instr.span, message));
            }
        }
    }
    out.sort_by_key(|d| d.span);
    out.dedup();
    out
}

/// Whether a call can only be given up: there is no code, and memory may change.
fn may_do_anything(proc: &Procedure) -> bool {
    let writes_nothing =
        matches!(&proc.contract.assigns, Assigns::Places(places, _) if places.is_empty());
    proc.body.is_none() && !writes_nothing
}

/// The blocks that control flow from the entry can reach, conditions ignored.
fn reachable_blocks(body: &Body) -> Vec<BlockId> {
    let mut seen = vec![false; body.blocks.len()];
    let mut todo = vec![body.entry];
    while let Some(b) = todo.pop() {
        if !std::mem::replace(&mut seen[b.0 as usize], true) {
            todo.extend(successors(&body.blocks[b.0 as usize].term));
        }
    }
    (0..body.blocks.len() as u32).map(BlockId).filter(|b| seen[b.0 as usize]).collect()
}
