//! A callee's contract as assertions of the caller.
//!
//! `requires` is checked when the parameters are bound, `ensures` at every return. An `assigns`
//! clause compares memory with memory at the call, which no assertion can: it is dropped where the
//! callee changes nothing, and refused elsewhere.

use super::bind::{Activation, Target};
use super::recall::Recall;
use super::{Call, Inliner};
use crate::checks::CheckKind;
use crate::concrete::calls::{fresh_reason, further_reason};
use crate::fresh::open_pointer;
use crate::ir::{Block, BlockId, CmpOp, Cond, Expr, InstrKind, Reg, Terminator};
use crate::judgement::Refusal;
use crate::source::Span;
use crate::spec::{Assigns, Formula, Rewrite};
use crate::types::{IntKind, Scalar, Type, TypeId};

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
        let mut at = at;
        if let (Target::Register(var), Some(scalar)) = (activation.target, types.scalar(callee.ret))
        {
            let dst = Reg::Local(var);
            at = match scalar {
                Scalar::Ptr(pointee) => self.old_or_new(activation, dst, pointee, call.span, at),
                _ => at,
            };
            if !scalar.is_ptr() {
                self.emit(at, InstrKind::Havoc { dst, scalar }, call.span);
            }
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

    /// A pointer result is null, an object that is there, or a new object with any contents. The
    /// block in which it is known.
    fn old_or_new(
        &mut self,
        activation: &Activation,
        dst: Reg,
        pointee: TypeId,
        span: Span,
        at: BlockId,
    ) -> BlockId {
        let name = format!("{}.%new", activation.prefix);
        let (then, els, known) = self.either(name, span, at);
        self.emit(els, InstrKind::Havoc { dst, scalar: Scalar::Ptr(pointee) }, span);
        let then = self.further_objects(activation, span, then);
        self.new_object(activation, dst, pointee, span, then);
        known
    }

    /// Gives up where the new object may lead to further ones. The block in which it does not.
    fn further_objects(&mut self, activation: &Activation, span: Span, at: BlockId) -> BlockId {
        let program = self.program;
        let callee = program.proc(activation.proc);
        let Some(cell) = open_pointer(program, callee) else { return at };
        let reason = further_reason(callee, cell);
        let more = format!("{}.%more", activation.prefix);
        let (then, els, _) = self.either(more, span, at);
        self.emit(then, InstrKind::Unsupported { reason }, span);
        els
    }

    /// Ends `at` with a choice under this name: the two blocks that come next, and the one that
    /// comes after both and ends as `at` did.
    fn either(&mut self, name: String, span: Span, at: BlockId) -> (BlockId, BlockId, BlockId) {
        let bool = self.type_id(Type::Int(IntKind::BOOL));
        let choice = self.register(name, bool, span, None);
        let scalar = Scalar::Int(IntKind::BOOL);
        self.emit(at, InstrKind::Havoc { dst: Reg::Local(choice), scalar }, span);
        let origin = self.origin.blocks[at.0 as usize];
        let (term, term_span) = {
            let block = &self.blocks[at.0 as usize];
            (block.term.clone(), block.term_span)
        };
        let empty = |term| Block { instrs: Vec::new(), term, term_span };
        let after = self.new_block(empty(term), origin);
        let then = self.new_block(empty(Terminator::Goto(after)), origin);
        let els = self.new_block(empty(Terminator::Goto(after)), origin);
        let cond = Expr::local(choice);
        self.blocks[at.0 as usize].term = Terminator::Branch { cond, then, els };
        (then, els, after)
    }

    fn new_object(
        &mut self,
        activation: &Activation,
        dst: Reg,
        ty: TypeId,
        span: Span,
        at: BlockId,
    ) {
        let program = self.program;
        let layout = match program.types.new_object(ty) {
            Ok(layout) => layout,
            Err(what) => {
                let reason = fresh_reason(program.proc(activation.proc), what);
                return self.emit(at, InstrKind::Unsupported { reason }, span);
            }
        };
        let size = Expr::Int(layout.size.into());
        self.emit(at, InstrKind::Alloc { dst, size, ty: Some(ty), zeroed: false }, span);
        // Where `malloc` may return null: the other branch has that result.
        let there = Expr::Cmp(CmpOp::Ne, None, Box::new(Expr::Reg(dst)), Box::new(Expr::Null));
        self.emit(at, InstrKind::Assume { cond: Cond::Expr(there) }, span);
        for cell in &layout.cells {
            let (scalar, offset) = (cell.scalar, i64::from(cell.offset));
            let ty = self.type_id(match scalar {
                Scalar::Int(kind) => Type::Int(kind),
                Scalar::Ptr(pointee) => Type::Ptr(pointee),
                Scalar::Bits(field) => Type::Int(field.kind),
                Scalar::Float(_) => continue,
            });
            let name = format!("{}.%cell{offset}", activation.prefix);
            let value = self.register(name, ty, span, None);
            self.emit(at, InstrKind::Havoc { dst: Reg::Local(value), scalar }, span);
            let addr = match offset {
                0 => Expr::Reg(dst),
                _ => Expr::Offset(Box::new(Expr::Reg(dst)), offset),
            };
            let value = Expr::local(value);
            self.emit(at, InstrKind::Store { addr, scalar, value }, span);
        }
    }

    /// The `assigns` clause of a callee with a body needs no check.
    pub(super) fn check_assigns(&self, activation: &Activation) -> Result<(), Refusal> {
        let callee = self.program.proc(activation.proc);
        if matches!(callee.contract.assigns, Assigns::Places(..))
            && self.writers.contains(&activation.proc)
        {
            return Err(Refusal::at(
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
            Some(what) => Err(Refusal::at(
                span,
                format!("a call of `{name}`, whose contract is about {what} at the call"),
            )
            .with_help("this engine replaces calls by bodies and sees memory only as it is")),
        }
    }
}
