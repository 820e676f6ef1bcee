//! The suite of *Predicate and Canonical Abstraction*: its Table 9, and the program of its Fig. 1.

use serde::Deserialize;

/// The suite.
pub type Manifest = crate::Manifest<Row>;

/// One program.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// As in the paper's table.
    pub name: String,
    /// The program, in the folder of the manifest.
    pub file: String,
    /// The procedure.
    pub proc: String,
    /// What it does, in the paper's words.
    pub description: String,
    /// The verdict of the engines of the paper, in both forms.
    pub expect: String,
    /// Whether the standard predicates give the same verdict.
    pub table3: Table3,
    /// Whether memory is left to a garbage collector.
    pub gc: bool,
    /// The error that is found, if there is one.
    pub error: Option<Error>,
    /// The paper's figures.
    pub paper: Paper,
}

/// Whether the standard predicates are enough for a verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Table3 {
    /// They are.
    Sufficient,
    /// They are not.
    Insufficient,
}

/// An error of a program.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Error {
    /// The kind of check that fails.
    pub check: String,
    /// The line.
    pub line: u32,
}

/// What the paper measured.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Paper {
    /// Time on the authors' machine.
    pub seconds: f64,
    /// Memory.
    pub megabytes: f64,
    /// Sites of errors that were reported.
    pub reported: u32,
    /// Sites of errors that there are.
    pub actual: u32,
}
