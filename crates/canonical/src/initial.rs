//! The list heaps that a procedure can start from.
//!
//! The heap of some pointer arguments is a graph of *interruptions* (the nodes that arguments point
//! to, and shared nodes) joined by uninterrupted lists. All such graphs are enumerated, each once up
//! to renaming, with lists of one, two and three edges.
//!
//! **Why three are enough**: a list of three edges has two inner nodes. Longer lists give the same
//! structure after [blur](trellis_logic::kleene::blur) if no predicate counts: the inner nodes of one
//! list have one name, and already with two of them every binary predicate that follows the edges
//! has taken the values between them that it takes with more. This holds of the predicates of
//! Tables 3 and 7 (a test compares with longer lists). Predicates of the user may count. With them,
//! the inner nodes of a longest list are one summary before such a predicate is evaluated, in the
//! way of Kleene: its value then holds of all longer lists too, or is `Maybe`.

use std::sync::Arc;

use trellis_logic::kleene::{Evaluator, KleeneStructure, PredId, Predicates};

use crate::core::Core;

/// A heap of pointer arguments: node i leads to `next[i]`, argument k points to `args[k]`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ListHeap {
    /// The successors.
    pub next: Vec<Option<usize>>,
    /// Where the arguments point.
    pub args: Vec<Option<usize>>,
}

impl ListHeap {
    /// The heap as a structure; `vars[k]` are the variables that hold argument k.
    pub fn structure(
        &self,
        predicates: &Arc<Predicates>,
        core: &Core,
        vars: &[Vec<usize>],
    ) -> KleeneStructure {
        let mut structure = KleeneStructure::new(predicates.clone(), self.next.len());
        for (u, next) in self.next.iter().enumerate() {
            if let Some(v) = next {
                structure.set(core.n, &[u, *v], true);
            }
        }
        for (arg, holders) in self.args.iter().zip(vars) {
            for &x in holders {
                if let Some(u) = arg {
                    structure.set(core.vars[x], &[*u], true);
                }
            }
        }
        structure.instrument();
        structure
    }

    /// The structure of this heap and of all that have longer lists in the place of its lists of
    /// `longest` edges, with these predicates evaluated in the end.
    pub fn summarised(
        &self,
        structure: KleeneStructure,
        longest: usize,
        counting: &[PredId],
    ) -> KleeneStructure {
        if counting.is_empty() {
            return structure;
        }
        let (map, size) = self.long_lists(longest);
        let mut merged = structure.merge(&map, size);
        let predicates = merged.predicates().clone();
        for &p in counting {
            let Some(definition) = &predicates.get(p).definition else {
                continue;
            };
            let values: Vec<_> = {
                let mut evaluator = Evaluator::new(&merged);
                (0..size).map(|u| evaluator.at(definition, &[u])).collect()
            };
            values.into_iter().enumerate().for_each(|(u, value)| merged.set(p, &[u], value));
        }
        merged
    }

    /// By node, its number if the inner nodes of every list of `longest` edges are one; and how
    /// many numbers there are.
    fn long_lists(&self, longest: usize) -> (Vec<usize>, usize) {
        let entered = |u: usize| self.next.iter().filter(|&&v| v == Some(u)).count();
        let inner = |u: usize| !self.args.contains(&Some(u)) && entered(u) == 1;
        let mut map: Vec<Option<usize>> = vec![None; self.next.len()];
        let mut size = 0;
        for start in (0..self.next.len()).filter(|&u| !inner(u)) {
            map[start] = Some(size);
            size += 1;
            let list: Vec<usize> = std::iter::successors(self.next[start], |&u| self.next[u])
                .take_while(|&u| inner(u))
                .collect();
            let is_long = list.len() + 1 >= longest;
            for (i, &u) in list.iter().enumerate() {
                size += usize::from(i == 0 || !is_long);
                map[u] = Some(size - 1);
            }
        }
        // Every node is reached, so each lies on the list of an interruption.
        (map.into_iter().map(Option::unwrap_or_default).collect(), size)
    }
}

/// All heaps of so many arguments, with lists of up to `longest` edges between interruptions.
pub fn list_heaps(args: usize, longest: usize) -> Vec<ListHeap> {
    let mut heaps = Vec::new();
    for shape in shapes(args) {
        let mut lengths = vec![1; shape.next.len()];
        loop {
            heaps.push(stretch(&shape, &lengths));
            let Some(i) = lengths.iter().position(|&l| l < longest) else {
                break;
            };
            lengths[..i].fill(1);
            lengths[i] += 1;
        }
    }
    heaps
}

/// The graphs of interruptions.
fn shapes(args: usize) -> Vec<ListHeap> {
    let mut done = Vec::new();
    let mut open = vec![ListHeap { next: Vec::new(), args: Vec::new() }];
    while let Some(heap) = open.pop() {
        if heap.args.len() < args {
            let named = heap.args.iter().flatten().max().map_or(0, |u| u + 1);
            for target in [None].into_iter().chain((0..=named).map(Some)) {
                let mut more = heap.clone();
                more.args.push(target);
                open.push(more);
            }
        } else {
            complete(&heap, &mut done);
        }
    }
    done.sort();
    done
}

/// Gives every node a successor. Shared nodes that no argument names are numbered in the order in
/// which they are found, so no two results differ in names only.
fn complete(heap: &ListHeap, done: &mut Vec<ListHeap>) {
    let named = heap.args.iter().flatten().max().map_or(0, |u| u + 1);
    let mut open = vec![(heap.clone(), named)];
    while let Some((heap, known)) = open.pop() {
        if heap.next.len() == known {
            let entered = |u: usize| heap.next.iter().filter(|&&v| v == Some(u)).count();
            if (named..known).all(|u| entered(u) >= 2) {
                done.push(heap);
            }
            continue;
        }
        // There are at most as many shared nodes as named ones.
        let targets = (known + 1).min(2 * named);
        for target in [None].into_iter().chain((0..targets).map(Some)) {
            let mut more = heap.clone();
            more.next.push(target);
            let now_known = known.max(target.map_or(0, |u| u + 1));
            open.push((more, now_known));
        }
    }
}

/// Puts inner nodes into lists of more than one edge.
fn stretch(shape: &ListHeap, lengths: &[usize]) -> ListHeap {
    let mut heap = shape.clone();
    for (u, &length) in lengths.iter().enumerate() {
        let mut at = u;
        for _ in 1..length {
            heap.next.push(shape.next[u]);
            heap.next[at] = Some(heap.next.len() - 1);
            at = heap.next.len() - 1;
        }
    }
    heap
}
