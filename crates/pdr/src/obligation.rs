//! States to block.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use trellis_transys::LocationId;

use crate::cube::Cube;
use crate::model::State;

/// A state to block: where, up to which frame, and why.
#[derive(Clone, Debug)]
pub struct Obligation {
    /// Where the state is.
    pub at: LocationId,
    /// What to block.
    pub cube: Cube,
    /// The state that the cube was made from.
    pub state: State,
    /// The path that was taken from it, by its index.
    pub path: usize,
    /// The obligation that it leads to; none for a bad state.
    pub leads_to: Option<usize>,
}

/// The obligations that are open, lowest level first, then the latest.
#[derive(Debug, Default)]
pub struct Queue {
    heap: BinaryHeap<(Reverse<usize>, usize)>,
}

impl Queue {
    /// Adds an obligation by its number, to be blocked at a level.
    pub fn push(&mut self, level: usize, obligation: usize) {
        self.heap.push((Reverse(level), obligation));
    }

    /// Takes the next one.
    pub fn pop(&mut self) -> Option<(usize, usize)> {
        self.heap.pop().map(|(Reverse(level), obligation)| (level, obligation))
    }
}
