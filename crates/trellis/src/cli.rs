//! The command line; [`mod@bench`]: its part that measures.

mod bench;

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::styling::{AnsiColor, Styles};
use clap::error::ErrorKind;
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use trellis_driver::{Instrumentation, Properties, Property, SharingDepth};
use trellis_program::types::DataModel;
use trellis_program::{Arguments, CheckKind, CheckSet};
use trellis_session::{SolverKind, StoreAddress};

use crate::engine_settings::{self, EngineSettings};
use crate::values;

pub use bench::{
    Bench, BenchBohne, BenchExamples, BenchExplore, BenchPdr, BenchProveit, BenchSll, BenchSolver,
    BenchWhat, BenchWhole,
};

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

const EXIT_CODES: &str = "\
Exit codes:
  0  every procedure is verified (run: it finished without a failed check)
  1  something is violated (run: a check failed)
  2  the command line or the input is wrong
  3  otherwise: something is unknown";

/// Finds the heaps that break C and Java programs with linked structures.
#[derive(Parser, Debug)]
#[command(name = "trellis", version, styles = STYLES, after_help = EXIT_CODES)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

impl Cli {
    /// Ends the process as a missing argument does, if there is nothing to verify: whether there is
    /// shows only when the file of the project was read.
    pub fn require_files(&self) {
        if let Command::Verify(verify) = &self.command
            && verify.files.is_empty()
            && verify.merge.is_empty()
            && verify.front_end.compile_commands.is_none()
        {
            let mut command = Cli::command();
            command.build();
            let verify = command.find_subcommand_mut("verify");
            let verify = verify.expect("`verify` is a subcommand");
            let text = "the following required arguments were not provided:\n  <FILE>...";
            verify.error(ErrorKind::MissingRequiredArgument, text).exit();
        }
    }
}

/// The arguments of the process; `-include`, which compilers have, is an option with a long name.
pub fn arguments() -> impl Iterator<Item = OsString> {
    let long = |word: OsString| if word == "-include" { "--preinclude".into() } else { word };
    std::env::args_os().map(long)
}

/// What to do.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Verify procedures of C and Java files.
    Verify(Box<Verify>),
    /// Run one procedure on a concrete heap and print every state.
    Run(Run),
    /// Show what Trellis understood of a file.
    Show(Show),
    /// Walk through a result that `verify --format json` printed.
    Explain(Explain),
    /// Check the proof of a *verified* from the source up, with other solvers.
    Certify(Certify),
    /// Prove a procedure by drawing heap patterns, in the browser.
    Oracle(Oracle),
    /// Look at, or remove, the answers that are kept from run to run.
    Cache(Cache),
    /// Serve an editor over the standard streams (Language Server Protocol).
    Lsp,
    /// Measure an engine, or the solvers.
    Bench(Bench),
    /// Write the manual pages, one a command, into a directory.
    Man {
        /// The directory, which is made if need be.
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
    /// Print a completion script for a shell.
    Completions {
        /// The shell.
        shell: Shell,
    },
}

/// `trellis explain`.
#[derive(Args, Debug)]
pub struct Explain {
    /// The JSON that `trellis verify --format json` printed.
    pub file: PathBuf,
    /// Only this procedure (repeatable).
    #[arg(long = "proc", value_name = "NAME")]
    pub procs: Vec<String>,
    /// Write one page for a browser into this file instead.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Show a state at a time, also where no terminal is: a line of standard input goes on, `p` goes
    /// back, `q` ends.
    #[arg(long)]
    pub step: bool,
    /// Print all of every state, however long it is.
    #[arg(long)]
    pub full_trace: bool,
}

/// How results are printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum Format {
    /// For people.
    #[default]
    Text,
    /// For machines; see the manual for the schema.
    Json,
}

