//! The check of abstract heaps of lists, from the source up.
//!
//! A certificate may hold, in place of clauses, the abstract heaps at the start of every block
//! ([`Shapes`]). The procedure is lowered again here; the heaps are then tried with the concrete
//! machine by [`trellis_shapes::check`], which knows no engine. They need no logic, so cyclic lists
//! are no different from others.

use trellis_logic::Budget;
use trellis_program::{CheckSet, InlineLimits, ProcId, Program, Refusal, Rejected, inline};
pub use trellis_shapes::check::Checked;
use trellis_shapes::check::{Options, check};
use trellis_shapes::evidence::read;
pub use trellis_shapes::evidence::{BlockShapes, Link, Shape, Shapes};
use trellis_shapes::lower::{Settings, lower};

use crate::certificate::Certificate;
use crate::restore::{Problem, find, options};

/// What is claimed besides the heaps, and for how long to look.
#[derive(Clone, Debug, Default)]
pub struct Claimed {
    /// The checks that are on.
    pub checks: CheckSet,
    /// Whether `malloc` may also return null.
    pub malloc_may_fail: bool,
    /// When to stop.
    pub budget: Budget,
}

/// Checks the shapes of a certificate against a program, which was read from the source.
///
/// # Errors
/// If the certificate does not fit the program; then, if the shapes are no invariant.
pub fn check_certificate(
    program: &Program,
    certificate: &Certificate,
    shapes: &Shapes,
    budget: &Budget,
) -> Result<Result<Checked, Rejected>, Problem> {
    let options = options(certificate)?;
    let proc = find(program, &certificate.procedure)?;
    let claimed = Claimed {
        checks: options.checks,
        malloc_may_fail: options.malloc_may_fail,
        budget: budget.clone(),
    };
    Ok(check_shapes(program, proc, shapes, &claimed))
}

/// Checks that shapes are an invariant of a procedure under which no check fails.
///
/// # Errors
/// If they are not, if this cannot be told, or time is over.
pub fn check_shapes(
    program: &Program,
    proc: ProcId,
    shapes: &Shapes,
    claimed: &Claimed,
) -> Result<Checked, Rejected> {
    if program.proc(proc).body.is_none() {
        return Err(Refusal::at(program.proc(proc).span, "a procedure without a body").into());
    }
    if !shapes.calls_replaced {
        return check_as_given(program, proc, shapes, claimed);
    }
    let inlined = inline(program, proc, InlineLimits::default())
        .map_err(|refusals| first(program, proc, refusals))?;
    check_as_given(&inlined.program, inlined.proc, shapes, claimed)
}

/// The same for a program in which calls are replaced, if the shapes are about such a one.
///
/// # Errors
/// If they are no invariant, if this cannot be told, or time is over.
pub fn check_as_given(
    program: &Program,
    proc: ProcId,
    shapes: &Shapes,
    claimed: &Claimed,
) -> Result<Checked, Rejected> {
    let &Claimed { checks, malloc_may_fail, ref budget } = claimed;
    let list = lower(program, proc, &Settings { checks, malloc_may_fail });
    let heaps = read(&list, shapes).map_err(Rejected::Wrong)?;
    let options = Options { checks, malloc_may_fail, budget: budget.clone(), starts: None };
    check(program, &list, &heaps, &options)
}

/// Why the calls of a procedure cannot be replaced.
fn first(program: &Program, proc: ProcId, refusals: Vec<Refusal>) -> Refusal {
    let none = || Refusal::at(program.proc(proc).span, "calls that cannot be replaced");
    refusals.into_iter().next().unwrap_or_else(none)
}
