//! What every reader of the IR asks: which register an instruction writes, what it evaluates, where
//! a point stands in the source, whether a comparison holds.
//!
//! **Invariant:** no match here has a wildcard, so whoever adds an instruction, a terminator or an
//! expression is asked what these questions mean for it, once for all crates.

use std::cmp::Ordering;

use super::{
    Block, BlockId, Body, CmpOp, Cond, Expr, Instr, InstrKind, PlainPointer, ProcId, Procedure,
    Program, Reg, Terminator,
};
use crate::checks::Point;
use crate::source::Span;
use crate::spec::Formula;

impl CmpOp {
    /// Whether it holds between two values of this order.
    pub fn holds(self, order: Ordering) -> bool {
        match self {
            CmpOp::Eq => order.is_eq(),
            CmpOp::Ne => order.is_ne(),
            CmpOp::Lt => order.is_lt(),
            CmpOp::Le => order.is_le(),
            CmpOp::Gt => order.is_gt(),
            CmpOp::Ge => order.is_ge(),
        }
    }

    /// Whether it holds between two values.
    pub fn apply<T: Ord>(self, a: T, b: T) -> bool {
        self.holds(a.cmp(&b))
    }

    /// The answer of `==` or `!=` given whether both sides are equal; `None` for those that order.
    pub fn apply_equality(self, equal: bool) -> Option<bool> {
        match self {
            CmpOp::Eq => Some(equal),
            CmpOp::Ne => Some(!equal),
            CmpOp::Lt | CmpOp::Le | CmpOp::Gt | CmpOp::Ge => None,
        }
    }

    /// `==` or `!=`: the only ones between unrelated pointers.
    pub fn is_equality(self) -> bool {
        self.apply_equality(true).is_some()
    }

    /// The comparison that holds where this one does not.
    pub fn negated(self) -> CmpOp {
        match self {
            CmpOp::Eq => CmpOp::Ne,
            CmpOp::Ne => CmpOp::Eq,
            CmpOp::Lt => CmpOp::Ge,
            CmpOp::Le => CmpOp::Gt,
            CmpOp::Gt => CmpOp::Le,
            CmpOp::Ge => CmpOp::Lt,
        }
    }

    /// As in C.
    pub fn symbol(self) -> &'static str {
        match self {
            CmpOp::Eq => "==",
            CmpOp::Ne => "!=",
            CmpOp::Lt => "<",
            CmpOp::Le => "<=",
            CmpOp::Gt => ">",
            CmpOp::Ge => ">=",
        }
    }
}

impl Expr {
    /// Null or a register, if the expression is one of them as a pointer: also on the way over an
    /// integer, or with nothing added.
    pub fn plain_pointer(&self) -> Option<PlainPointer> {
        match self {
            Expr::Null => Some(PlainPointer::Null),
            Expr::Reg(r) => Some(PlainPointer::Reg(*r)),
            Expr::ToPtr(inner) => match &**inner {
                Expr::Int(0) => Some(PlainPointer::Null),
                // A pointer that was an integer on the way comes back.
                Expr::Convert(kind, inner) if kind.bits == 64 => inner.plain_pointer(),
                _ => None,
            },
            Expr::Offset(inner, 0) => inner.plain_pointer(),
            Expr::Int(_)
            | Expr::Addr(_)
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Cmp(..)
            | Expr::Not(_)
            | Expr::Convert(..)
            | Expr::Offset(..)
            | Expr::Index { .. }
            | Expr::Diff(..)
            | Expr::Extent(..) => None,
        }
    }

    /// The expressions that this one is made of, from left to right.
    pub fn operands(&self) -> impl Iterator<Item = &Expr> {
        let (a, b) = match self {
            Expr::Int(_) | Expr::Null | Expr::Reg(_) | Expr::Addr(_) => (None, None),
            Expr::Unary(_, _, a)
            | Expr::Not(a)
            | Expr::Convert(_, a)
            | Expr::ToPtr(a)
            | Expr::Offset(a, _)
            | Expr::Extent(a, _) => (Some(&**a), None),
            Expr::Binary(_, _, a, b)
            | Expr::Cmp(_, _, a, b)
            | Expr::Index { base: a, index: b, .. }
            | Expr::Diff(a, b, _) => (Some(&**a), Some(&**b)),
        };
        a.into_iter().chain(b)
    }

