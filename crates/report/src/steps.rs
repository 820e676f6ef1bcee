//! The states of a run that are worth showing.
//!
//! One source line is many instructions. Consecutive instructions of one line become one entry
//! with the state after the last of them; an instruction that comes round again (a loop on one
//! line) begins a new entry, so no iteration is hidden. What a model does is part of the line that
//! calls it.

use std::collections::BTreeSet;

use trellis_program::checks::Point;
use trellis_program::concrete::drawing::integers;
use trellis_program::concrete::{Finish, State, Trace, TraceStep, Value};
use trellis_program::{FileId, InstrKind, ProcId, Program, Span};

use crate::build::place;
use crate::heap::{is_small, picture, text_of};
use crate::model::{InputReport, StepReport};

/// A run of instructions that one entry stands for.
#[derive(PartialEq, Eq)]
struct Line {
    proc: ProcId,
    depth: usize,
    file: FileId,
    line: usize,
}

/// An entry before it is drawn.
pub struct Visible<'t> {
    /// The procedure.
    pub proc: ProcId,
    /// How many calls deep.
    pub depth: usize,
    /// The code that led to the state.
    pub span: Span,
    /// The state.
    pub state: &'t State,
    /// So many instructions were not kept before it.
    pub left_out: Option<usize>,
}

/// The entries of a run, the initial state first.
pub fn visible<'t>(program: &Program, proc: ProcId, trace: &'t Trace) -> Vec<Visible<'t>> {
    let Some(first) = trace.steps.first() else {
        return Vec::new();
    };
    let mut out = vec![Visible {
        proc,
        depth: 0,
        span: program.proc(proc).span,
        state: &first.state,
        left_out: None,
    }];
    let mut current: Option<Line> = None;
    let mut points: BTreeSet<Point> = BTreeSet::new();
    let is_model = |state: &State| program.sources.is_model(program.proc(state.top().proc).span);
    for (i, step) in trace.steps.iter().enumerate() {
        if is_model(&step.state) && i > 0 {
            continue;
        }
        let line = Line {
            proc: step.point.proc,
            depth: step.state.frames.len().saturating_sub(1),
            file: step.span.file,
            line: program.sources.line_col(step.span).0,
        };
        let left_out = trace.gap.filter(|gap| gap.before == i).map(|gap| gap.steps);
        let next = after(trace, i);
        let state = if is_model(next) { &step.state } else { next };
        let again = !points.insert(step.point);
        let goes_on = !again && current.as_ref() == Some(&line) && left_out.is_none();
        match out.last_mut() {
            Some(entry) if goes_on => {
                entry.state = state;
                // Where it ended is the place of the failed check.
                if i + 1 == trace.steps.len() {
                    entry.span = step.span;
                }
            }
            _ => {
                points = BTreeSet::from([step.point]);
                let (proc, depth, span) = (line.proc, line.depth, step.span);
                out.push(Visible { proc, depth, span, state, left_out });
                current = Some(line);
            }
        }
    }
    out
}

/// The state after step `i`. A step that ends the run is shown with the state it started in,
/// because what it did was to leave (or not to get through).
fn after(trace: &Trace, i: usize) -> &State {
    match trace.steps.get(i + 1) {
        // What comes next was not kept.
        Some(_) if trace.gap.is_some_and(|gap| gap.before == i + 1) => &trace.steps[i].state,
        Some(next) => &next.state,
        None if matches!(trace.finish, Some(Finish::Failed(_)) | None) => &trace.last,
        None => &trace.steps[i].state,
    }
}

/// The entries of a run, drawn.
pub fn steps(program: &Program, proc: ProcId, trace: &Trace) -> Vec<StepReport> {
    let all = visible(program, proc, trace);
    // A field that holds something else than 0 once is shown in every state.
    let drawn = all.iter().map(|v| v.state).filter(|state| is_small(state));
    let fields: BTreeSet<String> = drawn.flat_map(|state| integers(program, state)).collect();
    all.into_iter()
        .map(|v| {
            let picture = picture(program, v.state, &fields);
            StepReport {
                procedure: program.proc(v.proc).name.clone(),
                depth: v.depth,
                span: place(&program.sources, v.span),
                drawing: text_of(picture.as_ref(), v.state),
                left_out: v.left_out,
                picture,
                ready: None,
            }
        })
        .collect()
}

/// The numbers that the user's code was given, as far as the states after them were kept.
pub fn inputs(program: &Program, trace: &Trace) -> Vec<InputReport> {
    let of = |(i, step): (usize, &TraceStep)| {
        let InstrKind::Havoc { dst, .. } = program.instr_at(step.point)?.kind else { return None };
        let kept = trace.gap.is_none_or(|gap| gap.before != i + 1);
        let after = trace.steps.get(i + 1).filter(|_| kept)?;
        let Value::Int(value) = after.state.slot(dst) else { return None };
        let procedure = program.proc(step.point.proc).name.clone();
        let span = place(&program.sources, step.span);
        (!program.sources.is_model(step.span)).then_some(InputReport { procedure, span, value })
    };
    trace.steps.iter().enumerate().filter_map(of).collect()
}
