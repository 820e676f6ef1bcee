//! SARIF 2.1.0. A violation is a result of kind `fail`, its states are the locations of a code flow;
//! what is verified is a `pass`, what is unknown is `open`. Messages about the source are
//! notifications of the invocation.

use std::borrow::Cow;
use std::io::{self, Write};

use serde::Serialize;
use serde_json::{Value, json};
use trellis_program::CheckKind;

use super::{Violation, reason, violations};
use crate::model::{
    DiagnosticReport, FileReport, Place, ProcedureReport, RelatedReport, StepReport, Tool,
};
use crate::programs::{Programs, Sequence};

/// The rule of answers that are no violation.
const ANSWER: &str = "answer";

/// The document.
#[derive(Serialize)]
struct Document<Runs> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    runs: [Runs; 1],
    version: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<Notifications, Results> {
    column_kind: &'static str,
    invocations: [Invocation<Notifications>; 1],
    results: Results,
    tool: Value,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation<Notifications> {
    execution_successful: bool,
    exit_code: u8,
    tool_execution_notifications: Notifications,
}

/// Writes the document, program by program.
///
/// # Errors
/// Those of the writer.
pub fn write(out: &mut dyn Write, exit_code: u8, programs: &dyn Programs) -> io::Result<()> {
    let rules: Vec<Value> = CheckKind::ALL
        .iter()
        .map(|k| rule(k.name(), k.failure()))
        .chain([rule(ANSWER, "what is known of a procedure without a violation")])
        .collect();
    let broken =
        programs.with_diagnostics().any(|f| f.diagnostics.iter().any(|d| d.severity == "error"));
    let notifications = Sequence(|| {
        let of =
            |f: Cow<'_, FileReport>| f.diagnostics.iter().map(notification).collect::<Vec<_>>();
        programs.with_diagnostics().flat_map(of)
    });
    let all = Sequence(|| {
        let of = |f: Cow<'_, FileReport>| {
            f.procedures.iter().flat_map(|p| results(p, &rules)).collect::<Vec<_>>()
        };
        programs.each().flat_map(of)
    });
    let Tool { name, version } = Tool::default();
    let tool = json!({ "driver": { "name": name, "version": version, "rules": rules } });
    let run = Run {
        column_kind: "unicodeCodePoints",
        invocations: [Invocation {
            execution_successful: !broken,
            exit_code,
            tool_execution_notifications: notifications,
        }],
        results: all,
        tool,
    };
    let schema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
    crate::json::write(out, &Document { schema, runs: [run], version: "2.1.0" })
}

/// A rule as code scanning shows it: what goes wrong, and how a result is read.
fn rule(id: &str, text: &str) -> Value {
    let help = match id {
        ANSWER => "Its result says why: which construct is not followed, or which bound was met.",
        _ => {
            "The code flow of a result is a run that ends in this failure, state by state. The \
             command in its message runs it again."
        }
    };
    let mut letters = text.chars();
    let first = letters.next().map(char::to_uppercase).into_iter().flatten();
    let sentence: String = first.chain(letters).chain(['.']).collect();
    json!({
        "id": id,
        "name": friendly(id),
        "shortDescription": { "text": text },
        "fullDescription": { "text": sentence },
        "help": { "text": help },
    })
}

/// A rule's id as consumers show it: `null-deref` is `NullDeref`.
fn friendly(id: &str) -> String {
    let word = |word: &str| {
        let mut letters = word.chars();
        letters.next().map(|c| c.to_uppercase().chain(letters).collect::<String>())
    };
    id.split('-').filter_map(word).collect()
}

