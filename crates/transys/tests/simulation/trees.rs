//! Procedures on trees that are simulated: chosen ones, and random ones.

use trellis_testkit::random::Random;

use crate::followed::Followed;
use crate::programs::{self, pick};
use crate::{Extent, follow, refuse, simulate};
use trellis_transys::Words;

const TREES: Extent = Extent { words: Words::Basic, objects: 3, heaps: 6, steps: 8 };

const TYPE: &str = "struct t { struct t *l; struct t *r; struct t *up; int k; };\n";

/// Procedures that must be followed; `IN` says that the arguments are disjoint trees.
const FOLLOWED: &[&str] = &[
    // Loads, and stores that make, move and drop subtrees.
    "void f(struct t *a, struct t *b) { while (a && nondet()) a = nondet() ? a->l : a->r; }",
    "void f(struct t *a, struct t *b) { if (a && !a->l) { a->l = b; while (nondet()) ; assert(a->l == b); } }",
    "void f(struct t *a, struct t *b) { if (a) { a->l = NULL; while (nondet()) ; } }",
    "void f(struct t *a, struct t *b) { if (a && b) { a->l = b; a->r = NULL; while (nondet()) a = a->l; } }",
    // A node with two parents between two statements, or for good.
    "void f(struct t *a, struct t *b) { if (a && a->l) { struct t *x = a->l; a->l = x->r; x->r = a; a = x; while (nondet()) ; } }",
    "void f(struct t *a, struct t *b) { if (a && a->r) { struct t *x = a->r; a->r = x->l; x->l = a; while (nondet()) a = x; } }",
    "void f(struct t *a, struct t *b) { if (a) { struct t *x = a->l; a->l = a->r; a->r = x; while (nondet()) ; } }",
    "void f(struct t *a, struct t *b) { if (a && b) { a->l = b; a->r = b; while (nondet()) ; assert(0); } }",
    "void f(struct t *a, struct t *b) { if (a && b) { a->l = b; b->l = a; b->l = NULL; while (nondet()) ; } }",
    "void f(struct t *a, struct t *b) { if (a) { a->l = a; while (nondet()) ; } }",
    "void f(struct t *a, struct t *b) { if (a) { a->l = a; a->l = b; while (nondet()) ; } }",
    // Two names of one node.
    "void f(struct t *a, struct t *b) { struct t *x = a; if (a && nondet() && a->l) x = a->l; if (x) { x->l = b; a->l = NULL; while (nondet()) ; } }",
    "void f(struct t *a, struct t *b) { struct t *x = b; if (a && a->l) { x = a->l; if (x && b) { x->r = NULL; b->r = NULL; a->l->r = b; while (nondet()) x = b->r; } } }",
    "void f(struct t *a, struct t *b) { if (a && b) { struct t *x = nondet() ? a : b; x->l = NULL; struct t *y = a->l; struct t *z = b->l; while (nondet()) ; assert(y == NULL || z == NULL); } }",
    "void f(struct t *a, struct t *b) { struct t *x = a, *y = a, *z; while (nondet()) { if (x && nondet()) x = x->l; if (y) y = y->l; } if (x && y) { x->r = NULL; y->r = b; z = x->r; y->r = NULL; while (nondet()) ; assert(z == NULL); } }",
    "void f(struct t *a, struct t *b) { struct t *x = a, *y = a; while (nondet()) { if (x && nondet()) x = x->l; if (y) y = y->l; } if (x && y) { x->r = b; y->r = NULL; while (nondet()) ; assert(x->r == b); } }",
    // Nodes come and go.
    "void f(struct t *a, struct t *b) { struct t *n = malloc(sizeof *n); n->l = a; n->r = b; n->up = NULL; while (nondet()) n = n->l ? n->l : n; }",
    "void f(struct t *a, struct t *b) { if (a) { struct t *n = malloc(sizeof *n); n->l = a->l; a->l = n; while (nondet()) ; assert(a->l == n); } }",
    "void f(struct t *a, struct t *b) { if (a && a->l) { free(a->l); a->l = NULL; while (nondet()) ; } }",
    "void f(struct t *a, struct t *b) { if (a && a->l) { struct t *x = a->l; free(x); while (nondet()) ; assert(a->l == x); } }",
    "void f(struct t *a, struct t *b) { if (a && a->l) { free(a); a = b; while (a && nondet()) a = a->r; } }",
    "void f(struct t *a, struct t *b) { if (a && a->l) { free(a->l); a->r = a->l->l; } }",
    "void f(struct t *a, struct t *b) { if (a) { free(a); free(a); } }",
    "void f(struct t *a, struct t *b) { struct t *n = malloc(sizeof *n); while (nondet()) ; a = n->l; assert(a == b); }",
    // A field beside the tree, of which contracts speak for all nodes: its cells are seen.
    "void f(struct t *a, struct t *b) { if (a && b) { a->up = b; while (nondet()) ; assert(b->up == NULL); assert(a->up == b); a->up = a; while (nondet()) ; assert(a->up != a); } }",
    "void f(struct t *a, struct t *b) { if (a && a->l) { a->l->up = a; while (nondet()) ; a->up = a->l->up; while (nondet()) ; free(a->l); a->l = NULL; while (nondet()) ; assert(a->up == a); } }",
    "void f(struct t *a, struct t *b) { struct t *n = malloc(sizeof *n); n->l = a; n->r = NULL; while (nondet()) ; b = n->up; assert(b == NULL); }",
    "void f(struct t *a, struct t *b) { struct t *n = malloc(sizeof *n); n->l = NULL; n->r = NULL; n->up = a; while (nondet()) ; if (a) { free(a->up); free(a); } while (nondet()) ; b = n->up; while (nondet()) ; }",
    "void f(struct t *a, struct t *b) { if (a && b) { a->up = b; free(b); while (nondet()) ; b = a->up; a->up->k = 1; } }",
    "void f(struct t *a, struct t *b) { if (a) a->up = a->l;\n//@ assert \\forall struct t *v; reach({l, r}, a, v) ==> v->up == NULL;\n}",
    "void f(struct t *a, struct t *b) { struct t *x = a; while (x && nondet()) { x->up = b; x = x->l; }\n//@ assert \\forall struct t *v; reach({l, r}, a, v) ==> v->up == b || v->up == \\old(v->up);\n}",
    // Contracts.
    "void f(struct t *a, struct t *b) {\n//@ assert tree(l, r, a);\nif (a) { a->l = b; }\n//@ assert tree(l, r, a);\nwhile (nondet()) ; }",
    "void f(struct t *a, struct t *b) { if (a && b) { a->l = b; b->r = a; }\n//@ assert tree(l, r, a);\n}",
    "void f(struct t *a, struct t *b) {\n//@ assert reach({l, r}, a, b);\n}",
    "void f(struct t *a, struct t *b) { if (a && a->l) {\n//@ assert reach({l, r}, a, a->l) && reach({l, r}, a->l, a->l) && !reach({l, r}, a->r, a->l);\nb = a->l; }\n//@ assert reach({l, r}, a, b);\n}",
    "void f(struct t *a, struct t *b) {\n//@ assert \\forall struct t *v; reach({l, r}, a, v) ==> v->k <= 3;\n}",
    "void f(struct t *a, struct t *b) {\n//@ assert \\forall struct t *u, *v; reach({l, r}, u->l, v) ==> v->k < u->k;\n}",
    "void f(struct t *a, struct t *b) {\n//@ assert reach(l, a, b) || reach(r, a, b);\n}",
    "void f(struct t *a, struct t *b) { if (a) { a->l = b; while (nondet()) ;\n//@ assert \\forall struct t *v; \\old(reach({l, r}, b, v)) ==> reach({l, r}, a, v);\n} }",
];

