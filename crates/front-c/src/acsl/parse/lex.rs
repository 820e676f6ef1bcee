//! Tokens of an annotation.
//!
//! **Invariant:** a token's range is in bytes of the annotation as written: [`mask`] blanks out
//! comment markers and comments without moving anything.

use logos::Logos;
use std::ops::Range;

/// A token; its text is looked up by its range.
#[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
#[logos(skip r"[ \t\r\n\x0B\x0C]+")]
pub(super) enum Token {
    /// A C name or a keyword.
    #[regex(r"[A-Za-z_][A-Za-z0-9_]*")]
    Name,
    /// A name with a backslash, `\result`.
    #[regex(r"\\[A-Za-z_][A-Za-z0-9_]*")]
    Logic,
    /// A numeral, right or wrong.
    #[regex(r"[0-9][0-9A-Za-z_]*(\.[0-9][0-9A-Za-z_]*)?")]
    Number,
    /// A character, right or wrong.
    #[regex(r"'([^'\\\n]|\\[^\n])*'")]
    Char,
    /// A string; only ghost code has them.
    #[regex(r#""([^"\\\n]|\\[^\n])*""#)]
    Str,
    #[token("(")]
    LParen,
    #[token(")")]
    RParen,
    #[token("[")]
    LBracket,
    #[token("]")]
    RBracket,
    #[token("{")]
    LBrace,
    #[token("}")]
    RBrace,
    #[token(";")]
    Semi,
    #[token(",")]
    Comma,
    #[token(":")]
    Colon,
    #[token("?")]
    Question,
    #[token(".")]
    Dot,
    #[token("..")]
    DotDot,
    #[token("->")]
    Arrow,
    #[token("==")]
    EqEq,
    #[token("!=")]
    NotEq,
    #[token("<")]
    Lt,
    #[token("<=")]
    Le,
    #[token(">")]
    Gt,
    #[token(">=")]
    Ge,
    #[token("<==>")]
    Iff,
    #[token("==>")]
    Implies,
    #[token("&&")]
    AndAnd,
    #[token("||")]
    OrOr,
    #[token("!")]
    Not,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
    #[token("%")]
    Percent,
    #[token("&")]
    Amp,
    #[token("|")]
    Bar,
    #[token("=")]
    Assign,
    /// Operators of C and ACSL that contracts do not have.
    #[token("^")]
    #[token("~")]
    #[token("<<")]
    #[token(">>")]
    #[token("^^")]
    Bitwise,
    /// Anything else.
    Unknown,
}

/// The tokens of a masked annotation.
pub(super) fn tokens(masked: &str) -> Vec<(Token, Range<usize>)> {
    Token::lexer(masked)
        .spanned()
        .map(|(token, range)| (token.unwrap_or(Token::Unknown), range))
        .collect()
}

/// The annotation with blanks for its comment markers, for `@` at the beginning of a line or before
/// the end, for `//` comments, and for the backslash of a continued line. Every byte keeps its
/// offset.
pub(super) fn mask(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let body_end = if text.starts_with("/*") {
        let body = text.strip_suffix("*/").unwrap_or(text);
        body.trim_end_matches('@').len()
    } else {
        text.len()
    };
    for line in text.get(..body_end).unwrap_or(text).split_inclusive('\n') {
        mask_line(line, out.is_empty(), &mut out);
    }
    blank(text.get(body_end..).unwrap_or(""), &mut out);
    out
}

fn mask_line(line: &str, is_first: bool, out: &mut String) {
    let code = line.trim_start();
    let mut rest = code;
    if is_first && let Some(after) = rest.strip_prefix("/*@") {
        rest = after;
    } else if let Some(after) = rest.strip_prefix("//@") {
        rest = after;
    }
    rest = rest.trim_start_matches('@');
    blank(&line[..line.len() - rest.len()], out);
    let code_end = rest.find("//").unwrap_or(rest.len());
    let code = &rest[..code_end];
    let kept = code.trim_end_matches(['\r', '\n']);
    if let Some(before) = kept.strip_suffix('\\') {
        out.push_str(before);
        blank(&code[before.len()..], out);
    } else {
        out.push_str(code);
    }
    blank(&rest[code_end..], out);
}

/// Appends as many blanks as the text has bytes; line breaks stay.
fn blank(text: &str, out: &mut String) {
    out.extend(text.bytes().map(|b| if b == b'\n' { '\n' } else { ' ' }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn check(text: &str, expected: Expect) {
        let masked = mask(text);
        assert_eq!(masked.len(), text.len());
        expected.assert_eq(&masked.replace(' ', "·"));
    }

    #[test]
    fn markers_and_comments_become_blanks() {
        check("//@ assert x; // é", expect!["····assert·x;······"]);
        check("/*@ a;\n  @ b; @*/", expect!["····a;\n····b;····"]);
        check(
            "//@ a; \\\n  //@@ b;\n//@c;",
            expect![[r#"
            ····a;··
            ·······b;
            ···c;"#]],
        );
        check("/*@ a */ b", expect!["····a·*/·b"]);
        check("", expect![""]);
    }

    #[test]
    fn longest_operator_wins() {
        let text = "a<==>b==>c->d<=e .. \\in'\\''\"\\\"\"`";
        let kinds: Vec<_> = tokens(text).into_iter().map(|(t, _)| t).collect();
        expect![[r#"
            [Name, Iff, Name, Implies, Name, Arrow, Name, Le, Name, DotDot, Logic, Char, Str, Unknown]"#]]
        .assert_eq(&format!("{kinds:?}"));
    }
}
