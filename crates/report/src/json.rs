//! Reports for machines.

use std::io::{self, Write};

use serde::Serialize;

/// Writes a report as indented JSON with a final line break.
///
/// # Errors
/// Those of the writer.
pub fn write(out: &mut dyn Write, report: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, report)?;
    out.write_all(b"\n")
}
