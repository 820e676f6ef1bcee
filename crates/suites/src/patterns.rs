//! The suite of paper 004: its programs, and more about data along lists, doubly linked lists and
//! trees.

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
    /// The programs, those of the paper first.
    #[serde(rename = "row")]
    pub rows: Vec<Row>,
}

/// One program.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// As in the paper, or what it is about.
    pub name: String,
    /// The program itself, or its twin with a bug.
    pub variant: Variant,
    /// The program, in the folder of the manifest.
    pub file: String,
    /// The procedure.
    pub proc: String,
    /// The verdict that the engine must give.
    pub expect: Expect,
    /// Whether memory is left to a garbage collector.
    pub gc: bool,
    /// The figure of the paper that has the program or its pattern.
    pub figure: Option<String>,
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
