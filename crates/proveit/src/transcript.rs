//! A game in a file: the procedure, and the answers in their order.
//!
//! The search is deterministic, so the answers are the whole game ([`crate::game`]).
//!
//! **Invariant:** what is read from a file is checked as evidence is: names must be those of the
//! procedure, and everything is bounded. Reading never panics, whatever the file says.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use trellis_patterns::PatternProgram;
use trellis_patterns::evidence::{Patterns, read, write};
use trellis_patterns::pattern::Label;

use crate::game::Game;

/// More answers than this are not read.
pub const MOST_ANSWERS: usize = 10_000;

/// A game as plain data.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Transcript {
    /// The procedure.
    pub procedure: String,
    /// The answers: each the label of one loop head.
    pub answers: Vec<Patterns>,
}

impl Transcript {
    /// Writes a game down.
    pub fn of(game: &Game) -> Transcript {
        let answers = game.answers.iter().zip(game.asked_at());
        let one = |(label, block): (&Label, usize)| {
            write(&game.code, &BTreeMap::from([(block, label.clone())]))
        };
        Transcript { procedure: game.procedure().to_owned(), answers: answers.map(one).collect() }
    }

    /// The answers, over the words of a procedure.
    ///
    /// # Errors
    /// If the file is not about this procedure, or is no transcript.
    pub fn answers(&self, code: &PatternProgram) -> Result<Vec<Label>, String> {
        if self.answers.len() > MOST_ANSWERS {
            return Err("too many answers".to_owned());
        }
        let mut out = Vec::new();
        for (i, answer) in self.answers.iter().enumerate() {
            let wrong = |why: String| format!("answer {}: {why}", i + 1);
            let mut words = code.clone();
            let labels = read(&mut words, answer).map_err(wrong)?;
            if words.words != code.words {
                return Err(wrong("the predicates are not those of the game".to_owned()));
            }
            let mut labels = labels.into_values();
            match (labels.next(), labels.next()) {
                (Some(label), None) => out.push(label),
                _ => return Err(wrong("not the label of one loop".to_owned())),
            }
        }
        Ok(out)
    }
}
