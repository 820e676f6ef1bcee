//! The program that a certificate is about: the client's file under the client's settings. What the
//! certificate says of them only tells whether it is about the same.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use trellis_certify::certificate::Source;
use trellis_certify::{Mismatch, digest};
use trellis_program::{Input, Unit};

use super::{CertifyRequest, Stop, read_bounded};

/// Something in the way that a client can remove by asking differently.
#[derive(Debug)]
pub enum Obstacle {
    /// Proofs are asked for, but no solver that makes any.
    NoProofs,
    /// A value of a setting is not repeated that the meaning of the program depends on.
    Missing {
        /// The setting.
        name: String,
        /// The value.
        value: String,
    },
    /// Other places were chosen than none at all.
    Unplaced {
        /// The setting.
        name: String,
        /// The places of the certificate.
        values: Vec<String>,
    },
    /// The source cannot be read.
    NoSource {
        /// Where it should be.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A text is not the one that was certified.
    OtherText {
        /// Where the text is from.
        name: String,
        /// What it should be.
        what: &'static str,
        /// Its hash.
        found: String,
        /// The hash of the certificate.
        claimed: String,
    },
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Obstacle::NoProofs => f.write_str("only the embedded solver makes proofs"),
            Obstacle::Missing { name, value } => {
                write!(f, "the certificate is about a program with the {} {value}", noun(name))
            }
            Obstacle::Unplaced { name, .. } => {
                let noun = noun(name);
                write!(f, "the certificate is about a program with {noun} from other folders")
            }
            Obstacle::NoSource { path, error } => {
                write!(f, "cannot read the source `{}`: {error}", path.display())
            }
            Obstacle::OtherText { name, what, found, claimed } => write!(
                f,
                "`{name}` is not {what} that was certified: its SHA-256 is {found}, not {claimed}"
            ),
        }
    }
}

/// What a setting of a front end is called in a sentence.
pub fn noun(setting: &str) -> &str {
    match setting {
        "define" => "macro",
        "assume" => "assumption",
        "include" => "headers",
        "preinclude" => "included files",
        "model" => "models",
        other => other,
    }
}

/// A file that a certificate is about.
pub(super) struct File<'a> {
    /// Where it is.
    pub path: &'a Path,
    /// The hash of the certificate.
    sha256: &'a str,
}

/// The files that a certificate is about, at least one: where the client says, or where it says.
pub(super) fn files<'a>(
    request: &'a CertifyRequest,
    claimed: &'a Source,
) -> Result<Vec<File<'a>>, Stop> {
    let mut all = vec![File { path: Path::new(&claimed.path), sha256: &claimed.sha256 }];
    let linked = claimed.linked.iter();
    all.extend(linked.map(|f| File { path: Path::new(&f.path), sha256: &f.sha256 }));
    if request.sources.is_empty() {
        return Ok(all);
    }
    if request.sources.len() != all.len() {
        let (has, given) = (all.len(), request.sources.len());
        return Err(Stop::plain(format!(
            "the certificate is about a program of {has} files, but {given} are given"
        )));
    }
    all.iter_mut().zip(&request.sources).for_each(|(file, path)| file.path = path);
    Ok(all)
}

/// Reads the source, if it is what the certificate is about.
pub(super) fn read(
    request: &CertifyRequest,
    claimed: &Source,
    files: &[File<'_>],
) -> Result<Unit, Stop> {
    let source = files[0].path;
    let front_end = request.front_ends.of(source);
    claimed.compare(front_end).map_err(|mismatch| {
        let known: Vec<&str> = request.front_ends.languages().collect();
        match mismatch {
            Mismatch::Language if !known.contains(&claimed.language.as_str()) => {
                Stop::plain(format!(
                    "the certificate is about a program in `{}`; this version of Trellis reads {}",
                    claimed.language,
                    known.join(", ")
                ))
            }
            Mismatch::Language => Stop::plain(format!(
                "the certificate is about a program in {}, but `{}` is read as {}",
                claimed.language,
                source.display(),
                front_end.language()
            )),
            Mismatch::Unknown { name } => Stop::plain(format!(
                "the certificate is about a program that was read with `{name}`, a setting that \
                 the front end for {} does not have",
                front_end.language()
            )),
            Mismatch::Missing { name, value } => Obstacle::Missing { name, value }.into(),
            Mismatch::Unplaced { name, values } => Obstacle::Unplaced { name, values }.into(),
        }
    })?;
    for file in files {
        let bytes = read_bounded(file.path)
            .map_err(|error| Obstacle::NoSource { path: file.path.to_owned(), error })?;
        let name = file.path.display().to_string();
        same(request, name, "the file", digest(&bytes), file.sha256)?;
    }
    let inputs: Vec<Input<'_>> = files.iter().map(|f| Input::File(f.path)).collect();
    let input = if let [one] = inputs[..] { one } else { Input::Program(&inputs) };
    let unit = front_end.load(input).map_err(Stop::Input)?;
    let name = format!("what the preprocessor makes of {}", source.display());
    same(request, name, "the text", digest(unit.text.as_bytes()), &claimed.text_sha256)?;
    Ok(unit)
}

/// That a text has the hash of the certificate.
fn same(
    request: &CertifyRequest,
    name: String,
    what: &'static str,
    found: String,
    claimed: &str,
) -> Result<(), Obstacle> {
    if found == claimed || request.ignore_hash {
        return Ok(());
    }
    Err(Obstacle::OtherText { name, what, found, claimed: claimed.to_owned() })
}
