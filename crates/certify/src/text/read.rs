//! Reading formulas.

use std::fmt;

use trellis_logic::{
    Arena, ArithOp, Formula, FormulaId, Quantifier, SortId, Term, TermId, VarId, Vocabulary,
};

use super::tokens::{Token, tokens};
use crate::names::Names;

/// Formulas nested deeper are refused.
const DEEPEST: usize = 200;

/// Formulas that grow larger when equivalences and conditional terms are written out are refused.
const LARGEST: u64 = 1 << 20;

/// Quantifiers over more variables are refused.
const MOST_VARIABLES: usize = 64;

/// Why a text is no formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SyntaxError {
    /// The column in characters, from one.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (column {} of the formula)", self.message, self.column)
    }
}

impl std::error::Error for SyntaxError {}

/// The closed formula that a text stands for.
///
/// # Errors
/// If the text does not follow the syntax, names an unknown symbol, or is not well sorted.
pub fn read(
    text: &str,
    vocabulary: &Vocabulary,
    names: &Names,
    arena: &mut Arena,
) -> Result<FormulaId, SyntaxError> {
    let tokens = tokens(text).map_err(|(column, message)| SyntaxError { column, message })?;
    let end = text.chars().count() + 1;
    let mut reader =
        Reader { tokens, at: 0, end, names, arena: &mut *arena, scope: Vec::new(), depth: 0 };
    let formula = reader.formula()?;
    if reader.at < reader.tokens.len() {
        return reader.wrong("the formula should end here");
    }
    let checked = reader.arena.check(vocabulary, formula);
    checked.map_err(|e| SyntaxError { column: 1, message: e.to_string() })?;
    if size(arena, formula) > LARGEST {
        let message = "the formula is too large when it is written out".into();
        return Err(SyntaxError { column: 1, message });
    }
    Ok(formula)
}

/// The size of a formula without equivalences and conditional terms, which double what is inside.
fn size(arena: &Arena, formula: FormulaId) -> u64 {
    let sum = |parts: &[FormulaId]| {
        parts.iter().fold(1u64, |all, &part| all.saturating_add(size(arena, part)))
    };
    match arena.formula(formula) {
        Formula::True | Formula::False => 1,
        Formula::Rel(_, args) => atom_size(arena, args),
        Formula::Eq(a, b) | Formula::Le(a, b) | Formula::Lt(a, b) => atom_size(arena, &[*a, *b]),
        Formula::Not(a) | Formula::Quant(_, _, a) => sum(&[*a]),
        Formula::And(parts) | Formula::Or(parts) => sum(parts),
        Formula::Implies(a, b) => sum(&[*a, *b]),
        Formula::Iff(a, b) => sum(&[*a, *b]).saturating_mul(2),
    }
}

/// An atom is there once for every way to choose branches of its conditional terms.
fn atom_size(arena: &Arena, args: &[TermId]) -> u64 {
    args.iter().fold(1u64, |all, &arg| all.saturating_mul(term_size(arena, arg)))
}

fn term_size(arena: &Arena, term: TermId) -> u64 {
    match arena.term(term) {
        Term::Var(_) | Term::Num(_) => 1,
        Term::App(_, args) => atom_size(arena, args),
        Term::Arith(_, a, b) => atom_size(arena, &[*a, *b]),
        Term::Ite(condition, a, b) => {
            let branches = term_size(arena, *a).saturating_add(term_size(arena, *b));
            branches.saturating_add(size(arena, *condition))
        }
    }
}

type Read<T> = Result<T, SyntaxError>;

struct Reader<'a> {
    tokens: Vec<(usize, Token)>,
    at: usize,
    /// The column behind the last character.
    end: usize,
    names: &'a Names,
    arena: &'a mut Arena,
    scope: Vec<(String, VarId)>,
    depth: usize,
}

