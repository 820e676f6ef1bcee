//! Evidence and its source as a file, which `trellis_certify` can check from the source up.

use std::io;
use std::path::Path;

use trellis_certify::{Certificate, Evidence, Source};
use trellis_program::{FrontEnd, Unit};

use crate::solvers::numbered;

/// The certificate of evidence about a file, which a front end read as this unit.
///
/// # Errors
/// If the file cannot be read any more.
pub fn certificate(
    source: &Path,
    front_end: &dyn FrontEnd,
    unit: &Unit,
    evidence: &Evidence,
) -> io::Result<Certificate> {
    let bytes = std::fs::read(source)?;
    let source = Source::new(source.display().to_string(), &bytes, front_end, unit);
    Ok(Certificate::new(source, evidence.clone()))
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
