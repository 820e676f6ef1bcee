//! From offsets in preprocessed text to places in the files the user wrote.
//!
//! Line markers tell file and line. Within a line, the preprocessor keeps the tokens that are not
//! macros, so the place of a token is found by aligning the line's tokens before and after (a
//! longest common subsequence); what a macro expanded to points at the macro's use.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use trellis_program::source::{FileId, SourceMap, Span};

/// Maps offsets of preprocessed text.
#[derive(Debug)]
pub struct Positions {
    /// Regions by their start offset, with whether they come from a system header.
    regions: Vec<(usize, bool)>,
    /// Tokens of preprocessed text with their places; empty when the text is the user's own.
    tokens: Vec<Placed>,
    /// Per line of preprocessed text: its start and its origin; empty when the text is the user's.
    lines: Vec<(usize, FileId, u32)>,
    /// Comments that hold ghost code, with their places.
    verbatim: Vec<(Range<usize>, Span)>,
}

#[derive(Debug, Clone, Copy)]
struct Placed {
    start: usize,
    end: usize,
    origin: Span,
    /// The token is there literally, so positions inside it carry over.
    exact: bool,
}

#[derive(Debug, Clone, Copy)]
struct Token {
    start: usize,
    end: usize,
}

impl Positions {
    /// The text is the user's file itself (`.i` files): offsets stay, markers only tell which
    /// parts come from system headers.
    pub fn identity(text: &str) -> Positions {
        let mut markers = Markers::default();
        let mut regions = vec![(0, false)];
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            if let Some(marker) = markers.read(line) {
                regions.push((at, marker.system));
            }
            at += line.len();
        }
        Positions { regions, tokens: Vec::new(), lines: Vec::new(), verbatim: Vec::new() }
    }

    /// The text was preprocessed from file 0 of `sources`; `code` is the same with comments
    /// blanked. User headers are read and added to `sources`.
    pub fn of_preprocessed(text: &str, code: &str, sources: &mut SourceMap) -> Positions {
        let mut markers = Markers::default();
        let mut regions = vec![(0, false)];
        let mut lines: Vec<(usize, FileId, u32)> = Vec::new();
        let mut ids: BTreeMap<String, FileId> = BTreeMap::new();
        ids.insert(sources.file(FileId(0)).name.clone(), FileId(0));
        let (mut file, mut line_no, mut at) = (FileId(0), 1u32, 0);
        let mut system_now = false;
        // Lines of user files, to be aligned: (start, end, file, line).
        let mut content: Vec<(usize, usize, FileId, u32)> = Vec::new();
        for line in text.split_inclusive('\n') {
            let end = at + line.len();
            if let Some(marker) = markers.read(line) {
                system_now = marker.system;
                regions.push((at, system_now));
                line_no = marker.line;
                file = *ids.entry(marker.file).or_insert_with_key(|name| {
                    let text = if system_now {
                        Vec::new()
                    } else {
                        std::fs::read(name).unwrap_or_default()
                    };
                    sources.add(name.clone(), String::from_utf8_lossy(&text))
                });
            } else {
                lines.push((at, file, line_no));
                let has_code = code.get(at..end).is_some_and(|s| !s.trim().is_empty());
                if has_code && !system_now {
                    content.push((at, end, file, line_no));
                }
                line_no = line_no.saturating_add(1);
            }
            at = end;
        }
        let tokens = align_lines(code, &content, sources);
        Positions { regions, tokens, lines, verbatim: Vec::new() }
    }

    /// Whether an offset lies in a system header.
    pub fn is_system(&self, offset: usize) -> bool {
        let i = self.regions.partition_point(|r| r.0 <= offset);
        i > 0 && self.regions[i - 1].1
    }

    /// Tells that a range was copied to the letter from a place.
    pub fn add_verbatim(&mut self, range: &Range<usize>, origin: Span) {
        self.verbatim.push((range.clone(), origin));
    }

    /// The place of a range of preprocessed text that holds code.
    pub fn span(&self, start: usize, end: usize) -> Span {
        if self.lines.is_empty() {
            return Span::new(FileId(0), clip(start), clip(end));
        }
        if let Some((range, origin)) = self.verbatim.iter().find(|v| v.0.contains(&start)) {
            let at = |o: usize| origin.start + clip(o.min(range.end) - range.start);
            return Span::new(origin.file, at(start), at(end.max(start)));
        }
        let first = self.token_at(start);
        let last = self.token_at(end.saturating_sub(1).max(start));
        match (first, last) {
            (Some(a), Some(b)) => {
                let from = if a.exact {
                    a.origin.start + clip(start.saturating_sub(a.start))
                } else {
                    a.origin.start
                };
                let to = if b.exact {
                    b.origin.start + clip(end.min(b.end).saturating_sub(b.start))
                } else {
                    b.origin.end
                };
                if a.origin.file == b.origin.file && from < to {
                    Span::new(a.origin.file, from, to)
                } else {
                    Span::new(a.origin.file, from, a.origin.end.max(from))
                }
            }
            _ => self.line_span(start),
        }
    }

    /// The place of a comment, which the preprocessor copies to the letter; positions inside it
    /// are offsets from the start of the result.
    pub fn comment(&self, text: &str, start: usize, end: usize, sources: &SourceMap) -> Span {
        if self.lines.is_empty() {
            return Span::new(FileId(0), clip(start), clip(end));
        }
        let i = self.lines.partition_point(|l| l.0 <= start);
        let Some(&(_, file, line)) = i.checked_sub(1).and_then(|i| self.lines.get(i)) else {
            return Span::new(FileId(0), 0, 0);
        };
        let source = sources.file(file);
        let found = source.line_range(line as usize).and_then(|(from, _)| {
            let rest = source.text.get(from as usize..)?;
            let at = rest.find(text.get(start..end)?)? as u32;
            Some(Span::new(file, from + at, from + at + clip(end - start)))
        });
        found.unwrap_or_else(|| self.line_span(start))
    }

    /// The token at an offset, or the next one on the way to the end of the text.
    fn token_at(&self, offset: usize) -> Option<Placed> {
        let i = self.tokens.partition_point(|t| t.end <= offset);
        let token = *self.tokens.get(i)?;
        let line = |o: usize| self.lines.partition_point(|l| l.0 <= o);
        (token.start <= offset || line(token.start) == line(offset)).then_some(token)
    }

    /// The first blank-free part of the line that an offset comes from.
    fn line_span(&self, offset: usize) -> Span {
        let i = self.lines.partition_point(|l| l.0 <= offset);
        match i.checked_sub(1).and_then(|i| self.lines.get(i)) {
            Some(&(_, file, _)) => Span::new(file, 0, 0),
            None => Span::new(FileId(0), 0, 0),
        }
    }
}

