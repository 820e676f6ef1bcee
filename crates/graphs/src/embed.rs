//! When all memories of one graph are among those of another.
//!
//! [`embeds`] walks through both graphs from their registers. Objects are matched with objects, one
//! with one. Where the general graph has a summary, it is unfolded as far as the special one has
//! objects there; a summary of the special graph is taken in as a whole, if all that its elements may
//! look like is foreseen. All nodes of both have to be met.
//!
//! **Invariant.** *Yes* is right. *No* may be wrong: then an invariant is not recognised as one.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::buffer::{Buffer, Tail};
use crate::graph::{Alt, Graph, Kind, Node, Summary};
use crate::linear::Form;
use crate::numbers::{MOST_ELEMENTS, given_by};
use crate::unfold::{emptied, unfold};
use crate::value::{End, Formal, NodeId, Place, Range, Symbol, Value};

/// Whether every memory of `special` is one of `general`. Work is spent from `steps`; when it is over,
/// the answer is no.
pub fn embeds(special: &Graph, general: &Graph, steps: &mut u64) -> bool {
    if special.lost && !general.lost
        || special.locals.len() != general.locals.len()
        || special.globals.len() != general.globals.len()
        || special.held.len() != general.held.len()
    {
        return false;
    }
    if general.relations.is_none() {
        let mut m = Match::new(special, general.clone());
        m.todo.extend(general.roots().zip(special.roots()));
        return solve(m, special, steps).is_some_and(|m| m.outer.is_empty());
    }
    // Equations speak of what has a name.
    let (special, general) = (&special.buffers_named().all_named(), general.counts_named());
    let mut m = Match::new(special, general.clone());
    m.counts = general.ids().filter_map(|id| general.node(id).summary()?.count.symbol()).collect();
    m.todo.extend(general.roots().zip(special.roots()));
    let symbols = general.ranges.len() as Symbol;
    m.said = symbols;
    solve(m, special, steps).is_some_and(|m| m.outer.is_empty())
}

/// What is known of a match so far.
#[derive(Clone)]
struct Match {
    /// The general graph, unfolded as far as was needed.
    general: Graph,
    /// Nodes of the general graph, and what they are.
    image: Vec<Option<NodeId>>,
    /// The nodes of the special graph that were met.
    met: Vec<bool>,
    /// What symbols of the general graph are.
    symbols: Vec<Option<Value>>,
    /// Values that have to match: general, special.
    todo: Vec<(Value, Value)>,
    /// Summaries of the general graph that something points to: what their ends are.
    ends: BTreeMap<NodeId, Ends>,
    /// What parameters of a general alternative have to be.
    outer: Vec<(Value, Value)>,
    /// In an alternative of a tree: what the trees below are made of.
    below: Option<Arc<Vec<Alt>>>,
    /// How many symbols the general graph had at first.
    said: Symbol,
    /// Those of them that are numbers of elements.
    counts: Vec<Symbol>,
}

#[derive(Clone, Copy, Default)]
struct Ends {
    first: Option<Value>,
    last: Option<Value>,
}

impl Match {
    fn new(special: &Graph, general: Graph) -> Match {
        Match {
            image: vec![None; general.nodes.len()],
            met: vec![false; special.nodes.len()],
            symbols: vec![None; general.ranges.len()],
            todo: Vec::new(),
            ends: BTreeMap::new(),
            outer: Vec::new(),
            below: None,
            said: 0,
            counts: Vec::new(),
            general,
        }
    }

    /// How many elements a general summary has beside those of a special one.
    fn without_count(
        &mut self,
        special: &Graph,
        summary: &Summary,
        other: &Summary,
    ) -> Option<Value> {
        let Some(all) = self.general.form(summary.count) else { return Some(summary.count) };
        self.general.relations.as_ref()?;
        let range = special.range(other.count)?;
        self.general.ranges.push(range);
        let part = self.general.ranges.len() as Symbol - 1;
        self.grow();
        self.symbols[part as usize] = Some(other.count);
        let some = Range::between(0, MOST_ELEMENTS);
        Some(self.general.define(&all.minus(&Form::symbol(part)), some))
    }

