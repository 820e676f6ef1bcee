//! The check of memory graphs, from the source up.
//!
//! A certificate may hold, in place of clauses, memory graphs at loop heads ([`Graphs`]). Calls are
//! replaced here again, but for recursive ones, and the graphs are followed from loop to loop by
//! [`trellis_graphs::check`], which knows no engine. [`crate::machine`] runs their small memories as
//! well.

use trellis_graphs::Codes;
pub use trellis_graphs::check::Invariant;
use trellis_graphs::check::check;
pub use trellis_graphs::evidence::Graphs;
use trellis_graphs::evidence::read;
use trellis_logic::Budget;
use trellis_program::{Inlined, Program, Rejected, first_refusal, inline_to_recursion};

use crate::certificate::Certificate;
use crate::restore::{Problem, find, options};
pub use crate::shapes::Claimed;

/// What a check of graphs has seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Checked {
    /// The loop heads with graphs.
    pub loops: usize,
    /// The graphs that were followed to the next loop heads.
    pub graphs: usize,
}

/// Checks the graphs of a certificate against a program, which was read from the source. Gives the
/// program without calls, for the second leg.
///
/// # Errors
/// If the certificate does not fit the program; then, if the graphs are no invariant.
pub fn check_certificate(
    program: &Program,
    certificate: &Certificate,
    graphs: &Graphs,
    budget: &Budget,
) -> Result<Result<(Checked, Inlined, Invariant), Rejected>, Problem> {
    let options = options(certificate)?;
    let proc = find(program, &certificate.procedure)?;
    let claimed = Claimed {
        checks: options.checks,
        malloc_may_fail: options.malloc_may_fail,
        budget: budget.clone(),
    };
    let both = || {
        let inlined = inline_to_recursion(program, proc)
            .map_err(|refusals| first_refusal(program, proc, refusals))?;
        let (checked, invariant) = check_as_given(&inlined, graphs, &claimed)?;
        Ok((checked, inlined, invariant))
    };
    Ok(both())
}

/// Checks that graphs are an invariant of a whole program, under which no check fails.
///
/// # Errors
/// If they are not, if this cannot be told, or time is over.
pub fn check_as_given(
    inlined: &Inlined,
    graphs: &Graphs,
    claimed: &Claimed,
) -> Result<(Checked, Invariant), Rejected> {
    let &Claimed { checks, malloc_may_fail, ref budget } = claimed;
    let codes = Codes::new(inlined, checks, malloc_may_fail)?;
    let invariant = read(&codes, graphs).map_err(Rejected::Wrong)?;
    let followed = check(&codes, &invariant, budget)?;
    let loops = invariant.all_loops(inlined.proc).count();
    Ok((Checked { loops, graphs: followed }, invariant))
}
