//! The analysis on small programs: every invariant is certified by another solver, every violation
//! names its check, and what is left out is missed.

use trellis_bohne::{Analysis, ContextKind, Outcome, Techniques, analyse};
use trellis_certify::{BackEnd, Outcome as Certified, Settings, certify_invariant};
use trellis_program::{CheckKind, InlineLimits, inline};
use trellis_solver::{Limits, Unknown};
use trellis_testkit::solvers::{epr, z3};
use trellis_transys::{ErrorKind, Options, TransitionSystem, build};

const LIST: &str = "void free(void *);\nstruct node { struct node *next; int key; };\n";

const REVERSE: &str = r"
/*@ requires reach(next, h, NULL);
    ensures \forall struct node *v; reach(next, \result, v) <==> \old(reach(next, h, v)); */
struct node *f(struct node *h) {
    struct node *r = 0;
    while (h) { struct node *t = h->next; h->next = r; r = h; h = t; }
    return r;
}";

const INSERT: &str = r"
/*@ requires reach(next, h, NULL) && sorted(next, key, h, NULL);
    requires n != NULL && !reach(next, h, n) && n->next == NULL;
    ensures  sorted(next, key, \result, NULL);
    ensures  \forall struct node *v;
        reach(next, \result, v) <==> \old(reach(next, h, v)) || v == n; */
struct node *f(struct node *h, struct node *n) {
    struct node *p = 0, *c = h;
    while (c && c->key < n->key) { p = c; c = c->next; }
    n->next = c;
    if (p) p->next = n; else h = n;
    return h;
}";

const DELETE_ALL: &str = r"
/*@ requires reach(next, h, NULL); */
void f(struct node *h) {
    while (h) { struct node *t = h->next; free(h); h = t; }
}";

fn system(code: &str) -> TransitionSystem {
    let unit = trellis_front_c::load_str("test.c", &format!("{LIST}{code}"));
    let program = unit.unwrap_or_else(|e| panic!("{:?}", e.diagnostics)).program;
    let proc = program.find_proc("f").expect("f");
    let inlined = inline(&program, proc, InlineLimits::default()).expect("no recursion");
    let options = Options { leak_turns: 1, ..Options::default() };
    build(&inlined.program, inlined.proc, &options, &epr).expect("supported")
}

/// Analyses; an invariant that is found is certified.
fn analysed(code: &str, techniques: Techniques) -> Analysis {
    let given = |_: &mut TransitionSystem, _| Vec::new();
    let mut found = analyse(system(code), &given, &epr, &Limits::default(), techniques, None);
    if let Outcome::Verified(clauses) = &found.outcome {
        let provers = [BackEnd::solver("z3", &z3)];
        let settings = Settings::default();
        let report = certify_invariant(&mut found.system, clauses, &provers, &settings);
        assert_eq!(report.outcome(), Certified::Certified, "{report:?}");
    }
    found
}

fn texts(found: &Analysis) -> Vec<String> {
    let Outcome::Verified(clauses) = &found.outcome else { panic!("{:?}", found.outcome) };
    let print = |&c| found.system.arena.print(&found.system.vocabulary, c);
    clauses.iter().flatten().map(print).collect()
}

#[test]
fn the_elements_of_a_list_that_is_reversed_stay() {
    let found = analysed(REVERSE, Techniques::default());
    assert!(!texts(&found).is_empty());
}

#[test]
fn an_insertion_keeps_the_order() {
    let found = analysed(INSERT, Techniques::default());
    assert!(!texts(&found).is_empty());
}

#[test]
fn memory_that_is_freed_is_followed() {
    let found = analysed(DELETE_ALL, Techniques::default());
    assert!(!texts(&found).is_empty());
}

#[test]
fn an_analysis_repeats() {
    let runs = [(); 2].map(|()| analysed(INSERT, Techniques::default()));
    assert_eq!(texts(&runs[0]), texts(&runs[1]));
    assert_eq!(runs[0].statistics, runs[1].statistics);
}

#[test]
fn every_way_to_use_contexts_is_sound() {
    for context in [ContextKind::None, ContextKind::Whole, ContextKind::Joined, ContextKind::Own] {
        for code in [REVERSE, DELETE_ALL] {
            let found = analysed(code, Techniques { context, ..Techniques::default() });
            let fine = matches!(found.outcome, Outcome::Verified(_) | Outcome::Alarm(_));
            assert!(fine, "{context}: {:?}", found.outcome);
        }
    }
}

#[test]
fn without_a_technique_there_are_no_wrong_answers() {
    for without in ["splitting", "cleaning", "propagation", "refinement", "splitting,cleaning"] {
        let techniques: Techniques = without.parse().expect("techniques");
        for code in [REVERSE, INSERT] {
            let found = analysed(code, techniques);
            let fine = matches!(found.outcome, Outcome::Verified(_) | Outcome::Alarm(_));
            assert!(fine, "without {without}: {:?}", found.outcome);
        }
    }
}

#[test]
fn propagation_is_needed_for_what_two_objects_have_to_do_with_each_other() {
    let without = "propagation".parse().expect("a technique");
    let found = analysed(INSERT, without);
    assert!(matches!(found.outcome, Outcome::Alarm(_)), "{:?}", found.outcome);
}

#[test]
fn a_violation_names_its_check() {
    let bug = REVERSE.replace("while (h)", "while (h && h->next)");
    let found = analysed(&bug, Techniques::default());
    let Outcome::Violated(execution) = &found.outcome else { panic!("{:?}", found.outcome) };
    assert_eq!(execution.error.kind, ErrorKind::Check(CheckKind::Postcondition));
    let bug = DELETE_ALL.replace("h = t;", "h = t; if (t) free(h);");
    let found = analysed(&bug, Techniques::default());
    let Outcome::Violated(execution) = &found.outcome else { panic!("{:?}", found.outcome) };
    assert_eq!(execution.error.kind, ErrorKind::Check(CheckKind::UseAfterFree));
}

#[test]
fn a_limit_ends_the_analysis() {
    let given = |_: &mut TransitionSystem, _| Vec::new();
    let limits = Limits { work: trellis_logic::Work::of(300), ..Limits::default() };
    let found = analyse(system(REVERSE), &given, &epr, &limits, Techniques::default(), None);
    assert!(matches!(found.outcome, Outcome::Unknown(Unknown::Work)), "{:?}", found.outcome);
}
