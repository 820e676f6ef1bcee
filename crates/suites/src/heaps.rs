//! The suite of *Symbolic Shape Analysis*: its programs (Figure 9), and the effect of contexts on
//! them (Figure 10).

use std::path::Path;

use serde::Deserialize;

use crate::pdr::{Expect, Variant};

/// The suite.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Its name, which is also the name of its folder.
    pub suite: String,
    /// The paper whose programs it has.
    pub paper: String,
    /// The programs, in the order of the paper.
    #[serde(rename = "row")]
    pub rows: Vec<Row>,
}

/// One program.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// As in the paper.
    pub name: String,
    /// The program itself, or its twin with a bug.
    pub variant: Variant,
    /// The program, in the folder of the manifest.
    pub file: String,
    /// The procedure.
    pub proc: String,
    /// The verdict that the engine must give.
    pub expect: Expect,
    /// Predicates of the program that the engine is given.
    #[serde(default)]
    pub predicates: Vec<String>,
    /// The paper's row in Figure 9.
    pub paper: Option<Figures>,
    /// The paper's column in Figure 10, if it is there.
    pub contexts: Option<Contexts>,
    /// The same program with two commuting assignments exchanged, for the experiment with the cache
    /// (section 5).
    pub swapped: Option<String>,
}

/// The figures of one row of Figure 9.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Figures {
    /// Predicates in all.
    pub predicates: u32,
    /// Of these, given by hand.
    pub given: u32,
    /// Calls of the validity checker, those that the cache answered included.
    pub calls: u32,
    /// How many per cent the cache answered.
    pub hits: u32,
    /// Running time.
    pub seconds: u32,
}

/// Calls of the validity checker.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Calls {
    /// How many there are, those that the cache answered included.
    pub calls: u32,
    /// How many per cent the cache answered.
    pub hits: u32,
    /// Running time.
    pub seconds: u32,
}

/// The figures of one column of Figure 10.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contexts {
    /// Γ = true.
    pub none: Calls,
    /// κ = id.
    pub whole: Calls,
    /// With instantiation.
    pub instantiated: Calls,
}

impl Manifest {
    /// Reads the manifest in the folder of the suite.
    ///
    /// # Errors
    /// If it cannot be read, or is none.
    pub fn load(folder: &Path) -> Result<Manifest, String> {
        crate::load(folder)
    }
}
