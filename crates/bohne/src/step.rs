//! A path of the system, with its solver and what was found out about it.

use trellis_logic::{FormulaId, Structure, Value};
use trellis_solver::{Solver, Unknown};
use trellis_transys::Target;

use crate::cache::{Cache, Sample};
use crate::cube::{Bits, has};
use crate::predicates::{Predicates, View};
use crate::questions::{Questions, Reply};
use crate::store::{Assumed, Known, StoredModel};
use crate::written::Written;

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
    /// Its questions as texts.
    written: Written,
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
        let mut known = questions.taken(path);
        known.extend(questions.known_at(questions.system.paths[path].from));
        known.extend(facts);
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
        let from = questions.system.paths[path].from;
        let mut written = Written::new(questions, from, &known);
        let predicates = before.formulas.iter().chain(&after.formulas);
        written.predicates =
            predicates.map(|&f| written.text(questions, f)).collect::<Vec<String>>();
        Ok(Step { path, before, after, unchanged, cache: Cache::default(), solver, written })
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
        let texts: Vec<String> =
            assumptions.iter().map(|&f| self.written.text(questions, f)).collect();
        let assumed: Assumed = texts.iter().cloned().collect();
        let Written { base, predicates, .. } = &self.written;
        match questions.store.find(base, &assumed, predicates) {
            Some(Known::Contradiction(core)) => {
                questions.counts.hits += 1;
                let needed = (0..texts.len()).filter(|&i| core.contains(&texts[i]));
                return Ok(Asked::Never(needed.collect()));
            }
            Some(Known::Model(model)) => {
                questions.counts.hits += 1;
                let sample = self.recall(&model);
                return Ok(Asked::Sometimes(self.cache.add(sample)));
            }
            None => {}
        }
        match questions.ask(&mut *self.solver, assumptions)? {
            Reply::Core(core) => {
                let needed = core.iter().map(|&i| texts[i].clone()).collect();
                questions.store.keep_contradiction(base, needed);
                Ok(Asked::Never(core))
            }
            Reply::Model(model) => {
                let sample = self.sample(questions, &questions.completed(*model))?;
                questions.store.keep_model(base, assumed, self.stored(&sample));
                Ok(Asked::Sometimes(self.cache.add(sample)))
            }
        }
    }

    /// A sample as the store keeps it.
    fn stored(&self, sample: &Sample) -> StoredModel {
        let values = |bits: Bits, count: usize| (0..count).map(move |i| has(bits, i));
        let (before, after) = (self.before.formulas.len(), self.after.formulas.len());
        let objects = sample.before.iter().zip(&sample.after);
        let objects =
            objects.map(|(&a, &b)| values(a, before).chain(values(b, after)).collect()).collect();
        StoredModel { predicates: self.written.predicates.clone(), objects }
    }

    /// The sample of a model that has all predicates.
    fn recall(&self, model: &StoredModel) -> Sample {
        let place = |text: &String| model.predicates.iter().position(|p| p == text);
        let places: Vec<Option<usize>> = self.written.predicates.iter().map(place).collect();
        let (before, after) = places.split_at(self.before.formulas.len());
        let bits = |object: &[bool], places: &[Option<usize>]| {
            let value = |place: &Option<usize>| place.is_some_and(|place| object[place]);
            places.iter().enumerate().fold(0, |all, (i, p)| all | u64::from(value(p)) << i)
        };
        Sample {
            before: model.objects.iter().map(|object| bits(object, before)).collect(),
            after: model.objects.iter().map(|object| bits(object, after)).collect(),
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
