//! `trellis bench`.

use std::io::{self, Write};

use crate::cli::{self, BenchEngine};
use crate::output::{Exit, Output};

/// Measures an engine.
pub fn bench(cli: &cli::Bench, output: &mut Output) -> io::Result<Exit> {
    let BenchEngine::Explore { nodes, threads, memory } = &cli.engine;
    let _ = (nodes, threads, memory);
    writeln!(output.out())?;
    Ok(Exit::Good)
}
