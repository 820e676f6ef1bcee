//! Every program of the suites `c` and `everyday` has the answer that its manifest says, as a user
//! types it. The quick tier asks about the rows of `c` that are decided quickly, the slow tier
//! (`TRELLIS_SLOW`) about all.

use std::collections::BTreeSet;
use std::fs;
use std::process::{Command, Stdio};

use serde_json::Value;
use trellis_suites::whole::{Expect, Manifest, Row};

use crate::{root, trellis};

fn manifest(suite: &str) -> Manifest {
    Manifest::load(&root().join("benchmarks").join(suite)).expect("a manifest")
}

/// The files of a program, from the root of the workspace.
fn files(suite: &str, row: &Row) -> Vec<String> {
    row.files.iter().map(|f| format!("benchmarks/{suite}/{f}")).collect()
}

/// What is wrong with the answer about a program.
fn problem(suite: &str, row: &Row) -> Result<(), String> {
    let files = files(suite, row);
    // What nobody proves is not waited for.
    let timeout = if row.today.is_some() { "2s" } else { "60s" };
    let mut args = vec!["verify", "--format", "json", "--proc", "main", "--timeout", timeout];
    args.extend(files.iter().map(String::as_str));
    let ran = trellis(&args);
    let report: Value = serde_json::from_str(&ran.out).map_err(|e| format!("{e}: {}", ran.err))?;
    let found = &report["files"][0]["procedures"][0];
    let verdict = found["verdict"].as_str().unwrap_or("no verdict");
    let check = &found["check"];
    if !row.allows(row.standing(verdict, check["kind"].as_str())) {
        return Err(format!("{verdict}: {} {check}", found["reason"]["text"]));
    }
    if verdict != "violated" {
        return Ok(());
    }
    let span = &check["span"];
    let file = root().join(span["file"].as_str().unwrap_or(""));
    let text = fs::read_to_string(file).map_err(|e| e.to_string())?;
    let line = span["line"].as_u64().unwrap_or(1) as usize;
    let marked = text.lines().nth(line - 1).is_some_and(|l| l.contains("// BUG"));
    if marked { Ok(()) } else { Err(format!("{} at line {line}", check["kind"])) }
}

fn problems<'r>(suite: &str, rows: impl Iterator<Item = &'r Row>) -> BTreeSet<String> {
    rows.filter_map(|row| problem(suite, row).err().map(|why| format!("{}: {why}", row.name)))
        .collect()
}

#[test]
fn every_everyday_program_has_its_answer() {
    let wrong = problems("everyday", manifest("everyday").rows.iter());
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_program_on_linked_structures_has_its_answer() {
    let manifest = manifest("c");
    let all = std::env::var_os("TRELLIS_SLOW").is_some();
    let asked = manifest.rows.iter().filter(|r| all || (!r.slow && r.today.is_none()));
    let wrong = problems("c", asked);
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// A row is a file and a file is a row, a bug is marked where it is one and nowhere else.
#[test]
fn the_manifest_of_linked_structures_fits_its_folder() {
    let manifest = manifest("c");
    let folder = root().join("benchmarks/c");
    let mut named = BTreeSet::new();
    for row in &manifest.rows {
        assert_eq!(row.check.is_some(), row.expect == Expect::Violated, "{}", row.name);
        for file in &row.files {
            assert!(named.insert(file.clone()), "{file} is in two rows");
            let text = fs::read_to_string(folder.join(file)).expect(file);
            assert_eq!(text.contains("// BUG"), row.expect == Expect::Violated, "{file}");
        }
    }
    let there: BTreeSet<String> = fs::read_dir(folder)
        .expect("a folder")
        .map(|e| e.expect("an entry").file_name().into_string().expect("a name"))
        .filter(|name| name != "manifest.toml")
        .collect();
    assert_eq!(named, there);
}

/// What is *verified* runs under the sanitizers, and returns what the interpreter returns.
#[test]
fn the_compiler_agrees() {
    let manifest = manifest("everyday");
    let scratch = tempfile::tempdir().expect("a folder");
    let program = scratch.path().join("program");
    let decided = |r: &&Row| r.expect == Expect::Verified && r.today.is_none();
    let mut compared = 0;
    for row in manifest.rows.iter().filter(decided) {
        let files = files("everyday", row);
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
        // The interpreter chooses zeros: as input they may have no end, or be what a model excludes.
        if interpreted.out.contains("main: stopped") {
            continue;
        }
        let returned = format!("returned {}", ran.status.code().expect("no signal"));
        assert!(interpreted.out.contains(&returned), "{}: {}", row.name, interpreted.out);
        compared += 1;
    }
    assert!(compared >= 35, "only {compared} programs end");
}
