//! From ground formulas in negation normal form to clauses.
//!
//! A conjunction below a disjunction, and a disjunction below that, gets a name that implies it
//! (Plaisted and Greenbaum 1986). Variables are numbered from 1 in the order of their first use,
//! equal subformulas share theirs; the result is a function of the formulas and their order.
//!
//! **Invariant**: an assignment to the atoms that makes all added formulas true extends to one that
//! makes all clauses true: give every name the truth value of what it names.

use std::collections::HashMap;

use trellis_logic::{Arena, Formula, FormulaId};

use crate::{Rejection, reject};

/// Clauses in the numbers of DIMACS, and what the numbers mean.
#[derive(Clone, Debug, Default)]
pub struct Cnf {
    /// The clauses; no literal twice in one, and none beside its negation.
    pub clauses: Vec<Vec<i32>>,
    /// By variable, from 1 on: the atom, or the formula that it is the name of.
    pub meanings: Vec<FormulaId>,
    numbers: HashMap<FormulaId, i32>,
}

impl Cnf {
    /// Says that a formula holds.
    pub(crate) fn add(&mut self, arena: &mut Arena, formula: FormulaId) -> Result<(), Rejection> {
        match arena.formula(formula).clone() {
            Formula::True => {}
            Formula::False => self.clause(Vec::new()),
            Formula::And(parts) => {
                for part in parts {
                    self.add(arena, part)?;
                }
            }
            _ => {
                let clause = self.disjunction(arena, formula)?;
                self.clause(clause);
            }
        }
        Ok(())
    }

    /// The literals of a disjunction's operands, or of the formula itself if it is none.
    fn disjunction(
        &mut self,
        arena: &mut Arena,
        formula: FormulaId,
    ) -> Result<Vec<i32>, Rejection> {
        match arena.formula(formula).clone() {
            Formula::Or(parts) => parts.iter().map(|&p| self.literal(arena, p)).collect(),
            _ => Ok(vec![self.literal(arena, formula)?]),
        }
    }

    /// A literal that implies the formula.
    pub(crate) fn literal(
        &mut self,
        arena: &mut Arena,
        formula: FormulaId,
    ) -> Result<i32, Rejection> {
        match arena.formula(formula).clone() {
            Formula::Rel(..) => Ok(self.number(formula).0),
            Formula::Eq(a, b) => {
                let key = arena.eq(a.min(b), a.max(b));
                Ok(self.number(key).0)
            }
            Formula::Not(atom) => match arena.formula(atom) {
                Formula::Rel(..) | Formula::Eq(..) => Ok(-self.literal(arena, atom)?),
                _ => reject("an instance is not in negation normal form"),
            },
            Formula::And(parts) | Formula::Or(parts) => {
                let (name, new) = self.number(formula);
                if new && matches!(arena.formula(formula), Formula::And(_)) {
                    for part in parts {
                        let mut clause = self.disjunction(arena, part)?;
                        clause.push(-name);
                        self.clause(clause);
                    }
                } else if new {
                    let mut clause = self.disjunction(arena, formula)?;
                    clause.push(-name);
                    self.clause(clause);
                }
                Ok(name)
            }
            _ => reject("an instance is not in negation normal form"),
        }
    }

    /// The variable of an atom or named formula, and whether it is new.
    fn number(&mut self, formula: FormulaId) -> (i32, bool) {
        let next = self.meanings.len() as i32 + 1;
        let number = *self.numbers.entry(formula).or_insert(next);
        if number == next {
            self.meanings.push(formula);
        }
        (number, number == next)
    }

    /// Adds a clause, unless it always holds.
    pub(crate) fn clause(&mut self, mut literals: Vec<i32>) {
        literals.sort_unstable_by_key(|l| (l.abs(), *l));
        literals.dedup();
        if literals.windows(2).all(|pair| pair[0] != -pair[1]) {
            self.clauses.push(literals);
        }
    }
}
