//! Canonical abstraction with chosen instrumentation predicates as an engine (*Predicate and
//! Canonical Abstraction*, §2.2 and §5): focus, coerce, update, blur on three-valued structures, as
//! TVLA has it.
//!
//! It is there to compare sets of predicates, so its transformers are only as good as the update
//! formulas of the set. Calls are replaced by bodies first. The structures become shapes, which the
//! driver has checked without the engine (`crate::evidence`).
//!
//! **Invariant**: what the library does not understand, or leaves out, never ends in *verified* or
//! *no-invariant*, with one exception that is sound: a precondition that is left out can only make
//! a proof harder.

mod instrumentation;
pub mod states;

use std::sync::Arc;
use std::time::Instant;

use trellis_canonical::core::Garbage;
use trellis_canonical::evidence::{Settings, shapes};
use trellis_canonical::{
    Analysis, Limits, Options as Analyse, Plain, Table3, Table7, Way, analyse,
};
use trellis_certify::Evidence;
use trellis_explore::{Outcome as Explored, explore};
use trellis_logic::drawing::TextStyle;
use trellis_logic::kleene::KleeneStructure;
use trellis_pdr::predicates::Selection;
use trellis_program::cfg::loop_heads;
use trellis_program::{Alarm, CheckKind, Inlined, NoResult, Refusal};

use crate::engine::{Answer, Budget, Claim, Engine, Options, Progress, Statistics, Task};
use crate::explore::config;
use crate::registry::Entry;
use crate::settings::SharingDepth;
use crate::verdict::{AbstractStep, LoopInvariant, UnknownReason};

pub use instrumentation::Instrumentation;

/// What the library does not understand.
const OUTSIDE: &str = "not supported by the canonical engine: ";

/// Most bytes of structures, if the run has no limit.
const MOST_BYTES: u64 = 4 << 30;

/// Heaps of so many objects show whether a precondition can hold: initial lists are not longer.
const LISTS: usize = 9;

/// Three-valued structures (TVLA).
#[derive(Clone, Debug, Default)]
pub struct Canonical {
    /// Which predicates structures are made of.
    pub instrumentation: Instrumentation,
    /// To which depth shared nodes are told apart.
    pub sharing: SharingDepth,
    /// Which predicates of the program are used besides.
    pub predicates: Selection,
}

impl Canonical {
    /// How it is asked for.
    pub const ENTRY: Entry = Entry {
        name: "canonical",
        about: "Three-valued structures over chosen predicates",
        settings: &[SharingDepth::SETTING, Instrumentation::SETTING, crate::pdr::PREDICATES],
        make: |settings| {
            Arc::new(Canonical {
                instrumentation: settings.get_or_default(),
                sharing: settings.get_or_default(),
                predicates: settings.get_or_default(),
            })
        },
    };
}

impl Engine for Canonical {
    fn name(&self) -> &'static str {
        Canonical::ENTRY.name
    }

    fn run(&self, task: &Task<'_>, budget: &Budget, progress: &Progress) -> Answer {
        let started = Instant::now();
        let mut statistics = Statistics::default();
        let claim = match self.analysed(task, budget) {
            Err(why) => Claim::Unknown(why),
            Ok((inlined, analysis)) => {
                statistics.heaps = analysis.initial as u64;
                statistics.states = analysis.structures as u64;
                statistics.instructions = analysis.steps as u64;
                statistics.peak_bytes = analysis.bytes;
                self.claim(task, budget, progress, &inlined, &analysis)
            }
        };
        statistics.seconds = started.elapsed().as_secs_f64();
        Answer { claim, statistics, warnings: Vec::new() }
    }
}

impl Canonical {
    /// Analyses a procedure, for those who want to look at the structures.
    fn analysed(
        &self,
        task: &Task<'_>,
        budget: &Budget,
    ) -> Result<(Arc<Inlined>, Analysis), UnknownReason> {
        let options = task.options;
        if !self.predicates.grows {
            let span = task.program.proc(task.proc).span;
            let refusal = Refusal::at(span, "families of predicates, which are for pdr-predicates");
            return Err(outside(&[refusal]));
        }
        let inlined = task.inlined().map_err(|refusals| UnknownReason::refused(&refusals, ""))?;
        let garbage = match options.checks.contains(CheckKind::Leak) {
            true => Garbage::Leaks,
            false => Garbage::IsCollected,
        };
        let memory = Some(budget.memory.unwrap_or(MOST_BYTES));
        let budget = &Budget { memory, ..budget.clone() };
        let analyse_options = Analyse {
            garbage,
            malloc_may_fail: options.malloc_may_fail,
            checks: options.checks,
            predicates: &self.predicates.user,
            limits: Limits { structures: usize::MAX, budget: budget.clone(), ..Limits::default() },
            ..Analyse::default()
        };
        let (program, proc) = (&inlined.program, inlined.proc);
        let found = match self.instrumentation {
            Instrumentation::Table3 => analyse(program, proc, Table3::default(), &analyse_options),
            Instrumentation::Table7 => {
                let table = self.sharing.0.map_or_else(Table7::default, Table7::with_sharing);
                analyse(program, proc, table, &analyse_options)
            }
            Instrumentation::Plain => analyse(program, proc, Plain, &analyse_options),
        };
        let analysis = found.map_err(|why| UnknownReason::no_result(why, OUTSIDE, budget))?;
        Ok((inlined, analysis))
    }

