//! Renaming of bound variables: a normal form, and variables named apart.
//!
//! **Invariant**: only bound variables change, so the formula keeps its meaning. Two formulas that
//! differ only in the names of bound variables have the same normal form, that is the same id.

use crate::arena::{Arena, Formula, Term};
use crate::ids::{FormulaId, TermId, VarId};
use crate::subst::Subst;

impl Arena {
    /// The same formula with bound variables named by their nesting depth: `v0`, `v1`, ….
    pub fn alpha_normal(&mut self, formula: FormulaId) -> FormulaId {
        let free = self.free_vars(formula).to_vec();
        Alpha { free }.formula(self, formula, 0)
    }
}

struct Alpha {
    /// Free variables of the whole, whose names must not be taken.
    free: Vec<VarId>,
}

impl Alpha {
    fn term(&self, arena: &mut Arena, id: TermId, depth: usize) -> TermId {
        match arena.term(id).clone() {
            Term::Var(_) | Term::Num(_) => id,
            Term::App(fun, args) => {
                let args: Vec<_> = args.iter().map(|&a| self.term(arena, a, depth)).collect();
                arena.app(fun, &args)
            }
            Term::Arith(op, a, b) => {
                let (a, b) = (self.term(arena, a, depth), self.term(arena, b, depth));
                arena.arith(op, a, b)
            }
            Term::Ite(c, a, b) => {
                let c = self.formula(arena, c, depth);
                let (a, b) = (self.term(arena, a, depth), self.term(arena, b, depth));
                arena.ite(c, a, b)
            }
        }
    }

    fn formula(&self, arena: &mut Arena, id: FormulaId, depth: usize) -> FormulaId {
        match arena.formula(id).clone() {
            Formula::True | Formula::False => id,
            Formula::Rel(rel, args) => {
                let args: Vec<_> = args.iter().map(|&a| self.term(arena, a, depth)).collect();
                arena.rel(rel, &args)
            }
            Formula::Eq(a, b) => {
                let (a, b) = (self.term(arena, a, depth), self.term(arena, b, depth));
                arena.eq(a, b)
            }
            Formula::Le(a, b) => {
                let (a, b) = (self.term(arena, a, depth), self.term(arena, b, depth));
                arena.le(a, b)
            }
            Formula::Lt(a, b) => {
                let (a, b) = (self.term(arena, a, depth), self.term(arena, b, depth));
                arena.lt(a, b)
            }
            Formula::Not(a) => {
                let a = self.formula(arena, a, depth);
                arena.not(a)
            }
            Formula::And(parts) => {
                let parts: Vec<_> = parts.iter().map(|&p| self.formula(arena, p, depth)).collect();
                arena.and(parts)
            }
            Formula::Or(parts) => {
                let parts: Vec<_> = parts.iter().map(|&p| self.formula(arena, p, depth)).collect();
                arena.or(parts)
            }
            Formula::Implies(a, b) => {
                let (a, b) = (self.formula(arena, a, depth), self.formula(arena, b, depth));
                arena.implies(a, b)
            }
            Formula::Iff(a, b) => {
                let (a, b) = (self.formula(arena, a, depth), self.formula(arena, b, depth));
                arena.iff(a, b)
            }
            Formula::Quant(q, vars, body) => {
                let fresh: Vec<VarId> = vars
                    .iter()
                    .enumerate()
                    .map(|(i, &v)| {
                        let sort = arena.var(v).sort;
                        let named = arena.variable(format!("v{}", depth + i), sort);
                        arena.variant(named, &self.free)
                    })
                    .collect();
                let renaming: Subst = vars
                    .iter()
                    .zip(&fresh)
                    .map(|(&old, &new)| (old, arena.var_term(new)))
                    .collect();
                let body = arena.subst(body, &renaming);
                let body = self.formula(arena, body, depth + vars.len());
                arena.quant(q, &fresh, body)
            }
        }
    }
}
