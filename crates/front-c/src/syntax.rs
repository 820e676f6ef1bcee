//! Parsing with `lang-c`, and its errors in readable words.

use lang_c::ast::TranslationUnit;
use lang_c::driver::{Config, Flavor, parse_preprocessed};
use trellis_program::source::Diagnostic;

use crate::positions::Positions;

/// Parses text in which comments and attributes are blank.
///
/// # Errors
/// One syntax error.
pub fn parse(code: &str, positions: &Positions) -> Result<TranslationUnit, Diagnostic> {
    let config =
        Config { cpp_command: String::new(), cpp_options: Vec::new(), flavor: Flavor::GnuC11 };
    match parse_preprocessed(&config, code.to_owned()) {
        Ok(parse) => Ok(parse.unit),
        Err(e) => Err(syntax_error(code, e.offset, &e.expected, positions)),
    }
}

fn syntax_error(
    code: &str,
    offset: usize,
    expected: &std::collections::HashSet<&'static str>,
    positions: &Positions,
) -> Diagnostic {
    let bytes = code.as_bytes();
    let mut start = offset.min(bytes.len());
    while start < bytes.len() && bytes[start].is_ascii_whitespace() {
        start += 1;
    }
    if start >= bytes.len() {
        let end = code.trim_end().len();
        let span = positions.span(end.saturating_sub(1), end);
        return Diagnostic::error(span, "syntax error: the file ends too early")
            .with_label(expectation(expected).unwrap_or_default());
    }
    // The parser may stop inside a word (a name where no name may stand).
    let word = |b: u8| b == b'_' || b.is_ascii_alphanumeric();
    if word(bytes[start]) {
        while start > 0 && word(bytes[start - 1]) {
            start -= 1;
        }
    }
    let mut end = start + 1;
    while word(bytes[start]) && end < bytes.len() && word(bytes[end]) {
        end += 1;
    }
    while !code.is_char_boundary(end) {
        end += 1;
    }
    let span = positions.span(start, end);
    let token = code.get(start..end).unwrap_or("?");
    let what = if word(bytes[start]) {
        format!("syntax error: `{token}` cannot stand here")
    } else {
        format!("syntax error: unexpected `{token}`")
    };
    let mut diagnostic = Diagnostic::error(span, what);
    if let Some(label) = expectation(expected) {
        diagnostic = diagnostic.with_label(label);
    }
    if is_unknown_type(code, start) {
        diagnostic = diagnostic.with_help("is this a type whose declaration is missing?");
    }
    diagnostic
}

/// What was expected, if that is short: `;` before a list of sixty tokens.
fn expectation(expected: &std::collections::HashSet<&'static str>) -> Option<String> {
    let mut closers: Vec<&str> =
        [";", ")", "]", "}", ",", ":"].into_iter().filter(|t| expected.contains(t)).collect();
    let starts_expression = expected.contains("(") && expected.contains("~");
    if starts_expression && closers.is_empty() {
        return Some("expected an expression".into());
    }
    closers.truncate(3);
    match closers.split_last() {
        None => None,
        Some((last, [])) => Some(format!("expected `{last}`")),
        Some((last, rest)) => Some(format!("expected `{}` or `{last}`", rest.join("`, `"))),
    }
}

/// Whether the token is the second of two names in a row at the start of a statement: `foo x`.
fn is_unknown_type(code: &str, start: usize) -> bool {
    let before = code[..start].trim_end_matches(|c: char| c.is_ascii_whitespace() || c == '*');
    let word = |c: char| c == '_' || c.is_ascii_alphanumeric();
    let name = before.len() - before.trim_end_matches(word).len();
    let head = before[..before.len() - name].trim_end();
    name > 0
        && before.len() < start
        && (head.is_empty() || head.ends_with([';', '{', '}', '(', ',']))
        && code[start..].starts_with(word)
}
