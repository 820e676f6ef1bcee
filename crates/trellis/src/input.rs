//! Files in, errors out.

use std::io;
use std::path::Path;

use trellis_front_c::{C, Options};
use trellis_program::{Diagnostic, Failure, FrontEnd, Input, Unit};
use trellis_report::{build, model::DiagnosticReport, text};

use crate::cli;
use crate::output::Output;

/// Every front end, with the settings of the user.
pub struct FrontEnds(Vec<Box<dyn FrontEnd>>);

impl FrontEnds {
    /// With these settings.
    pub fn new(settings: &cli::FrontEnd) -> FrontEnds {
        FrontEnds(vec![Box::new(C(Options {
            include_dirs: settings.include_dirs.clone(),
            defines: settings.defines.clone(),
            cc: settings.cc.clone(),
        }))])
    }

    /// The one for a file: the first that reads files of its name, and C for names that say
    /// nothing.
    pub fn of(&self, path: &Path) -> &dyn FrontEnd {
        let known = self.0.iter().find(|f| f.reads(path));
        &**known.unwrap_or(&self.0[0])
    }

    /// The names of their languages.
    pub fn languages(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().map(|f| f.language())
    }

    /// Reads a file.
    pub fn read(&self, path: &Path) -> Result<Unit, Failure> {
        self.of(path).load(Input::File(path))
    }
}

/// Prints why an input cannot be used, for people.
pub fn print(failure: &Failure, output: &mut Output) -> io::Result<()> {
    text::diagnostics(output.err(), &failure.sources, &failure.diagnostics)
}

/// The same for machines.
pub fn report(failure: &Failure) -> Vec<DiagnosticReport> {
    let one = |d: &Diagnostic| build::diagnostic(&failure.sources, d);
    failure.diagnostics.iter().map(one).collect()
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
