//! All that is wrong with a procedure, and what is only its callers' to exclude.
//!
//! Engines end with the first violation. Then exploration goes on, within so much work, past every
//! check that fails ([`trellis_explore::collect`]), so that no violation hides another.
//!
//! Of a procedure without a contract nobody knows what it is given. A null argument that it
//! dereferences without ever looking at it ([`crate::origin`]) is a *note*, one a parameter, and the
//! procedure is looked at once more with these parameters not null. What is found then are
//! violations. If nothing is, the answer is *unknown*: a null argument does break it.
//!
//! Where the run of a violation begins with arguments that callers usually see to be otherwise (a list
//! that does not end, shared memory), a note says what to demand of them. It is a violation all the
//! same: nobody has said that such arguments do not come.
//!
//! In the same way a `main` that fails only without a name of its own (`argc == 0`) has a note.
//!
//! **Invariant.** Every violation that is told was replayed. A note takes no violation away that is
//! not a dereference of the argument itself.

use std::sync::Arc;

use trellis_explore::collect::collect;
use trellis_program::{Arguments, Program, Span, Work, arguments};

use crate::ProcedureResult;
use crate::engine::{Budget, Options, Progress, Task};
use crate::explore::config;
use crate::heaps::can_start;
use crate::origin::null_argument;
use crate::plan::Plan;
use crate::replay::replay;
use crate::verdict::{Counterexample, UnknownReason, Verdict};

/// Most violations of one procedure that are looked for.
const MOST: usize = 100;
/// Work for violations besides the first.
const WORK: u64 = 300_000;
/// Work for a start without arguments.
const NAMELESS: u64 = 50_000;

/// Something that callers have to exclude.
#[derive(Clone, Debug)]
pub struct Note {
    /// What is wrong with what they pass.
    pub about: About,
    /// What goes wrong then, one a check.
    pub violations: Vec<Counterexample>,
}

/// What callers may pass.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum About {
    /// A null pointer for this parameter.
    NullArgument(String),
    /// Nothing at all, not even a name, to `main`.
    NoName,
    /// Structures for which these formulas of the contract language do not hold.
    Unusual(Vec<String>),
}

/// What else is wrong, after the first answer.
pub(crate) fn complete(
    plan: &Plan,
    task: &Task<'_>,
    budget: &Budget,
    progress: &Progress,
    mut result: ProcedureResult,
) -> ProcedureResult {
    result.notes.extend(without_name(task, budget));
    let Verdict::Violated(first) = &result.verdict else { return result };
    let all = violations(task, budget, first);
    let blame = |found: &Counterexample| match may_blame_callers(task) {
        true => null_argument(task.program, task.proc, found),
        false => None,
    };
    let (noted, mut own): (Vec<_>, Vec<_>) = all.into_iter().partition(|v| blame(v).is_some());
    let mut params: Vec<usize> = noted.iter().filter_map(blame).collect();
    params.sort_unstable();
    params.dedup();
    let name = |param: usize| task.program.proc(task.proc).vars[param].name.clone();
    for &param in &params {
        let of = noted.iter().filter(|v| blame(v) == Some(param)).cloned();
        let about = About::NullArgument(name(param));
        result.notes.push(Note { about, violations: of.collect() });
    }
    if own.is_empty() {
        let names = params.iter().map(|p| name(*p)).collect();
        return with_present(plan, task, budget, progress, result, &params, names);
    }
    let first = own.remove(0);
    result.notes.extend(unusual(task, &first));
    result.verdict = Verdict::Violated(Box::new(first));
    result.others = own;
    result
}

/// What does not hold of the arguments that a violation begins with, although it usually does.
fn unusual(task: &Task<'_>, found: &Counterexample) -> Option<Note> {
    if !may_blame_callers(task) {
        return None;
    }
    // Only how it starts matters here, so its calls of itself may see the clause, too.
    let mut program = task.program.clone();
    let mut excludes = |habit: &arguments::Habit| {
        program.procs[task.proc.0 as usize].contract.requires = vec![habit.clause.clone()];
        !can_start(&Task::new(&program, task.proc, task.options), &found.initial)
    };
    let habits = arguments::habits(task.program, task.proc);
    let broken = habits.into_iter().filter(|habit| excludes(habit));
    let texts: Vec<String> = broken.map(|habit| habit.text).collect();
    (!texts.is_empty()).then_some(Note { about: About::Unusual(texts), violations: Vec::new() })
}

/// The procedure once more, with arguments that are not null.
fn with_present(
    plan: &Plan,
    task: &Task<'_>,
    budget: &Budget,
    progress: &Progress,
    first: ProcedureResult,
    params: &[usize],
    names: Vec<String>,
) -> ProcedureResult {
    let program = Arc::new(arguments::with_present(task.program, task.proc, params));
    let again = Task::new(&program, task.proc, task.options);
    let found = plan.asked(&again, budget, progress);
    let mut result = complete(plan, &again, budget, progress, found);
    result.notes.splice(0..0, first.notes);
    result.verdict = match result.verdict {
        Verdict::Verified { .. } => Verdict::Unknown(UnknownReason::Arguments { names }),
        other => other,
    };
    result.assumptions = first.assumptions;
    result.program.get_or_insert(program);
    result
}

/// The violations that exploration finds, the given one first, each of another check.
fn violations(task: &Task<'_>, budget: &Budget, first: &Counterexample) -> Vec<Counterexample> {
    let options = Options { threads: 1, int_values: first.ints.clone(), ..task.options.clone() };
    let task = task.with_options(&options);
    let budget = Budget { work: Work::of(WORK), ..budget.clone() };
    let collected = collect(task.program, task.proc, &config(&task, &budget), MOST + 1);
    let mut all = vec![first.clone()];
    for found in collected.violations {
        // One that does not replay is our bug, and told where it is the answer.
        let Ok(found) = replay(&task, found.initial, found.choices, found.failure) else {
            continue;
        };
        let what = (found.failure.kind, own_place(task.program, &found));
        if all.iter().all(|v| (v.failure.kind, own_place(task.program, v)) != what) {
            all.push(found);
        }
    }
    all
}

/// Where a violation is in the user's own code: of one in a model, at the call.
fn own_place(program: &Program, found: &Counterexample) -> Span {
    let is_own = |at: &Span| !program.sources.is_model(*at);
    let at = program.span_at(found.failure.point);
    let calls = found.trace.steps.iter().rev().map(|step| step.span);
    Some(at).filter(is_own).or_else(|| calls.into_iter().find(is_own)).unwrap_or(at)
}

/// Whether nobody has said what the procedure is given, and the user wants notes.
fn may_blame_callers(task: &Task<'_>) -> bool {
    let procedure = task.program.proc(task.proc);
    task.program.arguments == Arguments::Usual
        && !task.program.is_collected()
        && !procedure.has_contract
        && !procedure.is_whole_program()
}

/// What goes wrong where `main` is not even given a name.
fn without_name(task: &Task<'_>, budget: &Budget) -> Option<Note> {
    let program: Program = arguments::without_name(task.program, task.proc)?;
    let options = Options { threads: 1, objects: 0, ..task.options.clone() };
    let task = Task::new(&program, task.proc, &options);
    let budget = Budget { work: Work::of(NAMELESS), ..budget.clone() };
    let collected = collect(&program, task.proc, &config(&task, &budget), MOST);
    let replayed = |found: trellis_explore::Violation| {
        replay(&task, found.initial, found.choices, found.failure).ok()
    };
    let violations: Vec<_> = collected.violations.into_iter().filter_map(replayed).collect();
    (!violations.is_empty()).then_some(Note { about: About::NoName, violations })
}
