//! Records conversations about list programs: `cargo run --release -p trellis-epr --example record DIR`.
//!
//! A small property-directed search (paper 003 in its plainest form) runs on list programs given as
//! text, with the embedded solver behind a recorder. It exists for the corpora of
//! `benchmarks/queries`: its questions have the form that matters for engines, with frames behind
//! guards, diagrams as assumptions, minimised cores and models. It proves nothing to anybody.

mod programs;
mod search;
mod text;

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use trellis_epr::{EprSolver, Options};
use trellis_solver::record::Recorder;

/// A corpus ends after so many questions, or when the search does.
const QUESTIONS: usize = 300;

fn main() -> std::io::Result<()> {
    let directory = PathBuf::from(std::env::args_os().nth(1).expect("a directory"));
    std::fs::create_dir_all(&directory)?;
    let mut out = std::io::stdout();
    for source in programs::ALL {
        let file = File::create(directory.join(source.name).with_extension("queries"))?;
        let solver = EprSolver::new(Options { check_models: false, ..Options::default() });
        let recorder = Recorder::new(solver, BufWriter::new(file));
        let (outcome, questions, recorder) =
            search::Search::new(text::program(source), recorder).run(QUESTIONS);
        recorder.finish()?;
        writeln!(out, "{:16} {outcome:24} {questions} questions", source.name)?;
    }
    Ok(())
}
