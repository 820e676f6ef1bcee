//! A solver process and its pipes.
//!
//! Three threads per process move bytes, so the caller never blocks on a pipe: one writes what we
//! say, one reads answers, one keeps the end of what the process complains. They end when the
//! process does.
//!
//! Every request ends with an `echo` of a marker that was not used before; what the process prints
//! up to the marker is the response. So an answer is never taken for that of another question.
//!
//! **Invariants**: [`Process::exchange`] returns at the deadline, or soon after the cancellation;
//! without a deadline, when its patience is at an end.
//! Dropping kills the process and waits for it, so there are no zombies. Output that nobody asked
//! for stops the process, not us: the channel for it is bounded.

use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use trellis_solver::{Limits, Unknown};

/// How often to look whether somebody cancelled.
const PATIENCE: Duration = Duration::from_millis(10);
/// More than this is no answer.
const MAX_RESPONSE: usize = 64 << 20;
const CHUNK: usize = 16 << 10;
const CHUNKS_IN_FLIGHT: usize = 16;
/// How much of its complaints to keep.
const MAX_COMPLAINT: usize = 500;
/// How long to wait for the last of them.
const TIME_TO_COMPLAIN: Duration = Duration::from_millis(200);

/// Why there was no response.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Failure {
    /// The deadline passed, or somebody cancelled.
    Stopped(Unknown),
    /// What the process did instead, to be read after its name.
    Broken(String),
}

/// A running solver.
pub(crate) struct Process {
    child: Child,
    input: Sender<Vec<u8>>,
    output: Receiver<Vec<u8>>,
    complaints: Arc<Mutex<Vec<u8>>>,
    markers: u64,
    /// How long to wait where there is no deadline.
    patience: Duration,
}

impl Process {
    /// Starts a solver.
    pub(crate) fn start(
        program: &Path,
        arguments: &[OsString],
        patience: Duration,
    ) -> std::io::Result<Process> {
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let (input, to_write) = mpsc::channel::<Vec<u8>>();
        if let Some(mut stdin) = child.stdin.take() {
            thread::spawn(move || {
                while let Ok(bytes) = to_write.recv() {
                    if stdin.write_all(&bytes).and_then(|()| stdin.flush()).is_err() {
                        return;
                    }
                }
            });
        }
        let (from_output, output) = mpsc::sync_channel(CHUNKS_IN_FLIGHT);
        if let Some(stdout) = child.stdout.take() {
            thread::spawn(move || read_all(stdout, |bytes| from_output.send(bytes).is_ok()));
        }
        let complaints = Arc::new(Mutex::new(Vec::new()));
        if let Some(stderr) = child.stderr.take() {
            let complaints = complaints.clone();
            thread::spawn(move || {
                read_all(stderr, |bytes| {
                    if let Ok(mut kept) = complaints.lock() {
                        let room = MAX_COMPLAINT.saturating_sub(kept.len());
                        kept.extend_from_slice(&bytes[..bytes.len().min(room)]);
                    }
                    true
                });
            });
        }
        Ok(Process { child, input, output, complaints, markers: 0, patience })
    }

    /// The process id.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Whether it still runs.
    pub(crate) fn is_alive(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Says something, and gives everything that was printed in response.
    ///
    /// After an error the process is in an unknown state and should be dropped.
    pub(crate) fn exchange(&mut self, text: &str, limits: &Limits) -> Result<String, Failure> {
        self.markers += 1;
        let marker = format!("trellis-{}", self.markers);
        // If the writer is gone the process is too, and reading will tell.
        let _ = self.input.send(format!("{text}(echo \"{marker}\")\n").into_bytes());
        let mut response = Vec::new();
        let mut scanned = 0;
        let start = Instant::now();
        loop {
            if let Some(end) = find_line(&response, &mut scanned, &marker) {
                response.truncate(end);
                return String::from_utf8(response)
                    .map_err(|_| Failure::Broken("printed what is not text".into()));
            }
            if response.len() > MAX_RESPONSE {
                return Err(Failure::Broken("printed without end".into()));
            }
            match self.receive(start, limits) {
                Ok(bytes) => response.extend_from_slice(&bytes),
                Err(Failure::Broken(how)) if how.is_empty() => {
                    return Err(self.obituary(&response, limits));
                }
                Err(stopped) => return Err(stopped),
            }
        }
    }

    /// The next bytes of the answer to what was asked at `start`.
    fn receive(&self, start: Instant, limits: &Limits) -> Result<Vec<u8>, Failure> {
        loop {
            if let Some(reason) = limits.exceeded() {
                return Err(Failure::Stopped(reason));
            }
            let rest = match limits.deadline {
                Some(deadline) => deadline.saturating_duration_since(Instant::now()),
                None => self.patience.saturating_sub(start.elapsed()),
            };
            if limits.deadline.is_none() && rest.is_zero() {
                let seconds = self.patience.as_secs_f64();
                return Err(Failure::Broken(format!("did not answer within {seconds} seconds")));
            }
            let wait = if limits.cancel.is_some() { rest.min(PATIENCE) } else { rest };
            match self.output.recv_timeout(wait) {
                Ok(bytes) => return Ok(bytes),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(Failure::Broken(String::new())),
            }
        }
    }

    /// What to say about a process that closed its output.
    fn obituary(&mut self, last_words: &[u8], limits: &Limits) -> Failure {
        if let Some(reason) = limits.exceeded() {
            return Failure::Stopped(reason);
        }
        let _ = self.child.kill();
        let how = match self.child.wait() {
            Ok(status) => format!("ended unexpectedly ({status})"),
            Err(error) => format!("ended unexpectedly ({error})"),
        };
        // The complaint may still be on its way: the thread that reads it shares the buffer.
        let patience = Instant::now() + TIME_TO_COMPLAIN;
        while Arc::strong_count(&self.complaints) > 1 && Instant::now() < patience {
            thread::sleep(Duration::from_millis(1));
        }
        let complaint = self.complaints.lock().map(|c| excerpt(&c)).unwrap_or_default();
        let words = if complaint.is_empty() { excerpt(last_words) } else { complaint };
        Failure::Broken(if words.is_empty() { how } else { format!("{how}, saying: {words}") })
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The beginning of what was printed, on one line.
pub(crate) fn excerpt(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(MAX_COMPLAINT)]);
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match words.char_indices().nth(200) {
        Some((end, _)) => format!("{}…", &words[..end]),
        None => words,
    }
}

/// Where the line with the marker begins. z3 echoes a string without its quotes, cvc5 with them.
fn find_line(bytes: &[u8], scanned: &mut usize, marker: &str) -> Option<usize> {
    while let Some(length) = bytes[*scanned..].iter().position(|&b| b == b'\n') {
        let begin = *scanned;
        *scanned += length + 1;
        let line = bytes[begin..begin + length].trim_ascii();
        let line = line.strip_prefix(b"\"").and_then(|l| l.strip_suffix(b"\"")).unwrap_or(line);
        if line == marker.as_bytes() {
            return Some(begin);
        }
    }
    None
}

/// Gives everything from a pipe to `take`, until that says to stop or the pipe ends.
fn read_all(mut pipe: impl Read, mut take: impl FnMut(Vec<u8>) -> bool) {
    let mut chunk = vec![0; CHUNK];
    while let Ok(length @ 1..) = pipe.read(&mut chunk) {
        if !take(chunk[..length].to_vec()) {
            return;
        }
    }
}
