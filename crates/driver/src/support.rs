//! Constructs outside the subset that a procedure can run into.
//!
//! **Invariant:** a procedure for which [`unsupported`] finds something is never *verified*
//! (see [`crate::verify_procedure`], which enforces it for every engine).

use trellis_program::cfg::{reachable_procs, successors};
use trellis_program::ir::{Body, InstrKind};
use trellis_program::{BlockId, Diagnostic, ProcId, Program};

/// One diagnostic for every unsupported instruction that the call graph of `proc` can reach, and
/// for every call of a procedure without a body or contract (anything may happen in it).
pub fn unsupported(program: &Program, proc: ProcId) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    for p in reachable_procs(program, proc) {
        let Some(body) = &program.proc(p).body else {
            continue;
        };
        for block in reachable_blocks(body) {
            for instr in &body.blocks[block.0 as usize].instrs {
                if let InstrKind::Unsupported { reason } = &instr.kind {
                    out.push(Diagnostic::unsupported(
                        instr.span,
                        format!("{reason} is not supported"),
                    ));
                }
            }
        }
    }
    out.sort_by_key(|d| d.span);
    out.dedup();
    out
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
