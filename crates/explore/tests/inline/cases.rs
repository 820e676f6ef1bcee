//! One small program for every rule of a call.

use expect_test::expect;
use trellis_explore::{Config, Outcome, Progress, explore};
use trellis_front_c::load_str;
use trellis_program::print::{print_procedure, print_program};
use trellis_program::{CheckKind, InlineLimits, Program, Refusal, inline};

use super::compare::{Seen, check};

const NODE: &str = "struct node { struct node *next; int data; };\n\
    void *malloc(unsigned long); void free(void *); void exit(int);\n\
    int __VERIFIER_nondet_int(void);\n";

pub fn program(text: &str) -> Program {
    match load_str("test.c", &format!("{NODE}{text}")) {
        Ok(unit) => unit.program,
        Err(failure) => panic!("{:#?}", failure.diagnostics),
    }
}

pub fn seen(text: &str) -> Seen {
    check(&program(text), "root")
}

/// The messages and the places of what cannot be inlined.
pub fn refused(text: &str, limits: InlineLimits) -> Vec<String> {
    let program = program(text);
    let proc = program.find_proc("root").expect("there is a root");
    let refusals = inline(&program, proc, limits).expect_err("a call cannot be replaced");
    let show = |r: &Refusal| format!("{}: {}", program.sources.snippet(r.span), r.reason);
    refusals.iter().map(show).collect()
}

#[test]
fn a_procedure_without_calls_is_itself() {
    let program = program("int root(int k) { while (k > 0) k--; return k; }");
    let proc = program.find_proc("root").expect("there is a root");
    let inlined = inline(&program, proc, InlineLimits::default()).expect("it has no calls");
    assert_eq!(print_program(&inlined.program), print_program(&program));
    assert!(inlined.origin.returns.is_empty());
}

