//! Every row of the benchmark suites is what its manifest says, as far as exploration can tell.
//!
//! What is expected to hold is not refuted up to the row's number of objects; what is expected to
//! fail does, at a line with `// BUG`. No contract is vacuous, and the logic can express every
//! clause of every contract.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use serde_json::Value;
use trellis_suites::pdr::{Expect, Figures, Manifest, Row, Variant};

use crate::examples::c_files;
use crate::{root, trellis};

const SUITES: [&str; 4] = ["pdr-a", "pdr-forall", "more", "trees"];

fn folder(suite: &str) -> PathBuf {
    root().join("benchmarks").join(suite)
}

fn manifests() -> Vec<Manifest> {
    let load = |suite: &str| Manifest::load(&folder(suite)).unwrap_or_else(|e| panic!("{e}"));
    SUITES.map(load).into()
}

/// Calls `problem` with every row on all cores and fails with what is wrong, row by row.
fn every_row(problem: impl Fn(&Manifest, &Row) -> Result<(), String> + Sync) {
    let manifests = manifests();
    let rows: Vec<(&Manifest, &Row)> =
        manifests.iter().flat_map(|m| m.rows.iter().map(move |r| (m, r))).collect();
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(BTreeSet::new());
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some((manifest, row)) = rows.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(why) = problem(manifest, row) {
                        let (suite, name) = (&manifest.suite, &row.name);
                        let text = format!("{suite}, {name} ({}): {why}", row.variant);
                        failures.lock().expect("no panic").insert(text);
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().expect("no panic");
    assert!(failures.is_empty(), "{:#?}", failures);
}

/// What exploration says about the procedure of a row, in this file.
fn explore(manifest: &Manifest, row: &Row, file: &str) -> Result<Value, String> {
    let objects = row.objects().to_string();
    let mut args = vec!["verify", file, "--proc", &row.proc, "--engine", "explore"];
    args.extend(["--objects", &objects, "--threads", "1", "--format", "json"]);
    args.extend(manifest.check.iter().flat_map(|c| ["--check", c]));
    args.extend(row.no_check().iter().flat_map(|c| ["--no-check", c]));
    let ran = trellis(&args);
    let mut report: Value =
        serde_json::from_str(&ran.out).map_err(|e| format!("{e}: {}{}", ran.out, ran.err))?;
    let found = report["files"][0]["procedures"][0].take();
    if found.is_null() { Err(format!("no verdict: {}", ran.err)) } else { Ok(found) }
}

fn file(manifest: &Manifest, row: &Row) -> String {
    format!("benchmarks/{}/{}", manifest.suite, row.file)
}

fn text(manifest: &Manifest, row: &Row) -> Result<String, String> {
    fs::read_to_string(folder(&manifest.suite).join(&row.file)).map_err(|e| e.to_string())
}

#[test]
fn exploration_agrees_with_every_row() {
    every_row(|manifest, row| {
        let found = explore(manifest, row, &file(manifest, row))?;
        if row.expect != Expect::Violated {
            let bounded = found["verdict"] == "unknown" && found["reason"]["kind"] == "bounded";
            let why = format!("{} {} {}", found["verdict"], found["reason"], found["check"]);
            return if bounded { Ok(()) } else { Err(why) };
        }
        if found["verdict"] != "violated" {
            return Err(format!("not refuted: {}", found["reason"]["text"]));
        }
        // A contract clause is reported where it stands, and related to the `return`.
        let check = &found["check"];
        let related = check["related"].as_array().into_iter().flatten();
        let spans = std::iter::once(&check["span"]).chain(related.map(|r| &r["span"]));
        let text = text(manifest, row)?;
        let marked = |line: u64| text.lines().nth(line as usize - 1).unwrap().contains("// BUG");
        if spans.filter_map(|s| s["line"].as_u64()).any(marked) {
            return Ok(());
        }
        Err(format!("{} at line {} without `// BUG`", check["kind"], check["span"]["line"]))
    });
}

#[test]
fn no_contract_is_vacuous() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    every_row(|manifest, row| {
        if matches!(row.variant, Variant::Safety | Variant::Bug) {
            return Ok(());
        }
        let text = text(manifest, row)?;
        let lines: Vec<&str> = text.lines().collect();
        let calls = format!("{}(", row.proc);
        let definition = (1..lines.len())
            .find(|&i| lines[i].contains(&calls) && lines[i - 1].trim_end().ends_with("*/"))
            .ok_or("no contract before the definition")?;
        let contract = lines[definition - 1].trim_end().strip_suffix("*/").unwrap();
        let contract = format!("{contract} ensures \\false; */");
        let mut lines = lines.clone();
        lines[definition - 1] = &contract;
        let name = format!("{}-{}-{}", manifest.suite, manifest.engine(row), row.file);
        let path = scratch.path().join(name);
        fs::write(&path, lines.join("\n")).map_err(|e| e.to_string())?;
        let found = explore(manifest, row, path.to_str().ok_or("not UTF-8")?)?;
        if found["verdict"] == "violated" && found["check"]["kind"] == "postcondition" {
            return Ok(());
        }
        Err(format!("`ensures \\false` is not refuted: {}", found["reason"]["text"]))
    });
}

