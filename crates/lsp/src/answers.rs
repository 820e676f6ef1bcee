//! From reports to what the protocol has.

use std::path::Path;

use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeLens, Command, Diagnostic,
    DiagnosticRelatedInformation, DiagnosticSeverity, Hover, HoverContents, Location,
    MarkupContent, MarkupKind, NumberOrString, Position, Range, Uri,
};
use serde_json::{Value, json};
use trellis_report::model::{
    CheckReport, DiagnosticReport, Place, ProcedureReport, RelatedReport, Report, StepReport,
    ViolationReport,
};

use crate::document::{Document, path, uri};

/// The commands that the server executes.
pub(crate) const ANNOTATE: &str = "trellis.annotate";
/// Shows a place.
pub(crate) const GO_TO: &str = "trellis.goTo";
/// Opens the page of a run.
pub(crate) const PAGE: &str = "trellis.page";

/// States of a violation that are listed under its diagnostic.
const MOST_STEPS: usize = 40;

/// What is wrong with a file, and what is not known.
pub(crate) fn diagnostics(
    at: &Uri,
    document: &Document,
    about_source: &[DiagnosticReport],
) -> Vec<Diagnostic> {
    let mut out: Vec<Diagnostic> = about_source.iter().map(|d| about(at, document, d)).collect();
    for procedure in &document.answers {
        if let Some(check) = &procedure.check {
            out.push(violated(at, document, procedure, check, &procedure.trace));
        }
        let others = procedure.others.iter();
        let one =
            |other: &ViolationReport| violated(at, document, procedure, &other.check, &other.trace);
        out.extend(others.map(one));
        if let (Some(reason), None) = (&procedure.reason, &procedure.check) {
            let text = match &reason.advice {
                Some(advice) => format!("{}; try: {advice}", reason.text),
                None => reason.text.clone(),
            };
            out.push(Diagnostic {
                range: document.range(&procedure.span),
                severity: Some(DiagnosticSeverity::INFORMATION),
                code: Some(NumberOrString::String(procedure.verdict.to_owned())),
                source: Some("trellis".to_owned()),
                message: format!("{}: {}: {text}", procedure.name, procedure.verdict),
                ..Diagnostic::default()
            });
        }
    }
    out
}

/// Whether a place is in the document, and not in a file that it includes.
fn is_here(at: &Uri, span: &Place) -> bool {
    path(at).is_some_and(|file| file.as_path() == Path::new(&span.file))
}

/// Where a place is shown: one in another file at the beginning of the document, with the file in the
/// message, because diagnostics of a document have places in it.
fn shown(at: &Uri, document: &Document, span: &Place) -> (Range, String) {
    match is_here(at, span) {
        true => (document.range(span), String::new()),
        false => (Range::default(), format!("{}:{}:{}: ", span.file, span.line, span.column)),
    }
}

fn about(at: &Uri, document: &Document, said: &DiagnosticReport) -> Diagnostic {
    let severity = match said.severity {
        "error" => DiagnosticSeverity::ERROR,
        _ => DiagnosticSeverity::WARNING,
    };
    let (range, before) =
        said.span.as_ref().map(|span| shown(at, document, span)).unwrap_or_default();
    let message = match &said.help {
        Some(help) => format!("{before}{}\nhelp: {help}", said.message),
        None => format!("{before}{}", said.message),
    };
    Diagnostic {
        range,
        severity: Some(severity),
        source: Some("trellis".to_owned()),
        message,
        ..Diagnostic::default()
    }
}

fn violated(
    at: &Uri,
    document: &Document,
    procedure: &ProcedureReport,
    check: &CheckReport,
    trace: &[StepReport],
) -> Diagnostic {
    let place =
        |span: &Place| Location { uri: place_uri(at, span), range: range_in(at, document, span) };
    let left_out = trace.len().saturating_sub(MOST_STEPS);
    let steps = trace.iter().enumerate().skip(left_out).map(|(i, step)| {
        let message = format!("state {}: {}", i + 1, step.drawing.join("; "));
        DiagnosticRelatedInformation { location: place(&step.span), message }
    });
    // A model is no file that an editor can open.
    let real = |r: &&RelatedReport| Path::new(&r.span.file).is_absolute();
    let related = check.related.iter().filter(real).map(|r| DiagnosticRelatedInformation {
        location: place(&r.span),
        message: r.text.clone(),
    });
    let (range, before) = shown(at, document, &check.span);
    let (severity, after) = match &procedure.excused {
        Some(why) => (DiagnosticSeverity::HINT, format!(" (suppressed: {why})")),
        None => (DiagnosticSeverity::ERROR, String::new()),
    };
    Diagnostic {
        range,
        severity: Some(severity),
        code: Some(NumberOrString::String(check.id.clone())),
        source: Some("trellis".to_owned()),
        message: format!("{before}{}{after}", check.message),
        related_information: Some(related.chain(steps).collect()),
        ..Diagnostic::default()
    }
}

/// The range of a place in its own file; the text of another one is not at hand, so its columns are
/// taken as they are.
fn range_in(at: &Uri, document: &Document, span: &Place) -> Range {
    if is_here(at, span) {
        return document.range(span);
    }
    let at = |line: usize, column: usize| Position {
        line: line.saturating_sub(1) as u32,
        character: column.saturating_sub(1) as u32,
    };
    Range { start: at(span.line, span.column), end: at(span.end_line, span.end_column) }
}

