//! Hash-consing: equal nodes get equal ids.
//!
//! **Invariant**: `nodes` has no two equal entries, and ids follow the order of first insertion, so
//! they do not depend on the hash function.

use std::hash::{BuildHasher, Hash};

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

/// A set of nodes, each at a fixed index.
#[derive(Clone, Debug)]
pub(crate) struct Interner<T> {
    nodes: Vec<T>,
    index: HashTable<u32>,
}

impl<T: Eq + Hash> Interner<T> {
    pub(crate) fn new() -> Self {
        Interner { nodes: Vec::new(), index: HashTable::new() }
    }

    pub(crate) fn get(&self, id: u32) -> &T {
        &self.nodes[id as usize]
    }

    /// The index of `node`, and whether it was new.
    pub(crate) fn intern(&mut self, node: T) -> (u32, bool) {
        let hash = FxBuildHasher.hash_one(&node);
        if let Some(&id) = self.index.find(hash, |&id| self.nodes[id as usize] == node) {
            return (id, false);
        }
        let id = self.nodes.len() as u32;
        self.nodes.push(node);
        let nodes = &self.nodes;
        self.index.insert_unique(hash, id, |&id| FxBuildHasher.hash_one(&nodes[id as usize]));
        (id, true)
    }
}
