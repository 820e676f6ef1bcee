//! Contract formulas that are simulated: in assertions, preconditions and postconditions, of heaps
//! that changed since the entry, with freed objects and cells that were never written.

use trellis_testkit::random::Random;

use crate::programs::pick;

/// Predicates that formulas may use.
pub const PREDICATES: &str = "\
//@ predicate C(struct n *p);
//@ predicate last(struct n *p) = p != NULL && p->next == NULL;
//@ predicate meets(struct n *p, struct n *q, int k) = p->next == q || p->v == k;
";

/// What happens before a formula is looked at.
const BODIES: &[&str] = &[
    "",
    "if (a) { a->next = NULL; a->v = 3; a->u = 0xfffffffffffffff0ul; }",
    "if (b && i < 1) { free(b); }",
    "if (a && i < 2) { struct n *c = malloc(sizeof *c); if (i < 1) c->next = NULL; a->next = c; }",
];

/// Formulas about `struct n *a`, `struct n *b`, `int i`, `unsigned long u` that must be followed.
pub const FOLLOWED: &[&str] = &[
    "\\true",
    "\\false",
    "!(a == NULL)",
    "a == b && i == 0",
    "a != b || i != 0",
    "a == b ==> i < 1",
    "alloc(a) <==> alloc(b)",
    "a->v == 3 <==> b->v == 3",
    "!(a->v == 3 <==> b->v == 3)",
    "!(a->next == b ==> b->next == NULL)",
    "!(a->v < 3 && i < 1) && !(a->v > 3 || i > 1)",
    "i <= 0",
    "i > -1",
    "i >= 1",
    "u == 5",
    "u != 5",
    "u < 0x8000000000000000",
    "u <= 5",
    "u > 5",
    "u >= 0xfffffffffffffff0",
    "a->v == 3",
    "a->v < b->v",
    "a->u > 5",
    "a->u <= u",
    "a->next == b",
    "a->next->next == NULL",
    "a->data == b",
    "a->ip == &b->v",
    "a != NULL ==> a->next != NULL",
    "reach(next, a, b)",
    "reach1(next, a, b)",
    "reach(next, a, NULL)",
    "reach1(next, a, a)",
    "reach(next, a->next, b)",
    "reach({next}, a, b)",
    "reach({next}, a->next, b)",
    "!reach({next}, a, NULL)",
    "\\forall struct n *v; reach({next}, a, v) ==> v->v < 3",
    "tree(next, a)",
    "tree(next, a) ==> a == b",
    "ls(next, a, b)",
    "ls(next, a, NULL)",
    "stable(next, a)",
    "stable(next, a) && stable(next, b)",
    "sorted(next, v, a, NULL)",
    "sorted(next, u, a, b)",
    "cyclic(next, a)",
    "!cyclic(next, a)",
    "alloc(a)",
    "alloc(a->next)",
    "\\valid(a)",
    "\\valid(&a->u)",
    "\\separated(a, b)",
    "\\separated(a, b, a->next)",
    "C(a)",
    "C(a) ==> C(a->next)",
    "last(a)",
    "meets(a, b, 3)",
    "meets(a, b, i)",
    "\\forall struct n *p; reach(next, a, p) ==> p == NULL || C(p)",
    "\\forall struct n *p; reach(next, a, p) && p != NULL ==> p->v == 3",
    "\\exists struct n *p; reach(next, a, p) && reach(next, b, p) && p != NULL",
    "\\forall struct n *p, *q; reach(next, p, q) && p != q && C(q) ==> q == NULL || p->v <= q->v",
    "content(next, a) == content(next, b)",
    "content(next, a) != \\empty",
    "\\in(b, content(next, a))",
    "\\subset(content(next, b), content(next, a))",
    "\\inter(content(next, a), content(next, b)) == \\empty",
    "\\union(content(next, a), \\set(b)) == content(next, a)",
    "\\diff(content(next, a), \\set(a)) == content(next, b)",
    "(i == 0 ? a : b) == b",
    "(a == NULL ? 0 : 1) == i",
    "i < 5 && a->v < 5 ==> (a->v < i ? a->v : i) < 1",
    "\\valid(a + 1)",
    "a + 1 == a + 1",
    "last(NULL)",
    "meets(NULL, b, 3)",
    "reach(next, NULL, b)",
    "C(NULL)",
    "!C(NULL) && !C(b)",
    "\\in(NULL, content(next, a))",
    "\\set(NULL) == \\empty",
    "\\set(a) == \\set(NULL)",
    "\\separated(a, NULL)",
    "alloc(NULL) || \\valid(b->next)",
    "\\old(alloc(a)) ==> alloc(a)",
    "\\forall struct n *p; p->v == 3 || p == NULL",
    "\\forall struct n *p; \\old(alloc(p)) ==> alloc(p)",
    "\\exists struct n *p; alloc(p) && !\\old(alloc(p))",
    "\\forall struct n *p; alloc(p) ==> (reach(next, a, p) <==> \\old(reach(next, a, p)))",
    "\\forall struct n *p; \\old(reach(next, a, p)) && p != NULL ==> \\old(p->v) == p->v",
    "(i == 0 ? content(next, a) : \\empty) == content(next, b)",
    "\\old(a->next) == a->next",
    "\\old(a->v) == a->v",
    "\\old(a->v == 3)",
    "\\old(reach(next, a, b))",
    "\\old(content(next, a)) == content(next, a)",
    "\\old(\\at(a->next, Here) == b)",
    "\\old(\\at(reach(next, a, b), Here) && a != b)",
    "\\old(\\at(a->v, Here) == a->v)",
    "-1 < i",
];