    /// After an unfolding: there are more nodes and symbols.
    fn grow(&mut self) {
        self.image.resize(self.general.nodes.len(), None);
        self.symbols.resize(self.general.ranges.len(), None);
    }
}

/// Finishes a match, trying what there is to choose.
fn solve(mut m: Match, special: &Graph, steps: &mut u64) -> Option<Match> {
    loop {
        *steps = steps.checked_sub(1)?;
        if let Some((g, s)) = m.todo.pop() {
            if !values(&mut m, special, g, s, steps) {
                return None;
            }
            continue;
        }
        // From its last element on, a list that is linked one way cannot be followed.
        let by_first = m.ends.iter().find(|(_, ends)| ends.first.is_some());
        let Some((&id, &ends)) = by_first.or_else(|| m.ends.iter().next()) else {
            // A string of the host is there whether it is said or not.
            let is_passed = |id| special.node(id).buffer().is_some_and(|b| b.passed);
            let met = special.ids().all(|id| m.met[id as usize] || is_passed(id));
            let matched = m.general.ids().all(|id| m.image[id as usize].is_some());
            return (met && matched && orders_hold(&m, special) && relations_hold(&m, special))
                .then_some(m);
        };
        m.ends.remove(&id);
        let candidates = choices(&m, special, id, ends, steps);
        let (last, others) = candidates.split_last().map(|(l, o)| (l.clone(), o.to_vec()))?;
        for other in others {
            if let Some(found) = solve(other, special, steps) {
                return Some(found);
            }
        }
        m = last;
    }
}

/// Whether a value of the general graph may be one of the special graph.
fn values(m: &mut Match, special: &Graph, g: Value, s: Value, steps: &mut u64) -> bool {
    match g {
        Value::Any => true,
        Value::Undef | Value::Null | Value::Freed => g == s,
        // Nobody can read it, so it may be any number of bytes, but no way to an object.
        Value::Mixed => !matches!(s, Value::Ptr(_) | Value::Any),
        Value::Formal(Formal::Param(_), _) => {
            m.outer.push((g, s));
            true
        }
        Value::Formal(..) => g == s,
        Value::Int(i) => special.range(s).and_then(|r| r.single()) == Some(i),
        Value::Range(r) => special.range(s).is_some_and(|range| r.includes(range)),
        Value::Sym(a) => {
            let Some(range) = special.range(s) else { return false };
            match m.symbols[a as usize] {
                // Of a range without a name there is one copy only.
                Some(known) => known == s && !matches!(s, Value::Range(_)),
                None => {
                    m.symbols[a as usize] = Some(s);
                    m.general.ranges[a as usize].includes(range)
                }
            }
        }
        Value::Ptr(p) => pointers(m, special, p, s, steps),
    }
}

