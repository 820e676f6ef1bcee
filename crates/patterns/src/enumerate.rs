//! All heaps of a pattern, by the number of cells, each once.
//!
//! A heap is built as it is found: variables first, then the fields of every cell in turn. A field
//! takes an end, a cell that is there, or the next new one, as its node allows; since cells are
//! numbered in the order in which they are found, no two heaps differ in names only. Integers are
//! *samples* of their classes: every constant, and a few others.
//!
//! **Invariant:** whatever is given fits the pattern, by [`crate::matching`]. With samples for every
//! order of the integers in a heap, every heap of that size is given, up to that order.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use trellis_program::IntKind;

use crate::heap::{Cell, Heap, Place};
use crate::matching::fits;
use crate::pattern::{Pattern, Sharing, Target, Targets};
use crate::values::{Partition, Values};
use crate::words::{PatternWords, Predicate};

/// Whether to go on.
pub type Flow = ControlFlow<()>;

/// How many integers stand for a class that is not a constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Samples(pub usize);

/// What an enumeration has done.
#[derive(Clone, Copy, Debug)]
pub enum Found<'a> {
    /// A step on the way.
    Step,
    /// A heap.
    Heap(&'a Heap),
}

/// Most steps of an enumeration that nobody counts. Ten cells with data have more heaps than anybody
/// waits for, and who looks for an example has it long before.
const MOST_STEPS: usize = 300_000;

/// Calls `f` with every heap of exactly so many cells that fits, each once; breaks off if that takes
/// too many steps.
pub fn heaps(
    words: &PatternWords,
    pattern: &Pattern,
    cells: usize,
    samples: Samples,
    f: &mut dyn FnMut(&Heap) -> Flow,
) -> Flow {
    let mut steps = 0;
    each(words, pattern, cells, samples, &mut |found| match found {
        Found::Heap(heap) => f(heap),
        Found::Step if steps == MOST_STEPS => Flow::Break(()),
        Found::Step => {
            steps += 1;
            Flow::Continue(())
        }
    })
}

/// The same, telling of every step, so that whoever asks can count work.
pub fn each(
    words: &PatternWords,
    pattern: &Pattern,
    cells: usize,
    samples: Samples,
    f: &mut dyn FnMut(Found<'_>) -> Flow,
) -> Flow {
    let mut start = Building {
        heap: Heap {
            scalars: vec![None; words.scalars.len()],
            vars: vec![Place::Undefined; words.pointers.len()],
            cells: Vec::new(),
        },
        nodes: Vec::new(),
        incoming: Vec::new(),
    };
    for (x, target) in pattern.vars.iter().enumerate() {
        start.heap.vars[x] = match target {
            Target::Null => Place::Null,
            Target::Freed => Place::Freed,
            Target::Undefined | Target::Dead => Place::Undefined,
            Target::Node(n) => match start.nodes.iter().position(|m| m == n) {
                Some(c) => Place::Cell(c),
                None => Place::Cell(start.add(words, pattern, *n)),
            },
        };
    }
    if start.nodes.len() > cells {
        return Flow::Continue(());
    }
    let mut seen = BTreeSet::new();
    let mut filling = Filling { words, pattern, cells, samples, seen: &mut seen, f };
    filling.pointers(start, 0, 0)
}

/// The smallest heap of a pattern, of up to so many cells.
pub fn smallest(
    words: &PatternWords,
    pattern: &Pattern,
    most: usize,
    samples: Samples,
) -> Option<Heap> {
    let mut found = None;
    for cells in 0..=most {
        let _ = heaps(words, pattern, cells, samples, &mut |h| {
            found = Some(h.clone());
            Flow::Break(())
        });
        if found.is_some() {
            break;
        }
    }
    found
}

/// Integers that stand for a class.
pub fn samples(partition: &Partition, class: usize, kind: IntKind, samples: Samples) -> Vec<i128> {
    let Some((low, high)) = partition.range(class, kind) else { return Vec::new() };
    // Small numbers are easier to read.
    let nearest = 0i128.clamp(low, high);
    let step = if nearest + samples.0 as i128 <= high { 1 } else { -1 };
    let candidates = (0..1000i128).map(|i| nearest + i * step);
    let inside = candidates.filter(|v| low <= *v && *v <= high && partition.class(*v) == class);
    inside.take(samples.0.max(1)).collect()
}

#[derive(Clone)]
struct Building {
    heap: Heap,
    /// By cell, its node.
    nodes: Vec<usize>,
    /// By cell, the fields that lead to it.
    incoming: Vec<Vec<usize>>,
}

impl Building {
    fn add(&mut self, words: &PatternWords, pattern: &Pattern, node: usize) -> usize {
        let record = pattern.nodes[node].record;
        let of = &words.records[record];
        self.heap.cells.push(Cell {
            record,
            pointers: vec![Place::Undefined; of.pointers.len()],
            data: vec![None; of.data.len()],
        });
        self.nodes.push(node);
        self.incoming.push(Vec::new());
        self.nodes.len() - 1
    }
}

struct Filling<'a> {
    words: &'a PatternWords,
    pattern: &'a Pattern,
    cells: usize,
    samples: Samples,
    seen: &'a mut BTreeSet<Heap>,
    f: &'a mut dyn FnMut(Found<'_>) -> Flow,
}

