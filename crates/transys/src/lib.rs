//! Procedures as transition systems in the logic.
//!
//! A procedure is cut at its entry and at its loop heads ([`Location`]s). The code between two cut
//! points has no loops, so it is a finite set of [`Path`]s; a path is a guard and, for every symbol
//! of the state, what it is after the path in terms of the state before (*Property-Directed Shape
//! Analysis*, Table 5: a quantifier-free substitution). A path that runs into a failing check ends
//! in an error instead: these are the bad states.
//!
//! The logic is relational: what pointer fields are in it is up to a heap theory, a value of its
//! own ([`HeapTheory`]). For lists that is the reflexive transitive closure of a field
//! (*Property-Directed Shape Analysis*, section 3), so fields must not have cycles. A store that
//! would close one is an error of its own kind, [`ErrorKind::Cycle`]: an engine must show that it
//! is never reached, or give up.
//!
//! * [`build`], [`build_within`]: a procedure as a transition system
//! * `symbols`, [`Symbols`]: which symbol stands for what
//! * `theory`: how pointer fields are seen in the logic
//! * `execute`: what instructions do to a symbolic state
//! * `contract`: the entry, the return, and the formulas of the user
//! * [`Execution`]: sequences of paths from the entry
//! * [`concretise()`]: the initial heap of a model
//!
//! **Invariants.** Every execution of the concrete interpreter that starts in a heap that the
//! theory has and the precondition allows, and every failing check on it, has a path: the system
//! over-approximates. Everything an engine asks about it, ∃*∀* formulas aside, is quantifier-free
//! over constants. What cannot be said is refused with its place, never dropped.

mod build;
mod concretise;
mod contract;
mod execute;
mod symbols;
mod system;
mod theory;
mod unroll;

pub use build::{build, build_within};
pub use concretise::{Concrete, NoHeap, concretise, integers};
pub use contract::headers::Held;
pub use contract::predicates::{UserPredicate, user_predicate, user_predicates};
pub use execute::paths::{Path, Target};
pub use symbols::{DataField, Flag, PointerField, RegSymbol, Symbols};
pub use system::{BadState, ErrorKind, Location, LocationId, Options, TransitionSystem, Words};
pub use theory::{FieldAt, Fields, HeapLogic, HeapTheory};
pub use unroll::Execution;
