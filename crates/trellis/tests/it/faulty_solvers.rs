//! Solvers that are missing, die, hang or babble, as a user meets them: one clean *unknown* within
//! the budget. A test that does not end is a failure here.

use std::path::PathBuf;

use tempfile::TempDir;

use crate::trellis;

const REVERSE: &str = "benchmarks/pdr-forall/reverse.c";

/// Answers everything with `sat`, and then with what is put here for a model.
fn says_sat(model: &str) -> String {
    format!(
        "while read -r line; do case \"$line\" in
           *check-sat*) echo sat;; *get-model*) {model};;
           *echo*) line=${{line#*\\\"}}; echo \"${{line%%\\\"*}}\";; esac; done"
    )
}

/// What each fake does.
fn fakes() -> Vec<(&'static str, String)> {
    vec![
        ("hangs at start", "exec sleep 1000".to_owned()),
        ("hangs after reading", "cat >/dev/null & exec sleep 1000".to_owned()),
        ("dies at start", "echo 'no license' >&2; exit 7".to_owned()),
        ("dies in a question", "read line; kill -9 $$".to_owned()),
        ("babbles", "while :; do echo 'unsat maybe ((('; sleep 0.05; done".to_owned()),
        ("floods", "exec yes sat".to_owned()),
        ("hangs at the model", says_sat("sleep 1000")),
        ("has no model", says_sat("echo '(((' ")),
    ]
}

/// The option that puts a script in the place of z3.
fn in_place_of_z3(folder: &TempDir, body: &str) -> String {
    let path = trellis_testkit::solvers::script(folder.path(), body);
    format!("z3={}", path.display())
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

#[test]
fn verify_says_unknown() {
    for (what, body) in fakes() {
        let folder = folder();
        let z3 = in_place_of_z3(&folder, &body);
        let args =
            ["verify", REVERSE, "--engine", "pdr-forall", "--solver", "z3", "--timeout", "1s"];
        let ran = trellis(&[&args[..], &["--solver-path", &z3]].concat());
        assert_eq!(ran.code, Some(3), "{what}: {}{}", ran.out, ran.err);
        assert_eq!(ran.out.matches("unknown").count(), 1, "{what}: {}", ran.out);
        assert!(!ran.out.contains("internal error"), "{what}: {}", ran.out);
    }
    let args = ["verify", REVERSE, "--engine", "pdr-predicates", "--solver", "z3"];
    let ran = trellis(&[&args[..], &["--solver-path", "z3=no/such/z3"]].concat());
    assert_eq!(ran.code, Some(3), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("z3 is missing"), "{}", ran.out);
}

#[test]
fn certify_does_not_decide() {
    let proofs = folder();
    let proof: PathBuf = proofs.path().join("proof.json");
    let proof = proof.to_str().expect("UTF-8");
    let args = ["verify", REVERSE, "--engine", "pdr-forall", "--certificate", proof];
    assert_eq!(trellis(&args).code, Some(0));
    for (what, body) in fakes() {
        let folder = folder();
        let z3 = in_place_of_z3(&folder, &body);
        let args = ["certify", proof, "--solver", "z3", "--timeout", "1s", "--solver-path", &z3];
        let ran = trellis(&args);
        assert_eq!(ran.code, Some(3), "{what}: {}{}", ran.out, ran.err);
        assert!(ran.out.contains("not decided"), "{what}: {}", ran.out);
    }
}

#[test]
fn a_table_has_the_other_rows() {
    for (what, body) in fakes().into_iter().take(3) {
        let folder = folder();
        let z3 = in_place_of_z3(&folder, &body);
        let args = ["bench", "pdr-forall", "--row", "reverse", "--variant", "safety"];
        let more = ["--timeout", "1s", "--certify", "z3", "--solver-path", &z3];
        let ran = trellis(&[&args[..], &more[..]].concat());
        assert!(matches!(ran.code, Some(0 | 3)), "{what}: {:?} {}{}", ran.code, ran.out, ran.err);
        assert!(ran.out.contains("0 of 1 proofs certified by z3"), "{what}: {}", ran.out);
        assert!(ran.out.contains("verified"), "{what}: {}", ran.out);
    }
}
