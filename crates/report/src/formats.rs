//! The report in the formats of others. Each printer reads [`crate::model::Report`] and nothing else
//! about the answers, so that they cannot disagree with text and JSON.
//!
//! * [`sarif`]: SARIF 2.1.0, for code scanning; the states of a violation are a code flow
//! * [`junit`]: JUnit XML, for test dashboards
//! * [`github`]: annotations of GitHub's workflows
//! * [`dot`]: the heaps of violations, for Graphviz
//! * [`witness`]: witnesses of version 2.0 as software-verification competitions exchange them

pub mod dot;
pub mod github;
pub mod junit;
pub mod sarif;
pub mod witness;

use crate::model::{CheckReport, Place, ProcedureReport, StepReport, ViolationReport};

/// A violation of a procedure, the first one or another.
#[derive(Clone, Copy)]
struct Violation<'a> {
    check: &'a CheckReport,
    command: Option<&'a str>,
    trace: &'a [StepReport],
}

/// All violations of a procedure, the first one first.
fn violations(procedure: &ProcedureReport) -> impl Iterator<Item = Violation<'_>> {
    let first = procedure.check.as_ref().map(|check| Violation {
        check,
        command: procedure.command.as_deref(),
        trace: &procedure.trace,
    });
    first.into_iter().chain(procedure.others.iter().map(other))
}

fn other(v: &ViolationReport) -> Violation<'_> {
    Violation { check: &v.check, command: v.command.as_deref(), trace: &v.trace }
}

/// `list.c:12:5`.
fn at(place: &Place) -> String {
    format!("{}:{}:{}", place.file, place.line, place.column)
}

/// Why there is no answer, with what can be done about it.
fn reason(procedure: &ProcedureReport) -> String {
    let Some(reason) = &procedure.reason else { return String::new() };
    let mut text = reason.text.clone();
    let advice = reason.advice.clone().or_else(|| {
        procedure.attempts.iter().find_map(|a| a.reason.as_ref().and_then(|r| r.advice.clone()))
    });
    if let Some(advice) = advice {
        text.push_str("; try: ");
        text.push_str(&advice);
    }
    text
}
