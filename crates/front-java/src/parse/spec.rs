//! Annotations. Semicolons are optional, comments to the end of a line are skipped, formulas stand
//! in quotation marks.

use trellis_program::source::{Diagnostic, Span, suggest};

use super::{Parsed, Parser};
use crate::ast::{Spec, SpecKind, Text};

#[derive(Clone, PartialEq, Debug)]
enum Token {
    Word(String),
    Text(String),
    Mark(&'static str),
    End,
}

/// Words that begin an annotation.
const STARTS: &[&str] = &[
    "invariant",
    "inv",
    "requires",
    "modifies",
    "ensures",
    "specvar",
    "vardefs",
    "constdefs",
    "claimedby",
    "readonly",
    "hidden",
    "encap",
    "assert",
    "noteThat",
    "note",
    "assume",
    "split",
    "noteOnly",
    "havoc",
    "track",
    "public",
    "private",
    "static",
    "ghost",
    "ensured",
    "lemma",
];

/// Steps of proofs for a prover that is guided; nothing here follows them.
const PROOFS: &[&str] = &[
    "pickAny",
    "pickWitness",
    "witness",
    "cases",
    "showedcase",
    "assuming",
    "induct",
    "bycontradiction",
    "contradiction",
    "instantiate",
    "mp",
    "proof",
    "localize",
    "lemma",
    "fix",
];

impl Parser {
    /// Reads the text of an annotation that begins at a byte of the file.
    pub(super) fn annotation(&mut self, text: &str, at: u32) -> Parsed<Vec<Spec>> {
        let tokens = self.spec_tokens(text, at)?;
        let mut specs = Specs { tokens, next: 0 };
        let mut all = Vec::new();
        loop {
            while specs.eat(";") {}
            if *specs.peek() == Token::End {
                return Ok(all);
            }
            let start = specs.span();
            let kind = specs.spec()?;
            all.push(Spec { kind, span: specs.since(start) });
        }
    }

    fn spec_tokens(&self, text: &str, at: u32) -> Parsed<Vec<(Token, Span)>> {
        let mut out = Vec::new();
        let mut i = 0;
        while i < text.len() {
            let rest = &text[i..];
            let span =
                |length: usize| Span::new(self.file, at + i as u32, at + (i + length) as u32);
            let Some(first) = rest.chars().next() else { break };
            if first.is_whitespace() {
                i += first.len_utf8();
            } else if rest.starts_with("//") {
                i += rest.find('\n').unwrap_or(rest.len());
            } else if first == '"' {
                let Some(length) = rest[1..].find('"') else {
                    return Err(Diagnostic::error(span(1), "this formula never ends"));
                };
                let inner = Span::new(self.file, span(1).end, span(1 + length).end);
                out.push((Token::Text(rest[1..=length].to_owned()), inner));
                i += length + 2;
            } else if first.is_ascii_alphanumeric() || first == '_' {
                let part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '\'');
                let length = rest.find(|c| !part(c)).unwrap_or(rest.len());
                let length = rest[..length].trim_end_matches('.').len();
                out.push((Token::Word(rest[..length].to_owned()), span(length)));
                i += length;
            } else {
                const MARKS: [&str; 9] = ["::", ":=", ":", "=", "(", ")", ",", ";", "+"];
                let Some(mark) = MARKS.iter().find(|m| rest.starts_with(**m)) else {
                    let message = format!("`{first}` does not belong into an annotation");
                    return Err(Diagnostic::error(span(first.len_utf8()), message));
                };
                out.push((Token::Mark(mark), span(mark.len())));
                i += mark.len();
            }
        }
        let end = at + text.len() as u32;
        out.push((Token::End, Span::new(self.file, end, end)));
        Ok(out)
    }
}

struct Specs {
    tokens: Vec<(Token, Span)>,
    next: usize,
}

impl Specs {
    fn peek(&self) -> &Token {
        &self.tokens[self.next].0
    }

