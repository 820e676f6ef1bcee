//! MONA: lists and trees in monadic second-order logic, by field constraint analysis.
//!
//! `tree [f, …]` among the hypotheses names the **backbone**: with one field the heap is a string in
//! which some positions are null, with several it is a forest. Other fields are **derived**: with a
//! hypothesis `ALL x y. f x = y <-> D` they are a predicate; otherwise each of their values that is
//! mentioned is any object that `D` of `ALL x y. f x = y --> D` allows, the same for equal arguments.
//! Closure is said by sets. What cannot be said, numbers and arrays above all, becomes a truth value,
//! or a set where it depends on one bound object; where it depends on several, the quantifier around
//! it is replaced.
//!
//! **Invariant.** All this makes a question more general, so only *valid* is believed. Heaps are
//! finite here, as they are in programs.
//!
//! * `text`: the formula, and what goes before it

mod text;

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use trellis_hol::{Kind, Op, SymbolId, Term};
use trellis_sequents::Sequent;

use crate::process::{excerpt, run};
use crate::{Answer, Question, SequentProver, Why};

/// MONA as a process.
pub struct Mona {
    path: PathBuf,
}

impl Mona {
    /// The one at a path.
    pub fn new(path: PathBuf) -> Mona {
        Mona { path }
    }
}

impl SequentProver for Mona {
    fn name(&self) -> &'static str {
        "mona"
    }

    fn package(&self) -> &'static str {
        "mona"
    }

    /// Fewer hypotheses make smaller automata, so those near the goal are tried first.
    fn prove(&self, question: &Question<'_>, time: Duration, cancel: &AtomicBool) -> Answer {
        let fields = backbone(question.sequent);
        let deadline = Instant::now() + time;
        let mut last = Answer::Unknown(Why::GaveUp);
        let mut tried = usize::MAX;
        for rounds in [1, 2, usize::MAX] {
            let slice = slice(question.sequent, &fields, rounds);
            if slice.hypotheses.len() == tried {
                continue;
            }
            tried = slice.hypotheses.len();
            let sliced = Question { sequent: &slice, ..*question };
            let Some(text) = write(&sliced) else { continue };
            let left = deadline.saturating_duration_since(Instant::now());
            last = match run(&self.path, &["-q".to_owned()], &text, "mona", left, cancel) {
                Ok(said) if said.contains("Formula is valid") => return Answer::Valid(None),
                Ok(said) if said.contains("example") || said.contains("unsatisfiable") => {
                    Answer::Unknown(Why::GaveUp)
                }
                Ok(said) => Answer::Unknown(excerpt(&said)),
                Err(why @ (Why::Missing | Why::Time)) => return Answer::Unknown(why),
                Err(why) => Answer::Unknown(why),
            };
        }
        last
    }
}

/// The fields of the first tree among the hypotheses.
fn backbone(sequent: &Sequent) -> Vec<SymbolId> {
    let fields = |t: &Term| match &t.kind {
        Kind::Op(Op::Tree, args) => symbols(args),
        Kind::Op(Op::ParentTree, args) => symbols(&args[1..]),
        _ => None,
    };
    sequent.hypotheses.iter().find_map(fields).unwrap_or_default()
}

fn symbols(args: &[Term]) -> Option<Vec<SymbolId>> {
    let symbol = |t: &Term| match t.kind {
        Kind::Symbol(s) => Some(s),
        _ => None,
    };
    args.iter().map(symbol).collect()
}

/// Hypotheses near the goal; those that say which heaps there are always stay.
fn slice(sequent: &Sequent, fields: &[SymbolId], rounds: usize) -> Sequent {
    if rounds == usize::MAX {
        return sequent.clone();
    }
    let mut slice = sequent.relevant(rounds, &|s| fields.contains(&s));
    for h in &sequent.hypotheses {
        if matches!(h.kind, Kind::Op(Op::Tree | Op::ParentTree, _)) && !slice.hypotheses.contains(h)
        {
            slice.hypotheses.push(h.clone());
        }
    }
    slice
}

/// A question as a file for MONA; `None` if even the goal cannot be said.
pub fn write(question: &Question<'_>) -> Option<String> {
    text::write(question, backbone(question.sequent))
}
