//! Source files, spans in them, and diagnostics that point at them.
//!
//! **Invariant:** a [`Span`] is in bytes of the file *as the user wrote it*, never of preprocessed
//! text; a front end that preprocesses maps positions back before it makes a span.

use std::fmt;
use std::sync::Arc;

/// A file of a [`SourceMap`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FileId(pub u32);

/// A half-open range of bytes in one file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The span from `start` to `end` in `file`.
    pub fn new(file: FileId, start: u32, end: u32) -> Span {
        Span { file, start, end: end.max(start) }
    }

    /// The smallest span around both, or `self` when they lie in different files.
    pub fn to(self, other: Span) -> Span {
        if self.file != other.file {
            return self;
        }
        Span::new(self.file, self.start.min(other.start), self.end.max(other.end))
    }
}

/// What a file is to its program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// The user gave it: its procedures are what is asked about.
    Own,
    /// A file of the user includes it, or needs it.
    Included,
    /// A model that stands for a library: what is shown about it is believed of the library.
    Model,
}

/// One source file: the name it is shown under and its text.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// What it is to its program.
    pub role: Role,
    /// The path as the user gave it (or as the preprocessor named it).
    pub name: String,
    /// The text; empty when a header could not be read back.
    pub text: String,
    line_starts: Vec<u32>,
}

impl SourceFile {
    /// Line and column, both from 1; the column counts characters.
    pub fn line_col(&self, offset: u32) -> (usize, usize) {
        let line = self.line_starts.partition_point(|&s| s <= offset).saturating_sub(1);
        let start = self.line_starts[line] as usize;
        let end = (offset as usize).min(self.text.len());
        let col =
            self.text.get(start..end).map_or(end.saturating_sub(start), |s| s.chars().count());
        (line + 1, col + 1)
    }

    /// The bytes of line `line` (from 1), without its line break.
    pub fn line_range(&self, line: usize) -> Option<(u32, u32)> {
        let start = *self.line_starts.get(line.checked_sub(1)?)?;
        let rest = &self.text[start as usize..];
        let len = rest.find('\n').unwrap_or(rest.len());
        let len = if rest[..len].ends_with('\r') { len - 1 } else { len };
        Some((start, start + len as u32))
    }

    /// How many lines the file has.
    pub fn line_count(&self) -> usize {
        self.line_starts.len()
    }
}

/// All files that spans of one program may point into. Copies share them.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Arc<Vec<SourceFile>>,
}

impl SourceMap {
    /// Adds a file, or finds the one already there under that name with the same text. The first
    /// file is the user's own, others are what it includes.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        let role = if self.files.is_empty() { Role::Own } else { Role::Included };
        self.add_as(role, name, text)
    }

    /// Adds a file of a role, or finds the one already there.
    pub fn add_as(
        &mut self,
        role: Role,
        name: impl Into<String>,
        text: impl Into<String>,
    ) -> FileId {
        let (name, text) = (name.into(), text.into());
        if let Some(i) = self.files.iter().position(|f| f.name == name && f.text == text) {
            return FileId(i as u32);
        }
        let line_starts =
            std::iter::once(0).chain(text.match_indices('\n').map(|(i, _)| i as u32 + 1)).collect();
        Arc::make_mut(&mut self.files).push(SourceFile { role, name, text, line_starts });
        FileId(self.files.len() as u32 - 1)
    }

    /// The file that is shown under a name, if there is one.
    pub fn find(&self, name: &str) -> Option<FileId> {
        self.files.iter().position(|f| f.name == name).map(|i| FileId(i as u32))
    }

    /// All files, in the order in which they were added.
    pub fn ids(&self) -> impl Iterator<Item = FileId> + use<> {
        (0..self.files.len() as u32).map(FileId)
    }

    /// The file behind an id.
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    /// What the file of a span is to the program.
    pub fn role(&self, span: Span) -> Role {
        self.file(span.file).role
    }

    /// Whether a span lies in a model.
    pub fn is_model(&self, span: Span) -> bool {
        // Programs that tests make by hand have no files.
        self.files.get(span.file.0 as usize).is_some_and(|f| f.role == Role::Model)
    }

    /// Line and column of the span's start.
    pub fn line_col(&self, span: Span) -> (usize, usize) {
        self.file(span.file).line_col(span.start)
    }

    /// `file:line:column` of the span's start.
    pub fn locate(&self, span: Span) -> String {
        let (line, col) = self.line_col(span);
        format!("{}:{line}:{col}", self.file(span.file).name)
    }

    /// The text of the span, empty if the file's text is not known.
    pub fn snippet(&self, span: Span) -> &str {
        self.file(span.file).text.get(span.start as usize..span.end as usize).unwrap_or("")
    }
}

