//! How often each engine said what.

use std::collections::BTreeMap;
use std::fmt;

use trellis_driver::{UnknownReason, Verdict};

/// How many procedures each answer was given for, by engine.
#[derive(Default, Debug)]
pub struct Tally(BTreeMap<&'static str, BTreeMap<String, usize>>);

impl Tally {
    /// Counts the answers for one procedure.
    pub fn add(&mut self, said: &[(&'static str, String)]) {
        for (engine, answer) in said {
            *self.0.entry(engine).or_default().entry(answer.clone()).or_default() += 1;
        }
    }

    /// How often an engine gave an answer that begins like this.
    pub fn of(&self, engine: &str, answer: &str) -> usize {
        let answers = self.0.get(engine).into_iter().flatten();
        answers.filter(|(said, _)| said.starts_with(answer)).map(|(_, n)| n).sum()
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (engine, answers) in &self.0 {
            writeln!(f, "{engine}:")?;
            for (answer, n) in answers {
                writeln!(f, "{n:7} {answer}")?;
            }
        }
        Ok(())
    }
}

/// What an engine said, and the first reason.
pub fn name(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Violated(found) => format!("violated {}", found.failure.kind),
        Verdict::Unknown(reason) => match reason.places().first() {
            Some(place) => format!("unknown: {}: {}", reason.name(), place.message),
            None => format!("unknown: {}", reason.name()),
        },
        known => known.name().to_owned(),
    }
}

/// What exploration said, and how far it went.
pub fn explored(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Unknown(UnknownReason::Bounded { cut: false, .. }) => {
            "nothing found, all runs from all heaps".to_owned()
        }
        Verdict::Unknown(UnknownReason::Bounded { cut: true, .. }) => {
            "nothing found, long runs were cut off".to_owned()
        }
        other => name(other),
    }
}

/// What a proving engine said; for *verified* also how far exploration went.
pub fn proved(verdict: &Verdict, exploration: &Verdict) -> String {
    match verdict {
        Verdict::Verified { .. } => format!("verified (exploration: {})", explored(exploration)),
        other => name(other),
    }
}
