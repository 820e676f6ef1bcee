//! Initial heaps of a procedure that satisfy its precondition: one by number, or one at random.

use std::ops::ControlFlow;

use trellis_explore::heaps::HeapSpace;
use trellis_program::concrete::{InitialHeap, Machine};

use crate::engine::Task;
use crate::explore::machine_options;

/// A random heap is drawn from at most so many.
const POPULATION: u64 = 100_000;

/// Why there is no such heap.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoSuchHeap {
    /// How many there are up to the bound on objects.
    pub count: u64,
}

/// Heap number `n`, from 0, in the order of the explore engine: fewest objects first.
///
/// # Errors
/// If there are not so many.
pub fn nth(task: &Task<'_>, n: usize) -> Result<InitialHeap, NoSuchHeap> {
    let mut count = 0;
    let mut found = None;
    each(task, &mut |heap| {
        if count == n as u64 {
            found = Some(heap.clone());
            return ControlFlow::Break(());
        }
        count += 1;
        ControlFlow::Continue(())
    });
    found.ok_or(NoSuchHeap { count })
}

/// A heap chosen evenly among the first hundred thousand; the same seed gives the same heap.
///
/// # Errors
/// If there is none.
pub fn random(task: &Task<'_>, seed: u64) -> Result<InitialHeap, NoSuchHeap> {
    let mut random = Random::new(seed);
    let mut count = 0;
    let mut found = None;
    each(task, &mut |heap| {
        count += 1;
        // Reservoir sampling: the last of `count` heaps stays with probability 1 / count.
        if random.below(count) == 0 {
            found = Some(heap.clone());
        }
        if count < POPULATION { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    found.ok_or(NoSuchHeap { count })
}

/// Whether a heap satisfies `requires`.
pub fn satisfies_requires(task: &Task<'_>, heap: &InitialHeap) -> bool {
    let machine = Machine::new(task.program, machine_options(task));
    HeapSpace::new(&machine, task.proc).satisfies_requires(heap)
}

fn each(task: &Task<'_>, f: &mut dyn FnMut(&InitialHeap) -> ControlFlow<()>) {
    let machine = Machine::new(task.program, machine_options(task));
    let space = HeapSpace::new(&machine, task.proc);
    for objects in 0..=task.options.objects {
        if space.for_each(objects, f).is_break() {
            return;
        }
    }
}

/// SplitMix64: small, and the same on every machine.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A generator with a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// A number below `n`, which is not 0. The bias is below 2⁻³² for the small `n` of choices.
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n
    }
}
