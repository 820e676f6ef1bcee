//! Recording the conversation of an engine with a solver, and reading it back.
//!
//! [`Recorder`] stands between an engine and a solver and writes down what passes; [`Corpus`] is
//! what a file holds; [`replay`](crate::replay) puts the same questions to other solvers.
//!
//! # Format
//!
//! A text file in lines. Words are separated by single blanks. The first line is
//! `trellis-queries 1`, with the version of the format. Every other line declares something, and
//! thereby gives it the next number of its kind, or records a call:
//!
//! ```text
//! sort "struct node *"           S1, S2, …; S0 are the integers
//! constant "c" S1                F0, F1, …; so are the next five
//! variable "h" S1
//! null "NULL" S1
//! field "next" S1 S1
//! function "f" S1 S2 S1          argument sorts, then the result sort
//! relation "p" S1 S2             R0, R1, …; so are the next four
//! state-relation "q"
//! closure "reach" F3
//! between "btw" F3
//! order "le" S1
//! var "v" S1                     V0, V1, …
//! term V0                        T0, T1, …; a variable
//! term F1 T0                     a function with its arguments
//! term -5
//! term add T0 T1                 or sub, mul
//! term ite A2 T0 T1
//! formula R0 T0 T1               A2, A3, …; A0 is true, A1 false
//! formula eq T0 T1               or le, lt
//! formula not A2
//! formula and A2 A3 A4           or or, implies, iff
//! formula forall A2 V0 V1        or exists; the body comes first
//! assert A5
//! refused A5 "reason"            an assertion that was not accepted
//! check core A5 A6 = sat         `core`: to be minimised; may be absent
//! check A5 A6 = unsat 0 1        with the core
//! check A5 = unknown "reason"
//! model                          the engine asked for the model
//! model small                    it asked for one with few elements
//! ```
//!
//! Strings are in double quotes; `\"`, `\\`, `\n`, `\r` and `\t` are escapes. Times are not
//! recorded, so the same run gives the same file. Witness symbols of Skolemisation are written as
//! functions and constants.
//!
//! **Invariants**: a number is used only after the line that gives it. Reading what was written
//! gives equal vocabularies and formulas; writing that again gives the same file, but for symbols
//! that were declared in the middle of the conversation and are then declared at its beginning.

pub mod nodes;
mod read;
mod words;
mod write;

use trellis_logic::{Arena, FormulaId, Vocabulary};

use crate::Answer;

pub use read::ReadError;
pub use write::{Recorder, Writer};

/// The first line of a file.
const HEADER: &str = "trellis-queries 1";

/// What an engine asked one solver.
#[derive(Clone, Debug)]
pub struct Corpus {
    /// All symbols, also those that were declared late.
    pub vocabulary: Vocabulary,
    /// All formulas.
    pub arena: Arena,
    /// The calls in order.
    pub events: Vec<Event>,
}

/// A call of a solver.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A formula was asserted.
    Assert(FormulaId),
    /// A formula was to be asserted, but refused for this reason.
    Refused(FormulaId, String),
    /// A check.
    Check(Check),
    /// The model was asked for.
    Model {
        /// Whether a small one was wanted.
        minimise: bool,
    },
}

/// A check, and what the recorded solver answered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Check {
    /// The assumptions.
    pub assumptions: Vec<FormulaId>,
    /// Whether a small core was wanted.
    pub minimise_core: bool,
    /// The answer.
    pub outcome: Outcome,
}

/// A recorded answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// There is a model.
    Sat,
    /// There is none, and this is the core.
    Unsat(Vec<usize>),
    /// Not known, for this reason.
    Unknown(String),
}

impl Outcome {
    /// Whether the two answers cannot both be right.
    pub fn contradicts(&self, answer: &Answer) -> bool {
        matches!((self, answer), (Outcome::Sat, Answer::Unsat) | (Outcome::Unsat(_), Answer::Sat))
    }
}

impl Corpus {
    /// Reads a file.
    ///
    /// # Errors
    /// If it is malformed; the error says where.
    pub fn read(text: &str) -> Result<Corpus, ReadError> {
        read::read(text)
    }

    /// Writes a file, as a recorder would have.
    pub fn write(&self) -> String {
        let mut writer = Writer::new();
        let mut text = String::new();
        for event in &self.events {
            text.push_str(&writer.event(&self.vocabulary, &self.arena, event));
        }
        // A vocabulary that no event used.
        text.push_str(&writer.symbols(&self.vocabulary));
        text
    }
}
