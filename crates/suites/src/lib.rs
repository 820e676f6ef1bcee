//! The manifests of the benchmark suites, for whoever measures and for the tests.
//!
//! * [`pdr`]: the suites `pdr-a`, `pdr-forall`, `more` and `trees`
//! * [`whole`]: the suites `c` and `everyday`
//! * [`heaps`]: the suite `bohne`
//! * [`lists`]: the suite `sll`
//! * [`patterns`]: the suite `proveit`
//! * [`directives`]: what the programs under `examples` say of themselves
//!
//! `benchmarks/README.md` describes the formats for people.
//!
//! **Invariant.** What is not in a format is an error: a misspelt key never means "not given".

pub mod directives;
pub mod heaps;
pub mod lists;
pub mod patterns;
pub mod pdr;
pub mod whole;

use std::fs;
use std::path::Path;

use serde::Deserialize;
use serde::de::DeserializeOwned;

/// A suite that repeats the experiment of a paper.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest<Row> {
    /// Its name, which is also the name of its folder.
    pub suite: String,
    /// The paper.
    pub paper: String,
    /// The programs, those of the paper first, in its order.
    #[serde(rename = "row")]
    pub rows: Vec<Row>,
}

impl<Row: DeserializeOwned> Manifest<Row> {
    /// Reads the manifest in the folder of the suite.
    ///
    /// # Errors
    /// If it cannot be read, or is none.
    pub fn load(folder: &Path) -> Result<Manifest<Row>, String> {
        load(folder)
    }
}

/// Reads `manifest.toml` in the folder of a suite.
fn load<T: DeserializeOwned>(folder: &Path) -> Result<T, String> {
    let path = folder.join("manifest.toml");
    let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    toml::from_str(&text).map_err(|e| format!("{}: {e}", path.display()))
}
