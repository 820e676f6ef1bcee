//! The check of heap patterns, from the source up.
//!
//! A certificate may hold, in place of clauses, patterns at loop heads ([`Patterns`]). Calls are
//! replaced and the procedure is lowered again here; the patterns are then tried with the concrete
//! machine by [`trellis_patterns::check`], which knows no engine. [`crate::machine`] runs every
//! small heap of theirs as well.

use trellis_logic::Budget;
pub use trellis_patterns::check::Checked;
use trellis_patterns::check::Labels;
use trellis_patterns::check::{Options, check};
use trellis_patterns::evidence::read;
pub use trellis_patterns::evidence::{
    BlockLabel, Patterns, RecordWords, Said, WrittenNode, WrittenPattern,
};
use trellis_patterns::{PatternProgram, Settings, lower};
use trellis_program::{
    InlineLimits, Inlined, ProcId, Program, Refusal, Rejected, first_refusal, inline,
};

use crate::certificate::Certificate;
use crate::restore::{Problem, find, options};
pub use crate::shapes::Claimed;

/// Patterns that were understood: the program without calls, its words, the labels.
#[derive(Clone, Debug)]
pub struct Understood {
    /// The procedure in the small language, with the words of the patterns.
    pub code: PatternProgram,
    /// The label of every loop head.
    pub labels: Labels,
}

/// Checks the patterns of a certificate against a program, which was read from the source. Gives
/// the program without calls and what was understood, for the second leg.
///
/// # Errors
/// If the certificate does not fit the program; then, if the patterns are no invariant.
pub fn check_certificate(
    program: &Program,
    certificate: &Certificate,
    patterns: &Patterns,
    budget: &Budget,
) -> Result<Result<(Checked, Inlined, Understood), Rejected>, Problem> {
    let options = options(certificate)?;
    let proc = find(program, &certificate.procedure)?;
    let claimed = Claimed {
        checks: options.checks,
        malloc_may_fail: options.malloc_may_fail,
        budget: budget.clone(),
    };
    let both = || {
        let inlined = without_calls(program, proc)?;
        let (checked, understood) = check_as_given(&inlined, patterns, &claimed)?;
        Ok((checked, inlined, understood))
    };
    Ok(both())
}

/// The program without calls that an invariant is about.
pub(crate) fn without_calls(program: &Program, proc: ProcId) -> Result<Inlined, Refusal> {
    let span = program.proc(proc).span;
    if program.proc(proc).body.is_none() {
        return Err(Refusal::at(span, "a procedure without a body"));
    }
    inline(program, proc, InlineLimits::default())
        .map_err(|refusals| first_refusal(program, proc, refusals))
}

/// Checks that patterns are an invariant of a procedure without calls, under which no check fails.
///
/// # Errors
/// If they are not, if this cannot be told, or time is over.
pub fn check_as_given(
    inlined: &Inlined,
    patterns: &Patterns,
    claimed: &Claimed,
) -> Result<(Checked, Understood), Rejected> {
    let &Claimed { checks, malloc_may_fail, ref budget } = claimed;
    let understood = understand(inlined, patterns, claimed)?;
    let options = Options { checks, malloc_may_fail, budget: budget.clone() };
    let checked = check(&inlined.program, &understood.code, &understood.labels, &options)?;
    Ok((checked, understood))
}

/// The labels of a procedure without calls, read but not checked.
///
/// # Errors
/// If the procedure has no words, or the patterns are not about it.
pub fn understand(
    inlined: &Inlined,
    patterns: &Patterns,
    claimed: &Claimed,
) -> Result<Understood, Rejected> {
    let &Claimed { checks, malloc_may_fail, .. } = claimed;
    let mut code = lower(&inlined.program, inlined.proc, &Settings { checks, malloc_may_fail })?;
    let labels = read(&mut code, patterns).map_err(Rejected::Wrong)?;
    Ok(Understood { code, labels })
}
