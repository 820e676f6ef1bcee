//! How files are read, and what is said of those that cannot be.

use std::io;

use trellis_program::Failure;
use trellis_report::text;
use trellis_session::{FrontEnds, Reading};

use crate::cli;
use crate::output::Output;

/// The front ends, with the settings of the user.
pub fn front_ends(settings: &cli::FrontEnd) -> FrontEnds {
    FrontEnds::new(&Reading {
        include_dirs: settings.include_dirs.clone(),
        defines: settings.defines.clone(),
        cc: settings.cc.clone(),
    })
}

/// Prints why an input cannot be used, for people.
pub fn print(failure: &Failure, output: &mut Output) -> io::Result<()> {
    text::diagnostics(output.err(), &failure.sources, &failure.diagnostics)
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
