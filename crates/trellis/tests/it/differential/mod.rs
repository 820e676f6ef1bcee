//! The interpreter against gcc's sanitizers: on the same program both fail in the same way, on the
//! same line, or not at all.
//!
//! * [`generate`](mod@trellis_testkit::generate) writes random programs, half of them wrong;
//! * [`sanitizer`] compiles and runs them;
//! * [`interpret`] interprets them;
//! * [`examples`] runs the harnesses of the examples for real.

mod examples;
mod interpret;
pub mod sanitizer;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use trellis_testkit::generate::{Generated, Tape, generate, generate_bytes};

/// What one of the two says about a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Observed {
    /// Nothing is wrong.
    Clean,
    /// A check fails; the kinds are Trellis's.
    Failed { kind: &'static str, line: usize },
    /// Objects are leaked; for each, the line that allocated it and the lines of the calls.
    Leak { lines: BTreeSet<Vec<usize>> },
    /// Anything else.
    Unclear(String),
}

impl Observed {
    fn kind(&self) -> &str {
        match self {
            Observed::Clean => "clean",
            Observed::Failed { kind, .. } => kind,
            Observed::Leak { .. } => "leak",
            Observed::Unclear(_) => "unclear",
        }
    }
}

impl fmt::Display for Observed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Observed::Clean => write!(f, "clean"),
            Observed::Failed { kind, line } => write!(f, "{kind} at line {line}"),
            Observed::Leak { lines } => write!(f, "leak of what lines {lines:?} allocated"),
            Observed::Unclear(what) => write!(f, "unclear: {what}"),
        }
    }
}

/// Kinds of failure that sanitizers do not see.
const INVISIBLE: &[&str] = &["uninit"];

/// Far more than any piece of work takes.
const STUCK: Duration = Duration::from_secs(600);

/// Calls `work` on every number below `count`, on all cores. A number that takes for ever is named, and
/// the process ends: a test that says nothing would take the whole run with it.
pub fn in_parallel(count: usize, work: impl Fn(usize) + Sync) {
    let next = AtomicUsize::new(0);
    let running: Mutex<BTreeMap<usize, Instant>> = Mutex::default();
    let (done, waits) = mpsc::channel::<()>();
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            let done = done.clone();
            let (next, running, work) = (&next, &running, &work);
            scope.spawn(move || {
                let _held = done;
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    if i >= count {
                        break;
                    }
                    running.lock().expect("no panic").insert(i, Instant::now());
                    work(i);
                    running.lock().expect("no panic").remove(&i);
                }
            });
        }
        drop(done);
        // Ends when the last worker has dropped its end of the channel.
        while waits.recv_timeout(Duration::from_secs(5)) == Err(RecvTimeoutError::Timeout) {
            let running = running.lock().expect("no panic");
            if let Some((i, _)) = running.iter().find(|(_, since)| since.elapsed() > STUCK) {
                // Not `eprintln!`, which waits for the end of the test.
                let _ = writeln!(io::stderr(), "{i} of {count} has not ended in {STUCK:?}");
                std::process::exit(101);
            }
        }
    });
}

/// Disagreements that are printed in full.
const SHOWN: usize = 10;

/// Programs in one binary.
const BATCH: usize = 50;

#[test]
fn sanitizers_and_the_interpreter_agree_on_random_programs() {
    let count: usize = if crate::slow() { 5000 } else { 600 };
    let programs = (0..count).map(|i| generate(Tape::Seeded(i as u64 * 0x51ed_2701)));
    agree_on(programs.collect(), KINDS);
}

#[test]
fn sanitizers_and_the_interpreter_agree_on_bytes() {
    let count: usize = if crate::slow() { 3000 } else { 400 };
    let programs = (0..count).map(|i| generate_bytes(Tape::Seeded(i as u64 * 0x7f4a_7c15)));
    agree_on(programs.collect(), BYTE_KINDS);
}

/// What at least one program of two hundred about bytes does wrong.
const BYTE_KINDS: &[&str] = &["bounds", "use-after-free", "assertion", "overflow", "negative-size"];

