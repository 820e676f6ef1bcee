//! What statements do to abstract heaps, exactly (*Predicate and Canonical Abstraction*, Table 2
//! and §4.2).
//!
//! Every function here is the best transformer of the abstraction: its results, and nothing else,
//! are the abstractions of what the concrete statement makes of the concrete heaps that the
//! argument stands for. `tests/best.rs` proves it by enumeration.
//!
//! The only statement that splits segments is the load; the only ones that need to know whether a
//! segment has inner nodes are those that lose them.

use crate::heap::{Garbage, Heap, Lengths, Ref, Segment};
pub use crate::program::Source;

/// Why a pointer cannot be followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// It is null.
    Null,
    /// It was never written.
    Undef,
    /// Its memory was freed.
    Dangling,
}

/// What is kept of the past.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Transformer {
    /// Heaps remember that something became unreachable.
    pub track_garbage: bool,
}

impl Transformer {
    /// Normalises and notes what was lost.
    pub fn finish(self, heap: &mut Heap) {
        let lost = heap.normalise();
        heap.garbage = if self.track_garbage { heap.garbage.and(lost) } else { Garbage::NONE };
    }

    /// The node that a variable points to.
    ///
    /// # Errors
    /// If it points to none.
    pub fn node(self, heap: &Heap, var: usize) -> Result<usize, Fault> {
        match heap.vars[var] {
            Ref::NULL => Err(Fault::Null),
            Ref::UNDEF => Err(Fault::Undef),
            Ref::DANGLING => Err(Fault::Dangling),
            node => node.index().ok_or(Fault::Dangling),
        }
    }

    /// `dst = value`.
    pub fn assign(self, mut heap: Heap, dst: usize, value: Source) -> Heap {
        heap.vars[dst] = read(&heap, value);
        self.finish(&mut heap);
        heap
    }

    /// `dst = new node`, whose field holds `field`.
    pub fn allocate(self, mut heap: Heap, dst: usize, field: Ref) -> Heap {
        heap.vars[dst] = heap.push(field, Lengths::ONE);
        self.finish(&mut heap);
        heap
    }

    /// `dst = src->next`.
    ///
    /// # Errors
    /// If `src` cannot be followed.
    pub fn load(
        self,
        heap: Heap,
        dst: usize,
        src: usize,
        out: &mut Vec<Heap>,
    ) -> Result<(), Fault> {
        let node = self.node(&heap, src)?;
        let Segment { to, lengths } = heap.nodes[node];
        if lengths.includes(Lengths::ONE) {
            let mut near = heap.clone();
            near.nodes[node].lengths = Lengths::ONE;
            near.vars[dst] = to;
            self.finish(&mut near);
            out.push(near);
        }
        let long = lengths.and(Lengths::LONG);
        if !long.is_empty() {
            let mut far = heap;
            let inner = far.push(to, long.rest());
            far.nodes[node] = Segment { to: inner, lengths: Lengths::ONE };
            far.vars[dst] = inner;
            self.finish(&mut far);
            out.push(far);
        }
        Ok(())
    }

    /// `dst->next = value`.
    ///
    /// # Errors
    /// If `dst` cannot be followed.
    pub fn store(
        self,
        heap: Heap,
        dst: usize,
        value: Source,
        out: &mut Vec<Heap>,
    ) -> Result<(), Fault> {
        let node = self.node(&heap, dst)?;
        let to = read(&heap, value);
        for mut next in self.cut(heap, node) {
            next.nodes[node] = Segment { to, lengths: Lengths::ONE };
            self.finish(&mut next);
            out.push(next);
        }
        Ok(())
    }

    /// `free(var)`; null is allowed.
    ///
    /// # Errors
    /// If the variable is undefined or its memory is freed already.
    pub fn free(self, heap: Heap, var: usize, out: &mut Vec<Heap>) -> Result<(), Fault> {
        let node = match self.node(&heap, var) {
            Err(Fault::Null) => {
                out.push(heap);
                return Ok(());
            }
            found => found?,
        };
        let dead = Ref::node(node);
        for mut next in self.cut(heap, node) {
            let all = next.vars.iter_mut().chain(next.nodes.iter_mut().map(|s| &mut s.to));
            all.filter(|r| **r == dead).for_each(|r| *r = Ref::DANGLING);
            // The node itself is freed, not lost: it is dropped without a trace.
            next.nodes[node] = Segment { to: Ref::NULL, lengths: Lengths::ONE };
            let lost = without(&mut next, node);
            next.garbage = if self.track_garbage { next.garbage.and(lost) } else { Garbage::NONE };
            out.push(next);
        }
        Ok(())
    }

    /// The heap before the segment of a node goes away: with the inner nodes of a long segment
    /// noted as lost.
    fn cut(self, heap: Heap, node: usize) -> Vec<Heap> {
        let lengths = heap.nodes[node].lengths;
        if !self.track_garbage || heap.garbage.any() {
            return vec![heap];
        }
        let mut out = Vec::new();
        if lengths.includes(Lengths::ONE) {
            out.push(heap.clone());
        }
        if !lengths.and(Lengths::LONG).is_empty() {
            out.push(Heap { garbage: heap.garbage.and(Garbage::SOME), ..heap });
        }
        out
    }
}

fn read(heap: &Heap, value: Source) -> Ref {
    match value {
        Source::End(end) => end,
        Source::Var(v) => heap.vars[v],
    }
}

/// Normalises after a node was freed: it is not reachable, and it is not garbage.
fn without(heap: &mut Heap, node: usize) -> Garbage {
    // The last node takes its place, so that only real losses are left to be noticed.
    let last = heap.nodes.len() - 1;
    heap.nodes.swap_remove(node);
    if node != last {
        let (old, new) = (Ref::node(last), Ref::node(node));
        let all = heap.vars.iter_mut().chain(heap.nodes.iter_mut().map(|s| &mut s.to));
        all.filter(|r| **r == old).for_each(|r| *r = new);
    }
    heap.normalise()
}
