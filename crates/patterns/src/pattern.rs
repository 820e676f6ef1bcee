//! Heap patterns (*Heap Interpolant Synthesis*, Definitions 5 and 6), as sets of heaps.
//!
//! A pattern is a graph. A heap *fits* it if its cells can be mapped to nodes so that
//! 1. a **plain** node is the image of exactly one cell, a **summary** node of zero or more, and
//!    records agree;
//! 2. a pointer variable is where the pattern says: null, freed, undefined, or the cell of a plain
//!    node;
//! 3. every pointer field of a cell leads to one of the targets that its node allows;
//! 4. the [`Colour`] of a cell (the values of all predicates) is one that its node allows;
//! 5. a cell has two incoming fields only where its node is marked [`Sharing`] for these fields;
//! 6. integer variables, and their orders, have values that the pattern allows.
//!
//! Cells that no variable reaches are not part of a heap of a pattern. A [`Label`] is a
//! disjunction of patterns.
//!
//! **Invariant:** [`Pattern::fault`] finds nothing: all numbers are in range, and variables are at
//! plain nodes.

use std::collections::BTreeSet;

use crate::values::{Orders, Values};
use crate::words::{Colour, PatternWords};

/// Most nodes of a pattern: the bits of [`Targets`] without the three ends.
pub const MOST_NODES: usize = 60;

/// Where a pointer leads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Target {
    /// Null.
    Null,
    /// To memory that was freed.
    Freed,
    /// Never written.
    Undefined,
    /// To (a cell of) a node.
    Node(usize),
    /// Only of variables: nobody reads it any more, so it may be anything.
    Dead,
}

/// A set of targets of a field.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Targets(pub u64);

impl Targets {
    /// Nowhere.
    pub const NONE: Targets = Targets(0);
    /// Null.
    pub const NULL: Targets = Targets(1);
    /// Freed memory.
    pub const FREED: Targets = Targets(2);
    /// Never written.
    pub const UNDEFINED: Targets = Targets(4);

    /// A node.
    pub fn node(node: usize) -> Targets {
        // A bit that is shifted out would be an edge that is lost.
        assert!(node <= MOST_NODES, "a pattern of more nodes than it can have");
        Targets(8 << node)
    }

    /// One target; a dead one is none.
    pub fn of(target: Target) -> Targets {
        match target {
            Target::Null => Targets::NULL,
            Target::Freed => Targets::FREED,
            Target::Undefined => Targets::UNDEFINED,
            Target::Node(n) => Targets::node(n),
            Target::Dead => Targets::NONE,
        }
    }

    /// Union.
    #[must_use]
    pub fn or(self, other: Targets) -> Targets {
        Targets(self.0 | other.0)
    }

    /// Intersection.
    #[must_use]
    pub fn and(self, other: Targets) -> Targets {
        Targets(self.0 & other.0)
    }

    /// The targets that are not in the other set.
    #[must_use]
    pub fn without(self, other: Targets) -> Targets {
        Targets(self.0 & !other.0)
    }

    /// Whether all of the other set are in this one.
    pub fn includes(self, other: Targets) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether there is none.
    pub fn is_none(self) -> bool {
        self.0 == 0
    }

    /// The nodes, ascending.
    pub fn nodes(self) -> impl Iterator<Item = usize> {
        (0..MOST_NODES).filter(move |n| self.0 & (8 << n) != 0)
    }

    /// All targets: null, freed, undefined, then nodes.
    pub fn iter(self) -> impl Iterator<Item = Target> {
        let ends = [Target::Null, Target::Freed, Target::Undefined];
        let there = move |t: &Target| self.includes(Targets::of(*t));
        ends.into_iter().filter(there).chain(self.nodes().map(Target::Node))
    }

    /// The only target.
    pub fn only(self) -> Option<Target> {
        self.0.is_power_of_two().then(|| self.iter().next())?
    }

    /// Every node renamed; what `rename` gives nothing for is left out.
    #[must_use]
    pub fn renamed(self, rename: impl Fn(usize) -> Option<usize>) -> Targets {
        let ends = Targets(self.0 & 7);
        self.nodes().filter_map(rename).fold(ends, |out, n| out.or(Targets::node(n)))
    }
}

/// The pairs of pointer fields that may both lead to one cell, each pair once; a field with itself
/// means two cells whose field leads there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Sharing(pub u64);

impl Sharing {
    /// At most one incoming field.
    pub const NONE: Sharing = Sharing(0);

    /// A pair of edge numbers ([`crate::words::PointerField::edge`]).
    pub fn pair(a: usize, b: usize) -> Sharing {
        let (low, high) = (a.min(b), a.max(b));
        Sharing(1 << (high * (high + 1) / 2 + low))
    }

    /// Every pair of so many edges.
    pub fn all(edges: usize) -> Sharing {
        let pairs = edges * (edges + 1) / 2;
        Sharing((1u64 << pairs) - 1)
    }

    /// What incoming edges, by number, make of a cell.
    pub fn of(incoming: &[usize]) -> Sharing {
        let mut out = Sharing::NONE;
        for (i, a) in incoming.iter().enumerate() {
            incoming[..i].iter().for_each(|b| out = out.or(Sharing::pair(*a, *b)));
        }
        out
    }

