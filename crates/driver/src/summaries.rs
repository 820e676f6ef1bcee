//! Memory graphs with summaries as an engine.
//!
//! The graphs at loop heads are evidence that is checked without the engine, by following each of
//! them to the next loop heads (`crate::evidence`) and by running their small memories on the
//! machine. Where a check is not excluded the program is looked at again, with less summarised; what
//! is left then is *unknown*: violations are for others to find.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use trellis_certify::Evidence;
use trellis_graphs::check::Invariant;
use trellis_graphs::code::given;
use trellis_graphs::evidence::write;
use trellis_graphs::step::{Arrival, Trouble};
use trellis_graphs::{Codes, text};
use trellis_program::{Refusal, Span};
use trellis_summaries::Precision;
use trellis_summaries::search::{Failed, search};

use crate::engine::{Answer, Budget, Claim, Engine, Options, Progress, Statistics, Task};
use crate::registry::Entry;
use crate::verdict::{LoopInvariant, UnknownReason};
use crate::watch::Watch;

/// What is outside of graphs.
const OUTSIDE: &str = "not supported by the summaries engine: ";

/// Lists and trees of any kind, summarised in memory graphs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Summaries;

impl Summaries {
    /// How it is asked for.
    pub const ENTRY: Entry = Entry {
        name: "summaries",
        about: "Memory graphs of programs that make all their memory, in which lists and trees are summarised",
        settings: &[],
        make: |_| Arc::new(Summaries),
    };
}

impl Engine for Summaries {
    fn name(&self) -> &'static str {
        Summaries::ENTRY.name
    }

    fn suits(&self, task: &Task<'_>) -> bool {
        let (program, proc) = (task.program, task.proc);
        let alone = || given(program, proc).is_none();
        !program.is_collected() && (program.is_whole_program(proc) || alone())
    }

    fn run(&self, task: &Task<'_>, budget: &Budget, _: &Progress) -> Answer {
        let started = Instant::now();
        let mut statistics = Statistics::default();
        let watch = Watch::new(budget);
        let claim = match analyse(task, watch.budget()) {
            Ok((invariant, claim)) => {
                let all = invariant.all_loops(task.proc).map(|(_, _, graphs)| graphs.len() as u64);
                statistics.states = all.sum();
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
    let inlined = task.to_recursion().map_err(|all| refused(&all))?;
    let codes = Codes::new(&inlined, checks, malloc_may_fail).map_err(|r| refused(&[r]))?;
    let mut first = None;
    let mut is_outside = false;
    for precision in Precision::ladder(codes.look_at_characters()) {
        // What is outside stays so, unless characters are followed in another way.
        if is_outside && !precision.texts {
            continue;
        }
        match search(&codes, precision, budget) {
            Ok(invariant) => {
                let claim = verified(task, &codes, &invariant);
                return Ok((invariant, claim));
            }
            Err(failed) => {
                let is_final = matches!(failed, Failed::Stopped(_));
                let was_outside =
                    matches!(&failed, Failed::Trouble(t) if matches!(t.0, Trouble::Outside { .. }));
                let why = unknown(&codes, budget, failed);
                if is_final {
                    return Err(first.unwrap_or(why));
                }
                // What one that keeps less could not follow says little of the others.
                if is_outside && !was_outside {
                    first = None;
                }
                is_outside |= was_outside;
                first.get_or_insert(why);
            }
        }
    }
    Err(first.unwrap_or(UnknownReason::Cancelled))
}

fn unknown(codes: &Codes<'_>, budget: &Budget, failed: Failed) -> UnknownReason {
    let program = codes.main.program;
    let line = |span| program.sources.line_col(span).0;
    match failed {
        Failed::Stopped(why) => UnknownReason::stopped(why, budget),
        Failed::TooLong => UnknownReason::Abstraction(
            "memory graphs are of more and more different shapes".to_owned(),
        ),
        Failed::TooMany(at, _) => {
            let place = match at {
                Arrival::Loop(proc, block) => {
                    let span = codes.of(proc).body().block(block).span_at(0);
                    format!("the loop in line {}", line(span))
                }
                Arrival::Entry(proc) => format!("calls of `{}`", program.proc(proc).name),
                Arrival::Exit(proc) => format!("returns of `{}`", program.proc(proc).name),
            };
            let what = format!("there are too many different memory graphs at {place}");
            UnknownReason::Abstraction(what)
        }
        Failed::Trouble(trouble) => match trouble.0 {
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

fn verified(task: &Task<'_>, codes: &Codes<'_>, invariant: &Invariant) -> Claim {
    let Options { checks, malloc_may_fail, .. } = *task.options;
    let procedure = &task.program.proc(task.proc).name;
    let mut formulas: BTreeMap<Span, Vec<String>> = BTreeMap::new();
    for (proc, block, graphs) in invariant.all_loops(codes.main.proc) {
        let code = codes.of(proc);
        let there = formulas.entry(code.body().block(block).span_at(0)).or_default();
        for graph in graphs.iter().map(|g| text::graph(code, g)) {
            // Graphs may differ in what is not said, such as how often numbers can be counted up.
            if !there.contains(&graph) {
                there.push(graph);
            }
        }
    }
    // One of the graphs is that of the memory, so together they are one formula.
    let invariants = formulas
        .into_iter()
        .map(|(place, graphs)| LoopInvariant {
            place,
            formulas: vec![graphs.join("\n|| ")],
            contract: Vec::new(),
        })
        .collect();
    let graphs = write(codes, invariant);
    let evidence = Evidence::of_graphs(procedure, checks, malloc_may_fail, graphs);
    Claim::Verified { invariants, evidence: Box::new(evidence), states: None }
}
