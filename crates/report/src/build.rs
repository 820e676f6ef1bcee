//! From results of the driver to the report's model.

use trellis_driver::{
    About, AbstractStep, Attempt, Counterexample, LoopInvariant, Note, OnMachine, ProcedureResult,
    UnknownReason, Verdict,
};
use trellis_program::concrete::step::Failure as Failed;
use trellis_program::concrete::{ObjId, State, Trace};
use trellis_program::{
    CheckKind, CheckTable, Diagnostic, Failure, Program, Severity, SourceMap, Span,
};

use crate::heap::{notation, object_name};
use crate::model::{
    AbstractStepReport, AssumptionsReport, AttemptReport, CheckReport, DiagnosticReport,
    InvariantReport, MachineReport, NoteReport, PatternStatistics, PdrStatistics, Place,
    ProcedureReport, ReasonReport, RelatedReport, Statistics, ViolationReport,
};
use crate::steps::{self, steps};

/// Everything a report about one program needs.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The program.
    pub program: &'a Program,
    /// Its checks.
    pub checks: &'a CheckTable,
}

/// The report about one procedure. `command` makes the command that runs a counterexample again from
/// its heap in heap notation, if there is one.
pub fn procedure(
    context: Context<'_>,
    result: &ProcedureResult,
    command: impl Fn(&Counterexample, &str) -> Option<String>,
) -> ProcedureReport {
    let program = context.program;
    let proc = program.proc(result.proc);
    let mut report = ProcedureReport {
        name: proc.name.clone(),
        span: place(&program.sources, proc.span),
        engine: result.engine,
        verdict: result.verdict.name(),
        cached: false,
        excused: None,
        reason: None,
        check: None,
        initial_heap: None,
        choices: Vec::new(),
        command: None,
        trace: Vec::new(),
        inputs: Vec::new(),
        others: Vec::new(),
        others_left_out: None,
        notes: Vec::new(),
        assumptions: None,
        invariants: Vec::new(),
        machine: None,
        abstract_trace: Vec::new(),
        attempts: attempts(&program.sources, &result.attempts),
        statistics: statistics(&result.statistics),
    };
    let violation = |found: &Counterexample| {
        let heap = notation(program, result.proc, &found.initial);
        ViolationReport {
            check: check(context, &found.failure, &found.trace),
            command: command(found, &heap),
            initial_heap: heap,
            choices: found.choices.clone(),
            trace: steps(program, result.proc, &found.trace),
        }
    };
    report.others = result.others.iter().take(MOST_OTHERS).map(violation).collect();
    let left_out = result.others.len() - report.others.len();
    report.others_left_out = Some(left_out).filter(|n| *n > 0);
    report.notes = result.notes.iter().map(|n| note(n, &violation)).collect();
    match &result.verdict {
        Verdict::Verified { invariants, machine, .. } => {
            report.machine = Some(on_machine(machine));
            let one = |i: &LoopInvariant| InvariantReport {
                span: place(&program.sources, i.place),
                formulas: i.formulas.clone(),
                short: i.short.clone(),
            };
            report.invariants = invariants.iter().map(one).collect();
            let given = &result.assumptions;
            report.assumptions = Some(AssumptionsReport {
                malloc_succeeds: given.malloc_succeeds,
                integers_wrap: given.integers_wrap,
                believed: given.believed.clone(),
                modelled: given.modelled.clone(),
                assumed: given.assumed.clone(),
                granted: given.granted.clone(),
                text: given.phrases().join("; "),
            });
        }
        Verdict::NoInvariant { reason, trace } => {
            report.reason = Some(ReasonReport {
                kind: result.verdict.name(),
                text: reason.clone(),
                places: Vec::new(),
                advice: None,
            });
            let one = |s: &AbstractStep| AbstractStepReport {
                span: place(&program.sources, s.place),
                drawing: s.text.lines().map(str::to_owned).collect(),
            };
            report.abstract_trace = trace.iter().map(one).collect();
        }
        Verdict::Unknown(reason) => report.reason = Some(unknown(&program.sources, reason)),
        Verdict::Violated(found) => {
            let ViolationReport { check, initial_heap, choices, command, trace } = violation(found);
            report.check = Some(check);
            report.initial_heap = Some(initial_heap);
            report.choices = choices;
            report.command = command;
            report.trace = trace;
            report.inputs = steps::inputs(program, &found.trace);
        }
    }
    report
}

