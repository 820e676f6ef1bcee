//! What variables of a pattern reach for sure, and what along one field.
//!
//! A chain of cells over one field goes on until it leaves the cells that it can go through, or for
//! ever; then it comes back to a cell that it has been at, which has two such fields leading to it,
//! unless it is the one where the chain began. So where no cell on the way may have two, and none is
//! the first one, the chain leaves; and where it can leave to one place only, that place is reached
//! in every heap.

use crate::pattern::{Pattern, Sharing, Target, Targets};
use crate::words::PatternWords;

/// Whether the chain over a field of a plain node gets to a plain node, or to null, in every heap.
pub fn is_inevitable(
    words: &PatternWords,
    pattern: &Pattern,
    node: usize,
    field: usize,
    goal: Target,
) -> bool {
    let record = pattern.nodes[node].record;
    let edge = words.records[record].pointers[field].edge;
    if matches!(goal, Target::Node(n) if pattern.nodes[n].summary) {
        return false;
    }
    let (mut seen, mut todo) = (Targets::of(goal), pattern.nodes[node].fields[field]);
    if todo.is_none() {
        return false;
    }
    todo = todo.without(seen);
    while let Some(target) = todo.iter().next() {
        let Target::Node(n) = target else { return false };
        let through = &pattern.nodes[n];
        let twice = through.sharing.includes(Sharing::pair(edge, edge));
        if n == node || through.record != record || twice {
            return false;
        }
        seen = seen.or(Targets::node(n));
        todo = todo.or(through.fields[field]).without(seen);
    }
    true
}

/// The same from every cell of a summary node. A chain that never leaves cells with one field leading
/// to them comes back to where it began; then nothing else leads to it, so no variable reaches it, and
/// it is not part of a heap.
pub fn is_inevitable_from_any(
    words: &PatternWords,
    pattern: &Pattern,
    node: usize,
    field: usize,
    goal: Target,
) -> bool {
    let record = pattern.nodes[node].record;
    let edge = words.records[record].pointers[field].edge;
    if matches!(goal, Target::Node(n) if pattern.nodes[n].summary) {
        return false;
    }
    let (mut seen, mut todo) = (Targets::of(goal), Targets::node(node));
    while let Some(target) = todo.iter().next() {
        let Target::Node(n) = target else { return false };
        let through = &pattern.nodes[n];
        let entered = (0..words.edges()).any(|e| through.sharing.includes(Sharing::pair(edge, e)));
        let named = pattern.vars.contains(&Target::Node(n));
        if through.record != record || entered || named || through.fields[field].is_none() {
            return false;
        }
        seen = seen.or(Targets::node(n));
        todo = todo.or(through.fields[field]).without(seen);
    }
    true
}

/// Whether every cell of a node lies on the chain over a field of a plain node. All cells are reached
/// from variables; if the way to a cell has to pass the chain, and follows that field from there on,
/// it does.
pub fn is_behind(
    words: &PatternWords,
    pattern: &Pattern,
    start: usize,
    field: usize,
    node: usize,
) -> bool {
    let record = pattern.nodes[start].record;
    let on_chain = |n: usize| {
        n == start
            || !pattern.nodes[n].summary
                && is_inevitable(words, pattern, start, field, Target::Node(n))
    };
    if pattern.nodes[start].summary {
        return false;
    }
    let mut seen = vec![false; pattern.nodes.len()];
    let mut todo = vec![node];
    while let Some(n) = todo.pop() {
        if std::mem::replace(&mut seen[n], true) || on_chain(n) {
            continue;
        }
        if pattern.vars.contains(&Target::Node(n)) {
            return false;
        }
        for (k, from) in pattern.nodes.iter().enumerate() {
            for (f, targets) in from.fields.iter().enumerate() {
                if !targets.includes(Targets::node(n)) {
                    continue;
                }
                if from.record != record || f != field {
                    return false;
                }
                todo.push(k);
            }
        }
    }
    true
}

/// The plain nodes that are reachable from some roots in every heap.
pub fn certain(words: &PatternWords, pattern: &Pattern, roots: &[usize]) -> Vec<bool> {
    let plain = |n: &usize| !pattern.nodes[*n].summary;
    let mut reached = vec![false; pattern.nodes.len()];
    let mut todo: Vec<usize> = roots.iter().copied().filter(plain).collect();
    while let Some(n) = todo.pop() {
        if std::mem::replace(&mut reached[n], true) {
            continue;
        }
        for goal in (0..pattern.nodes.len()).filter(plain) {
            let fields = 0..pattern.nodes[n].fields.len();
            let to = Target::Node(goal);
            let mut over = fields.filter(|f| is_inevitable(words, pattern, n, *f, to));
            if !reached[goal] && over.next().is_some() {
                todo.push(goal);
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
