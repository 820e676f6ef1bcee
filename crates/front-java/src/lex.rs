//! Tokens of Java, with annotations as single tokens.
//!
//! An annotation is `/*: … */` or `//: …` to the end of the line; all other comments are skipped.

use trellis_program::source::{Diagnostic, FileId, Span};

/// A token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Token {
    /// A name or a keyword.
    Word(String),
    /// An integer literal; whether it ends in `L`.
    Int(i128, bool),
    /// A string, character or floating-point literal: read, but not understood.
    Opaque(&'static str),
    /// Punctuation.
    Mark(&'static str),
    /// The text of an annotation, and where it begins.
    Note(String, u32),
    End,
}

const MARKS: &[&str] = &[
    ">>>=", "<<=", ">>=", ">>>", "...", "++", "--", "&&", "||", "==", "!=", "<=", ">=", "+=", "-=",
    "*=", "/=", "%=", "&=", "|=", "^=", "<<", ">>", "::", "->", "{", "}", "(", ")", "[", "]", ";",
    ",", ".", "=", "<", ">", "!", "~", "?", ":", "+", "-", "*", "/", "%", "&", "|", "^", "@",
];

/// The tokens of a file with their places; the last one is [`Token::End`].
pub(crate) fn lex(text: &str, file: FileId) -> Result<Vec<(Token, Span)>, Diagnostic> {
    let mut lexer = Lexer { text, file, at: 0 };
    let mut out = Vec::new();
    loop {
        let token = lexer.token()?;
        let end = token.0 == Token::End;
        out.push(token);
        if end {
            return Ok(out);
        }
    }
}

struct Lexer<'t> {
    text: &'t str,
    file: FileId,
    at: usize,
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn span(&self, start: usize) -> Span {
        Span::new(self.file, start as u32, self.at as u32)
    }

    fn token(&mut self) -> Result<(Token, Span), Diagnostic> {
        loop {
            let rest = self.rest();
            let blank = rest.len() - rest.trim_start().len();
            self.at += blank;
            let start = self.at;
            let rest = self.rest();
            if rest.starts_with("//") {
                let length = rest.find('\n').unwrap_or(rest.len());
                let is_note = rest.starts_with("//:");
                self.at += length;
                if is_note {
                    let text = self.text[start + 3..self.at].to_owned();
                    return Ok((Token::Note(text, start as u32 + 3), self.span(start)));
                }
            } else if let Some(inside) = rest.strip_prefix("/*") {
                let is_note = inside.starts_with(':');
                let Some(length) = inside.find("*/") else {
                    self.at += 2;
                    return Err(Diagnostic::error(self.span(start), "this comment never ends"));
                };
                self.at += length + 4;
                if is_note {
                    let text = self.text[start + 3..self.at - 2].to_owned();
                    return Ok((Token::Note(text, start as u32 + 3), self.span(start)));
                }
            } else {
                let token = self.plain(start)?;
                return Ok((token, self.span(start)));
            }
        }
    }

    fn plain(&mut self, start: usize) -> Result<Token, Diagnostic> {
        let rest = &self.text[start..];
        let Some(first) = rest.chars().next() else { return Ok(Token::End) };
        if first.is_alphabetic() || first == '_' || first == '$' {
            let part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
            let length = rest.find(|c| !part(c)).unwrap_or(rest.len());
            self.at += length;
            return Ok(Token::Word(rest[..length].to_owned()));
        }
        if first.is_ascii_digit() {
            return self.number(start);
        }
        if first == '"' || first == '\'' {
            return self.quoted(start, first);
        }
        match MARKS.iter().find(|m| rest.starts_with(**m)) {
            Some(mark) => {
                self.at += mark.len();
                Ok(Token::Mark(mark))
            }
            None => {
                self.at += first.len_utf8();
                let message = format!("`{first}` does not belong into Java");
                Err(Diagnostic::error(self.span(start), message))
            }
        }
    }

    fn number(&mut self, start: usize) -> Result<Token, Diagnostic> {
        let rest = &self.text[start..];
        let length =
            rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        let fraction = rest[length..]
            .strip_prefix('.')
            .filter(|r| r.starts_with(|c: char| c.is_ascii_digit()));
        if let Some(fraction) = fraction {
            let more = fraction.find(|c: char| !c.is_ascii_alphanumeric());
            self.at += length + 1 + more.unwrap_or(fraction.len());
            return Ok(Token::Opaque("a floating-point number"));
        }
        self.at += length;
        let word: String = rest[..length].chars().filter(|c| *c != '_').collect();
        let (digits, long) = match word.strip_suffix(['l', 'L']) {
            Some(digits) => (digits.to_owned(), true),
            None => (word, false),
        };
        let lower = digits.to_ascii_lowercase();
        let value = match lower.strip_prefix("0x") {
            // A hexadecimal literal has the bits of a possibly negative number.
            Some(hex) => i128::from_str_radix(hex, 16).ok().map(|v| match long {
                true => i128::from(v as u64 as i64),
                false if v <= i128::from(u32::MAX) => i128::from(v as u32 as i32),
                false => v,
            }),
            None => digits.parse().ok(),
        };
        // The least number is written as minus this.
        let most = if long { 1i128 << 63 } else { 1i128 << 31 };
        match value.filter(|v| *v <= most) {
            Some(v) => Ok(Token::Int(v, long)),
            None => Err(Diagnostic::error(self.span(start), "this is no number that fits")),
        }
    }

    fn quoted(&mut self, start: usize, quote: char) -> Result<Token, Diagnostic> {
        let mut escaped = false;
        for (i, c) in self.text[start + 1..].char_indices() {
            match c {
                '\n' => break,
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                c if c == quote => {
                    self.at = start + i + 2;
                    let what = if quote == '"' { "a string" } else { "a character" };
                    return Ok(Token::Opaque(what));
                }
                _ => {}
            }
        }
        self.at += 1;
        Err(Diagnostic::error(self.span(start), "this literal never ends"))
    }
}
