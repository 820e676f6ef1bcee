//! How z3 and cvc5 differ: executables, packages, options.
//!
//! z3 decides EPR by model-based quantifier instantiation, which is its default. cvc5 needs finite
//! model finding to answer *sat* to a quantified query; with it, it decides EPR too.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// Which solver.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Dialect {
    /// Z3 of Microsoft Research.
    Z3,
    /// cvc5 of Stanford and Iowa.
    Cvc5,
}

impl Dialect {
    /// All of them, the preferred one first.
    pub const ALL: [Dialect; 2] = [Dialect::Z3, Dialect::Cvc5];

    /// The solver's name, which is also that of its executable.
    pub fn name(self) -> &'static str {
        match self {
            Dialect::Z3 => "z3",
            Dialect::Cvc5 => "cvc5",
        }
    }

    /// The Debian package that has it.
    pub fn package(self) -> &'static str {
        self.name()
    }

    fn arguments(self, seed: u32) -> Vec<String> {
        match self {
            Dialect::Z3 => {
                vec!["-in".into(), "-smt2".into(), "-nw".into(), format!("smt.random_seed={seed}")]
            }
            Dialect::Cvc5 => vec![
                "--quiet".into(),
                "--lang=smt2".into(),
                "--incremental".into(),
                "--finite-model-find".into(),
                format!("--seed={seed}"),
            ],
        }
    }
}

/// How to run a solver.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Which solver.
    pub dialect: Dialect,
    /// The executable; `None` looks for the dialect's name on `PATH`.
    pub program: Option<PathBuf>,
    /// Where to write a transcript of each process (`--dump-smt`).
    pub transcripts: Option<PathBuf>,
    /// The seed of the solver's random choices.
    pub seed: u32,
    /// How many bytes a process may use.
    pub memory: Option<u64>,
    /// How long to wait for an answer to a question without a deadline. A process that is silent for
    /// longer counts as hung.
    pub patience: Duration,
    /// How many assumptions a process may have been told that are not assumed any more, before a new
    /// one takes its place.
    pub stale_assumptions: usize,
}

impl Settings {
    /// The solver on `PATH`, without transcripts.
    pub fn new(dialect: Dialect) -> Settings {
        Settings {
            dialect,
            program: None,
            transcripts: None,
            seed: 0,
            memory: Some(4 << 30),
            patience: Duration::from_secs(600),
            stale_assumptions: 5_000,
        }
    }

    pub(crate) fn program(&self) -> PathBuf {
        self.program.clone().unwrap_or_else(|| self.dialect.name().into())
    }

    /// What to start, with its arguments. cvc5 has no option for memory, so a shell sets the limit
    /// and then becomes cvc5.
    pub(crate) fn command(&self) -> (PathBuf, Vec<OsString>) {
        let mut arguments = self.dialect.arguments(self.seed);
        match (self.dialect, self.memory) {
            (_, None) => {}
            (Dialect::Z3, Some(bytes)) => arguments.push(format!("-memory:{}", bytes >> 20)),
            (Dialect::Cvc5, Some(bytes)) => {
                let limit = "ulimit -v \"$1\" && shift && exec \"$@\"";
                let shell = ["-c", limit, "sh", &(bytes >> 10).to_string()].map(OsString::from);
                let program = self.program().into_os_string();
                let rest = arguments.into_iter().map(OsString::from);
                return ("sh".into(), shell.into_iter().chain([program]).chain(rest).collect());
            }
        }
        (self.program(), arguments.into_iter().map(OsString::from).collect())
    }

    /// Whether there is an executable to start; a shell would not say so in our words.
    pub(crate) fn is_missing(&self) -> bool {
        let program = self.program();
        if program.components().count() > 1 {
            return !program.exists();
        }
        let path = std::env::var_os("PATH").unwrap_or_default();
        !std::env::split_paths(&path).any(|directory| directory.join(&program).exists())
    }
}

/// What every process is told first.
pub(crate) const PRELUDE: &str = "\
(set-option :print-success false)
(set-option :produce-models true)
(set-option :produce-unsat-assumptions true)
(set-logic ALL)
";
