//! An analysis is checked with the concrete machine.
//!
//! The checker is [`trellis_shapes::check`]; here it gets what it wants to see of an analysis.

use trellis_program::{Program, Rejected};
pub use trellis_shapes::check::{Checked, Options};
use trellis_shapes::evidence::{Shapes, write};
use trellis_shapes::heap::Heap;

use crate::analyse::states::States;
use crate::inputs::inputs;
use crate::program::ListProgram;

/// Checks that the heaps of an analysis are an invariant under which no check fails.
///
/// # Errors
/// If they are not, or time is over.
pub fn check(
    program: &Program,
    list: &ListProgram,
    states: &States,
    options: &Options<'_>,
) -> Result<Checked, Rejected> {
    let heaps = heaps(list, states);
    let many = list.inputs.len() > trellis_shapes::check::MOST_INPUTS;
    let starts = many.then(|| inputs(list, &mut |_| false).unwrap_or_default());
    let options = Options { starts: starts.as_deref(), ..options.clone() };
    trellis_shapes::check::check(program, list, &heaps, &options)
}

/// The heaps of an analysis as evidence that can be checked without it.
pub fn evidence(list: &ListProgram, states: &States) -> Shapes {
    write(list, &heaps(list, states))
}

/// The heaps at the start of every block.
pub fn heaps(list: &ListProgram, states: &States) -> Vec<Vec<Heap>> {
    (0..list.blocks.len()).map(|b| states.of_block(b).into_iter().cloned().collect()).collect()
}
