//! Checking a certificate: a [`CertifyRequest`] in, the document of `trellis_report` out.
//!
//! The certificate and its source are read, the solvers are asked, the machine is run.
//!
//! **Invariants.** Whatever is wrong with the files ends as [`Exit::BadInput`] and a sentence; only
//! a condition that does not hold refutes a certificate. The certificate chooses nothing: source,
//! settings and solvers are the client's.

mod judge;
mod source;

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use trellis_certify::certificate::MOST_BYTES;
use trellis_certify::{Certificate, Outcome, Problem, ProblemKind, Settings};
use trellis_driver::{Budget, Watch};
use trellis_epr::ProofFolder;
use trellis_program::slice::slice;
use trellis_program::{CheckSet, Diagnostic, Failure, StopReason};
use trellis_provers::{Cache, Team};
use trellis_report::certify::{Document, Found, Proofs};
use trellis_report::{Exit, build};

use crate::front_ends::FrontEnds;
use crate::patience;
use crate::solvers::{Provers, SolverKind, path_of};

use judge::Judge;

pub(crate) use judge::proves;
pub use source::{Obstacle, noun};

/// Which certificate to check, how, and what that may cost.
pub struct CertifyRequest {
    /// The certificate.
    pub file: PathBuf,
    /// The sources in the order of the certificate, if they are not where it says.
    pub sources: Vec<PathBuf>,
    /// How to read it.
    pub front_ends: FrontEnds,
    /// Whether to go on if the source is not the text that was certified.
    pub ignore_hash: bool,
    /// The checks that the certificate must be about.
    pub required: CheckSet,
    /// The solvers; each must show every condition.
    pub solvers: Vec<SolverKind>,
    /// Where executables of solvers are, if not on `PATH`.
    pub paths: Vec<(SolverKind, PathBuf)>,
    /// Where processes leave transcripts of what they were told.
    pub dump_smt: Option<PathBuf>,
    /// Where the embedded solver leaves a proof of every unsat answer.
    pub solver_proofs: Option<PathBuf>,
    /// Most time for one question.
    pub time_per_question: Duration,
    /// Most heap objects of the states from which the machine is run.
    pub objects: usize,
    /// What everything may cost; its flag cancels.
    pub budget: Budget,
    /// What a client says of an obstacle in its own words, if it has any.
    pub wording: Option<Wording>,
}

/// From an obstacle to the words of a client, which knows how its user can remove it.
pub type Wording = Box<dyn Fn(&Obstacle) -> String + Send + Sync>;

/// What came of a request.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The report.
    pub document: Document,
    /// Why the input could not be used, if so; the document says the same.
    pub failure: Option<Failure>,
    /// How a process that did nothing else ends.
    pub exit: Exit,
}

/// Checks a certificate, within the time of the budget even if something does not look at the
/// clock.
pub fn certify(request: CertifyRequest) -> Checked {
    let (file, limit) = (request.file.clone(), request.budget.timeout);
    let late = || {
        let mut document = Document::new(&file);
        document.undecided = Some(StopReason::Time.to_string());
        Checked { document, failure: None, exit: Exit::Otherwise }
    };
    let mut checked = patience::within(limit, move || request.examined()).unwrap_or_else(late);
    checked.document.exit_code = checked.exit.code();
    checked
}

/// Why nothing was found out.
enum Stop {
    /// The input is wrong.
    Input(Failure),
    /// The client could remove it.
    Obstacle(Obstacle),
    /// The source cannot be followed.
    Unsupported(String),
}

impl Stop {
    fn plain(message: impl fmt::Display) -> Stop {
        Stop::Input(Failure::plain(Diagnostic::plain_error(message.to_string())))
    }
}

impl From<Obstacle> for Stop {
    fn from(obstacle: Obstacle) -> Stop {
        Stop::Obstacle(obstacle)
    }
}

