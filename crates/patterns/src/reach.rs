//! What variables of a pattern reach for sure, and what along one field.
//!
//! A chain of cells over one field that enters summary nodes leaves them again if none of them may
//! be entered twice over that field: a chain that stays inside would come back to a cell that it
//! has been at, and that cell would have two incoming fields. Where it can leave to one place only,
//! that place is reached in every heap.

use crate::pattern::{Pattern, Sharing, Target, Targets};
use crate::words::Words;

/// Where the chain over a field of a plain node leads after summary nodes: plain nodes and ends.
/// `None` if it may stay inside for ever, or the field ends at another record.
pub fn exits(words: &Words, pattern: &Pattern, node: usize, field: usize) -> Option<Targets> {
    let record = pattern.nodes[node].record;
    let edge = words.records[record].pointers[field].edge;
    let is_summary = |t: &Target| matches!(t, Target::Node(n) if pattern.nodes[*n].summary);
    let mut seen = Targets::NONE;
    let mut todo = pattern.nodes[node].fields[field];
    let mut out = Targets::NONE;
    while let Some(target) = todo.iter().next() {
        todo = todo.without(Targets::of(target));
        if !is_summary(&target) {
            out = out.or(Targets::of(target));
            continue;
        }
        let Target::Node(n) = target else { continue };
        let summary = &pattern.nodes[n];
        if summary.record != record || summary.sharing.includes(Sharing::pair(edge, edge)) {
            return None;
        }
        seen = seen.or(Targets::node(n));
        todo = todo.or(summary.fields[field].without(seen).without(out));
    }
    Some(out)
}

/// The plain nodes that are reachable from some roots in every heap.
pub fn certain(words: &Words, pattern: &Pattern, roots: &[usize]) -> Vec<bool> {
    let mut reached = vec![false; pattern.nodes.len()];
    let mut todo: Vec<usize> = roots.to_vec();
    while let Some(n) = todo.pop() {
        if pattern.nodes[n].summary || std::mem::replace(&mut reached[n], true) {
            continue;
        }
        for field in 0..pattern.nodes[n].fields.len() {
            if let Some(Target::Node(to)) = exits(words, pattern, n, field).and_then(Targets::only)
            {
                todo.push(to);
            }
        }
    }
    reached
}

/// The nodes that are reachable from some roots in some heap, over all fields.
pub fn possible(pattern: &Pattern, roots: &[usize]) -> Vec<bool> {
    let mut reached = vec![false; pattern.nodes.len()];
    let mut todo: Vec<usize> = roots.to_vec();
    while let Some(n) = todo.pop() {
        if !std::mem::replace(&mut reached[n], true) {
            todo.extend(pattern.nodes[n].fields.iter().flat_map(|t| t.nodes()));
        }
    }
    reached
}
