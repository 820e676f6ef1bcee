//! Arithmetic, comparisons, pointer arithmetic.

use lang_c::ast::BinaryOperator;
use lang_c::span::Span as CSpan;
use trellis_program::ir::{BinOp, CmpOp, Expr, UnOp};
use trellis_program::types::{IntKind, Type};

use super::convert::common_kind;
use super::{Lower, Val, fold};

/// The arithmetic operator behind `+` and `+=`.
pub fn arithmetic(op: &BinaryOperator) -> Option<BinOp> {
    use BinaryOperator as B;
    Some(match op {
        B::Plus | B::AssignPlus => BinOp::Add,
        B::Minus | B::AssignMinus => BinOp::Sub,
        B::Multiply | B::AssignMultiply => BinOp::Mul,
        B::Divide | B::AssignDivide => BinOp::Div,
        B::Modulo | B::AssignModulo => BinOp::Rem,
        B::ShiftLeft | B::AssignShiftLeft => BinOp::Shl,
        B::ShiftRight | B::AssignShiftRight => BinOp::Shr,
        B::BitwiseAnd | B::AssignBitwiseAnd => BinOp::And,
        B::BitwiseOr | B::AssignBitwiseOr => BinOp::Or,
        B::BitwiseXor | B::AssignBitwiseXor => BinOp::Xor,
        _ => return None,
    })
}

/// The comparison behind an operator.
pub fn comparison(op: &BinaryOperator) -> Option<CmpOp> {
    use BinaryOperator as B;
    Some(match op {
        B::Less => CmpOp::Lt,
        B::LessOrEqual => CmpOp::Le,
        B::Greater => CmpOp::Gt,
        B::GreaterOrEqual => CmpOp::Ge,
        B::Equals => CmpOp::Eq,
        B::NotEquals => CmpOp::Ne,
        _ => return None,
    })
}

