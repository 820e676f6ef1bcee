//! Building a transition system within a budget.

use trellis_program::{Budget, NoResult, ProcId, Program, StopReason};
use trellis_solver::limited::{GaveUp, Limited};
use trellis_solver::{Solver, Unknown};

use super::follow_all;
use crate::system::{Options, TransitionSystem};

/// As [`build`](crate::build), within a budget.
///
/// # Errors
/// The first construct that cannot be followed, or why the work could not be finished.
pub fn build_within(
    program: &Program,
    proc: ProcId,
    options: &Options,
    budget: &Budget,
    solver: &dyn Fn() -> Box<dyn Solver>,
) -> Result<TransitionSystem, NoResult> {
    let gave_up = GaveUp::default();
    let limited = || -> Box<dyn Solver> {
        let (budget, gave_up) = (budget.clone(), gave_up.clone());
        Box::new(Limited { inner: solver(), budget, per_question: None, gave_up })
    };
    let built = follow_all(program, proc, options, budget, &limited);
    built.map_err(|refusal| match (budget.check(), gave_up.get().cloned()) {
        (Err(reason), _) => reason.into(),
        (Ok(()), Some(why)) => unanswered(why).unwrap_or(refusal.into()),
        (Ok(()), None) => refusal.into(),
    })
}

/// Why a question was not answered, unless the formula was to blame.
fn unanswered(why: Unknown) -> Option<NoResult> {
    Some(match why {
        Unknown::Refused(_) => return None,
        Unknown::Time => StopReason::Time.into(),
        Unknown::Cancelled => StopReason::Cancelled.into(),
        Unknown::Work => StopReason::Work.into(),
        Unknown::Memory => NoResult::GaveUp("a solver is out of memory".to_owned()),
        Unknown::BackEnd(_) | Unknown::Incomplete(_) => NoResult::GaveUp(why.to_string()),
    })
}
