//! Reports for machines.

use std::io::{self, Write};

use serde::Serialize;

use crate::Exit;
use crate::model::{REPORT_SCHEMA, Tool};
use crate::programs::{Programs, Sequence};

/// Writes a report as indented JSON with a final line break.
///
/// # Errors
/// Those of the writer.
pub fn write(out: &mut dyn Write, report: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, report)?;
    out.write_all(b"\n")
}

/// Writes what [`write()`] writes of a [`crate::model::Report`], program by program.
///
/// # Errors
/// Those of the writer.
pub fn write_each(out: &mut dyn Write, exit: Exit, programs: &dyn Programs) -> io::Result<()> {
    /// [`crate::model::Report`], whose fields these are.
    #[derive(Serialize)]
    struct Document<Files> {
        schema: &'static str,
        tool: Tool,
        exit_code: u8,
        files: Files,
    }
    let (tool, exit_code) = (Tool::default(), exit.code());
    let files = Sequence(|| programs.each());
    write(out, &Document { schema: REPORT_SCHEMA, tool, exit_code, files })
}
