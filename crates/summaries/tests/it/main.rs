//! The engine against programs by family, against exploration on random whole programs, and against
//! programs of all shapes.

mod families;
mod forged;
mod random;
mod shapes;

use trellis_graphs::Codes;
use trellis_graphs::check::check;
use trellis_graphs::evidence::{read, write};
use trellis_graphs::step::Trouble;
use trellis_program::slice::slice;
use trellis_program::{Budget, CheckSet, ProcId, Program, Work, inline_to_recursion};
use trellis_summaries::Precision;
use trellis_summaries::search::{Failed, search};

/// Whether the engine finds a whole program safe, confirmed by the checker on what is written into a
/// file; else what it says instead.
pub fn judge(program: &Program, proc: ProcId, checks: CheckSet) -> Result<(), String> {
    judge_within(program, proc, checks, 50_000)
}

/// The same with a limit of work.
pub fn judge_within(
    program: &Program,
    proc: ProcId,
    checks: CheckSet,
    work: u64,
) -> Result<(), String> {
    let (program, proc) = slice(program, proc);
    let inlined = inline_to_recursion(&program, proc)
        .map_err(|refusals| refusals.first().map_or(String::new(), |r| r.reason.clone()))?;
    let codes = Codes::new(&inlined, checks, false).map_err(|r| r.reason)?;
    let budget = Budget { work: Work::of(work), ..Budget::default() };
    let mut last = String::new();
    let mut outside = None;
    for precision in Precision::ladder(codes.look_at_characters()) {
        match search(&codes, precision, &budget).map_err(|failure| failure.why) {
            Ok(invariant) => {
                let read = read(&codes, &write(&codes, &invariant))
                    .map_err(|why| format!("Wrong: {why}"))?;
                return match check(&codes, &read, &budget) {
                    Ok(_) => Ok(()),
                    Err(why) => Err(format!("Wrong: {why:?}")),
                };
            }
            Err(Failed::Trouble(trouble)) => match &trouble.0 {
                Trouble::Alarm { kind, .. } => last = format!("alarm: {kind}"),
                Trouble::Outside { reason, .. } => outside = Some(reason.clone()),
            },
            Err(other) => last = format!("{other:?}"),
        }
    }
    Err(outside.unwrap_or(last))
}
