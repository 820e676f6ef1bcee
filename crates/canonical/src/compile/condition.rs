//! Expressions: pointers, conditions, and integers that cannot go wrong.

use trellis_logic::kleene::{Formula, Kleene};
use trellis_program::{BinOp, CmpOp, Expr, Refusal, Reg, Span};
use trellis_shapes::pointer::pointer;
use trellis_shapes::program::Source;

use super::Compiler;
use crate::contract::View;
use crate::core::VarIndex;

impl Compiler<'_> {
    /// A pointer: a variable, or `None` for null.
    pub(super) fn pointer(&self, expr: &Expr, span: Span) -> Result<Option<VarIndex>, Refusal> {
        self.as_pointer(expr).ok_or_else(|| Refusal::at(span, "a computed pointer"))
    }

    fn as_pointer(&self, expr: &Expr) -> Option<Option<VarIndex>> {
        match pointer(&self.reading(View::Now), expr)? {
            Source::Var(x) => Some(Some(x)),
            Source::End(_) => Some(None),
        }
    }

    /// The value of an expression that is the same in every execution.
    pub(super) fn constant(&self, expr: &Expr) -> Option<i64> {
        match expr {
            Expr::Int(i) => Some(*i),
            Expr::Reg(Reg::Local(v)) => self.variables.constants[v.0 as usize],
            Expr::Convert(kind, a) => Some(kind.wrap(self.constant(a)?.into())),
            Expr::Binary(BinOp::Mul, kind, a, b) => {
                let (a, b) = (kind.value(self.constant(a)?), kind.value(self.constant(b)?));
                Some(kind.wrap(a.wrapping_mul(b)))
            }
            Expr::Null
            | Expr::Reg(Reg::Global(_))
            | Expr::Addr(_)
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Cmp(..)
            | Expr::Not(_)
            | Expr::ToPtr(_)
            | Expr::Offset(..)
            | Expr::Index { .. }
            | Expr::Diff(..)
            | Expr::Extent(..) => None,
        }
    }

    /// The variable and the byte offset of an address.
    pub(super) fn address(&self, addr: &Expr, span: Span) -> Result<(VarIndex, i64), Refusal> {
        let (base, offset) = match addr {
            Expr::Offset(base, offset) => (&**base, *offset),
            base => (base, 0),
        };
        match self.pointer(base, span)? {
            Some(x) => Ok((x, offset)),
            None => Err(Refusal::at(span, "an access through the constant null")),
        }
    }

    /// A condition; `Maybe` if it depends on integers.
    pub(super) fn condition(&self, expr: &Expr, span: Span) -> Result<Formula, Refusal> {
        self.harmless(expr, span)?;
        Ok(self.truth(expr).unwrap_or(Formula::Const(Kleene::Maybe)))
    }

    fn truth(&self, expr: &Expr) -> Option<Formula> {
        let core = self.core;
        match expr {
            Expr::Int(i) => Some(Formula::Const((*i != 0).into())),
            Expr::Not(inner) => Some(self.truth(inner)?.not()),
            Expr::Cmp(op @ (CmpOp::Eq | CmpOp::Ne), None, a, b) => {
                let null = |x: VarIndex| core.not_null(x).not();
                let equal = match (self.as_pointer(a)?, self.as_pointer(b)?) {
                    (None, None) => Formula::Const(Kleene::True),
                    (Some(x), None) | (None, Some(x)) => null(x),
                    (Some(x), Some(y)) => Formula::or([
                        core.at(x, |u| core.points(y, u)),
                        Formula::and([null(x), null(y)]),
                    ]),
                };
                Some(if *op == CmpOp::Eq { equal } else { equal.not() })
            }
            // `(p != NULL) != 0` and the like.
            Expr::Cmp(op @ (CmpOp::Eq | CmpOp::Ne), Some(_), a, b) if **b == Expr::Int(0) => {
                match **a {
                    Expr::Cmp(..) | Expr::Not(_) => {
                        let inner = self.truth(a)?;
                        Some(if *op == CmpOp::Ne { inner } else { inner.not() })
                    }
                    _ => None,
                }
            }
            Expr::Convert(_, inner) if matches!(**inner, Expr::Cmp(..) | Expr::Not(_)) => {
                self.truth(inner)
            }
            Expr::Reg(_) => self.as_pointer(expr)?.map(|x| core.not_null(x)),
            // Of other integers nothing is known.
            Expr::Null
            | Expr::Addr(_)
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Cmp(..)
            | Expr::Convert(..)
            | Expr::ToPtr(_)
            | Expr::Offset(..)
            | Expr::Index { .. }
            | Expr::Diff(..)
            | Expr::Extent(..) => None,
        }
    }

    /// Refuses what can go wrong by itself, and pointers that become numbers.
    pub(super) fn harmless(&self, expr: &Expr, span: Span) -> Result<(), Refusal> {
        let refuse = |reason: &str| Err(Refusal::at(span, reason));
        if self.as_pointer(expr).is_some() {
            return Ok(());
        }
        match expr {
            Expr::Int(_) | Expr::Null | Expr::Reg(Reg::Local(_)) => Ok(()),
            Expr::Reg(Reg::Global(_)) => refuse("a global variable"),
            Expr::Addr(_) => refuse("an address of a variable"),
            Expr::Not(a) => self.harmless(a, span),
            Expr::Convert(kind, a) if kind.bits != 1 && self.as_pointer(a).is_some() => {
                refuse("the integer value of a pointer")
            }
            Expr::Convert(_, a) => self.harmless(a, span),
            Expr::Unary(_, _, a) => self.operand(a, span),
            Expr::Binary(op, kind, a, b) => {
                match op {
                    BinOp::Div | BinOp::Rem if !matches!(**b, Expr::Int(1..)) => {
                        return refuse("a division");
                    }
                    BinOp::Shl | BinOp::Shr if !matches!(**b, Expr::Int(n) if (0..i64::from(kind.bits)).contains(&n)) =>
                    {
                        return refuse("a shift by an amount that is not known");
                    }
                    BinOp::Add
                    | BinOp::Sub
                    | BinOp::Mul
                    | BinOp::Div
                    | BinOp::Rem
                    | BinOp::And
                    | BinOp::Or
                    | BinOp::Xor
                    | BinOp::Shl
                    | BinOp::Shr => {}
                }
                self.operand(a, span)?;
                self.operand(b, span)
            }
            Expr::Cmp(op, kind, a, b) => {
                if kind.is_none() && !op.is_equality() {
                    return refuse("an order of pointers");
                }
                self.harmless(a, span)?;
                self.harmless(b, span)
            }
            Expr::ToPtr(_) => refuse("an integer converted to a pointer"),
            Expr::Offset(..) | Expr::Index { .. } | Expr::Diff(..) => refuse("pointer arithmetic"),
            Expr::Extent(..) => refuse("the length of an array"),
        }
    }

    /// An operand of arithmetic: harmless, and no pointer.
    fn operand(&self, expr: &Expr, span: Span) -> Result<(), Refusal> {
        if self.as_pointer(expr).is_some() {
            return Err(Refusal::at(span, "arithmetic on a pointer"));
        }
        self.harmless(expr, span)
    }
}
