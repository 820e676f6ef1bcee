//! One small program for every rule of a callee's contract.

use trellis_program::{CheckKind, InlineLimits};

use super::cases::{refused, seen};

#[test]
fn requires_is_checked_at_the_call() {
    let seen = seen(
        "/*@ requires p != \\null; requires k >= 0 && p->data != k; */
         int get(struct node *p, int k) { return p->data + k; }
         int root(struct node *p, int k) { return get(p, k); }",
    );
    assert!(seen.returns > 0);
    assert_eq!(seen.failures, [CheckKind::Precondition]);
}

#[test]
fn ensures_means_the_parameters_at_the_call() {
    let seen = seen(
        "/*@ ensures \\result == k + 1; ensures \\result > k; */
         int next(int k) { k++; if (k == 2) return k + 1; return k; }
         int root(int k) { int r = next(k); if (k > 100) return 0; return next(r); }",
    );
    assert!(seen.returns > 0);
    assert_eq!(seen.failures, [CheckKind::Postcondition]);
}

#[test]
fn ensures_sees_the_caller_before_the_result_arrives() {
    let seen = seen(
        "int g;
         /*@ ensures \\result == g + 1; */ int next(void) { return g + 1; }
         /*@ ensures g == \\old(g) + 1; */ void step(int by) { g = g + by; }
         int root(int by) { g = next(); g = next(); step(1); step(by); return g; }",
    );
    assert!(seen.returns > 0);
    assert_eq!(seen.failures, [CheckKind::Postcondition]);
}

#[test]
fn the_past_of_a_quiet_callee_is_the_present() {
    let seen = seen(
        "/*@ predicate marked(struct node *p) = p->data == 1;
             assigns \\nothing;
             ensures p != \\null ==> \\result == \\old(p->data);
             ensures \\old(reach(next, p, \\null)) ==> \\at(reach(next, p, \\null), Here);
             ensures \\old(marked(p)) ==> \\result == 1; */
         int get(struct node *p) { p = p; if (!p) return 0; return p->data; }
         int root(struct node *p) { int a = get(p); if (p) p->data = 7; return a + get(p); }",
    );
    assert!(seen.returns > 0);
    assert!(seen.failures.contains(&CheckKind::Postcondition), "{seen:?}");
}

#[test]
fn a_struct_parameter_is_remembered_cell_by_cell() {
    let seen = seen(
        "struct pair { int a; int b; };
         /*@ ensures \\result == q.a + q.b; */
         int sum(struct pair q) { q.a = q.a + q.b; q.b = 0; return q.a; }
         int root(struct pair *q) { if (!q) return 0; return sum(*q); }",
    );
    assert!(seen.returns > 0);
    assert_eq!(seen.failures, []);
}

#[test]
fn assertions_inside_a_callee_are_its_own() {
    let seen = seen(
        "int f(int k, int m) {
             int i = k;
             /*@ loop invariant i >= \\at(k, Pre); */
             while (i < m) { i++; k = 0; }
             //@ assert i == \\at(k, Pre) || k == 0;
             return i;
         }
         int root(int k, int m) { k = k + 1; int r = f(k, m); k = 5; return r + f(m, k); }",
    );
    assert!(seen.returns > 0);
}

#[test]
fn a_callee_without_a_body_returns_what_its_contract_allows() {
    let seen = seen(
        "/*@ requires k != 1; assigns \\nothing; ensures \\result >= k; */ int any(int k);
         /*@ assigns \\nothing; ensures \\result != p; */ struct node *other(struct node *p);
         /*@ assigns \\nothing; */ int flag(void);
         int root(struct node *p, int k) {
             struct node *q = other(p);
             flag();
             if (flag()) return q ? q->data : 7;
             return any(k);
         }",
    );
    assert!(seen.returns > 0);
    // The node that `other` may have allocated is lost.
    assert_eq!(seen.failures, [CheckKind::Leak, CheckKind::Precondition]);
}

#[test]
fn a_struct_for_a_callee_without_a_body_dies_with_the_call() {
    let seen = seen(
        "struct pair { int a; struct pair *p; };
         /*@ assigns \\nothing; ensures \\result != \\null ==> \\result->a == q.a; */
         struct pair *find(struct pair q);
         int root(struct pair *q) {
             struct pair *r = 0;
             for (int i = 0; i < 2 && q; i++) r = find(*q);
             return r ? r->a : 0;
         }",
    );
    assert!(seen.returns > 0);
    assert_eq!(seen.failures, [CheckKind::Leak], "what `find` returns may be new");
}

#[test]
fn a_callee_without_a_body_that_may_write_is_unsupported_where_it_is_called() {
    let seen = seen(
        "/*@ requires k != 0; */ void log(int k);
         int root(int k) { if (k == 2) return 2; log(k); return 0; }",
    );
    assert!(seen.unsupported > 0 && seen.returns > 0);
    assert_eq!(seen.failures, [CheckKind::Precondition]);
}

#[test]
fn contracts_about_memory_at_the_call_are_refused() {
    let messages = |contract: &str, body: &str| {
        let text = format!(
            "/*@ {contract} */ void set(struct node *p) {{ {body} }}
             void root(struct node *p) {{ set(p); }}"
        );
        refused(&text, InlineLimits::default())
    };
    assert_eq!(
        messages("ensures p->data == \\old(p->data) + 1;", "p->data++;"),
        ["set(p): a call of `set`, whose contract is about memory or globals at the call"]
    );
    assert_eq!(
        messages("assigns p->data;", "p->data++;"),
        ["set(p): a call of `set`, whose `assigns` clause is about memory at the call"]
    );
    assert_eq!(
        messages("", "p->data = 1; //@ assert \\at(p->data, Pre) == 1;\n"),
        ["set(p): a call of `set`, whose contract is about memory or globals at the call"]
    );
}
