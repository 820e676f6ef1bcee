//! Arithmetic, comparisons and promotion.
//!
//! Integers are promoted as in Java and wrap around; a shift looks at the low bits of its distance,
//! and the least number divided by -1 is itself.

use trellis_program::IntKind;
use trellis_program::ir::{BinOp, CmpOp, Expr as IrExpr, InstrKind, Reg, Terminator, UnOp};
use trellis_program::source::{Diagnostic, Span};

use super::expr::Val;
use super::method::Code;
use super::types::Ty;
use crate::ast::Expr;

impl<'a> Code<'_, 'a> {
    pub(super) fn unary(&mut self, op: &str, a: &'a Expr, span: Span) -> Val {
        if op == "!" {
            let value = self.converted(a, &Ty::Bool);
            return Val { e: IrExpr::Not(Box::new(value)), ty: Ty::Bool };
        }
        let value = self.value(a);
        let Ty::Int(kind) = value.ty else {
            if value.ty != Ty::Unknown {
                self.lower.error(Diagnostic::error(span, "this is no number"));
            }
            return self.unknown();
        };
        let promoted = promote(kind, kind);
        let inner = Box::new(self.narrowed(value, &Ty::Int(promoted)));
        let e = match op {
            "-" => IrExpr::Unary(UnOp::Neg, promoted, inner),
            "~" => IrExpr::Unary(UnOp::BitNot, promoted, inner),
            _ => *inner,
        };
        Val { e, ty: Ty::Int(promoted) }
    }

    pub(super) fn binary(&mut self, op: &str, a: Val, b: Val, span: Span) -> Val {
        let wrong = |code: &mut Self| {
            if a.ty != Ty::Unknown && b.ty != Ty::Unknown {
                let (x, y) = (code.lower.classes.name(&a.ty), code.lower.classes.name(&b.ty));
                let message = format!("`{op}` does not apply to `{x}` and `{y}`");
                code.lower.error(Diagnostic::error(span, message));
            }
            code.unknown()
        };
        let compare = match op {
            "==" => Some(CmpOp::Eq),
            "!=" => Some(CmpOp::Ne),
            "<" => Some(CmpOp::Lt),
            "<=" => Some(CmpOp::Le),
            ">" => Some(CmpOp::Gt),
            ">=" => Some(CmpOp::Ge),
            _ => None,
        };
        match (&a.ty, &b.ty, compare) {
            (Ty::Int(x), Ty::Int(y), Some(cmp)) => {
                let kind = promote(*x, *y);
                let ty = Ty::Int(kind);
                let (a, b) = (self.narrowed(a, &ty), self.narrowed(b, &ty));
                let e = IrExpr::Cmp(cmp, Some(kind), Box::new(a), Box::new(b));
                Val { e, ty: Ty::Bool }
            }
            (Ty::Bool, Ty::Bool, Some(cmp)) if cmp.is_equality() => {
                let e = IrExpr::Cmp(cmp, Some(IntKind::INT), Box::new(a.e), Box::new(b.e));
                Val { e, ty: Ty::Bool }
            }
            (x, y, Some(cmp)) if cmp.is_equality() && x.is_reference() && y.is_reference() => {
                let classes = &self.lower.classes;
                if !classes.assignable(x, y) && !classes.assignable(y, x) {
                    return wrong(self);
                }
                let e = IrExpr::Cmp(cmp, None, Box::new(a.e), Box::new(b.e));
                Val { e, ty: Ty::Bool }
            }
            (Ty::Bool, Ty::Bool, None) if matches!(op, "&" | "|" | "^") => {
                let op = match op {
                    "&" => BinOp::And,
                    "|" => BinOp::Or,
                    _ => BinOp::Xor,
                };
                let e = IrExpr::Binary(op, IntKind::INT, Box::new(a.e), Box::new(b.e));
                Val { e, ty: Ty::Bool }
            }
            (Ty::Int(x), Ty::Int(y), None) => {
                let shift = matches!(op, "<<" | ">>" | ">>>");
                let kind = if shift { promote(*x, *x) } else { promote(*x, *y) };
                let ty = Ty::Int(kind);
                let (a, b) = (self.narrowed(a, &ty), self.narrowed(b, &ty));
                self.arithmetic(op, kind, a, b, span)
            }
            _ => wrong(self),
        }
    }

    fn arithmetic(&mut self, op: &str, kind: IntKind, a: IrExpr, b: IrExpr, span: Span) -> Val {
        let ty = Ty::Int(kind);
        let make = |op, a, b| IrExpr::Binary(op, kind, Box::new(a), Box::new(b));
        let bits = i64::from(kind.bits);
        let distance = |b| make(BinOp::And, b, IrExpr::Int(bits - 1));
        let e = match op {
            "+" => make(BinOp::Add, a, b),
            "-" => make(BinOp::Sub, a, b),
            "*" => make(BinOp::Mul, a, b),
            "&" => make(BinOp::And, a, b),
            "|" => make(BinOp::Or, a, b),
            "^" => make(BinOp::Xor, a, b),
            "<<" => make(BinOp::Shl, a, distance(b)),
            ">>" => make(BinOp::Shr, a, distance(b)),
            ">>>" => {
                let unsigned = IntKind { signed: false, ..kind };
                let a = IrExpr::Convert(unsigned, Box::new(a));
                let moved =
                    IrExpr::Binary(BinOp::Shr, unsigned, Box::new(a), Box::new(distance(b)));
                IrExpr::Convert(kind, Box::new(moved))
            }
            "/" | "%" => return self.divide(op, kind, a, b, span),
            _ => return self.refuse(span, "this operator"),
        };
        Val { e, ty }
    }

    /// The least number divided by -1 wraps around, so that case is taken apart.
    fn divide(&mut self, op: &str, kind: IntKind, a: IrExpr, b: IrExpr, span: Span) -> Val {
        let ty = Ty::Int(kind);
        let ir = if op == "/" { BinOp::Div } else { BinOp::Rem };
        let divided = IrExpr::Binary(ir, kind, Box::new(a.clone()), Box::new(b.clone()));
        if matches!(b, IrExpr::Int(n) if n != -1) {
            return self.keep(Val { e: divided, ty }, span);
        }
        let temp = self.temp(ty.clone(), span);
        let (minus, plain, after) = (self.out.block(), self.out.block(), self.out.block());
        let cond = IrExpr::Cmp(CmpOp::Eq, Some(kind), Box::new(b), Box::new(IrExpr::Int(-1)));
        self.out.end(Terminator::Branch { cond, then: minus, els: plain }, span);
        self.out.start(minus, span);
        let negated = match ir {
            BinOp::Div => IrExpr::Unary(UnOp::Neg, kind, Box::new(a)),
            _ => IrExpr::Int(0),
        };
        self.out.push(InstrKind::Assign { dst: Reg::Local(temp), value: negated }, span);
        self.out.end(Terminator::Goto(after), span);
        self.out.start(plain, span);
        self.out.push(InstrKind::Assign { dst: Reg::Local(temp), value: divided }, span);
        self.out.start(after, span);
        Val { e: IrExpr::local(temp), ty }
    }
}

/// The type in which two integers are combined.
pub(super) fn promote(a: IntKind, b: IntKind) -> IntKind {
    if a.bits == 64 || b.bits == 64 { IntKind::LONG } else { IntKind::INT }
}
