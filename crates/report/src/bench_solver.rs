//! What `trellis bench solver` prints: a table for people, JSON for machines, from the same figures.

use std::io::{self, Write};
use std::time::Duration;

use serde::Serialize;
use trellis_solver::Answer;
use trellis_solver::replay::{Query, Report};

use crate::Exit;
use crate::json;
use crate::model::Tool;

/// At most so many disagreements and defects are told in the text.
const TOLD: usize = 10;

/// How much to print.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Detail {
    /// The figures of every corpus.
    Summary,
    /// Also those of every question.
    Each,
}

/// A corpus, and what replaying it found.
#[derive(Debug)]
pub struct Measured {
    /// The name of the corpus.
    pub name: String,
    /// What was found.
    pub report: Report,
}

/// The document.
#[derive(Debug, Serialize)]
struct Document<'a> {
    schema: &'static str,
    tool: Tool,
    exit_code: u8,
    corpora: Vec<CorpusFigures<'a>>,
}

/// The figures of a corpus.
#[derive(Debug, Serialize)]
struct CorpusFigures<'a> {
    name: &'a str,
    queries: usize,
    solvers: Vec<SolverFigures<'a>>,
    /// The numbers of the questions to which some answers cannot all be right.
    disagreements: Vec<usize>,
    defects: Vec<DefectFigures<'a>>,
    /// Every question, if that was asked for: by solver, the milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    each: Option<Vec<Vec<f64>>>,
}

/// The figures of one solver. Times are in milliseconds.
#[derive(Debug, Serialize)]
struct SolverFigures<'a> {
    name: &'a str,
    sat: usize,
    unsat: usize,
    unknown: usize,
    /// Why the first of those is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    median_ms: f64,
    sum_ms: f64,
    max_ms: f64,
    /// How many times longer it took than the first solver, by question.
    #[serde(skip_serializing_if = "Option::is_none")]
    ratio: Option<Ratio>,
}

#[derive(Debug, Serialize)]
struct Ratio {
    median: f64,
    min: f64,
    /// The share of the questions where it is below thirty, between 0 and 1.
    below_30: f64,
}

#[derive(Debug, Serialize)]
struct DefectFigures<'a> {
    query: usize,
    solver: &'a str,
    what: &'a str,
}

impl Measured {
    fn figures(&self, detail: Detail) -> CorpusFigures<'_> {
        let report = &self.report;
        let defects = report.defects.iter().map(|d| DefectFigures {
            query: d.query,
            solver: &report.solvers[d.solver],
            what: &d.what,
        });
        let times = |q: &Query| -> Vec<f64> { q.results.iter().map(|r| millis(r.time)).collect() };
        CorpusFigures {
            name: &self.name,
            queries: report.queries.len(),
            solvers: (0..report.solvers.len()).map(|s| self.solver(s)).collect(),
            disagreements: report.disagreements(),
            defects: defects.collect(),
            each: (detail == Detail::Each).then(|| report.queries.iter().map(times).collect()),
        }
    }

    fn solver(&self, solver: usize) -> SolverFigures<'_> {
        let report = &self.report;
        let reason = report.queries.iter().find_map(|q| match &q.results[solver].answer {
            Answer::Unknown(why) => Some(why.to_string()),
            Answer::Sat | Answer::Unsat => None,
        });
        let ratios = if solver == 0 { Vec::new() } else { report.ratios(solver, 0) };
        let below = ratios.partition_point(|&r| r < 30.0);
        let ratio = ratios.first().map(|&min| Ratio {
            median: ratios[ratios.len() / 2],
            min,
            below_30: below as f64 / ratios.len() as f64,
        });
        SolverFigures {
            name: &report.solvers[solver],
            sat: report.count(solver, &Answer::Sat),
            unsat: report.count(solver, &Answer::Unsat),
            unknown: report.unknown(solver),
            reason,
            median_ms: millis(report.median(solver)),
            sum_ms: millis(report.sum(solver)),
            max_ms: millis(report.maximum(solver)),
            ratio,
        }
    }
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// Name and version of the layout of the document.
pub const BENCH_SOLVER_SCHEMA: &str = "trellis-bench-solver/1";