/// How the answers of `verify` are printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum VerifyFormat {
    /// For people.
    #[default]
    Text,
    /// For machines; see the manual for the schema.
    Json,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
    /// JUnit XML, for test dashboards.
    Junit,
    /// Annotations of GitHub's workflows.
    Github,
    /// The heaps of violations, for Graphviz.
    Dot,
    /// A line of JSON an answer, as they come, for --merge.
    Answers,
    /// A witness of version 2.0 for the answer about `main`, as competitions exchange them.
    Witness,
}

/// How to read C.
#[derive(Args, Clone, Debug, Default)]
pub struct FrontEnd {
    /// Search a directory for headers.
    #[arg(short = 'I', long = "include", value_name = "DIR")]
    pub include_dirs: Vec<PathBuf>,
    /// Define a macro, as `NAME` or `NAME=VALUE`.
    #[arg(short = 'D', long = "define", value_name = "NAME[=VALUE]")]
    pub defines: Vec<String>,
    /// Include a file before every other, as `-include FILE` of compilers, which may be written,
    /// too.
    #[arg(long = "preinclude", value_name = "FILE")]
    pub preincludes: Vec<PathBuf>,
    /// Preprocess files as a build does, by its compile_commands.json (or the folder that has it).
    /// Without files, `verify` takes all that it names.
    #[arg(short = 'p', long, value_name = "FILE")]
    pub compile_commands: Option<PathBuf>,
    /// A C file with models of functions that the program calls and does not define (repeatable).
    #[arg(long = "model", value_name = "FILE")]
    pub models: Vec<PathBuf>,
    /// How wide `long` and pointers are: `lp64` (64 bits) or `ilp32` (32 bits).
    #[arg(long, value_name = "MODEL", default_value_t)]
    pub data_model: DataModel,
    /// The C compiler that preprocesses.
    #[arg(long, value_name = "COMMAND")]
    pub cc: Option<String>,
}

/// What callers are believed to pass.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct Callers {
    /// What to believe of the callers of procedures without a contract.
    #[arg(long, value_enum, value_name = "WHAT")]
    pub assume: Option<Assume>,
}

/// What can be believed of callers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Assume {
    /// Pointers that they pass are not null, structures are acyclic and disjoint.
    ValidArguments,
    /// Nothing: a null argument is a violation like any other, and `main` may get no name.
    Nothing,
}

impl Callers {
    /// As the front ends have it.
    pub fn arguments(self) -> Arguments {
        match self.assume {
            None => Arguments::Usual,
            Some(Assume::ValidArguments) => Arguments::Valid,
            Some(Assume::Nothing) => Arguments::Any,
        }
    }
}

/// What is checked, and how nondeterminism is resolved.
#[derive(Args, Clone, Debug)]
pub struct Checks {
    /// Switch a kind of check on (repeatable); the manual lists them.
    #[arg(long = "check", value_name = "KIND", value_parser = values::check_kind)]
    pub on: Vec<CheckKind>,
    /// Switch a kind of check off (repeatable); wins over --check.
    #[arg(long = "no-check", value_name = "KIND", value_parser = values::check_kind)]
    pub off: Vec<CheckKind>,
    /// The integers that inputs range over; by default chosen from the constants of the program.
    #[arg(long, value_name = "N,…", value_delimiter = ',', allow_hyphen_values = true, value_parser = values::integer)]
    pub int_values: Option<Vec<i64>>,
    /// Let malloc return NULL as well.
    #[arg(long)]
    pub malloc_may_fail: bool,
    /// Leave memory to a garbage collector: nothing is leaked.
    #[arg(long)]
    pub gc: bool,
}

impl Checks {
    /// The kinds that are on.
    pub fn set(&self) -> CheckSet {
        let mut set = CheckSet::default();
        self.on.iter().for_each(|k| set.set(*k, true));
        self.off.iter().for_each(|k| set.set(*k, false));
        if self.gc {
            set.set(CheckKind::Leak, false);
        }
        set
    }
}

/// `trellis cache`.
#[derive(Args, Debug)]
pub struct Cache {
    /// What to do.
    #[arg(value_enum, value_name = "WHAT")]
    pub what: CacheWhat,
    /// Where it is, as for `verify --cache`; by default where `verify` keeps answers.
    #[arg(value_name = "DIR")]
    pub at: Option<StoreAddress>,
}

