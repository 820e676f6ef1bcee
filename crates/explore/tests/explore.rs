//! The explore engine on small C programs: what it enumerates, what it finds, how it stops.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use trellis_explore::heaps::HeapSpace;
use trellis_explore::{
    Budget, Config, Exploration, Outcome, Progress, StopReason, Violation, explore,
};
use trellis_front_c::load_str;
use trellis_program::concrete::{Finish, InitialHeap, Machine, Scripted, Value};
use trellis_program::{CheckKind, NoResult, Program, Work};

fn program(text: &str) -> Program {
    match load_str("test.c", text) {
        Ok(unit) => unit.program,
        Err(failure) => panic!("{:#?}", failure.diagnostics),
    }
}

fn run(text: &str, proc: &str, config: &Config) -> Exploration {
    let program = program(text);
    let proc = program.find_proc(proc).expect("the procedure is in the text");
    explore(&program, proc, config, &Progress::default())
}

/// The violation, replayed by the interpreter.
fn violation(text: &str, proc: &str, config: &Config) -> Violation {
    let program = program(text);
    let id = program.find_proc(proc).expect("the procedure is in the text");
    let found = explore(&program, id, config, &Progress::default());
    let Outcome::Violated(violation) = found.outcome else { panic!("{:?}", found.outcome) };
    let machine = Machine::new(&program, config.machine_options(&program, id));
    let mut choices = Scripted::new(&violation.choices);
    let trace = machine.run(id, &violation.initial, &mut choices, 100_000);
    match trace.finish {
        Some(Finish::Failed(again)) => assert!(again.same_check(&violation.failure)),
        other => panic!("the replay ends with {other:?}"),
    }
    *violation
}

fn heaps(text: &str, proc: &str, objects: usize) -> Vec<InitialHeap> {
    let program = program(text);
    let id = program.find_proc(proc).expect("the procedure is in the text");
    let options = Config::default().machine_options(&program, id);
    let machine = Machine::new(&program, options);
    let mut all = Vec::new();
    let flow = HeapSpace::new(&machine, id).for_each(objects, &mut |heap| {
        all.push(heap.clone());
        ControlFlow::Continue(())
    });
    assert!(flow.is_continue());
    all
}

const NODE: &str = "struct node { struct node *next; int data; };\n";

fn with_node(text: &str) -> String {
    format!("{NODE}{text}")
}

/// The heaps of `n` nodes with one field and two arguments in which every node can be reached,
/// counted up to isomorphism by trying all names.
fn brute_force_count(n: usize) -> usize {
    let permutations = permutations(n);
    let targets = n + 1;
    let mut classes = BTreeSet::new();
    for code in 0..targets.pow(n as u32 + 2) {
        let digit = |i: usize| code / targets.pow(i as u32) % targets;
        let graph: Vec<usize> = (0..n + 2).map(digit).collect();
        let mut seen = vec![false; n];
        for mut at in [graph[n], graph[n + 1]] {
            while at < n && !seen[at] {
                seen[at] = true;
                at = graph[at];
            }
        }
        if !seen.iter().all(|s| *s) {
            continue;
        }
        let renamed = permutations.iter().map(|p| {
            let to = |x: usize| if x < n { p[x] } else { n };
            let mut image = vec![0; n + 2];
            (0..n).for_each(|x| image[p[x]] = to(graph[x]));
            image[n] = to(graph[n]);
            image[n + 1] = to(graph[n + 1]);
            image
        });
        classes.insert(renamed.min().expect("there is a permutation"));
    }
    classes.len()
}

fn permutations(n: usize) -> Vec<Vec<usize>> {
    if n == 0 {
        return vec![vec![]];
    }
    let smaller = permutations(n - 1);
    smaller
        .iter()
        .flat_map(|p| {
            (0..n).map(move |i| {
                let mut q = p.clone();
                q.insert(i, n - 1);
                q
            })
        })
        .collect()
}

#[test]
fn every_class_of_heaps_comes_once() {
    let text = with_node("int f(struct node *a, struct node *b) { return a == b; }");
    for n in 0..=4 {
        assert_eq!(heaps(&text, "f", n).len(), brute_force_count(n), "{n} nodes");
    }
}