    /// Union.
    #[must_use]
    pub fn or(self, other: Sharing) -> Sharing {
        Sharing(self.0 | other.0)
    }

    /// Whether all of the other set are in this one.
    pub fn includes(self, other: Sharing) -> bool {
        self.0 & other.0 == other.0
    }
}

/// A node of a pattern.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Node {
    /// The record of its cells.
    pub record: usize,
    /// Zero or more cells, else exactly one.
    pub summary: bool,
    /// Which fields may share a cell of it.
    pub sharing: Sharing,
    /// The colours of its cells.
    pub colours: BTreeSet<Colour>,
    /// Where the pointer fields of its cells lead.
    pub fields: Vec<Targets>,
}

/// A pattern.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Pattern {
    /// The values of integer variables.
    pub scalars: Vec<Values>,
    /// The orders of pairs of integer variables ([`PatternWords::pairs`]); where one of the two is
    /// undefined, nothing is said.
    pub orders: Vec<Orders>,
    /// Where pointer variables are.
    pub vars: Vec<Target>,
    /// Its nodes.
    pub nodes: Vec<Node>,
}

/// A disjunction of patterns: what holds at a place of the program.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Label(pub Vec<Pattern>);

impl Pattern {
    /// Whether a field leads to exactly one cell, or end, for sure.
    pub fn is_certain(&self, node: usize, field: usize) -> bool {
        match self.nodes[node].fields[field].only() {
            Some(Target::Node(n)) => !self.nodes[n].summary,
            Some(_) => true,
            None => false,
        }
    }

    /// The variables at a node.
    pub fn vars_at(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        let at = move |v: &usize| self.vars[*v] == Target::Node(node);
        (0..self.vars.len()).filter(at)
    }

    /// The nodes that some variable may reach.
    pub fn reachable(&self) -> Vec<bool> {
        let mut seen = vec![false; self.nodes.len()];
        let at = |t: &Target| if let Target::Node(n) = t { Some(*n) } else { None };
        let mut todo: Vec<usize> = self.vars.iter().filter_map(at).collect();
        while let Some(n) = todo.pop() {
            if !std::mem::replace(&mut seen[n], true) {
                todo.extend(self.nodes[n].fields.iter().flat_map(|t| t.nodes()));
            }
        }
        seen
    }

    /// The same with nodes in another order, or some left out, with everything that leads there:
    /// `order` lists the old numbers of the new nodes. No variable may be at a node left out.
    #[must_use]
    pub fn reordered(&self, order: &[usize]) -> Pattern {
        let mut new = vec![None; self.nodes.len()];
        order.iter().enumerate().for_each(|(to, from)| new[*from] = Some(to));
        let target = |t: &Target| match t {
            Target::Node(n) => new[*n].map_or(Target::Dead, Target::Node),
            end => *end,
        };
        let node = |from: &usize| {
            let node = &self.nodes[*from];
            let fields = node.fields.iter().map(|t| t.renamed(|n| new[n])).collect();
            Node { fields, ..node.clone() }
        };
        Pattern {
            scalars: self.scalars.clone(),
            orders: self.orders.clone(),
            vars: self.vars.iter().map(target).collect(),
            nodes: order.iter().map(node).collect(),
        }
    }

    /// What is wrong with it as a pattern over these words, if anything.
    pub fn fault(&self, words: &PatternWords) -> Option<String> {
        let wrong = |what: &str| Some(what.to_owned());
        if self.scalars.len() != words.scalars.len()
            || self.orders.len() != words.pairs.len()
            || self.vars.len() != words.pointers.len()
        {
            return wrong("it does not say where every variable is");
        }
        if self.nodes.len() > MOST_NODES {
            return wrong("too many nodes");
        }
        let classes = Values((2u64 << words.partition.len()) - 1);
        if self.scalars.iter().any(|s| s.is_none() || !classes.includes(*s)) {
            return wrong("an integer variable without a value");
        }
        if self.orders.iter().any(|o| !Orders::ANY.includes(*o)) {
            return wrong("an order that there is not");
        }
        let known = Targets((8u64 << self.nodes.len()) - 1);
        for (var, target) in words.pointers.iter().zip(&self.vars) {
            let Target::Node(n) = target else { continue };
            let Some(node) = self.nodes.get(*n) else {
                return wrong("a variable at a node that is not there");
            };
            if node.summary {
                return Some(format!("`{}` is at a summary node", var.name));
            }
        }
        for node in &self.nodes {
            let Some(record) = words.records.get(node.record) else {
                return wrong("a node of an unknown record");
            };
            if node.fields.len() != record.pointers.len() {
                return wrong("a node does not say where every field leads");
            }
            if node.fields.iter().any(|t| !known.includes(*t)) {
                return wrong("a field leads to a node that is not there");
            }
            if !Sharing::all(words.edges()).includes(node.sharing) {
                return wrong("a sharing mark for fields that are not there");
            }
            let allowed = |c: &Colour| {
                let values = record.predicates.iter().map(|p| words.values_of(*p));
                let mut lanes = values.chain(std::iter::repeat(1)).take(16).enumerate();
                lanes.all(|(i, values)| c.get(i) < values)
            };
            if !node.colours.iter().all(allowed) {
                return wrong("a colour that there is not");
            }
        }
        None
    }
}
