//! Heaps as a person sees them, and a drawing to start from.

use std::collections::{BTreeMap, BTreeSet};

use trellis_patterns::heap::{Heap, Place as At};
use trellis_report::game::{Cell, Drawing, Edge, Example, Kind, Named, Node, Place, Scalar, Truth};

use super::reading::Reader;

/// A heap with a name.
pub(super) fn example(reader: &Reader, heap: &Heap, name: &str) -> Example {
    let words = &reader.words;
    let number = |v: Option<i128>| v.map_or("unset".to_owned(), |v| v.to_string());
    let cells = heap.cells.iter().enumerate().map(|(c, cell)| {
        let record = &words.records[cell.record];
        let said = reader.sayings.iter().filter(|s| s.record == cell.record);
        let fields = record.pointers.iter().zip(&cell.pointers);
        let data = record.data.iter().zip(&cell.data);
        Cell {
            record: record.name.clone(),
            words: said.map(|s| (s.name.clone(), s.holds(words, heap, c))).collect(),
            fields: fields.map(|(f, at)| (f.name.clone(), place(*at))).collect(),
            data: data.map(|(f, v)| Scalar { name: f.name.clone(), value: number(*v) }).collect(),
        }
    });
    let variable = |x: &usize| (words.pointers[*x].name.clone(), place(heap.vars[*x]));
    let scalar = |s: &usize| Scalar {
        name: words.scalars[*s].name.clone(),
        value: number(heap.scalars[*s]),
    };
    let scalars = reader.scalars.iter().filter(|s| !words.scalars[**s].is_temp);
    Example {
        name: name.to_owned(),
        cells: cells.collect(),
        variables: reader.pointers.iter().map(variable).collect(),
        scalars: scalars.map(scalar).collect(),
        trace: Vec::new(),
        note: String::new(),
    }
}

fn place(at: At) -> Place {
    match at {
        At::Null => Place::Named(Named::Null),
        At::Freed => Place::Named(Named::Freed),
        At::Undefined => Place::Named(Named::Unset),
        At::Cell(c) => Place::Cell(c),
    }
}

/// What tells nodes of a merged drawing apart: the record, the variables there and those that reach it,
/// and what is said of the data.
type Key = (String, Vec<String>, Vec<String>, Vec<(String, bool)>);

/// The variables that reach a cell.
fn reached_from(heap: &Example, cell: usize) -> Vec<String> {
    let reaches = |from: &Place| {
        let mut seen = BTreeSet::new();
        let mut todo = vec![*from];
        while let Some(place) = todo.pop() {
            if let Place::Cell(c) = place
                && seen.insert(c)
            {
                todo.extend(heap.cells[c].fields.values());
            }
        }
        seen.contains(&cell)
    };
    heap.variables.iter().filter(|(_, at)| reaches(at)).map(|(name, _)| name.clone()).collect()
}

/// A drawing that fits some heaps: cells of which the same is said become one node. It is where a
/// person starts, not an answer: what the heaps have in common is taken for a rule.
pub(super) fn merged(reader: &Reader, heaps: &[Heap]) -> Drawing {
    let shown: Vec<Example> = heaps.iter().map(|h| example(reader, h, "")).collect();
    let key = |heap: &Example, c: usize| -> Key {
        let cell = &heap.cells[c];
        let here = heap.variables.iter().filter(|(_, at)| **at == Place::Cell(c));
        let here: Vec<String> = here.map(|(name, _)| name.clone()).collect();
        let data = |name: &&String| {
            !name.contains("->")
                && !name.contains('⇄')
                && cell.data.iter().any(|d| name.starts_with(&d.name))
        };
        let said = cell.words.keys().filter(data).map(|w| (w.clone(), cell.words[w]));
        (cell.record.clone(), here, reached_from(heap, c), said.collect())
    };
    let mut order: Vec<Key> = Vec::new();
    for heap in &shown {
        for c in 0..heap.cells.len() {
            let key = key(heap, c);
            if !order.contains(&key) {
                order.push(key);
            }
        }
    }
    let id = |k: &Key| format!("n{}", order.iter().position(|o| o == k).unwrap_or(0) + 1);
    let node_of = |heap: &Example, at: &Place| match at {
        Place::Cell(c) => id(&key(heap, *c)),
        Place::Named(named) => named.node().to_owned(),
    };
    let mut nodes: Vec<Node> = Vec::new();
    for k in &order {
        let cells = |heap: &Example| {
            (0..heap.cells.len()).filter(|c| key(heap, *c) == *k).collect::<Vec<_>>()
        };
        let all: Vec<(&Example, usize)> =
            shown.iter().flat_map(|h| cells(h).into_iter().map(move |c| (h, c))).collect();
        let mut words = BTreeMap::new();
        for (heap, c) in &all {
            for (word, holds) in &heap.cells[*c].words {
                let value = if *holds { Truth::True } else { Truth::False };
                let is = words.entry(word.clone()).or_insert(value);
                *is = if *is == value { value } else { Truth::Maybe };
            }
        }
        // Sharing can be allowed, not demanded.
        for word in words.iter_mut().filter(|(_, v)| **v == Truth::True) {
            let shares = reader
                .sayings
                .iter()
                .any(|s| s.name == *word.0 && matches!(s.about, super::saying::About::Shared(_)));
            if shares {
                *word.1 = Truth::Maybe;
            }
        }
        let summary = !shown.iter().all(|h| cells(h).len() == 1);
        nodes.push(Node { id: id(k), record: k.0.clone(), summary, words, ..Node::default() });
    }
    let mut edges: Vec<Edge> = Vec::new();
    let mut ends = BTreeSet::from(["null"]);
    for heap in &shown {
        for (c, cell) in heap.cells.iter().enumerate() {
            for (field, at) in &cell.fields {
                let (from, to) = (id(&key(heap, c)), node_of(heap, at));
                if let Place::Named(named) = at {
                    ends.insert(named.node());
                }
                let edge = Edge { from, field: field.clone(), to, value: Truth::Maybe };
                if !edges.contains(&edge) {
                    edges.push(edge);
                }
            }
        }
        for at in heap.variables.values() {
            if let Place::Named(named) = at {
                ends.insert(named.node());
            }
        }
    }
    for end in ends {
        let kind = match end {
            "freed" => Kind::Freed,
            "unset" => Kind::Unset,
            _ => Kind::Null,
        };
        nodes.push(Node { id: end.to_owned(), kind, ..Node::default() });
    }
    for x in &reader.pointers {
        let name = &reader.words.pointers[*x].name;
        let at: BTreeSet<String> =
            shown.iter().filter_map(|h| Some(node_of(h, h.variables.get(name)?))).collect();
        let value = if at.len() == 1 { Truth::True } else { Truth::Maybe };
        for node in nodes.iter_mut().filter(|n| at.contains(&n.id)) {
            node.variables.insert(name.clone(), value);
        }
    }
    certain(&mut edges, &nodes);
    Drawing { nodes, edges }
}

/// An edge that is the only one of its field, and leads to one place, is certain.
fn certain(edges: &mut [Edge], nodes: &[Node]) {
    let alone = |i: usize, edges: &[Edge]| {
        let e = &edges[i];
        let plain = nodes.iter().any(|n| n.id == e.to && !n.summary);
        plain && edges.iter().filter(|o| o.from == e.from && o.field == e.field).count() == 1
    };
    for i in 0..edges.len() {
        if alone(i, edges) {
            edges[i].value = Truth::True;
        }
    }
}
