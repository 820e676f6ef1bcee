//! Building a transition system within a budget.

use trellis_logic::Budget;
use trellis_program::{ProcId, Program};
use trellis_solver::limited::{GaveUp, Limited};
use trellis_solver::{Solver, Unknown};

use super::follow_all;
use crate::system::{Options, TransitionSystem, Unsupported};

/// Why there is no transition system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoSystem {
    /// A construct cannot be followed.
    Unsupported(Unsupported),
    /// The budget is used up, or a solver gave up.
    Unknown(Unknown),
}

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
) -> Result<TransitionSystem, NoSystem> {
    let gave_up = GaveUp::default();
    let limited = || -> Box<dyn Solver> {
        let (budget, gave_up) = (budget.clone(), gave_up.clone());
        Box::new(Limited { inner: solver(), budget, per_question: None, gave_up })
    };
    let built = follow_all(program, proc, options, budget, &limited);
    built.map_err(|unsupported| match (budget.check(), gave_up.take()) {
        (Err(reason), _) => NoSystem::Unknown(reason.into()),
        (Ok(()), Some(why)) if !matches!(why, Unknown::Refused(_)) => NoSystem::Unknown(why),
        _ => NoSystem::Unsupported(unsupported),
    })
}
