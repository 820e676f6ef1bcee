//! `trellis bench solver`: the same recorded questions to several solvers.

use std::io;

use trellis_report::Exit;
use trellis_report::bench_solver::{Detail, Measured, write_json, write_text};
use trellis_session::solvers::path_of;
use trellis_session::{Factory, SolverChoice, SolverKind};
use trellis_solver::Solver;
use trellis_solver::record::Corpus;
use trellis_solver::replay::{Options, Report, replay};

use super::corpora::SHIPPED;
use crate::cli::{BenchSolver, Format};
use crate::output::Output;

/// Replays corpora and compares.
pub fn bench(options: &BenchSolver, output: &mut Output) -> io::Result<Exit> {
    let mut exit = Exit::Good;
    let mut measured = Vec::new();
    let factories = factories(options);
    for (name, text) in texts(options) {
        let corpus = text.and_then(|text| Corpus::read(&text).map_err(|e| e.to_string()));
        match corpus {
            Ok(corpus) => {
                measured.push(Measured { name, report: run(options, &factories, &corpus) })
            }
            Err(why) => {
                output.complain(&format!("{name}: {why}"));
                exit = Exit::BadInput;
            }
        }
    }
    for problem in factories.iter().filter_map(Factory::problem) {
        output.complain(&problem);
        exit = Exit::BadInput;
    }
    let Some(first) = measured.first() else {
        return Ok(exit);
    };
    let mut total = Report { solvers: first.report.solvers.clone(), ..Report::default() };
    measured.iter().for_each(|m| total.append(m.report.clone()));
    let wrong = !total.disagreements().is_empty() || !total.defects.is_empty();
    let open = (0..total.solvers.len()).any(|s| total.unknown(s) > 0);
    let exit = exit.and(match (wrong, open) {
        (true, _) => Exit::Bad,
        (false, true) => Exit::Otherwise,
        (false, false) => Exit::Good,
    });
    if measured.len() > 1 {
        measured.push(Measured { name: "all".into(), report: total });
    }
    let detail = if options.each { Detail::Each } else { Detail::Summary };
    match options.format {
        Format::Text => write_text(output.out(), &measured, detail)?,
        Format::Json => write_json(output.out(), &measured, detail, exit)?,
    }
    Ok(exit)
}

/// The corpora by name: the given files, or the shipped ones.
fn texts(options: &BenchSolver) -> Vec<(String, Result<String, String>)> {
    if options.files.is_empty() {
        let shipped = SHIPPED.iter();
        return shipped.map(|(name, text)| ((*name).into(), Ok((*text).into()))).collect();
    }
    let read = |path| std::fs::read_to_string(path).map_err(|e| e.to_string());
    options.files.iter().map(|path| (path.display().to_string(), read(path))).collect()
}

/// The shortest times of some replays, each with new solvers.
fn run(options: &BenchSolver, factories: &[Factory], corpus: &Corpus) -> Report {
    let settings = Options {
        time_per_query: Some(options.time_per_query),
        check_models: options.check,
        check_cores: options.check,
    };
    let once = || {
        let mut solvers: Vec<Box<dyn Solver>> = factories.iter().map(Factory::make).collect();
        let mut solvers: Vec<&mut dyn Solver> =
            solvers.iter_mut().map(|s| &mut **s as &mut dyn Solver).collect();
        replay(corpus, &mut solvers, &settings)
    };
    let mut report = once();
    (1..options.runs.get()).for_each(|_| report.keep_best(once()));
    report
}

fn factories(options: &BenchSolver) -> Vec<Factory> {
    let choice = |(i, &kind): (usize, &SolverKind)| SolverChoice {
        kind,
        path: path_of(kind, &options.paths),
        dump_smt: options.dump_smt.clone(),
        record: options.record_queries.clone().filter(|_| i == 0),
        seed: options.seed,
        ..SolverChoice::default()
    };
    options.solvers.iter().enumerate().map(choice).map(SolverChoice::factory).collect()
}
