//! Properties of whole programs, as competitions name them.
//!
//! A property is some kinds of checks, and a few things that no kind says: that an address which was
//! never written is dereferenced is against `valid-deref`, that a branch depends on such a value is
//! not; what is lost in a run that never ends is against `valid-memtrack`; what globals point to at
//! the end is against `valid-memcleanup`.
//!
//! **Invariant.** *Verified* is said only if every run was followed to its end as far as the
//! property is concerned: where a run was cut off by something that the property is not about, the
//! answer is *unknown*. So it is where a small run comes to undefined behaviour before.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use trellis_certify::graphs::Graphs;
use trellis_explore::collect::collect;
use trellis_program::ending::{ending_anywhere, freeing_all, unannotated};
use trellis_program::{CheckKind, CheckSet, Diagnostic, InstrKind, Program, Work};

use crate::ProcedureResult;
use crate::engine::{Budget, Options, Progress, Task};
use crate::explore::config;
use crate::plan::Plan;
use crate::replay::replay;
use crate::verdict::{Counterexample, UnknownReason, Verdict};

/// A property.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Property {
    /// The error function is not called.
    UnreachCall,
    /// Only valid memory is accessed.
    ValidDeref,
    /// Only what was allocated is freed, once.
    ValidFree,
    /// Memory that is not freed can be reached.
    ValidMemtrack,
    /// Everything is freed in the end.
    ValidMemcleanup,
}

impl Property {
    /// All, in the order of their names in the manual.
    pub const ALL: [Property; 5] = [
        Property::UnreachCall,
        Property::ValidDeref,
        Property::ValidFree,
        Property::ValidMemtrack,
        Property::ValidMemcleanup,
    ];
    /// The three that are called memory safety.
    pub const MEMSAFETY: [Property; 3] =
        [Property::ValidDeref, Property::ValidFree, Property::ValidMemtrack];

    /// As competitions write it.
    pub fn name(self) -> &'static str {
        match self {
            Property::UnreachCall => "unreach-call",
            Property::ValidDeref => "valid-deref",
            Property::ValidFree => "valid-free",
            Property::ValidMemtrack => "valid-memtrack",
            Property::ValidMemcleanup => "valid-memcleanup",
        }
    }

    /// The kinds of checks that it needs.
    fn kinds(self) -> &'static [CheckKind] {
        use CheckKind as K;
        match self {
            Property::UnreachCall => &[K::ErrorCall],
            Property::ValidDeref => {
                &[K::NullDeref, K::UseAfterFree, K::Bounds, K::Uninit, K::Precondition]
            }
            Property::ValidFree => &[K::InvalidFree, K::DoubleFree, K::Uninit],
            Property::ValidMemtrack | Property::ValidMemcleanup => &[K::Leak],
        }
    }
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Some properties that have to hold together.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Properties(Vec<Property>);

impl Properties {
    /// All of these.
    pub fn new(mut all: Vec<Property>) -> Properties {
        all.sort_unstable();
        all.dedup();
        Properties(all)
    }

    /// Each once, in order.
    pub fn list(&self) -> &[Property] {
        &self.0
    }

    fn has(&self, property: Property) -> bool {
        self.0.contains(&property)
    }

    /// The checks that are on.
    pub fn checks(&self) -> CheckSet {
        let mut checks = CheckSet::none();
        self.0.iter().flat_map(|p| p.kinds()).for_each(|k| checks.set(*k, true));
        checks
    }

    /// Whether a violation is one of a property.
    fn counts(&self, program: &Program, found: &Counterexample) -> bool {
        let (kind, point) = (found.failure.kind, found.failure.point);
        let instr = program.instr_at(point).map(|i| &i.kind);
        match (kind, instr) {
            (CheckKind::Uninit, Some(InstrKind::Free { .. })) => self.has(Property::ValidFree),
            (
                CheckKind::Uninit,
                Some(
                    InstrKind::Load { .. }
                    | InstrKind::Store { .. }
                    | InstrKind::Copy { .. }
                    | InstrKind::Fill { .. },
                ),
            ) => self.has(Property::ValidDeref),
            (CheckKind::Uninit, _) => false,
            // What the library demands of its arguments is that they are valid.
            (CheckKind::Precondition, Some(InstrKind::Call { proc, .. })) => {
                program.sources.is_model(program.proc(*proc).span)
            }
            (CheckKind::Precondition, _) => false,
            _ => true,
        }
    }
}

impl FromStr for Property {
    type Err = String;

    fn from_str(s: &str) -> Result<Property, String> {
        Property::ALL.into_iter().find(|p| p.name() == s).ok_or_else(|| {
            let names: Vec<&str> = Property::ALL.iter().map(|p| p.name()).collect();
            format!("no property is called `{s}`; there are {}, memsafety", names.join(", "))
        })
    }
}

