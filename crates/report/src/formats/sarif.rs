//! SARIF 2.1.0. A violation is a result of kind `fail`, its states are the locations of a code flow;
//! what is verified is a `pass`, what is unknown is `open`. Messages about the source are
//! notifications of the invocation.

use serde_json::{Value, json};
use trellis_program::CheckKind;

use super::{Violation, reason, violations};
use crate::model::{DiagnosticReport, Place, ProcedureReport, RelatedReport, Report, StepReport};

/// The rule of answers that are no violation.
const ANSWER: &str = "answer";

/// The document.
pub fn document(report: &Report) -> Value {
    let rules: Vec<Value> = CheckKind::ALL
        .iter()
        .map(|k| rule(k.name(), k.failure()))
        .chain([rule(ANSWER, "what is known of a procedure without a violation")])
        .collect();
    let files = || report.files.iter();
    let results: Vec<Value> =
        files().flat_map(|f| &f.procedures).flat_map(|p| results(p, &rules)).collect();
    let diagnostics = files().flat_map(|f| &f.diagnostics);
    let notifications: Vec<Value> = diagnostics.map(notification).collect();
    let broken = files().flat_map(|f| &f.diagnostics).any(|d| d.severity == "error");
    json!({
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": report.tool.name,
                "version": report.tool.version,
                "rules": rules,
            } },
            "columnKind": "unicodeCodePoints",
            "invocations": [{
                "executionSuccessful": !broken,
                "exitCode": report.exit_code,
                "toolExecutionNotifications": notifications,
            }],
            "results": results,
        }],
    })
}

fn rule(id: &str, text: &str) -> Value {
    json!({ "id": id, "shortDescription": { "text": text } })
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

/// A path as a reference of the URI syntax.
fn uri(path: &str) -> String {
    let mut out = String::new();
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
    }
}
