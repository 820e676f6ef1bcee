//! A callee's body with its own blocks and variables.
//!
//! A return becomes what the interpreter does at one: the result is put where it is wanted, all
//! local objects die, the `ensures` clauses are checked, and the caller goes on.

use super::bind::{Activation, Target};
use super::{Call, Inliner, functions};
use crate::ir::{
    Block, BlockId, Body, Cond, Expr, Instr, InstrKind, Reg, Storage, Terminator, VarId,
};
use crate::judgement::Refusal;
use crate::source::Span;

impl Inliner<'_> {
    /// Copies a body; control comes from the end of `at` and goes on at `next`.
    pub(super) fn copy(
        &mut self,
        activation: &mut Activation,
        call: &Call,
        body: &Body,
        at: BlockId,
        next: BlockId,
    ) -> Result<(), Refusal> {
        self.check_assigns(activation)?;
        let first = self.blocks.len() as u32;
        // What cannot be followed of a model is told where the user calls it.
        let is_model = self.program.sources.is_model(self.program.proc(activation.proc).span);
        let place = |span: Span| if is_model { call.span } else { span };
        let shifted = |b: BlockId| BlockId(first + b.0);
        for (b, block) in (0..).map(BlockId).zip(&body.blocks) {
            let mut instrs = Vec::with_capacity(block.instrs.len());
            for instr in &block.instrs {
                let kind = self.copy_instr(activation, &instr.kind)?;
                instrs.push(Instr { kind, span: place(instr.span) });
            }
            let term = match &block.term {
                Terminator::Goto(b) => Terminator::Goto(shifted(*b)),
                Terminator::Branch { cond, then, els } => match activation.expr(cond) {
                    Expr::Int(0) => Terminator::Goto(shifted(*els)),
                    Expr::Int(_) => Terminator::Goto(shifted(*then)),
                    cond => Terminator::Branch { cond, then: shifted(*then), els: shifted(*els) },
                },
                Terminator::Return(_) => Terminator::Goto(next),
                Terminator::Exit => Terminator::Exit,
                Terminator::ExitFreed => Terminator::ExitFreed,
                Terminator::Abort => Terminator::Abort,
            };
            let copy = Block { instrs, term, term_span: place(block.term_span) };
            let copy = self.new_block(copy, (activation.proc, b));
            if let Terminator::Return(value) = &block.term {
                self.leave(activation, call, value.as_ref(), copy, place(block.term_span))?;
            }
        }
        self.blocks[at.0 as usize].term = Terminator::Goto(shifted(body.entry));
        if !activation.known.is_empty() {
            self.empty_unreachable(shifted(body.entry), first as usize);
        }
        Ok(())
    }

    /// What a return does, at the end of `at`.
    fn leave(
        &mut self,
        activation: &mut Activation,
        call: &Call,
        value: Option<&Expr>,
        at: BlockId,
        span: Span,
    ) -> Result<(), Refusal> {
        let value = value.map(|e| activation.expr(e));
        let assign = |dst, value| InstrKind::Assign { dst, value };
        match (activation.target, value) {
            (Target::Nowhere, _) => {}
            (Target::Caller(dst), Some(value)) => self.emit(at, assign(dst, value), span),
            (Target::Register(var), Some(value)) => {
                self.emit(at, assign(Reg::Local(var), value), span);
            }
            (Target::Caller(dst), None) => {
                let value = self.undefined(self.type_of(dst), span);
                self.emit(at, assign(dst, value), span);
            }
            (Target::Register(var), None) => {
                let value = self.undefined(self.type_of(Reg::Local(var)), span);
                self.emit(at, assign(Reg::Local(var), value), span);
            }
            (Target::Object(dst), src) => {
                let ret = self.program.proc(activation.proc).ret;
                let size = self.program.types.size_of(ret).unwrap_or(0);
                let src = src.unwrap_or(Expr::Null);
                let (dst, size) = (Expr::Addr(dst), Expr::Int(size.into()));
                self.emit(at, InstrKind::Copy { dst, src, size, may_overlap: true }, span);
            }
        }
        self.end_objects(activation, at, span);
        self.assert_ensures(activation, call, at)?;
        self.origin.returns.insert(at);
        Ok(())
    }

    /// Ends the lifetimes of all local objects of an activation.
    pub(super) fn end_objects(&mut self, activation: &Activation, at: BlockId, span: Span) {
        for (var, copy) in self.program.proc(activation.proc).vars.iter().zip(&activation.vars) {
            if var.storage == Storage::Object {
                self.emit(at, InstrKind::EndLocal { var: *copy }, span);
            }
        }
    }

    fn copy_instr(
        &mut self,
        activation: &mut Activation,
        kind: &InstrKind,
    ) -> Result<InstrKind, Refusal> {
        Ok(match kind {
            InstrKind::Assume { cond: Cond::Spec(f) } => {
                InstrKind::Assume { cond: Cond::Spec(self.inner_formula(activation, f)?) }
            }
            InstrKind::Assert { kind, cond: Cond::Spec(f) } => InstrKind::Assert {
                kind: *kind,
                cond: Cond::Spec(self.inner_formula(activation, f)?),
            },
            plain => activation.instr(plain),
        })
    }
}

