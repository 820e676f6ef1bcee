//! Impact with heap patterns as an engine (*Heap Interpolant Synthesis*).
//!
//! The labels at loop heads are evidence that is checked without the engine, by running the machine
//! from every pattern (`crate::evidence`). A failure that the engine's own runs of the machine find
//! is run again on the program as written; one that only patterns show is *unknown*, with what the
//! oracle was shown.

use std::sync::Arc;
use std::time::Instant;

use trellis_certify::Evidence;
use trellis_explore::{Outcome as Explored, explore};
use trellis_patterns::evidence::write;
use trellis_patterns::machine::state_of;
use trellis_patterns::{Label, PatternWords, formula, text};
use trellis_program::concrete::{Finish, InitialHeap, Machine, Scripted};
use trellis_program::{BlockId, NoResult, Refusal};
use trellis_proveit::examples::Crash;
use trellis_proveit::impact::Stuck;
use trellis_proveit::post::What;
use trellis_proveit::prove::{Conclusion, Found, Subject, prove};

use crate::brief;
use crate::engine::{
    Answer, Budget, Claim, Engine, Options, PatternStatistics, Progress, Statistics, Task,
};
use crate::explore::{config, machine_options};
use crate::heaps;
use crate::registry::Entry;
use crate::verdict::{LoopInvariant, UnknownReason};

/// Characters of a formula that is read at once.
const READ_AT_ONCE: usize = 120;
/// What is outside of the small language.
const OUTSIDE: &str = "not supported by the proveit engine: ";

/// Heap patterns, found by an oracle (*Heap Interpolant Synthesis*).
#[derive(Clone, Copy, Debug, Default)]
pub struct ProveIt;

impl ProveIt {
    /// How it is asked for.
    pub const ENTRY: Entry = Entry {
        name: "proveit",
        about: "Heap patterns of data along lists and trees, by Impact with an automatic oracle",
        settings: &[],
        make: |_| Arc::new(ProveIt),
    };
}

impl Engine for ProveIt {
    fn name(&self) -> &'static str {
        ProveIt::ENTRY.name
    }

    fn run(&self, task: &Task<'_>, budget: &Budget, progress: &Progress) -> Answer {
        let started = Instant::now();
        let mut statistics = Statistics::default();
        let mut warnings = Vec::new();
        let claim = match found(task, budget) {
            Err(why) => Claim::Unknown(why),
            Ok(found) => {
                statistics.states = found.steps;
                statistics.patterns = Some(counted(&found));
                if found.starts == 0 {
                    warnings.push(task.contradiction());
                }
                match &found.conclusion {
                    Conclusion::Proved(_) => verified(task, &found),
                    Conclusion::Violated(crash) => violated(task, &found, crash)
                        .unwrap_or_else(|| alarmed(task, budget, progress, &found, None)),
                    Conclusion::Unknown(stuck) => {
                        alarmed(task, budget, progress, &found, Some(stuck))
                    }
                    // Nobody is asked who could answer later.
                    Conclusion::Pending => Claim::Unknown(UnknownReason::Cancelled),
                }
            }
        };
        statistics.seconds = started.elapsed().as_secs_f64();
        Answer { claim, statistics, warnings }
    }
}

fn found(task: &Task<'_>, budget: &Budget) -> Result<Found, UnknownReason> {
    let refused = |refusals: &[Refusal]| UnknownReason::refused(refusals, OUTSIDE);
    let inlined = task.inlined().map_err(|all| refused(&all))?;
    let machine = machine_options(task);
    let subject = Subject { program: &inlined.program, proc: inlined.proc, machine };
    prove(&subject, budget).map_err(|why| UnknownReason::no_result(why, OUTSIDE, budget))
}

fn counted(found: &Found) -> PatternStatistics {
    let counts = found.counts;
    let (nodes, patterns) = found.size();
    PatternStatistics {
        vertices: counts.vertices,
        covers: counts.covers,
        questions: counts.questions,
        positives: counts.positives,
        negatives: counts.negatives,
        patterns,
        nodes,
    }
}

