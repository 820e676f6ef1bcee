//! One process and everything it was told.
//!
//! **Invariants**: the process knows exactly the first `asserted` assertions. After any error the
//! session is of no use and is dropped, which kills the process; nothing else needs undoing,
//! because the solver above keeps the assertions as ids and tells them to the next process.

use std::time::{Duration, Instant};

use trellis_logic::{FormulaId, Vocabulary};
use trellis_solver::{Context, Limits, Unknown};

use crate::dialect::{Dialect, PRELUDE, Settings};
use crate::names::{bare, push_assumption};
use crate::process::{Failure, Process, excerpt};
use crate::sexpr::{SExpr, parse};
use crate::shrink::Bound;
use crate::transcript::Transcript;
use crate::translate::Translation;

/// How long a process may take to print a model, after it said that there is one.
const TIME_TO_PRINT: Duration = Duration::from_secs(20);
/// How much of that may be after the deadline.
pub(crate) const GRACE: Duration = Duration::from_millis(300);

/// What a process answered to a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Reply {
    Sat,
    Unsat,
    /// With its reason.
    Unknown(String),
}

/// A conversation with one process.
pub(crate) struct Session {
    dialect: Dialect,
    process: Process,
    transcript: Option<Transcript>,
    translation: Translation,
    /// How many assertions the process knows.
    asserted: usize,
    /// What to say before the next question.
    pending: String,
}

impl Session {
    /// Starts a process.
    pub(crate) fn start(settings: &Settings) -> Result<Session, Unknown> {
        let dialect = settings.dialect;
        let (program, (executable, arguments)) = (settings.program(), settings.command());
        let words = arguments.iter().map(|a| a.to_string_lossy().into_owned());
        let words: Vec<String> =
            [executable.display().to_string()].into_iter().chain(words).collect();
        let command = words.join(" ");
        let transcript = match &settings.transcripts {
            Some(directory) => Some(
                Transcript::create(directory, dialect.name(), &command)
                    .map_err(Unknown::BackEnd)?,
            ),
            None => None,
        };
        let program = program.display();
        if settings.is_missing() {
            let (name, package) = (dialect.name(), dialect.package());
            let help = format!("install the Debian package `{package}`");
            return Err(Unknown::BackEnd(format!("{name} is missing (`{program}`): {help}")));
        }
        let process =
            Process::start(&executable, &arguments, settings.patience).map_err(|error| {
                Unknown::BackEnd(format!(
                    "{} cannot be started (`{program}`): {error}",
                    dialect.name()
                ))
            })?;
        let (translation, pending) = (Translation::default(), PRELUDE.to_string());
        Ok(Session { dialect, process, transcript, translation, asserted: 0, pending })
    }

    /// How many assumptions the process was told.
    pub(crate) fn assumptions(&self) -> usize {
        self.translation.assumptions()
    }

    pub(crate) fn process_id(&self) -> u32 {
        self.process.id()
    }

    pub(crate) fn is_alive(&mut self) -> bool {
        self.process.is_alive()
    }

    /// Prepares to say what is new: symbols, assertions, definitions of assumptions.
    pub(crate) fn tell(
        &mut self,
        context: &Context<'_>,
        asserted: &[FormulaId],
        assumptions: &[FormulaId],
    ) {
        let (vocabulary, arena, out) = (context.vocabulary, &*context.arena, &mut self.pending);
        self.translation.declare(vocabulary, out);
        for &formula in &asserted[self.asserted..] {
            self.translation.assert(vocabulary, arena, formula, out);
        }
        self.asserted = asserted.len();
        for &formula in assumptions {
            self.translation.make_assumable(vocabulary, arena, formula, out);
        }
    }

    /// Prepares to make a bound assumable.
    pub(crate) fn tell_bound(&mut self, vocabulary: &Vocabulary, bound: Bound) {
        self.translation.bound(vocabulary, bound, &mut self.pending);
    }