/// The file of a place: the document, or one that it includes.
fn place_uri(at: &Uri, span: &Place) -> Uri {
    let path = Path::new(&span.file);
    uri(path).filter(|_| path.is_absolute()).unwrap_or_else(|| at.clone())
}

/// What is known at a position: what holds at a loop, or what became of a procedure.
pub(crate) fn hover(document: &Document, at: Position) -> Option<Hover> {
    let on_line = |place: &Place| (place.line..=place.end_line).contains(&(at.line as usize + 1));
    for procedure in document.current() {
        for invariant in &procedure.invariants {
            if on_line(&invariant.span) {
                let formulas = invariant.in_short().join("\n");
                let text = format!(
                    "**What holds whenever this loop is reached** (`{}`, {})\n\n```c\n{formulas}\n```",
                    procedure.name, procedure.engine
                );
                return Some(markdown(text, document.range(&invariant.span)));
            }
        }
    }
    let procedure = document.current().iter().find(|p| on_line(&p.span))?;
    let mut text = format!("**{}**: {}", procedure.verdict, status(procedure));
    if let Some(given) = &procedure.assumptions {
        text.push_str(&format!("\n\nassumes: {}", given.text));
    }
    Some(markdown(text, document.range(&procedure.span)))
}

fn markdown(value: String, range: Range) -> Hover {
    let contents = MarkupContent { kind: MarkupKind::Markdown, value };
    Hover { contents: HoverContents::Markup(contents), range: Some(range) }
}

/// A phrase about what a procedure came to.
fn status(procedure: &ProcedureReport) -> String {
    match (&procedure.check, &procedure.reason, procedure.invariants.len()) {
        (Some(check), _, _) => format!("{} at line {}", check.kind, check.span.line),
        (None, Some(reason), _) => reason.text.clone(),
        (None, None, 0) => "no loop needs an invariant".to_owned(),
        (None, None, 1) => "1 loop has an invariant".to_owned(),
        (None, None, n) => format!("{n} loops have invariants"),
    }
}

/// The verdict above each procedure; of a violation, with the way to its place.
pub(crate) fn lenses(at: &Uri, document: &Document) -> Vec<CodeLens> {
    let lens = |procedure: &ProcedureReport| {
        let mark = match procedure.verdict {
            "verified" => "✔",
            "violated" => "✘",
            _ => "?",
        };
        let title = format!("{mark} {}: {}", procedure.verdict, status(procedure));
        let place = procedure.check.as_ref().map_or(&procedure.span, |check| &check.span);
        let (command, arguments) = (GO_TO.to_owned(), Some(way_to(at, document, place)));
        CodeLens {
            range: document.range(&procedure.span),
            command: Some(Command { title, command, arguments }),
            data: None,
        }
    };
    document.current().iter().map(lens).collect()
}

/// The arguments of the command that shows a place.
fn way_to(at: &Uri, document: &Document, place: &Place) -> Vec<Value> {
    vec![json!(place_uri(at, place)), json!(range_in(at, document, place))]
}

/// What can be done about the procedures whose name, loop or violation is in a range.
pub(crate) fn actions(at: &Uri, document: &Document, asked: Range) -> Vec<CodeActionOrCommand> {
    let touches = |place: &Place| {
        let range = document.range(place);
        range.start.line <= asked.end.line && asked.start.line <= range.end.line
    };
    let mut out = Vec::new();
    for procedure in document.current() {
        let here = touches(&procedure.span)
            || procedure.check.iter().any(|check| touches(&check.span))
            || procedure.invariants.iter().any(|invariant| touches(&invariant.span));
        if !here {
            continue;
        }
        let name = &procedure.name;
        let stated = procedure.engine == "stated";
        if procedure.verdict == "verified" && !procedure.invariants.is_empty() && !stated {
            let title = format!("Write the loop invariants of `{name}` into the source");
            out.push(action(title, ANNOTATE, vec![json!(at), json!(name)]));
        }
        if let Some(check) = &procedure.check {
            let way = way_to(at, document, &check.span);
            out.push(action("Go to the failing step".to_owned(), GO_TO, way));
        }
        if document.done.is_some() {
            let title = "Open the page of this run".to_owned();
            out.push(action(title, PAGE, vec![json!(at)]));
        }
    }
    out.dedup();
    out
}

fn action(title: String, command: &str, arguments: Vec<Value>) -> CodeActionOrCommand {
    let command =
        Command { title: title.clone(), command: command.to_owned(), arguments: Some(arguments) };
    CodeActionOrCommand::CodeAction(CodeAction {
        title,
        kind: Some(CodeActionKind::REFACTOR_REWRITE),
        command: Some(command),
        ..CodeAction::default()
    })
}

/// What every procedure came to, for whoever shows more than the protocol has.
pub(crate) fn status_of_all(at: &Uri, document: &Document, done: Option<&Report>) -> Value {
    let one = |p: &ProcedureReport| {
        let checks = p.check.iter().chain(p.others.iter().map(|o| &o.check));
        json!({
            "name": p.name,
            "verdict": p.verdict,
            "engine": p.engine,
            "range": document.range(&p.span),
            "violated": checks.map(|c| &c.id).collect::<Vec<_>>(),
            "text": status(p),
        })
    };
    json!({
        "uri": at,
        "state": if done.is_some() { "done" } else { "working" },
        "procedures": document.answers.iter().map(one).collect::<Vec<_>>(),
    })
}