impl Activation {
    /// The copy of a variable.
    pub(super) fn reg(&self, reg: Reg) -> Reg {
        match reg {
            Reg::Local(v) => Reg::Local(self.var(v)),
            Reg::Global(g) => Reg::Global(g),
        }
    }

    /// Whether an expression is a parameter that is a known function.
    fn is_known(&self, e: &Expr) -> bool {
        matches!(e, Expr::Reg(Reg::Local(v)) if self.known.contains_key(v))
    }

    fn var(&self, v: VarId) -> VarId {
        self.vars[v.0 as usize]
    }

    /// An expression over the copies.
    pub(super) fn expr(&self, e: &Expr) -> Expr {
        let boxed = |e: &Expr| Box::new(self.expr(e));
        match e {
            Expr::Int(i) => Expr::Int(*i),
            Expr::Null => Expr::Null,
            Expr::Reg(Reg::Local(v)) if self.is_known(e) => self.known[v].clone(),
            Expr::Reg(r) => Expr::Reg(self.reg(*r)),
            Expr::Addr(r) => Expr::Addr(self.reg(*r)),
            Expr::Unary(op, kind, a) => Expr::Unary(*op, *kind, boxed(a)),
            Expr::Binary(op, kind, a, b) => Expr::Binary(*op, *kind, boxed(a), boxed(b)),
            Expr::Cmp(op, kind, a, b) => {
                let (known, both) = (self.is_known(a) || self.is_known(b), (boxed(a), boxed(b)));
                functions::compared(known, *op, *kind, both)
            }
            Expr::Not(a) => functions::negated(boxed(a)),
            Expr::Convert(kind, a) => Expr::Convert(*kind, boxed(a)),
            Expr::ToPtr(a) => Expr::ToPtr(boxed(a)),
            Expr::Offset(a, by) => Expr::Offset(boxed(a), *by),
            Expr::Index { base, index, size } => {
                Expr::Index { base: boxed(base), index: boxed(index), size: *size }
            }
            Expr::Diff(a, b, size) => Expr::Diff(boxed(a), boxed(b), *size),
            Expr::Extent(a, size) => Expr::Extent(boxed(a), *size),
        }
    }

    /// An instruction over the copies; contract formulas stay as they are.
    fn instr(&self, kind: &InstrKind) -> InstrKind {
        let reg = |r: &Reg| self.reg(*r);
        let expr = |e: &Expr| self.expr(e);
        let cond = |c: &Cond| match c {
            Cond::Expr(e) => Cond::Expr(expr(e)),
            Cond::Spec(f) => Cond::Spec(f.clone()),
        };
        match kind {
            InstrKind::Assign { dst, value } => {
                InstrKind::Assign { dst: reg(dst), value: expr(value) }
            }
            InstrKind::Load { dst, addr, scalar } => {
                InstrKind::Load { dst: reg(dst), addr: expr(addr), scalar: *scalar }
            }
            InstrKind::Store { addr, scalar, value } => {
                InstrKind::Store { addr: expr(addr), scalar: *scalar, value: expr(value) }
            }
            InstrKind::Copy { dst, src, size, may_overlap } => {
                let (dst, src, size) = (expr(dst), expr(src), expr(size));
                InstrKind::Copy { dst, src, size, may_overlap: *may_overlap }
            }
            InstrKind::Fill { dst, byte, size } => {
                InstrKind::Fill { dst: expr(dst), byte: expr(byte), size: expr(size) }
            }
            InstrKind::Alloc { dst, size, ty, zeroed } => {
                InstrKind::Alloc { dst: reg(dst), size: expr(size), ty: *ty, zeroed: *zeroed }
            }
            InstrKind::Retype { ptr, ty } => InstrKind::Retype { ptr: expr(ptr), ty: *ty },
            InstrKind::Free { ptr } => InstrKind::Free { ptr: expr(ptr) },
            InstrKind::BeginLocal { var } => InstrKind::BeginLocal { var: self.var(*var) },
            InstrKind::BeginArray { var, element, count } => {
                InstrKind::BeginArray { var: self.var(*var), element: *element, count: expr(count) }
            }
            InstrKind::EndLocal { var } => InstrKind::EndLocal { var: self.var(*var) },
            InstrKind::Call { dst, proc, args } => InstrKind::Call {
                dst: dst.as_ref().map(reg),
                proc: *proc,
                args: args.iter().map(expr).collect(),
            },
            InstrKind::Havoc { dst, scalar } => InstrKind::Havoc { dst: reg(dst), scalar: *scalar },
            InstrKind::Assume { cond: c } => InstrKind::Assume { cond: cond(c) },
            InstrKind::Assert { kind, cond: c } => InstrKind::Assert { kind: *kind, cond: cond(c) },
            InstrKind::Unsupported { reason } => InstrKind::Unsupported { reason: reason.clone() },
        }
    }
}
