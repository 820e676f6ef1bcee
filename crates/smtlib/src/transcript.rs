//! Transcripts: what one process was told, as a file that can be replayed by hand.
//!
//! **Invariants**: one file per process, never overwritten. The answers are comments after the
//! questions, so `z3 z3-0001.smt2` prints them again.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A transcript being written.
pub(crate) struct Transcript {
    file: File,
    path: PathBuf,
}

impl Transcript {
    /// A new file in the directory, which is made if it does not exist.
    pub(crate) fn create(directory: &Path, solver: &str, command: &str) -> Result<Self, String> {
        let failed =
            |path: &Path, error| format!("cannot write the transcript {}: {error}", path.display());
        fs::create_dir_all(directory).map_err(|error| failed(directory, error))?;
        for number in 1_u32.. {
            let path = directory.join(format!("{solver}-{number:04}.smt2"));
            match File::create_new(&path) {
                Ok(file) => {
                    let mut transcript = Transcript { file, path };
                    transcript.write(&format!("; {command}\n"))?;
                    return Ok(transcript);
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(failed(&path, error)),
            }
        }
        Err(format!("too many transcripts in {}", directory.display()))
    }

    /// Adds commands.
    pub(crate) fn write(&mut self, text: &str) -> Result<(), String> {
        self.file
            .write_all(text.as_bytes())
            .map_err(|error| format!("cannot write {}: {error}", self.path.display()))
    }

    /// Adds an answer as a comment.
    pub(crate) fn note(&mut self, answer: &str) -> Result<(), String> {
        let lines: String = answer.lines().map(|line| format!("; {line}\n")).collect();
        self.write(&lines)
    }
}
