//! `trellis bench sll`: the rows of paper 002, Table 9, and its Fig. 1.

use std::io;
use std::path::Path;
use std::time::Duration;

use serde::Deserialize;
use trellis_driver::cpu::CpuTime;
use trellis_driver::{Budget, Options, Progress, Sll, Task, select, verdict, verify_procedure};
use trellis_program::CheckKind;

use crate::cli::{BenchSll, FrontEnd};
use crate::input;
use crate::output::{Exit, Output};

/// How often a row is measured; the fastest counts.
const RUNS: usize = 5;

#[derive(Debug, Deserialize)]
struct Manifest {
    #[serde(rename = "row")]
    rows: Vec<Row>,
}

#[derive(Debug, Deserialize)]
struct Row {
    name: String,
    file: String,
    proc: String,
    expect: String,
    gc: bool,
    paper: Paper,
}

#[derive(Debug, Deserialize)]
struct Paper {
    seconds: f64,
    megabytes: f64,
}

/// What one row gave.
struct Measured {
    verdict: &'static str,
    cpu: Duration,
    states: u64,
    bytes: u64,
}

/// Measures every row.
pub fn bench(options: &BenchSll, output: &mut Output) -> io::Result<Exit> {
    let folder = &options.folder;
    let path = folder.join("manifest.toml");
    let bad = |e: &dyn std::fmt::Display| io::Error::other(format!("{}: {e}", path.display()));
    let text = std::fs::read_to_string(&path).map_err(|e| bad(&e))?;
    let manifest: Manifest = toml::from_str(&text).map_err(|e| bad(&e))?;
    let mut exit = Exit::Good;
    writeln!(
        output.out(),
        "{:<18}{:<10}{:>10}{:>9}{:>10}  | paper {:>5}{:>7}",
        "program",
        "verdict",
        "CPU ms",
        "states",
        "memory",
        "s",
        "MB"
    )?;
    for row in &manifest.rows {
        let Some(found) = measure(folder, row, options)? else {
            output.complain(&format!("{}: the program cannot be read", row.file));
            exit = exit.and(Exit::BadInput);
            continue;
        };
        let mark = if found.verdict == row.expect { "" } else { "  not as expected" };
        if !mark.is_empty() {
            exit = exit.and(Exit::Otherwise);
        }
        let gc = if row.gc { "  (gc)" } else { "" };
        writeln!(
            output.out(),
            "{:<18}{:<10}{:>10.2}{:>9}{:>10}  | {:>11.0}{:>7.1}{gc}{mark}",
            row.name,
            found.verdict,
            found.cpu.as_secs_f64() * 1000.0,
            found.states,
            verdict::bytes(found.bytes),
            row.paper.seconds,
            row.paper.megabytes,
        )?;
    }
    if let Some(peak) = peak_memory() {
        writeln!(output.out(), "peak memory of the whole process: {}", verdict::bytes(peak))?;
    }
    Ok(exit)
}

fn measure(folder: &Path, row: &Row, bench: &BenchSll) -> io::Result<Option<Measured>> {
    let Ok(unit) = input::read(&folder.join(&row.file), &FrontEnd::default()) else {
        return Ok(None);
    };
    let proc = select::find(&unit.program, &row.proc).map_err(|e| io::Error::other(e.message))?;
    let mut options = Options { sharing: bench.sharing, ..Options::default() };
    options.checks.set(CheckKind::Leak, !row.gc);
    let task = Task { program: &unit.program, proc, options: &options };
    let mut best: Option<Measured> = None;
    for _ in 0..RUNS {
        let start = CpuTime::now();
        let result = verify_procedure(&Sll, &task, &Budget::default(), &Progress::default());
        let cpu = start.elapsed();
        let found = Measured {
            verdict: result.verdict.name(),
            cpu,
            states: result.statistics.states,
            bytes: result.statistics.peak_bytes,
        };
        if best.as_ref().is_none_or(|b| found.cpu < b.cpu) {
            best = Some(found);
        }
    }
    Ok(best)
}

/// The most memory that this process had, as the system counts it.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|l| l.starts_with("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}
