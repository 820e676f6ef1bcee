//! Integers in a symbolic state: what is known exactly is computed, data are compared, and everything
//! else is a value that nothing is known about.
//!
//! **Invariant.** A value that is not exactly the program's is never taken for it: its place is noted
//! as imprecise.

use trellis_logic::{FormulaId, TermId};
use trellis_program::{BinOp, CheckKind, CmpOp, Expr, IntKind, Refusal, Scalar, Span};

use super::state::{IntValue, Run, Value};
use super::{Builder, Step};

impl Builder<'_> {
    /// The result of an operation on constants.
    pub(super) fn known(&mut self, kind: IntKind, exact: i128, span: Span) -> Step<Value> {
        let wrapped = kind.wrap(exact);
        let overflows = kind.signed && i128::from(wrapped) != exact;
        if overflows && self.options.checks.contains(CheckKind::Overflow) {
            return Err(Refusal::at(span, "arithmetic with overflow checks").into());
        }
        Ok(constant(wrapped))
    }

    pub(super) fn arithmetic(&mut self, span: Span) -> Step<Value> {
        self.cannot_overflow(span)?;
        Ok(self.any(span))
    }

    /// Whether arithmetic overflows is not followed.
    pub(super) fn cannot_overflow(&self, span: Span) -> Step<()> {
        if self.options.checks.contains(CheckKind::Overflow) {
            return Err(Refusal::at(span, "arithmetic with overflow checks").into());
        }
        Ok(())
    }

    pub(super) fn binary(
        &mut self,
        op: BinOp,
        kind: IntKind,
        a: Value,
        b: Value,
        span: Span,
    ) -> Step<Value> {
        let divides = matches!(op, BinOp::Div | BinOp::Rem | BinOp::Shl | BinOp::Shr);
        let (a, b) = match (a, b) {
            // It fails if it may fail with one of the values that the undefined operand may have:
            // as a second operand, -1 among others, by which nothing can be divided or shifted.
            (Value::Undef, Value::Int(by)) if divides => {
                return self.divide(op, by, span).map(|_| Value::Undef);
            }
            (_, Value::Undef) if divides => {
                return self.divide(op, IntValue::Const(-1), span).map(|_| Value::Undef);
            }
            (Value::Undef, _) | (_, Value::Undef) => {
                return self.cannot_overflow(span).map(|()| Value::Undef);
            }
            (Value::Int(a), Value::Int(b)) => (a, b),
            _ => return Err(Refusal::at(span, "arithmetic on a pointer's value").into()),
        };
        match (a, b) {
            (IntValue::Const(a), IntValue::Const(b)) => {
                let (a, b) = (kind.value(a), kind.value(b));
                let exact = match op {
                    BinOp::Add => a + b,
                    BinOp::Sub => a - b,
                    BinOp::Mul => a.wrapping_mul(b),
                    BinOp::And => a & b,
                    BinOp::Or => a | b,
                    BinOp::Xor => a ^ b,
                    _ => return self.divide(op, IntValue::Const(b as i64), span),
                };
                self.known(kind, exact, span)
            }
            _ if divides => self.divide(op, b, span),
            _ => self.arithmetic(span),
        }
    }

    /// A division or shift that cannot fail yields some value.
    pub(super) fn divide(&mut self, op: BinOp, by: IntValue, span: Span) -> Step<Value> {
        match (op, by) {
            (BinOp::Div | BinOp::Rem, IntValue::Const(d)) if d != 0 && d != -1 => {
                self.arithmetic(span)
            }
            (BinOp::Shl | BinOp::Shr, IntValue::Const(d)) if (0..32).contains(&d) => {
                self.arithmetic(span)
            }
            _ => Err(Refusal::at(span, "a division or shift by a value").into()),
        }
    }

    pub(super) fn compare_ints(
        &mut self,
        op: CmpOp,
        kind: Option<IntKind>,
        a: IntValue,
        b: IntValue,
    ) -> Option<FormulaId> {
        let kind = kind.unwrap_or(IntKind::LONG);
        if let (IntValue::Const(a), IntValue::Const(b)) = (a, b) {
            let (a, b) = (kind.value(a), kind.value(b));
            return Some(if op.apply(a, b) { FormulaId::TRUE } else { FormulaId::FALSE });
        }
        // Truth against a constant needs no order.
        if op.is_equality() {
            let truth = match (a, b) {
                (IntValue::Bool(f) | IntValue::Truth(f), IntValue::Const(0))
                | (IntValue::Const(0), IntValue::Bool(f) | IntValue::Truth(f)) => {
                    Some(self.arena.not(f))
                }
                (IntValue::Bool(f), IntValue::Const(1))
                | (IntValue::Const(1), IntValue::Bool(f)) => Some(f),
                _ => None,
            };
            if let Some(equal) = truth {
                return Some(if op == CmpOp::Eq { equal } else { self.arena.not(equal) });
            }
        }
        let (a, b) = (self.as_data(a, kind)?, self.as_data(b, kind)?);
        Some(match op {
            CmpOp::Eq => self.arena.eq(a, b),
            CmpOp::Ne => self.arena.ne(a, b),
            CmpOp::Le => self.at_most(a, b),
            CmpOp::Ge => self.at_most(b, a),
            CmpOp::Lt => {
                let ge = self.at_most(b, a);
                self.arena.not(ge)
            }
            CmpOp::Gt => {
                let le = self.at_most(a, b);
                self.arena.not(le)
            }
        })
    }

    pub(crate) fn at_most(&mut self, a: TermId, b: TermId) -> FormulaId {
        self.arena.rel(self.symbols.at_most, &[a, b])
    }

    /// An integer of a type as a term of the data, which are mathematical integers; `None` if it is
    /// not exactly known.
    pub(crate) fn as_data(&mut self, value: IntValue, kind: IntKind) -> Option<TermId> {
        match value {
            IntValue::Data(term) => Some(term),
            IntValue::Const(i) => Some(self.data_constant(kind.value(i))),
            IntValue::Bool(f) => {
                let (one, zero) = (self.data_constant(1), self.data_constant(0));
                Some(self.arena.ite(f, one, zero))
            }
            IntValue::Truth(_) | IntValue::Any => None,
        }
    }

    pub(super) fn convert(
        &mut self,
        run: &mut Run,
        to: IntKind,
        from: Option<IntKind>,
        value: Value,
        span: Span,
    ) -> Value {
        match value {
            Value::Undef => Value::Undef,
            Value::Ptr(..) if to.bits == 64 => value,
            _ if to == IntKind::BOOL => {
                let truth = self.truth(run, value);
                Value::Int(IntValue::Bool(truth))
            }
            Value::Ptr(..) => self.any(span),
            Value::Int(IntValue::Const(i)) => {
                let exact = from.map_or(i128::from(i), |k| k.value(i));
                constant(to.wrap(exact))
            }
            Value::Int(IntValue::Bool(_)) => value,
            Value::Int(_) if from.is_some_and(|from| keeps(from, to)) => value,
            Value::Int(_) => self.any(span),
        }
    }

    /// A value that nothing is known about.
    pub(super) fn any(&mut self, span: Span) -> Value {
        self.imprecise.insert(span);
        Value::Int(IntValue::Any)
    }

    /// The type of an integer expression, if it is plain to see.
    pub(super) fn int_kind(&self, e: &Expr) -> Option<IntKind> {
        match e {
            Expr::Reg(r) => {
                let ty = self.program.reg_type(self.symbols.view.proc, *r);
                match self.program.types.scalar(ty)? {
                    Scalar::Int(kind) => Some(kind),
                    _ => None,
                }
            }
            Expr::Convert(kind, _) | Expr::Unary(_, kind, _) | Expr::Binary(_, kind, _, _) => {
                Some(*kind)
            }
            Expr::Cmp(..) | Expr::Not(_) => Some(IntKind::INT),
            _ => None,
        }
    }
}

pub(super) fn constant(i: i64) -> Value {
    Value::Int(IntValue::Const(i))
}

/// Whether every value of one type is the same value of the other.
fn keeps(from: IntKind, to: IntKind) -> bool {
    match (from.signed, to.signed) {
        (true, false) => false,
        (false, true) => from.bits < to.bits,
        _ => from.bits <= to.bits,
    }
}