impl CertifyRequest {
    fn examined(&self) -> Checked {
        let mut document = Document::new(&self.file);
        let bad = |mut document: Document, failure: Failure| {
            document.diagnostics = build::failure(&failure);
            Checked { document, failure: Some(failure), exit: Exit::BadInput }
        };
        match self.examine(&mut document) {
            Ok(found) => {
                let exit = match found.outcome() {
                    Outcome::Certified => Exit::Good,
                    Outcome::Refuted => Exit::Bad,
                    Outcome::NotDecided => Exit::Otherwise,
                };
                document.found = Some(found);
                Checked { document, failure: None, exit }
            }
            Err(Stop::Input(failure)) => bad(document, failure),
            Err(Stop::Obstacle(obstacle)) => {
                let own = self.wording.as_ref().map(|wording| wording(&obstacle));
                let message = own.unwrap_or_else(|| obstacle.to_string());
                bad(document, Failure::plain(Diagnostic::plain_error(message)))
            }
            Err(Stop::Unsupported(why)) => {
                document.undecided = Some(why);
                Checked { document, failure: None, exit: Exit::Otherwise }
            }
        }
    }

    fn examine(&self, document: &mut Document) -> Result<Found, Stop> {
        if self.solver_proofs.is_some() && !self.solvers.contains(&SolverKind::Epr) {
            return Err(Obstacle::NoProofs.into());
        }
        let watch = Watch::new(&self.budget);
        let name = self.file.display();
        let certificate = self.certificate()?;
        let sources = source::files(self, &certificate.source)?;
        let first = sources[0].path;
        document.claim(&certificate, first, &self.front_ends.of(first).settings());
        self.demand(&certificate)?;
        let unit = source::read(self, &certificate.source, &sources)?;
        // What is believed of its callers is part of what was verified, as when it was.
        let sliced =
            unit.program.find_proc(&certificate.procedure).map(|p| slice(&unit.program, p));
        let program = sliced.as_ref().map_or(&unit.program, |(program, _)| program);
        document.understood(program, &certificate);
        let proofs = self.solver_proofs.clone().map(|path| Arc::new(ProofFolder::new(path)));
        let dump_smt = self.dump_smt.as_deref();
        let provers = Provers::new(&self.solvers, &self.paths, dump_smt, proofs.as_ref());
        let budget = watch.budget().clone();
        let settings = Settings { time_per_question: self.time_per_question, budget };
        let stop = |problem: Problem| match problem.kind {
            ProblemKind::Certificate => Stop::plain(format!("{name}: {problem}")),
            ProblemKind::Unsupported => Stop::Unsupported(problem.message),
        };
        let (found, undecided) = Judge {
            provers: &provers,
            team: &|| team(&self.solvers, &self.paths),
            proofs: &|| proofs.as_deref().map(accepted),
            settings: &settings,
            objects: self.objects,
        }
        .judge(program, &certificate)
        .map_err(stop)?;
        document.undecided = undecided;
        Ok(found)
    }

    /// The certificate, as it is written.
    fn certificate(&self) -> Result<Certificate, Stop> {
        let name = self.file.display();
        let text = read_bounded(&self.file)
            .and_then(|bytes| {
                String::from_utf8(bytes).map_err(|e| io::Error::new(io::ErrorKind::InvalidData, e))
            })
            .map_err(|e| match e.kind() {
                io::ErrorKind::NotFound => Stop::plain(format!("there is no file `{name}`")),
                _ => Stop::plain(format!("cannot read `{name}`: {e}")),
            })?;
        Certificate::read(&text).map_err(|e| match e.place {
            Some(_) => Stop::plain(format!("{name}:{e}")),
            None => Stop::plain(format!("{name}: {e}")),
        })
    }

    /// That the certificate is about the checks that the client demands.
    fn demand(&self, certificate: &Certificate) -> Result<(), Stop> {
        let proved = |kind: &str| certificate.checks.iter().any(|c| c == kind);
        let required = self.required.iter().map(|kind| kind.name());
        let missing: Vec<&str> = required.filter(|kind| !proved(kind)).collect();
        if missing.is_empty() {
            return Ok(());
        }
        let (name, missing) = (self.file.display(), missing.join(", "));
        Err(Stop::plain(format!("{name}: it does not prove what is required: {missing}")))
    }
}

/// Provers for formulas of higher-order logic: those that a client names first, without the embedded
/// solver, which does not read these; then the others.
fn team(first: &[SolverKind], paths: &[(SolverKind, PathBuf)]) -> Team {
    let path = |name: &str| {
        let kind = name.parse().ok()?;
        path_of(kind, paths)
    };
    let mut provers = trellis_provers::all(&path);
    let named = |name: &str| first.iter().position(|kind| kind.name() == name);
    provers.sort_by_key(|p| named(p.name()).unwrap_or(usize::MAX));
    Team::new(provers, Cache::default())
}

