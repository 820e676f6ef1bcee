//! Ctrl-C.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use trellis_report::Exit;

/// The flag that the first interrupt sets, so that the work ends cleanly; the second ends it at once.
pub fn flag() -> Arc<AtomicBool> {
    static FLAG: OnceLock<Arc<AtomicBool>> = OnceLock::new();
    let install = || {
        let cancel = Arc::new(AtomicBool::new(false));
        let interrupted = Arc::clone(&cancel);
        // Without a handler an interrupt just kills the process, which is what the user wanted.
        let _ = ctrlc::set_handler(move || {
            if interrupted.swap(true, Ordering::Relaxed) {
                std::process::exit(i32::from(Exit::Otherwise.code()));
            }
        });
        cancel
    };
    Arc::clone(FLAG.get_or_init(install))
}
