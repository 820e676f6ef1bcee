//! Initial heaps of a procedure that satisfy its precondition: one by number, one at random, or
//! the first of a size.

use std::ops::ControlFlow;

use trellis_explore::heaps::HeapSpace;
pub use trellis_explore::heaps::SplitMix;
use trellis_program::concrete::{InitialHeap, Machine};

use crate::engine::Task;
use crate::explore::machine_options;

/// Heap number `n`, from 0, in the order of the explore engine: fewest objects first. `None` if
/// there are not so many up to the bound on objects.
pub fn nth(task: &Task<'_>, n: u64) -> Option<InitialHeap> {
    let machine = Machine::new(task.program, machine_options(task));
    HeapSpace::new(&machine, task.proc).nth(task.options.objects, n)
}

/// A heap chosen at random; the same seed gives the same heap. `None` if there is none.
pub fn random(task: &Task<'_>, seed: u64) -> Option<InitialHeap> {
    let machine = Machine::new(task.program, machine_options(task));
    HeapSpace::new(&machine, task.proc).random(task.options.objects, seed)
}

/// The first heaps of exactly so many objects, in the order of the explore engine; at most `most`.
pub fn of_size(task: &Task<'_>, objects: usize, most: usize) -> Vec<InitialHeap> {
    let machine = Machine::new(task.program, machine_options(task));
    let mut found = Vec::new();
    // An early end is an answer, not an error.
    let _ = HeapSpace::new(&machine, task.proc).for_each(objects, &mut |heap| {
        found.push(heap.clone());
        if found.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    found
}

/// Where a whole program starts unless it is told; `None` for any other procedure.
pub fn program_start(task: &Task<'_>) -> Option<InitialHeap> {
    let machine = Machine::new(task.program, machine_options(task));
    HeapSpace::new(&machine, task.proc).program_start()
}

/// Whether a heap satisfies `requires`.
pub fn satisfies_requires(task: &Task<'_>, heap: &InitialHeap) -> bool {
    let machine = Machine::new(task.program, machine_options(task));
    HeapSpace::new(&machine, task.proc).satisfies_requires(heap)
}

/// Whether the procedure can start from a heap: what the caller or the host passes is in it.
pub(crate) fn can_start(task: &Task<'_>, heap: &InitialHeap) -> bool {
    let machine = Machine::new(task.program, machine_options(task));
    HeapSpace::new(&machine, task.proc).can_start(heap)
}