/// The unwinding is complete and safe.
fn verified(task: &Task<'_>, found: &Found) -> Claim {
    let Conclusion::Proved(labels) = &found.conclusion else {
        return Claim::Unknown(UnknownReason::Internal("a proof without labels".to_owned()));
    };
    let Options { checks, malloc_may_fail, .. } = *task.options;
    let procedure = &task.program.proc(task.proc).name;
    let written = write(&found.code, labels);
    let words = &found.code.words;
    let invariant = |(block, label): (&usize, &Label)| {
        let place = found.code.blocks[*block].span;
        LoopInvariant {
            place,
            formulas: formulas(words, label),
            short: short(words, label, &brief::is_seen(task.program, place)),
            contract: formula::label(words, label).into_iter().collect(),
        }
    };
    let mut invariants: Vec<LoopInvariant> = labels.iter().map(invariant).collect();
    invariants.sort_by_key(|i| i.place);
    let evidence = Evidence::of_patterns(procedure, checks, malloc_may_fail, written);
    Claim::Verified { invariants, evidence: Box::new(evidence), states: None }
}

/// A label as it is drawn in text, and where there is one, the contract that says it.
fn formulas(words: &PatternWords, label: &Label) -> Vec<String> {
    let contract = formula::label(words, label).map(|f| format!("//@ loop invariant {f};"));
    std::iter::once(text::label(words, label)).chain(contract).collect()
}

/// The same in few words: the patterns, and the contract if it is no longer than they are.
fn short(words: &PatternWords, label: &Label, is_seen: &dyn Fn(&str) -> bool) -> Vec<String> {
    let facts = label.0.iter().map(|pattern| text::facts(words, pattern, is_seen)).collect();
    let patterns = brief::alternatives(facts);
    let length: usize = patterns.iter().map(|p| p.chars().count()).sum();
    let contract = formula::label(words, label).map(|f| format!("//@ loop invariant {f};"));
    let contract = contract.filter(|text| text.chars().count() <= length.max(READ_AT_ONCE));
    patterns.into_iter().chain(contract).collect()
}

/// A failing run of the program without calls, tried on the program as written.
fn violated(task: &Task<'_>, found: &Found, crash: &Crash) -> Option<Claim> {
    /// Instructions of such a run.
    const STEPS: usize = 100_000;
    let inlined = task.inlined().ok()?;
    let initial = heaps::program_start(task).or_else(|| {
        let words = &found.code.words;
        let entry = BlockId(found.code.entry as u32);
        let mut state = state_of(&inlined.program, inlined.proc, words, entry, &crash.start);
        state.memory.objects.iter_mut().for_each(|o| o.initial = true);
        let args = state.regs[..task.program.proc(task.proc).params].to_vec();
        Some(InitialHeap { memory: state.memory, globals: state.globals, args })
    })?;
    if !heaps::can_start(task, &initial) {
        return None;
    }
    let machine = Machine::new(task.program, machine_options(task));
    let choices = crash.choices.clone();
    let trace = machine.run(task.proc, &initial, &mut Scripted::new(&choices), STEPS);
    match trace.finish {
        Some(Finish::Failed(failure)) => {
            Some(Claim::Violated { initial, choices, failure, ints: None })
        }
        _ => None,
    }
}

/// Some check may fail: violated if a small heap shows it, else unknown.
fn alarmed(
    task: &Task<'_>,
    budget: &Budget,
    progress: &Progress,
    found: &Found,
    stuck: Option<&Stuck>,
) -> Claim {
    let explored = explore(task.program, task.proc, &config(task, budget), &progress.explore);
    match explored.outcome {
        Explored::Violated(violation) => return Claim::from(*violation),
        Explored::Unfinished(NoResult::Stopped(why)) => {
            return Claim::Unknown(UnknownReason::stopped(why, budget));
        }
        _ => {}
    }
    let line = |span| task.program.sources.line_col(span).0;
    let Some(stuck) = stuck else {
        let text = "a run fails from a heap that no small one confirms";
        return Claim::Unknown(UnknownReason::Oracle(text.to_owned()));
    };
    let may_fail = match stuck.event.as_ref().map(|e| (&e.what, e.span)) {
        Some((What::Failed(kind, _), span)) => {
            format!("{kind} at line {} is not excluded", line(span))
        }
        _ => "no label was accepted".to_owned(),
    };
    let counts = found.counts;
    let text = format!(
        "{} at the loop in line {}: {may_fail} ({} heaps that must fit, {} that must not)",
        stuck.reason,
        line(found.code.blocks[stuck.block].span),
        counts.positives,
        counts.negatives,
    );
    Claim::Unknown(UnknownReason::Oracle(text))
}