/// How bad a diagnostic is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// The input cannot be used; exit code 2.
    Error,
    /// Outside the supported subset: the procedure it lies in is *unknown*, the rest goes on.
    Unsupported,
    /// Worth telling, nothing more.
    Warning,
}

/// A message about a place in the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// One sentence, no full stop.
    pub message: String,
    /// The place, if there is one (a missing file has none).
    pub span: Option<Span>,
    /// Text beside the caret; empty for none.
    pub label: String,
    /// Other places that it is about, each with the text beside its caret.
    pub related: Vec<(Span, String)>,
    /// What to do about it ("did you mean `next`?").
    pub help: Option<String>,
}

impl Diagnostic {
    /// A diagnostic at a span.
    pub fn new(severity: Severity, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity,
            message: message.into(),
            span: Some(span),
            label: String::new(),
            related: Vec::new(),
            help: None,
        }
    }

    /// An error at a span.
    pub fn error(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Error, span, message)
    }

    /// A construct outside the subset.
    pub fn unsupported(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Unsupported, span, message)
    }

    /// A warning at a span.
    pub fn warning(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Warning, span, message)
    }

    /// An error with no place in a source file.
    pub fn plain_error(message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Error,
            message: message.into(),
            span: None,
            label: String::new(),
            related: Vec::new(),
            help: None,
        }
    }

    /// The same with text beside the caret.
    pub fn with_label(mut self, label: impl Into<String>) -> Diagnostic {
        self.label = label.into();
        self
    }

    /// The same with one more place, and the text beside its caret.
    pub fn with_related(mut self, span: Span, label: impl Into<String>) -> Diagnostic {
        self.related.push((span, label.into()));
        self
    }

    /// The same with a hint.
    pub fn with_help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Error => "error",
            Severity::Unsupported => "unsupported",
            Severity::Warning => "warning",
        })
    }
}

/// The candidate nearest to `name` in edit distance, if it is near enough to suggest.
pub fn suggest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = name.chars().count().div_ceil(3);
    candidates
        .into_iter()
        .filter(|c| !c.is_empty() && *c != name)
        .map(|c| (edit_distance(name, c), c))
        .filter(|(d, _)| *d <= limit)
        .min()
        .map(|(_, c)| c)
}

/// Damerau–Levenshtein distance (adjacent transpositions count once).
fn edit_distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for (i, row) in rows.iter_mut().enumerate() {
        row[0] = i;
    }
    rows[0] = (0..=b.len()).collect();
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let change = usize::from(a[i - 1] != b[j - 1]);
            let mut d =
                (rows[i - 1][j] + 1).min(rows[i][j - 1] + 1).min(rows[i - 1][j - 1] + change);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                d = d.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = d;
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_from_one() {
        let mut map = SourceMap::default();
        let f = map.add("a.c", "int x;\n  int é, y;\n");
        let at = map.file(f).text.find('y').unwrap() as u32;
        assert_eq!(map.locate(Span::new(f, at, at + 1)), "a.c:2:10");
        assert_eq!(map.locate(Span::new(f, 0, 1)), "a.c:1:1");
        assert_eq!(map.file(f).line_range(2), Some((7, 19)));
    }

    #[test]
    fn suggestions_are_near() {
        assert_eq!(suggest("nxet", ["next", "prev"]), Some("next"));
        assert_eq!(suggest("reahc", ["reach", "reach1"]), Some("reach"));
        assert_eq!(suggest("zzz", ["next", "prev"]), None);
    }
}
