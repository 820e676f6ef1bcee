//! Integers that grow become ranges.

use std::collections::BTreeSet;

use trellis_graphs::linear::{Form, System};
use trellis_graphs::numbers::Relations;
use trellis_graphs::{Graph, Node, Place, Range, Symbol, Value};
use trellis_program::{Expr, Procedure};

/// Numbers at which a range may end: those of types, and what the code compares with.
pub struct Thresholds(Vec<i64>);

/// The ends of the ranges of types.
const OF_TYPES: [i64; 12] = [
    i64::MIN,
    i32::MIN as i64,
    i16::MIN as i64,
    i8::MIN as i64,
    0,
    1,
    i8::MAX as i64,
    u8::MAX as i64,
    i16::MAX as i64,
    i32::MAX as i64,
    u32::MAX as i64,
    i64::MAX,
];

impl Thresholds {
    /// Those of a procedure.
    pub fn of(procedure: &Procedure) -> Thresholds {
        let mut all: BTreeSet<i64> = OF_TYPES.into_iter().collect();
        for block in procedure.blocks() {
            for e in block.exprs() {
                e.visit(&mut |e| {
                    if let Expr::Int(i) = e {
                        all.extend([i.saturating_sub(1), *i, i.saturating_add(1)]);
                    }
                });
            }
        }
        Thresholds(all.into_iter().collect())
    }

    /// The same with the sizes and lengths of a graph's buffers, where loops over these end.
    fn with_buffers(&self, graph: &Graph) -> Thresholds {
        let mut all: BTreeSet<i64> = self.0.iter().copied().collect();
        for buffer in graph.ids().filter_map(|id| graph.node(id).buffer()) {
            for value in [buffer.size, buffer.length] {
                if let Value::Int(i) = value {
                    all.extend([i, i.saturating_add(1)]);
                }
            }
        }
        Thresholds(all.into_iter().collect())
    }

    /// A range with both in it that can grow only a few times more.
    pub fn widen(&self, old: Range, new: Range) -> Range {
        let lo = match new.lo < old.lo {
            true => self.0.iter().rev().find(|t| **t <= new.lo).copied().unwrap_or(i64::MIN),
            false => old.lo,
        };
        let hi = match new.hi > old.hi {
            true => self.0.iter().find(|t| **t >= new.hi).copied().unwrap_or(i64::MAX),
            false => old.hi,
        };
        let hole = old.hull(new).hole;
        Range { lo, hi, hole }.trimmed()
    }
}

/// The hull of two ranges, as alternatives keep them: a few small numbers, or all of a width.
pub fn hull(a: Range, b: Range) -> Range {
    let both = a.hull(b);
    if both.lo >= -8 && both.hi <= 16 || a.includes(b) || b.includes(a) {
        return both;
    }
    let lo = OF_TYPES.iter().rev().find(|t| **t <= both.lo).copied().unwrap_or(i64::MIN);
    let hi = OF_TYPES.iter().find(|t| **t >= both.hi).copied().unwrap_or(i64::MAX);
    Range::between(lo, hi)
}

/// A graph without its integers: graphs with the same one can be joined by [`join_numbers`].
pub fn skeleton(graph: &Graph) -> Graph {
    let mut out = graph.clone();
    let is_buffer = |p: Place| matches!(graph.node(p.node), Node::Buffer(_) | Node::Arguments(_));
    out.map(|v| match v {
        Value::Int(_) | Value::Sym(_) | Value::Range(_) => Value::Int(0),
        Value::Ptr(p) if is_buffer(p) => Value::Ptr(Place { off: 0, at: None, ..p }),
        v => v,
    });
    out.ranges.clear();
    out.less.clear();
    out.relations = None;
    out
}

