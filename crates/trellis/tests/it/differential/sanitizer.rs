//! What gcc's address, leak and undefined-behaviour sanitizers say about a program.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use trellis_harness::Judge;
use trellis_program::CheckKind;

use super::Observed;

/// Every report in full, redzones wide enough for an index that is off by one struct.
pub const ASAN: &str = "detect_leaks=1:detect_stack_use_after_return=1:redzone=128:\
                    handle_abort=1:allocator_may_return_null=1:alloc_dealloc_mismatch=0:\
                    print_legend=0:\
                    fast_unwind_on_malloc=1:symbolize=1";

/// Links sources into one program.
pub fn compile(sources: &[PathBuf], extra: &[&str], to: &Path) {
    let output = Command::new("gcc")
        .args(Judge::Sanitizers.flags())
        .args(extra)
        .args(sources)
        .arg("-o")
        .arg(to)
        .output();
    let output = output.expect("gcc is installed; ./test does that");
    assert!(
        output.status.success(),
        "gcc cannot compile the programs; are its sanitizers installed?\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// How a run ended.
pub struct Run {
    /// What was found.
    pub observed: Observed,
    /// Everything that was written to standard error.
    pub report: String,
    /// Everything that was written to standard output.
    pub out: String,
}

/// Runs a program; failures count in the file called `source`.
pub fn run(program: &Path, args: &[&str], env: &[(&str, String)], source: &str) -> Run {
    let output = Command::new(program)
        .args(args)
        .envs(env.iter().map(|(k, v)| (k, v)))
        .env("ASAN_OPTIONS", ASAN)
        .env("UBSAN_OPTIONS", "print_stacktrace=0")
        .output()
        .expect("the program was just compiled");
    Run::of(&output, source)
}

impl Run {
    /// What a process has said; failures count in the file called `source`.
    pub fn of(output: &Output, source: &str) -> Run {
        let report = String::from_utf8_lossy(&output.stderr).into_owned();
        let observed = read(&report, output, source);
        Run { observed, report, out: String::from_utf8_lossy(&output.stdout).into_owned() }
    }
}

fn read(report: &str, output: &Output, source: &str) -> Observed {
    if output.status.success() && report.is_empty() {
        return Observed::Clean;
    }
    let failed = |kind, line: Option<usize>| match line {
        Some(line) => Observed::Failed { kind, line },
        None => Observed::Unclear(format!("{kind} without a line in {source}")),
    };
    for text in report.lines() {
        // `p17.c:9:7: runtime error: member access within null pointer …`
        if let Some((place, what)) = text.split_once(": runtime error: ") {
            // A check of a harness has no column.
            let mut numbers = place.rsplit(':').map(|n| n.parse::<usize>().ok());
            let last = numbers.next().flatten();
            let line = numbers.next().flatten().or(last);
            if let Some(kind) = CheckKind::ALL.into_iter().find(|k| k.failure() == what) {
                return failed(kind.name(), line);
            }
            return match undefined_behaviour(what) {
                Some(kind) => failed(kind, line),
                None => Observed::Unclear(text.to_owned()),
            };
        }
        // `driver: p17.c:12: main_17: Assertion `x' failed.`
        if text.contains(": Assertion `") {
            let place = text.split(": ").nth(1).and_then(|p| p.rsplit(':').next());
            return failed("assertion", place.and_then(|l| l.parse().ok()));
        }
    }
    if report.contains("uninitialised") {
        return failed("uninit", report.lines().find_map(|l| memcheck_line(l, source)));
    }
    if report.contains("ERROR: LeakSanitizer") {
        return Observed::Leak { lines: leak_lines(report, source) };
    }
    let Some(headline) = report.lines().find(|l| l.contains("ERROR: AddressSanitizer: ")) else {
        return Observed::Unclear(format!("ends with {}", output.status));
    };
    let line = frames(report).find_map(|f| line_in(f, source));
    // An address that is no object's, in the code itself or in what it gave to `free`.
    let nowhere = || {
        let freed =
            frames(report).any(|f| f.contains("interceptor_free") || f.contains(" in free "));
        let segv = headline.contains("SEGV on unknown address");
        segv.then_some(if freed { "invalid-free" } else { "bounds" })
    };
    let kind = match report.contains("*** buffer overflow detected ***") {
        true => Some("bounds"),
        false => memory_error(headline).or_else(nowhere),
    };
    match kind {
        Some(kind) => failed(kind, line),
        None => Observed::Unclear(headline.to_owned()),
    }
}

fn undefined_behaviour(what: &str) -> Option<&'static str> {
    let has = |words: &[&str]| words.iter().any(|w| what.contains(w));
    Some(match () {
        () if has(&["null pointer"]) => "null-deref",
        () if has(&["out of bounds", "insufficient space"]) => "bounds",
        () if has(&["variable length array bound"]) => "negative-size",
        () if has(&["unreachable program point"]) => "unreachable",
        () if has(&["division by zero", "division of"]) => "div-by-zero",
        () if has(&["signed integer overflow", "negation of", "shift"]) => "overflow",
        () => return None,
    })
}

fn memory_error(headline: &str) -> Option<&'static str> {
    let has = |words: &[&str]| words.iter().any(|w| headline.contains(w));
    Some(match () {
        () if has(&["param-overlap"]) => "overlap",
        // Only a harness poisons memory: that of no size.
        () if has(&["use-after-poison"]) => "bounds",
        () if has(&["use-after"]) => "use-after-free",
        // A wide access that begins inside is of no known kind.
        () if has(&["buffer-overflow", "buffer-underflow", "buffer-under", "unknown-crash"]) => {
            "bounds"
        }
        () if has(&["double-free"]) => "double-free",
        () if has(&["not malloc()-ed"]) => "invalid-free",
        () if has(&["ABRT on unknown address"]) => "error-call",
        () if has(&["SEGV on unknown address 0x0000000000"]) => "null-deref",
        () => return None,
    })
}

