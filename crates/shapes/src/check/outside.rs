//! What the checker cannot judge: places where the small language ends.
//!
//! An analysis stops there. The machine of the checker would go on with what it does not know, so a
//! block that some heap gets to must have no such place.

use trellis_program::{Program, Refusal, Rejected};

use crate::heap::Heap;
use crate::program::{ListProgram, Op};

/// Refuses heaps at blocks whose code is outside of the small language.
pub(super) fn refuse(
    program: &Program,
    list: &ListProgram,
    heaps: &[Vec<Heap>],
) -> Result<(), Rejected> {
    if heaps.len() != list.blocks.len() {
        return Err(Rejected::Wrong("not one set of heaps a block".to_owned()));
    }
    if list.blocks.is_empty() {
        let span = program.proc(list.proc).span;
        return Err(Refusal::at(span, "a procedure without a body").into());
    }
    let reached = list.blocks.iter().zip(heaps).filter(|(_, heaps)| !heaps.is_empty());
    for step in reached.flat_map(|(block, _)| &block.steps) {
        if let Op::Unsupported(reason) = &step.op {
            return Err(Refusal::at(step.span, reason.clone()).into());
        }
    }
    Ok(())
}
