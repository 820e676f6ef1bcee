//! Heaps as users read and write them.

use trellis_program::concrete::{InitialHeap, State};
use trellis_program::{Diagnostic, FileId, ProcId, Program, Span};

/// A state as lines of text; variables of the innermost procedure and globals are the roots.
pub fn drawing(program: &Program, state: &State) -> Vec<String> {
    let _ = (program, state);
    Vec::new()
}

/// An initial heap in heap notation.
pub fn notation(program: &Program, proc: ProcId, heap: &InitialHeap) -> String {
    let _ = (program, proc, heap);
    String::new()
}

/// A state as an SVG document.
pub fn svg(program: &Program, state: &State) -> String {
    let _ = (program, state);
    String::new()
}

/// What is wrong with a text in heap notation.
#[derive(Clone, Debug)]
pub struct HeapError {
    /// Bytes of the text.
    pub range: std::ops::Range<usize>,
    /// One sentence.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl HeapError {
    /// The error as a diagnostic, once the text has become a file of a source map.
    pub fn at(self, file: FileId) -> Diagnostic {
        let (start, end) = (self.range.start as u32, self.range.end as u32);
        let mut error = Diagnostic::error(Span::new(file, start, end), self.message);
        error.help = self.help;
        error
    }
}

/// Reads an initial heap in heap notation.
///
/// # Errors
/// The first thing that is wrong with the text.
pub fn parse(program: &Program, proc: ProcId, text: &str) -> Result<InitialHeap, HeapError> {
    let _ = (program, proc, text);
    Err(HeapError { range: 0..0, message: "heap notation is being built".to_owned(), help: None })
}
