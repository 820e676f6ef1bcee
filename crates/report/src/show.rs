//! What `trellis show FILE checks` prints. `docs/src/schema/show-1.json` describes the JSON; change
//! them together.

use std::io::{self, Write};

use serde::Serialize;
use trellis_program::{CheckTable, ProcId, Program};

use crate::Exit;
use crate::build::place;
use crate::model::{DiagnosticReport, Place, Tool};

/// Name and version of the layout of [`ShowReport`].
pub const SHOW_SCHEMA: &str = "trellis-show/1";

/// The document.
#[derive(Clone, Debug, Serialize)]
pub struct ShowReport {
    schema: &'static str,
    tool: Tool,
    exit_code: u8,
    file: String,
    diagnostics: Vec<DiagnosticReport>,
    checks: Vec<CheckRow>,
}

/// A check.
#[derive(Clone, Debug, Serialize)]
pub struct CheckRow {
    id: String,
    kind: &'static str,
    procedure: String,
    /// On unless the user says otherwise.
    on: bool,
    span: Place,
}

impl ShowReport {
    /// What is said about a file.
    pub fn new(
        exit: Exit,
        file: String,
        diagnostics: Vec<DiagnosticReport>,
        checks: Vec<CheckRow>,
    ) -> ShowReport {
        let (schema, tool) = (SHOW_SCHEMA, Tool::default());
        ShowReport { schema, tool, exit_code: exit.code(), file, diagnostics, checks }
    }
}

/// The checks of some procedures, in the order of the program.
pub fn rows(program: &Program, procs: &[ProcId]) -> Vec<CheckRow> {
    CheckTable::of(program)
        .iter()
        .filter(|(_, check)| procs.contains(&check.point.proc))
        .map(|(_, check)| CheckRow {
            id: check.name.clone(),
            kind: check.kind.name(),
            procedure: program.proc(check.point.proc).name.clone(),
            on: check.kind.default_on(),
            span: place(&program.sources, check.span),
        })
        .collect()
}

/// Writes checks for people.
///
/// # Errors
/// Those of the writer.
pub fn write_text(out: &mut dyn Write, rows: &[CheckRow]) -> io::Result<()> {
    let width = rows.iter().map(|r| r.id.chars().count()).max().unwrap_or(0);
    for row in rows {
        let Place { file, line, column, .. } = &row.span;
        let off = if row.on { "" } else { "  (off)" };
        writeln!(out, "{:width$}  {file}:{line}:{column}{off}", row.id)?;
    }
    Ok(())
}
