//! Patterns and their heaps as drawings, which `logic` shows as text or SVG.
//!
//! **Invariant:** nodes are drawn in the order of the text ([`crate::text`]) and have its names, so
//! that both can be read side by side.

use trellis_logic::drawing::{Drawing, Node, NodeIndex, Target as Drawn};

use crate::heap::{Heap, Place};
use crate::pattern::{Pattern, Target};
use crate::text;
use crate::values::Values;
use crate::words::PatternWords;

/// A pattern: maybe-edges are dashed, summary nodes are marked.
pub fn draw_pattern(words: &PatternWords, pattern: &Pattern) -> Drawing {
    let order = text::order(pattern);
    let mut drawing = Drawing::new();
    let mut drawn = vec![NodeIndex(0); pattern.nodes.len()];
    for n in &order {
        let node = &pattern.nodes[*n];
        // The drawing has a star of its own.
        let mut cell = Node::new(text::name(pattern, &order, *n).trim_end_matches('*'));
        cell.summary = node.summary;
        for says in [text::colours(words, node), text::sharing(words, node.sharing)] {
            if !says.is_empty() {
                cell.values.push((says, String::new()));
            }
        }
        drawn[*n] = drawing.add_node(cell);
    }
    let target = |t: Target| match t {
        Target::Node(n) => Drawn::Node(drawn[n]),
        Target::Null => Drawn::Null,
        Target::Freed | Target::Undefined | Target::Dead => Drawn::Dangling,
    };
    for n in &order {
        let node = &pattern.nodes[*n];
        let fields = &words.records[node.record].pointers;
        for (f, (field, targets)) in fields.iter().zip(&node.fields).enumerate() {
            let certain = !node.summary && pattern.is_certain(*n, f);
            for to in targets.iter() {
                match certain {
                    true => drawing.add_edge(drawn[*n], &field.name, target(to)),
                    false => drawing.add_maybe_edge(drawn[*n], &field.name, target(to)),
                }
            }
        }
    }
    for (x, to) in pattern.vars.iter().enumerate() {
        if *to != Target::Dead && !words.pointers[x].is_temp {
            drawing.add_pointer(words.pointers[x].name.clone(), target(*to));
        }
    }
    drawing
}

/// A concrete heap.
pub fn draw_heap(words: &PatternWords, heap: &Heap) -> Drawing {
    let mut drawing = Drawing::new();
    for (c, cell) in heap.cells.iter().enumerate() {
        let mut node = Node::new((c + 1).to_string());
        for (field, value) in words.records[cell.record].data.iter().zip(&cell.data) {
            let value = value.map_or_else(|| "undefined".to_owned(), |v| v.to_string());
            node = node.with_value(field.name.clone(), value);
        }
        drawing.add_node(node);
    }
    let target = |p: Place| match p {
        Place::Cell(c) => Drawn::Node(NodeIndex(c)),
        Place::Null => Drawn::Null,
        Place::Freed | Place::Undefined => Drawn::Dangling,
    };
    for (c, cell) in heap.cells.iter().enumerate() {
        for (field, to) in words.records[cell.record].pointers.iter().zip(&cell.pointers) {
            drawing.add_edge(NodeIndex(c), &field.name, target(*to));
        }
    }
    for (var, to) in words.pointers.iter().zip(&heap.vars) {
        if !var.is_temp {
            drawing.add_pointer(var.name.clone(), target(*to));
        }
    }
    drawing
}

/// The integers of a pattern that are told, by name.
pub fn scalars(words: &PatternWords, pattern: &Pattern) -> Vec<(String, String)> {
    let mut out = Vec::new();
    for (var, values) in words.scalars.iter().zip(&pattern.scalars) {
        let all = words.partition.all(var.kind);
        if !var.is_temp && !values.includes(all) && *values != Values::UNDEFINED {
            out.push((var.name.clone(), text::values(words, *values, var.kind)));
        }
    }
    out
}
