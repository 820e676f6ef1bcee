//! A solver whose questions end in time, whatever its user asks for.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use trellis_logic::{Budget, FormulaId, Structure};

use crate::{Answer, Context, Limits, OutsideFragment, Solver, Statistics, Unknown};

/// Why a solver gave up first, shared by the solvers of one piece of work.
pub type GaveUp = Arc<OnceLock<Unknown>>;

/// A solver within a budget.
pub struct Limited {
    /// The solver.
    pub inner: Box<dyn Solver>,
    /// What all questions together may cost.
    pub budget: Budget,
    /// Most time for one question.
    pub per_question: Option<Duration>,
    /// Why a question was not answered, if so.
    pub gave_up: GaveUp,
}

impl Limited {
    fn limits(&self, asked: &Limits) -> Limits {
        let budget = match self.per_question {
            Some(time) => self.budget.at_most(time),
            None => self.budget.clone(),
        };
        let own = Limits::of(&budget);
        let deadline = match (own.deadline, asked.deadline) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        Limits { deadline, cancel: asked.cancel.clone().or(own.cancel), ..asked.clone() }
    }

    fn note(&self, why: &Unknown) {
        self.gave_up.get_or_init(|| why.clone());
    }
}

impl Solver for Limited {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn assert(
        &mut self,
        context: &mut Context<'_>,
        formula: FormulaId,
    ) -> Result<(), OutsideFragment> {
        self.inner.assert(context, formula)
    }

    fn check(
        &mut self,
        context: &mut Context<'_>,
        assumptions: &[FormulaId],
        limits: &Limits,
    ) -> Answer {
        let limits = self.limits(limits);
        let answer = self.inner.check(context, assumptions, &limits);
        if let Answer::Unknown(why) = &answer {
            self.note(why);
        }
        answer
    }

    fn model(&mut self, context: &mut Context<'_>, limits: &Limits) -> Result<Structure, Unknown> {
        let limits = self.limits(limits);
        self.inner.model(context, &limits).inspect_err(|why| self.note(why))
    }

    fn core(&self) -> &[usize] {
        self.inner.core()
    }

    fn statistics(&self) -> Statistics {
        self.inner.statistics()
    }
}
