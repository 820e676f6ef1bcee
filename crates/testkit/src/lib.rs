//! What the tests of several crates share. Only tests and benchmarks depend on it.
//!
//! * [`mod@generate`]: random C programs for the interpreter and the sanitizers, and the tape that
//!   random things are made from
//! * [`wide`]: random C programs over much more than lists
//! * [`families`]: programs by hand, and which engines must find them safe
//! * [`random`]: numbers at random
//! * [`lists`], [`reversal`]: questions about lists for solvers
//! * [`constructs`], [`clauses`], [`seen`]: the constructs of contracts and of heap programs by
//!   name, and which of them an engine follows
//! * [`solvers`]: solvers that must be there, and fakes
//!
//! The manifests of the benchmark suites, which the binary reads too, are in `trellis_suites`.
//!
//! **Invariant.** Everything random is a function of a seed or of bytes, so that a failure repeats.

pub mod clauses;
pub mod constructs;
pub mod families;
pub mod generate;
pub mod lists;
pub mod random;
pub mod reversal;
pub mod seen;
pub mod solvers;
pub mod wide;
