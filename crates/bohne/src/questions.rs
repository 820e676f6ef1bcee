//! What is asked of solvers.
//!
//! The commands of the paper are the paths of the transition system: a guard, and an update that gives
//! the state after it by substitution, so that `wlp` of a formula is the formula after the update. One
//! solver a path knows the axioms, the guards and what was propagated to the path's beginning; a
//! question is assumptions alone.
//!
//! **Invariant.** Every validity question is counted. A question that a solver does not answer ends
//! the analysis with the reason.

use trellis_logic::{FormulaId, Structure, TermId, Value, VarId};
use trellis_solver::{Answer, Context, Limits, Solver, Unknown};
use trellis_transys::{Flag, LocationId, TransitionSystem};

use crate::store::{Memory, Store};

/// Makes solvers.
pub type Factory<'a> = dyn Fn() -> Box<dyn Solver> + 'a;

/// What a question costs at least, in units of work.
const QUESTION: u64 = 100;
/// So many clauses of a solver cost a unit more.
const CLAUSES: u64 = 20;

/// What an analysis counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Validity questions that solvers answered.
    pub questions: u64,
    /// Validity questions that were answered from what earlier ones had shown.
    pub hits: u64,
    /// Of the questions, for the propagation of conjuncts.
    pub propagation: u64,
    /// Questions to find the clauses that are needed; not among the others.
    pub slicing: u64,
    /// Abstract transitions that were computed.
    pub posts: u64,
}

/// The system, and what questions about it share.
pub struct Questions<'a> {
    /// The system; its vocabulary and arena grow.
    pub system: TransitionSystem,
    /// Makes the solvers.
    pub factory: &'a Factory<'a>,
    /// When to stop.
    pub limits: Limits,
    /// The variable of predicates.
    pub var: VarId,
    /// The object that a question is about.
    pub object: TermId,
    /// Answers that steps share.
    pub store: Box<dyn Store>,
    /// What was asked so far.
    pub counts: Counts,
}

/// What a solver says.
pub enum Reply {
    /// The assumptions have this model.
    Model(Box<Structure>),
    /// They have none, because of these ones.
    Core(Vec<usize>),
}

impl<'a> Questions<'a> {
    /// Questions about a system.
    pub fn new(
        mut system: TransitionSystem,
        factory: &'a Factory<'a>,
        limits: Limits,
    ) -> Questions<'a> {
        let obj = system.symbols.obj;
        let taken = |name: &str| system.vocabulary.find_fun(name).is_some();
        let mut names = (0..).map(|i| if i == 0 { "v".to_owned() } else { format!("v{i}") });
        let name = names.find(|name| !taken(name)).unwrap_or_default();
        let var = system.arena.variable(name, obj);
        let object = system.vocabulary.fresh_name("object");
        let object = system.vocabulary.constant(object, obj);
        let object = system.arena.constant(object);
        let (store, counts) = (Box::new(Memory::default()), Counts::default());
        Questions { system, factory, limits, var, object, store, counts }
    }

    /// A solver that knows the axioms and, for the entry, the precondition.
    ///
    /// # Errors
    /// If it refuses a formula.
    pub fn solver(&mut self, from: LocationId) -> Result<Box<dyn Solver>, Unknown> {
        let mut solver = (self.factory)();
        let facts = self.known_at(from);
        self.assert(&mut *solver, &facts)?;
        Ok(solver)
    }

    /// The axioms and, at the entry, the precondition.
    pub fn known_at(&self, from: LocationId) -> Vec<FormulaId> {
        let mut facts = self.system.axioms.clone();
        if from == LocationId::ENTRY {
            facts.extend(&self.system.initial);
        }
        facts
    }

    /// A solver that knows the guards of a path as well.
    ///
    /// # Errors
    /// If it refuses a formula.
    pub fn solver_of_path(&mut self, path: usize) -> Result<Box<dyn Solver>, Unknown> {
        let mut solver = self.solver(self.system.paths[path].from)?;
        let facts = self.taken(path);
        self.assert(&mut *solver, &facts)?;
        Ok(solver)
    }

    /// What holds where a path is taken: its guards, and that the witnesses it does not use are no
    /// objects of their own.
    pub fn taken(&mut self, path: usize) -> Vec<FormulaId> {
        let system = &mut self.system;
        let mut facts = system.paths[path].guards.clone();
        let null = system.arena.constant(system.symbols.null);
        for &unused in &system.witnesses.objects[system.paths[path].used.objects..] {
            let witness = system.arena.constant(unused);
            facts.push(system.arena.eq(witness, null));
        }
        facts
    }

    /// Makes facts known to a solver for good.
    ///
    /// # Errors
    /// If it refuses one.
    pub fn assert(&mut self, solver: &mut dyn Solver, facts: &[FormulaId]) -> Result<(), Unknown> {
        let system = &mut self.system;
        let mut context = Context { vocabulary: &system.vocabulary, arena: &mut system.arena };
        for &fact in facts {
            solver.assert(&mut context, fact).map_err(Unknown::Refused)?;
        }
        Ok(())
    }

    /// A model with values for all fields of data. Solvers leave open what the formulas they were
    /// told do not speak of, so any value will do.
    pub fn completed(&self, mut model: Structure) -> Structure {
        let symbols = &self.system.symbols;
        let keys = symbols.integers.iter().flat_map(|field| [field.now, field.entry]);
        for key in keys {
            let Flag::Data(fun) = key else { continue };
            for element in 0..model.size(symbols.obj) {
                if model.fun(fun, &[element]).is_none() {
                    model.set_fun(fun, &[element], Some(Value::Elem(0)));
                }
            }
        }
        model
    }

    /// Whether some assumptions have a model with what a solver knows.
    ///
    /// # Errors
    /// If the solver does not know, or a limit is reached.
    pub fn ask(
        &mut self,
        solver: &mut dyn Solver,
        assumptions: &[FormulaId],
    ) -> Result<Reply, Unknown> {
        if let Some(why) = self.limits.exceeded() {
            return Err(why);
        }
        self.limits.work.spend(QUESTION + solver.statistics().clauses / CLAUSES);
        self.counts.questions += 1;
        let limits = Limits {
            minimise_core: true,
            work: trellis_logic::budget::Work::default(),
            ..self.limits.clone()
        };
        let system = &mut self.system;
        let mut context = Context { vocabulary: &system.vocabulary, arena: &mut system.arena };
        match solver.check(&mut context, assumptions, &limits) {
            Answer::Unsat => Ok(Reply::Core(solver.core().to_vec())),
            Answer::Sat => Ok(Reply::Model(Box::new(solver.model(&mut context, &limits)?))),
            Answer::Unknown(why) => Err(why),
        }
    }
}