fn pointers(m: &mut Match, special: &Graph, p: Place, s: Value, steps: &mut u64) -> bool {
    if let Some(image) = m.image[p.node as usize] {
        let Value::Ptr(q) = s else { return false };
        let same_end = p.end == q.end || special.node(image).summary().is_none();
        return q.node == image && same_end && positions(m, special, p, q, steps);
    }
    match m.general.node(p.node).clone() {
        Node::Object(o) => {
            let Value::Ptr(q) = s else { return false };
            let Node::Object(other) = special.node(q.node) else { return false };
            // A symbol says where in buffers only.
            let same = p.at.is_none() && (q.off, q.at) == (p.off, None);
            if m.met[q.node as usize] || !same || !o.is_like(other) {
                return false;
            }
            m.met[q.node as usize] = true;
            m.image[p.node as usize] = Some(q.node);
            m.todo.extend(o.cells.iter().copied().zip(other.cells.iter().copied()).rev());
            true
        }
        Node::Buffer(b) => {
            let Value::Ptr(q) = s else { return false };
            let Some(other) = as_buffer(&b, special, q.node) else { return false };
            // Two strings of the host may be the same.
            if m.met[q.node as usize] && !b.passed || !b.is_like(&other) {
                return false;
            }
            m.met[q.node as usize] = true;
            m.image[p.node as usize] = Some(q.node);
            m.todo.push((b.size, other.size));
            // Of a length of nothing nothing is said.
            if (b.length, b.tail) != (Value::Int(0), Tail::Unknown) {
                m.todo.push((b.length, other.length));
            }
            if b.more != Value::Any {
                m.todo.push((b.more, other.more));
            }
            let ends = match (b.tail, other.tail) {
                (Tail::Unknown, _) | (Tail::Zero, Tail::Zero) | (Tail::Zeros, Tail::Zeros) => true,
                (Tail::Zero, Tail::Zeros) => is_shorter(special, &other),
                _ => false,
            };
            ends && positions(m, special, p, q, steps)
        }
        Node::Summary(_) | Node::Child { .. } if p.at.is_some() => false,
        Node::Arguments(a) => {
            let Value::Ptr(q) = s else { return false };
            let Node::Arguments(other) = special.node(q.node) else { return false };
            if m.met[q.node as usize] || !a.is_like(other) {
                return false;
            }
            m.met[q.node as usize] = true;
            m.image[p.node as usize] = Some(q.node);
            m.todo.push((a.end, other.end));
            let is_number = |at: &Value| matches!(at, Value::Int(_));
            for (at, string) in a.seen.iter().filter(|(at, _)| is_number(at)) {
                let Some(there) = other.seen_at(*at) else { return false };
                m.todo.push((*string, there));
            }
            // Places that are not known are tried in their order.
            let taken = |at: Value| is_number(&at) && a.seen_at(at).is_some();
            let mut rest = other.seen.iter().filter(|(at, _)| !taken(*at));
            for (at, string) in a.seen.iter().filter(|(at, _)| !is_number(at)) {
                let Some((place, there)) = rest.next() else { return false };
                m.todo.extend([(*at, *place), (*string, *there)]);
            }
            positions(m, special, p, q, steps)
        }
        Node::Summary(summary) => {
            let by = match p.end {
                End::First => summary.link.wrapping_sub(p.off),
                End::Last => summary.back.wrapping_sub(p.off),
            };
            let Some(base) = s.shifted(by) else { return false };
            let ends = m.ends.entry(p.node).or_default();
            let known = match p.end {
                End::First => &mut ends.first,
                End::Last => &mut ends.last,
            };
            let fits = known.is_none_or(|k| k == base);
            *known = Some(base);
            fits
        }
        Node::Child { prev, empty } => match s {
            Value::Null => {
                // Nothing hangs there.
                m.image[p.node as usize] = Some(NodeId::MAX);
                empty
            }
            Value::Ptr(q) => {
                let (other, may) = match special.node(q.node) {
                    Node::Child { prev, empty } => (Some(*prev), *empty),
                    // A tree that is said in full, and is made of nothing else.
                    Node::Summary(t) if t.kind == Kind::Tree && t.link == p.off => {
                        let Some(below) = m.below.clone() else { return false };
                        let Some(outer) = all_embed(&t.alts, &below, &|_, _| true, steps) else {
                            return false;
                        };
                        for (g, s) in outer {
                            let Some(s) = outside(s, &t.params) else { return false };
                            m.outer.push((g, s));
                        }
                        (t.looks_back().then_some(t.prev), t.may_be_empty())
                    }
                    _ => return false,
                };
                if m.met[q.node as usize] || q.off != p.off || (may && !empty) {
                    return false;
                }
                m.met[q.node as usize] = true;
                m.image[p.node as usize] = Some(q.node);
                m.todo.extend(other.map(|other| (prev, other)));
                true
            }
            _ => false,
        },
    }
}

/// What a buffer is compared with: a buffer, or an object of characters.
fn as_buffer(like: &Buffer, special: &Graph, id: NodeId) -> Option<Buffer> {
    match special.node(id) {
        Node::Buffer(b) => Some(b.clone()),
        // It is of the same type, so it is of characters.
        Node::Object(o) if o.ty == like.ty && o.cells.len() == o.size as usize => {
            let buffer = Buffer::of_characters(o, |v| special.range(v))?;
            // Behind a string that is followed by zeros stands an empty one.
            let second = match (buffer.tail, buffer.length) {
                (Tail::Zeros, Value::Int(length)) => Value::Int(length + 1),
                _ => buffer.more,
            };
            Some(Buffer { more: second, ..buffer })
        }
        _ => None,
    }
}

