//! `trellis bench bohne`: the programs of *Symbolic Shape Analysis* (Figure 9), and `trellis bench
//! bohne-ablation`: the effect of contexts on them (Figure 10), and of the cache on a program that
//! was changed a little (section 5).

use std::io;
use std::sync::Arc;
use std::time::Duration;

use trellis_driver::bohne::{ContextKind, Techniques};
use trellis_driver::cpu::CpuTime;
use trellis_driver::provers::Provers;
use trellis_driver::{
    Bohne, BohneStatistics, Budget, Options, Predicates, Progress, Settings, Task, select,
    verify_procedure,
};
use trellis_program::{Input, Unit};
use trellis_report::Exit;
use trellis_session::{FrontEnds, StoreAddress};
use trellis_suites::heaps::{Manifest, Row};
use trellis_suites::pdr::Expect;

use crate::cli::BenchBohne;
use crate::output::Output;

/// How often a row is measured; the fastest counts.
const RUNS: usize = 3;
/// Time for a run; without a technique an analysis may not come to an end.
const MOST: Duration = Duration::from_secs(60);

/// What one row gave.
struct Measured {
    verdict: &'static str,
    cpu: Duration,
    counts: BohneStatistics,
}

/// Measures every row (Figure 9).
pub fn bench(options: &BenchBohne, output: &mut Output) -> io::Result<Exit> {
    writeln!(
        output.out(),
        "{:<26}{:<6}{:<10}{:>8}{:>10}{:>11}{:>11}{:>7}{:>7}{:>9}   paper: predicates, calls, s",
        "program",
        "",
        "verdict",
        "CPU ms",
        "analysis",
        "predicates",
        "questions",
        "hits",
        "heaps",
        "refined"
    )?;
    each_row(options, output, |row, unit, output| {
        let found = measure(row, unit, Techniques::default())?;
        let as_expected = found.verdict == expected(row.expect);
        let counts = found.counts;
        let paper = row.paper.map_or_else(String::new, |p| {
            let (total, given) = (p.predicates, p.given);
            format!("{total} ({given}), {} ({}%), {}", p.calls, p.hits, p.seconds)
        });
        let line = format!(
            "{:<26}{:<6}{:<10}{:>8.2}{:>10.2}{:>11}{:>11}{:>6}%{:>7}{:>9}   {paper}{}",
            row.name,
            row.variant.to_string(),
            found.verdict,
            found.cpu.as_secs_f64() * 1000.0,
            counts.search_seconds * 1000.0,
            counts.predicates,
            counts.questions + counts.hits,
            per_cent(counts),
            counts.heaps,
            counts.refinements,
            if as_expected { "" } else { "  not as expected" },
        );
        writeln!(output.out(), "{}", line.trim_end())?;
        Ok(if as_expected { Exit::Good } else { Exit::Otherwise })
    })
}

/// Measures the programs of Figure 10 with each kind of context.
pub fn ablation(options: &BenchBohne, output: &mut Output) -> io::Result<Exit> {
    writeln!(
        output.out(),
        "{:<26}{:<31}{:<10}{:>9}{:>7}{:>10}{:>10}   paper: calls, s",
        "program",
        "context",
        "verdict",
        "CPU ms",
        "heaps",
        "questions",
        "hits"
    )?;
    each_row(options, output, |row, unit, output| {
        let Some(paper) = row.contexts else { return Ok(Exit::Good) };
        let kinds = [
            (ContextKind::None, Some(paper.none)),
            (ContextKind::Whole, Some(paper.whole)),
            (ContextKind::Joined, Some(paper.instantiated)),
            (ContextKind::Own, None),
        ];
        for (context, paper) in kinds {
            let found = measure(row, unit, Techniques { context, ..Techniques::default() })?;
            let counts = found.counts;
            let paper = paper
                .map_or_else(String::new, |p| format!("{} ({}%), {}", p.calls, p.hits, p.seconds));
            let line = format!(
                "{:<26}{:<31}{:<10}{:>9.2}{:>7}{:>10}{:>9}%   {paper}",
                row.name,
                context.to_string(),
                found.verdict,
                counts.search_seconds * 1000.0,
                counts.heaps,
                counts.questions + counts.hits,
                per_cent(counts),
            );
            writeln!(output.out(), "{}", line.trim_end())?;
        }
        Ok(Exit::Good)
    })
    .and_then(|exit| swapped(options, output).map(|other| exit.and(other)))
}

/// At least so many per cent of the questions about a changed program must be known.
const KNOWN: u64 = 90;

