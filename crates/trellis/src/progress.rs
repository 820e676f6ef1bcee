//! The line that shows what goes on while an engine works. On a terminal only.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use trellis_driver::Progress;

/// Shown only after this long: most answers are faster, and a flicker helps nobody.
const PATIENCE: Duration = Duration::from_millis(300);
/// Time between two looks at the counters.
const BEAT: Duration = Duration::from_millis(50);

/// Runs `work` and meanwhile shows `title` and the counters.
pub fn watch<T>(title: &str, progress: &Progress, work: impl FnOnce() -> T) -> T {
    if !std::io::IsTerminal::is_terminal(&std::io::stderr()) {
        return work();
    }
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| show(title, progress, &done));
        // Also when `work` panics, so that the scope can end.
        let _finish = SetOnDrop(&done);
        work()
    })
}

struct SetOnDrop<'a>(&'a AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}

fn show(title: &str, progress: &Progress, done: &AtomicBool) {
    let started = Instant::now();
    let mut bar: Option<ProgressBar> = None;
    while !done.load(Ordering::Acquire) {
        if bar.is_none() && started.elapsed() >= PATIENCE {
            let style = ProgressStyle::with_template("{spinner} {msg}")
                .unwrap_or_else(|_| ProgressStyle::default_spinner());
            bar = Some(ProgressBar::new_spinner().with_style(style));
        }
        if let Some(bar) = &bar {
            let seconds = started.elapsed().as_secs_f64();
            bar.set_message(format!("{title}: {}, {seconds:.1} s", progress.describe()));
            bar.tick();
        }
        thread::sleep(BEAT);
    }
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
}
