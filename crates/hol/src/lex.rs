//! Tokens of formulas: Isabelle's ASCII notation and its X-symbols.

use crate::syntax::{At, Error};

/// A token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Token {
    /// `x`, and `Node.next` in one piece.
    Name(String),
    Int(i128),
    /// `''text''`.
    Text(String),
    /// Everything else, by its ASCII spelling.
    Mark(&'static str),
    End,
}

/// Words that are no names, and what they are written as.
const WORDS: &[(&str, &str)] = &[
    ("True", "True"),
    ("False", "False"),
    ("null", "null"),
    ("UNIV", "UNIV"),
    ("ALL", "ALL"),
    ("EX", "EX"),
    ("Un", "Un"),
    ("Int", "Int"),
    ("let", "let"),
    ("in", "in"),
    ("div", "div"),
    ("mod", "mod"),
    ("card", "card"),
    ("Card", "card"),
    ("cardinality", "card"),
    ("old", "old"),
    ("rtrancl", "rtrancl"),
    ("if", "if"),
    ("then", "then"),
    ("else", "else"),
    ("comment", "comment"),
];

/// X-symbols `\<name>`, and what they stand for.
const SYMBOLS: &[(&str, &str)] = &[
    ("forall", "ALL"),
    ("exists", "EX"),
    ("lambda", "%"),
    ("and", "&"),
    ("or", "|"),
    ("not", "~"),
    ("noteq", "~="),
    ("longrightarrow", "-->"),
    ("Longrightarrow", "==>"),
    ("rightarrow", "-->"),
    ("Rightarrow", "=>"),
    ("longleftrightarrow", "<->"),
    ("leftrightarrow", "<->"),
    ("equiv", "=="),
    ("in", ":"),
    ("notin", "~:"),
    ("union", "Un"),
    ("inter", "Int"),
    ("setminus", "\\<setminus>"),
    ("subseteq", "\\<subseteq>"),
    ("subset", "\\<subset>"),
    ("emptyset", "{}"),
    ("le", "<="),
    ("ge", ">="),
    ("times", "*"),
    ("lbrakk", "[|"),
    ("rbrakk", "|]"),
];

/// Marks in ASCII, longest first.
const MARKS: &[(&str, &str)] = &[
    ("-->", "-->"),
    ("==>", "==>"),
    ("<->", "<->"),
    ("<==", "\\<subseteq>"),
    ("===", "="),
    ("..", ".."),
    (".[", ".["),
    ("::", "::"),
    ("~=", "~="),
    ("!=", "~="),
    ("~:", "~:"),
    ("==", "=="),
    ("=>", "=>"),
    ("<=", "<="),
    (">=", ">="),
    ("[|", "[|"),
    ("|]", "|]"),
    ("{}", "{}"),
    ("=", "="),
    ("|", "|"),
    ("&", "&"),
    ("~", "~"),
    ("<", "<"),
    (">", ">"),
    ("[", "["),
    ("]", "]"),
    ("{", "{"),
    ("}", "}"),
    ("(", "("),
    (")", ")"),
    (",", ","),
    (";", ";"),
    (".", "."),
    ("+", "+"),
    ("-", "-"),
    ("*", "*"),
    ("^", "^"),
    (":", ":"),
    ("%", "%"),
    ("@", "@"),
];

/// Single characters that users paste instead of X-symbols.
const UNICODE: &[(char, &str)] = &[
    ('∀', "ALL"),
    ('∃', "EX"),
    ('λ', "%"),
    ('∧', "&"),
    ('∨', "|"),
    ('¬', "~"),
    ('≠', "~="),
    ('→', "-->"),
    ('⟶', "-->"),
    ('⟹', "==>"),
    ('↔', "<->"),
    ('∈', ":"),
    ('∉', "~:"),
    ('∪', "Un"),
    ('∩', "Int"),
    ('⊆', "\\<subseteq>"),
    ('⊂', "\\<subset>"),
    ('∅', "{}"),
    ('≤', "<="),
    ('≥', ">="),
];

fn is_start(c: u8) -> bool {
    c.is_ascii_alphabetic() || c == b'_'
}

