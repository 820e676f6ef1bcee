//! From offsets in preprocessed text to places in the files the user wrote.
//!
//! Line markers tell file and line; [`crate::align`] finds the place of a token within its line.

use std::collections::BTreeMap;
use std::ops::Range;

use trellis_program::source::{FileId, SourceMap, Span};
use trellis_program::unit::decode;

use crate::align::{Placed, align_lines, clip};
use crate::whole;

/// The name of standard input, as compilers write it into line markers.
pub const STANDARD_INPUT: &str = "<stdin>";

/// Maps offsets of preprocessed text.
#[derive(Debug, Default)]
pub struct Positions {
    /// Where the parts of the text begin, by their start offset.
    parts: Vec<Part>,
    /// Regions by their start offset, with whether they come from a system header.
    regions: Vec<(usize, bool)>,
    /// Tokens of preprocessed text with their places; none of verbatim parts.
    tokens: Vec<Placed>,
    /// Per line of preprocessed text: its start and its origin; none of verbatim parts.
    lines: Vec<(usize, FileId, u32)>,
    /// Comments that hold ghost code, with their places.
    verbatim: Vec<(Range<usize>, Span)>,
    /// What was put into verbatim parts, and how many bytes were put in up to the end of each.
    put_in: Vec<(Range<usize>, usize)>,
    /// Files that line markers name.
    files: BTreeMap<String, FileId>,
}

/// A translation unit in the text.
#[derive(Debug, Clone, Copy)]
struct Part {
    start: usize,
    file: FileId,
    /// The text is the file itself, so offsets stay, but for what was put in.
    is_verbatim: bool,
}

impl Positions {
    /// A part whose text is the file itself (`.i` files): offsets stay but for what was put in,
    /// markers only tell which regions come from system headers.
    pub fn add_verbatim(&mut self, start: usize, part: &whole::Part) {
        self.parts.push(Part { start, file: part.file, is_verbatim: true });
        for range in &part.put_in {
            let before = self.put_in.last().map_or(0, |(_, bytes)| *bytes);
            let moved = start + range.start..start + range.end;
            self.put_in.push((moved, before + range.len()));
        }
        let mut markers = Markers::default();
        self.regions.push((start, false));
        let mut at = start;
        for line in part.text.split_inclusive('\n') {
            if let Some(marker) = markers.read(line) {
                self.regions.push((at, marker.system));
            }
            at += line.len();
        }
    }

    /// A part whose text was preprocessed from a file of `sources`; `code` is the same with comments
    /// blanked. User headers are read and added to `sources`.
    pub fn add_preprocessed(
        &mut self,
        start: usize,
        text: &str,
        code: &str,
        own: FileId,
        sources: &mut SourceMap,
    ) {
        self.parts.push(Part { start, file: own, is_verbatim: false });
        let mut markers = Markers::default();
        self.regions.push((start, false));
        self.files.insert(sources.file(own).name.clone(), own);
        let (mut file, mut line_no, mut at) = (own, 1u32, 0);
        let mut system_now = false;
        // Lines of user files, to be aligned: (start, end, file, line).
        let mut content: Vec<(usize, usize, FileId, u32)> = Vec::new();
        for line in text.split_inclusive('\n') {
            let end = at + line.len();
            if let Some(marker) = markers.read(line) {
                system_now = marker.system;
                self.regions.push((start + at, system_now));
                line_no = marker.line;
                file = *self.files.entry(marker.file).or_insert_with_key(|name| {
                    let text = if system_now {
                        Vec::new()
                    } else {
                        std::fs::read(name).unwrap_or_default()
                    };
                    sources.add(name.clone(), decode(&text))
                });
            } else {
                self.lines.push((start + at, file, line_no));
                let has_code = code.get(at..end).is_some_and(|s| !s.trim().is_empty());
                if has_code && !system_now {
                    content.push((at, end, file, line_no));
                }
                line_no = line_no.saturating_add(1);
            }
            at = end;
        }
        let moved = |t: Placed| Placed { start: t.start + start, end: t.end + start, ..t };
        self.tokens.extend(align_lines(code, &content, sources).into_iter().map(moved));
    }

    /// The part that an offset lies in.
    fn part(&self, offset: usize) -> Part {
        let i = self.parts.partition_point(|p| p.start <= offset);
        let nothing = Part { start: 0, file: FileId(0), is_verbatim: true };
        i.checked_sub(1).map_or(nothing, |i| self.parts[i])
    }

    /// Whether an offset lies in a system header.
    pub fn is_system(&self, offset: usize) -> bool {
        let i = self.regions.partition_point(|r| r.0 <= offset);
        i > 0 && self.regions[i - 1].1
    }

    /// Tells that a range was copied to the letter from a place.
    pub fn add_ghost(&mut self, range: &Range<usize>, origin: Span) {
        self.verbatim.push((range.clone(), origin));
    }

    /// The place of a range of preprocessed text that holds code.
    pub fn span(&self, start: usize, end: usize) -> Span {
        let part = self.part(start);
        if part.is_verbatim {
            return self.verbatim_span(part, start, end);
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

    /// The place of a range of a verbatim part.
    fn verbatim_span(&self, part: Part, start: usize, end: usize) -> Span {
        let before = part.start - self.put_in_before(part.start);
        let within = |o: usize| clip((o - self.put_in_before(o)).saturating_sub(before));
        Span::new(part.file, within(start), within(end))
    }

    /// How many bytes before an offset are in no file.
    fn put_in_before(&self, offset: usize) -> usize {
        let i = self.put_in.partition_point(|(range, _)| range.end <= offset);
        let whole = i.checked_sub(1).map_or(0, |i| self.put_in[i].1);
        let part = self.put_in.get(i).map_or(0, |(range, _)| offset.saturating_sub(range.start));
        whole + part
    }

    /// The place of a comment, which the preprocessor copies to the letter; positions inside it
    /// are offsets from the start of the result.
    pub fn comment(&self, text: &str, start: usize, end: usize, sources: &SourceMap) -> Span {
        let part = self.part(start);
        if part.is_verbatim {
            return self.verbatim_span(part, start, end);
        }
        let i = self.lines.partition_point(|l| l.0 <= start);
        let Some(&(_, file, line)) = i.checked_sub(1).and_then(|i| self.lines.get(i)) else {
            return Span::new(part.file, 0, 0);
        };
        let source = sources.file(file);
        let found = source.line_range(line as usize).and_then(|(from, _)| {
            let rest = source.text.get(from as usize..)?;
            // Not to the letter if line breaks were converted; then its first bytes must do.
            let whole = rest.find(text.get(start..end)?);
            let at = whole.or_else(|| rest.find(text.get(start..start + 3)?))? as u32;
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
            None => Span::new(self.part(offset).file, 0, 0),
        }
    }
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
        let made_up = file.starts_with('<') && file != STANDARD_INPUT;
        let system = *self
            .system
            .entry(file.clone())
            .or_insert(flagged || made_up || file.starts_with("/usr/include/"));
        Some(Marker { line: number, file, system })
    }
}
