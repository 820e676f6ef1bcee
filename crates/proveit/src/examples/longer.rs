//! A longer search for the heap that shows why a candidate does not do, for whoever waits for it: a
//! person who is told that a pattern fails wants to see how.
//!
//! Heaps of one size are counted first, and those that are tried lie evenly among them, so that they
//! do not all begin alike.

use std::ops::ControlFlow as Go;

use trellis_patterns::enumerate::{Found, Samples, each};
use trellis_patterns::heap::Heap;
use trellis_patterns::pattern::{Label, Pattern};

use super::{Refutation, Runner};

/// Cells of the largest heap that is tried.
const MOST_CELLS: usize = 10;
/// Steps of building heaps of one size.
const MOST_STEPS: usize = 200_000;
/// Heaps of one size of one pattern that are tried.
const MOST_HEAPS: usize = 200;

impl Runner<'_> {
    /// The same as [`Runner::refute`], with larger heaps and more of them.
    pub fn refute_longer(
        &self,
        block: usize,
        label: &Label,
        allowed: &dyn Fn(usize, &Heap) -> bool,
    ) -> Option<Refutation> {
        let mut harmless = None;
        for cells in 0..=MOST_CELLS {
            for pattern in &label.0 {
                let mut heaps = 0_usize;
                self.each_built(pattern, cells, &mut |_| {
                    heaps += 1;
                    Go::Continue(())
                });
                let stride = heaps.div_ceil(MOST_HEAPS).max(1);
                let (mut number, mut found) = (0, None);
                self.each_built(pattern, cells, &mut |heap| {
                    number += 1;
                    if (number - 1) % stride != 0 {
                        return Go::Continue(());
                    }
                    match self.refute_with(block, heap, allowed) {
                        None => Go::Continue(()),
                        Some(Refutation::Implication(i)) => {
                            harmless.get_or_insert(i);
                            Go::Continue(())
                        }
                        Some(negative) => {
                            found = Some(negative);
                            Go::Break(())
                        }
                    }
                });
                if found.is_some() {
                    return found;
                }
            }
            if harmless.is_some() {
                break;
            }
        }
        harmless.map(Refutation::Implication)
    }

    /// The heaps of one size, as far as a bound on the work of building them goes.
    fn each_built(&self, pattern: &Pattern, cells: usize, f: &mut dyn FnMut(&Heap) -> Go<()>) {
        let mut steps = 0;
        let _ = each(&self.patterns.words, pattern, cells, Samples(3), &mut |found| {
            steps += 1;
            match found {
                _ if steps > MOST_STEPS => Go::Break(()),
                Found::Step => Go::Continue(()),
                Found::Heap(heap) => f(heap),
            }
        });
    }
}
