//! Replays corpora on the embedded solver alone, for profilers:
//! `cargo run --release -p trellis-epr --example replay benchmarks/queries/*.queries`.

use std::io::Write;

use trellis_epr::{EprSolver, Options};
use trellis_solver::Answer;
use trellis_solver::record::Corpus;
use trellis_solver::replay::{Options as ReplayOptions, Report, replay};

/// How often each corpus is replayed; the shortest time of each question counts.
const RUNS: usize = 10;

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout();
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path)?;
        let corpus = Corpus::read(&text).map_err(std::io::Error::other)?;
        let mut best: Option<Report> = None;
        for _ in 0..RUNS {
            let mut solver = EprSolver::new(Options { check_models: false, ..Options::default() });
            let report = replay(&corpus, &mut [&mut solver], &ReplayOptions::default());
            match &mut best {
                Some(best) => best.keep_best(report),
                None => best = Some(report),
            }
        }
        let report = best.expect("it was replayed");
        writeln!(
            out,
            "{path:50} {:5} sat {:5} unsat  median {:9.1?}  sum {:9.1?}  longest {:9.1?}  {} wrong",
            report.count(0, &Answer::Sat),
            report.count(0, &Answer::Unsat),
            report.median(0),
            report.sum(0),
            report.maximum(0),
            report.disagreements().len(),
        )?;
    }
    Ok(())
}
