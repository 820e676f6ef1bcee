//! From a choice to solvers: which one, where it is, what it writes down.
//!
//! A [`SolverChoice`] is what a user asked for. An engine gets [`SolverChoice::factory`], makes as
//! many solvers with it as it likes, on any thread, and knows none of the details.
//!
//! **Invariant**: a solver that cannot be had is still made; it answers every question with an
//! `Unknown` that names it, so the other solvers of the run go on.

use std::fmt;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use trellis_certify::BackEnd;
use trellis_epr::{EprSolver, Options, ProofFolder, ProvingSolver};
use trellis_smtlib::{Dialect, Settings, SmtSolver};
use trellis_solver::Solver;
use trellis_solver::record::Recorder;

/// Which solver.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SolverKind {
    /// The one that is part of Trellis.
    #[default]
    Epr,
    /// Z3, as a process.
    Z3,
    /// cvc5, as a process.
    Cvc5,
}

impl SolverKind {
    /// All of them, the default first.
    pub const ALL: [SolverKind; 3] = [SolverKind::Epr, SolverKind::Z3, SolverKind::Cvc5];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            SolverKind::Epr => "epr",
            SolverKind::Z3 => "z3",
            SolverKind::Cvc5 => "cvc5",
        }
    }
}

impl fmt::Display for SolverKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for SolverKind {
    type Err = String;

    fn from_str(text: &str) -> Result<SolverKind, String> {
        let found = SolverKind::ALL.into_iter().find(|kind| kind.name() == text);
        found.ok_or_else(|| format!("there is no solver `{text}`"))
    }
}

/// A solver, and how to run it.
#[derive(Clone, Debug, Default)]
pub struct SolverChoice {
    /// Which one.
    pub kind: SolverKind,
    /// The executable of a process; by default the one of that name on `PATH`.
    pub path: Option<PathBuf>,
    /// Where processes leave transcripts of what they were told.
    pub dump_smt: Option<PathBuf>,
    /// Where questions are recorded: the first solver's in this file, those of the others beside
    /// it with a number.
    pub record: Option<PathBuf>,
    /// Where the embedded solver leaves a proof of every unsat answer; the others make none.
    pub proofs: Option<Arc<ProofFolder>>,
    /// The seed of its random choices.
    pub seed: u32,
}

type Maker = Box<dyn Fn() -> Box<dyn Solver>>;

/// Solvers that certify, each with its name; `paths` says where executables are.
pub struct Provers {
    makers: Vec<(String, Maker)>,
}

impl Provers {
    /// One of each kind.
    pub fn new(
        kinds: &[SolverKind],
        paths: &[(SolverKind, PathBuf)],
        dump_smt: Option<&Path>,
        proofs: Option<&Arc<ProofFolder>>,
    ) -> Provers {
        let one = |&kind: &SolverKind| {
            let path = path_of(kind, paths);
            let dump_smt = dump_smt.map(Path::to_owned);
            let proofs = proofs.cloned();
            let choice = SolverChoice { kind, path, dump_smt, proofs, ..SolverChoice::default() };
            let factory = choice.factory();
            let name = factory.make().name().to_owned();
            let make: Maker = Box::new(move || factory.make());
            (name, make)
        };
        Provers { makers: kinds.iter().map(one).collect() }
    }

    /// As the certifier wants them.
    pub fn list(&self) -> Vec<BackEnd<'_>> {
        self.makers.iter().map(|(name, make)| BackEnd::solver(name, make)).collect()
    }
}

/// Makes solvers of one choice.
#[derive(Clone)]
pub struct Factory {
    choice: SolverChoice,
    made: Arc<AtomicUsize>,
    problem: Arc<Mutex<Option<String>>>,
}

impl SolverChoice {
    /// Makes solvers on demand.
    pub fn factory(self) -> Factory {
        Factory { choice: self, made: Arc::default(), problem: Arc::default() }
    }
}

