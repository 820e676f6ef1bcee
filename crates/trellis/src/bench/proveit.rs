//! `trellis bench proveit`: the programs of *Heap Interpolant Synthesis* and more about data, with
//! heap patterns and the automatic oracle.

use std::io;
use std::time::Duration;

use trellis_driver::cpu::CpuTime;
use trellis_driver::{
    Budget, Options, PatternStatistics, Progress, ProveIt, Task, select, verify_procedure,
};
use trellis_program::{CheckKind, Input, Unit};
use trellis_report::Exit;
use trellis_report::bench_proveit::{Document, RowFigures, write_head, write_row};
use trellis_report::build::patterns;
use trellis_session::FrontEnds;
use trellis_suites::patterns::{Manifest, Row};
use trellis_suites::pdr::Expect;

use crate::cli::{BenchProveit, Format};
use crate::output::Output;

/// How often a row is measured; the fastest counts.
const RUNS: usize = 3;

/// What one row gave.
struct Measured {
    verdict: &'static str,
    cpu: Duration,
    counts: PatternStatistics,
}

/// Measures every row.
pub fn bench(options: &BenchProveit, output: &mut Output) -> io::Result<Exit> {
    let folder = &options.folder;
    let manifest = Manifest::load(folder).map_err(io::Error::other)?;
    if let Some(name) = options.rows.iter().find(|n| manifest.rows.iter().all(|r| r.name != **n)) {
        let path = folder.join("manifest.toml");
        let text = format!("{}: no row is called `{name}`", path.display());
        return Err(io::Error::other(text));
    }
    if options.format == Format::Text {
        write_head(output.out())?;
    }
    let mut rows = Vec::new();
    let mut exit = Exit::Good;
    let wanted = |r: &&Row| options.rows.is_empty() || options.rows.contains(&r.name);
    for row in manifest.rows.iter().filter(wanted) {
        let Ok(unit) = FrontEnds::default().read(Input::File(&folder.join(&row.file))) else {
            output.complain(&format!("{}: the program cannot be read", row.file));
            exit = exit.and(Exit::BadInput);
            continue;
        };
        let figures = measure_row(row, &unit)?;
        exit = exit.and(if figures.as_expected { Exit::Good } else { Exit::Otherwise });
        match options.format {
            Format::Text => write_row(output.out(), &figures)?,
            Format::Json => rows.push(figures),
        }
    }
    if options.format == Format::Json {
        Document::new(rows, exit).write_json(output.out())?;
    }
    Ok(exit)
}

fn measure_row(row: &Row, unit: &Unit) -> io::Result<RowFigures> {
    let proc = select::find(&unit.program, &row.proc).map_err(|e| io::Error::other(e.message))?;
    let mut options = Options::default();
    options.checks.set(CheckKind::Leak, !row.gc);
    let once = || {
        // Every run pays for everything.
        let task = Task::new(&unit.program, proc, &options);
        let start = CpuTime::now();
        let result = verify_procedure(&ProveIt, &task, &Budget::default(), &Progress::default());
        Measured {
            verdict: result.verdict.name(),
            cpu: start.elapsed(),
            counts: result.statistics.patterns.unwrap_or_default(),
        }
    };
    let first = once();
    let found = (1..RUNS)
        .map(|_| once())
        .fold(first, |best, next| if next.cpu < best.cpu { next } else { best });
    let expected = match row.expect {
        Expect::Verified => "verified",
        Expect::Violated => "violated",
        Expect::NoInvariant => "no-invariant",
    };
    Ok(RowFigures {
        name: row.name.clone(),
        variant: row.variant.to_string(),
        gc: row.gc,
        verdict: found.verdict,
        expect: expected,
        as_expected: found.verdict == expected,
        cpu_seconds: found.cpu.as_secs_f64(),
        counts: patterns(&found.counts),
    })
}
