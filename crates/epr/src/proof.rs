//! Proofs of unsat answers, for the independent checker in the crate `proofcheck`.
//!
//! A proof is made on request, by a run of its own: the formulas are brought into the universal
//! parts that the checker will see, the solver runs on these with a log of the instances and laws
//! that it uses (`log`), these become a ground formula, which a SAT solver refutes with a record of
//! what it learns (`refute`), which is turned into steps with reasons (`elaborate`). What the
//! refutation did not need is dropped, and all is done once more with the rest. So a solver that is
//! never asked for a proof does nothing for it.
//!
//! **Invariant**: a proof that is given back was checked. That nothing is given back for an unsat
//! answer would be a defect of this module or of the solver, and is reported as such.

mod assemble;
mod elaborate;
pub(crate) mod log;
mod refute;

use std::collections::BTreeSet;

use trellis_logic::FormulaId;
use trellis_proofcheck::{Proof, Rejection, Source, Statement, Universal, check};
use trellis_solver::{Context, Limits, Unknown};

use crate::EprSolver;
use crate::check::{Outcome, Query};
use crate::clausify::{Clausify, Witnesses};
use crate::ground::Grounding;
use assemble::Used;

/// How often at most a ground formula is refuted in the hope that less of it is needed.
const ROUNDS: usize = 4;

/// A proof, and what it is about.
#[derive(Clone, Debug)]
pub struct Proved {
    /// Those of the formulas that the proof needs, in the order of the proof's statement.
    pub formulas: Vec<FormulaId>,
    /// The proof.
    pub proof: Proof,
}

impl EprSolver {
    /// A proof that the assertions and these assumptions have no common model. It is meant to be
    /// asked for after an unsat answer, with the assumptions of the core.
    ///
    /// # Errors
    /// If there is a model, or the limits were exceeded.
    pub fn proof(
        &self,
        context: &Context<'_>,
        assumptions: &[FormulaId],
        limits: &Limits,
    ) -> Result<Proved, Unknown> {
        let formulas: Vec<FormulaId> =
            self.assertions().iter().chain(assumptions).copied().collect();
        prove_unsat(context, &formulas, limits)
    }
}

/// A proof that closed formulas of EPR have no common model.
///
/// # Errors
/// If there is a model, or the limits were exceeded.
pub fn prove_unsat(
    context: &Context<'_>,
    formulas: &[FormulaId],
    limits: &Limits,
) -> Result<Proved, Unknown> {
    let mut formulas = formulas.to_vec();
    loop {
        let proof = Attempt { context, formulas: &formulas, limits }.run()?;
        let used: BTreeSet<usize> = proof.instances.iter().map(|i| i.formula).collect();
        if used.len() == formulas.len() {
            check(&proof).map_err(defect)?;
            return Ok(Proved { formulas, proof });
        }
        formulas = used.into_iter().map(|i| formulas[i]).collect();
    }
}

/// One run on some formulas.
struct Attempt<'a> {
    context: &'a Context<'a>,
    formulas: &'a [FormulaId],
    limits: &'a Limits,
}

impl Attempt<'_> {
    fn run(&self) -> Result<Proof, Unknown> {
        let Context { vocabulary, arena } = self.context;
        let statement = Statement::copy(vocabulary, arena, self.formulas).map_err(defect)?;
        let universal = Universal::new(&statement).map_err(defect)?;
        let mut used = self.used(&universal)?;
        let mut proof = used.assemble(&statement);
        for round in 1.. {
            let ground = trellis_proofcheck::Ground::new(&proof).map_err(defect)?;
            let learnt = refute::learnt_clauses(&ground.cnf, self.limits)?;
            let refutation = elaborate::steps(&ground.cnf.clauses, &learnt)
                .ok_or_else(|| no_proof("a learnt clause does not follow by propagation"))?;
            let sources: BTreeSet<Source> =
                refutation.clauses.iter().map(|&c| ground.sources[c]).collect();
            proof.steps = refutation.steps;
            if round == ROUNDS || sources.len() == proof.instances.len() + proof.laws.len() {
                break;
            }
            used.keep(&sources);
            proof = used.assemble(&statement);
        }
        Ok(proof)
    }

    /// What a run of the solver on the universal parts uses.
    fn used(&self, universal: &Universal) -> Result<Used, Unknown> {
        let mut arena = universal.arena.clone();
        let mut ground = Grounding::new(0);
        ground.log = Some(Box::default());
        let mut names = Vec::new();
        for (formula, parts) in universal.parts.iter().enumerate() {
            for (number, part) in parts.iter().enumerate() {
                let closed = arena.forall(&part.vars, part.matrix);
                if let Some(log) = &mut ground.log {
                    log.part = names.len();
                }
                names.push((formula, number));
                let (vocabulary, witnesses) = (&universal.vocabulary, Witnesses::Fresh);
                Clausify::new(&arena, vocabulary, &mut ground, witnesses).assert(closed);
            }
        }
        let vocabulary = &universal.vocabulary;
        let query = Query { vocabulary, symbols: &[], limits: self.limits, max_clauses: u64::MAX };
        query.populate(&mut ground);
        match query.solve(&mut ground, &[]) {
            Outcome::Conflict(_) => {}
            Outcome::Unknown(why) => return Err(why),
            Outcome::Model(_) => return Err(no_proof("the formulas have a model")),
        }
        let log = ground.log.take().unwrap_or_default();
        Ok(Used::new(&log, &ground, universal, &names))
    }
}

fn defect(rejection: Rejection) -> Unknown {
    no_proof(&rejection.reason)
}

fn no_proof(why: &str) -> Unknown {
    Unknown::Incomplete(format!("no proof: {why}"))
}
