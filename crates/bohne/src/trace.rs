//! Whether the paths of an abstract counterexample are an execution of the system.

use trellis_logic::Structure;
use trellis_solver::{Limits, Unknown};
use trellis_transys::{BadState, Execution, LocationId};

use crate::questions::{Questions, Reply};

/// An execution that reaches an error.
#[derive(Clone, Debug)]
pub struct Execute {
    /// The state at the entry.
    pub initial: Structure,
    /// The paths taken, by their indices in the system.
    pub paths: Vec<usize>,
    /// What goes wrong at the end.
    pub error: BadState,
}

/// The execution that takes some paths into an error, if there is one.
///
/// # Errors
/// If the solver does not know.
pub fn execution(
    questions: &mut Questions<'_>,
    paths: &[usize],
) -> Result<Option<Execute>, Unknown> {
    let all = paths.iter().fold(Execution::default(), |execution, &path| {
        execution.extended(&mut questions.system, path)
    });
    let Some(error) = paths.last().and_then(|&path| questions.system.paths[path].error()) else {
        return Ok(None);
    };
    let mut solver = questions.solver(LocationId::ENTRY)?;
    let limits = questions.limits.clone();
    questions.limits = Limits { minimise_model: true, ..limits.clone() };
    let reply = questions.ask(&mut *solver, &all.guards);
    questions.limits = limits;
    Ok(match reply? {
        Reply::Core(_) => None,
        Reply::Model(model) => Some(Execute { initial: *model, paths: paths.to_vec(), error }),
    })
}