/// The proofs that the embedded solver has left so far.
fn accepted(folder: &ProofFolder) -> Proofs {
    Proofs { directory: folder.path().display().to_string(), accepted: folder.accepted() }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Chosen, Event, Reading, Request, Source, certificates, verify};
    use trellis_driver::{Options, Selection};

    /// A closed program, and its certificate, in a folder.
    fn certified(folder: &Path, defines: &[&str]) -> (PathBuf, PathBuf) {
        let (source, file) = (folder.join("closed.c"), folder.join("closed.json"));
        std::fs::write(&source, "int main(void) { return 0; }\n").expect("the source is written");
        let reading = Reading {
            defines: defines.iter().map(|d| d.to_string()).collect(),
            ..Reading::default()
        };
        let request = Request {
            sources: vec![Source::File(source.clone())],
            front_ends: FrontEnds::new(&reading),
            selection: Selection::All,
            engine: Chosen::new("auto", &Default::default(), Default::default()).expect("auto"),
            options: Options { certificate: true, ..Options::default() },
            budget: Budget::default(),
            properties: None,
            lenient: false,
            command: None,
            kept: None,
            excuse: None,
        };
        let front_end = request.front_ends.of(&source);
        verify(&request, |event| {
            if let Event::Answered { unit, report, evidence, .. } = event {
                let Some(evidence) = evidence else {
                    panic!("nothing can go wrong: {}", report.verdict)
                };
                let of = Source::File(source.clone());
                let made = certificates::certificate(&of, front_end, unit, evidence)?;
                certificates::write(&file, 1, &source, &made)?;
            }
            Ok::<(), io::Error>(())
        })
        .expect("a certificate");
        (source, file)
    }

    fn request(file: PathBuf) -> CertifyRequest {
        CertifyRequest {
            file,
            sources: Vec::new(),
            front_ends: FrontEnds::default(),
            ignore_hash: false,
            required: CheckSet::none(),
            solvers: vec![SolverKind::Epr],
            paths: Vec::new(),
            dump_smt: None,
            solver_proofs: None,
            time_per_question: Duration::from_secs(60),
            objects: 2,
            budget: Budget::default(),
            wording: None,
        }
    }

    /// What is said of an input that cannot be used.
    fn complaint(request: CertifyRequest) -> String {
        let checked = certify(request);
        assert_eq!((checked.exit, checked.document.exit_code), (Exit::BadInput, 2));
        checked.failure.expect("a reason").diagnostics.remove(0).message
    }

    #[test]
    fn a_certificate_holds_of_its_source_only() {
        let folder = tempfile::tempdir().expect("a folder");
        let (source, file) = certified(folder.path(), &[]);
        let checked = certify(request(file.clone()));
        assert_eq!((checked.exit, checked.document.exit_code), (Exit::Good, 0));
        std::fs::write(&source, "int main(void) { return 1; }\n").expect("it is written");
        assert!(complaint(request(file.clone())).contains("is not the file that was certified"));
        let careless = CertifyRequest { ignore_hash: true, ..request(file.clone()) };
        assert_eq!(certify(careless).exit, Exit::Good);
        std::fs::remove_file(&source).expect("it was there");
        assert!(complaint(request(file)).starts_with("cannot read the source"));
    }

    #[test]
    fn obstacles_have_the_words_of_the_client() {
        let folder = tempfile::tempdir().expect("a folder");
        let (_, file) = certified(folder.path(), &["N=1"]);
        let plain = "the certificate is about a program with the macro N=1";
        assert_eq!(complaint(request(file.clone())), plain);
        let wording: Wording = Box::new(|obstacle| format!("{obstacle}; define it"));
        let asked = CertifyRequest { wording: Some(wording), ..request(file.clone()) };
        assert_eq!(complaint(asked), format!("{plain}; define it"));
        let (solvers, solver_proofs) = (vec![SolverKind::Z3], Some(folder.path().join("proofs")));
        let asked = CertifyRequest { solvers, solver_proofs, ..request(file) };
        assert_eq!(complaint(asked), "only the embedded solver makes proofs");
    }

    #[test]
    fn what_is_no_certificate_is_bad_input() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("no.json");
        assert!(complaint(request(file.clone())).starts_with("there is no file"));
        std::fs::write(&file, "{}").expect("it is written");
        assert!(complaint(request(file)).contains("no.json"));
        assert!(complaint(request(folder.path().to_owned())).contains("not a plain file"));
    }
}
