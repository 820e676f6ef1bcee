//! Concrete traces: is an abstract trace, or another one that is as long, real?
//!
//! Executions from the entry are followed symbolically, path after path, as long as a solver says
//! that they are possible; the abstract trace's own paths come first. Everything is said about the
//! entry state, by substitution, so the model of the last query is the initial heap.
//!
//! **Invariant.** If nothing is found, no execution of the length of the abstract trace reaches an
//! error: the trace is spurious.

use trellis_logic::{Definitions, FormulaId, Structure};
use trellis_solver::{Answer, Context, Limits, Solver, Unknown};
use trellis_transys::{BadState, LocationId, Path, Target};

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

/// An execution on its way.
struct Execution {
    at: LocationId,
    /// The current state in terms of the entry state.
    now: Definitions,
    /// What the entry state must satisfy.
    guards: Vec<FormulaId>,
    paths: Vec<usize>,
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
    let start = Execution {
        at: LocationId::ENTRY,
        now: Definitions::new(),
        guards: Vec::new(),
        paths: Vec::new(),
    };
    bounded.follow(&start)
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
            let path = self.space.system.paths[index].clone();
            let (now, guards) = self.extend(execution, &path);
            match self.possible(&guards)? {
                None => {}
                Some(initial) => {
                    let mut paths = execution.paths.clone();
                    paths.push(index);
                    match path.to {
                        Target::Error(error) => {
                            return Ok(Some(ConcreteTrace { initial, paths, error }));
                        }
                        Target::Location(at) => {
                            let longer = Execution { at, now, guards, paths };
                            if let Some(found) = self.follow(&longer)? {
                                return Ok(Some(found));
                            }
                        }
                    }
                }
            }
        }
        Ok(None)
    }

    /// The state and the guards after one more path; its witnesses get names of their own.
    fn extend(&mut self, execution: &Execution, path: &Path) -> (Definitions, Vec<FormulaId>) {
        let mut now = execution.now.clone();
        let step = execution.paths.len();
        self.rename(&mut now, path, step);
        let arena = &mut self.space.system.arena;
        let mut guards = execution.guards.clone();
        guards.extend(path.guards.iter().map(|&g| arena.expand(g, &now)));
        let update = path.update.expanded(arena, &now);
        let mut after = execution.now.clone();
        after.extend(update);
        (after, guards)
    }

    /// Defines the witnesses of a path as constants of the step.
    fn rename(&mut self, now: &mut Definitions, path: &Path, step: usize) {
        let system = &mut self.space.system;
        let (vocabulary, arena) = (&mut system.vocabulary, &mut system.arena);
        for &fun in &system.witnesses.objects[..path.used.objects] {
            let name = format!("{}@{step}", vocabulary.fun(fun).name);
            let own = named_constant(vocabulary, &name, system.symbols.obj);
            let own = arena.constant(own);
            now.define_fun(fun, &[], own);
        }
        for &fun in &system.witnesses.data[..path.used.data] {
            let name = format!("{}@{step}", vocabulary.fun(fun).name);
            let own = named_constant(vocabulary, &name, system.symbols.data);
            let own = arena.constant(own);
            now.define_fun(fun, &[], own);
        }
        for &rel in &system.witnesses.truths[..path.used.truths] {
            let name = format!("{}@{step}", vocabulary.rel(rel).name);
            let own = named_relation(vocabulary, &name, &[]);
            let own = arena.rel(own, &[]);
            now.define_rel(rel, &[], own);
        }
        let obj = system.symbols.obj;
        let vars = ["$a", "$b"].map(|n| arena.variable(n, obj));
        let terms = vars.map(|v| arena.var_term(v));
        for &rel in &system.witnesses.versions[..path.used.versions] {
            let name = format!("{}@{step}", vocabulary.rel(rel).name);
            let own = named_relation(vocabulary, &name, &[obj, obj]);
            let own = arena.rel(own, &terms);
            now.define_rel(rel, &vars, own);
        }
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

fn named_constant(
    vocabulary: &mut trellis_logic::Vocabulary,
    name: &str,
    sort: trellis_logic::SortId,
) -> trellis_logic::FunId {
    vocabulary.find_fun(name).unwrap_or_else(|| vocabulary.constant(name, sort))
}

fn named_relation(
    vocabulary: &mut trellis_logic::Vocabulary,
    name: &str,
    args: &[trellis_logic::SortId],
) -> trellis_logic::RelId {
    vocabulary.find_rel(name).unwrap_or_else(|| vocabulary.relation(name, args))
}
