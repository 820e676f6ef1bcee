//! The file: versioned JSON.
//!
//! The file may come from anybody. It says what to prove and how; what it is about, the text after
//! preprocessing, comes from the user, and two hashes only tell whether both mean the same.
//!
//! **Invariants.** The file has everything that a check needs besides the source and the options of
//! the preprocessor. Fields that this version does not know, and fields that are there twice, are
//! errors. Everything in it is bounded, and nothing in it can forge what is printed.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use trellis_graphs::evidence::Graphs;
use trellis_patterns::evidence::Patterns;
use trellis_shapes::evidence::Shapes;

use crate::sequents::{MOST_PARTS, PartKind, Sequents};

/// The name of the format.
pub const FORMAT: &str = "trellis-certificate";

/// The version of the format.
pub const VERSION: u32 = 3;

/// Larger files are refused unread.
pub const MOST_BYTES: u64 = 64 << 20;
/// Most loops, symbols, settings or values of one.
const MOST_ITEMS: usize = 10_000;
/// Most clauses of one loop.
const MOST_CLAUSES: usize = 100_000;

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
    /// One for every loop; none if there are shapes or patterns.
    pub cut_points: Vec<CutPoint>,
    /// In place of clauses: abstract heaps of lists at the start of every block.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shapes: Option<Shapes>,
    /// In place of clauses: heap patterns at every loop head.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patterns: Option<Patterns>,
    /// In place of clauses: memory graphs at every loop head.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub graphs: Option<Graphs>,
    /// In place of clauses: parts of invariants of higher-order logic, shown by provers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sequents: Option<Sequents>,
    /// In place of clauses: that a closed program has few states, and all were visited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exhaustion: Option<Exhaustion>,
}

/// That all states of a closed program were visited.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exhaustion {
    /// No run takes more blocks.
    pub steps: usize,
    /// No run makes more choices.
    pub choices: usize,
}

/// The file that a certificate is about.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// The language that it was read as.
    pub language: String,
    /// The path as it was given.
    pub path: String,
    /// The SHA-256 of its bytes, before any preprocessing.
    pub sha256: String,
    /// The other files of the program, if it has several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub linked: Vec<LinkedFile>,
    /// The SHA-256 of what the front end understood; of C, of what the preprocessor made of it,
    /// without its line markers and empty lines.
    pub text_sha256: String,
    /// What was chosen about how to read it. Who checks must choose the same, or places of his own.
    pub settings: Vec<SourceSetting>,
}

/// A file that is linked to the first one.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinkedFile {
    /// The path as it was given.
    pub path: String,
    /// The SHA-256 of its bytes.
    pub sha256: String,
}

/// A setting of the front end.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceSetting {
    /// As the front end calls it.
    pub name: String,
    /// What was chosen, in order.
    pub values: Vec<String>,
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
    pub invariant: Vec<WrittenClause>,
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
pub struct WrittenClause {
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
        let read: Certificate = serde_json::from_str(text).map_err(|e| ReadError::json(&e))?;
        match read.excess() {
            Some(message) => plain(message),
            None => Ok(read),
        }
    }

    /// What is too much, or could be mistaken for something else when it is printed.
    fn excess(&self) -> Option<String> {
        let Source { language, path, sha256, linked, text_sha256, settings } = &self.source;
        let values = settings.iter().map(|s| s.values.len()).max().unwrap_or(0);
        let items =
            [self.vocabulary.len(), self.cut_points.len(), settings.len(), values, linked.len()];
        let clauses = self.cut_points.iter().map(|c| c.invariant.len()).max().unwrap_or(0);
        if items.iter().any(|n| *n > MOST_ITEMS) || clauses > MOST_CLAUSES {
            return Some("it has more entries than a certificate can have".into());
        }
        let clauses = !self.cut_points.is_empty() || !self.vocabulary.is_empty();
        let kinds = [
            clauses,
            self.shapes.is_some(),
            self.patterns.is_some(),
            self.graphs.is_some(),
            self.sequents.is_some(),
            self.exhaustion.is_some(),
        ];
        if kinds.into_iter().filter(|there| *there).count() > 1 {
            return Some("it has more than one kind of evidence".into());
        }
        let hexadecimal = |h: &String| h.len() == 64 && h.chars().all(|c| c.is_ascii_hexdigit());
        let hashes = [sha256, text_sha256].into_iter().chain(linked.iter().map(|f| &f.sha256));
        if !hashes.clone().all(hexadecimal) {
            return Some("a SHA-256 has 64 hexadecimal digits".into());
        }
        let sequents = self.sequents.iter();
        if sequents.clone().any(|s| s.parts().max(s.loops.len()).max(s.shown.len()) > MOST_PARTS) {
            return Some("it has more parts than a certificate can have".into());
        }
        let files = self.cut_points.iter().map(|c| &c.place.file);
        let parts = sequents.flat_map(|s| &s.loops).flat_map(|l| {
            let words = l.parts.iter().flat_map(|p| match &p.what {
                PartKind::Typing(name) | PartKind::Inferred(name) => std::slice::from_ref(name),
                PartKind::Clause(names) => names,
                PartKind::Requires(_) | PartKind::Stated(_) => &[],
            });
            std::iter::once(&l.place.file).chain(words)
        });
        let printed = [&self.tool, language, path, &self.procedure, &self.words].into_iter();
        let printed = printed.chain(linked.iter().map(|f| &f.path));
        let chosen = settings.iter().flat_map(|s| std::iter::once(&s.name).chain(&s.values));
        let printed = printed.chain(chosen).chain(&self.checks).chain(files).chain(parts);
        let odd = |text: &&String| text.chars().any(|c| c.is_control() || is_invisible(c));
        let mut odd = printed.filter(odd);
        odd.next().map(|text| format!("{text:?} has characters that cannot be printed"))
    }

    /// The certificate as JSON.
    pub fn to_json(&self) -> String {
        // Strings, numbers and lists of them always have a JSON form.
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }

    /// How many clauses there are in all, or parts of invariants of higher-order logic.
    pub fn clauses(&self) -> usize {
        let clauses: usize = self.cut_points.iter().map(|c| c.invariant.len()).sum();
        clauses + self.sequents.as_ref().map_or(0, Sequents::parts)
    }

    /// How many loops these are about.
    pub fn loops(&self) -> usize {
        self.cut_points.len() + self.sequents.as_ref().map_or(0, |s| s.loops.len())
    }
}

/// Characters that change how those around them are shown.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

impl ReadError {
    fn json(error: &serde_json::Error) -> ReadError {
        let text = error.to_string();
        let place = format!(" at line {} column {}", error.line(), error.column());
        let message = text.strip_suffix(&place).unwrap_or(&text).to_owned();
        ReadError { place: Some((error.line(), error.column())), message }
    }
}
