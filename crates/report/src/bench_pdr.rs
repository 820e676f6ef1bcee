//! What the benchmarks of the PDR engines print: a table for people, JSON for machines, from the
//! same figures. `docs/src/schema/bench-pdr-1.json` describes the JSON; change them together.

use std::io::{self, Write};

use serde::Serialize;

use crate::Exit;
use crate::json;
use crate::model::Tool;

/// Name and version of the layout of [`Document`].
pub const BENCH_PDR_SCHEMA: &str = "trellis-bench-pdr/1";

/// The document.
#[derive(Debug, Serialize)]
pub struct Document {
    schema: &'static str,
    tool: Tool,
    exit_code: u8,
    suite: String,
    rows: Vec<RowFigures>,
}

/// A row of a suite, and what every solver made of it.
#[derive(Clone, Debug, Serialize)]
pub struct RowFigures {
    /// As in the paper's table.
    pub name: String,
    /// Which run of the program it is.
    pub variant: String,
    /// The engine.
    pub engine: String,
    /// The verdict of the manifest.
    pub expect: &'static str,
    /// Whether all seeds gave it, and every proof was certified.
    pub as_expected: bool,
    /// By solver, the embedded one first.
    pub solvers: Vec<SolverFigures>,
    /// The paper's figures.
    pub paper: Option<Paper>,
    /// What a reader of the table should know.
    pub note: Option<String>,
}

/// The figures of the median run.
#[derive(Clone, Debug, Serialize)]
pub struct SolverFigures {
    /// The solver.
    pub solver: String,
    /// The verdict.
    pub verdict: &'static str,
    /// Why it is no other.
    pub reason: Option<String>,
    /// CPU time of everything, solver processes included.
    pub cpu_seconds: f64,
    /// Wall-clock time in solvers.
    pub solver_seconds: f64,
    /// The last frame.
    pub frames: usize,
    /// Questions to solvers.
    pub queries: u64,
    /// Lemmas found.
    pub lemmas: usize,
    /// Clauses of the invariant.
    pub clauses: usize,
    /// How many of them are quantified.
    pub universal: usize,
    /// Elements of the largest state of the counterexample, if there is one: its heap objects, and
    /// null.
    pub elements: Option<usize>,
    /// CPU time to check the invariant once, if there is one.
    pub check_seconds: Option<f64>,
    /// CPU time of running the machine before *verified* was said.
    pub machine_seconds: f64,
    /// CPU time of the search divided by that of one check of the invariant.
    pub limit: Option<f64>,
    /// How many times longer it took than the first solver.
    pub ratio: Option<f64>,
    /// CPU seconds by seed.
    pub seeds: Vec<f64>,
    /// What certifying the proof gave, where that was asked for.
    pub certified: Option<Certified>,
}

/// What certifying a proof gave.
#[derive(Clone, Debug, Serialize)]
pub struct Certified {
    /// How it ended.
    pub outcome: &'static str,
    /// How many conditions there are.
    pub conditions: usize,
    /// What the solvers did.
    pub solvers: Vec<Certifier>,
}

/// What one solver did to certify a proof.
#[derive(Clone, Debug, Serialize)]
pub struct Certifier {
    /// The solver.
    pub solver: String,
    /// How many conditions it showed.
    pub shown: usize,
    /// The time that it took, starts of processes included.
    pub seconds: f64,
}

/// What a paper measured.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Paper {
    /// How the tool failed, in the paper's words.
    pub outcome: Option<String>,
    /// Time on the authors' machine.
    pub seconds: Option<f64>,
    /// The highest frame.
    pub frames: Option<u32>,
    /// Calls of the solver.
    pub calls: Option<u32>,
    /// Clauses of the invariant.
    pub clauses: Option<u32>,
    /// How many of them are quantified.
    pub universal: Option<u32>,
    /// Elements of the largest state of the counterexample.
    pub elements: Option<u32>,
}

impl Document {
    /// What a process that ends so prints about a suite.
    pub fn new(suite: &str, rows: Vec<RowFigures>, exit: Exit) -> Document {
        Document {
            schema: BENCH_PDR_SCHEMA,
            tool: Tool::default(),
            exit_code: exit.code(),
            suite: suite.to_owned(),
            rows,
        }
    }

    /// Writes it for machines.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        json::write(out, self)
    }

    /// Writes it for people: the table, and below it the sums.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let rows = &self.rows;
        let width = rows.iter().map(|r| r.name.chars().count()).max().unwrap_or(0).max(7);
        write!(
            out,
            "{:width$}  {:12}  {:12}  {:>8}  {:>2}  {:>7}  {:>9}  {:>4}  {:>6}  {:>8}  {:>2}  {:>7}  {:>9}  {:>4}",
            "program",
            "variant",
            "verdict",
            "CPU s",
            "N",
            "queries",
            "inv (∀)",
            "c.e.",
            "limit",
            "paper s",
            "N",
            "calls",
            "inv (∀)",
            "c.e."
        )?;
        for other in rows.first().iter().flat_map(|r| r.solvers.iter().skip(1)) {
            write!(out, "  {:>8}  {:>7}", format!("{} s", other.solver), "ratio")?;
        }
        let certifiers: Vec<String> = rows.iter().find_map(certifiers).unwrap_or_default();
        for certifier in &certifiers {
            write!(out, "  {:>9}", format!("by {certifier}"))?;
        }
        writeln!(out)?;
        for row in rows {
            line(out, row, width)?;
        }
        sums(out, rows)
    }
}

/// The names of the solvers that certified a row.
fn certifiers(row: &RowFigures) -> Option<Vec<String>> {
    let certified = row.solvers[0].certified.as_ref()?;
    Some(certified.solvers.iter().map(|s| s.solver.clone()).collect())
}

fn line(out: &mut dyn Write, row: &RowFigures, width: usize) -> io::Result<()> {
    let own = &row.solvers[0];
    let invariant = |clauses: Option<usize>, forall: Option<usize>| match (clauses, forall) {
        (Some(n), Some(m)) => format!("{n} ({m})"),
        (Some(n), None) => n.to_string(),
        (None, _) => "-".to_owned(),
    };
    let verified = own.verdict == "verified";
    write!(
        out,
        "{:width$}  {:12}  {:12}  {:>8.3}  {:>2}  {:>7}  {:>9}  {:>4}  {:>6}",
        row.name,
        row.variant,
        own.verdict,
        own.cpu_seconds,
        own.frames,
        own.queries,
        invariant(verified.then_some(own.clauses), Some(own.universal)),
        own.elements.map_or_else(|| "-".to_owned(), |n| n.to_string()),
        own.limit.map_or_else(|| "-".to_owned(), |l| format!("{l:.1}")),
    )?;
    let paper = row.paper.as_ref();
    let number = |n: Option<u32>| n.map_or_else(|| "-".to_owned(), |n| n.to_string());
    write!(
        out,
        "  {:>8}  {:>2}  {:>7}  {:>9}  {:>4}",
        paper.and_then(|p| p.seconds).map_or_else(|| "-".to_owned(), |s| format!("{s:.1}")),
        number(paper.and_then(|p| p.frames)),
        number(paper.and_then(|p| p.calls)),
        invariant(
            paper.and_then(|p| p.clauses).map(|n| n as usize),
            paper.and_then(|p| p.universal).map(|n| n as usize)
        ),
        number(paper.and_then(|p| p.elements)),
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

fn sums(out: &mut dyn Write, rows: &[RowFigures]) -> io::Result<()> {
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
        let both: Vec<&RowFigures> = rows
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
