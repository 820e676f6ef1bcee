//! An open file: its saved text, what is known of it, and where places are in it.

use std::path::PathBuf;
use std::str::FromStr;

use lsp_types::{Position, Range, Uri};
use trellis_report::model::{Place, ProcedureReport, Report};
use trellis_report::page::Texts;

use crate::work::Flag;

/// An open file.
#[derive(Default)]
pub(crate) struct Document {
    /// As it was saved.
    pub(crate) text: String,
    /// Grows with every change.
    pub(crate) generation: u64,
    /// Ends the work on the newest text.
    pub(crate) cancel: Flag,
    /// Whether the editor's text is the saved one.
    pub(crate) is_saved: bool,
    /// The answers about the saved text so far.
    pub(crate) answers: Vec<ProcedureReport>,
    /// All of it, once everything is answered.
    pub(crate) done: Option<(Report, Texts)>,
}

impl Document {
    /// The range of a place; columns of the protocol count units of UTF-16.
    pub(crate) fn range(&self, place: &Place) -> Range {
        let at = |line: usize, column: usize| {
            let text = self.text.lines().nth(line.saturating_sub(1)).unwrap_or("");
            let before = text.chars().take(column.saturating_sub(1));
            let character = before.map(|c| c.len_utf16() as u32).sum();
            Position { line: line.saturating_sub(1) as u32, character }
        };
        let start = at(place.line, place.column);
        let end = at(place.end_line, place.end_column);
        Range { start, end: end.max(start) }
    }

    /// The answers about the text that the editor shows; none while it is not the saved one.
    pub(crate) fn current(&self) -> &[ProcedureReport] {
        if self.is_saved { &self.answers } else { &[] }
    }
}

/// The path of a `file:` address.
pub(crate) fn path(uri: &Uri) -> Option<PathBuf> {
    let rest = uri.as_str().strip_prefix("file://")?;
    let rest = &rest[rest.find('/')?..];
    let mut bytes = Vec::new();
    let mut from = rest.bytes();
    while let Some(byte) = from.next() {
        let byte = match byte {
            b'%' => {
                let digits = [from.next()?, from.next()?];
                u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
            }
            byte => byte,
        };
        bytes.push(byte);
    }
    String::from_utf8(bytes).ok().map(PathBuf::from)
}

/// The address of a path.
pub(crate) fn uri(path: &std::path::Path) -> Option<Uri> {
    let mut text = String::from("file://");
    for byte in path.to_str()?.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => {
                text.push(char::from(byte));
            }
            byte => text.push_str(&format!("%{byte:02X}")),
        }
    }
    Uri::from_str(&text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_paths() {
        for name in ["/a/list.c", "/with space/é.c", "/100%/x#y?.c"] {
            let there = uri(std::path::Path::new(name)).expect("an address");
            assert_eq!(path(&there), Some(PathBuf::from(name)), "{}", there.as_str());
        }
        let other = Uri::from_str("untitled:Untitled-1").expect("an address");
        assert_eq!(path(&other), None);
    }

    #[test]
    fn columns_count_units_of_utf_16() {
        let document =
            Document { text: "x\n😀é = p->next;\n".to_owned(), ..Document::default() };
        let range = document.range(&place(2, 6, 2, 13));
        assert_eq!((range.start.line, range.start.character), (1, 6));
        assert_eq!((range.end.line, range.end.character), (1, 13));
    }

    fn place(line: usize, column: usize, end_line: usize, end_column: usize) -> Place {
        let text = format!(
            "{{\"file\": \"x.c\", \"line\": {line}, \"column\": {column}, \"end_line\": {end_line}, \
             \"end_column\": {end_column}, \"raw\": [0, 0, 0]}}"
        );
        serde_json::from_str(&text).expect("a place")
    }
}
