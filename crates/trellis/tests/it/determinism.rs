//! A run repeats to the letter, whatever the number of threads and the load.

use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::Value;

use crate::examples::c_files;
use crate::{root, slow, trellis};

/// A few examples; in the slow tier all of them.
fn files() -> Vec<String> {
    let few = [
        "sll/append-bug.c",
        "sll/insert-sorted-bug.c",
        "sll/reverse.c",
        "cyclic/insert.c",
        "dll/remove.c",
    ];
    let relative = |path: std::path::PathBuf| {
        let path = path.strip_prefix(root()).expect("below the root");
        path.to_str().expect("a UTF-8 name").to_owned()
    };
    let all = c_files(&root().join("examples")).into_iter().map(relative);
    all.filter(|f| slow() || few.iter().any(|few| f.ends_with(few))).collect()
}

/// The output for all files, JSON without what a run costs.
fn output(format: &str, threads: &str) -> String {
    let mut args = vec!["verify", "--format", format, "--threads", threads, "--objects", "3"];
    let files = files();
    args.extend(files.iter().map(String::as_str));
    let ran = trellis(&args);
    if format == "text" {
        return ran.out;
    }
    let mut report: Value = serde_json::from_str(&ran.out).expect("the output is JSON");
    for file in report["files"].as_array_mut().expect("files") {
        for procedure in file["procedures"].as_array_mut().expect("procedures") {
            procedure["statistics"] = Value::Null;
            for attempt in procedure["attempts"].as_array_mut().expect("attempts") {
                attempt["statistics"] = Value::Null;
            }
        }
    }
    report.to_string()
}

/// Lets the others rest when it goes, also in a panic.
struct Rest<'a>(&'a AtomicBool);

impl Drop for Rest<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn a_run_repeats_to_the_letter() {
    for format in ["text", "json"] {
        let first = output(format, "1");
        assert!(first.contains("append"), "{first}");
        assert_eq!(first, output(format, "1"), "twice with one thread");
        assert_eq!(first, output(format, "2"), "one thread and two");
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            // Nothing may depend on who else is working.
            for _ in 0..4 {
                scope.spawn(|| {
                    while !done.load(Ordering::Relaxed) {
                        std::hint::black_box((0..1000u64).sum::<u64>());
                    }
                });
            }
            let _rest = Rest(&done);
            assert_eq!(first, output(format, "2"), "two threads, under load");
            assert_eq!(first, output(format, "8"), "eight threads, under load");
        });
    }
}
