//! Several oracles: the next one is asked when the one before gives up.

use trellis_patterns::pattern::Label;

use super::{Answer, Oracle, Question};

/// Oracles in the order in which they are asked.
pub struct Team<'a>(pub Vec<&'a mut dyn Oracle>);

impl Oracle for Team<'_> {
    fn answer(&mut self, question: &Question<'_>) -> Answer {
        for member in &mut self.0 {
            match member.answer(question) {
                Answer::GiveUp => {}
                answer => return answer,
            }
        }
        Answer::GiveUp
    }

    fn accepted(&mut self, block: usize, label: &Label) {
        self.0.iter_mut().for_each(|member| member.accepted(block, label));
    }

    fn is_patient(&self) -> bool {
        self.0.iter().any(|member| member.is_patient())
    }
}
