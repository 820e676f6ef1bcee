//! The manifests of the benchmark suites, for whoever measures and for the tests.
//!
//! * [`pdr`]: the suites `pdr-a`, `pdr-forall` and `more`
//! * [`heaps`]: the suite `bohne`
//! * [`lists`]: the suite `sll`
//! * [`patterns`]: the suite `proveit`
//!
//! `benchmarks/README.md` describes the formats for people.
//!
//! **Invariant.** What is not in a format is an error: a misspelt key never means "not given".

pub mod heaps;
pub mod lists;
pub mod patterns;
pub mod pdr;

use std::fs;
use std::path::Path;

use serde::de::DeserializeOwned;

/// Reads `manifest.toml` in the folder of a suite.
fn load<T: DeserializeOwned>(folder: &Path) -> Result<T, String> {
    let path = folder.join("manifest.toml");
    let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    toml::from_str(&text).map_err(|e| format!("{}: {e}", path.display()))
}
