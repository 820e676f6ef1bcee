//! Telling cases apart: all graphs that a graph stands for, in parts in which one thing is known.
//!
//! **Invariant.** Every memory of the graph is one of some part.

use crate::eval::Need;
use crate::graph::{Graph, Summary};
use crate::unfold::{emptied, unfold};
use crate::value::{Range, Symbol, Value};

/// The parts of a graph, with what was picked for the next value without a name.
///
/// # Errors
/// If a summary cannot be unfolded.
pub fn split(graph: &Graph, need: Need) -> Result<Vec<(Graph, Option<i64>)>, &'static str> {
    let parts = match need {
        Need::Element(id, end) => {
            let mut parts = unfold(graph, id, end)?;
            parts.extend(without(graph, id)?);
            parts
        }
        Need::Elements(id) => {
            let mut some = graph.clone();
            if let crate::Node::Summary(s) = some.node_mut(id) {
                s.least = s.least.max(1);
            }
            let mut parts = vec![some];
            parts.extend(without(graph, id)?);
            parts
        }
        Need::Below(s, c) => {
            let r = graph.ranges[s as usize];
            // Nothing is below the smallest number.
            let below = Range { hi: r.hi.min(c.saturating_sub(1)), ..r };
            let above = Range { lo: r.lo.max(c), ..r };
            vec![narrowed(graph, s, below), narrowed(graph, s, above)]
                .into_iter()
                .flatten()
                .collect()
        }
        Need::Equal(s, c) => {
            let r = graph.ranges[s as usize];
            let mut parts = Vec::new();
            if r.contains(c) {
                parts.extend(narrowed(graph, s, Range::one(c)));
            }
            // Of several numbers that it is not, the last one is known.
            let r = Range { hole: Some(c), ..r.trimmed() };
            parts.extend(narrowed(graph, s, r));
            parts
        }
        Need::Order(s, t) => {
            let mut equal = graph.clone();
            let both = meet(graph.ranges[s as usize], graph.ranges[t as usize]);
            equal.set_symbol(t, Value::Sym(s));
            let mut parts: Vec<Graph> = narrowed(&equal, s, both).into_iter().collect();
            for (a, b) in [(s, t), (t, s)] {
                let mut part = graph.clone();
                part.order(a, b);
                parts.push(part);
            }
            parts
        }
        Need::Number(s) => {
            let r = graph.ranges[s as usize];
            (r.lo..=r.hi)
                .filter(|i| r.contains(*i))
                .filter_map(|i| narrowed(graph, s, Range::one(i)))
                .collect()
        }
        Need::Pick(r) => {
            return Ok((r.lo..=r.hi)
                .filter(|i| r.contains(*i))
                .map(|i| (graph.clone(), Some(i)))
                .collect());
        }
    };
    let refined = |mut g: Graph| g.refine().then_some((g, None));
    Ok(parts.into_iter().filter_map(refined).collect())
}

/// The part in which a summary has no elements, if it may have none.
fn without(graph: &Graph, id: u32) -> Result<Option<Graph>, &'static str> {
    let may = graph.node(id).summary().is_some_and(Summary::may_be_empty);
    // One that is known to have elements has them, whatever else it says.
    let count = graph.node(id).summary().and_then(|s| graph.range(s.count));
    let may = may && count.is_none_or(|r| r.contains(0));
    match (may, emptied(graph, id)) {
        (true, None) => Err("a summary that cannot be empty as it says"),
        (_, part) => Ok(part),
    }
}

/// What is in both; the hole of one of them is forgotten if both have one.
fn meet(a: Range, b: Range) -> Range {
    Range { lo: a.lo.max(b.lo), hi: a.hi.min(b.hi), hole: a.hole.or(b.hole) }
}

/// The part in which a symbol is in a range; `None` if that is empty.
fn narrowed(graph: &Graph, s: Symbol, range: Range) -> Option<Graph> {
    let range = range.trimmed();
    if range.is_empty() {
        return None;
    }
    let mut out = graph.clone();
    match range.single() {
        Some(i) => out.set_symbol(s, Value::Int(i)),
        None => out.ranges[s as usize] = range,
    }
    Some(out)
}
