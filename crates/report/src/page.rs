//! The report as one page for a browser: the source beside the heap, state by state, and what holds at
//! loops. It needs no network and no other file.
//!
//! What is shown is data in the page (`page/page.html`); the script (`page/page.js`) draws it. A node
//! keeps its place from state to state, because an object keeps its label along a trace.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde_json::{Value, json};
use trellis_logic::drawing::Target;
use trellis_program::SourceMap;
use trellis_program::concrete::drawing::StateDrawing;

use crate::model::{CheckReport, FileReport, Place, ProcedureReport, Report, StepReport};

/// The texts that a page shows, by name.
#[derive(Clone, Debug, Default)]
pub struct Texts(BTreeMap<String, String>);

impl Texts {
    /// Keeps the texts of all places of an answer.
    pub fn add(&mut self, sources: &SourceMap, procedure: &ProcedureReport) {
        let others = procedure.others.iter();
        let checks = procedure.check.iter().chain(others.clone().map(|o| &o.check));
        let steps = procedure.trace.iter().chain(others.flat_map(|o| &o.trace));
        let places = std::iter::once(&procedure.span)
            .chain(checks.map(|c| &c.span))
            .chain(steps.map(|s| &s.span))
            .chain(procedure.invariants.iter().map(|i| &i.span));
        for place in places {
            if !self.0.contains_key(&place.file) {
                let text = sources.file(place.raw.file).text.clone();
                self.0.insert(place.file.clone(), text);
            }
        }
    }
}

/// All texts of a source map.
impl From<&SourceMap> for Texts {
    fn from(sources: &SourceMap) -> Texts {
        let files = sources.ids().map(|id| sources.file(id));
        Texts(files.map(|file| (file.name.clone(), file.text.clone())).collect())
    }
}

/// Writes the page.
///
/// # Errors
/// Those of the writer.
pub fn write(out: &mut dyn Write, report: &Report, texts: &Texts) -> io::Result<()> {
    let files: Vec<Value> = report.files.iter().map(file).collect();
    let data = json!({ "files": files, "sources": texts.0, "version": report.tool.version });
    // No text may end the element that it stands in.
    let data = data.to_string().replace('<', "\\u003c");
    let page = include_str!("page/page.html")
        .replace("/*STYLE*/", include_str!("page/page.css"))
        .replace("/*SCRIPT*/", include_str!("page/page.js"))
        .replace("/*DATA*/", &data);
    out.write_all(page.as_bytes())
}

fn file(file: &FileReport) -> Value {
    let names: Vec<&str> =
        std::iter::once(&file.file).chain(&file.linked).map(String::as_str).collect();
    let said = file.diagnostics.iter().map(|d| match &d.span {
        Some(at) => format!("{}:{}: {}", at.file, at.line, d.message),
        None => d.message.clone(),
    });
    json!({
        "name": names.join(", "),
        "diagnostics": said.collect::<Vec<_>>(),
        "procedures": file.procedures.iter().map(procedure).collect::<Vec<_>>(),
    })
}

fn procedure(p: &ProcedureReport) -> Value {
    let reason = |r: &crate::model::ReasonReport| match &r.advice {
        Some(advice) => format!("{}; try: {advice}", r.text),
        None => r.text.clone(),
    };
    let attempts = p.attempts.iter().filter_map(|a| Some((a.engine, reason(a.reason.as_ref()?))));
    let notes = p.notes.iter().map(|n| {
        let first = n.violations.first().map(|v| &v.check);
        let at = first.map(|c| format!(": {} at line {}", c.kind, c.span.line));
        format!("{}{}", n.text, at.unwrap_or_default())
    });
    let invariants = p.invariants.iter();
    let abstract_trace = p.abstract_trace.iter();
    let others = p.others.iter();
    json!({
        "name": p.name,
        "file": p.span.file,
        "line": p.span.line,
        "verdict": p.verdict,
        "reason": p.reason.as_ref().map(reason),
        "check": p.check.as_ref().map(check),
        "command": p.command,
        "steps": p.trace.iter().map(step).collect::<Vec<_>>(),
        "others": others.map(|o| json!({
            "check": check(&o.check),
            "steps": o.trace.iter().map(step).collect::<Vec<_>>(),
        })).collect::<Vec<_>>(),
        "notes": notes.collect::<Vec<_>>(),
        "invariants": invariants.map(|i| json!({
            "line": i.span.line,
            "formulas": i.formulas,
        })).collect::<Vec<_>>(),
        "assumptions": p.assumptions.as_ref().map(|a| &a.text),
        "machine": p.machine.as_ref().map(|m| &m.text),
        "attempts": attempts.collect::<Vec<_>>(),
        "abstract": abstract_trace.map(|s| json!({
            "line": s.span.line,
            "text": s.drawing.join("\n"),
        })).collect::<Vec<_>>(),
    })
}

fn check(c: &CheckReport) -> Value {
    let Place { file, line, .. } = &c.span;
    json!({ "id": c.id, "kind": c.kind, "message": c.message, "file": file, "line": line })
}

fn step(s: &StepReport) -> Value {
    json!({
        "procedure": s.procedure,
        "file": s.span.file,
        "line": s.span.line,
        "skipped": s.left_out,
        "text": s.drawing.join("\n"),
        "picture": s.picture.as_ref().map(picture).or_else(|| s.ready.clone()),
    })
}

/// An answer as a document that has the pictures of its states, for whoever makes a page of it later.
///
/// # Errors
/// If it has no JSON form, which is our bug.
pub fn with_pictures(p: &ProcedureReport) -> serde_json::Result<Value> {
    let mut document = serde_json::to_value(p)?;
    let add = |steps: Option<&mut Value>, trace: &[StepReport]| {
        let steps = steps.and_then(Value::as_array_mut).into_iter().flatten();
        for (step, of) in steps.zip(trace) {
            if let Some(drawn) = &of.picture {
                step["ready"] = picture(drawn);
            }
        }
    };
    add(document.get_mut("trace"), &p.trace);
    let others = document.get_mut("others").and_then(Value::as_array_mut);
    for (other, of) in others.into_iter().flatten().zip(&p.others) {
        add(other.get_mut("trace"), &of.trace);
    }
    Ok(document)
}

fn picture(state: &StateDrawing) -> Value {
    let drawing = &state.drawing;
    let to = |target: &Target| match target {
        Target::Node(n) => json!(n.0),
        Target::Null => json!("null"),
        Target::Dangling => json!("?"),
    };
    let nodes = drawing
        .nodes
        .iter()
        .map(|n| json!({ "label": n.label, "values": n.values, "freed": n.freed }));
    let edges = drawing
        .edges
        .iter()
        .map(|e| json!({ "from": e.from.0, "field": e.field, "to": to(&e.to), "maybe": e.maybe }));
    let pointers = drawing.pointers.iter().map(|p| json!({ "name": p.name, "to": to(&p.to) }));
    let first = drawing.edges.first().map(|e| e.field.clone());
    json!({
        "nodes": nodes.collect::<Vec<_>>(),
        "edges": edges.collect::<Vec<_>>(),
        "pointers": pointers.collect::<Vec<_>>(),
        "values": state.values,
        "list": drawing.list_field.clone().or(first),
    })
}
