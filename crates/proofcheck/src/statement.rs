//! What is proved: that some formulas have no common model.
//!
//! **Invariant**: a statement has its own symbols and formulas, in the order of their first use, so
//! that it means the same in memory and in a file; two copies of the same formulas have the same
//! text.

use std::collections::HashMap;

use trellis_logic::{
    Arena, Formula, FormulaId, FunId, RelId, SortId, Term, TermId, Variable, Vocabulary,
};

use crate::{Rejection, reject, write};

/// Closed formulas and their symbols.
#[derive(Clone, Debug)]
pub struct Statement {
    /// The symbols.
    pub vocabulary: Vocabulary,
    /// The formulas and nothing else.
    pub arena: Arena,
    /// Those that have no common model.
    pub formulas: Vec<FormulaId>,
}

impl Statement {
    /// The statement about formulas of another arena.
    ///
    /// # Errors
    /// If a formula speaks of integers.
    pub fn copy(
        vocabulary: &Vocabulary,
        arena: &Arena,
        formulas: &[FormulaId],
    ) -> Result<Statement, Rejection> {
        let mut copy = Copy {
            from: (vocabulary, arena),
            vocabulary: Vocabulary::new(),
            arena: Arena::new(),
            sorts: HashMap::from([(SortId::INT, SortId::INT)]),
            funs: HashMap::new(),
            rels: HashMap::new(),
            terms: HashMap::new(),
            formulas: HashMap::new(),
        };
        let mut copied = Vec::with_capacity(formulas.len());
        for &formula in formulas {
            copied.push(copy.formula(formula)?);
        }
        Ok(Statement { vocabulary: copy.vocabulary, arena: copy.arena, formulas: copied })
    }

    /// The statement as text: what the file of a proof begins with.
    pub fn text(&self) -> String {
        write::statement(self)
    }
}

struct Copy<'a> {
    from: (&'a Vocabulary, &'a Arena),
    vocabulary: Vocabulary,
    arena: Arena,
    sorts: HashMap<SortId, SortId>,
    funs: HashMap<FunId, FunId>,
    rels: HashMap<RelId, RelId>,
    terms: HashMap<TermId, TermId>,
    formulas: HashMap<FormulaId, FormulaId>,
}

impl Copy<'_> {
    fn sort(&mut self, id: SortId) -> SortId {
        let (from, vocabulary) = (self.from.0, &mut self.vocabulary);
        *self.sorts.entry(id).or_insert_with(|| vocabulary.sort(&from.sort_of(id).name))
    }

    /// Symbols get different names, for the sake of human readers.
    fn fun(&mut self, id: FunId) -> FunId {
        if let Some(&done) = self.funs.get(&id) {
            return done;
        }
        let fun = self.from.0.fun(id);
        let args: Vec<SortId> = fun.args.iter().map(|&s| self.sort(s)).collect();
        let result = self.sort(fun.result);
        let name = self.vocabulary.fresh_name(&fun.name);
        let copied = self.vocabulary.function(name, &args, result);
        self.funs.insert(id, copied);
        copied
    }

    fn rel(&mut self, id: RelId) -> RelId {
        if let Some(&done) = self.rels.get(&id) {
            return done;
        }
        let rel = self.from.0.rel(id);
        let args: Vec<SortId> = rel.args.iter().map(|&s| self.sort(s)).collect();
        let name = self.vocabulary.fresh_name(&rel.name);
        let copied = self.vocabulary.relation(name, &args);
        self.rels.insert(id, copied);
        copied
    }

    fn term(&mut self, id: TermId) -> Result<TermId, Rejection> {
        if let Some(&done) = self.terms.get(&id) {
            return Ok(done);
        }
        let arena = self.from.1;
        let copied = match arena.term(id) {
            Term::Var(v) => {
                let Variable { name, sort } = arena.var(*v);
                let sort = self.sort(*sort);
                let var = self.arena.variable(name, sort);
                self.arena.var_term(var)
            }
            Term::App(fun, args) => {
                let fun = self.fun(*fun);
                let args = self.all(args)?;
                self.arena.app(fun, &args)
            }
            Term::Ite(c, a, b) => {
                let (c, a, b) = (self.formula(*c)?, self.term(*a)?, self.term(*b)?);
                self.arena.ite(c, a, b)
            }
            Term::Num(_) | Term::Arith(..) => return reject("a formula speaks of integers"),
        };
        self.terms.insert(id, copied);
        Ok(copied)
    }

    fn all(&mut self, terms: &[TermId]) -> Result<Vec<TermId>, Rejection> {
        terms.iter().map(|&t| self.term(t)).collect()
    }

    fn formula(&mut self, id: FormulaId) -> Result<FormulaId, Rejection> {
        if let Some(&done) = self.formulas.get(&id) {
            return Ok(done);
        }
        let arena = self.from.1;
        let copied = match arena.formula(id) {
            Formula::True | Formula::False => id,
            Formula::Rel(rel, args) => {
                let rel = self.rel(*rel);
                let args = self.all(args)?;
                self.arena.rel(rel, &args)
            }
            Formula::Eq(a, b) => {
                let (a, b) = (self.term(*a)?, self.term(*b)?);
                self.arena.eq(a, b)
            }
            Formula::Le(..) | Formula::Lt(..) => return reject("a formula speaks of integers"),
            Formula::Not(a) => {
                let a = self.formula(*a)?;
                self.arena.not(a)
            }
            Formula::And(parts) | Formula::Or(parts) => {
                let copied: Vec<FormulaId> =
                    parts.iter().map(|&p| self.formula(p)).collect::<Result<_, _>>()?;
                match arena.formula(id) {
                    Formula::And(_) => self.arena.and(copied),
                    _ => self.arena.or(copied),
                }
            }
            Formula::Implies(a, b) => {
                let (a, b) = (self.formula(*a)?, self.formula(*b)?);
                self.arena.implies(a, b)
            }
            Formula::Iff(a, b) => {
                let (a, b) = (self.formula(*a)?, self.formula(*b)?);
                self.arena.iff(a, b)
            }
            Formula::Quant(q, vars, body) => {
                let mut copied = Vec::with_capacity(vars.len());
                for &v in vars {
                    let Variable { name, sort } = arena.var(v);
                    let sort = self.sort(*sort);
                    copied.push(self.arena.variable(name, sort));
                }
                let body = self.formula(*body)?;
                self.arena.quant(*q, &copied, body)
            }
        };
        self.formulas.insert(id, copied);
        Ok(copied)
    }
}