/// Writes the document for machines.
///
/// # Errors
/// Those of the writer.
pub fn write_json(
    out: &mut dyn Write,
    measured: &[Measured],
    detail: Detail,
    exit: Exit,
) -> io::Result<()> {
    let document = Document {
        schema: BENCH_SOLVER_SCHEMA,
        tool: Tool::default(),
        exit_code: exit.code(),
        corpora: measured.iter().map(|m| m.figures(detail)).collect(),
    };
    json::write(out, &document)
}

/// Writes the table, and below it what is wrong. There is at least one corpus.
///
/// # Errors
/// Those of the writer.
pub fn write_text(out: &mut dyn Write, measured: &[Measured], detail: Detail) -> io::Result<()> {
    let corpora: Vec<CorpusFigures<'_>> = measured.iter().map(|m| m.figures(detail)).collect();
    let width = corpora.iter().map(|c| c.name.chars().count()).max().unwrap_or(0).max(6);
    let first = corpora[0].solvers[0].name;
    writeln!(
        out,
        "{:width$}  solver  queries    sat  unsat  unknown    median       sum   longest  \
         {:>14}  {:>9}",
        "corpus",
        format!("times {first}"),
        "at least",
    )?;
    for corpus in &corpora {
        for (i, solver) in corpus.solvers.iter().enumerate() {
            let name = if i == 0 { corpus.name } else { "" };
            write!(
                out,
                "{name:width$}  {:6}  {:>7}  {:>5}  {:>5}  {:>7}  {:>8}  {:>8}  {:>8}",
                solver.name,
                corpus.queries,
                solver.sat,
                solver.unsat,
                solver.unknown,
                time(solver.median_ms),
                time(solver.sum_ms),
                time(solver.max_ms),
            )?;
            if let Some(ratio) = &solver.ratio {
                write!(out, "  {:>14}  {:>9}", times(ratio.median), times(ratio.min))?;
            }
            writeln!(out)?;
        }
    }
    // The last one is the sum of the others, if there are others.
    let total = &corpora[corpora.len() - 1];
    let single = if corpora.len() > 1 { &corpora[..corpora.len() - 1] } else { &corpora[..] };
    for corpus in single {
        for (query, times) in corpus.each.iter().flatten().enumerate() {
            let times: Vec<String> = times.iter().map(|&ms| time(ms)).collect();
            writeln!(out, "{:width$}  question {query:>5}  {}", corpus.name, times.join("  "))?;
        }
    }
    for solver in &total.solvers {
        if let Some(reason) = &solver.reason {
            writeln!(
                out,
                "{}: {} without an answer, first: {reason}",
                solver.name, solver.unknown
            )?;
        }
    }
    let (disagreements, defects) = (total.disagreements.len(), total.defects.len());
    writeln!(out, "disagreements: {disagreements}, wrong models or cores: {defects}")?;
    for corpus in single {
        for query in corpus.disagreements.iter().take(TOLD) {
            writeln!(out, "  {}: disagreement on question {query}", corpus.name)?;
        }
        for defect in corpus.defects.iter().take(TOLD) {
            let DefectFigures { query, solver, what } = defect;
            writeln!(out, "  {}: {solver}, question {query}: {what}", corpus.name)?;
        }
    }
    Ok(())
}

/// A time with three digits.
fn time(ms: f64) -> String {
    match ms {
        ms if ms < 0.9995 => format!("{:.0} µs", ms * 1e3),
        ms if ms < 9.995 => format!("{ms:.2} ms"),
        ms if ms < 99.95 => format!("{ms:.1} ms"),
        ms if ms < 999.5 => format!("{ms:.0} ms"),
        ms => format!("{:.2} s", ms / 1e3),
    }
}

/// A ratio with two digits at least.
fn times(ratio: f64) -> String {
    if ratio < 10.0 { format!("{ratio:.1}×") } else { format!("{ratio:.0}×") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        let texts = [0.0042, 0.42, 4.2, 42.0, 420.0, 4200.0].map(time);
        assert_eq!(texts, ["4 µs", "420 µs", "4.20 ms", "42.0 ms", "420 ms", "4.20 s"]);
        assert_eq!([times(3.21), times(123.4)], ["3.2×", "123×"]);
    }
}
