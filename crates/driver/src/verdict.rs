//! What Trellis says about a procedure.
//!
//! **Invariant:** a [`Counterexample`] can only be made by [`crate::replay`], so every *violated*
//! that anyone sees has been run by the concrete interpreter.

use std::fmt;
use std::time::Duration;

use trellis_certify::Evidence;
use trellis_logic::{Budget, StopReason};
use trellis_program::concrete::initial::InitialHeap;
use trellis_program::concrete::step::Failure;
use trellis_program::concrete::trace::Trace;
use trellis_program::{Diagnostic, NoResult, Refusal, Span};

use crate::machine_leg::OnMachine;

/// The four answers.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// No execution violates a check.
    Verified {
        /// Why: what holds at every loop head, in the order of the source.
        invariants: Vec<LoopInvariant>,
        /// The same as something that can be checked without the engine.
        evidence: Box<Evidence>,
        /// What the machine was run on.
        machine: OnMachine,
    },
    /// An execution violates a check.
    Violated(Box<Counterexample>),
    /// Nothing in the engine's language of invariants can do it.
    NoInvariant {
        /// Why, as a sentence.
        reason: String,
        /// The abstract execution that no invariant of the language can exclude.
        trace: Vec<AbstractStep>,
    },
    /// Neither was found.
    Unknown(UnknownReason),
}

impl Verdict {
    /// `verified`, `violated`, `no-invariant`, `unknown`.
    pub fn name(&self) -> &'static str {
        match self {
            Verdict::Verified { .. } => "verified",
            Verdict::Violated(_) => "violated",
            Verdict::NoInvariant { .. } => "no-invariant",
            Verdict::Unknown(_) => "unknown",
        }
    }
}

/// What holds whenever control is at a loop head.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopInvariant {
    /// The loop's condition.
    pub place: Span,
    /// All of these hold, in the user's words.
    pub formulas: Vec<String>,
    /// The same in few words, where there are fewer; may say less.
    pub short: Vec<String>,
    /// What may say the same in the contract language, part by part; nothing of it was checked.
    pub contract: Vec<String>,
}

/// One abstract state of an execution that may not be a real one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AbstractStep {
    /// The code that leads to the state; for the first state, the name of the procedure.
    pub place: Span,
    /// The state, in one or more lines.
    pub text: String,
}

/// An execution that violates a check, replayed.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// Where it starts.
    pub initial: InitialHeap,
    /// How nondeterminism was resolved, in order.
    pub choices: Vec<u32>,
    /// What goes wrong at the end.
    pub failure: Failure,
    /// Every state on the way.
    pub trace: Trace,
    /// The integers that choices were made from; `None` for those derived from the program.
    pub ints: Option<Vec<i64>>,
    /// Keeps others from making one without a replay.
    pub(crate) _replayed: Replayed,
}

/// Proof that the interpreter ran a counterexample to its failure.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Replayed;

