//! The first leg of *verified*: the evidence of an engine, checked without the engine.
//!
//! Shapes of lists and heap patterns are checked here, by the checkers that [`trellis_certify`] has
//! for certificates; the small heaps of patterns are run on the machine as well.
//! The clauses of the PDR engines are shown by a solver of their own before the claim is made
//! (`pdr::confirm`).
//!
//! **Invariant.** What is refused here is *unknown*; shapes that are wrong are *unknown: internal
//! error*, and so are patterns that the machine refutes.

use std::sync::Arc;

use trellis_certify::Evidence;
use trellis_certify::graphs::{self, Graphs};
use trellis_certify::machine::Coverage;
use trellis_certify::patterns::{self, Patterns};
use trellis_certify::shapes::{Claimed, Shapes, check_as_given, check_shapes};
use trellis_program::{Inlined, Refusal, Rejected, first_refusal};

use crate::engine::{Budget, Options, Task};
use crate::machine_leg;
use crate::verdict::UnknownReason;

/// Checks the shapes or patterns of evidence, if there are any; gives the states of patterns that
/// were run on the machine.
///
/// # Errors
/// If they are no invariant, or cannot be checked.
pub(crate) fn confirm(
    task: &Task<'_>,
    budget: &Budget,
    evidence: &Evidence,
) -> Result<Option<Coverage>, UnknownReason> {
    if let Some(patterns) = &evidence.patterns {
        return confirm_patterns(task, budget, patterns).map(Some);
    }
    if let Some(graphs) = &evidence.graphs {
        return confirm_graphs(task, budget, graphs).map(Some);
    }
    if let Some(shapes) = &evidence.shapes {
        confirm_shapes(task, budget, shapes)?;
    }
    Ok(None)
}

fn confirm_patterns(
    task: &Task<'_>,
    budget: &Budget,
    patterns: &Patterns,
) -> Result<Coverage, UnknownReason> {
    let Options { checks, malloc_may_fail, .. } = *task.options;
    let claimed = Claimed { checks, malloc_may_fail, budget: budget.clone() };
    let inlined = without_calls(task, budget)?;
    match patterns::check_as_given(&inlined, patterns, &claimed) {
        Ok((_, understood)) => machine_leg::patterns(task, budget, &inlined, &understood),
        // The checker knows integers by their classes, the engine may know more: that is no
        // contradiction. Patterns that the machine itself leaves are one.
        Err(Rejected::Wrong(why)) => {
            let understood = patterns::understand(&inlined, patterns, &claimed);
            let understood = understood.map_err(|why| rejected(why, budget))?;
            match machine_leg::patterns(task, budget, &inlined, &understood) {
                Err(internal @ UnknownReason::Internal(_)) => Err(internal),
                _ => Err(UnknownReason::Oracle(format!(
                    "the patterns that were found could not be confirmed: {why}"
                ))),
            }
        }
        Err(unjudged) => Err(rejected(unjudged, budget)),
    }
}

fn confirm_graphs(
    task: &Task<'_>,
    budget: &Budget,
    graphs: &Graphs,
) -> Result<Coverage, UnknownReason> {
    let Options { checks, malloc_may_fail, .. } = *task.options;
    let claimed = Claimed { checks, malloc_may_fail, budget: budget.clone() };
    let inlined = task.to_recursion().map_err(|refusals| refused(task, budget, refusals))?;
    let (_, invariant) =
        graphs::check_as_given(&inlined, graphs, &claimed).map_err(|why| rejected(why, budget))?;
    machine_leg::graphs(task, budget, &inlined, &invariant)
}

/// The program without calls, which the engine has had as well.
fn without_calls(task: &Task<'_>, budget: &Budget) -> Result<Arc<Inlined>, UnknownReason> {
    task.inlined().map_err(|refusals| refused(task, budget, refusals))
}

fn refused(task: &Task<'_>, budget: &Budget, refusals: Vec<Refusal>) -> UnknownReason {
    rejected(first_refusal(task.program, task.proc, refusals).into(), budget)
}

fn confirm_shapes(task: &Task<'_>, budget: &Budget, shapes: &Shapes) -> Result<(), UnknownReason> {
    let Options { checks, malloc_may_fail, .. } = *task.options;
    let claimed = Claimed { checks, malloc_may_fail, budget: budget.clone() };
    // What an engine found of the program with calls replaced is about the one that all share.
    let inlined = if shapes.calls_replaced { task.inlined().ok() } else { None };
    let checked = match &inlined {
        Some(inlined) => check_as_given(&inlined.program, inlined.proc, shapes, &claimed),
        None => check_shapes(task.program, task.proc, shapes, &claimed),
    };
    checked.map(|_| ()).map_err(|why| rejected(why, budget))
}

fn rejected(why: Rejected, budget: &Budget) -> UnknownReason {
    match why {
        Rejected::Unjudged(why) => {
            UnknownReason::no_result(why, "this invariant cannot be checked: ", budget)
        }
        Rejected::Wrong(why) => UnknownReason::Internal(format!(
            "an analysis was not confirmed by the concrete machine: {why}"
        )),
    }
}