    /// Calls `f` on this expression and on everything in it, outermost first.
    pub fn visit(&self, f: &mut impl FnMut(&Expr)) {
        f(self);
        self.operands().for_each(|e| e.visit(f));
    }

    /// Calls `f` on every register read (not on addresses taken).
    pub fn visit_regs(&self, f: &mut impl FnMut(Reg)) {
        self.visit(&mut |e| {
            if let Expr::Reg(r) = e {
                f(*r);
            }
        });
    }
}

impl Cond {
    /// The C expression that it is.
    pub fn expr(&self) -> Option<&Expr> {
        match self {
            Cond::Expr(e) => Some(e),
            Cond::Spec(_) => None,
        }
    }

    /// The contract formula that it is.
    pub fn formula(&self) -> Option<&Formula> {
        match self {
            Cond::Expr(_) => None,
            Cond::Spec(f) => Some(f),
        }
    }
}

impl InstrKind {
    /// The register that it writes.
    pub fn dst(&self) -> Option<Reg> {
        match self {
            InstrKind::Assign { dst, .. }
            | InstrKind::Load { dst, .. }
            | InstrKind::Alloc { dst, .. }
            | InstrKind::Havoc { dst, .. } => Some(*dst),
            InstrKind::Call { dst, .. } => *dst,
            InstrKind::Store { .. }
            | InstrKind::Copy { .. }
            | InstrKind::Fill { .. }
            | InstrKind::Retype { .. }
            | InstrKind::Free { .. }
            | InstrKind::BeginLocal { .. }
            | InstrKind::BeginArray { .. }
            | InstrKind::EndLocal { .. }
            | InstrKind::Assume { .. }
            | InstrKind::Assert { .. }
            | InstrKind::Unsupported { .. } => None,
        }
    }

    /// The expressions that it evaluates, in the order of its fields.
    pub fn exprs(&self) -> impl Iterator<Item = &Expr> {
        let (fixed, args): ([Option<&Expr>; 3], &[Expr]) = match self {
            InstrKind::Assign { value: e, .. }
            | InstrKind::Load { addr: e, .. }
            | InstrKind::Alloc { size: e, .. }
            | InstrKind::BeginArray { count: e, .. }
            | InstrKind::Retype { ptr: e, .. }
            | InstrKind::Free { ptr: e } => ([Some(e), None, None], &[]),
            InstrKind::Store { addr, value, .. } => ([Some(addr), Some(value), None], &[]),
            InstrKind::Copy { dst: a, src: b, size: c, .. }
            | InstrKind::Fill { dst: a, byte: b, size: c } => ([Some(a), Some(b), Some(c)], &[]),
            InstrKind::Call { args, .. } => ([None; 3], args),
            InstrKind::Assume { cond } | InstrKind::Assert { cond, .. } => {
                ([cond.expr(), None, None], &[])
            }
            InstrKind::BeginLocal { .. }
            | InstrKind::EndLocal { .. }
            | InstrKind::Havoc { .. }
            | InstrKind::Unsupported { .. } => ([None; 3], &[]),
        };
        fixed.into_iter().flatten().chain(args)
    }

    /// What it assumes or asserts.
    pub fn cond(&self) -> Option<&Cond> {
        match self {
            InstrKind::Assume { cond } | InstrKind::Assert { cond, .. } => Some(cond),
            InstrKind::Assign { .. }
            | InstrKind::Load { .. }
            | InstrKind::Store { .. }
            | InstrKind::Copy { .. }
            | InstrKind::Fill { .. }
            | InstrKind::Alloc { .. }
            | InstrKind::Retype { .. }
            | InstrKind::Free { .. }
            | InstrKind::BeginLocal { .. }
            | InstrKind::BeginArray { .. }
            | InstrKind::EndLocal { .. }
            | InstrKind::Call { .. }
            | InstrKind::Havoc { .. }
            | InstrKind::Unsupported { .. } => None,
        }
    }

    /// The contract formula that it assumes or asserts.
    pub fn formula(&self) -> Option<&Formula> {
        self.cond()?.formula()
    }

