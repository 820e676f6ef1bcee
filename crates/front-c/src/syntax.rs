//! Parsing with `lang-c`, and its errors in readable words.

use lang_c::ast::TranslationUnit;
use lang_c::driver::{Config, Flavor, parse_preprocessed};
use trellis_program::source::{Diagnostic, Span};

use crate::moved::Moved as _;
use crate::positions::Positions;

/// Parses a unit in whose text comments and attributes are blank, and which lies at `start` in the
/// text of the program; so do the places of the tree.
///
/// # Errors
/// One syntax error.
pub fn parse(
    code: String,
    start: usize,
    positions: &Positions,
) -> Result<TranslationUnit, Diagnostic> {
    let config =
        Config { cpp_command: String::new(), cpp_options: Vec::new(), flavor: Flavor::GnuC11 };
    match parse_preprocessed(&config, code) {
        Ok(mut parse) => {
            parse.unit.shift(start);
            Ok(parse.unit)
        }
        Err(e) => Err(syntax_error(&e.source, e.offset, &e.expected, |at, end| {
            positions.span(start + at, start + end)
        })),
    }
}

fn syntax_error(
    code: &str,
    offset: usize,
    expected: &std::collections::HashSet<&'static str>,
    place: impl Fn(usize, usize) -> Span,
) -> Diagnostic {
    let bytes = code.as_bytes();
    let mut start = offset.min(bytes.len());
    while start < bytes.len() && bytes[start].is_ascii_whitespace() {
        start += 1;
    }
    if start >= bytes.len() {
        let end = code.trim_end().len();
        let span = place(end.saturating_sub(1), end);
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
    let span = place(start, end);
    let token = code.get(start..end).unwrap_or("?");
    if let Some(range) = unknown_type(code, start) {
        let name = &code[range.clone()];
        let d =
            Diagnostic::error(place(range.start, range.end), format!("no type is called `{name}`"));
        let tagged = ["struct", "union", "enum"]
            .into_iter()
            .find(|k| code.contains(&format!("{k} {name} ")));
        return match tagged {
            Some(keyword) => d.with_help(format!("did you mean `{keyword} {name}`?")),
            None => d.with_help("is a header or a declaration missing?"),
        };
    }
    let what = if word(bytes[start]) {
        format!("syntax error: `{token}` cannot stand here")
    } else {
        format!("syntax error: unexpected `{token}`")
    };
    let mut diagnostic = Diagnostic::error(span, what);
    if let Some(label) = expectation(expected) {
        diagnostic = diagnostic.with_label(label);
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

/// The name that stands where a type must stand, if that is what went wrong: in `foo *x = 0;` and
/// `foo x;`, an unknown `foo` makes the parser stop later.
fn unknown_type(code: &str, start: usize) -> Option<std::ops::Range<usize>> {
    let word = |c: char| c == '_' || c.is_ascii_alphanumeric();
    let is_name = |w: &str| {
        w.starts_with(|c: char| c == '_' || c.is_ascii_alphabetic()) && !KEYWORDS.contains(&w)
    };
    let item = code[..start].rfind([';', '{', '}', '(', ',']).map_or(0, |i| i + 1);
    let before = code[item..start].trim_start();
    let from = start - before.len();
    let first = &before[..before.len() - before.trim_start_matches(word).len()];
    if first.is_empty() {
        // The parser stopped at the name itself; what follows must look like a declarator.
        let len = code[start..].len() - code[start..].trim_start_matches(word).len();
        let rest = code[start + len..].trim_start();
        let declares = rest.starts_with(|c: char| word(c) || c == '*');
        return (is_name(&code[start..start + len]) && declares).then_some(start..start + len);
    }
    let rest = before[first.len()..].trim();
    let stars = rest.trim_start_matches(['*', ' ', '\n', '\t']);
    let stops_at_name = stars.is_empty() && code[start..].starts_with(word);
    let stops_after_name = rest.starts_with('*') && !stars.is_empty() && stars.chars().all(word);
    (is_name(first) && (stops_at_name || stops_after_name)).then_some(from..from + first.len())
}

/// Words that never name a type.
const KEYWORDS: [&str; 17] = [
    "break", "case", "continue", "default", "do", "else", "enum", "for", "goto", "if", "return",
    "sizeof", "struct", "switch", "typedef", "union", "while",
];
