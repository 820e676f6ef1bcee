//! Property-directed reachability as an engine (papers 000 and 003).
//!
//! The calls of a procedure are replaced by bodies and contracts, what is left becomes a transition
//! system, and [`trellis_pdr`] searches for an invariant.
//!
//! * `confirm`: an invariant is checked once more before it is claimed
//! * `concrete`: a symbolic counterexample becomes a heap that the interpreter fails on
//! * `show`: invariants and abstract states as text
//!
//! **Invariants.** *Verified* is claimed only for an invariant that was checked from scratch, on
//! the original paths. *Violated* is claimed only for a run that the interpreter has made.

mod concrete;
mod confirm;
mod show;

use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use trellis_epr::EprSolver;
use trellis_pdr::{Config, Outcome};
use trellis_program::{Diagnostic, InlineLimits, inline};
use trellis_solver::{Limits, Solver, Unknown};
use trellis_transys::TransitionSystem;

use crate::cpu::CpuTime;
use crate::engine::{Answer, Budget, Claim, Engine, PdrStatistics, Progress, Statistics, Task};
use crate::verdict::UnknownReason;

/// Makes solvers, on any thread.
pub type SolverFactory = Arc<dyn Fn() -> Box<dyn Solver> + Send + Sync>;

/// Universal invariants from diagrams (paper 003).
#[derive(Clone)]
pub struct PdrForall {
    /// The solvers to ask.
    pub solver: SolverFactory,
}

impl Default for PdrForall {
    fn default() -> PdrForall {
        PdrForall { solver: embedded() }
    }
}

impl fmt::Debug for PdrForall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PdrForall")
    }
}

/// The solver that is part of Trellis.
pub fn embedded() -> SolverFactory {
    Arc::new(|| Box::new(EprSolver::new(trellis_epr::Options::default())))
}

impl Engine for PdrForall {
    fn name(&self) -> &'static str {
        "pdr-forall"
    }

    fn run(&self, task: &Task<'_>, budget: &Budget, _: &Progress) -> Answer {
        let started = Instant::now();
        let mut attempt = Attempt {
            task,
            budget,
            deadline: budget.deadline(),
            factory: &*self.solver,
            figures: PdrStatistics::default(),
        };
        let claim = attempt.claim().unwrap_or_else(Claim::Unknown);
        let statistics = Statistics {
            seconds: started.elapsed().as_secs_f64(),
            pdr: Some(attempt.figures),
            ..Statistics::default()
        };
        Answer { claim, statistics, warnings: Vec::new() }
    }
}

/// One procedure in work.
struct Attempt<'a> {
    task: &'a Task<'a>,
    budget: &'a Budget,
    deadline: Option<Instant>,
    factory: &'a (dyn Fn() -> Box<dyn Solver> + Send + Sync),
    figures: PdrStatistics,
}

impl Attempt<'_> {
    fn claim(&mut self) -> Result<Claim, UnknownReason> {
        let cpu = CpuTime::now();
        let system = self.system()?;
        let config = Config { limits: self.limits(), ..Config::default() };
        let (outcome, done, mut system) = trellis_pdr::run(system, &self.factory, &config);
        self.figures = PdrStatistics {
            frames: done.frames,
            queries: done.queries,
            lemmas: done.lemmas,
            solver_seconds: done.solver_seconds,
            search_seconds: cpu.seconds(),
            ..self.figures
        };
        match outcome {
            Outcome::Verified(invariant) => {
                self.confirm(&mut system, &invariant)?;
                self.figures.clauses = invariant.len();
                self.figures.universal = show::universal(&system, &invariant);
                Ok(Claim::Verified { invariants: show::invariants(&system, &invariant) })
            }
            Outcome::Violated(trace) => self.concrete(&system, &trace),
            Outcome::NoInvariant(trace) => Ok(Claim::NoInvariant {
                reason: show::language(&system),
                trace: show::trace(&system, &trace),
            }),
            Outcome::Unknown(why) => Err(self.unknown(why)),
        }
    }

    /// The procedure in the logic.
    fn system(&self) -> Result<TransitionSystem, UnknownReason> {
        let inlined = inline(self.task.program, self.task.proc, InlineLimits::default())
            .map_err(UnknownReason::Unsupported)?;
        let options = trellis_transys::Options {
            checks: self.task.options.checks,
            malloc_may_fail: self.task.options.malloc_may_fail,
            ..trellis_transys::Options::default()
        };
        trellis_transys::build(&inlined.program, inlined.proc, &options, &self.factory).map_err(
            |refused| {
                let message = format!("this engine does not support {}", refused.reason);
                UnknownReason::Unsupported(vec![Diagnostic::unsupported(refused.span, message)])
            },
        )
    }

    fn limits(&self) -> Limits {
        Limits {
            deadline: self.deadline,
            cancel: Some(self.budget.cancel.clone()),
            ..Limits::default()
        }
    }

    fn unknown(&self, why: Unknown) -> UnknownReason {
        match why {
            Unknown::Time => UnknownReason::Time(self.budget.timeout.unwrap_or_default()),
            Unknown::Memory => UnknownReason::Solver("a solver is out of memory".to_owned()),
            Unknown::Cancelled => UnknownReason::Cancelled,
            Unknown::Refused(refusal) => UnknownReason::Solver(refusal.reason),
            Unknown::BackEnd(text) | Unknown::Incomplete(text) => UnknownReason::Solver(text),
        }
    }
}
