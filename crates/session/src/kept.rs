//! Answers about procedures that are kept from run to run.
//!
//! An answer is kept under everything that it depends on ([`fingerprint`]): what the engines see of
//! the program, so source, headers, models, contracts and callees as the front end read them; the
//! engine with its settings, the checks, the bounds, the budgets; the provers that are installed; and
//! the version of Trellis. Only lines may differ: [`moved`] says how an answer follows its procedure.
//! An entry ([`entry`]) is the report of the procedure as every client gets it, with its evidence.
//!
//! **Invariants.**
//! * What the clock, the memory of the machine, the user, or a solver that gave up had a say in is not
//!   kept (`repeats`); so an answer from a store is what would be found again.
//! * A *verified* without evidence about this procedure and these checks is none. The evidence goes
//!   where that of a new proof goes, so it can be certified again.
//! * A store that fails costs the answers that it has, and nothing else.

pub mod entry;
pub mod fingerprint;
pub mod moved;

use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use trellis_certify::Evidence;
use trellis_driver::{Budget, Options, ProcedureResult, UnknownReason, Verdict};
use trellis_program::{Diagnostic, ProcId, Program};
use trellis_report::model::ProcedureReport;
use trellis_store::{Shelf, Store, StoreAddress, digest_of};

use crate::certify::proves;
use crate::request::Source;

use self::entry::Entry;
use self::fingerprint::Fingerprint;

/// The kind of its entries.
const KIND: &str = "procedure";
/// Their version.
const VERSION: &str = "1";
/// Programs whose presence can change answers.
const TOOLS: [&str; 5] = ["z3", "cvc5", "mona", "eprover", "SPASS"];

/// Where answers are kept.
#[derive(Debug)]
pub struct Kept {
    shelf: Option<Shelf>,
    /// What the words of the client in a report depend on besides the request.
    said: String,
    /// Whether the client wants the states of a violation themselves, which entries do not have.
    states: bool,
    /// The provers that there are.
    tools: String,
    /// Whether nothing of it is believed but proofs, and these when they were checked again.
    distrusted: bool,
    /// What is wrong with the store, told once.
    problem: Mutex<Option<String>>,
}

/// An answer that was kept, or is to be.
#[derive(Debug)]
pub struct Answer {
    /// The report.
    pub report: ProcedureReport,
    /// What the user should know besides.
    pub warnings: Vec<Diagnostic>,
    /// The evidence of a *verified*.
    pub evidence: Option<Evidence>,
}

impl Kept {
    /// Answers in a store. What else the words of the client in a report depend on is `said`.
    ///
    /// # Errors
    /// If the store cannot be opened.
    pub fn open(at: &StoreAddress, said: String, states: bool) -> io::Result<Kept> {
        let tools: Vec<String> = TOOLS.iter().map(|t| format!("{t} {:?}", size(t))).collect();
        Ok(Kept {
            shelf: Some(Kept::shelf(&at.open()?)),
            said,
            states,
            tools: tools.join(", "),
            distrusted: false,
            problem: Mutex::default(),
        })
    }

    /// The same, of which nothing is believed but proofs, and these when they were checked again.
    #[must_use]
    pub fn distrusted(self) -> Kept {
        Kept { distrusted: true, ..self }
    }

    /// Whether an answer that was found can be given: not by whom it was found counts, where others
    /// may have written it, but what it proves.
    pub fn believes(&self, asked: &Question<'_>, answer: &Answer, budget: &Budget) -> bool {
        let proves = |evidence| proves(asked.program, evidence, budget);
        !self.distrusted || answer.evidence.as_ref().is_some_and(proves)
    }

    /// The entries in a store.
    pub fn shelf(store: &Arc<dyn Store>) -> Shelf {
        Shelf::new(Arc::clone(store), KIND, VERSION)
    }

