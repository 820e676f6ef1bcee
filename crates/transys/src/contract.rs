//! Clauses of contracts, translated once and used on many paths.

use trellis_logic::{Formula as LogicFormula, FormulaId, Fragment, Quantifier, fragment};
use trellis_program::spec::{Formula, Label};
use trellis_program::{Refusal, Span, view};

use crate::execute::{Builder, Step};
use crate::relational::{Mode, Relational};

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
        let holds = self.relational(mode).holds(translated);
        let holds = holds.map_err(|reason| Refusal::at(span, reason))?;
        let asked = if assumed { holds } else { self.arena.not(holds) };
        if let Fragment::Beyond(obstacle) = fragment(&mut self.arena, &self.logic, asked) {
            let reason = format!("a formula that solvers cannot decide: {}", obstacle.text);
            return Err(Refusal::at(span, reason).into());
        }
        // That every cell has an edge is no axiom, so a structure may lack one.
        if self.universal_edge(asked, true, false) {
            self.imprecise.insert(span);
        }
        self.clauses.insert(key, holds);
        Ok(holds)
    }

    /// Whether a formula speaks of the edges of all objects at once.
    fn universal_edge(&self, formula: FormulaId, positive: bool, under: bool) -> bool {
        match self.arena.formula(formula) {
            LogicFormula::Rel(rel, _) => {
                let edges = self.symbols.pointers.iter().filter_map(|f| f.edge);
                under && edges.into_iter().any(|e| e.now == *rel || e.entry == *rel)
            }
            LogicFormula::Not(a) => self.universal_edge(*a, !positive, under),
            LogicFormula::And(parts) | LogicFormula::Or(parts) => {
                parts.iter().any(|p| self.universal_edge(*p, positive, under))
            }
            LogicFormula::Implies(a, b) => {
                self.universal_edge(*a, !positive, under)
                    || self.universal_edge(*b, positive, under)
            }
            LogicFormula::Iff(a, b) => [*a, *b].into_iter().any(|side| {
                self.universal_edge(side, positive, under)
                    || self.universal_edge(side, !positive, under)
            }),
            LogicFormula::Quant(q, _, body) => {
                let universal = (*q == Quantifier::Forall) == positive;
                self.universal_edge(*body, positive, under || universal)
            }
            _ => false,
        }
    }

    /// When a precondition holds of the entry state.
    pub(crate) fn precondition(
        &mut self,
        formula: &Formula,
        span: Span,
    ) -> Result<FormulaId, Refusal> {
        let vocabulary = self.symbols.view.clone();
        let formula = at_entry(formula);
        let translated = view::formula(&vocabulary, &mut self.view_arena, &formula)
            .map_err(|e| Refusal::at(span, e.reason))?;
        let relational = &mut self.relational(Mode::Assume);
        let holds = relational.holds(translated);
        let holds = holds.map_err(|reason| Refusal::at(span, reason))?;
        // A structure that lacks an edge satisfies less than its heap must.
        if self.universal_edge(holds, true, false) {
            self.imprecise.insert(span);
        }
        Ok(holds)
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
        }
    }
}

/// A precondition is about the entry state, whose symbols are the entry copies.
pub(crate) fn at_entry(formula: &Formula) -> Formula {
    Formula::At(Label::Pre, Box::new(formula.clone()))
}
