//! States to block.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use trellis_transys::LocationId;

use crate::cube::Cube;
use crate::model::State;
use crate::strategy::Order;

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

/// The obligations that are open: by their level, those made last first, or just those added last.
#[derive(Debug)]
pub struct Queue {
    order: Order,
    /// How many were added.
    added: usize,
    heap: BinaryHeap<((Reverse<usize>, usize), Open)>,
}

/// A level and an obligation to be blocked there.
type Open = (usize, usize);

impl Queue {
    /// An empty queue.
    pub fn new(order: Order) -> Queue {
        Queue { order, added: 0, heap: BinaryHeap::new() }
    }

    /// Adds an obligation by its number, to be blocked at a level.
    pub fn push(&mut self, level: usize, obligation: usize) {
        self.added += 1;
        let key = match self.order {
            Order::LowestFrame => (Reverse(level), obligation),
            Order::Newest => (Reverse(0), self.added),
        };
        self.heap.push((key, (level, obligation)));
    }

    /// Takes the next one.
    pub fn pop(&mut self) -> Option<(usize, usize)> {
        self.heap.pop().map(|(_, open)| open)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders() {
        let all = [(2, 0), (1, 1), (1, 2), (3, 3)];
        for (order, expected) in [
            (Order::LowestFrame, [(1, 2), (1, 1), (2, 0), (3, 3)]),
            (Order::Newest, [(3, 3), (1, 2), (1, 1), (2, 0)]),
        ] {
            let mut queue = Queue::new(order);
            all.iter().for_each(|&(level, number)| queue.push(level, number));
            let popped: Vec<_> = std::iter::from_fn(|| queue.pop()).collect();
            assert_eq!(popped, expected, "{order:?}");
        }
    }
}