/// Trees whose nodes lead to something else, which may be shared.
const PAYLOAD: &[&str] = &[
    "/*@ requires tree(l, r, a); */
     void f(struct map *a) { while (a && nondet()) a = nondet() ? a->l : a->r; }",
    "/*@ requires tree(l, r, a); */
     void f(struct map *a) { while (a) { if (a->data) a->data->x = 1; a = a->l; } }",
    "/*@ requires tree(l, r, a); requires \\forall struct map *v; reach({l, r}, a, v) ==> v->data != NULL; */
     void f(struct map *a) { struct map *b = a; while (b) { if (b->r) a->data = b->data; b = b->r; while (nondet()) ; } }",
    "/*@ requires tree(l, r, a); */
     void f(struct map *a) { if (a && a->l && a->data) { free(a->data); while (nondet()) ; if (a->l->data) a->l->data->x = 2; } }",
    "/*@ requires tree(l, r, a); */
     void f(struct map *a) { struct map *n = malloc(sizeof *n); n->l = a; n->r = NULL; n->data = malloc(sizeof *n->data); while (nondet()) ; if (a) a->data = n->data; while (nondet()) ; }",
    "/*@ requires tree(l, r, a); assigns \\nothing; */
     int f(struct map *a) { if (!a) return 0; int x = f(a->l); while (nondet()) ; return x || a->data == NULL; }",
    // Cells are reached over several fields in turn, rows over one.
    "/*@ requires reach(next, a, NULL) && (\\forall struct row *v; reach(next, a, v) && v != NULL ==> reach(on, v->first, NULL)); */
     void f(struct row *a) { struct cell *c = NULL; while (a && nondet()) { c = a->first; while (c && nondet()) c = c->on; a = a->next; } }",
];

