//! Which write an `assigns` clause does not allow.
//!
//! The state now is compared with the one at entry: a place that existed then, holds another value
//! now and is not listed by an item of the clause was written against the contract. A value that
//! was changed and restored is not seen; freeing is not writing.

use std::ops::ControlFlow;

use super::terms::Val;
use super::{Evaluator, SpecEnv, Truth};
use crate::concrete::bytes::Byte;
use crate::concrete::memory::{Memory, ObjId, Pointer};
use crate::ir::{GlobalId, Reg, Storage};
use crate::spec::{Assigns, AssignsItem, Binder, Label};

/// A place that was written although the clause does not list it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Written {
    /// A cell of an object that existed at entry.
    Cell {
        /// The object.
        obj: ObjId,
        /// Byte offset of the cell.
        offset: u32,
    },
    /// A global in a register.
    Global(GlobalId),
}

impl SpecEnv<'_> {
    /// The first place, by object and offset, that was written against the clause. Without the
    /// state at entry there is nothing to compare with, and the answer is `None`.
    pub fn first_write_outside(&self, assigns: &Assigns) -> Option<Written> {
        let (Assigns::Places(items, _), Some(pre)) = (assigns, self.pre) else {
            return None;
        };
        let types = &self.program.types;
        for obj in pre.memory.ids() {
            let (then, now) = (pre.memory.object(obj), self.memory.object(obj));
            // What was freed is gone; freeing is not writing.
            if !then.live || !now.live || then.cells == 0 || then.ty != now.ty {
                continue;
            }
            let cells = pre.memory.contents(types, obj).zip(self.memory.cells_of(obj));
            for ((offset, scalar, before), after) in cells {
                let bytes = types.bytes(scalar);
                if before != *after && !self.may_write_cell(items, obj, offset, bytes) {
                    return Some(Written::Cell { obj, offset });
                }
            }
            let loose = |memory: &Memory| memory.loose_of(obj).collect::<Vec<_>>();
            let (before, after) = (loose(&pre.memory), loose(self.memory));
            let changed = |(at, byte): &(u32, Byte), other: &[(u32, Byte)]| {
                !other.contains(&(*at, *byte)) && !self.may_write_cell(items, obj, *at, 1)
            };
            let offset = before.iter().find(|b| changed(b, &after));
            let offset = offset.or_else(|| after.iter().find(|b| changed(b, &before)));
            let offset = offset.map(|(at, _)| *at);
            if let Some(offset) = offset {
                return Some(Written::Cell { obj, offset });
            }
        }
        let globals = self.program.globals.iter().enumerate();
        globals
            .filter(|(i, g)| g.storage == Storage::Register && pre.globals[*i] != self.globals[*i])
            .map(|(i, _)| GlobalId(i as u32))
            .find(|g| items.iter().all(|i| i.global != Some(Reg::Global(*g))))
            .map(Written::Global)
    }

    fn may_write_cell(&self, items: &[AssignsItem], obj: ObjId, offset: u32, bytes: u32) -> bool {
        items.iter().filter(|i| i.global.is_none()).any(|item| {
            let holds_cell = |at: Pointer| {
                let (start, offset) = (i64::from(at.off), i64::from(offset));
                at.obj == obj
                    && start <= offset
                    && offset + i64::from(bytes) <= start + i64::from(item.bytes)
            };
            let mut entry = Evaluator::new(*self, Label::Pre, item.filter.as_ref());
            entry.some_address(&item.binders, item, &holds_cell)
        })
    }
}

impl<'a> Evaluator<'a> {
    /// Whether the item has an address, for some values of its variables, with a property.
    fn some_address(
        &mut self,
        binders: &'a [Binder],
        item: &'a AssignsItem,
        has: &dyn Fn(Pointer) -> bool,
    ) -> bool {
        let Some((binder, rest)) = binders.split_first() else {
            let chosen = item.filter.as_ref();
            return chosen.is_none_or(|f| self.truth(f) == Truth::True)
                && matches!(self.value(&item.addr), Some(Val::Place(Some(p))) if has(p));
        };
        let flow = self.each(binder, &mut |e| {
            if e.some_address(rest, item, has) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        flow.is_break()
    }
}

impl Written {
    /// The object, if the place is in one.
    pub fn object(self) -> Option<ObjId> {
        match self {
            Written::Cell { obj, .. } => Some(obj),
            Written::Global(_) => None,
        }
    }
}
