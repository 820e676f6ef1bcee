//! A small notation for concrete heaps, to write and to read.
//!
//! ```text
//! h -> a -> b -> null        # a list: h points to a, a's only list field to b, …
//! x = b; k = 7               # variables: parameters and globals of the procedure
//! a.data = 3; b.data = ?     # fields; ? is a value never written
//! a -prev-> null             # the field by name, where the type has several
//! it.link.next = &jt.link    # a pointer into an object
//! it : struct item           # a type, where no pointer tells it
//! d : freed struct node      # an object that is gone
//! p : int[4]; p[2] = 5       # several elements
//! y = [3, 1, 2]              # a fresh list with these values
//! Marked(a)                  # an uninterpreted predicate holds of the object
//! ```
//!
//! Statements end at `;` or at the end of the line. Every name that is not a parameter or a global
//! is an object. What is not mentioned is null or 0, or, in a global, its initial value.
//!
//! * `lex`, `syntax`: text to statements
//! * `names`: which names are variables and which objects
//! * `infer`: the types of objects, from the pointers to them
//! * `build`: statements to memory
//! * `print`: memory to text; [`parse`] reads it back as the same heap up to renaming
//!
//! See `docs/src/heaps.md` for the user's view.

mod build;
mod infer;
mod lex;
mod names;
mod print;
mod syntax;
#[cfg(test)]
mod tests;

use std::fmt;

use crate::concrete::initial::InitialHeap;
use crate::ir::{ProcId, Program};

pub use print::print;

/// Reads a heap for a procedure to start from.
pub fn parse(program: &Program, proc: ProcId, text: &str) -> Result<InitialHeap, HeapTextError> {
    let result = syntax::parse(text)
        .and_then(|statements| names::resolve(program, proc, statements))
        .and_then(|sketch| build::build(program, proc, &sketch));
    result.map_err(|trouble| HeapTextError::new(text, trouble))
}

/// A place in the text: line and column from 0, in characters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct At {
    line: usize,
    column: usize,
}

/// What is wrong, and where.
#[derive(Debug)]
struct Trouble {
    at: At,
    message: String,
    help: Option<String>,
}

impl Trouble {
    fn new(at: At, message: impl Into<String>) -> Trouble {
        Trouble { at, message: message.into(), help: None }
    }

    fn help(mut self, help: impl Into<String>) -> Trouble {
        self.help = Some(help.into());
        self
    }
}

/// Why a text is not a heap.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HeapTextError {
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
    /// The line's text.
    pub text: String,
    /// One sentence, no full stop.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl HeapTextError {
    fn new(text: &str, trouble: Trouble) -> HeapTextError {
        HeapTextError {
            line: trouble.at.line + 1,
            column: trouble.at.column + 1,
            text: text.lines().nth(trouble.at.line).unwrap_or("").to_string(),
            message: trouble.message,
            help: trouble.help,
        }
    }
}

impl fmt::Display for HeapTextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (line, column) = (self.line, self.column);
        writeln!(f, "{line}:{column}: {}", self.message)?;
        writeln!(f, "  {}", self.text)?;
        write!(f, "  {:>column$}", '^')?;
        if let Some(help) = &self.help {
            write!(f, "\n  {help}")?;
        }
        Ok(())
    }
}

impl std::error::Error for HeapTextError {}
