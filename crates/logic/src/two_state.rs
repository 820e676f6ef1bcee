//! Two-state vocabularies by priming: `h` before a step, `h'` after it.
//!
//! **Invariant**: a two-state vocabulary begins with the one-state vocabulary it was made from, so
//! a one-state formula *is* the two-state formula about the pre-state, with the same ids. Every
//! mutable symbol has exactly one primed twin; the closure of a field has the closure of the primed
//! field as its twin. Rigid symbols are their own twins.

use crate::arena::Arena;
use crate::ids::{FormulaId, FunId, RelId, TermId};
use crate::rebuild::{Rebuild, Symbols};
use crate::vocabulary::{RelKind, Vocabulary};

impl Vocabulary {
    /// This vocabulary together with a primed twin of every mutable symbol. A vocabulary that is
    /// two-state already is returned as it is.
    pub fn two_state(&self) -> Vocabulary {
        let mut double = self.clone();
        if self.two_state {
            return double;
        }
        double.two_state = true;
        for id in self.funs().filter(|&f| self.fun(f).mutable) {
            let mut twin = self.fun(id).clone();
            twin.name.push('\'');
            twin.primed = true;
            twin.twin = Some(id);
            double.funs[id.index()].twin = Some(FunId(double.funs.len() as u32));
            double.funs.push(twin);
        }
        for id in self.rels().filter(|&r| self.rel(r).mutable) {
            let mut twin = self.rel(id).clone();
            match &mut twin.kind {
                // Printed with its field, `reach(next', x, y)`, so the name itself stays.
                RelKind::Closure { field } | RelKind::Between { field } => {
                    *field = double.prime_fun(*field);
                }
                RelKind::Plain | RelKind::Order => twin.name.push('\''),
            }
            twin.primed = true;
            twin.twin = Some(id);
            double.rels[id.index()].twin = Some(RelId(double.rels.len() as u32));
            double.rels.push(twin);
        }
        double
    }

    /// Whether [`Vocabulary::two_state`] made this vocabulary.
    pub fn is_two_state(&self) -> bool {
        self.two_state
    }

    /// The post-state twin of a function symbol; itself if it is rigid or primed.
    pub fn prime_fun(&self, id: FunId) -> FunId {
        let fun = self.fun(id);
        if fun.primed { id } else { fun.twin.unwrap_or(id) }
    }

    /// The pre-state twin of a function symbol; itself if it is rigid or unprimed.
    pub fn unprime_fun(&self, id: FunId) -> FunId {
        let fun = self.fun(id);
        if fun.primed { fun.twin.unwrap_or(id) } else { id }
    }

    /// The post-state twin of a relation symbol; itself if it is rigid or primed.
    pub fn prime_rel(&self, id: RelId) -> RelId {
        let rel = self.rel(id);
        if rel.primed { id } else { rel.twin.unwrap_or(id) }
    }

    /// The pre-state twin of a relation symbol; itself if it is rigid or unprimed.
    pub fn unprime_rel(&self, id: RelId) -> RelId {
        let rel = self.rel(id);
        if rel.primed { rel.twin.unwrap_or(id) } else { id }
    }
}

impl Arena {
    /// The same statement about the post-state. `vocabulary` is a two-state one.
    pub fn prime(&mut self, vocabulary: &Vocabulary, formula: FormulaId) -> FormulaId {
        Rebuild::new(Twins { vocabulary, prime: true }).formula(self, formula)
    }

    /// The same statement about the pre-state. `vocabulary` is a two-state one.
    pub fn unprime(&mut self, vocabulary: &Vocabulary, formula: FormulaId) -> FormulaId {
        Rebuild::new(Twins { vocabulary, prime: false }).formula(self, formula)
    }

    /// The same term in the post-state. `vocabulary` is a two-state one.
    pub fn prime_term(&mut self, vocabulary: &Vocabulary, term: TermId) -> TermId {
        Rebuild::new(Twins { vocabulary, prime: true }).term(self, term)
    }

    /// The same term in the pre-state. `vocabulary` is a two-state one.
    pub fn unprime_term(&mut self, vocabulary: &Vocabulary, term: TermId) -> TermId {
        Rebuild::new(Twins { vocabulary, prime: false }).term(self, term)
    }
}

struct Twins<'a> {
    vocabulary: &'a Vocabulary,
    prime: bool,
}

impl Symbols for Twins<'_> {
    fn app(&mut self, arena: &mut Arena, fun: FunId, args: &[TermId]) -> TermId {
        let twin = match self.prime {
            true => self.vocabulary.prime_fun(fun),
            false => self.vocabulary.unprime_fun(fun),
        };
        arena.app(twin, args)
    }

    fn rel(&mut self, arena: &mut Arena, rel: RelId, args: &[TermId]) -> FormulaId {
        let twin = match self.prime {
            true => self.vocabulary.prime_rel(rel),
            false => self.vocabulary.unprime_rel(rel),
        };
        arena.rel(twin, args)
    }
}
