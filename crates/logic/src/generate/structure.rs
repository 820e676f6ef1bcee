//! Random structures over a given vocabulary.

use std::sync::Arc;

use crate::bits::BitSet;
use crate::generate::tape::Tape;
use crate::ids::SortId;
use crate::structure::rename::Renaming;
use crate::structure::{Structure, Value};
use crate::vocabulary::{RelKind, Vocabulary};

/// Bounds on a structure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StructureOptions {
    /// The largest universe.
    pub size: u32,
    /// How many tuples in a hundred are in a relation.
    pub density: u32,
}

impl Default for StructureOptions {
    fn default() -> Self {
        StructureOptions { size: 3, density: 40 }
    }
}

/// A structure in which every function is total. Closures follow their fields; orders are orders.
pub fn structure(
    tape: &mut Tape,
    vocabulary: &Arc<Vocabulary>,
    options: &StructureOptions,
) -> Structure {
    let sizes: Vec<u32> = vocabulary.sorts().map(|_| 1 + tape.below(options.size.max(1))).collect();
    let mut structure = Structure::new(vocabulary.clone(), &sizes);
    for f in vocabulary.funs() {
        let (space, result) = (structure.fun_space(f), vocabulary.fun(f).result);
        for index in 0..space.len() {
            let value = match result {
                SortId::INT => Value::Int(i128::from(tape.below(10))),
                sort => Value::Elem(tape.below(structure.size(sort))),
            };
            structure.set_fun(f, &space.tuple(index), Some(value));
        }
    }
    for r in vocabulary.rels() {
        let space = structure.rel_space(r);
        match vocabulary.rel(r).kind {
            RelKind::Closure { .. } | RelKind::Between { .. } | RelKind::Below { .. } => {}
            RelKind::Plain => {
                let mut table = BitSet::new(space.len());
                for index in 0..space.len() {
                    table.set(index, tape.chance(options.density));
                }
                structure.set_rel_table(r, table);
            }
            RelKind::Order => {
                let order = permutation(tape, structure.size(vocabulary.rel(r).args[0]));
                let mut table = BitSet::new(space.len());
                for index in 0..space.len() {
                    let pair = space.tuple(index);
                    table.set(index, order[pair[0] as usize] <= order[pair[1] as usize]);
                }
                structure.set_rel_table(r, table);
            }
        }
    }
    structure
}

/// A renaming of the elements of a structure.
pub fn renaming(tape: &mut Tape, structure: &Structure) -> Renaming {
    let to = structure.sizes().iter().map(|&n| permutation(tape, n)).collect();
    Renaming { to }
}

fn permutation(tape: &mut Tape, size: u32) -> Vec<u32> {
    let mut rest: Vec<u32> = (0..size).collect();
    (0..size).map(|_| rest.remove(tape.below(rest.len() as u32) as usize)).collect()
}
