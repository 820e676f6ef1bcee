//! An invariant is checked from scratch before it is claimed.
//!
//! For every path: if the invariant holds where it starts, it holds where it ends, and no path into
//! an error is open. The search has shown all of this before, clause by clause and with lemmas that
//! are gone now; this asks it once, of new solvers, about what is left. What that costs is the least
//! that any search could cost.

use trellis_logic::FormulaId;
use trellis_pdr::Invariant;
use trellis_solver::{Answer, Context, Limits, Solver};
use trellis_transys::{LocationId, Target, TransitionSystem};

use super::Attempt;
use crate::cpu::CpuTime;
use crate::verdict::UnknownReason;

impl Attempt<'_> {
    /// Checks an invariant and notes what that costs.
    pub(super) fn confirm(
        &mut self,
        system: &mut TransitionSystem,
        invariant: &Invariant,
    ) -> Result<(), UnknownReason> {
        let cpu = CpuTime::now();
        for from in (0..system.locations.len()).map(LocationId) {
            let mut solver = (self.factory)();
            let given = match from {
                LocationId::ENTRY => system.initial.clone(),
                _ => invariant.clauses[from.0].clone(),
            };
            for fact in system.axioms.clone().into_iter().chain(given) {
                let mut context = context(system);
                let refused = solver.assert(&mut context, fact).err();
                if let Some(refusal) = refused {
                    return Err(UnknownReason::Solver(refusal.reason));
                }
            }
            self.confirm_from(system, invariant, from, &mut *solver)?;
        }
        self.figures.check_seconds = cpu.seconds();
        Ok(())
    }

    fn confirm_from(
        &self,
        system: &mut TransitionSystem,
        invariant: &Invariant,
        from: LocationId,
        solver: &mut dyn Solver,
    ) -> Result<(), UnknownReason> {
        for path in 0..system.paths.len() {
            let path = system.paths[path].clone();
            if path.from != from {
                continue;
            }
            let broken: Vec<FormulaId> = match path.to {
                Target::Error(_) => vec![FormulaId::TRUE],
                Target::Location(to) => invariant.clauses[to.0]
                    .iter()
                    .map(|&clause| {
                        let after = system.arena.expand(clause, &path.update);
                        system.arena.not(after)
                    })
                    .filter(|&broken| broken != FormulaId::FALSE)
                    .collect(),
            };
            for broken in broken {
                let mut question = path.guards.clone();
                question.push(broken);
                self.refute(system, solver, &question)?;
            }
        }
        Ok(())
    }

    /// That something is impossible.
    fn refute(
        &self,
        system: &mut TransitionSystem,
        solver: &mut dyn Solver,
        question: &[FormulaId],
    ) -> Result<(), UnknownReason> {
        let limits = Limits { minimise_core: false, minimise_model: false, ..self.limits() };
        match solver.check(&mut context(system), question, &limits) {
            Answer::Unsat => Ok(()),
            Answer::Unknown(why) => Err(self.unknown(why)),
            Answer::Sat => {
                let text = "an invariant was found that is not inductive".to_owned();
                Err(UnknownReason::Internal(text))
            }
        }
    }
}

fn context(system: &mut TransitionSystem) -> Context<'_> {
    Context { vocabulary: &system.vocabulary, arena: &mut system.arena }
}