/// Whether a buffer is known to have more bytes than its length.
fn is_shorter(graph: &Graph, b: &Buffer) -> bool {
    let (Some(size), Some(length)) = (graph.form(b.size), graph.form(b.length)) else {
        return false;
    };
    graph.bounds(&size.minus(&length)).is_some_and(|(lo, _)| lo > 0)
}

/// Whether two places are the same in their objects.
fn positions(m: &mut Match, special: &Graph, p: Place, q: Place, steps: &mut u64) -> bool {
    match (p.at, p.position(), q.position()) {
        (None, ..) => (q.off, q.at) == (p.off, None),
        (Some(_), Some(general), Some(position)) => values(m, special, general, position, steps),
        _ => false,
    }
}

/// The ways to go on with a summary of the general graph.
fn choices(m: &Match, special: &Graph, id: NodeId, ends: Ends, steps: &mut u64) -> Vec<Match> {
    let Some(summary) = m.general.node(id).summary().cloned() else { return Vec::new() };
    let mut out = Vec::new();
    let (end, base) = match (ends.first, ends.last) {
        (Some(first), _) => (End::First, first),
        (None, Some(last)) => (End::Last, last),
        (None, None) => return out,
    };
    if let Value::Ptr(q) = base
        && !m.met[q.node as usize]
    {
        match special.node(q.node) {
            Node::Object(o) if summary.element().is_some_and(|e| e.is_like(o)) => {
                out.extend(unfolded(m, id, &summary, end, base, ends));
            }
            Node::Summary(other)
                if summary.kind == Kind::Tree && other.kind == Kind::Segment && q.end == end =>
            {
                out.extend(way_taken_in(m, id, &summary, q, other, steps));
            }
            Node::Summary(other) if q.end == end || other.kind == Kind::Tree => {
                out.extend(taken_in(m, special, id, &summary, q, other, ends, steps));
            }
            _ => {}
        }
    }
    out.extend(without(m, id, &summary, ends));
    out
}

/// The summary has an element where the special graph has an object.
fn unfolded(
    m: &Match,
    id: NodeId,
    summary: &Summary,
    end: End,
    base: Value,
    ends: Ends,
) -> Vec<Match> {
    let first = m.general.nodes.len() as NodeId;
    let Ok(graphs) = unfold(&m.general, id, end) else { return Vec::new() };
    let one = |(general, alt): (Graph, &Alt)| {
        let mut next = Match { general, ..m.clone() };
        next.grow();
        let (off, rest_ends) = match end {
            End::First => (summary.link, Ends { first: None, last: ends.last }),
            End::Last => (summary.back, Ends { first: ends.first, last: None }),
        };
        next.todo.push((Value::to(first, off), base));
        if summary.kind == Kind::Segment {
            // The rest is met by what the element holds, too.
            let rest = first + alt.nodes.len() as NodeId;
            next.ends.insert(rest, rest_ends);
        }
        next
    };
    graphs.into_iter().zip(summary.alts.iter()).map(one).collect()
}

