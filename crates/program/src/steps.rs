//! What the small languages of engines share: operations with their places, and how blocks end.
//!
//! An engine reads a procedure into a language of its own, block by block; what an operation and a
//! condition are is different in each.

use crate::checks::Point;
use crate::source::Span;

/// One operation with its place.
#[derive(Clone, Debug)]
pub struct Step<Op> {
    /// What it does.
    pub op: Op,
    /// In the heap program.
    pub point: Point,
    /// In the source.
    pub span: Span,
}

/// How a block ends.
#[derive(Clone, Debug)]
pub enum Exit<Cond> {
    /// Unconditional.
    Goto(usize),
    /// On a condition.
    Branch {
        /// The condition.
        cond: Cond,
        /// Taken if it is not zero.
        then: usize,
        /// Taken if it is zero.
        els: usize,
        /// In the heap program.
        point: Point,
        /// In the source.
        span: Span,
    },
    /// The execution ends; what has to hold then are steps before.
    Stop,
}

impl<Cond> Exit<Cond> {
    /// Where it may go.
    pub fn successors(&self) -> impl Iterator<Item = usize> + use<Cond> {
        let (a, b) = match *self {
            Exit::Goto(b) => (Some(b), None),
            Exit::Branch { then, els, .. } => (Some(then), Some(els)),
            Exit::Stop => (None, None),
        };
        a.into_iter().chain(b)
    }
}
