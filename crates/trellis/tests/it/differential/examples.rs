//! Harnesses of the examples, run for real: what Trellis calls violated fails in the same way on the
//! same line when it is compiled, built up and called by `verify --emit-harness`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use serde_json::Value;

use super::{Observed, in_parallel, sanitizer};
use crate::examples::{c_files, violated};
use crate::{root, trellis};

/// Violations without a harness that fails, and why there is none. A list that is too long, or too
/// short, makes the test fail.
const LEFT: &[(&str, &str, &str)] = &[
    // The compiler of the tests has 64 bits only.
    ("bytes/size_of_32_bits.c", "main", "gcc: "),
    // Arguments behind those that were passed are in some register or other.
    ("functions/varargs-bug.c", "run", "clean"),
    // This library prints `(null)`.
    ("functions/varargs-null-bug.c", "run", "unclear"),
];

/// What becomes of the violations of one example, procedure by procedure.
fn problems(path: &Path, text: &str, folder: &Path) -> Vec<(String, String)> {
    let name = path.strip_prefix(root()).expect("examples are in the workspace");
    let name = name.to_str().expect("a UTF-8 name");
    let (options, procs) = violated(text);
    if procs.is_empty() {
        return Vec::new();
    }
    let folder = folder.join(name.replace('/', "-"));
    let to = folder.to_str().expect("a UTF-8 name");
    let mut args = vec!["verify", name, "--format", "json", "--threads", "1", "--emit-harness", to];
    args.extend(options.iter().map(String::as_str));
    procs.iter().for_each(|p| args.extend(["--proc", p.as_str()]));
    let ran = trellis(&args);
    let report: Value = serde_json::from_str(&ran.out).expect("the report is JSON");
    let procedures = report["files"][0]["procedures"].as_array().expect("procedures");
    let bad = procedures.iter().filter(|p| p["verdict"] == "violated");
    let all: Vec<(String, Result<(), String>)> = bad
        .map(|p| {
            let proc = p["name"].as_str().expect("a name").to_owned();
            let stem = path.file_stem().and_then(|s| s.to_str()).expect("a UTF-8 name");
            let harness = folder.join(format!("{stem}-{proc}.c"));
            let note = format!("no harness for `{proc}`: ");
            let why = ran.err.lines().find_map(|l| Some(l.split_once(&note)?.1.to_owned()));
            let result = match why {
                Some(why) => Err(why),
                None => fails(path, &harness, &p["check"]),
            };
            (proc, result)
        })
        .collect();
    assert_eq!(all.len(), procs.len(), "{name}: all of {procs:?} are violated");
    all.into_iter().filter_map(|(proc, result)| Some((proc, result.err()?))).collect()
}

/// Compiles and runs a harness as it says on its top, and compares what happens with a check.
fn fails(path: &Path, harness: &Path, check: &Value) -> Result<(), String> {
    let text = fs::read_to_string(harness).map_err(|e| e.to_string())?;
    let mut lines = text.lines().skip(2).map(|l| l.trim().trim_end_matches(['&', '*', '/', ' ']));
    let mut command = || {
        let words: Vec<&str> = lines.next().unwrap_or_default().split_whitespace().collect();
        let (program, args) = words.split_first().expect("a command");
        let mut command = Command::new(program);
        command.args(args).current_dir(root());
        command
    };
    let compiled = command().output().expect("gcc is installed; ./test does that");
    if !compiled.status.success() {
        return Err(format!("gcc: {}", String::from_utf8_lossy(&compiled.stderr)));
    }
    let name = path.file_name().and_then(|n| n.to_str()).expect("a UTF-8 name");
    let output = command().output().expect("the harness was just compiled");
    let seen = sanitizer::Run::of(&output, name);
    let kind = check["kind"].as_str().expect("a kind");
    let line = check["span"]["line"].as_u64().expect("a line") as usize;
    match &seen.observed {
        Observed::Failed { kind: k, line: l } if (*k, *l) == (kind, line) => Ok(()),
        other => Err(format!("{other} instead of {kind} at line {line}\n{}", seen.report)),
    }
}

/// What Java throws, by what is violated.
const THROWN: &[(&str, &str)] = &[
    ("null-deref", "NullPointerException"),
    ("bounds", "ArrayIndexOutOfBoundsException"),
    ("negative-size", "NegativeArraySizeException"),
    ("class-cast", "ClassCastException"),
    ("div-by-zero", "ArithmeticException"),
    ("assertion", "AssertionError"),
];

