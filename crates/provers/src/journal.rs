//! A file of records that several processes append to at once.
//!
//! Every record is a line: the version, a checksum, the payload. It is written by one call to a file
//! that was opened for appending, so lines do not mix; what is broken, foreign or of another version
//! is left out and counted.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;

use sha2::{Digest, Sha256};

/// A larger file is not read.
const MOST_BYTES: u64 = 256 << 20;

/// A file of records.
#[derive(Debug)]
pub struct Journal {
    file: File,
    version: &'static str,
    /// Lines that could not be used.
    pub ignored: usize,
    /// Bytes of the file when it was opened.
    pub bytes: u64,
}

/// The first bytes of a digest, in hexadecimal digits.
pub fn digest(text: &str, bytes: usize) -> String {
    let digest = Sha256::digest(text.as_bytes());
    digest.iter().take(bytes).map(|b| format!("{b:02x}")).collect()
}

impl Journal {
    /// Opens a file, which is made if need be, and gives every payload to somebody who says whether
    /// it can be used.
    ///
    /// # Errors
    /// If the file cannot be used.
    pub fn open(
        path: &Path,
        version: &'static str,
        mut take: impl FnMut(&str) -> bool,
    ) -> io::Result<Journal> {
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
        let bytes = file.metadata()?.len();
        if bytes > MOST_BYTES {
            return Err(io::Error::other("it is too large; clear it"));
        }
        let mut all = Vec::new();
        file.read_to_end(&mut all)?;
        let mut ignored = 0;
        for line in String::from_utf8_lossy(&all).lines().filter(|l| !l.is_empty()) {
            let used = payload(line, version).is_some_and(&mut take);
            ignored += usize::from(!used);
        }
        // A line that was not finished must not spoil the next one.
        if all.last().is_some_and(|b| *b != b'\n') {
            file.write_all(b"\n")?;
        }
        Ok(Journal { file, version, ignored, bytes })
    }

    /// Appends a payload, which has no line break.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn append(&mut self, payload: &str) -> io::Result<()> {
        let line = format!("{} {} {payload}\n", self.version, digest(payload, 8));
        self.file.write_all(line.as_bytes())
    }

    /// What to tell of lines that were ignored.
    pub fn warning(&self, path: &Path) -> Option<String> {
        let (n, path) = (self.ignored, path.display());
        let lines = if n == 1 { "line" } else { "lines" };
        (n > 0).then(|| format!("{n} {lines} of {path} are broken or of another version: ignored"))
    }
}

fn payload<'l>(line: &'l str, version: &str) -> Option<&'l str> {
    let rest = line.strip_prefix(version)?.strip_prefix(' ')?;
    let (sum, payload) = rest.split_once(' ')?;
    (digest(payload, 8) == sum).then_some(payload)
}
