//! The whole engine on one procedure: stages of words, the analysis first, then Impact.
//!
//! For every stage of [`crate::vocabulary`] the analysis runs; labels that the checker of
//! `trellis-patterns` confirms are offered to Impact as its first answers, so that what is claimed is
//! always a complete and safe unwinding. Where no stage gives any, the machine is asked for a failure,
//! and Impact goes on with examples alone.

use std::collections::BTreeMap;

use trellis_logic::{Budget, Work};
use trellis_patterns::check::{self, check};
use trellis_patterns::initial::starts;
use trellis_patterns::pattern::{Label, Pattern};
use trellis_patterns::{PatternProgram, Settings, lower};
use trellis_program::concrete::{Machine, MachineOptions};
use trellis_program::{NoResult, ProcId, Program, Refusal};

use crate::analyse::{Analysis, Outcome, refine};
use crate::examples::{Crash, Runner};
use crate::impact::{Counts, Ending, Impact, MANY, POOL, Stuck};
use crate::oracle::Oracle;
use crate::oracle::automatic::Automatic;
use crate::post::{Event, Post, What};
use crate::vocabulary::stages;

/// What came of it.
#[derive(Clone, Debug)]
pub enum Conclusion {
    /// These labels at loop heads are an invariant under which no check fails.
    Proved(BTreeMap<usize, Label>),
    /// The machine fails a check.
    Violated(Box<Crash>),
    /// No oracle could refute an error path.
    Unknown(Box<Stuck>),
    /// A question waits for its answer.
    Pending,
}

/// What was found, and what it cost.
#[derive(Clone, Debug)]
pub struct Found {
    /// The answer.
    pub conclusion: Conclusion,
    /// The procedure, with the words that labels speak in.
    pub code: PatternProgram,
    /// The cost.
    pub counts: Counts,
    /// How many patterns the procedure can start from.
    pub starts: usize,
    /// Steps on patterns.
    pub steps: u64,
}

impl Found {
    /// Nodes of all patterns of a proof together, and how many patterns there are.
    pub fn size(&self) -> (usize, usize) {
        let Conclusion::Proved(labels) = &self.conclusion else { return (0, 0) };
        let patterns = || labels.values().flat_map(|l| &l.0);
        (patterns().map(|p: &Pattern| p.nodes.len()).sum(), patterns().count())
    }
}

/// A procedure without calls, and how it is to be looked at.
#[derive(Clone, Debug)]
pub struct Subject<'a> {
    /// The program.
    pub program: &'a Program,
    /// The procedure.
    pub proc: ProcId,
    /// How the machine runs; its checks are those that are shown.
    pub machine: MachineOptions,
}

impl Subject<'_> {
    /// The procedure in the small language.
    ///
    /// # Errors
    /// What has no words.
    pub fn lowered(&self) -> Result<PatternProgram, Refusal> {
        let MachineOptions { checks, malloc_may_fail, .. } = self.machine;
        lower(self.program, self.proc, &Settings { checks, malloc_may_fail })
    }

    /// Whether labels are an invariant, as the checker without any engine says.
    pub fn confirms(
        &self,
        code: &PatternProgram,
        labels: &BTreeMap<usize, Label>,
        budget: &Budget,
    ) -> bool {
        let MachineOptions { checks, malloc_may_fail, .. } = self.machine;
        let options = check::Options { checks, malloc_may_fail, budget: budget.clone() };
        check(self.program, code, labels, &options).is_ok()
    }

    /// The patterns that it starts from.
    ///
    /// # Errors
    /// If there are too many.
    pub fn starts(&self, code: &PatternProgram) -> Result<Vec<Pattern>, Refusal> {
        starts(code, self.program.proc(self.proc).span)
    }
}

/// Proves a procedure with the automatic oracle.
///
/// # Errors
/// What cannot be followed, or why the work could not be finished.
pub fn prove(subject: &Subject<'_>, budget: &Budget) -> Result<Found, NoResult> {
    let mut steps = 0;
    let all = stages(&subject.lowered()?);
    let mut last: Option<(PatternProgram, Vec<Pattern>)> = None;
    let mut pooled = false;
    for code in all {
        let begin = subject.starts(&code)?;
        let confirm = |labels: &BTreeMap<usize, Label>| subject.confirms(&code, labels, budget);
        // The machine is asked as soon as something may go wrong, not after all keys were tried.
        if !pooled {
            let found = one_rung(subject, &code, &begin, budget);
            steps += found.steps;
            refused(&found)?;
            if !found.is_proof() {
                pooled = true;
                if let Some(crash) = crash(subject, &code, &begin, budget) {
                    return Ok(violated(crash, code, begin.len(), steps));
                }
            }
        }
        let found = refine(&code, subject.machine.checks, &begin, budget, &confirm);
        steps += found.steps;
        refused(&found)?;
        if let Outcome::Stopped(why) = found.outcome {
            return Err(NoResult::Stopped(why));
        }
        if found.is_confirmed {
            return with_labels(subject, code, begin, found.labels, budget, steps);
        }
        last = Some((code, begin));
    }
    let Some((code, begin)) = last else { unreachable!("there is a first stage") };
    with_labels(subject, code, begin, BTreeMap::new(), budget, steps)
}

