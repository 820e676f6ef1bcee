//! Arithmetic on integers that are open. The machine does not compute with them, so what it would
//! notice is noticed here: a value that is open may be the one that fails.

use trellis_program::concrete::eval;
use trellis_program::concrete::{State, Value};
use trellis_program::ir::{BinOp, Expr, UnOp};
use trellis_program::{CheckKind, CheckSet};

use super::run::holds;

/// A check that an expression fails for some values of its open registers.
pub(super) fn fails(state: &State, e: &Expr, checks: CheckSet) -> Option<CheckKind> {
    let here = match e {
        Expr::Unary(op, kind, a) => {
            let overflows = *op == UnOp::Neg && kind.signed && holds(state, a, Value::Open);
            overflows.then_some(CheckKind::Overflow)
        }
        Expr::Binary(op, kind, a, b) => {
            let open = holds(state, a, Value::Open) || holds(state, b, Value::Open);
            open.then(|| operation(state, *op, kind.signed, kind.bits.into(), b)).flatten()
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
        | Expr::Extent(..) => None,
    };
    let here = here.filter(|k| checks.contains(*k));
    here.or_else(|| e.operands().find_map(|a| fails(state, a, checks)))
}

/// What an operation with an open operand may fail; the second operand is `b`.
fn operation(state: &State, op: BinOp, signed: bool, bits: i64, b: &Expr) -> Option<CheckKind> {
    let second = match holds(state, b, Value::Open) {
        true => None,
        false => eval::eval(state, b, false).ok().and_then(|v| match v {
            Value::Int(n) => Some(n),
            Value::Null => Some(0),
            _ => None,
        }),
    };
    match (op, second) {
        (BinOp::Div | BinOp::Rem, Some(n)) if n != 0 && n != -1 => None,
        (BinOp::Div | BinOp::Rem, _) => Some(CheckKind::DivByZero),
        (BinOp::Shr, Some(n)) if (0..bits).contains(&n) => None,
        (BinOp::Shl | BinOp::Shr, _) => Some(CheckKind::Overflow),
        (BinOp::Add | BinOp::Sub | BinOp::Mul, _) if signed => Some(CheckKind::Overflow),
        _ => None,
    }
}
