//! Solvers with a deadline for every question, for callers that set none.

use trellis_logic::{FormulaId, Structure};
use trellis_solver::{Answer, Context, Limits, Refusal, Solver, Statistics, Unknown};

use crate::check::Settings;

/// A solver whose questions end in time.
pub(crate) struct Limited {
    pub(crate) inner: Box<dyn Solver>,
    pub(crate) settings: Settings,
}

impl Limited {
    fn limits(&self, asked: &Limits) -> Limits {
        let own = self.settings.limits();
        let deadline = match (own.deadline, asked.deadline) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        Limits { deadline, cancel: asked.cancel.clone().or(own.cancel), ..asked.clone() }
    }
}

impl Solver for Limited {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn assert(&mut self, context: &mut Context<'_>, formula: FormulaId) -> Result<(), Refusal> {
        self.inner.assert(context, formula)
    }

    fn check(
        &mut self,
        context: &mut Context<'_>,
        assumptions: &[FormulaId],
        limits: &Limits,
    ) -> Answer {
        let limits = self.limits(limits);
        self.inner.check(context, assumptions, &limits)
    }

    fn model(&mut self, context: &mut Context<'_>, limits: &Limits) -> Result<Structure, Unknown> {
        let limits = self.limits(limits);
        self.inner.model(context, &limits)
    }

    fn core(&self) -> &[usize] {
        self.inner.core()
    }

    fn statistics(&self) -> Statistics {
        self.inner.statistics()
    }
}
