//! Exhaustive small-scope exploration as an engine.

use std::sync::Arc;

use trellis_certify::exhaustion::{MOST_CHOICES, MOST_STEPS};
use trellis_certify::{Evidence, Exhaustion};
use trellis_explore::sample::{Sampled, sample};
use trellis_explore::{Config, Exploration, Outcome, Stats, StopReason, Violation, explore};
use trellis_program::concrete::MachineOptions;
use trellis_program::{Diagnostic, NoResult, ProcId, Span, Work};

use crate::engine::{Answer, Budget, Claim, Engine, Options, Progress, Statistics, Task};
use crate::registry::Entry;
use crate::verdict::UnknownReason;

/// What the interpreter refuses is outside of the subset.
pub(crate) const OUTSIDE: &str = "not supported: ";

/// All heaps up to a size, all choices up to a number of steps.
#[derive(Clone, Copy, Debug)]
pub struct Explore;

/// The blocks of random executions beyond the bounds: at least so many,
const LEAST_SAMPLING: u64 = 1_000_000;
/// and at most so many,
const MOST_SAMPLING: u64 = 20_000_000;
/// in between so many a state that the search has seen.
const BLOCKS_A_STATE: u64 = 4;

impl Explore {
    /// How it is asked for.
    pub const ENTRY: Entry = Entry {
        name: "explore",
        about: "All heaps up to a size, all choices up to a number of steps",
        settings: &[],
        make: |_| Arc::new(Explore),
    };
}

impl Engine for Explore {
    fn name(&self) -> &'static str {
        Explore::ENTRY.name
    }

    fn run(&self, task: &Task<'_>, budget: &Budget, progress: &Progress) -> Answer {
        let whole = task.program.is_whole_program(task.proc);
        let config = config(task, &for_search(whole, budget));
        let Exploration { outcome, stats, complete, sampled, unsatisfied } =
            explore(task.program, task.proc, &config, &progress.explore);
        let mut warnings: Vec<_> =
            unsatisfied.into_iter().map(|call| unsatisfied_call(task, call)).collect();
        let cut = match &outcome {
            // Other integers and words were not tried, as input or as arguments.
            Outcome::Exhausted => !complete,
            Outcome::Unfinished(NoResult::Stopped(reason)) => *reason != StopReason::Cancelled,
            _ => false,
        };
        if whole
            && cut
            && let Some(Sampled { violation, ints }) =
                beyond_the_bounds(task, &config, budget, &stats)
        {
            let Violation { initial, choices, failure } = violation;
            let claim = Claim::Violated { initial, choices, failure, ints };
            return Answer { claim, statistics: statistics(&stats), warnings };
        }
        let claim = match outcome {
            Outcome::Violated(found) => Claim::from(*found),
            Outcome::Exhausted if complete => Claim::Exhausted { states: stats.states },
            Outcome::Exhausted => Claim::Unknown(UnknownReason::Bounded {
                objects: config.objects,
                steps: config.steps,
                choices: (stats.cut_by_choices > 0).then_some(config.choices),
                cut: stats.was_cut(),
                sampled: whole && sampled,
            }),
            Outcome::NoHeap => {
                warnings.push(contradiction(task, config.objects));
                Claim::Unknown(UnknownReason::NoHeap { objects: config.objects })
            }
            Outcome::Unfinished(why) => {
                Claim::Unknown(UnknownReason::no_result(why, OUTSIDE, budget))
            }
        };
        Answer { claim, statistics: statistics(&stats), warnings }
    }
}

/// What the search of a budget may cost: of a whole program, where time and memory are the only
/// limits, a half of them, so that there is time for random executions. Some programs have more
/// states than any search will see.
fn for_search(whole: bool, budget: &Budget) -> Budget {
    if !whole || budget.work.is_limited() {
        return budget.clone();
    }
    let memory = budget.memory.map(|m| m / 2);
    let halved = budget.remaining().map_or(budget.clone(), |left| budget.at_most(left / 2));
    Budget { memory, ..halved }
}

