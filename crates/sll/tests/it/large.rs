//! A larger program than the paper's.

use trellis_front_c::load_str;
use trellis_program::CheckSet;
use trellis_sll::check::{self, check};

use crate::rows::run;

/// Eight pointer variables and three loops: splits a list, reverses one half, and weaves them.
const EIGHT: &str = "
struct node { struct node *n; int data; };
/*@ requires ls(n, a, \\null) && ls(n, b, \\null);
    requires \\inter(content(n, a), content(n, b)) == \\empty;
    ensures reach(n, \\result, \\null); */
struct node *weave(struct node *a, struct node *b, int key) {
    struct node *even = 0, *odd = 0, *t, *r = 0, *last = 0, *first = 0;
    while (a) {
        t = a->n;
        if (a->data < key) { a->n = even; even = a; } else { a->n = odd; odd = a; }
        a = t;
    }
    while (b) {
        t = b->n;
        b->n = r;
        r = b;
        b = t;
    }
    while (even || odd || r) {
        if (even) { t = even; even = even->n; }
        else if (odd) { t = odd; odd = odd->n; }
        else { t = r; r = r->n; }
        t->n = 0;
        if (last) last->n = t; else first = t;
        last = t;
    }
    return first;
}
";

#[test]
fn eight_variables_and_three_loops() {
    let unit = load_str("eight.c", EIGHT).unwrap_or_else(|e| panic!("{:?}", e.diagnostics));
    let checks = CheckSet::default();
    let (program, analysis) = run(&unit, "weave", checks, None);
    assert!(analysis.alarms.is_empty() && analysis.unsupported.is_empty());
    let options = check::Options { checks, ..check::Options::default() };
    let checked = check(&unit.program, &program, &analysis.states, &options).expect("an invariant");
    assert!(program.vars.len() >= 8);
    assert!(checked.states > analysis.states.count());
}
