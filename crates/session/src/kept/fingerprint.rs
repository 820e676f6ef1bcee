//! What the engines see of a program, as a digest that does not depend on where its parts stand.
//!
//! A part is a procedure, a global, a predicate, a tracked term. Its content is its `Debug` form, which
//! every type of the heap program derives, so nothing can be forgotten; places in it are told by their
//! lines, counted from that of the part, and by their columns. So a part that has moved as a whole is
//! the same, and whatever else changes in it makes it another.
//!
//! Tables of the whole program (types, globals, predicates) are digested once.

use std::fmt::{self, Write as _};

use serde::{Deserialize, Serialize};
use trellis_program::{FileId, Program, SourceMap, Span};
use trellis_store::digest_of;

/// The lines of a part.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Lines {
    /// The file.
    pub file: String,
    /// The line that others are counted from.
    pub at: usize,
    /// The first one, by the places in the part.
    pub first: usize,
    /// The last one.
    pub last: usize,
}

/// What is the same for all procedures of a program.
#[derive(Clone, Debug)]
pub struct Tables {
    digest: String,
    lines: Vec<Lines>,
}

/// Everything that the engines see.
#[derive(Clone, Debug)]
pub struct Fingerprint {
    /// Without lines.
    pub digest: String,
    /// The lines, part by part.
    pub lines: Vec<Lines>,
}

impl Tables {
    /// Those of a whole program.
    pub fn of(program: &Program) -> Tables {
        let mut teller = Teller::new(&program.sources);
        let Program { types, globals, predicates, memory, arguments, .. } = program;
        teller.plain(&(types, memory, arguments));
        globals.iter().for_each(|g| teller.part(g.span, g));
        predicates.iter().for_each(|p| teller.part(p.span, p));
        Tables { digest: teller.digest(), lines: teller.lines }
    }
}

impl Fingerprint {
    /// That of a procedure with what it needs, of a program with these tables.
    pub fn of(tables: &Tables, program: &Program, proc: trellis_program::ProcId) -> Fingerprint {
        let mut teller = Teller::new(&program.sources);
        teller.lines.clone_from(&tables.lines);
        teller.digests.push(tables.digest.clone());
        teller.plain(&(proc, &program.granted));
        program.procs.iter().for_each(|p| teller.part(p.span, p));
        program.tracked.iter().for_each(|t| teller.part(t.span, t));
        Fingerprint { digest: teller.digest(), lines: teller.lines }
    }
}

/// Takes parts.
struct Teller<'a> {
    sources: &'a SourceMap,
    digests: Vec<String>,
    lines: Vec<Lines>,
}

impl<'a> Teller<'a> {
    fn new(sources: &'a SourceMap) -> Teller<'a> {
        Teller { sources, digests: Vec::new(), lines: Vec::new() }
    }

    fn digest(&self) -> String {
        digest_of(self.digests.iter().map(String::as_str))
    }

    /// Something without places.
    fn plain(&mut self, content: &dyn fmt::Debug) {
        self.digests.push(digest_of([&*format!("{content:?}")]));
    }

    /// A part that stands somewhere.
    fn part(&mut self, at: Span, content: &dyn fmt::Debug) {
        let file = self.sources.file(at.file);
        let line = file.line_col(at.start).0;
        let lines = Lines { file: file.name.clone(), at: line, first: line, last: line };
        let mut told = Told { sources: self.sources, file: at.file, lines, text: String::new() };
        told.take(&format!("{content:?}"));
        self.digests.push(digest_of([&*told.lines.file, &*told.text]));
        self.lines.push(told.lines);
    }
}

/// What a place looks like in a `Debug` form.
const PLACE: &str = "Span { file: FileId(";

/// The content of a part, with its places in other words.
struct Told<'a> {
    sources: &'a SourceMap,
    file: FileId,
    lines: Lines,
    text: String,
}

