//! Cases of a question: one for every way in which variables are null, together or apart, for the data
//! of the cells under them, and for the classes of other variables. A person is asked about one at a time; the label is all of them.

use trellis_patterns::heap::{Heap, Place};
use trellis_patterns::{PatternWords, Predicate};
use trellis_report::game::Scalar;

/// A case, by what tells cases apart.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Case {
    /// For every variable that matters: an end, or the first variable at the same cell.
    pointers: Vec<Where>,
    /// For every variable that matters, the data of its cell: 0 if unset, else 1 + the class.
    under: Vec<Vec<u8>>,
    /// For every other variable that matters: its class, if it was written.
    scalars: Vec<Option<usize>>,
}

/// The data of a cell that patterns tell apart: which predicates, with their values.
pub(super) fn data(words: &PatternWords, heap: &Heap, cell: usize) -> Vec<(usize, u8)> {
    let record = &words.records[heap.cells[cell].record];
    let is_data = |(_, p): &(usize, &Predicate)| matches!(p, Predicate::Data(_));
    let colour = heap.colour(words, cell);
    record.predicates.iter().enumerate().filter(is_data).map(|(i, _)| (i, colour.get(i))).collect()
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Where {
    Null,
    Freed,
    Unset,
    With(usize),
}

impl Case {
    /// The case of a heap.
    pub fn of(words: &PatternWords, pointers: &[usize], scalars: &[usize], heap: &Heap) -> Case {
        let at = |x: &usize| match heap.vars[*x] {
            Place::Null => Where::Null,
            Place::Freed => Where::Freed,
            Place::Undefined => Where::Unset,
            cell @ Place::Cell(_) => {
                let first = pointers.iter().find(|y| heap.vars[**y] == cell);
                Where::With(*first.unwrap_or(x))
            }
        };
        let class = |s: &usize| heap.scalars[*s].map(|v| words.partition.class(v));
        let under = |x: &usize| match heap.vars[*x] {
            Place::Cell(c) => data(words, heap, c).into_iter().map(|(_, v)| v).collect(),
            _ => Vec::new(),
        };
        Case {
            pointers: pointers.iter().map(at).collect(),
            under: pointers.iter().map(under).collect(),
            scalars: scalars.iter().map(class).collect(),
        }
    }

    /// What is fixed in it, for people.
    pub fn said(&self, words: &PatternWords, pointers: &[usize], scalars: &[usize]) -> Vec<Scalar> {
        let name = |x: usize| words.pointers[x].name.clone();
        let mut out = Vec::new();
        for (x, at) in pointers.iter().zip(&self.pointers) {
            let value = match at {
                Where::Null => "null".to_owned(),
                Where::Freed => "freed".to_owned(),
                Where::Unset => "unset".to_owned(),
                Where::With(y) if y != x => name(*y),
                Where::With(_) => continue,
            };
            out.push(Scalar { name: name(*x), value });
        }
        for (i, x) in pointers.iter().enumerate() {
            // Said once for variables at the same cell.
            if self.pointers[i] == Where::With(*x)
                && let Some(record) = words.pointers[*x].to.map(|r| &words.records[r])
            {
                let fields = record.predicates.iter().filter_map(|p| match p {
                    Predicate::Data(f) => Some(&record.data[*f]),
                    _ => None,
                });
                for (field, value) in fields.zip(&self.under[i]) {
                    let value = match value.checked_sub(1).map(usize::from) {
                        None => "unset".to_owned(),
                        Some(class) => match words.partition.constant(class) {
                            Some(constant) => constant.to_string(),
                            None => "another value".to_owned(),
                        },
                    };
                    out.push(Scalar { name: format!("{}->{}", name(*x), field.name), value });
                }
            }
        }
        for (s, class) in scalars.iter().zip(&self.scalars) {
            let var = &words.scalars[*s];
            if var.is_temp {
                continue;
            }
            let value = match class {
                None => "unset".to_owned(),
                Some(class) => match words.partition.constant(*class) {
                    Some(constant) => constant.to_string(),
                    None => "another value".to_owned(),
                },
            };
            out.push(Scalar { name: var.name.clone(), value });
        }
        out
    }
}
