//! Invariants that are written into the source.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::{Ran, root, trellis};

/// Verified programs of the suites: lists, doubly linked ones, several fields, data, allocation, trees.
const PROGRAMS: &[&str] = &[
    "benchmarks/pdr-a/delete.c",
    "benchmarks/pdr-a/insert.c",
    "benchmarks/pdr-a/mark-all.c",
    "benchmarks/pdr-forall/insertion-sort.c",
    "benchmarks/pdr-forall/nested-split.c",
    "benchmarks/pdr-forall/reverse.c",
    "benchmarks/pdr-forall/sorted-merge.c",
];

/// Runs the binary and reads the JSON that it prints.
fn json(args: &[&str]) -> (Ran, Value) {
    let ran = trellis(&[args, &["--format", "json"]].concat());
    let report = serde_json::from_str(&ran.out).unwrap_or_else(|e| panic!("{e}: {}", ran.err));
    (ran, report)
}

/// The text without the lines that `--annotate` adds.
fn without_invariants(text: &str) -> String {
    let is_added = |line: &&str| line.trim_start().starts_with("//@");
    text.lines().filter(|l| !is_added(l)).map(|l| format!("{l}\n")).collect()
}

#[test]
fn annotated_programs_are_verified_by_a_check_alone() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let into = format!("--annotate={}", folder.path().display());
    for program in PROGRAMS {
        let ran = trellis(&["verify", program, &into]);
        assert_eq!(ran.code, Some(0), "{program}: {}", ran.err);
        assert!(!ran.err.contains("not annotated"), "{program}: {}", ran.err);
        let name = Path::new(program).file_name().expect("a file");
        let copy = folder.path().join(name);
        let text = fs::read_to_string(&copy).unwrap_or_else(|e| panic!("{program}: {e}"));
        let before = fs::read_to_string(root().join(program)).expect("the program");
        assert_eq!(without_invariants(&text), without_invariants(&before), "{program}");
        for line in text.lines().filter(|l| l.trim_start().starts_with("//@")) {
            assert!(line.chars().count() <= 100, "{program}: {line}");
            assert!(line.matches("||").count() < 8, "{program}: {line}");
        }
        let compiled = Command::new("gcc").args(["-fsyntax-only", "-Wall"]).arg(&copy).output();
        assert!(compiled.expect("gcc").status.success(), "{program}");
        let copy = copy.to_str().expect("a UTF-8 name");
        let (again, report) = json(&["verify", copy]);
        assert_eq!(again.code, Some(0), "{program}");
        for procedure in report["files"][0]["procedures"].as_array().expect("procedures") {
            assert_eq!(procedure["verdict"], "verified", "{program}");
            assert_eq!(procedure["engine"], "stated", "{program}");
        }
    }
}

#[test]
fn a_file_is_annotated_once() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let copy = folder.path().join("reverse.c");
    fs::copy(root().join("benchmarks/pdr-forall/reverse.c"), &copy).expect("a copy");
    let path = copy.to_str().expect("a UTF-8 name");
    let ran = trellis(&["verify", path, "--annotate"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.err.contains("loop invariants more"), "{}", ran.err);
    let once = fs::read_to_string(&copy).expect("the file");
    assert!(once.contains("//@ loop invariant"), "{once}");
    let ran = trellis(&["verify", path, "--annotate"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    assert_eq!(fs::read_to_string(&copy).expect("the file"), once);
}

#[test]
fn what_has_no_form_in_contracts_is_left() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let into = format!("--annotate={}", folder.path().display());
    let cases = [
        ("benchmarks/c/dll-circular.c", "memory graphs have no form in the contract language"),
        ("benchmarks/bohne/list-reverse.java", "formulas of Java have another language"),
    ];
    for (program, why) in cases {
        let ran = trellis(&["verify", program, &into]);
        assert_eq!(ran.code, Some(0), "{program}: {}", ran.err);
        assert!(ran.err.contains("is not annotated: "), "{program}: {}", ran.err);
        assert!(ran.err.contains(why), "{program}: {}", ran.err);
    }
    let written = fs::read_dir(folder.path()).expect("the scratch folder").count();
    assert_eq!(written, 0, "nothing was written");
}

#[test]
fn stated_invariants_that_are_not_enough_are_no_answer() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let path = folder.path().join("walk.c");
    let walk = |invariant: &str| {
        format!(
            "#include <stddef.h>\nstruct node {{ struct node *next; }};\n\
             /*@ requires reach(next, h, NULL) && h != NULL; ensures \\result != NULL; */\n\
             struct node *last(struct node *h) {{\n  struct node *i = h->next, *p = h;\n\
             \x20 //@ loop invariant {invariant};\n  while (i) {{ p = i; i = i->next; }}\n\
             \x20 return p;\n}}\n"
        )
    };
    let told = |invariant: &str| {
        fs::write(&path, walk(invariant)).expect("a file");
        json(&["verify", path.to_str().expect("a UTF-8 name"), "--engine", "stated"]).1
    };
    let enough = told("p != NULL");
    assert_eq!(enough["files"][0]["procedures"][0]["verdict"], "verified");
    let shown = &enough["files"][0]["procedures"][0]["invariants"][0]["formulas"];
    assert_eq!(*shown, serde_json::json!(["p != NULL"]), "as the user wrote it");
    for invariant in ["i == NULL || i != NULL", "p == h", "p != NULL && i == h->next"] {
        let answer = &told(invariant)["files"][0]["procedures"][0];
        assert_eq!(answer["verdict"], "unknown", "{invariant}");
        let why = answer["reason"]["text"].as_str().expect("a reason");
        assert!(why.contains("are not enough"), "{invariant}: {why}");
    }
}
