//! What an expression evaluates to.
//!
//! Undefined values spread through arithmetic and comparisons; they are reported where a branch or
//! an address depends on them, not where they are copied. But an operation fails on an undefined
//! operand if it fails on one of the values that the operand may have: a divisor may be zero.

use crate::checks::CheckKind;
use crate::concrete::memory::{Lifetime, Memory, Object, Pointer, Value};
use crate::concrete::state::State;
use crate::ir::{BinOp, CmpOp, Expr, UnOp};
use crate::types::IntKind;

/// Why an expression has no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EvalError {
    /// A check fails: division by zero, overflow.
    Check(CheckKind),
    /// Outside the supported subset.
    Unsupported(&'static str),
}

/// Evaluates an expression in the innermost frame. With `overflow`, signed overflow and bad shifts
/// are errors; otherwise they wrap.
pub fn eval(state: &State, expr: &Expr, overflow: bool) -> Result<Value, EvalError> {
    let ev = |e: &Expr| eval(state, e, overflow);
    Ok(match expr {
        Expr::Int(i) => Value::Int(*i),
        Expr::Null => Value::Null,
        Expr::Reg(r) | Expr::Addr(r) => state.slot(*r),
        Expr::Unary(op, kind, a) => match ev(a)? {
            Value::Int(i) => {
                let i = kind.value(i);
                let exact = match op {
                    UnOp::Neg => -i,
                    UnOp::BitNot => !i,
                };
                Value::Int(fit(*kind, exact, overflow && *op == UnOp::Neg)?)
            }
            Value::Undef => {
                undefined(kind.signed && *op == UnOp::Neg, overflow)?;
                Value::Undef
            }
            _ => return Err(POINTER_ARITHMETIC),
        },
        Expr::Binary(op, kind, a, b) => binary(*op, *kind, ev(a)?, ev(b)?, overflow)?,
        Expr::Cmp(op, kind, a, b) => compare(&state.memory, *op, *kind, ev(a)?, ev(b)?)?,
        Expr::Not(a) => match truth(number(ev(a)?)?) {
            Some(t) => Value::Int(i64::from(!t)),
            None => Value::Undef,
        },
        Expr::Convert(kind, a) => match ev(a)? {
            Value::Int(i) => Value::Int(kind.wrap(i.into())),
            Value::Null => Value::Int(0),
            Value::Ptr(_) if kind.bits == 1 => Value::Int(1),
            v @ Value::Ptr(_) if kind.bits == 64 => v,
            Value::Piece(p, from, len) if kind.bits >= 8 => {
                Value::Piece(p, from, len.min(kind.bits / 8))
            }
            Value::Piece(..) => return Err(PIECE),
            Value::Ptr(_) => {
                return Err(EvalError::Unsupported("a pointer cut to a small integer"));
            }
            v => v,
        },
        Expr::ToPtr(a) => match ev(a)? {
            Value::Int(0) => Value::Null,
            // No object: it can be copied and compared, and an access through it fails.
            v => number(v)?,
        },
        Expr::Offset(a, by) => shift(ev(a)?, *by)?,
        Expr::Index { base, index, size } => match ev(index)? {
            Value::Int(i) => {
                let by = i.checked_mul(i64::from(*size)).ok_or(FAR_POINTER)?;
                shift(ev(base)?, by)?
            }
            Value::Undef => Value::Undef,
            _ => return Err(POINTER_ARITHMETIC),
        },
        Expr::Diff(a, b, size) => match (ev(a)?, ev(b)?) {
            (Value::Undef, _) | (_, Value::Undef) => Value::Undef,
            (Value::Null, Value::Null) => Value::Int(0),
            (Value::Ptr(p), Value::Ptr(q)) if p.obj == q.obj => {
                Value::Int((i64::from(p.off) - i64::from(q.off)) / i64::from((*size).max(1)))
            }
            _ => {
                return Err(EvalError::Unsupported("the difference of unrelated pointers"));
            }
        },
        Expr::Extent(a, size) => match ev(a)? {
            Value::Ptr(p) if p.off == 0 => {
                Value::Int(i64::from(state.memory.object(p.obj).size / (*size).max(1)))
            }
            Value::Null => return Err(EvalError::Check(CheckKind::NullDeref)),
            Value::Undef | Value::Open => Value::Undef,
            Value::Ptr(_) | Value::Int(_) | Value::Piece(..) | Value::Bytes => {
                return Err(EvalError::Unsupported("the length of something that is no array"));
            }
        },
    })
}

