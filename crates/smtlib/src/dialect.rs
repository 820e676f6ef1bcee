//! How z3 and cvc5 differ: executables, packages, options.
//!
//! z3 decides EPR by model-based quantifier instantiation, which is its default. cvc5 needs finite
//! model finding to answer *sat* to a quantified query; with it, it decides EPR too.

use std::path::PathBuf;

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
}

impl Settings {
    /// The solver on `PATH`, without transcripts.
    pub fn new(dialect: Dialect) -> Settings {
        Settings { dialect, program: None, transcripts: None, seed: 0 }
    }

    pub(crate) fn program(&self) -> PathBuf {
        self.program.clone().unwrap_or_else(|| self.dialect.name().into())
    }

    pub(crate) fn arguments(&self) -> Vec<String> {
        self.dialect.arguments(self.seed)
    }
}

/// What every process is told first.
pub(crate) const PRELUDE: &str = "\
(set-option :print-success false)
(set-option :produce-models true)
(set-option :produce-unsat-assumptions true)
(set-logic ALL)
";
