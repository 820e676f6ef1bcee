//! Memory graphs with summaries as an engine.
//!
//! The graphs at loop heads are evidence that is checked without the engine, by following each of
//! them to the next loop heads (`crate::evidence`) and by running their small memories on the
//! machine. Where a check is not excluded the program is looked at again, with less summarised; what
//! is left then is *unknown*: violations are for others to find.

use std::sync::Arc;
use std::time::Instant;

use trellis_certify::Evidence;
use trellis_graphs::check::Invariant;
use trellis_graphs::evidence::write;
use trellis_graphs::step::Trouble;
use trellis_graphs::{Code, text};
use trellis_program::Refusal;
use trellis_summaries::Precision;
use trellis_summaries::search::{Failed, search};

use crate::engine::{Answer, Budget, Claim, Engine, Options, Progress, Statistics, Task};
use crate::registry::Entry;
use crate::verdict::{LoopInvariant, UnknownReason};

/// What is outside of graphs.
const OUTSIDE: &str = "not supported by the summaries engine: ";

/// Lists and trees of any kind, summarised in memory graphs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Summaries;

impl Summaries {
    /// How it is asked for.
    pub const ENTRY: Entry = Entry {
        name: "summaries",
        about: "Memory graphs of whole programs, in which lists and trees are summarised",
        settings: &[],
        make: |_| Arc::new(Summaries),
    };
}

impl Engine for Summaries {
    fn name(&self) -> &'static str {
        Summaries::ENTRY.name
    }

    fn suits(&self, task: &Task<'_>) -> bool {
        task.program.is_whole_program(task.proc) && !task.program.is_collected()
    }

    fn run(&self, task: &Task<'_>, budget: &Budget, _: &Progress) -> Answer {
        let started = Instant::now();
        let mut statistics = Statistics::default();
        let claim = match analyse(task, budget) {
            Ok((invariant, claim)) => {
                statistics.states = invariant.values().map(|all| all.len() as u64).sum();
                claim
            }
            Err(why) => Claim::Unknown(why),
        };
        statistics.seconds = started.elapsed().as_secs_f64();
        Answer { claim, statistics, warnings: Vec::new() }
    }
}

fn analyse(task: &Task<'_>, budget: &Budget) -> Result<(Invariant, Claim), UnknownReason> {
    let Options { checks, malloc_may_fail, .. } = *task.options;
    let refused = |refusals: &[Refusal]| UnknownReason::refused(refusals, OUTSIDE);
    let inlined = task.inlined().map_err(|all| refused(&all))?;
    let code = Code::new(&inlined.program, inlined.proc, checks, malloc_may_fail)
        .map_err(|refusal| refused(&[refusal]))?;
    let mut first = None;
    for precision in Precision::LADDER {
        match search(&code, precision, budget) {
            Ok(invariant) => {
                let claim = verified(task, &code, &invariant);
                return Ok((invariant, claim));
            }
            Err(failed) => {
                let why = unknown(&code, budget, failed);
                let is_final = !matches!(why, UnknownReason::Abstraction(_));
                if is_final {
                    return Err(first.unwrap_or(why));
                }
                first.get_or_insert(why);
            }
        }
    }
    Err(first.unwrap_or(UnknownReason::Cancelled))
}

fn unknown(code: &Code<'_>, budget: &Budget, failed: Failed) -> UnknownReason {
    let line = |span| code.program.sources.line_col(span).0;
    match failed {
        Failed::Stopped(why) => UnknownReason::stopped(why, budget),
        Failed::TooLong => UnknownReason::Abstraction(
            "memory graphs are of more and more different shapes".to_owned(),
        ),
        Failed::TooMany(block, _) => UnknownReason::Abstraction(format!(
            "there are too many different memory graphs at the loop in line {}",
            line(code.body().block(block).span_at(0))
        )),
        Failed::Trouble(trouble, _) => match trouble.0 {
            Trouble::Outside { span, reason } => {
                UnknownReason::refused(&[Refusal::at(span, reason)], OUTSIDE)
            }
            Trouble::Alarm { kind, span, .. } => UnknownReason::Abstraction(format!(
                "{kind} at line {} is not excluded by memory graphs",
                line(span)
            )),
        },
    }
}

fn verified(task: &Task<'_>, code: &Code<'_>, invariant: &Invariant) -> Claim {
    let Options { checks, malloc_may_fail, .. } = *task.options;
    let procedure = &task.program.proc(task.proc).name;
    let mut invariants: Vec<LoopInvariant> = invariant
        .iter()
        .map(|(block, graphs)| LoopInvariant {
            place: code.body().block(*block).span_at(0),
            formulas: graphs.iter().map(|g| text::graph(code, g)).collect(),
        })
        .collect();
    invariants.sort_by_key(|i| i.place);
    let evidence = Evidence::of_graphs(procedure, checks, malloc_may_fail, write(invariant));
    Claim::Verified { invariants, evidence: Box::new(evidence), states: None }
}
