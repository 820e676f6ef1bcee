//! Whether a concrete heap fits a pattern, and how (*Heap Interpolant Synthesis*, Definition 6).
//!
//! The definition is in [`crate::pattern`]; cells that only dead variables reach do not count.

use crate::embed::{Item, Miss, embed};
use crate::heap::{Heap, Place};
use crate::pattern::{Pattern, Sharing, Target, Targets};
use crate::values::{Orders, Values};
use crate::words::PatternWords;

/// The node of every cell; `None` for a cell that is not reachable.
pub type Mapping = Vec<Option<usize>>;

/// The mapping from a heap to a pattern.
///
/// # Errors
/// The first thing that does not fit, cells in the order in which variables reach them.
pub fn fits(words: &PatternWords, pattern: &Pattern, heap: &Heap) -> Result<Mapping, Miss> {
    scalars(words, pattern, heap)?;
    let spoken = |(i, _): &(usize, &Place)| pattern.vars[*i] != Target::Dead;
    let roots = heap.vars.iter().enumerate().filter(spoken).map(|(_, p)| *p);
    let cells = heap.reachable(roots);
    let mut number = vec![None; heap.cells.len()];
    cells.iter().enumerate().for_each(|(i, c)| number[*c] = Some(i));
    let mut items = items(words, heap, &cells, &number);
    for (x, (target, place)) in pattern.vars.iter().zip(&heap.vars).enumerate() {
        let item = match (target, place) {
            (Target::Dead, _)
            | (Target::Null, Place::Null)
            | (Target::Freed, Place::Freed)
            | (Target::Undefined, Place::Undefined) => continue,
            (Target::Node(n), Place::Cell(c)) => (*n, number[*c]),
            _ => return Err(Miss::Variable(x)),
        };
        let (node, Some(item)) = item else { continue };
        if items[item].pinned.is_some_and(|n| n != node) {
            return Err(Miss::Variable(x));
        }
        items[item].pinned = Some(node);
    }
    let cell = |i: usize| cells[i];
    let found = embed(&items, pattern).map_err(|miss| in_heap(miss, cell))?;
    let mut mapping = vec![None; heap.cells.len()];
    cells.iter().zip(found).for_each(|(c, n)| mapping[*c] = Some(n));
    Ok(mapping)
}

/// Integer variables and their orders.
fn scalars(words: &PatternWords, pattern: &Pattern, heap: &Heap) -> Result<(), Miss> {
    for (i, (allowed, value)) in pattern.scalars.iter().zip(&heap.scalars).enumerate() {
        let value = value.map_or(Values::UNDEFINED, |v| Values::class(words.partition.class(v)));
        if !allowed.includes(value) {
            return Err(Miss::Scalar(i));
        }
    }
    for (i, ((a, b), allowed)) in words.pairs.iter().zip(&pattern.orders).enumerate() {
        if let (Some(a), Some(b)) = (heap.scalars[*a], heap.scalars[*b])
            && !allowed.includes(Orders::of(a.cmp(&b)))
        {
            return Err(Miss::Order(i));
        }
    }
    Ok(())
}

fn items(
    words: &PatternWords,
    heap: &Heap,
    cells: &[usize],
    number: &[Option<usize>],
) -> Vec<Item> {
    let mut incoming = vec![Vec::new(); cells.len()];
    let mut items: Vec<Item> = Vec::new();
    for c in cells {
        let cell = &heap.cells[*c];
        let mut fields = Vec::new();
        for (f, place) in cell.pointers.iter().enumerate() {
            fields.push(match place {
                Place::Null => (Targets::NULL, Vec::new()),
                Place::Freed => (Targets::FREED, Vec::new()),
                Place::Undefined => (Targets::UNDEFINED, Vec::new()),
                // What a reachable cell leads to is reachable.
                Place::Cell(to) => {
                    let to = number[*to].into_iter().collect::<Vec<_>>();
                    let edge = words.records[cell.record].pointers[f].edge;
                    to.iter().for_each(|t: &usize| incoming[*t].push(edge));
                    (Targets::NONE, to)
                }
            });
        }
        items.push(Item {
            record: cell.record,
            plain: true,
            sharing: Sharing::NONE,
            colours: vec![heap.colour(words, *c)],
            fields,
            pinned: None,
        });
    }
    for (item, incoming) in items.iter_mut().zip(&incoming) {
        item.sharing = Sharing::of(incoming);
    }
    items
}

/// The same miss in terms of the heap's cells.
fn in_heap(miss: Miss, cell: impl Fn(usize) -> usize) -> Miss {
    match miss {
        Miss::Record(i) => Miss::Record(cell(i)),
        Miss::Colour(i) => Miss::Colour(cell(i)),
        Miss::Shared(i) => Miss::Shared(cell(i)),
        Miss::Twice(i) => Miss::Twice(cell(i)),
        Miss::Field { cell: c, field } => Miss::Field { cell: cell(c), field },
        other => other,
    }
}