/// A violation among random executions. A block of theirs costs much less than a state of the
/// search, which has to be kept.
fn beyond_the_bounds(
    task: &Task<'_>,
    config: &Config,
    budget: &Budget,
    stats: &Stats,
) -> Option<Sampled> {
    let blocks = (BLOCKS_A_STATE * stats.states).clamp(LEAST_SAMPLING, MOST_SAMPLING);
    let budget = Budget { work: Work::of(blocks), ..budget.clone() };
    sample(task.program, task.proc, config, stats.states, &budget)
}

/// The evidence that all states were visited.
pub(crate) fn exhaustion(task: &Task<'_>) -> Evidence {
    let &Options { checks, malloc_may_fail, steps, choices, .. } = task.options;
    let procedure = &task.program.proc(task.proc).name;
    // A certifier follows no longer runs.
    let (steps, choices) = (steps.min(MOST_STEPS), choices.min(MOST_CHOICES));
    Evidence::of_exhaustion(procedure, checks, malloc_may_fail, Exhaustion { steps, choices })
}

/// What another engine may say of its alarm after an exploration without a violation.
pub(crate) fn nothing_found(exploration: &Exploration) -> &'static str {
    match exploration.outcome {
        Outcome::Exhausted if !exploration.stats.was_cut() => "no small heap shows it",
        Outcome::NoHeap => "no small heap satisfies `requires`",
        Outcome::Unfinished(NoResult::Refused(_)) => {
            "not every small heap could be tried to the end"
        }
        _ => "small heaps were tried until a bound cut the search off",
    }
}

/// How the interpreter has to run so that it makes the same choices as the engine.
pub fn machine_options(task: &Task<'_>) -> MachineOptions {
    config(task, &Budget::default()).machine_options(task.program, task.proc)
}

pub(crate) fn config(task: &Task<'_>, budget: &Budget) -> Config {
    let options = task.options;
    Config {
        objects: options.objects,
        longest: None,
        steps: options.steps,
        choices: options.choices,
        int_values: options.int_values.clone(),
        checks: options.checks,
        malloc_may_fail: options.malloc_may_fail,
        threads: options.threads,
        budget: budget.clone(),
    }
}

/// The warning that a procedure can never be called from a small heap, at its `requires` clauses.
pub(crate) fn contradiction(task: &Task<'_>, objects: usize) -> Diagnostic {
    let name = &task.program.proc(task.proc).name;
    Diagnostic::warning(
        task.precondition(),
        format!("no heap of up to {objects} objects satisfies the precondition of `{name}`"),
    )
    .with_label("contradictory, or true of larger heaps only")
    .with_help("nothing was checked; raise `--objects`, or correct `requires`")
}

/// The warning that nothing behind a call was run.
pub(crate) fn unsatisfied_call(task: &Task<'_>, (span, callee): (Span, ProcId)) -> Diagnostic {
    let name = &task.program.proc(callee).name;
    Diagnostic::warning(span, format!("no result satisfies the `ensures` of `{name}` here"))
        .with_label("contradictory, or true of values only that were not tried")
        .with_help("nothing behind this call was checked; correct `ensures`")
}

/// What `trellis bench explore` prints.
#[derive(Clone, Copy, Debug)]
pub struct Measurement {
    /// What was explored.
    pub statistics: Statistics,
    /// Distinct states a second.
    pub states_per_second: f64,
    /// Average bytes of a stored state.
    pub bytes_per_state: f64,
    /// Everything up to the bounds was explored.
    pub complete: bool,
}

/// Explores once and measures.
pub fn measure(task: &Task<'_>, budget: &Budget) -> Measurement {
    let measured = trellis_explore::bench::measure(task.program, task.proc, &config(task, budget));
    Measurement {
        statistics: statistics(&measured.exploration.stats),
        states_per_second: measured.states_per_second,
        bytes_per_state: measured.bytes_per_state,
        complete: matches!(measured.exploration.outcome, Outcome::Exhausted),
    }
}

fn statistics(stats: &Stats) -> Statistics {
    Statistics {
        heaps: stats.heaps,
        states: stats.states,
        instructions: stats.instructions,
        peak_bytes: stats.peak_bytes,
        seconds: stats.seconds,
        ..Statistics::default()
    }
}
