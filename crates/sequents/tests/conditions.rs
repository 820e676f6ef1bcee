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

const PATHS: &str = r#"
class Node { public Node next; }
class Leaf { public Leaf left; public Leaf right; }
class P {
    private static Node first;
    private static Leaf root;
    /*:
      private static specvar nodes :: objset;
      vardefs "nodes == {x. x ~= null & (first, x) : {(u, v). u..Node.next = v}^*}";
    */

    public static void lists(Node n)
    /*: requires "tree [Node.next] & n : nodes" ensures "n..Node.next = null | n..Node.next : nodes" */ { }

    public static void trees(Leaf l)
    /*: requires "tree [Leaf.left, Leaf.right]" ensures "l = null | l..Leaf.left ~= l" */ { }

    public static Node fresh()
    /*: requires "tree [Node.next]" ensures "old ((result, null) : {(u, v). u..Node.next = v}^*)" */
    { return new Node(); }

    public static void walk(Node n)
    /*: requires "tree [Node.next] & n : nodes" ensures "tree [Node.next]" */
    {
        Node p = first;
        while (p != null && p != n) { p = p.next; }
        p.next = null;
    }
}
"#;

/// What the front end says in the contract language is read as what the user wrote.
#[test]
fn paths_of_the_contract_language_are_read() {
    let program =
        load_str("P.java", PATHS, Options { first_order: true }).expect("it can be read").program;
    let lists = texts(&mut conditions(&program, "P.lists"));
    assert!(
        !lists.is_empty() && lists.iter().all(|t| t.contains("tree [Node.next]")),
        "{lists:#?}"
    );
    assert!(lists.iter().any(|t| t.contains("first")), "{lists:#?}");
    let trees = texts(&mut conditions(&program, "P.trees"));
    assert!(trees.iter().all(|t| t.contains("tree [Leaf.left, Leaf.right]")), "{trees:#?}");
}

/// What no code before a loop writes is at the loop as it was at the entry, and what leads on at one
/// object is guessed of those before.
#[test]
fn loops_know_what_was_not_written() {
    let program =
        load_str("P.java", PATHS, Options { first_order: true }).expect("it can be read").program;
    let mut conditions = conditions(&program, "P.walk");
    let (p, goal) = (conditions.given(1), trellis_sequents::build::truth(false));
    let known = conditions.sequents(1, &[], &[], &goal);
    let text = known[0].show(&conditions.signature.symbols);
    assert!(text.contains("tree [Node.next]") && !text.contains("tree [old"), "{text}");
    assert!(!p.is_empty());
    let guesses: Vec<String> =
        conditions.inferred(1).iter().map(|c| format!("{:?}", c.what)).collect();
    assert!(guesses.iter().any(|g| g.contains("first") && g.contains("~")), "{guesses:#?}");
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
