//! Runs a claimed violation again, step by step, with the interpreter.

use trellis_explore::search::straight::STRAIGHT;
use trellis_program::concrete::{Failure, Finish, InitialHeap, Machine, Scripted};

use crate::engine::Task;
use crate::explore::machine_options;
use crate::heaps::can_start;
use crate::verdict::{Counterexample, Replayed};

/// The counterexample, if the procedure can start from the heap and the interpreter reaches the
/// claimed failure.
///
/// # Errors
/// A sentence that says what happened instead; that is our bug, never the user's.
pub fn replay(
    task: &Task<'_>,
    initial: InitialHeap,
    choices: Vec<u32>,
    failure: Failure,
) -> Result<Counterexample, String> {
    if !can_start(task, &initial) {
        return Err(format!(
            "a violation of {} was claimed, but from a heap that the procedure cannot start from",
            failure.kind
        ));
    }
    let machine = Machine::new(task.program, machine_options(task));
    let mut chooser = Scripted::new(&choices);
    let most = most_instructions(task);
    let trace = machine.run(task.proc, &initial, &mut chooser, most);
    let instead = match &trace.finish {
        // The engine may name objects differently; the replay's names are those of the trace.
        Some(Finish::Failed(again)) if again.same_check(&failure) => {
            let failure = *again;
            let ints = task.options.int_values.clone();
            return Ok(Counterexample {
                initial,
                choices,
                failure,
                trace,
                ints,
                _replayed: Replayed,
            });
        }
        Some(Finish::Failed(other)) => format!("violates {}", other.kind),
        Some(Finish::Returned(_) | Finish::Exited) => "ends without a violation".to_owned(),
        Some(Finish::Stopped) => "is ruled out by an assumption".to_owned(),
        Some(Finish::Unsupported { reason, .. }) => format!("meets {reason}"),
        Some(Finish::TooDeep) => "calls too deep".to_owned(),
        None => "does not end".to_owned(),
    };
    Err(format!("a violation of {} was claimed, but its replay {instead}", failure.kind))
}

/// Engines that look at single heaps follow runs at least so far.
const STEPS: usize = 10_000;

/// A bound on the instructions of a run within the bound on steps, which counts blocks.
fn most_instructions(task: &Task<'_>) -> usize {
    let blocks = task.program.procs.iter().flat_map(|p| p.blocks());
    let longest = blocks.map(|b| b.instrs.len() + 1).max().unwrap_or(1);
    let steps = task.options.steps.max(STEPS);
    let whole = task.program.is_whole_program(task.proc);
    let steps = steps.saturating_add(if whole { STRAIGHT } else { 1 });
    steps.saturating_mul(longest)
}
