//! Families are taken in by need, given ones stay as they are, and where they are not enough the
//! abstract trace shows it.

use trellis_pdr::predicates::{Growth, cube};
use trellis_pdr::{AbstractState, Outcome};
use trellis_predicates::{Families, Family, Selection, instantiate};
use trellis_transys::{LocationId, TransitionSystem};

use crate::{Checked, benchmark, given, parse, search, search_in, system};

fn with(families: &[Family]) -> Families {
    let mut out = Families::smallest();
    families.iter().for_each(|family| out.insert(*family));
    out
}

#[test]
fn what_needs_nothing_gets_nothing() {
    for file in ["prev", "last"] {
        let growth = search(&format!("{file}.c"), file, Checked::Safety, &Selection::default());
        assert_eq!((growth.searches, growth.families), (1, Families::smallest()), "{file}");
    }
}

#[test]
fn families_are_added_by_need() {
    let rows = [
        // A leak asks for what is kept, freed memory for what is allocated.
        ("reverse.c", "reverse", Checked::Safety, Family::Kept),
        ("delete-all.c", "delete_all", Checked::Safety, Family::Stable),
        // The contract speaks of order, or of two fields.
        ("sorted-insert.c", "sorted_insert", Checked::Everything, Family::Sorted),
        ("make-doubly-linked.c", "make_doubly_linked", Checked::Everything, Family::Reverse),
        // A cycle asks for nothing: what is tried stays if it helps.
        ("reverse.c", "reverse", Checked::Safety, Family::Arguments),
        ("sorted-merge.c", "sorted_merge", Checked::Safety, Family::Segment),
    ];
    for (file, proc, checked, needed) in rows {
        let growth = search(file, proc, checked, &Selection::default());
        assert!(matches!(growth.outcome, Outcome::Verified(_)), "{file}: {growth:?}");
        assert!(growth.families.contains(needed), "{file}: {}", growth.families);
        let extra = growth.families.iter().count() - Families::smallest().iter().count();
        assert!(growth.searches > extra, "one family at a time");
        if checked == Checked::Safety {
            for other in [Family::Sorted, Family::Reverse, Family::Data] {
                assert!(!growth.families.contains(other), "{file}: {}", growth.families);
            }
        }
    }
}

/// What was tried in vain is left out again.
#[test]
fn a_family_that_does_not_help_goes() {
    let selection = Selection::default();
    let growth = search("sorted-merge.c", "sorted_merge", Checked::Safety, &selection);
    assert!(!growth.families.contains(Family::Arguments), "{}", growth.families);
    let extra = growth.families.iter().count() - Families::smallest().iter().count();
    assert!(growth.searches > extra + 1, "arguments were tried: {growth:?}");
}

/// At the end everything that says something is in.
#[test]
fn no_invariant_is_said_of_all_families() {
    let growth = search("mark-all.c", "mark_all", Checked::Everything, &Selection::default());
    let expected = with(&[Family::Edge, Family::Stable, Family::Kept, Family::Segment]);
    assert!(matches!(growth.outcome, Outcome::NoInvariant(_)), "{growth:?}");
    for family in expected.iter() {
        assert!(growth.families.contains(family), "{}", growth.families);
    }
}

#[test]
fn a_selection_is_read() {
    let basic = with(&[Family::Edge, Family::Segment]);
    let both = with(&[Family::Edge, Family::Segment, Family::Stable, Family::Sorted]);
    let selection = |families: &Families, grows: bool, user: &[&str]| Selection {
        families: families.clone(),
        grows,
        user: user.iter().map(|&name| name.to_owned()).collect(),
    };
    assert_eq!(given("St,S"), selection(&both, false, &[]));
    assert_eq!(given("stable, sorted"), given("St,S"), "the paper's words and ours");
    assert_eq!(given("edge"), selection(&basic, false, &[]), "the basic ones are always in");
    assert_eq!(given("mine"), selection(&Families::smallest(), true, &["mine"]));
    assert_eq!(given("mine,St,S"), selection(&both, false, &["mine"]));
    assert!("St,,S".parse::<Selection>().is_err());
}

