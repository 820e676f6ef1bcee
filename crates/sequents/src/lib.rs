//! Verification conditions of Java procedures in the logic of Jahob's annotations, as sequents
//! (*Symbolic Shape Analysis*, sections 3.1 and 6; Jahob's verification condition generator).
//!
//! A procedure without calls is cut at its loop heads. Every loop-free run between two cut points
//! gives demands, each a [`Sequent`] over the symbols of the procedure: fields are functions,
//! writes are functions that differ in one place, arrays are functions of an object and an index,
//! new objects are objects that did not exist. Whoever has invariants ([`Candidate`]s) asks for the
//! sequents that make them such, and asks provers.
//!
//! Where to read: [`conditions`] what must be shown, [`infer`] guesses about loops (`paths`: about
//! walks), [`execute`] how code becomes facts and demands, [`convert`] (with `reaching`) how
//! clauses of the user become formulas, [`defined`] what undefined parts of them mean, [`reduce`]
//! how sets and written functions disappear, [`signature`] what there is to speak of, [`sequent`]
//! how conditions are split, [`build`] how terms are made.
//!
//! **Invariants.** Code, formulas and checks that cannot be followed are refused with their place.
//! If all sequents are valid, no run of the machine fails a check: every value of the machine has
//! its place in the logic, types are invariants that are shown like all others, and an integer that
//! may overflow is any integer.

pub mod build;
pub mod conditions;
pub mod convert;
pub mod defined;
pub mod execute;
pub mod infer;
mod paths;
mod reaching;
pub mod reduce;
pub mod sequent;
pub mod signature;

pub use conditions::{Candidate, Conditions, Cut, What};
pub use execute::Demand;
pub use sequent::{Sequent, split};
pub use signature::Signature;
