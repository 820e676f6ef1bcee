//! Reading: lines become symbols, formulas and events.
//!
//! **Invariant**: whatever the text, reading ends in a corpus or in an error with its place. Every
//! formula of a corpus is well sorted.

use std::fmt;

use trellis_logic::{
    Arena, ArithOp, FormulaId, FunId, FunKind, RelId, SortId, TermId, VarId, Vocabulary,
};

use super::words::{LineWords, Wrong};
use super::{Check, Corpus, Event, HEADER, Outcome};

/// Why a file is no corpus.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadError {
    /// The line, from one.
    pub line: usize,
    /// The column, in characters, from one.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ReadError {}

pub(super) fn read(text: &str) -> Result<Corpus, ReadError> {
    let mut reader = Reader {
        vocabulary: Vocabulary::new(),
        arena: Arena::new(),
        vars: Vec::new(),
        terms: Vec::new(),
        formulas: vec![FormulaId::TRUE, FormulaId::FALSE],
        events: Vec::new(),
    };
    let mut lines = text.lines().enumerate();
    if lines.next().map(|(_, line)| line) != Some(HEADER) {
        let message = format!("the first line should be `{HEADER}`");
        return Err(ReadError { line: 1, column: 1, message });
    }
    for (number, line) in lines {
        reader.line(line).map_err(|(byte, message)| {
            let before = line.get(..byte).unwrap_or(line);
            ReadError { line: number + 1, column: before.chars().count() + 1, message }
        })?;
    }
    let Reader { vocabulary, arena, events, .. } = reader;
    Ok(Corpus { vocabulary, arena, events })
}

struct Reader {
    vocabulary: Vocabulary,
    arena: Arena,
    vars: Vec<VarId>,
    terms: Vec<TermId>,
    formulas: Vec<FormulaId>,
    events: Vec<Event>,
}

impl Reader {
    fn line(&mut self, line: &str) -> Result<(), Wrong> {
        let mut words = LineWords { line, at: 0 };
        let (_, keyword) = words.next();
        match keyword {
            "sort" => {
                let name = words.string()?;
                self.vocabulary.sort(name);
            }
            "constant" | "variable" | "null" | "field" | "function" => {
                self.function(keyword, &mut words)?;
            }
            "relation" | "state-relation" | "closure" | "between" | "below" | "order" => {
                self.relation(keyword, &mut words)?;
            }
            "var" => {
                let (name, sort) = (words.string()?, self.sort(&mut words)?);
                self.vars.push(self.arena.variable(name, sort));
            }
            "term" => {
                let term = self.term(&mut words)?;
                self.terms.push(term);
            }
            "formula" => {
                let formula = self.formula(&mut words)?;
                self.formulas.push(formula);
            }
            "assert" => {
                let formula = words.item('A', &self.formulas)?;
                self.events.push(Event::Assert(formula));
            }
            "refused" => {
                let formula = words.item('A', &self.formulas)?;
                self.events.push(Event::Refused(formula, words.string()?));
            }
            "check" => {
                let check = self.check(&mut words)?;
                self.events.push(Event::Check(check));
            }
            "model" => {
                let minimise = words.take("small");
                self.events.push(Event::Model { minimise });
            }
            _ => return Err((0, format!("`{keyword}` is not a kind of line"))),
        }
        match words.is_empty() && !line.ends_with(' ') {
            true => Ok(()),
            false => Err((words.at.min(line.len()), "the line should end here".into())),
        }
    }

    fn sort(&self, words: &mut LineWords<'_>) -> Result<SortId, Wrong> {
        words.nth('S', self.vocabulary.sorts())
    }

    fn fun(&self, words: &mut LineWords<'_>) -> Result<FunId, Wrong> {
        words.nth('F', self.vocabulary.funs())
    }

    fn rel(&self, words: &mut LineWords<'_>) -> Result<RelId, Wrong> {
        words.nth('R', self.vocabulary.rels())
    }

    fn function(&mut self, keyword: &str, words: &mut LineWords<'_>) -> Result<(), Wrong> {
        let name = words.string()?;
        match keyword {
            "constant" => {
                let sort = self.sort(words)?;
                self.vocabulary.constant(name, sort);
            }
            "variable" => {
                let sort = self.sort(words)?;
                self.vocabulary.variable(name, sort);
            }
            "null" => {
                let sort = self.sort(words)?;
                self.vocabulary.null(name, sort);
            }
            "field" => {
                let (from, to) = (self.sort(words)?, self.sort(words)?);
                self.vocabulary.field(name, from, to);
            }
            _ => {
                let mut sorts = vec![self.sort(words)?, self.sort(words)?];
                while !words.is_empty() {
                    sorts.push(self.sort(words)?);
                }
                if let Some((&result, args)) = sorts.split_last() {
                    self.vocabulary.function(name, args, result);
                }
            }
        }
        Ok(())
    }

