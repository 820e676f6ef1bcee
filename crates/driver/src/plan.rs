//! Which engines look at a procedure, in which order, and whose answer counts.
//!
//! A plan is a list of rounds: an engine, and how much work it may do. The answer is that of the
//! first round, in the order of the plan, that has one which stands: *verified* or *violated*, after
//! the driver has vouched for it. A *verified* gives way to an internal error of another engine that
//! was asked. Without such a round it is *no-invariant* if the last engine says
//! so, else *unknown* with what stopped each engine.
//!
//! The plan `auto` is the default ([`crate::registry`] has its rounds). It looks at small heaps first,
//! because most errors show there; then provers and exploration take turns, each turn longer than the
//! last one.
//!
//! **Invariant: the answer does not depend on threads or load.** Work is counted, not time, and every
//! round with a limit runs on one thread. With several threads provers and exploration run side by
//! side (`lanes`), but the round that counts is the same. Only when time is over may answers differ.

mod lanes;

use std::fmt;
use std::sync::Arc;

use trellis_program::{Diagnostic, StopReason, Work};

use crate::engine::{Budget, Engine, Options, Progress, Statistics, Task};
use crate::memory::resident;
use crate::verdict::{UnknownReason, Verdict};
use crate::{ProcedureResult, attempt, thorough};

/// An engine, and how much work it may do.
#[derive(Clone)]
pub(crate) struct Round {
    pub(crate) engine: Arc<dyn Engine>,
    /// In units of about a microsecond; `None`: until it has an answer.
    pub(crate) work: Option<u64>,
}

/// What each engine came to, in the order of their first rounds.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// The engine.
    pub engine: &'static str,
    /// Why it has no answer that counts; `None` if it has.
    pub stopped: Option<UnknownReason>,
    /// What its last round cost.
    pub statistics: Statistics,
}

/// Rounds in order.
#[derive(Clone)]
pub struct Plan {
    name: &'static str,
    rounds: Vec<Round>,
}

impl fmt::Debug for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl Plan {
    /// One engine alone.
    pub fn of(engine: Arc<dyn Engine>) -> Plan {
        Plan { name: engine.name(), rounds: vec![Round { engine, work: None }] }
    }

    /// Rounds under a name.
    pub(crate) fn new(name: &'static str, rounds: Vec<Round>) -> Plan {
        Plan { name, rounds }
    }

    /// Its name on the command line.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Verifies a procedure.
    pub fn verify(&self, task: &Task<'_>, budget: &Budget, progress: &Progress) -> ProcedureResult {
        // Here the clock of a procedure starts, and what it takes of the memory.
        let budget = &Budget { before: resident(), ..budget.restart() };
        self.within(task, budget, progress)
    }

    /// Verifies a procedure within what is left of the budget: what the engines say, and what is
    /// wrong besides.
    pub(crate) fn within(
        &self,
        task: &Task<'_>,
        budget: &Budget,
        progress: &Progress,
    ) -> ProcedureResult {
        let result = self.asked(task, budget, progress);
        thorough::complete(self, task, budget, progress, result)
    }

    /// What the engines say, within what is left of the budget.
    pub(crate) fn asked(
        &self,
        task: &Task<'_>,
        budget: &Budget,
        progress: &Progress,
    ) -> ProcedureResult {
        // An engine that was asked for by its name says itself what it is not for.
        let alone = self.rounds.len() == 1;
        let suits = |round: &&Round| alone || round.engine.suits(task);
        let rounds: Vec<Round> = self.rounds.iter().filter(suits).cloned().collect();
        let mut results = match task.options.threads {
            0 | 1 => in_turn(&rounds, task, budget, progress),
            _ => lanes::side_by_side(&rounds, task, budget, progress),
        };
        // That an engine was not asked because the budget is over, or because there was no thread for
        // it, is part of the answer: another run may ask it.
        if let Some(engine) = left_out(&rounds, &results) {
            let why = budget.check().err().unwrap_or(StopReason::Memory);
            let why = UnknownReason::stopped(why, budget);
            results.push(ProcedureResult::not_begun(engine, task, why));
        }
        self.conclude(task, budget, results)
    }

