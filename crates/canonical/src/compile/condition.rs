//! Expressions: pointers, conditions, and integers that cannot go wrong.

use trellis_logic::kleene::{Formula, Kleene};
use trellis_program::{BinOp, CmpOp, Expr, Reg, Span};

use super::{Compiler, Unsupported};
use crate::core::VarIndex;

impl Compiler<'_> {
    /// A pointer: a variable, or `None` for null.
    pub(super) fn pointer(&self, expr: &Expr, span: Span) -> Result<Option<VarIndex>, Unsupported> {
        self.as_pointer(expr).ok_or_else(|| Unsupported::new("a computed pointer", span))
    }

    fn as_pointer(&self, expr: &Expr) -> Option<Option<VarIndex>> {
        match expr {
            Expr::Null => Some(None),
            Expr::Reg(Reg::Local(v)) => self.variables.locals[v.0 as usize].map(Some),
            Expr::ToPtr(inner) if **inner == Expr::Int(0) => Some(None),
            _ => None,
        }
    }

    /// The variable and the byte offset of an address.
    pub(super) fn address(&self, addr: &Expr, span: Span) -> Result<(VarIndex, i64), Unsupported> {
        let (base, offset) = match addr {
            Expr::Offset(base, offset) => (&**base, *offset),
            base => (base, 0),
        };
        match self.pointer(base, span)? {
            Some(x) => Ok((x, offset)),
            None => Err(Unsupported::new("an access through the constant null", span)),
        }
    }

    /// A condition; `Maybe` if it depends on integers.
    pub(super) fn condition(&self, expr: &Expr, span: Span) -> Result<Formula, Unsupported> {
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
            _ => None,
        }
    }

    /// Refuses what can go wrong by itself.
    pub(super) fn harmless(&self, expr: &Expr, span: Span) -> Result<(), Unsupported> {
        match expr {
            Expr::Int(_) | Expr::Null | Expr::Reg(Reg::Local(_)) => Ok(()),
            Expr::Reg(Reg::Global(_)) => Err(Unsupported::new("a global variable", span)),
            Expr::Addr(_) => Err(Unsupported::new("an address of a variable", span)),
            Expr::Unary(_, _, a) | Expr::Not(a) | Expr::Convert(_, a) | Expr::ToPtr(a) => {
                self.harmless(a, span)
            }
            Expr::Binary(op, _, a, b) => {
                let divides = matches!(op, BinOp::Div | BinOp::Rem);
                if divides && !matches!(**b, Expr::Int(1..)) {
                    return Err(Unsupported::new("a division", span));
                }
                self.harmless(a, span)?;
                self.harmless(b, span)
            }
            Expr::Cmp(op, kind, a, b) => {
                if kind.is_none() && !matches!(op, CmpOp::Eq | CmpOp::Ne) {
                    return Err(Unsupported::new("an order of pointers", span));
                }
                self.harmless(a, span)?;
                self.harmless(b, span)
            }
            Expr::Offset(..) | Expr::Index { .. } | Expr::Diff(..) => {
                Err(Unsupported::new("pointer arithmetic", span))
            }
        }
    }
}
