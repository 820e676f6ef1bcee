//! Rebuilding a formula bottom-up with other symbols, as [`crate::define`] does.
//!
//! **Invariant**: each distinct node is rebuilt once, so the cost follows the size of the graph and
//! not that of the tree.

use rustc_hash::FxHashMap;

use crate::arena::{Arena, Formula, Term};
use crate::ids::{FormulaId, FunId, RelId, TermId, VarId};

/// What becomes of the symbols; arguments have been rebuilt already.
pub(crate) trait Symbols {
    fn app(&mut self, arena: &mut Arena, fun: FunId, args: &[TermId]) -> TermId;
    fn rel(&mut self, arena: &mut Arena, rel: RelId, args: &[TermId]) -> FormulaId;

    /// Variables that the replacements bring in; binders of these are renamed.
    fn incoming(&self) -> &[VarId];
}

pub(crate) struct Rebuild<S> {
    symbols: S,
    terms: FxHashMap<TermId, TermId>,
    formulas: FxHashMap<FormulaId, FormulaId>,
}

impl<S: Symbols> Rebuild<S> {
    pub(crate) fn new(symbols: S) -> Self {
        Rebuild { symbols, terms: FxHashMap::default(), formulas: FxHashMap::default() }
    }

    pub(crate) fn term(&mut self, arena: &mut Arena, id: TermId) -> TermId {
        if let Some(&done) = self.terms.get(&id) {
            return done;
        }
        let result = match arena.term(id).clone() {
            Term::Var(_) | Term::Num(_) => id,
            Term::App(fun, args) => {
                let args = self.args(arena, &args);
                self.symbols.app(arena, fun, &args)
            }
            Term::Arith(op, a, b) => {
                let (a, b) = (self.term(arena, a), self.term(arena, b));
                arena.arith(op, a, b)
            }
            Term::Ite(c, a, b) => {
                let c = self.formula(arena, c);
                let (a, b) = (self.term(arena, a), self.term(arena, b));
                arena.ite(c, a, b)
            }
        };
        self.terms.insert(id, result);
        result
    }

    fn args(&mut self, arena: &mut Arena, args: &[TermId]) -> Vec<TermId> {
        args.iter().map(|&a| self.term(arena, a)).collect()
    }

    pub(crate) fn formula(&mut self, arena: &mut Arena, id: FormulaId) -> FormulaId {
        if let Some(&done) = self.formulas.get(&id) {
            return done;
        }
        let result = match arena.formula(id).clone() {
            Formula::True | Formula::False => id,
            Formula::Rel(rel, args) => {
                let args = self.args(arena, &args);
                self.symbols.rel(arena, rel, &args)
            }
            Formula::Eq(a, b) => {
                let (a, b) = (self.term(arena, a), self.term(arena, b));
                arena.eq(a, b)
            }
            Formula::Le(a, b) => {
                let (a, b) = (self.term(arena, a), self.term(arena, b));
                arena.le(a, b)
            }
            Formula::Lt(a, b) => {
                let (a, b) = (self.term(arena, a), self.term(arena, b));
                arena.lt(a, b)
            }
            Formula::Not(a) => {
                let a = self.formula(arena, a);
                arena.not(a)
            }
            Formula::And(parts) => {
                let parts: Vec<_> = parts.iter().map(|&p| self.formula(arena, p)).collect();
                arena.and(parts)
            }
            Formula::Or(parts) => {
                let parts: Vec<_> = parts.iter().map(|&p| self.formula(arena, p)).collect();
                arena.or(parts)
            }
            Formula::Implies(a, b) => {
                let (a, b) = (self.formula(arena, a), self.formula(arena, b));
                arena.implies(a, b)
            }
            Formula::Iff(a, b) => {
                let (a, b) = (self.formula(arena, a), self.formula(arena, b));
                arena.iff(a, b)
            }
            Formula::Quant(q, vars, body) => {
                let (vars, body) = arena.rename_binder(&vars, body, self.symbols.incoming());
                let body = self.formula(arena, body);
                arena.quant(q, &vars, body)
            }
        };
        self.formulas.insert(id, result);
        result
    }
}
