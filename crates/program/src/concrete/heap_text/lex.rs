//! Text to tokens.

use super::{At, Trouble};

/// A token of the notation.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Token {
    /// A name.
    Name(String),
    /// A number; also the minus sign belongs to it.
    Int(i128),
    /// `->`, or `-f->` with a field.
    Arrow(Option<String>),
    /// One of `. = : & [ ] , ? ( ) * +`.
    Sign(char),
    /// `;` or the end of a line.
    End,
}

/// The tokens of a text, each with its place; an [`Token::End`] is last.
pub(super) fn lex(text: &str) -> Result<Vec<(Token, At)>, Trouble> {
    let mut out = Vec::new();
    for (line, content) in text.lines().enumerate() {
        let chars: Vec<char> = content.chars().collect();
        let mut i = 0;
        while i < chars.len() && chars[i] != '#' {
            let at = At { line, column: i };
            if chars[i].is_whitespace() {
                i += 1;
                continue;
            }
            let (token, length) = token_at(&chars[i..], at)?;
            out.push((token, at));
            i += length;
        }
        let column = i;
        out.push((Token::End, At { line, column }));
    }
    let at = out.last().map_or(At { line: 0, column: 0 }, |(_, at)| *at);
    out.push((Token::End, at));
    Ok(out)
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The token at the start of `rest`, and its length.
fn token_at(rest: &[char], at: At) -> Result<(Token, usize), Trouble> {
    let word = |from: usize, ok: &dyn Fn(char) -> bool| -> String {
        rest[from..].iter().take_while(|c| ok(**c)).collect()
    };
    let next = rest.get(1).copied().unwrap_or(' ');
    match rest[0] {
        ';' => Ok((Token::End, 1)),
        '→' => Ok((Token::Arrow(None), 1)),
        '-' if next == '>' => Ok((Token::Arrow(None), 2)),
        c if c.is_ascii_digit() || (c == '-' && next.is_ascii_digit()) => {
            let sign = usize::from(c == '-');
            let digits = word(sign, &is_name);
            let length = sign + digits.chars().count();
            let value = digits
                .parse::<i64>()
                .map(i128::from)
                .or_else(|_| digits.parse::<u64>().map(i128::from));
            let value = value
                .map_err(|_| Trouble::new(at, format!("`{digits}` is not a 64-bit integer")))?;
            Ok((Token::Int(if sign == 1 { -value } else { value }), length))
        }
        '-' if is_name(next) => {
            let field = word(1, &|c| is_name(c) || ".[]".contains(c));
            let end = 1 + field.chars().count();
            match (rest.get(end), rest.get(end + 1)) {
                (Some('-'), Some('>')) => Ok((Token::Arrow(Some(field)), end + 2)),
                (Some('→'), _) => Ok((Token::Arrow(Some(field)), end + 1)),
                _ => Err(Trouble::new(at, "an arrow begins here and does not end")
                    .help(format!("write `-{field}->` for the field `{field}`"))),
            }
        }
        c if c.is_alphabetic() || c == '_' => {
            let name = word(0, &is_name);
            let length = name.chars().count();
            Ok((Token::Name(name), length))
        }
        c if ".=:&[],?()*+".contains(c) => Ok((Token::Sign(c), 1)),
        c => Err(Trouble::new(at, format!("`{c}` means nothing here"))),
    }
}