/// Violations besides the first that are told.
const MOST_OTHERS: usize = 19;

/// What callers have to exclude.
fn note(note: &Note, violation: &dyn Fn(&Counterexample) -> ViolationReport) -> NoteReport {
    let (kind, parameter, text) = match &note.about {
        About::NullArgument(name) => {
            let text = format!(
                "`{name}` may be null; add `requires {name} != NULL`, or `--assume valid-arguments`"
            );
            ("null-argument", Some(name.clone()), text)
        }
        About::NoName => {
            let text = "only if `main` is given nothing, not even a name (`argc` is 0)".to_owned();
            ("no-name", None, text)
        }
        About::Unusual(formulas) => {
            let all = formulas.iter().map(|f| bracketed(f, formulas.len()));
            let text = format!(
                "the heap at the start is unusual; if callers never pass it, add `requires {};`, or \
                 `--assume valid-arguments`",
                all.collect::<Vec<_>>().join(" && "),
            );
            ("unusual-arguments", None, text)
        }
    };
    NoteReport {
        kind,
        parameter,
        text,
        violations: note.violations.iter().take(MOST_OTHERS).map(violation).collect(),
    }
}

/// A formula as one of several of a conjunction.
fn bracketed(formula: &str, several: usize) -> String {
    match several > 1 && formula.starts_with('\\') {
        true => format!("({formula})"),
        false => formula.to_owned(),
    }
}

/// One attempt is the answer itself.
fn attempts(sources: &SourceMap, all: &[Attempt]) -> Vec<AttemptReport> {
    let one = |a: &Attempt| AttemptReport {
        engine: a.engine,
        reason: a.stopped.as_ref().map(|why| unknown(sources, why)),
        statistics: statistics(&a.statistics),
    };
    if all.len() > 1 { all.iter().map(one).collect() } else { Vec::new() }
}

fn on_machine(machine: &OnMachine) -> MachineReport {
    MachineReport {
        heaps: machine.held.runs.heaps,
        objects: machine.held.runs.objects,
        states: machine.held.states.map(|s| s.states),
        state_objects: machine.held.states.and_then(|s| s.objects),
        text: machine.to_string(),
    }
}

fn statistics(s: &trellis_driver::Statistics) -> Statistics {
    Statistics {
        heaps: s.heaps,
        states: s.states,
        instructions: s.instructions,
        peak_bytes: s.peak_bytes,
        seconds: s.seconds,
        machine_seconds: s.machine_seconds,
        pdr: s.pdr.as_ref().map(|p| PdrStatistics {
            frames: p.frames,
            queries: p.queries,
            blocking: p.blocking,
            pushing: p.pushing,
            lemmas: p.lemmas,
            clauses: p.clauses,
            universal: p.universal,
            solver_seconds: p.solver_seconds,
            search_seconds: p.search_seconds,
            check_seconds: p.check_seconds,
        }),
        patterns: s.patterns.as_ref().map(patterns),
    }
}

/// What the pattern engine counted.
pub fn patterns(s: &trellis_driver::PatternStatistics) -> PatternStatistics {
    PatternStatistics {
        vertices: s.vertices,
        covers: s.covers,
        questions: s.questions,
        positives: s.positives,
        negatives: s.negatives,
        patterns: s.patterns,
        nodes: s.nodes,
    }
}

fn unknown(sources: &SourceMap, reason: &UnknownReason) -> ReasonReport {
    let places = reason.places();
    ReasonReport {
        kind: reason.name(),
        text: reason.to_string(),
        places: places.iter().map(|d| diagnostic(sources, d)).collect(),
        advice: reason.advice(),
    }
}

