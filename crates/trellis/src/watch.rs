//! `trellis verify --watch`: again whenever a file of the programs changes.
//!
//! Files are looked at twice a second, by time and size: that works on every file system, and costs
//! nothing beside a compiler. What is watched is what is named and the folders of it, so headers beside
//! a source count, too.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, SystemTime};

use trellis_report::Exit;

use crate::excuses::Suppression;
use crate::output::Output;
use crate::{cli, interrupt, verify};

/// Time between two looks.
const BEAT: Duration = Duration::from_millis(500);
/// How long nothing may change before a change is taken as complete: an editor empties a file first.
const REST: Duration = Duration::from_millis(50);

/// What tells whether a file has changed.
type Seen = BTreeMap<PathBuf, (Option<SystemTime>, u64)>;

/// Verifies, and again after every change, until the user ends it.
pub fn watch(
    cli: &cli::Verify,
    suppressions: &[Suppression],
    output: &mut Output,
) -> io::Result<Exit> {
    let cancel = interrupt::flag();
    loop {
        let before = settled(cli);
        let exit = verify::verify(cli, suppressions.to_vec(), output)?;
        output.finish()?;
        writeln!(output.err(), "waiting for changes; Ctrl-C ends it")?;
        while seen(cli) == before {
            if cancel.load(Ordering::Relaxed) {
                return Ok(exit);
            }
            thread::sleep(BEAT);
        }
        writeln!(output.out())?;
    }
}

/// The files that count, once nobody is writing them.
fn settled(cli: &cli::Verify) -> Seen {
    let mut before = seen(cli);
    loop {
        thread::sleep(REST);
        let now = seen(cli);
        if now == before {
            return now;
        }
        before = now;
    }
}

/// The files that count, as they are now.
fn seen(cli: &cli::Verify) -> Seen {
    let settings = &cli.front_end;
    let named = cli.files.iter().chain(&settings.models).chain(&settings.preincludes);
    let named = named.chain(&settings.compile_commands).chain(&cli.config);
    let mut seen = Seen::new();
    for path in named.chain(&settings.include_dirs) {
        let folder = match path.is_dir() {
            true => path.as_path(),
            false => path.parent().filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new(".")),
        };
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        for entry in entries {
            let path = entry.path();
            let source = path.extension().is_some_and(|e| {
                ["c", "h", "i", "java", "json", "toml"].iter().any(|known| e == *known)
            });
            if let (true, Ok(about)) = (source, entry.metadata()) {
                seen.insert(path, (about.modified().ok(), about.len()));
            }
        }
    }
    seen
}
