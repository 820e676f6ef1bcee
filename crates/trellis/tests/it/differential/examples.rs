//! Harnesses of the examples, run for real: what Trellis calls violated fails in the same way on the
//! same line when it is compiled, built up and called by `verify --emit-harness`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
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
    // The sanitizers do not see accesses outside of a member that stay in its struct.
    ("bytes/string_in_struct.c", "add", "clean"),
    // What the library may return and this one does not: a sign, the order of equal elements.
    ("functions/signs-bug.c", "returned", "what `strcmp` returns"),
    ("functions/signs-bug.c", "pointed", "what `f` returns"),
    ("functions/sorting-equal-bug.c", "run", "chosen inside of `qsort`"),
    ("seams/library.c", "end", "what `getchar` returns"),
    ("seams/library.c", "last", "what `getchar` returns"),
    // A compiler knows whether something is constant.
    ("seams/library.c", "perhaps_constant", "what `__builtin_constant_p` returns"),
    ("seams/library.c", "perhaps_not", "what `__builtin_constant_p` returns"),
    // A call through null that a function returned has no line: the stack begins at address 0.
    ("functions/tables-bug.c", "run", "without a line"),
    // Arguments behind those that were passed are in some register or other.
    ("functions/varargs-bug.c", "run", "clean"),
    // This library prints `(null)`.
    ("functions/varargs-null-bug.c", "run", "unclear"),
    // gcc leaves out a branch both ways of which go on alike.
    ("seams/blocks.c", "nested_short", "clean"),
    // Definitions that use themselves are not written in C.
    ("contracts/recursive-predicates.c", "a_ring_is_no_list", "the recursive predicate"),
    ("contracts/recursive-predicates.c", "not_longer", "the recursive predicate"),
    ("contracts/recursive-predicates.c", "unordered", "the recursive predicate"),
    // An address that is no object's: the sanitizers say that it is unknown, and nothing more.
    ("memory/integer-marks.c", "freed", "SEGV on unknown address"),
    ("memory/integer-marks.c", "poisoned", "SEGV on unknown address"),
    // A compiler has one order of evaluation.
    ("seams/order-of-calls.c", "as_written", "what `pop` returns"),
    ("seams/order-of-calls.c", "the_last_first", "what `pop` returns"),
    ("seams/order.c", "arguments", "what `next` returns"),
    // A value that was never written may be the one that fails, and is another one.
    ("seams/undefined-operands.c", "heap", "clean"),
    ("seams/undefined-operands.c", "least", "clean"),
    ("seams/undefined-operands.c", "sum", "clean"),
    ("seams/undefined-operands.c", "opposite", "clean"),
    ("seams/undefined-operands.c", "amount", "clean"),
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
