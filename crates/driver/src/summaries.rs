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
use trellis_summaries::search::{Failed, Failure, search};

use crate::brief::{self, Fact};
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
    // The reason that counts is that of the precision that came furthest.
    let mut furthest: Option<(usize, UnknownReason)> = None;
    for precision in Precision::ladder(codes.look_at_characters()) {
        match search(&codes, precision, budget) {
            Ok(invariant) => {
                let claim = verified(task, &codes, &invariant);
                return Ok((invariant, claim));
            }
            Err(Failure { why, reached }) => {
                let is_final = matches!(why, Failed::Stopped(_));
                let why = unknown(&codes, budget, why);
                if is_final {
                    return Err(furthest.map_or(why, |(_, why)| why));
                }
                if furthest.as_ref().is_none_or(|(before, _)| *before < reached) {
                    furthest = Some((reached, why));
                }
            }
        }
    }
    Err(furthest.map_or(UnknownReason::Cancelled, |(_, why)| why))
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
    let mut formulas: BTreeMap<Span, (Vec<String>, Vec<Vec<Fact>>)> = BTreeMap::new();
    for (proc, block, graphs) in invariant.all_loops(codes.main.proc) {
        let code = codes.of(proc);
        let place = code.body().block(block).span_at(0);
        let is_seen = brief::is_seen(task.program, place);
        let (there, short) = formulas.entry(place).or_default();
        for graph in graphs {
            let full = text::graph(code, graph);
            // Graphs may differ in what is not said, such as how often numbers can be counted up.
            if !there.contains(&full) {
                there.push(full);
                short.push(text::short(code, graph, &is_seen));
            }
        }
    }
    // One of the graphs is that of the memory, so together they are one formula.
    let invariants = formulas
        .into_iter()
        .map(|(place, (graphs, short))| LoopInvariant {
            place,
            formulas: vec![graphs.join("\n|| ")],
            short: brief::alternatives(short),
            contract: Vec::new(),
        })
        .collect();
    let graphs = write(codes, invariant);
    let evidence = Evidence::of_graphs(procedure, checks, malloc_may_fail, graphs);
    Claim::Verified { invariants, evidence: Box::new(evidence), states: None }
}