/// A failed check, with the places that explain it.
pub fn check(context: Context<'_>, failure: &Failed, trace: &Trace) -> CheckReport {
    let program = context.program;
    let sources = &program.sources;
    let row = context
        .checks
        .find(failure.point, failure.kind, failure.clause)
        .map(|id| context.checks.get(id));
    let here = program.span_at(failure.point);
    let place_of_row = row.map_or(here, |row| row.span);
    // What goes wrong in a model, goes wrong where the user calls it.
    let is_model = sources.is_model(place_of_row);
    let mut calls = trace.steps.iter().rev().map(|s| s.span);
    let call = calls.find(|at| is_model && !sources.is_model(*at));
    let span = call.unwrap_or(place_of_row);
    let mut message = failure.kind.failure().to_owned();
    if failure.undefined {
        message.push_str(": it reads memory that is not there");
    }
    if let Some(name) = failure.object.and_then(|o| object_name(&trace.last.memory, o)) {
        message = format!("{message} ({name})");
    }
    let mut related = Vec::new();
    let mut add = |text: &str, at: Span| {
        if at != span {
            related.push(RelatedReport { text: text.to_owned(), span: place(sources, at) });
        }
    };
    if is_model {
        add("in its model", place_of_row);
    }
    match failure.kind {
        CheckKind::Postcondition | CheckKind::Assigns => add("at this return", here),
        CheckKind::Precondition => {
            if let Some(clause) = required_clause(program, failure) {
                add("this clause", clause);
            }
        }
        _ => {}
    }
    if let Some(object) = failure.object {
        match failure.kind {
            CheckKind::UseAfterFree | CheckKind::DoubleFree => {
                if let Some(at) = died_at(sources, trace, object) {
                    add("its lifetime ended here", at);
                }
            }
            CheckKind::Leak => {
                if let Some(at) = born_at(sources, trace, object) {
                    add("allocated here", at);
                }
            }
            _ => {}
        }
    }
    CheckReport {
        id: row.map_or_else(
            || format!("{}:{}", program.proc(failure.point.proc).name, failure.kind),
            |row| row.name.clone(),
        ),
        kind: failure.kind.name(),
        message,
        span: place(sources, span),
        related,
    }
}

/// The clause of the callee that a failed precondition is about.
fn required_clause(program: &Program, failure: &Failed) -> Option<Span> {
    let callee = program.instr_at(failure.point)?.kind.callee()?;
    let requires = &program.proc(callee).contract.requires;
    requires.get(failure.clause as usize).map(|c| c.span)
}

/// The instruction after which an object exists; `None` if it was there at the start.
fn born_at(sources: &SourceMap, trace: &Trace, object: ObjId) -> Option<Span> {
    let exists = |state: &State| (object.0 as usize) < state.memory.objects.len();
    last_before(sources, trace, exists)
}

/// The instruction after which an object is dead.
fn died_at(sources: &SourceMap, trace: &Trace, object: ObjId) -> Option<Span> {
    let dead = |state: &State| {
        let found = state.memory.objects.get(object.0 as usize);
        found.is_some_and(|o| !o.live)
    };
    last_before(sources, trace, dead)
}

/// The instruction that makes a property true which stays true once it is; of a model, its call.
/// `None` if that is not kept.
fn last_before(sources: &SourceMap, trace: &Trace, holds: impl Fn(&State) -> bool) -> Option<Span> {
    let first = trace.steps.iter().position(|s| holds(&s.state)).unwrap_or(trace.steps.len());
    let gap = trace.gap.map_or(0, |gap| gap.before);
    let start = if first >= gap { gap } else { 0 };
    let before = trace.steps[start..first].iter().rev().map(|s| s.span);
    before.into_iter().find(|at| !sources.is_model(*at))
}

/// A diagnostic in the model.
pub fn diagnostic(sources: &SourceMap, d: &Diagnostic) -> DiagnosticReport {
    DiagnosticReport {
        severity: match d.severity {
            Severity::Error => "error",
            Severity::Unsupported => "unsupported",
            Severity::Warning => "warning",
        },
        message: d.message.clone(),
        span: d.span.map(|s| place(sources, s)),
        label: (!d.label.is_empty()).then(|| d.label.clone()),
        related: d
            .related
            .iter()
            .map(|(at, text)| RelatedReport { text: text.clone(), span: place(sources, *at) })
            .collect(),
        help: d.help.clone(),
    }
}

/// Why a source cannot be used.
pub fn failure(failure: &Failure) -> Vec<DiagnosticReport> {
    failure.diagnostics.iter().map(|d| diagnostic(&failure.sources, d)).collect()
}

/// A span in the model.
pub fn place(sources: &SourceMap, span: Span) -> Place {
    let file = sources.file(span.file);
    let (line, column) = file.line_col(span.start);
    let (end_line, end_column) = file.line_col(span.end);
    Place { file: file.name.clone(), line, column, end_line, end_column, raw: span }
}
