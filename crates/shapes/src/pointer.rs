//! Expressions that are list pointers.

use trellis_program::Expr;

use crate::contract::SlotMap;
use crate::heap::Ref;
use crate::program::{Slot, Source};

/// Null or a list variable, if the expression is one.
pub fn pointer(slots: &dyn SlotMap, e: &Expr) -> Option<Source> {
    match e {
        Expr::Null => Some(Source::End(Ref::NULL)),
        Expr::Reg(r) => match slots.slot(*r) {
            Slot::List(x) => Some(Source::Var(x)),
            Slot::Int(_) | Slot::None => None,
        },
        Expr::ToPtr(inner) => match &**inner {
            Expr::Int(0) => Some(Source::End(Ref::NULL)),
            // A pointer that was an integer on the way comes back.
            Expr::Convert(kind, inner) if kind.bits == 64 => pointer(slots, inner),
            _ => None,
        },
        Expr::Offset(inner, 0) => pointer(slots, inner),
        Expr::Int(_)
        | Expr::Addr(_)
        | Expr::Unary(..)
        | Expr::Binary(..)
        | Expr::Cmp(..)
        | Expr::Not(_)
        | Expr::Convert(..)
        | Expr::Offset(..)
        | Expr::Index { .. }
        | Expr::Diff(..)
        | Expr::Extent(..) => None,
    }
}
