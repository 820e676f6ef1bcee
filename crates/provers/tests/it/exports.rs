//! Exported files load in their provers.

use std::fs;
use std::process::Command;

use trellis_provers::export::Format;

use crate::{Given, LISTS, NUMBERS, TREES, given};

/// Names that are words of some language of provers, or names that our files use.
const STRANGE: &[(&str, &str)] = &[
    ("forall", "obj => obj"),
    ("Prop", "int"),
    ("Theorem", "int"),
    ("v1", "int"),
    ("h0", "int"),
    ("goal", "int"),
    ("all1", "obj"),
    ("ex2", "obj"),
    ("fof", "obj set"),
    ("theory", "obj"),
    ("a'", "int"),
];

fn samples() -> Vec<Given> {
    vec![
        given(
            STRANGE,
            &[
                "tree [forall]",
                "ALL k. 0 <= k & k < Prop --> k ~= v1 & h0 < goal",
                "all1..forall = ex2 & ex2 : fof",
                "(all1, theory) : {(u, v). u..forall = v}^*",
            ],
            "EX k. k = Theorem + a' | card {v. v : fof | v = theory} <= 1 + card {v. v : fof}",
        ),
        given(NUMBERS, &["i < j", "j < n", "0 < i div 2"], "i + 1 < n * 1 | -i <= j mod 3"),
        given(
            LISTS,
            &["tree [next]", "(x, y) : {(u, v). u..next = v}^*", "x : S"],
            "tree [fieldWrite next x y] | card {v. v : S} <= 3",
        ),
        given(
            TREES,
            &["ptree parent [left, right]", "EX v. v..left = x"],
            "ALL v. v..right = y --> v = z",
        ),
        given(LISTS, &["ALL v. v : S --> v ~= null"], "(if x : S then x else y) = z"),
    ]
}

/// Runs a prover on every sample and gives what it said.
fn said(format: Format, command: &str, args: &[&str]) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a folder");
    let one = |(i, given): (usize, Given)| {
        let title = format!("sample_{i}");
        let text = format.write(
            &given.question(),
            &title,
            "a (* comment *) with \"quotes\"\nof two lines",
        );
        let file = folder.path().join(format!("{title}.{}", format.extension()));
        fs::write(&file, text.expect("it can be said")).expect("a file");
        let ran = Command::new(command).args(args).arg(&file).output().expect(command);
        let out = String::from_utf8_lossy(&ran.stdout).into_owned();
        let text = out + &String::from_utf8_lossy(&ran.stderr);
        format!("{} {text}", ran.status.success())
    };
    samples().into_iter().enumerate().map(one).collect()
}

#[test]
fn smt_lib_is_read_by_both_solvers() {
    for (command, args) in
        [("z3", &["-t:2000", "-smt2"][..]), ("cvc5", &["--lang=smt2", "--tlimit=2000"])]
    {
        for text in said(Format::Smt2, command, args) {
            assert!(!text.contains("error"), "{command}: {text}");
        }
    }
}

#[test]
fn tptp_is_read_by_both_provers() {
    for text in said(Format::Tptp, "eprover", &["--auto", "-s", "--tptp3-format", "--cpu-limit=2"])
    {
        assert!(text.contains("SZS status"), "{text}");
    }
    for text in said(Format::Tptp, "SPASS", &["-TPTP", "-PGiven=0", "-PProblem=0", "-TimeLimit=2"])
    {
        assert!(text.contains("SPASS beiseite"), "{text}");
    }
}

#[test]
fn mona_reads_its_files() {
    for text in said(Format::Mona, "mona", &["-q"]) {
        assert!(text.contains("Formula is") || text.contains("example"), "{text}");
    }
}

#[test]
fn coq_loads_its_files() {
    for text in said(Format::Coq, "coqc", &["-q"]) {
        assert!(text.starts_with("true"), "{text}");
    }
}

#[test]
fn isabelle_gets_whole_sequents() {
    let given = &samples()[2];
    let text = Format::Isabelle.write(&given.question(), "sample", "why").expect("it can be said");
    for part in ["theory sample", "assumes h0: \"(tree [s_next_0])\"", "rtrancl_pt", "sorry", "end"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn formats_have_names() {
    for format in Format::ALL {
        assert_eq!(format.name().parse(), Ok(format));
    }
    assert!("latex".parse::<Format>().is_err_and(|why| why.contains("smt2, tptp")));
}
