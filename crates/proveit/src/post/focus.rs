//! Focus: where a field of a plain node leads becomes certain, case by case.
//!
//! A summary node that the field may lead to gives up the cell that it leads to: the cell becomes a
//! plain node of its own (*materialised*), what is left of the summary stays a summary. An edge of
//! another cell can lead to the new node only where the summary's [`Sharing`] allows both to lead to
//! one cell; that is why a list without sharing stays a list.
//!
//! **Invariant:** the heaps of the results together are the heaps of the pattern.

use trellis_patterns::pattern::{MOST_NODES, Pattern, Sharing, Target, Targets};
use trellis_patterns::words::PatternWords;

use super::TooLarge;
use super::coerce::coerce;

/// The cases of where `field` of the plain node `node` leads: in each, to one end or plain node.
///
/// # Errors
/// If a pattern would have too many nodes.
pub fn focus(
    words: &PatternWords,
    pattern: &Pattern,
    node: usize,
    field: usize,
) -> Result<Vec<Pattern>, TooLarge> {
    if pattern.is_certain(node, field) {
        return Ok(vec![pattern.clone()]);
    }
    let mut cases = Vec::new();
    for target in pattern.nodes[node].fields[field].iter() {
        let mut case = pattern.clone();
        case.nodes[node].fields[field] = Targets::of(target);
        if let Target::Node(s) = target
            && pattern.nodes[s].summary
        {
            materialise(words, &mut case, (node, field), s)?;
        }
        cases.extend(coerce(words, case));
    }
    Ok(cases)
}

/// The cell of the summary `s` that `edge` leads to becomes the last node of the pattern.
fn materialise(
    words: &PatternWords,
    pattern: &mut Pattern,
    edge: (usize, usize),
    s: usize,
) -> Result<(), TooLarge> {
    let m = pattern.nodes.len();
    if m >= MOST_NODES {
        return Err(TooLarge);
    }
    let mut cell = pattern.nodes[s].clone();
    cell.summary = false;
    pattern.nodes.push(cell);
    let sharing = pattern.nodes[s].sharing;
    let over = edge_number(words, pattern, edge);
    for k in 0..pattern.nodes.len() {
        for f in 0..pattern.nodes[k].fields.len() {
            let other = edge_number(words, pattern, (k, f));
            let targets = &mut pattern.nodes[k].fields[f];
            if (k, f) == edge {
                *targets = Targets::node(m);
            } else if targets.includes(Targets::node(s))
                && sharing.includes(Sharing::pair(over, other))
            {
                *targets = targets.or(Targets::node(m));
            }
        }
    }
    Ok(())
}

/// The number of the edge that a field of a node is.
pub fn edge_number(
    words: &PatternWords,
    pattern: &Pattern,
    (node, field): (usize, usize),
) -> usize {
    words.records[pattern.nodes[node].record].pointers[field].edge
}
