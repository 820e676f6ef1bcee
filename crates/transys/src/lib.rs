//! Procedures as transition systems in the logic.
//!
//! A procedure is cut at its entry and at its loop heads ([`Location`]s). The code between two cut
//! points has no loops, so it is a finite set of [`Path`]s; a path is a guard and, for every symbol
//! of the state, what it is after the path in terms of the state before (paper 000, Table 5: a
//! quantifier-free substitution). A path that runs into a failing check ends in an error instead:
//! these are the bad states.
//!
//! The logic is relational: every pointer field is seen through its reflexive transitive closure
//! (paper 000, section 3), so fields must not have cycles. A store that would close one is an error
//! of its own kind, [`ErrorKind::Cycle`]: an engine must show that it is never reached, or give up.
//!
//! * [`build`], [`build_within`]: a procedure as a transition system
//! * [`Symbols`]: which symbol stands for what
//! * [`concretise()`]: the initial heap of a model
//!
//! **Invariants.** Every execution of the concrete interpreter that starts in an acyclic heap
//! allowed by the precondition, and every failing check on it, has a path: the system
//! over-approximates. Everything an engine asks about it, ∃*∀* formulas aside, is quantifier-free
//! over constants. What cannot be said is refused with its place, never dropped.

mod assigns;
mod blocks;
mod cells;
mod concretise;
mod contract;
mod data;
mod edges;
mod execute;
mod expr;
mod finish;
mod headers;
mod initial;
mod objects;
mod paths;
mod predicates;
mod relational;
mod shape;
mod state;
mod symbols;
mod system;
mod within;

pub use concretise::{NoHeap, concretise, integers};
pub use headers::Held;
pub use paths::{Path, Target};
pub use predicates::{UserPredicate, user_predicate, user_predicates};
pub use symbols::{DataField, Flag, PointerField, RegSymbol, Symbols};
pub use system::{
    BadState, ErrorKind, Location, LocationId, Options, TransitionSystem, Words, build,
};
pub use within::build_within;
