//! What engines and checkers say of a program where they have no result, or a bad one.
//!
//! * [`Refusal`]: a construct that somebody cannot follow, with its place
//! * [`NoResult`]: why there is no result: refused, stopped by the budget, or a solver gave up
//! * [`Rejected`]: why a checker does not confirm something: it is wrong, or cannot be judged
//! * [`Alarm`]: a check that may fail
//!
//! Everybody who looks at programs uses these, so that a reason is passed on as it is from where it
//! was found to whoever shows it.
//!
//! **Invariant.** A refusal has a place in the user's text.

use std::fmt;

use trellis_logic::StopReason;

use crate::checks::{CheckKind, Point};
use crate::source::{Diagnostic, Span};

/// A construct that cannot be followed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Refusal {
    /// Where it stands.
    pub span: Span,
    /// What it is, as a noun phrase; whoever shows it says first who refuses.
    pub reason: String,
    /// Text beside the caret; empty for none.
    pub label: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl Refusal {
    /// A construct at a place.
    pub fn at(span: Span, reason: impl Into<String>) -> Refusal {
        Refusal { span, reason: reason.into(), label: String::new(), help: None }
    }

    /// The same with text beside the caret.
    #[must_use]
    pub fn with_label(self, label: impl Into<String>) -> Refusal {
        Refusal { label: label.into(), ..self }
    }

    /// The same with a hint.
    #[must_use]
    pub fn with_help(self, help: impl Into<String>) -> Refusal {
        Refusal { help: Some(help.into()), ..self }
    }

    /// The message to the user, after words that say who refuses: `not supported: …`.
    pub fn said(&self, words: &str) -> Diagnostic {
        let diagnostic = Diagnostic::unsupported(self.span, format!("{words}{}", self.reason));
        Diagnostic { label: self.label.clone(), help: self.help.clone(), ..diagnostic }
    }
}

/// The reason alone as the message.
impl From<Refusal> for Diagnostic {
    fn from(refusal: Refusal) -> Diagnostic {
        refusal.said("")
    }
}

/// Why there is no result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoResult {
    /// A construct cannot be followed.
    Refused(Refusal),
    /// The budget is used up.
    Stopped(StopReason),
    /// A solver gave up, or is not there; as a sentence.
    GaveUp(String),
}

impl From<Refusal> for NoResult {
    fn from(refusal: Refusal) -> NoResult {
        NoResult::Refused(refusal)
    }
}

impl From<StopReason> for NoResult {
    fn from(reason: StopReason) -> NoResult {
        NoResult::Stopped(reason)
    }
}

/// Without the place.
impl fmt::Display for NoResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoResult::Refused(refusal) => f.write_str(&refusal.reason),
            NoResult::Stopped(reason) => reason.fmt(f),
            NoResult::GaveUp(why) => f.write_str(why),
        }
    }
}

/// Why a checker does not confirm something; `W` says what is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rejected<W = String> {
    /// It is wrong: our bug, or a forged file.
    Wrong(W),
    /// It cannot be judged here.
    Unjudged(NoResult),
}

impl<W> From<NoResult> for Rejected<W> {
    fn from(why: NoResult) -> Rejected<W> {
        Rejected::Unjudged(why)
    }
}

impl<W> From<Refusal> for Rejected<W> {
    fn from(refusal: Refusal) -> Rejected<W> {
        Rejected::Unjudged(refusal.into())
    }
}

impl<W> From<StopReason> for Rejected<W> {
    fn from(reason: StopReason) -> Rejected<W> {
        Rejected::Unjudged(reason.into())
    }
}

/// A check that fails in some abstract state; not yet a violation. `W` says how that state is
/// reached.
#[derive(Clone, Debug)]
pub struct Alarm<W> {
    /// What may fail.
    pub kind: CheckKind,
    /// Where in the heap program.
    pub point: Point,
    /// Which clause of a contract, if there are several; else 0.
    pub clause: u32,
    /// Where in the source.
    pub span: Span,
    /// The abstract state, and the way there.
    pub way: W,
}

impl<W> Alarm<W> {
    /// What tells the checks of a program apart, in the order of the code.
    pub fn check(&self) -> (Point, CheckKind, u32) {
        (self.point, self.kind, self.clause)
    }
}
