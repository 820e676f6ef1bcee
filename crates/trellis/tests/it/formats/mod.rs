//! The formats of others: what `verify` prints in each follows the rules of the format, and says what
//! the JSON report says.
//!
//! The schemas of SARIF 2.1.0 and of witnesses 2.0 are written down as far as Trellis uses them
//! (`sarif.json`, `witness.json` here): required members, allowed values, nothing else. XML and YAML
//! are read by readers of what Trellis writes, which refuse anything malformed. Then others judge: the
//! types of SARIF's own schema, readers of JUnit, YAML and DOT that others use (`formats.test.mjs` beside
//! the tests of the page), and gcc, for the expressions in witnesses.

mod read;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

use crate::schema::problems;
use crate::{root, trellis};

/// Programs with all kinds of answers: violations, one verified, one unknown, one that is no C.
const FILES: &[&str] = &[
    "examples/sll/append-bug.c",
    "examples/sll/reverse.c",
    "examples/cyclic/free-ring-bug.c",
    "examples/misc/arguments-bug.c",
    "no-such-file.c",
];

fn printed(format: &str, files: &[&str]) -> String {
    let mut args = vec!["verify", "--separately", "--format", format];
    args.extend(files);
    trellis(&args).out
}

fn report() -> Value {
    serde_json::from_str(&printed("json", FILES)).expect("the report is JSON")
}

fn procedures(report: &Value) -> impl Iterator<Item = &Value> {
    let files = report["files"].as_array().into_iter().flatten();
    files.flat_map(|f| f["procedures"].as_array().into_iter().flatten())
}

fn schema(text: &str) -> Value {
    serde_json::from_str(text).expect("a schema is JSON")
}

#[test]
fn sarif_follows_its_schema() {
    let document: Value = serde_json::from_str(&printed("sarif", FILES)).expect("SARIF is JSON");
    let rules = schema(include_str!("sarif.json"));
    assert_eq!(problems(&rules, &document), Vec::<String>::new());
    let run = &document["runs"][0];
    let results = run["results"].as_array().expect("results");
    for result in results {
        let rule = result["ruleIndex"].as_u64().expect("an index") as usize;
        assert_eq!(run["tool"]["driver"]["rules"][rule]["id"], result["ruleId"]);
        // Section 3.27.10: only failures have a level.
        let fails = result.get("kind").is_none_or(|k| k == "fail");
        assert_eq!(fails, result["level"] != "none", "{result}");
    }
    let report = report();
    for procedure in procedures(&report).filter(|p| p["verdict"] == "violated") {
        let check = &procedure["check"];
        let found =
            results.iter().find(|r| r["partialFingerprints"]["trellisCheck/v1"] == check["id"]);
        let found = found.unwrap_or_else(|| panic!("{} is missing", check["id"]));
        let place = &found["locations"][0]["physicalLocation"];
        assert_eq!(place["region"]["startLine"], check["span"]["line"]);
        assert_eq!(place["artifactLocation"]["uri"], check["span"]["file"]);
        let steps = &found["codeFlows"][0]["threadFlows"][0]["locations"];
        let trace = procedure["trace"].as_array().expect("a trace");
        assert_eq!(steps.as_array().map(Vec::len), Some(trace.len()), "a location a state");
    }
    let notes = run["invocations"][0]["toolExecutionNotifications"].as_array();
    assert!(notes.is_some_and(|n| n.iter().any(|n| n["level"] == "error")), "the missing file");
    assert_eq!(run["invocations"][0]["executionSuccessful"], false);
}

/// A reference that begins with a slash joins no base; one of a file elsewhere is whole.
#[test]
fn addresses_in_sarif_are_references_or_whole() {
    let file = root().join("examples/sll/append-bug.c");
    let text = printed(
        "sarif",
        &[file.to_str().expect("a UTF-8 name"), "./examples/misc/arguments-bug.c"],
    );
    let document: Value = serde_json::from_str(&text).expect("SARIF is JSON");
    let uris: BTreeSet<&str> = document["runs"][0]["results"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|r| r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].as_str())
        .collect();
    let whole = format!("file://{}", file.display());
    assert_eq!(uris, BTreeSet::from([whole.as_str(), "examples/misc/arguments-bug.c"]));
}

