//! The procedures that are simulated: chosen ones, and random ones.

use trellis_testkit::random::Random;

use crate::contracts::{self, PREDICATES};

const TYPES: &str = "\
typedef unsigned long size_t;
extern void *malloc(size_t);
extern void *calloc(size_t, size_t);
extern void free(void *);
extern void abort(void);
extern void exit(int);
extern void *memset(void *, int, size_t);
extern void *memcpy(void *, const void *, size_t);
extern void *memmove(void *, const void *, size_t);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);
struct inc;
struct n { int v; struct n *next; void *data; int *ip; unsigned long u; };
struct pair { int a; int b; };
struct box { struct pair p; double d; struct vec *first; struct inc *inc; };
struct holder { void *p; };
union either { int i; long l; };
struct vec { int arr[2]; int last; };
struct real { double d; int k; };
struct d { struct d *next; struct d *prev; int k; };
void *xmalloc(size_t size) { void *p = malloc(size); if (!p) abort(); return p; }
void *zeroed(size_t size) { void *p = malloc(size); if (!p) abort(); memset(p, 0, size); return p; }
static struct n *tail(struct n *h) { return h ? h->next : 0; }
static void push(struct n **h, struct n *x) { if (h && x) { x->next = *h; *h = x; } }
static void swap(struct n **p, struct n **q) { if (p && q) { struct n *t = *p; *p = *q; *q = t; } }
";

/// A procedure with the types; `assert`, `nondet` and `NULL` are written out, which a preprocessor
/// would do.
pub fn with_types(text: &str) -> String {
    format!("{TYPES}{}\n", written_out(text))
}

fn written_out(text: &str) -> String {
    let written = |line: &str| match line.starts_with("/*@") || line.starts_with("//@") {
        true => line.replace("ALL", "(\\forall struct n *v; reach(next, v, NULL))").replace(
            "BOTH",
            "(\\forall struct d *v; reach(next, v, NULL) && reach(prev, v, NULL))",
        ),
        false => line
            .replace("assert(", "__VERIFIER_assert(")
            .replace("nondet()", "__VERIFIER_nondet_int()")
            .replace("NULL", "0"),
    };
    let lines: Vec<String> = text.lines().map(written).collect();
    lines.join("\n")
}

/// A procedure with lists of one type, so that nothing of its caller's leads to its parameters.
pub fn with_lists(text: &str) -> String {
    let lists = "extern void free(void *);\nextern int __VERIFIER_nondet_int(void);\n\
        struct n { int v; struct n *next; };\n";
    format!("{lists}{}\n", written_out(text))
}

/// Procedures whose parameters lead to objects of their own; they must be followed, with lists of
/// one type.
pub const GIVEN: &[&str] = &[
    "/*@ requires \\valid(p) && reach(next, *p, \\null); ensures reach(next, *p, \\null); */\nvoid f(struct n **p) { struct n *t; while (*p && nondet()) { t = *p; *p = t->next; free(t); } }",
    "/*@ requires p != NULL && reach(next, *p, \\null); ensures reach(next, \\old(*p), \\null); */\nvoid f(struct n **p) { while (*p && nondet()) p = &(*p)->next; *p = NULL; while (nondet()) ; }",
    "/*@ requires ALL; requires \\valid(k); ensures *k == \\old(*k); */\nvoid f(struct n *a, int *k) { while (a && nondet()) { *k = a->v; a = a->next; } }",
];

