//! Expressions: list pointers and integers.

use trellis_program::ir::{BinOp, CmpOp, Expr, UnOp};
use trellis_program::{CheckKind, Reg};

use super::Lowering;
use crate::contract::Outside;
use crate::heap::Ref;
use crate::pointer::pointer;
use crate::program::{IntExpr, Op, Slot, Source};

/// The register and offset of an address of the form `p + constant`.
pub(super) fn address(e: &Expr) -> Option<(Reg, i64)> {
    match e {
        Expr::Reg(r) => Some((*r, 0)),
        Expr::Offset(inner, by) => address(inner).map(|(r, o)| (r, o + by)),
        _ => None,
    }
}

impl Lowering<'_> {
    /// A list pointer, if the expression is one.
    fn list_value(&self, context: usize, e: &Expr) -> Option<Source> {
        pointer(&self.slots(context), e)
    }

    /// A list pointer that must be one.
    pub(super) fn pointer(&self, context: usize, e: &Expr) -> Result<Source, Outside> {
        self.list_value(context, e).ok_or_else(|| match e {
            Expr::Addr(_) => "the address of a variable".to_owned(),
            Expr::Offset(..) => "a pointer into a node".to_owned(),
            Expr::Reg(_) => "a pointer to another type".to_owned(),
            _ => "pointer arithmetic".to_owned(),
        })
    }

    /// An integer expression; pointers to other types count as integers, null as 0.
    pub(super) fn int(&self, context: usize, e: &Expr) -> Result<IntExpr, Outside> {
        let int = |e: &Expr| self.int(context, e);
        if let Some(pointer) = self.list_value(context, e).filter(|_| !is_null(e)) {
            return Ok(IntExpr::Truth(pointer));
        }
        Ok(match e {
            Expr::Int(i) => IntExpr::Const(*i),
            Expr::Null => IntExpr::Const(0),
            Expr::Reg(r) => match self.slot(context, *r) {
                Slot::Int(i) => IntExpr::Var(i),
                Slot::List(_) | Slot::None => return Err("a value of another kind".to_owned()),
            },
            Expr::Cmp(op, kind, a, b) => return self.comparison(context, *op, *kind, a, b),
            Expr::Not(a) => IntExpr::Not(Box::new(int(a)?)),
            // The truth of a pointer is what a conversion to `_Bool` gives.
            Expr::Convert(kind, a) if kind.bits != 1 && self.is_pointer(context, a) => {
                return Err("the integer value of a pointer".to_owned());
            }
            Expr::Convert(kind, a) => match int(a)? {
                IntExpr::Const(c) => IntExpr::Const(kind.wrap(c.into())),
                e
                @ (IntExpr::Truth(_) | IntExpr::Same(..) | IntExpr::Cmp(..) | IntExpr::Not(_)) => e,
                other => IntExpr::Opaque(vec![other]),
            },
            Expr::Unary(_, _, a) => IntExpr::Opaque(vec![self.operand(context, a)?]),
            Expr::Binary(_, _, a, b) => {
                IntExpr::Opaque(vec![self.operand(context, a)?, self.operand(context, b)?])
            }
            Expr::ToPtr(a) => match int(a)? {
                IntExpr::Const(0) => IntExpr::Const(0),
                _ => return Err("an integer converted to a pointer".to_owned()),
            },
            Expr::Offset(a, 0) => int(a)?,
            Expr::Addr(_) => return Err("the address of a variable".to_owned()),
            Expr::Offset(..) | Expr::Index { .. } | Expr::Diff(..) => {
                return Err("pointer arithmetic".to_owned());
            }
            Expr::Extent(..) => return Err("the length of an array".to_owned()),
        })
    }

    /// The value of an integer, or of a pointer to another type: not of a list pointer, of which
    /// [`Lowering::int`] says only the truth.
    pub(super) fn scalar(&self, context: usize, e: &Expr) -> Result<IntExpr, Outside> {
        match self.int(context, e)? {
            IntExpr::Truth(_) if !matches!(e, Expr::Convert(..)) => {
                Err("a list pointer converted to another type".to_owned())
            }
            value => Ok(value),
        }
    }

    /// How many bytes: like an integer, but products of what is known are known.
    pub(super) fn size(&self, context: usize, e: &Expr) -> Result<IntExpr, Outside> {
        match e {
            Expr::Convert(kind, a) if kind.bits == 64 && !self.is_pointer(context, a) => {
                self.size(context, a)
            }
            Expr::Binary(BinOp::Mul, kind, a, b) => {
                let (a, b) = (self.size(context, a)?, self.size(context, b)?);
                Ok(match (a, b) {
                    (IntExpr::Const(a), IntExpr::Const(b)) => {
                        IntExpr::Const(kind.wrap(kind.value(a).wrapping_mul(kind.value(b))))
                    }
                    (a, b) => IntExpr::Product(*kind, Box::new(a), Box::new(b)),
                })
            }
            _ => self.scalar(context, e),
        }
    }

    /// Whether an expression is a pointer, to whatever.
    fn is_pointer(&self, context: usize, e: &Expr) -> bool {
        match e {
            Expr::Null | Expr::Addr(_) | Expr::ToPtr(_) | Expr::Offset(..) | Expr::Index { .. } => {
                true
            }
            Expr::Reg(reg) => {
                let proc = self.out.contexts[context].proc;
                self.program.types.pointee(self.program.reg_type(proc, *reg)).is_some()
            }
            Expr::Int(_)
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Cmp(..)
            | Expr::Not(_)
            | Expr::Convert(..)
            | Expr::Diff(..)
            | Expr::Extent(..) => false,
        }
    }

    /// An operand of arithmetic: not a pointer.
    fn operand(&self, context: usize, e: &Expr) -> Result<IntExpr, Outside> {
        match self.int(context, e)? {
            IntExpr::Truth(_) => Err("arithmetic on a pointer".to_owned()),
            operand => Ok(operand),
        }
    }

    fn comparison(
        &self,
        context: usize,
        op: CmpOp,
        kind: Option<trellis_program::IntKind>,
        a: &Expr,
        b: &Expr,
    ) -> Result<IntExpr, Outside> {
        if kind.is_none() && !op.is_equality() {
            return Err("the order of pointers".to_owned());
        }
        let lists = [a, b].map(|e| self.list_value(context, e));
        let is_list = |i: usize, e: &Expr| lists[i].is_some() && !is_null(e);
        if !is_list(0, a) && !is_list(1, b) {
            let (a, b) = (self.int(context, a)?, self.int(context, b)?);
            return Ok(IntExpr::Cmp(op, kind, Box::new(a), Box::new(b)));
        }
        let side = |i: usize, e: &Expr| match (lists[i], e) {
            (Some(source), _) => Ok(source),
            (None, Expr::Int(0)) => Ok(Source::End(Ref::NULL)),
            (None, _) => Err("a comparison of pointers to different types".to_owned()),
        };
        let same = IntExpr::Same(side(0, a)?, side(1, b)?);
        match op {
            CmpOp::Eq => Ok(same),
            CmpOp::Ne => Ok(IntExpr::Not(Box::new(same))),
            _ => Err("the order of pointers".to_owned()),
        }
    }

    /// The checks that evaluating an expression may fail whatever its integers are, and what of it
    /// the machine does not do.
    pub(super) fn arithmetic(&mut self, e: &Expr) {
        let mut found = Vec::new();
        hazards(e, &mut found);
        let overflow = self.settings.checks.contains(CheckKind::Overflow);
        for hazard in found {
            match hazard {
                Hazard::Check(CheckKind::Overflow) if !overflow => {}
                Hazard::Check(kind) => self.push(Op::MayFail(kind)),
                Hazard::Shift if overflow => self.push(Op::MayFail(CheckKind::Overflow)),
                Hazard::Shift => {
                    self.push(Op::Unsupported("a shift by an amount that is not known".to_owned()));
                }
            }
        }
    }
}

