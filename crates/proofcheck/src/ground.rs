//! The ground formula of a proof: its instances and laws as clauses.
//!
//! **Invariant**: every clause comes from an instance of a part for ground terms of the sorts of its
//! variables, or from a law that holds in all structures.

use trellis_logic::{FormulaId, Subst, TermId};

use crate::cnf::Cnf;
use crate::equality;
use crate::proof::{Atom, Instance, Law, Proof};
use crate::universal::Universal;
use crate::{Rejection, reject};

/// The ground formula of a proof.
#[derive(Clone, Debug)]
pub struct Ground {
    /// The parts that were instantiated, and the arena of the instances.
    pub universal: Universal,
    /// The clauses.
    pub cnf: Cnf,
    /// By clause: what it was first needed for.
    pub sources: Vec<Source>,
}

/// What a clause says.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Source {
    /// It is part of the instance with this number.
    Instance(usize),
    /// It is the law with this number.
    Law(usize),
}

impl Ground {
    /// The clauses of the instances and laws of a proof. The steps are not looked at.
    ///
    /// # Errors
    /// If a term, an instance or a law is none.
    pub fn new(proof: &Proof) -> Result<Ground, Rejection> {
        let universal = Universal::new(&proof.statement)?;
        let mut ground = Ground { universal, cnf: Cnf::default(), sources: Vec::new() };
        let terms = ground.terms(proof)?;
        for (number, instance) in proof.instances.iter().enumerate() {
            let formula = ground
                .instance(instance, &terms)
                .map_err(|e| Rejection { reason: format!("instance {number}: {e}") })?;
            ground.cnf.add(&mut ground.universal.arena, formula)?;
            ground.sources.resize(ground.cnf.clauses.len(), Source::Instance(number));
        }
        for (number, law) in proof.laws.iter().enumerate() {
            ground
                .law(law, &terms)
                .map_err(|e| Rejection { reason: format!("law {number}: {e}") })?;
            ground.sources.resize(ground.cnf.clauses.len(), Source::Law(number));
        }
        Ok(ground)
    }

    /// The terms of the proof; their arguments have the right number and sorts.
    fn terms(&mut self, proof: &Proof) -> Result<Vec<TermId>, Rejection> {
        let Universal { arena, vocabulary, .. } = &mut self.universal;
        let mut terms: Vec<TermId> = Vec::with_capacity(proof.terms.len());
        for (number, term) in proof.terms.iter().enumerate() {
            let args = pick(&terms, &term.args)?;
            let made = arena.app(term.fun, &args);
            if let Err(error) = arena.check_term(vocabulary, made) {
                return reject(format!("term {number}: {error}"));
            }
            terms.push(made);
        }
        Ok(terms)
    }

    fn instance(&mut self, instance: &Instance, all: &[TermId]) -> Result<FormulaId, Rejection> {
        let Universal { arena, vocabulary, parts, .. } = &mut self.universal;
        let part = parts.get(instance.formula).and_then(|parts| parts.get(instance.part));
        let Some(part) = part else {
            return reject("there is no such part");
        };
        let terms = pick(all, &instance.terms)?;
        if terms.len() != part.vars.len() {
            return reject("not as many terms as variables");
        }
        for (&var, &term) in part.vars.iter().zip(&terms) {
            if arena.var(var).sort != arena.sort_of(vocabulary, term) {
                return reject(format!("a term of the wrong sort for `{}`", arena.var(var).name));
            }
        }
        let subst: Subst = part.vars.iter().copied().zip(terms).collect();
        Ok(arena.subst(part.matrix, &subst))
    }

    fn law(&mut self, law: &Law, all: &[TermId]) -> Result<(), Rejection> {
        let Universal { arena, vocabulary, .. } = &mut self.universal;
        let mut literals = Vec::with_capacity(law.literals.len());
        for (positive, atom) in &law.literals {
            let atom = match atom {
                Atom::Equal(a, b) => {
                    let sides = pick(all, &[*a, *b])?;
                    arena.eq(sides[0], sides[1])
                }
                Atom::Holds(rel, args) => arena.rel(*rel, &pick(all, args)?),
            };
            if let Err(error) = arena.check(vocabulary, atom) {
                return reject(error.to_string());
            }
            literals.push((*positive, atom));
        }
        if !equality::is_valid(arena, &literals) {
            return reject("not a law of equality");
        }
        let mut clause = Vec::with_capacity(literals.len());
        for (positive, atom) in literals {
            let number = self.cnf.literal(arena, atom)?;
            clause.push(if positive { number } else { -number });
        }
        self.cnf.clause(clause);
        Ok(())
    }
}

fn pick(terms: &[TermId], numbers: &[usize]) -> Result<Vec<TermId>, Rejection> {
    let pick = |&n: &usize| match terms.get(n) {
        Some(&term) => Ok(term),
        None => reject(format!("term {n} is not known yet")),
    };
    numbers.iter().map(pick).collect()
}
