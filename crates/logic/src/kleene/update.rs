//! The effect of an action.
//!
//! An action gives predicates new values by *predicate-update formulas* over the structure before
//! it. An instrumentation predicate without an update formula gets the value of its definition in
//! the new structure, which is the same as substituting the updates into the definition: always
//! sound, but a closure over a summary is seldom definite. If nothing that it depends on changes, it
//! keeps its value.
//!
//! An update formula may also speak of the new values ([`Time::After`]) of predicates that are
//! declared before the one it updates, so that the update of a predicate can be said in terms of
//! simpler updates.
//!
//! **Contract**: if the formulas are right about definite structures (the new value of the predicate
//! is that of the formula), and S embeds into T, then S after the action embeds into T after it by
//! the same function.
//!
//! [`Time::After`]: super::Time::After

use super::eval::Evaluator;
use super::formula::Formula;
use super::predicates::PredId;
use super::structure::KleeneStructure;
use super::value::Kleene;

/// The new value of a predicate, as a formula whose free variables are the predicate's places.
#[derive(Clone, Debug)]
pub struct Update {
    /// What changes.
    pub predicate: PredId,
    /// Its value afterwards.
    pub formula: Formula,
}

/// What a statement does.
#[derive(Clone, Debug, Default)]
pub struct Action {
    /// The statement, for the user.
    pub name: String,
    /// Formulas to be made definite first; the free variables are the first so many.
    pub focus: Vec<(usize, Formula)>,
    /// A closed formula; the action is not possible where it is false.
    pub guard: Option<Formula>,
    /// There is a new individual, and this unary predicate marks it in the structure before the
    /// action.
    pub allocates: Option<PredId>,
    /// What changes.
    pub updates: Vec<Update>,
}

impl KleeneStructure {
    /// The structure after an action. Its guard and its focus formulas are not looked at.
    #[must_use]
    pub fn update(&self, action: &Action) -> KleeneStructure {
        let before = match action.allocates {
            Some(marker) => &self.with_new_individual(marker),
            None => self,
        };
        let predicates = before.predicates.clone();
        // A new individual has no values of instrumentation predicates yet.
        let allocates = action.allocates.is_some();
        let mut changed = vec![allocates; predicates.ids().len()];
        let mut after = before.clone();
        if let Some(marker) = action.allocates {
            after.set(marker, &[before.size() - 1], Kleene::False);
        }
        for p in predicates.ids() {
            let given = action.updates.iter().find(|u| u.predicate == p).map(|u| &u.formula);
            let definition = predicates.get(p).definition.as_ref();
            let formula = match (given, definition) {
                (Some(formula), _) => Some(formula),
                (None, Some(definition)) => {
                    let depends = predicates.mentions(p).iter().any(|q| changed[q.index()]);
                    (depends || allocates).then_some(definition)
                }
                (None, None) => None,
            };
            let Some(formula) = formula else {
                continue;
            };
            let values = {
                // A definition is about the new structure alone.
                let old = if given.is_some() { before } else { &after };
                Evaluator::of_action(old, &after).table(formula, predicates.get(p).arity)
            };
            let range = after.range(p);
            after.values[range].copy_from_slice(&values);
            changed[p.index()] = true;
        }
        after
    }

    /// One more individual, of which only the marker holds.
    fn with_new_individual(&self, marker: PredId) -> KleeneStructure {
        let n = self.size();
        let mut larger = KleeneStructure::new(self.predicates.clone(), n + 1);
        larger.summary[..n].copy_from_slice(&self.summary);
        for p in self.predicates.ids() {
            for tuple in self.tuples(self.predicates.get(p).arity) {
                larger.set(p, &tuple, self.get(p, &tuple));
            }
        }
        larger.set(marker, &[n], Kleene::True);
        larger
    }
}