/// A summary of the special graph is part of one of the general graph.
#[allow(clippy::too_many_arguments)]
fn taken_in(
    m: &Match,
    special: &Graph,
    id: NodeId,
    summary: &Summary,
    at: Place,
    other: &Summary,
    ends: Ends,
    steps: &mut u64,
) -> Option<Match> {
    let Summary { kind, link, back, .. } = *summary;
    if (other.kind, other.link, other.back) != (kind, link, back) {
        return None;
    }
    let (off, other_off) = match at.end {
        End::First => (link, at.off),
        End::Last => (back, at.off),
    };
    if off != other_off {
        return None;
    }
    let mut next = m.clone();
    let fits = |g, s| may_be(m, summary, other, g, s);
    for (g, s) in all_embed(&other.alts, &summary.alts, &fits, steps)? {
        let general = outside(g, &summary.params)?;
        next.todo.push((general, outside(s, &other.params)?));
    }
    next.met[at.node as usize] = true;
    next.general.nodes[id as usize] = None;
    // In the general graph it is itself from now on.
    let proxy = next.general.add(Node::Summary(Summary { count: Value::Any, ..other.clone() }));
    let count = next.without_count(special, summary, other)?;
    next.grow();
    next.image[proxy as usize] = Some(at.node);
    let to_proxy = |end, off| Value::Ptr(Place::new(proxy, end, off));
    if kind == Kind::Tree {
        if other.least < summary.least {
            return None;
        }
        if other.looks_back() {
            next.todo.push((summary.prev, other.prev));
        }
        let taken = |v: Value| match v {
            Value::Ptr(p) if p.node == id => Value::Ptr(Place { node: proxy, ..p }),
            v => v,
        };
        next.general.map(taken);
        next.todo.iter_mut().for_each(|(g, _)| *g = taken(*g));
        return Some(next);
    }
    let least = summary.least.saturating_sub(other.least);
    let mut rest = Summary { least, count, ..summary.clone() };
    let rest_ends = match at.end {
        End::First => {
            // What comes before matters to elements that say it, and where there may be none.
            if other.looks_back()
                || (other.may_be_empty() && is_pointed_to(special, at.node, End::Last))
            {
                next.todo.push((summary.prev, other.prev));
            }
            rest.prev = to_proxy(End::Last, back);
            Ends { first: Some(other.next), last: ends.last }
        }
        End::Last => {
            next.todo.push((summary.next, other.next));
            rest.next = to_proxy(End::First, link);
            Ends { first: ends.first, last: Some(other.prev) }
        }
    };
    let rest = next.general.add(Node::Summary(rest));
    next.grow();
    // What is to do was said of the summary as it was.
    let taken = |v: Value| match v {
        Value::Ptr(p) if p.node == id && p.end == at.end => to_proxy(p.end, p.off),
        Value::Ptr(p) if p.node == id => Value::Ptr(Place { node: rest, ..p }),
        v => v,
    };
    next.general.map(taken);
    next.todo.iter_mut().for_each(|(g, _)| *g = taken(*g));
    next.ends.insert(rest, rest_ends);
    Some(next)
}

/// A segment of the special graph is a way down a tree of the general graph: a node with its trees
/// beside the way, and so on; where it ends the tree goes on.
fn way_taken_in(
    m: &Match,
    id: NodeId,
    summary: &Summary,
    at: Place,
    other: &Summary,
    steps: &mut u64,
) -> Option<Match> {
    if (other.link, other.back, at.off) != (summary.link, summary.back, summary.link) {
        return None;
    }
    let as_nodes: Option<Vec<Alt>> = other.alts.iter().map(|alt| as_node(alt, other)).collect();
    let mut next = m.clone();
    let fits = |g, s| may_be(m, summary, other, g, s);
    for (g, s) in all_embed(&as_nodes?, &summary.alts, &fits, steps)? {
        let general = outside(g, &summary.params)?;
        next.todo.push((general, outside(s, &other.params)?));
    }
    if other.looks_back() {
        next.todo.push((summary.prev, other.prev));
    }
    next.met[at.node as usize] = true;
    next.general.nodes[id as usize] = None;
    let proxy = next.general.add(Node::Summary(other.clone()));
    let prev = Value::Ptr(Place::new(proxy, End::Last, summary.back));
    // That every child may be missing was asked of the alternatives.
    let least = summary.least.saturating_sub(other.least);
    let rest = next.general.add(Node::Summary(Summary { prev, least, ..summary.clone() }));
    next.grow();
    next.image[proxy as usize] = Some(at.node);
    let taken = |v: Value| match v {
        Value::Ptr(p) if p.node == id => Value::Ptr(Place { node: proxy, ..p }),
        v => v,
    };
    next.general.map(taken);
    next.todo.iter_mut().for_each(|(g, _)| *g = taken(*g));
    next.ends.insert(rest, Ends { first: Some(other.next), last: None });
    Some(next)
}

/// An element of a segment as a node of a tree: the next one is a child, which may be missing.
fn as_node(alt: &Alt, segment: &Summary) -> Option<Alt> {
    let child = alt.nodes.len() as NodeId;
    let mut ways = 0;
    let mut nodes = alt.nodes.clone();
    for node in &mut nodes {
        node.map(&mut |v| match v {
            Value::Formal(Formal::Next, d) => {
                ways += 1;
                Value::to(child, segment.link.wrapping_add(d))
            }
            v => v,
        });
    }
    nodes.push(Node::Child { prev: Value::to(0, segment.back), empty: true });
    (ways == 1).then_some(Alt { nodes })
}