/// Compares both on programs, half of which are wrong in several ways.
fn agree_on(programs: Vec<Generated>, kinds: &[&str]) {
    let count = programs.len();
    let folder = tempfile::tempdir().expect("a scratch folder");
    let folder = folder.path();
    let tally = Mutex::new(BTreeMap::<String, usize>::new());
    let problems = Mutex::new(BTreeMap::new());
    in_parallel(count.div_ceil(BATCH), |batch| {
        let numbers = batch * BATCH..count.min((batch + 1) * BATCH);
        let texts: Vec<_> = numbers.clone().map(|i| (i, programs[i].text.as_str())).collect();
        let source = folder.join(format!("batch{batch}.c"));
        sanitizer::write_batch(&texts, &source);
        let binary = folder.join(format!("batch{batch}"));
        sanitizer::compile(&[source], &[], &binary);
        for i in numbers {
            let kind = match compare(i, &programs[i], folder, &binary) {
                Ok(kind) => kind,
                Err(report) => {
                    problems.lock().expect("no panic").insert(i, report);
                    "disagreement".to_owned()
                }
            };
            *tally.lock().expect("no panic").entry(kind).or_default() += 1;
        }
    });
    let tally = tally.into_inner().expect("no panic");
    let problems = problems.into_inner().expect("no panic");
    println!("{count} programs: {tally:?}");
    let reports: Vec<&str> = problems.values().take(SHOWN).map(String::as_str).collect();
    assert!(
        problems.is_empty(),
        "{} of {count} programs disagree: {:?}\n{}",
        problems.len(),
        problems.keys(),
        reports.join("\n")
    );
    // A generator that makes only correct programs, or only one mistake, tests nothing.
    let of = |kind: &str| tally.get(kind).copied().unwrap_or(0);
    let skipped = of("uninit") + of(UNSPECIFIED);
    assert!(skipped * 20 < count, "too many programs are skipped: {tally:?}");
    let buggy = count - of("clean") - skipped;
    assert!((35..=65).contains(&(buggy * 100 / count)), "{buggy} of {count} are wrong: {tally:?}");
    for kind in kinds {
        assert!(of(kind) * 200 >= count, "too few programs with {kind}: {tally:?}");
    }
}

#[test]
fn every_recording_is_a_program() {
    let bytes: Vec<u8> = (0..2000u32).map(|i| (i * i / 7 + i) as u8).collect();
    for length in [0, 1, 10, 100, 1000, 2000] {
        let write = || generate(Tape::Recorded(bytes[..length].iter())).text;
        let text = write();
        assert!(text.contains("int main(void) {"), "no main after {length} bytes:\n{text}");
        assert_eq!(text, write(), "the tape alone decides");
    }
}

/// Why nobody can tell which way a program goes: C does not say whether a pointer to freed memory is
/// equal to one to a later object, and a compiled program shows one of the ways only.
const UNSPECIFIED: &str = "depends on where objects lie in memory";

/// What at least one program of two hundred does wrong.
const KINDS: &[&str] = &[
    "null-deref",
    "use-after-free",
    "double-free",
    "invalid-free",
    "bounds",
    "leak",
    "assertion",
    "div-by-zero",
    "overflow",
    "overlap",
    "unreachable",
];

/// The kind on which both agree, or a report of the disagreement.
fn compare(
    number: usize,
    program: &Generated,
    folder: &Path,
    binary: &Path,
) -> Result<String, String> {
    let name = format!("p{number}.c");
    let path = folder.join(&name);
    fs::write(&path, &program.text).expect("the scratch folder is writable");
    let ours = interpret::run(&interpret::read(&path)?);
    if INVISIBLE.contains(&ours.observed.kind()) {
        return Ok(ours.observed.kind().to_owned());
    }
    if matches!(&ours.observed, Observed::Unclear(why) if why.contains(UNSPECIFIED)) {
        return Ok(UNSPECIFIED.to_owned());
    }
    let theirs = sanitizer::run(binary, &[&number.to_string()], &[], &name);
    let same = match (&ours.observed, &theirs.observed) {
        (Observed::Clean, Observed::Clean) => {
            let out: Vec<String> = ours.out.iter().map(i64::to_string).collect();
            out.join(" ") == theirs.out.trim_end()
        }
        (Observed::Failed { kind: k, line: l }, Observed::Failed { kind, line }) => {
            l == line && (k == kind || program.unsequenced.contains(l))
        }
        (Observed::Unclear(_), _) | (_, Observed::Unclear(_)) => false,
        (a, b) => a == b,
    };
    if same {
        return Ok(ours.observed.kind().to_owned());
    }
    let lines = program.text.lines().zip(1..).map(|(text, n)| format!("{n:4} {text}\n"));
    Err(format!(
        "program {number}:\n{}\ninterpreter: {} {:?}\nsanitizer: {} [{}]\n{}",
        lines.collect::<String>(),
        ours.observed,
        ours.out,
        theirs.observed,
        theirs.out,
        theirs.report
    ))
}
