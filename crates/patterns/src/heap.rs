//! Concrete heaps as patterns see them: cells, and where variables are.
//!
//! **Invariant:** a [`Heap`] has what the [`PatternWords`] speak of and nothing else, so two machine states
//! with the same heap fit the same patterns. Which freed memory a pointer leads to is not said.

use std::cmp::Ordering;

use crate::words::{Colour, Order, PatternWords, Predicate};

/// Where a pointer of a heap leads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Place {
    /// Null.
    Null,
    /// To freed memory.
    Freed,
    /// Never written.
    Undefined,
    /// To a cell.
    Cell(usize),
}

/// A heap object.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Cell {
    /// Its record.
    pub record: usize,
    /// Its pointer fields.
    pub pointers: Vec<Place>,
    /// Its data fields, as mathematical integers; `None` if never written.
    pub data: Vec<Option<i128>>,
}

/// A concrete heap with variables.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Heap {
    /// Integer variables; `None` if never written.
    pub scalars: Vec<Option<i128>>,
    /// Pointer variables.
    pub vars: Vec<Place>,
    /// Cells.
    pub cells: Vec<Cell>,
}

impl Heap {
    /// The cells that the given variables reach, in the order in which they are found.
    pub fn reachable(&self, roots: impl IntoIterator<Item = Place>) -> Vec<usize> {
        let mut seen = vec![false; self.cells.len()];
        let mut found: Vec<usize> = Vec::new();
        let mut visit = |p: Place, found: &mut Vec<usize>| {
            if let Place::Cell(c) = p
                && !std::mem::replace(&mut seen[c], true)
            {
                found.push(c);
            }
        };
        roots.into_iter().for_each(|p| visit(p, &mut found));
        let mut next = 0;
        while let Some(c) = found.get(next).copied() {
            self.cells[c].pointers.iter().for_each(|p| visit(*p, &mut found));
            next += 1;
        }
        found
    }

    /// The same with only the cells that variables reach, numbered in the order in which they are
    /// found: two heaps that differ in the names of cells become equal.
    #[must_use]
    pub fn normalised(&self) -> Heap {
        let order = self.reachable(self.vars.iter().copied());
        let mut new = vec![None; self.cells.len()];
        order.iter().enumerate().for_each(|(to, from)| new[*from] = Some(to));
        let place = |p: &Place| match p {
            Place::Cell(c) => new[*c].map_or(Place::Undefined, Place::Cell),
            end => *end,
        };
        let cell = |c: &usize| {
            let cell = &self.cells[*c];
            Cell { pointers: cell.pointers.iter().map(place).collect(), ..cell.clone() }
        };
        Heap {
            scalars: self.scalars.clone(),
            vars: self.vars.iter().map(place).collect(),
            cells: order.iter().map(cell).collect(),
        }
    }

    /// The values of all predicates of a cell.
    pub fn colour(&self, words: &PatternWords, cell: usize) -> Colour {
        let record = &words.records[self.cells[cell].record];
        let mut colour = Colour::default();
        for (i, predicate) in record.predicates.iter().enumerate() {
            colour = colour.with(i, self.value(words, cell, *predicate));
        }
        colour
    }

    /// The value of a predicate of a cell, by definition.
    pub fn value(&self, words: &PatternWords, cell: usize, predicate: Predicate) -> u8 {
        let of = &self.cells[cell];
        let there = |over: usize| match of.pointers[over] {
            Place::Cell(c) => {
                let to = words.records[of.record].pointers[over].to;
                (to == Some(self.cells[c].record)).then_some(c)
            }
            _ => None,
        };
        let order = |a: Option<i128>, b: Option<i128>| match (a, b) {
            (Some(a), Some(b)) => order_of(a.cmp(&b)) as u8,
            _ => Order::None as u8,
        };
        match predicate {
            Predicate::Data(field) => {
                of.data[field].map_or(0, |v| words.partition.class(v) as u8 + 1)
            }
            Predicate::Against { field, scalar } => order(of.data[field], self.scalars[scalar]),
            Predicate::Neighbour { field, over, other } => {
                order(of.data[field], there(over).and_then(|c| self.cells[c].data[other]))
            }
            Predicate::Inverse { over, back } => match there(over) {
                None => 0,
                Some(c) if self.cells[c].pointers[back] == Place::Cell(cell) => 2,
                Some(_) => 1,
            },
            Predicate::Is { field, pointer } => match (of.pointers[field], self.vars[pointer]) {
                (Place::Null, Place::Null) => 1,
                (Place::Cell(a), Place::Cell(b)) => u8::from(a == b),
                _ => 0,
            },
            Predicate::Entered => {
                let mut pointers = self.cells.iter().flat_map(|c| &c.pointers);
                u8::from(pointers.any(|p| *p == Place::Cell(cell)))
            }
        }
    }
}

/// An order as the value of a predicate.
pub fn order_of(order: Ordering) -> Order {
    match order {
        Ordering::Less => Order::Less,
        Ordering::Equal => Order::Equal,
        Ordering::Greater => Order::Greater,
    }
}
