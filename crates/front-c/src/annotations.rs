//! Annotations: parsed early, because ghost code must be in the text that the C parser sees.

use std::ops::Range;

use trellis_program::source::{Diagnostic, SourceMap, Span};

use crate::acsl::{self, Annotation, Locate};
use crate::comments::Scan;
use crate::positions::Positions;

/// The annotations of a file.
#[derive(Debug, Default)]
pub struct Notes {
    /// By offset; ghost code is not among them.
    pub list: Vec<Note>,
    /// Where ghost code was spliced into the text.
    pub ghosts: Vec<Range<usize>>,
    /// Comments that begin like annotations and are none of ours.
    pub foreign: Vec<Span>,
    /// Comments that would be contracts without the blank before their `@`.
    pub near: Vec<Span>,
}

/// One clause of an annotation.
#[derive(Debug)]
pub struct Note {
    /// Its offset in the preprocessed text.
    pub offset: usize,
    /// What it says.
    pub clause: Annotation,
}

/// Positions inside a comment that was copied to the letter.
struct Comment(Span);

impl Locate for Comment {
    fn span(&self, start: usize, end: usize) -> Span {
        let at = |o: usize| {
            let o = u32::try_from(o).unwrap_or(u32::MAX);
            self.0.start.saturating_add(o).min(self.0.end)
        };
        Span::new(self.0.file, at(start), at(end))
    }
}

/// Parses the annotations outside system headers from an offset on, and writes ghost code into
/// `scan.code`.
///
/// # Errors
/// All syntax errors in annotations.
pub fn read(
    scan: &mut Scan,
    from: usize,
    notes: &mut Notes,
    positions: &mut Positions,
    sources: &SourceMap,
) -> Result<(), Vec<Diagnostic>> {
    let mut errors = Vec::new();
    let mut code = scan.code.split_off(from).into_bytes();
    let text = &scan.text;
    let first = scan.annotations.partition_point(|r| r.start < from);
    for range in &scan.annotations[first..] {
        if positions.is_system(range.start) {
            continue;
        }
        let at = Comment(positions.comment(text, range.start, range.end, sources));
        match acsl::parse(&text[range.clone()], &at) {
            Ok(None) => notes.foreign.push(at.0),
            Ok(Some(clauses)) => {
                for clause in clauses {
                    if let Annotation::Ghost(ghost) = &clause {
                        if let Some(ghost) = splice(&mut code, from, range, ghost) {
                            positions.add_ghost(range, at.0);
                            notes.ghosts.push(ghost);
                        }
                    } else {
                        let inside = clause.span().start.saturating_sub(at.0.start);
                        let offset = (range.start + inside as usize).min(range.end);
                        notes.list.push(Note { offset, clause });
                    }
                }
            }
            Err(e) => errors.push(e),
        }
    }
    for range in scan.near.iter().filter(|r| r.start >= from && !positions.is_system(r.start)) {
        notes.near.push(positions.comment(text, range.start, range.end, sources));
    }
    scan.code.push_str(&String::from_utf8_lossy(&code));
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// Writes ghost code where its comment was, into code that lies at `from`; returns its place.
fn splice(
    code: &mut [u8],
    from: usize,
    comment: &Range<usize>,
    ghost: &acsl::Ghost,
) -> Option<Range<usize>> {
    let start = comment.start + ghost.start;
    let end = (start + ghost.text.len()).min(comment.end);
    let text = ghost.text.as_bytes().get(..end.checked_sub(start)?)?;
    code.get_mut(start.checked_sub(from)?..end.checked_sub(from)?)?.copy_from_slice(text);
    Some(start..end)
}

impl Notes {
    /// What to tell of comments that are no contracts: one warning of a kind, however many there are.
    pub fn warnings(&self) -> impl Iterator<Item = Diagnostic> {
        let near = self.near.first().map(|at| {
            Diagnostic::warning(*at, "this is a comment, and no contract")
                .with_help("write `/*@` or `//@`, without a blank before the `@`")
        });
        self.foreign_warning().into_iter().chain(near)
    }

    fn foreign_warning(&self) -> Option<Diagnostic> {
        let (first, more) = self.foreign.split_first()?;
        let message = match more.len() {
            0 => "this is no contract, so it is taken for a comment".to_owned(),
            1 => "this is no contract, so it is taken for a comment, and so is one more".to_owned(),
            n => format!("this is no contract, so it is taken for a comment, and so are {n} more"),
        };
        let warning = Diagnostic::warning(*first, message);
        Some(warning.with_help("a contract begins with a word such as `requires` or `ensures`"))
    }

    /// Whether an offset of the text lies in ghost code.
    pub fn is_ghost(&self, offset: usize) -> bool {
        self.ghosts.iter().any(|r| r.contains(&offset))
    }
}
