//! CPU time: what work cost, however busy the machine is.

use std::time::Duration;

use cpu_time::ThreadTime;

/// A point in the CPU time of this thread and of the solver processes that have ended.
#[derive(Clone, Copy, Debug)]
pub struct CpuTime {
    thread: ThreadTime,
    children: Duration,
}

impl CpuTime {
    /// Now.
    pub fn now() -> CpuTime {
        CpuTime { thread: ThreadTime::now(), children: children() }
    }

    /// What this thread has used since, and what processes used that have ended since.
    pub fn elapsed(&self) -> Duration {
        self.thread.elapsed() + children().saturating_sub(self.children)
    }

    /// The same in seconds.
    pub fn seconds(&self) -> f64 {
        self.elapsed().as_secs_f64()
    }
}

/// The time of all processes that were waited for. Zero where the system does not tell, so that
/// there only our own time counts.
fn children() -> Duration {
    /// The kernel counts in these, whatever the machine.
    const TICKS_A_SECOND: u64 = 100;
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name of the program comes second and may hold anything; it ends with the last bracket.
    let after_name = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
    let field = |n: usize| -> u64 {
        after_name.split_whitespace().nth(n).and_then(|w| w.parse().ok()).unwrap_or(0)
    };
    Duration::from_millis((field(13) + field(14)) * 1000 / TICKS_A_SECOND)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_takes_time() {
        let start = CpuTime::now();
        let mut sum = 0u64;
        while start.elapsed() < Duration::from_millis(5) {
            sum = std::hint::black_box(sum + 1);
        }
        assert!(sum > 0);
        assert!(start.seconds() >= 0.005);
    }
}
