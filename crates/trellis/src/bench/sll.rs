//! `trellis bench sll`: the rows of paper 002, Table 9, and its Fig. 1, with the sll engine and with
//! canonical abstraction over the predicates of Tables 3 and 7.
//!
//! The sll engine has one analysis and two views of it; the numbers of abstract states in the
//! predicate form and in the canonical form are printed beside its own.

use std::collections::BTreeSet;
use std::io;
use std::time::Duration;

use serde::Deserialize;
use trellis_driver::cpu::CpuTime;
use trellis_driver::sll::states::{View, states};
use trellis_driver::{
    Budget, Canonical, Engine, Instrumentation, Options, Progress, SharingDepth, Sll, Task, memory,
    select, verdict, verify_procedure,
};
use trellis_front_c::Unit;
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
    table3: Table3,
    gc: bool,
    paper: Paper,
}

/// Whether the standard predicates give the same verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Table3 {
    Sufficient,
    Insufficient,
}

#[derive(Debug, Deserialize)]
struct Paper {
    seconds: f64,
    megabytes: f64,
}

/// What a row is measured with.
struct Way {
    name: &'static str,
    engine: Box<dyn Engine>,
    /// Whether it has the standard predicates only.
    weak: bool,
}

/// The sll engine first.
fn ways(sharing: SharingDepth) -> [Way; 3] {
    let canonical = |instrumentation| -> Box<dyn Engine> {
        Box::new(Canonical { instrumentation, sharing, ..Canonical::default() })
    };
    [
        Way { name: "sll", engine: Box::new(Sll { sharing }), weak: false },
        Way { name: "table 7", engine: canonical(Instrumentation::Table7), weak: false },
        Way { name: "table 3", engine: canonical(Instrumentation::Table3), weak: true },
    ]
}

impl Row {
    /// The verdict that the paper promises.
    fn expected(&self, way: &Way) -> &str {
        match way.weak && self.table3 == Table3::Insufficient {
            true => "no-invariant",
            false => &self.expect,
        }
    }

    fn options(&self) -> Options {
        let mut options = Options::default();
        options.checks.set(CheckKind::Leak, !self.gc);
        options
    }
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
    if let Some(name) = options.rows.iter().find(|n| manifest.rows.iter().all(|r| r.name != **n)) {
        return Err(bad(&format!("no row is called `{name}`")));
    }
    let mut exit = Exit::Good;
    writeln!(
        output.out(),
        "{:<18}{:<9}{:<13}{:>8}{:>9}{:>12}{:>11}{:>11}  | paper {:>5}{:>7}",
        "program",
        "engine",
        "verdict",
        "CPU ms",
        "states",
        "predicates",
        "canonical",
        "memory",
        "s",
        "MB"
    )?;
    let wanted = |r: &&Row| options.rows.is_empty() || options.rows.contains(&r.name);
    for row in manifest.rows.iter().filter(wanted) {
        let Ok(unit) = input::read(&folder.join(&row.file), &FrontEnd::default()) else {
            output.complain(&format!("{}: the program cannot be read", row.file));
            exit = exit.and(Exit::BadInput);
            continue;
        };
        exit = exit.and(measure_row(row, &unit, options, output)?);
    }
    if let Some(peak) = memory::peak() {
        writeln!(output.out(), "peak memory of the whole process: {}", verdict::bytes(peak))?;
    }
    Ok(exit)
}

/// Measures a row in every way.
fn measure_row(row: &Row, unit: &Unit, bench: &BenchSll, output: &mut Output) -> io::Result<Exit> {
    let proc = select::find(&unit.program, &row.proc).map_err(|e| io::Error::other(e.message))?;
    let mut exit = Exit::Good;
    let sharing = bench.sharing.unwrap_or_default();
    for (i, way) in ways(sharing).iter().enumerate() {
        let options = row.options();
        let task = Task::new(&unit.program, proc, &options);
        let found = measure(way, &task);
        let [predicates, canonical] = match i {
            0 => {
                let sll = Sll { sharing };
                [View::Predicates, View::Canonical].map(|v| count(&sll, &task, v).to_string())
            }
            _ => [const { String::new() }; 2],
        };
        let mark = match found.verdict == row.expected(way) {
            true => "",
            false => "  not as expected",
        };
        if !mark.is_empty() {
            exit = exit.and(Exit::Otherwise);
        }
        let (name, paper) = match i {
            0 => {
                let Paper { seconds, megabytes } = row.paper;
                (row.name.as_str(), format!("{seconds:>11.0}{megabytes:>7.1}"))
            }
            _ => ("", String::new()),
        };
        let gc = if row.gc && i == 0 { "  (gc)" } else { "" };
        let line = format!(
            "{name:<18}{:<9}{:<13}{:>8.2}{:>9}{predicates:>12}{canonical:>11}{:>11}  | {paper}{gc}{mark}",
            way.name,
            found.verdict,
            found.cpu.as_secs_f64() * 1000.0,
            found.states,
            verdict::bytes(found.bytes),
        );
        writeln!(output.out(), "{}", line.trim_end())?;
    }
    Ok(exit)
}

fn measure(way: &Way, task: &Task<'_>) -> Measured {
    let once = || {
        // Every run pays for everything.
        let task = &Task::new(task.program, task.proc, task.options);
        let start = CpuTime::now();
        let result = verify_procedure(&*way.engine, task, &Budget::default(), &Progress::default());
        Measured {
            verdict: result.verdict.name(),
            cpu: start.elapsed(),
            states: result.statistics.states,
            bytes: result.statistics.peak_bytes,
        }
    };
    let first = once();
    (1..RUNS)
        .map(|_| once())
        .fold(first, |best, next| if next.cpu < best.cpu { next } else { best })
}

/// The abstract states at all points in a form, each once a point.
fn count(sll: &Sll, task: &Task<'_>, view: View) -> usize {
    let found = states(sll, task, &Budget::default(), view);
    let distinct = |heaps: &[Vec<String>]| heaps.iter().collect::<BTreeSet<_>>().len();
    found.points.iter().map(|p| distinct(&p.heaps)).sum()
}
