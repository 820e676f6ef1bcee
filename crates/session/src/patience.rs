//! The last resort against work that does not look at the clock often enough.
//!
//! Everything that can take long looks at its budget; what is overlooked must not keep the user
//! waiting. So work with a time limit is done by a thread of its own, and is left behind if it does
//! not answer soon after the limit. It ends with the process.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// How long after the limit work may still answer.
const GRACE: Duration = Duration::from_millis(700);

/// As much stack as deep formulas and programs need.
const STACK: usize = 64 << 20;

/// What the work comes to, if it does within a time; without a limit it is just done.
pub fn within<T: Send + 'static>(
    limit: Option<Duration>,
    work: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    let Some(limit) = limit.and_then(|l| l.checked_add(GRACE)) else {
        return Some(work());
    };
    let (sender, receiver) = channel();
    let thread = thread::Builder::new().stack_size(STACK).spawn(move || {
        // If nobody waits any more, nobody wants to know.
        let _ = sender.send(work());
    });
    // Without threads there is no answer in time.
    let thread = thread.ok()?;
    match receiver.recv_timeout(limit) {
        Ok(found) => Some(found),
        Err(RecvTimeoutError::Timeout) => None,
        Err(RecvTimeoutError::Disconnected) => match thread.join() {
            Ok(()) => None,
            Err(panic) => std::panic::resume_unwind(panic),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_done_or_left_behind() {
        assert_eq!(within(None, || 1), Some(1));
        assert_eq!(within(Some(Duration::from_secs(3600)), || 2), Some(2));
        let endless = || -> u32 {
            loop {
                thread::park();
            }
        };
        assert_eq!(within(Some(Duration::ZERO), endless), None);
    }
}