#[test]
fn junit_is_xml_whose_numbers_are_right() {
    let root = read::xml(&printed("junit", FILES)).expect("well-formed XML");
    assert_eq!(root.name, "testsuites");
    let number = |e: &read::Element, name: &str| -> usize {
        e.attribute(name).and_then(|n| n.parse().ok()).unwrap_or_else(|| panic!("{name}"))
    };
    let mut sums = [0; 4];
    for suite in &root.children {
        let cases: Vec<_> = suite.children.iter().collect();
        assert!(cases.iter().all(|c| c.name == "testcase" && c.children.len() <= 1));
        let having = |name: &str| {
            cases.iter().filter(|c| c.children.iter().any(|child| child.name == name)).count()
        };
        let counted = [cases.len(), having("failure"), having("error"), having("skipped")];
        let said = ["tests", "failures", "errors", "skipped"].map(|n| number(suite, n));
        assert_eq!(counted, said, "{:?}", suite.attribute("name"));
        (0..4).for_each(|i| sums[i] += said[i]);
    }
    assert_eq!(sums, ["tests", "failures", "errors", "skipped"].map(|n| number(&root, n)));
    let report = report();
    let violated = procedures(&report).filter(|p| p["verdict"] == "violated").count();
    assert_eq!((sums[1], sums[2]), (violated, 1));
    assert!(violated >= 2, "the test has failures to show");
}

#[test]
fn annotations_are_commands_of_one_line() {
    let text = printed("github", FILES);
    let mut errors = BTreeSet::new();
    for line in text.lines() {
        let rest = line.strip_prefix("::").expect("a command");
        let (command, message) = rest.split_once("::").expect("a message");
        let (level, properties) = command.split_once(' ').expect("properties");
        assert!(["error", "warning", "notice"].contains(&level), "{line}");
        assert!(!message.is_empty(), "{line}");
        let mut place = (String::new(), 0);
        for property in properties.split(',') {
            let (name, value) = property.split_once('=').expect("a value");
            match name {
                "file" => place.0 = value.to_owned(),
                "line" => place.1 = value.parse().expect("a number"),
                "endLine" | "col" | "endColumn" => {
                    value.parse::<usize>().expect("a number");
                }
                "title" => {}
                other => panic!("{other} is no property"),
            }
        }
        if level == "error" {
            errors.insert(place);
        }
    }
    for procedure in procedures(&report()).filter(|p| p["verdict"] == "violated") {
        let at = &procedure["check"]["span"];
        let place = (at["file"].as_str().expect("a name").to_owned(), at["line"].as_u64());
        assert!(errors.contains(&(place.0.clone(), place.1.expect("a line"))), "{place:?}");
    }
}

#[test]
fn graphs_name_what_they_connect() {
    let text = printed("dot", FILES);
    let (mut depth, mut nodes, mut edges) = (0, BTreeSet::new(), Vec::new());
    for line in text.lines().map(str::trim) {
        match line {
            "}" => depth -= 1,
            line if line.ends_with('{') => {
                assert!(line.starts_with("digraph ") || line.starts_with("subgraph cluster_"));
                depth += 1;
            }
            line => {
                let statement = line.strip_suffix(';').unwrap_or_else(|| panic!("{line}"));
                let head = statement.split(" [").next().unwrap_or_default();
                match head.split_once(" -> ") {
                    Some((from, to)) => edges.push((from.to_owned(), to.to_owned())),
                    None if head.contains('=') || head == "node" => {}
                    None => {
                        nodes.insert(head.to_owned());
                    }
                }
            }
        }
    }
    assert_eq!(depth, 0, "braces match");
    assert!(!edges.is_empty());
    for (from, to) in &edges {
        assert!(nodes.contains(from) && nodes.contains(to), "{from} -> {to}");
    }
    let report = report();
    let bad = procedures(&report).filter(|p| p["verdict"] == "violated");
    let length = |p: &Value| p["trace"].as_array().map_or(0, Vec::len);
    let others = |p: &Value| p["others"].as_array().map_or(0, |o| o.iter().map(length).sum());
    let states: usize = bad.map(|p| length(p) + others(p)).sum();
    assert_eq!(text.matches("subgraph ").count(), states, "a cluster a state");
}

