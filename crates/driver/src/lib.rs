//! The driver: chooses procedures, gives them to an engine within a budget, and vouches for the
//! answer.
//!
//! * [`select`]: which procedures
//! * [`bohne`]: symbolic shape analysis over Boolean heaps as an engine
//! * [`canonical`]: three-valued structures over chosen predicates as an engine
//! * [`cpu`]: CPU time
//! * [`engine`]: the trait, tasks, budgets, claims
//! * `evidence`: what an engine says is checked without it
//! * [`explore`]: exhaustive small-scope exploration as an engine
//! * [`heaps`]: initial heaps by number or at random
//! * [`machine_leg`]: every *verified* is tried on the machine before anyone sees it
//! * [`memory`]: memory of the process
//! * [`origin`]: where the null pointer of a failed run comes from
//! * [`pdr`]: property-directed reachability as an engine
//! * [`plan`]: which engines look at a procedure, and whose answer counts; the plan `auto`
//! * [`prepared`]: what is made of a procedure once for all who look at it
//! * [`property`]: properties of whole programs, as competitions name them
//! * [`proveit`]: Impact with heap patterns as an engine
//! * [`provers`]: the provers of an engine
//! * [`registry`]: the engines there are, and the plan `auto` over them
//! * [`replay`]: a claimed violation is run by the interpreter before anyone sees it
//! * [`settings`]: what the user says to single engines
//! * [`sll`]: possibly cyclic singly linked lists as an engine
//! * [`stated`]: the loop invariants of the source, checked and no more, as an engine
//! * [`support`]: constructs outside the subset that a procedure can run into
//! * [`thorough`]: all that is wrong, and what is only the callers' to exclude
//! * [`verdict`]: what is said in the end
//! * [`watch`]: a memory limit for work that does not count its bytes
//!
//! **Invariants.** Every *violated* has been replayed, every *verified* tried on the machine. A
//! procedure that can reach an unsupported construct is never *verified*, unless graphs show that it
//! does not. This crate knows neither source languages nor reports.

pub mod bohne;
mod brief;
pub mod canonical;
pub mod cpu;
pub mod engine;
mod evidence;
pub mod explore;
pub mod heaps;
pub mod machine_leg;
pub mod memory;
pub mod origin;
pub mod pdr;
pub mod plan;
pub mod prepared;
pub mod property;
pub mod proveit;
pub mod provers;
pub mod registry;
pub mod replay;
pub mod select;
pub mod settings;
pub mod sll;
pub mod stated;
pub mod summaries;
pub mod support;
pub mod thorough;
pub mod verdict;
pub mod watch;

pub use bohne::Bohne;
pub use canonical::{Canonical, Instrumentation};
pub use engine::{
    Answer, BohneStatistics, Budget, Claim, Engine, Options, PatternStatistics, PdrStatistics,
    Progress, Statistics, Task,
};
pub use explore::Explore;
pub use machine_leg::OnMachine;
pub use pdr::{PdrForall, PdrPredicates, SolverFactory, WordsSetting};
pub use plan::{Attempt, Plan};
pub use property::{Properties, Property};
pub use proveit::ProveIt;
pub use registry::Registry;
pub use select::Selection;
pub use settings::{Settings, SharingDepth};
pub use sll::Sll;
pub use stated::Stated;
pub use summaries::Summaries;
pub use thorough::{About, Note};
pub use trellis_pdr::Strategy;
pub use trellis_pdr::predicates::Selection as Predicates;
pub use verdict::{AbstractStep, Counterexample, LoopInvariant, UnknownReason, Verdict};
pub use watch::Watch;

use std::sync::Arc;

use trellis_program::{Assumptions, Diagnostic, ProcId, Program};

/// What is known about one procedure in the end.
#[derive(Clone, Debug)]
pub struct ProcedureResult {
    /// The procedure.
    pub proc: ProcId,
    /// The engine that answered.
    pub engine: &'static str,
    /// The answer.
    pub verdict: Verdict,
    /// What it cost.
    pub statistics: Statistics,
    /// What the user should know besides.
    pub warnings: Vec<Diagnostic>,
    /// What a *verified* takes for granted.
    pub assumptions: Assumptions,
    /// What every engine that was asked came to.
    pub attempts: Vec<Attempt>,
    /// Violations of further checks.
    pub others: Vec<Counterexample>,
    /// What callers have to exclude.
    pub notes: Vec<Note>,
    /// The program that this is about, if it is not that of the task.
    pub program: Option<Arc<Program>>,
}

