//! Reports for a terminal. Everything is written with colours; the caller's stream strips them
//! where they are not wanted.

mod attempts;
mod short;

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use trellis_program::{Diagnostic, SourceMap};

use crate::model::{
    AbstractStepReport, CheckReport, InvariantReport, Place, ProcedureReport, ReasonReport,
    RunBody, Statistics, StepReport,
};
use crate::snippet;

/// How much is shown.
#[derive(Clone, Copy, Debug, Default)]
pub struct TextOptions {
    /// All states of a trace, not only its beginning and its end.
    pub full_trace: bool,
    /// What each answer cost.
    pub stats: bool,
}

/// States shown at the beginning of a long trace.
const HEAD: usize = 6;
/// States shown at the end of a long trace.
const TAIL: usize = 8;
/// Lines of a heap from which on only what changes is shown.
const LARGE: usize = 8;
/// So are those of more characters than this, on all lines together.
const WIDE: usize = 240;
/// Lines of an invariant that are shown.
const FORMULAS: usize = 12;

const GOOD: Style = AnsiColor::Green.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();
const OPEN: Style = AnsiColor::Yellow.on_default().bold();
const STRONG: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();

/// Writes messages about the source, one after the other.
///
/// # Errors
/// Those of the writer.
pub fn diagnostics(
    out: &mut dyn Write,
    sources: &SourceMap,
    diagnostics: &[Diagnostic],
) -> io::Result<()> {
    for d in diagnostics {
        writeln!(out, "{}\n", snippet::render(sources, d))?;
    }
    Ok(())
}

/// Writes what is known about one procedure: its verdict on one line, then the evidence.
///
/// # Errors
/// Those of the writer.
pub fn procedure(
    out: &mut dyn Write,
    sources: &SourceMap,
    report: &ProcedureReport,
    options: TextOptions,
) -> io::Result<()> {
    headline(out, report)?;
    if options.stats {
        // What several engines did has no sum.
        let cost = match report.attempts.is_empty() || report.verdict != "unknown" {
            true => cost(&report.statistics),
            false => format!("{:.2} s", report.statistics.seconds),
        };
        writeln!(out, "  {FAINT}{cost}{FAINT:#}")?;
    }
    attempts::print(out, report, options)?;
    if let Some(given) = &report.assumptions {
        writeln!(out, "  {FAINT}assumes: {}{FAINT:#}", given.text)?;
    }
    if let Some(reason) = &report.reason {
        blame(out, reason, "  ")?;
        if let (Some(advice), "unsupported") = (&reason.advice, reason.kind) {
            writeln!(out, "  {FAINT}try: {advice}{FAINT:#}")?;
        }
    }
    if let Some(check) = &report.check {
        writeln!(out)?;
        violation(out, sources, check)?;
        writeln!(out)?;
        trace(out, sources, &report.trace, options)?;
        again(out, report.command.as_deref())?;
    }
    others(out, sources, report, options)?;
    notes(out, report)?;
    invariants(out, sources, &report.invariants, options)?;
    if let Some(machine) = &report.machine {
        writeln!(out, "  {FAINT}{}{FAINT:#}", machine.text)?;
    }
    abstract_trace(out, sources, &report.abstract_trace, options)
}

/// The verdict and the violated check, before its states are shown one by one ([`state`]).
///
/// # Errors
/// Those of the writer.
pub fn beginning(
    out: &mut dyn Write,
    sources: &SourceMap,
    report: &ProcedureReport,
) -> io::Result<()> {
    headline(out, report)?;
    match &report.check {
        Some(check) => violation(out, sources, check),
        None => Ok(()),
    }
}

/// One state of a violation, by its number; of a large heap, what the line has changed.
///
/// # Errors
/// Those of the writer.
pub fn state(
    out: &mut dyn Write,
    sources: &SourceMap,
    report: &ProcedureReport,
    number: usize,
    options: TextOptions,
) -> io::Result<()> {
    let Some(step) = report.trace.get(number) else { return Ok(()) };
    let of = report.trace.len();
    writeln!(out, "{FAINT}state {} of {of}, in {}{FAINT:#}", number + 1, step.procedure)?;
    code_line(out, sources, &step.span, step.depth)?;
    let before = number.checked_sub(1).map_or(&[][..], |i| &report.trace[i].drawing);
    match before == step.drawing {
        true => writeln!(out, "      {FAINT}the heap is as before{FAINT:#}"),
        false => heap(out, &step.drawing, before, options),
    }
}

