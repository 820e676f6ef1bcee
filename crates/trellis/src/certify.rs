//! `trellis certify`: read a certificate and its source, ask the solvers, run the machine, say what
//! came out.
//!
//! **Invariant**: whatever is wrong with the files ends with exit code 2 and a sentence; only a
//! condition that does not hold refutes a certificate.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use trellis_certify::certificate::MOST_BYTES;
use trellis_certify::machine::{Reach, check_second_leg};
use trellis_certify::{
    Certificate, Mismatch, Outcome, Problem, ProblemKind, Settings, check, digest, exhaustion,
    shapes,
};
use trellis_driver::{Budget, Watch};
use trellis_program::{CheckKind, CheckSet, Diagnostic, Failure, Input, StopReason, Unit};
use trellis_report::certify::{Document, Found, Proofs, write_text};
use trellis_report::{Exit, build};
use trellis_session::{ProofFolder, Provers, SolverKind, patience};

use crate::cli::{self, Format};
use crate::input::{self, shell_word};
use crate::interrupt;
use crate::output::Output;

/// Why nothing was found out.
enum Stop {
    /// The input is wrong.
    Input(Failure),
    /// The source cannot be followed.
    Unsupported(String),
}

impl Stop {
    fn plain(message: impl Into<String>) -> Stop {
        Stop::Input(Failure::plain(Diagnostic::plain_error(message)))
    }
}

/// Checks a certificate.
pub fn certify(options: &cli::Certify, output: &mut Output) -> io::Result<Exit> {
    let own = options.clone();
    let late = || {
        let mut document = Document::new(&options.file);
        document.undecided = Some(StopReason::Time.to_string());
        Checked { document, bad: None, exit: Exit::Otherwise }
    };
    let checked = patience::within(options.timeout, move || examined(&own)).unwrap_or_else(late);
    let Checked { mut document, bad, exit } = checked;
    document.exit_code = exit.code();
    match (options.format, bad) {
        (Format::Text, Some(bad)) => input::print(&bad, output)?,
        (Format::Text, None) => write_text(output.out(), &document)?,
        (Format::Json, _) => trellis_report::json::write(output.out(), &document)?,
    }
    Ok(exit)
}

/// What a check came to.
struct Checked {
    document: Document,
    /// Why the input could not be used.
    bad: Option<Failure>,
    exit: Exit,
}

fn examined(options: &cli::Certify) -> Checked {
    let mut document = Document::new(&options.file);
    let proofs = options.solver_proofs.clone().map(|path| Arc::new(ProofFolder::new(path)));
    match examine(options, proofs.as_ref(), &mut document) {
        Ok(found) => {
            let exit = match found.outcome() {
                Outcome::Certified => Exit::Good,
                Outcome::Refuted => Exit::Bad,
                Outcome::NotDecided => Exit::Otherwise,
            };
            document.found = Some(found);
            Checked { document, bad: None, exit }
        }
        Err(Stop::Input(bad)) => {
            document.diagnostics = build::failure(&bad);
            Checked { document, bad: Some(bad), exit: Exit::BadInput }
        }
        Err(Stop::Unsupported(why)) => {
            document.undecided = Some(why);
            Checked { document, bad: None, exit: Exit::Otherwise }
        }
    }
}

fn examine(
    options: &cli::Certify,
    proofs: Option<&Arc<ProofFolder>>,
    document: &mut Document,
) -> Result<Found, Stop> {
    if proofs.is_some() && !options.solvers.contains(&SolverKind::Epr) {
        return Err(Stop::plain("--solver-proofs needs --solver epr: the others make no proofs"));
    }
    let budget = Budget {
        timeout: options.timeout,
        memory: options.memory,
        cancel: interrupt::flag(),
        ..Budget::default()
    };
    let watch = Watch::new(&budget);
    let name = options.file.display();
    let text = read_bounded(&options.file)
        .and_then(|bytes| {
            String::from_utf8(bytes).map_err(|e| io::Error::new(io::ErrorKind::InvalidData, e))
        })
        .map_err(|e| match e.kind() {
            io::ErrorKind::NotFound => Stop::plain(format!("there is no file `{name}`")),
            _ => Stop::plain(format!("cannot read `{name}`: {e}")),
        })?;
    let certificate = Certificate::read(&text).map_err(|e| match e.place {
        Some(_) => Stop::plain(format!("{name}:{e}")),
        None => Stop::plain(format!("{name}: {e}")),
    })?;
    let source = options.source.clone().unwrap_or_else(|| PathBuf::from(&certificate.source.path));
    let settings = input::front_ends(&options.front_end).of(&source).settings();
    document.claim(&certificate, &source, &settings);
    let missing: Vec<&str> = required(options)
        .filter(|k| !certificate.checks.iter().any(|c| c == k.name()))
        .map(|k| k.name())
        .collect();
    if !missing.is_empty() {
        let missing = missing.join(", ");
        return Err(Stop::plain(format!("{name}: it does not prove what is required: {missing}")));
    }
    let unit = read_source(options, &certificate, &source)?;
    document.understood(&unit.program, &certificate);
    let dump_smt = options.dump_smt.as_deref();
    let provers = Provers::new(&options.solvers, &options.paths, dump_smt, proofs);
    let budget = watch.budget().clone();
    let settings = Settings { time_per_question: options.time_per_query, budget };
    let stop = |problem: Problem| match problem.kind {
        ProblemKind::Certificate => Stop::plain(format!("{name}: {problem}")),
        ProblemKind::Unsupported => Stop::Unsupported(problem.message),
    };
    let program = &unit.program;
    let (mut found, clauses) = match (&certificate.shapes, certificate.exhaustion) {
        (None, Some(all)) => {
            let checked =
                exhaustion::check_certificate(program, &certificate, all, &settings.budget);
            (Found::of_exhaustion(program, checked.map_err(stop)?), None)
        }
        (Some(shapes), _) => {
            let checked =
                shapes::check_certificate(program, &certificate, shapes, &settings.budget);
            (Found::of_shapes(program, checked.map_err(stop)?), None)
        }
        (None, None) => {
            let checked = check(program, &certificate, &provers.list(), &settings);
            let (report, restored) = checked.map_err(stop)?;
            document.undecided = report.stopped.map(|reason| reason.to_string());
            (Found::new(&report, &restored, proofs.map(|p| accepted(p))), Some(restored))
        }
    };
    if found.outcome() == Outcome::Certified {
        let reach = Reach { objects: options.objects, ..Reach::default() };
        let (clauses, budget) = (clauses.as_ref(), &settings.budget);
        let second = check_second_leg(program, &certificate, clauses, reach, budget);
        found.on_machine(program, second.map_err(stop)?);
    }
    Ok(found)
}

