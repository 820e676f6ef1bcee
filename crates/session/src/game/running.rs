//! Runs as a person sees them: one entry a line, with the heap where it changes.

use trellis_patterns::heap::{Heap, Place};
use trellis_program::concrete::Trace;
use trellis_program::{CheckKind, Span};
use trellis_proveit::game::Game as Engine;
use trellis_report::game::{Example, Named, Place as Shown, TraceStep};
use trellis_report::steps::visible;

use super::reading::Reader;
use super::showing::example;

/// Entries of a run that are shown; of a longer one the beginning and the end.
const MOST: usize = 60;

/// The entries of a run, the first one without a line of its own: what it starts from.
pub(super) fn steps(engine: &Engine, reader: &Reader, trace: &Trace) -> Vec<TraceStep> {
    let (program, proc) = engine.running();
    let reader = everything(reader);
    let (mut out, mut last): (Vec<TraceStep>, Option<Example>) = (Vec::new(), None);
    for entry in visible(program, proc, trace).into_iter().skip(1) {
        let (line, text) = source(engine, entry.span);
        let heap = engine.heap_in(entry.state).map(|heap| shown(&reader, &heap));
        let changed = heap.filter(|heap| last.as_ref() != Some(heap));
        last = changed.clone().or(last);
        out.push(TraceStep { line, text, heap: changed.map(Box::new) });
    }
    shorten(out)
}

/// A long run without its middle.
fn shorten(mut all: Vec<TraceStep>) -> Vec<TraceStep> {
    let Some(between) = all.len().checked_sub(MOST).filter(|n| *n > 0) else { return all };
    let mut end = all.split_off(MOST / 2 + between);
    // The end begins with the heap that is there.
    let seen = all.iter().rev().find_map(|step| step.heap.clone());
    if let Some(first) = end.first_mut() {
        first.text = format!("{} steps later: {}", between, first.text);
        first.heap = first.heap.take().or(seen);
    }
    all.truncate(MOST / 2);
    all.extend(end);
    all
}

/// Line and text of a place.
fn source(engine: &Engine, span: Span) -> (u32, String) {
    let sources = &engine.running().0.sources;
    let line = sources.line_col(span).0;
    let text = sources.file(span.file).text.lines().nth(line - 1).unwrap_or_default();
    (line as u32, text.trim().to_owned())
}

/// On the way all variables of the program are shown, not only those that the question is about.
fn everything(reader: &Reader) -> Reader {
    let words = &reader.words;
    let named = |flags: Vec<(bool, bool)>| {
        let all = flags.into_iter().enumerate();
        all.filter(|(_, (temp, entry))| !temp && !entry).map(|(i, _)| i).collect::<Vec<usize>>()
    };
    let pointers = named(words.pointers.iter().map(|v| (v.is_temp, v.is_entry)).collect());
    let scalars = named(words.scalars.iter().map(|v| (v.is_temp, v.is_entry)).collect());
    Reader { pointers, scalars, ..reader.clone() }
}

/// A heap without variables that were never written.
fn shown(reader: &Reader, heap: &Heap) -> Example {
    let mut out = example(reader, heap, "");
    out.variables.retain(|_, at| *at != Shown::Named(Named::Unset));
    out.scalars.retain(|s| s.value != "unset");
    out
}

/// What a failed check means, for people.
pub(super) fn failing(kind: CheckKind) -> &'static str {
    match kind {
        CheckKind::NullDeref => "a null pointer is followed",
        CheckKind::UseAfterFree => "freed memory is used",
        CheckKind::Uninit => "something is read that was never written",
        CheckKind::Bounds => "memory is read or written outside of its bounds",
        CheckKind::Overlap => "memory is copied onto itself",
        CheckKind::InvalidFree => "something is freed that cannot be",
        CheckKind::DoubleFree => "memory is freed twice",
        CheckKind::Leak => "memory is lost without being freed",
        CheckKind::Assertion | CheckKind::SpecAssert => "the assertion is false",
        CheckKind::ErrorCall => "the error is called",
        CheckKind::Unreachable => "what should never be reached is reached",
        CheckKind::LoopInvariant => "the loop invariant is false",
        CheckKind::Precondition => "the precondition is false",
        CheckKind::Postcondition => "the postcondition is false",
        CheckKind::Assigns => "something is written that must not be",
        CheckKind::DivByZero => "something is divided by zero",
        CheckKind::Overflow => "a number becomes too large",
        CheckKind::Acyclic => "there is a cycle",
        CheckKind::BadCall => "something is called that is no such function",
        CheckKind::ClassCast => "an object is cast to a class that it is not of",
        CheckKind::NegativeSize => "an array is made with a length that is not allowed",
    }
}

/// The reader of a run that belongs to no question.
pub(super) fn reader_of(engine: &Engine, trace: &Trace) -> Reader {
    let words = engine.code.words.clone();
    let heaps: Vec<Heap> =
        trace.steps.iter().filter_map(|step| engine.heap_in(&step.state)).collect();
    let all: Vec<&Heap> = heaps.iter().collect();
    let sayings = super::saying::sayings(&words, &all, &all);
    let like = heaps.first().cloned().unwrap_or_else(|| Heap {
        vars: vec![Place::Undefined; words.pointers.len()],
        scalars: vec![None; words.scalars.len()],
        cells: Vec::new(),
    });
    Reader { words, sayings, pointers: Vec::new(), scalars: Vec::new(), like }
}