/// Whether all that some alternatives say is said by others; then what the parameters of the general
/// ones have to be.
fn all_embed(
    special: &[Alt],
    general: &Arc<Vec<Alt>>,
    fits: &dyn Fn(Value, Value) -> bool,
    steps: &mut u64,
) -> Option<Vec<(Value, Value)>> {
    let mut all = Vec::new();
    for alt in special {
        let mut found = general.iter().filter_map(|g| alt_embeds(alt, g, general, steps));
        all.extend(found.find(|outer| outer.iter().all(|(g, s)| fits(*g, *s)))?);
    }
    Some(all)
}

/// Whether what parameters stand for is not known to be different.
fn may_be(m: &Match, general: &Summary, special: &Summary, g: Value, s: Value) -> bool {
    let (Some(g), Some(s)) = (outside(g, &general.params), outside(s, &special.params)) else {
        return false;
    };
    match (g, s) {
        (Value::Ptr(p), Value::Ptr(q)) => {
            m.image[p.node as usize].is_none_or(|n| n == q.node) && (p.off, p.at) == (q.off, q.at)
        }
        (Value::Ptr(_), _) => false,
        _ => true,
    }
}

/// A value of an alternative outside of it.
fn outside(v: Value, params: &[Value]) -> Option<Value> {
    match v {
        Value::Formal(Formal::Param(k), d) => params.get(k as usize)?.shifted(d),
        Value::Null | Value::Int(_) | Value::Undef | Value::Freed => Some(v),
        _ => None,
    }
}

/// Whether something points to an end of a summary.
fn is_pointed_to(graph: &Graph, id: NodeId, end: End) -> bool {
    let there = |v: Value| v.place().is_some_and(|p| p.node == id && p.end == end);
    graph.roots().any(there) || graph.ids().any(|n| graph.node(n).values().into_iter().any(there))
}

/// The summary has no elements.
fn without(m: &Match, id: NodeId, summary: &Summary, ends: Ends) -> Option<Match> {
    let general = emptied(&m.general, id)?;
    let mut next = Match { general, ..m.clone() };
    let follows = match summary.kind {
        Kind::Segment => summary.next,
        Kind::Tree => Value::Null,
    };
    // A cycle of nothing is nowhere, so nothing is found there.
    let is_self = |v: Value| v.place().is_some_and(|p| p.node == id);
    if (ends.first.is_some() && is_self(follows)) || (ends.last.is_some() && is_self(summary.prev))
    {
        return None;
    }
    next.todo.extend(ends.first.map(|first| (follows, first)));
    next.todo.extend(ends.last.map(|last| (summary.prev, last)));
    Some(next)
}

/// Whether all that one alternative says is said by another; then what the parameters of the general
/// one have to be.
fn alt_embeds(
    special: &Alt,
    general: &Alt,
    below: &Arc<Vec<Alt>>,
    steps: &mut u64,
) -> Option<Vec<(Value, Value)>> {
    let graph = |alt: &Alt| Graph {
        nodes: alt.nodes.iter().map(|n| Some(Arc::new(n.clone()))).collect(),
        locals: vec![Value::to(0, 0)],
        ..Graph::default()
    };
    let (special, general) = (graph(special), graph(general));
    let mut m = Match::new(&special, general);
    m.below = Some(Arc::clone(below));
    m.todo.push((Value::to(0, 0), Value::to(0, 0)));
    solve(m, &special, steps).map(|m| m.outer)
}

/// The orders of the general graph hold in the special one.
fn orders_hold(m: &Match, special: &Graph) -> bool {
    m.general.less.iter().all(|(a, b)| {
        let (Some(a), Some(b)) = (m.symbols[*a as usize], m.symbols[*b as usize]) else {
            return false;
        };
        let apart = match (special.range(a), special.range(b)) {
            (Some(a), Some(b)) => a.hi < b.lo,
            _ => false,
        };
        let known = match (a, b) {
            (Value::Sym(a), Value::Sym(b)) => special.less.contains(&(a, b)),
            _ => false,
        };
        apart || known
    })
}

