//! Symbolic shape analysis on the command line.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;
use trellis_suites::heaps::Manifest;
use trellis_suites::pdr::{Expect, Variant};

use crate::examples::c_files;
use crate::{root, trellis};

fn verify(file: &str, options: &[&str]) -> Value {
    let mut args = vec!["verify", file, "--format", "json", "--engine"];
    args.extend(options);
    let ran = trellis(&args);
    let report: Value = serde_json::from_str(&ran.out).expect("JSON");
    report["files"][0]["procedures"][0].clone()
}

#[test]
fn the_bench_has_every_row_as_expected() {
    let ran = trellis(&["bench", "bohne"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert_eq!(ran.out.lines().filter(|l| l.contains(" verified ")).count(), 7, "{}", ran.out);
    assert_eq!(ran.out.lines().filter(|l| l.contains(" violated ")).count(), 7, "{}", ran.out);
    let ran = trellis(&["bench", "bohne-ablation", "--row", "nobody"]);
    assert_ne!(ran.code, Some(0));
    assert!(ran.err.contains("no row is called `nobody`"), "{}", ran.err);
}

#[test]
fn every_kind_of_context_is_compared() {
    let ran = trellis(&["bench", "bohne-ablation", "--row", "DLL.addLast"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    for kind in ["no context", "without instantiation", "with instantiation", "of each heap"] {
        assert!(ran.out.contains(kind), "{}", ran.out);
    }
}

#[test]
fn the_manifest_is_complete_and_bugs_are_where_they_are_marked() {
    let folder = root().join("benchmarks/bohne");
    let manifest = Manifest::load(&folder).unwrap_or_else(|e| panic!("{e}"));
    let listed: BTreeSet<_> = manifest.rows.iter().map(|r| folder.join(&r.file)).collect();
    assert!(c_files(&folder).into_iter().collect::<BTreeSet<_>>().is_subset(&listed));
    for row in &manifest.rows {
        let bug = row.variant == Variant::Bug;
        assert_eq!(bug, row.expect == Expect::Violated, "{}", row.file);
        let text = fs::read_to_string(folder.join(&row.file)).expect("a program");
        assert_eq!(bug, text.contains("// BUG"), "{}", row.file);
        let file = format!("benchmarks/bohne/{}", row.file);
        let explored = verify(&file, &["explore", "--objects", "4"]);
        if !bug {
            assert_eq!(explored["reason"]["kind"], "bounded", "{file}: {explored}");
            continue;
        }
        for found in [explored, verify(&file, &["bohne"])] {
            assert_eq!(found["verdict"], "violated", "{file}: {}", found["reason"]);
            // A contract clause is reported where it stands, and related to the `return`.
            let related = found["check"]["related"].as_array().into_iter().flatten();
            let spans = std::iter::once(&found["check"]["span"]).chain(related.map(|r| &r["span"]));
            let lines: Vec<u64> = spans.filter_map(|s| s["line"].as_u64()).collect();
            let is_marked =
                |line: &u64| text.lines().nth(*line as usize - 1).unwrap().contains("// BUG");
            assert!(lines.iter().any(is_marked), "{file}: lines {lines:?}");
        }
    }
}

/// The disjunction of heaps, or their clauses, are evidence like any other.
#[test]
fn a_certificate_is_checked_without_the_engine() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("reverse.json");
    let certificate = path.to_str().expect("UTF-8");
    let file = "benchmarks/bohne/list-reverse.c";
    let found = verify(file, &["bohne", "--certificate", certificate]);
    assert_eq!(found["verdict"], "verified", "{found}");
    let ran = trellis(&["certify", certificate, "--solver", "z3"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
}

#[test]
fn techniques_that_are_none_are_refused() {
    let file = "benchmarks/bohne/list-reverse.c";
    let ran = trellis(&["verify", file, "--engine", "bohne", "--without", "magic"]);
    assert_eq!(ran.code, Some(2), "{}{}", ran.out, ran.err);
    assert!(ran.err.contains("`magic` is none of context, instantiation"), "{}", ran.err);
}