#[test]
fn trees_that_lead_to_other_objects_are_followed() {
    for text in PAYLOAD {
        let text = format!(
            "struct item {{ int x; }};\nstruct map {{ struct item *data; struct map *l; struct map *r; }};\n\
             struct cell {{ struct cell *on; }};\nstruct row {{ struct row *next; struct cell *first; }};\n{text}"
        );
        for words in [Words::Basic, Words::Edges] {
            let mut followed = Followed::default();
            follow(&text, Extent { words, ..TREES }, &mut followed);
        }
    }
}

/// Procedures that must be refused, and why.
const REFUSED: &[(&str, &str)] = &[
    ("/*@ requires tree(l, r, a); */\nvoid f(struct t *a, struct t *b) { }", "more than trees"),
    (
        "/*@ requires reach({l, r}, a, b); */\nvoid f(struct t *a, struct t *b) { }",
        "more than trees",
    ),
    (
        "/*@ requires IN; requires tree(l, up, a); */\nvoid f(struct t *a, struct t *b) { }",
        "overlap",
    ),
];

fn with_contract(text: &str) -> String {
    let disjoint = "tree(l, r, a) && tree(l, r, b) && \
        (\\forall struct t *v; !(reach({l, r}, a, v) && reach({l, r}, b, v))) && \
        (\\forall struct t *v; (reach({l, r}, a, v) || reach({l, r}, b, v)) ==> v->up == NULL)";
    let text = match text.starts_with("/*@") {
        true => text.to_owned(),
        false => format!("/*@ requires IN; */\n{text}"),
    };
    format!("{TYPE}{}", text.replace("IN", disjoint))
}

#[test]
fn chosen_procedures_on_trees_are_followed() {
    let mut followed = Followed::default();
    for text in FOLLOWED {
        follow(&with_contract(text), TREES, &mut followed);
        let in_steps = Extent { words: Words::Edges, objects: 2, ..TREES };
        follow(&with_contract(text), in_steps, &mut followed);
    }
    for name in ["tree", "reach over several fields"] {
        assert!(followed.contracts().any(|met| met == name), "{name} is never followed");
    }
}

