//! Replacing symbols by their definitions: `R(x, y) := formula`, `f(x) := term`.
//!
//! This is how a program step is applied to a formula (*Property-Directed Shape Analysis*, Table 5:
//! `Q[.../x<f*>y]`). All definitions apply at once: a definition may mention the symbol it
//! replaces, and means the old one.

use std::collections::BTreeMap;

use crate::arena::Arena;
use crate::ids::{FormulaId, FunId, RelId, TermId, VarId};
use crate::rebuild::{Rebuild, Symbols};
use crate::subst::Subst;

/// Definitions of some symbols. Parameters are distinct; other free variables of a body are left
/// free, and are never captured.
#[derive(Clone, Default, Debug)]
pub struct Definitions {
    funs: BTreeMap<FunId, (Vec<VarId>, TermId)>,
    rels: BTreeMap<RelId, (Vec<VarId>, FormulaId)>,
}

impl Definitions {
    /// No definitions.
    pub fn new() -> Self {
        Self::default()
    }

    /// `fun(params) := body`.
    pub fn define_fun(&mut self, fun: FunId, params: &[VarId], body: TermId) {
        self.funs.insert(fun, (params.to_vec(), body));
    }

    /// `rel(params) := body`.
    pub fn define_rel(&mut self, rel: RelId, params: &[VarId], body: FormulaId) {
        self.rels.insert(rel, (params.to_vec(), body));
    }

    /// Takes over other definitions, in place of those of the same symbols.
    pub fn extend(&mut self, other: Definitions) {
        self.funs.extend(other.funs);
        self.rels.extend(other.rels);
    }

    /// These definitions with all bodies expanded by others.
    pub fn expanded(&self, arena: &mut Arena, by: &Definitions) -> Definitions {
        let funs = self.funs.iter();
        let funs = funs.map(|(f, (p, body))| (*f, (p.clone(), arena.expand_term(*body, by))));
        let funs = funs.collect();
        let rels = self.rels.iter();
        let rels = rels.map(|(r, (p, body))| (*r, (p.clone(), arena.expand(*body, by))));
        Definitions { funs, rels: rels.collect() }
    }
}

impl Arena {
    /// `formula` with every defined symbol replaced by its definition.
    pub fn expand(&mut self, formula: FormulaId, definitions: &Definitions) -> FormulaId {
        Rebuild::new(Expand::new(self, definitions)).formula(self, formula)
    }

    /// `term` with every defined symbol replaced by its definition.
    pub fn expand_term(&mut self, term: TermId, definitions: &Definitions) -> TermId {
        Rebuild::new(Expand::new(self, definitions)).term(self, term)
    }
}

struct Expand<'a> {
    definitions: &'a Definitions,
    incoming: Vec<VarId>,
}

impl<'a> Expand<'a> {
    fn new(arena: &Arena, definitions: &'a Definitions) -> Self {
        let mut incoming = Vec::new();
        for (params, body) in definitions.funs.values() {
            let free = arena.free_vars_of_term(*body);
            incoming.extend(free.iter().filter(|v| !params.contains(v)));
        }
        for (params, body) in definitions.rels.values() {
            let free = arena.free_vars(*body);
            incoming.extend(free.iter().filter(|v| !params.contains(v)));
        }
        Expand { definitions, incoming }
    }
}

impl Symbols for Expand<'_> {
    fn app(&mut self, arena: &mut Arena, fun: FunId, args: &[TermId]) -> TermId {
        match self.definitions.funs.get(&fun) {
            None => arena.app(fun, args),
            Some((params, body)) => {
                let subst = params.iter().copied().zip(args.iter().copied()).collect();
                arena.subst_term(*body, &subst)
            }
        }
    }

    fn rel(&mut self, arena: &mut Arena, rel: RelId, args: &[TermId]) -> FormulaId {
        match self.definitions.rels.get(&rel) {
            None => arena.rel(rel, args),
            Some((params, body)) => {
                let subst: Subst = params.iter().copied().zip(args.iter().copied()).collect();
                arena.subst(*body, &subst)
            }
        }
    }

    fn incoming(&self) -> &[VarId] {
        &self.incoming
    }
}
