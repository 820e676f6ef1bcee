//! The file: versioned JSON.
//!
//! **Invariant.** The file has everything that a check needs besides the source itself. Fields that
//! this version does not know are an error, not skipped.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The name of the format.
pub const FORMAT: &str = "trellis-certificate";

/// The version of the format.
pub const VERSION: u32 = 1;

/// That a procedure fails no check, and why.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    /// [`FORMAT`].
    pub format: String,
    /// [`VERSION`].
    pub version: u32,
    /// Who wrote it, for people.
    pub tool: String,
    /// The file.
    pub source: Source,
    /// The procedure.
    pub procedure: String,
    /// The kinds of checks that were on.
    pub checks: Vec<String>,
    /// Whether `malloc` may return null.
    pub malloc_may_fail: bool,
    /// What the logic can speak of: `basic`, or `edges` for single steps of fields as well.
    pub words: String,
    /// Over how many fields in turn an object may be reached so as not to be leaked.
    pub leak_turns: usize,
    /// What the invariants speak of.
    pub vocabulary: Vec<Symbol>,
    /// One for every loop.
    pub cut_points: Vec<CutPoint>,
}

/// The file that a certificate is about.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// The path as it was given.
    pub path: String,
    /// The SHA-256 of its bytes, before any preprocessing.
    pub sha256: String,
    /// Folders that were searched for headers.
    pub include_dirs: Vec<String>,
    /// Macros that were defined.
    pub defines: Vec<String>,
}

/// A symbol of the invariants.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Symbol {
    /// As it stands in formulas.
    pub symbol: String,
    /// For people.
    pub meaning: String,
}

/// A loop head with its invariant.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CutPoint {
    /// The loop's condition.
    pub place: Place,
    /// The block of the heap program that begins there, calls replaced; this is what counts.
    pub block: u32,
    /// All of these hold whenever the block begins.
    pub invariant: Vec<Clause>,
}

/// A place in the source.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// The file.
    pub file: String,
    /// The line, from one.
    pub line: usize,
    /// The column in characters, from one.
    pub column: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// A part of an invariant.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clause {
    /// In the syntax of [`text`](crate::text); this is what counts.
    pub formula: String,
    /// For people, as a contract would say it.
    pub text: String,
}

/// Why a text is no certificate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadError {
    /// Line and column, both from one, unless it is about the whole file.
    pub place: Option<(usize, usize)>,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            Some((line, column)) => write!(f, "{line}:{column}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for ReadError {}

/// The SHA-256 of a file's bytes, in hexadecimal digits.
pub fn digest(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What tells whether the rest can be read at all.
#[derive(Deserialize)]
struct Header {
    format: Option<String>,
    version: Option<serde_json::Value>,
}

impl Certificate {
    /// Reads a certificate.
    ///
    /// # Errors
    /// If the text is no JSON, or not a certificate of this version.
    pub fn read(text: &str) -> Result<Certificate, ReadError> {
        let header: Header = serde_json::from_str(text).map_err(|e| ReadError::json(&e))?;
        let plain = |message| Err(ReadError { place: None, message });
        if header.format.as_deref() != Some(FORMAT) {
            return plain(format!("this is no certificate: `format` is not `{FORMAT}`"));
        }
        match header.version {
            Some(version) if version == VERSION => {}
            Some(version) => {
                let only = format!("this version of Trellis reads version {VERSION}");
                return plain(format!("the certificate has version {version}; {only}"));
            }
            None => return plain("the certificate does not say its `version`".into()),
        }
        serde_json::from_str(text).map_err(|e| ReadError::json(&e))
    }

    /// The certificate as JSON.
    pub fn to_json(&self) -> String {
        // Strings, numbers and lists of them always have a JSON form.
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }

    /// How many clauses there are in all.
    pub fn clauses(&self) -> usize {
        self.cut_points.iter().map(|c| c.invariant.len()).sum()
    }
}

impl ReadError {
    fn json(error: &serde_json::Error) -> ReadError {
        let text = error.to_string();
        let place = format!(" at line {} column {}", error.line(), error.column());
        let message = text.strip_suffix(&place).unwrap_or(&text).to_owned();
        ReadError { place: Some((error.line(), error.column())), message }
    }
}