/// `==7==    at 0x1091B2: f (p17.c:5)`: 5.
fn memcheck_line(text: &str, source: &str) -> Option<usize> {
    let (file, line) = text.rsplit_once('(')?.1.strip_suffix(')')?.split_once(':')?;
    (file == source).then(|| line.parse().ok())?
}

/// The frames of the first stack in a report.
fn frames(report: &str) -> impl Iterator<Item = &str> {
    let frames = report.lines().map(str::trim).skip_while(|l| !l.starts_with("#0 "));
    frames.take_while(|l| l.starts_with('#'))
}

/// `#1 0x… in f /tmp/p17.c:5`: 5. The error function is not where the error is, its caller is.
fn line_in(frame: &str, source: &str) -> Option<usize> {
    if frame.contains(" in reach_error ") || frame.contains(" in __VERIFIER_error ") {
        return None;
    }
    let mut place = frame.rsplit(' ').next()?.split(':');
    let file = Path::new(place.next()?).file_name()?;
    if file != source {
        return None;
    }
    place.next()?.parse().ok()
}

/// The lines that allocated what was leaked: where the allocating function was called, and so on
/// outwards.
fn leak_lines(report: &str, source: &str) -> BTreeSet<Vec<usize>> {
    let stacks = report.split("\n\n").filter(|s| s.contains("leak of"));
    stacks.map(|s| frames(s).filter_map(|f| line_in(f, source)).collect()).collect()
}

/// A file with several programs and a `main` that runs the one it is told.
pub fn write_batch(programs: &[(usize, &str)], to: &Path) {
    let mut text = String::from(DRIVER_HEAD);
    let names = trellis_testkit::generate::FILE_SCOPE;
    for (number, program) in programs {
        for name in names {
            text.push_str(&format!("#define {name} {name}_{number}\n"));
        }
        text.push_str(&format!("#line 1 \"p{number}.c\"\n{program}"));
        for name in names {
            text.push_str(&format!("#undef {name}\n"));
        }
    }
    text.push_str("#line 1 \"driver.c\"\nint main(int argc, char **argv) {\n");
    text.push_str(
        "    int *out = 0;\n    alarm(20);\n    scrub();\n    switch (atoi(argv[1])) {\n",
    );
    for (number, _) in programs {
        text.push_str(&format!("    case {number}: main_{number}(); out = out_{number}; break;\n"));
    }
    text.push_str(&format!(
        "    }}\n    scrub();\n    for (int i = 0; i < {}; i++) printf(\"%d \", out[i]);\n    \
         return 0;\n}}\n",
        trellis_testkit::generate::OUT
    ));
    fs::write(to, text).expect("the scratch folder is writable");
}

/// The leak sanitizer looks for pointers on the stack; what dead calls left there is wiped.
const DRIVER_HEAD: &str = "#include <assert.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
__attribute__((noinline, no_sanitize_address)) static void scrub(void) {
    volatile char space[1 << 17];
    for (int i = 0; i < 1 << 17; i++)
        space[i] = 0;
}
";