const PIECE: EvalError = EvalError::Unsupported("a byte of a pointer used as a number");
const POINTER_ARITHMETIC: EvalError =
    EvalError::Unsupported("arithmetic on the integer value of a pointer");
const BAD_SHIFT: EvalError = EvalError::Unsupported("a shift by a negative or too large amount");
const FAR_POINTER: EvalError = EvalError::Unsupported("a pointer far outside its object");

const WHERE_OBJECTS_LIE: EvalError =
    EvalError::Unsupported("a comparison that depends on where objects lie in memory");

/// Whether an object may lie at an address: none is in the first pages, where null is, nor in the last
/// ones, where programs put their marks (`(void *)1`, `(void *)-1`).
pub fn may_be_address(i: i64) -> bool {
    const PAGE: i64 = 4096;
    !(-PAGE..PAGE).contains(&i)
}

/// Whether a value is true in a C condition; `None` if it is undefined.
pub fn truth(value: Value) -> Option<bool> {
    match value {
        Value::Int(i) => Some(i != 0),
        Value::Null => Some(false),
        Value::Ptr(_) => Some(true),
        Value::Undef | Value::Open | Value::Piece(..) | Value::Bytes => None,
    }
}

/// A value that is not a part of a pointer: whether such a byte is zero depends on addresses.
pub fn number(value: Value) -> Result<Value, EvalError> {
    match value {
        Value::Piece(..) | Value::Bytes => Err(PIECE),
        value => Ok(value),
    }
}

fn fit(kind: IntKind, exact: i128, overflow: bool) -> Result<i64, EvalError> {
    let wrapped = kind.wrap(exact);
    if overflow && kind.signed && i128::from(wrapped) != exact {
        return Err(EvalError::Check(CheckKind::Overflow));
    }
    Ok(wrapped)
}

fn shift(base: Value, by: i64) -> Result<Value, EvalError> {
    match base {
        Value::Ptr(p) => {
            let off = i64::from(p.off).checked_add(by).and_then(|o| i32::try_from(o).ok());
            Ok(Value::Ptr(Pointer { obj: p.obj, off: off.ok_or(FAR_POINTER)? }))
        }
        // `&p->first` of a null `p` is null in practice; anything else is a wild address.
        Value::Null if by == 0 => Ok(Value::Null),
        Value::Null => Err(EvalError::Check(CheckKind::NullDeref)),
        Value::Int(i) => match i.checked_add(by).ok_or(FAR_POINTER)? {
            0 => Ok(Value::Null),
            i => Ok(Value::Int(i)),
        },
        v => number(v),
    }
}

fn binary(
    op: BinOp,
    kind: IntKind,
    a: Value,
    b: Value,
    overflow: bool,
) -> Result<Value, EvalError> {
    let (a, b) = match (a, b) {
        (Value::Int(a), Value::Int(b)) => (kind.value(a), kind.value(b)),
        (Value::Piece(..) | Value::Bytes, _) | (_, Value::Piece(..) | Value::Bytes) => {
            return Err(PIECE);
        }
        (Value::Undef, _) | (_, Value::Undef) => {
            return undefined_operand(op, kind, b, overflow).map(|()| Value::Undef);
        }
        // A pointer converted to an integer may be moved and brought back.
        (v @ Value::Ptr(_), Value::Int(by)) if op == BinOp::Add => return shift(v, by),
        (Value::Int(by), v @ Value::Ptr(_)) if op == BinOp::Add => return shift(v, by),
        (v @ Value::Ptr(_), Value::Int(by)) if op == BinOp::Sub => {
            return shift(v, by.wrapping_neg());
        }
        (Value::Ptr(p), Value::Ptr(q)) if op == BinOp::Sub && p.obj == q.obj => {
            return Ok(Value::Int(i64::from(p.off) - i64::from(q.off)));
        }
        _ => return Err(POINTER_ARITHMETIC),
    };
    let bits = i128::from(kind.bits);
    let exact = match op {
        BinOp::Add => a + b,
        BinOp::Sub => a - b,
        // Both are below 2^64 in absolute value, so only a product can leave i128 (unsigned).
        BinOp::Mul => a.wrapping_mul(b),
        BinOp::Div | BinOp::Rem if b == 0 => return Err(EvalError::Check(CheckKind::DivByZero)),
        BinOp::Div | BinOp::Rem if kind.signed && b == -1 && a == -(1i128 << (bits - 1)) => {
            return Err(EvalError::Check(CheckKind::DivByZero));
        }
        BinOp::Div => a / b,
        BinOp::Rem => a % b,
        BinOp::And => a & b,
        BinOp::Or => a | b,
        BinOp::Xor => a ^ b,
        BinOp::Shl | BinOp::Shr if !(0..bits).contains(&b) => {
            if overflow {
                return Err(EvalError::Check(CheckKind::Overflow));
            }
            return Err(BAD_SHIFT);
        }
        BinOp::Shl => {
            if overflow && kind.signed && a < 0 {
                return Err(EvalError::Check(CheckKind::Overflow));
            }
            a << b
        }
        BinOp::Shr => a >> b,
    };
    Ok(Value::Int(fit(kind, exact, overflow)?))
}