/// Two graphs with the same skeleton as one, their integers as ranges.
pub fn join_numbers(old: &Graph, new: &Graph, thresholds: &Thresholds) -> Graph {
    let (old, new) = (&old.buffers_named(), &new.buffers_named());
    let thresholds = &thresholds.with_buffers(new);
    let mut out = new.clone();
    out.less.clear();
    let mut ranges: Vec<Range> = Vec::new();
    // What is one symbol in both stays one.
    let mut names: Vec<((Value, Value), Value)> = Vec::new();
    let mut pairs: Vec<(Value, Value)> = Vec::new();
    let mut number = |a: Value, b: Value| {
        let (Some(ra), Some(rb)) = (old.range(a), new.range(b)) else { return b };
        if a == b && matches!(a, Value::Int(_)) {
            return a;
        }
        let named = !matches!(a, Value::Range(_)) && !matches!(b, Value::Range(_));
        if named && let Some((_, known)) = names.iter().find(|(key, _)| *key == (a, b)) {
            return *known;
        }
        let range = if ra.includes(rb) { ra } else { thresholds.widen(ra, rb) };
        ranges.push(range);
        pairs.push((a, b));
        let value = Value::Sym(ranges.len() as u32 - 1);
        if named {
            names.push(((a, b), value));
        }
        value
    };
    let mut join = |a: Value, b: Value| match (a, b) {
        (Value::Ptr(p), Value::Ptr(q)) if (p.off, p.at) != (q.off, q.at) || q.at.is_some() => {
            match (p.position(), q.position()) {
                (Some(x), Some(y)) => q.with_position(number(x, y)).map_or(b, Value::Ptr),
                // Nobody can read it.
                _ => Value::Mixed,
            }
        }
        _ => number(a, b),
    };
    for (b, a) in out.held.iter_mut().zip(&old.held) {
        *b = join(*a, *b);
    }
    for (b, a) in out.locals.iter_mut().zip(&old.locals) {
        *b = join(*a, *b);
    }
    for (b, a) in out.globals.iter_mut().zip(&old.globals) {
        *b = join(*a, *b);
    }
    for (b, a) in out.nodes.iter_mut().zip(&old.nodes) {
        let (Some(b), Some(a)) = (b, a) else { continue };
        let values = a.values();
        let mut cell = 0;
        let node: &mut Node = std::sync::Arc::make_mut(b);
        node.map(&mut |v| {
            cell += 1;
            join(values[cell - 1], v)
        });
    }
    out.ranges = ranges;
    if let (Some(_), Some(_)) = (&old.relations, &new.relations) {
        let (first, second) = pairs.into_iter().unzip();
        relate(&mut out, &in_terms_of(old, first), &in_terms_of(new, second));
    }
    out.normalised()
}

/// A graph of symbols only: some values of another graph, in their order, and what is known of them.
fn in_terms_of(graph: &Graph, values: Vec<Value>) -> Graph {
    let count = values.len() as Symbol;
    let mut out = Graph { ranges: Vec::new(), ..Graph::default() };
    out.ranges.extend(values.iter().map(|v| graph.range(*v).unwrap_or(Range::one(0))));
    out.ranges.extend(&graph.ranges);
    let known = graph.relations.as_ref();
    out.relations = known.map(|r| r.renamed(|s| Some(s + count)));
    for (i, v) in values.iter().enumerate() {
        let moved = match v {
            Value::Sym(s) => Value::Sym(s + count),
            v => *v,
        };
        if let Some(form) = graph.form(moved) {
            out.relate(Form::symbol(i as Symbol).minus(&form));
        }
    }
    out
}

/// What is known in two graphs of the symbols that both begin with: equations, and which is at most
/// which.
fn relate(out: &mut Graph, old: &Graph, new: &Graph) {
    let count = out.ranges.len() as Symbol;
    let rows = |g: &Graph| {
        let all = g.relations.as_ref().map_or(System::NONE, |r| r.rows.clone());
        all.renamed(|s| (s < count).then_some(s))
    };
    out.relations = Some(Relations { rows: rows(old).common(&rows(new)), slack: Vec::new() });
    for a in 0..count {
        for b in (0..count).filter(|b| *b != a) {
            let form = Form::symbol(b).minus(&Form::symbol(a));
            let at_least = |g: &Graph| g.bounds(&form).map_or(i128::MIN, |(lo, _)| lo);
            let least = at_least(old).min(at_least(new));
            let known = at_least(out);
            if least >= 0 && known < least.min(1) {
                let most = out.bounds(&form).and_then(|(_, hi)| i64::try_from(hi).ok());
                if let Some(most) = most {
                    out.slack(&form, Range::between(least.min(1) as i64, most));
                }
            }
        }
    }
}
