//! The suite of everyday programs: whole programs with real headers, as people write them, each with
//! buggy twins. No paper, no contracts: what is expected is the answer of the default run about
//! `main`.

use std::path::Path;

use serde::Deserialize;

/// The suite.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Its name, which is also the name of its folder.
    pub suite: String,
    /// The programs.
    #[serde(rename = "row")]
    pub rows: Vec<Row>,
}

/// One program.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// What it is called.
    pub name: String,
    /// Its files, in the folder of the manifest.
    pub files: Vec<String>,
    /// The answer about `main`.
    pub expect: Expect,
    /// The kind of check that fails, at a line with `// BUG`.
    pub check: Option<String>,
}

/// An answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Expect {
    /// It is proved, or every state was visited.
    Verified,
    /// The error is found.
    Violated,
    /// It is correct, and nobody shows it yet; the only wrong answer is *violated*.
    NotRefuted,
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

impl Expect {
    /// Whether a verdict is as expected.
    pub fn allows(self, verdict: &str) -> bool {
        match self {
            Expect::Verified => verdict == "verified",
            Expect::Violated => verdict == "violated",
            Expect::NotRefuted => matches!(verdict, "verified" | "unknown"),
        }
    }
}
