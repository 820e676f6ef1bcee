//! The check that a closed program has few states, none of which fails a check: all are visited.
//!
//! A program is closed if it starts in one way (`main` without arguments and contract), and if every
//! value that it chooses is chosen from all there are: whether a number is zero, not which number it
//! is. If then no run is cut off, no run is left out.

use trellis_explore::{Config, Outcome, Progress, explore};
use trellis_logic::Budget;
use trellis_program::{CheckTable, Program, Refusal, Rejected};

use crate::certificate::{Certificate, Exhaustion};
use crate::restore::{Problem, find, options};

/// Most blocks of a run that a certificate may ask for; longer runs would take the certifier hostage.
pub const MOST_STEPS: usize = 10_000_000;
/// Most choices of a run that a certificate may ask for.
pub const MOST_CHOICES: usize = 10_000;

/// Visits all states of the program of a certificate; says how many there are.
///
/// # Errors
/// If the certificate does not fit the program; then, if a state fails a check, or not all states
/// were visited.
pub fn check_certificate(
    program: &Program,
    certificate: &Certificate,
    exhaustion: Exhaustion,
    budget: &Budget,
) -> Result<Result<u64, Rejected>, Problem> {
    let options = options(certificate)?;
    let proc = find(program, &certificate.procedure)?;
    for (what, asked, most) in
        [("steps", exhaustion.steps, MOST_STEPS), ("choices", exhaustion.choices, MOST_CHOICES)]
    {
        if asked > most {
            let message = format!("`{what}` is {asked}; at most {most} can be followed");
            return Err(Problem::certificate(message));
        }
    }
    let config = Config {
        objects: 0,
        steps: exhaustion.steps,
        choices: exhaustion.choices,
        checks: options.checks,
        malloc_may_fail: options.malloc_may_fail,
        budget: budget.clone(),
        ..Config::default()
    };
    let explored = explore(program, proc, &config, &Progress::default());
    Ok(match explored.outcome {
        Outcome::Exhausted if explored.complete => Ok(explored.stats.states),
        Outcome::Violated(found) => {
            let table = CheckTable::of(program);
            let failure = &found.failure;
            let row = table.find(failure.point, failure.kind, failure.clause);
            let span = row.map_or(program.proc(proc).span, |id| table.get(id).span);
            let place = program.sources.locate(span);
            Err(Rejected::Wrong(format!("a run fails the check `{}` at {place}", failure.kind)))
        }
        Outcome::Exhausted | Outcome::NoHeap => {
            Err(Refusal::at(program.proc(proc).span, "not all states were visited").into())
        }
        Outcome::Unfinished(why) => Err(why.into()),
    })
}