/// The proofs that the embedded solver has left so far.
fn accepted(folder: &ProofFolder) -> Proofs {
    Proofs { directory: folder.path().display().to_string(), accepted: folder.accepted() }
}

/// The checks that the user demands, each once.
fn required(options: &cli::Certify) -> impl Iterator<Item = CheckKind> {
    let mut set = CheckSet::none();
    options.require.iter().flat_map(|kinds| &kinds.0).for_each(|k| set.set(*k, true));
    set.iter()
}

/// The bytes of a plain file that is not larger than any that makes sense.
fn read_bounded(path: &Path) -> io::Result<Vec<u8>> {
    let about = std::fs::metadata(path)?;
    let refused = |why: &str| Err(io::Error::new(io::ErrorKind::InvalidInput, why.to_owned()));
    if !about.is_file() {
        return refused("it is not a plain file");
    }
    if about.len() > MOST_BYTES {
        return refused("it is too large");
    }
    std::fs::read(path)
}

/// The program that the certificate is about: the user's file under the user's options. What the
/// certificate says of them only tells whether it is about the same.
fn read_source(
    options: &cli::Certify,
    certificate: &Certificate,
    source: &Path,
) -> Result<Unit, Stop> {
    let claimed = &certificate.source;
    let front_ends = input::front_ends(&options.front_end);
    let front_end = front_ends.of(source);
    claimed.compare(front_end).map_err(|mismatch| {
        let known: Vec<&str> = front_ends.languages().collect();
        Stop::plain(match mismatch {
            Mismatch::Language if !known.contains(&claimed.language.as_str()) => format!(
                "the certificate is about a program in `{}`; this version of Trellis reads {}",
                claimed.language,
                known.join(", ")
            ),
            Mismatch::Language => format!(
                "the certificate is about a program in {}, but `{}` is read as {}",
                claimed.language,
                source.display(),
                front_end.language()
            ),
            Mismatch::Unknown { name } => format!(
                "the certificate is about a program that was read with `{name}`, a setting that \
                 the front end for {} does not have",
                front_end.language()
            ),
            Mismatch::Missing { name, value } => format!(
                "the certificate is about a program with the {} {}; if that is what you want, \
                 repeat it: {}",
                what_is(&name),
                shell_word(&value),
                option(&name, &value)
            ),
            Mismatch::Unplaced { name, values } => {
                let places: Vec<String> = values.iter().map(|v| option(&name, v)).collect();
                format!(
                    "the certificate is about a program with {} from other folders; if you trust \
                     them, name them: {}",
                    what_is(&name),
                    places.join(" ")
                )
            }
        })
    })?;
    let bytes = read_bounded(source).map_err(|e| {
        let help = "say where the source is with --source";
        Stop::plain(format!("cannot read the source `{}`: {e}; {help}", source.display()))
    })?;
    same(options, &source.display().to_string(), "the file", &digest(&bytes), &claimed.sha256)?;
    let unit = front_end.load(Input::File(source)).map_err(Stop::Input)?;
    let what = format!("what the preprocessor makes of {}", source.display());
    let found = digest(unit.text.as_bytes());
    same(options, &what, "the text", &found, &claimed.text_sha256)?;
    Ok(unit)
}

/// What a setting of a front end is called in a sentence.
fn what_is(setting: &str) -> &str {
    match setting {
        "define" => "macro",
        "include" => "headers",
        other => other,
    }
}

/// The option of the command line that gives a setting a value.
fn option(setting: &str, value: &str) -> String {
    let flag = match setting {
        "define" => "-D",
        "include" => "-I",
        other => return format!("--{other} {}", shell_word(value)),
    };
    format!("{flag} {}", shell_word(value))
}

/// That a text has the hash of the certificate.
fn same(
    options: &cli::Certify,
    name: &str,
    what: &str,
    found: &str,
    claimed: &str,
) -> Result<(), Stop> {
    if found == claimed || options.ignore_hash {
        return Ok(());
    }
    Err(Stop::plain(format!(
        "`{name}` is not {what} that was certified: its SHA-256 is {found}, not {claimed} \
         (--ignore-hash checks it all the same)"
    )))
}
