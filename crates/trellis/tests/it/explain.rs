//! Saved results that are looked at again.

use std::fs;
use std::io::Write;
use std::process::Stdio;

use crate::{Ran, binary, ran, root, trellis};

/// Saves the result of a program; gives the scratch folder and the file.
fn saved(program: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let file = folder.path().join("result.json");
    let result = trellis(&["verify", program, "--format", "json"]);
    fs::write(&file, result.out).expect("a file");
    let path = file.to_str().expect("a UTF-8 name").to_owned();
    (folder, path)
}

/// Runs the binary with these lines as its standard input.
fn with_input(args: &[&str], input: &str) -> Ran {
    let mut child = binary()
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut to = child.stdin.take().expect("a pipe");
    to.write_all(input.as_bytes()).expect("it listens");
    drop(to);
    ran(child.wait_with_output().expect("it ends"))
}

#[test]
fn a_saved_result_reads_as_a_new_one() {
    for program in ["examples/sll/reverse-bug.c", "examples/sll/reverse.c"] {
        let (_folder, file) = saved(program);
        let again = trellis(&["explain", &file]);
        assert_eq!(again.code, Some(0), "{}", again.err);
        assert_eq!(again.out, trellis(&["verify", program]).out, "{program}");
    }
}

#[test]
fn a_violation_is_shown_a_state_at_a_time() {
    let (_folder, file) = saved("examples/sll/reverse-bug.c");
    let walked = with_input(&["explain", &file, "--step"], "\n\np\nq\n");
    assert_eq!(walked.code, Some(0), "{}", walked.err);
    let states: Vec<&str> = walked.out.lines().filter(|l| l.starts_with("state ")).collect();
    let numbers: Vec<&str> = states.iter().filter_map(|l| l.split(' ').nth(1)).collect();
    assert_eq!(numbers, ["1", "2", "3", "2"], "{}", walked.out);
    assert!(walked.out.contains("violated"), "{}", walked.out);
}

#[test]
fn a_saved_result_becomes_a_page() {
    let (folder, file) = saved("examples/sll/reverse-bug.c");
    let page = folder.path().join("page.html");
    let path = page.to_str().expect("a UTF-8 name");
    let ran = trellis(&["explain", &file, "--html", path]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), ""), "{}", ran.err);
    let text = fs::read_to_string(&page).expect("a page");
    let source =
        fs::read_to_string(root().join("examples/sll/reverse-bug.c")).expect("the program");
    let line = source.lines().find(|l| l.contains("while")).expect("a loop").trim();
    assert!(text.contains(&line.replace('<', "\\u003c").replace('"', "\\\"")), "{line}");
}

#[test]
fn a_procedure_that_is_not_there_is_told_with_those_that_are() {
    let (_folder, file) = saved("examples/sll/reverse-bug.c");
    let ran = trellis(&["explain", &file, "--proc", "revers"]);
    assert_eq!(ran.code, Some(2));
    let expected = "the result has no procedure `revers`; it has `reverse`";
    assert!(ran.err.contains(expected), "{}", ran.err);
}

#[test]
fn what_is_no_result_is_refused() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let file = folder.path().join("result.json");
    let path = file.to_str().expect("a UTF-8 name");
    let cases = [
        ("no JSON at all", "this is no JSON"),
        ("{}", "this is no report"),
        ("[1, 2]", "this is no report"),
        (r#"{"schema": "trellis-report/7"}"#, "its layout is `trellis-report/7`"),
        (r#"{"schema": "trellis-report/1", "files": []}"#, "missing field `exit_code`"),
        (
            r#"{"schema": "trellis-report/1", "exit_code": 0, "files": [{"file": 7}]}"#,
            "expected a string",
        ),
    ];
    let (_folder, good) = saved("examples/sll/reverse-bug.c");
    let good = fs::read_to_string(good).expect("a report");
    let great = good.replace("\"violated\"", "\"great\"");
    let loud = good.replace("\"leak\"", "\"LEAK\"");
    let cases = cases
        .into_iter()
        .chain([(great.as_str(), "`great` is no verdict"), (loud.as_str(), "\"LEAK\" is no name")]);
    for (text, why) in cases {
        fs::write(&file, text).expect("a file");
        let ran = trellis(&["explain", path]);
        assert_eq!(ran.code, Some(2), "{text}: {}", ran.err);
        assert!(ran.err.starts_with("error: cannot explain "), "{text}: {}", ran.err);
        assert!(ran.err.contains(why), "{text}: {}", ran.err);
    }
    // What is no plain file is not read, however a report calls it.
    fs::write(&file, good.replace("examples/sll/reverse-bug.c", "/dev/zero")).expect("a file");
    let ran = trellis(&["explain", path]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let ran = trellis(&["explain", "no/such/file.json"]);
    assert_eq!(ran.code, Some(2));
    let (_folder, saved) = saved("examples/sll/reverse.c");
    let ran = trellis(&["explain", &saved, "--proc", "nobody"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("no procedure `nobody`"), "{}", ran.err);
}
