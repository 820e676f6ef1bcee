//! Where an activation keeps its registers, for whoever reads its contracts and expressions.

use trellis_program::{ProcId, Program, Reg};

use super::Lowering;
use crate::contract::{Outside, SlotMap};
use crate::node::NodeType;
use crate::program::Slot;

/// An activation.
pub(super) struct Activation<'l, 'p> {
    lowering: &'l Lowering<'p>,
    context: usize,
}

impl<'p> Lowering<'p> {
    pub(super) fn slots(&self, context: usize) -> Activation<'_, 'p> {
        Activation { lowering: self, context }
    }
}

impl SlotMap for Activation<'_, '_> {
    fn program(&self) -> &Program {
        self.lowering.program
    }

    fn proc(&self) -> ProcId {
        self.lowering.out.contexts[self.context].proc
    }

    fn node(&self) -> Option<&NodeType> {
        self.lowering.out.node.as_ref()
    }

    fn slot(&self, reg: Reg) -> Slot {
        self.lowering.slot(self.context, reg)
    }

    fn entry_slot(&self, reg: Reg) -> Result<Slot, Outside> {
        let entry = &self.lowering.out.contexts[self.context].entry;
        match reg {
            Reg::Local(v) if (v.0 as usize) < entry.len() => match entry[v.0 as usize] {
                Slot::None => Err("an integer parameter as it was passed".to_owned()),
                slot => Ok(slot),
            },
            Reg::Global(g) if self.lowering.effects.assigned.contains(&g) => {
                Err("a global as it was at entry".to_owned())
            }
            Reg::Local(_) | Reg::Global(_) => Ok(self.slot(reg)),
        }
    }

    fn result(&self) -> Slot {
        self.lowering.results[self.context]
    }

    fn memory_changes(&self) -> bool {
        let effects = &self.lowering.effects;
        effects.writes || effects.frees || effects.allocates
    }

    fn may_hide_nodes(&self) -> bool {
        self.lowering.hidden && !self.lowering.allow_segments
    }
}