/// What can be done with a cache.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum CacheWhat {
    /// Count the answers.
    Stats,
    /// Remove them.
    Clear,
}

/// `trellis oracle`.
#[derive(Args, Debug)]
pub struct Oracle {
    /// A C file (a preprocessed one ends in .i). Without it the levels are offered, the tutorial
    /// first.
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Play this procedure. Default: main, or the first with a contract.
    #[arg(long = "proc", value_name = "NAME", requires = "file")]
    pub proc: Option<String>,
    /// Begin with this level.
    #[arg(long, value_name = "NAME", conflicts_with = "file")]
    pub level: Option<String>,
    /// Listen on this port of the loopback interface; 0: any that is free.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub port: u16,
    /// Keep games in this folder; a game that is there is resumed. Default: trellis/games in the
    /// folder for state of the user ($XDG_STATE_HOME, or ~/.local/state).
    #[arg(long, value_name = "DIR")]
    pub save: Option<PathBuf>,
    /// Begin again; the game that was saved is put aside.
    #[arg(long)]
    pub new: bool,
    /// Only print the address, do not open a browser.
    #[arg(long)]
    pub no_open: bool,
    /// How long the verifier may look at one pattern, for example 30s or 5m.
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = values::duration)]
    pub patience: Duration,
    #[command(flatten)]
    pub checks: Checks,
    #[command(flatten)]
    pub front_end: FrontEnd,
}

