//! What an engine sees of a solver.
//!
//! A [`Solver`] holds assertions and answers whether they, together with some assumptions, have a
//! model. Engines keep one solver for thousands of queries: what is asserted stays, what changes
//! from query to query is assumed. Formulas are ids of one [`Arena`], so a back end translates each
//! formula once, however often it is assumed.
//!
//! To switch an assertion on and off, guard it with a relation without arguments and assume that:
//! `act ==> clause`.
//!
//! Below that is [`validity`]: whether claims follow from facts, which provers without models and
//! cores can say too.
//!
//! **Invariants.** `Unknown` is a value, never a panic. A model is total on the vocabulary and
//! satisfies everything that was asserted and assumed. The assumptions named by a core are, with
//! the assertions, without a model. The same calls in the same order give the same answers.

pub mod forest;
pub mod limited;
pub mod record;
pub mod replay;
pub mod theory;
pub mod validity;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use trellis_logic::{Arena, Budget, FormulaId, StopReason, Structure, Vocabulary, Work};

/// The symbols and the formulas of a conversation. Both may grow between calls; ids keep their
/// meaning.
#[derive(Debug)]
pub struct Context<'a> {
    /// The symbols.
    pub vocabulary: &'a Vocabulary,
    /// The formulas.
    pub arena: &'a mut Arena,
}

/// A solver for one conversation.
pub trait Solver: Send {
    /// Its name in reports: `epr`, `z3`, `cvc5`.
    fn name(&self) -> &str;

    /// Adds a closed formula for good.
    ///
    /// # Errors
    /// If the formula is outside the fragment that the solver decides; nothing is added then.
    fn assert(
        &mut self,
        context: &mut Context<'_>,
        formula: FormulaId,
    ) -> Result<(), OutsideFragment>;

    /// Whether the assertions and the assumptions have a common model.
    fn check(
        &mut self,
        context: &mut Context<'_>,
        assumptions: &[FormulaId],
        limits: &Limits,
    ) -> Answer;

    /// The model behind the last answer, which must have been [`Answer::Sat`].
    ///
    /// With [`Limits::minimise_model`] it has few elements. The search for a smaller one ends at the
    /// deadline, and then the last one found is given: the deadline is no error here.
    ///
    /// # Errors
    /// If the last answer was another one, or the back end cannot tell its model.
    fn model(&mut self, context: &mut Context<'_>, limits: &Limits) -> Result<Structure, Unknown>;

    /// After [`Answer::Unsat`]: which assumptions were needed, as indices into the last
    /// assumptions, ascending.
    fn core(&self) -> &[usize];

    /// What it did so far.
    fn statistics(&self) -> Statistics;
}

impl<S: Solver + ?Sized> Solver for Box<S> {
    fn name(&self) -> &str {
        (**self).name()
    }

    fn assert(
        &mut self,
        context: &mut Context<'_>,
        formula: FormulaId,
    ) -> Result<(), OutsideFragment> {
        (**self).assert(context, formula)
    }

    fn check(
        &mut self,
        context: &mut Context<'_>,
        assumptions: &[FormulaId],
        limits: &Limits,
    ) -> Answer {
        (**self).check(context, assumptions, limits)
    }

    fn model(&mut self, context: &mut Context<'_>, limits: &Limits) -> Result<Structure, Unknown> {
        (**self).model(context, limits)
    }

    fn core(&self) -> &[usize] {
        (**self).core()
    }

    fn statistics(&self) -> Statistics {
        (**self).statistics()
    }
}

/// Whether there is a model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// There is one; ask for it with [`Solver::model`].
    Sat,
    /// There is none; ask why with [`Solver::core`].
    Unsat,
    /// Not known.
    Unknown(Unknown),
}

/// Why an answer is not known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unknown {
    /// The deadline passed.
    Time,
    /// The memory limit was reached.
    Memory,
    /// Somebody cancelled.
    Cancelled,
    /// The work that was allowed is done.
    Work,
    /// An assumption is outside the fragment.
    Refused(OutsideFragment),
    /// The back end is missing, crashed, hung or spoke nonsense; names it.
    BackEnd(String),
    /// The back end itself does not know.
    Incomplete(String),
}

impl From<StopReason> for Unknown {
    fn from(reason: StopReason) -> Unknown {
        match reason {
            StopReason::Time => Unknown::Time,
            StopReason::Memory => Unknown::Memory,
            StopReason::Cancelled => Unknown::Cancelled,
            StopReason::Work => Unknown::Work,
        }
    }
}

/// A formula outside the fragment that a solver decides.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutsideFragment {
    /// The offending quantifier alternation or symbol, in the user's names.
    pub reason: String,
}

/// What a query may use.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// When to stop.
    pub deadline: Option<Instant>,
    /// Set by another thread to stop early.
    pub cancel: Option<Arc<AtomicBool>>,
    /// What the search that asks may still do.
    pub work: Work,
    /// For [`Solver::check`]: drop assumptions from a core until each one left is needed.
    pub minimise_core: bool,
    /// For [`Solver::model`]: look for a model with few elements.
    pub minimise_model: bool,
}

impl Limits {
    /// At most this long from now.
    pub fn within(time: Duration) -> Limits {
        Limits { deadline: Instant::now().checked_add(time), ..Limits::default() }
    }

    /// What is left of a budget.
    pub fn of(budget: &Budget) -> Limits {
        let cancel = Some(Arc::clone(&budget.cancel));
        let work = budget.work.clone();
        Limits { deadline: budget.deadline(), cancel, work, ..Limits::default() }
    }

    /// Why to stop now, if so.
    pub fn exceeded(&self) -> Option<Unknown> {
        if self.cancel.as_ref().is_some_and(|c| c.load(Ordering::Relaxed)) {
            return Some(Unknown::Cancelled);
        }
        if self.work.is_done() {
            return Some(Unknown::Work);
        }
        self.deadline.is_some_and(|d| Instant::now() >= d).then_some(Unknown::Time)
    }
}

/// What a solver did.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Statistics {
    /// Calls of [`Solver::check`].
    pub checks: u64,
    /// Of these, answered [`Answer::Sat`].
    pub sat: u64,
    /// Of these, answered [`Answer::Unsat`].
    pub unsat: u64,
    /// Ground terms in play.
    pub terms: u64,
    /// Clauses given to the ground solver.
    pub clauses: u64,
    /// Time inside the solver.
    pub time: Duration,
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unknown::Time => f.write_str("the time limit is over"),
            Unknown::Memory => f.write_str("the memory limit is used up"),
            Unknown::Cancelled => f.write_str("cancelled"),
            Unknown::Work => f.write_str("the work that was allowed is done"),
            Unknown::Refused(refusal) => refusal.fmt(f),
            Unknown::BackEnd(what) => f.write_str(what),
            Unknown::Incomplete(why) => write!(f, "the solver does not know: {why}"),
        }
    }
}

impl fmt::Display for OutsideFragment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}
