//! The loop: ask the SAT solver, look for what its model violates, add that, ask again.
//!
//! **Invariants**: a conflict is one of the ground clauses alone, and these follow from the
//! assertions and definitions; so it is final. A model is given back only if no law of equality and
//! no active clause is violated. Each round adds a clause that was not there before, out of finitely
//! many.

use rustsat::types::Lit;
use trellis_logic::{SortId, Vocabulary};
use trellis_solver::{Limits, Unknown};

use crate::candidate::Candidate;
use crate::ground::Grounding;
use crate::sat::Found;
use crate::terms::Symbol;
use crate::{equality, violations};

/// What a query is about.
pub(crate) struct Query<'a> {
    pub(crate) vocabulary: &'a Vocabulary,
    /// The symbols of the assumptions, beside those of the assertions.
    pub(crate) symbols: &'a [Symbol],
    pub(crate) limits: &'a Limits,
    /// Give up when there are so many clauses.
    pub(crate) max_clauses: u64,
}

pub(crate) enum Outcome {
    Model(Candidate),
    /// The literals that cannot hold together.
    Conflict(Vec<Lit>),
    Unknown(Unknown),
}

impl Query<'_> {
    /// Whether the assertions have a model in which these literals hold.
    pub(crate) fn solve(&self, ground: &mut Grounding, lits: &[Lit]) -> Outcome {
        loop {
            ground.flush();
            if ground.sat.clauses() > self.max_clauses {
                return Outcome::Unknown(Unknown::Memory);
            }
            match ground.sat.solve(lits, self.limits) {
                Found::Conflict(core) => return Outcome::Conflict(core),
                Found::Stopped(why) => return Outcome::Unknown(why),
                Found::Model => {}
            }
            let mut candidate = Candidate::read(ground, self.vocabulary, self.symbols);
            if equality::repair(ground, &mut candidate) > 0 {
                continue;
            }
            let violated = match violations::find(ground, &mut candidate, self.limits) {
                Ok(violated) => violated,
                Err(why) => return Outcome::Unknown(why),
            };
            if violated.is_empty() {
                return Outcome::Model(candidate);
            }
            for (template, tuple) in violated {
                ground.instantiate(template, &tuple);
            }
        }
    }

    /// Gives every sort a term, in case no relevant one is left in it. Must come before
    /// [`Query::solve`], once for all searches with the same symbols.
    pub(crate) fn populate(&self, ground: &mut Grounding) {
        for sort in self.vocabulary.sorts().filter(|&s| s != SortId::INT) {
            let certain = |symbol: Symbol| {
                let info = ground.terms.symbol(symbol);
                (info.permanent && info.owner.is_none()) || self.symbols.contains(&symbol)
            };
            let terms = ground.terms.of_sort(sort);
            if !terms
                .iter()
                .any(|&t| ground.terms.args(t).is_empty() && certain(ground.terms.head(t)))
            {
                ground.terms.lonely(sort);
            }
        }
    }
}
