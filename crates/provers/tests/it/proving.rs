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
    prover.prove(&given.question(), Duration::from_secs(10), &AtomicBool::new(false))
}

fn shows(names: &[&str], valid: &[Given], wrong: &[Given]) {
    for prover in provers(names) {
        for (i, given) in valid.iter().enumerate() {
            let said = says(prover.as_ref(), given);
            assert!(matches!(said, Answer::Valid(_)), "{} on valid {i}: {said:?}", prover.name());
        }
        for (i, given) in wrong.iter().enumerate() {
            let said = says(prover.as_ref(), given);
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
