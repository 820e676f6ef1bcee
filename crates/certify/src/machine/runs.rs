//! Runs of a procedure as it was written, calls and all, from every small initial heap.

use std::fmt;

use trellis_explore::{Config, Exploration, Outcome, Progress, Violation, explore};
use trellis_logic::budget::{Budget, Work};
use trellis_program::concrete::heap_text;
use trellis_program::spec::Formula;
use trellis_program::{CheckTable, NoResult, ProcId, Program, Rejected, Span, StopReason};

use super::{Contradiction, Coverage, Objection};

/// The initial heaps that were run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Runs {
    /// How many, with all choices each.
    pub heaps: u64,
    /// All of up to so many objects were among them, if the first size was tried to its end.
    pub objects: Option<usize>,
}

/// A call of a procedure without a body behind which nothing was run: no result satisfies `ensures`.
pub type UnsatisfiedCall = (Span, ProcId);

/// The first size may cost so many times the work: where a procedure reads a hundred integers of its
/// callers, there is no end of heaps without an object.
const FIRST_SIZE: u64 = 50;
/// A size may cost so many times the work after which no larger one is tried.
const LAST_SIZE: u64 = 30;
/// The same where clauses are of higher-order logic, which take so much longer to evaluate.
const LAST_SIZE_OF_HOL: u64 = 1;
/// And at most so much, however far one wants to look.
const MOST_OF_HOL: u64 = 20_000;

/// Runs a procedure from all initial heaps up to the number of objects of a configuration, as long
/// as no size before took more than so many instructions. One more object can mean a thousand times
/// more heaps (arrays of objects that have arrays), so a size that takes too much work is left before
/// its end, and does not count; but of the first what was run counts. Gives the calls, too, that no run came back from.
///
/// # Errors
/// If a run fails a check, or leaves the subset, or the budget is over.
pub fn check_runs(
    program: &Program,
    proc: ProcId,
    config: &Config,
    instructions: u64,
) -> Result<(Runs, Vec<UnsatisfiedCall>), Objection> {
    let (mut runs, mut unsatisfied) = (Runs::default(), Vec::new());
    let (first, most) = match has_hol(program, proc) {
        true => (None, (LAST_SIZE_OF_HOL * instructions).min(MOST_OF_HOL)),
        false => (Some(FIRST_SIZE * instructions), LAST_SIZE * instructions),
    };
    // A leg without any heap is none, so there is no limit before the first one.
    let mut limit = first;
    for objects in 0..=config.objects {
        let try_all = |limit: Option<u64>| {
            // One thread, so that the work that is done repeats.
            let work = limit.map_or_else(Work::default, Work::of);
            let budget = Budget { work, ..config.budget.clone() };
            let longest = Some(config.longest.unwrap_or(config.objects));
            let config = Config { objects, longest, threads: 1, budget, ..config.clone() };
            explore(program, proc, &config, &Progress::default())
        };
        let mut explored = try_all(limit);
        let is_cut = |e: &Exploration| {
            matches!(e.outcome, Outcome::Unfinished(NoResult::Stopped(StopReason::Work)))
        };
        if runs.heaps == 0 && is_cut(&explored) {
            match explored.stats.heaps {
                0 => explored = try_all(None),
                heaps => return Ok((Runs { heaps, objects: None }, Vec::new())),
            }
        }
        match explored.outcome {
            Outcome::Exhausted | Outcome::NoHeap => {}
            Outcome::Violated(found) => return Err(contradiction(program, proc, &found)),
            Outcome::Unfinished(NoResult::Stopped(StopReason::Work)) => break,
            Outcome::Unfinished(why) => return Err(why.into()),
        }
        runs = Runs { heaps: explored.stats.heaps, objects: Some(objects) };
        if runs.heaps > 0 {
            limit = Some(most);
        }
        unsatisfied = explored.unsatisfied;
        if explored.stats.instructions > instructions {
            break;
        }
    }
    Ok((runs, unsatisfied))
}

/// Whether a clause of the precondition is of higher-order logic.
fn has_hol(program: &Program, proc: ProcId) -> bool {
    let mut found = false;
    for clause in &program.proc(proc).contract.requires {
        let hol = &mut |f: &Formula| found |= matches!(f, Formula::Hol(..));
        clause.formula.visit(hol, &mut |_| {});
    }
    found
}

fn contradiction(program: &Program, proc: ProcId, found: &Violation) -> Objection {
    let failure = &found.failure;
    let table = CheckTable::of(program);
    let row = table.find(failure.point, failure.kind, failure.clause).map(|id| table.get(id));
    let place = row.map_or_else(String::new, |c| format!(" at {}", program.sources.locate(c.span)));
    Rejected::Wrong(Box::new(Contradiction {
        from: program.proc(proc).span,
        state: heap_text::print(program, proc, &found.initial),
        what: format!("it fails the check `{}`{place}", failure.kind),
    }))
}

/// What the machine was run on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Held {
    /// Initial heaps.
    pub runs: Runs,
    /// States that satisfy the invariant, where it is a list of clauses.
    pub states: Option<Coverage>,
    /// All states that there are, if all were visited.
    pub all: Option<u64>,
}

/// `from 1,204 states, all those of up to 3 objects among them; on all runs from 12 initial heaps of
/// up to 3 objects`.
impl fmt::Display for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(all) = self.all {
            return match all {
                1 => f.write_str("in the only state"),
                n => write!(f, "in all {}", count(n, "state")),
            };
        }
        if let Some(states) = self.states {
            write!(f, "from {}", count(states.states, "state"))?;
            if let Some(n) = states.objects {
                write!(f, ", all those of up to {} among them", count(n as u64, "object"))?;
            }
            f.write_str("; ")?;
        }
        let Runs { heaps, objects } = self.runs;
        write!(f, "on all runs from {}", count(heaps, "initial heap"))?;
        match objects {
            Some(n) => write!(f, " of up to {}", count(n as u64, "object")),
            None => Ok(()),
        }
    }
}

/// `1 object`, `41,208 states`.
fn count(n: u64, noun: &str) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    format!("{out} {noun}{}", if n == 1 { "" } else { "s" })
}
