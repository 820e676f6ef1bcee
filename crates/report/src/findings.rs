//! What is wrong with a procedure, in words that outlive the lines it stands on.
//!
//! A [`Finding`] is known by its file, its procedure, its kind and the code of its line, not by a
//! number: code that is added elsewhere changes nothing. Two that look alike are two.

use serde::{Deserialize, Serialize};
use trellis_program::SourceMap;

use crate::model::{CheckReport, ProcedureReport};

/// Name and version of the layout of [`Baseline`].
pub const BASELINE_SCHEMA: &str = "trellis-baseline/1";

/// Something that makes a run fail.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// The file, as it was given.
    pub file: String,
    /// The procedure.
    pub procedure: String,
    /// The kind of the violated check; else the verdict.
    pub kind: String,
    /// The line of the violation without the blanks around it; empty if there is none.
    pub code: String,
}

/// Findings that are known.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    /// [`BASELINE_SCHEMA`].
    pub schema: String,
    /// In order.
    pub findings: Vec<Finding>,
}

impl Baseline {
    /// These findings.
    pub fn new(mut findings: Vec<Finding>) -> Baseline {
        findings.sort();
        Baseline { schema: BASELINE_SCHEMA.to_owned(), findings }
    }
}

/// The findings about a procedure; none if it is verified.
pub fn findings(report: &ProcedureReport, sources: &SourceMap) -> Vec<Finding> {
    let finding = |file: &str, kind: &str, code: &str| Finding {
        file: file.to_owned(),
        procedure: report.name.clone(),
        kind: kind.to_owned(),
        code: code.trim().to_owned(),
    };
    let violation = |check: &CheckReport| {
        let place = &check.span;
        let file = sources.find(&place.file).map(|id| sources.file(id));
        let line = file.and_then(|f| f.text.lines().nth(place.line.saturating_sub(1)));
        finding(&place.file, check.kind, line.unwrap_or_default())
    };
    match &report.check {
        _ if report.verdict == "verified" => Vec::new(),
        Some(first) => {
            let others = report.others.iter().map(|v| &v.check);
            std::iter::once(first).chain(others).map(violation).collect()
        }
        None => vec![finding(&report.span.file, report.verdict, "")],
    }
}