/// Procedures that must be followed.
pub const FOLLOWED: &[&str] = &[
    // Functions that are passed by their names: the copy of a callee is for one of them.
    "static void drop(struct n *x) { free(x); }\nstatic void count(struct n *x) { x->v = x->v ? x->v : 1; }\nstatic void each(struct n *h, void (*f)(struct n *)) { while (h) { struct n *t = h->next; if (f) f(h); h = t; } }\n/*@ requires ALL; */\nvoid f(struct n *a) { each(a, count); each(a, 0); }",
    "static void drop(struct n *x) { free(x); }\nstatic void count(struct n *x) { x->v = x->v ? x->v : 1; }\nstatic void each(struct n *h, void (*f)(struct n *)) { while (h) { struct n *t = h->next; if (f) f(h); h = t; } }\n/*@ requires ALL; */\nvoid f(struct n *a) { each(a, drop); }",
    "static int is_last(struct n *x) { return x->next == 0; }\nstatic struct n *find(struct n *h, int (*f)(struct n *)) { while (h && !f(h)) h = h->next; return h; }\nstatic struct n *find_again(struct n *h, int (*f)(struct n *)) { return find(h, f); }\n/*@ requires ALL; */\nvoid f(struct n *a) { struct n *x = find_again(a, is_last); assert(!x || x->next == NULL); assert(x != a); }",
    "static int is_last(struct n *x) { return x->next == 0; }\nstatic struct n *find(struct n *h, int (*f)(struct n *)) { while (h && !f(h)) h = h->next; return h; }\nstatic struct n *find_again(struct n *h, int (*f)(struct n *)) { return find(h, f); }\n/*@ requires ALL; */\nvoid f(struct n *a) { struct n *x = find(a, 0); assert(!x); if (0) find(a, is_last); }",
    // What was allocated is not null, so nobody ends the program.
    "/*@ requires ALL; */\nvoid f(struct n *a) { struct n *x = malloc(sizeof *x); if (!x) exit(1); x->next = a; while (nondet()) { x = malloc(sizeof *x); if (x == NULL) exit(2); x->next = NULL; free(x); x = NULL; } }",
    // Pointers without a struct type: chains and cycles.
    "void f(void) { struct holder a, b, c; c.p = NULL; b.p = &c; a.p = &b; while (nondet()); assert(0); }",
    "void f(void) { struct holder a; a.p = &a; while (nondet()); assert(a.p != &a); }",
    "void f(struct holder *h) { if (h) { h->p = h; while (nondet()) ; assert(h->p == h); } }",
    "/*@ requires ALL; */\nvoid f(struct n *a, struct n *b) { if (a && b) { a->ip = &b->v; b->ip = &a->v; while (nondet()) a->ip = b->ip; } }",
    "/*@ requires ALL; */\nvoid f(struct n *a) { while (a) { a->data = a; a = a->next; } }",
    "void f(struct box *x, struct box *y) { if (x && y) { x->inc = (struct inc *)y; while (nondet()) ; y->inc = x->inc; assert(0); } }",
    // Blocks.
    "void f(struct pair *a, struct pair *b) { if (a && b) { *a = *b; while (nondet()) ; assert(a->a == b->a); } }",
    "void f(struct pair *a, struct pair *b) { memcpy(a, b, sizeof *a); while (nondet()) ; }",
    "void f(struct pair *a) { if (a) { memset(a, 0, sizeof *a); while (nondet()) ; assert(a->a > 0); } }",
    "void f(struct pair *a) { if (a) { memset(a, 255, 8); while (nondet()) ; assert(a->b >= 0); } }",
    "void f(struct pair *a) { if (a) { memset(&a->b, 255, 4); while (nondet()) ; assert(a->b >= 0); } }",
    "void f(struct pair *a) { memset(a, 0, 16); }",
    "void f(struct vec *a) { if (a) memset(&a->last, 0, 8); }",
    "void f(struct box *b) { if (!b) memset(&b->d, 0, sizeof b->d); }",
    "void f(struct box *b) { memset(b, 0, sizeof b->p); }",
    "void f(void) { struct box *b = malloc(sizeof *b); free(b); memset(b, 0, sizeof b->p + sizeof b->d); }",
    "void f(struct box *b, struct box *c) { if (b && c) { *b = *c; while (nondet()) ; assert(b->first == c->first); } }",
    "int f(void) { struct pair x, y; x.a = 1; y = x; while (nondet()) ; if (y.b) return 1; return 0; }",
    "int f(void) { struct pair x, y; x.a = 1; x.b = 2; y = x; while (nondet()) ; assert(y.b == 3); return 0; }",
    "void f(struct real *b) { memset(b, 0, sizeof b->d); }",
    "void f(void) { struct real *b = malloc(sizeof *b); free(b); memset(b, 0, sizeof b->d); }",
    // Memory that gets its type later.
    "void f(void) { struct pair *a = xmalloc(sizeof *a); a->a = 1; while (nondet()) ; assert(a->a == 2); free(a); }",
    "void f(void) { struct pair *a = zeroed(sizeof *a); while (nondet()) ; assert(a->a == 1); free(a); }",
    "void f(void) { void *p = malloc(sizeof(struct pair)); struct pair *a = p; a->a = 4; while (nondet()) ; free(p); a->b = 1; }",
    "void f(void) { struct pair *a = calloc(1, sizeof *a); while (nondet()) ; assert(a->b == 1); free(a); }",
    // Unsigned numbers.
    "/*@ requires ALL; */\nvoid f(struct n *a) { if (a && a->u > 0x8000000000000001ul) { while (nondet()) ; assert(a->u < 5); } }",
    "/*@ ensures \\result < 5; */\nunsigned long f(void) { while (nondet()) ; return ~0ul; }",
    "/*@ ensures \\result >= a; */\nunsigned long f(unsigned long a, unsigned long b) { if (a < b) return b; return a - 1; }",
    "void f(unsigned a, int b) { unsigned long c = a; while (c > 3) c = 2; assert((int)a == b); }",
    "void f(void) { unsigned long u = ~0ul; assert(u < 5); }",
    "void f(int i) { unsigned long u = i; if (i < 0) assert(u < 5); }",
    "void f(unsigned long a, long b) { if (a < 5) { b = (long)a; } while (nondet()) ; assert(b == 3); }",
    "void f(struct pair *a, struct pair *b) { if (a && b) { a->a = 1; while (nondet()) ; assert(b->a == 1); } }",
    "void f(int i, unsigned u) { if (i < 3) { assert(i < 4); while (nondet()) ; assert(i != 2); } else { assert(u > 2); while (nondet()) ; } }",
    // Lists.
    "/*@ requires ALL; ensures reach(next, \\result, NULL); */\nstruct n *f(struct n *a) { struct n *r = NULL, *t; while (a) { t = a->next; a->next = r; r = a; a = t; } return r; }",
    "/*@ requires ALL; */\nvoid f(struct n *a) { while (a) { struct n *t = tail(a); free(a); a = t; } }",
    "void f(void) { struct n *a = malloc(sizeof *a), *c = malloc(sizeof *c), *b = c, *t; a->next = c; c->next = NULL; if (nondet()) b = a; while (nondet()) ; t = a->next; b->next = NULL; t = a->next; while (nondet()) ; assert(t != NULL); }",
    "/*@ requires ALL; */\nvoid f(struct n *a) { if (a) a->next = a; while (nondet()) ; assert(0); }",
    "//@ predicate C(struct n *v);\n/*@ requires ALL && C(a); */\nvoid f(struct n *a) { while (a) a = a->next; /*@ assert C(a); */ }",
    "/*@ requires ALL; assigns \\nothing; */\nvoid f(struct n *a) { while (a) { if (nondet()) a->v = 1; a = a->next; } }",
    "/*@ requires ALL; */\nvoid f(struct n *a) { free(a); free(a); }",
    "/*@ requires ALL; */\nvoid f(struct n *a) { struct n *b = malloc(sizeof *b); while (nondet()) ; if (b->v) a = b; }",
    "/*@ requires ALL; */\nvoid f(struct n *a) { struct n *b = malloc(sizeof *b); b->next = a; }",
    "void f(void) { struct n *b = malloc(sizeof *b); while (nondet()) ; b->v = 1; }",
    "/*@ requires ALL; requires a != NULL; ensures a->v == \\old(a->v); */\nvoid f(struct n *a) { while (nondet()) ; a->v = 7; }",
    "void f(void) { struct n *h = malloc(sizeof *h), *x = malloc(sizeof *x); h->next = x; x->next = NULL; while (nondet()) ; free(x);\n/*@ assert reach(next, h, NULL); */\nfree(h); }",
    "/*@ ensures \\result->v == 0 || \\result->v != 0; */\nstruct n *f(void) { struct n *p = malloc(sizeof *p); p->next = NULL; while (nondet()) ; return p; }",
    "/*@ ensures \\true; ensures \\result == 1; */\nint f(void) { while (nondet()) ; return 0; }",
    // Pointers to variables and to fields.
    "/*@ requires ALL; */\nstruct n *f(struct n *a, struct n *b) { struct n **l = &a; while (*l) l = &(*l)->next; *l = b; return a; }",
    "/*@ requires ALL; */\nvoid f(struct n *a, struct n *b) { struct n **l = nondet() ? &a : &b; while (nondet()) ; *l = NULL; while (nondet()) ; assert(a != NULL); }",
    "/*@ requires ALL; */\nvoid f(struct n *a, struct n *b) { struct n **l = &a, **m = &b; while (nondet()) { struct n **t = l; l = m; m = t; } assert(l != m); assert(l == &a); }",
    "/*@ requires ALL; */\nvoid f(struct n *a, struct n *b) { struct n **l = &a; if (a) l = &a->next; while (nondet()) ; if (b && l == &b->next) { assert(a == b); assert(0); } }",
    "/*@ requires ALL; */\nvoid f(struct n *a) { struct n **l = NULL; if (nondet()) l = &a; while (nondet()) ; *l = NULL; }",
    "/*@ requires ALL; */\nvoid f(struct n *a) { struct n **l; if (nondet()) l = &a; while (nondet()) ; *l = NULL; }",
    "/*@ requires ALL; */\nvoid f(struct n *a) { struct n **l = &a->next; while (nondet()) ; *l = NULL; }",
    "/*@ requires ALL; */\nvoid f(struct n *a) { struct n **l = &a; while (*l && nondet()) l = &(*l)->next; if (*l) { struct n *t = *l; *l = t->next; free(t); } while (nondet()) ; assert(0); }",
    "/*@ requires ALL; */\nvoid f(struct n *a) { struct n **l = &a; if (a) l = &a->next; free(a); while (nondet()) ; *l = NULL; }",
    "/*@ requires ALL; requires reach(next, a, NULL); ensures \\result == a; */\nstruct n *f(struct n *a, struct n *b) { if (b) push(&a, b); while (nondet()) ; return a; }",
    "/*@ requires ALL; */\nvoid f(struct n *a, struct n *b) { swap(&a, &b); while (nondet()) ; if (a) swap(&a->next, &b); while (nondet()) ; assert(a == b); }",
    "static int get(struct n *a, int *out) { if (!a) return 0; *out = a->v; return 1; }\n/*@ requires ALL; */\nint f(struct n *a) { int k; if (get(a, &k)) { while (nondet()) ; assert(k < 2); } return k; }",
    "struct d *g;\nstatic void put(struct d **h, struct d *x) { x->next = *h; *h = x; }\n/*@ requires BOTH; */\nvoid f(struct d *a) { if (a) put(&g, a); while (nondet()) ; /*@ assert reach(next, g, a); */ }",
    "struct d *g;\n/*@ requires BOTH; ensures g == \\old(g); */\nvoid f(struct d *a) { struct d **l = nondet() ? &g : &a; while (nondet()) ; *l = NULL; }",
    "/*@ requires ALL; */\nvoid f(struct n *a) { struct n **l = &a; while (nondet()) { struct n *x = a; if (nondet()) l = &x; } *l = NULL; }",
    "/*@ requires ALL; */\nvoid f(struct n *a) { struct n *x = a, **l = &x; { struct n *y = a; if (nondet()) l = &y; while (nondet()) ; } if (l) assert(x == *l); }",
    "/*@ requires ALL; */\nvoid f(struct n *a, struct n *b) { struct n **l = &a, ***m = &l; while (nondet()) *m = &b; **m = NULL; while (nondet()) ; assert(a == NULL); }",
    "/*@ requires ALL; */\nvoid f(struct n *a) { int x = 1, y, *p = &x; if (nondet()) p = &y; while (nondet()) ; *p = 3; if (a && nondet()) p = &a->v; while (nondet()) ; *p = x; assert(x == 1); }",
    "/*@ requires BOTH; */\nvoid f(struct d *a) { struct d **l = &a; if (a && nondet()) l = &a->prev; else if (a) l = &a->next; while (nondet()) ; *l = NULL; while (nondet()) ; assert(a); assert(a->next); assert(a->prev); }",
    "/*@ requires BOTH; */\nvoid f(struct d *a, struct d *b) { struct d **l = &a->next, **m = &b->prev; while (nondet()) { struct d **t = l; l = m; m = t; } assert(l != m); if (l == &b->prev) assert(0); }",
    "void f(void) { struct box x; struct vec **l = &x.first; *l = NULL; while (nondet()) ; assert(x.first); }",
    "/*@ requires ALL; */\nvoid f(struct n *a) { struct n *x, **l = &x; while (nondet()) ; if (*l == a) assert(0); }",
    "/*@ requires ALL; */\nvoid f(struct n *a) { int i = 0; while (nondet()) { struct n *x, **l = &x; if (i == 0) *l = a; i = 1; while (nondet()) ; if (x == a) i = 2; } }",
    "/*@ requires ALL; */\nvoid f(struct n *a) { struct n **l = &a, **m = &a; if (a) l = &a->next; m = l; while (nondet()) ; if (m && m != &a) assert(0); }",
    "/*@ requires ALL; */\nvoid f(struct n *a, struct n *b) { if (a && b) { struct n **l = &a->next, **m = &b->next; while (nondet()) ; assert(l == m); } }",
    // Globals, and what they lose.
    "struct n *g;\n/*@ requires ALL; */\nvoid f(void) { g = NULL; }",
    "struct n *g;\n/*@ requires ALL; */\nvoid f(struct n *a) { while (nondet()) ; g = a; }",
    "struct n *g, *k;\n/*@ requires ALL; */\nvoid f(void) { struct n *t = g; g = k; while (nondet()) ; k = t; }",
    "struct d *g;\n/*@ requires BOTH; */\nvoid f(void) { if (g) g = g->next; }",
];

