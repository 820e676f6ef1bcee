//! Everything that `--format json` prints follows the schemas in the manual.

use std::fs;

use serde_json::Value;

use crate::schema::problems;
use crate::{root, trellis};

/// Runs the binary and checks what it prints against a schema of the manual.
fn check(args: &[&str], schema: &str, code: i32) -> Value {
    let ran = trellis(args);
    assert_eq!(ran.code, Some(code), "{args:?}\n{}\n{}", ran.out, ran.err);
    let path = root().join("docs/src/schema").join(schema);
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let schema: Value = serde_json::from_str(&text).expect("a schema is JSON");
    let value: Value = serde_json::from_str(&ran.out).expect("the output is JSON");
    assert_eq!(problems(&schema, &value), Vec::<String>::new(), "{args:?}");
    assert_eq!(value["exit_code"], code);
    value
}

#[test]
fn a_violation() {
    let file = "examples/sll/append-bug.c";
    let report = check(&["verify", file, "--format", "json"], "report-1.json", 1);
    let procedure = &report["files"][0]["procedures"][0];
    assert_eq!(procedure["name"], "append");
    assert_eq!(procedure["verdict"], "violated");
    assert_eq!(procedure["check"]["kind"], "null-deref");
    assert_eq!(procedure["check"]["id"], "append:null-deref:1");
    assert!(!procedure["trace"].as_array().expect("a trace").is_empty());
}

#[test]
fn no_violation() {
    let file = "examples/sll/reverse.c";
    let args = ["verify", file, "--format", "json", "--objects", "2", "--engine", "explore"];
    let report = check(&args, "report-1.json", 3);
    let procedure = &report["files"][0]["procedures"][0];
    assert_eq!(procedure["verdict"], "unknown");
    assert_eq!(procedure["reason"]["kind"], "bounded");
}

#[test]
fn a_proof_of_the_default_engine() {
    let file = "examples/sll/reverse.c";
    let report = check(&["verify", file, "--format", "json"], "report-1.json", 0);
    let procedure = &report["files"][0]["procedures"][0];
    assert_eq!(procedure["verdict"], "verified");
    assert_eq!(procedure["engine"], "pdr-forall");
    let attempts = procedure["attempts"].as_array().expect("what each engine came to");
    assert_eq!(attempts.last().map(|a| &a["engine"]), Some(&procedure["engine"]));
    // The invariant that the source states is not enough, and small heaps prove nothing.
    assert_eq!(
        (&attempts[0]["engine"], &attempts[1]["engine"]),
        (&"stated".into(), &"explore".into())
    );
    assert_eq!(attempts[0]["reason"]["kind"], "abstraction");
    assert_eq!(attempts[1]["reason"]["kind"], "bounded");
}

#[test]
fn several_files_and_a_missing_one() {
    let files = ["examples/sll/append-bug.c", "no-such-file.c"];
    let args = ["verify", "--separately", files[0], files[1], "--format", "json"];
    let report = check(&args, "report-1.json", 2);
    assert_eq!(report["files"][0]["procedures"][0]["verdict"], "violated");
    assert_eq!(report["files"][1]["file"], "no-such-file.c");
    assert_eq!(report["files"][1]["diagnostics"][0]["severity"], "error");
}

#[test]
fn a_run() {
    let file = "examples/sll/append-bug.c";
    let args = ["run", file, "--proc", "append", "--enumerate", "0", "--format", "json"];
    let report = check(&args, "run-1.json", 1);
    assert_eq!(report["run"]["outcome"], "failed");
    assert_eq!(report["run"]["check"]["kind"], "null-deref");
}

#[test]
fn a_run_that_cannot_start() {
    let file = "examples/sll/append-bug.c";
    let args = ["run", file, "--proc", "apend", "--format", "json"];
    let report = check(&args, "run-1.json", 2);
    assert_eq!(report["run"], Value::Null);
    assert_eq!(report["diagnostics"][0]["help"], "did you mean `append`?");
}

#[test]
fn checks() {
    let args = ["show", "examples/sll/append-bug.c", "checks", "--format", "json"];
    let report = check(&args, "show-1.json", 0);
    let checks = report["checks"].as_array().expect("checks");
    assert!(checks.iter().any(|c| c["id"] == "append:null-deref:1"));
    let args = ["show", "no-such-file.c", "checks", "--format", "json"];
    check(&args, "show-1.json", 2);
}

#[test]
fn figures_of_the_pattern_engine() {
    let row = "alt_list_simplified";
    let report =
        check(&["bench", "proveit", "--row", row, "--format", "json"], "bench-proveit-1.json", 0);
    let rows = report["rows"].as_array().expect("rows");
    let verdicts: Vec<&str> = rows.iter().filter_map(|r| r["verdict"].as_str()).collect();
    assert_eq!(verdicts, ["verified", "violated"]);
    assert!(rows[0]["counts"]["patterns"].as_u64() > Some(0), "{report}");

    let file = "benchmarks/proveit/alt-list-simplified.c";
    let args = ["verify", file, "--engine", "proveit", "--format", "json"];
    let report = check(&args, "report-1.json", 0);
    let found = &report["files"][0]["procedures"][0]["statistics"];
    assert_eq!(found["patterns"]["nodes"], rows[0]["counts"]["nodes"], "{found}");
    assert_eq!(found["pdr"], Value::Null);
}

#[test]
fn a_replay_of_questions() {
    let corpus = "benchmarks/queries/sorted-insert.queries";
    let args = ["bench", "solver", corpus, "--solver", "epr,z3", "--each", "--format", "json"];
    let report = check(&args, "bench-solver-1.json", 0);
    let found = &report["corpora"][0];
    assert_eq!(found["queries"], 135);
    assert_eq!(found["solvers"][0]["sat"], found["solvers"][1]["sat"]);
    assert_eq!(found["each"].as_array().map(Vec::len), Some(135));
}
