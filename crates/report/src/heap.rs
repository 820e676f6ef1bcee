//! Heaps as users read and write them.

use trellis_program::concrete::{InitialHeap, State};
use trellis_program::{ProcId, Program};

/// A state as lines of text; variables of the innermost procedure and globals are the roots.
pub fn drawing(program: &Program, state: &State) -> Vec<String> {
    let _ = (program, state);
    Vec::new()
}

/// An initial heap in heap notation.
pub fn notation(program: &Program, proc: ProcId, heap: &InitialHeap) -> String {
    let _ = (program, proc, heap);
    String::new()
}
