//! The options of `trellis bench`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};
use trellis_driver::SharingDepth;
use trellis_session::SolverKind;

use super::Format;
use crate::values;

/// `trellis bench`.
#[derive(Args, Debug)]
pub struct Bench {
    /// What to measure.
    #[command(subcommand)]
    pub what: BenchWhat,
}

/// What can be measured.
#[derive(Subcommand, Debug)]
pub enum BenchWhat {
    /// States a second and bytes a state of the explore engine on list reversal.
    Explore(BenchExplore),
    /// The rows of *Universal Invariants or Their Absence*, with the paper's figures.
    PdrForall(BenchPdr),
    /// The rows of *Property-Directed Shape Analysis*, with the paper's figures.
    PdrA(BenchPdr),
    /// Programs that no paper has.
    More(BenchPdr),
    /// Programs on binary trees.
    Trees(BenchPdr),
    /// Whole programs on linked structures, as competitions and kernels have them, by the default
    /// run.
    C(BenchWhole),
    /// Whole programs as people write them, by the default run.
    Everyday(BenchWhole),
    /// How many of the procedures that the examples call correct the default run verifies.
    Examples(BenchExamples),
    /// Put recorded questions to solvers and compare their answers and times.
    Solver(BenchSolver),
    /// The sll and the canonical engine on the programs of *Predicate and Canonical Abstraction*.
    Sll(BenchSll),
    /// Heap patterns on the programs of *Heap Interpolant Synthesis* and more about data.
    Proveit(BenchProveit),
    /// Symbolic shape analysis on the programs of *Symbolic Shape Analysis* (Figure 9).
    Bohne(BenchBohne),
    /// The effect of contexts on symbolic shape analysis (*Symbolic Shape Analysis*, Figure 10).
    BohneAblation(BenchBohne),
}

/// `trellis bench explore`.
#[derive(Args, Debug)]
pub struct BenchExplore {
    /// Nodes of the longest list.
    #[arg(long, value_name = "N", default_value_t = 7, allow_negative_numbers = true)]
    pub nodes: usize,
    /// Threads; by default one a core.
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZeroUsize>,
    /// Memory, such as 512M or 2G.
    #[arg(long, value_name = "SIZE", value_parser = values::size)]
    pub memory: Option<u64>,
}

/// `trellis bench sll`.
#[derive(Args, Debug)]
pub struct BenchSll {
    /// Where the programs and their manifest are.
    #[arg(long, value_name = "DIR", default_value = "benchmarks/sll")]
    pub folder: PathBuf,
    /// Only the rows of this name (repeatable).
    #[arg(long = "row", value_name = "NAME")]
    pub rows: Vec<String>,
    /// Tell shared list nodes apart only up to this distance from a variable; by default all.
    #[arg(long, value_name = "K")]
    pub sharing: Option<SharingDepth>,
}

/// `trellis bench proveit`.
#[derive(Args, Debug)]
pub struct BenchProveit {
    /// Where the programs and their manifest are.
    #[arg(long, value_name = "DIR", default_value = "benchmarks/proveit")]
    pub folder: PathBuf,
    /// Only the rows of this name (repeatable).
    #[arg(long = "row", value_name = "NAME")]
    pub rows: Vec<String>,
    /// Output format.
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// `trellis bench c` and `trellis bench everyday`.
#[derive(Args, Debug)]
pub struct BenchWhole {
    /// Where the programs and their manifest are; by default under `benchmarks`.
    #[arg(long, value_name = "DIR")]
    pub folder: Option<PathBuf>,
    /// Only the rows of this name (repeatable).
    #[arg(long = "row", value_name = "NAME")]
    pub rows: Vec<String>,
    /// Time for each program, such as 500ms, 30s, 2m; a plain number is seconds.
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = values::duration)]
    pub timeout: Duration,
}