#[test]
fn requires_prunes_but_never_loses_a_heap() {
    let requires = "/*@ requires ls(next, a, \\null) && ls(next, b, \\null);
        requires \\forall struct node *v; !(v != \\null && reach(next, a, v) && reach(next, b, v));
        requires \\exists struct node *v; v != \\null && reach(next, a, v); */";
    let head = "int f(struct node *a, struct node *b) { return a == b; }";
    // Two disjoint lists, the first not empty: for n nodes, n ways to cut them.
    for n in 0..=5 {
        assert_eq!(heaps(&with_node(&format!("{requires}\n{head}")), "f", n).len(), n);
    }
}

#[test]
fn integers_are_enumerated_only_where_they_matter() {
    let unread =
        with_node("/*@ requires ls(next, h, \\null); */ int f(struct node *h) { return h != 0; }");
    assert_eq!(heaps(&unread, "f", 3).len(), 1);
    let read = with_node(
        "/*@ requires ls(next, h, \\null); */ int f(struct node *h) { return h ? h->data : 0; }",
    );
    assert_eq!(heaps(&read, "f", 3).len(), 27);
    let through_pointer = with_node(
        "/*@ requires ls(next, h, \\null); */ int f(struct node *h) { int *p = h ? &h->data : 0; return p ? *p : 0; }",
    );
    assert_eq!(heaps(&through_pointer, "f", 3).len(), 27);
    let sorted = with_node(
        "/*@ requires ls(next, h, \\null) && sorted(next, data, h, \\null); */ int f(struct node *h) { return h != 0; }",
    );
    assert_eq!(heaps(&sorted, "f", 3).len(), 10);
}

#[test]
fn the_violation_is_a_smallest_one() {
    let text = with_node(
        "/*@ requires ls(next, h, \\null); */
         void f(struct node *h) {
             struct node *p = h;
             while (p) { if (p->next) { p->next->next->data = 1; } p = p->next; }
         }",
    );
    let found = violation(&text, "f", &Config::default());
    assert_eq!(found.failure.kind, CheckKind::NullDeref);
    assert_eq!(found.initial.memory.objects.len(), 2);
}

#[test]
fn nondeterminism_is_explored() {
    let text = with_node(
        "extern int __VERIFIER_nondet_int(void);
         extern void *malloc(unsigned long); extern void free(void *);
         extern void reach_error(void);
         int main(void) {
             struct node *h = 0; int n = 0;
             while (__VERIFIER_nondet_int()) {
                 struct node *e = malloc(sizeof *e);
                 e->next = h; e->data = n++; h = e;
             }
             if (h && h->next && h->next->next) reach_error();
             while (h) { struct node *t = h->next; free(h); h = t; }
             return 0;
         }",
    );
    let found = violation(&text, "main", &Config::default());
    assert_eq!(found.failure.kind, CheckKind::ErrorCall);
    assert_eq!(found.choices, [1, 1, 1, 0]);
}

#[test]
fn isomorphic_states_are_one() {
    // The order of the two allocations does not matter, so both branches meet.
    let text = with_node(
        "extern int __VERIFIER_nondet_int(void);
         extern void *malloc(unsigned long); extern void free(void *);
         int main(void) {
             struct node *a, *b;
             if (__VERIFIER_nondet_int()) { a = malloc(sizeof *a); b = malloc(sizeof *b); }
             else { b = malloc(sizeof *b); a = malloc(sizeof *a); }
             while (__VERIFIER_nondet_int()) { struct node *t = a; a = b; b = t; }
             free(a); free(b);
             return 0;
         }",
    );
    let found = run(&text, "main", &Config { choices: 40, ..Config::default() });
    assert!(matches!(found.outcome, Outcome::Exhausted), "{:?}", found.outcome);
    assert_eq!(found.stats.cut_by_choices, 0);
    assert!(found.stats.states < 15, "{:?}", found.stats);
}

#[test]
fn leaks_of_forgotten_objects_are_found() {
    let text = with_node(
        "extern void *malloc(unsigned long);
         int main(void) {
             struct node *p = 0;
             for (int i = 0; i < 3; i++) { struct node *q = malloc(sizeof *q); q->next = p; p = q; }
             p = 0;
             return 0;
         }",
    );
    assert_eq!(violation(&text, "main", &Config::default()).failure.kind, CheckKind::Leak);
}

