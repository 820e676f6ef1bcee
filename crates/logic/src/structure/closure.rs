//! Reachability: the closure and the betweenness relation of a field, and the way back.

use crate::bits::BitSet;
use crate::ids::{FunId, RelId};
use crate::structure::{Structure, TupleSpace, Value};

/// The successor of an element over a field.
fn step(structure: &Structure, field: FunId, from: u32) -> Option<u32> {
    match structure.fun_at(field, from as usize) {
        Some(Value::Elem(to)) => Some(to),
        Some(Value::Int(_)) | None => None,
    }
}

/// The elements on the path from `from`, each once, in order.
fn path(structure: &Structure, field: FunId, from: u32) -> Vec<u32> {
    let mut path = vec![from];
    let mut at = from;
    while let Some(to) = step(structure, field, at) {
        if path.contains(&to) {
            break;
        }
        path.push(to);
        at = to;
    }
    path
}

/// The reflexive transitive closure of a field, as a table over pairs.
pub(crate) fn closure(structure: &Structure, field: FunId) -> BitSet {
    let size = structure.size(structure.vocabulary().fun(field).args[0]);
    let space = TupleSpace::new(vec![size; 2]);
    let mut table = BitSet::new(space.len());
    for from in 0..size {
        for to in path(structure, field, from) {
            table.set(space.index(&[from, to]), true);
        }
    }
    table
}

/// `B(x, y, z)`: z is on the path from x, and y on the part of it up to z.
pub(crate) fn between(structure: &Structure, field: FunId) -> BitSet {
    let size = structure.size(structure.vocabulary().fun(field).args[0]);
    let space = TupleSpace::new(vec![size; 3]);
    let mut table = BitSet::new(space.len());
    for from in 0..size {
        let path = path(structure, field, from);
        for (end, &to) in path.iter().enumerate() {
            for &middle in &path[..=end] {
                table.set(space.index(&[from, middle, to]), true);
            }
        }
    }
    table
}

impl Structure {
    /// Defines a field from a given closure that is a partial order: the successor of x is the
    /// first element after x, and the last element of a chain has none. False, and nothing changes,
    /// if no such field has this closure, or if it has a cycle, whose order it cannot tell.
    pub fn recover_field(&mut self, closure_of_field: RelId) -> bool {
        let Some(field) = self.vocabulary().rel(closure_of_field).kind.field() else {
            return false;
        };
        let size = self.size(self.vocabulary().fun(field).args[0]);
        let space = TupleSpace::new(vec![size; 2]);
        let table = self.rel_table(closure_of_field).into_owned();
        if table.capacity() != space.len() {
            return false;
        }
        let reaches = |x: u32, y: u32| table.contains(space.index(&[x, y]));
        let cyclic = |x: u32| (0..x).any(|y| reaches(x, y) && reaches(y, x));
        if (0..size).any(cyclic) {
            return false;
        }
        let before = self.funs[field.index()].clone();
        for x in 0..size {
            let after = |y: &u32| *y != x && reaches(x, *y);
            let first =
                (0..size).filter(after).find(|&y| (0..size).filter(after).all(|z| reaches(y, z)));
            self.set_fun(field, &[x], first.map(Value::Elem));
        }
        let recovered = closure(self, field) == table;
        if !recovered {
            self.funs[field.index()] = before;
        }
        recovered
    }
}
