//! Words of reports: names of engines, verdicts, kinds.
//!
//! Whoever makes a report has them as constants. Who reads one gets the same word for the same text,
//! kept as long as the process lives: there are few.

use std::collections::BTreeSet;
use std::sync::Mutex;

use serde::de::Error;
use serde::{Deserialize, Deserializer};

/// A name out of a small set.
pub type Word = &'static str;

/// Longer ones are none.
const MOST_BYTES: usize = 40;

static KNOWN: Mutex<BTreeSet<Word>> = Mutex::new(BTreeSet::new());

/// Reads a word: small letters, digits and hyphens.
pub fn read<'de, D: Deserializer<'de>>(from: D) -> Result<Word, D::Error> {
    let text = String::deserialize(from)?;
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if text.len() > MOST_BYTES || !text.chars().all(plain) {
        return Err(D::Error::custom(format!("{text:?} is no name")));
    }
    let mut known = KNOWN.lock().map_err(D::Error::custom)?;
    Ok(match known.get(text.as_str()) {
        Some(word) => word,
        None => {
            let word: Word = text.leak();
            known.insert(word);
            word
        }
    })
}