#[test]
fn the_logic_expresses_every_contract() {
    every_row(|manifest, row| {
        // A whole program has no contract.
        if row.proc == "main" {
            return Ok(());
        }
        let ran = trellis(&["show", &file(manifest, row), "vocabulary", "--proc", &row.proc]);
        let clauses = ran.out.split_once("in the logic\n").ok_or("no clauses")?.1;
        match clauses.lines().find(|l| l.contains("not in the logic")) {
            Some(line) => Err(line.trim().to_owned()),
            None => Ok(()),
        }
    });
}

#[test]
fn manifests_are_complete() {
    for manifest in manifests() {
        let suite = &manifest.suite;
        let mut runs = BTreeSet::new();
        let mut listed = BTreeSet::new();
        for row in &manifest.rows {
            let name = format!("{suite}, {} ({})", row.name, row.variant);
            assert!(runs.insert((&row.name, row.variant)), "{name} twice");
            listed.insert(folder(suite).join(&row.file));
            let bug = row.variant == Variant::Bug;
            assert_eq!(bug, row.expect == Expect::Violated, "{name}");
            let none = row.variant == Variant::NoInvariant;
            assert_eq!(none, row.expect == Expect::NoInvariant, "{name}");
            let text = text(&manifest, row).unwrap_or_else(|e| panic!("{name}: {e}"));
            assert_eq!(bug, text.contains("// BUG"), "{name}");
            let code: Vec<&str> = text.lines().filter(|l| !l.contains("&&")).collect();
            let address = code.iter().any(|l| l.contains("= &") || l.contains("**"));
            assert_eq!(address, row.address_taken, "{name}");
            for predicate in &row.predicates {
                assert!(text.contains(&format!("predicate {predicate}(")), "{name}");
            }
            assert!(row.paper_families.len() <= 1, "{name}: no table gives two families");
            assert!(row.note.as_ref().is_none_or(|n| !n.is_empty()), "{name}");
        }
        let files: BTreeSet<PathBuf> = c_files(&folder(suite)).into_iter().collect();
        assert_eq!(files, listed, "{suite}: programs and rows differ");
    }
}

/// Rows, hundredths of seconds, frames, calls, clauses (the quantified ones counted again), elements.
type Sums = [u64; 6];

/// The sums of the papers' columns over the rows of a variant, and the rows that failed.
fn sums<'a>(
    rows: impl Iterator<Item = &'a Row>,
    column: fn(&Row) -> Option<&Figures>,
) -> (Sums, usize) {
    let (mut sums, mut failed) = ([0; 6], 0);
    for figures in rows.filter_map(column) {
        match figures {
            Figures::Failed { outcome } => {
                assert!(["abstraction failure", "timeout"].contains(&outcome.as_str()));
                failed += 1;
            }
            Figures::Measured(m) => {
                let clauses = m.clauses.unwrap_or(0) + m.forall.unwrap_or(0);
                let seconds = (m.seconds * 100.0).round() as u64;
                let counts = [m.frames, m.calls, clauses, m.elements.unwrap_or(0)].map(u64::from);
                let all = [1, seconds].into_iter().chain(counts);
                sums.iter_mut().zip(all).for_each(|(sum, n)| *sum += n);
            }
        }
    }
    (sums, failed)
}

/// The sums were computed from the papers' text, not from the manifests, so that a slip is seen.
#[test]
fn the_papers_figures_are_copied_well() {
    let check = |suite: &str, variant: Variant, expected: Sums| {
        let manifest = Manifest::load(&folder(suite)).unwrap_or_else(|e| panic!("{e}"));
        assert!(manifest.paper.is_some());
        let rows = manifest.rows.iter().filter(|r| r.variant == variant);
        assert_eq!(sums(rows, |r| r.paper.as_ref()), (expected, 0), "{suite}, {variant}");
    };
    check("pdr-forall", Variant::Full, [22, 462460, 146, 18489, 720, 0]);
    check("pdr-forall", Variant::Safety, [22, 75570, 123, 7063, 303, 0]);
    check("pdr-forall", Variant::Bug, [4, 1590, 7, 149, 0, 16]);
    check("pdr-forall", Variant::NoInvariant, [2, 560, 5, 94, 0, 0]);
    check("pdr-a", Variant::Safety, [11, 14400, 37, 721, 61, 0]);
    check("pdr-a", Variant::Additional, [11, 169567, 50, 1988, 97, 0]);
    check("pdr-a", Variant::Bug, [4, 11482, 6, 126, 0, 17]);
    let manifest = Manifest::load(&folder("pdr-forall")).unwrap_or_else(|e| panic!("{e}"));
    let other = sums(manifest.rows.iter(), |r| r.pdr_a.as_ref());
    assert_eq!(other, ([14, 100010, 70, 1814, 117, 0], 8));
}
