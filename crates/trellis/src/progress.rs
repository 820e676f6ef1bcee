//! The line that shows what goes on while an engine works. On a terminal only.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use trellis_driver::Progress;

/// Shown only after this long: most answers are faster, and a flicker helps nobody.
const PATIENCE: Duration = Duration::from_millis(300);
/// Time between two looks at the counters.
const BEAT: Duration = Duration::from_millis(50);

/// A line, shown until it is dropped.
pub struct Line {
    done: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Line {
    /// Shows a title and the counters, if there is a terminal.
    pub fn begin(title: String, progress: &Arc<Progress>) -> Line {
        let done = Arc::new(AtomicBool::new(false));
        if !std::io::IsTerminal::is_terminal(&std::io::stderr()) {
            return Line { done, thread: None };
        }
        let (progress, end) = (Arc::clone(progress), Arc::clone(&done));
        let thread = thread::spawn(move || show(&title, &progress, &end));
        Line { done, thread: Some(thread) }
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.done.store(true, Ordering::Release);
        if let Some(thread) = self.thread.take() {
            // A line that could not be shown is no reason to end.
            let _ = thread.join();
        }
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