/// `trellis verify`.
#[derive(Args, Debug)]
pub struct Verify {
    /// C files (preprocessed ones end in .i), which make one program, and Java files; a folder is
    /// the C files in it, `-` is standard input.
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Read options and suppressions from this file; by default from trellis.toml in this folder, if
    /// it is there.
    #[arg(long, value_name = "FILE", conflicts_with = "no_config")]
    pub config: Option<PathBuf>,
    /// Do not read trellis.toml.
    #[arg(long)]
    pub no_config: bool,
    /// Take every C file as a program of its own.
    #[arg(long)]
    pub separately: bool,
    /// Look at this property of the whole program only, as competitions name it (repeatable):
    /// unreach-call, valid-deref, valid-free, valid-memtrack, valid-memcleanup, memsafety (the
    /// first three of those), or a .prp file. The exit code is the answer.
    #[arg(
        long = "property",
        value_name = "NAME|FILE",
        value_parser = values::properties,
        conflicts_with_all = ["procs", "all_procs", "on", "off"]
    )]
    pub properties: Vec<values::PropertyNames>,
    /// Which answers make the process fail: `violated` alone, or `unknown` as well.
    #[arg(long, value_enum, value_name = "VERDICT", default_value_t)]
    pub fail_on: FailOn,
    /// Fail only on what is not in this file, which --write-baseline has written.
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Write what is violated or unknown into this file, for --baseline.
    #[arg(long, value_name = "FILE")]
    pub write_baseline: Option<PathBuf>,
    /// Print what would be verified and verify nothing: a line of JSON a program, with the keys of
    /// the answers about its procedures.
    #[arg(long, conflicts_with_all = ["merge", "watch"])]
    pub list: bool,
    /// Verify nothing: make the report of the answers in these files, which --list and --format
    /// answers have printed (repeatable).
    #[arg(long, value_name = "FILE", conflicts_with = "watch")]
    pub merge: Vec<PathBuf>,
    /// Put the pictures of states into --format answers, for pages.
    #[arg(long)]
    pub pictures: bool,
    /// Verify again whenever a file of the programs changes, until Ctrl-C.
    #[arg(long)]
    pub watch: bool,
    /// Verify this procedure (repeatable). Default: those with a contract, and main; if there are
    /// none, all.
    #[arg(long = "proc", value_name = "NAME", conflicts_with = "all_procs")]
    pub procs: Vec<String>,
    /// Verify every procedure that the file defines.
    #[arg(long)]
    pub all_procs: bool,
    /// The engine; auto asks several in turn until one has an answer.
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = values::engine_names())]
    pub engine: String,
    #[command(flatten)]
    pub callers: Callers,
    #[command(flatten)]
    pub checks: Checks,
    /// Most objects in an initial heap.
    #[arg(long, value_name = "N", default_value_t = 4, allow_negative_numbers = true)]
    pub objects: usize,
    /// Most steps of one execution.
    #[arg(long, value_name = "N", default_value_t = 1000, allow_negative_numbers = true)]
    pub steps: usize,
    /// Most nondeterministic choices of one execution.
    #[arg(long, value_name = "N", default_value_t = 10, allow_negative_numbers = true)]
    pub choices: usize,
    #[command(flatten)]
    pub engines: EngineSettings,
    #[command(flatten)]
    pub solving: Solving,
    /// Write a certificate of every *verified*: to this file (further ones get a number) if it ends
    /// in .json, else into this directory (pdr-forall, pdr-predicates, sll).
    #[arg(long, value_name = "FILE|DIR")]
    pub certificate: Option<PathBuf>,
    /// Write the verification conditions of Java procedures into a directory, for provers (smt2,
    /// tptp, mona) or for people (coq, isabelle).
    #[arg(long, value_names = ["FORMAT", "DIR"], num_args = 2)]
    pub export: Option<Vec<String>>,
    /// Time for each procedure, such as 500ms, 30s, 2m; a plain number is seconds.
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = values::duration)]
    pub timeout: Duration,
    /// Memory for each procedure, such as 512M or 2G; a plain number is bytes.
    #[arg(long, value_name = "SIZE", default_value = "4G", value_parser = values::size)]
    pub memory: u64,
    /// Threads; by default one a core.
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZeroUsize>,
    /// Neither take answers of earlier runs nor keep those of this one.
    #[arg(long)]
    pub no_cache: bool,
    /// Believe nothing of what earlier runs have kept but proofs, and these when they have been
    /// certified again; for a cache into which others can write.
    #[arg(long, conflicts_with = "no_cache")]
    pub recheck_cache: bool,
    /// Output format.
    #[arg(long, value_enum, default_value_t)]
    pub format: VerifyFormat,
    /// Draw every state of a violation as an SVG file in this directory.
    #[arg(long, value_name = "DIR")]
    pub svg: Option<PathBuf>,
    /// Write one page for a browser into this file: the source beside the heap, state by state, and
    /// what holds at loops. It needs nothing else, and no network.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Write the report as SARIF into this file, besides what is printed.
    #[arg(long, value_name = "FILE")]
    pub sarif: Option<PathBuf>,
    /// Write a C program for every violation into this directory that builds its heap, calls the
    /// procedure and fails at the same line under gcc's sanitizers.
    #[arg(long, value_name = "DIR")]
    pub emit_harness: Option<PathBuf>,
    /// Write the invariants of verified procedures into their files as `loop invariant`, so that the
    /// next run only checks them; with DIR, into copies there.
    #[arg(long, value_name = "DIR", num_args = 0..=1, require_equals = true)]
    pub annotate: Option<Option<PathBuf>>,
    /// Print all states of a violation, however long it is.
    #[arg(long)]
    pub full_trace: bool,
    /// Print what each answer cost.
    #[arg(long)]
    pub stats: bool,
    #[command(flatten)]
    pub front_end: FrontEnd,
}

/// Which answers make a process fail.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum FailOn {
    /// Only a violation: what is unknown ends with 0.
    Violated,
    /// A violation (1), and whatever is not verified (3).
    #[default]
    Unknown,
}

impl Verify {
    /// The properties that the user asks for, if any.
    pub fn properties(&self) -> Option<Properties> {
        let all: Vec<Property> = self.properties.iter().flat_map(|p| p.0.clone()).collect();
        (!all.is_empty()).then(|| Properties::new(all))
    }
}