/// Signed arithmetic on an undefined value may overflow.
fn undefined(may_overflow: bool, overflow: bool) -> Result<(), EvalError> {
    match may_overflow && overflow {
        true => Err(EvalError::Check(CheckKind::Overflow)),
        false => Ok(()),
    }
}

/// What an operation may fail, one operand of which is undefined; the second one is `b`.
fn undefined_operand(op: BinOp, kind: IntKind, b: Value, overflow: bool) -> Result<(), EvalError> {
    let b = match b {
        Value::Int(b) => Some(kind.value(b)),
        _ => None,
    };
    match op {
        BinOp::Div | BinOp::Rem => match b {
            Some(b) if b != 0 && (b != -1 || !kind.signed) => Ok(()),
            _ => Err(EvalError::Check(CheckKind::DivByZero)),
        },
        BinOp::Shl | BinOp::Shr => match b {
            Some(b) if (0..i128::from(kind.bits)).contains(&b) => {
                undefined(kind.signed && op == BinOp::Shl, overflow)
            }
            _ if overflow => Err(EvalError::Check(CheckKind::Overflow)),
            _ => Err(BAD_SHIFT),
        },
        BinOp::Add | BinOp::Sub | BinOp::Mul => undefined(kind.signed, overflow),
        BinOp::And | BinOp::Or | BinOp::Xor => Ok(()),
    }
}

/// Whether pointers to different objects may be equal: one points to the end of an object, where
/// the other one may begin, or to freed memory, in which a later object may lie; or both are
/// literals, the caller's included.
fn may_coincide(memory: &Memory, p: Pointer, q: Pointer) -> bool {
    let (a, b) = (memory.object(p.obj), memory.object(q.obj));
    let outside = |at: Pointer, o: &Object, other: Pointer| {
        let size = i64::from(o.size);
        let off = i64::from(at.off);
        off < 0 || off > size || (off == size && size > 0 && other.off == 0)
    };
    let later = |dead: &Object, o: &Object| !dead.live && !o.initial;
    let shared = |o: &Object, other: &Object| {
        o.literal && (other.literal || (other.initial && other.lifetime == Lifetime::Heap))
    };
    outside(p, a, q)
        || outside(q, b, p)
        || shared(a, b)
        || shared(b, a)
        || (a.lifetime == b.lifetime && (later(a, b) || later(b, a)))
}

fn compare(
    memory: &Memory,
    op: CmpOp,
    kind: Option<IntKind>,
    a: Value,
    b: Value,
) -> Result<Value, EvalError> {
    use std::cmp::Ordering;
    let order: Ordering = match (a, b) {
        (Value::Undef | Value::Open, _) | (_, Value::Undef | Value::Open) => {
            return Ok(Value::Undef);
        }
        // The same byte of the same pointer, whatever it is.
        (Value::Piece(..), Value::Piece(..)) if a == b => Ordering::Equal,
        (Value::Piece(..) | Value::Bytes, _) | (_, Value::Piece(..) | Value::Bytes) => {
            return Err(PIECE);
        }
        (Value::Int(a), Value::Int(b)) => match kind {
            Some(kind) => kind.value(a).cmp(&kind.value(b)),
            None => a.cmp(&b),
        },
        (Value::Null, Value::Null)
        | (Value::Null, Value::Int(0))
        | (Value::Int(0), Value::Null) => Ordering::Equal,
        (Value::Ptr(p), Value::Ptr(q)) if p.obj == q.obj => p.off.cmp(&q.off),
        (Value::Ptr(p), Value::Ptr(q)) if may_coincide(memory, p, q) => {
            return Err(WHERE_OBJECTS_LIE);
        }
        (Value::Ptr(_), Value::Int(i)) | (Value::Int(i), Value::Ptr(_)) if may_be_address(i) => {
            return Err(WHERE_OBJECTS_LIE);
        }
        _ => {
            let answer = op.apply_equality(false);
            let order = EvalError::Unsupported("the order of unrelated pointers");
            return answer.map(|holds| Value::Int(holds.into())).ok_or(order);
        }
    };
    Ok(Value::Int(op.holds(order).into()))
}
