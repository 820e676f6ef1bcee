//! A memory limit for engines that do not count their bytes.
//!
//! A thread looks at the resident memory of the process, and cancels the work when it has grown by
//! more than the limit: since the procedure was begun, so that what an engine before this one has left
//! counts, or else since the watch began. Where the system does not tell (only Linux does), there is
//! no limit.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::engine::Budget;
use crate::memory::resident;

/// How often the thread looks.
const INTERVAL: Duration = Duration::from_millis(20);

/// Watches the memory as long as it lives.
#[derive(Debug)]
pub struct Watch {
    budget: Budget,
    /// Dropping the sender ends the thread.
    thread: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Watch {
    /// Watches from now on, if the budget limits the memory.
    pub fn new(budget: &Budget) -> Watch {
        let (Some(limit), Some(start)) = (budget.memory, budget.before.or_else(resident)) else {
            return Watch { budget: budget.clone(), thread: None };
        };
        let user = budget.cancel.clone();
        let budget = Budget { cancel: Arc::default(), full: Arc::default(), ..budget.clone() };
        let (full, stop) = (budget.full.clone(), budget.cancel.clone());
        let (sender, receiver) = channel::<()>();
        let look = move || {
            while receiver.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
                let grown = resident().map_or(0, |now| now.saturating_sub(start));
                if grown > limit {
                    full.store(true, Ordering::Relaxed);
                }
                if grown > limit || user.load(Ordering::Relaxed) {
                    stop.store(true, Ordering::Relaxed);
                }
            }
        };
        let thread = Some((sender, std::thread::spawn(look)));
        Watch { budget, thread }
    }

    /// The budget that is used up when the limit is exceeded, too.
    pub fn budget(&self) -> &Budget {
        &self.budget
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if let Some((sender, thread)) = self.thread.take() {
            drop(sender);
            // It cannot panic, and if it did there would be nothing to do.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;

    use std::time::Instant;
    use trellis_logic::StopReason;

    fn wait_for(flag: &AtomicBool) -> bool {
        let start = Instant::now();
        while !flag.load(Ordering::Relaxed) && start.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(5));
        }
        flag.load(Ordering::Relaxed)
    }

    #[test]
    fn growth_beyond_the_limit_ends_the_work() {
        let watch = Watch::new(&Budget { memory: Some(16 << 20), ..Budget::default() });
        // A compiler that sees through it would allocate nothing.
        let bytes = std::hint::black_box(vec![1_u8; 256 << 20]);
        assert!(wait_for(&watch.budget().cancel));
        assert_eq!(watch.budget().check(), Err(StopReason::Memory));
        assert_eq!(bytes[bytes.len() - 1], 1);
    }

    #[test]
    fn the_user_can_end_it_too() {
        for memory in [None, Some(1 << 40)] {
            let budget = Budget { memory, ..Budget::default() };
            let watch = Watch::new(&budget);
            budget.cancel.store(true, Ordering::Relaxed);
            assert!(wait_for(&watch.budget().cancel));
            assert_eq!(watch.budget().check(), Err(StopReason::Cancelled));
        }
    }
}
