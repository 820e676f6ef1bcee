//! Integers that grow become ranges.

use std::collections::BTreeSet;

use trellis_graphs::{Graph, Node, Range, Value};
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
    out.map(|v| match v {
        Value::Int(_) | Value::Sym(_) | Value::Range(_) => Value::Int(0),
        v => v,
    });
    out.ranges.clear();
    out.less.clear();
    out
}

/// Two graphs with the same skeleton as one, their integers as ranges.
pub fn join_numbers(old: &Graph, new: &Graph, thresholds: &Thresholds) -> Graph {
    let mut out = new.clone();
    out.less.clear();
    let mut ranges: Vec<Range> = Vec::new();
    // What is one symbol in both stays one.
    let mut names: Vec<((Value, Value), Value)> = Vec::new();
    let mut join = |a: Value, b: Value| {
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
        let value = Value::Sym(ranges.len() as u32 - 1);
        if named {
            names.push(((a, b), value));
        }
        value
    };
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
    out.normalised()
}
