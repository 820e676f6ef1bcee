//! Sets of nodes: `content`, `\union`, `\inter`, `\diff`, `\in`, `\subset`.
//!
//! A set is made of interruptions and of the inner nodes of segments. The latter may be none, if
//! the segment has length 1; where that matters the heap is split.

use trellis_program::spec::SetOp;

use super::{Cases, Evaluator, Place, Truths, Value, one, pointer};
use crate::heap::{Heap, Lengths, Ref};
use crate::program::{SetTerm, Term};

/// How two sets are compared.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Comparison {
    Equal,
    Subset,
}

/// A set term whose pointers have been evaluated.
#[derive(Clone)]
enum SetValue {
    Empty,
    Singleton(Place),
    Content(Place),
    Op(SetOp, Box<SetValue>, Box<SetValue>),
}

/// A set of places.
#[derive(Clone)]
struct Places {
    /// By interruption.
    nodes: Vec<bool>,
    /// By interruption: the inner nodes of its segment.
    inner: Vec<bool>,
    null: bool,
    /// Freed memory; which is not known.
    dangling: bool,
}

impl Evaluator<'_> {
    pub(super) fn compare_sets(
        &self,
        heap: Heap,
        a: &SetTerm,
        b: &SetTerm,
        how: Comparison,
    ) -> Cases<Truths> {
        let mut out = Cases::new();
        for (h, a) in self.set_value(heap, a) {
            for (h, b) in self.set_value(h, b) {
                match (&a, &b) {
                    (Some(a), Some(b)) => decide(h, a, b, how, &mut out),
                    _ => out.push((h, Truths::UNDEFINED)),
                }
            }
        }
        out
    }

    pub(super) fn member(&self, heap: Heap, x: &Term, s: &SetTerm) -> Cases<Truths> {
        let mut out = Cases::new();
        for (h, place) in self.term(heap, x) {
            for (h, set) in self.set_value(h, s) {
                let truth = match (place, set) {
                    (Some(place), Some(set)) => {
                        let places = places(&h, &set);
                        match pointer(&h, place) {
                            Ref::NULL => places.null.into(),
                            Ref::DANGLING if places.dangling => Truths::EITHER,
                            r => r.index().is_some_and(|i| places.nodes[i]).into(),
                        }
                    }
                    _ => Truths::UNDEFINED,
                };
                out.push((h, truth));
            }
        }
        out
    }

    /// Evaluates the pointers of a set term; `None` if one has no value.
    fn set_value(&self, heap: Heap, set: &SetTerm) -> Cases<Option<SetValue>> {
        let of_term = |make: fn(Place) -> SetValue, t: &Term| {
            let cases = self.term(heap.clone(), t);
            cases.into_iter().map(|(h, v): (Heap, Value)| (h, v.map(make))).collect()
        };
        match set {
            SetTerm::Empty => one(heap, Some(SetValue::Empty)),
            SetTerm::Singleton(t) => of_term(SetValue::Singleton, t),
            SetTerm::Content(t) => of_term(SetValue::Content, t),
            SetTerm::Op(op, a, b) => {
                let mut out = Cases::new();
                for (h, a) in self.set_value(heap, a) {
                    for (h, b) in self.set_value(h, b) {
                        let value = match (a.clone(), b) {
                            (Some(a), Some(b)) => Some(SetValue::Op(*op, Box::new(a), Box::new(b))),
                            _ => None,
                        };
                        out.push((h, value));
                    }
                }
                out
            }
        }
    }
}

fn places(heap: &Heap, set: &SetValue) -> Places {
    let none = || {
        let n = heap.nodes.len();
        Places { nodes: vec![false; n], inner: vec![false; n], null: false, dangling: false }
    };
    match set {
        SetValue::Empty => none(),
        SetValue::Singleton(p) => {
            let mut places = none();
            match pointer(heap, *p) {
                Ref::NULL => places.null = true,
                Ref::DANGLING => places.dangling = true,
                r => r.index().into_iter().for_each(|i| places.nodes[i] = true),
            }
            places
        }
        SetValue::Content(p) => {
            let mut places = none();
            let from = pointer(heap, *p);
            for i in heap.path(from) {
                places.nodes[i] = true;
                places.inner[i] = true;
            }
            places.dangling = heap.end(from) == Some(Ref::DANGLING);
            places
        }
        SetValue::Op(op, a, b) => {
            let (a, b) = (places(heap, a), places(heap, b));
            let f = |a: bool, b: bool| match op {
                SetOp::Union => a || b,
                SetOp::Inter => a && b,
                SetOp::Diff => a && !b,
            };
            let zip = |a: &[bool], b: &[bool]| a.iter().zip(b).map(|(a, b)| f(*a, *b)).collect();
            Places {
                nodes: zip(&a.nodes, &b.nodes),
                inner: zip(&a.inner, &b.inner),
                null: f(a.null, b.null),
                // Which freed memory it is nobody knows, so it may be in the result.
                dangling: a.dangling || b.dangling,
            }
        }
    }
}

/// Compares two sets; splits the heap where it matters whether a segment has inner nodes.
fn decide(heap: Heap, a: &SetValue, b: &SetValue, how: Comparison, out: &mut Cases<Truths>) {
    let (left, right) = (places(&heap, a), places(&heap, b));
    if left.dangling || right.dangling {
        out.push((heap, Truths::EITHER));
        return;
    }
    let differs = |a: bool, b: bool| match how {
        Comparison::Equal => a != b,
        Comparison::Subset => a && !b,
    };
    let mut outside = left.nodes.iter().zip(&right.nodes);
    if outside.any(|(a, b)| differs(*a, *b)) || differs(left.null, right.null) {
        out.push((heap, Truths::FALSE));
        return;
    }
    let open = (0..heap.nodes.len())
        .find(|&i| differs(left.inner[i], right.inner[i]) && heap.nodes[i].lengths != Lengths::ONE);
    let Some(i) = open else {
        out.push((heap, Truths::TRUE));
        return;
    };
    let lengths = heap.nodes[i].lengths;
    if lengths.includes(Lengths::ONE) {
        let mut short = heap.clone();
        short.nodes[i].lengths = Lengths::ONE;
        decide(short, a, b, how, out);
    }
    let mut long = heap;
    long.nodes[i].lengths = lengths.and(Lengths::LONG);
    out.push((long, Truths::FALSE));
}
