//! Runs a claimed violation again, step by step, with the interpreter.

use trellis_program::concrete::{Failure, Finish, InitialHeap, Machine, Scripted};

use crate::engine::Task;
use crate::explore::machine_options;
use crate::verdict::{Counterexample, Replayed};

/// The counterexample, if the interpreter reaches the claimed failure.
///
/// # Errors
/// A sentence that says what happened instead; that is our bug, never the user's.
pub fn replay(
    task: &Task<'_>,
    initial: InitialHeap,
    choices: Vec<u32>,
    failure: Failure,
) -> Result<Counterexample, String> {
    let machine = Machine::new(task.program, machine_options(task));
    let mut chooser = Scripted::new(&choices);
    // The claim ran at most `steps` steps; one more would already be a contradiction.
    let trace = machine.run(task.proc, &initial, &mut chooser, task.options.steps + 1);
    let instead = match &trace.finish {
        Some(Finish::Failed(again)) if *again == failure => {
            return Ok(Counterexample {
                initial,
                choices,
                failure,
                trace,
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
    Err(format!(
        "a violation of {} was claimed, but its replay {instead}",
        failure.kind
    ))
}
