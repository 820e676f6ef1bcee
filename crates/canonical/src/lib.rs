//! Shape analysis by canonical abstraction (TVLA; *Predicate and Canonical Abstraction*, sections
//! 2.2 and 5), generic in the instrumentation predicates.
//!
//! Read [`engine`] first: a worklist over [`System`]s, that is control points with actions between
//! them, where one step is focus, coerce, check, update, coerce, collect, blur. It knows nothing of
//! C or of lists; the operators are those of [`trellis_logic::kleene`].
//!
//! The rest makes systems of list programs:
//!
//! * [`core`](mod@core): the predicates that say what a list heap is, and what statements do to
//!   them
//! * [`predicates`]: instrumentation, behind the trait [`Instrumentation`]; the paper's
//!   [Table 3](predicates::table3) (the standard predicates of TVLA) and
//!   [Table 7](predicates::table7) (uninterrupted lists)
//! * [`initial`]: the heaps of some arguments; `start`: those that satisfy a precondition
//! * [`contract`]: postconditions and assertions as formulas about predicates
//! * [`compile`]: a procedure as a system
//! * [`analysis`]: all of it together; [`evidence`]: what was found as shapes, for a checker
//!
//! **Invariants**: what the compiler does not understand is refused with a reason; a formula of a
//! contract that cannot be translated is reported, never taken to hold. An
//! [`Alarm`](trellis_program::Alarm) is not a violation: it says that a check could not be proved.

pub mod analysis;
pub mod compile;
pub mod contract;
pub mod core;
pub mod engine;
pub mod evidence;
pub mod initial;
pub mod predicates;
mod start;

pub use analysis::{Analysis, Options, Way, analyse};
pub use engine::{Check, Collector, JoinPolicy, Limits, OnFailure, Run, System, Transition, run};
pub use predicates::{Instrumentation, Plain, Table3, Table7};
