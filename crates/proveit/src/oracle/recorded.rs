//! Answers given before: a transcript is played back.

use trellis_patterns::pattern::Label;

use super::{Answer, Oracle, Question};

/// The answers of a game, in the order of its questions. After the last one, the next question is
/// pending.
#[derive(Clone, Debug, Default)]
pub struct Recorded {
    /// The answers.
    pub answers: Vec<Label>,
    /// How many were used.
    pub used: usize,
}

impl Recorded {
    /// Plays these.
    pub fn new(answers: Vec<Label>) -> Recorded {
        Recorded { answers, used: 0 }
    }
}

impl Oracle for Recorded {
    fn answer(&mut self, _: &Question<'_>) -> Answer {
        match self.answers.get(self.used) {
            Some(label) => {
                self.used += 1;
                Answer::Candidate(label.clone())
            }
            None => Answer::Pending,
        }
    }

    fn is_patient(&self) -> bool {
        true
    }
}
