//! Finding tokens again after macro expansion.
//!
//! Within a line, the preprocessor keeps the tokens that are not macros, so the place of a token is
//! found by aligning the line's tokens before and after (a longest common subsequence). Copies of
//! macro arguments point at the argument; whatever else a macro expanded to points at its use.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use trellis_program::source::{FileId, SourceMap, Span};

/// A token of preprocessed text and where it comes from.
#[derive(Debug, Clone, Copy)]
pub struct Placed {
    /// Its first byte in the preprocessed text.
    pub start: usize,
    /// One past its last.
    pub end: usize,
    /// Its place in the user's file; the whole use of the macro that made it.
    pub origin: Span,
    /// The token is there literally, so positions inside it carry over.
    pub exact: bool,
}

#[derive(Debug, Clone, Copy)]
struct Token {
    start: usize,
    end: usize,
}

/// An offset as spans store it.
pub fn clip(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// Aligns every run of preprocessed lines that come from one line of a user's file.
pub fn align_lines(
    code: &str,
    content: &[(usize, usize, FileId, u32)],
    sources: &SourceMap,
) -> Vec<Placed> {
    /// A macro call may spread over so many lines.
    const MAX_LINES: u32 = 60;
    let mut out = Vec::new();
    let mut originals: BTreeMap<FileId, Vec<(u32, Token)>> = BTreeMap::new();
    let mut i = 0;
    while i < content.len() {
        let (_, _, file, line) = content[i];
        let mut tokens = Vec::new();
        while i < content.len() && (content[i].2, content[i].3) == (file, line) {
            tokenize(code, content[i].0, content[i].1, |t| tokens.push(t));
            i += 1;
        }
        let next = match content.get(i) {
            Some(&(_, _, f, l)) if f == file && l > line => l.min(line + MAX_LINES),
            None => line + MAX_LINES,
            _ => line + 1,
        };
        let source = sources.file(file);
        let all = originals.entry(file).or_insert_with(|| source_tokens(&source.text, source));
        let from = all.partition_point(|t| t.0 < line);
        let to = all.partition_point(|t| t.0 < next);
        let to = close_parentheses(&source.text, all, from, to, line + MAX_LINES);
        let original: Vec<Token> = all[from..to].iter().map(|t| t.1).collect();
        place(code, &tokens, &source.text, &original, file, &mut out);
    }
    out
}

/// The end of a run of tokens, moved so that a macro call that spreads over lines is whole.
fn close_parentheses(
    text: &str,
    all: &[(u32, Token)],
    from: usize,
    to: usize,
    last_line: u32,
) -> usize {
    let mut depth = 0;
    let mut end = from;
    while end < all.len() && (end < to || depth > 0) {
        let (line, token) = all[end];
        if end >= to && line >= last_line {
            return to;
        }
        match &text[token.start..token.end] {
            "(" => depth += 1,
            ")" => depth -= 1,
            _ => {}
        }
        end += 1;
    }
    end.max(to)
}

/// The tokens of a user's file with their lines, without comments and directives.
fn source_tokens(text: &str, source: &trellis_program::source::SourceFile) -> Vec<(u32, Token)> {
    let blanked = crate::comments::scan(text).code;
    // Directives continue over escaped line breaks, which the scan of preprocessed text ignores.
    let mut out = Vec::new();
    let mut continued = false;
    for line in 1..=source.line_count() {
        let Some((start, end)) = source.line_range(line) else {
            break;
        };
        let (start, end) = (start as usize, end as usize);
        let raw = text[start..end].trim();
        let directive = continued || raw.starts_with('#');
        continued = directive && raw.ends_with('\\');
        if !directive {
            tokenize(&blanked, start, end, |t| out.push((line as u32, t)));
        }
    }
    out
}

/// Words and numbers, string and character literals, single other characters.
fn tokenize(text: &str, start: usize, end: usize, mut push: impl FnMut(Token)) {
    let bytes = &text.as_bytes()[..end.min(text.len())];
    let word = |b: u8| b == b'_' || b.is_ascii_alphanumeric() || b >= 0x80;
    let mut at = start;
    while at < bytes.len() {
        let begin = at;
        let b = bytes[at];
        at += 1;
        if b.is_ascii_whitespace() || b == b'\\' {
            continue;
        }
        if word(b) {
            while at < bytes.len() && word(bytes[at]) {
                at += 1;
            }
        } else if b == b'"' || b == b'\'' {
            while at < bytes.len() && bytes[at] != b && bytes[at] != b'\n' {
                at += if bytes[at] == b'\\' { 2 } else { 1 };
            }
            at = (at + 1).min(bytes.len());
        }
        push(Token { start: begin, end: at.min(bytes.len()) });
    }
}

/// Finds the origin of every token in `new` among the tokens `old`.
fn place(
    code: &str,
    new: &[Token],
    text: &str,
    old: &[Token],
    file: FileId,
    out: &mut Vec<Placed>,
) {
    if old.is_empty() {
        return;
    }
    let new_text: Vec<&str> = new.iter().map(|t| &code[t.start..t.end]).collect();
    let old_text: Vec<&str> = old.iter().map(|t| &text[t.start..t.end]).collect();
    let mut matched = common_subsequence(new.len(), old.len(), |i, j| new_text[i] == old_text[j]);
    let uses = macro_uses(&new_text, &old_text, &matched);
    match_arguments(&new_text, &old_text, &uses, &mut matched);
    let span = |a: usize, b: usize| {
        Span::new(file, clip(old[a].start), clip(old[b].end.max(old[a].start)))
    };
    let mut after = 0; // The first original token after the last matched one.
    for (i, m) in matched.iter().enumerate() {
        let Token { start, end } = new[i];
        let (origin, exact) = if let Some(j) = *m {
            after = j + 1;
            // The parenthesis of a macro call: the call begins at the macro's name.
            match uses.iter().find(|u| u.start + 1 == j && u.end > u.start + 1) {
                Some(u) => (span(u.start, j), false),
                None => (span(j, j), true),
            }
        } else {
            let here = after.min(old.len() - 1);
            let last = after.saturating_sub(1);
            let begins = uses.iter().find(|u| u.start == here);
            let goes_on = || uses.iter().find(|u| u.contains(&last));
            let before = || uses.iter().rfind(|u| u.start <= here);
            match begins.or_else(goes_on).or_else(before).or(uses.first()) {
                Some(u) => (span(u.start, u.end - 1), false),
                None => (span(here, here), false),
            }
        };
        out.push(Placed { start, end, origin, exact });
    }
}

/// The uses of macros among the original tokens: words that expansion took away, with their
/// arguments.
fn macro_uses(new: &[&str], old: &[&str], matched: &[Option<usize>]) -> Vec<Range<usize>> {
    let kept: BTreeSet<usize> = matched.iter().flatten().copied().collect();
    let present: BTreeSet<&str> = new.iter().copied().collect();
    let mut uses = Vec::new();
    for j in 0..old.len() {
        if kept.contains(&j) || !is_word(old[j]) || present.contains(old[j]) {
            continue;
        }
        let mut end = j + 1;
        if old.get(end) == Some(&"(") {
            let mut depth = 0;
            for (k, t) in old.iter().enumerate().skip(end) {
                depth += i32::from(*t == "(") - i32::from(*t == ")");
                if depth == 0 {
                    end = k + 1;
                    break;
                }
            }
        }
        uses.push(j..end);
    }
    uses
}

/// Arguments are copied as they are, and perhaps several times: finds all their copies, the longest
/// arguments first.
fn match_arguments(
    new: &[&str],
    old: &[&str],
    uses: &[Range<usize>],
    matched: &mut [Option<usize>],
) {
    let present: BTreeSet<&str> = new.iter().copied().collect();
    let mut pieces = Vec::new();
    for (u, use_) in uses.iter().enumerate() {
        let mut start = use_.start + 2;
        let mut depth = 0;
        for (j, t) in old.iter().enumerate().take(use_.end).skip(use_.start + 2) {
            depth += i32::from(*t == "(") - i32::from(*t == ")");
            let separates = (*t == "," && depth == 0) || depth < 0;
            if separates || !present.contains(t) {
                pieces.push((u, start..j));
                start = j + 1;
            }
        }
    }
    pieces.retain(|(_, p)| p.clone().any(|j| is_word(old[j])));
    pieces.sort_by_key(|(_, p)| std::cmp::Reverse(p.len()));
    let mut done = vec![false; new.len()];
    for (u, piece) in pieces {
        let length = piece.len();
        for i in 0..(new.len() + 1).saturating_sub(length) {
            let free = |k: usize| !done[k] && matched[k].is_none_or(|j| uses[u].contains(&j));
            let same = (0..length).all(|k| free(i + k) && new[i + k] == old[piece.start + k]);
            if same {
                for k in 0..length {
                    matched[i + k] = Some(piece.start + k);
                    done[i + k] = true;
                }
            }
        }
    }
}

fn is_word(token: &str) -> bool {
    token.starts_with(|c: char| c == '_' || c.is_alphanumeric())
}

/// For every index of the first sequence, its partner in a longest common subsequence.
fn common_subsequence(
    n: usize,
    m: usize,
    equal: impl Fn(usize, usize) -> bool,
) -> Vec<Option<usize>> {
    /// Above this, only the common prefix and suffix are matched.
    const MAX_CELLS: usize = 1_000_000;
    let mut out = vec![None; n];
    let prefix = (0..n.min(m)).take_while(|&i| equal(i, i)).count();
    (0..prefix).for_each(|i| out[i] = Some(i));
    let suffix = (0..n.min(m) - prefix).take_while(|&k| equal(n - 1 - k, m - 1 - k)).count();
    (0..suffix).for_each(|k| out[n - 1 - k] = Some(m - 1 - k));
    let (rows, cols) = (n - prefix - suffix, m - prefix - suffix);
    if rows * cols == 0 || rows * cols > MAX_CELLS {
        return out;
    }
    let at = |i: usize, j: usize| i * (cols + 1) + j;
    let same = |i: usize, j: usize| equal(prefix + i, prefix + j);
    let mut best = vec![0u32; (rows + 1) * (cols + 1)];
    for i in (0..rows).rev() {
        for j in (0..cols).rev() {
            best[at(i, j)] = if same(i, j) {
                best[at(i + 1, j + 1)] + 1
            } else {
                best[at(i + 1, j)].max(best[at(i, j + 1)])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    while i < rows && j < cols {
        if same(i, j) {
            out[prefix + i] = Some(prefix + j);
            (i, j) = (i + 1, j + 1);
        } else if best[at(i, j + 1)] >= best[at(i + 1, j)] {
            j += 1;
        } else {
            i += 1;
        }
    }
    out
}
