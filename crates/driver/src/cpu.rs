//! CPU time: what work cost, however busy the machine is.

use std::time::Duration;

use cpu_time::{ProcessTime, ThreadTime};

/// A point in the CPU time of this thread, or of all threads, and of the solver processes that have
/// ended.
#[derive(Clone, Copy, Debug)]
pub struct CpuTime {
    own: Own,
    children: Duration,
}

/// Whose time counts beside that of processes.
#[derive(Clone, Copy, Debug)]
enum Own {
    Thread(ThreadTime),
    Threads(ProcessTime),
}

impl CpuTime {
    /// Now, in the time of this thread.
    pub fn now() -> CpuTime {
        CpuTime { own: Own::Thread(ThreadTime::now()), children: children() }
    }

    /// Now, in the time of all threads of this process.
    pub fn of_all_threads() -> CpuTime {
        CpuTime { own: Own::Threads(ProcessTime::now()), children: children() }
    }

    /// What this thread, or all of them, has used since, and what processes used that have ended
    /// since.
    pub fn elapsed(&self) -> Duration {
        let own = match self.own {
            Own::Thread(start) => start.elapsed(),
            Own::Threads(start) => start.elapsed(),
        };
        own + children().saturating_sub(self.children)
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
        let all = CpuTime::of_all_threads();
        let start = CpuTime::now();
        let mut sum = 0u64;
        while start.elapsed() < Duration::from_millis(5) {
            sum = std::hint::black_box(sum + 1);
        }
        assert!(sum > 0);
        assert!(start.seconds() >= 0.005);
        assert!(all.seconds() >= 0.005);
    }
}