/// The verdict on one line.
fn headline(out: &mut dyn Write, report: &ProcedureReport) -> io::Result<()> {
    let (style, mark) = match report.verdict {
        "verified" => (GOOD, "✔"),
        "violated" => (BAD, "✘"),
        _ => (OPEN, "?"),
    };
    write!(
        out,
        "{style}{mark}{style:#} {STRONG}{}{STRONG:#}: {style}{}{style:#}",
        report.name, report.verdict
    )?;
    if report.cached {
        write!(out, " {FAINT}(cached){FAINT:#}")?;
    }
    match (&report.reason, &report.check) {
        (Some(reason), _) => writeln!(out, ": {}", reason.text)?,
        (None, Some(check)) => {
            let Place { file, line, column, .. } = &check.span;
            writeln!(out, ": {} at {file}:{line}:{column}", check.kind)?;
        }
        (None, None) => writeln!(out)?,
    }
    if let Some(why) = &report.excused {
        writeln!(out, "  {FAINT}excused: {why}{FAINT:#}")?;
    }
    Ok(())
}

/// The command that runs a violation again.
fn again(out: &mut dyn Write, line: Option<&str>) -> io::Result<()> {
    line.map_or(Ok(()), |line| command(out, "run it again", line))
}

/// A command for a shell, and what it does.
///
/// # Errors
/// Those of the writer.
pub fn command(out: &mut dyn Write, what: &str, command: &str) -> io::Result<()> {
    writeln!(out, "  {what}:\n      {command}\n")
}

/// Violations besides the first: where they are, and how to see their states.
fn others(
    out: &mut dyn Write,
    sources: &SourceMap,
    report: &ProcedureReport,
    options: TextOptions,
) -> io::Result<()> {
    for other in &report.others {
        violation(out, sources, &other.check)?;
        writeln!(out)?;
        if options.full_trace {
            trace(out, sources, &other.trace, options)?;
        }
        again(out, other.command.as_deref())?;
    }
    match report.others_left_out {
        Some(n) => writeln!(out, "  and {n} more violations\n"),
        None => Ok(()),
    }
}

/// What callers have to exclude, one line a note.
fn notes(out: &mut dyn Write, report: &ProcedureReport) -> io::Result<()> {
    for note in &report.notes {
        let mut places = note.violations.iter().map(|v| {
            let Place { file, line, column, .. } = &v.check.span;
            format!("{} at {file}:{line}:{column}", v.check.kind)
        });
        let first = places.next().map(|first| format!(": {first}")).unwrap_or_default();
        let more = match places.count() {
            0 => String::new(),
            1 => ", and 1 more place".to_owned(),
            n => format!(", and {n} more places"),
        };
        writeln!(out, "  {STRONG}note{STRONG:#}: {}{first}{more}", note.text)?;
        let command = note.violations.first().and_then(|v| v.command.as_deref());
        again(out, command)?;
    }
    Ok(())
}

/// The places that are to blame, with what is not said in the line above already.
fn blame(out: &mut dyn Write, reason: &ReasonReport, indent: &str) -> io::Result<()> {
    let first = reason.places.first().map(|d| &d.message);
    let alike = reason.places.iter().all(|d| Some(&d.message) == first);
    for d in &reason.places {
        let Some(Place { file, line, column, .. }) = &d.span else { continue };
        match alike {
            true => writeln!(out, "{indent}at {file}:{line}:{column}")?,
            false => writeln!(out, "{indent}at {file}:{line}:{column}: {}", d.message)?,
        }
    }
    Ok(())
}

/// What holds at every loop head.
fn invariants(
    out: &mut dyn Write,
    sources: &SourceMap,
    invariants: &[InvariantReport],
    options: TextOptions,
) -> io::Result<()> {
    for invariant in invariants {
        code_line(out, sources, &invariant.span, 0)?;
        let formulas =
            if options.full_trace { &invariant.formulas[..] } else { invariant.in_short() };
        let lines: Vec<&str> = formulas.iter().flat_map(|f| f.lines()).collect();
        let shown = if options.full_trace { lines.len() } else { lines.len().min(FORMULAS) };
        for line in &lines[..shown] {
            writeln!(out, "      {line}")?;
        }
        let left_out = lines.len() - shown;
        if left_out > 0 {
            writeln!(out, "      {FAINT}… {left_out} more; --full-trace shows them{FAINT:#}")?;
        }
    }
    Ok(())
}