    fn claim(
        &self,
        task: &Task<'_>,
        budget: &Budget,
        progress: &Progress,
        inlined: &Inlined,
        analysis: &Analysis,
    ) -> Claim {
        if analysis.initial == 0 {
            return Claim::Unknown(UnknownReason::NoHeap { objects: LISTS });
        }
        let on = |a: &&Alarm<Way>| task.options.checks.contains(a.kind);
        let alarms: Vec<&Alarm<Way>> = analysis.alarms.iter().filter(on).collect();
        let mut doubts = analysis.untranslated.clone();
        // Where this check is off, C goes on with any value; the analysis does not.
        let undefined = analysis.alarms.iter().filter(|a| !on(a) && a.kind == CheckKind::Uninit);
        doubts.extend(undefined.map(|a| Refusal::at(a.span, "an undefined value that is read")));
        let Some(first) = alarms.first() else {
            if !doubts.is_empty() {
                return Claim::Unknown(outside(&doubts));
            }
            return match evidence(task, inlined, analysis) {
                Ok(evidence) => Claim::Verified {
                    invariants: invariants(inlined, analysis),
                    evidence: Box::new(evidence),
                    states: None,
                },
                Err(why) => Claim::Unknown(outside(&[why])),
            };
        };
        let found = explore(task.program, task.proc, &config(task, budget), &progress.explore);
        match &found.outcome {
            Explored::Violated(found) => return Claim::from((**found).clone()),
            Explored::Unfinished(NoResult::Stopped(why)) => {
                return Claim::Unknown(UnknownReason::stopped(*why, budget));
            }
            _ => {}
        }
        doubts.extend(analysis.left_out.iter().cloned());
        if !doubts.is_empty() {
            return Claim::Unknown(outside(&doubts));
        }
        let more = match alarms.len() {
            1 => String::new(),
            n => format!(" (and {} more checks)", n - 1),
        };
        let line = task.program.sources.line_col(first.span).0;
        let reason = format!(
            "canonical abstraction with {} does not exclude {} at line {line}{more}; {}",
            self.instrumentation.phrase(),
            first.kind,
            crate::explore::nothing_found(&found),
        );
        Claim::NoInvariant { reason, trace: trace(task, inlined, first) }
    }
}

fn outside(refusals: &[Refusal]) -> UnknownReason {
    UnknownReason::refused(refusals, OUTSIDE)
}

/// The structures as shapes, which can be checked without this engine.
fn evidence(task: &Task<'_>, inlined: &Inlined, analysis: &Analysis) -> Result<Evidence, Refusal> {
    let Options { checks, malloc_may_fail, .. } = *task.options;
    let settings = Settings { checks, malloc_may_fail };
    let procedure = task.program.proc(task.proc);
    match shapes(&inlined.program, inlined.proc, &settings, analysis) {
        Ok(shapes) => Ok(Evidence::of_shapes(&procedure.name, checks, malloc_may_fail, shapes)),
        Err(reason) => Err(Refusal::at(procedure.span, reason)),
    }
}

/// The lines of a structure: nodes and edges, then facts about the whole heap.
fn lines(structure: &KleeneStructure) -> Vec<String> {
    let text = structure.drawing().to_text(TextStyle::default());
    let drawn = text.lines().filter(|l| !l.is_empty()).map(str::to_owned);
    drawn.chain(structure.facts()).collect()
}

/// The structures at every loop head.
fn invariants(inlined: &Inlined, analysis: &Analysis) -> Vec<LoopInvariant> {
    let Some(body) = &inlined.program.proc(inlined.proc).body else {
        return Vec::new();
    };
    let heads = loop_heads(body);
    let mut out = Vec::new();
    for head in heads {
        let (point, found) = &analysis.states[analysis.blocks[head.0 as usize]];
        if found.is_empty() {
            continue;
        }
        let texts: Vec<String> = found.iter().map(|s| lines(s).join("; ")).collect();
        let place = inlined.program.span_at(*point);
        let formulas = vec![texts.join("\n|| ")];
        out.push(LoopInvariant { place, formulas, short: Vec::new(), contract: Vec::new() });
    }
    out.sort_by_key(|i| i.place);
    out
}

/// The structures on the way to an alarm; steps that change nothing are left out.
fn trace(task: &Task<'_>, inlined: &Inlined, alarm: &Alarm<Way>) -> Vec<AbstractStep> {
    let mut steps = Vec::new();
    let mut place = task.program.proc(task.proc).span;
    let mut before: Option<&KleeneStructure> = None;
    for (point, structure) in &alarm.way.trace {
        if before != Some(structure) {
            steps.push(AbstractStep { place, text: lines(structure).join("\n") });
        }
        place = inlined.program.span_at(*point);
        before = Some(structure);
    }
    let mut last = lines(&alarm.way.structure);
    let may = if alarm.way.definite { "" } else { " (maybe)" };
    last.push(format!("{}{may}", alarm.kind.failure()));
    steps.push(AbstractStep { place: alarm.span, text: last.join("\n") });
    steps
}
