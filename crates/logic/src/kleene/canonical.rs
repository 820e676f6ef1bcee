//! Equality up to renaming of individuals.
//!
//! **Contract**: two structures over one table of predicates have the same key exactly if a
//! bijection of their individuals carries all values of one, and its summaries, to those of the
//! other. Structures out of [blur](KleeneStructure::blur) need no key: they can be compared as they
//! are.
//!
//! Done by the isomorphism search of two-valued structures: a three-valued predicate becomes two
//! relations, of the tuples where it is true and where it maybe is.

use std::sync::Arc;

use super::structure::KleeneStructure;
use super::value::Kleene;
use crate::structure::Structure;
use crate::structure::canonical::CanonicalKey;
use crate::vocabulary::Vocabulary;

impl KleeneStructure {
    /// A description that does not depend on the numbers of the individuals.
    pub fn canonical_key(&self) -> CanonicalKey {
        let mut vocabulary = Vocabulary::new();
        let sort = vocabulary.sort("individuals");
        let is_individual = vocabulary.relation("is individual", &[sort]);
        let summary = vocabulary.relation("is summary", &[sort]);
        let mut relations = Vec::new();
        for p in self.predicates.ids() {
            let args = vec![sort; self.predicates.get(p).arity];
            relations.push([
                (Kleene::True, vocabulary.relation("is true", &args)),
                (Kleene::Maybe, vocabulary.relation("is maybe", &args)),
            ]);
        }
        // A universe is never empty there, so one more element stands beside the individuals.
        let size = self.size() as u32 + 1;
        let mut encoded = Structure::new(Arc::new(vocabulary), &[0, size]);
        for u in 0..self.size() {
            encoded.set_rel(is_individual, &[u as u32], true);
            encoded.set_rel(summary, &[u as u32], self.is_summary(u));
        }
        for (p, pair) in self.predicates.ids().zip(relations) {
            for tuple in self.tuples(self.predicates.get(p).arity) {
                for (value, relation) in pair {
                    let elements: Vec<u32> = tuple.iter().map(|&u| u as u32).collect();
                    encoded.set_rel(relation, &elements, self.get(p, &tuple) == value);
                }
            }
        }
        encoded.canonical_key()
    }

    /// Whether the two are equal up to renaming of individuals.
    pub fn is_isomorphic(&self, other: &KleeneStructure) -> bool {
        self.size() == other.size() && self.canonical_key() == other.canonical_key()
    }
}