/// Procedures that call themselves, with contracts that hold: what a run does in a call is among what
/// the contract allows, with `\old` for the state before it.
const RECURSIVE: &[&str] = &[
    "/*@ requires tree(l, r, a); ensures tree(l, r, a); */
     void f(struct bin *a) { if (a) { f(a->l); while (nondet()) ; f(a->r); while (nondet()) ; } }",
    "/*@ requires tree(l, r, a); assigns \\nothing; ensures \\result == NULL || reach({l, r}, a, \\result); */
     struct bin *f(struct bin *a) { if (!a || !a->l) return a; struct bin *x = f(a->l); while (nondet()) ; return x; }",
    "/*@ requires tree(l, r, a); ensures \\forall struct bin *v; \\old(reach({l, r}, a, v)) ==> !alloc(v); */
     void f(struct bin *a) { if (a) { f(a->l); while (nondet()) ; f(a->r); while (nondet()) ; free(a); while (nondet()) ; } }",
    "/*@ requires tree(l, r, a); ensures tree(l, r, \\result) && \\result != NULL;
         ensures \\forall struct bin *v; \\old(reach({l, r}, a, v)) ==> reach({l, r}, \\result, v); */
     struct bin *f(struct bin *a) { if (!a) { a = malloc(sizeof *a); a->l = NULL; a->r = NULL; a->k = 1; return a; }
       a->l = f(a->l); while (nondet()) ; return a; }",
    "/*@ requires tree(l, r, a); ensures tree(l, r, a);
         ensures \\forall struct bin *v; \\old(reach({l, r}, a, v)) <==> reach({l, r}, a, v); */
     void f(struct bin *a) { if (a) { struct bin *x; f(a->l); f(a->r); x = a->l; a->l = a->r; a->r = x; a->k = 0; while (nondet()) ; } }",
    // The parent of what is passed is not known where the call is.
    "/*@ requires tree(l, r, a); ensures \\forall struct bin *v; \\old(reach({l, r}, a, v)) ==> reach({l, r}, a, v); */
     void f(struct bin *a) { struct bin *x = a; while (x && nondet()) x = nondet() ? x->l : x->r; if (x && x != a) { f(x); while (nondet()) ; } }",
    // What is passed is moved below a new root, and the cell that held it is written or not.
    "/*@ requires tree(l, r, a); ensures \\result == NULL || tree(l, r, \\result); */
     struct bin *f(struct bin *a) { if (a && a->l) { struct bin *x = f(a->l); a->l = x; while (nondet()) ;
       if (x) { a->l = x->r; x->r = a; while (nondet()) ; return x; } } return a; }",
    // Several trees, apart or one in the other.
    "/*@ requires tree(l, r, a) && tree(l, r, b) && (\\forall struct bin *v; !(reach({l, r}, a, v) && reach({l, r}, b, v)));
         ensures \\forall struct bin *v; \\old(reach({l, r}, a, v)) || \\old(reach({l, r}, b, v)) <==> reach({l, r}, \\result, v); */
     struct bin *f(struct bin *a, struct bin *b) { if (!a) return b; if (!b) return a;
       if (nondet()) { a->r = f(a->r, b); while (nondet()) ; return a; } b->l = f(a, b->l); while (nondet()) ; return b; }",
    "/*@ requires tree(l, r, a) && (b == NULL || reach({l, r}, a, b)); ensures \\forall struct bin *v; \\old(reach({l, r}, a, v)) <==> reach({l, r}, a, v); */
     void f(struct bin *a, struct bin *b) { if (b) { struct bin *x = b->l; b->l = b->r; b->r = x; while (nondet()) ; f(a, x); while (nondet()) ; f(b, nondet() ? b : b->l); while (nondet()) ; } }",
    "/*@ requires tree(l, r, a) && (b == NULL || reach({l, r}, a, b)); */
     void f(struct bin *a, struct bin *b) { if (b && b->l && b->r) { struct bin *x = b->l; f(a, b->r); while (nondet()) ; f(x, NULL); b->l = NULL; while (nondet()) ; b->l = x; } }",
    // Integers change, and nothing else.
    "/*@ requires tree(l, r, a); ensures \\forall struct bin *v; reach({l, r}, a, v) ==> v->k == 2; */
     void f(struct bin *a) { if (a) { f(a->l); while (nondet()) ; f(a->r); a->k = 2; while (nondet()) ; } }",
    "/*@ requires tree(l, r, a); ensures a == NULL ==> \\result == NULL; */
     struct bin *f(struct bin *a) { struct bin *x = a; if (a) { x = f(nondet() ? a->l : a->r); while (nondet()) ; if (!x) { a->k = 1; return a; } x->k = a->k; while (nondet()) ; } return x; }",
    // Nothing changes, in trees and in lists.
    "/*@ requires tree(l, r, a); */\n int f(struct bin *a) { if (!a) return 0; int x = f(a->l); while (nondet()) ; return x < f(a->r) ? 1 : 2; }",
    "/*@ requires reach(next, a, NULL); ensures \\result == NULL || reach(next, a, \\result); */
     struct lst *f(struct lst *a) { if (!a || !a->next) return a; struct lst *x = f(a->next); while (nondet()) ; return x; }",
    "/*@ requires reach(next, a, NULL) && reach(next, b, NULL); ensures \\result ==> a != NULL && b != NULL; */
     int f(struct lst *a, struct lst *b) { if (!a || !b) return 0; if (a == b) return 1; int x = f(a->next, b); while (nondet()) ; return x || f(b, a->next); }",
    "/*@ requires a >= 0; ensures \\result >= 0; */\n int f(int a) { if (a <= 1) return 0; int x = f(1); while (nondet()) ; return x; }",
];