/// Procedures that must be refused, and a part of the reason.
pub const REFUSED: &[(&str, &str)] = &[
    ("void f(struct pair *a) { if (a) memset(a, 0, 2); }", "part of a scalar"),
    ("void f(struct pair *a, unsigned k) { if (a) memset(a, 0, k); }", "not a constant"),
    ("void f(struct vec *a) { if (a) memmove(&a->arr[1], &a->arr[0], 8); }", "overlap"),
    (
        "void f(void) { void *p = malloc(16); struct n *a = p; a->v = 1; }",
        "memory of 16 bytes used as",
    ),
    (
        "void f(void) { void *p = malloc(8); memset(p, 0, 4); struct pair *a = p; a->a = a->b; free(p); }",
        "without a type",
    ),
    (
        "void f(void) { void *p = malloc(sizeof(struct pair)); struct pair *a = p; struct vec *b = p; a->a = b->last; }",
        "without a type used as one with a type",
    ),
    (
        "/*@ requires ALL; */\nvoid f(struct holder *h) { if (h) { struct n *a = h->p; a->v = 1; } }",
        "without a type",
    ),
    (
        "/*@ requires ALL; */\nvoid f(struct n *a) { struct pair *b = (struct pair *)(int *)a; if (b) b->b = 1; }",
        "different places",
    ),
    ("void f(struct box *b) { if (b) memcpy(&b->d, &b->p, 8); }", "different layout"),
    ("void f(void) { struct pair *a = malloc(sizeof *a); a = NULL; exit(0); }", "ends with `exit`"),
    ("void f(union either *e) { if (e) e->i = 1; }", "logic does not have"),
    // Pointers to places that are not known.
    ("/*@ requires ALL; */\nvoid f(struct n **l) { if (l) *l = NULL; }", "without a type"),
    (
        "/*@ requires ALL; */\nvoid f(struct n *a) { struct n **l = &a; l = l + 1; *l = NULL; }",
        "different places",
    ),
    ("struct n **k;\n/*@ requires ALL; */\nvoid f(struct n *a) { k = &a; *k = NULL; }", "type"),
    (
        "/*@ requires ALL; */\nvoid f(struct n *a) { void *p = &a; struct n **l = p; *l = NULL; }",
        "type",
    ),
    (
        "/*@ requires ALL; */\nvoid f(struct n *a) { struct n **l = &a; { struct n *x = a; if (nondet()) l = &x; } assert(l == &a); }",
        "variable is gone",
    ),
    ("void f(struct vec *a, int i) { if (a) a->arr[i] = 1; }", "not a constant"),
    (
        "/*@ requires ALL; */\nvoid f(struct n *a, struct n *b) { assert(a < b); }",
        "order of pointers",
    ),
    (
        "/*@ requires ALL; */\nvoid f(struct n *a) { unsigned long x = (unsigned long)a; a = (struct n *)(x | 1); }",
        "different places",
    ),
];

