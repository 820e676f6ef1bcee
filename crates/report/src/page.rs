//! The report as one page for a browser: the source beside the heap, state by state, and what holds at
//! loops. It needs no network and no other file.
//!
//! What is shown is data in the page (`page/page.html`); the script (`page/page.js`) draws it. A node
//! keeps its place from state to state, because an object keeps its label along a trace.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use trellis_logic::drawing::Target;
use trellis_program::SourceMap;
use trellis_program::concrete::drawing::StateDrawing;

use crate::model::{CheckReport, FileReport, Place, ProcedureReport, StepReport, Tool};
use crate::programs::{Programs, Sequence};

/// The texts that a page shows, by name; those that were not kept are read when they are written.
#[derive(Clone, Debug, Default)]
pub struct Texts(BTreeMap<String, Option<String>>);

impl Texts {
    /// Keeps the texts of all places of an answer.
    pub fn add(&mut self, sources: &SourceMap, procedure: &ProcedureReport) {
        for place in places(procedure) {
            if !self.0.contains_key(&place.file) {
                let text = sources.file(place.raw.file).text.clone();
                self.0.insert(place.file.clone(), Some(text));
            }
        }
    }

    /// Keeps the names of the texts of all places of an answer.
    pub fn name(&mut self, procedure: &ProcedureReport) {
        for place in places(procedure) {
            if !self.0.contains_key(&place.file) {
                self.0.insert(place.file.clone(), None);
            }
        }
    }
}

/// The places of an answer whose texts are shown.
fn places(procedure: &ProcedureReport) -> impl Iterator<Item = &Place> {
    let others = procedure.others.iter();
    let checks = procedure.check.iter().chain(others.clone().map(|o| &o.check));
    let steps = procedure.trace.iter().chain(others.flat_map(|o| &o.trace));
    std::iter::once(&procedure.span)
        .chain(checks.map(|c| &c.span))
        .chain(steps.map(|s| &s.span))
        .chain(procedure.invariants.iter().map(|i| &i.span))
}

/// All texts of a source map.
impl From<&SourceMap> for Texts {
    fn from(sources: &SourceMap) -> Texts {
        let files = sources.ids().map(|id| sources.file(id));
        Texts(files.map(|file| (file.name.clone(), Some(file.text.clone()))).collect())
    }
}

impl Serialize for Texts {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.0.iter().map(|(name, text)| {
            // What is not there any more is shown without its text.
            let read = || Cow::Owned(std::fs::read_to_string(name).unwrap_or_default());
            (name, text.as_deref().map_or_else(read, Cow::Borrowed))
        }))
    }
}

/// The data of a page.
#[derive(Serialize)]
struct Data<'a, Files> {
    files: Files,
    sources: &'a Texts,
    version: &'static str,
}

/// Writes the page, program by program.
///
/// # Errors
/// Those of the writer.
pub fn write(out: &mut dyn Write, programs: &dyn Programs, texts: &Texts) -> io::Result<()> {
    let page = include_str!("page/page.html")
        .replace("/*STYLE*/", include_str!("page/page.css"))
        .replace("/*SCRIPT*/", include_str!("page/page.js"));
    let (before, after) = page.split_once("/*DATA*/").unwrap_or((&page, ""));
    out.write_all(before.as_bytes())?;
    let files = Sequence(|| programs.each().map(|f| file(&f)));
    let data = Data { files, sources: texts, version: Tool::default().version };
    serde_json::to_writer(Harmless(&mut *out), &data)?;
    out.write_all(after.as_bytes())
}

/// Writes JSON in which no text can end the element that it stands in.
struct Harmless<'a>(&'a mut dyn Write);

impl Write for Harmless<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for (i, part) in bytes.split(|b| *b == b'<').enumerate() {
            if i > 0 {
                self.0.write_all(b"\\u003c")?;
            }
            self.0.write_all(part)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
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
            "short": i.in_short(),
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
    // A variable of a caller has another name during a call, but is the same object.
    let nodes = drawing.nodes.iter().zip(&state.objects).map(
        |(n, id)| json!({ "id": id.0, "label": n.label, "values": n.values, "freed": n.freed }),
    );
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