impl Lower<'_> {
    /// `a op b` for arithmetic operators, pointers included.
    pub fn arithmetic(&mut self, op: BinOp, a: Val, b: Val, span: CSpan) -> Val {
        if self.is_unknown(a.ty) || self.is_unknown(b.ty) {
            return self.unknown();
        }
        let (pa, pb) = (self.is_pointer(a.ty), self.is_pointer(b.ty));
        match (op, pa, pb) {
            (BinOp::Add, true, false) | (BinOp::Add, false, true) => {
                return self.pointer_add(a, b, false, span);
            }
            (BinOp::Sub, true, false) => return self.pointer_add(a, b, true, span),
            (BinOp::Sub, true, true) => return self.pointer_difference(a, b, span),
            _ => {}
        }
        if self.is_float(a.ty) || self.is_float(b.ty) {
            let at = self.at(span);
            return self.unsupported(at, "a floating-point operation");
        }
        let (a, b) = (self.promoted(a), self.promoted(b));
        let (Some(ka), Some(kb)) = (self.int_kind(a.ty), self.int_kind(b.ty)) else {
            return self.bad_operands(&a, &b, span);
        };
        let kind = if matches!(op, BinOp::Shl | BinOp::Shr) { ka } else { common_kind(ka, kb) };
        let e = fold::binary(op, kind, self.to_kind(a, kind), self.to_kind(b, kind));
        Val { e, ty: self.types.intern(Type::Int(kind)) }
    }

    fn bad_operands(&mut self, a: &Val, b: &Val, span: CSpan) -> Val {
        let (a, b) = (self.types.name(a.ty), self.types.name(b.ty));
        let at = self.at(span);
        self.error(at, format!("no such operation on `{a}` and `{b}`"))
    }

    /// `p + i`, `i + p`, `p - i`.
    pub fn pointer_add(&mut self, a: Val, b: Val, subtract: bool, span: CSpan) -> Val {
        if self.is_unknown(a.ty) || self.is_unknown(b.ty) {
            return self.unknown();
        }
        let (p, i) = if self.is_pointer(a.ty) { (a, b) } else { (b, a) };
        let (Some(pointee), Some(kind)) = (self.types.pointee(p.ty), self.int_kind(i.ty)) else {
            return self.bad_operands(&p, &i, span);
        };
        let size = self.size_of(pointee, span);
        if size == 0 || self.is_unknown(pointee) {
            let at = self.at(span);
            return self.unsupported(at, "arithmetic on a pointer to objects of unknown size");
        }
        // An unsigned index of 64 bits moves by its value modulo the address space: as signed.
        // Narrower ones keep their value, so they need no conversion unless they are negated.
        let index = if kind.bits == 64 || subtract || matches!(i.e, Expr::Int(_)) {
            fold::convert(IntKind::LONG, kind, i.e)
        } else {
            i.e
        };
        let e = match index {
            Expr::Int(n) => {
                let n = if subtract { n.checked_neg() } else { Some(n) };
                match n.and_then(|n| n.checked_mul(i64::from(size))) {
                    Some(bytes) => fold::offset(p.e, bytes),
                    None => {
                        let at = self.at(span);
                        return self.unsupported(at, "a pointer moved by this much");
                    }
                }
            }
            index => Expr::Index {
                base: Box::new(p.e),
                index: Box::new(if subtract {
                    fold::unary(UnOp::Neg, IntKind::LONG, index)
                } else {
                    index
                }),
                size,
            },
        };
        Val { e, ty: p.ty }
    }

    fn pointer_difference(&mut self, a: Val, b: Val, span: CSpan) -> Val {
        let pointee = self.types.pointee(a.ty).unwrap_or(self.ty.char);
        let size = self.size_of(pointee, span).max(1);
        // `offsetof` by hand: `(char *)&((T *)0)->m - (char *)0`.
        let from_null = |e: &Expr| match e {
            Expr::Null => Some(0),
            Expr::Offset(base, n) if **base == Expr::Null => Some(*n),
            _ => None,
        };
        let e = match (from_null(&a.e), from_null(&b.e)) {
            (Some(x), Some(y)) if (x - y) % i64::from(size) == 0 => {
                Expr::Int((x - y) / i64::from(size))
            }
            _ => Expr::Diff(Box::new(a.e), Box::new(b.e), size),
        };
        Val { e, ty: self.ty.long }
    }

    /// `a < b`, `a == b`, ….
    pub fn comparison(&mut self, op: CmpOp, a: Val, b: Val, span: CSpan) -> Val {
        if self.is_unknown(a.ty) || self.is_unknown(b.ty) {
            return self.unknown();
        }
        let (pa, pb) = (self.is_pointer(a.ty), self.is_pointer(b.ty));
        if self.is_float(a.ty) || self.is_float(b.ty) {
            let at = self.at(span);
            return self.unsupported(at, "a floating-point comparison");
        }
        let e = if pa || pb {
            let (a, b) = match (pa, pb) {
                (true, true) => (a, b),
                (true, false) => {
                    let ty = a.ty;
                    (a, self.convert(b, ty, span))
                }
                _ => {
                    let ty = b.ty;
                    (self.convert(a, ty, span), b)
                }
            };
            fold::compare(op, None, a.e, b.e)
        } else {
            let (a, b) = (self.promoted(a), self.promoted(b));
            let (Some(ka), Some(kb)) = (self.int_kind(a.ty), self.int_kind(b.ty)) else {
                return self.bad_operands(&a, &b, span);
            };
            let kind = common_kind(ka, kb);
            fold::compare(op, Some(kind), self.to_kind(a, kind), self.to_kind(b, kind))
        };
        Val { e, ty: self.ty.int }
    }

    /// A value as a condition: an integer expression that is not zero when it holds.
    pub fn truth(&mut self, value: Val, span: CSpan) -> Expr {
        match *self.types.get(value.ty) {
            Type::Int(_) => value.e,
            Type::Ptr(_) => fold::compare(CmpOp::Ne, None, value.e, Expr::Null),
            Type::Float(_) => {
                let at = self.at(span);
                self.unsupported(at, "a floating-point condition");
                let any = self.havoc(self.ty.int, None, at);
                any.e
            }
            _ if self.is_unknown(value.ty) => {
                let at = self.at(span);
                self.havoc(self.ty.int, None, at).e
            }
            _ => {
                let (at, name) = (self.at(span), self.types.name(value.ty));
                self.error(at, format!("a value of type `{name}` is not a condition"));
                Expr::Int(0)
            }
        }
    }

    /// A value as 0 or 1.
    pub fn boolean(&mut self, value: Val, span: CSpan) -> Expr {
        let kind = self.int_kind(value.ty);
        match self.truth(value, span) {
            e @ (Expr::Cmp(..) | Expr::Not(_)) => e,
            e => {
                let kind = kind.unwrap_or(IntKind::INT);
                fold::compare(CmpOp::Ne, Some(kind), e, Expr::Int(0))
            }
        }
    }
}
