//! Cells that were never written: which they are, and reading them.
//!
//! **Invariant.** A cell that may be undefined is read as a value only in the run that assumes that it
//! was written; another run goes on without a value.

use trellis_logic::{Formula, FormulaId, RelId, TermId};
use trellis_program::{CheckKind, Reg, Span};

use super::state::Run;
use super::{Builder, Step};

impl Builder<'_> {
    /// Assumes that a cell was written; where not, the variable gets no value in another run.
    #[allow(clippy::too_many_arguments)] // One call, told apart by their types.
    pub(super) fn defined_or_fork(
        &mut self,
        run: &mut Run,
        undefined: RelId,
        object: TermId,
        others: &mut Vec<Run>,
        dst: Reg,
        span: Span,
    ) -> Step<()> {
        if let Some(fresh) = self.undefined_objects(run, undefined)
            && fresh.iter().all(|o| self.differ(run, object, *o))
        {
            return Ok(());
        }
        let atom = self.holds_of(run, undefined, object);
        if atom == FormulaId::FALSE {
            return Ok(());
        }
        let Some(&unset) = self.symbols.unset.get(&dst) else {
            // A variable that always has a value cannot take none over: stricter than the
            // interpreter, which fails when the value is used.
            return self.error(run, CheckKind::Uninit, span, atom);
        };
        let mut other = run.clone();
        if self.assume_now(&mut other, atom).is_ok() {
            other.now.define_rel(unset, &[], FormulaId::TRUE);
            other.constants.remove(&dst);
            others.push(other);
        }
        let defined = self.arena.not(atom);
        self.assume_now(run, defined)
    }

    pub(crate) fn mark_undefined(
        &mut self,
        run: &mut Run,
        undefined: RelId,
        object: TermId,
        value: bool,
    ) {
        let value = if value { FormulaId::TRUE } else { FormulaId::FALSE };
        if self.holds_of(run, undefined, object) == value {
            return;
        }
        // New objects differ from each other, so writing one leaves the others as they are.
        if value == FormulaId::FALSE
            && run.named.contains(&object)
            && let Some(mut fresh) = self.undefined_objects(run, undefined)
        {
            fresh.retain(|o| *o != object);
            let ([var, _], [any, _]) = self.pair();
            let rest: Vec<FormulaId> = fresh.iter().map(|o| self.arena.eq(any, *o)).collect();
            let rest = self.arena.or(rest);
            run.now.define_rel(undefined, &[var], rest);
            return;
        }
        self.change_at(run, undefined, object, value);
    }

    /// The objects whose cell is undefined, if these are some new objects and no others.
    pub(super) fn undefined_objects(&mut self, run: &Run, undefined: RelId) -> Option<Vec<TermId>> {
        let ([_, _], [any, _]) = self.pair();
        let atom = self.arena.rel(undefined, &[any]);
        let now = self.arena.expand(atom, &run.now);
        let parts = match self.arena.formula(now) {
            Formula::False => Vec::new(),
            Formula::Or(parts) => parts.to_vec(),
            _ => vec![now],
        };
        let object = |part: &FormulaId| match self.arena.formula(*part) {
            Formula::Eq(a, b) if *a == any => Some(*b),
            Formula::Eq(a, b) if *b == any => Some(*a),
            _ => None,
        };
        let objects: Vec<TermId> = parts.iter().map(object).collect::<Option<_>>()?;
        objects.iter().all(|o| run.named.contains(o)).then_some(objects)
    }

    /// Whether the guards say that two objects differ.
    pub(super) fn differ(&mut self, run: &Run, a: TermId, b: TermId) -> bool {
        let (ab, ba) = (self.arena.ne(a, b), self.arena.ne(b, a));
        run.guards.contains(&ab) || run.guards.contains(&ba)
    }
}
