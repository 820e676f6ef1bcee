//! Expressions that are list pointers.

use trellis_program::{Expr, PlainPointer};

use crate::contract::SlotMap;
use crate::heap::Ref;
use crate::program::{Slot, Source};

/// Null or a list variable, if the expression is one.
pub fn pointer(slots: &dyn SlotMap, e: &Expr) -> Option<Source> {
    match e.plain_pointer()? {
        PlainPointer::Null => Some(Source::End(Ref::NULL)),
        PlainPointer::Reg(r) => match slots.slot(r) {
            Slot::List(x) => Some(Source::Var(x)),
            Slot::Int(_) | Slot::None => None,
        },
    }
}
