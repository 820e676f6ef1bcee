//! What a proof consists of.
//!
//! **Invariant**: numbers of terms refer to [`Proof::terms`], and a term's arguments come before
//! it. Symbols are those of [`Universal::vocabulary`](crate::Universal). All of this is checked, not
//! assumed.

use trellis_logic::{FunId, RelId};

use crate::statement::Statement;

/// A proof that the formulas of its statement have no common model.
#[derive(Clone, Debug)]
pub struct Proof {
    /// What is proved.
    pub statement: Statement,
    /// The ground terms in use.
    pub terms: Vec<GroundTerm>,
    /// The instances in use.
    pub instances: Vec<Instance>,
    /// The laws of equality in use.
    pub laws: Vec<Law>,
    /// The refutation, ending with the empty clause.
    pub steps: Vec<Step>,
}

/// A function applied to ground terms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GroundTerm {
    /// The function.
    pub fun: FunId,
    /// The numbers of the arguments.
    pub args: Vec<usize>,
}

/// A universal part of a formula, for certain terms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Instance {
    /// The number of the formula.
    pub formula: usize,
    /// The number of the part of the formula.
    pub part: usize,
    /// For each variable of the part the number of a term.
    pub terms: Vec<usize>,
}

/// An atom about ground terms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Atom {
    /// Two terms are equal.
    Equal(usize, usize),
    /// A relation holds of terms.
    Holds(RelId, Vec<usize>),
}

/// A disjunction that holds because equality is a congruence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Law {
    /// The atoms, each with whether it is asserted (`true`) or denied.
    pub literals: Vec<(bool, Atom)>,
}

/// A clause that follows by unit propagation. The clauses of the ground formula have the numbers
/// from 1 on, and the steps the following ones.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// Literals as in DIMACS.
    pub clause: Vec<i32>,
    /// The numbers of the clauses that propagate, in this order; the last is in conflict.
    pub hints: Vec<usize>,
}