#[test]
fn witnesses_follow_their_schema() {
    let rules = schema(include_str!("witness.json"));
    let of = |file: &str| {
        let text = printed("witness", &[file]);
        let witness = read::yaml(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        assert_eq!(problems(&rules, &witness), Vec::<String>::new(), "{text}");
        assert_eq!(printed("witness", &[file]), text, "a witness repeats");
        witness
    };
    let violated = of("examples/dll/competition-build-bug.c");
    assert_eq!(violated[0]["entry_type"], "violation_sequence");
    let segments = violated[0]["content"].as_array().expect("segments");
    let kinds: Vec<&Value> =
        segments.iter().map(|s| &s["segment"][0]["waypoint"]["type"]).collect();
    let (last, before) = kinds.split_last().expect("a target");
    assert_eq!(*last, "target");
    assert!(before.iter().all(|k| *k == "function_return"), "{kinds:?}");
    assert!(!before.is_empty(), "its inputs are there");
    let verified = of("examples/dll/competition-build.c");
    assert_eq!(verified[0]["entry_type"], "invariant_set");
    assert_eq!(verified[0]["metadata"]["task"]["data_model"], "LP64");
    assert_eq!(printed("witness", &["examples/sll/append-bug.c"]), "", "it has no main");
}

/// Others read what is written. The packages are those of the tests of the page.
#[test]
fn others_read_the_formats() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let files = &FILES[..4];
    for (format, name) in [
        ("json", "report.json"),
        ("sarif", "report.sarif"),
        ("junit", "report.xml"),
        ("dot", "report.dot"),
    ] {
        fs::write(folder.path().join(name), printed(format, files)).expect("a file");
    }
    for name in ["violated.yml", "verified.yml"] {
        let bug = if name == "violated.yml" { "-bug" } else { "" };
        let text = printed("witness", &[&format!("examples/dll/competition-build{bug}.c")]);
        fs::write(folder.path().join(name), text).expect("a file");
    }
    browser_tests("formats.test.mjs", ("TRELLIS_FORMATS", folder.path()));
}

/// Runs a script of the tests of the page, with a path in its environment.
pub fn browser_tests(script: &str, (variable, path): (&str, &Path)) {
    let tests = root().join("crates/web/tests/browser");
    let run = |program: &str, args: &[&str]| {
        let output = Command::new(program)
            .args(args)
            .current_dir(&tests)
            .env(variable, path)
            .output()
            .unwrap_or_else(|e| panic!("{program} is needed (./test installs it): {e}"));
        let text = [output.stdout, output.stderr].concat();
        assert!(output.status.success(), "{program}:\n{}", String::from_utf8_lossy(&text));
    };
    // One test installs for all. An older folder lacks the last package of the list.
    static INSTALLED: Mutex<()> = Mutex::new(());
    let installing = INSTALLED.lock().unwrap_or_else(PoisonError::into_inner);
    if !tests.join("node_modules/@hpcc-js").exists() {
        run("npm", &["ci", "--no-audit", "--no-fund"]);
    }
    drop(installing);
    run("node", &["--test", "--test-reporter=spec", script]);
}

/// A list that is built from its end, whose invariants are in part expressions of C.
const BUILT: &str = "\
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
struct node { struct node *next; };
int main(void) {
    struct node *head = NULL, *last = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->next = NULL;
        if (head) last->next = n; else head = n;
        last = n;
    }
    return 0;
}
";

/// An invariant of a witness is an expression that a compiler takes where the loop stands; shapes and
/// graphs are none.
#[test]
fn invariants_of_witnesses_are_c() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let built = folder.path().join("built.c");
    fs::write(&built, BUILT).expect("a file");
    let built = built.to_str().expect("a UTF-8 name");
    let clauses = ["--engine", "pdr-forall", "--gc"];
    let programs: [(&str, &[&str], usize); 3] = [
        (built, &clauses, 1),
        ("examples/dll/competition-build.c", &[], 0),
        ("benchmarks/c/dll-circular.c", &[], 0),
    ];
    for (file, options, least) in programs {
        let text = printed("witness", &[&[file], options].concat());
        let count = text.matches("type: \"loop_invariant\"").count();
        assert!(count >= least, "{text}");
        if count == 0 {
            continue;
        }
        let witness = read::yaml(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let source = fs::read_to_string(root().join(file)).expect("the program");
        for invariant in witness[0]["content"].as_array().into_iter().flatten() {
            let (at, value) =
                (&invariant["invariant"]["location"], &invariant["invariant"]["value"]);
            let [line, column] = ["line", "column"].map(|n| at[n].as_u64().expect("a number"));
            let mut lines: Vec<String> = source.lines().map(str::to_owned).collect();
            let here = &mut lines[line as usize - 1];
            let rest: String = here.chars().skip(column as usize - 1).collect();
            assert!(rest.starts_with("while") || rest.starts_with("for"), "{file}:{line}: {rest}");
            let value = value.as_str().expect("a text");
            here.insert_str(column as usize - 1, &format!("(void)({value}); "));
            let copy = folder.path().join("copy.c");
            fs::write(&copy, lines.join("\n")).expect("a file");
            let gcc = Command::new("gcc").arg("-fsyntax-only").arg(&copy).output();
            let gcc = gcc.expect("gcc is installed; ./test does that");
            let said = String::from_utf8_lossy(&gcc.stderr).into_owned();
            assert!(gcc.status.success(), "{file}:{line}: {value}\n{said}");
        }
    }
}