/// The analysis with the first keys.
fn one_rung(
    subject: &Subject<'_>,
    code: &PatternProgram,
    starts: &[Pattern],
    budget: &Budget,
) -> Analysis {
    let keys = crate::merge::Keys::LADDER[0];
    crate::analyse::analyse(code, subject.machine.checks, starts, keys, budget)
}

/// What lies outside is refused with its place.
fn refused(found: &Analysis) -> Result<(), NoResult> {
    match found.events.iter().find_map(outside) {
        Some(refusal) => Err(NoResult::Refused(refusal)),
        None => Ok(()),
    }
}

/// The refusal that an event is.
pub fn outside(event: &Event) -> Option<Refusal> {
    match &event.what {
        What::Outside(reason) => Some(Refusal::at(event.span, reason.clone())),
        What::Failed(..) | What::TooLarge => None,
    }
}

fn crash(
    subject: &Subject<'_>,
    code: &PatternProgram,
    starts: &[Pattern],
    budget: &Budget,
) -> Option<Crash> {
    let machine = Machine::new(subject.program, subject.machine.clone());
    runner(subject, code, &machine, &budget.work).pool(starts, POOL).crash
}

fn violated(crash: Crash, code: PatternProgram, starts: usize, steps: u64) -> Found {
    let conclusion = Conclusion::Violated(Box::new(crash));
    Found { conclusion, code, counts: Counts::default(), starts, steps }
}

fn runner<'a>(
    subject: &Subject<'a>,
    code: &'a PatternProgram,
    machine: &'a Machine<'a>,
    work: &'a Work,
) -> Runner<'a> {
    let (program, proc, checks) = (subject.program, subject.proc, subject.machine.checks);
    Runner { program, proc, patterns: code, checks, machine, work }
}

/// Impact with the automatic oracle, which has these labels as its first answers.
fn with_labels(
    subject: &Subject<'_>,
    code: PatternProgram,
    starts: Vec<Pattern>,
    labels: BTreeMap<usize, Label>,
    budget: &Budget,
    steps: u64,
) -> Result<Found, NoResult> {
    let mut oracle = Automatic::new(&code, subject.machine.checks, budget, labels);
    let found = unwind(subject, &code, starts.clone(), &mut oracle, budget, MANY, |_| ());
    let (ending, counts) = found;
    let conclusion = conclude(ending)?;
    let starts = starts.len();
    Ok(Found { conclusion, code: code.clone(), counts, starts, steps })
}

/// Impact with any oracle; `look` sees the search when it has ended.
pub fn unwind(
    subject: &Subject<'_>,
    code: &PatternProgram,
    starts: Vec<Pattern>,
    oracle: &mut dyn Oracle,
    budget: &Budget,
    positives: usize,
    look: impl FnOnce(&Impact<'_>),
) -> (Ending, Counts) {
    let machine = Machine::new(subject.program, subject.machine.clone());
    let post = Post { program: code, checks: subject.machine.checks };
    let runner = runner(subject, code, &machine, &budget.work);
    let mut impact = Impact::new(post, runner, oracle, budget, starts, positives);
    let ending = impact.unwind();
    let counts = impact.counts();
    look(&impact);
    (ending, counts)
}

fn conclude(ending: Ending) -> Result<Conclusion, NoResult> {
    Ok(match ending {
        Ending::Proved(labels) => Conclusion::Proved(labels),
        Ending::Violated(crash) => Conclusion::Violated(crash),
        Ending::Unknown(stuck) => match stuck.event.as_ref().and_then(outside) {
            Some(refusal) => return Err(NoResult::Refused(refusal)),
            None => Conclusion::Unknown(stuck),
        },
        Ending::Pending { .. } => Conclusion::Pending,
        Ending::Stopped(why) => return Err(NoResult::Stopped(why)),
    })
}
