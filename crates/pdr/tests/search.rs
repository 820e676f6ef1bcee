//! The three outcomes on small programs: every invariant is certified by another solver, every
//! violation names its check.

use trellis_certify::{BackEnd, Outcome as Certified, Settings, certify_invariant};
use trellis_logic::Work;
use trellis_pdr::{Config, Invariant, Outcome, Search, run};
use trellis_program::{CheckKind, InlineLimits, inline};
use trellis_solver::{Limits, Unknown};
use trellis_testkit::solvers::{epr, z3};
use trellis_transys::{ErrorKind, Options, TransitionSystem, Words, build};

const LIST: &str = "void free(void *);\nstruct node { struct node *next; int key; };\n";

const REVERSE: &str = r"
/*@ requires reach(next, h, NULL);
    ensures \forall struct node *v; reach(next, \result, v) <==> \old(reach(next, h, v));
    ensures \forall struct node *v, *w;
        \old(reach(next, h, v) && reach(next, v, w)) && w != NULL ==> reach(next, w, v); */
struct node *f(struct node *h) {
    struct node *r = 0;
    while (h) { struct node *t = h->next; h->next = r; r = h; h = t; }
    return r;
}";

fn system(code: &str, words: Words) -> TransitionSystem {
    let unit = trellis_front_c::load_str("test.c", &format!("{LIST}{code}"));
    let program = unit.unwrap_or_else(|e| panic!("{:?}", e.diagnostics)).program;
    let proc = program.find_proc("f").expect("f");
    let inlined = inline(&program, proc, InlineLimits::default()).expect("no recursion");
    let options = Options { words, leak_turns: 1, ..Options::default() };
    build(&inlined.program, inlined.proc, &options, &epr).expect("supported")
}

/// Searches; an invariant that is found is certified.
fn search(code: &str, words: Words) -> (Outcome, TransitionSystem) {
    let (outcome, _, mut system) = run(system(code, words), &epr, &Config::default());
    if let Outcome::Verified(invariant) = &outcome {
        certify(&mut system, invariant);
    }
    (outcome, system)
}

fn certify(system: &mut TransitionSystem, invariant: &Invariant) {
    let provers = [BackEnd::solver("z3", &z3)];
    let report = certify_invariant(system, &invariant.clauses, &provers, &Settings::default());
    assert_eq!(report.outcome(), Certified::Certified, "{report:?}");
}

fn texts(system: &TransitionSystem, invariant: &Invariant) -> Vec<String> {
    let clauses = invariant.clauses.iter().flatten();
    clauses.map(|&c| system.arena.print(&system.vocabulary, c)).collect()
}

#[test]
fn a_reversed_list_has_the_same_elements_in_reverse() {
    let (outcome, _) = search(REVERSE, Words::Basic);
    assert!(matches!(outcome, Outcome::Verified(_)), "{outcome:?}");
}

#[test]
fn a_search_repeats() {
    let texts: Vec<_> = (0..2)
        .map(|_| match search(REVERSE, Words::Basic) {
            (Outcome::Verified(invariant), system) => texts(&system, &invariant),
            (outcome, _) => panic!("{outcome:?}"),
        })
        .collect();
    assert_eq!(texts[0], texts[1]);
}

#[test]
fn every_clause_of_an_invariant_is_needed() {
    let (Outcome::Verified(invariant), mut system) = search(REVERSE, Words::Basic) else {
        panic!("not verified");
    };
    let provers = [BackEnd::solver("epr", &epr)];
    for (at, clauses) in invariant.clauses.iter().enumerate() {
        for i in 0..clauses.len() {
            let mut fewer = invariant.clauses.clone();
            let text = system.arena.print(&system.vocabulary, fewer[at].remove(i));
            let report = certify_invariant(&mut system, &fewer, &provers, &Settings::default());
            assert_eq!(report.outcome(), Certified::Refuted, "not needed: {text}");
        }
    }
}

#[test]
fn variables_are_numbered_without_gaps() {
    let (Outcome::Verified(invariant), system) = search(REVERSE, Words::Basic) else {
        panic!("not verified");
    };
    for text in texts(&system, &invariant) {
        let named = (1..10).map(|i| text.contains(&format!("v{i}")));
        let last = named.clone().filter(|n| *n).count();
        assert!(named.take(last).all(|n| n), "{text}");
    }
}

