//! Renaming the elements of a structure.
//!
//! **Invariant**: a renamed structure is isomorphic to the original.

use crate::bits::BitSet;
use crate::ids::SortId;
use crate::structure::{Structure, Value};

/// A permutation of the elements of every sort.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Renaming {
    /// By sort, then by old element: the new element. Empty for the integers.
    pub(crate) to: Vec<Vec<u32>>,
}

impl Renaming {
    /// From one permutation per sort, the integers' being empty; `None` if one is not a
    /// permutation.
    pub fn new(to: Vec<Vec<u32>>) -> Option<Self> {
        let is_permutation = |p: &Vec<u32>| {
            let mut sorted = p.clone();
            sorted.sort_unstable();
            sorted.iter().enumerate().all(|(i, &x)| i == x as usize)
        };
        to.iter().all(is_permutation).then_some(Renaming { to })
    }

    /// The new name of an element.
    pub fn apply(&self, sort: SortId, element: u32) -> u32 {
        self.to[sort.index()][element as usize]
    }

    /// The renaming that undoes this one.
    pub fn inverse(&self) -> Renaming {
        let invert = |p: &Vec<u32>| {
            let mut inverse = vec![0; p.len()];
            for (old, &new) in p.iter().enumerate() {
                inverse[new as usize] = old as u32;
            }
            inverse
        };
        Renaming { to: self.to.iter().map(invert).collect() }
    }

    /// First this renaming, then `other`.
    pub fn then(&self, other: &Renaming) -> Renaming {
        let compose = |(a, b): (&Vec<u32>, &Vec<u32>)| a.iter().map(|&x| b[x as usize]).collect();
        Renaming { to: self.to.iter().zip(&other.to).map(compose).collect() }
    }
}

impl Structure {
    /// The same structure with other names for its elements.
    ///
    /// # Panics
    ///
    /// If the renaming is for universes of other sizes.
    pub fn rename(&self, renaming: &Renaming) -> Structure {
        for (permutation, &size) in renaming.to.iter().zip(&self.sizes) {
            assert_eq!(permutation.len(), size as usize, "a permutation of the whole universe");
        }
        let rename = |sorts: &[SortId], tuple: &[u32]| -> Vec<u32> {
            sorts.iter().zip(tuple).map(|(&sort, &x)| renaming.apply(sort, x)).collect()
        };
        let mut renamed = Structure::new(self.vocabulary.clone(), &self.sizes);
        for f in self.vocabulary.funs() {
            let (fun, space) = (self.vocabulary.fun(f), self.fun_space(f));
            for index in 0..space.len() {
                let value = match self.fun_at(f, index) {
                    Some(Value::Elem(x)) => Some(Value::Elem(renaming.apply(fun.result, x))),
                    other => other,
                };
                renamed.set_fun(f, &rename(&fun.args, &space.tuple(index)), value);
            }
        }
        for r in self.vocabulary.rels() {
            let Some(table) = &self.rels[r.index()] else {
                continue;
            };
            let (rel, space) = (self.vocabulary.rel(r), self.rel_space(r));
            let mut moved = BitSet::new(space.len());
            for index in table.iter() {
                moved.set(space.index(&rename(&rel.args, &space.tuple(index))), true);
            }
            renamed.set_rel_table(r, moved);
        }
        renamed
    }
}
