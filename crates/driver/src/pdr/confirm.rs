//! An invariant is checked from scratch before it is claimed.
//!
//! The search has shown before, clause by clause and with lemmas that are gone now, that the
//! invariant is inductive; the certifier asks it once, of new solvers, about what is left. What
//! that costs is the least that any search could cost.

use std::time::Duration;

use trellis_certify::report::Entry;
use trellis_certify::{BackEnd, Outcome, Ruling, Settings, certify_invariant};
use trellis_logic::FormulaId;
use trellis_program::Diagnostic;
use trellis_solver::Solver;
use trellis_transys::TransitionSystem;

use crate::engine::{Budget, Task};
use crate::verdict::UnknownReason;

/// Most time for one question.
const PATIENCE: Duration = Duration::from_secs(600);

/// Checks an invariant; warns of a precondition that cannot hold.
///
/// # Errors
/// If it is none, or that is not known.
pub(crate) fn confirm(
    task: &Task<'_>,
    budget: &Budget,
    factory: &(dyn Fn() -> Box<dyn Solver> + Send + Sync),
    system: &mut TransitionSystem,
    clauses: &[Vec<FormulaId>],
    warnings: &mut Vec<Diagnostic>,
) -> Result<(), UnknownReason> {
    let settings = Settings { time_per_question: PATIENCE, budget: budget.clone() };
    let prover = BackEnd::solver("the solver", &factory);
    let report = certify_invariant(system, clauses, &[prover], &settings);
    if report.entry == Entry::Impossible {
        warnings.push(task.contradiction());
    }
    match report.outcome() {
        Outcome::Certified => Ok(()),
        Outcome::Refuted => {
            let text = "an invariant was found that is not inductive".to_owned();
            Err(UnknownReason::Internal(text))
        }
        Outcome::NotDecided => {
            let mut rulings = report.findings.iter().flat_map(|f| &f.rulings);
            let why = rulings.find_map(|ruling| match ruling {
                Ruling::Unknown(why) => Some(why.clone()),
                _ => None,
            });
            Err(match budget.check() {
                Err(reason) => UnknownReason::stopped(reason, budget),
                Ok(()) => UnknownReason::Solver(why.unwrap_or_default()),
            })
        }
    }
}
