//! From formulas to universal parts: `\forall x, …; matrix` without quantifiers in the matrix.
//!
//! **Invariant**: every common model of the formulas, all sorts having elements, can be extended by
//! meanings of the new symbols so that all parts hold. (Conditional terms are moved out of atoms,
//! existential quantifiers get witnesses, conjunctions fall apart, and an element of each sort gets
//! a name.) The result is a function of the statement.

use trellis_logic::{
    Arena, Formula, FormulaId, FunId, Prenex, Quantifier, SortId, VarId, Vocabulary,
};

use crate::statement::Statement;
use crate::{Rejection, reject};

/// A universally quantified formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// The variables, all of which occur.
    pub vars: Vec<VarId>,
    /// The rest, in negation normal form.
    pub matrix: FormulaId,
}

/// The formulas of a statement as universal parts.
#[derive(Clone, Debug)]
pub struct Universal {
    /// The symbols of the statement, the witnesses, the named elements.
    pub vocabulary: Vocabulary,
    /// The parts, and whatever is made of them later.
    pub arena: Arena,
    /// By formula.
    pub parts: Vec<Vec<Part>>,
    /// The witnesses, in the order of the formulas.
    pub witnesses: Vec<FunId>,
    /// By sort but the integers: the name of an element.
    pub elements: Vec<(SortId, FunId)>,
}

impl Universal {
    /// The parts of the formulas of a statement.
    ///
    /// # Errors
    /// If a formula is not closed or not well sorted.
    pub fn new(statement: &Statement) -> Result<Universal, Rejection> {
        let mut vocabulary = statement.vocabulary.clone();
        let mut arena = statement.arena.clone();
        let (mut parts, mut witnesses) = (Vec::new(), Vec::new());
        for (number, &formula) in statement.formulas.iter().enumerate() {
            if let Err(error) = arena.check(&vocabulary, formula) {
                return reject(format!("formula {number}: {error}"));
            }
            if !arena.free_vars(formula).is_empty() {
                return reject(format!("formula {number} is not closed"));
            }
            let plain = arena.without_ites(formula);
            let prefix = arena.prenex_parts(plain).prefix;
            let formula = if prefix.iter().all(|(q, _)| *q == Quantifier::Forall) {
                arena.nnf(plain)
            } else {
                let skolemised = arena.skolemise(&vocabulary, plain);
                vocabulary = skolemised.vocabulary;
                witnesses.extend(skolemised.witnesses.iter().map(|w| w.fun));
                skolemised.formula
            };
            let mut conjuncts = Vec::new();
            split(&mut arena, formula, &mut conjuncts);
            let mut of_formula = Vec::with_capacity(conjuncts.len());
            for conjunct in conjuncts {
                let Prenex { prefix, matrix } = arena.prenex_parts(conjunct);
                let free = arena.free_vars(matrix);
                let vars = match &prefix[..] {
                    [] => Vec::new(),
                    [(Quantifier::Forall, vars)] => {
                        vars.iter().copied().filter(|v| free.contains(v)).collect()
                    }
                    _ => return reject(format!("formula {number} kept an existential quantifier")),
                };
                of_formula.push(Part { vars, matrix });
            }
            parts.push(of_formula);
        }
        let mut elements = Vec::new();
        for sort in vocabulary.sorts().filter(|&s| s != SortId::INT) {
            let name = vocabulary.fresh_name("any");
            elements.push((sort, vocabulary.constant(name, sort)));
        }
        Ok(Universal { vocabulary, arena, parts, witnesses, elements })
    }
}

/// The conjuncts of a formula, looking through universal quantifiers.
fn split(arena: &mut Arena, formula: FormulaId, conjuncts: &mut Vec<FormulaId>) {
    match arena.formula(formula).clone() {
        Formula::And(parts) => {
            for part in parts {
                split(arena, part, conjuncts);
            }
        }
        Formula::Quant(Quantifier::Forall, vars, body) => match arena.formula(body).clone() {
            Formula::And(parts) => {
                for part in parts {
                    let part = arena.forall(&vars, part);
                    split(arena, part, conjuncts);
                }
            }
            _ => conjuncts.push(formula),
        },
        _ => conjuncts.push(formula),
    }
}