#[test]
fn recursive_procedures_on_trees_are_followed() {
    for text in RECURSIVE {
        let text = format!(
            "struct bin {{ struct bin *l; struct bin *r; int k; }};\nstruct lst {{ struct lst *next; int k; }};\n{text}"
        );
        for words in [Words::Basic, Words::Edges] {
            let mut followed = Followed::default();
            follow(&text, Extent { words, ..TREES }, &mut followed);
        }
    }
}

#[test]
fn what_is_no_tree_is_refused() {
    for (text, reason) in REFUSED {
        refuse(&with_contract(text), TREES, reason);
    }
}

const STATEMENTS: &[&str] = &[
    "X = Y;",
    "X = X->l;",
    "X = Y->r;",
    "c = X->l;",
    "c = X;",
    "X = c;",
    "X->l = Y;",
    "X->r = Y;",
    "X->l = Y->r;",
    "X->r = c;",
    "c->l = X;",
    "c->r = X->l;",
    "X->l = NULL;",
    "X->r = NULL;",
    "X->up = Y;",
    "X = Y->up;",
    "X = malloc(sizeof *X);",
    "c = malloc(sizeof *c); c->l = c->r = NULL;",
    "free(X);",
    "free(c);",
    "while (nondet()) ;",
    "assert(X != Y);",
    "assert(X->l != Y);",
    "\n//@ assert tree(l, r, X);\n",
    "\n//@ assert reach({l, r}, X, Y);\n",
    "\n//@ assert c != NULL ==> !reach({l, r}, c->l, X);\n",
];

const CONDITIONS: &[&str] = &["nondet()", "X", "X && X->l", "X && Y", "X != Y", "X && X->r == Y"];

fn random(seed: u64) -> String {
    let mut random = Random::new(seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ 0x7ee5);
    let mut body = String::new();
    statements(&mut random, 2, &mut body);
    let text = format!("void f(struct t *a, struct t *b) {{ struct t *c = NULL; {body} }}");
    programs::with_types(&with_contract(&text))
}

fn statements(random: &mut Random, depth: u32, out: &mut String) {
    for _ in 0..=random.below(5) {
        let kind = random.below(8);
        if kind < 2 && depth > 0 {
            let keyword = if kind == 0 { "while" } else { "if" };
            out.push_str(&format!("{keyword} ({}) {{ ", pick(random, CONDITIONS)));
            statements(random, depth - 1, out);
            out.push_str("} ");
            continue;
        }
        let statement = pick(random, STATEMENTS);
        let used = ["a", "b", "c"].into_iter().filter(|v| statement.contains(&format!("{v}->")));
        let used: Vec<&str> = used.collect();
        match used.is_empty() || random.below(5) == 0 || statement.contains("//@") {
            true => out.push_str(&format!("{statement} ")),
            false => out.push_str(&format!("if ({}) {{ {statement} }} ", used.join(" && "))),
        }
    }
}

#[test]
fn random_procedures_on_trees_are_followed() {
    let mut followed = Followed::default();
    let all = programs::how_many() / 2;
    for seed in 0..all {
        let words = if seed % 3 == 0 { Words::Edges } else { Words::Basic };
        let extent = Extent { words, objects: 2, ..TREES };
        let text = random(seed);
        if let Err(why) = simulate(&text, extent, &mut followed) {
            panic!("{}\n{text}", why.reason);
        }
    }
}
