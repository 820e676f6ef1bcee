//! What is asked of a prover: whether claims follow from facts, and nothing else.
//!
//! A [`Solver`] holds a conversation, and tells models and cores. Many provers do neither: they read
//! a problem and say *theorem* or give up. Whoever needs only that, such as a certifier, asks
//! through [`Prover`], and every solver is one ([`BySolver`]).
//!
//! **Invariants.** Nothing is carried over from one question to the next. `Valid` and `Invalid` are
//! answers about all structures; whoever cannot tell says `Unknown`.

use trellis_logic::{FormulaId, Structure};

use crate::{Answer, Context, Limits, Solver, Unknown};

/// Whether closed formulas follow from others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Question<'a> {
    /// What is known. It may be contradictory, and then everything follows.
    pub facts: &'a [FormulaId],
    /// What is to follow: all of it.
    pub claims: &'a [FormulaId],
}

impl<'a> Question<'a> {
    /// Whether the facts are contradictory.
    pub fn contradiction(facts: &'a [FormulaId]) -> Question<'a> {
        Question { facts, claims: &[FormulaId::FALSE] }
    }

    /// That one of the claims is false: what has no model with the facts where they follow.
    pub fn denial(&self, context: &mut Context<'_>) -> FormulaId {
        let denied: Vec<FormulaId> = self.claims.iter().map(|&c| context.arena.not(c)).collect();
        context.arena.or(denied)
    }
}

/// What a prover says.
#[derive(Clone, PartialEq, Debug)]
pub enum Validity {
    /// The claims follow.
    Valid,
    /// They do not; with a structure, if the prover has one, in which the facts are true and a
    /// claim is false.
    Invalid(Option<Box<Structure>>),
    /// Not known.
    Unknown(Unknown),
}

/// Says what follows from what.
pub trait Prover {
    /// Its name in reports.
    fn name(&self) -> &str;

    /// Whether the claims follow from the facts.
    fn prove(
        &mut self,
        context: &mut Context<'_>,
        question: &Question<'_>,
        limits: &Limits,
    ) -> Validity;
}

/// Solvers as a prover: a new one a question, which is asserted the facts and that one of the claims
/// is false.
pub struct BySolver<F> {
    name: String,
    make: F,
}

impl<F: Fn() -> S, S: Solver> BySolver<F> {
    /// A prover of some name that asks what `make` makes.
    pub fn new(name: impl Into<String>, make: F) -> BySolver<F> {
        BySolver { name: name.into(), make }
    }
}

impl<F: Fn() -> S, S: Solver> Prover for BySolver<F> {
    fn name(&self) -> &str {
        &self.name
    }

    fn prove(
        &mut self,
        context: &mut Context<'_>,
        question: &Question<'_>,
        limits: &Limits,
    ) -> Validity {
        let mut solver = (self.make)();
        let denial = question.denial(context);
        let denial = Some(denial).filter(|d| *d != FormulaId::TRUE);
        for formula in question.facts.iter().copied().chain(denial) {
            if let Err(refusal) = solver.assert(context, formula) {
                return Validity::Unknown(Unknown::Refused(refusal));
            }
        }
        match solver.check(context, &[], limits) {
            Answer::Unsat => Validity::Valid,
            Answer::Unknown(why) => Validity::Unknown(why),
            Answer::Sat => {
                let limits = Limits { minimise_model: true, ..limits.clone() };
                Validity::Invalid(solver.model(context, &limits).ok().map(Box::new))
            }
        }
    }
}
