//! Questions as texts, for the store.

use rustc_hash::FxHashMap;
use trellis_logic::FormulaId;
use trellis_solver::{Solver, Unknown};
use trellis_transys::LocationId;

use crate::questions::{Questions, Reply};
use crate::store::{Assumed, Known, Renaming, StoredModel};

/// How questions to one solver are written.
#[derive(Default)]
pub struct Written {
    renaming: Renaming,
    /// What the solver knows.
    pub base: String,
    /// The predicates that a model of it must have values for.
    pub predicates: Vec<String>,
    texts: FxHashMap<FormulaId, String>,
}

impl Written {
    /// For a solver that knows these facts about the states at a location.
    pub fn new(questions: &mut Questions<'_>, from: LocationId, known: &[FormulaId]) -> Written {
        let mut written = Written::default();
        let facts: Vec<String> = known.iter().map(|&f| written.text(questions, f)).collect();
        // All that questions can speak of, so that the base says of which sorts it is.
        let system = &mut questions.system;
        written.renaming.number(&system.arena, questions.object);
        for fun in system.locations[from.0].constants.clone() {
            let constant = system.arena.constant(fun);
            written.renaming.number(&system.arena, constant);
        }
        let sorts = written.renaming.sorts(&questions.system.vocabulary);
        written.base = format!("{}\n{sorts}", facts.join("\n"));
        written
    }

    /// A formula as text.
    pub fn text(&mut self, questions: &mut Questions<'_>, formula: FormulaId) -> String {
        let (renaming, arena) = (&mut self.renaming, &mut questions.system.arena);
        self.texts.entry(formula).or_insert_with(|| renaming.text(arena, formula)).clone()
    }

    /// Asks a solver, unless it is known that the assumptions contradict what it knows. The core is
    /// not told.
    ///
    /// # Errors
    /// If the solver does not know, or a limit is reached.
    pub fn ask(
        &mut self,
        questions: &mut Questions<'_>,
        solver: &mut dyn Solver,
        assumptions: &[FormulaId],
    ) -> Result<Option<Reply>, Unknown> {
        let texts: Vec<String> = assumptions.iter().map(|&f| self.text(questions, f)).collect();
        let assumed: Assumed = texts.iter().cloned().collect();
        // Models are of no use here.
        let nothing = ["none".to_owned()];
        if let Some(Known::Contradiction(_)) = questions.store.find(&self.base, &assumed, &nothing)
        {
            questions.counts.hits += 1;
            return Ok(None);
        }
        match questions.ask(solver, assumptions)? {
            Reply::Core(core) => {
                let needed = core.iter().map(|&i| texts[i].clone()).collect();
                questions.store.keep_contradiction(&self.base, needed);
                Ok(None)
            }
            model => Ok(Some(model)),
        }
    }

    /// Whether assumptions have a model with what a solver knows, whatever it is.
    ///
    /// # Errors
    /// If the solver does not know, or a limit is reached.
    pub fn is_possible(
        &mut self,
        questions: &mut Questions<'_>,
        solver: &mut dyn Solver,
        assumptions: &[FormulaId],
    ) -> Result<bool, Unknown> {
        let assumed: Assumed = assumptions.iter().map(|&f| self.text(questions, f)).collect();
        let some = ["some".to_owned()];
        if let Some(Known::Model(_)) = questions.store.find(&self.base, &assumed, &some) {
            questions.counts.hits += 1;
            return Ok(true);
        }
        let possible = self.ask(questions, solver, assumptions)?.is_some();
        if possible {
            let model = StoredModel { predicates: some.to_vec(), objects: vec![vec![true]] };
            questions.store.keep_model(&self.base, assumed, model);
        }
        Ok(possible)
    }
}
