//! Abstractions that tell shared nodes apart only up to a depth (*Predicate and Canonical
//! Abstraction*, §3.4).
//!
//! A shared node that no variable points to gets a name by its distance from a variable: `x_{s,k}`
//! is the k-th shared node on the way from `x`, as long as no variable points to one in between.
//! At depth `k` only the first `k` names of every variable are used; segments that begin or end at
//! a node without a name are not seen.
//!
//! The best transformer at depth `k` is the one at full depth between "all heaps that look the
//! same" and "how it looks": [`Sharing::close`] adds the heaps that look the same.

use std::cell::RefCell;
use std::collections::BTreeSet;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use crate::heap::{Heap, Lengths, Ref, Segment};
use crate::program::ListProgram;

/// The depth at which nothing is lost any more: with every step at least two ways join, so `n`
/// variables name all shared nodes within about log2(n) steps.
pub fn full_depth(vars: usize) -> usize {
    vars.max(1).ilog2() as usize + 1
}

/// For every interruption that no variable points to, the smallest `k` such that it is some
/// `x_{s,k}`; 0 for those that a variable points to.
pub fn depths(heap: &Heap) -> Vec<usize> {
    let mut depth = vec![usize::MAX; heap.nodes.len()];
    for v in heap.vars.iter().filter_map(|v| v.index()) {
        depth[v] = 0;
    }
    for start in heap.vars.iter().filter_map(|v| v.index()) {
        let mut at = heap.nodes[start].to;
        let mut k = 1;
        while let Some(i) = at.index() {
            if depth[i] <= k {
                break;
            }
            depth[i] = k;
            k += 1;
            at = heap.nodes[i].to;
        }
    }
    depth
}

/// What is left of a heap at depth `k`: nodes without a name are gone, and segments that ended at
/// one end in [`DEEP`].
pub fn project(heap: &Heap, k: usize) -> Heap {
    let depth = depths(heap);
    if depth.iter().all(|d| *d <= k) {
        return heap.clone();
    }
    let is_named = |r: Ref| r.index().is_none_or(|i| depth[i] <= k);
    let mut number = vec![None; heap.nodes.len()];
    let mut nodes: Vec<Segment> = Vec::new();
    for v in &heap.vars {
        let mut at = *v;
        while let Some(i) = at.index().filter(|&i| number[i].is_none() && is_named(at)) {
            number[i] = Some(nodes.len());
            let segment = heap.nodes[i];
            nodes.push(match is_named(segment.to) {
                true => segment,
                false => Segment { to: DEEP, lengths: Lengths::ANY },
            });
            at = segment.to;
        }
    }
    let rename = |r: Ref| r.index().and_then(|i| number[i]).map_or(r, Ref::node);
    Heap {
        vars: heap.vars.iter().map(|v| rename(*v)).collect(),
        nodes: nodes.into_iter().map(|s| Segment { to: rename(s.to), ..s }).collect(),
        garbage: heap.garbage,
        ints: heap.ints.clone(),
    }
}

/// The end of a segment that leads to a node without a name.
pub const DEEP: Ref = Ref::DEEP;

/// A limit on the depth.
#[derive(Default)]
pub struct Sharing {
    depth: Option<usize>,
    /// Heaps that look the same, by how they look.
    known: RefCell<HashMap<Heap, Vec<Heap>, FxBuildHasher>>,
}

impl Sharing {
    /// A limit for a program; `None` for full depth.
    pub fn new(program: &ListProgram, depth: Option<usize>) -> Sharing {
        Sharing::of(depth.filter(|k| *k < full_depth(program.vars.len())))
    }

    /// A limit, even if it is none.
    pub fn of(depth: Option<usize>) -> Sharing {
        Sharing { depth, known: RefCell::default() }
    }

    /// Whether anything is forgotten.
    pub fn is_limited(&self) -> bool {
        self.depth.is_some()
    }

    /// All heaps that look like this one.
    pub fn close(&self, heap: Heap) -> Vec<Heap> {
        let Some(k) = self.depth else {
            return vec![heap];
        };
        if depths(&heap).iter().all(|d| *d <= k) {
            return vec![heap];
        }
        let seen = project(&heap, k);
        let mut known = self.known.borrow_mut();
        known.entry(seen).or_insert_with_key(|seen| expand(seen, k)).clone()
    }
}

/// All heaps whose projection is the given one.
fn expand(seen: &Heap, k: usize) -> Vec<Heap> {
    let named = seen.nodes.len();
    let frontier: Vec<usize> = (0..named).filter(|&i| seen.nodes[i].to == DEEP).collect();
    let mut out = BTreeSet::new();
    // Every deep node has two predecessors among the frontier and the deep nodes.
    for deep in 1..=frontier.len() {
        let mut heap = seen.clone();
        heap.nodes.extend((0..deep).map(|_| Segment { to: Ref::NULL, lengths: Lengths::ANY }));
        let into_deep: Vec<Ref> = (named..named + deep).map(Ref::node).collect();
        let anywhere: Vec<Ref> = (0..named + deep).map(Ref::node).chain(Ref::ENDS).collect();
        let edges: Vec<usize> = frontier.iter().copied().chain(named..named + deep).collect();
        let choices = |i: usize| if i < frontier.len() { &into_deep } else { &anywhere };
        let mut digits = vec![0; edges.len()];
        loop {
            for (i, &edge) in edges.iter().enumerate() {
                heap.nodes[edge].to = choices(i)[digits[i]];
            }
            let mut candidate = heap.clone();
            candidate.normalise();
            if project(&candidate, k) == *seen {
                out.insert(candidate);
            }
            let Some(i) = (0..digits.len()).find(|&i| digits[i] + 1 < choices(i).len()) else {
                break;
            };
            digits[i] += 1;
            digits[..i].iter_mut().for_each(|d| *d = 0);
        }
    }
    out.into_iter().collect()
}