/// A strategy changes the cost, not the verdict.
#[test]
fn strategies_agree() {
    for name in ["any-states", "from-outside", "newest-first", "from-outside,newest-first"] {
        let config = Config { strategy: name.parse().expect("a strategy"), ..Config::default() };
        let (outcome, _, mut found) = run(system(REVERSE, Words::Basic), &epr, &config);
        let Outcome::Verified(invariant) = &outcome else { panic!("{name}: {outcome:?}") };
        certify(&mut found, invariant);
        let code = REVERSE.replace("reach(next, w, v)", "reach(next, v, w)");
        let (outcome, ..) = run(system(&code, Words::Basic), &epr, &config);
        assert!(matches!(outcome, Outcome::Violated(_)), "{name}: {outcome:?}");
    }
}

#[test]
fn a_false_promise_is_refuted() {
    let code = REVERSE.replace("reach(next, w, v)", "reach(next, v, w)");
    match search(&code, Words::Basic).0 {
        Outcome::Violated(trace) => {
            assert_eq!(trace.error.kind, ErrorKind::Check(CheckKind::Postcondition));
            assert_eq!(trace.paths.len(), 4, "two elements are needed");
        }
        outcome => panic!("{outcome:?}"),
    }
}

#[test]
fn a_cycle_is_noticed() {
    let code = "/*@ requires reach(next, h, NULL) && h != NULL; */\n\
                void f(struct node *h) { struct node *t = h; while (t->next) t = t->next; t->next = h; }";
    match search(code, Words::Basic).0 {
        Outcome::Violated(trace) => assert_eq!(trace.error.kind, ErrorKind::Cycle),
        outcome => panic!("{outcome:?}"),
    }
}

/// Example 6 of *Universal Invariants or Their Absence*: the closure alone cannot say that both
/// ends are the same node.
#[test]
fn what_one_vocabulary_cannot_say_another_can() {
    let code = r"
/*@ requires h != NULL && g != NULL && reach(next, h, NULL) && reach(next, g, NULL);
    requires \exists struct node *v; v != NULL && reach(next, h, v) && reach(next, g, v);
    ensures \result != 0; */
int f(struct node *h, struct node *g) {
    struct node *i = h, *j = g, *p = 0, *q = 0;
    while (i != 0 || j != 0) {
        if (i != 0) { p = i; i = i->next; }
        if (j != 0) { q = j; j = j->next; }
    }
    return p == q;
}";
    let basic = search(code, Words::Basic).0;
    assert!(matches!(basic, Outcome::NoInvariant(_)), "{basic:?}");
    let edges = search(code, Words::Edges).0;
    assert!(matches!(edges, Outcome::Verified(_)), "{edges:?}");
}

#[test]
fn leaks_frees_and_data() {
    let code = r"
/*@ requires reach(next, h, NULL) && sorted(next, key, h, NULL);
    ensures sorted(next, key, \result, NULL);
    ensures \forall struct node *v; v != NULL && reach(next, \result, v) ==> v->key != k; */
struct node *f(struct node *h, int k) {
    struct node *p = 0, *c = h;
    while (c != 0) {
        struct node *n = c->next;
        if (c->key == k) {
            if (p == 0) h = n; else p->next = n;
            free(c);
        } else {
            p = c;
        }
        c = n;
    }
    return h;
}";
    let (outcome, _) = search(code, Words::Basic);
    assert!(matches!(outcome, Outcome::Verified(_)), "{outcome:?}");
    let leaks = code.replace("free(c);", "");
    match search(&leaks, Words::Basic).0 {
        Outcome::Violated(trace) => {
            assert_eq!(trace.error.kind, ErrorKind::Check(CheckKind::Leak));
        }
        outcome => panic!("{outcome:?}"),
    }
    let twice = code.replace("free(c);", "free(c); free(c);");
    match search(&twice, Words::Basic).0 {
        Outcome::Violated(trace) => {
            assert_eq!(trace.error.kind, ErrorKind::Check(CheckKind::DoubleFree));
        }
        outcome => panic!("{outcome:?}"),
    }
}

