//! The first leg of *verified*: the evidence of an engine, checked without the engine.
//!
//! Shapes of lists are checked here, by the checker that [`trellis_certify`] has for certificates.
//! The clauses of the PDR engines are shown by a solver of their own before the claim is made
//! (`pdr::confirm`).
//!
//! **Invariant.** What is refused here is *unknown*; what is wrong is *unknown: internal error*.

use trellis_certify::Evidence;
use trellis_certify::shapes::{Claimed, check_as_given, check_shapes};
use trellis_program::Rejected;

use crate::engine::{Budget, Options, Task};
use crate::verdict::UnknownReason;

/// Checks the shapes of evidence, if there are any.
///
/// # Errors
/// If they are no invariant, or cannot be checked.
pub(crate) fn confirm(
    task: &Task<'_>,
    budget: &Budget,
    evidence: &Evidence,
) -> Result<(), UnknownReason> {
    let Some(shapes) = &evidence.shapes else { return Ok(()) };
    let Options { checks, malloc_may_fail, .. } = *task.options;
    let claimed = Claimed { checks, malloc_may_fail, budget: budget.clone() };
    // What an engine found of the program with calls replaced is about the one that all share.
    let inlined = if shapes.calls_replaced { task.inlined().ok() } else { None };
    let checked = match &inlined {
        Some(inlined) => check_as_given(&inlined.program, inlined.proc, shapes, &claimed),
        None => check_shapes(task.program, task.proc, shapes, &claimed),
    };
    match checked {
        Ok(_) => Ok(()),
        Err(Rejected::Unjudged(why)) => {
            Err(UnknownReason::no_result(why, "this invariant cannot be checked: ", budget))
        }
        Err(Rejected::Wrong(why)) => Err(UnknownReason::Internal(format!(
            "an analysis was not confirmed by the concrete machine: {why}"
        ))),
    }
}
