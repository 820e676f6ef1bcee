//! A team of provers for sequents of higher-order logic (*Symbolic Shape Analysis*: several
//! decision procedures side by side; Jahob's field constraint analysis and its interfaces to
//! provers).
//!
//! A [`SequentProver`] says whether a [`Question`] is valid, within a time. What it cannot read is
//! replaced by a fresh symbol, the same part by the same symbol; that makes a question more
//! general, so
//! *valid* can be believed and *invalid* only where nothing was replaced.
//!
//! * [`first_order`]: sequents in many-sorted first-order logic, with replacements
//! * [`smt`]: z3 and cvc5; [`tptp`]: E and SPASS; [`mona`]: lists and trees in monadic second-order
//!   logic, by field constraint analysis
//! * [`process`]: running them; [`team`]: all of them within a budget, with statistics
//! * [`cache`]: what was found out, in memory and on disk (section 5); [`normal`]: when two
//!   questions are the same
//! * [`conditions`]: the conditions of a whole procedure
//! * [`export`]: sequents as files, for provers and for people
//!
//! **Invariants.** A prover that is missing, hangs, dies or prints garbage costs one answer, which
//! is
//! *unknown*. Nothing here knows code or engines.

pub mod cache;
pub mod conditions;
pub mod export;
pub mod first_order;
pub mod mona;
pub mod normal;
pub mod process;
pub mod smt;
pub mod team;
pub mod tptp;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use trellis_hol::Symbol;
use trellis_sequents::Sequent;

pub use cache::Cache;
pub use team::{ProverStatistics, Team};

/// A sequent with the symbols that it speaks of.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The sequent.
    pub sequent: &'a Sequent,
    /// Its symbols.
    pub symbols: &'a [Symbol],
}

/// What a prover says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The goal follows; from these hypotheses alone, if the prover says which.
    Valid(Option<Vec<usize>>),
    /// It does not.
    Invalid,
    /// Nothing is known, and why.
    Unknown(Why),
}

/// Why nothing is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Why {
    /// The prover is not installed.
    Missing,
    /// It took too long, or was told to stop.
    Time,
    /// It gave up, or cannot read the question.
    GaveUp,
    /// It died, or what it says makes no sense; the beginning of it.
    Broken(String),
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Why::Missing => f.write_str("it is not installed"),
            Why::Time => f.write_str("there was no time"),
            Why::GaveUp => f.write_str("it gave up"),
            Why::Broken(said) => write!(f, "it said {said:?}"),
        }
    }
}

/// Who can be asked.
pub trait SequentProver: Send + Sync {
    /// Its name.
    fn name(&self) -> &'static str;

    /// The Debian package that has it.
    fn package(&self) -> &'static str;

    /// Whether a question is valid, as far as it can tell in a time; the flag ends the work.
    fn prove(&self, question: &Question<'_>, time: Duration, cancel: &AtomicBool) -> Answer;
}

/// All provers, in the order in which they are asked. A path for the executable of one replaces the
/// one that is found under its name.
pub fn all(path_of: &dyn Fn(&str) -> Option<std::path::PathBuf>) -> Vec<Arc<dyn SequentProver>> {
    let path = |name: &str| path_of(name).unwrap_or_else(|| name.into());
    vec![
        Arc::new(smt::Smt::z3(path("z3"))),
        Arc::new(smt::Smt::cvc5(path("cvc5"))),
        Arc::new(mona::Mona::new(path("mona"))),
        Arc::new(tptp::Tptp::eprover(path("eprover"))),
        Arc::new(tptp::Tptp::spass(path("SPASS"))),
    ]
}
