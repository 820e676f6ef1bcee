//! The suite of *Heap Interpolant Synthesis*: its programs, and more about data along lists, doubly
//! linked lists and trees.

use serde::Deserialize;

use crate::pdr::{Expect, Variant};

/// The suite.
pub type Manifest = crate::Manifest<Row>;

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