#[test]
fn given_families_do_not_grow() {
    let program = benchmark("delete-all.c");
    for (text, enough) in [("equality", false), ("St", false), ("St,kept", true)] {
        let growth = search_in(&program, "delete_all", Checked::Safety, &given(text));
        let verified = matches!(growth.outcome, Outcome::Verified(_));
        assert_eq!((verified, growth.searches), (enough, 1), "{text}: {growth:?}");
        assert_eq!(growth.families, given(text).families);
        if !verified {
            check_trace(growth);
        }
    }
}

#[test]
fn a_users_predicate_is_used_for_all_variables_that_fit() {
    let program = benchmark("mark-all.c");
    let (mut system, user) =
        system(&program, "mark_all", Checked::Everything, &["marked".to_owned()]);
    let count = |system: &mut TransitionSystem, user: &[_]| {
        instantiate(system, &Families::smallest(), user).iter().map(Vec::len).sum::<usize>()
    };
    let without = count(&mut system, &[]);
    assert!(count(&mut system, &user) > without);
}

/// The abstract trace is one: from a state with the predicates of each of its states, a step leads
/// to a state with the predicates of the next (*Property-Directed Shape Analysis*, Appendix A).
fn check_trace(growth: Growth) {
    let Outcome::NoInvariant(trace) = growth.outcome else { panic!("{:?}", growth.outcome) };
    let mut system = growth.system;
    let predicates = instantiate(&mut system, &growth.families, &[]);
    assert_eq!(predicates.iter().map(Vec::len).sum::<usize>(), growth.predicates);
    assert_eq!(trace[0].state.at, LocationId::ENTRY);
    for &formula in &system.initial {
        assert_eq!(trace[0].state.structure.eval(&system.arena, formula), Ok(true));
    }
    for step in &trace {
        for &formula in system.axioms.iter().chain(&system.paths[step.path].guards) {
            assert_eq!(step.state.structure.eval(&system.arena, formula), Ok(true));
        }
    }
    for pair in trace.windows(2) {
        check_step(&mut system, &predicates[pair[1].state.at.0], &pair[0], &pair[1]);
    }
    assert!(trace.last().expect("a state").error(&system).is_some());
}

fn check_step(
    system: &mut TransitionSystem,
    predicates: &[trellis_logic::FormulaId],
    before: &AbstractState,
    after: &AbstractState,
) {
    let cube = cube(&system.arena, &after.state, predicates);
    assert_eq!(cube.literals.len(), predicates.len(), "every predicate has a truth value");
    for literal in cube.literals {
        let update = &system.paths[before.path].update;
        let then = system.arena.expand(literal.atom, update);
        let value = before.state.structure.eval(&system.arena, then);
        let text = system.arena.print(&system.vocabulary, literal.atom);
        assert_eq!(value, Ok(literal.positive), "{text}");
    }
}

#[test]
fn without_an_invariant_there_is_an_abstract_trace() {
    for (file, proc) in [("mark-all.c", "mark_all"), ("min.c", "min")] {
        let growth = search(file, proc, Checked::Everything, &Selection::default());
        check_trace(growth);
    }
}

/// No family says which objects a list had: the contract holds, and yet there is no invariant.
#[test]
fn what_no_predicate_says_is_not_proved() {
    let code = r"
struct node { struct node *next; };
/*@ requires reach(next, h, NULL);
    ensures \forall struct node *v; reach(next, \result, v) <==> \old(reach(next, h, v)); */
struct node *f(struct node *h) {
    struct node *r = 0;
    while (h) { struct node *t = h->next; h->next = r; r = h; h = t; }
    return r;
}";
    let growth = search_in(&parse(code), "f", Checked::Everything, &Selection::default());
    assert!(growth.searches > 1, "{growth:?}");
    check_trace(growth);
}