impl Filling<'_> {
    /// Fills the pointer fields from one on.
    fn pointers(&mut self, at: Building, cell: usize, field: usize) -> Flow {
        (self.f)(Found::Step)?;
        let Some(node) = at.nodes.get(cell).map(|n| &self.pattern.nodes[*n]) else {
            return self.finish(at);
        };
        let Some(targets) = node.fields.get(field).copied() else {
            return self.pointers(at, cell + 1, 0);
        };
        let edge = self.words.records[node.record].pointers[field].edge;
        for (end, place) in [
            (Targets::NULL, Place::Null),
            (Targets::FREED, Place::Freed),
            (Targets::UNDEFINED, Place::Undefined),
        ] {
            if targets.includes(end) {
                let mut next = at.clone();
                next.heap.cells[cell].pointers[field] = place;
                self.pointers(next, cell, field + 1)?;
            }
        }
        for c in 0..at.nodes.len() {
            if targets.includes(Targets::node(at.nodes[c])) {
                self.lead(at.clone(), cell, field, c, edge)?;
            }
        }
        if at.nodes.len() == self.cells {
            return Flow::Continue(());
        }
        for n in targets.nodes() {
            if self.pattern.nodes[n].summary || !at.nodes.contains(&n) {
                let mut next = at.clone();
                let c = next.add(self.words, self.pattern, n);
                self.lead(next, cell, field, c, edge)?;
            }
        }
        Flow::Continue(())
    }

    fn lead(
        &mut self,
        mut at: Building,
        cell: usize,
        field: usize,
        to: usize,
        edge: usize,
    ) -> Flow {
        at.heap.cells[cell].pointers[field] = Place::Cell(to);
        at.incoming[to].push(edge);
        let allowed = self.pattern.nodes[at.nodes[to]].sharing;
        match allowed.includes(Sharing::of(&at.incoming[to])) {
            true => self.pointers(at, cell, field + 1),
            false => Flow::Continue(()),
        }
    }

    /// All pointers are there; integers are missing.
    fn finish(&mut self, at: Building) -> Flow {
        let plain = |(_, n): &(usize, &crate::pattern::Node)| !n.summary;
        let mut plain = self.pattern.nodes.iter().enumerate().filter(plain);
        if at.nodes.len() != self.cells || !plain.all(|(n, _)| at.nodes.contains(&n)) {
            return Flow::Continue(());
        }
        self.scalars(at, 0)
    }

    fn scalars(&mut self, at: Building, scalar: usize) -> Flow {
        let Some(of) = self.words.scalars.get(scalar) else {
            return self.data(at, 0, 0);
        };
        let allowed = self.pattern.scalars[scalar];
        let all = self.words.partition.all(of.kind).or(Values::UNDEFINED);
        // A variable of which nothing is known does not matter; one value is enough.
        let values: Vec<Option<i128>> = match allowed.includes(all) {
            true => vec![None],
            false => self.values(allowed, of.kind),
        };
        for value in values {
            let mut next = at.clone();
            next.heap.scalars[scalar] = value;
            self.scalars(next, scalar + 1)?;
        }
        Flow::Continue(())
    }

    fn values(&self, allowed: Values, kind: IntKind) -> Vec<Option<i128>> {
        let undefined = allowed.may_be_undefined().then_some(None);
        let partition = &self.words.partition;
        let defined = allowed.classes().flat_map(|c| samples(partition, c, kind, self.samples));
        undefined.into_iter().chain(defined.map(Some)).collect()
    }

    fn data(&mut self, at: Building, cell: usize, field: usize) -> Flow {
        (self.f)(Found::Step)?;
        let Some(node) = at.nodes.get(cell).map(|n| &self.pattern.nodes[*n]) else {
            return self.give(at);
        };
        let record = &self.words.records[node.record];
        let Some(of) = record.data.get(field) else {
            return self.data(at, cell + 1, 0);
        };
        let values = match record.predicate(Predicate::Data(field)) {
            // Nobody speaks of it.
            None => vec![None],
            Some(p) => {
                let value = |v: u8| match v {
                    0 => Values::UNDEFINED,
                    v => Values::class(usize::from(v) - 1),
                };
                let colours = node.colours.iter().map(|c| value(c.get(p)));
                self.values(colours.fold(Values::NONE, Values::or), of.kind)
            }
        };
        for value in values {
            let mut next = at.clone();
            next.heap.cells[cell].data[field] = value;
            self.data(next, cell, field + 1)?;
        }
        Flow::Continue(())
    }

    fn give(&mut self, at: Building) -> Flow {
        let fit = fits(self.words, self.pattern, &at.heap).is_ok();
        if fit && self.seen.insert(at.heap.clone()) {
            return (self.f)(Found::Heap(&at.heap));
        }
        Flow::Continue(())
    }
}
