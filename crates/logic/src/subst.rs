//! Substitution of terms for free variables, all at once and without capture.
//!
//! **Invariant** (the substitution lemma): `f[x := t]` holds under an assignment exactly if `f`
//! holds under the assignment that gives x the value of t.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::arena::{Arena, Formula, Term};
use crate::ids::{FormulaId, TermId, VarId};

/// A simultaneous substitution of terms for variables.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Subst {
    map: BTreeMap<VarId, TermId>,
}

impl Subst {
    /// The substitution that changes nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// One that replaces a single variable.
    pub fn single(var: VarId, term: TermId) -> Self {
        Subst::from_iter([(var, term)])
    }

    /// Also replaces `var`, instead of what was said about it before.
    pub fn insert(&mut self, var: VarId, term: TermId) {
        self.map.insert(var, term);
    }

    /// What replaces a variable.
    pub fn get(&self, var: VarId) -> Option<TermId> {
        self.map.get(&var).copied()
    }

    /// Only what matters for the given free variables; `None` if nothing does.
    fn restrict(&self, free: &[VarId]) -> Option<Subst> {
        let map: BTreeMap<_, _> =
            free.iter().filter_map(|v| self.map.get(v).map(|t| (*v, *t))).collect();
        if map.is_empty() { None } else { Some(Subst { map }) }
    }
}

impl FromIterator<(VarId, TermId)> for Subst {
    fn from_iter<I: IntoIterator<Item = (VarId, TermId)>>(pairs: I) -> Self {
        Subst { map: pairs.into_iter().collect() }
    }
}

impl Arena {
    /// `formula` with terms for its free variables; bound variables are renamed where a term would
    /// be captured.
    pub fn subst(&mut self, formula: FormulaId, subst: &Subst) -> FormulaId {
        Pass::new(subst).formula(self, formula)
    }

    /// `term` with terms for its free variables.
    pub fn subst_term(&mut self, term: TermId, subst: &Subst) -> TermId {
        Pass::new(subst).term(self, term)
    }

    /// The binder and its body with other bound variables where one of `avoid` is bound, or where a
    /// variable of the body has the name of the new one.
    pub(crate) fn rename_binder(
        &mut self,
        vars: &[VarId],
        body: FormulaId,
        avoid: &[VarId],
    ) -> (Vec<VarId>, FormulaId) {
        if !vars.iter().any(|v| avoid.contains(v)) {
            return (vars.to_vec(), body);
        }
        let mut taken = avoid.to_vec();
        taken.extend_from_slice(self.free_vars(body));
        taken.extend_from_slice(vars);
        let mut renamed = Vec::with_capacity(vars.len());
        let mut renaming = Subst::new();
        for &v in vars {
            if avoid.contains(&v) {
                let fresh = self.variant(v, &taken);
                taken.push(fresh);
                renamed.push(fresh);
                let fresh = self.var_term(fresh);
                renaming.insert(v, fresh);
            } else {
                renamed.push(v);
            }
        }
        (renamed, self.subst(body, &renaming))
    }
}

/// One substitution at work; a binder that shadows or must be renamed starts another.
struct Pass<'a> {
    subst: &'a Subst,
    terms: FxHashMap<TermId, TermId>,
    formulas: FxHashMap<FormulaId, FormulaId>,
}

impl<'a> Pass<'a> {
    fn new(subst: &'a Subst) -> Self {
        Pass { subst, terms: FxHashMap::default(), formulas: FxHashMap::default() }
    }

    fn touches(&self, free: &[VarId]) -> bool {
        free.iter().any(|v| self.subst.map.contains_key(v))
    }

    fn term(&mut self, arena: &mut Arena, id: TermId) -> TermId {
        if !self.touches(arena.free_vars_of_term(id)) {
            return id;
        }
        if let Some(&done) = self.terms.get(&id) {
            return done;
        }
        let result = match arena.term(id).clone() {
            Term::Var(v) => self.subst.get(v).unwrap_or(id),
            Term::Num(_) => id,
            Term::App(fun, args) => {
                let args: Vec<_> = args.iter().map(|&a| self.term(arena, a)).collect();
                arena.app(fun, &args)
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

    fn formula(&mut self, arena: &mut Arena, id: FormulaId) -> FormulaId {
        if !self.touches(arena.free_vars(id)) {
            return id;
        }
        if let Some(&done) = self.formulas.get(&id) {
            return done;
        }
        let result = match arena.formula(id).clone() {
            Formula::True | Formula::False => id,
            Formula::Rel(rel, args) => {
                let args: Vec<_> = args.iter().map(|&a| self.term(arena, a)).collect();
                arena.rel(rel, &args)
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
                // `touches` saw a free variable of the whole node, so something remains.
                let Some(inner) = self.subst.restrict(arena.free_vars(id)) else {
                    return id;
                };
                let mut incoming = Vec::new();
                for &t in inner.map.values() {
                    incoming.extend_from_slice(arena.free_vars_of_term(t));
                }
                let (vars, body) = arena.rename_binder(&vars, body, &incoming);
                let body = Pass::new(&inner).formula(arena, body);
                arena.quant(q, &vars, body)
            }
        };
        self.formulas.insert(id, result);
        result
    }
}