/// Verifies programs, and then again with two assignments exchanged, with a cache on disk.
fn swapped(options: &BenchBohne, output: &mut Output) -> io::Result<Exit> {
    let mut exit = Exit::Good;
    each_row(options, output, |row, unit, output| {
        let Some(file) = &row.swapped else { return Ok(Exit::Good) };
        let Ok(changed) = FrontEnds::default().read(Input::File(&options.folder.join(file))) else {
            output.complain(&format!("{file}: the program cannot be read"));
            return Ok(Exit::BadInput);
        };
        let folder = std::env::temp_dir().join(format!("trellis-bench-{}", std::process::id()));
        let mut known = 0;
        for (what, unit) in [("cold cache", unit), ("swapped, warm cache", &changed)] {
            let settings = Settings::default().with(StoreAddress::Folder(folder.clone()));
            let found = once(row, unit, Techniques::default(), &settings)?;
            known = per_cent(found.counts);
            let line = format!(
                "{:<26}{what:<31}{:<10}{:>9.2}{:>7}{:>10}{known:>9}%   {}",
                row.name,
                found.verdict,
                found.counts.search_seconds * 1000.0,
                found.counts.heaps,
                found.counts.questions + found.counts.hits,
                if what == "cold cache" { "" } else { "SortedList.add: 90%" },
            );
            writeln!(output.out(), "{}", line.trim_end())?;
            if found.verdict != expected(row.expect) {
                exit = Exit::Otherwise;
            }
        }
        std::fs::remove_dir_all(&folder)?;
        Ok(if known >= KNOWN { Exit::Good } else { Exit::Otherwise })
    })
    .map(|found| found.and(exit))
}

/// Calls something with every row that is wanted.
fn each_row(
    options: &BenchBohne,
    output: &mut Output,
    mut row: impl FnMut(&Row, &Unit, &mut Output) -> io::Result<Exit>,
) -> io::Result<Exit> {
    let folder = &options.folder;
    let manifest = Manifest::load(folder).map_err(io::Error::other)?;
    if let Some(name) = options.rows.iter().find(|n| manifest.rows.iter().all(|r| r.name != **n)) {
        let path = folder.join("manifest.toml");
        let text = format!("{}: no row is called `{name}`", path.display());
        return Err(io::Error::other(text));
    }
    let mut exit = Exit::Good;
    let wanted = |r: &&Row| options.rows.is_empty() || options.rows.contains(&r.name);
    for one in manifest.rows.iter().filter(wanted) {
        let Ok(unit) = FrontEnds::default().read(Input::File(&folder.join(&one.file))) else {
            output.complain(&format!("{}: the program cannot be read", one.file));
            exit = exit.and(Exit::BadInput);
            continue;
        };
        exit = exit.and(row(one, &unit, output)?);
    }
    Ok(exit)
}

fn measure(row: &Row, unit: &Unit, techniques: Techniques) -> io::Result<Measured> {
    let settings = Settings::default();
    let mut best = once(row, unit, techniques, &settings)?;
    // One that has used up its time is not tried again.
    let runs = if best.verdict == "unknown" { 1 } else { RUNS };
    for _ in 1..runs {
        let next = once(row, unit, techniques, &settings)?;
        if next.cpu < best.cpu {
            best = next;
        }
    }
    Ok(best)
}

/// One run, which pays for everything.
fn once(
    row: &Row,
    unit: &Unit,
    techniques: Techniques,
    settings: &Settings,
) -> io::Result<Measured> {
    let proc = select::find(&unit.program, &row.proc).map_err(|e| io::Error::other(e.message))?;
    let options = Options::default();
    let predicates = Predicates { user: row.predicates.clone(), ..Predicates::default() };
    let provers = Arc::new(Provers::new(settings));
    let engine = Bohne { techniques, predicates, provers, ..Bohne::default() };
    let task = Task::new(&unit.program, proc, &options);
    let start = CpuTime::now();
    let budget = Budget::default().at_most(MOST);
    let result = verify_procedure(&engine, &task, &budget, &Progress::default());
    Ok(Measured {
        verdict: result.verdict.name(),
        cpu: start.elapsed(),
        counts: result.statistics.bohne.unwrap_or_default(),
    })
}

fn expected(expect: Expect) -> &'static str {
    match expect {
        Expect::Verified => "verified",
        Expect::Violated => "violated",
        Expect::NoInvariant => "no-invariant",
    }
}

/// How many per cent of the questions earlier answers had decided.
fn per_cent(counts: BohneStatistics) -> u64 {
    (100 * counts.hits).checked_div(counts.questions + counts.hits).unwrap_or(0)
}
