//! Prenex form: all quantifiers in front, with as few alternations as the formula allows.
//!
//! Quantifiers of sibling subformulas are pulled out together, one kind at a time. Where the order
//! is free, existential quantifiers come first, so that a formula which can be ∃*∀* is.
//!
//! **Invariant**: the result is equivalent to the input (universes are never empty), its bound
//! variables have distinct names, and differ from the free ones.

use rustc_hash::FxHashMap;

use crate::arena::{Arena, Formula, Quantifier};
use crate::ids::{FormulaId, VarId};
use crate::subst::Subst;

/// A prenex formula in parts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Prenex {
    /// Blocks of variables, outermost first; neighbours have different quantifiers.
    pub prefix: Vec<(Quantifier, Vec<VarId>)>,
    /// The quantifier-free rest, in negation normal form.
    pub matrix: FormulaId,
}

impl Arena {
    /// The prenex form of a formula, as one formula.
    pub fn prenex(&mut self, formula: FormulaId) -> FormulaId {
        let Prenex { prefix, matrix } = self.prenex_parts(formula);
        prefix.iter().rev().fold(matrix, |body, (q, vars)| self.quant(*q, vars, body))
    }

    /// The prenex form of a formula, as prefix and matrix.
    pub fn prenex_parts(&mut self, formula: FormulaId) -> Prenex {
        let mut matrix = self.nnf(formula);
        let mut taken = self.free_vars(matrix).to_vec();
        let mut memo = FxHashMap::default();
        let forall_first = alternations(self, matrix, Quantifier::Forall, &mut memo);
        let exists_first = alternations(self, matrix, Quantifier::Exists, &mut memo);
        let mut phase = match forall_first < exists_first {
            true => Quantifier::Forall,
            false => Quantifier::Exists,
        };
        let mut prefix = Vec::new();
        while !self.is_quantifier_free(matrix) {
            let mut block = Vec::new();
            matrix = pull(self, matrix, phase, &mut taken, &mut block);
            if !block.is_empty() {
                prefix.push((phase, block));
            }
            phase = phase.dual();
        }
        Prenex { prefix, matrix }
    }
}

/// How often the quantifier must change if the prefix starts with `phase`.
fn alternations(
    arena: &Arena,
    id: FormulaId,
    phase: Quantifier,
    memo: &mut FxHashMap<(FormulaId, Quantifier), usize>,
) -> usize {
    if let Some(&done) = memo.get(&(id, phase)) {
        return done;
    }
    let result = match arena.formula(id) {
        Formula::And(parts) | Formula::Or(parts) => {
            parts.iter().map(|&p| alternations(arena, p, phase, memo)).max().unwrap_or(0)
        }
        Formula::Quant(q, _, body) => {
            usize::from(*q != phase) + alternations(arena, *body, *q, memo)
        }
        _ => 0,
    };
    memo.insert((id, phase), result);
    result
}

/// Moves into `block` every quantifier of kind `phase` that is under no other quantifier.
fn pull(
    arena: &mut Arena,
    id: FormulaId,
    phase: Quantifier,
    taken: &mut Vec<VarId>,
    block: &mut Vec<VarId>,
) -> FormulaId {
    match arena.formula(id).clone() {
        Formula::And(parts) => {
            let parts: Vec<_> =
                parts.iter().map(|&p| pull(arena, p, phase, taken, block)).collect();
            arena.and(parts)
        }
        Formula::Or(parts) => {
            let parts: Vec<_> =
                parts.iter().map(|&p| pull(arena, p, phase, taken, block)).collect();
            arena.or(parts)
        }
        Formula::Quant(q, vars, body) if q == phase => {
            let (vars, body) = arena.name_apart(&vars, body, taken);
            taken.extend_from_slice(&vars);
            block.extend_from_slice(&vars);
            pull(arena, body, phase, taken, block)
        }
        _ => id,
    }
}

impl Arena {
    /// The binder and its body with bound variables whose names none of `taken` bears.
    pub(crate) fn name_apart(
        &mut self,
        vars: &[VarId],
        body: FormulaId,
        taken: &[VarId],
    ) -> (Vec<VarId>, FormulaId) {
        let mut avoid = taken.to_vec();
        let mut renaming = Subst::new();
        let mut fresh = Vec::with_capacity(vars.len());
        for &v in vars {
            let new = self.variant(v, &avoid);
            avoid.push(new);
            fresh.push(new);
            if new != v {
                let new = self.var_term(new);
                renaming.insert(v, new);
            }
        }
        (fresh, self.subst(body, &renaming))
    }
}