/// The equations of the general graph hold in the special one: there are numbers for its symbols, of
/// which those that were met are known, and the others are given by equations.
fn relations_hold(m: &Match, special: &Graph) -> bool {
    let Some(relations) = &m.general.relations else { return true };
    let met = |s: Symbol| m.symbols[s as usize].and_then(|v| special.form(v));
    let all = relations.symbols();
    let open: Vec<Symbol> = all.iter().copied().filter(|s| met(*s).is_none()).collect();
    let is_met = |s: Symbol| (!open.contains(&s)).then_some(s);
    let is_zero = |row: &Form| {
        let Some(form) = row.mapped(met) else { return false };
        let twos = form.twos();
        let halved = Form {
            terms: form.terms.iter().map(|(s, a)| (*s, a >> twos)).collect(),
            constant: form.constant >> twos,
        };
        special.relations.as_ref().is_some_and(|r| r.rows.entails(&form))
            || special.bounds(&halved) == Some((0, 0))
    };
    let is_given = |s: &Symbol| {
        let others: Vec<Symbol> = open.iter().copied().filter(|o| o != s).collect();
        let range = m.general.ranges[*s as usize];
        let bounds = given_by(&relations.rows, *s, &others)
            .and_then(|form| special.bounds(&form.mapped(met)?));
        // No list has more elements than there can be.
        let any = m.counts.contains(s) && range.hi >= MOST_ELEMENTS;
        bounds.is_some_and(|(lo, hi)| {
            i128::from(range.lo) <= lo
                && (hi <= i128::from(range.hi) || any)
                && range.hole.is_none_or(|hole| i128::from(hole) < lo || hi < i128::from(hole))
        })
    };
    relations.rows.renamed(is_met).rows().all(is_zero)
        && open.iter().filter(|s| **s < m.said).all(is_given)
}

#[cfg(test)]
mod tests {
    use trellis_program::TypeTable;
    use trellis_program::concrete::Lifetime;

    use super::*;
    use crate::graph::Object;
    use crate::numbers::Relations;

    fn object(cells: &[Value]) -> Object {
        let new = Object::new(&TypeTable::default(), None, 16, Lifetime::Heap, false);
        Object { cells: cells.to_vec(), ..new }
    }

    #[test]
    fn a_symbol_tells_places_of_buffers_only() {
        let graph = |at: Option<Symbol>| {
            let mut graph = Graph { ranges: vec![Range::between(0, 8)], ..Graph::default() };
            let id = graph.add(Node::Object(object(&[])));
            graph.locals = vec![Value::Ptr(Place { at, ..Place::new(id, End::First, 0) })];
            graph.locals.push(Value::Sym(0));
            graph
        };
        assert!(embeds(&graph(None), &graph(None), &mut 100));
        assert!(!embeds(&graph(None), &graph(Some(0)), &mut 100));
    }

    #[test]
    fn a_list_that_is_counted_is_empty_only_if_its_count_says_so() {
        let general = |count: Value, ranges: Vec<Range>| {
            let relations = Some(Relations::default());
            let mut graph = Graph { ranges, relations, ..Graph::default() };
            let element = object(&[Value::Formal(Formal::Next, 0)]);
            let list = graph.add(Node::Summary(Summary {
                kind: Kind::Segment,
                alts: Arc::new(vec![Alt { nodes: vec![Node::Object(element)] }]),
                link: 0,
                back: 0,
                next: Value::Null,
                prev: Value::Null,
                params: Vec::new(),
                least: 0,
                count,
            }));
            graph.locals = vec![Value::to(list, 0)];
            graph
        };
        let empty = Graph { locals: vec![Value::Null], ..Graph::default() };
        let is_in = |range: Range| {
            let by_range = embeds(&empty, &general(Value::Range(range), Vec::new()), &mut 100);
            let by_symbol = embeds(&empty, &general(Value::Sym(0), vec![range]), &mut 100);
            assert_eq!(by_range, by_symbol);
            by_range
        };
        assert!(is_in(Range::between(0, 9)));
        assert!(!is_in(Range::between(5, 9)));
    }
}
