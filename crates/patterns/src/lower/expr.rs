//! Expressions: pointers and integers.

use trellis_program::{CmpOp, Expr, IntKind, PlainPointer, Reg};

use super::{Lowering, Outside};
use crate::program::{IntExpr, Source};

/// The register and offset of an address of the form `p + constant`.
pub(super) fn address(e: &Expr) -> Option<(Reg, i64)> {
    match e {
        Expr::Reg(r) => Some((*r, 0)),
        Expr::Offset(inner, by) => address(inner).and_then(|(r, o)| Some((r, o.checked_add(*by)?))),
        _ => None,
    }
}

impl Lowering<'_> {
    /// A pointer that needs no memory, if the expression is one.
    fn pointer_value(&self, e: &Expr) -> Option<Source> {
        match e.plain_pointer()? {
            PlainPointer::Null => Some(Source::Null),
            PlainPointer::Reg(r) => self.words.pointer(Self::slot(r)).map(Source::Var),
        }
    }

    /// A pointer that must be one.
    pub(super) fn pointer(&self, e: &Expr) -> Result<Source, Outside> {
        self.pointer_value(e).ok_or_else(|| match e {
            Expr::Addr(_) => "the address of a variable".to_owned(),
            Expr::Offset(..) => "a pointer into an object".to_owned(),
            Expr::Reg(_) => "a pointer to something else than a record".to_owned(),
            _ => "pointer arithmetic".to_owned(),
        })
    }

    /// The truth of a pointer, or an integer.
    pub(super) fn condition(&self, e: &Expr) -> Result<IntExpr, Outside> {
        match self.pointer_value(e) {
            Some(pointer) => Ok(IntExpr::Truth(pointer)),
            None => self.int(e),
        }
    }

    /// An integer expression.
    pub(super) fn int(&self, e: &Expr) -> Result<IntExpr, Outside> {
        let int = |e: &Expr| self.int(e).map(Box::new);
        Ok(match e {
            Expr::Int(i) => IntExpr::Const(*i),
            Expr::Reg(r) => match self.words.scalar(Self::slot(*r)) {
                Some(s) => IntExpr::Scalar(s),
                None => return Err("the integer value of a pointer".to_owned()),
            },
            Expr::Cmp(op, kind, a, b) => return self.comparison(*op, *kind, a, b),
            Expr::Not(a) => IntExpr::Not(Box::new(self.condition(a)?)),
            // The truth of a pointer is what a conversion to `_Bool` gives.
            Expr::Convert(kind, a) if kind.bits == 1 => {
                IntExpr::Convert(*kind, Box::new(self.condition(a)?))
            }
            Expr::Convert(kind, a) => IntExpr::Convert(*kind, int(a)?),
            Expr::Unary(op, kind, a) => IntExpr::Unary(*op, *kind, int(a)?),
            Expr::Binary(op, kind, a, b) => IntExpr::Binary(*op, *kind, int(a)?, int(b)?),
            Expr::Null => return Err("the integer value of a pointer".to_owned()),
            Expr::Addr(_) => return Err("the address of a variable".to_owned()),
            Expr::ToPtr(_) => return Err("an integer converted to a pointer".to_owned()),
            Expr::Offset(..) | Expr::Index { .. } | Expr::Diff(..) => {
                return Err("pointer arithmetic".to_owned());
            }
            Expr::Extent(..) => return Err("the length of an array".to_owned()),
        })
    }

    fn comparison(
        &self,
        op: CmpOp,
        kind: Option<IntKind>,
        a: &Expr,
        b: &Expr,
    ) -> Result<IntExpr, Outside> {
        let Some(kind) = kind else {
            let side = |e: &Expr| match (self.pointer_value(e), e) {
                (Some(source), _) => Ok(source),
                (None, Expr::Int(0)) => Ok(Source::Null),
                (None, _) => Err("a comparison of pointers into objects".to_owned()),
            };
            let same = IntExpr::Same(side(a)?, side(b)?);
            return match op {
                CmpOp::Eq => Ok(same),
                CmpOp::Ne => Ok(IntExpr::Not(Box::new(same))),
                _ => Err("the order of pointers".to_owned()),
            };
        };
        Ok(IntExpr::Cmp(op, kind, Box::new(self.int(a)?), Box::new(self.int(b)?)))
    }

    /// A number of bytes that is known.
    pub(super) fn size(&self, e: &Expr) -> Result<u32, Outside> {
        constant(e)
            .and_then(|c| u32::try_from(c).ok())
            .ok_or_else(|| "memory of a size that is not constant".to_owned())
    }
}

/// The value of an expression without registers.
fn constant(e: &Expr) -> Option<i64> {
    let mut reads = false;
    e.visit_regs(&mut |_| reads = true);
    if reads {
        return None;
    }
    let state = trellis_program::concrete::State::default();
    match trellis_program::concrete::eval::eval(&state, e, true) {
        Ok(trellis_program::concrete::Value::Int(i)) => Some(i),
        _ => None,
    }
}