impl Reader<'_> {
    fn column(&self) -> usize {
        self.tokens.get(self.at).map_or(self.end, |t| t.0)
    }

    fn wrong<T>(&self, message: impl Into<String>) -> Read<T> {
        Err(SyntaxError { column: self.column(), message: message.into() })
    }

    /// An error at the token before.
    fn wrong_before<T>(&self, message: impl Into<String>) -> Read<T> {
        let column = self.at.checked_sub(1).and_then(|i| self.tokens.get(i)).map_or(1, |t| t.0);
        Err(SyntaxError { column, message: message.into() })
    }

    fn take(&mut self, token: &Token) -> bool {
        let found = self.tokens.get(self.at).is_some_and(|t| t.1 == *token);
        self.at += usize::from(found);
        found
    }

    fn open(&mut self) -> Read<()> {
        match self.take(&Token::Open) {
            true => Ok(()),
            false => self.wrong("`(` should be here"),
        }
    }

    fn close(&mut self) -> Read<()> {
        match self.take(&Token::Close) {
            true => Ok(()),
            false => self.wrong("`)` should be here"),
        }
    }

    fn word(&mut self) -> Read<String> {
        match self.tokens.get(self.at) {
            Some((_, Token::Word(word))) => {
                self.at += 1;
                Ok(word.clone())
            }
            _ => self.wrong("a word should be here"),
        }
    }

    /// As many items as there are up to the closing parenthesis.
    fn several<T>(&mut self, one: impl Fn(&mut Self) -> Read<T>) -> Read<Vec<T>> {
        let mut items = Vec::new();
        while !self.take(&Token::Close) {
            items.push(one(self)?);
        }
        Ok(items)
    }

    fn pair<T>(&mut self, one: impl Fn(&mut Self) -> Read<T>) -> Read<(T, T)> {
        let pair = (one(self)?, one(self)?);
        self.close()?;
        Ok(pair)
    }

    fn unknown<T>(&self, what: &str, name: &str) -> Read<T> {
        let near = self.names.nearest(name);
        let near = near.map_or_else(String::new, |n| format!("; did you mean `{n}`?"));
        self.wrong_before(format!("the procedure has no {what} `{name}`{near}"))
    }

    fn formula(&mut self) -> Read<FormulaId> {
        if !self.take(&Token::Open) {
            let word = self.word()?;
            return match word.as_str() {
                "true" => Ok(FormulaId::TRUE),
                "false" => Ok(FormulaId::FALSE),
                _ => match self.names.find_rel(&word) {
                    Some(rel) => Ok(self.arena.rel(rel, &[])),
                    None => self.unknown("proposition", &word),
                },
            };
        }
        self.depth += 1;
        if self.depth > DEEPEST {
            return self.wrong(format!("more than {DEEPEST} formulas inside each other"));
        }
        let formula = self.list();
        self.depth -= 1;
        formula
    }

    /// A formula in parentheses, of which the first is read.
    fn list(&mut self) -> Read<FormulaId> {
        let head = self.word()?;
        match head.as_str() {
            "and" => {
                let parts = self.several(Self::formula)?;
                Ok(self.arena.and(parts))
            }
            "or" => {
                let parts = self.several(Self::formula)?;
                Ok(self.arena.or(parts))
            }
            "not" => {
                let inner = self.formula()?;
                self.close()?;
                Ok(self.arena.not(inner))
            }
            "=>" => {
                let (a, b) = self.pair(Self::formula)?;
                Ok(self.arena.implies(a, b))
            }
            "<=>" => {
                let (a, b) = self.pair(Self::formula)?;
                Ok(self.arena.iff(a, b))
            }
            "=" => {
                let (a, b) = self.pair(Self::term)?;
                Ok(self.arena.eq(a, b))
            }
            "int<=" => {
                let (a, b) = self.pair(Self::term)?;
                Ok(self.arena.le(a, b))
            }
            "int<" => {
                let (a, b) = self.pair(Self::term)?;
                Ok(self.arena.lt(a, b))
            }
            "forall" => self.quantified(Quantifier::Forall),
            "exists" => self.quantified(Quantifier::Exists),
            _ => {
                let rel = match self.names.is_closure(&head) {
                    true => {
                        let field = self.word()?;
                        let Some(fun) = self.names.find_fun(&field) else {
                            return self.unknown("field", &field);
                        };
                        self.names.find_closure(&head, fun)
                    }
                    false => self.names.find_rel(&head),
                };
                let Some(rel) = rel else {
                    return self.unknown("relation", &head);
                };
                let args = self.several(Self::term)?;
                Ok(self.arena.rel(rel, &args))
            }
        }
    }

    fn quantified(&mut self, quantifier: Quantifier) -> Read<FormulaId> {
        let outside = self.scope.len();
        self.open()?;
        let mut vars = Vec::new();
        while !self.take(&Token::Close) {
            self.open()?;
            let name = self.word()?;
            let Some(plain) = name.strip_prefix('?') else {
                return self.wrong_before("a variable begins with `?`");
            };
            let sort = self.sort()?;
            self.close()?;
            let var = self.arena.variable(plain, sort);
            if self.scope.iter().any(|(other, _)| *other == name) {
                return self.wrong_before(format!("the variable `{name}` is bound already"));
            }
            self.scope.push((name, var));
            vars.push(var);
            if self.scope.len() > MOST_VARIABLES {
                return self.wrong_before(format!("more than {MOST_VARIABLES} variables"));
            }
        }
        let body = self.formula()?;
        self.close()?;
        self.scope.truncate(outside);
        Ok(self.arena.quant(quantifier, &vars, body))
    }

    fn sort(&mut self) -> Read<SortId> {
        let name = self.word()?;
        match self.names.find_sort(&name) {
            Some(sort) => Ok(sort),
            None => self.wrong_before(format!("the procedure has no sort `{name}`")),
        }
    }

    fn term(&mut self) -> Read<TermId> {
        if !self.take(&Token::Open) {
            let name = self.word()?;
            if name.starts_with('?') {
                let bound = self.scope.iter().find(|(other, _)| *other == name);
                return match bound {
                    Some(&(_, var)) => Ok(self.arena.var_term(var)),
                    None => self.wrong_before(format!("the variable `{name}` is not bound")),
                };
            }
            return match self.names.find_fun(&name) {
                Some(fun) => Ok(self.arena.constant(fun)),
                None => self.unknown("constant", &name),
            };
        }
        self.depth += 1;
        if self.depth > DEEPEST {
            return self.wrong(format!("more than {DEEPEST} terms inside each other"));
        }
        let term = self.application();
        self.depth -= 1;
        term
    }

    /// A term in parentheses, of which the first is read.
    fn application(&mut self) -> Read<TermId> {
        let head = self.word()?;
        let op = match head.as_str() {
            "int" => {
                let word = self.word()?;
                let Ok(number) = word.parse() else {
                    return self.wrong_before(format!("`{word}` is no numeral"));
                };
                self.close()?;
                return Ok(self.arena.num(number));
            }
            "ite" => {
                let condition = self.formula()?;
                let (a, b) = self.pair(Self::term)?;
                return Ok(self.arena.ite(condition, a, b));
            }
            "int+" => ArithOp::Add,
            "int-" => ArithOp::Sub,
            "int*" => ArithOp::Mul,
            _ => {
                let Some(fun) = self.names.find_fun(&head) else {
                    return self.unknown("function", &head);
                };
                let args = self.several(Self::term)?;
                return Ok(self.arena.app(fun, &args));
            }
        };
        let (a, b) = self.pair(Self::term)?;
        Ok(self.arena.arith(op, a, b))
    }
}