fn is_null(e: &Expr) -> bool {
    match e {
        Expr::Null => true,
        Expr::ToPtr(inner) | Expr::Offset(inner, 0) => is_null(inner) || **inner == Expr::Int(0),
        _ => false,
    }
}

enum Hazard {
    Check(CheckKind),
    Shift,
}

fn hazards(e: &Expr, out: &mut Vec<Hazard>) {
    match e {
        Expr::Unary(op, kind, _) => {
            if *op == UnOp::Neg && kind.signed {
                out.push(Hazard::Check(CheckKind::Overflow));
            }
        }
        Expr::Binary(op, kind, _, b) => {
            match (op, &**b) {
                // The only division that overflows is by -1.
                (BinOp::Div | BinOp::Rem, Expr::Int(n)) if *n != 0 && *n != -1 => {}
                (BinOp::Div | BinOp::Rem, _) => out.push(Hazard::Check(CheckKind::DivByZero)),
                (BinOp::Shl, Expr::Int(n)) if (0..i64::from(kind.bits)).contains(n) => {
                    out.push(Hazard::Check(CheckKind::Overflow));
                }
                (BinOp::Shr, Expr::Int(n)) if (0..i64::from(kind.bits)).contains(n) => {}
                (BinOp::Shl | BinOp::Shr, _) => out.push(Hazard::Shift),
                (BinOp::Add | BinOp::Sub | BinOp::Mul, _) if kind.signed => {
                    out.push(Hazard::Check(CheckKind::Overflow));
                }
                _ => {}
            }
        }
        Expr::Int(_)
        | Expr::Null
        | Expr::Reg(_)
        | Expr::Addr(_)
        | Expr::Cmp(..)
        | Expr::Not(_)
        | Expr::Convert(..)
        | Expr::ToPtr(_)
        | Expr::Offset(..)
        | Expr::Index { .. }
        | Expr::Diff(..)
        | Expr::Extent(..) => {}
    }
    e.operands().for_each(|a| hazards(a, out));
}