/// What the engines that ask solvers ask.
#[derive(Args, Clone, Debug)]
pub struct Solving {
    /// The solver (pdr-forall).
    #[arg(long, value_name = "NAME", value_parser = values::solver(), default_value_t)]
    pub solver: SolverKind,
    /// Where the executable of a solver is.
    #[arg(long = "solver-path", value_name = "NAME=PATH", value_parser = values::solver_path)]
    pub paths: Vec<(SolverKind, PathBuf)>,
    /// The seed of the solver's random choices.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u32,
    /// Write what z3 and cvc5 are told into this directory.
    #[arg(long, value_name = "DIR")]
    pub dump_smt: Option<PathBuf>,
    /// Record the questions to solvers; those of further solvers get a number.
    #[arg(long, value_name = "FILE")]
    pub record_queries: Option<PathBuf>,
}

/// The instructions that `trellis run` executes at most, unless told otherwise.
pub const RUN_STEPS: usize = 200_000;

/// `trellis run`.
#[derive(Args, Debug)]
pub struct Run {
    /// The C files of a program, or a Java file.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The procedure; default: main.
    #[arg(long = "proc", value_name = "NAME", default_value = "main")]
    pub proc: String,
    #[command(flatten)]
    pub start: Start,
    /// How nondeterminism is resolved, in order; after the list is used up, 0.
    #[arg(long, value_name = "N,…", value_delimiter = ',')]
    pub choices: Vec<u32>,
    /// Resolve nondeterminism at random from this seed.
    #[arg(long, value_name = "SEED", conflicts_with = "choices")]
    pub seed: Option<u64>,
    #[command(flatten)]
    pub checks: Checks,
    /// Most objects in a random or enumerated heap.
    #[arg(long, value_name = "N", default_value_t = 4, allow_negative_numbers = true)]
    pub objects: usize,
    /// Most instructions.
    #[arg(long, value_name = "N", default_value_t = RUN_STEPS, allow_negative_numbers = true)]
    pub steps: usize,
    /// Output format.
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
    /// Draw every state as an SVG file in this directory.
    #[arg(long, value_name = "DIR")]
    pub svg: Option<PathBuf>,
    #[command(flatten)]
    pub front_end: FrontEnd,
}

/// Where a run starts; without any of these, every argument and global is null or 0.
#[derive(Args, Clone, Debug, Default)]
#[group(multiple = false)]
pub struct Start {
    /// The initial heap in heap notation.
    #[arg(long, value_name = "TEXT")]
    pub heap: Option<String>,
    /// A file with the initial heap in heap notation.
    #[arg(long, value_name = "FILE")]
    pub heap_file: Option<PathBuf>,
    /// A random heap that satisfies the precondition, from this seed.
    #[arg(long, value_name = "SEED")]
    pub random: Option<u64>,
    /// The heap of this number among those that satisfy the precondition, counted from 0.
    #[arg(long, value_name = "N")]
    pub enumerate: Option<u64>,
}

/// `trellis show`.
#[derive(Args, Debug)]
pub struct Show {
    /// The C files of a program, or a Java file.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// What to show.
    #[arg(value_enum)]
    pub what: What,
    /// Only this procedure (repeatable).
    #[arg(long = "proc", value_name = "NAME")]
    pub procs: Vec<String>,
    /// Output format; dot is for cfg, json for checks.
    #[arg(long, value_enum, default_value_t)]
    pub format: ShowFormat,
    #[command(flatten)]
    pub states: States,
    #[command(flatten)]
    pub front_end: FrontEnd,
}

