//! Three-valued structures, after Sagiv, Reps and Wilhelm's parametric shape analysis (reference
//! 23 of *Predicate and Canonical Abstraction*) and the system TVLA.
//!
//! A [`KleeneStructure`] describes a set of heaps: an individual stands for one object or, if it is
//! a *summary*, for one or more; a predicate holds of a tuple, does not, or [maybe](Kleene) does.
//! Which heaps is said by [embedding](embed). One file for one operator, its contract on top:
//!
//! | file | operator |
//! |---|---|
//! | [`eval`] | the value of a formula, by Kleene's rules; never wrong about what it is definite about |
//! | [`embed`] | whether one structure is represented by another |
//! | [`mod@blur`] | canonical abstraction: merges individuals that no abstraction predicate tells apart |
//! | [`mod@focus`] | partial concretisation: cases in which a formula is definite |
//! | [`mod@coerce`] | sharpens by constraints, or finds that a structure describes nothing |
//! | [`update`] | the effect of an action given by predicate-update formulas |
//! | [`remove`] | takes individuals out |
//! | [`join`] | one structure for two of the same individuals |
//! | [`canonical`] | equality up to renaming |
//! | [`draw`] | pictures, with summary nodes and dashed edges |
//!
//! The vocabulary is a table of [`Predicates`] of zero, one or two places, core or instrumentation.
//! Nothing here knows what a list is.
//!
//! Formulas have their own type, [`Formula`]: they range over predicates only, so they need no
//! sorts, terms or functions, and they have a transitive closure of any formula, which the
//! formulas of solvers do not have.

pub mod blur;
pub mod canonical;
pub mod coerce;
pub mod draw;
pub mod embed;
pub mod eval;
pub mod focus;
pub mod formula;
pub mod join;
pub mod predicates;
pub mod remove;
mod row;
pub mod structure;
pub mod update;
pub mod value;

pub use coerce::{Constraint, coerce, coerce_from};
pub use eval::Evaluator;
pub use focus::{FocusLimit, focus};
pub use formula::{Formula, Time, Var};
pub use predicates::{PredId, Predicate, Predicates, Property, Shown};
pub use structure::KleeneStructure;
pub use update::{Action, Update};
pub use value::Kleene;
