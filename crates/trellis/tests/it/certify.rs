//! `trellis verify --certificate` and `trellis certify`, as a user types them.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use crate::schema::problems;
use crate::{Ran, root, trellis};

const REVERSE: &str = "benchmarks/pdr-forall/reverse.c";

/// A directory with the certificate of a procedure of a file.
struct Certified {
    scratch: TempDir,
    certificate: PathBuf,
}

impl Certified {
    fn new(source: &str) -> Certified {
        let scratch = tempfile::tempdir().expect("a directory");
        let certificate = scratch.path().join("proof.json");
        let path = certificate.to_str().expect("UTF-8");
        let ran = trellis(&["verify", source, "--engine", "pdr-forall", "--certificate", path]);
        assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
        Certified { scratch, certificate }
    }

    fn path(&self) -> &Path {
        self.scratch.path()
    }

    fn json(&self) -> Value {
        let text = fs::read_to_string(&self.certificate).expect("it was written");
        serde_json::from_str(&text).expect("a certificate is JSON")
    }

    fn change(&self, change: impl FnOnce(&mut Value)) {
        let mut json = self.json();
        change(&mut json);
        fs::write(&self.certificate, json.to_string()).expect("it can be written");
    }

    fn certify(&self, more: &[&str]) -> Ran {
        let path = self.certificate.to_str().expect("UTF-8");
        trellis(&[&["certify", path], more].concat())
    }
}

fn schema(name: &str) -> Value {
    let text = fs::read_to_string(root().join("docs/src/schema").join(name)).expect("the schema");
    serde_json::from_str(&text).expect("a schema is JSON")
}

fn assert_contains(text: &str, part: &str) {
    assert!(text.contains(part), "no `{part}` in\n{text}");
}

#[test]
fn a_proof_is_certified_by_both_solvers() {
    let certified = Certified::new(REVERSE);
    assert_eq!(problems(&schema("certificate-3.json"), &certified.json()), Vec::<String>::new());
    let ran = certified.certify(&[]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert_contains(&ran.out, "reverse in benchmarks/pdr-forall/reverse.c: certified");
    for solver in ["z3", "cvc5"] {
        assert_contains(&ran.out, &format!("{solver} showed 9 conditions"));
    }
}

#[test]
fn reports_follow_the_schema() {
    let certified = Certified::new(REVERSE);
    let report = |code| {
        let ran = certified.certify(&["--solver", "epr", "--format", "json"]);
        assert_eq!(ran.code, Some(code), "{}{}", ran.out, ran.err);
        let report: Value = serde_json::from_str(&ran.out).expect("JSON");
        assert_eq!(problems(&schema("certify-1.json"), &report), Vec::<String>::new());
        assert_eq!(report["exit_code"], code);
        report
    };
    assert_eq!(report(0)["found"]["outcome"], "certified");
    certified.change(|json| {
        json["cut_points"][0]["invariant"].as_array_mut().expect("clauses").pop();
    });
    let refuted = report(1);
    assert_eq!(refuted["found"]["outcome"], "refuted");
    assert!(!refuted["found"]["open"].as_array().expect("conditions").is_empty());
    certified.change(|json| json["procedure"] = "nobody".into());
    assert!(!report(2)["diagnostics"].as_array().expect("errors").is_empty());
}

#[test]
fn a_clause_that_is_missing_refutes() {
    let certified = Certified::new(REVERSE);
    certified.change(|json| {
        json["cut_points"][0]["invariant"].as_array_mut().expect("clauses").clear();
    });
    let ran = certified.certify(&[]);
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    assert_contains(&ran.out, "refuted");
}

#[test]
fn a_false_clause_refutes() {
    let certified = Certified::new(REVERSE);
    certified.change(|json| json["cut_points"][0]["invariant"][0]["formula"] = "false".into());
    let ran = certified.certify(&["--solver", "epr"]);
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
}

#[test]
fn another_source_is_noticed() {
    let certified = Certified::new(REVERSE);
    let copy = certified.path().join("copy.c");
    let text = fs::read_to_string(root().join(REVERSE)).expect("the source");
    fs::write(&copy, text.replace("h->next = r", "h->next = NULL")).expect("a copy");
    let copy = copy.to_str().expect("UTF-8");
    let ran = certified.certify(&["--source", copy]);
    assert_eq!(ran.code, Some(2), "{}{}", ran.out, ran.err);
    assert_contains(&ran.err, "is not the file that was certified: its SHA-256 is");
    let ran = certified.certify(&["--source", copy, "--ignore-hash", "--solver", "epr"]);
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
}

#[test]
fn files_that_cannot_be_used_are_errors() {
    let certified = Certified::new(REVERSE);
    let cases = [
        ("{ \"format\": ", "proof.json"),
        ("{}", "format"),
        ("not json", "proof.json"),
        ("", "proof.json"),
    ];
    for (text, said) in cases {
        fs::write(&certified.certificate, text).expect("it can be written");
        let ran = certified.certify(&[]);
        assert_eq!(ran.code, Some(2), "{text}: {}{}", ran.out, ran.err);
        assert_contains(&ran.err, said);
        assert_eq!(ran.out, "");
    }
    let ran = trellis(&["certify", "no/such/proof.json"]);
    assert_eq!(ran.code, Some(2));
    assert_contains(&ran.err, "there is no file `no/such/proof.json`");
}

#[test]
fn formulas_that_cannot_be_read_are_errors_with_their_place() {
    let cases = ["(reach next h", "(reach prev h r)", "(and h)", "(= h nobody)"];
    for formula in cases {
        let certified = Certified::new(REVERSE);
        certified.change(|json| json["cut_points"][0]["invariant"][0]["formula"] = formula.into());
        let ran = certified.certify(&["--solver", "epr"]);
        assert_eq!(ran.code, Some(2), "{formula}: {}{}", ran.out, ran.err);
        assert_contains(&ran.err, "proof.json");
    }
}

#[test]
fn a_missing_solver_decides_nothing() {
    let certified = Certified::new(REVERSE);
    let ran = certified.certify(&["--solver", "z3", "--solver-path", "z3=no/such/z3"]);
    assert_eq!(ran.code, Some(3), "{}{}", ran.out, ran.err);
    assert_contains(&ran.out, "z3");
}

#[test]
fn several_certificates_go_to_a_directory() {
    let scratch = tempfile::tempdir().expect("a directory");
    let to = scratch.path().join("proofs");
    let sources = [REVERSE, "benchmarks/pdr-forall/concat.c"];
    let to_text = to.to_str().expect("UTF-8");
    let args = ["verify", "--separately", sources[0], sources[1], "--engine", "pdr-forall"];
    let ran = trellis(&[&args[..], &["--certificate", to_text]].concat());
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    for name in ["reverse-reverse.json", "concat-concat.json"] {
        let file = to.join(name);
        let ran = trellis(&["certify", file.to_str().expect("UTF-8"), "--solver", "epr"]);
        assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    }
}

#[test]
fn what_is_not_verified_gets_no_certificate() {
    let scratch = tempfile::tempdir().expect("a directory");
    let file = scratch.path().join("proof.json");
    let source = "benchmarks/pdr-forall/filter-bug.c";
    let args = ["verify", source, "--engine", "pdr-forall", "--certificate"];
    let ran = trellis(&[&args[..], &[file.to_str().expect("UTF-8")]].concat());
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    assert!(!file.exists());
}