#[test]
fn one_thread_and_two_give_the_same_answer() {
    let text = with_node(
        "/*@ requires ls(next, h, \\null); */
         int f(struct node *h) {
             int sum = 0;
             while (h) { sum += h->data; h = h->next; }
             return 4 / (sum - 5);
         }",
    );
    let config = |threads| Config { threads, objects: 5, ..Config::default() };
    let (one, two) = (violation(&text, "f", &config(1)), violation(&text, "f", &config(2)));
    assert_eq!(one.initial, two.initial);
    assert_eq!(one.failure.kind, CheckKind::DivByZero);
    assert_eq!(one.initial.memory.objects.len(), 3);
}

#[test]
fn a_contradictory_requires_leaves_no_heap() {
    let text = with_node(
        "/*@ requires h != \\null && h == \\null; */ int f(struct node *h) { return h->data; }",
    );
    assert!(matches!(run(&text, "f", &Config::default()).outcome, Outcome::NoHeap));
}

#[test]
fn budgets_end_the_exploration_cleanly() {
    let text = with_node(
        "extern unsigned __VERIFIER_nondet_uint(void);
         int main(void) { unsigned n = 0; while (1) n = n * 3 + __VERIFIER_nondet_uint(); }",
    );
    let endless = Config { choices: 10_000, steps: 1_000_000, ..Config::default() };
    let with = |budget: Budget| Config { budget, ..endless.clone() };
    let late = with(Budget { timeout: Some(Duration::ZERO), ..Budget::default() });
    let stopped = run(&text, "main", &late).outcome;
    assert!(
        matches!(stopped, Outcome::Unfinished(NoResult::Stopped(StopReason::Time))),
        "{stopped:?}"
    );
    let small = with(Budget { memory: Some(1 << 20), ..Budget::default() });
    let stopped = run(&text, "main", &small);
    assert!(
        matches!(stopped.outcome, Outcome::Unfinished(NoResult::Stopped(StopReason::Memory))),
        "{stopped:?}"
    );
    assert!(stopped.stats.peak_bytes < 4 << 20, "{:?}", stopped.stats);
    let done = |units: u64| {
        let stopped =
            run(&text, "main", &with(Budget { work: Work::of(units), ..Budget::default() }));
        assert!(
            matches!(stopped.outcome, Outcome::Unfinished(NoResult::Stopped(StopReason::Work))),
            "{stopped:?}"
        );
        stopped.stats.instructions
    };
    assert!(done(1000) < done(2000));
    assert_eq!(done(2000), done(2000));
    endless.budget.cancel.store(true, Ordering::Relaxed);
    let stopped = run(&text, "main", &endless).outcome;
    assert!(
        matches!(stopped, Outcome::Unfinished(NoResult::Stopped(StopReason::Cancelled))),
        "{stopped:?}"
    );
}

#[test]
fn the_enumeration_itself_keeps_to_the_deadline() {
    let record = "struct t { struct t *a, *b, *c; int x, y; };";
    let many =
        format!("{record} int f(struct t *p, struct t *q) {{ return p && q && p->x == q->y; }}");
    let none = format!(
        "{record} /*@ requires \\exists struct t *v; v != \\null && v->a == v && v->a != v; */ {}",
        "int f(struct t *p, struct t *q) { return p && q && p->x == q->y; }"
    );
    for text in [many, none] {
        let budget = Budget { timeout: Some(Duration::from_millis(300)), ..Budget::default() };
        let deadline = Instant::now() + Duration::from_millis(300);
        let config = Config { objects: 6, budget, ..Config::default() };
        let outcome = run(&text, "f", &config).outcome;
        assert!(
            matches!(outcome, Outcome::Unfinished(NoResult::Stopped(StopReason::Time))),
            "{outcome:?}"
        );
        assert!(deadline.elapsed() < Duration::from_secs(5), "{:?}", deadline.elapsed());
    }
}

#[test]
fn what_is_outside_the_subset_is_never_passed_over() {
    let text =
        with_node("int g(double d); int f(struct node *h) { return h ? 1 : (int)(1.5 * 2); }");
    let outcome = run(&text, "f", &Config::default()).outcome;
    assert!(matches!(outcome, Outcome::Unfinished(NoResult::Refused(_))), "{outcome:?}");
}

