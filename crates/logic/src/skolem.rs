//! Skolemisation: witnesses instead of existential quantifiers.
//!
//! **Invariants**: every model of the input extends to a model of the output (with suitable
//! witnesses), and every model of the output satisfies the input. The new vocabulary begins with
//! the old one. A witness depends on exactly those universal variables that occur in its
//! quantified formula; free variables of the whole are parameters, and nothing depends on them.

use rustc_hash::FxHashMap;

use crate::arena::{Arena, Formula, Quantifier};
use crate::ids::{FormulaId, FunId, VarId};
use crate::subst::Subst;
use crate::vocabulary::Vocabulary;

/// The witness of one existential variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Witness {
    /// The new symbol.
    pub fun: FunId,
    /// The variable it stands for.
    pub var: VarId,
    /// The universal variables it depends on, in the order of its arguments.
    pub depends_on: Vec<VarId>,
    /// The quantified formula (with earlier witnesses in place) that it makes true if anything
    /// does.
    pub witnesses: FormulaId,
}

/// The result of Skolemisation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Skolemised {
    /// The old vocabulary and the witnesses.
    pub vocabulary: Vocabulary,
    /// A formula in negation normal form without existential quantifiers.
    pub formula: FormulaId,
    /// The witnesses, outer ones before those that may depend on them.
    pub witnesses: Vec<Witness>,
}

impl Arena {
    /// Replaces existential quantifiers by new constants and functions.
    pub fn skolemise(&mut self, vocabulary: &Vocabulary, formula: FormulaId) -> Skolemised {
        let mut pass = Pass {
            vocabulary: vocabulary.clone(),
            parameters: self.free_vars(formula).to_vec(),
            witnesses: Vec::new(),
            memo: FxHashMap::default(),
        };
        let nnf = self.nnf(formula);
        let formula = pass.go(self, nnf);
        Skolemised { vocabulary: pass.vocabulary, formula, witnesses: pass.witnesses }
    }
}

struct Pass {
    vocabulary: Vocabulary,
    parameters: Vec<VarId>,
    witnesses: Vec<Witness>,
    /// Equal subformulas, which speak of equal variables, share their witnesses.
    memo: FxHashMap<FormulaId, FormulaId>,
}

impl Pass {
    fn go(&mut self, arena: &mut Arena, id: FormulaId) -> FormulaId {
        if let Some(&done) = self.memo.get(&id) {
            return done;
        }
        let result = match arena.formula(id).clone() {
            Formula::And(parts) => {
                let parts: Vec<_> = parts.iter().map(|&p| self.go(arena, p)).collect();
                arena.and(parts)
            }
            Formula::Or(parts) => {
                let parts: Vec<_> = parts.iter().map(|&p| self.go(arena, p)).collect();
                arena.or(parts)
            }
            Formula::Quant(Quantifier::Forall, vars, body) => {
                // A variable that is free in the whole must not be bound as well, or its two
                // meanings would be confused.
                let (vars, body) = arena.rename_binder(&vars, body, &self.parameters);
                let body = self.go(arena, body);
                arena.forall(&vars, body)
            }
            Formula::Quant(Quantifier::Exists, vars, body) => {
                let body = self.witness(arena, id, &vars, body);
                self.go(arena, body)
            }
            _ => id,
        };
        self.memo.insert(id, result);
        result
    }

    fn witness(
        &mut self,
        arena: &mut Arena,
        exists: FormulaId,
        vars: &[VarId],
        body: FormulaId,
    ) -> FormulaId {
        let free = arena.free_vars(exists);
        let depends_on: Vec<VarId> =
            free.iter().copied().filter(|v| !self.parameters.contains(v)).collect();
        let sorts: Vec<_> = depends_on.iter().map(|&v| arena.var(v).sort).collect();
        let args: Vec<_> = depends_on.iter().map(|&v| arena.var_term(v)).collect();
        let mut subst = Subst::new();
        for &var in vars {
            let name = self.vocabulary.fresh_name(&format!("sk_{}", arena.var(var).name));
            let fun = self.vocabulary.skolem(name, &sorts, arena.var(var).sort);
            subst.insert(var, arena.app(fun, &args));
            let depends_on = depends_on.clone();
            self.witnesses.push(Witness { fun, var, depends_on, witnesses: exists });
        }
        arena.subst(body, &subst)
    }
}