/// How the abstract heaps of `trellis show FILE states` are shown.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Options for states")]
pub struct States {
    /// Whose heaps.
    #[arg(long, value_enum, default_value_t)]
    pub engine: StatesEngine,
    /// The form of the heaps (sll).
    #[arg(long, value_enum, default_value_t)]
    pub view: StatesView,
    /// The instrumentation predicates (canonical).
    #[arg(long, default_value_t, value_parser = engine_settings::word::<Instrumentation>())]
    pub instrumentation: Instrumentation,
    /// Predicates of the program to be used besides (canonical).
    #[arg(long, value_name = "NAME,…")]
    pub predicates: Option<trellis_driver::Predicates>,
    /// Draw every heap as an SVG file in this directory.
    #[arg(long, value_name = "DIR")]
    pub svg: Option<PathBuf>,
    /// Tell shared list nodes apart only up to this distance from a variable; by default all.
    #[arg(long, value_name = "K")]
    pub sharing: Option<SharingDepth>,
    /// Leave memory to a garbage collector: nothing is leaked.
    #[arg(long)]
    pub gc: bool,
}

/// The engines that have abstract heaps to show.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum StatesEngine {
    /// Interruptions and uninterrupted segments.
    #[default]
    Sll,
    /// Three-valued structures.
    Canonical,
}

/// How an abstract heap is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum StatesView {
    /// One line a shape, with sets of lengths.
    #[default]
    Shape,
    /// The predicate form: the true predicates.
    Predicates,
    /// The canonical form: a three-valued structure.
    Canonical,
    /// The canonical form with a linear number of predicates.
    Linear,
}

/// What can be shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum What {
    /// The heap program.
    Program,
    /// Control-flow graphs.
    Cfg,
    /// Every check, with its id and place.
    Checks,
    /// The logical vocabulary: sorts, fields, variables, predicates.
    Vocabulary,
    /// The abstract heaps of the sll or the canonical engine at every point.
    States,
}

/// How things are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum ShowFormat {
    /// For people.
    #[default]
    Text,
    /// For Graphviz.
    Dot,
    /// For machines.
    Json,
}

/// `trellis certify`.
#[derive(Args, Clone, Debug)]
pub struct Certify {
    /// A certificate.
    pub file: PathBuf,
    /// The solvers; each must show every condition.
    #[arg(long = "solver", value_name = "NAME,…", value_parser = values::solver(),
          value_delimiter = ',', default_values = ["z3", "cvc5"])]
    pub solvers: Vec<SolverKind>,
    /// Where the executable of a solver is.
    #[arg(long = "solver-path", value_name = "NAME=PATH", value_parser = values::solver_path)]
    pub paths: Vec<(SolverKind, PathBuf)>,
    /// The C file, if it is not where the certificate says; of a program of several files, all of
    /// them in order (repeatable).
    #[arg(long = "source", value_name = "FILE")]
    pub sources: Vec<PathBuf>,
    /// Go on if the C file, or what the preprocessor makes of it, is not what was certified.
    #[arg(long)]
    pub ignore_hash: bool,
    /// Refuse a certificate that is not about these checks: kinds, `memsafety` or `default`.
    #[arg(long, value_name = "KIND,…", value_delimiter = ',', value_parser = values::required)]
    pub require: Vec<values::Kinds>,
    #[command(flatten)]
    pub callers: Callers,
    #[command(flatten)]
    pub front_end: FrontEnd,
    /// Time for everything, such as 500ms, 30s, 2m; a plain number is seconds.
    #[arg(long, value_name = "TIME", value_parser = values::duration)]
    pub timeout: Option<Duration>,
    /// Memory for everything, such as 512M or 2G; a plain number is bytes.
    #[arg(long, value_name = "SIZE", value_parser = values::size)]
    pub memory: Option<u64>,
    /// Most time for one question, such as 500ms, 30s, 2m; a plain number is seconds.
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = values::duration)]
    pub time_per_query: Duration,
    /// Most heap objects of the states from which the machine is run.
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub objects: usize,
    /// Write what z3 and cvc5 are told into this directory.
    #[arg(long, value_name = "DIR")]
    pub dump_smt: Option<PathBuf>,
    /// Let epr prove every unsat answer with files in this directory, and check them; needs
    /// --solver epr.
    #[arg(long, value_name = "DIR")]
    pub solver_proofs: Option<PathBuf>,
    /// Output format.
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}
