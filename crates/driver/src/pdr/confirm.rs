//! An invariant is checked from scratch before it is claimed.
//!
//! The search has shown before, clause by clause and with lemmas that are gone now, that the
//! invariant is inductive; the certifier asks it once, of new solvers, about what is left. What
//! that costs is the least that any search could cost.

use std::time::Duration;

use trellis_certify::report::Entry;
use trellis_certify::{BackEnd, Outcome, Ruling, Settings, certify_invariant};
use trellis_pdr::Invariant;
use trellis_transys::TransitionSystem;

use super::Attempt;
use crate::cpu::CpuTime;
use crate::verdict::UnknownReason;

/// Most time for one question.
const PATIENCE: Duration = Duration::from_secs(600);

impl Attempt<'_> {
    /// Checks an invariant and notes what that costs.
    pub(super) fn confirm(
        &mut self,
        system: &mut TransitionSystem,
        invariant: &Invariant,
    ) -> Result<(), UnknownReason> {
        let cpu = CpuTime::now();
        let settings = Settings { time_per_question: PATIENCE, budget: self.budget.clone() };
        let prover = BackEnd::solver("the solver", &self.factory);
        let report = certify_invariant(system, &invariant.clauses, &[prover], &settings);
        self.figures.check_seconds = cpu.seconds();
        if report.entry == Entry::Impossible {
            self.warnings.push(self.task.contradiction());
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
                Err(match self.budget.check() {
                    Err(reason) => UnknownReason::stopped(reason, self.budget),
                    Ok(()) => UnknownReason::Solver(why.unwrap_or_default()),
                })
            }
        }
    }
}
