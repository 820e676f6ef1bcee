//! Families of predicates: the language of invariants in *Property-Directed Shape Analysis* (Tables
//! 1 and 3).
//!
//! An engine that looks for invariants as combinations of given formulas takes the formulas from
//! here; how it combines them is its own affair.
//!
//! * [`families`]: what families there are, and how the user names them
//! * [`mod@instantiate`]: the predicates of a family over the variables of a location
//! * [`need`]: which family to take in, given how a trace ends that the predicates do not exclude
//!
//! **Invariant.** A predicate is a Boolean combination of closed universal formulas over the
//! symbols of a state, so that it and its negation can both be assumed and asked for.

pub mod families;
pub mod instantiate;
pub mod need;

pub use families::{Families, Family, Selection};
pub use instantiate::instantiate;
pub use need::Need;
