//! From the text of an annotation to its clauses: a Pratt parser over [`lex`]ed tokens.
//!
//! **Invariant:** recursion is bounded by [`MAX_HEIGHT`]: nesting is counted on the way down,
//! heights on the way up.

mod clause;
mod expr;
mod lex;
mod literal;
mod types;

use super::Locate;
use super::ast::{Annotation, Ident, MAX_HEIGHT};
use lex::Token;
use std::ops::Range;
use trellis_program::source::{Diagnostic, Span, suggest};

/// Reads an annotation, comment markers included: `/*@ … */`, or `//@ …` on one or more lines.
/// Only the syntax is checked; the first error ends the reading. Nothing if it does not begin like
/// one of ours: other tools have comments that begin with `@`, too.
pub fn parse(text: &str, at: &dyn Locate) -> Result<Option<Vec<Annotation>>, Diagnostic> {
    let masked = lex::mask(text);
    let tokens = lex::tokens(&masked);
    let mut parser = Parser { text: &masked, at, tokens, pos: 0, nesting: 0 };
    if parser.is_foreign() {
        return Ok(None);
    }
    let mut annotations = Vec::new();
    while parser.peek().is_some() {
        annotations.push(parser.annotation()?);
    }
    Ok(Some(annotations))
}

type Parsed<T> = Result<T, Diagnostic>;

struct Parser<'a> {
    /// The masked annotation.
    text: &'a str,
    at: &'a dyn Locate,
    tokens: Vec<(Token, Range<usize>)>,
    pos: usize,
    nesting: u32,
}

impl Parser<'_> {
    fn peek(&self) -> Option<Token> {
        self.peek_at(0)
    }

    fn peek_at(&self, ahead: usize) -> Option<Token> {
        self.tokens.get(self.pos + ahead).map(|(t, _)| *t)
    }

    /// The text of a token ahead; empty beyond the end.
    fn text_at(&self, ahead: usize) -> &str {
        self.tokens.get(self.pos + ahead).and_then(|(_, r)| self.text.get(r.clone())).unwrap_or("")
    }

    /// Where the next token begins.
    fn start(&self) -> usize {
        self.tokens.get(self.pos).map_or(self.text.len(), |(_, r)| r.start)
    }

    /// Where the last token ended.
    fn end(&self) -> usize {
        let last = self.pos.checked_sub(1).and_then(|i| self.tokens.get(i));
        last.map_or(0, |(_, r)| r.end)
    }

    /// The place of what has been read since `start`.
    fn since(&self, start: usize) -> Span {
        self.at.span(start, self.end().max(start))
    }

    /// The place of the next token; at the end, of the last one.
    fn here(&self) -> Span {
        let range = self.tokens.get(self.pos).or(self.tokens.last());
        range.map_or(self.at.span(0, self.text.len()), |(_, r)| self.at.span(r.start, r.end))
    }

    fn eat(&mut self, token: Token) -> bool {
        let found = self.peek() == Some(token);
        self.pos += usize::from(found);
        found
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.peek() == Some(Token::Name) && self.text_at(0) == word;
        self.pos += usize::from(found);
        found
    }

    fn expect(&mut self, token: Token, what: &str) -> Parsed<()> {
        if self.eat(token) { Ok(()) } else { Err(self.expected(what)) }
    }

    fn ident(&mut self, what: &str) -> Parsed<Ident> {
        if self.peek() != Some(Token::Name) {
            return Err(self.expected(what));
        }
        Ok(self.take_ident())
    }

    /// The next token as a name.
    fn take_ident(&mut self) -> Ident {
        let ident = Ident { text: self.text_at(0).to_string(), span: self.here() };
        self.pos += 1;
        ident
    }

    fn expected(&self, what: &str) -> Diagnostic {
        let error = Diagnostic::error(self.here(), format!("expected {what}"));
        match self.peek() {
            None => error.with_label("the annotation ends after this"),
            Some(Token::Assign) => {
                error.with_label("found `=`").with_help("equality is written `==`")
            }
            Some(_) => error.with_label(format!("found `{}`", self.text_at(0))),
        }
    }

    /// An error on the next token, a misspelling of one of the candidates.
    fn misspelt(&self, what: &str, candidates: &[&str]) -> Diagnostic {
        let name = self.text_at(0);
        let error = Diagnostic::error(self.here(), format!("unknown {what} `{name}`"));
        match suggest(name, candidates.iter().copied()) {
            Some(near) => error.with_help(format!("did you mean `{near}`?")),
            None => error,
        }
    }

    /// Runs a parser one level further down.
    fn nested<T>(&mut self, parser: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.nesting += 1;
        if self.nesting > MAX_HEIGHT {
            return Err(self.too_deep(self.here()));
        }
        let result = parser(self);
        self.nesting -= 1;
        result
    }

    fn too_deep(&self, span: Span) -> Diagnostic {
        Diagnostic::error(span, "formula nested too deeply")
            .with_label(format!("deeper than {MAX_HEIGHT} levels"))
            .with_help("name a part of it with `predicate`")
    }
}