/// As many random procedures as are asked for.
pub fn how_many() -> u64 {
    if thorough() { 5000 } else { 300 }
}

/// Whether time does not matter.
pub fn thorough() -> bool {
    std::env::var_os("TRELLIS_SLOW").is_some()
}

const STATEMENTS: &[&str] = &[
    "X = Y;",
    "X = X->next;",
    "X = Y->next;",
    "X->next = Y;",
    "X->next = NULL;",
    "X->data = Y;",
    "X->data = p;",
    "X->data = Y->data;",
    "p = X->data;",
    "p = X;",
    "X->ip = &Y->v;",
    "X->ip = Y->ip;",
    "i = X->v;",
    "X->v = i;",
    "X->v = 3;",
    "X->u = u;",
    "X->u = 0xfffffffffffffff0ul;",
    "u = X->u;",
    "u = ~0ul;",
    "u = w;",
    "w = i;",
    "i = (int)u;",
    "i = 3;",
    "X = malloc(sizeof *X);",
    "X = xmalloc(sizeof *X);",
    "p = malloc(sizeof(struct n)); X = p;",
    "X = zeroed(sizeof *X);",
    "X = tail(Y);",
    "free(X);",
    "free(p);",
    "g = X;",
    "X = g;",
    "g = NULL;",
    "memset(X, 0, sizeof *X);",
    "memset(&X->u, 255, sizeof X->u);",
    "memcpy(X, Y, sizeof *X);",
    "*X = *Y;",
    "x.a = i;",
    "y = x;",
    "i = y.b;",
    "memset(&x, 0, sizeof x);",
    "assert(i >= 0);",
    "assert(u > 5);",
    "assert(X != NULL);",
    "assert(X->data != Y);",
    "assert(X->ip == &Y->v);",
    "while (nondet()) ;",
    "FORMULA",
    "FORMULA",
    "FORMULA",
    "FORMULA",
    "FORMULA",
    "FORMULA",
];