impl ProcedureResult {
    /// The answer to a task that was not begun, or not finished.
    pub fn not_begun(engine: &'static str, task: &Task<'_>, why: UnknownReason) -> ProcedureResult {
        ProcedureResult {
            proc: task.proc,
            engine,
            verdict: Verdict::Unknown(why),
            statistics: Statistics::default(),
            warnings: Vec::new(),
            assumptions: task.assumptions(),
            attempts: Vec::new(),
            others: Vec::new(),
            notes: Vec::new(),
            program: None,
        }
    }
}

/// Asks one engine about a procedure; for several see [`Plan`].
pub fn verify_procedure(
    engine: &dyn Engine,
    task: &Task<'_>,
    budget: &Budget,
    progress: &Progress,
) -> ProcedureResult {
    attempt(engine, task, &budget.restart(), progress)
}

/// Runs an engine on a procedure and turns its claim into a verdict.
fn attempt(
    engine: &dyn Engine,
    task: &Task<'_>,
    budget: &Budget,
    progress: &Progress,
) -> ProcedureResult {
    let answer = engine.run(task, budget, progress);
    let mut warnings = answer.warnings;
    let verdict = vouch(task, budget, answer.claim, &mut warnings);
    let mut statistics = answer.statistics;
    if let Verdict::Verified { machine, .. } = &verdict {
        statistics.seconds += machine.seconds;
        statistics.machine_seconds += machine.seconds;
    }
    ProcedureResult {
        proc: task.proc,
        engine: engine.name(),
        verdict,
        statistics,
        warnings,
        assumptions: task.assumptions(),
        attempts: Vec::new(),
        others: Vec::new(),
        notes: Vec::new(),
        program: None,
    }
}

fn vouch(
    task: &Task<'_>,
    budget: &Budget,
    claim: Claim,
    warnings: &mut Vec<Diagnostic>,
) -> Verdict {
    let proc = task.program.proc(task.proc);
    if proc.is_variadic() {
        let message = "not supported: a procedure with `...` on its own, without a call";
        let place = Diagnostic::unsupported(proc.span, message);
        return Verdict::Unknown(UnknownReason::Unsupported(vec![place]));
    }
    let unsupported = support::unsupported(task.program, task.proc);
    match claim {
        Claim::Violated { initial, choices, failure, ints } => {
            let options = Options {
                int_values: ints.or_else(|| task.options.int_values.clone()),
                ..task.options.clone()
            };
            match replay::replay(&task.with_options(&options), initial, choices, failure) {
                Ok(counterexample) => Verdict::Violated(Box::new(counterexample)),
                Err(why) => Verdict::Unknown(UnknownReason::Internal(why)),
            }
        }
        Claim::Verified { .. } | Claim::Exhausted { .. } | Claim::NoInvariant { .. }
            if !unsupported.is_empty() && !follows_all(&claim) =>
        {
            Verdict::Unknown(UnknownReason::Unsupported(unsupported))
        }
        Claim::Verified { invariants, evidence, states } => {
            let confirmed = evidence::confirm(task, budget, &evidence);
            let runs = |told| machine_leg::runs(task, budget, states.or(told), warnings);
            match confirmed.and_then(runs) {
                Ok(machine) => Verdict::Verified { invariants, evidence, machine },
                Err(why) => Verdict::Unknown(why),
            }
        }
        Claim::Exhausted { states } => Verdict::Verified {
            invariants: Vec::new(),
            evidence: Box::new(explore::exhaustion(task)),
            machine: machine_leg::exhausted(states),
        },
        Claim::NoInvariant { reason, trace } => Verdict::NoInvariant { reason, trace },
        Claim::Unknown(reason) => Verdict::Unknown(reason),
    }
}

/// Whether whoever checks the evidence follows all code that can be reached, and accepts nothing that
/// is unsupported there.
fn follows_all(claim: &Claim) -> bool {
    matches!(claim, Claim::Verified { evidence, .. } if evidence.graphs.is_some())
}
