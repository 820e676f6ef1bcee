//! `trellis bench sll`: the rows of *Predicate and Canonical Abstraction*, Table 9, and its Fig. 1,
//! with the sll engine and with canonical abstraction over the predicates of Tables 3 and 7.
//!
//! The sll engine has one analysis and two views of it; the numbers of abstract states in the
//! predicate form and in the canonical form are printed beside its own.

use std::collections::BTreeSet;
use std::io;
use std::time::Duration;

use trellis_driver::cpu::CpuTime;
use trellis_driver::sll::states::{View, states};
use trellis_driver::{
    Budget, Canonical, Engine, Instrumentation, Options, Progress, SharingDepth, Sll, Task, memory,
    select, verdict, verify_procedure,
};
use trellis_program::{CheckKind, Input, Unit};
use trellis_report::Exit;
use trellis_session::FrontEnds;
use trellis_suites::lists::{Manifest, Paper, Row, Table3};

use crate::cli::BenchSll;
use crate::output::Output;

/// How often a row is measured; the fastest counts.
const RUNS: usize = 5;

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

impl Way {
    /// The verdict that the paper promises.
    fn expected<'a>(&self, row: &'a Row) -> &'a str {
        match self.weak && row.table3 == Table3::Insufficient {
            true => "no-invariant",
            false => &row.expect,
        }
    }
}

/// What is checked of a row.
fn options(row: &Row) -> Options {
    let mut options = Options::default();
    options.checks.set(CheckKind::Leak, !row.gc);
    options
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
    let manifest = Manifest::load(folder).map_err(io::Error::other)?;
    if let Some(name) = options.rows.iter().find(|n| manifest.rows.iter().all(|r| r.name != **n)) {
        let path = folder.join("manifest.toml");
        let text = format!("{}: no row is called `{name}`", path.display());
        return Err(io::Error::other(text));
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
        let Ok(unit) = FrontEnds::default().read(Input::File(&folder.join(&row.file))) else {
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
        let options = options(row);
        let task = Task::new(&unit.program, proc, &options);
        let found = measure(way, &task);
        let [predicates, canonical] = match i {
            0 => {
                let sll = Sll { sharing };
                [View::Predicates, View::Canonical].map(|v| count(&sll, &task, v).to_string())
            }
            _ => [const { String::new() }; 2],
        };
        let mark = match found.verdict == way.expected(row) {
            true => "",
            false => "  not as expected",
        };
        if !mark.is_empty() {
            exit = exit.and(Exit::Otherwise);
        }
        let (name, paper) = match i {
            0 => {
                let Paper { seconds, megabytes, .. } = row.paper;
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
