//! Splitting (section 3.2): one heap becomes several, in each of which every singleton predicate is
//! true in exactly one complete cube, and every state predicate has one value.
//!
//! **Invariant.** The states of a heap are those of the heaps it is split into.

use std::collections::BTreeSet;

use crate::cache::Sample;
use crate::cube::{Bits, ObjectCube};
use crate::heap::Heap;
use crate::predicates::Predicates;
use crate::step::End;

/// More cubes of one variable than this are not counted.
const COUNTED: usize = 32;

/// What a heap that was split has decided: the values of state predicates, and the cube of the object
/// of every singleton predicate.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Signature {
    /// The values of the state predicates.
    pub states: Bits,
    /// The cubes, in the order of the singleton predicates.
    pub singles: Vec<Bits>,
}

impl Signature {
    /// That of the state at an end of a path in a sample.
    pub fn of(predicates: &Predicates, sample: &Sample, end: End) -> Signature {
        let first = sample.at(end).first().copied().unwrap_or(0);
        Signature { states: first & predicates.states, singles: sample.singles(predicates, end) }
    }

    /// How many a heap has at most, without looking at what predicates mean.
    pub fn most(predicates: &Predicates, heap: &Heap) -> usize {
        let pointed = |&i: &usize| -> Vec<Bits> {
            let cubes = heap.meet(&predicates.space.of(ObjectCube::TOP.with(i, true)));
            cubes.cubes().take(COUNTED).collect()
        };
        let pointed: Vec<Vec<Bits>> = predicates.singles.iter().map(pointed).collect();
        if pointed.is_empty() || pointed.iter().any(|cubes| cubes.len() == COUNTED) {
            return usize::MAX;
        }
        let states: BTreeSet<Bits> = pointed[0].iter().map(|b| b & predicates.states).collect();
        let agree = |state: Bits, cubes: &[Bits]| {
            cubes.iter().filter(|&&bits| bits & predicates.states == state).count()
        };
        let with = |state: Bits| {
            pointed.iter().fold(1_usize, |all, cubes| all.saturating_mul(agree(state, cubes)))
        };
        states.into_iter().fold(0, |all, state| all.saturating_add(with(state)))
    }

    /// The part of a heap that agrees with it.
    pub fn restrict(&self, predicates: &Predicates, heap: &Heap) -> Heap {
        let space = &predicates.space;
        let states = space.of(ObjectCube::of(predicates.states, self.states));
        let mut heap = heap.meet(&states);
        for (&i, &bits) in predicates.singles.iter().zip(&self.singles) {
            let elsewhere = space.of(ObjectCube::TOP.with(i, false));
            heap = heap.meet(&elsewhere.join(&space.complete(bits)));
        }
        heap
    }
}

/// Splits a heap without looking at what predicates mean.
pub fn split(predicates: &Predicates, heap: &Heap) -> Vec<Heap> {
    let space = &predicates.space;
    let mut heaps = vec![heap.clone()];
    for i in (0..space.count()).filter(|i| predicates.states >> i & 1 == 1) {
        let sides = [true, false].map(|value| space.of(ObjectCube::TOP.with(i, value)));
        heaps = heaps.iter().flat_map(|h| sides.iter().map(|side| h.meet(side))).collect();
        heaps.retain(|h| !h.is_empty());
    }
    for &i in &predicates.singles {
        let sides = [true, false].map(|value| space.of(ObjectCube::TOP.with(i, value)));
        let mut next = Vec::new();
        for heap in heaps {
            let others = heap.meet(&sides[1]);
            // In a fixed order, and each once.
            let pointed: BTreeSet<Bits> = heap.meet(&sides[0]).cubes().collect();
            next.extend(pointed.into_iter().map(|bits| others.join(&space.complete(bits))));
        }
        heaps = next;
    }
    // The cube of one variable may have been the one that another one is not in.
    let has_object =
        |h: &Heap, i: usize| !h.meet(&space.of(ObjectCube::TOP.with(i, true))).is_empty();
    heaps.retain(|h| predicates.singles.iter().all(|&i| has_object(h, i)));
    heaps
}