fn is_part(c: u8) -> bool {
    c.is_ascii_alphanumeric() || c == b'_' || c == b'\''
}

/// The tokens of a text with their places; the last one is [`Token::End`].
pub(crate) fn lex(text: &str) -> Result<Vec<(Token, At)>, Error> {
    let bytes = text.as_bytes();
    let mut out = Vec::new();
    let mut i = 0;
    while i < bytes.len() {
        let here = |end: usize| At { start: i as u32, end: end as u32 };
        if bytes[i].is_ascii_whitespace() {
            i += 1;
        } else if text[i..].starts_with("(*") {
            let end = text[i + 2..].find("*)");
            let end = end.ok_or_else(|| Error::new(here(i + 2), "this comment never ends"))?;
            i += end + 4;
        } else if bytes[i].is_ascii_digit() {
            let end = i + bytes[i..].iter().take_while(|c| c.is_ascii_digit()).count();
            let value = text[i..end].parse().ok().filter(|n| *n <= i128::from(u64::MAX));
            let value = value.ok_or_else(|| Error::new(here(end), "this number is too large"))?;
            out.push((Token::Int(value), here(end)));
            i = end;
        } else if is_start(bytes[i]) {
            let end = name_end(bytes, i);
            let word = WORDS.iter().find(|(w, _)| *w == &text[i..end]);
            let token = match word {
                Some((_, mark)) => Token::Mark(mark),
                None => Token::Name(text[i..end].to_owned()),
            };
            out.push((token, here(end)));
            i = end;
        } else if text[i..].starts_with("''") {
            let end = text[i + 2..].find("''");
            let end = end.ok_or_else(|| Error::new(here(i + 2), "this text never ends"))?;
            out.push((Token::Text(text[i + 2..i + 2 + end].to_owned()), here(i + end + 4)));
            i += end + 4;
        } else if text[i..].starts_with("\\<") {
            let (mark, end) = symbol(text, i)?;
            out.push((Token::Mark(mark), here(end)));
            i = end;
        } else {
            let (mark, length) = mark(&text[i..]).ok_or_else(|| {
                let c = text[i..].chars().next().unwrap_or(' ');
                let at = here(i + c.len_utf8());
                Error::new(at, format!("`{c}` does not belong into a formula"))
            })?;
            out.push((Token::Mark(mark), here(i + length)));
            i += length;
        }
    }
    let end = text.len() as u32;
    out.push((Token::End, At { start: end, end }));
    Ok(out)
}

/// Where a name ends that may be qualified: `Node.next`, but not the `x.` of `ALL x. F`.
fn name_end(bytes: &[u8], start: usize) -> usize {
    let part = |from: usize| from + bytes[from..].iter().take_while(|c| is_part(**c)).count();
    let mut end = part(start);
    // Two primes are the end of a comment's text.
    while end > start && bytes[..end].ends_with(b"''") {
        end -= 2;
    }
    while bytes.get(end) == Some(&b'.') && bytes.get(end + 1).is_some_and(|c| is_start(*c)) {
        end = part(end + 1);
    }
    end
}

fn symbol(text: &str, start: usize) -> Result<(&'static str, usize), Error> {
    let rest = &text[start + 2..];
    let length = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
    let end = start + 2 + length + usize::from(rest[length..].starts_with('>'));
    let at = At { start: start as u32, end: end as u32 };
    if !rest[length..].starts_with('>') {
        return Err(Error::new(at, "this X-symbol has no closing `>`"));
    }
    match SYMBOLS.iter().find(|(name, _)| *name == &rest[..length]) {
        Some((_, mark)) => Ok((mark, end)),
        None => Err(Error::new(at, format!("no X-symbol is called `\\<{}>`", &rest[..length]))),
    }
}

fn mark(rest: &str) -> Option<(&'static str, usize)> {
    let ascii = MARKS.iter().find(|(spelling, _)| rest.starts_with(spelling));
    if let Some((spelling, mark)) = ascii {
        return Some((mark, spelling.len()));
    }
    let c = rest.chars().next()?;
    let (_, mark) = UNICODE.iter().find(|(u, _)| *u == c)?;
    Some((mark, c.len_utf8()))
}
