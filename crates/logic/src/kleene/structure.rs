//! Three-valued structures.
//!
//! **Invariants**: individuals are `0..size`, and there may be none: the heap may be empty. All
//! values lie in one vector: those of predicates without places, then of unary ones by predicate,
//! then of binary ones by predicate and first individual. Equality is not stored: two individuals
//! differ, and an individual equals itself unless it is a summary, when it maybe does.

use std::sync::Arc;

use super::predicates::{PredId, Predicates};
use super::value::Kleene;

/// A set of heaps, or one heap if it has no summary and no `Maybe`.
#[derive(Clone, Debug)]
pub struct KleeneStructure {
    pub(super) predicates: Arc<Predicates>,
    pub(super) summary: Vec<bool>,
    pub(super) values: Vec<Kleene>,
}

/// Equality of names, not up to renaming; both sides have the same table of predicates.
impl PartialEq for KleeneStructure {
    fn eq(&self, other: &Self) -> bool {
        self.summary == other.summary && self.values == other.values
    }
}

impl Eq for KleeneStructure {}

impl std::hash::Hash for KleeneStructure {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.summary.hash(state);
        self.values.hash(state);
    }
}

impl KleeneStructure {
    /// So many individuals, none of them a summary, of which nothing holds.
    pub fn new(predicates: Arc<Predicates>, size: usize) -> Self {
        let [nullary, unary, binary] = predicates.counts();
        let values = vec![Kleene::False; nullary + unary * size + binary * size * size];
        KleeneStructure { predicates, summary: vec![false; size], values }
    }

    /// The predicates it interprets.
    pub fn predicates(&self) -> &Arc<Predicates> {
        &self.predicates
    }

    /// How many individuals it has.
    pub fn size(&self) -> usize {
        self.summary.len()
    }

    /// How much memory it takes, about.
    pub fn bytes(&self) -> usize {
        size_of::<KleeneStructure>() + self.values.len() + self.summary.len()
    }

    /// Whether an individual may stand for several objects.
    pub fn is_summary(&self, individual: usize) -> bool {
        self.summary[individual]
    }

    /// Says whether an individual may stand for several objects.
    pub fn set_summary(&mut self, individual: usize, summary: bool) {
        self.summary[individual] = summary;
    }

    /// Whether two individuals stand for the same object.
    pub fn equal(&self, a: usize, b: usize) -> Kleene {
        match a == b {
            false => Kleene::False,
            true if self.summary[a] => Kleene::Maybe,
            true => Kleene::True,
        }
    }

    /// The positions of the values of a predicate; tuples in the order of [`Self::tuples`].
    pub(super) fn range(&self, predicate: PredId) -> std::ops::Range<usize> {
        let (slot, n) = (self.predicates.slot(predicate), self.size());
        let [nullary, unary, _] = self.predicates.counts();
        let (start, length) = match self.predicates.get(predicate).arity {
            0 => (slot, 1),
            1 => (nullary + slot * n, n),
            _ => (nullary + unary * n + slot * n * n, n * n),
        };
        start..start + length
    }

    fn index(&self, predicate: PredId, args: &[usize]) -> usize {
        let (slot, n) = (self.predicates.slot(predicate), self.size());
        debug_assert_eq!(args.len(), self.predicates.get(predicate).arity);
        let [nullary, unary, _] = self.predicates.counts();
        match *args {
            [] => slot,
            [a] => nullary + slot * n + a,
            [a, b] => nullary + unary * n + (slot * n + a) * n + b,
            _ => unreachable!("predicates have at most two places"),
        }
    }

    /// The value of a predicate.
    pub fn get(&self, predicate: PredId, args: &[usize]) -> Kleene {
        self.values[self.index(predicate, args)]
    }

    /// Gives a predicate a value.
    pub fn set(&mut self, predicate: PredId, args: &[usize], value: impl Into<Kleene>) {
        let index = self.index(predicate, args);
        self.values[index] = value.into();
    }

    /// Whether it describes one heap only.
    pub fn is_definite(&self) -> bool {
        !self.summary.contains(&true) && !self.values.contains(&Kleene::Maybe)
    }

    /// All tuples of individuals of a length, the last component fastest.
    pub fn tuples(&self, places: usize) -> Vec<Vec<usize>> {
        let mut tuples = vec![Vec::new()];
        for _ in 0..places {
            tuples = tuples
                .into_iter()
                .flat_map(|t: Vec<usize>| {
                    (0..self.size()).map(move |u| t.iter().copied().chain([u]).collect())
                })
                .collect();
        }
        tuples
    }

    /// The structure whose individual `i` is a copy of `origin[i]` of this one. Between two copies
    /// of one individual, binary predicates have the values between it and itself.
    pub fn copy_individuals(&self, origin: &[usize]) -> KleeneStructure {
        let mut copy = KleeneStructure::new(self.predicates.clone(), origin.len());
        for (new, &old) in origin.iter().enumerate() {
            copy.summary[new] = self.summary[old];
        }
        let (n, m) = (self.size(), origin.len());
        for p in self.predicates.ids() {
            let (from, to) = (self.range(p).start, copy.range(p));
            for (i, value) in copy.values[to].iter_mut().enumerate() {
                *value = self.values[match self.predicates.get(p).arity {
                    0 => from,
                    1 => from + origin[i],
                    _ => from + origin[i / m] * n + origin[i % m],
                }];
            }
        }
        copy
    }

    /// Gives every instrumentation predicate the value of its definition.
    pub fn instrument(&mut self) {
        for p in self.predicates.ids() {
            let predicates = self.predicates.clone();
            let predicate = predicates.get(p);
            if let Some(definition) = &predicate.definition {
                let values = super::Evaluator::new(self).table(definition, predicate.arity);
                let range = self.range(p);
                self.values[range].copy_from_slice(&values);
            }
        }
    }
}
