//! Symbolic shape analysis on the command line.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;
use trellis_store::{Shelf, StoreAddress};
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
    let manifest = Manifest::load(&root().join("benchmarks/bohne")).expect("a manifest");
    for (word, expect) in [(" verified ", Expect::Verified), (" violated ", Expect::Violated)] {
        let expected = manifest.rows.iter().filter(|r| r.expect == expect).count();
        let found = ran.out.lines().filter(|l| l.contains(word)).count();
        assert_eq!(found, expected, "{}", ran.out);
    }
    let ran = trellis(&["bench", "bohne-ablation", "--row", "nobody"]);
    assert_ne!(ran.code, Some(0));
    assert!(ran.err.contains("no row is called `nobody`"), "{}", ran.err);
}

/// One default configuration, without options.
#[test]
fn the_default_run_proves_the_programs_of_figure_9() {
    let files = [
        "dll-add-last",
        "list-reverse",
        "sorted-list-add",
        "skiplist-add",
        "tree-add",
        "parent-tree-add",
        "linear-array-inv",
    ];
    for file in files {
        let ran = trellis(&["verify", &format!("benchmarks/bohne/{file}.java")]);
        assert_eq!(ran.code, Some(0), "{file}: {}{}", ran.out, ran.err);
    }
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
    let files = manifest.rows.iter().flat_map(|r| std::iter::once(&r.file).chain(&r.swapped));
    let listed: BTreeSet<_> = files.map(|file| folder.join(file)).collect();
    assert!(c_files(&folder).into_iter().collect::<BTreeSet<_>>().is_subset(&listed));
    for row in &manifest.rows {
        let bug = row.variant == Variant::Bug;
        assert_eq!(bug, row.expect == Expect::Violated, "{}", row.file);
        let text = fs::read_to_string(folder.join(&row.file)).expect("a program");
        assert_eq!(bug, text.contains("// BUG"), "{}", row.file);
        let file = format!("benchmarks/bohne/{}", row.file);
        let explored = verify(&file, &["explore", "--objects", "4", "--proc", &row.proc]);
        if !bug {
            assert_eq!(explored["reason"]["kind"], "bounded", "{file}: {explored}");
            continue;
        }
        for found in [explored, verify(&file, &["bohne", "--proc", &row.proc])] {
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

/// Arrays and numbers: formulas of higher-order logic, shown by provers.
#[test]
fn provers_show_what_transition_systems_cannot_say() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("linear.json");
    let certificate = path.to_str().expect("UTF-8");
    let cache = folder.path().join("cache");
    let cache = cache.to_str().expect("UTF-8");
    let file = "benchmarks/bohne/linear-array-inv.java";
    let found = verify(file, &["bohne", "--certificate", certificate, "--cache", cache]);
    assert_eq!(found["verdict"], "verified", "{found}");
    let invariant = found["invariants"].to_string();
    for part in ["lengths", "bounds", "v ~: done | v : sums"] {
        assert!(invariant.contains(part), "{invariant}");
    }
    // Another prover shows it again, from the source up.
    let text = fs::read_to_string(&path).expect("a certificate");
    let written: Value = serde_json::from_str(&text).expect("JSON");
    let schema = root().join("docs/src/schema/certificate-3.json");
    let schema = fs::read_to_string(schema).expect("a schema");
    let schema = serde_json::from_str(&schema).expect("a schema is JSON");
    assert_eq!(crate::schema::problems(&schema, &written), Vec::<String>::new());
    assert!(text.contains("\"by\": \"cvc5"), "{text}");
    let ran = trellis(&["certify", certificate, "--solver", "z3"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("z3 showed"), "{}", ran.out);
    // A part that is not kept, and one that the source does not have, are noticed.
    let weak = text.replace("\"~done\"", "\"~content\"");
    fs::write(&path, weak).expect("a forged certificate");
    assert_eq!(trellis(&["certify", certificate]).code, Some(3));
    let foreign = text.replace("\"~done\"", "\"~dome\"");
    fs::write(&path, foreign).expect("a forged certificate");
    assert_eq!(trellis(&["certify", certificate]).code, Some(2));
    // The cache has what was asked, and a second run asks nobody.
    let counted = trellis(&["cache", "stats", cache]);
    assert!(counted.out.contains("\nvalid "), "{}", counted.out);
    let again = verify(file, &["bohne", "--cache", cache, "--prover-path", "z3=/no/such/prover"]);
    assert_eq!(again["verdict"], "verified", "{again}");
    assert_eq!(trellis(&["cache", "clear", cache]).code, Some(0));
    let counted = trellis(&["cache", "stats", cache]);
    assert!(counted.out.contains("bytes       0"), "{}", counted.out);
}

#[test]
fn bounded_sets_in_arrays_are_proved_and_their_bugs_found() {
    let all = |file: &str| {
        let ran = trellis(&["verify", file, "--engine", "bohne", "--format", "json"]);
        let report: Value = serde_json::from_str(&ran.out).expect("JSON");
        let procedures = report["files"][0]["procedures"].as_array().expect("procedures").clone();
        procedures
            .iter()
            .map(|p| p["verdict"].as_str().unwrap_or("").to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(all("benchmarks/bohne/array-set.java"), ["verified"; 4]);
    assert_eq!(all("benchmarks/bohne/array-set-bug.java")[2], "violated");
    assert_eq!(all("benchmarks/bohne/linear-array-inv-bug.java"), ["violated"]);
    // Without any predicate of the user: bounds and weaker postconditions are guessed.
    assert_eq!(all("benchmarks/bohne/array-max.java"), ["verified"; 3]);
    assert_eq!(all("benchmarks/bohne/array-max-bug.java"), ["verified", "verified", "violated"]);
    assert_eq!(all("benchmarks/bohne/list-iterator.java"), ["verified"; 3]);
    // A counter is the cardinality of a set; where a search has passed is guessed.
    assert_eq!(all("benchmarks/bohne/counted-stack.java"), ["verified"; 4]);
}

#[test]
fn a_forged_cache_proves_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let cache = folder.path().to_str().expect("UTF-8");
    let file = "benchmarks/bohne/array-set-bug.java";
    let verdict = || {
        let ran = trellis(&[
            "verify",
            file,
            "--engine",
            "bohne",
            "--proc",
            "ArraySet.add",
            "--cache",
            cache,
            "--format",
            "json",
        ]);
        let report: Value = serde_json::from_str(&ran.out).expect("JSON");
        report["files"][0]["procedures"][0]["verdict"].as_str().expect("a verdict").to_owned()
    };
    assert_ne!(verdict(), "verified");
    let at: StoreAddress = cache.parse().expect("a folder");
    let shelf = Shelf::open(&at, "sequent", "1").expect("a store");
    let answers = shelf.records().expect("answers").contents;
    shelf.clear().expect("cleared");
    let mut lies = 0;
    for answer in &answers {
        let (finding, question) = answer.split_once('\t').expect("a question");
        lies += usize::from(!finding.starts_with("valid"));
        shelf.append(&format!("valid z3\t{question}")).expect("forged");
    }
    assert!(lies > 0, "there was nothing to forge:\n{answers:?}");
    // That about the procedure would be found before any prover is asked.
    Shelf::open(&at, "procedure", "1").expect("a store").clear().expect("cleared");
    let counted = trellis(&["cache", "stats", cache]);
    assert!(counted.out.contains("ignored     0"), "{}", counted.out);
    assert_ne!(verdict(), "verified");
}

#[test]
fn sequents_are_exported_proved_or_not() {
    let file = "benchmarks/bohne/linear-array-inv.java";
    for (format, extension) in
        [("smt2", "smt2"), ("tptp", "p"), ("mona", "mona"), ("coq", "v"), ("isabelle", "thy")]
    {
        let folder = tempfile::tempdir().expect("a folder");
        let to = folder.path().join("sequents");
        let to = to.to_str().expect("UTF-8");
        trellis(&["verify", file, "--engine", "bohne", "--export", format, to]);
        let files: Vec<_> = fs::read_dir(to).expect("a folder").collect();
        let named = |f: &std::io::Result<fs::DirEntry>| {
            f.as_ref().is_ok_and(|f| f.path().extension().is_some_and(|e| e == extension))
        };
        assert!(files.len() > 5 && files.iter().all(named), "{format}: {files:?}");
    }
    let ran = trellis(&["verify", file, "--export", "latex", "nowhere"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("`latex` is none of smt2"), "{}", ran.err);
}

#[test]
fn a_changed_program_finds_its_answers_in_the_cache() {
    let ran = trellis(&["bench", "bohne-ablation", "--row", "Linear.arrayInv"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("cold cache") && ran.out.contains("warm cache"), "{}", ran.out);
}