/// `trellis bench examples`.
#[derive(Args, Debug)]
pub struct BenchExamples {
    /// Where the examples are.
    #[arg(long, value_name = "DIR", default_value = "examples")]
    pub folder: PathBuf,
    /// Time for each procedure, such as 500ms, 30s, 2m; a plain number is seconds.
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = values::duration)]
    pub timeout: Duration,
}

/// `trellis bench bohne` and `trellis bench bohne-ablation`.
#[derive(Args, Debug)]
pub struct BenchBohne {
    /// Where the programs and their manifest are.
    #[arg(long, value_name = "DIR", default_value = "benchmarks/bohne")]
    pub folder: PathBuf,
    /// Only the rows of this name (repeatable).
    #[arg(long = "row", value_name = "NAME")]
    pub rows: Vec<String>,
}

/// `trellis bench pdr-forall` and its like.
#[derive(Args, Debug)]
pub struct BenchPdr {
    /// Only the rows of this name (repeatable).
    #[arg(long = "row", value_name = "NAME")]
    pub rows: Vec<String>,
    /// Only the rows of this variant: safety, full, additional, bug or no-invariant (repeatable).
    #[arg(long = "variant", value_name = "NAME")]
    pub variants: Vec<String>,
    /// Another engine than the one that the suite is for.
    #[arg(long, value_name = "NAME", value_parser = values::engine_names())]
    pub engine: Option<String>,
    /// Measure the same with this solver too (repeatable).
    #[arg(long = "solver", value_name = "NAME", value_parser = values::solver())]
    pub solvers: Vec<SolverKind>,
    /// Where the executable of a solver is.
    #[arg(long = "solver-path", value_name = "NAME=PATH", value_parser = values::solver_path)]
    pub paths: Vec<(SolverKind, PathBuf)>,
    /// How to search, if not as usual: any-states, from-outside, newest-first.
    #[arg(long, value_name = "NAME,…")]
    pub strategy: Option<trellis_driver::Strategy>,
    /// Certify every *verified* with these solvers.
    #[arg(long, value_name = "NAME,…", value_parser = values::solver(), value_delimiter = ',')]
    pub certify: Vec<SolverKind>,
    /// Run every row with so many seeds and take the median.
    #[arg(long, value_name = "N", default_value = "1")]
    pub seeds: NonZeroUsize,
    /// Most time for one run, such as 500ms, 30s, 2m; a plain number is seconds.
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = values::duration)]
    pub timeout: Duration,
    /// The folder of the suite; by default the one of that name under benchmarks.
    #[arg(long, value_name = "DIR")]
    pub folder: Option<PathBuf>,
    /// Output format.
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// `trellis bench solver`.
#[derive(Args, Debug)]
pub struct BenchSolver {
    /// Recorded questions; by default the corpora that come with Trellis.
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The solvers; each is compared with the first.
    #[arg(long = "solver", value_name = "NAME,…", value_parser = values::solver(),
          value_delimiter = ',', default_values = ["epr", "z3"])]
    pub solvers: Vec<SolverKind>,
    /// Where the executable of a solver is.
    #[arg(long = "solver-path", value_name = "NAME=PATH", value_parser = values::solver_path)]
    pub paths: Vec<(SolverKind, PathBuf)>,
    /// Most time for one question, such as 500ms, 30s, 2m; a plain number is seconds.
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = values::duration)]
    pub time_per_query: Duration,
    /// Replay so often and take the shortest time of each question.
    #[arg(long, value_name = "N", default_value = "1")]
    pub runs: NonZeroUsize,
    /// Evaluate every model, and ask again with every core alone.
    #[arg(long)]
    pub check: bool,
    /// Print the times of every question too.
    #[arg(long)]
    pub each: bool,
    /// The seed of the solvers' random choices.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u32,
    /// Write what z3 and cvc5 are told into this directory.
    #[arg(long, value_name = "DIR")]
    pub dump_smt: Option<PathBuf>,
    /// Record the questions again, with the answers of the first solver; further corpora get a
    /// number.
    #[arg(long, value_name = "FILE")]
    pub record_queries: Option<PathBuf>,
    /// Output format.
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}
