//! The file of a game: one JSON value a line, only ever appended to. A last line that was cut off by
//! a crash is left out; anything else that does not read is an error, not a guess.
//!
//! The first line says which program the game is about. Every later line is a step of the person.
//! The game itself is a function of the source and the submitted drawings, so nothing else is kept.

use serde::{Deserialize, Serialize};

use super::drawing::Drawing;

/// Name and version of the layout.
pub const JOURNAL_SCHEMA: &str = "trellis-game-journal/1";
/// Longest file that is read.
pub const LONGEST_JOURNAL: usize = 64 << 20;

/// The first line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// [`JOURNAL_SCHEMA`].
    pub schema: String,
    /// The file, as given.
    pub file: String,
    /// The procedure.
    pub procedure: String,
    /// What the game is a function of besides the drawings, as a hash.
    pub fingerprint: String,
}

/// A later line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "step", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Line {
    /// A drawing as it is now, not submitted yet.
    Draft {
        /// The question it belongs to.
        question: String,
        /// The drawing.
        drawing: Drawing,
    },
    /// A drawing that was submitted.
    Submitted {
        /// The question it belongs to.
        question: String,
        /// The drawing.
        drawing: Drawing,
        /// The kind of the answer, so that a replay that differs is noticed.
        answer: String,
    },
}

/// A file that was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Journal {
    /// What it is about.
    pub header: Header,
    /// The steps.
    pub lines: Vec<Line>,
    /// How many bytes of the file these are; what follows was cut off.
    pub good: usize,
}

impl Journal {
    /// Reads a file. `None`: it is empty, or the first line was cut off.
    ///
    /// # Errors
    /// A sentence with the line that does not read.
    pub fn parse(text: &[u8]) -> Result<Option<Journal>, String> {
        if text.len() > LONGEST_JOURNAL {
            return Err("the file is too long".to_owned());
        }
        let mut header = None;
        let (mut lines, mut good) = (Vec::new(), 0);
        for (i, line) in text.split_inclusive(|b| *b == b'\n').enumerate() {
            // Only a crash leaves a line without its end, and it is the last.
            let Some(line) = line.strip_suffix(b"\n") else { break };
            let wrong = |e: serde_json::Error| format!("line {}: {e}", i + 1);
            if header.is_none() {
                let read: Header = serde_json::from_slice(line).map_err(wrong)?;
                if read.schema != JOURNAL_SCHEMA {
                    return Err(format!("line 1: the schema is not {JOURNAL_SCHEMA}"));
                }
                header = Some(read);
            } else {
                lines.push(serde_json::from_slice(line).map_err(wrong)?);
            }
            good += line.len() + 1;
        }
        Ok(header.map(|header| Journal { header, lines, good }))
    }
}

/// A line of the file, with its end.
///
/// # Errors
/// Those of the serialiser.
pub fn line(value: &impl Serialize) -> serde_json::Result<Vec<u8>> {
    let mut text = serde_json::to_vec(value)?;
    text.push(b'\n');
    Ok(text)
}