const CONDITIONS: &[&str] = &[
    "nondet()",
    "X",
    "X && Y",
    "X != Y",
    "X && X->next",
    "u > 0x8000000000000000ul",
    "u < w",
    "i < 3",
    "X && X->u < u",
    "p == X",
    "X && X->data == Y",
];

/// Statements about pointers to variables and fields.
const PLACES: &[&str] = &[
    "l = &X;",
    "l = &X->next;",
    "if (l && *l) l = &(*l)->next;",
    "if (l) X = *l;",
    "if (l) *l = X;",
    "if (l) *l = NULL;",
    "X = *l;",
    "*l = X;",
    "m = l;",
    "l = m;",
    "if (m) *m = X;",
    "push(&X, Y);",
    "push(l, X);",
    "swap(&X, &Y);",
    "swap(l, m);",
    "q = &i;",
    "q = &X->v;",
    "*q = 3;",
    "i = *q;",
    "assert(l != m);",
    "assert(l == &X);",
    "assert(X == NULL || l != &X->next);",
];

const PLACE_CONDITIONS: &[&str] = &["l", "l == m", "l == &X", "l && *l"];

/// A random procedure.
pub fn random(seed: u64) -> String {
    let mut random = Random::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5bd1_e995);
    let mut body = String::new();
    let places = random.below(2) == 0;
    statements(&mut random, 2, places, &mut body);
    let pointers = if places { "struct n **l = &a, **m = NULL; int *q = &i;" } else { "" };
    let locals = match random.below(3) {
        0 => "struct pair x, y;",
        _ => {
            // Without locals in memory.
            body = body.replace("y = x;", "i = 1;").replace("x.a = i;", "i = 2;");
            body = body.replace("i = y.b;", "i = 4;").replace("memset(&x, 0, sizeof x);", "i = 0;");
            ""
        }
    };
    with_types(&format!(
        "{PREDICATES}struct n *g;\n/*@ requires ALL; */\n\
         void f(struct n *a, struct n *b, int i, unsigned long u, unsigned w)\n\
         {{ {locals} void *p = NULL; {pointers} {body} }}"
    ))
}

