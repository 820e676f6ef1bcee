//! Possibly cyclic singly linked lists as an engine.
//!
//! The abstract heaps are what the driver has checked with the concrete machine before *verified*
//! is said (`crate::evidence`). A possible error is looked for among concrete heaps, from small to
//! larger ones; if none shows it, there is no invariant in the language of this engine. The
//! abstract heaps are evidence that can be checked without the engine; for a certificate they
//! become an invariant in the logic ([`trellis_sll::prove`]) where that is possible.

mod concretise;
pub mod states;

use std::sync::Arc;
use std::time::Instant;

use trellis_certify::Evidence;
use trellis_explore::{Outcome as Explored, explore};
use trellis_program::{Alarm, NoResult};
use trellis_sll::analyse::{Analysis, Options as Analyse, Outcome, Way, analyse};
use trellis_sll::check::evidence;
use trellis_sll::lower::{Settings, lower};
use trellis_sll::program::ListProgram;
use trellis_sll::prove::prove;
use trellis_sll::view;

use crate::brief;
use crate::engine::{Answer, Budget, Claim, Engine, Options, Progress, Statistics, Task};
use crate::explore::config;
use crate::pdr::embedded;
use crate::registry::Entry;
use crate::settings::SharingDepth;
use crate::verdict::{AbstractStep, LoopInvariant, UnknownReason};

/// What is outside of the small language.
const OUTSIDE: &str = "not supported by the sll engine: ";
/// What of a contract is.
const LEFT_OUT: &str = "this precondition is beyond the sll engine: ";

/// Interruptions and uninterrupted segments (*Predicate and Canonical Abstraction*).
#[derive(Clone, Copy, Debug, Default)]
pub struct Sll {
    /// To which depth shared nodes are told apart.
    pub sharing: SharingDepth,
}

impl Sll {
    /// How it is asked for.
    pub const ENTRY: Entry = Entry {
        name: "sll",
        about: "Shapes of possibly cyclic singly linked lists",
        settings: &[SharingDepth::SETTING],
        make: |settings| Arc::new(Sll { sharing: settings.get_or_default() }),
    };

    /// Lowers and analyses a procedure, for those who want to look at the abstract heaps.
    pub fn analysed(&self, task: &Task<'_>, budget: &Budget) -> (ListProgram, Analysis) {
        let (settings, options) = self.settings(task, budget);
        let program = lower(task.program, task.proc, &settings);
        let analysis = analyse(&program, &options);
        (program, analysis)
    }

    /// What the user asked for, in the words of the analysis.
    fn settings(&self, task: &Task<'_>, budget: &Budget) -> (Settings, Analyse) {
        let &Options { checks, malloc_may_fail, .. } = task.options;
        let (sharing, budget) = (self.sharing.0, budget.clone());
        (Settings { checks, malloc_may_fail }, Analyse { checks, sharing, budget })
    }
}

impl Engine for Sll {
    fn name(&self) -> &'static str {
        Sll::ENTRY.name
    }

    fn run(&self, task: &Task<'_>, budget: &Budget, progress: &Progress) -> Answer {
        let started = Instant::now();
        let (program, analysis) = self.analysed(task, budget);
        let mut warnings = Vec::new();
        let claim = match analysis.outcome {
            Outcome::Stopped(why) => {
                let memory = Some(budget.memory.unwrap_or(analysis.states.bytes()));
                let budget = Budget { memory, ..budget.clone() };
                Claim::Unknown(UnknownReason::stopped(why, &budget))
            }
            Outcome::Finished if analysis.alarms.is_empty() => {
                let mut claim = safe(task, &program, &analysis);
                // Clauses can be shown by solvers; where there are none, the shapes stay.
                if let Claim::Verified { evidence, .. } = &mut claim
                    && task.options.certificate
                    && let Ok(inlined) = task.inlined()
                    && let (lower, analyse) = self.settings(task, budget)
                    && let Ok(made) = prove(&inlined, &lower, &analyse, &*embedded())
                {
                    **evidence = made;
                }
                claim
            }
            Outcome::Finished => alarmed(task, budget, progress, &program, &analysis),
        };
        if analysis.outcome == Outcome::Finished && analysis.inputs == 0 {
            warnings.push(task.contradiction());
        }
        let statistics = Statistics {
            heaps: analysis.inputs,
            states: analysis.states.count(),
            instructions: analysis.steps,
            peak_bytes: analysis.states.bytes(),
            seconds: started.elapsed().as_secs_f64(),
            ..Statistics::default()
        };
        Answer { claim, statistics, warnings }
    }
}

