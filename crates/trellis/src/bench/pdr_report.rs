//! What the benchmarks of the PDR engines print: a table for people, JSON for machines, from the
//! same figures.

use std::io;

use serde::Serialize;

use super::manifest::{Figures as PaperFigures, Measured as PaperMeasured};
use super::pdr::{Certified, Figures, Measured, expected};
use crate::output::{Exit, Output};

/// The document.
#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    tool: Tool,
    exit_code: u8,
    suite: &'a str,
    rows: Vec<RowFigures<'a>>,
}

#[derive(Serialize)]
struct Tool {
    name: &'static str,
    version: &'static str,
}

#[derive(Serialize)]
struct RowFigures<'a> {
    name: &'a str,
    variant: String,
    engine: &'a str,
    expect: &'static str,
    as_expected: bool,
    solvers: Vec<SolverFigures>,
    paper: Option<Paper>,
    note: Option<&'a str>,
}

/// The figures of the median run.
#[derive(Serialize)]
struct SolverFigures {
    solver: String,
    verdict: &'static str,
    reason: Option<String>,
    cpu_seconds: f64,
    solver_seconds: f64,
    frames: usize,
    queries: u64,
    lemmas: usize,
    clauses: usize,
    universal: usize,
    check_seconds: Option<f64>,
    machine_seconds: f64,
    /// CPU time of the search divided by that of one check of the invariant.
    limit: Option<f64>,
    /// How many times longer it took than the first solver.
    ratio: Option<f64>,
    /// CPU seconds by seed.
    seeds: Vec<f64>,
    certified: Option<Certified>,
}

#[derive(Serialize)]
struct Paper {
    outcome: Option<String>,
    seconds: Option<f64>,
    frames: Option<u32>,
    calls: Option<u32>,
    clauses: Option<u32>,
    universal: Option<u32>,
}

impl Paper {
    fn of(figures: &PaperFigures) -> Paper {
        match figures {
            PaperFigures::Failed { outcome } => Paper {
                outcome: Some(outcome.clone()),
                seconds: None,
                frames: None,
                calls: None,
                clauses: None,
                universal: None,
            },
            PaperFigures::Measured(PaperMeasured {
                seconds,
                frames,
                calls,
                clauses,
                forall,
                ..
            }) => Paper {
                outcome: None,
                seconds: Some(*seconds),
                frames: Some(*frames),
                calls: Some(*calls),
                clauses: *clauses,
                universal: *forall,
            },
        }
    }
}

impl<'a> RowFigures<'a> {
    fn of(measured: &'a Measured<'a>) -> RowFigures<'a> {
        let row = measured.row;
        let first = &measured.solvers[0];
        RowFigures {
            name: &row.name,
            variant: row.variant.to_string(),
            engine: measured.engine,
            expect: expected(row),
            as_expected: measured.as_expected(),
            solvers: measured.solvers.iter().map(|s| SolverFigures::of(s, first)).collect(),
            paper: row.paper.as_ref().map(Paper::of),
            note: row.note.as_deref(),
        }
    }
}

impl SolverFigures {
    fn of(figures: &Figures, first: &Figures) -> SolverFigures {
        let run = figures.median();
        let pdr = &run.figures;
        let checked = (run.verdict == "verified").then_some(pdr.check_seconds);
        let same = figures.solver == first.solver;
        SolverFigures {
            solver: format!("{:?}", figures.solver).to_lowercase(),
            verdict: run.verdict,
            reason: run.reason.clone(),
            cpu_seconds: run.cpu,
            solver_seconds: pdr.solver_seconds,
            frames: pdr.frames,
            queries: pdr.queries,
            lemmas: pdr.lemmas,
            clauses: pdr.clauses,
            universal: pdr.universal,
            check_seconds: checked,
            machine_seconds: run.machine,
            limit: checked.filter(|s| *s > 0.0).map(|s| pdr.search_seconds / s),
            ratio: (!same).then(|| run.cpu / first.median().cpu.max(1e-9)),
            seeds: figures.runs.iter().map(|r| r.cpu).collect(),
            certified: run.certified.clone(),
        }
    }
}

