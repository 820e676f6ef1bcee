//! What a summary means: all that comes out of unfolding it.
//!
//! A segment is empty, or one of its alternatives followed (or preceded) by a shorter segment that
//! may be empty; a tree is empty, or one of its alternatives with smaller trees below. So the objects
//! of a summary are those of a finite number of unfoldings, and [`unfold`] and [`emptied`] lose
//! nothing: together they are all that the summary stands for.

use crate::graph::{Alt, Graph, Kind, Node, Summary};
use crate::value::{End, Formal, NodeId, Place, Value};

/// The graph in which a summary has no elements; `None` if it has some, or where a pointer into it
/// would lead beside what takes its place.
pub fn emptied(graph: &Graph, id: NodeId) -> Option<Graph> {
    let summary = graph.node(id).summary()?.clone();
    if !summary.may_be_empty() {
        return None;
    }
    let follows = match summary.kind {
        Kind::Segment => summary.next,
        Kind::Tree => Value::Null,
    };
    let mut out = graph.clone();
    out.nodes[id as usize] = None;
    // One that is known to have elements has them, whatever else it says.
    graph.range(summary.count).is_none_or(|r| r.contains(0)).then_some(())?;
    if let Value::Sym(s) = summary.count {
        out.set_symbol(s, Value::Int(0));
    }
    let mut well = true;
    // A segment that is followed by itself is a cycle of nothing; it has no such instance.
    let is_self = |v: Value| v.place().is_some_and(|p| p.node == id);
    if is_self(follows) || is_self(summary.prev) {
        return cycle_emptied(out, id);
    }
    out.map(|v| match v {
        Value::Ptr(p) if p.node == id => {
            let instead = match p.end {
                End::First => follows.shifted(p.off.wrapping_sub(summary.link)),
                End::Last => summary.prev.shifted(p.off.wrapping_sub(summary.back)),
            };
            well &= instead.is_some();
            instead.unwrap_or(Value::Any)
        }
        v => v,
    });
    well.then_some(out)
}

/// A cycle of elements only, without any: nobody may point into it.
fn cycle_emptied(out: Graph, id: NodeId) -> Option<Graph> {
    let points_there = |v: Value| v.place().is_some_and(|p| p.node == id);
    let nodes = out.nodes.iter().flatten();
    let from_nodes = nodes.flat_map(|n| n.values()).any(points_there);
    let from_roots = out.roots().any(points_there);
    (!from_nodes && !from_roots).then_some(out)
}

/// The graphs in which a summary has an element at one of its ends, one an alternative.
///
/// # Errors
/// If an alternative cannot be put in its place: our bug, or a forged file.
pub fn unfold(graph: &Graph, id: NodeId, end: End) -> Result<Vec<Graph>, &'static str> {
    let Some(summary) = graph.node(id).summary() else {
        return Err("only summaries are unfolded");
    };
    if end == End::Last && summary.kind == Kind::Tree {
        return Err("a tree has no last element");
    }
    summary.alts.iter().map(|alt| instantiate(graph, id, summary, alt, end)).collect()
}

fn instantiate(
    graph: &Graph,
    id: NodeId,
    summary: &Summary,
    alt: &Alt,
    end: End,
) -> Result<Graph, &'static str> {
    let mut out = graph.clone();
    out.nodes[id as usize] = None;
    let first = out.nodes.len() as NodeId;
    // The rest of a segment comes behind the nodes of the alternative.
    let rest = first + alt.nodes.len() as NodeId;
    let at = |node, end, off| Value::Ptr(Place::new(node, end, off));
    let (next, prev) = match (summary.kind, end) {
        (Kind::Tree, _) => (Value::Undef, summary.prev),
        (Kind::Segment, End::First) => (at(rest, End::First, summary.link), summary.prev),
        (Kind::Segment, End::Last) => (summary.next, at(rest, End::Last, summary.back)),
    };
    let mut well = true;
    let mut ranges = std::mem::take(&mut out.ranges);
    let mut place = |v: Value| {
        let shifted = match v {
            Value::Ptr(p) => Some(Value::Ptr(Place { node: first + p.node, ..p })),
            Value::Formal(Formal::Next, d) if summary.kind == Kind::Segment => next.shifted(d),
            Value::Formal(Formal::Next, _) => None,
            Value::Formal(Formal::Prev, d) => prev.shifted(d),
            Value::Formal(Formal::Param(k), d) => {
                summary.params.get(k as usize).and_then(|p| p.shifted(d))
            }
            Value::Range(r) => Some(match r.single() {
                Some(i) => Value::Int(i),
                None => {
                    ranges.push(r);
                    Value::Sym(ranges.len() as u32 - 1)
                }
            }),
            v => Some(v),
        };
        well &= shifted.is_some();
        shifted.unwrap_or(Value::Any)
    };
    let new: Vec<Node> = alt
        .nodes
        .iter()
        .map(|node| {
            let mut node = node.clone();
            node.map(&mut place);
            match node {
                Node::Child { prev, empty } => {
                    Node::Summary(Summary { prev, least: u32::from(!empty), ..summary.clone() })
                }
                other => other,
            }
        })
        .collect();
    out.ranges = ranges;
    for node in new {
        let buffer = node.buffer().map(|b| (b.size, b.length, b.tail, b.more));
        out.add(node);
        if let Some((size, length, tail, more)) = buffer {
            out.fits(size, length, tail);
            out.fits_more(size, length, more);
        }
    }
    if summary.kind == Kind::Segment {
        let count = out.fewer(summary.count, 1);
        let least = summary.least.saturating_sub(1);
        let mut shorter = Summary { least, count, ..summary.clone() };
        match end {
            End::First => shorter.prev = Value::to(first, summary.back),
            End::Last => shorter.next = Value::to(first, summary.link),
        }
        out.add(Node::Summary(shorter));
    }
    out.map(|v| match v {
        Value::Ptr(p) if p.node == id && (p.end == end || summary.kind == Kind::Tree) => {
            Value::to(first, p.off)
        }
        Value::Ptr(p) if p.node == id => Value::Ptr(Place { node: rest, ..p }),
        v => v,
    });
    well.then_some(out).ok_or("an alternative that points beside its neighbours")
}
