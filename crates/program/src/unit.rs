//! What a front end is: it reads one language and makes heap programs of it.
//!
//! A front end is a value: the settings of the user are part of it. Who reads files has a list of
//! them and takes the first that [reads](FrontEnd::reads) the path.
//!
//! **Invariants.** No input makes a front end panic. What is outside of its subset becomes an
//! `Unsupported` instruction at its place. What a [`Unit`] means depends on nothing but its
//! [text](Unit::text), so that the hash of that text says which program a proof is about.

use std::path::Path;

use crate::ir::Program;
use crate::source::{Diagnostic, SourceMap};

/// Reads one language.
pub trait FrontEnd: Sync {
    /// The name of the language, as certificates have it: `C`.
    fn language(&self) -> &'static str;

    /// Whether a file of this name is one of the language.
    fn reads(&self, path: &Path) -> bool;

    /// What the user chose that can change what a file means.
    fn settings(&self) -> Vec<Setting>;

    /// Reads a source.
    ///
    /// # Errors
    /// Everything that makes the source unusable: it cannot be read, or it has a syntax, type or
    /// contract error.
    fn load(&self, input: Input<'_>) -> Result<Unit, Failure>;
}

/// What a front end is given to read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Input<'a> {
    /// A file.
    File(&'a Path),
    /// A text that needs no file system and no other program to be understood; of C, preprocessed
    /// text.
    Text {
        /// The name that places in it are shown under.
        name: &'a str,
        /// The text.
        text: &'a str,
    },
}

/// A source that could be read.
#[derive(Clone, Debug)]
pub struct Unit {
    /// The program.
    pub program: Program,
    /// Warnings, and what is outside the supported subset.
    pub diagnostics: Vec<Diagnostic>,
    /// What was understood, with everything that was included: of C the preprocessed text without
    /// the preprocessor's own lines and without empty ones, so that it does not depend on where
    /// files lie. This is what certificates hash.
    pub text: String,
}

/// A source that cannot be used.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The files that the diagnostics point into.
    pub sources: SourceMap,
    /// At least one error.
    pub diagnostics: Vec<Diagnostic>,
}

impl Failure {
    /// One error.
    pub fn new(sources: SourceMap, diagnostic: Diagnostic) -> Failure {
        Failure { sources, diagnostics: vec![diagnostic] }
    }

    /// One error without a place in a file.
    pub fn plain(diagnostic: Diagnostic) -> Failure {
        Failure::new(SourceMap::default(), diagnostic)
    }
}

/// Something that the user chose about how sources are read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setting {
    /// Its name, the same in every certificate.
    pub name: &'static str,
    /// What it is about.
    pub kind: SettingKind,
    /// What was chosen, in order.
    pub values: Vec<String>,
}

/// Who may choose a setting when a proof is checked again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SettingKind {
    /// It is part of what the program means: who checks must repeat every value.
    Meaning,
    /// It says where things lie on one machine: who checks must choose values of his own.
    Place,
}
