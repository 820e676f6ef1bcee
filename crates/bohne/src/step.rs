//! A path of the system, with its solver and what was found out about it.

use trellis_logic::{FormulaId, Structure, Value};
use trellis_solver::{Solver, Unknown};
use trellis_transys::Target;

use crate::cache::{Cache, Sample};
use crate::cube::Bits;
use crate::predicates::{Predicates, View};
use crate::questions::{Questions, Reply};

/// An end of a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// Where it begins.
    Before,
    /// Where it leads to.
    After,
}

/// A path from one location to another.
pub struct Step {
    /// Its index in the system.
    pub path: usize,
    /// The predicates at its beginning.
    pub before: View,
    /// The predicates at its end, in terms of the beginning: what `wlp` makes of them.
    pub after: View,
    /// The predicates of the end that are, syntactically, a predicate of the beginning or its negation.
    pub unchanged: Vec<Option<(usize, bool)>>,
    /// What is known of it.
    pub cache: Cache,
    solver: Box<dyn Solver>,
}

impl Step {
    /// A path between locations with these predicates. `facts` hold at its beginning.
    ///
    /// # Errors
    /// If the solver refuses a formula.
    pub fn new(
        questions: &mut Questions<'_>,
        path: usize,
        before: &Predicates,
        after: &Predicates,
        facts: &[FormulaId],
    ) -> Result<Step, Unknown> {
        debug_assert!(matches!(questions.system.paths[path].to, Target::Location(_)));
        let mut solver = questions.solver_of_path(path)?;
        questions.assert(&mut *solver, facts)?;
        let (var, object) = (questions.var, questions.object);
        let update = questions.system.paths[path].update.clone();
        let arena = &mut questions.system.arena;
        let before = before.view(arena, var, object, |_, formula| formula);
        let after = after.view(arena, var, object, |arena, formula| arena.expand(formula, &update));
        let unchanged = after.formulas.iter().map(|&formula| {
            let opposite = arena.not(formula);
            let is = |wanted| before.formulas.iter().position(|&f| f == wanted);
            is(formula).map(|i| (i, true)).or_else(|| is(opposite).map(|i| (i, false)))
        });
        let unchanged = unchanged.collect();
        Ok(Step { path, before, after, unchanged, cache: Cache::default(), solver })
    }

    /// The predicates at an end.
    pub fn view(&self, end: End) -> &View {
        match end {
            End::Before => &self.before,
            End::After => &self.after,
        }
    }

    /// Whether some assumptions can hold where the path is taken. A model is kept as a sample.
    ///
    /// # Errors
    /// If the solver does not know.
    pub fn ask(
        &mut self,
        questions: &mut Questions<'_>,
        assumptions: &[FormulaId],
    ) -> Result<Asked, Unknown> {
        match questions.ask(&mut *self.solver, assumptions)? {
            Reply::Core(core) => Ok(Asked::Never(core)),
            Reply::Model(model) => {
                let sample = self.sample(questions, &model)?;
                Ok(Asked::Sometimes(self.cache.add(sample)))
            }
        }
    }

    /// The cubes of all objects of a model, at both ends.
    fn sample(&self, questions: &Questions<'_>, model: &Structure) -> Result<Sample, Unknown> {
        let arena = &questions.system.arena;
        let bits = |view: &View, element: u32| -> Result<Bits, Unknown> {
            let mut bits: Bits = 0;
            for (i, &formula) in view.formulas.iter().enumerate() {
                let object = [(questions.var, Value::Elem(element))];
                let value = model.eval_with(arena, formula, &object);
                let value = value.map_err(|e| Unknown::Incomplete(e.to_string()))?;
                bits |= u64::from(value) << i;
            }
            Ok(bits)
        };
        let elements = 0..model.size(questions.system.symbols.obj);
        let before = elements.clone().map(|e| bits(&self.before, e)).collect::<Result<_, _>>()?;
        let after = elements.map(|e| bits(&self.after, e)).collect::<Result<_, _>>()?;
        Ok(Sample { before, after })
    }
}

/// What a question about a path came to.
pub enum Asked {
    /// It is so in the sample of this number.
    Sometimes(usize),
    /// It is never so, because of these assumptions.
    Never(Vec<usize>),
}
