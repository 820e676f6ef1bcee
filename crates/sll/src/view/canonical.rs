//! The canonical form (*Predicate and Canonical Abstraction*, §5 and §6): nodes with the same unary
//! predicates are one.
//!
//! The structure is made by definition: the heap is instantiated (a segment of *3 or more* with
//! length 3, which looks like every longer one), the predicates are evaluated node by node, and
//! nodes that agree are joined.

use std::collections::BTreeMap;

use trellis_logic::drawing::{Drawing, Node, NodeIndex, Target as Drawn};

use super::names::names;
use crate::concrete::{ListHeap, Target};
use crate::heap::{Heap, Lengths};

/// Which unary predicates are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Table {
    /// Table 7: `x(v)` and `cul[x](v)` for variables and auxiliary variables up to a depth
    /// (`None` for all).
    Seven {
        /// The depth.
        depth: Option<usize>,
    },
    /// Table 8: `x(v)` and `cul_c[x](v)` for variables and the points where they enter cycles, and
    /// `is(v)`. Linear in the number of variables.
    Eight,
}

/// Whether a field leads from one individual to another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Edge {
    /// It does.
    True,
    /// It may.
    Maybe,
}

/// A three-valued structure in which no two individuals have the same unary predicates. Individuals
/// are sorted by their predicates, so equal structures are equal values.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Canonical {
    /// The true unary predicates of every individual, and whether it stands for several nodes.
    pub individuals: Vec<(Vec<String>, bool)>,
    /// Edges, by individuals.
    pub edges: BTreeMap<(usize, usize), Edge>,
}

/// The canonical form of a heap with one length class a segment.
pub fn canonical(vars: &[String], heap: &Heap, table: Table) -> Canonical {
    let lengths: Vec<usize> = heap
        .nodes
        .iter()
        .map(|s| match s.lengths {
            Lengths::ONE => 1,
            Lengths::TWO => 2,
            _ => 3,
        })
        .collect();
    let list = ListHeap::instance(heap, &lengths);
    let unary = match table {
        Table::Seven { depth } => seven(vars, heap, &list, depth),
        Table::Eight => eight(vars, &list),
    };
    join(&list, unary)
}

/// Nodes that `x` reaches over nodes that satisfy `!interrupts`, at least one step away.
fn uninterrupted(list: &ListHeap, from: usize, interrupts: impl Fn(usize) -> bool) -> Vec<usize> {
    let mut out = Vec::new();
    let mut at = list.next[from];
    while let Target::Node(i) = at {
        if out.contains(&i) {
            break;
        }
        out.push(i);
        if interrupts(i) {
            break;
        }
        at = list.next[i];
    }
    out
}

/// Nodes of the instance that are interruptions are those of the heap: its first ones.
fn seven(vars: &[String], heap: &Heap, list: &ListHeap, depth: Option<usize>) -> Vec<Vec<String>> {
    let mut unary = vec![Vec::new(); list.next.len()];
    for name in names(vars, heap, depth) {
        unary[name.node].push(format!("{}(v)", name.text));
        for v in uninterrupted(list, name.node, |i| i < heap.nodes.len()) {
            unary[v].push(format!("cul[{}](v)", name.text));
        }
    }
    unary
}

fn eight(vars: &[String], list: &ListHeap) -> Vec<Vec<String>> {
    let n = list.next.len();
    let on_cycle = |i: usize| uninterrupted(list, i, |_| false).contains(&i);
    let shared = |v: usize| (0..n).filter(|&i| list.next[i] == Target::Node(v)).count() >= 2;
    let interrupts = |v: usize| on_cycle(v) && (shared(v) || list.vars.contains(&Target::Node(v)));
    let mut all: Vec<(String, usize)> = Vec::new();
    for (text, t) in vars.iter().zip(&list.vars) {
        let Target::Node(x) = *t else { continue };
        all.push((text.clone(), x));
        let mut way = std::iter::once(x).chain(uninterrupted(list, x, |_| false));
        if let Some(c) = way.find(|i| on_cycle(*i)) {
            all.push((format!("{text}_c"), c));
        }
    }
    let mut unary = vec![Vec::new(); n];
    for (text, node) in all {
        unary[node].push(format!("{text}(v)"));
        for v in uninterrupted(list, node, interrupts) {
            unary[v].push(format!("cul_c[{text}](v)"));
        }
    }
    for (v, unary) in unary.iter_mut().enumerate() {
        if shared(v) {
            unary.push("is(v)".to_owned());
        }
    }
    unary
}

