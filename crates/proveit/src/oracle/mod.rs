//! Oracles: who proposes patterns (*Heap Interpolant Synthesis*, chapter 6 and Algorithm 9).
//!
//! * [`automatic`]: generalises the positives by merging nodes, refined by what separates the
//!   negatives
//! * [`recorded`]: the answers of a transcript; a person's game is one that grows
//! * [`team`]: one after the other, the next when the one before gives up
//!
//! **Invariant:** an oracle is believed nothing. What it proposes becomes a label only if Post and
//! entailment say so, and a proof is checked again without the engine.

pub mod automatic;
pub mod recorded;
pub mod team;

use trellis_patterns::pattern::Label;

use crate::examples::Examples;
use crate::unwinding::VertexId;

/// What an oracle is asked: a label that fits all positives and no negative.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The vertex that needs a label.
    pub vertex: VertexId,
    /// The loop head it is at.
    pub block: usize,
    /// What is known there.
    pub examples: &'a Examples,
    /// The candidate that the last examples came from, if there was one.
    pub last: Option<&'a Label>,
    /// How often this question was asked before.
    pub round: usize,
}

/// What an oracle says.
#[derive(Clone, Debug)]
pub enum Answer {
    /// Try this.
    Candidate(Label),
    /// I do not know.
    GiveUp,
    /// Ask again later: a person has not answered yet.
    Pending,
}

/// Whoever proposes patterns.
pub trait Oracle {
    /// Proposes a label.
    fn answer(&mut self, question: &Question<'_>) -> Answer;

    /// A label was accepted at a loop head.
    fn accepted(&mut self, _block: usize, _label: &Label) {}

    /// Whether somebody waits for the heap that shows a mistake, so that it is looked for longer.
    fn is_patient(&self) -> bool {
        false
    }
}