/// What is said of one procedure.
fn results(procedure: &ProcedureReport, rules: &[Value]) -> Vec<Value> {
    let index = |id: &str| rules.iter().position(|r| r["id"] == id);
    let wrong: Vec<Value> =
        violations(procedure).map(|v| violation(procedure, v, index(v.check.kind))).collect();
    let mut all = wrong;
    for note in &procedure.notes {
        for v in &note.violations {
            all.push(json!({
                "ruleId": v.check.kind,
                "ruleIndex": index(v.check.kind),
                "level": "note",
                "message": { "text": format!("{}: {}", note.text, v.check.message) },
                "locations": [location(&v.check.span, Some(&procedure.name))],
                "codeFlows": flow(&v.trace),
                "partialFingerprints": { "trellisCheck/v1": v.check.id },
            }));
        }
    }
    if procedure.check.is_some() {
        return all;
    }
    let (kind, text) = match procedure.verdict {
        "verified" => ("pass", format!("`{}` is verified", procedure.name)),
        other => ("open", format!("`{}` is {other}: {}", procedure.name, reason(procedure))),
    };
    all.push(json!({
        "ruleId": ANSWER,
        "ruleIndex": index(ANSWER),
        "kind": kind,
        "level": "none",
        "message": { "text": text },
        "locations": [location(&procedure.span, Some(&procedure.name))],
        "partialFingerprints": { "trellisCheck/v1": format!("{}:{ANSWER}", procedure.name) },
    }));
    all
}

fn violation(procedure: &ProcedureReport, v: Violation<'_>, rule: Option<usize>) -> Value {
    let mut text = v.check.message.clone();
    if let Some(command) = v.command {
        text.push_str("\nrun it again: ");
        text.push_str(command);
    }
    json!({
        "ruleId": v.check.kind,
        "ruleIndex": rule,
        "kind": "fail",
        "level": "error",
        "message": { "text": text },
        "locations": [location(&v.check.span, Some(&procedure.name))],
        "relatedLocations": related(&v.check.related),
        "codeFlows": flow(v.trace),
        "partialFingerprints": { "trellisCheck/v1": v.check.id },
    })
}

/// The states of a violation as one flow; nothing for no states.
fn flow(trace: &[StepReport]) -> Value {
    if trace.is_empty() {
        return json!([]);
    }
    let steps: Vec<Value> = trace
        .iter()
        .enumerate()
        .map(|(i, step)| {
            let mut at = location(&step.span, None);
            at["message"] = json!({ "text": step.drawing.join("\n") });
            json!({ "location": at, "nestingLevel": step.depth, "executionOrder": i + 1 })
        })
        .collect();
    json!([{ "threadFlows": [{ "locations": steps }] }])
}

fn related(all: &[RelatedReport]) -> Vec<Value> {
    let one = |(i, r): (usize, &RelatedReport)| {
        let mut at = location(&r.span, None);
        at["id"] = json!(i + 1);
        at["message"] = json!({ "text": r.text });
        at
    };
    all.iter().enumerate().map(one).collect()
}

fn location(place: &Place, function: Option<&str>) -> Value {
    let mut region = json!({ "startLine": place.line, "startColumn": place.column });
    if (place.end_line, place.end_column) > (place.line, place.column) {
        region["endLine"] = json!(place.end_line);
        region["endColumn"] = json!(place.end_column);
    }
    let mut location = json!({
        "physicalLocation": { "artifactLocation": { "uri": uri(&place.file) }, "region": region },
    });
    if let Some(name) = function {
        location["logicalLocations"] = json!([{ "name": name, "kind": "function" }]);
    }
    location
}

fn notification(d: &DiagnosticReport) -> Value {
    let level = match d.severity {
        "error" => "error",
        _ => "warning",
    };
    let mut text = d.message.clone();
    if let Some(help) = &d.help {
        text.push_str("; ");
        text.push_str(help);
    }
    let locations: Vec<Value> = d.span.iter().map(|at| location(at, None)).collect();
    json!({ "level": level, "message": { "text": text }, "locations": locations })
}

/// A path as a reference of the URI syntax. A relative one is relative to the folder that Trellis was
/// run in; one from the root is whole, because a reference cannot begin with a slash
/// (section 3.4.4).
fn uri(path: &str) -> String {
    let path = path.strip_prefix("./").unwrap_or(path);
    let mut out = String::from(if path.starts_with('/') { "file://" } else { "" });
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' => out.push(char::from(byte)),
            b'/' | b'.' | b'-' | b'_' | b'~' | b'+' => out.push(char::from(byte)),
            other => out.push_str(&format!("%{other:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn paths_become_references() {
        assert_eq!(uri("a/b-1.c"), "a/b-1.c");
        assert_eq!(uri("a b#é.c"), "a%20b%23%C3%A9.c");
        assert_eq!(uri("./a.c"), "a.c");
        assert_eq!(uri("../a.c"), "../a.c");
        assert_eq!(uri("/src/a b.c"), "file:///src/a%20b.c");
    }
}