/// An execution in the abstract, state by state.
fn abstract_trace(
    out: &mut dyn Write,
    sources: &SourceMap,
    steps: &[AbstractStepReport],
    options: TextOptions,
) -> io::Result<()> {
    let long = !options.full_trace && steps.len() > HEAD + TAIL + 1;
    let (head, tail) = if long { (HEAD, steps.len() - TAIL) } else { (steps.len(), steps.len()) };
    for (i, step) in steps.iter().enumerate() {
        if i == head && long {
            let left_out = tail - head;
            writeln!(
                out,
                "  {FAINT}… {left_out} states left out; --full-trace shows them{FAINT:#}\n"
            )?;
        }
        if (head..tail).contains(&i) {
            continue;
        }
        code_line(out, sources, &step.span, 0)?;
        for line in &step.drawing {
            writeln!(out, "      {line}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// A line of the source with its number.
fn code_line(
    out: &mut dyn Write,
    sources: &SourceMap,
    place: &Place,
    depth: usize,
) -> io::Result<()> {
    let indent = "  ".repeat(depth.min(20));
    let (line, text) = (place.line, source_line(sources, place));
    writeln!(out, "  {FAINT}{line:>4} │{FAINT:#} {indent}{STRONG}{text}{STRONG:#}")
}

/// The failed check with its source line.
fn violation(out: &mut dyn Write, sources: &SourceMap, check: &CheckReport) -> io::Result<()> {
    let related: Vec<_> = check.related.iter().map(|r| (r.span.raw, r.text.as_str())).collect();
    let text = snippet::violation(sources, &check.message, check.span.raw, &check.id, &related);
    writeln!(out, "{text}")
}

/// The states of a run. Between two states that look the same only the code is repeated.
fn trace(
    out: &mut dyn Write,
    sources: &SourceMap,
    steps: &[StepReport],
    options: TextOptions,
) -> io::Result<()> {
    let long = !options.full_trace && steps.len() > HEAD + TAIL + 1;
    let (head, tail) = if long { (HEAD, steps.len() - TAIL) } else { (steps.len(), steps.len()) };
    let mut shown: &[String] = &[];
    for (i, step) in steps.iter().enumerate() {
        if let Some(n) = step.left_out
            && !(head..tail).contains(&i)
        {
            writeln!(out, "  {FAINT}… {n} instructions left out: too many to be kept{FAINT:#}\n")?;
        }
        if (head..tail).contains(&i) {
            if i == head {
                let left_out = tail - head;
                writeln!(
                    out,
                    "  {FAINT}… {left_out} states left out; --full-trace shows them{FAINT:#}\n"
                )?;
            }
            continue;
        }
        let changed = i == 0 || step.drawing != shown;
        let text = source_line(sources, &step.span);
        if !changed && i + 1 < steps.len() && text.chars().all(|c| "{};".contains(c)) {
            continue;
        }
        if i == 0 {
            writeln!(out, "  {STRONG}{} starts{STRONG:#}", step.procedure)?;
        } else {
            code_line(out, sources, &step.span, step.depth)?;
        }
        if changed {
            heap(out, &step.drawing, shown, options)?;
            writeln!(out)?;
        }
        shown = &step.drawing;
    }
    if steps.len() > 1 && steps[steps.len() - 2].drawing == steps[steps.len() - 1].drawing {
        writeln!(out)?;
    }
    Ok(())
}

/// A heap; of a large one, what is not as in the heap that was shown before.
fn heap(
    out: &mut dyn Write,
    now: &[String],
    before: &[String],
    options: TextOptions,
) -> io::Result<()> {
    let is_large = !options.full_trace && now.len() > LARGE;
    // A list of many nodes is one line, but a long one.
    let is_long =
        !options.full_trace && now.iter().map(|l| l.chars().count()).sum::<usize>() > WIDE;
    let shorten = (is_large || is_long) && !before.is_empty();
    let is_new = |line: &&String| !shorten || !before.contains(line);
    let new: Vec<String> = now.iter().filter(is_new).cloned().collect();
    let as_before = now.len() - new.len();
    for line in if is_large { short::united(&new) } else { new } {
        writeln!(out, "      {line}")?;
    }
    match as_before {
        0 => Ok(()),
        1 => writeln!(out, "      {FAINT}… 1 line as before; --full-trace shows it{FAINT:#}"),
        n => writeln!(out, "      {FAINT}… {n} lines as before; --full-trace shows them{FAINT:#}"),
    }
}

/// The line of the source that a place begins in.
fn source_line<'a>(sources: &'a SourceMap, place: &Place) -> &'a str {
    let file = sources.file(place.raw.file);
    file.line_range(place.line)
        .and_then(|(start, end)| file.text.get(start as usize..end as usize))
        .unwrap_or("")
        .trim()
}

/// `12 heaps, 340 states, 0.01 s, 1.5 MiB`, or `4 frames, 209 queries, 14 clauses (9 ∀), 0.13 s`.
fn cost(s: &Statistics) -> String {
    if let Some(p) = &s.pdr {
        let invariant = match p.clauses {
            0 => String::new(),
            n => format!(", {n} clauses ({} ∀)", p.universal),
        };
        return format!(
            "{} frames, {} queries ({} blocking, {} pushing), {} lemmas{invariant}, {:.3} s of CPU, \
             {:.3} s in solvers",
            p.frames,
            p.queries,
            p.blocking,
            p.pushing,
            p.lemmas,
            p.search_seconds,
            p.solver_seconds
        );
    }
    format!(
        "{} heaps, {} states, {} instructions, {:.2} s, {}",
        s.heaps,
        s.states,
        s.instructions,
        s.seconds,
        trellis_driver::verdict::bytes(s.peak_bytes)
    )
}

/// Writes one concrete execution, state by state.
///
/// # Errors
/// Those of the writer.
pub fn run(out: &mut dyn Write, sources: &SourceMap, run: &RunBody) -> io::Result<()> {
    let everything = TextOptions { full_trace: true, ..TextOptions::default() };
    trace(out, sources, &run.trace, everything)?;
    let (style, mark) = match run.outcome {
        "returned" | "exited" => (GOOD, "✔"),
        "failed" => (BAD, "✘"),
        _ => (OPEN, "?"),
    };
    writeln!(out, "{style}{mark}{style:#} {STRONG}{}{STRONG:#}: {}", run.procedure, run.text)?;
    if let Some(check) = &run.check {
        writeln!(out)?;
        violation(out, sources, check)?;
    }
    Ok(())
}

/// The name of a file above the verdicts of its procedures.
///
/// # Errors
/// Those of the writer.
pub fn file_name(out: &mut dyn Write, name: &str) -> io::Result<()> {
    writeln!(out, "{STRONG}{name}{STRONG:#}")
}

/// Which procedures were not looked at, and how they are.
///
/// # Errors
/// Those of the writer.
pub fn not_looked_at(out: &mut dyn Write, names: &[String]) -> io::Result<()> {
    if names.is_empty() {
        return Ok(());
    }
    let shown: Vec<String> = names.iter().take(8).map(|n| format!("`{n}`")).collect();
    let more = match names.len() - shown.len() {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    let shown = shown.join(", ");
    writeln!(
        out,
        "note: not looked at on their own: {shown}{more} (`--all-procs`, or `--proc NAME`)"
    )
}

/// `2 verified, 1 violated, 3 unknown`; nothing for a single procedure.
///
/// # Errors
/// Those of the writer.
pub fn summary(out: &mut dyn Write, verdicts: &[&str], cached: usize) -> io::Result<()> {
    if verdicts.len() < 2 {
        return Ok(());
    }
    let parts: Vec<String> = ["verified", "violated", "no-invariant", "unknown"]
        .into_iter()
        .map(|name| (name, verdicts.iter().filter(|v| **v == name).count()))
        .filter(|(_, n)| *n > 0)
        .map(|(name, n)| format!("{n} {name}"))
        .collect();
    let cached = if cached > 0 { format!(" ({cached} cached)") } else { String::new() };
    writeln!(out, "{} procedures: {}{cached}", verdicts.len(), parts.join(", "))
}
