//! Sort checking: every symbol has the arguments it was declared with.
//!
//! The constructors do not check, because they do not know the vocabulary; whoever builds formulas
//! from outside input calls [`Arena::check`] once.

use std::fmt;

use rustc_hash::FxHashSet;

use crate::arena::{Arena, Formula, Term};
use crate::ids::{FormulaId, SortId, TermId};
use crate::vocabulary::Vocabulary;

/// What is wrong with a formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SortError {
    /// A symbol has the wrong number of arguments.
    Arity {
        /// The symbol's name.
        symbol: String,
        /// How many it should have.
        expected: usize,
        /// How many it has.
        found: usize,
    },
    /// A term has another sort than its place requires.
    Mismatch {
        /// The term.
        term: TermId,
        /// The name of the sort that the place requires.
        expected: String,
        /// The name of the term's sort.
        found: String,
    },
    /// An id does not belong to the vocabulary.
    UnknownSymbol,
}

impl fmt::Display for SortError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SortError::Arity { symbol, expected, found } => {
                write!(f, "`{symbol}` takes {expected} arguments, not {found}")
            }
            SortError::Mismatch { expected, found, .. } => {
                write!(f, "expected a term of sort `{expected}`, found one of sort `{found}`")
            }
            SortError::UnknownSymbol => write!(f, "a symbol is not in the vocabulary"),
        }
    }
}

impl std::error::Error for SortError {}

impl Arena {
    /// The sort of a well-sorted term.
    pub fn sort_of(&self, vocabulary: &Vocabulary, term: TermId) -> SortId {
        match self.term(term) {
            Term::Var(v) => self.var(*v).sort,
            Term::App(fun, _) => vocabulary.fun(*fun).result,
            Term::Num(_) | Term::Arith(..) => SortId::INT,
            Term::Ite(_, a, _) => self.sort_of(vocabulary, *a),
        }
    }

    /// Checks that a formula is well sorted.
    pub fn check(&self, vocabulary: &Vocabulary, formula: FormulaId) -> Result<(), SortError> {
        let (terms, formulas) = (FxHashSet::default(), FxHashSet::default());
        Check { arena: self, vocabulary, terms, formulas }.formula(formula)
    }

    /// Checks that a term is well sorted, and gives its sort.
    pub fn check_term(&self, vocabulary: &Vocabulary, term: TermId) -> Result<SortId, SortError> {
        let (terms, formulas) = (FxHashSet::default(), FxHashSet::default());
        Check { arena: self, vocabulary, terms, formulas }.term(term)
    }
}

struct Check<'a> {
    arena: &'a Arena,
    vocabulary: &'a Vocabulary,
    terms: FxHashSet<TermId>,
    formulas: FxHashSet<FormulaId>,
}

impl Check<'_> {
    fn term(&mut self, id: TermId) -> Result<SortId, SortError> {
        if self.terms.insert(id) {
            match self.arena.term(id) {
                Term::Var(v) if self.arena.var(*v).sort.index() >= self.vocabulary.sorts.len() => {
                    return Err(SortError::UnknownSymbol);
                }
                Term::Var(_) | Term::Num(_) => {}
                Term::App(fun, args) => {
                    let fun =
                        self.vocabulary.funs.get(fun.index()).ok_or(SortError::UnknownSymbol)?;
                    self.args(&fun.name, &fun.args, args)?;
                }
                Term::Arith(_, a, b) => {
                    self.expect(*a, SortId::INT)?;
                    self.expect(*b, SortId::INT)?;
                }
                Term::Ite(c, a, b) => {
                    self.formula(*c)?;
                    let sort = self.term(*a)?;
                    self.expect(*b, sort)?;
                }
            }
        }
        Ok(self.arena.sort_of(self.vocabulary, id))
    }

    fn args(&mut self, name: &str, sorts: &[SortId], args: &[TermId]) -> Result<(), SortError> {
        let (expected, found) = (sorts.len(), args.len());
        if expected != found {
            return Err(SortError::Arity { symbol: name.to_string(), expected, found });
        }
        sorts.iter().zip(args).try_for_each(|(&sort, &arg)| self.expect(arg, sort))
    }

    fn expect(&mut self, term: TermId, expected: SortId) -> Result<(), SortError> {
        let found = self.term(term)?;
        if found == expected {
            return Ok(());
        }
        let name = |sort| self.vocabulary.sort_of(sort).name.clone();
        Err(SortError::Mismatch { term, expected: name(expected), found: name(found) })
    }

    fn formula(&mut self, id: FormulaId) -> Result<(), SortError> {
        if !self.formulas.insert(id) {
            return Ok(());
        }
        match self.arena.formula(id) {
            Formula::True | Formula::False => Ok(()),
            Formula::Rel(rel, args) => {
                let rel = self.vocabulary.rels.get(rel.index()).ok_or(SortError::UnknownSymbol)?;
                self.args(&rel.name, &rel.args, args)
            }
            Formula::Eq(a, b) => {
                let sort = self.term(*a)?;
                self.expect(*b, sort)
            }
            Formula::Le(a, b) | Formula::Lt(a, b) => {
                self.expect(*a, SortId::INT)?;
                self.expect(*b, SortId::INT)
            }
            Formula::Not(a) | Formula::Quant(_, _, a) => self.formula(*a),
            Formula::And(parts) | Formula::Or(parts) => {
                parts.iter().try_for_each(|&p| self.formula(p))
            }
            Formula::Implies(a, b) | Formula::Iff(a, b) => {
                self.formula(*a)?;
                self.formula(*b)
            }
        }
    }
}