/// Whether a whole program has some properties. The checks of the task are those of the properties.
pub fn verify(
    plan: &Plan,
    task: &Task<'_>,
    properties: &Properties,
    budget: &Budget,
    progress: &Progress,
) -> ProcedureResult {
    let errors = properties.has(Property::UnreachCall);
    let mut program = unannotated(task.program, task.proc, errors);
    if properties.has(Property::ValidMemcleanup) {
        program = freeing_all(&program, task.proc);
    }
    let program = Arc::new(program);
    let asked = Task::new(&program, task.proc, task.options);
    // Here the clock of the program starts.
    let budget = &budget.restart();
    let result = plan.within(&asked, budget, progress);
    let mut result = match result.verdict {
        Verdict::Violated(_) => judge(plan, &asked, properties, budget, progress, result),
        // Graphs without a loss, wherever a run that never ends comes again and again.
        Verdict::Verified { ref evidence, .. }
            if evidence.graphs.as_ref().is_some_and(Graphs::lose_nothing) =>
        {
            result
        }
        Verdict::Verified { .. } if properties.has(Property::ValidMemtrack) => {
            endless(plan, &asked, budget, progress, result)
        }
        _ => result,
    };
    if matches!(result.verdict, Verdict::Verified { .. })
        && let Some(place) = undefined_before(&asked, budget)
    {
        result.verdict = Verdict::Unknown(UnknownReason::Imprecise(vec![place]));
    }
    result.program = result.program.or(Some(Arc::clone(&program)));
    result
}

/// Work for runs with undefined behaviour.
const UNDEFINED: u64 = 100_000;

/// Where some run has undefined behaviour that the properties are not about: nobody knows whether what
/// they forbid comes after it. It is looked for in small runs only.
fn undefined_before(task: &Task<'_>, budget: &Budget) -> Option<Diagnostic> {
    use CheckKind as K;
    let mut checks = CheckSet::none();
    for kind in [
        K::NullDeref,
        K::UseAfterFree,
        K::Bounds,
        K::InvalidFree,
        K::DoubleFree,
        K::Overlap,
        K::NegativeSize,
        K::DivByZero,
        K::BadCall,
        K::Unreachable,
    ] {
        checks.set(kind, !task.options.checks.contains(kind));
    }
    let options = Options { checks, threads: 1, ..task.options.clone() };
    let task = task.with_options(&options);
    let budget = Budget { work: Work::of(UNDEFINED), ..budget.clone() };
    let collected = collect(task.program, task.proc, &config(&task, &budget), 1);
    let found = collected
        .violations
        .into_iter()
        .find_map(|v| replay(&task, v.initial, v.choices, v.failure).ok())?;
    let span = task.program.span_at(found.failure.point);
    let text = format!(
        "a run comes to undefined behaviour ({}), and what it does then is not known",
        found.failure.kind
    );
    Some(Diagnostic::unsupported(span, text))
}

/// Leaves out what is no violation of the properties; if nothing is left, looks at the rest of the
/// runs that were cut off there.
fn judge(
    plan: &Plan,
    task: &Task<'_>,
    properties: &Properties,
    budget: &Budget,
    progress: &Progress,
    mut result: ProcedureResult,
) -> ProcedureResult {
    let Verdict::Violated(first) = &result.verdict else { return result };
    let program = result.program.as_deref().unwrap_or(task.program);
    let all: Vec<Counterexample> =
        std::iter::once((**first).clone()).chain(result.others.drain(..)).collect();
    let (mut own, beside): (Vec<_>, Vec<_>) =
        all.into_iter().partition(|v| properties.counts(program, v));
    if !own.is_empty() {
        result.verdict = Verdict::Violated(Box::new(own.remove(0)));
        result.others = own;
        return result;
    }
    let mut checks = task.options.checks;
    beside.iter().for_each(|v| checks.set(v.failure.kind, false));
    let options = Options { checks, ..task.options.clone() };
    let mut again = plan.within(&task.with_options(&options), budget, progress);
    let unwritten = beside.iter().find(|v| v.failure.kind == CheckKind::Uninit);
    if let (Verdict::Verified { .. }, Some(found)) = (&again.verdict, unwritten) {
        let span = program.span_at(found.failure.point);
        let text = "a branch depends on a value that was never written, and what follows was not \
                    checked for addresses that were never written";
        let place = Diagnostic::unsupported(span, text);
        again.verdict = Verdict::Unknown(UnknownReason::Imprecise(vec![place]));
    }
    again
}

/// Whether nothing is lost in a run that never ends, either.
fn endless(
    plan: &Plan,
    task: &Task<'_>,
    budget: &Budget,
    progress: &Progress,
    result: ProcedureResult,
) -> ProcedureResult {
    let ending = ending_anywhere(task.program, task.proc);
    let mut checks = CheckSet::none();
    checks.set(CheckKind::Leak, true);
    let options = Options { checks, ..task.options.clone() };
    let anywhere = plan.within(&Task::new(&ending, task.proc, &options), budget, progress);
    if matches!(anywhere.verdict, Verdict::Verified { .. }) {
        return result;
    }
    let span = task.program.proc(task.proc).span;
    let text = "nothing is lost in runs that end; whether something is in one that does not, is \
                not known";
    let place = Diagnostic::unsupported(span, text);
    ProcedureResult { verdict: Verdict::Unknown(UnknownReason::Imprecise(vec![place])), ..result }
}
