//! The second leg of every *verified*: the machine agrees, on all small heaps.
//!
//! An engine's proof is about heaps of any size, but trusts the translation into its own language.
//! Before the driver says *verified*, the interpreter runs the procedure as it was written from
//! every small initial heap (`runs`); and where the proof is a list of clauses or of heap patterns,
//! from every small state that satisfies them, reachable or not (`clauses`, `patterns`,
//! [`trellis_certify::machine`]).
//!
//! Budgets count work, not time, so that what is said repeats to the letter.
//!
//! **Invariant.** A contradiction is *unknown: internal error* with both sides shown, never a
//! verdict. An [`OnMachine`] can only be made here, and *verified* needs one.

use std::fmt;

use trellis_certify::machine::{
    Coverage, Extent, Held, Objection, Runs, check_graphs_on_machine, check_on_machine,
    check_patterns_on_machine, check_runs,
};
use trellis_certify::patterns::Understood;
use trellis_logic::FormulaId;
use trellis_program::{Diagnostic, Inlined, Placed, Program, Rejected};
use trellis_transys::TransitionSystem;

use crate::cpu::CpuTime;
use crate::engine::{Budget, Task};
use crate::explore::{OUTSIDE, config, machine_options, unsatisfied_call};
use crate::verdict::UnknownReason;

/// Most heap objects that are tried before *verified* is said.
const OBJECTS: usize = 4;
/// Initial heaps grow by one object as long as the last size took at most so many instructions.
const INSTRUCTIONS: u64 = 10_000;
/// Work for states that satisfy the clauses.
const WORK: u64 = 100_000;

/// What the machine was run on before *verified* was said.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct OnMachine {
    /// Initial heaps and states.
    pub held: Held,
    /// CPU seconds of the runs from initial heaps.
    pub seconds: f64,
    /// Keeps others from making one without a run.
    _ran: Ran,
}

/// Proof that the machine ran.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Ran;

/// `held on the machine: …`.
impl fmt::Display for OnMachine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "held on the machine: {}", self.held)
    }
}

/// Runs the procedure as it was written from all small initial heaps, and warns of calls behind
/// which nothing was run.
///
/// # Errors
/// If a run fails a check, or leaves the subset, or the budget is over.
pub(crate) fn runs(
    task: &Task<'_>,
    budget: &Budget,
    states: Option<Coverage>,
    warnings: &mut Vec<Diagnostic>,
) -> Result<OnMachine, UnknownReason> {
    let cpu = CpuTime::now();
    let config = trellis_explore::Config { objects: OBJECTS, ..config(task, budget) };
    let (runs, unsatisfied) = check_runs(task.program, task.proc, &config, INSTRUCTIONS)
        .map_err(|objection| unknown(task.program, budget, objection))?;
    // A proof of what stands behind such a call is as good as none.
    warnings.extend(unsatisfied.into_iter().map(|call| unsatisfied_call(task, call)));
    Ok(OnMachine { held: Held { runs, states, all: None }, seconds: cpu.seconds(), _ran: Ran })
}

/// All states of a closed program were visited, so many: nothing is left to be run.
pub(crate) fn exhausted(states: u64) -> OnMachine {
    let runs = Runs { heaps: 1, objects: Some(0) };
    OnMachine { held: Held { runs, states: None, all: Some(states) }, seconds: 0.0, _ran: Ran }
}

/// Runs the machine from all small states that satisfy the clauses of a proof.
///
/// # Errors
/// If a run fails a check, or arrives in a state that violates the clauses.
pub(crate) fn clauses(
    task: &Task<'_>,
    budget: &Budget,
    placed: &Placed,
    system: &TransitionSystem,
    invariant: &[Vec<FormulaId>],
) -> Result<Coverage, UnknownReason> {
    let extent = Extent { objects: OBJECTS, work: WORK, machine: machine_options(task) };
    check_on_machine(placed, system, invariant, &extent, budget)
        .map_err(|objection| unknown(&placed.program, budget, objection))
}

/// Runs the machine from all small heaps of the patterns of a proof.
///
/// # Errors
/// If a run fails a check, or arrives in a state that fits no pattern.
pub(crate) fn patterns(
    task: &Task<'_>,
    budget: &Budget,
    inlined: &Inlined,
    understood: &Understood,
) -> Result<Coverage, UnknownReason> {
    let extent = Extent { objects: OBJECTS, work: WORK, machine: machine_options(task) };
    check_patterns_on_machine(&inlined.program, understood, &extent, budget)
        .map_err(|objection| unknown(&inlined.program, budget, objection))
}

/// Runs the machine from all small memories of the graphs of a proof.
///
/// # Errors
/// If a run fails a check, or arrives in a memory that fits no graph.
pub(crate) fn graphs(
    task: &Task<'_>,
    budget: &Budget,
    inlined: &Inlined,
    invariant: &trellis_graphs::check::Invariant,
) -> Result<Coverage, UnknownReason> {
    let extent = Extent { objects: OBJECTS, work: WORK, machine: machine_options(task) };
    check_graphs_on_machine(inlined, invariant, &extent, budget)
        .map_err(|objection| unknown(&inlined.program, budget, objection))
}

fn unknown(program: &Program, budget: &Budget, objection: Objection) -> UnknownReason {
    match objection {
        Rejected::Unjudged(why) => UnknownReason::no_result(why, OUTSIDE, budget),
        Rejected::Wrong(found) => UnknownReason::Internal(format!(
            "the engine shows that no check fails, but the machine disagrees: {}",
            found.describe(program)
        )),
    }
}
