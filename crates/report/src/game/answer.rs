//! What became of a submitted drawing; hints; what a summary node stands for.

use serde::Serialize;

use super::drawing::{Drawing, EdgeRef};
use super::example::{Example, TraceStep};
use super::words::Variable;

/// What the verifier says to a submitted drawing.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Answer {
    /// It is used; the game goes on with the next question.
    Accepted {
        /// What it settled.
        sentence: String,
    },
    /// It is used, and the proof is complete and checked.
    Verified {
        /// What was proved.
        sentence: String,
    },
    /// Too narrow: the program reaches a heap that it does not fit.
    Positive {
        /// The name of the new example.
        example: String,
        /// Why, for people.
        sentence: String,
    },
    /// Too wide: it fits a heap that fails.
    Negative {
        /// The name of the new example.
        example: String,
        /// Why, for people.
        sentence: String,
    },
    /// It fits a heap, but not the heap that the program makes of it.
    Implication {
        /// The name of the implication.
        example: String,
        /// Why, for people.
        sentence: String,
    },
    /// The program is wrong: a run from the beginning fails.
    Violated {
        /// The failed check.
        sentence: String,
        /// The run.
        trace: Vec<TraceStep>,
    },
    /// The verifier could not decide: no concrete heap shows what is wrong, or it ran out of time.
    Undecided {
        /// Why, and what to try.
        sentence: String,
        /// Where it fails although no heap shows it.
        #[serde(skip_serializing_if = "Option::is_none")]
        trouble: Option<Box<Trouble>>,
    },
}

/// Where a drawing fails although no heap shows it: what it has become there.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Trouble {
    /// The line of the place.
    pub line: u32,
    /// What goes wrong there.
    pub sentence: String,
    /// The variables that the drawing speaks of.
    pub variables: Vec<Variable>,
    /// What the pattern has become.
    pub drawing: Drawing,
}

impl Answer {
    /// The kind, as the document has it.
    pub fn kind(&self) -> &'static str {
        match self {
            Answer::Accepted { .. } => "accepted",
            Answer::Verified { .. } => "verified",
            Answer::Positive { .. } => "positive",
            Answer::Negative { .. } => "negative",
            Answer::Implication { .. } => "implication",
            Answer::Violated { .. } => "violated",
            Answer::Undecided { .. } => "undecided",
        }
    }
}

/// Advice from the automatic oracle.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Hint {
    /// What to try.
    pub sentence: String,
    /// The node it is about.
    pub node: Option<String>,
    /// The edge it is about.
    pub edge: Option<EdgeRef>,
    /// The example it is about.
    pub example: Option<String>,
    /// A whole drawing to start from.
    pub drawing: Option<Drawing>,
}

/// What a summary node stands for: heaps that the drawing fits.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Meaning {
    /// The node.
    pub node: String,
    /// Heaps with 0, 1 and 2 cells there.
    pub heaps: Vec<Meant>,
}

/// A heap with a number of cells at a node.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Meant {
    /// How many cells.
    pub cells: usize,
    /// The smallest such heap, if a small one was found.
    pub example: Option<Example>,
    /// The cells that stand at the node, counted from 0.
    pub standing: Vec<usize>,
}
