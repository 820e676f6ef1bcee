//! Every prover shows what it is for, and nothing that is wrong.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use trellis_provers::{Answer, SequentProver, all};

use crate::{Given, LISTS, NUMBERS, TREES, given};

fn provers(names: &[&str]) -> Vec<Arc<dyn SequentProver>> {
    all(&|_| None).into_iter().filter(|p| names.contains(&p.name())).collect()
}

fn says(prover: &dyn SequentProver, given: &Given) -> Answer {
    says_within(prover, given, 10)
}

fn says_within(prover: &dyn SequentProver, given: &Given, seconds: u64) -> Answer {
    prover.prove(&given.question(), Duration::from_secs(seconds), &AtomicBool::new(false))
}

fn shows(names: &[&str], valid: &[Given], wrong: &[Given]) {
    for prover in provers(names) {
        for (i, given) in valid.iter().enumerate() {
            let said = says(prover.as_ref(), given);
            assert!(matches!(said, Answer::Valid(_)), "{} on valid {i}: {said:?}", prover.name());
        }
        for (i, given) in wrong.iter().enumerate() {
            let said = says_within(prover.as_ref(), given, 2);
            assert!(!matches!(said, Answer::Valid(_)), "{} on wrong {i}", prover.name());
        }
    }
}

#[test]
fn solvers_do_arithmetic() {
    let valid = [
        given(NUMBERS, &["i < j", "j < n"], "i + 2 <= n"),
        given(NUMBERS, &["ALL k. 0 <= k --> k < n"], "n < i | i < n"),
        given(NUMBERS, &["x = y"], "x..f = y..f"),
        // Closure is a relation that contains its steps.
        given(LISTS, &["x..next = y"], "(x, y) : {(u, v). u..next = v}^*"),
    ];
    let wrong = [
        given(NUMBERS, &["i < j"], "i + 2 <= j"),
        given(LISTS, &["(x, y) : {(u, v). u..next = v}^*"], "x..next = y"),
    ];
    shows(&["z3", "cvc5"], &valid, &wrong);
}

#[test]
fn cores_name_the_hypotheses_that_count() {
    let given = given(NUMBERS, &["x ~= y", "i < j", "j < n"], "i < n");
    for prover in provers(&["z3", "cvc5"]) {
        assert_eq!(says(prover.as_ref(), &given), Answer::Valid(Some(vec![1, 2])));
    }
}

#[test]
fn first_order_provers_know_no_numbers() {
    let valid = [
        given(LISTS, &["ALL v. v : S --> v..next : S", "x : S"], "x..next..next : S"),
        given(LISTS, &["x = y | x = z", "x ~= z"], "x..next = y..next"),
        given(NUMBERS, &["x = y", "i < x..f"], "i < y..f"),
    ];
    let wrong = [
        given(LISTS, &["x : S"], "x..next : S"),
        // That all objects are one says nothing about numbers.
        given(NUMBERS, &["ALL (u::obj) (v::obj). u = v"], "i = j"),
    ];
    shows(&["eprover", "SPASS"], &valid, &wrong);
}

const REACH: &str = "(x, y) : {(u, v). u..next = v}^*";
const BACK: &str = "(y, x) : {(u, v). u..next = v}^*";

#[test]
fn mona_decides_lists() {
    let valid = [
        given(LISTS, &["tree [next]", REACH, BACK], "x = y"),
        given(LISTS, &["tree [next]", "x..next = z", "y..next = z", "z ~= null"], "x = y"),
        // A write that makes no cycle keeps the list.
        given(
            LISTS,
            &[
                "tree [next]",
                "x ~= null",
                "x..next = null",
                "ALL v. v..next ~= y",
                "~ (y, x) : {(u, v). u..next = v}^*",
            ],
            "tree [fieldWrite next x y]",
        ),
        // Numbers are replaced, the same by the same.
        given(LISTS, &["tree [next]", "ALL v. v : S --> 0 < v..data", "x : S"], "0 < x..data"),
    ];
    let wrong = [
        given(LISTS, &["tree [next]", REACH], "x = y"),
        given(LISTS, &["tree [next]", "x ~= null", "x..next = null"], "tree [fieldWrite next x y]"),
        given(LISTS, &["tree [next]", "x..data = y..data"], "x = y"),
    ];
    shows(&["mona"], &valid, &wrong);
}

#[test]
fn mona_decides_trees_and_derived_fields() {
    let valid = [
        given(TREES, &["tree [left, right]", "x..left = z", "y..right = z"], "z = null"),
        given(TREES, &["ptree parent [left, right]", "x..left = y", "y ~= null"], "y..parent = x"),
        // A derived field with a constraint that does not determine it.
        given(
            LISTS,
            &[
                "tree [next]",
                "ALL u v. u..prev = v --> v = null | v..next = u",
                "x..prev = y",
                "y ~= null",
                "z..next = x",
                "x ~= null",
            ],
            "z = y",
        ),
        given(LISTS, &["tree [next]", "x = y"], "x..prev = y..prev"),
    ];
    let wrong = [
        given(TREES, &["tree [left, right]", "x..left = z", "y..left = z"], "x = y"),
        given(LISTS, &["tree [next]", "x..prev = y"], "y..next = x"),
    ];
    shows(&["mona"], &valid, &wrong);
}

