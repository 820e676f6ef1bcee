//! Clauses: what begins with a keyword and ends with a semicolon.

use super::lex::Token;
use super::{Parsed, Parser};
use crate::acsl::ast::{
    Annotation, Behavior, Expr, Ghost, PlaceItem, Places, PlacesKind, PredicateDecl,
};
use trellis_program::source::{Diagnostic, suggest};

/// Keywords of clauses.
const KEYWORDS: [&str; 9] = [
    "assumes",
    "requires",
    "ensures",
    "assigns",
    "behavior",
    "loop",
    "assert",
    "predicate",
    "ghost",
];

/// Keywords after `loop`.
const LOOP_KEYWORDS: [&str; 3] = ["invariant", "assigns", "variant"];

/// Keywords of ACSL that Trellis does not have.
const UNSUPPORTED: [&str; 17] = [
    "terminates",
    "decreases",
    "allocates",
    "frees",
    "exits",
    "breaks",
    "continues",
    "returns",
    "logic",
    "axiomatic",
    "axiom",
    "lemma",
    "inductive",
    "type",
    "check",
    "admit",
    "for",
];

/// Words that may be meant for one of [`KEYWORDS`] or stand before or after it.
const RELATED: [&str; 4] = ["complete", "disjoint", "invariant", "variant"];

