//! What work may cost: a clock that started once, memory, a number of units of work, and a flag that
//! ends it early.
//!
//! It lives below everything that can take long, so that all of it can look at the same clock.
//!
//! **Invariant.** Copies share the start of the clock and the flags: whoever passes a budget on
//! passes on what is left of it, never a new one. Only [`Budget::restart`] starts a clock.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Why work ends before it is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopReason {
    /// Time is over.
    Time,
    /// Memory is used up.
    Memory,
    /// Somebody wants it to end.
    Cancelled,
    /// So much work as was allowed is done.
    Work,
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            StopReason::Time => "the time limit is over",
            StopReason::Memory => "the memory limit is used up",
            StopReason::Cancelled => "cancelled",
            StopReason::Work => "the work that was allowed is done",
        })
    }
}

impl std::error::Error for StopReason {}

/// How much work is left, in units of about a microsecond; copies share it. Unlike time it is the
/// same in every run, as long as one thread spends it.
#[derive(Clone, Debug, Default)]
pub struct Work(Option<Arc<AtomicU64>>);

impl Work {
    /// So many units.
    pub fn of(units: u64) -> Work {
        Work(Some(Arc::new(AtomicU64::new(units))))
    }

    /// Spends some.
    pub fn spend(&self, units: u64) {
        if let Some(left) = &self.0 {
            let now = left.load(Ordering::Relaxed).saturating_sub(units);
            left.store(now, Ordering::Relaxed);
        }
    }

    /// Whether none is left.
    pub fn is_done(&self) -> bool {
        self.0.as_ref().is_some_and(|left| left.load(Ordering::Relaxed) == 0)
    }

    /// Whether there is a limit at all.
    pub fn is_limited(&self) -> bool {
        self.0.is_some()
    }
}

/// What work may cost.
#[derive(Clone, Debug)]
pub struct Budget {
    /// When the clock started.
    pub started: Instant,
    /// Wall-clock time from there; `None` for no limit.
    pub timeout: Option<Duration>,
    /// Bytes; `None` for no limit.
    pub memory: Option<u64>,
    /// The bytes that were there before the work began, which do not count.
    pub before: Option<u64>,
    /// Set by whoever wants the work to end.
    pub cancel: Arc<AtomicBool>,
    /// Set together with `cancel` by whoever sees that memory is used up.
    pub full: Arc<AtomicBool>,
    /// Units of work.
    pub work: Work,
}

/// No limits; the clock starts now.
impl Default for Budget {
    fn default() -> Budget {
        Budget {
            started: Instant::now(),
            timeout: None,
            memory: None,
            before: None,
            cancel: Arc::default(),
            full: Arc::default(),
            work: Work::default(),
        }
    }
}

impl Budget {
    /// The same limits for another piece of work that begins now.
    #[must_use]
    pub fn restart(&self) -> Budget {
        Budget { started: Instant::now(), full: Arc::default(), ..self.clone() }
    }

    /// When time is over.
    pub fn deadline(&self) -> Option<Instant> {
        self.timeout.and_then(|t| self.started.checked_add(t))
    }

    /// How much time is left; `None` for no limit.
    pub fn remaining(&self) -> Option<Duration> {
        self.deadline().map(|d| d.saturating_duration_since(Instant::now()))
    }

    /// What is left of it, but at most so much time from now.
    #[must_use]
    pub fn at_most(&self, time: Duration) -> Budget {
        let time = self.remaining().map_or(time, |left| left.min(time));
        Budget { started: Instant::now(), timeout: Some(time), ..self.clone() }
    }

    /// Whether somebody wants the work to end.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    /// Whether the work may go on.
    ///
    /// # Errors
    /// Why not.
    pub fn check(&self) -> Result<(), StopReason> {
        if self.is_cancelled() {
            return Err(match self.full.load(Ordering::Relaxed) {
                true => StopReason::Memory,
                false => StopReason::Cancelled,
            });
        }
        if self.work.is_done() {
            return Err(StopReason::Work);
        }
        match self.deadline().is_some_and(|d| Instant::now() >= d) {
            true => Err(StopReason::Time),
            false => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_spent_by_all_copies() {
        let budget = Budget { work: Work::of(10), ..Budget::default() };
        budget.clone().work.spend(9);
        assert_eq!(budget.check(), Ok(()));
        budget.restart().work.spend(2);
        assert_eq!(budget.check(), Err(StopReason::Work));
        let endless = Work::default();
        endless.spend(u64::MAX);
        assert!(!endless.is_done());
    }

    #[test]
    fn the_clock_starts_once() {
        let budget = Budget { timeout: Some(Duration::ZERO), ..Budget::default() };
        assert_eq!(budget.check(), Err(StopReason::Time));
        assert_eq!(budget.deadline(), budget.clone().deadline());
        assert_eq!(budget.at_most(Duration::from_secs(60)).check(), Err(StopReason::Time));
        let long = Budget { timeout: Some(Duration::from_secs(3600)), ..Budget::default() };
        assert_eq!(long.check(), Ok(()));
        assert_eq!(long.at_most(Duration::ZERO).check(), Err(StopReason::Time));
    }

    #[test]
    fn copies_share_the_flags() {
        let budget = Budget::default();
        let copy = budget.at_most(Duration::from_secs(60));
        budget.full.store(true, Ordering::Relaxed);
        assert_eq!(copy.check(), Ok(()), "memory is used up when somebody says so with `cancel`");
        budget.cancel.store(true, Ordering::Relaxed);
        assert_eq!(copy.check(), Err(StopReason::Memory));
        assert_eq!(copy.restart().check(), Err(StopReason::Cancelled));
    }
}