    /// Checks under assumptions that were told; `bounds` are symbols to assume as well.
    pub(crate) fn check(
        &mut self,
        assumptions: &[FormulaId],
        bounds: &str,
        limits: &Limits,
    ) -> Result<Reply, Unknown> {
        let mut command = String::from("(check-sat-assuming (");
        for (i, &formula) in assumptions.iter().enumerate() {
            command.push_str(if i == 0 { "" } else { " " });
            push_assumption(&mut command, formula);
        }
        command.push_str(bounds);
        command.push_str("))\n");
        if assumptions.is_empty() && bounds.is_empty() {
            // cvc5 does not accept an empty list.
            command = "(check-sat)\n".into();
        }
        let response = self.ask(&command, limits)?;
        match response.trim() {
            "sat" => Ok(Reply::Sat),
            "unsat" => Ok(Reply::Unsat),
            "unknown" => {
                let reason = self.ask("(get-info :reason-unknown)\n", limits)?;
                Ok(Reply::Unknown(reason_in(&reason)))
            }
            "timeout" => Ok(Reply::Unknown("timeout".into())),
            _ => Err(self.nonsense(&response)),
        }
    }

    /// After *unsat*: which assumptions were needed.
    pub(crate) fn unsat_assumptions(
        &mut self,
        assumptions: &[FormulaId],
        limits: &Limits,
    ) -> Result<Vec<FormulaId>, Unknown> {
        let response = self.ask("(get-unsat-assumptions)\n", limits)?;
        let parsed = parse(&response);
        let Ok([SExpr::List(named)]) = parsed.as_deref() else {
            return Err(self.nonsense(&response));
        };
        let is_named = |formula: FormulaId| {
            let name = bare(|out| push_assumption(out, formula));
            named.iter().any(|symbol| symbol.atom() == Some(&name))
        };
        let core: Vec<_> = assumptions.iter().copied().filter(|&f| is_named(f)).collect();
        if core.len() != named.len() {
            return Err(self.nonsense(&response));
        }
        Ok(core)
    }

    /// After *sat*: the text of the model.
    pub(crate) fn model(&mut self, limits: &Limits) -> Result<String, Unknown> {
        let limits = Limits {
            deadline: match limits.deadline.map(|d| d.max(Instant::now()) + GRACE) {
                Some(deadline) => Some(deadline.min(Instant::now() + TIME_TO_PRINT)),
                None => Instant::now().checked_add(TIME_TO_PRINT),
            },
            cancel: limits.cancel.clone(),
            ..Limits::default()
        };
        self.ask("(get-model)\n", &limits)
    }

    /// Says what is pending and the question, and gives the response.
    fn ask(&mut self, question: &str, limits: &Limits) -> Result<String, Unknown> {
        let mut text = std::mem::take(&mut self.pending);
        text.push_str(question);
        if let Some(transcript) = &mut self.transcript {
            transcript.write(&text).map_err(Unknown::BackEnd)?;
        }
        let name = self.dialect.name();
        let response = match self.process.exchange(&text, limits) {
            Ok(response) => response,
            Err(Failure::Stopped(reason)) => return Err(reason),
            // Both die of what they cannot allocate.
            Err(Failure::Broken(how)) if is_out_of_memory(&how) => return Err(Unknown::Memory),
            Err(Failure::Broken(how)) => return Err(Unknown::BackEnd(format!("{name} {how}"))),
        };
        if let Some(transcript) = &mut self.transcript {
            transcript.note(&response).map_err(Unknown::BackEnd)?;
        }
        if response.contains("(error") {
            return Err(match is_out_of_memory(&response) {
                true => Unknown::Memory,
                false => self.nonsense(&response),
            });
        }
        Ok(response)
    }

    /// A response that was not expected.
    pub(crate) fn nonsense(&self, response: &str) -> Unknown {
        let (name, words) = (self.dialect.name(), excerpt(response.as_bytes()));
        Unknown::BackEnd(match words.is_empty() {
            true => format!("{name} gave no answer"),
            false => format!("{name} gave an unexpected answer: {words}"),
        })
    }
}

/// Whether these are the words of a process that needs more memory than it may use.
fn is_out_of_memory(words: &str) -> bool {
    words.contains("out of memory") || words.contains("bad_alloc")
}

/// The text in `(:reason-unknown incomplete)`.
fn reason_in(response: &str) -> String {
    let words = match parse(response).as_deref() {
        Ok([SExpr::List(parts)]) => match parts.last() {
            Some(SExpr::Atom(text) | SExpr::Text(text)) => text.clone(),
            _ => String::new(),
        },
        _ => String::new(),
    };
    let words = words.trim_matches(|c| c == '(' || c == ')').to_string();
    if words.is_empty() { "no reason given".into() } else { words }
}
