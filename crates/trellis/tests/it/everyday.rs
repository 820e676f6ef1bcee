//! Every program of the suite `everyday` has the answer that its manifest says, as a user types it.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;
use trellis_suites::everyday::{Expect, Manifest, Row};

use crate::{root, trellis};

/// What is wrong with the answer about a program.
fn problem(row: &Row) -> Result<(), String> {
    let files: Vec<String> = row.files.iter().map(|f| format!("benchmarks/everyday/{f}")).collect();
    let mut args = vec!["verify", "--format", "json", "--timeout", "20s"];
    args.extend(files.iter().map(String::as_str));
    let ran = trellis(&args);
    let report: Value = serde_json::from_str(&ran.out).map_err(|e| format!("{e}: {}", ran.err))?;
    let found = &report["files"][0]["procedures"][0];
    let verdict = found["verdict"].as_str().unwrap_or("no verdict");
    if !row.expect.allows(verdict) {
        return Err(format!("{verdict}: {} {}", found["reason"]["text"], found["check"]));
    }
    if row.expect != Expect::Violated {
        return Ok(());
    }
    let check = &found["check"];
    let span = &check["span"];
    let file = root().join(span["file"].as_str().unwrap_or(""));
    let text = fs::read_to_string(file).map_err(|e| e.to_string())?;
    let line = span["line"].as_u64().unwrap_or(1) as usize;
    let marked = text.lines().nth(line - 1).is_some_and(|l| l.contains("// BUG"));
    match marked && check["kind"].as_str() == row.check.as_deref() {
        true => Ok(()),
        false => Err(format!("{} at line {line}", check["kind"])),
    }
}

#[test]
fn every_program_has_its_answer() {
    let manifest = Manifest::load(&root().join("benchmarks/everyday")).expect("a manifest");
    let wrong: BTreeSet<String> = manifest
        .rows
        .iter()
        .filter_map(|row| problem(row).err().map(|why| format!("{}: {why}", row.name)))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}
