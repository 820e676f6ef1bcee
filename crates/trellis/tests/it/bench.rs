//! `trellis bench solver`: corpora in, a table or JSON out.

use std::fs;

use crate::{root, trellis};

const CORPUS: &str = "benchmarks/queries/sorted-insert.queries";

/// A file with this text, in a directory that lives as long as the result.
fn file(text: &str) -> (tempfile::TempDir, String) {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("some.queries");
    fs::write(&path, text).expect("the file can be written");
    let path = path.to_str().expect("a UTF-8 path").to_owned();
    (directory, path)
}

#[test]
fn solvers_agree_on_a_corpus_and_their_models_and_cores_are_right() {
    let ran = trellis(&["bench", "solver", CORPUS, "--solver", "epr,z3", "--check"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert!(lines[0].contains("times epr"), "{}", ran.out);
    assert!(lines[1].contains("epr") && lines[2].contains("z3"), "{}", ran.out);
    assert_eq!(lines[3], "disagreements: 0, wrong models or cores: 0");
}

#[test]
fn a_missing_solver_is_named_and_the_others_go_on() {
    let nowhere = "cvc5=no/such/cvc5";
    let args = ["bench", "solver", CORPUS, "--solver", "epr,cvc5", "--solver-path", nowhere];
    let ran = trellis(&args);
    assert_eq!(ran.code, Some(3), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("cvc5: 135 without an answer, first: cvc5 is missing"), "{}", ran.out);
}

#[test]
fn a_wrong_recorded_answer_is_a_disagreement() {
    let text = "trellis-queries 1\ncheck A0 = sat\ncheck A0 A1 = sat\n";
    let (_directory, path) = file(text);
    let ran = trellis(&["bench", "solver", &path, "--solver", "epr"]);
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("disagreement on question 1"), "{}", ran.out);
}

#[test]
fn a_damaged_corpus_is_named_and_the_others_are_replayed() {
    let (_directory, path) = file("trellis-queries 1\ncheck A7 = sat\n");
    let ran = trellis(&["bench", "solver", &path, CORPUS, "--solver", "epr"]);
    assert_eq!(ran.code, Some(2), "{}{}", ran.out, ran.err);
    assert!(ran.err.contains("some.queries: 2:"), "{}", ran.err);
    assert!(ran.out.contains("sorted-insert"), "{}", ran.out);
}

#[test]
fn a_replay_can_be_recorded_again() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("again.queries");
    let path = path.to_str().expect("a UTF-8 path");
    let ran = trellis(&["bench", "solver", CORPUS, "--solver", "epr", "--record-queries", path]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    let questions = |text: &str| text.lines().filter(|l| l.starts_with("check")).count();
    let first = fs::read_to_string(root().join(CORPUS)).expect("the corpus");
    let again = fs::read_to_string(path).expect("the recording");
    assert_eq!(questions(&first), questions(&again));
}