    /// The answer of the first round that has one, with what the others came to.
    fn conclude(
        &self,
        task: &Task<'_>,
        budget: &Budget,
        results: Vec<ProcedureResult>,
    ) -> ProcedureResult {
        let seconds = budget.started.elapsed().as_secs_f64();
        let mut attempts: Vec<Attempt> = Vec::new();
        for result in &results {
            let made = Attempt::of(result);
            match attempts.iter_mut().find(|a| a.engine == made.engine) {
                Some(earlier) => *earlier = made,
                None => attempts.push(made),
            }
        }
        // The last engine has the richest language; that a poorer one is too poor says little.
        let last = self.rounds.last().map(|r| r.engine.name());
        let is_proof = |r: &ProcedureResult| {
            matches!(r.verdict, Verdict::NoInvariant { .. }) && Some(r.engine) == last
        };
        let decided = results.iter().position(decides);
        // Where one engine was caught contradicting the machine, the proof of another may rest on the
        // same mistake; what the machine has run again stands.
        let violated = |i: &usize| matches!(results[*i].verdict, Verdict::Violated(_));
        let stands = decided
            .filter(violated)
            .or_else(|| results.iter().position(contradicts))
            .or(decided)
            .or_else(|| results.iter().rposition(is_proof));
        let mut results = results;
        let mut answer = match (stands, &attempts[..]) {
            (Some(i), _) => results.swap_remove(i),
            (None, [_]) => results.swap_remove(results.len() - 1),
            (None, _) => {
                let reasons = attempts.iter().filter_map(Attempt::reason).collect();
                let why = UnknownReason::unite(reasons);
                let mut answer = ProcedureResult::not_begun(self.name, task, why);
                answer.warnings = results.iter().flat_map(|r| r.warnings.clone()).collect();
                answer.warnings.sort_by_key(|w| w.span);
                answer.warnings.dedup();
                answer
            }
        };
        answer.warnings.extend(empty(task, &answer));
        if attempts.len() > 1 {
            answer.statistics.seconds = seconds;
        }
        answer.attempts = attempts;
        answer
    }
}

impl Attempt {
    fn of(result: &ProcedureResult) -> Attempt {
        let stopped = match &result.verdict {
            Verdict::Verified { .. } | Verdict::Violated(_) => None,
            Verdict::NoInvariant { reason, .. } => Some(UnknownReason::NoInvariant(reason.clone())),
            Verdict::Unknown(why) => Some(why.clone()),
        };
        Attempt { engine: result.engine, stopped, statistics: result.statistics }
    }

    fn reason(&self) -> Option<(&'static str, UnknownReason)> {
        self.stopped.clone().map(|why| (self.engine, why))
    }
}

/// Heaps of so many objects must have been tried before it is told that none can start.
const TELLING: usize = 3;

/// The warning that a *verified* may say nothing, because no small heap can start; an engine that drops
/// what it does not understand of a precondition does not see that nothing satisfies it.
fn empty(task: &Task<'_>, answer: &ProcedureResult) -> Option<Diagnostic> {
    let Verdict::Verified { machine, .. } = &answer.verdict else { return None };
    let at = task.precondition();
    let has_contract = !task.program.proc(task.proc).contract.requires.is_empty();
    let told = answer.warnings.iter().any(|w| w.span == Some(at));
    match machine.held.runs.objects {
        Some(objects) if objects >= TELLING => {
            let none = machine.held.all.is_none() && machine.held.runs.heaps == 0;
            let help = "`verified` may say nothing here; raise `--objects`, or correct `requires`";
            (none && has_contract && !told)
                .then(|| crate::explore::contradiction(task, objects).with_help(help))
        }
        _ => None,
    }
}

/// Whether nobody else has to be asked.
fn decides(result: &ProcedureResult) -> bool {
    matches!(result.verdict, Verdict::Verified { .. } | Verdict::Violated(_))
}

/// The first engine that should have been asked and was not.
fn left_out(rounds: &[Round], results: &[ProcedureResult]) -> Option<&'static str> {
    if results.iter().any(decides) {
        return None;
    }
    let mut engines = rounds.iter().map(|r| r.engine.name());
    engines.find(|engine| !results.iter().any(|r| r.engine == *engine))
}

/// Whether it is an error of ours.
fn contradicts(result: &ProcedureResult) -> bool {
    matches!(result.verdict, Verdict::Unknown(UnknownReason::Internal(_)))
}

/// Whether an engine would say the same if it were asked again, or nobody wants to know.
fn is_final(result: &ProcedureResult) -> bool {
    !matches!(result.verdict, Verdict::Unknown(UnknownReason::Work))
}

/// Runs the rounds one after the other, until one decides.
fn in_turn(
    rounds: &[Round],
    task: &Task<'_>,
    budget: &Budget,
    progress: &Progress,
) -> Vec<ProcedureResult> {
    let mut results: Vec<ProcedureResult> = Vec::new();
    for round in rounds {
        if results.iter().any(|r| r.engine == round.engine.name() && is_final(r)) {
            continue;
        }
        results.push(round.run(task, budget, progress));
        if results.last().is_some_and(decides) || budget.check().is_err() {
            break;
        }
    }
    results
}

impl Round {
    /// Runs the engine within its work, and what is left of the budget.
    fn run(&self, task: &Task<'_>, budget: &Budget, progress: &Progress) -> ProcedureResult {
        let Some(units) = self.work else {
            return attempt(&*self.engine, task, budget, progress);
        };
        let budget = Budget { work: Work::of(units), ..budget.clone() };
        // Threads would not spend it in the same order every time.
        let options = Options { threads: 1, ..task.options.clone() };
        attempt(&*self.engine, &task.with_options(&options), &budget, progress)
    }
}