#[test]
fn the_new_body_reads_like_the_old_one() {
    let program = program(
        "/*@ requires p != \\null; ensures p->data == k; ensures \\result == \\old(k); */
         int put(struct node *p, int k) { p->data = k; if (k) k = 0; return p->data; }
         int root(struct node *p, int k) {
             int a = put(p, k + 1);
             int b = 0;
             while (p->next) { p = p->next; b = put(p, a); }
             return b;
         }",
    );
    let proc = program.find_proc("root").expect("there is a root");
    let inlined = inline(&program, proc, InlineLimits::default()).expect("it can be inlined");
    expect![[r#"
        int root(struct node *p, int k) {
            int a;
            int b;
            struct node *%1;
            struct node *put.p;
            int put.k;
            int put.%1;
            ghost int put.\result;
            ghost int put.\old(k);
            struct node *put#2.p;
            int put#2.k;
            int put#2.%1;
            ghost int put#2.\result;
            ghost int put#2.\old(k);
          b0:
            put.p = p                                    // line 7
            put.k = k + 1                                // line 7
            put.\old(k) = put.k                          // line 7
            assert[precondition] put.p != NULL           // line 7
            goto b5                                      // line 7
          b1: // loop head
            %1 = p->next                                 // line 9
            if (%1 != NULL) goto b2 else b3              // line 9
          b2:
            p = p->next                                  // line 9
            put#2.p = p                                  // line 9
            put#2.k = a                                  // line 9
            put#2.\old(k) = put#2.k                      // line 9
            assert[precondition] put#2.p != NULL         // line 9
            goto b9                                      // line 9
          b3:
            return b                                     // line 10
          b4:
            a = put.\result                              // line 7
            b = 0                                        // line 8
            goto b1                                      // line 9
          b5:
            put.p->data = put.k                          // line 5
            if (put.k) goto b6 else b7                   // line 5
          b6:
            put.k = 0                                    // line 5
            goto b7                                      // line 5
          b7:
            put.%1 = put.p->data                         // line 5
            put.\result = put.%1                         // line 5
            assert[postcondition] put.p->data == put.\old(k) // line 4
            assert[postcondition] put.\result == put.\old(k) // line 4
            goto b4                                      // line 5
          b8:
            b = put#2.\result                            // line 9
            goto b1                                      // line 9
          b9:
            put#2.p->data = put#2.k                      // line 5
            if (put#2.k) goto b10 else b11               // line 5
          b10:
            put#2.k = 0                                  // line 5
            goto b11                                     // line 5
          b11:
            put#2.%1 = put#2.p->data                     // line 5
            put#2.\result = put#2.%1                     // line 5
            assert[postcondition] put#2.p->data == put#2.\old(k) // line 4
            assert[postcondition] put#2.\result == put#2.\old(k) // line 4
            goto b8                                      // line 5
        }
    "#]]
    .assert_eq(&print_procedure(&inlined.program, proc));
}

#[test]
fn results_and_arguments_are_passed() {
    let seen = seen(
        "int add(int a, int b) { a = a + b; return a; }
         int twice(int a) { return add(a, a); }
         int root(int x) { int y = twice(x); y = add(y, 1); add(x, 2147483647); return y; }",
    );
    assert!(seen.returns > 0);
    assert_eq!(seen.failures, [CheckKind::Overflow]);
}

#[test]
fn loops_of_callees_stay_loops() {
    let seen = seen(
        "int length(struct node *p) { int n = 0; while (p) { n++; p = p->next; } return n; }
         int root(struct node *p) {
             int sum = 0;
             for (struct node *q = p; q && sum < 9; q = q->next) sum += length(q);
             return sum;
         }",
    );
    assert!(seen.returns > 3);
}

#[test]
fn parameters_in_memory_are_objects() {
    let seen = seen(
        "int *escaped;
         int deref(int *p) { return *p; }
         int by_address(int k) { escaped = &k; return deref(&k) + 1; }
         int root(int x) {
             int y = by_address(x);
             if (x > 1) return *escaped;
             return y;
         }",
    );
    assert!(seen.returns > 0);
    // What `escaped` pointed to before is leaked.
    assert_eq!(seen.failures, [CheckKind::UseAfterFree, CheckKind::Leak]);
}

#[test]
fn structs_are_passed_and_returned() {
    let seen = seen(
        "struct pair { int a; struct node *p; };
         struct pair swap(struct pair q, int a) { q.a = a; if (a) q.p = 0; return q; }
         struct pair read(struct pair *q) { return *q; }
         int root(struct pair *q, int a) {
             struct pair r = swap(*q, a);
             struct pair s = read(&r);
             return s.a + (s.p ? s.p->data : 0) + q->a;
         }",
    );
    assert!(seen.returns > 0);
    assert_eq!(seen.failures, [CheckKind::NullDeref]);
}

#[test]
fn unions_survive_a_return() {
    let seen = seen(
        "struct u { int tag; union { int a; struct node *p; } x; };
         struct u make(int a) { struct u r; r.tag = 1; r.x.a = a; return r; }
         int root(int a) { struct u r = make(a); if (r.x.a == a) return 1; return 0; }",
    );
    assert!(seen.returns > 0);
    assert_eq!(seen.failures, []);
}

#[test]
fn null_in_place_of_a_struct_fails_at_the_call_and_at_the_return() {
    let text = "struct pair { int a; int b; };
         int first(struct pair q) { return q.a; }
         struct pair get(struct pair *q) { return *q; }";
    for root in ["return first(*q);", "struct pair r = get(q); return r.a;"] {
        let seen = seen(&format!("{text} int root(struct pair *q) {{ {root} }}"));
        assert!(seen.returns > 0);
        assert_eq!(seen.failures, [CheckKind::NullDeref]);
    }
}

#[test]
fn registers_have_no_value_when_a_body_begins_again() {
    let seen = seen(
        "int f(int set) { int x; if (set) x = 1; return x; }
         int root(int k) { int n = 0; for (int i = 2; i > k; i--) { n = f(i == 2); if (n) n = 3; } return n; }",
    );
    assert!(seen.returns > 0);
    assert_eq!(seen.failures, [CheckKind::Uninit]);
}

#[test]
fn a_missing_return_gives_no_value() {
    let seen = seen(
        "int f(int k) { if (k) return 1; }
         int root(int k) { int r = 4; r = f(k); if (r) return 1; return 0; }",
    );
    assert!(seen.returns > 0);
    assert_eq!(seen.failures, [CheckKind::Uninit]);
}

#[test]
fn at_exit_a_finished_callee_holds_nothing() {
    let text =
        "struct node *make(void) { struct node *x = malloc(sizeof *x); x->next = 0; return x; }
         void lose(void) { make(); }
         void stop(struct node *p) { p = 0; exit(1); }";
    let leaks = seen(&format!("{text} int root(int k) {{ lose(); if (k) exit(0); return 0; }}"));
    assert_eq!(leaks.failures, [CheckKind::Leak]);
    let held =
        seen(&format!("{text} int root(int k) {{ struct node *x = make(); stop(x); return 0; }}"));
    assert!(held.exits > 0);
    assert_eq!(held.failures, []);
    let dropped = seen(&format!("{text} int root(int k) {{ stop(make()); return 0; }}"));
    assert!(dropped.runs > 0);
}

#[test]
fn recursion_is_refused() {
    let text = "int odd(int n);
         int even(int n) { return n ? odd(n - 1) : 1; }
         int odd(int n) { return n ? even(n - 1) : 0; }
         int root(int n) { return even(n) + root(n - 1); }";
    assert_eq!(
        refused(text, InlineLimits::default()),
        [
            "even(n - 1): a recursive call of `even`; this engine follows only calls that end",
            "root(n - 1): a recursive call of `root`; this engine follows only calls that end",
        ]
    );
}

#[test]
fn limits_are_kept() {
    let text = "int f(int n) { return n + 1; } int g(int n) { return f(f(n)); }
         int root(int n) { return g(g(n)); }";
    let deep = refused(text, InlineLimits { depth: 1, ..InlineLimits::default() });
    assert_eq!(deep.len(), 2, "{deep:?}");
    assert!(deep[0].ends_with("more than 1 calls inside each other"), "{deep:?}");
    let wide = refused(text, InlineLimits { blocks: 6, ..InlineLimits::default() });
    assert!(
        wide[0].ends_with("`root` with everything it calls has more than 6 blocks"),
        "{wide:?}"
    );
    let program = program(text);
    let proc = program.find_proc("root").expect("there is a root");
    let limits = InlineLimits { depth: 2, ..InlineLimits::default() };
    assert!(inline(&program, proc, limits).is_ok());
}

#[test]
fn returns_of_callees_are_known() {
    let program = program(
        "int f(int k) { if (k) return 1; return 2; }
         int root(int k) { return f(k) + f(k); }",
    );
    let proc = program.find_proc("root").expect("there is a root");
    let inlined = inline(&program, proc, InlineLimits::default()).expect("it can be inlined");
    let returns: Vec<_> = inlined.origin.returns.iter().collect();
    assert_eq!(returns.len(), 4);
    for block in returns {
        assert_eq!(inlined.origin.blocks[block.0 as usize].0, program.find_proc("f").unwrap());
    }
}

#[test]
fn exploration_gives_the_same_answer() {
    let program = program(
        "/*@ ensures reach(next, \\result, \\null); */
         struct node *reverse(struct node *p) {
             struct node *r = 0;
             while (p) { struct node *n = p->next; p->next = r; r = p; p = n; }
             return r;
         }
         /*@ requires reach(next, p, \\null); */
         struct node *root(struct node *p, int k) { p = reverse(p); if (k) p->data = 1; return reverse(p); }",
    );
    let proc = program.find_proc("root").expect("there is a root");
    let inlined = inline(&program, proc, InlineLimits::default()).expect("it can be inlined");
    let config = Config { objects: 3, ..Config::default() };
    let violated =
        |program: &Program| match explore(program, proc, &config, &Progress::default()).outcome {
            Outcome::Violated(v) => (v.initial, v.choices, v.failure.kind),
            other => panic!("{other:?}"),
        };
    assert_eq!(violated(&program), violated(&inlined.program));
}