/// No check may fail: verified, if nothing unsupported is met.
fn safe(task: &Task<'_>, program: &ListProgram, analysis: &Analysis) -> Claim {
    if !analysis.unsupported.is_empty() {
        return Claim::Unknown(UnknownReason::refused(&analysis.unsupported, OUTSIDE));
    }
    let Options { checks, malloc_may_fail, .. } = *task.options;
    let procedure = &task.program.proc(task.proc).name;
    let shapes = evidence(program, &analysis.states);
    Claim::Verified {
        invariants: invariants(task, program, analysis),
        evidence: Box::new(Evidence::of_shapes(procedure, checks, malloc_may_fail, shapes)),
        states: None,
    }
}

/// Some check may fail: violated if a concrete heap shows it.
fn alarmed(
    task: &Task<'_>,
    budget: &Budget,
    progress: &Progress,
    program: &ListProgram,
    analysis: &Analysis,
) -> Claim {
    let found = explore(task.program, task.proc, &config(task, budget), &progress.explore);
    match &found.outcome {
        Explored::Violated(found) => return Claim::from((**found).clone()),
        Explored::Unfinished(NoResult::Stopped(why)) => {
            return Claim::Unknown(UnknownReason::stopped(*why, budget));
        }
        _ => {}
    }
    for alarm in &analysis.alarms {
        if let Err(why) = budget.check() {
            return Claim::Unknown(UnknownReason::stopped(why, budget));
        }
        let path = analysis.states.path(alarm.way.from);
        let start = path.first().map(|id| &analysis.states.get(*id).heap);
        if let Some(found) = start.and_then(|h| concretise::concretise(task, program, h)) {
            return Claim::from(found);
        }
    }
    // The language of the engine is to blame only if it was told everything.
    let met = analysis.unsupported.iter().map(|r| r.said(OUTSIDE));
    let left_out = program.left_out.iter().map(|r| r.said(LEFT_OUT));
    let outside: Vec<_> = met.chain(left_out).collect();
    if !outside.is_empty() {
        return Claim::Unknown(UnknownReason::Unsupported(outside));
    }
    let first = &analysis.alarms[0];
    let more = match analysis.alarms.len() {
        1 => String::new(),
        n => format!(" (and {} more checks)", n - 1),
    };
    let line = task.program.sources.line_col(first.span).0;
    let reason = format!(
        "shapes of lists alone do not exclude {} at line {line}{more}; {}",
        first.kind,
        crate::explore::nothing_found(&found),
    );
    Claim::NoInvariant { reason, trace: trace(task, program, analysis, first) }
}

/// The heaps at every loop head of the procedure and of what it calls.
fn invariants(task: &Task<'_>, program: &ListProgram, analysis: &Analysis) -> Vec<LoopInvariant> {
    let mut out = Vec::new();
    for (i, _) in program.blocks.iter().enumerate().filter(|(_, b)| b.is_loop_head) {
        let heaps = analysis.states.of_block(i);
        if heaps.is_empty() {
            continue;
        }
        let place = states::place(task, program, i);
        let formulas = vec![view::disjunction(program, &heaps)];
        let facts = heaps.iter().map(|heap| view::facts(program, heap)).collect();
        let short = brief::alternatives(facts);
        out.push(LoopInvariant { place, formulas, short, contract: Vec::new() });
    }
    out.sort_by_key(|i| i.place);
    out
}

/// The abstract heaps on the way to an alarm.
fn trace(
    task: &Task<'_>,
    program: &ListProgram,
    analysis: &Analysis,
    alarm: &Alarm<Way>,
) -> Vec<AbstractStep> {
    let mut steps = Vec::new();
    for id in analysis.states.path(alarm.way.from) {
        let state = analysis.states.get(id);
        let place = match steps.is_empty() {
            true => task.program.proc(task.proc).span,
            false => states::place(task, program, state.block),
        };
        steps.push(AbstractStep { place, text: view::shape(program, &state.heap) });
    }
    let text = format!("{}\n{}", view::shape(program, &alarm.way.heap), alarm.kind.failure());
    steps.push(AbstractStep { place: alarm.span, text });
    steps
}
