//! Substructures: forgetting elements.
//!
//! **Invariant**: a universal formula over relations, closures and constants that holds in a
//! structure holds in its substructures. Closures are therefore carried over as they are, not
//! computed again from fields that may have lost their targets.

use std::fmt;

use crate::bits::BitSet;
use crate::ids::{FunId, SortId};
use crate::structure::{Structure, Value};
use crate::vocabulary::FunKind;

/// Why there is no substructure on the given elements.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RestrictError {
    /// A sort would have no elements.
    EmptySort(SortId),
    /// The value of this constant or function would be missing.
    NotClosed(FunId),
}

impl fmt::Display for RestrictError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RestrictError::EmptySort(_) => "a sort would have no elements",
            RestrictError::NotClosed(_) => "the value of a function would be missing",
        })
    }
}

impl std::error::Error for RestrictError {}

impl Structure {
    /// The substructure on the elements for which `keep` holds, renumbered in order. Fields become
    /// undefined where their target is gone; other functions must stay inside.
    pub fn restrict(&self, keep: impl Fn(SortId, u32) -> bool) -> Result<Structure, RestrictError> {
        let mut sizes = vec![0; self.sizes.len()];
        let mut renumbered: Vec<Vec<Option<u32>>> = Vec::with_capacity(self.sizes.len());
        for sort in self.vocabulary.sorts() {
            let next = &mut sizes[sort.index()];
            let number = |x| {
                keep(sort, x).then(|| {
                    *next += 1;
                    *next - 1
                })
            };
            renumbered.push((0..self.size(sort)).map(number).collect());
            if sort != SortId::INT && sizes[sort.index()] == 0 {
                return Err(RestrictError::EmptySort(sort));
            }
        }
        let number = |sort: SortId, x: u32| renumbered[sort.index()][x as usize];
        let number_all = |sorts: &[SortId], tuple: &[u32]| -> Option<Vec<u32>> {
            sorts.iter().zip(tuple).map(|(&sort, &x)| number(sort, x)).collect()
        };
        let mut part = Structure::new(self.vocabulary.clone(), &sizes);
        for f in self.vocabulary.funs() {
            let (fun, space) = (self.vocabulary.fun(f), self.fun_space(f));
            for index in 0..space.len() {
                let Some(args) = number_all(&fun.args, &space.tuple(index)) else {
                    continue;
                };
                let value = match self.fun_at(f, index) {
                    Some(Value::Elem(x)) => match number(fun.result, x) {
                        Some(x) => Some(Value::Elem(x)),
                        None if fun.kind == FunKind::Field => None,
                        None => return Err(RestrictError::NotClosed(f)),
                    },
                    other => other,
                };
                part.set_fun(f, &args, value);
            }
        }
        for r in self.vocabulary.rels() {
            let (rel, space) = (self.vocabulary.rel(r), self.rel_space(r));
            let part_space = part.rel_space(r);
            let mut table = BitSet::new(part_space.len());
            for index in self.rel_table(r).iter() {
                if let Some(tuple) = number_all(&rel.args, &space.tuple(index)) {
                    table.set(part_space.index(&tuple), true);
                }
            }
            part.set_rel_table(r, table);
        }
        Ok(part)
    }
}