#[test]
fn names_of_programs_are_no_names_of_provers() {
    // The bound variables, labels, functions and words that our files have.
    for name in
        ["v1", "v1001", "h0", "goal", "null", "and", "Obj", "true", "f0", "s_v1", "größe", "a'"]
    {
        let names = [(name, "int"), ("i", "int")];
        let about = given(&names, &["ALL k. 0 <= k & k < 3 --> k ~= 7"], "i = 0");
        let mut about = about;
        // As if the user had written its name in place of the seven.
        about.sequent.hypotheses[0] = with_symbol(&about.sequent.hypotheses[0]);
        shows(&["z3", "cvc5", "mona", "eprover", "SPASS"], &[], &[about]);
    }
}

/// The same with the first symbol in place of 7.
fn with_symbol(t: &trellis_hol::Term) -> trellis_hol::Term {
    use trellis_hol::{Kind, SymbolId, Type};
    match t.kind {
        Kind::Int(7) => trellis_sequents::build::symbol(SymbolId(0), Type::Int),
        _ => trellis_sequents::build::map_parts(t, &mut with_symbol),
    }
}

const WRITTEN: &str = "{(u, v). (fieldWrite next x y) u = v}^*";

#[test]
fn solvers_know_closures_of_written_fields_and_cardinalities() {
    let valid = [
        // A new object at the front of a list is one more.
        given(
            LISTS,
            &[
                "x ~= null",
                "x..next = null",
                "null..next = null",
                "ALL v. v..next ~= x",
                "x ~= y",
                "S = {v. v ~= null & (y, v) : {(u, w). u..next = w}^*}",
            ],
            &format!("card {{v. v ~= null & (x, v) : {WRITTEN}}} = card {{v. v : S}} + 1"),
        ),
        given(LISTS, &["x ~: S"], "card {v. v : S | v = x} = card {v. v : S} + 1"),
        given(LISTS, &["x : S"], "card {v. v : S & v ~= x} + 1 = card {v. v : S}"),
        given(LISTS, &["card {v. v : S} = 0"], "x ~: S"),
        given(LISTS, &["x : S"], "0 < card {v. v : S}"),
        // Lists stay lists.
        given(
            LISTS,
            &[
                "tree [next]",
                "x ~= null",
                "y ~= null",
                "ALL v. v..next ~= x",
                "x..next = null",
                "null..next = null",
                "x ~= y",
                "z = y..next",
            ],
            "tree [fieldWrite (fieldWrite next y x) x z]",
        ),
        given(LISTS, &["tree [next]", "x ~= null"], "tree [fieldWrite next x null]"),
        // Of a tree no path leads back.
        given(LISTS, &["tree [next]", "x ~= null", "x..next = y", BACK], "False"),
    ];
    let wrong = [
        given(LISTS, &[], "card {v. v : S | v = x} = card {v. v : S} + 1"),
        given(LISTS, &[], "card {v. v : S & v ~= x} + 1 = card {v. v : S}"),
        given(LISTS, &["card {v. v : S} = 1"], "x : S"),
        // Where the object is on a cycle, nothing is known.
        given(LISTS, &["x ~= null", "x..next = x"], &format!("(x, y) : {WRITTEN} --> x = y")),
        given(LISTS, &["x..next = y", BACK], "False"),
        given(LISTS, &["tree [next]", "x ~= null"], "tree [fieldWrite next x x]"),
        given(LISTS, &["tree [next]", "x ~= null", "y ~= null"], "tree [fieldWrite next x y]"),
        given(LISTS, &["x ~= null"], "tree [fieldWrite next x null]"),
    ];
    shows(&["z3", "cvc5"], &valid, &wrong);
}

#[test]
fn nothing_follows_from_what_is_said_of_closures_alone() {
    let heaps = [
        // A cycle, a list, something that is written to itself, several writes.
        vec!["x..next = y", "y..next = x", "x ~= y"],
        vec!["tree [next]", "x..next = y", "y..next = null", "x ~= y", "y ~= null", "x ~= null"],
        vec!["(x, y) : {(u, v). (fieldWrite next x x) u = v}^*", "x ~= null"],
        vec![
            "tree [next]",
            "(x, z) : {(u, v). (fieldWrite (fieldWrite next x y) y z) u = v}^*",
            "card {v. (x, v) : {(u, w). (fieldWrite next x y) u = w}^*} = 2",
            "card {v. v : S} = 3",
            "x ~= y & y ~= z & x ~= z",
        ],
    ];
    let wrong: Vec<Given> = heaps.iter().map(|h| given(LISTS, h, "False")).collect();
    shows(&["z3", "cvc5", "eprover"], &[], &wrong);
}