/// Formulas about single steps, which only the richer words can say.
pub const FOLLOWED_IN_STEPS: &[&str] = &[
    "content(next, a->next) == \\empty",
    "\\set(a->next) == content(next, b)",
    "\\diff(content(next, a), \\set(a)) == content(next, a->next)",
    "\\exists struct n *p; p != NULL && p->next == a",
    "\\forall struct n *p, *q; p != NULL && p->next == q ==> q != a",
    "\\forall struct n *p; p != NULL ==> p->next == \\old(p->next)",
];

/// Constructs that are not followed, with a formula that has each, and a part of the reason.
pub const REFUSED: &[(&str, &str, &str)] = &[
    ("\\forall over integers", "\\forall int k; a->v != k || k == 0", "a quantifier over integers"),
    ("\\exists over integers", "\\exists int k; a->v == k && k < 0", "a quantifier over integers"),
    ("division", "i / 2 == 0", "a division"),
    ("remainder", "i % 2 == 0", "a division"),
    ("addition", "i + 1 == 2", "arith"),
    ("subtraction", "i - 1 == 2", "arith"),
    ("negation", "-i < 1", "arith"),
    ("multiplication", "i * 2 == 2", "arith"),
    ("index", "(a + i) == b", "an array element"),
];

/// Procedures with constructs that are not about lists, or that stand in one kind of clause only.
pub const CLAUSES: &[&str] = &[
    // The result.
    "/*@ requires ALL; ensures \\result == a; */\nstruct n *f(struct n *a, struct n *b) { if (!a) return b; return a; }",
    "/*@ requires ALL; ensures \\result != NULL ==> \\result->v == 3; */\nstruct n *f(struct n *a) { if (a && a->next) { a->v = 3; return a; } return a; }",
    "/*@ ensures \\result < 2; */\nint f(int i) { return i; }",
    "/*@ ensures \\result < 2; */\nunsigned long f(unsigned long i) { return i; }",
    // Keys out of order.
    "/*@ requires ALL; */\nvoid f(struct n *a) { if (a && a->next) { a->v = 5; a->next->v = 4; }\n/*@ assert sorted(next, v, a, NULL); */\nwhile (nondet()) ; }",
    // What is assigned.
    "/*@ requires ALL; assigns \\nothing; */\nvoid f(struct n *a) { if (a && nondet()) a->v = 3; }",
    "/*@ requires ALL; assigns a->v; */\nvoid f(struct n *a, struct n *b) { if (a) a->v = 3; if (b && nondet()) b->v = 4; }",
    "/*@ requires ALL; assigns a->v; */\nvoid f(struct n *a, struct n *b) { if (a) a->v = 3; }",
    "/*@ requires ALL; assigns a->next->v, a->next; */\nvoid f(struct n *a) { if (a && a->next) { a->next->v = 3; a->next = NULL; } }",
    "/*@ requires ALL; assigns { p->v | struct n *p; reach(next, a, p) }; */\nvoid f(struct n *a, struct n *b) { if (a && a->next) a->next->v = 3; if (b && b->v == 0) b->v = 4; }",
    "int g; int h;\n/*@ assigns g; */\nvoid f(int i) { g = i; if (i < 0) h = i; }",
    "int g; int h;\n/*@ assigns g; */\nvoid f(int i) { g = i; }",
    // Two links.
    "/*@ requires BOTH; */\nvoid f(struct d *a, struct d *b) {\n/*@ assert rev(next, prev, a, b); */\nwhile (nondet()) ; }",
    "/*@ requires BOTH && rev(next, prev, a, NULL); */\nvoid f(struct d *a) { while (nondet()) { if (a && a->next) a->next->prev = NULL; }\n/*@ assert rev(next, prev, a, NULL); */\n}",
    // Places in objects.
    "struct pair g;\nvoid f(struct pair *a) { if (a == &g) { g.a = 1; }\n/*@ assert a == &g; */\nwhile (nondet()) ; }",
    "struct pair g;\nvoid f(struct pair *a) { g.a = 1; while (nondet()) ;\n/*@ assert g.a == g.b; */\nwhile (nondet()) ; }",
    "void f(struct vec *a) { if (a) {\n/*@ assert a->arr[1] == a->last; */\nwhile (nondet()) ; } }",
    "void f(struct vec *a) { if (a) {\n/*@ assert \\valid(&a->arr[1]); */\nwhile (nondet()) ; } }",
    // Contracts of functions that are called.
    "/*@ requires p != NULL; ensures \\result == p->v; assigns \\nothing; */\nint get(struct n *p) { return p->v; }\n/*@ requires ALL; */\nvoid f(struct n *a) { int k = get(a); while (nondet()) ; assert(k == 0); }",
    "/*@ requires k > 0; ensures \\result > k; assigns \\nothing; */\nint more(int k);\n/*@ requires ALL; */\nvoid f(int i) { int k = more(i); while (nondet()) ; assert(k > 2); }",
];