impl Factory {
    /// A new solver.
    pub fn make(&self) -> Box<dyn Solver> {
        let choice = &self.choice;
        let solver: Box<dyn Solver> = match choice.kind {
            SolverKind::Epr => {
                let seed = u64::from(choice.seed);
                let solver = EprSolver::new(Options { seed, ..Options::default() });
                match &choice.proofs {
                    Some(folder) => Box::new(ProvingSolver::new(solver, folder.clone())),
                    None => Box::new(solver),
                }
            }
            SolverKind::Z3 => self.process(Dialect::Z3),
            SolverKind::Cvc5 => self.process(Dialect::Cvc5),
        };
        let Some(path) = &choice.record else {
            return solver;
        };
        let number = self.made.fetch_add(1, Ordering::Relaxed) + 1;
        let path = numbered(path, number);
        match File::create(&path) {
            Ok(file) => {
                let (out, problem) = (BufWriter::new(file), self.problem.clone());
                Box::new(Recorder::new(solver, Recording { path, out, problem }))
            }
            Err(error) => {
                note(&self.problem, &path, &error);
                solver
            }
        }
    }

    fn process(&self, dialect: Dialect) -> Box<dyn Solver> {
        let SolverChoice { path, dump_smt, seed, .. } = self.choice.clone();
        let settings =
            Settings { program: path, transcripts: dump_smt, seed, ..Settings::new(dialect) };
        Box::new(SmtSolver::new(settings))
    }

    /// Why questions could not be recorded, if so; ask when the solvers are gone.
    pub fn problem(&self) -> Option<String> {
        self.problem.lock().ok()?.clone()
    }
}

/// The executable of a solver, if the user named one; the last one counts.
pub fn path_of(kind: SolverKind, paths: &[(SolverKind, PathBuf)]) -> Option<PathBuf> {
    paths.iter().rev().find(|(k, _)| *k == kind).map(|(_, path)| path.clone())
}

/// `a.queries`, then `a-2.queries`, `a-3.queries`, ….
pub fn numbered(path: &Path, number: usize) -> PathBuf {
    if number == 1 {
        return path.to_owned();
    }
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(format!("-{number}"));
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}

/// A file that questions are recorded in; errors are told to the factory.
struct Recording {
    path: PathBuf,
    out: BufWriter<File>,
    problem: Arc<Mutex<Option<String>>>,
}

impl Write for Recording {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes).inspect_err(|e| note(&self.problem, &self.path, e))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush().inspect_err(|e| note(&self.problem, &self.path, e))
    }
}

impl Drop for Recording {
    fn drop(&mut self) {
        // What went wrong was noted.
        let _ = self.flush();
    }
}

fn note(problem: &Mutex<Option<String>>, path: &Path, error: &io::Error) {
    if let Ok(mut problem) = problem.lock() {
        problem.get_or_insert_with(|| format!("cannot write {}: {error}", path.display()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trellis_solver::record::Corpus;

    #[test]
    fn recordings_have_numbers() {
        assert_eq!(numbered(Path::new("d/a.queries"), 1), Path::new("d/a.queries"));
        assert_eq!(numbered(Path::new("d/a.queries"), 2), Path::new("d/a-2.queries"));
        assert_eq!(numbered(Path::new("a"), 3), Path::new("a-3"));
    }

    #[test]
    fn solvers_record_what_they_are_asked() {
        use trellis_logic::{Arena, FormulaId, Vocabulary};
        use trellis_solver::{Answer, Context, Limits};

        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("asked.queries");
        let factory =
            SolverChoice { record: Some(path.clone()), ..SolverChoice::default() }.factory();
        let (vocabulary, mut arena) = (Vocabulary::new(), Arena::new());
        let mut context = Context { vocabulary: &vocabulary, arena: &mut arena };
        for _ in 0..2 {
            let mut solver = factory.make();
            let answer = solver.check(&mut context, &[FormulaId::FALSE], &Limits::default());
            assert_eq!(answer, Answer::Unsat);
        }
        assert_eq!(factory.problem(), None);
        for name in ["asked.queries", "asked-2.queries"] {
            let text = std::fs::read_to_string(directory.path().join(name)).expect("it is written");
            assert_eq!(Corpus::read(&text).expect("it can be read").events.len(), 1);
        }
        let nowhere = directory.path().join("no/such/place");
        let factory = SolverChoice { record: Some(nowhere), ..SolverChoice::default() }.factory();
        assert_eq!(factory.make().name(), "epr");
        assert!(factory.problem().is_some_and(|p| p.starts_with("cannot write")));
    }
}
