//! What the benchmark of the pattern engine prints: a table for people, JSON for machines, from the
//! same figures. `docs/src/schema/bench-proveit-1.json` describes the JSON; change them together.

use std::io::{self, Write};

use serde::Serialize;

use crate::Exit;
use crate::json;
use crate::model::{PatternStatistics, Tool};

/// Name and version of the layout of [`Document`].
pub const BENCH_PROVEIT_SCHEMA: &str = "trellis-bench-proveit/1";

/// The document.
#[derive(Debug, Serialize)]
pub struct Document {
    schema: &'static str,
    tool: Tool,
    exit_code: u8,
    rows: Vec<RowFigures>,
}

/// A row, and what came of it.
#[derive(Clone, Debug, Serialize)]
pub struct RowFigures {
    /// The program.
    pub name: String,
    /// Which run of the program it is.
    pub variant: String,
    /// Whether lost memory is collected.
    pub gc: bool,
    /// The verdict.
    pub verdict: &'static str,
    /// The verdict of the manifest.
    pub expect: &'static str,
    /// Whether they are the same.
    pub as_expected: bool,
    /// CPU time of everything, the fastest run.
    pub cpu_seconds: f64,
    /// What the engine counted.
    pub counts: PatternStatistics,
}

impl Document {
    /// What a process that ends so prints.
    pub fn new(rows: Vec<RowFigures>, exit: Exit) -> Document {
        let (schema, tool) = (BENCH_PROVEIT_SCHEMA, Tool::default());
        Document { schema, tool, exit_code: exit.code(), rows }
    }

    /// Writes it for machines.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        json::write(out, self)
    }
}

/// The first line of the table.
///
/// # Errors
/// Those of the writer.
pub fn write_head(out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "{:<30}{:<6}{:<10}{:>8}{:>10}{:>8}{:>11}{:>11}{:>11}{:>10}{:>7}",
        "program",
        "",
        "verdict",
        "CPU ms",
        "vertices",
        "covers",
        "questions",
        "positives",
        "negatives",
        "patterns",
        "nodes"
    )
}

/// A line of the table.
///
/// # Errors
/// Those of the writer.
pub fn write_row(out: &mut dyn Write, row: &RowFigures) -> io::Result<()> {
    let counts = row.counts;
    writeln!(
        out,
        "{:<30}{:<6}{:<10}{:>8.2}{:>10}{:>8}{:>11}{:>11}{:>11}{:>10}{:>7}{}{}",
        row.name,
        row.variant,
        row.verdict,
        row.cpu_seconds * 1000.0,
        counts.vertices,
        counts.covers,
        counts.questions,
        counts.positives,
        counts.negatives,
        counts.patterns,
        counts.nodes,
        if row.gc { "  (gc)" } else { "" },
        if row.as_expected { "" } else { "  not as expected" },
    )
}