/// Nothing is allocated, freed or unlinked, and yet something is lost.
#[test]
fn a_global_that_forgets_its_list_leaks_it() {
    let code = "struct node *g;\n/*@ requires reach(next, g, NULL); */\nvoid f(void) { g = 0; }";
    match search(code, Words::Basic).0 {
        Outcome::Violated(trace) => {
            assert_eq!(trace.error.kind, ErrorKind::Check(CheckKind::Leak));
        }
        outcome => panic!("{outcome:?}"),
    }
}

/// A search that is stopped again and again finds what it finds at once, with the same questions.
#[test]
fn a_search_goes_on_where_it_was_stopped() {
    let code = REVERSE.replace("reach(next, w, v)", "reach(next, v, w)");
    for code in [REVERSE, &code] {
        let (whole, at_once, first) = run(system(code, Words::Basic), &epr, &Config::default());
        let mut search = Search::new(system(code, Words::Basic), Config::default());
        let mut stops = 0;
        let outcome = loop {
            let limits = Limits { work: Work::of(1), ..Limits::default() };
            match search.run(&epr, &limits) {
                Outcome::Unknown(Unknown::Work) => stops += 1,
                outcome => break outcome,
            }
        };
        assert!(stops > 10, "{stops}");
        let (queries, lemmas) = (search.statistics().queries, search.statistics().lemmas);
        assert_eq!((queries, lemmas), (at_once.queries, at_once.lemmas));
        match (&whole, &outcome) {
            (Outcome::Verified(a), Outcome::Verified(b)) => {
                assert_eq!(texts(&first, a), texts(search.system(), b));
            }
            (Outcome::Violated(a), Outcome::Violated(b)) => assert_eq!(a.paths, b.paths),
            _ => panic!("{whole:?} or {outcome:?}"),
        }
    }
}

#[test]
fn a_search_stops_in_time() {
    let limits = Limits::within(std::time::Duration::ZERO);
    let config = Config { limits, ..Config::default() };
    let (outcome, ..) = run(system(REVERSE, Words::Basic), &epr, &config);
    assert!(matches!(outcome, Outcome::Unknown(Unknown::Time)), "{outcome:?}");
}

const TREE: &str = "struct t { struct t *l, *r; int k; };\nint __VERIFIER_nondet_int(void);\n";

/// Between the two stores a node has two parents.
#[test]
fn a_rotation_keeps_a_tree_and_its_nodes() {
    let code = r"
/*@ requires a != NULL && a->l != NULL && tree(l, r, a);
    ensures tree(l, r, \result);
    ensures \forall struct t *v; reach({l, r}, \result, v) <==> \old(reach({l, r}, a, v)); */
struct t *f(struct t *a) { struct t *x = a->l; a->l = x->r; x->r = a; return x; }";
    let (outcome, _) = search(&format!("{TREE}{code}"), Words::Basic);
    assert!(matches!(outcome, Outcome::Verified(_)), "{outcome:?}");
}

#[test]
fn what_is_found_in_a_tree_is_one_of_its_nodes() {
    let code = r"
/*@ requires tree(l, r, a);
    ensures \result != NULL ==> reach({l, r}, \old(a), \result); */
struct t *f(struct t *a, int k) {
    while (a && a->k != k) { if (k < a->k) a = a->l; else a = a->r; }
    return a;
}";
    let (outcome, _) = search(&format!("{TREE}{code}"), Words::Basic);
    assert!(matches!(outcome, Outcome::Verified(_)), "{outcome:?}");
}

#[test]
fn a_second_parent_is_a_bad_state_of_its_own() {
    let code = r"
/*@ requires tree(l, r, a); */
void f(struct t *a) { if (a && a->r) { a->l = a->r; while (__VERIFIER_nondet_int()) ; } }";
    match search(&format!("{TREE}{code}"), Words::Basic).0 {
        Outcome::Violated(trace) => assert_eq!(trace.error.kind, ErrorKind::Sharing),
        outcome => panic!("{outcome:?}"),
    }
}