fn clip(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// Reads line markers and remembers which files are system headers.
#[derive(Default)]
struct Markers {
    system: BTreeMap<String, bool>,
}

struct Marker {
    line: u32,
    file: String,
    system: bool,
}

impl Markers {
    /// `# 12 "file.c" 2`. A file is a system header if it was entered as one: within the user's
    /// file, the flag also marks the expansion of macros from system headers.
    fn read(&mut self, line: &str) -> Option<Marker> {
        let rest = line.strip_prefix('#')?.trim_start();
        let rest = rest.strip_prefix("line").unwrap_or(rest).trim_start();
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let number = rest[..digits].parse().ok()?;
        let rest = rest[digits..].trim_start().strip_prefix('"')?;
        let close = rest.rfind('"')?;
        let file = rest[..close].replace("\\\\", "\\").replace("\\\"", "\"");
        let flagged = rest[close + 1..].split_whitespace().any(|f| f == "3");
        let system = *self
            .system
            .entry(file.clone())
            .or_insert(flagged || file.starts_with('<') || file.starts_with("/usr/include/"));
        Some(Marker { line: number, file, system })
    }
}

/// Aligns every run of preprocessed lines that come from one line of a user's file.
fn align_lines(
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
        let original: Vec<Token> = all[from..to].iter().map(|t| t.1).collect();
        place(code, &tokens, &source.text, &original, file, &mut out);
    }
    out
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
    for use_ in &uses {
        match_arguments(&new_text, &old_text, use_, &mut matched);
    }
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
            let inside = uses.iter().rfind(|u| u.start <= here && here < u.end);
            let before = uses.iter().rfind(|u| u.start <= here);
            match inside.or(before).or(uses.first()) {
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

/// Arguments are copied as they are, and perhaps several times: finds all their copies.
fn match_arguments(new: &[&str], old: &[&str], use_: &Range<usize>, matched: &mut [Option<usize>]) {
    let present: BTreeSet<&str> = new.iter().copied().collect();
    let mut pieces = Vec::new();
    let mut start = use_.start + 2;
    let mut depth = 0;
    for j in use_.start + 2..use_.end {
        depth += i32::from(old[j] == "(") - i32::from(old[j] == ")");
        let separates = (old[j] == "," && depth == 0) || depth < 0;
        if separates || !present.contains(old[j]) {
            pieces.push(start..j);
            start = j + 1;
        }
    }
    pieces.retain(|p| p.clone().any(|j| is_word(old[j])));
    pieces.sort_by_key(|p| std::cmp::Reverse(p.len()));
    let mut done = vec![false; new.len()];
    for piece in pieces {
        let length = piece.len();
        for i in 0..(new.len() + 1).saturating_sub(length) {
            let free = |k: usize| !done[k] && matched[k].is_none_or(|j| use_.contains(&j));
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
