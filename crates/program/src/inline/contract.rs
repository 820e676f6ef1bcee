//! A callee's contract as assertions of the caller.
//!
//! `requires` is checked when the parameters are bound, `ensures` at every return. An `assigns`
//! clause compares memory with memory at the call, which no assertion can: it is dropped where the
//! callee changes nothing, and refused elsewhere.

use super::bind::{Activation, Target};
use super::recall::Recall;
use super::{Call, Inliner, Refusal};
use crate::checks::CheckKind;
use crate::ir::{BlockId, Cond, InstrKind, Reg};
use crate::source::Diagnostic;
use crate::spec::{Assigns, Formula};

impl Inliner<'_> {
    /// Checks the `requires` clauses at the end of `at`.
    pub(super) fn assert_requires(
        &mut self,
        activation: &mut Activation,
        call: &Call,
        at: BlockId,
    ) -> Result<(), Refusal> {
        for clause in &self.program.proc(call.proc).contract.requires {
            let formula = self.inner_formula(activation, &clause.formula)?;
            let kind = CheckKind::Precondition;
            let cond = Cond::Spec(formula);
            self.emit(at, InstrKind::Assert { kind, cond }, call.span);
        }
        Ok(())
    }

    /// Checks the `ensures` clauses at the end of `at`.
    pub(super) fn assert_ensures(
        &mut self,
        activation: &mut Activation,
        call: &Call,
        at: BlockId,
    ) -> Result<(), Refusal> {
        for clause in &self.program.proc(call.proc).contract.ensures {
            let formula = self.inner_formula(activation, &clause.formula)?;
            let kind = CheckKind::Postcondition;
            self.emit(at, InstrKind::Assert { kind, cond: Cond::Spec(formula) }, clause.span);
        }
        Ok(())
    }

    /// A procedure without a body returns anything that its `ensures` allows.
    pub(super) fn apply_contract(
        &mut self,
        activation: &mut Activation,
        call: &Call,
        at: BlockId,
    ) -> Result<(), Refusal> {
        let callee = self.program.proc(call.proc);
        let types = &self.program.types;
        let writes_nothing =
            matches!(&callee.contract.assigns, Assigns::Places(items, _) if items.is_empty());
        let unsupported = if !writes_nothing {
            Some(format!(
                "a call of `{}`, which has no body and may write memory (add `assigns \
                 \\nothing;` to its contract if it writes none)",
                callee.name
            ))
        } else if types.scalar(callee.ret).is_none() && !callee.ret_is_void(types) {
            Some(format!("the struct that `{}` returns", callee.name))
        } else {
            None
        };
        if let Some(reason) = unsupported {
            self.emit(at, InstrKind::Unsupported { reason }, call.span);
            return Ok(());
        }
        self.end_objects(activation, at, call.span);
        if let (Target::Register(var), Some(scalar)) = (activation.target, types.scalar(callee.ret))
        {
            self.emit(at, InstrKind::Havoc { dst: Reg::Local(var), scalar }, call.span);
        }
        for clause in &callee.contract.ensures {
            let cond = Cond::Spec(self.inner_formula(activation, &clause.formula)?);
            self.emit(at, InstrKind::Assume { cond }, clause.span);
        }
        if let Target::Caller(dst) = activation.target {
            let value = self.undefined(self.type_of(dst), call.span);
            self.emit(at, InstrKind::Assign { dst, value }, call.span);
        }
        Ok(())
    }

    /// The `assigns` clause of a callee with a body needs no check.
    pub(super) fn check_assigns(&self, activation: &Activation) -> Result<(), Refusal> {
        let callee = self.program.proc(activation.proc);
        if matches!(callee.contract.assigns, Assigns::Places(..))
            && self.writers.contains(&activation.proc)
        {
            return Err(Diagnostic::unsupported(
                activation.span,
                format!(
                    "a call of `{}`, whose `assigns` clause is about memory at the call",
                    callee.name
                ),
            )
            .with_help("this engine replaces calls by bodies and sees memory only as it is"));
        }
        Ok(())
    }

    /// A formula of the callee's contract or body.
    pub(super) fn inner_formula(
        &mut self,
        activation: &mut Activation,
        formula: &Formula,
    ) -> Result<Formula, Refusal> {
        let (name, span) = (&self.program.proc(activation.proc).name, activation.span);
        let mut recall = Recall::new(self, activation);
        let formula = recall.formula(formula);
        match recall.lost() {
            None => Ok(formula),
            Some(what) => Err(Diagnostic::unsupported(
                span,
                format!("a call of `{name}`, whose contract is about {what} at the call"),
            )
            .with_help("this engine replaces calls by bodies and sees memory only as it is")),
        }
    }
}