/// A formula where it is checked and where it is assumed.
pub fn procedures(formula: &str) -> Vec<String> {
    let head = "void f(struct n *a, struct n *b, int i, unsigned long u)";
    // A predicate without a definition makes every allocation a choice.
    let used = ["C(", "last(", "meets("].iter().any(|name| formula.contains(name));
    let predicates = if used { PREDICATES } else { "" };
    let mut out = Vec::new();
    // The entry is what preconditions are about.
    if !formula.contains("\\old") {
        out.push(format!(
            "{predicates}/*@ requires ALL && ({formula}); */\n{head} {{ while (nondet()) ; }}"
        ));
    }
    for body in BODIES {
        out.push(format!(
            "{predicates}/*@ requires ALL; */\n{head} {{ {body}\n/*@ assert {formula}; */\nwhile (nondet()) ; }}"
        ));
    }
    out.push(format!(
        "{predicates}/*@ requires ALL; ensures {formula}; */\n{head} {{ if (a && i < 1) {{ a->next = b; a->v = 3; }} }}"
    ));
    out
}

/// Atoms of random formulas about `X` and `Y`.
const ATOMS: &[&str] = &[
    "X == Y",
    "X == NULL",
    "X->next == Y",
    "X->next->next == NULL",
    "X->data == Y",
    "X->ip == &Y->v",
    "X->v == 3",
    "X->v < Y->v",
    "X->u >= 0xfffffffffffffff0",
    "X->u < u",
    "i <= 3",
    "u > 5",
    "w == u",
    "reach(next, X, Y)",
    "reach(next, X, NULL)",
    "reach1(next, X, Y)",
    "reach(next, X->next, Y)",
    "ls(next, X, Y)",
    "stable(next, X)",
    "sorted(next, v, X, NULL)",
    "cyclic(next, X)",
    "alloc(X)",
    "alloc(X->next)",
    "\\valid(X)",
    "\\separated(X, Y)",
    "C(X)",
    "C(X->next)",
    "last(X)",
    "meets(X, Y, 3)",
    "(\\forall struct n *p; reach(next, X, p) ==> p == NULL || C(p))",
    "(\\forall struct n *p; reach(next, X, p) && p != NULL ==> p->v <= 3)",
    "(\\exists struct n *p; reach(next, X, p) && reach(next, Y, p) && p != NULL)",
    "content(next, X) == content(next, Y)",
    "\\in(Y, content(next, X))",
    "\\subset(content(next, X), \\union(content(next, Y), \\set(X)))",
    "\\inter(content(next, X), content(next, Y)) == \\empty",
    "\\diff(content(next, X), \\set(Y)) != \\empty",
    "(C(X) ? X : Y) == X",
    "(u > 5 ? content(next, X) : \\set(X)) == content(next, Y)",
    "\\old(a->next) == X->next",
    "\\old(b->v) == X->v",
    "\\old(reach(next, a, b))",
    "\\old(\\at(X->next, Here) == a->next)",
    "\\old(content(next, a)) == content(next, X)",
    "\\old(a->u) <= X->u",
    "\\old(alloc(a->next))",
];

/// A random formula.
pub fn random(random: &mut Random, depth: u32) -> String {
    let kind = if depth == 0 { 5 } else { random.below(9) };
    let mut part = || self::random(random, depth.saturating_sub(1));
    match kind {
        0 => format!("({} && {})", part(), part()),
        1 => format!("({} || {})", part(), part()),
        2 => format!("({} ==> {})", part(), part()),
        3 => format!("({} <==> {})", part(), part()),
        4 => format!("!({})", part()),
        _ => pick(random, ATOMS),
    }
}