    /// What is wrong with the store, if that was not told before.
    pub fn problem(&self) -> Option<String> {
        self.problem.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// The keys of an answer: its own, and that of the same question where a certificate is wanted
    /// or not.
    fn keys(&self, asked: &Question<'_>) -> [String; 2] {
        let certificate = asked.options.certificate;
        [certificate, !certificate].map(|certificate| {
            let options = Options { threads: 0, certificate, ..asked.options.clone() };
            let options = format!("{options:?}");
            let version = env!("TRELLIS_SOURCES");
            let parts = [version, &self.tools, asked.how, &options, &asked.fingerprint.digest];
            digest_of(parts)
        })
    }

    /// What the words of the client about a question depend on besides the request.
    fn said_of(&self, asked: &Question<'_>) -> String {
        let paths: Vec<_> = asked.source.all().iter().map(Source::path).collect();
        format!("{} {paths:?}", self.said)
    }

    /// The answer to a question, if it is known.
    pub fn find(&self, asked: &Question<'_>) -> Option<Answer> {
        let shelf = self.shelf.as_ref()?;
        let [own, other] = self.keys(asked);
        let found = |key: &str| {
            let content = self.tell(shelf.get(key))??;
            let entry = Entry::read(&content, asked)?;
            let speaks = entry.said.is_none_or(|said| said == self.said_of(asked));
            let shown = !self.states || entry.answer.has_no_states();
            (speaks && shown).then_some(entry.answer)
        };
        // Evidence is good for a certificate even if nobody wanted one; that of sll has another form.
        found(&own).or_else(|| found(&other))
    }

    /// The key of the answer to a question, and whether it is there to be used.
    pub fn look(&self, asked: &Question<'_>) -> (String, bool) {
        let [own, _] = self.keys(asked);
        (own, self.find(asked).is_some())
    }

    /// Keeps the answer to a question, if it would be the same again.
    pub fn keep(&self, asked: &Question<'_>, result: &ProcedureResult, report: &ProcedureReport) {
        let Some(shelf) = self.shelf.as_ref().filter(|_| repeats(result)) else { return };
        let [key, _] = self.keys(asked);
        if let Some(content) = Entry::write(asked, result, report, &self.said_of(asked)) {
            self.tell(shelf.put(&key, &content));
        }
    }

    /// What a store says, or why it does not.
    fn tell<T>(&self, said: io::Result<T>) -> Option<T> {
        said.map_err(|e| {
            let mut problem = self.problem.lock().unwrap_or_else(PoisonError::into_inner);
            problem.get_or_insert(format!("the cache cannot be used: {e}"));
        })
        .ok()
    }
}

/// What an answer is about.
pub struct Question<'a> {
    /// Where the program is from.
    pub source: &'a Source,
    /// What the engines see of the program.
    pub program: &'a Program,
    /// The procedure.
    pub proc: ProcId,
    /// The same, without its lines.
    pub fingerprint: Fingerprint,
    /// Who is asked, what else is asked, and what it may cost.
    pub how: &'a str,
    /// What to check, how far to look.
    pub options: &'a Options,
}

impl Answer {
    /// Whether there is no state of the machine in it.
    fn has_no_states(&self) -> bool {
        let report = &self.report;
        report.trace.is_empty() && report.others.is_empty() && report.notes.is_empty()
    }
}

/// Whether the same question has the same answer whenever it is asked.
fn repeats(result: &ProcedureResult) -> bool {
    fn counted(why: &UnknownReason) -> bool {
        match why {
            UnknownReason::Time(_)
            | UnknownReason::Memory(_)
            | UnknownReason::Cancelled
            | UnknownReason::Solver(_)
            | UnknownReason::Internal(_) => false,
            UnknownReason::Engines(all) => all.iter().all(|(_, why)| counted(why)),
            UnknownReason::Unsupported(_)
            | UnknownReason::Bounded { .. }
            | UnknownReason::NoHeap { .. }
            | UnknownReason::Work
            | UnknownReason::Cycle(_)
            | UnknownReason::Imprecise(_)
            | UnknownReason::NoInvariant(_)
            | UnknownReason::Oracle(_)
            | UnknownReason::Abstraction(_)
            | UnknownReason::Arguments { .. } => true,
        }
    }
    let verdict = match &result.verdict {
        Verdict::Unknown(why) => counted(why),
        Verdict::Verified { .. } | Verdict::Violated(_) | Verdict::NoInvariant { .. } => true,
    };
    verdict && result.attempts.iter().all(|a| a.stopped.as_ref().is_none_or(counted))
}

/// The size of an executable on `PATH`: another version has another one.
fn size(tool: &str) -> Option<u64> {
    let path = std::env::var_os("PATH")?;
    let mut files = std::env::split_paths(&path).map(|folder: PathBuf| folder.join(tool));
    files.find_map(|file| std::fs::metadata(file).ok().filter(|m| m.is_file()).map(|m| m.len()))
}
