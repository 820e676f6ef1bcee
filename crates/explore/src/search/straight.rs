//! The run of a program that chooses nothing: there is one only, so that none of its states need be
//! kept.

use trellis_program::concrete::{Failure, Finish, State};

use super::meter::Meter;
use super::{Place, Searcher, Workspace};
use crate::StopReason;

/// Most blocks of a run that has made no choice. A certifier has the same bound.
pub const STRAIGHT: usize = 200_000;

/// How a run ends that chooses nothing.
pub(super) enum Straight {
    /// It may choose here.
    Choice(State),
    /// It is over, goes round, or is too long.
    Ended,
    Failed(Place, Failure),
    Stopped(StopReason),
}

impl Searcher<'_> {
    /// Follows a run to where it may choose, or to its end.
    pub(super) fn run_straight(&self, mut state: State, work: &mut Workspace) -> Straight {
        // A state of the past, to notice that the run goes round (Brent): replaced after 1, 2, 4, …
        let (mut past, mut past_block) = (Vec::new(), None);
        let mut meter = Meter::new(work);
        for steps in 0..STRAIGHT {
            if self.may_choose(&state) {
                return Straight::Choice(state);
            }
            if let Some(reason) = meter.count(self, &state, work) {
                return Straight::Stopped(reason);
            }
            let block = (state.frames.len(), state.top().proc, state.top().block);
            let renew = steps.is_power_of_two();
            if (renew || past_block == Some(block)) && self.encode(&mut state, work) {
                if renew {
                    (past, past_block) = (work.key.clone(), Some(block));
                } else if past == work.key {
                    return Straight::Ended;
                }
            }
            work.stats.states += 1;
            work.choices.restart();
            match self.run_block(&mut state, &mut work.choices, &mut work.stats) {
                None => self.forget_dead(&mut state),
                Some(Finish::Failed(failure)) => {
                    return Straight::Failed(self.place(&state, &failure), failure);
                }
                Some(finish) => {
                    work.note(finish);
                    return Straight::Ended;
                }
            }
        }
        work.stats.cut_by_steps += 1;
        Straight::Ended
    }
}
