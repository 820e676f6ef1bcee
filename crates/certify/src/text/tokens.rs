//! Words and parentheses.

use std::borrow::Cow;

/// A word or a parenthesis.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token {
    Open,
    Close,
    /// Without the bars around it.
    Word(String),
}

/// A word as it is written: between bars unless it is harmless.
pub(super) fn quoted(word: &str) -> Cow<'_, str> {
    let harmless = |c: char| c.is_ascii_alphanumeric() || "_$?#.&<=>+-*".contains(c);
    if !word.is_empty() && word.chars().all(harmless) {
        return Cow::Borrowed(word);
    }
    let mut text = String::from("|");
    for c in word.chars() {
        match c {
            '|' => text.push_str("\\|"),
            '\\' => text.push_str("\\\\"),
            c => text.push(c),
        }
    }
    text.push('|');
    Cow::Owned(text)
}

/// The tokens of a text, each with its column in characters from one.
///
/// # Errors
/// A word between bars that does not end.
pub(super) fn tokens(text: &str) -> Result<Vec<(usize, Token)>, (usize, String)> {
    let mut out = Vec::new();
    let mut chars = text.chars().enumerate().map(|(i, c)| (i + 1, c)).peekable();
    while let Some((column, c)) = chars.next() {
        match c {
            '(' => out.push((column, Token::Open)),
            ')' => out.push((column, Token::Close)),
            c if c.is_whitespace() => {}
            '|' => {
                let mut word = String::new();
                loop {
                    match chars.next() {
                        Some((_, '|')) => break,
                        Some((_, '\\')) => match chars.next() {
                            Some((_, c @ ('|' | '\\'))) => word.push(c),
                            _ => return Err((column, "no such escape between bars".into())),
                        },
                        Some((_, c)) => word.push(c),
                        None => return Err((column, "the word between bars does not end".into())),
                    }
                }
                out.push((column, Token::Word(word)));
            }
            c => {
                let mut word = String::from(c);
                while let Some((_, c)) =
                    chars.next_if(|(_, c)| !c.is_whitespace() && !"()|".contains(*c))
                {
                    word.push(c);
                }
                out.push((column, Token::Word(word)));
            }
        }
    }
    Ok(out)
}
