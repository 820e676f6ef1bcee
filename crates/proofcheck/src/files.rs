//! A proof as a directory of text files.
//!
//! - `proof.txt`: the statement, the instances and the laws, in the format below.
//! - `ground.cnf`: the ground formula in DIMACS; comments say what the variables mean.
//! - `proof.lrat`: its refutation in LRAT, with the clauses that propagate.
//! - `proof.drat`: the same steps in DRAT, for checkers that find these themselves.
//!
//! `proof.txt` is one line after the other. The first is `trellis-proof 1`; empty lines and those
//! that begin with `#` say nothing. Every other line declares something, and thereby gives it the
//! next number of its kind, or says something:
//!
//! ```text
//! sort "struct node *"        S1, S2, …; S0 are the integers
//! function "next" S1 S1       F0, F1, …: the sorts of the arguments and of the result
//! relation "p" S1 S1          R0, R1, …
//! variable "v" S1             V0, V1, …
//! term V0                     T0, T1, …; a variable
//! term F0 T0                  a function with its arguments
//! term ite A2 T0 T1
//! formula R0 T0 T1            A2, A3, …; A0 is true, A1 false
//! formula eq T0 T1
//! formula not A2              or and, or, implies, iff with their operands
//! formula forall A2 V0 V1     or exists; the body comes first
//! assert A3                   one of the formulas that have no common model
//! witness "sk_v" S1           the next F: what stands for an existential variable
//! element "any" S1            the next F: any element of a sort
//! ground F0 G0                G0, G1, …: a function applied to ground terms
//! instance 0 1 G0 G2          formula 0, its part 1, a term for each variable
//! law not eq G0 G1 | eq G2 G3 a disjunction that holds because equality is a congruence
//! ```
//!
//! The parts of a formula, the witnesses and the elements are computed by the checker from the
//! formulas (see [`Universal`](crate::Universal)); what the file says must agree.
//!
//! **Invariant**: a directory is accepted only if the proof is, and if the other files are exactly
//! what the proof gives: an outside checker that accepts the ground formula and its refutation has
//! checked the last of the three reasons in the crate's invariant.

use std::fs;
use std::path::Path;

use crate::ground::Ground;
use crate::proof::Proof;
use crate::statement::Statement;
use crate::{Rejection, check, propositional, read, reject, write};

/// The first line of `proof.txt`.
pub(crate) const HEADER: &str = "trellis-proof 1";

/// The text of the four files of a proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Files {
    /// `proof.txt`
    pub proof: String,
    /// `ground.cnf`
    pub cnf: String,
    /// `proof.lrat`
    pub lrat: String,
    /// `proof.drat`
    pub drat: String,
}

const NAMES: [&str; 4] = ["proof.txt", "ground.cnf", "proof.lrat", "proof.drat"];

impl Files {
    /// The files of a proof.
    ///
    /// # Errors
    /// If a term, an instance or a law of the proof is none.
    pub fn new(proof: &Proof) -> Result<Files, Rejection> {
        let ground = Ground::new(proof)?;
        Ok(Files {
            proof: write::proof(proof, &ground),
            cnf: write::dimacs(&ground),
            lrat: write::lrat(&proof.steps, ground.cnf.clauses.len()),
            drat: write::drat(&proof.steps),
        })
    }

    /// Checks the proof and that the files belong together; gives the proof.
    ///
    /// # Errors
    /// If a file is malformed, or the proof is wrong.
    pub fn check(&self) -> Result<Proof, Rejection> {
        let mut proof = read::proof(&self.proof).map_err(|e| within("proof.txt", e))?;
        let ground = Ground::new(&proof).map_err(|e| within("proof.txt", e))?;
        propositional::same_dimacs(&self.cnf, &ground.cnf).map_err(|e| within("ground.cnf", e))?;
        proof.steps = propositional::lrat(&self.lrat, ground.cnf.clauses.len())
            .map_err(|e| within("proof.lrat", e))?;
        check(&proof).map_err(|e| within("proof.lrat", e))?;
        if self.drat != write::drat(&proof.steps) {
            return reject("proof.drat has other steps than proof.lrat");
        }
        Ok(proof)
    }
}

fn within(file: &str, error: Rejection) -> Rejection {
    Rejection { reason: format!("{file}: {error}") }
}

/// Writes a proof into a directory, which is made if it is not there.
///
/// # Errors
/// If a file cannot be written, or a term, an instance or a law of the proof is none.
pub fn write_directory(proof: &Proof, directory: &Path) -> Result<(), Rejection> {
    let Files { proof, cnf, lrat, drat } = Files::new(proof)?;
    let failed = |path: &Path, error: std::io::Error| Rejection {
        reason: format!("cannot write {}: {error}", path.display()),
    };
    fs::create_dir_all(directory).map_err(|e| failed(directory, e))?;
    for (name, text) in NAMES.iter().zip([proof, cnf, lrat, drat]) {
        let path = directory.join(name);
        fs::write(&path, text).map_err(|e| failed(&path, e))?;
    }
    Ok(())
}

/// Checks the proof in a directory; gives what it proves: that these formulas have no common model.
/// Whether these are the formulas in question can be seen by comparing [`Statement::text`].
///
/// # Errors
/// If a file is missing or malformed, or the proof is wrong.
pub fn check_directory(directory: &Path) -> Result<Statement, Rejection> {
    let mut texts = Vec::with_capacity(NAMES.len());
    for name in NAMES {
        let path = directory.join(name);
        texts.push(fs::read_to_string(&path).map_err(|error| Rejection {
            reason: format!("cannot read {}: {error}", path.display()),
        })?);
    }
    let [proof, cnf, lrat, drat]: [String; 4] = texts.try_into().expect("four names, four texts");
    Ok(Files { proof, cnf, lrat, drat }.check()?.statement)
}
