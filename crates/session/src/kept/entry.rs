//! An entry: the report about a procedure as JSON, what the user should know besides, the evidence of a
//! *verified* as a certificate without its source, and the lines of the parts that it is about.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use trellis_certify::{Certificate, Evidence};
use trellis_driver::{ProcedureResult, Verdict};
use trellis_program::{Diagnostic, Severity, SourceMap};
use trellis_report::build;
use trellis_report::model::{DiagnosticReport, ProcedureReport, ViolationReport};
use trellis_transys::Words;

use crate::certificates::no_source;

use super::fingerprint::Lines;
use super::moved::{self, Moves};
use super::{Answer, Question};

/// As it is kept.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    procedure: String,
    lines: Vec<Lines>,
    said: Option<String>,
    answer: Value,
}

/// What moves with the procedure.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Body<Evidence> {
    report: ProcedureReport,
    warnings: Vec<DiagnosticReport>,
    evidence: Option<Evidence>,
}

/// An answer with what it depends on besides its key.
pub struct Entry {
    /// The answer.
    pub answer: Answer,
    /// What the words of a client in it depend on, if there are any.
    pub said: Option<String>,
}

impl Entry {
    /// The content of an entry; `None` if the answer cannot be kept.
    pub fn write(
        asked: &Question<'_>,
        result: &ProcedureResult,
        report: &ProcedureReport,
        said: &str,
    ) -> Option<String> {
        let evidence = match &result.verdict {
            Verdict::Verified { evidence, .. } => {
                Some(Certificate::new(no_source(), (**evidence).clone()))
            }
            _ => None,
        };
        let sources = &asked.program.sources;
        let warnings = result.warnings.iter().map(|d| build::diagnostic(sources, d)).collect();
        let body = Body { report: report.clone(), warnings, evidence };
        let commanded = |all: &[ViolationReport]| all.iter().any(|v| v.command.is_some());
        let speaks = report.command.is_some()
            || commanded(&report.others)
            || report.notes.iter().any(|n| commanded(&n.violations));
        let written = Written {
            procedure: report.name.clone(),
            lines: asked.fingerprint.lines.clone(),
            said: speaks.then(|| said.to_owned()),
            answer: serde_json::to_value(body).ok()?,
        };
        serde_json::to_string(&written).ok()
    }

    /// Reads an entry about a question; `None` if it is none.
    pub fn read(content: &str, asked: &Question<'_>) -> Option<Entry> {
        let Written { procedure, lines, said, mut answer } = serde_json::from_str(content).ok()?;
        let moves = Moves::between(&lines, &asked.fingerprint.lines)?;
        let sources = &asked.program.sources;
        moved::settle(&mut answer, &moves, sources)?;
        let Body { mut report, warnings, evidence } = Body::<Value>::deserialize(answer).ok()?;
        let proc = asked.program.proc(asked.proc);
        let evidence = match report.verdict {
            "verified" => Some(restored(&evidence?, asked)?),
            "violated" | "no-invariant" | "unknown" if evidence.is_none() => None,
            _ => return None,
        };
        if report.name != proc.name || procedure != proc.name {
            return None;
        }
        report.cached = true;
        let warnings: Option<Vec<_>> = warnings.iter().map(|w| diagnostic(w, sources)).collect();
        Some(Entry { answer: Answer { report, warnings: warnings?, evidence }, said })
    }
}

/// Evidence that is about the procedure and the checks of a question.
fn restored(written: &Value, asked: &Question<'_>) -> Option<Evidence> {
    let read = Certificate::read(&written.to_string()).ok()?;
    let Certificate { procedure, checks, malloc_may_fail, words, leak_turns, .. } = read;
    let on: Vec<String> = asked.options.checks.iter().map(|k| k.to_string()).collect();
    let name = &asked.program.proc(asked.proc).name;
    let fails = asked.options.malloc_may_fail;
    if procedure != *name || checks != on || malloc_may_fail != fails {
        return None;
    }
    Some(Evidence {
        procedure,
        checks,
        malloc_may_fail,
        words: match words.as_str() {
            "basic" => Words::Basic,
            "edges" => Words::Edges,
            _ => return None,
        },
        leak_turns,
        vocabulary: read.vocabulary,
        cut_points: read.cut_points,
        shapes: read.shapes,
        patterns: read.patterns,
        graphs: read.graphs,
        sequents: read.sequents,
        exhaustion: read.exhaustion,
    })
}

fn diagnostic(written: &DiagnosticReport, sources: &SourceMap) -> Option<Diagnostic> {
    let known = |file: &str| sources.find(file).is_some();
    let places = written.span.iter().chain(written.related.iter().map(|r| &r.span));
    if places.into_iter().any(|p| !known(&p.file)) {
        return None;
    }
    Some(Diagnostic {
        severity: match written.severity {
            "error" => Severity::Error,
            "unsupported" => Severity::Unsupported,
            "warning" => Severity::Warning,
            _ => return None,
        },
        message: written.message.clone(),
        span: written.span.as_ref().map(|p| p.raw),
        label: written.label.clone().unwrap_or_default(),
        related: written.related.iter().map(|r| (r.span.raw, r.text.clone())).collect(),
        help: written.help.clone(),
    })
}
