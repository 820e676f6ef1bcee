//! `trellis certify --solver-proofs`: every unsat answer with a proof that the checker accepts.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use trellis_proofcheck::files::check_directory;

use crate::{Ran, trellis};

const PROGRAM: &str = "benchmarks/pdr-forall/delete-all.c";

/// Certifies a proof about the program with the given solvers, and asks for solver proofs.
fn certify(solvers: &str) -> (TempDir, PathBuf, Ran) {
    let scratch = tempfile::tempdir().expect("a directory");
    let (certificate, proofs) = (scratch.path().join("proof.json"), scratch.path().join("proofs"));
    let certificate = certificate.to_str().expect("UTF-8");
    let args = ["verify", PROGRAM, "--engine", "pdr-forall", "--certificate", certificate];
    let ran = trellis(&args);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    let directory = proofs.to_str().expect("UTF-8");
    let args = ["certify", certificate, "--solver", solvers, "--solver-proofs", directory];
    let ran = trellis(&args);
    (scratch, proofs, ran)
}

/// The directories of the proofs, in order.
fn directories(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("proofs were written");
    let mut found: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
    found.sort_unstable();
    found
}

/// Writes a text, sees that the proof is rejected for a reason that names the file, and writes the
/// old text again.
fn is_rejected_with(directory: &Path, name: &str, change: impl FnOnce(&str) -> String) {
    let path = directory.join(name);
    let text = fs::read_to_string(&path).expect("it was written");
    let changed = change(&text);
    assert_ne!(text, changed, "{name} is to be changed");
    fs::write(&path, changed).expect("it can be written");
    let why = check_directory(directory).expect_err("the proof is wrong now").reason;
    assert!(why.contains(name) || why.contains("proof."), "{why}");
    fs::write(&path, text).expect("it can be written");
    check_directory(directory).expect("the proof is right again");
}

#[test]
fn unsat_answers_come_with_proofs_that_cannot_be_changed() {
    let (_scratch, folder, ran) = certify("epr");
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    let proofs = directories(&folder);
    assert!(!proofs.is_empty());
    let told = format!("{} solver proofs in {}, accepted", proofs.len(), folder.display());
    assert!(ran.out.contains(&told), "no `{told}` in\n{}", ran.out);
    for directory in &proofs {
        check_directory(directory).expect("an accepted proof");
    }
    let shown = ran.out.lines().find_map(|l| l.trim().strip_prefix("epr showed ")).expect("shown");
    let conditions: usize = shown.split(' ').next().and_then(|n| n.parse().ok()).expect("a number");
    assert!(proofs.len() >= conditions, "every condition that was shown has a proof");

    // The one with the longest refutation has something of everything.
    let length = |d: &PathBuf| fs::metadata(d.join("proof.lrat")).expect("a file").len();
    let directory = proofs.into_iter().max_by_key(length).expect("a proof");
    // Without its last step there is no empty clause.
    is_rejected_with(&directory, "proof.lrat", |text| {
        let steps: Vec<&str> = text.lines().collect();
        steps[..steps.len() - 1].join("\n") + "\n"
    });
    is_rejected_with(&directory, "ground.cnf", |text| {
        let clauses: Vec<&str> = text.lines().collect();
        clauses[..clauses.len() - 1].join("\n") + "\n"
    });
    // Another formula than the one that was refuted.
    is_rejected_with(&directory, "proof.txt", |text| {
        text.replacen("\nassert A", "\nassert A0\n# A", 1)
    });
    is_rejected_with(&directory, "proof.drat", |text| format!("d {text}"));
}

#[test]
fn only_the_embedded_solver_makes_proofs() {
    let (_scratch, folder, ran) = certify("z3");
    assert_eq!(ran.code, Some(2), "{}{}", ran.out, ran.err);
    assert!(ran.err.contains("--solver-proofs needs --solver epr"), "{}", ran.err);
    assert!(!folder.exists());
}