impl Told<'_> {
    /// Copies a `Debug` form; what stands in quotes is no place.
    fn take(&mut self, content: &str) {
        let mut rest = content;
        while let Some(at) = rest.find(['"', '\'', 'S']) {
            self.text.push_str(&rest[..at]);
            rest = &rest[at..];
            let length = match rest.as_bytes()[0] {
                b'S' => match place(rest) {
                    Some((span, length)) => {
                        self.place(span);
                        rest = &rest[length..];
                        continue;
                    }
                    None => 1,
                },
                quote => quoted(rest, quote),
            };
            self.text.push_str(&rest[..length]);
            rest = &rest[length..];
        }
        self.text.push_str(rest);
    }

    fn place(&mut self, span: Span) {
        let file = self.sources.file(span.file);
        let ((line, column), (end_line, end_column)) =
            (file.line_col(span.start), file.line_col(span.end));
        // Writing to a string does not fail.
        let _ = if span.file == self.file {
            self.lines.first = self.lines.first.min(line);
            self.lines.last = self.lines.last.max(end_line);
            let from = |line: usize| line as i64 - self.lines.at as i64;
            write!(self.text, "@{}:{column}-{}:{end_column}", from(line), from(end_line))
        } else {
            write!(self.text, "@{:?}:{line}:{column}-{end_line}:{end_column}", file.name)
        };
    }
}

/// The place that a text begins with, and its length there.
fn place(text: &str) -> Option<(Span, usize)> {
    let mut rest = text.strip_prefix(PLACE)?;
    let mut number = |end: &str| -> Option<u32> {
        let (digits, after) = rest.split_once(end)?;
        rest = after;
        digits.parse().ok()
    };
    let (file, start, end) = (number("), start: ")?, number(", end: ")?, number(" }")?);
    Some((Span::new(FileId(file), start, end), text.len() - rest.len()))
}

/// The length of the text or character in quotes that a text begins with.
fn quoted(text: &str, quote: u8) -> usize {
    let mut escaped = false;
    for (i, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            byte if byte == quote => return i + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use trellis_program::slice::slice;
    use trellis_program::{Input, ProcId};

    use super::*;
    use crate::front_ends::FrontEnds;

    /// The fingerprint of a procedure of a text.
    fn of(text: &str, name: &str) -> Fingerprint {
        let unit = FrontEnds::default().read(Input::Text { name: "a.c", text }).expect("C");
        let position = unit.program.procs.iter().position(|p| p.name == name);
        let proc = ProcId(position.expect("a procedure") as u32);
        let (program, proc) = slice(&unit.program, proc);
        Fingerprint::of(&Tables::of(&unit.program), &program, proc)
    }

    const TEXT: &str = "\
struct node { struct node *next; int data; };
int one(void) { return 1; }
int two(struct node *h) {
    if (h) return one() + one();
    return h->data;
}
";

    #[test]
    fn lines_do_not_count_and_everything_else_does() {
        let two = of(TEXT, "two");
        let moved = of(&TEXT.replace("int two", "\n\nint two"), "two");
        assert_eq!(two.digest, moved.digest);
        assert_ne!(two.lines, moved.lines);
        let (old, new) = (two.lines.last().expect("lines"), moved.lines.last().expect("lines"));
        assert_eq!((old.at, old.first, old.last), (3, 3, 6));
        assert_eq!((new.at, new.first, new.last), (5, 5, 8));
        for (what, by) in [
            ("return 1", "return 2"),
            ("if (h)", "if (!h)"),
            ("    if", "     if"),
            ("h) {\n", "h) {\n\n"),
            ("int two", "//@ requires h != NULL;\nint two"),
            ("int data", "long data"),
            ("one() + one()", "one() - one()"),
        ] {
            let other = of(&TEXT.replace(what, by), "two");
            assert_ne!(two.digest, other.digest, "{what} -> {by}");
        }
        let unneeded = TEXT.replace("int one", "int zero(void) { return 0; } int one");
        assert_eq!(of(&unneeded, "two").lines.len(), two.lines.len());
        let callers = TEXT.replace("+", "-");
        assert_eq!(of(&callers, "one").digest, of(TEXT, "one").digest);
    }

    #[test]
    fn what_stands_in_quotes_is_no_place() {
        let sources = SourceMap::default();
        let lines = Lines { file: String::new(), at: 1, first: 1, last: 1 };
        let text =
            r#"A { name: "Span { file: FileId(0), start: 1, end: 2 } \" ", c: '"', d: '\'' }"#;
        let mut told = Told { sources: &sources, file: FileId(0), lines, text: String::new() };
        told.take(text);
        assert_eq!(told.text, text);
    }
}
