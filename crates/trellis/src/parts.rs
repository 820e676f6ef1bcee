//! One request whose procedures are verified by many processes: what there is to do, the answers of
//! each, and the report that one process would have made.
//!
//! * `verify --list` prints what there is to do, a line a program ([`write_list`]);
//! * `verify --format answers` prints answers as they come, a line each ([`write_answer`]), after the
//!   line of their program if all of it is looked at;
//! * `verify --merge` reads all these lines ([`Merged`]); what it prints is what a single process
//!   prints, by the same code.

mod merge;

use std::io::{self, Write};

use serde::Serialize;
use trellis_program::{Diagnostic, SourceMap};
use trellis_report::model::{DiagnosticReport, ProcedureReport};
use trellis_report::{build, page};
use trellis_session::{Listed, Source};

pub use self::merge::Merged;

/// Prints what there is to do.
pub fn write_list(out: &mut dyn Write, listed: &[Listed]) -> io::Result<()> {
    for program in listed {
        serde_json::to_writer(&mut *out, program)?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

/// Prints an answer.
pub fn write_answer(
    out: &mut dyn Write,
    source: &Source,
    report: &ProcedureReport,
    warnings: &[Diagnostic],
    sources: &SourceMap,
    pictures: bool,
) -> io::Result<()> {
    /// A line.
    #[derive(Serialize)]
    struct Line<'a, Procedure> {
        file: String,
        procedure: Procedure,
        warnings: &'a [DiagnosticReport],
    }
    let warnings: Vec<_> = warnings.iter().map(|d| build::diagnostic(sources, d)).collect();
    let file = source.path().display().to_string();
    match pictures {
        true => {
            let procedure = page::with_pictures(report)?;
            serde_json::to_writer(&mut *out, &Line { file, procedure, warnings: &warnings })?;
        }
        false => {
            let line = Line { file, procedure: report, warnings: &warnings };
            serde_json::to_writer(&mut *out, &line)?;
        }
    }
    writeln!(out)?;
    out.flush()
}
