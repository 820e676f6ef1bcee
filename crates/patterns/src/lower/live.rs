//! Which variables matter at the start of a block.
//!
//! A pointer matters if it may still be read, or if it keeps cells from being leaked: globals and
//! arguments always do, other locals where `exit` may be reached.

use trellis_program::{CheckKind, ProcId, Program, Terminator, cfg};

use super::Settings;
use crate::program::Block;
use crate::words::{PatternWords, Slot};

pub(super) fn mark(
    program: &Program,
    proc: ProcId,
    words: &PatternWords,
    settings: &Settings,
    blocks: &mut [Block],
) {
    let procedure = program.proc(proc);
    let Some(body) = &procedure.body else { return };
    let live = cfg::live_in(body, procedure.vars.len());
    let leaks = settings.checks.contains(CheckKind::Leak);
    let exits = leaks && body.blocks.iter().any(|b| matches!(b.term, Terminator::Exit));
    for (block, live) in blocks.iter_mut().zip(&live) {
        let matters = |slot: Slot, is_entry: bool| match slot {
            Slot::Local(v) => {
                let var = procedure.var(v);
                live[v.0 as usize] || is_entry || exits && !var.is_temp && !var.is_ghost
            }
            Slot::Entry(_) | Slot::Global(_) => true,
        };
        let pointers = words.pointers.iter();
        block.live_pointers = pointers.map(|p| matters(p.slot, p.is_entry)).collect();
        block.live_scalars = words.scalars.iter().map(|s| matters(s.slot, s.is_entry)).collect();
    }
}
