//! Connectives and atoms that keep what is undefined undefined.
//!
//! The constructors of [`Arena`] simplify `t == t` and `f || !f` to true, which is right for total
//! functions only: a contract says that `h->next == h->next` is undefined where `h` is null. Here
//! such a formula becomes another one that is as true and as undefined:
//!
//! * `t == t` becomes `reach(f, t, t)` for some field `f`, or `t == t + 0`
//! * `f && !f` becomes `f <==> !f`, and `f || !f` its negation

use trellis_logic::{Arena, Formula, FormulaId, SortId, Term, TermId};

use super::vocabulary::ProgramVocabulary;

/// Builds formulas of one vocabulary.
pub(super) struct Exact<'a> {
    pub(super) arena: &'a mut Arena,
    pub(super) vocabulary: &'a ProgramVocabulary,
}

impl Exact<'_> {
    /// Whether a term has a value in every structure and under every assignment.
    pub(super) fn is_sure(&self, term: TermId) -> bool {
        match self.arena.term(term) {
            Term::Var(_) | Term::Num(_) => true,
            Term::App(fun, args) => args.is_empty() && self.vocabulary.sure.contains(fun),
            Term::Arith(..) | Term::Ite(..) => false,
        }
    }

    /// True where the term is defined, else undefined.
    pub(super) fn defined(&mut self, term: TermId) -> FormulaId {
        if self.is_sure(term) {
            return FormulaId::TRUE;
        }
        if self.arena.sort_of(&self.vocabulary.logic, term) == SortId::INT {
            let zero = self.arena.num(0);
            let same = self.arena.arith(trellis_logic::ArithOp::Add, term, zero);
            return self.arena.eq(term, same);
        }
        let closure = self.vocabulary.fields().find_map(|(_, f)| f.closure);
        match closure {
            Some(reach) => self.arena.rel(reach.now, &[term, term]),
            None => {
                let null = self.arena.constant(self.vocabulary.null);
                let is_null = self.arena.eq(term, null);
                self.decided(is_null)
            }
        }
    }

    /// True where the formula is true or false, else undefined.
    pub(super) fn decided(&mut self, f: FormulaId) -> FormulaId {
        let clash = self.clash(f);
        self.arena.not(clash)
    }

    /// False where the formula is true or false, else undefined.
    fn clash(&mut self, f: FormulaId) -> FormulaId {
        let not = self.arena.not(f);
        self.arena.iff(f, not)
    }

    pub(super) fn eq(&mut self, a: TermId, b: TermId) -> FormulaId {
        if a == b { self.defined(a) } else { self.arena.eq(a, b) }
    }

    pub(super) fn ne(&mut self, a: TermId, b: TermId) -> FormulaId {
        let eq = self.eq(a, b);
        self.arena.not(eq)
    }

    pub(super) fn le(&mut self, a: TermId, b: TermId) -> FormulaId {
        if a == b { self.defined(a) } else { self.arena.le(a, b) }
    }

    pub(super) fn lt(&mut self, a: TermId, b: TermId) -> FormulaId {
        let ge = self.le(b, a);
        if a == b { self.arena.not(ge) } else { self.arena.lt(a, b) }
    }

    pub(super) fn and(&mut self, parts: Vec<FormulaId>) -> FormulaId {
        let parts = self.without_clashes(parts, true);
        self.arena.and(parts)
    }

    pub(super) fn or(&mut self, parts: Vec<FormulaId>) -> FormulaId {
        let parts = self.without_clashes(parts, false);
        self.arena.or(parts)
    }

    /// The operands, in which no formula is beside its negation.
    fn without_clashes(&mut self, parts: Vec<FormulaId>, conjunction: bool) -> Vec<FormulaId> {
        let mut flat = Vec::new();
        for part in parts {
            match self.arena.formula(part) {
                Formula::And(inner) if conjunction => flat.extend_from_slice(inner),
                Formula::Or(inner) if !conjunction => flat.extend_from_slice(inner),
                _ => flat.push(part),
            }
        }
        let mut i = 0;
        while i < flat.len() {
            let not = self.arena.not(flat[i]);
            match flat.iter().position(|&f| f == not) {
                None => i += 1,
                Some(j) => {
                    let f = flat[i.min(j)];
                    flat[i.min(j)] = if conjunction { self.clash(f) } else { self.decided(f) };
                    flat.remove(i.max(j));
                    i = 0;
                }
            }
        }
        flat
    }

    pub(super) fn implies(&mut self, a: FormulaId, b: FormulaId) -> FormulaId {
        if a == b && a != FormulaId::TRUE { self.decided(a) } else { self.arena.implies(a, b) }
    }

    pub(super) fn iff(&mut self, a: FormulaId, b: FormulaId) -> FormulaId {
        if a == b { self.decided(a) } else { self.arena.iff(a, b) }
    }
}