fn statements(random: &mut Random, depth: u32, places: bool, out: &mut String) {
    for _ in 0..=random.below(4) {
        let kind = random.below(8);
        if kind < 2 && depth > 0 {
            let keyword = if kind == 0 { "while" } else { "if" };
            let about_places = places && random.below(2) == 0;
            let from = if about_places { PLACE_CONDITIONS } else { CONDITIONS };
            let condition = pick(random, from);
            out.push_str(&format!("{keyword} ({condition}) {{ "));
            statements(random, depth - 1, places, out);
            out.push_str("} ");
            continue;
        }
        let about_places = places && random.below(2) == 0;
        let mut statement = pick(random, if about_places { PLACES } else { STATEMENTS });
        if statement == "FORMULA" {
            statement = format!("\n/*@ assert {}; */\n", contracts::random(random, 2));
        }
        let guard: Vec<&str> =
            ["a", "b"].into_iter().filter(|v| statement.contains(&format!("{v}->"))).collect();
        // Most accesses are guarded, so that not everything fails at once.
        if !guard.is_empty() && random.below(4) > 0 {
            out.push_str(&format!("if ({}) {{ {statement} }} ", guard.join(" && ")));
        } else {
            out.push_str(&format!("{statement} "));
        }
    }
}

/// One of several texts, about `a` and `b` in either order.
pub fn pick(random: &mut Random, from: &[&str]) -> String {
    let text = from[random.below(from.len() as u64) as usize];
    let (x, y) = if random.below(2) == 0 { ("a", "b") } else { ("b", "a") };
    text.replace('X', x).replace('Y', y)
}
