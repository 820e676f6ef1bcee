//! Conditions of small Java procedures: what they say, and what is refused.

use trellis_front_java::{Options, load_str};
use trellis_program::{CheckKind, CheckSet, Program};
use trellis_sequents::conditions::What;
use trellis_sequents::{Conditions, Sequent};

const CELLS: &str = r#"
class Cell { public int v; public Cell next; }
class C {
    private static Cell[] cells;

    public static void write(Cell x, Cell y)
    /*: requires "x ~= null & y ~= null" ensures "x..v = 1" */ { x.v = 1; y.v = 2; }

    public static void outside(int[] a)
    /*: requires "a ~= null" ensures "a.[7] = (a.[7] :: int)" */ { }

    public static Cell make()
    /*: ensures "result ~= null & result ~: old alloc" */ { return new Cell(); }

    public static void clear()
    /*: requires "cells ~= null" ensures "True" */
    {
        int i = 0;
        while /*: inv "0 <= i" */ (i < cells.length) { cells[i] = null; i = i + 1; }
    }
}
"#;

fn program() -> Program {
    // As the user wrote them: not all of the contract language has a form in sequents.
    let options = Options { first_order: false };
    load_str("Cells.java", CELLS, options).expect("it can be read").program
}

fn conditions(program: &Program, name: &str) -> Conditions {
    let proc = program.find_proc(name).expect("a procedure");
    let checks = program.meaningful(CheckSet::default());
    Conditions::new(program, proc, checks).unwrap_or_else(|r| panic!("{name}: {}", r.reason))
}

/// The sequents of all demands at the entry, as text.
fn texts(conditions: &mut Conditions) -> Vec<String> {
    let demands = conditions.locations[0].runs.demands.clone();
    let mut all: Vec<Sequent> = Vec::new();
    for d in &demands {
        all.extend(conditions.sequents(0, &[], &d.hypotheses, &d.goal));
    }
    all.iter().map(|s| s.show(&conditions.signature.symbols)).collect()
}

#[test]
fn a_write_is_a_case_split() {
    let program = program();
    let last = texts(&mut conditions(&program, "C.write")).pop().expect("a sequent");
    assert!(last.contains("if x = y then 2 else"), "{last}");
}

#[test]
fn what_is_shown_must_be_defined() {
    let program = program();
    let all = texts(&mut conditions(&program, "C.outside"));
    // That an element is itself needs no proof; that there is one does.
    assert!(all.iter().any(|t| t.ends_with("|- 7 < a..Array.length")), "{all:#?}");
}

#[test]
fn a_new_object_is_none_that_existed() {
    let program = program();
    let mut conditions = conditions(&program, "C.make");
    // Everything about it is a hypothesis, so no prover is needed.
    assert_eq!(texts(&mut conditions), Vec::<String>::new());
}

#[test]
fn loops_have_candidates_of_every_kind() {
    let program = program();
    let mut conditions = conditions(&program, "C.clear");
    assert_eq!(conditions.locations.len(), 2);
    let given: Vec<What> = conditions.given(1).into_iter().map(|c| c.what).collect();
    assert!(given.contains(&What::Typing("i".into())), "{given:?}");
    assert!(given.contains(&What::Typing("Array.objects".into())), "{given:?}");
    assert!(given.contains(&What::Stated(0)), "{given:?}");
    let guesses = conditions.inferred(1);
    let wanted = What::Inferred("i <= cells..Array.length".into());
    assert!(guesses.iter().any(|c| c.what == wanted), "{guesses:#?}");
    // What does not change is known from the entry.
    assert!(!given.contains(&What::Requires(0)), "{given:?}");
}

#[test]
fn checks_that_cannot_be_followed_are_refused() {
    let program = program();
    let mut checks = CheckSet::default();
    checks.set(CheckKind::Overflow, true);
    let proc = program.find_proc("C.write").expect("a procedure");
    let refusal = Conditions::new(&program, proc, checks).expect_err("it is refused");
    assert_eq!(refusal.reason, "the check `overflow`");
}

/// A clause that holds has read what it reads: an array whose length is compared is one. Below a
/// quantifier that is not concluded, for the machine may ask only for elements that are there.
#[test]
fn what_is_assumed_was_read() {
    let text = r#"class C { private static int[] a; private static int n;
        static void ground() /*: requires "Array.length a = n" ensures "n = 1" */ { }
        static void all() /*: requires "ALL k. 0 <= k --> a.[k] = n" ensures "n = 1" */ { } }"#;
    let options = Options { first_order: false };
    let program = load_str("C.java", text, options).expect("it can be read").program;
    let said = |name: &str| texts(&mut conditions(&program, name)).join("\n");
    let (ground, all) = (said("C.ground"), said("C.all"));
    assert!(ground.contains("a ~= null"), "{ground}");
    assert!(!all.contains("a ~= null"), "{all}");
}
