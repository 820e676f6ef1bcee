//! The second leg of every *verified*: the machine agrees, on all small heaps.
//!
//! An engine's proof is about heaps of any size, but trusts the translation into its own language.
//! Before the driver says *verified*, the interpreter runs the procedure as it was written from
//! every small initial heap ([`runs`]); and where the proof is a list of clauses, from every small
//! state that satisfies them, reachable or not ([`clauses`], [`trellis_certify::machine`]).
//!
//! Budgets count work, not time, so that what is said repeats to the letter.
//!
//! **Invariant.** A contradiction is *unknown: internal error* with both sides shown, never a
//! verdict. An [`OnMachine`] can only be made here, and *verified* needs one.

use std::fmt;

use trellis_certify::machine::{Coverage, Finding, Scope, check_on_machine};
use trellis_explore::{Outcome, explore};
use trellis_logic::FormulaId;
use trellis_program::concrete::heap_text;
use trellis_program::{CheckTable, Diagnostic, Inlined};
use trellis_transys::TransitionSystem;

use crate::cpu::CpuTime;
use crate::engine::{Budget, Task};
use crate::explore::{config, machine_options, unsatisfied_call};
use crate::verdict::UnknownReason;

/// Most heap objects that are tried before *verified* is said.
const OBJECTS: usize = 3;
/// Initial heaps grow by one object as long as the last size took at most so many instructions.
const INSTRUCTIONS: u64 = 20_000;
/// Work for states that satisfy the clauses.
const WORK: u64 = 400_000;

/// What the machine was run on before *verified* was said.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct OnMachine {
    /// Initial heaps from which the procedure ran, with all choices.
    pub heaps: u64,
    /// All initial heaps of up to so many objects were among them.
    pub objects: usize,
    /// States that satisfy the invariant, where it is a list of clauses.
    pub states: Option<Coverage>,
    /// CPU seconds of the runs from initial heaps.
    pub seconds: f64,
    /// Keeps others from making one without a run.
    _ran: Ran,
}

/// Proof that the machine ran.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Ran;

/// `held on 1,204 states of up to 3 objects and on all runs from 12 heaps of up to 4`.
impl fmt::Display for OnMachine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let OnMachine { heaps, objects, .. } = *self;
        f.write_str("held on the machine: ")?;
        if let Some(states) = self.states {
            write!(f, "from {}", count(states.states, "state"))?;
            if let Some(n) = states.objects {
                write!(f, ", all those of up to {} among them", count(n as u64, "object"))?;
            }
            f.write_str("; ")?;
        }
        let heaps = count(heaps, "initial heap");
        write!(f, "on all runs from {heaps} of up to {}", count(objects as u64, "object"))
    }
}

/// `1 object`, `41,208 states`.
fn count(n: u64, noun: &str) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    format!("{out} {noun}{}", if n == 1 { "" } else { "s" })
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
    let mut done = OnMachine { heaps: 0, objects: 0, states, seconds: 0.0, _ran: Ran };
    let mut unsatisfied = Vec::new();
    for objects in 0..=OBJECTS {
        let mut config = config(task, budget);
        config.objects = objects;
        let progress = trellis_explore::Progress::default();
        let explored = explore(task.program, task.proc, &config, &progress);
        match explored.outcome {
            Outcome::Exhausted | Outcome::NoHeap => {}
            Outcome::Violated(found) => return Err(contradiction(task, &found)),
            Outcome::Unsupported { span, reason } => {
                let place = Diagnostic::unsupported(span, format!("not supported: {reason}"));
                return Err(UnknownReason::Unsupported(vec![place]));
            }
            Outcome::Stopped(why) => return Err(UnknownReason::stopped(why, budget)),
        }
        done.objects = objects;
        done.heaps = explored.stats.heaps;
        unsatisfied = explored.unsatisfied;
        if explored.stats.instructions > INSTRUCTIONS {
            break;
        }
    }
    // A proof of what stands behind such a call is as good as none.
    warnings.extend(unsatisfied.into_iter().map(|call| unsatisfied_call(task, call)));
    done.seconds = cpu.seconds();
    Ok(done)
}

fn contradiction(task: &Task<'_>, found: &trellis_explore::Violation) -> UnknownReason {
    let failure = &found.failure;
    let table = CheckTable::of(task.program);
    let row = table.find(failure.point, failure.kind, failure.clause).map(|id| table.get(id));
    let place = row.map_or_else(String::new, |check| {
        format!(" at {}", task.program.sources.locate(check.span))
    });
    let heap = heap_text::print(task.program, task.proc, &found.initial);
    UnknownReason::Internal(format!(
        "the engine says that no check fails, but the machine fails `{}`{place} from the heap {heap}",
        failure.kind
    ))
}

/// Runs the machine from all small states that satisfy the clauses of a proof.
///
/// # Errors
/// If a run fails a check, or arrives in a state that violates the clauses.
pub(crate) fn clauses(
    task: &Task<'_>,
    budget: &Budget,
    inlined: &Inlined,
    system: &TransitionSystem,
    invariant: &[Vec<FormulaId>],
) -> Result<Coverage, UnknownReason> {
    let scope = Scope { objects: OBJECTS, work: WORK, machine: machine_options(task) };
    let checked = check_on_machine(&inlined.program, system, invariant, &scope, budget);
    checked.map_err(|finding| match finding {
        Finding::Stopped(why) => UnknownReason::stopped(why, budget),
        Finding::Unsupported { span, reason } => {
            let place = Diagnostic::unsupported(span, format!("not supported: {reason}"));
            UnknownReason::Unsupported(vec![place])
        }
        Finding::Contradiction(found) => {
            let place = inlined.program.sources.locate(found.from);
            UnknownReason::Internal(format!(
                "an invariant was shown in the logic, but the machine refutes it: from the state \
                 at {place}\n{}\n{}",
                found.state, found.what
            ))
        }
    })
}