impl Parser<'_> {
    /// Whether this is somebody else's comment (`/*@null@*/`, `//@{`, `/*@ a text */`): it begins
    /// neither with a keyword nor with a misspelling of one, nor is it a formula whose keyword was
    /// forgotten. A word alone is no clause of ACSL.
    pub(super) fn is_foreign(&self) -> bool {
        if self.tokens.last().is_none_or(|(token, _)| *token == Token::Semi) {
            return false;
        }
        let word = self.text_at(0);
        let ours = || KEYWORDS.iter().chain(&RELATED).copied();
        let is_clause =
            ours().any(|k| k == word) || UNSUPPORTED.contains(&word) && self.tokens.len() > 1;
        !is_clause && (self.peek() != Some(Token::Name) || suggest(word, ours()).is_none())
    }

    /// One clause.
    pub(super) fn annotation(&mut self) -> Parsed<Annotation> {
        if self.peek() != Some(Token::Name) {
            return Err(self.expected("a clause such as `requires`"));
        }
        let keyword = self.here();
        let word = self.text_at(0).to_string();
        self.pos += 1;
        match word.as_str() {
            "requires" => Ok(Annotation::Requires(self.formula()?)),
            "ensures" => Ok(Annotation::Ensures(self.formula()?)),
            "assert" => Ok(Annotation::Assert(self.formula()?)),
            "assigns" => Ok(Annotation::Assigns(self.places()?)),
            "behavior" => Ok(Annotation::Behavior(self.behavior()?)),
            "loop" => self.loop_clause(),
            "predicate" => Ok(Annotation::Predicate(self.predicate()?)),
            "ghost" => Ok(Annotation::Ghost(self.ghost()?)),
            "complete" | "disjoint" => {
                Err(Diagnostic::error(keyword, format!("`{word} behaviors` is not supported"))
                    .with_help("behaviors are checked one by one; state this in a `requires`"))
            }
            "assumes" => Err(Diagnostic::error(keyword, "`assumes` stands only in a behavior")
                .with_help("write `behavior name:` before it")),
            "invariant" | "variant" => {
                Err(Diagnostic::error(keyword, format!("`{word}` needs `loop` before it"))
                    .with_help(format!("did you mean `loop {word}`?")))
            }
            word if UNSUPPORTED.contains(&word) => {
                Err(Diagnostic::error(keyword, format!("`{word}` clauses are not supported")))
            }
            _ => {
                self.pos -= 1;
                Err(self.misspelt("clause", &KEYWORDS))
            }
        }
    }

    /// A formula and its semicolon.
    fn formula(&mut self) -> Parsed<Expr> {
        let formula = self.expr()?;
        self.expect(Token::Semi, "`;`")?;
        Ok(formula)
    }

    fn loop_clause(&mut self) -> Parsed<Annotation> {
        if self.eat_word("invariant") {
            Ok(Annotation::LoopInvariant(self.formula()?))
        } else if self.eat_word("assigns") {
            Ok(Annotation::LoopAssigns(self.places()?))
        } else if self.eat_word("variant") {
            Ok(Annotation::LoopVariant(self.formula()?.span))
        } else if self.peek() == Some(Token::Name) {
            Err(self.misspelt("loop clause", &LOOP_KEYWORDS))
        } else {
            Err(self.expected("`invariant`, `assigns` or `variant`"))
        }
    }

    /// The places of an `assigns` clause, and its semicolon.
    fn places(&mut self) -> Parsed<Places> {
        let start = self.start();
        let kind = match self.text_at(0) {
            "\\nothing" => {
                self.pos += 1;
                PlacesKind::Nothing
            }
            "\\everything" => {
                self.pos += 1;
                PlacesKind::Everything
            }
            _ => {
                let mut items = vec![self.place()?];
                while self.eat(Token::Comma) {
                    items.push(self.place()?);
                }
                PlacesKind::List(items)
            }
        };
        let span = self.since(start);
        self.expect(Token::Semi, "`,` or `;`")?;
        Ok(Places { kind, span })
    }

    /// A place or a comprehension.
    fn place(&mut self) -> Parsed<PlaceItem> {
        let start = self.start();
        if !self.eat(Token::LBrace) {
            return Ok(PlaceItem {
                place: self.expr()?,
                binders: Vec::new(),
                filter: None,
                span: self.since(start),
            });
        }
        let place = self.expr()?;
        self.expect(Token::Bar, "`|`")?;
        let binders = self.binders()?;
        let filter = if self.eat(Token::Semi) { Some(self.expr()?) } else { None };
        self.expect(Token::RBrace, "`}`")?;
        Ok(PlaceItem { place, binders, filter, span: self.since(start) })
    }

    fn behavior(&mut self) -> Parsed<Behavior> {
        let mut behavior = Behavior {
            name: self.ident("the name of the behavior")?,
            assumes: Vec::new(),
            requires: Vec::new(),
            ensures: Vec::new(),
        };
        self.expect(Token::Colon, "`:`")?;
        loop {
            if self.eat_word("assumes") {
                behavior.assumes.push(self.formula()?);
            } else if self.eat_word("requires") {
                behavior.requires.push(self.formula()?);
            } else if self.eat_word("ensures") {
                behavior.ensures.push(self.formula()?);
            } else if self.text_at(0) == "assigns" {
                let error =
                    Diagnostic::error(self.here(), "`assigns` in a behavior is not supported");
                return Err(error.with_help("write it before the first behavior"));
            } else {
                return Ok(behavior);
            }
        }
    }

    fn predicate(&mut self) -> Parsed<PredicateDecl> {
        let name = self.ident("the name of the predicate")?;
        let mut params = Vec::new();
        if self.eat(Token::LParen) && !self.eat(Token::RParen) {
            params.push(self.binder()?);
            while self.eat(Token::Comma) {
                params.push(self.binder()?);
            }
            self.expect(Token::RParen, "`,` or `)`")?;
        }
        let body = if self.eat(Token::Assign) { Some(self.expr()?) } else { None };
        let what = if body.is_some() { "`;`" } else { "`=` or `;`" };
        self.expect(Token::Semi, what)?;
        Ok(PredicateDecl { name, params, body })
    }

    /// Delimits a C statement: everything up to the first semicolon outside brackets.
    fn ghost(&mut self) -> Parsed<Ghost> {
        let start = self.start();
        let mut open = 0u32;
        while let Some(token) = self.peek() {
            self.pos += 1;
            match token {
                Token::LParen | Token::LBracket | Token::LBrace => open += 1,
                Token::RParen | Token::RBracket | Token::RBrace => open = open.saturating_sub(1),
                Token::Semi if open == 0 => {
                    let end = self.end();
                    return Ok(Ghost {
                        text: self.text.get(start..end).unwrap_or("").to_string(),
                        start,
                        end,
                        span: self.since(start),
                    });
                }
                _ => {}
            }
        }
        Err(self.expected("`;` at the end of the ghost statement"))
    }
}
