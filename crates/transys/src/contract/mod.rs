//! Contracts: what holds at the entry, what must hold at a return, and the formulas of the user in
//! between, as formulas of the system.
//!
//! [`relational`] translates any contract formula, `initial` says what holds at the entry and
//! [`entry_heap`] how the heap is reached there, `cure` what to add where it cannot be followed, `finish` and [`assigns`] check what a return
//! promises, [`predicates`] gives the user's predicates to engines. This file translates clauses,
//! once, for use on many paths.
//!
//! **Invariant.** A clause that is assumed or checked is an ∃*∀* formula where a solver is asked; any
//! other is refused.

pub(crate) mod assigns;
mod cure;
pub(crate) mod entry_heap;
mod finish;
pub(crate) mod headers;
mod initial;
pub(crate) mod predicates;
pub(crate) mod relational;
pub(crate) mod universal;

use trellis_logic::{FormulaId, Fragment, fragment};
use trellis_program::spec::{Formula, Label};
use trellis_program::{Refusal, Span, view};

use crate::contract::relational::{Mode, Relational};
use crate::contract::universal::Leave;
use crate::execute::{Builder, Step};
use crate::system::Words;
use crate::theory::Purpose;

impl Builder<'_> {
    /// When a contract formula holds, in terms of the current state and the entry state.
    pub(crate) fn clause(
        &mut self,
        formula: &Formula,
        assumed: bool,
        span: Span,
    ) -> Step<FormulaId> {
        let key = (std::ptr::from_ref(formula) as usize, assumed);
        if let Some(&known) = self.clauses.get(&key) {
            return Ok(known);
        }
        let vocabulary = self.symbols.view.clone();
        let translated = view::formula(&vocabulary, &mut self.view_arena, formula)
            .map_err(|e| Refusal::at(span, e.reason))?;
        let mode = if assumed { Mode::Assume } else { Mode::Check };
        let asked = self.asked(translated, mode, &[], span)?;
        let holds = if assumed { asked } else { self.arena.not(asked) };
        self.clauses.insert(key, holds);
        Ok(holds)
    }

    /// When a precondition holds of the entry state, where some facts do.
    pub(crate) fn precondition(
        &mut self,
        formula: &Formula,
        facts: &[FormulaId],
        span: Span,
    ) -> Result<FormulaId, Refusal> {
        let vocabulary = self.symbols.view.clone();
        let formula = at_entry(formula);
        let translated = view::formula(&vocabulary, &mut self.view_arena, &formula)
            .map_err(|e| Refusal::at(span, e.reason))?;
        self.asked(translated, Mode::Assume, facts, span)
    }

    /// What a solver is asked to assume: a formula of the view or, if it is checked, its opposite.
    /// `facts` hold wherever it is assumed.
    fn asked(
        &mut self,
        formula: FormulaId,
        mode: Mode,
        facts: &[FormulaId],
        span: Span,
    ) -> Result<FormulaId, Refusal> {
        let holds = self.relational(mode).holds(formula);
        let holds = holds.map_err(|reason| Refusal::at(span, reason))?;
        let asked = if mode == Mode::Assume { holds } else { self.arena.not(holds) };
        let Fragment::Beyond(obstacle) = fragment(&mut self.arena, &self.logic, asked) else {
            // A structure that lacks an edge satisfies less than its heap must.
            if self.universal_edge(asked) {
                self.imprecise.insert(span);
            }
            return Ok(asked);
        };
        // Questions about the entry may know less; so may the richest words, since others come next
        // to none.
        let leave = match self.purpose == Purpose::Entry || self.options.words == Words::Edges {
            true => Leave::Out,
            false => Leave::Refuse,
        };
        match self.universal(formula, mode, facts, leave) {
            Ok(assumed) => {
                if assumed.left_out || self.universal_edge(assumed.formula) {
                    self.imprecise.insert(span);
                }
                Ok(assumed.formula)
            }
            Err(_) if leave == Leave::Out => {
                self.imprecise.insert(span);
                Ok(FormulaId::TRUE)
            }
            Err(_) => {
                let reason = format!("a formula that solvers cannot decide: {}", obstacle.text);
                Err(Refusal::at(span, reason))
            }
        }
    }

    pub(crate) fn relational(&mut self, mode: Mode) -> Relational<'_> {
        let own = self.own();
        Relational {
            symbols: &mut self.symbols,
            logic: &mut self.logic,
            arena: &mut self.arena,
            view: &self.view_arena,
            mode,
            may_dangle: self.may_free || self.may_allocate,
            may_allocate: self.may_allocate,
            own,
            fresh: 0,
            universal: 0,
            existential: 0,
        }
    }
}

/// A precondition is about the entry state, whose symbols are the entry copies.
pub(crate) fn at_entry(formula: &Formula) -> Formula {
    Formula::At(Label::Pre, Box::new(formula.clone()))
}
