//! Files in, errors out.

use std::io;
use std::path::Path;

use trellis_front_c::{Options, Unit, load};
use trellis_program::{Diagnostic, SourceMap};
use trellis_report::{build, model::DiagnosticReport, text};

use crate::cli::FrontEnd;
use crate::output::Output;

/// Why an input cannot be used.
pub struct BadInput {
    /// The files that the diagnostics point into.
    pub sources: SourceMap,
    /// At least one error.
    pub diagnostics: Vec<Diagnostic>,
}

impl BadInput {
    /// An error without a place in a file.
    pub fn plain(diagnostic: Diagnostic) -> BadInput {
        BadInput { sources: SourceMap::default(), diagnostics: vec![diagnostic] }
    }

    /// Prints the errors for people.
    pub fn print(&self, output: &mut Output) -> io::Result<()> {
        text::diagnostics(output.err(), &self.sources, &self.diagnostics)
    }

    /// The errors for machines.
    pub fn report(&self) -> Vec<DiagnosticReport> {
        let one = |d| build::diagnostic(&self.sources, d);
        self.diagnostics.iter().map(one).collect()
    }
}

/// Reads a C file.
pub fn read(path: &Path, front_end: &FrontEnd) -> Result<Unit, BadInput> {
    let options = Options {
        include_dirs: front_end.include_dirs.clone(),
        defines: front_end.defines.clone(),
        cc: front_end.cc.clone(),
    };
    load(path, &options)
        .map_err(|failure| BadInput { sources: failure.sources, diagnostics: failure.diagnostics })
}

/// A word as a POSIX shell takes it: bare if it is harmless, else in single quotes.
pub fn shell_word(text: &str) -> String {
    let harmless = |c: char| c.is_ascii_alphanumeric() || "_-./=,:+@%".contains(c);
    if !text.is_empty() && text.chars().all(harmless) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::shell_word;

    #[test]
    fn words_survive_a_shell() {
        assert_eq!(shell_word("a/b-c.c"), "a/b-c.c");
        assert_eq!(shell_word("h -> 1"), "'h -> 1'");
        assert_eq!(shell_word("it's"), r"'it'\''s'");
        assert_eq!(shell_word(""), "''");
    }
}
