//! Rounds side by side: exploration on one thread, provers on another.
//!
//! **Invariant.** A lane runs its rounds in the order of the plan. A round is left out or cancelled
//! only if a round before it in the plan has decided, or the budget is over; so the first round that
//! decides is the one that would have done so if all had run in turn.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::{Round, decides, in_turn, is_final};
use crate::ProcedureResult;
use crate::engine::{Budget, Progress, Task};

/// How often the user's wish to stop is looked at.
const BEAT: Duration = Duration::from_millis(20);

/// As much stack as deep formulas and programs need.
const STACK: usize = 64 << 20;

/// One thread's rounds.
struct Lane<'a> {
    /// With their places in the plan.
    rounds: Vec<(usize, &'a Round)>,
    cancel: Arc<AtomicBool>,
    /// The round that runs now.
    now: Mutex<usize>,
}

/// Runs the first round, and then the others side by side. Gives the results in the order of the
/// plan, up to the first that decides.
pub(super) fn side_by_side(
    rounds: &[Round],
    task: &Task<'_>,
    budget: &Budget,
    progress: &Progress,
) -> Vec<ProcedureResult> {
    let Some((first, rest)) = rounds.split_first() else { return Vec::new() };
    let mut results = in_turn(std::slice::from_ref(first), task, budget, progress);
    if rest.is_empty() || results.iter().any(decides) || budget.check().is_err() {
        return results;
    }
    let lanes = lanes(rest, first, is_final(&results[0]));
    let found: Mutex<Vec<(usize, ProcedureResult)>> = Mutex::default();
    std::thread::scope(|scope| {
        let (sender, receiver) = channel::<()>();
        for lane in &lanes {
            let (sender, lanes, found) = (sender.clone(), &lanes, &found);
            let run = move || lane.run(lanes, task, budget, progress, found, &sender);
            let thread = std::thread::Builder::new().stack_size(STACK);
            // Without a thread the lane is left out, as if its time were over.
            let _ = thread.spawn_scoped(scope, run);
        }
        drop(sender);
        while receiver.recv_timeout(BEAT) != Err(RecvTimeoutError::Disconnected) {
            if budget.is_cancelled() {
                lanes.iter().for_each(|lane| lane.cancel.store(true, Ordering::Relaxed));
            }
        }
    });
    let mut found = found.into_inner().unwrap_or_default();
    found.sort_by_key(|(place, _)| *place);
    let until = found.iter().position(|(_, r)| decides(r)).map_or(found.len(), |i| i + 1);
    results.extend(found.into_iter().take(until).map(|(_, result)| result));
    results
}

/// The rounds of the first engine, and those of all others.
fn lanes<'a>(rest: &'a [Round], first: &Round, first_is_final: bool) -> Vec<Lane<'a>> {
    let numbered = || rest.iter().enumerate();
    let is_first = |round: &Round| round.engine.name() == first.engine.name();
    let same = numbered().filter(|(_, r)| is_first(r) && !first_is_final);
    let others = numbered().filter(|(_, r)| !is_first(r));
    [same.collect::<Vec<_>>(), others.collect()]
        .into_iter()
        .filter(|rounds| !rounds.is_empty())
        .map(|rounds| Lane { rounds, cancel: Arc::default(), now: Mutex::new(0) })
        .collect()
}

impl Lane<'_> {
    fn run(
        &self,
        lanes: &[Lane<'_>],
        task: &Task<'_>,
        budget: &Budget,
        progress: &Progress,
        found: &Mutex<Vec<(usize, ProcedureResult)>>,
        _alive: &Sender<()>,
    ) {
        let budget = Budget { cancel: Arc::clone(&self.cancel), ..budget.clone() };
        let mut asked: Vec<&'static str> = Vec::new();
        for (place, round) in &self.rounds {
            if asked.contains(&round.engine.name()) {
                continue;
            }
            if !self.begin(*place, found) || budget.check().is_err() {
                return;
            }
            let result = round.run(task, &budget, progress);
            if is_final(&result) {
                asked.push(result.engine);
            }
            let decided = decides(&result);
            if let Ok(mut found) = found.lock() {
                found.push((*place, result));
            }
            if decided {
                lanes.iter().for_each(|lane| lane.end_after(*place));
                return;
            }
        }
    }

    /// Notes which round begins; false if an earlier one has decided.
    fn begin(&self, place: usize, found: &Mutex<Vec<(usize, ProcedureResult)>>) -> bool {
        if let Ok(mut now) = self.now.lock() {
            *now = place;
        }
        found.lock().is_ok_and(|found| !found.iter().any(|(p, r)| *p < place && decides(r)))
    }

    /// Ends the round that runs if it comes after one that has decided.
    fn end_after(&self, place: usize) {
        if self.now.lock().is_ok_and(|now| *now > place) {
            self.cancel.store(true, Ordering::Relaxed);
        }
    }
}
