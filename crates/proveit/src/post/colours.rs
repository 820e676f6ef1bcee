//! What is said of cells, when something changes.
//!
//! A predicate that an update may change is given all its values first; coerce then leaves those
//! that the new graph allows. A node whose cells need not all be concerned keeps its old colours
//! besides.

use std::collections::BTreeSet;

use trellis_patterns::pattern::Pattern;
use trellis_patterns::words::{Colour, PatternWords, Predicate};

/// Whether every cell of a node, which is one, leads to exactly one cell.
pub(super) fn is_certain(pattern: &Pattern, node: usize, field: usize) -> bool {
    !pattern.nodes[node].summary && pattern.is_certain(node, field)
}

/// What is said of where a field leads may be anything now.
pub(super) fn widen_field(
    words: &PatternWords,
    pattern: &mut Pattern,
    node: usize,
    field: usize,
    certain: bool,
) {
    let record = &words.records[pattern.nodes[node].record];
    for (lane, predicate) in record.predicates.iter().enumerate() {
        let concerned = match *predicate {
            Predicate::Inverse { over, .. } | Predicate::Neighbour { over, .. } => over == field,
            Predicate::Is { field: f, .. } => f == field,
            Predicate::Data(_) | Predicate::Against { .. } | Predicate::Entered => false,
        };
        if concerned {
            let values: Vec<u8> = (0..words.values_of(*predicate)).collect();
            relabel(pattern, node, lane, &values, certain, |_| true);
        }
    }
}

/// What leads to a cell has changed: coerce leaves what the graph allows.
pub(super) fn widen_entered(words: &PatternWords, pattern: &mut Pattern, node: usize) {
    let record = &words.records[pattern.nodes[node].record];
    if let Some(lane) = record.predicate(Predicate::Entered) {
        relabel(pattern, node, lane, &[0, 1], true, |_| true);
    }
}

/// What these predicates say of any cell may be anything now.
pub(super) fn widen_all(
    words: &PatternWords,
    pattern: &mut Pattern,
    concerned: &dyn Fn(&Predicate) -> bool,
) {
    for node in 0..pattern.nodes.len() {
        let record = &words.records[pattern.nodes[node].record];
        for (lane, predicate) in record.predicates.iter().enumerate().filter(|(_, p)| concerned(p))
        {
            let values: Vec<u8> = (0..words.values_of(*predicate)).collect();
            relabel(pattern, node, lane, &values, true, |_| true);
        }
    }
}

/// Gives a predicate of the cells of a node these values; if not all cells are concerned for sure,
/// the old colours stay besides.
pub(super) fn relabel(
    pattern: &mut Pattern,
    node: usize,
    lane: usize,
    values: &[u8],
    all: bool,
    which: impl Fn(&Colour) -> bool,
) {
    let old = &pattern.nodes[node].colours;
    let (changed, kept): (BTreeSet<Colour>, BTreeSet<Colour>) =
        old.iter().copied().partition(&which);
    let mut new = with_lane(&changed, lane, values);
    new.extend(kept);
    if !all {
        new.extend(changed);
    }
    pattern.nodes[node].colours = new;
}

pub(super) fn with_lane(
    colours: &BTreeSet<Colour>,
    lane: usize,
    values: &[u8],
) -> BTreeSet<Colour> {
    let all = colours.iter().flat_map(|c| values.iter().map(move |v| c.with(lane, *v)));
    all.collect()
}
