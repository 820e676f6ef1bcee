//! The three-valued structures at every point of a procedure, for people to look at.

use trellis_program::cfg::loop_heads;

use super::{Canonical, lines};
use crate::engine::{Budget, Task};
use crate::sll::states::{PointStates, ProcedureStates};
use crate::verdict::UnknownReason;

/// Analyses a procedure and shows what was found at the start of every block.
///
/// # Errors
/// Why there is nothing to show.
pub fn states(
    engine: &Canonical,
    task: &Task<'_>,
    budget: &Budget,
) -> Result<ProcedureStates, UnknownReason> {
    let (inlined, analysis) = engine.analysed(task, budget)?;
    let body = inlined.program.body(inlined.proc);
    let heads = body.map_or_else(Default::default, loop_heads);
    let mut points = Vec::new();
    for &index in &analysis.blocks {
        let (point, structures) = &analysis.states[index];
        if structures.is_empty() {
            continue;
        }
        points.push(PointStates {
            place: inlined.program.span_at(*point),
            is_loop_head: heads.contains(&point.block),
            depth: 0,
            heaps: structures.iter().map(lines).collect(),
            drawings: structures.iter().map(|s| s.drawing().to_svg()).collect(),
        });
    }
    Ok(ProcedureStates {
        points,
        complete: analysis.untranslated.is_empty(),
        count: analysis.structures as u64,
    })
}