/// Joins nodes with the same predicates.
fn join(list: &ListHeap, unary: Vec<Vec<String>>) -> Canonical {
    let mut groups: BTreeMap<Vec<String>, Vec<usize>> = BTreeMap::new();
    for (v, mut predicates) in unary.into_iter().enumerate() {
        predicates.sort();
        groups.entry(predicates).or_default().push(v);
    }
    let members: Vec<&Vec<usize>> = groups.values().collect();
    let mut edges = BTreeMap::new();
    for (a, from) in members.iter().enumerate() {
        for (b, to) in members.iter().enumerate() {
            let pairs = || from.iter().flat_map(|u| to.iter().map(move |v| (*u, *v)));
            let leads = |(u, v): (usize, usize)| list.next[u] == Target::Node(v);
            if pairs().all(leads) {
                edges.insert((a, b), Edge::True);
            } else if pairs().any(leads) {
                edges.insert((a, b), Edge::Maybe);
            }
        }
    }
    let individuals = groups.iter().map(|(p, m)| (p.clone(), m.len() > 1)).collect();
    Canonical { individuals, edges }
}

impl Canonical {
    /// As lines: one an individual, with its edges.
    pub fn lines(&self) -> Vec<String> {
        let mut out = Vec::new();
        for (i, (predicates, summary)) in self.individuals.iter().enumerate() {
            let many = if *summary { " (several nodes)" } else { "" };
            let edges = self.edges.iter().filter(|((from, _), _)| *from == i);
            let edges: Vec<String> = edges
                .map(|((_, to), edge)| match edge {
                    Edge::True => format!("n -> u{to}"),
                    Edge::Maybe => format!("n -> u{to} maybe"),
                })
                .collect();
            let edges = if edges.is_empty() { "n -> none".to_owned() } else { edges.join(", ") };
            out.push(format!("u{i}{many}: {}; {edges}", predicates.join(", ")));
        }
        if out.is_empty() {
            out.push("no node".to_owned());
        }
        out
    }

    /// As a picture: summary nodes doubled, edges that may be there dashed.
    pub fn drawing(&self, field: &str) -> Drawing {
        let mut drawing = Drawing::new();
        drawing.list_field = Some(field.to_owned());
        for (i, (predicates, summary)) in self.individuals.iter().enumerate() {
            let mut node = Node::new(format!("u{i}"));
            node.summary = *summary;
            let derived = predicates.iter().filter(|p| p.starts_with("cul") || *p == "is(v)");
            node.values = derived.map(|p| (p.clone(), String::new())).collect();
            drawing.add_node(node);
        }
        for ((from, to), edge) in &self.edges {
            let to = Drawn::Node(NodeIndex(*to));
            match edge {
                Edge::True => drawing.add_edge(NodeIndex(*from), field, to),
                Edge::Maybe => drawing.add_maybe_edge(NodeIndex(*from), field, to),
            }
        }
        for (i, (predicates, _)) in self.individuals.iter().enumerate() {
            for p in predicates.iter().filter(|p| !p.starts_with("cul") && *p != "is(v)") {
                let name = p.trim_end_matches("(v)");
                drawing.add_pointer(name, Drawn::Node(NodeIndex(i)));
            }
        }
        drawing
    }
}