/// Why a procedure is neither verified nor violated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UnknownReason {
    /// It can run into constructs outside the subset.
    Unsupported(Vec<Diagnostic>),
    /// Everything up to some size was tried.
    Bounded {
        /// Most objects in an initial heap.
        objects: usize,
        /// Most steps of one execution.
        steps: usize,
        /// Most nondeterministic choices of one execution, if that bound cut one off.
        choices: Option<usize>,
        /// Whether some execution was cut off at a bound, so that its end was not seen.
        cut: bool,
        /// Whether a whole program chose among some values only.
        sampled: bool,
    },
    /// No heap up to the bound satisfies `requires`, so nothing was run at all.
    NoHeap {
        /// Most objects in an initial heap.
        objects: usize,
    },
    /// `--timeout` is over.
    Time(Duration),
    /// `--memory` is used up.
    Memory(u64),
    /// The user stopped it.
    Cancelled,
    /// The work that one round allows is done.
    Work,
    /// A cycle is made at these places, and the engine's logic has none.
    Cycle(Vec<Diagnostic>),
    /// The engine knows less of values than the program does; these places are to blame.
    Imprecise(Vec<Diagnostic>),
    /// A solver gave up, or is not there; as a sentence.
    Solver(String),
    /// An engine says that its language has no invariant, and others may say more; as a sentence.
    NoInvariant(String),
    /// No oracle had a pattern that proves it; as a sentence.
    Oracle(String),
    /// What an abstraction keeps of memory does not exclude a failure; as a sentence.
    Abstraction(String),
    /// It is verified, but for what callers may pass: a null pointer for one of these.
    Arguments {
        /// The parameters.
        names: Vec<String>,
    },
    /// What stopped each engine that was asked.
    Engines(Vec<(&'static str, UnknownReason)>),
    /// Trellis contradicts itself: our bug.
    Internal(String),
}

impl UnknownReason {
    /// That a budget is used up.
    pub fn stopped(reason: StopReason, budget: &Budget) -> UnknownReason {
        match reason {
            StopReason::Time => UnknownReason::Time(budget.timeout.unwrap_or_default()),
            StopReason::Memory => UnknownReason::Memory(budget.memory.unwrap_or_default()),
            StopReason::Cancelled => UnknownReason::Cancelled,
            StopReason::Work => UnknownReason::Work,
        }
    }

    /// That there is no result; a refusal is told after words that say whose it is.
    pub fn no_result(why: NoResult, words: &str, budget: &Budget) -> UnknownReason {
        match why {
            NoResult::Refused(refusal) => UnknownReason::refused(&[refusal], words),
            NoResult::Stopped(reason) => UnknownReason::stopped(reason, budget),
            NoResult::GaveUp(text) => UnknownReason::Solver(text),
        }
    }

    /// That constructs are outside of what somebody follows, after words that say of what.
    pub fn refused(refusals: &[Refusal], words: &str) -> UnknownReason {
        UnknownReason::Unsupported(refusals.iter().map(|r| r.said(words)).collect())
    }

    /// That no engine has an answer, and why.
    pub(crate) fn unite(reasons: Vec<(&'static str, UnknownReason)>) -> UnknownReason {
        match reasons.iter().any(|(_, why)| *why == UnknownReason::Cancelled) {
            true => UnknownReason::Cancelled,
            false => UnknownReason::Engines(reasons),
        }
    }

    /// The places that are to blame.
    pub fn places(&self) -> &[Diagnostic] {
        match self {
            UnknownReason::Unsupported(places)
            | UnknownReason::Cycle(places)
            | UnknownReason::Imprecise(places) => places,
            UnknownReason::Bounded { .. }
            | UnknownReason::NoHeap { .. }
            | UnknownReason::Time(_)
            | UnknownReason::Memory(_)
            | UnknownReason::Cancelled
            | UnknownReason::Work
            | UnknownReason::Solver(_)
            | UnknownReason::Oracle(_)
            | UnknownReason::Abstraction(_)
            | UnknownReason::NoInvariant(_)
            | UnknownReason::Arguments { .. }
            | UnknownReason::Engines(_)
            | UnknownReason::Internal(_) => &[],
        }
    }

    /// What stopped each engine, if several were asked.
    pub fn engines(&self) -> &[(&'static str, UnknownReason)] {
        match self {
            UnknownReason::Engines(all) => all,
            _ => &[],
        }
    }

    /// What the user can do about it, where that is known: as options and sentences.
    pub fn advice(&self) -> Option<String> {
        Some(match self {
            UnknownReason::Bounded { steps, cut: true, choices: None, .. } => {
                format!("`--steps {}` follows executions further", steps.saturating_mul(10))
            }
            UnknownReason::Bounded { choices: Some(n), cut: true, .. } => {
                format!("`--choices {}` follows executions further", n.saturating_mul(2))
            }
            UnknownReason::Bounded { sampled: true, .. } => {
                "`--int-values` tries other integers".to_owned()
            }
            UnknownReason::Bounded { objects, .. } => {
                format!("`--objects {}` tries larger heaps", objects + 1)
            }
            UnknownReason::NoHeap { objects } => {
                let objects = objects + 1;
                format!("correct `requires`, or try larger heaps with `--objects {objects}`")
            }
            UnknownReason::Time(_) => "`--timeout` gives it more time".to_owned(),
            UnknownReason::Memory(_) => "`--memory` gives it more memory".to_owned(),
            UnknownReason::Arguments { names } => {
                let requires: Vec<String> =
                    names.iter().map(|n| format!("`requires {n} != NULL`")).collect();
                format!("add {}, or `--assume valid-arguments`", requires.join(", "))
            }
            UnknownReason::Unsupported(_)
            | UnknownReason::Cycle(_)
            | UnknownReason::Imprecise(_) => {
                return self.places().iter().find_map(|d| d.help.clone());
            }
            UnknownReason::Work
            | UnknownReason::Solver(_)
            | UnknownReason::Oracle(_)
            | UnknownReason::Abstraction(_)
            | UnknownReason::NoInvariant(_)
            | UnknownReason::Engines(_)
            | UnknownReason::Cancelled
            | UnknownReason::Internal(_) => return None,
        })
    }

    /// The word for it in machine-readable reports.
    pub fn name(&self) -> &'static str {
        match self {
            UnknownReason::Unsupported(_) => "unsupported",
            UnknownReason::Bounded { .. } => "bounded",
            UnknownReason::NoHeap { .. } => "no-heap",
            UnknownReason::Time(_) => "time",
            UnknownReason::Memory(_) => "memory",
            UnknownReason::Cancelled => "cancelled",
            UnknownReason::Work => "work",
            UnknownReason::Cycle(_) => "cycle",
            UnknownReason::Imprecise(_) => "imprecise",
            UnknownReason::Solver(_) => "solver",
            UnknownReason::Oracle(_) => "oracle",
            UnknownReason::Abstraction(_) => "abstraction",
            UnknownReason::NoInvariant(_) => "no-invariant",
            UnknownReason::Arguments { .. } => "arguments",
            UnknownReason::Engines(all) => ended(all).map_or("engines", UnknownReason::name),
            UnknownReason::Internal(_) => "internal",
        }
    }
}

impl fmt::Display for UnknownReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnknownReason::Unsupported(places) => {
                say(f, places, "it uses a construct that is not supported")
            }
            UnknownReason::Cycle(places) => say(f, places, "a cycle is made"),
            UnknownReason::Imprecise(places) => say(f, places, "an integer is not known well"),
            UnknownReason::Solver(text)
            | UnknownReason::NoInvariant(text)
            | UnknownReason::Oracle(text)
            | UnknownReason::Abstraction(text) => f.write_str(text),
            UnknownReason::Arguments { names } => {
                let names: Vec<String> = names.iter().map(|n| format!("`{n}`")).collect();
                let verb = if names.len() == 1 { "is" } else { "are" };
                write!(f, "it is verified if {} {verb} not null", names.join(", "))
            }
            UnknownReason::Engines(all) => match ended(all) {
                Some(budget) => budget.fmt(f),
                None => f.write_str("no engine has an answer"),
            },
            UnknownReason::Bounded { objects, steps, choices, cut, sampled } => {
                let (objects, steps) = (count(*objects, "object"), count(*steps, "step"));
                match choices {
                    None => write!(f, "no violation up to {objects} and {steps}")?,
                    Some(n) => {
                        let choices = count(*n, "choice");
                        write!(f, "no violation up to {objects}, {steps} and {choices}")?;
                    }
                }
                f.write_str(if *cut { "; longer executions were cut off" } else { "" })?;
                f.write_str(if *sampled { "; not all values were tried" } else { "" })
            }
            UnknownReason::NoHeap { objects } => write!(
                f,
                "no heap of up to {} satisfies `requires`, so nothing was checked",
                count(*objects, "object")
            ),
            UnknownReason::Time(limit) => {
                write!(f, "the time limit of {} is over", seconds(*limit))
            }
            UnknownReason::Memory(limit) => {
                write!(f, "the memory limit of {} is used up", bytes(*limit))
            }
            UnknownReason::Cancelled => f.write_str("cancelled"),
            UnknownReason::Work => f.write_str("its share of the work was not enough"),
            UnknownReason::Internal(text) => write!(f, "internal error: {text}"),
        }
    }
}

