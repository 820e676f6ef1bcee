//! Canonical abstraction.
//!
//! **Contract**: the result is the most precise structure into which the argument embeds by merging
//! the individuals that have the same values of all abstraction predicates, `Maybe` being a value of
//! its own. There are finitely many results. Individuals come out in the order of their names, so
//! two results that are equal up to renaming are equal.

use super::structure::KleeneStructure;
use super::value::Kleene;

impl KleeneStructure {
    /// The canonical name of an individual: its values of the abstraction predicates.
    pub fn name_of(&self, individual: usize) -> Vec<Kleene> {
        self.predicates.abstraction().map(|p| self.get(p, &[individual])).collect()
    }

    /// Canonical abstraction.
    #[must_use]
    pub fn blur(&self) -> KleeneStructure {
        self.blur_with_map().0
    }

    /// Canonical abstraction, and the individual into which each one went.
    pub fn blur_with_map(&self) -> (KleeneStructure, Vec<usize>) {
        let names: Vec<Vec<Kleene>> = (0..self.size()).map(|u| self.name_of(u)).collect();
        let mut sorted: Vec<&Vec<Kleene>> = names.iter().collect();
        sorted.sort_unstable();
        sorted.dedup();
        let map: Vec<usize> =
            names.iter().map(|name| sorted.partition_point(|other| *other < name)).collect();
        (self.merge(&map, sorted.len()), map)
    }

    /// The structure in which individual u has become `map[u]`, values joined; `map` is onto
    /// `0..size`.
    #[must_use]
    pub fn merge(&self, map: &[usize], size: usize) -> KleeneStructure {
        let mut merged = KleeneStructure::new(self.predicates.clone(), size);
        let mut seen = vec![false; size];
        for (u, &target) in map.iter().enumerate() {
            if seen[target] || self.summary[u] {
                merged.summary[target] = true;
            }
            seen[target] = true;
        }
        for p in self.predicates.ids() {
            let (from, to) = (self.range(p), merged.range(p));
            let mut seen = vec![false; to.len()];
            for (i, &value) in self.values[from].iter().enumerate() {
                let image = match self.predicates.get(p).arity {
                    0 => 0,
                    1 => map[i],
                    _ => map[i / self.size()] * size + map[i % self.size()],
                };
                let slot = &mut merged.values[to.start + image];
                *slot = match std::mem::replace(&mut seen[image], true) {
                    false => value,
                    true => slot.join(value),
                };
            }
        }
        merged
    }
}