/// A violation of the machine's own rules ends the class with its exception, at its line; of a contract,
/// which is a comment to Java, there is no class.
#[test]
fn classes_of_java_throw_for_real() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let own = folder.path().join("Odd.java");
    fs::write(&own, ODD).expect("a file");
    let mut files: Vec<PathBuf> = fs::read_dir(root().join("benchmarks/bohne"))
        .expect("benchmarks")
        .map(|e| e.expect("an entry").path())
        .filter(|p| p.to_str().is_some_and(|p| p.ends_with("-bug.java")))
        .collect();
    files.push(own);
    files.sort();
    let thrown = Mutex::new(BTreeMap::new());
    in_parallel(files.len(), |i| {
        let text = fs::read_to_string(&files[i]).expect("a Java file");
        let (options, procs) = violated(&text);
        let to = folder.path().join(i.to_string());
        let [name, into] = [&files[i], &to].map(|p| p.to_str().expect("a UTF-8 name"));
        let mut args = vec!["verify", name, "--format", "json", "--threads", "1"];
        args.extend(["--emit-harness", into]);
        args.extend(options.iter().map(String::as_str));
        procs.iter().for_each(|p| args.extend(["--proc", p.as_str()]));
        let ran = trellis(&args);
        let report: Value = serde_json::from_str(&ran.out).expect("the report is JSON");
        for p in report["files"][0]["procedures"].as_array().expect("procedures") {
            let (proc, check) = (p["name"].as_str().expect("a name"), &p["check"]);
            let kind = check["kind"].as_str().expect("it is violated");
            let stem = files[i].file_stem().and_then(|s| s.to_str()).expect("a UTF-8 name");
            let class = to.join(format!("{stem}-{proc}.java"));
            let Some((_, exception)) = THROWN.iter().find(|(k, _)| *k == kind) else {
                let note = format!("no harness for `{proc}`: Java throws nothing for {kind}");
                assert!(ran.err.contains(&note), "{name}: {}", ran.err);
                assert!(!class.exists(), "{name}");
                continue;
            };
            let said = thrown_by(&class);
            let first = said.lines().find(|l| l.starts_with("Exception in thread"));
            assert!(first.is_some_and(|l| l.contains(exception)), "{name}: {said}");
            let place = said.lines().find(|l| l.trim_start().starts_with("at "));
            let line = format!(":{})", check["span"]["line"]);
            assert!(place.is_some_and(|l| l.ends_with(&line)), "{name}: {line}: {said}");
            thrown
                .lock()
                .expect("no panic")
                .insert((stem.to_owned(), proc.to_owned()), kind.to_owned());
        }
    });
    let kinds: BTreeSet<String> = thrown.into_inner().expect("no panic").into_values().collect();
    for (kind, _) in THROWN {
        assert!(kinds.contains(*kind), "some program shows {kind}: {kinds:?}");
    }
}

/// Compiles and runs a class as it says on its top; what it says then.
fn thrown_by(class: &Path) -> String {
    let text = fs::read_to_string(class).expect("a class was written");
    let commands = text.lines().skip(2).map(|l| l.trim().trim_end_matches(['&', '*', '/', ' ']));
    let mut said = String::new();
    for command in commands.take(2) {
        let words: Vec<&str> = command.split_whitespace().collect();
        let output = Command::new(words[0])
            .args(&words[1..])
            .current_dir(root())
            .output()
            .expect("a JDK is installed; ./test does that");
        said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success() == (words[0] == "javac"), "{command}\n{said}");
    }
    said
}

/// What the benchmarks lack: a public class in a file of another name, objects with private fields,
/// constructors, casts, division, assertions.
const ODD: &str = "\
// expect: Cell.divide violated div-by-zero
// expect: Cell.cast violated class-cast
// expect: Cell.check violated assertion
// expect: Cell.follow violated null-deref
// expect: Cell.Cell violated negative-size
public class Cell {
    private Cell next;
    private int value;
    private Object other;

    public Cell(int size) {
        int[] all = new int[size];
        value = all.length;
    }

    public int divide(int by) /*: requires \"value = 6\" */ {
        return value / by;
    }

    public Cell cast() /*: requires \"other ~= null\" */ {
        return (Cell) other;
    }

    public void check() {
        assert next == null;
    }

    public static int follow(Cell c) /*: requires \"c ~= null\" */ {
        return c.next.value;
    }
}
";

#[test]
fn harnesses_of_the_examples_fail_for_real() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let files = c_files(&root().join("examples"));
    let found = Mutex::new(BTreeMap::new());
    in_parallel(files.len(), |i| {
        let text = fs::read_to_string(&files[i]).expect("a C file");
        let problems = problems(&files[i], &text, folder.path());
        let name = files[i].strip_prefix(root().join("examples")).expect("an example");
        let name = name.display().to_string();
        let mut found = found.lock().expect("no panic");
        found.extend(problems.into_iter().map(|(proc, why)| ((name.clone(), proc), why)));
    });
    let mut found = found.into_inner().expect("no panic");
    let mut wrong = Vec::new();
    for (file, proc, why) in LEFT {
        match found.remove(&((*file).to_owned(), (*proc).to_owned())) {
            Some(found) if found.contains(why) => {}
            Some(found) => wrong.push(format!("{file}, {proc}: not because of `{why}`: {found}")),
            None => wrong.push(format!("{file}, {proc}: has a harness now")),
        }
    }
    wrong.extend(found.into_iter().map(|((file, proc), why)| format!("{file}, {proc}: {why}")));
    assert!(wrong.is_empty(), "{} surprises:\n{}", wrong.len(), wrong.join("\n"));
}