/// The budget that ended the work of the engines, if one did.
fn ended<'a>(all: &'a [(&'static str, UnknownReason)]) -> Option<&'a UnknownReason> {
    let is_budget =
        |why: &&UnknownReason| matches!(why, UnknownReason::Time(_) | UnknownReason::Memory(_));
    all.iter().map(|(_, why)| why).find(is_budget)
}

/// The first of the messages about some places.
fn say(f: &mut fmt::Formatter<'_>, places: &[Diagnostic], without: &str) -> fmt::Result {
    match places {
        [] => f.write_str(without),
        [one] => f.write_str(&one.message),
        [one, rest @ ..] => write!(f, "{}, and {} more", one.message, rest.len()),
    }
}

/// `1 object`, `4 objects`.
fn count(n: usize, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}

/// `30 s`, `0.5 s`.
fn seconds(d: Duration) -> String {
    format!("{} s", d.as_secs_f64())
}

/// `2 GiB`, `1.5 MiB`, `12 bytes`.
pub fn bytes(n: u64) -> String {
    let units = [("GiB", 1u64 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)];
    for (unit, size) in units {
        if n >= size {
            let value = n as f64 / size as f64;
            let text = format!("{value:.1}");
            return format!("{} {unit}", text.strip_suffix(".0").unwrap_or(&text));
        }
    }
    format!("{n} bytes")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_sentences() {
        let say = |r: UnknownReason| r.to_string();
        assert_eq!(
            say(UnknownReason::Bounded {
                objects: 4,
                steps: 1000,
                choices: None,
                cut: false,
                sampled: false
            }),
            "no violation up to 4 objects and 1000 steps"
        );
        assert_eq!(
            say(UnknownReason::Bounded {
                objects: 1,
                steps: 1,
                choices: Some(10),
                cut: true,
                sampled: false
            }),
            "no violation up to 1 object, 1 step and 10 choices; longer executions were cut off"
        );
        assert_eq!(
            say(UnknownReason::Time(Duration::from_millis(1500))),
            "the time limit of 1.5 s is over"
        );
        assert_eq!(say(UnknownReason::Memory(2 << 30)), "the memory limit of 2 GiB is used up");
        assert_eq!(bytes(1536), "1.5 KiB");
        assert_eq!(bytes(12), "12 bytes");
    }
}
