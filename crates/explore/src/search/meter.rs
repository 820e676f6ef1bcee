//! Counting work, and looking at the budget from time to time.

use trellis_program::concrete::{State, Value};

use super::{Searcher, Workspace};
use crate::StopReason;

/// So many instructions of a block count like another state.
const LONG_BLOCK: u64 = 64;
/// So many bytes of a state count like another one.
const LARGE_STATE: u64 = 4096;
/// The budget is looked at after so many states.
const CHECK_EVERY: u64 = 256;

/// Counts work, and looks at the budget from time to time. Long blocks and large states cost more
/// than others.
pub(super) struct Meter {
    since_check: u64,
    instructions: u64,
}

impl Meter {
    pub(super) fn new(work: &Workspace) -> Meter {
        Meter { since_check: 0, instructions: work.stats.instructions }
    }

    /// Counts what was run since the last state, where a search ends.
    pub(super) fn settle(&mut self, of: &Searcher<'_>, work: &Workspace) {
        let run = work.stats.instructions - self.instructions;
        self.instructions = work.stats.instructions;
        of.config.budget.work.spend(run / LONG_BLOCK);
    }

    /// Counts a state, and what was run since the last.
    pub(super) fn count(
        &mut self,
        of: &Searcher<'_>,
        state: &State,
        work: &Workspace,
    ) -> Option<StopReason> {
        let run = work.stats.instructions - self.instructions;
        self.instructions = work.stats.instructions;
        let weight = 1 + run / LONG_BLOCK + (state_bytes(state) as u64) / LARGE_STATE;
        self.since_check += weight;
        of.config.budget.work.spend(weight);
        if self.since_check < CHECK_EVERY {
            return None;
        }
        self.since_check = 0;
        of.out_of_budget(work)
    }
}

/// About how much memory a queued state takes.
pub(super) fn state_bytes(state: &State) -> usize {
    size_of::<State>()
        + state.regs.capacity() * size_of::<Value>()
        + state.globals.capacity() * size_of::<Value>()
        + state.memory.cells.capacity() * size_of::<Value>()
        + state.memory.objects.capacity() * 32
        + state.frames.capacity() * 48
}