    fn relation(&mut self, keyword: &str, words: &mut LineWords<'_>) -> Result<(), Wrong> {
        let name = words.string()?;
        let at = words.at;
        match keyword {
            "closure" | "between" | "below" => {
                let field = self.fun(words)?;
                let symbol = self.vocabulary.fun(field);
                if symbol.kind != FunKind::Field || symbol.args[..] != [symbol.result] {
                    return Err((at, "this is not a field from a sort to itself".into()));
                }
                match keyword {
                    "closure" => self.vocabulary.closure(name, field),
                    "below" => self.vocabulary.below(name, field),
                    _ => self.vocabulary.between(name, field),
                };
            }
            "order" => {
                let sort = self.sort(words)?;
                self.vocabulary.order(name, sort);
            }
            _ => {
                let sorts = words.items('S', &self.vocabulary.sorts().collect::<Vec<_>>())?;
                match keyword {
                    "relation" => self.vocabulary.relation(name, &sorts),
                    _ => self.vocabulary.state_relation(name, &sorts),
                };
            }
        }
        Ok(())
    }

    /// A term of this sort.
    fn term_of(&self, sort: SortId, words: &mut LineWords<'_>) -> Result<TermId, Wrong> {
        let at = words.at;
        let term = words.item('T', &self.terms)?;
        if self.arena.sort_of(&self.vocabulary, term) == sort {
            return Ok(term);
        }
        let name = &self.vocabulary.sort_of(sort).name;
        Err((at, format!("a term of sort `{name}` should be here")))
    }

    /// Terms of these sorts.
    fn terms_of(&self, sorts: &[SortId], words: &mut LineWords<'_>) -> Result<Vec<TermId>, Wrong> {
        sorts.iter().map(|&sort| self.term_of(sort, words)).collect()
    }

    /// Two terms of one sort.
    fn pair(&self, words: &mut LineWords<'_>) -> Result<(TermId, TermId), Wrong> {
        let a = words.item('T', &self.terms)?;
        let b = self.term_of(self.arena.sort_of(&self.vocabulary, a), words)?;
        Ok((a, b))
    }

    fn term(&mut self, words: &mut LineWords<'_>) -> Result<TermId, Wrong> {
        if words.begins_with('V') {
            let var = words.item('V', &self.vars)?;
            return Ok(self.arena.var_term(var));
        }
        if words.begins_with('F') {
            let fun = self.fun(words)?;
            let args = self.terms_of(&self.vocabulary.fun(fun).args, words)?;
            return Ok(self.arena.app(fun, &args));
        }
        let op = match words.next() {
            (_, "add") => ArithOp::Add,
            (_, "sub") => ArithOp::Sub,
            (_, "mul") => ArithOp::Mul,
            (_, "ite") => {
                let condition = words.item('A', &self.formulas)?;
                let (a, b) = self.pair(words)?;
                return Ok(self.arena.ite(condition, a, b));
            }
            (at, number) => {
                let value = number.parse().map_err(|_| (at, "a term should be here".into()))?;
                return Ok(self.arena.num(value));
            }
        };
        let (a, b) = (self.term_of(SortId::INT, words)?, self.term_of(SortId::INT, words)?);
        Ok(self.arena.arith(op, a, b))
    }

    fn formula(&mut self, words: &mut LineWords<'_>) -> Result<FormulaId, Wrong> {
        if words.begins_with('R') {
            let rel = self.rel(words)?;
            let args = self.terms_of(&self.vocabulary.rel(rel).args, words)?;
            return Ok(self.arena.rel(rel, &args));
        }
        let (at, connective) = words.next();
        match connective {
            "eq" => {
                let (a, b) = self.pair(words)?;
                Ok(self.arena.eq(a, b))
            }
            "le" | "lt" => {
                let (a, b) = (self.term_of(SortId::INT, words)?, self.term_of(SortId::INT, words)?);
                Ok(match connective {
                    "le" => self.arena.le(a, b),
                    _ => self.arena.lt(a, b),
                })
            }
            "not" => {
                let formula = words.item('A', &self.formulas)?;
                Ok(self.arena.not(formula))
            }
            "and" => {
                let parts = words.items('A', &self.formulas)?;
                Ok(self.arena.and(parts))
            }
            "or" => {
                let parts = words.items('A', &self.formulas)?;
                Ok(self.arena.or(parts))
            }
            "implies" | "iff" => {
                let (a, b) = (words.item('A', &self.formulas)?, words.item('A', &self.formulas)?);
                Ok(match connective {
                    "implies" => self.arena.implies(a, b),
                    _ => self.arena.iff(a, b),
                })
            }
            "forall" | "exists" => {
                let body = words.item('A', &self.formulas)?;
                let vars = words.items('V', &self.vars)?;
                Ok(match connective {
                    "forall" => self.arena.forall(&vars, body),
                    _ => self.arena.exists(&vars, body),
                })
            }
            _ => Err((at, format!("`{connective}` is not a connective"))),
        }
    }

    fn check(&self, words: &mut LineWords<'_>) -> Result<Check, Wrong> {
        let minimise_core = words.take("core");
        let mut assumptions = Vec::new();
        while !words.take("=") {
            assumptions.push(words.item('A', &self.formulas)?);
        }
        let outcome = match words.next() {
            (_, "sat") => Outcome::Sat,
            (_, "unsat") => {
                let mut core = Vec::new();
                while !words.is_empty() {
                    let (at, word) = words.next();
                    let index = word.parse().ok().filter(|&i| i < assumptions.len());
                    core.push(index.ok_or_else(|| (at, "no such assumption".to_string()))?);
                }
                Outcome::Unsat(core)
            }
            (_, "unknown") => Outcome::Unknown(words.string()?),
            (at, _) => return Err((at, "`sat`, `unsat` or `unknown` should be here".into())),
        };
        Ok(Check { assumptions, minimise_core, outcome })
    }
}
