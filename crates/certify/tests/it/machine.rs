//! The second leg: invariants on the machine.
//!
//! What it is for is a translation that is wrong. So the logic is given one program and the machine
//! another one, which differs in a statement: the first leg is content, the second must not be.

use expect_test::expect;
use trellis_certify::machine::{Contradiction, Coverage, Extent, Objection, check_on_machine};
use trellis_explore::Config as Explore;
use trellis_logic::{Budget, FormulaId};
use trellis_pdr::{Config, Outcome as Found, run};
use trellis_program::{Placed, Program, Rejected};
use trellis_transys::{Options, TransitionSystem};

use crate::{benchmark, epr, program};

/// A procedure with calls replaced, its system, and an invariant.
struct Shown {
    program: Program,
    placed: Placed,
    system: TransitionSystem,
    clauses: Vec<Vec<FormulaId>>,
}

fn shown(program: &Program, procedure: &str) -> Shown {
    let options = Options::default();
    let (placed, system) =
        trellis_certify::system(program, procedure, &options, &Budget::default(), &epr)
            .expect("it can be followed");
    let (found, _, system) = run(system, &epr, &Config::default());
    let Found::Verified(invariant) = found else {
        panic!("{procedure} is not proved: {found:?}");
    };
    Shown { program: placed.before.clone(), placed, system, clauses: invariant.clauses }
}

fn extent(program: &Program, system: &TransitionSystem) -> Extent {
    let machine = Explore::default().machine_options(program, system.proc);
    Extent { objects: 3, work: 2_000_000, machine }
}

fn on_machine(of: &Shown, program: &Program) -> Result<Coverage, Objection> {
    let extent = extent(program, &of.system);
    let mut placed = of.placed.clone();
    match of.placed.is_unchanged() {
        true => placed = Placed::unchanged(program.clone(), of.system.proc),
        false => placed.before = program.clone(),
    }
    check_on_machine(&placed, &of.system, &of.clauses, &extent, &Budget::default())
}

fn contradiction(found: Result<Coverage, Objection>) -> Contradiction {
    match found {
        Err(Rejected::Wrong(found)) => *found,
        other => panic!("no contradiction: {other:?}"),
    }
}

#[test]
fn proofs_hold_on_all_small_states() {
    for (file, procedure) in [
        ("pdr-forall/reverse.c", "reverse"),
        ("pdr-forall/delete-all.c", "delete_all"),
        ("pdr-forall/filter.c", "filter"),
        ("pdr-forall/sorted-insert.c", "sorted_insert"),
        ("pdr-forall/dll-insert-at.c", "dll_insert_at"),
        ("more/append-in-place.c", "append"),
    ] {
        let (_, _, program) = benchmark(file);
        let shown = shown(&program, procedure);
        let coverage = on_machine(&shown, &shown.program).expect("both legs agree");
        assert!(coverage.states > 10, "{file}: {coverage:?}");
        assert!(coverage.objects >= Some(2), "{file}: {coverage:?}");
    }
}

#[test]
fn two_runs_go_equally_far() {
    let (_, _, program) = benchmark("pdr-forall/reverse.c");
    let shown = shown(&program, "reverse");
    let extent = Extent { work: 500, ..extent(&shown.program, &shown.system) };
    let once = || {
        check_on_machine(&shown.placed, &shown.system, &shown.clauses, &extent, &Budget::default())
            .expect("both legs agree")
    };
    let first = once();
    assert!(first.objects < Some(3), "the work is not enough for everything: {first:?}");
    assert_eq!(first, once());
}

#[test]
fn no_clauses_are_no_invariant() {
    let (_, _, program) = benchmark("pdr-forall/reverse.c");
    let mut shown = shown(&program, "reverse");
    shown.clauses.iter_mut().for_each(Vec::clear);
    contradiction(on_machine(&shown, &shown.program));
}

const WALK: &str = "struct node { struct node *next; int data; };
/*@ requires reach(next, h, (struct node *)0) && reach(next, other, (struct node *)0); */
struct node *last(struct node *h, struct node *other)
{
    struct node *p = h, *q = (struct node *)0;
    while (p != (struct node *)0) {
        q = p;
        p = p->next;
    }
    return q;
}
";

/// The logic sees `logic`, the machine runs it with one text replaced.
fn mistranslated(text: &str, procedure: &str, from: &str, to: &str) -> Contradiction {
    let real = text.replacen(from, to, 1);
    assert_ne!(real, text, "{from}");
    let shown = shown(&program(text), procedure);
    let real = program(&real);
    let real = trellis_program::inline(
        &real,
        real.find_proc(procedure).expect("the procedure"),
        trellis_program::InlineLimits::default(),
    );
    contradiction(on_machine(&shown, &real.expect("it can be inlined").program))
}

#[test]
fn a_load_that_is_taken_for_another_is_noticed() {
    let found = mistranslated(WALK, "last", "p = p->next;", "p = other->next;");
    expect![[r#"it fails the check `null-deref` at test.c:8:13"#]].assert_eq(&found.what);
}

#[test]
fn an_effect_that_the_logic_does_not_see_is_noticed() {
    let found = mistranslated(WALK, "last", "q = p;", "p->next = p;");
    assert!(found.what.contains("a cycle over `next`"), "{}", found.what);
}

const PUSH: &str = "#include <stdlib.h>
struct node { struct node *next; int data; };
/*@ requires reach(next, h, (struct node *)0);
    ensures reach(next, \\result, h); */
struct node *push(struct node *h, int times)
{
    while (times) {
        struct node *n = malloc(sizeof(struct node));
        n->next = h;
        n->data = 1;
        h = n;
        times = times - 1;
    }
    return h;
}
";

const APPEND: &str = "struct node { int data; struct node *next; };
/*@ requires reach(next, a, (struct node *)0) && reach(next, b, (struct node *)0);
    requires \\forall struct node *v; v != (struct node *)0 && reach(next, a, v)
        ==> !reach(next, b, v);
    ensures reach(next, \\result, b); */
struct node *append(struct node *a, struct node *b)
{
    struct node **link = &a, **start = &b;
    while (*link)
        link = &(*link)->next;
    *link = b;
    return a;
}
";

/// The machine runs the pointers that the logic has replaced, and what they point to is read off
/// them.
#[test]
fn a_place_that_is_taken_for_another_is_noticed() {
    for (from, to) in [
        ("link = &(*link)->next;", "link = &b;"),
        ("*link = b;", "*start = b;"),
        ("link = &(*link)->next;", "link = &(*link)->next->next;"),
    ] {
        mistranslated(APPEND, "append", from, to);
    }
}

#[test]
fn a_store_that_the_logic_does_not_see_is_noticed() {
    mistranslated(PUSH, "push", "n->next = h;", "n->next = n;");
    mistranslated(PUSH, "push", "h = n;", "h = n->next;");
    mistranslated(PUSH, "push", "n->data = 1;", "n->next = (struct node *)0;");
}

#[test]
fn a_smaller_object_is_noticed() {
    let found = mistranslated(PUSH, "push", "malloc(sizeof(struct node))", "malloc(4)");
    assert!(found.what.contains("bounds"), "{}", found.what);
}
