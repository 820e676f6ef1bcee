//! Every program of the suite `everyday` has the answer that its manifest says, as a user types it.

use std::collections::BTreeSet;
use std::fs;
use std::process::{Command, Stdio};

use serde_json::Value;
use trellis_suites::everyday::{Expect, Manifest, Row};

use crate::{root, trellis};

/// What is wrong with the answer about a program.
fn problem(row: &Row) -> Result<(), String> {
    let files: Vec<String> = row.files.iter().map(|f| format!("benchmarks/everyday/{f}")).collect();
    // What nobody proves is not waited for.
    let timeout = if row.expect == Expect::NotRefuted { "2s" } else { "60s" };
    let mut args = vec!["verify", "--format", "json", "--timeout", timeout];
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

/// What is *verified* runs under the sanitizers, and returns what the interpreter returns.
#[test]
fn the_compiler_agrees() {
    let folder = root().join("benchmarks/everyday");
    let manifest = Manifest::load(&folder).expect("a manifest");
    let scratch = tempfile::tempdir().expect("a folder");
    let program = scratch.path().join("program");
    for row in manifest.rows.iter().filter(|r| r.expect == Expect::Verified) {
        let files: Vec<String> =
            row.files.iter().map(|f| format!("benchmarks/everyday/{f}")).collect();
        let mut cc = Command::new("cc");
        cc.current_dir(root()).args(["-w", "-fsanitize=address,undefined"]).args(&files);
        let built = cc.arg("-o").arg(&program).status().expect("a C compiler");
        assert!(built.success(), "{}", row.name);
        let ran = Command::new(&program).stdin(Stdio::null()).output().expect("it runs");
        let said = String::from_utf8_lossy(&ran.stderr);
        assert!(!said.contains("Sanitizer"), "{}: {said}", row.name);
        let args: Vec<&str> =
            std::iter::once("run").chain(files.iter().map(String::as_str)).collect();
        let interpreted = trellis(&args);
        let returned = format!("returned {}", ran.status.code().expect("no signal"));
        assert!(interpreted.out.contains(&returned), "{}: {}", row.name, interpreted.out);
    }
}
