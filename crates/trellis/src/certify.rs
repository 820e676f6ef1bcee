//! `trellis certify`: read a certificate and its source, ask the solvers, say what came out. And
//! what `trellis verify --certificate` writes.
//!
//! **Invariant**: whatever is wrong with the files ends with exit code 2 and a sentence; only a
//! condition that does not hold refutes a certificate.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use trellis_certify::{
    Certificate, Outcome, ProblemKind, Proof, Report, Restored, Settings, Source, check, digest,
};
use trellis_driver::Budget;
use trellis_epr::ProofFolder;
use trellis_front_c::Unit;
use trellis_program::Diagnostic;

use crate::certify_report::{Document, Found, print_text};
use crate::cli::{self, Format, FrontEnd};
use crate::input::{self, BadInput};
use crate::interrupt;
use crate::output::{Exit, Output};
use crate::solvers::{Provers, SolverKind, numbered};

/// Why nothing was found out.
enum Stop {
    /// The input is wrong.
    Input(BadInput),
    /// The source cannot be followed.
    Unsupported(String),
}

impl Stop {
    fn plain(message: impl Into<String>) -> Stop {
        Stop::Input(BadInput::plain(Diagnostic::plain_error(message)))
    }
}

/// Checks a certificate.
pub fn certify(options: &cli::Certify, output: &mut Output) -> io::Result<Exit> {
    let mut document = Document::new(&options.file);
    let proofs = options.solver_proofs.clone().map(|path| Arc::new(ProofFolder::new(path)));
    let exit = match examine(options, proofs.as_ref(), &mut document) {
        Ok((report, restored)) => {
            let exit = match report.outcome() {
                Outcome::Certified => Exit::Good,
                Outcome::Refuted => Exit::Bad,
                Outcome::NotDecided => Exit::Otherwise,
            };
            document.found = Some(Found::new(&report, &restored, proofs.as_deref()));
            exit
        }
        Err(Stop::Input(bad)) => {
            if options.format == Format::Text {
                bad.print(output)?;
            }
            document.diagnostics = bad.report();
            Exit::BadInput
        }
        Err(Stop::Unsupported(why)) => {
            document.undecided = Some(why);
            Exit::Otherwise
        }
    };
    document.exit_code = exit.code();
    match options.format {
        Format::Text if exit == Exit::BadInput => {}
        Format::Text => print_text(&document, output)?,
        Format::Json => trellis_report::json::write(output.out(), &document)?,
    }
    Ok(exit)
}

/// Writes a certificate: to a file if the path ends in `.json`, with a number if it is not the
/// first, else into a directory, under the names of the source and the procedure.
pub fn write(
    to: &Path,
    number: usize,
    source: &Path,
    front_end: &FrontEnd,
    proof: &Proof,
) -> io::Result<()> {
    let file = match to.extension().is_some_and(|e| e == "json") {
        true => numbered(to, number),
        false => {
            std::fs::create_dir_all(to)?;
            let stem = source.file_stem().unwrap_or_default().to_string_lossy();
            to.join(format!("{stem}-{}.json", proof.procedure))
        }
    };
    std::fs::write(file, certificate(source, front_end, proof)?.to_json())
}

/// The certificate of a proof about a file.
pub fn certificate(source: &Path, front_end: &FrontEnd, proof: &Proof) -> io::Result<Certificate> {
    let bytes = std::fs::read(source)?;
    let include_dirs = front_end.include_dirs.iter().map(|d| d.display().to_string()).collect();
    let defines = front_end.defines.clone();
    let source = Source::new(source.display().to_string(), &bytes, include_dirs, defines);
    Ok(Certificate::new(source, proof.clone()))
}

fn examine(
    options: &cli::Certify,
    proofs: Option<&Arc<ProofFolder>>,
    document: &mut Document,
) -> Result<(Report, Restored), Stop> {
    if proofs.is_some() && !options.solvers.contains(&SolverKind::Epr) {
        return Err(Stop::plain("--solver-proofs needs --solver epr: the others make no proofs"));
    }
    let name = options.file.display();
    let text = std::fs::read_to_string(&options.file).map_err(|e| match e.kind() {
        io::ErrorKind::NotFound => Stop::plain(format!("there is no file `{name}`")),
        _ => Stop::plain(format!("cannot read `{name}`: {e}")),
    })?;
    let certificate = Certificate::read(&text).map_err(|e| match e.place {
        Some(_) => Stop::plain(format!("{name}:{e}")),
        None => Stop::plain(format!("{name}: {e}")),
    })?;
    let source = options.source.clone().unwrap_or_else(|| PathBuf::from(&certificate.source.path));
    document.claim(&certificate, &source);
    let unit = read_source(options, &certificate, &source)?;
    let dump_smt = options.dump_smt.as_deref();
    let provers = Provers::new(&options.solvers, &options.paths, dump_smt, proofs);
    let budget = Budget { cancel: interrupt::flag(), ..Budget::default() };
    let settings = Settings { time_per_question: options.time_per_query, budget };
    check(&unit.program, &certificate, &provers.list(), &settings).map_err(|problem| match problem
        .kind
    {
        ProblemKind::Certificate => Stop::plain(format!("{name}: {problem}")),
        ProblemKind::Unsupported => Stop::Unsupported(problem.message),
    })
}

/// The program that the certificate is about.
fn read_source(
    options: &cli::Certify,
    certificate: &Certificate,
    source: &Path,
) -> Result<Unit, Stop> {
    let claimed = &certificate.source;
    let bytes = std::fs::read(source).map_err(|e| {
        let help = "say where the source is with --source";
        Stop::plain(format!("cannot read the source `{}`: {e}; {help}", source.display()))
    })?;
    if digest(&bytes) != claimed.sha256 && !options.ignore_hash {
        return Err(Stop::plain(format!(
            "`{}` is not the file that was certified: its SHA-256 is {}, not {} \
             (--ignore-hash checks it all the same)",
            source.display(),
            digest(&bytes),
            claimed.sha256
        )));
    }
    let own = options.include_dirs.iter().cloned();
    let front_end = FrontEnd {
        include_dirs: own.chain(claimed.include_dirs.iter().map(PathBuf::from)).collect(),
        defines: claimed.defines.clone(),
        cc: options.cc.clone(),
    };
    input::read(source, &front_end).map_err(Stop::Input)
}