/// Prints the document.
pub fn print_json(
    suite: &str,
    measured: &[Measured<'_>],
    exit: Exit,
    output: &mut Output,
) -> io::Result<()> {
    let document = Document {
        schema: "trellis-bench-pdr/1",
        tool: Tool { name: "trellis", version: env!("CARGO_PKG_VERSION") },
        exit_code: exit.code(),
        suite,
        rows: measured.iter().map(RowFigures::of).collect(),
    };
    serde_json::to_writer_pretty(output.out(), &document)?;
    writeln!(output.out())
}

/// Prints the table, and below it the sums.
pub fn print_text(measured: &[Measured<'_>], output: &mut Output) -> io::Result<()> {
    let out = output.out();
    let rows: Vec<RowFigures<'_>> = measured.iter().map(RowFigures::of).collect();
    let width = rows.iter().map(|r| r.name.chars().count()).max().unwrap_or(0).max(7);
    write!(
        out,
        "{:width$}  {:12}  {:12}  {:>8}  {:>2}  {:>7}  {:>9}  {:>6}  {:>8}  {:>2}  {:>7}  {:>9}",
        "program",
        "variant",
        "verdict",
        "CPU s",
        "N",
        "queries",
        "inv (∀)",
        "limit",
        "paper s",
        "N",
        "calls",
        "inv (∀)"
    )?;
    for other in rows.first().iter().flat_map(|r| r.solvers.iter().skip(1)) {
        write!(out, "  {:>8}  {:>7}", format!("{} s", other.solver), "ratio")?;
    }
    let certifiers: Vec<String> = rows.iter().find_map(certifiers).unwrap_or_default();
    for certifier in &certifiers {
        write!(out, "  {:>9}", format!("by {certifier}"))?;
    }
    writeln!(out)?;
    for row in &rows {
        line(out, row, width)?;
    }
    sums(out, &rows)
}

/// The names of the solvers that certified a row.
fn certifiers(row: &RowFigures<'_>) -> Option<Vec<String>> {
    let certified = row.solvers[0].certified.as_ref()?;
    Some(certified.solvers.iter().map(|s| s.solver.clone()).collect())
}

fn line(out: &mut dyn io::Write, row: &RowFigures<'_>, width: usize) -> io::Result<()> {
    let own = &row.solvers[0];
    let invariant = |clauses: Option<usize>, forall: Option<usize>| match (clauses, forall) {
        (Some(n), Some(m)) => format!("{n} ({m})"),
        (Some(n), None) => n.to_string(),
        (None, _) => "-".to_owned(),
    };
    let verified = own.verdict == "verified";
    write!(
        out,
        "{:width$}  {:12}  {:12}  {:>8.3}  {:>2}  {:>7}  {:>9}  {:>6}",
        row.name,
        row.variant,
        own.verdict,
        own.cpu_seconds,
        own.frames,
        own.queries,
        invariant(verified.then_some(own.clauses), Some(own.universal)),
        own.limit.map_or_else(|| "-".to_owned(), |l| format!("{l:.1}")),
    )?;
    let paper = row.paper.as_ref();
    let number = |n: Option<u32>| n.map_or_else(|| "-".to_owned(), |n| n.to_string());
    write!(
        out,
        "  {:>8}  {:>2}  {:>7}  {:>9}",
        paper.and_then(|p| p.seconds).map_or_else(|| "-".to_owned(), |s| format!("{s:.1}")),
        number(paper.and_then(|p| p.frames)),
        number(paper.and_then(|p| p.calls)),
        invariant(
            paper.and_then(|p| p.clauses).map(|n| n as usize),
            paper.and_then(|p| p.universal).map(|n| n as usize)
        ),
    )?;
    for other in &row.solvers[1..] {
        match other.verdict == own.verdict {
            true => {
                let ratio = other.ratio.unwrap_or_default();
                write!(out, "  {:>8.2}  {ratio:>6.0}×", other.cpu_seconds)?;
            }
            false => write!(out, "  {:>8}  {:>7}", other.verdict, "")?,
        }
    }
    if let Some(certified) = &own.certified {
        for certifier in &certified.solvers {
            match certifier.shown == certified.conditions {
                true => write!(out, "  {:>7.2} s", certifier.seconds)?,
                false => write!(out, "  {:>9}", "not shown")?,
            }
        }
    }
    if !row.as_expected {
        write!(out, "  expected {}", row.expect)?;
    }
    writeln!(out)?;
    match (&own.reason, row.as_expected) {
        (Some(reason), false) => writeln!(out, "{:width$}    {reason}", ""),
        _ => Ok(()),
    }
}

fn sums(out: &mut dyn io::Write, rows: &[RowFigures<'_>]) -> io::Result<()> {
    let good = rows.iter().filter(|r| r.as_expected).count();
    let cpu: f64 = rows.iter().map(|r| r.solvers[0].cpu_seconds).sum();
    let machine: f64 = rows.iter().map(|r| r.solvers[0].machine_seconds).sum();
    let share = format!("of these {machine:.2} s on the machine");
    writeln!(out, "{good} of {} rows as expected, {cpu:.2} s of CPU, {share}", rows.len())?;
    if let Some(names) = rows.iter().find_map(certifiers) {
        let proofs: Vec<&Certified> =
            rows.iter().flat_map(|r| &r.solvers).filter_map(|s| s.certified.as_ref()).collect();
        let certified = proofs.iter().filter(|c| c.outcome == "certified").count();
        let (all, names) = (proofs.len(), names.join(" and "));
        writeln!(out, "{certified} of {all} proofs certified by {names}")?;
    }
    for other in 1..rows.first().map_or(0, |r| r.solvers.len()) {
        let both: Vec<&RowFigures<'_>> = rows
            .iter()
            .filter(|r| r.solvers[0].verdict == r.solvers[other].verdict)
            .filter(|r| r.solvers[0].verdict != "unknown")
            .collect();
        let sum =
            |solver: usize| -> f64 { both.iter().map(|r| r.solvers[solver].cpu_seconds).sum() };
        let (ours, theirs) = (sum(0), sum(other));
        writeln!(
            out,
            "{}: {theirs:.2} s on the {} rows that both finish, {ours:.2} s with {}: {:.0} times",
            rows[0].solvers[other].solver,
            both.len(),
            rows[0].solvers[0].solver,
            theirs / ours.max(1e-9),
        )?;
    }
    Ok(())
}
