//! What a checker refuses that trusts nobody.
//!
//! An analysis stops where the small language ends, and tells by itself which data was never
//! written. The machine of the checker does neither: it knows no data of nodes. So a block that
//! some heap gets to must have no such place.

use trellis_program::Program;

use super::Rejected;
use crate::heap::Heap;
use crate::program::{ListProgram, Op};

/// Refuses heaps at blocks whose code the machine of the checker cannot judge.
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
        return Err(Rejected::Beyond(span, "a procedure without a body".to_owned()));
    }
    for (block, _) in list.blocks.iter().zip(heaps).filter(|(_, heaps)| !heaps.is_empty()) {
        for step in &block.steps {
            let reason = match &step.op {
                Op::Unsupported(reason) => reason.clone(),
                Op::Data { unwritten: Some(_), .. } => "data that may never be written".to_owned(),
                Op::DefinedData { .. } => "data that may be undefined".to_owned(),
                Op::Assign { .. }
                | Op::Reset { .. }
                | Op::Load { .. }
                | Op::Store { .. }
                | Op::Allocate { .. }
                | Op::Free { .. }
                | Op::Data { .. }
                | Op::WholeNode { .. }
                | Op::Int { .. }
                | Op::Assert { .. }
                | Op::Test { .. }
                | Op::AssumeFact(_)
                | Op::Assume(_)
                | Op::MayFail(_)
                | Op::Acyclic
                | Op::Leak { .. }
                | Op::Keep { .. } => continue,
            };
            return Err(Rejected::Beyond(step.span, reason));
        }
    }
    Ok(())
}
