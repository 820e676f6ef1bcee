//! `trellis bench`: one file for each thing that can be measured.

mod corpora;
mod explore;
#[allow(dead_code, reason = "the tests of the suites read all of it")]
mod manifest;
mod pdr;
mod pdr_report;
mod sll;
mod solver;
mod solver_report;

use std::io;

use crate::cli::{self, BenchWhat};
use crate::output::{Exit, Output};

/// Measures something.
pub fn bench(cli: &cli::Bench, output: &mut Output) -> io::Result<Exit> {
    match &cli.what {
        BenchWhat::Explore(options) => explore::bench(options, output),
        BenchWhat::PdrForall(options) => pdr::bench("pdr-forall", options, output),
        BenchWhat::PdrA(options) => pdr::bench("pdr-a", options, output),
        BenchWhat::More(options) => pdr::bench("more", options, output),
        BenchWhat::Sll(options) => sll::bench(options, output),
        BenchWhat::Solver(options) => solver::bench(options, output),
    }
}