    fn span(&self) -> Span {
        self.tokens[self.next].1
    }

    fn since(&self, start: Span) -> Span {
        start.to(self.tokens[self.next.saturating_sub(1)].1)
    }

    fn advance(&mut self) {
        if self.next + 1 < self.tokens.len() {
            self.next += 1;
        }
    }

    fn eat(&mut self, mark: &str) -> bool {
        let found = matches!(self.peek(), Token::Mark(m) if *m == mark);
        if found {
            self.advance();
        }
        found
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Token::Word(w) if w == word)
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.advance();
        }
        found
    }

    fn expected(&self, what: &str) -> Diagnostic {
        let found = match self.peek() {
            Token::Word(w) => format!("`{w}`"),
            Token::Text(_) => "a formula".to_owned(),
            Token::Mark(m) => format!("`{m}`"),
            Token::End => "the end of the annotation".to_owned(),
        };
        let message = format!("expected {what}, found {found}");
        let diagnostic = Diagnostic::error(self.span(), message);
        match self.peek() {
            Token::Word(w) => match suggest(w, STARTS.iter().copied()) {
                Some(near) => diagnostic.with_help(format!("did you mean `{near}`?")),
                None => diagnostic,
            },
            _ => diagnostic,
        }
    }

    fn word(&mut self, what: &str) -> Parsed<String> {
        match self.peek().clone() {
            Token::Word(w) => {
                self.advance();
                Ok(w)
            }
            _ => Err(self.expected(what)),
        }
    }

    fn text(&mut self) -> Parsed<Text> {
        let span = self.span();
        match self.peek().clone() {
            Token::Text(text) => {
                self.advance();
                Ok(Text { text, span })
            }
            _ => Err(self.expected("a formula in quotation marks")),
        }
    }

    /// A formula in quotation marks, or a single name.
    fn item(&mut self) -> Parsed<Text> {
        let span = self.span();
        match self.peek().clone() {
            Token::Word(text) => {
                self.advance();
                Ok(Text { text, span })
            }
            _ => self.text(),
        }
    }

    fn items(&mut self) -> Parsed<Vec<Text>> {
        let mut all = vec![self.item()?];
        while self.eat(",") {
            all.push(self.item()?);
        }
        Ok(all)
    }

    /// A formula, perhaps with a name in front, as `name: "F"` or `("name") "F"`.
    fn named(&mut self) -> Parsed<(Option<String>, Text)> {
        if self.eat("(") {
            let name = self.text()?;
            if !self.eat(")") {
                return Err(self.expected("`)`"));
            }
            return Ok((Some(name.text), self.text()?));
        }
        let before = self.next;
        let name = match self.peek().clone() {
            Token::Word(w) | Token::Text(w) => w,
            _ => return Err(self.expected("a formula in quotation marks")),
        };
        self.advance();
        if self.eat(":") {
            return Ok((Some(name), self.text()?));
        }
        self.next = before;
        Ok((None, self.text()?))
    }

    fn spec(&mut self) -> Parsed<SpecKind> {
        let (mut public, mut is_static, mut ghost) = (false, false, false);
        loop {
            match self.peek() {
                Token::Word(w) if w == "public" => public = true,
                Token::Word(w) if w == "static" => is_static = true,
                Token::Word(w) if w == "ghost" => ghost = true,
                Token::Word(w) if w == "private" || w == "ensured" => {}
                Token::Word(w) if w == "encap" && self.is_before_declaration() => {}
                _ => break,
            }
            self.advance();
            self.eat("+");
        }
        let Token::Word(word) = self.peek().clone() else {
            return self.assignment();
        };
        match word.as_str() {
            "invariant" | "inv" => {
                self.advance();
                let (name, formula) = self.named()?;
                Ok(SpecKind::Invariant { name, formula })
            }
            "requires" | "modifies" | "ensures" => self.contract(),
            "specvar" => {
                self.advance();
                let name = self.word("the name of a specification variable")?;
                if !self.eat("::") {
                    return Err(self.expected("`::` and a type"));
                }
                let ty = self.item()?;
                let init = if self.eat("=") { Some(self.item()?) } else { None };
                Ok(SpecKind::SpecVar { public, is_static, ghost, name, ty, init })
            }
            "vardefs" | "constdefs" => {
                self.advance();
                let mut all = vec![self.text()?];
                loop {
                    let before = self.next;
                    self.eat(";");
                    if !matches!(self.peek(), Token::Text(_)) {
                        self.next = before;
                        return Ok(SpecKind::Definitions(all));
                    }
                    all.push(self.text()?);
                }
            }
            "claimedby" => {
                self.advance();
                Ok(SpecKind::ClaimedBy(self.word("the name of a class")?))
            }
            "hidden" => {
                self.advance();
                Ok(SpecKind::Hidden)
            }
            "readonly" | "encap" => {
                self.advance();
                self.eat("+");
                Ok(SpecKind::Visibility)
            }
            "assert" | "noteThat" | "note" | "assume" | "split" | "noteOnly" => {
                self.advance();
                let (_, formula) = self.named()?;
                while self.is_word("from") || self.is_word("by") || self.is_word("forSuch") {
                    self.advance();
                    self.word("the name of a fact")?;
                    while self.eat(",") {
                        self.word("the name of a fact")?;
                    }
                }
                Ok(match word.as_str() {
                    "assert" => SpecKind::Assert(formula),
                    "assume" => SpecKind::Assume(formula),
                    _ => SpecKind::Note(formula),
                })
            }
            "havoc" => {
                self.advance();
                let items = self.items()?;
                let such_that = match self.eat_word("suchThat") || self.eat_word("ST") {
                    true => Some(self.named()?.1),
                    false => None,
                };
                Ok(SpecKind::Havoc(items, such_that))
            }
            "track" if self.tokens.get(self.next + 1).is_some_and(|t| t.0 == Token::Mark("(")) => {
                self.advance();
                self.eat("(");
                let items = self.items()?;
                if !self.eat(")") {
                    return Err(self.expected("`)`"));
                }
                Ok(SpecKind::Track(items))
            }
            w if PROOFS.contains(&w) => {
                while !matches!(self.peek(), Token::End) && !self.eat(";") {
                    self.advance();
                }
                Ok(SpecKind::Unsupported(format!("the proof step `{word}`")))
            }
            _ => self.assignment(),
        }
    }

    /// Whether the word here is in front of a declaration.
    fn is_before_declaration(&self) -> bool {
        let after = self.tokens.get(self.next + 1).map(|t| &t.0);
        let words = ["specvar", "invariant", "inv", "static", "ghost", "ensured"];
        match after {
            Some(Token::Word(w)) => words.contains(&w.as_str()),
            Some(Token::Mark("+")) => true,
            _ => false,
        }
    }

    fn contract(&mut self) -> Parsed<SpecKind> {
        let (mut requires, mut modifies, mut ensures) = (None, None, None);
        loop {
            if requires.is_none() && self.eat_word("requires") {
                requires = Some(self.text()?);
            } else if modifies.is_none() && self.eat_word("modifies") {
                modifies = Some(self.items()?);
            } else if ensures.is_none() && self.eat_word("ensures") {
                ensures = Some(self.text()?);
            } else {
                return Ok(SpecKind::Contract { requires, modifies, ensures });
            }
            // A semicolon between the parts of a contract does not end it.
            let before = self.next;
            while self.eat(";") {}
            if !self.is_word("modifies") && !self.is_word("ensures") {
                self.next = before;
            }
        }
    }

    fn assignment(&mut self) -> Parsed<SpecKind> {
        let before = self.next;
        let target = self.item();
        match target {
            Ok(target) if self.eat(":=") => Ok(SpecKind::Assign(target, self.item()?)),
            _ => {
                self.next = before;
                Err(self.expected("an annotation"))
            }
        }
    }
}
