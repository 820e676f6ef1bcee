//! A generator of procedures over much more of C than lists: untyped memory, casts, unsigned
//! integers, copies, `memset`, globals, `exit`, wrong sizes, several structs. More than a third of
//! the programs is wrong.

use crate::random::Random;

const VARS: &[&str] = &["a", "b", "c"];
const HEADER: &str = r"
struct node { struct node *n; int data; };
struct other { long v; struct other *o; };
void *malloc(unsigned long);
void *calloc(unsigned long, unsigned long);
void free(void *);
void exit(int);
void abort(void);
void *memset(void *, int, unsigned long);
void *memcpy(void *, const void *, unsigned long);
void reach_error(void);
/*@ assigns \nothing; */
int input(void);
int __VERIFIER_nondet_int(void);
struct node *g;
unsigned long count;
static void *xmalloc(unsigned long n) { void *p = malloc(n); if (!p) abort(); return p; }
static void *zalloc(unsigned long n) { void *p = malloc(n); memset(p, 0, n); return p; }
static void *same(void *p) { return p; }
static int length(struct node *p) { int n = 0; while (p) { n = n + 1; p = p->n; } return n; }
";

/// Conditions that say something, and some that only look like it.
fn condition(random: &mut Random) -> String {
    let (x, y) = (random.pick(VARS), random.pick(VARS));
    match random.below(12) {
        0 | 1 => x.to_owned(),
        10 => format!("!{x}"),
        11 => "__VERIFIER_nondet_int()".to_owned(),
        2 => format!("{x} == {y}"),
        3 => "u > 5".to_owned(),
        4 => "u < 18446744073709551615ul".to_owned(),
        5 => "(unsigned char)k == k".to_owned(),
        6 => format!("(_Bool){x}"),
        7 => "input()".to_owned(),
        8 => format!("(unsigned long){x} == (unsigned long){y}"),
        _ => "k < 0 || u >= 1".to_owned(),
    }
}

/// A statement that touches memory in an everyday way, or in a slightly wrong one.
fn memory(random: &mut Random, x: &str, y: &str) -> String {
    let fresh = "->n = 0;";
    match random.below(22) {
        0 => format!("if ({x}) memset({x}, 0, sizeof *{x});"),
        1 => format!("if ({x} && {y}) *{x} = *{y};"),
        2 => format!("if ({x} && {y}) memcpy({x}, {y}, sizeof *{x});"),
        3 => format!("{x} = xmalloc(sizeof *{x}); {x}{fresh} {x}->data = k;"),
        4 => format!("{x} = zalloc(sizeof *{x});"),
        5 => format!("{x} = calloc(1, sizeof *{x});"),
        6 => format!("{x} = same({y});"),
        7 => format!("{x} = (struct node *)(unsigned long){y};"),
        8 => format!("{{ void *v = {y}; {x} = v; }}"),
        9 => format!("{{ void *v = malloc(16); {x} = v; {x}{fresh} {x}->data = 0; }}"),
        10 => format!("g = {y};"),
        11 => format!("{x} = g;"),
        12 => format!("if ({x}) {{ int *p = &{x}->data; *p = k; }}"),
        13 => format!("if ({x}) ((struct other *){x})->v = 0;"),
        14 => format!("{{ struct other *o = (struct other *){x}; if (o) o->o = 0; }}"),
        15 => format!("memset({x}, 0, sizeof *{x});"),
        16 => format!("if ({x}) memset({x}, 0, sizeof {x});"),
        17 => format!("if ({x}) memset({x}, 0, 2 * sizeof *{x});"),
        18 => format!("{x} = xmalloc(sizeof {x}); {x}{fresh}"),
        19 => format!("if ({x}) memcpy({x}, {y}, sizeof *{x});"),
        20 => format!("{x} = xmalloc(sizeof *{x}); if ({x}->data) {x}{fresh}"),
        _ => format!("{{ void *v = malloc(16); struct other *o = v; {x} = v; o->v = 1; }}"),
    }
}

