//! Evidence and its source as a file, which `trellis_certify` can check from the source up.

use std::io;
use std::path::Path;

use trellis_certify::{Certificate, Evidence};
use trellis_program::{FrontEnd, Unit};

use crate::request::Source;
use crate::solvers::numbered;

/// The certificate of evidence about a source, which a front end read as this unit.
///
/// # Errors
/// If a file cannot be read any more, or was never one.
pub fn certificate(
    source: &Source,
    front_end: &dyn FrontEnd,
    unit: &Unit,
    evidence: &Evidence,
) -> io::Result<Certificate> {
    let read = |s: &Source| match s {
        Source::File(path) => Ok((path.display().to_string(), std::fs::read(path)?)),
        _ => Err(io::Error::other("what is no file cannot be certified")),
    };
    let files: io::Result<Vec<_>> = source.all().iter().map(read).collect();
    let source = trellis_certify::Source::of_program(files?, front_end, unit);
    Ok(Certificate::new(source, evidence.clone()))
}

/// What stands in a certificate for a source that whoever asks for the certificate knows.
pub(crate) fn no_source() -> trellis_certify::Source {
    let (language, path) = (String::new(), String::new());
    let sha256 = "0".repeat(64);
    let text_sha256 = sha256.clone();
    let (linked, settings) = (Vec::new(), Vec::new());
    trellis_certify::Source { language, path, sha256, linked, text_sha256, settings }
}

/// Writes the certificate of a source: to a file if the path ends in `.json`, with a number if it
/// is not the first, else into a directory, under the names of the source and the procedure.
///
/// # Errors
/// Those of the file system.
pub fn write(to: &Path, number: usize, source: &Path, certificate: &Certificate) -> io::Result<()> {
    let file = match to.extension().is_some_and(|e| e == "json") {
        true => numbered(to, number),
        false => {
            std::fs::create_dir_all(to)?;
            let stem = source.file_stem().unwrap_or_default().to_string_lossy();
            to.join(format!("{stem}-{}.json", certificate.procedure))
        }
    };
    std::fs::write(file, certificate.to_json())
}
