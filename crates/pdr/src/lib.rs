//! Property-directed reachability on heaps (*Property-Directed Shape Analysis* and *Universal
//! Invariants or Their Absence*).
//!
//! Frames F₀, F₁, … over-approximate what is reached in so many steps, one set of lemmas a cut
//! point. A bad state in the last frame is an [`Obligation`](obligation::Obligation); it is blocked
//! by showing that nothing in the frame before leads to its cube, or by first blocking what does.
//! What the solver used to show it is the new lemma. When a frame equals the next one, its lemmas
//! are the invariant.
//!
//! The cube of a state is what tells the two papers apart ([`Generaliser`]): its diagram (paper
//! 003, section 3) or the truth values of given predicates (*Property-Directed Shape Analysis*,
//! section 4). Everything else is shared. Read [`search`] first.
//!
//! **Invariants.** Frames are stored as deltas: a lemma has the highest level at which it is known
//! to hold, and belongs to all frames up to it. F₀ is the precondition at the entry, and nothing
//! anywhere else. Every lemma was checked against the paths from the entry as well.

pub mod bounded;
pub mod cube;
pub mod diagram;
pub mod frames;
mod generalize;
pub mod invariant;
pub mod model;
pub mod obligation;
pub mod predicates;
pub mod query;
pub mod search;
pub mod strategy;

pub use bounded::ConcreteTrace;
pub use cube::{Cube, Lemma};
pub use invariant::Invariant;
pub use search::{AbstractState, Config, Generaliser, Outcome, Search, Statistics, run};
pub use strategy::{Order, Strategy};
