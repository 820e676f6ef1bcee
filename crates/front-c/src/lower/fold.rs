//! Building expressions with constants folded. Nothing that could be undefined is folded away.

use trellis_program::ir::{BinOp, CmpOp, Expr, UnOp};
use trellis_program::types::IntKind;

/// A pointer moved by a constant number of bytes.
pub fn offset(base: Expr, bytes: i64) -> Expr {
    match base {
        Expr::Offset(inner, b) => match b.checked_add(bytes) {
            Some(sum) => offset(*inner, sum),
            None => Expr::Offset(Box::new(Expr::Offset(inner, b)), bytes),
        },
        base if bytes == 0 => base,
        base => Expr::Offset(Box::new(base), bytes),
    }
}

/// Conversion between integer types.
pub fn convert(to: IntKind, from: IntKind, e: Expr) -> Expr {
    match e {
        e if to == from => e,
        Expr::Int(n) => Expr::Int(to.wrap(from.value(n))),
        // 0 or 1 in every type.
        e @ (Expr::Cmp(..) | Expr::Not(_)) => e,
        e => Expr::Convert(to, Box::new(e)),
    }
}

/// Integer arithmetic.
pub fn binary(op: BinOp, kind: IntKind, a: Expr, b: Expr) -> Expr {
    if let (Expr::Int(x), Expr::Int(y)) = (&a, &b)
        && let Some(n) = compute(op, kind, *x, *y)
    {
        return Expr::Int(n);
    }
    Expr::Binary(op, kind, Box::new(a), Box::new(b))
}

/// The result, unless it is undefined.
fn compute(op: BinOp, kind: IntKind, x: i64, y: i64) -> Option<i64> {
    if op == BinOp::Shl && kind.signed && kind.value(x) < 0 {
        return None;
    }
    in_range(kind, exact(op, kind, x, y)?)
}

/// The result before it is brought into the range of its type; `None` if there is none.
fn exact(op: BinOp, kind: IntKind, x: i64, y: i64) -> Option<i128> {
    let (x, y) = (kind.value(x), kind.value(y));
    let shift = u32::try_from(y).ok().filter(|s| *s < u32::from(kind.bits));
    Some(match op {
        BinOp::Add => x + y,
        BinOp::Sub => x - y,
        // Only an unsigned product can leave the range, and that wraps anyway.
        BinOp::Mul => x.wrapping_mul(y),
        BinOp::Div => x.checked_div(y)?,
        BinOp::Rem => x.checked_rem(y)?,
        BinOp::And => x & y,
        BinOp::Or => x | y,
        BinOp::Xor => x ^ y,
        BinOp::Shl => x << shift?,
        BinOp::Shr => x >> shift?,
    })
}

/// The value where C wants a constant (`enum`, `case`, initial values). Compilers accept signed
/// overflow there (`1 << 31`) and wrap.
pub fn constant(e: &Expr) -> Option<i64> {
    Some(match e {
        Expr::Int(n) => *n,
        Expr::Unary(op, kind, a) => {
            let n = kind.value(constant(a)?);
            kind.wrap(match op {
                UnOp::Neg => -n,
                UnOp::BitNot => !n,
            })
        }
        Expr::Binary(op, kind, a, b) => kind.wrap(exact(*op, *kind, constant(a)?, constant(b)?)?),
        Expr::Convert(kind, a) => kind.wrap(constant(a)?.into()),
        Expr::Not(a) => i64::from(constant(a)? == 0),
        Expr::Cmp(op, Some(kind), a, b) => {
            match compare(*op, Some(*kind), Expr::Int(constant(a)?), Expr::Int(constant(b)?)) {
                Expr::Int(n) => n,
                _ => return None,
            }
        }
        _ => return None,
    })
}

/// The value, unless it is a signed overflow.
fn in_range(kind: IntKind, value: i128) -> Option<i64> {
    let wrapped = kind.wrap(value);
    (!kind.signed || kind.value(wrapped) == value).then_some(wrapped)
}

/// `-e`, `~e`.
pub fn unary(op: UnOp, kind: IntKind, e: Expr) -> Expr {
    if let Expr::Int(n) = e {
        let n = kind.value(n);
        let value = match op {
            UnOp::Neg => -n,
            UnOp::BitNot => !n,
        };
        if let Some(n) = in_range(kind, value) {
            return Expr::Int(n);
        }
    }
    Expr::Unary(op, kind, Box::new(e))
}

/// A comparison; 0 or 1.
pub fn compare(op: CmpOp, kind: Option<IntKind>, a: Expr, b: Expr) -> Expr {
    let order = match (&a, &b, kind) {
        (Expr::Int(x), Expr::Int(y), Some(k)) => Some(k.value(*x).cmp(&k.value(*y))),
        (Expr::Null, Expr::Null, None) => Some(std::cmp::Ordering::Equal),
        _ => None,
    };
    if let Some(order) = order {
        return Expr::Int(op.holds(order).into());
    }
    // The address of a variable is never null.
    if kind.is_none()
        && matches!((&a, &b), (Expr::Addr(_), Expr::Null))
        && let Some(holds) = op.apply_equality(false)
    {
        return Expr::Int(holds.into());
    }
    Expr::Cmp(op, kind, Box::new(a), Box::new(b))
}

/// `!e` of an integer.
pub fn not(e: Expr) -> Expr {
    match e {
        Expr::Int(n) => Expr::Int(i64::from(n == 0)),
        Expr::Cmp(op, kind, a, b) => Expr::Cmp(op.negated(), kind, a, b),
        e => Expr::Not(Box::new(e)),
    }
}