    /// The procedure that it calls.
    pub fn callee(&self) -> Option<ProcId> {
        match self {
            InstrKind::Call { proc, .. } => Some(*proc),
            InstrKind::Assign { .. }
            | InstrKind::Load { .. }
            | InstrKind::Store { .. }
            | InstrKind::Copy { .. }
            | InstrKind::Fill { .. }
            | InstrKind::Alloc { .. }
            | InstrKind::Retype { .. }
            | InstrKind::Free { .. }
            | InstrKind::BeginLocal { .. }
            | InstrKind::BeginArray { .. }
            | InstrKind::EndLocal { .. }
            | InstrKind::Havoc { .. }
            | InstrKind::Assume { .. }
            | InstrKind::Assert { .. }
            | InstrKind::Unsupported { .. } => None,
        }
    }
}

impl Terminator {
    /// The expression that it evaluates: a condition or a result.
    pub fn expr(&self) -> Option<&Expr> {
        match self {
            Terminator::Branch { cond, .. } => Some(cond),
            Terminator::Return(value) => value.as_ref(),
            Terminator::Goto(_) | Terminator::Exit | Terminator::ExitFreed | Terminator::Abort => {
                None
            }
        }
    }
}

impl Block {
    /// The expressions of its instructions and of its end, in order.
    pub fn exprs(&self) -> impl Iterator<Item = &Expr> {
        self.instrs.iter().flat_map(|i| i.kind.exprs()).chain(self.term.expr())
    }

    /// The place of an instruction; of the end for every number past the last.
    pub fn span_at(&self, instr: u32) -> Span {
        self.instrs.get(instr as usize).map_or(self.term_span, |i| i.span)
    }
}

impl Body {
    /// A block.
    pub fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.0 as usize]
    }

    /// All instructions, block by block.
    pub fn instrs(&self) -> impl Iterator<Item = &Instr> {
        self.blocks.iter().flat_map(|b| &b.instrs)
    }
}

impl Procedure {
    /// The blocks of its body, if it has one.
    pub fn blocks(&self) -> impl Iterator<Item = &Block> {
        self.body.iter().flat_map(|b| &b.blocks)
    }

    /// The instructions of its body, if it has one.
    pub fn instrs(&self) -> impl Iterator<Item = &Instr> {
        self.body.iter().flat_map(Body::instrs)
    }

    /// The contract formulas inside its body: assertions, assumptions, loop invariants.
    pub fn body_formulas(&self) -> impl Iterator<Item = &Formula> {
        self.instrs().filter_map(|i| i.kind.formula())
    }

    /// All its contract formulas: `requires`, `ensures`, those inside its body.
    pub fn formulas(&self) -> impl Iterator<Item = &Formula> {
        let clauses = self.contract.requires.iter().chain(&self.contract.ensures);
        clauses.map(|c| &c.formula).chain(self.body_formulas())
    }

    /// The procedures that its body calls, once a call.
    pub fn callees(&self) -> impl Iterator<Item = ProcId> {
        self.instrs().filter_map(|i| i.kind.callee())
    }

    /// Whether it is the start of a whole program, with globals as initialised and no caller: a
    /// `main` of which nothing else is said.
    pub fn is_whole_program(&self) -> bool {
        self.name == "main" && !self.has_contract
    }
}

impl Program {
    /// The code of a procedure; `None` for a declaration.
    pub fn body(&self, proc: ProcId) -> Option<&Body> {
        self.proc(proc).body.as_ref()
    }

    /// See [`Procedure::is_whole_program`].
    pub fn is_whole_program(&self, proc: ProcId) -> bool {
        self.proc(proc).is_whole_program()
    }

    /// The instruction at a point; `None` at the end of a block.
    pub fn instr_at(&self, point: Point) -> Option<&Instr> {
        self.body(point.proc)?.block(point.block).instrs.get(point.instr as usize)
    }

    /// The source of an instruction or terminator; of the name of a procedure without a body.
    pub fn span_at(&self, point: Point) -> Span {
        let body = self.body(point.proc);
        body.map_or(self.proc(point.proc).span, |b| b.block(point.block).span_at(point.instr))
    }
}
