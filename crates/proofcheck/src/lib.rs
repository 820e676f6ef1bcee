//! Proofs that formulas have no common model, and a checker for them that knows no solver.
//!
//! A [`Proof`] is Herbrand's theorem made concrete: the formulas ([`Statement`]), ground instances
//! of their universal parts ([`Instance`]), laws of equality ([`Law`]), and a refutation of these
//! in propositional logic ([`Step`], the LRAT format restricted to unit propagation).
//!
//! **Invariant**: [`check`] accepts a proof only if the formulas have no common model in which
//! every sort has an element. The reasons, each checked in a module of its own:
//!
//! 1. If the formulas have a model, then with suitable witnesses so have their universal parts
//!    (`universal`).
//! 2. In that model every instance of a part for ground terms holds (`ground`), and so does every
//!    law (`equality`).
//! 3. So some assignment of truth values satisfies the clauses that say so (`cnf`), and every
//!    clause that follows from them; the empty clause is not among these (`lrat`).
//!
//! What is trusted: this crate, and of the crate `logic` the constructors of formulas,
//! substitution, and the transformations `without_ites`, `nnf`, `skolemise` and `prenex_parts`. The
//! solver that found the proof is not, and nothing of it is linked here. Functions are total.
//!
//! A proof can be kept as a directory of four text files, see [`files`].

mod cnf;
mod equality;
pub mod files;
mod ground;
mod lrat;
mod proof;
mod propositional;
mod read;
mod statement;
mod universal;
mod write;

use std::fmt;

pub use cnf::Cnf;
pub use ground::{Ground, Source};
pub use proof::{Atom, GroundTerm, Instance, Law, Proof, Step};
pub use statement::Statement;
pub use universal::{Part, Universal};

/// Why a proof is not accepted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rejection {
    /// What is wrong, and where.
    pub reason: String,
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl std::error::Error for Rejection {}

/// The error with this reason.
fn reject<T>(reason: impl Into<String>) -> Result<T, Rejection> {
    Err(Rejection { reason: reason.into() })
}

/// Checks that the formulas of a proof have no common model.
///
/// # Errors
/// If the proof does not show that; the error says where it fails.
pub fn check(proof: &Proof) -> Result<(), Rejection> {
    let ground = Ground::new(proof)?;
    lrat::check(&ground.cnf, &proof.steps)
}
