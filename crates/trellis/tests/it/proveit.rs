//! The pattern engine on the command line.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;
use trellis_suites::patterns::Manifest;
use trellis_suites::pdr::{Expect, Variant};

use crate::examples::c_files;
use crate::{root, trellis};

fn verify(file: &str, options: &[&str]) -> Value {
    let mut args = vec!["verify", file, "--format", "json"];
    args.extend(options);
    let ran = trellis(&args);
    let report: Value = serde_json::from_str(&ran.out).expect("JSON");
    report["files"][0]["procedures"][0].clone()
}

/// Both legs, both directions, and the columns of the table.
#[test]
fn the_bench_has_every_row_as_expected() {
    let ran = trellis(&["bench", "proveit"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert!(
        ran.out.lines().next().is_some_and(|l| l.contains("questions") && l.contains("covers"))
    );
    assert_eq!(ran.out.lines().filter(|l| l.contains(" verified ")).count(), 21, "{}", ran.out);
    assert_eq!(ran.out.lines().filter(|l| l.contains(" violated ")).count(), 21, "{}", ran.out);
    let ran = trellis(&["bench", "proveit", "--row", "nobody"]);
    assert_ne!(ran.code, Some(0));
    assert!(ran.err.contains("no row is called `nobody`"), "{}", ran.err);
}

#[test]
fn the_manifest_is_complete_and_bugs_are_where_they_are_marked() {
    let folder = root().join("benchmarks/proveit");
    let manifest = Manifest::load(&folder).unwrap_or_else(|e| panic!("{e}"));
    let listed: BTreeSet<_> = manifest.rows.iter().map(|r| folder.join(&r.file)).collect();
    assert_eq!(c_files(&folder).into_iter().collect::<BTreeSet<_>>(), listed);
    for row in &manifest.rows {
        let bug = row.variant == Variant::Bug;
        assert_eq!(bug, row.expect == Expect::Violated, "{}", row.file);
        let text = fs::read_to_string(folder.join(&row.file)).expect("a program");
        assert_eq!(bug, text.contains("// BUG"), "{}", row.file);
        if !bug {
            continue;
        }
        let gc: &[&str] = if row.gc { &["--gc"] } else { &[] };
        let file = format!("benchmarks/proveit/{}", row.file);
        for engine in ["explore", "proveit"] {
            let found = verify(&file, &[&["--engine", engine], gc].concat());
            assert_eq!(found["verdict"], "violated", "{file} {engine}: {}", found["reason"]);
            let line = found["check"]["span"]["line"].as_u64().expect("a line") as usize;
            let marked = text.lines().nth(line - 1).is_some_and(|l| l.contains("// BUG"));
            assert!(marked, "{file} {engine}: line {line}");
        }
    }
}

/// What the user sees: patterns as loop invariants, and what the machine was run on.
#[test]
fn a_proof_shows_its_patterns_and_its_certificate_is_checked() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("alt.json");
    let certificate = path.to_str().expect("UTF-8");
    let file = "benchmarks/proveit/alt-list-free.c";
    let found = verify(file, &["--engine", "proveit", "--certificate", certificate]);
    assert_eq!(found["verdict"], "verified", "{found}");
    let formula = found["invariants"][0]["formulas"][0].as_str().expect("a formula");
    assert!(formula.contains("data = 1") && formula.contains('*'), "{formula}");
    let ran = trellis(&["certify", certificate]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
}

/// At least ten rows of *Predicate and Canonical Abstraction* besides.
#[test]
fn rows_of_lists_are_proved_too() {
    let rows = [
        "create",
        "delete",
        "deleteAll",
        "fig1",
        "getLast",
        "insert",
        "reverse",
        "reverse_cyclic",
        "rotate",
        "search",
        "swap",
    ];
    for row in rows {
        let found = verify(&format!("benchmarks/sll/{row}.c"), &["--engine", "proveit"]);
        assert_eq!(found["verdict"], "verified", "{row}: {}", found["reason"]);
    }
}

#[test]
fn what_no_oracle_refutes_is_unknown_with_the_examples() {
    let found = verify("examples/patterns/lockstep.c", &["--engine", "proveit"]);
    assert_eq!(found["verdict"], "unknown");
    assert_eq!(found["reason"]["kind"], "oracle");
    let text = found["reason"]["text"].as_str().expect("a sentence");
    assert!(text.contains("at the loop in line") && text.contains("heaps that must fit"), "{text}");
}
