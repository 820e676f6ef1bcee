//! One run of a prover: a file in, what it prints out, and an end in any case.
//!
//! **Invariant.** A run ends soon after its time, whatever the process does: it is killed, and its
//! pipe is left to a thread if somebody else keeps it open.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use crate::Why;

/// More output than this is not read.
const MOST_OUTPUT: u64 = 1 << 20;
/// How often a process is looked at.
const PAUSE: Duration = Duration::from_millis(1);
/// How long the output of a process that has ended may take.
const AFTERWARDS: Duration = Duration::from_millis(300);

/// A file that is there for one question.
struct Scratch(PathBuf);

impl Scratch {
    fn new(text: &str, extension: &str) -> std::io::Result<Scratch> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        loop {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let name = format!("trellis-{}-{number}.{extension}", std::process::id());
            let path = std::env::temp_dir().join(name);
            match std::fs::OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(mut file) => {
                    let scratch = Scratch(path);
                    file.write_all(text.as_bytes())?;
                    return Ok(scratch);
                }
                Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(e) => return Err(e),
            }
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Somebody may have tidied up before us.
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Runs a program on a file and gives what it prints.
///
/// # Errors
/// Why there is nothing.
pub fn run(
    program: &Path,
    args: &[String],
    text: &str,
    extension: &str,
    time: Duration,
    cancel: &AtomicBool,
) -> Result<String, Why> {
    let scratch = Scratch::new(text, extension).map_err(|e| Why::Broken(e.to_string()))?;
    let child = Command::new(program)
        .args(args)
        .arg(&scratch.0)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let mut child = match child {
        Ok(child) => child,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Err(Why::Missing),
        Err(e) => return Err(Why::Broken(e.to_string())),
    };
    let (send, receive) = mpsc::channel();
    if let Some(out) = child.stdout.take() {
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            // What came before an error is what there is.
            let _ = out.take(MOST_OUTPUT).read_to_end(&mut bytes);
            let _ = send.send(String::from_utf8_lossy(&bytes).into_owned());
        });
    }
    let deadline = Instant::now() + time;
    loop {
        match child.try_wait() {
            Ok(Some(_)) => break,
            Ok(None) if Instant::now() < deadline && !cancel.load(Ordering::Relaxed) => {
                std::thread::sleep(PAUSE);
            }
            _ => {
                // It may have ended just now.
                let _ = child.kill();
                let _ = child.wait();
                return Err(Why::Time);
            }
        }
    }
    receive.recv_timeout(AFTERWARDS).map_err(|_| Why::Broken(String::new()))
}

/// The beginning of what a prover said, for a message.
pub fn excerpt(said: &str) -> Why {
    Why::Broken(said.trim().chars().take(80).collect())
}
