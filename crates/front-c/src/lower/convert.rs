//! Conversions: casts, assignments, arguments, results, operands.

use lang_c::span::Span as CSpan;
use trellis_program::ir::{CmpOp, Expr, InstrKind};
use trellis_program::types::{IntKind, Type, TypeId};

use super::{Lower, Val, fold};

impl Lower<'_> {
    /// A value as one of type `to`.
    pub fn convert(&mut self, value: Val, to: TypeId, span: CSpan) -> Val {
        if value.ty == to || self.is_unknown(to) {
            return value;
        }
        if to == self.ty.void {
            return Val { e: Expr::Int(0), ty: to };
        }
        if self.is_unknown(value.ty) {
            let at = self.at(span);
            return if self.types.scalar(to).is_some() {
                self.havoc(to, None, at)
            } else {
                self.unknown()
            };
        }
        let e = match (self.types.get(value.ty).clone(), self.types.get(to).clone()) {
            (Type::Int(from), Type::Int(kind)) => fold::convert(kind, from, value.e),
            (Type::Ptr(from), Type::Ptr(pointee)) => {
                self.retype(&value.e, from, pointee, span);
                value.e
            }
            (Type::Int(from), Type::Ptr(_)) => match value.e {
                Expr::Int(0) => Expr::Null,
                // The way back from a pointer that was converted to an integer.
                e => {
                    let size = self.types.model().size();
                    Expr::ToPtr(Box::new(fold::convert(size, from, e)))
                }
            },
            (Type::Ptr(_), Type::Int(kind)) => return self.pointer_to_int(value.e, kind, to, span),
            (Type::Float(_), _) | (_, Type::Float(_)) => {
                let at = self.at(span);
                self.unsupported(at, "a floating-point operation");
                return self.havoc(to, None, at);
            }
            _ => {
                let (from, name) = (self.types.name(value.ty), self.types.name(to));
                let at = self.at(span);
                return self
                    .error(at, format!("a value of type `{from}` does not convert to `{name}`"));
            }
        };
        Val { e, ty: to }
    }

    fn pointer_to_int(&mut self, e: Expr, kind: IntKind, to: TypeId, span: CSpan) -> Val {
        let e = match e {
            Expr::Null => Expr::Int(0),
            // `offsetof` by hand: `(size_t)&((T *)0)->m`.
            Expr::Offset(base, n) if *base == Expr::Null && kind.bits > 1 => {
                Expr::Int(kind.wrap(i128::from(n)))
            }
            e if kind.bits == 1 => fold::compare(CmpOp::Ne, None, e, Expr::Null),
            e if kind.bits == 64 => Expr::Convert(kind, Box::new(e)),
            // As it is: the machine's integers hold pointers of any width.
            e if kind.bits == self.types.model().size().bits => e,
            _ => {
                let at = self.at(span);
                self.unsupported(at, "a pointer converted to a narrow integer");
                return self.havoc(to, None, at);
            }
        };
        Val { e, ty: to }
    }

    /// `void *` to `T *`: an untyped heap object becomes one of `T`.
    fn retype(&mut self, e: &Expr, from: TypeId, to: TypeId, span: CSpan) {
        let complete = self.types.size_of(to).is_some_and(|s| s > 0) && !self.types.is_function(to);
        if from == self.ty.void && complete && !matches!(e, Expr::Null | Expr::Addr(_)) {
            let at = self.at(span);
            let ptr = e.clone();
            self.emit(InstrKind::Retype { ptr, ty: to }, at);
        }
    }

    /// The type after the integer promotions.
    pub fn promoted(&mut self, value: Val) -> Val {
        match self.int_kind(value.ty) {
            Some(kind) if kind.bits < 32 => {
                Val { e: fold::convert(IntKind::INT, kind, value.e), ty: self.ty.int }
            }
            _ => value,
        }
    }

    /// Converts an integer value to an integer type.
    pub fn to_kind(&self, value: Val, kind: IntKind) -> Expr {
        match self.int_kind(value.ty) {
            Some(from) => fold::convert(kind, from, value.e),
            None => value.e,
        }
    }
}

/// The common type of the usual arithmetic conversions, of promoted operands.
pub fn common_kind(a: IntKind, b: IntKind) -> IntKind {
    let bits = a.bits.max(b.bits).max(32);
    let unsigned = |k: IntKind| !k.signed && k.bits == bits;
    IntKind { bits, signed: !(unsigned(a) || unsigned(b)) }
}
