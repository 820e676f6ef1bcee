//! Concrete traces: is an abstract trace, or another one that is as long, real?
//!
//! Executions from the entry are followed symbolically, path after path, as long as a solver says
//! that they are possible; the abstract trace's own paths come first. Everything is said about the
//! entry state, by substitution, so the model of the last query is the initial heap.
//!
//! **Invariant.** If nothing is found, no execution of the length of the abstract trace reaches an
//! error: the trace is spurious.

use trellis_logic::{FormulaId, Structure};
use trellis_solver::{Answer, Context, Limits, Solver, Unknown};
use trellis_transys::{BadState, Execution, Target};

use crate::query::{Factory, Space};
use crate::search::AbstractState;

/// An execution that reaches an error.
#[derive(Clone, Debug)]
pub struct ConcreteTrace {
    /// The state at the entry, over the entry's symbols.
    pub initial: Structure,
    /// The paths taken, by their indices in the system.
    pub paths: Vec<usize>,
    /// What goes wrong at the end.
    pub error: BadState,
}

/// Looks for an execution as long as an abstract trace, or shorter, that reaches an error.
///
/// # Errors
/// If the solver does not know.
pub fn find(
    space: &mut Space,
    factory: &Factory<'_>,
    trace: &[AbstractState],
    limits: &Limits,
) -> Result<Option<ConcreteTrace>, Unknown> {
    let mut solver = factory();
    let facts: Vec<FormulaId> =
        space.system.axioms.iter().chain(&space.system.initial).copied().collect();
    let system = &mut space.system;
    let mut context = Context { vocabulary: &system.vocabulary, arena: &mut system.arena };
    for fact in facts {
        solver.assert(&mut context, fact).map_err(Unknown::Refused)?;
    }
    let mut bounded = Bounded { space, solver, limits: limits.clone(), trace };
    bounded.follow(&Execution::default())
}

struct Bounded<'a> {
    space: &'a mut Space,
    solver: Box<dyn Solver>,
    limits: Limits,
    trace: &'a [AbstractState],
}

impl Bounded<'_> {
    fn follow(&mut self, execution: &Execution) -> Result<Option<ConcreteTrace>, Unknown> {
        let done = execution.paths.len();
        if done >= self.trace.len() {
            return Ok(None);
        }
        let hint = self.trace[done].path;
        let mut next: Vec<usize> = (0..self.space.system.paths.len())
            .filter(|&i| self.space.system.paths[i].from == execution.at)
            .collect();
        // Errors first, and the abstract trace's own path before all.
        next.sort_by_key(|&i| (i != hint, self.space.system.paths[i].error().is_none()));
        for index in next {
            let longer = execution.extended(&mut self.space.system, index);
            let Some(initial) = self.possible(&longer.guards)? else { continue };
            match self.space.system.paths[index].to {
                Target::Error(error) => {
                    return Ok(Some(ConcreteTrace { initial, paths: longer.paths, error }));
                }
                Target::Location(_) => {
                    if let Some(found) = self.follow(&longer)? {
                        return Ok(Some(found));
                    }
                }
            }
        }
        Ok(None)
    }

    fn possible(&mut self, guards: &[FormulaId]) -> Result<Option<Structure>, Unknown> {
        let system = &mut self.space.system;
        let mut context = Context { vocabulary: &system.vocabulary, arena: &mut system.arena };
        let limits = Limits { minimise_core: false, minimise_model: true, ..self.limits.clone() };
        match self.solver.check(&mut context, guards, &limits) {
            Answer::Sat => self.solver.model(&mut context, &limits).map(Some),
            Answer::Unsat => Ok(None),
            Answer::Unknown(why) => Err(why),
        }
    }
}
