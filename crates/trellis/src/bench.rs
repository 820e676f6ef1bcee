//! `trellis bench`: one file for each thing that can be measured.

mod bohne;
mod corpora;
mod examples;
mod explore;
mod pdr;
mod proveit;
mod sll;
mod solver;
mod whole;

use std::io;

use trellis_report::Exit;

use crate::cli::{self, BenchWhat};
use crate::output::Output;

/// Measures something.
pub fn bench(cli: &cli::Bench, output: &mut Output) -> io::Result<Exit> {
    match &cli.what {
        BenchWhat::Bohne(options) => bohne::bench(options, output),
        BenchWhat::BohneAblation(options) => bohne::ablation(options, output),
        BenchWhat::C(options) => whole::bench("c", options, output),
        BenchWhat::Everyday(options) => whole::bench("everyday", options, output),
        BenchWhat::Examples(options) => examples::bench(options, output),
        BenchWhat::Explore(options) => explore::bench(options, output),
        BenchWhat::PdrForall(options) => pdr::bench("pdr-forall", options, output),
        BenchWhat::PdrA(options) => pdr::bench("pdr-a", options, output),
        BenchWhat::Trees(options) => pdr::bench("trees", options, output),
        BenchWhat::More(options) => pdr::bench("more", options, output),
        BenchWhat::Proveit(options) => proveit::bench(options, output),
        BenchWhat::Sll(options) => sll::bench(options, output),
        BenchWhat::Solver(options) => solver::bench(options, output),
    }
}
