//! Concrete list heaps, and their abstraction by definition.
//!
//! Nothing here uses [`Heap::normalise`] or the transformers: this is what they are compared with,
//! in [`crate::check`] and in the tests.

use crate::heap::{Garbage, Heap, Lengths, Ref, Segment};

/// Where a concrete pointer points.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Target {
    /// A node.
    Node(usize),
    /// Null.
    Null,
    /// Nowhere: never written.
    Undef,
    /// Freed memory.
    Dangling,
}

impl Target {
    fn node(self) -> Option<usize> {
        if let Target::Node(i) = self { Some(i) } else { None }
    }

    fn end(self) -> Ref {
        match self {
            Target::Undef => Ref::UNDEF,
            Target::Dangling => Ref::DANGLING,
            Target::Null | Target::Node(_) => Ref::NULL,
        }
    }
}

/// A concrete heap of lists.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ListHeap {
    /// Variables.
    pub vars: Vec<Target>,
    /// The field of every node.
    pub next: Vec<Target>,
}

impl ListHeap {
    /// Which nodes a variable reaches.
    pub fn reachable(&self) -> Vec<bool> {
        let mut seen = vec![false; self.next.len()];
        for v in &self.vars {
            let mut at = *v;
            while let Some(i) = at.node() {
                if std::mem::replace(&mut seen[i], true) {
                    break;
                }
                at = self.next[i];
            }
        }
        seen
    }

    /// What no variable reaches.
    pub fn garbage(&self) -> Garbage {
        let seen = self.reachable();
        let mut lost = (0..self.next.len()).filter(|i| !seen[*i]).peekable();
        if lost.peek().is_none() {
            return Garbage::NONE;
        }
        if lost.any(|i| self.on_cycle(i)) { Garbage::CYCLE } else { Garbage::SOME }
    }

    fn on_cycle(&self, node: usize) -> bool {
        let mut at = self.next[node];
        for _ in 0..self.next.len() {
            match at.node() {
                None => return false,
                Some(i) if i == node => return true,
                Some(i) => at = self.next[i],
            }
        }
        false
    }

    /// The abstraction (*Predicate and Canonical Abstraction*, §3): interruptions are the reachable
    /// nodes that a variable points to or that have two or more reachable predecessors; everything
    /// between two of them is a segment. Integers are left out.
    pub fn abstraction(&self) -> Heap {
        let seen = self.reachable();
        let predecessors = |n: usize| {
            (0..self.next.len()).filter(|&i| seen[i] && self.next[i] == Target::Node(n)).count()
        };
        let interrupts = |n: usize| self.vars.contains(&Target::Node(n)) || predecessors(n) >= 2;
        let mut number: Vec<Option<usize>> = vec![None; self.next.len()];
        let mut order = Vec::new();
        for v in &self.vars {
            let mut at = *v;
            let mut steps = 0;
            while let Some(i) = at.node().filter(|_| steps <= self.next.len()) {
                if interrupts(i) && number[i].is_none() {
                    number[i] = Some(order.len());
                    order.push(i);
                }
                at = self.next[i];
                steps += 1;
            }
        }
        let name = |t: Target| match t.node() {
            Some(i) => Ref::node(number[i].expect("interruptions are numbered")),
            None => t.end(),
        };
        let segment = |&start: &usize| {
            let (mut at, mut length) = (self.next[start], 1);
            while let Some(i) = at.node().filter(|i| number[*i].is_none()) {
                at = self.next[i];
                length += 1;
            }
            Segment { to: name(at), lengths: Lengths::CLASSES[length.min(3) - 1] }
        };
        Heap {
            vars: self.vars.iter().map(|v| name(*v)).collect(),
            nodes: order.iter().map(segment).collect(),
            garbage: Garbage::NONE,
            ints: smallvec::SmallVec::new(),
        }
    }

    /// The concrete heap of an abstract one with the given lengths of its segments; no garbage.
    pub fn instance(heap: &Heap, lengths: &[usize]) -> ListHeap {
        let target = |r: Ref| match r {
            Ref::UNDEF => Target::Undef,
            Ref::DANGLING => Target::Dangling,
            r => r.index().map_or(Target::Null, Target::Node),
        };
        let mut next: Vec<Target> = heap.nodes.iter().map(|s| target(s.to)).collect();
        for (i, segment) in heap.nodes.iter().enumerate() {
            let mut at = i;
            for _ in 1..lengths[i] {
                next.push(target(segment.to));
                next[at] = Target::Node(next.len() - 1);
                at = next.len() - 1;
            }
        }
        ListHeap { vars: heap.vars.iter().map(|v| target(*v)).collect(), next }
    }
}

/// Calls `f` with every choice of concrete lengths for a heap, where *3 or more* becomes all
/// lengths from 3 to `longest`.
pub fn each_length(heap: &Heap, longest: usize, f: &mut dyn FnMut(&[usize])) {
    let options: Vec<Vec<usize>> = heap
        .nodes
        .iter()
        .map(|s| {
            let mut all = Vec::new();
            for class in s.lengths.classes() {
                match class {
                    Lengths::ONE => all.push(1),
                    Lengths::TWO => all.push(2),
                    _ => all.extend(3..=longest.max(3)),
                }
            }
            all
        })
        .collect();
    let mut digits = vec![0; options.len()];
    loop {
        let lengths: Vec<usize> = digits.iter().zip(&options).map(|(d, o)| o[*d]).collect();
        f(&lengths);
        let Some(i) = (0..digits.len()).find(|&i| digits[i] + 1 < options[i].len()) else {
            return;
        };
        digits[i] += 1;
        digits[..i].iter_mut().for_each(|d| *d = 0);
    }
}