fn statement(random: &mut Random, depth: usize, out: &mut String) {
    let (x, y) = (random.pick(VARS), random.pick(VARS));
    let text = match random.below(if depth < 2 { 26 } else { 20 }) {
        0..=6 => memory(random, x, y),
        7 => format!("{x} = {y};"),
        8 => format!("{x} = 0;"),
        9 | 10 => format!("if ({y}) {x} = {y}->n;"),
        11 => format!("if ({x}) {x}->n = {y};"),
        12 => format!("if ({x} && {x} != {y}) {{ free({x}); {x} = 0; }}"),
        13 => random
            .pick(&[
                "u = u + 1;",
                "u = ~0ul;",
                "u = (unsigned long)k;",
                "k = (int)u;",
                "k = k / 3;",
                "k = k / 2 + (k << 2);",
                "count = count + 1;",
                "k = 7 / k;",
                "k = !u;",
            ])
            .to_owned(),
        14 => format!("if ({}) exit(1);", condition(random)),
        15 => format!("if (!({x} == 0 || {x} != {y} || {y} == {x})) reach_error();"),
        16 => "if (u > 5 && u < 3) reach_error();".to_owned(),
        17 => random
            .pick(&[
                "{ unsigned char t = 44; if (t != 44) reach_error(); }",
                "{ unsigned char t = (unsigned char)300; if (t == 44) reach_error(); }",
                "{ unsigned long t = ~0ul; if (t < 5) reach_error(); }",
                "{ unsigned long t = ~0ul; if (t > 5) reach_error(); }",
                "{ int t = -1; if (t < 1u) reach_error(); }",
                "{ int t = -1; if (t > 1u) reach_error(); }",
            ])
            .to_owned(),
        18 => format!("//@ assert {x} == \\null || alloc({x});\n;"),
        19 => format!("k = length({x});"),
        _ => {
            let keyword = if random.below(3) == 0 { "while" } else { "if" };
            let mut inner = String::new();
            for _ in 0..1 + random.below(2) {
                statement(random, depth + 1, &mut inner);
            }
            let forward =
                if keyword == "while" { format!("{x} = {x}->n;\n") } else { String::new() };
            let condition = if keyword == "while" { x.to_owned() } else { condition(random) };
            format!("{keyword} ({condition}) {{\n{inner}{forward}}}")
        }
    };
    out.push_str(&text);
    out.push('\n');
}

/// The program of a seed; the procedure is `f`.
pub fn program(seed: u64) -> String {
    let mut random = Random::new(seed.wrapping_add(0x5eed_0000));
    let mut text = HEADER.to_owned();
    let requires = random.pick(&[
        "\\true",
        "reach(n, a, \\null) && reach(n, b, \\null) && reach(n, g, \\null)",
        "a == \\null && b == \\null && g == \\null",
        "a != \\null && a->n == \\null",
        "u > 5",
        "\\separated(a, b)",
    ]);
    let ensures = random.pick(&[
        "\\true",
        "\\true",
        "\\result == \\null || alloc(\\result)",
        "u >= 0",
        "stable(n, \\result)",
    ]);
    let extra = random.pick(&["", "", "", "", "", ", void *w"]);
    text.push_str(&format!(
        "/*@ requires {requires};\n    ensures {ensures}; */\n\
         struct node *f(struct node *a, struct node *b, int k, unsigned long u{extra}) {{\n\
         struct node *c = {};\n",
        random.pick(&["0", "a"])
    ));
    if !extra.is_empty() && random.below(2) == 0 {
        text.push_str("c = w;\n");
    }
    for _ in 0..1 + random.below(5) {
        statement(&mut random, 0, &mut text);
    }
    text.push_str(&format!("return {};\n}}\n", random.pick(VARS)));
    text
}

/// A whole program of a seed: its `main` builds lists of any length, works on them as the other
/// programs do, and may free them.
pub fn whole_program(seed: u64) -> String {
    let mut random = Random::new(seed.wrapping_add(0xa11_0000));
    let mut text = HEADER.to_owned();
    text.push_str(
        "static struct node *build(void) { struct node *l = 0; while (__VERIFIER_nondet_int()) { \
         struct node *x = xmalloc(sizeof *x); x->n = l; x->data = input(); l = x; } return l; }\n\
         static void drop(struct node *l) { while (l) { struct node *x = l->n; free(l); l = x; } }\n\
         int main(void) {\nint k = __VERIFIER_nondet_int(); unsigned long u = (unsigned long)input();\n",
    );
    for v in VARS {
        let start = random.pick(&["build()", "build()", "0", "xmalloc(sizeof(struct node))"]);
        text.push_str(&format!("struct node *{v} = {start};\n"));
    }
    for _ in 0..1 + random.below(5) {
        statement(&mut random, 0, &mut text);
    }
    for v in VARS {
        if random.below(4) == 0 {
            text.push_str(&format!("drop({v});\n"));
        }
    }
    text.push_str("return 0;\n}\n");
    text
}