#[test]
fn structs_by_value_and_uninterpreted_predicates_start_everywhere() {
    let by_value =
        "struct pair { int a, b; }; int f(struct pair p) { return 1 / (p.a - p.b + 2); }";
    assert_eq!(violation(by_value, "f", &Config::default()).failure.kind, CheckKind::DivByZero);
    let marked = with_node(
        "//@ predicate C(struct node *v);
         /*@ assigns \\nothing; ensures \\result != 0 <==> C(v); */ int c(struct node *v);
         /*@ requires h != \\null; ensures !C(h); */ void f(struct node *h) { if (c(h)) return; }",
    );
    let found = violation(&marked, "f", &Config::default());
    assert_eq!(found.failure.kind, CheckKind::Postcondition);
    assert_eq!(found.initial.args, [Value::to_start(trellis_program::concrete::ObjId(0))]);
}

#[test]
fn a_call_that_no_result_satisfies_is_told() {
    let text = "struct node { struct node *next; int data; };
        /*@ assigns \\nothing; ensures \\result > 3 && \\result < 2; */ int never(void);
        /*@ assigns \\nothing; ensures \\result != \\null && \\result->data == 7; */
        struct node *fresh(void);
        int f(int k) { if (k == 5) return never(); return 0; }
        void free(void *);
        int g(void) { struct node *n = fresh(); int d = n->data; free(n); return d - 7; }";
    let spans = |proc| run(text, proc, &Config::default()).unsatisfied.len();
    assert_eq!(spans("f"), 1, "both conditions cannot hold");
    assert_eq!(spans("g"), 0, "a new node can have any contents");
}

#[test]
fn new_memory_behind_new_memory_is_noticed() {
    let follow = |ensures: &str| {
        let text = format!(
            "struct node {{ struct node *next; int data; }};
             //@ predicate Single(struct node *v) = v->next == \\null;
             struct node *g;
             /*@ assigns \\nothing; ensures {ensures}; */ struct node *fresh(struct node *x);
             void free(void *);
             void f(void) {{ struct node *n = fresh(g); if (n != g) free(n); }}"
        );
        let outcome = run(&text, "f", &Config { objects: 1, ..Config::default() }).outcome;
        !matches!(outcome, Outcome::Unfinished(NoResult::Refused(_)))
    };
    for closed in [
        "\\result == \\null",
        "\\result == x",
        "\\result == \\null || \\result->next == \\null",
        "\\result != \\null ==> \\result->next == x",
        "\\result->next == \\result",
        "Single(\\result)",
        "reach(next, x, \\result)",
        "\\result \\in content(next, x)",
        "\\result == (x == \\null ? \\null : x->next)",
    ] {
        assert!(follow(closed), "{closed}");
    }
    for open in [
        "\\true",
        "\\result != \\null",
        "reach(next, \\result, \\null)",
        "\\result->next != \\null",
        "\\result->next == \\null || \\result->data == 0",
        "!Single(\\result)",
        "\\result != \\null && \\result->data == 3",
    ] {
        assert!(!follow(open), "{open}");
    }
}

#[test]
fn constant_objects_are_not_written() {
    let text = "const int k = 1; const int a[2] = { 1, 2 };
        int read(void) { return a[1] + k; }
        void table(int i) { int *p = (int *)a; if (i == 1) p[i] = 3; }
        void text(void) { char *s = \"ab\"; s[0] = 'c'; }
        void *memset(void *, int, unsigned long);
        void fill(void) { memset((int *)a, 0, sizeof a); }";
    let unsupported = |proc| {
        let outcome = run(text, proc, &Config::default()).outcome;
        matches!(outcome, Outcome::Unfinished(NoResult::Refused(refusal)) if refusal.reason.contains("constant"))
    };
    assert!(!unsupported("read"));
    assert!(unsupported("table") && unsupported("text") && unsupported("fill"));
}

/// What a global pointed to is lost when it is written, whether or not anybody reads it.
#[test]
fn a_global_that_is_only_written_loses_what_it_had() {
    let text = format!(
        "{NODE}struct node *g;\n\
         static void set(struct node *n) {{ g = n; }}\n\
         void clear(void) {{ g = 0; }}\n\
         void called(struct node *n) {{ set(n); }}\n"
    );
    for proc in ["clear", "called"] {
        let found = violation(&text, proc, &Config::default());
        assert_eq!(found.failure.kind, CheckKind::Leak, "{proc}");
    }
}
