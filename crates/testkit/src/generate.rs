//! Random heap programs in C.
//!
//! Every program ends, reads only what it has written, and makes no nondeterministic choice, so one
//! run decides whether it is correct. About half of them are not: what a program is careless about
//! is drawn first. A statement stands on one line, so a line says what failed.

mod block;
mod bytes;
mod expr;
mod stmt;
mod tape;
mod types;
mod wide;

use std::collections::BTreeSet;

pub use bytes::generate_bytes;
pub use tape::Tape;
use types::Structs;

/// The names at file scope, which a file with several programs has to keep apart.
pub const FILE_SCOPE: &[&str] = &[
    "S0", "S1", "Inner", "colour", "RED", "GREEN", "BLUE", "g0", "g1", "gq", "gi", "big", "low",
    "gs", "wall", "ga", "gt", "pool", "pooled", "out", "emitted", "emit", "keep", "drop", "make",
    "hold", "f0", "f1", "f2", "main", "U", "Box", "bx", "by", "brick", "gu", "two", "whole",
];

/// How many numbers [`Generated`] programs put into their global `out` at most.
pub const OUT: usize = 16;

/// A program.
pub struct Generated {
    /// Its source.
    pub text: String,
    /// Lines (from 1) where several accesses have no order in C: either may fail first.
    pub unsequenced: BTreeSet<usize>,
}

/// What a program is careless about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Weakness {
    None,
    /// Pointers are not tested.
    Null,
    /// Objects are freed while somebody points to them, and locals go while somebody does.
    Lifetime,
    /// What is freed is no heap object.
    Free,
    /// Indices are off by one.
    Bounds,
    /// Objects are kept by nobody but the lists.
    Leak,
    /// Assertions are random.
    Assertion,
    /// Divisors may be zero.
    Division,
    /// Numbers may be large.
    Overflow,
    /// `memcpy` is used where `memmove` is needed.
    Overlap,
    /// What is promised to be unreachable is not.
    Promise,
}

impl Weakness {
    /// One of four programs have none.
    fn random(tape: &mut Tape<'_>) -> Weakness {
        use Weakness::*;
        match tape.below(44) {
            0..=9 => None,
            10..=13 => Null,
            14..=19 => Lifetime,
            20..=22 => Free,
            23..=26 => Bounds,
            27 | 28 => Leak,
            29..=31 => Assertion,
            32..=34 => Division,
            35..=39 => Overflow,
            40 | 41 => Overlap,
            _ => Promise,
        }
    }
}

struct Line {
    text: String,
    unsequenced: bool,
}

/// What is known while a program is written.
struct Generator<'a> {
    tape: Tape<'a>,
    structs: Structs,
    /// What the program is careless about.
    weakness: Weakness,
    /// Every heap object is kept in a global array, so that it cannot be leaked by chance.
    pool: bool,
    lines: Vec<Line>,
    indent: usize,
    /// Pointer variables that are not null here.
    nonnull: Vec<String>,
    /// Loops around this place.
    loops: usize,
    /// Labels of this function so far.
    labels: usize,
    /// The signatures of the helpers so far.
    kinds: Vec<usize>,
    /// Functions that may be called.
    callable: usize,
}

/// Writes the program that a tape describes.
pub fn generate(mut tape: Tape<'_>) -> Generated {
    let structs = Structs::random(&mut tape);
    let weakness = Weakness::random(&mut tape);
    let pool = weakness != Weakness::Leak;
    let mut generator = Generator {
        tape,
        structs,
        weakness,
        pool,
        lines: Vec::new(),
        indent: 0,
        nonnull: Vec::new(),
        loops: 0,
        labels: 0,
        kinds: Vec::new(),
        callable: 0,
    };
    generator.file();
    let mut generated = Generated { text: String::new(), unsequenced: BTreeSet::new() };
    for (i, line) in generator.lines.iter().enumerate() {
        generated.text.push_str(&line.text);
        generated.text.push('\n');
        if line.unsequenced {
            generated.unsequenced.insert(i + 1);
        }
    }
    generated
}

impl Generator<'_> {
    /// Whether to be careful this time, where carelessness would be of this kind.
    fn careful(&mut self, about: Weakness) -> bool {
        self.weakness != about || self.tape.percent(55)
    }

    fn line(&mut self, text: impl AsRef<str>) {
        let text = format!("{:1$}{2}", "", self.indent * 4, text.as_ref());
        self.lines.push(Line { text, unsequenced: false });
    }

    /// A line with one of several words in the place of `@`.
    fn line_of(&mut self, text: &str, words: &[&str]) {
        let word = self.tape.pick(words);
        self.line(text.replace('@', word));
    }

    /// A line with several accesses that C does not order.
    fn unsequenced(&mut self, text: impl AsRef<str>) {
        self.line(text);
        self.lines.last_mut().expect("just written").unsequenced = true;
    }

    fn open(&mut self, text: impl AsRef<str>) {
        self.line(format!("{} {{", text.as_ref()).trim_start());
        self.indent += 1;
    }

    fn close(&mut self, text: &str) {
        self.indent -= 1;
        self.line(format!("}}{text}"));
    }

    fn file(&mut self) {
        for header in ["assert.h", "stddef.h", "stdlib.h", "string.h"] {
            self.line(format!("#include <{header}>"));
        }
        self.line("enum colour { RED, GREEN = 5, BLUE };");
        for text in self.structs.declare() {
            self.line(text);
        }
        self.line("static struct S0 *g0, *g1;");
        self.line("static struct S1 *gq;");
        self.line("static int gi = 4;");
        self.line("static int big = 2147483647, low = -2147483647 - 1;");
        self.line("static struct S0 gs;");
        // The address sanitizer believes what stands before a freed address: no small numbers here.
        self.line("static long wall[4] = { -1, -1, -1, -1 };");
        self.line("static int ga[4] = { 1, 2 };");
        self.line("static struct S0 *gt[2];");
        self.wide_declarations();
        self.line("static void *pool[64];");
        self.line("static int pooled;");
        self.line(format!("static int out[{OUT}];"));
        self.line("static int emitted;");
        self.service();
        for index in 0..self.tape.below(4) {
            self.helper(index);
            self.callable = index + 1;
        }
        self.main();
    }

    /// The functions that every program has.
    fn service(&mut self) {
        self.open("static void emit(int v)");
        self.line(format!("if (emitted < {OUT})"));
        self.line("    out[emitted++] = v;");
        self.close("");
        self.open("static void keep(void *x)");
        if self.pool {
            self.line("if (pooled < 64)");
            self.line("    pool[pooled++] = x;");
        }
        self.close("");
        self.open("static void drop(void *x)");
        self.open("for (int i = 0; i < pooled; i++)");
        self.open("if (pool[i] == x)");
        self.line("pool[i] = NULL;");
        self.close("");
        self.close("");
        self.line("free(x);");
        self.close("");
        self.open("static struct S0 *make(int k)");
        match self.tape.below(4) {
            0 => self.line("struct S0 *x = calloc(1, sizeof(struct S0));"),
            1 => {
                self.line("struct S0 *x = malloc(sizeof *x);");
                self.line("memset(x, 0, sizeof *x);");
            }
            2 => {
                self.line("struct S0 *x = (struct S0 *)malloc(sizeof(struct S0));");
                self.line("*x = gs;");
            }
            _ => {
                self.line("struct S0 *x = malloc(sizeof(struct S0));");
                for text in self.structs.initialise("x", "k") {
                    self.line(text);
                }
            }
        }
        self.line("x->k = k;");
        self.line("keep(x);");
        self.line("return x;");
        self.close("");
        self.open("static struct S1 *hold(struct S0 *item, struct S1 *link)");
        self.line("struct S1 *x = malloc(sizeof(struct S1));");
        self.line("x->item = item;");
        self.line("x->link = link;");
        self.line("x->k = link ? link->k + 1 : 0;");
        self.line("keep(x);");
        self.line("return x;");
        self.close("");
    }

    /// Locals of every function, all initialised.
    fn locals(&mut self, params: bool) {
        let node = self.tape.pick(&["NULL", "make(1)", "g0"]);
        self.line(format!("struct S0 *p0 = {}, *p1 = NULL;", if params { "x" } else { node }));
        self.line_of("struct S0 *p2 = @;", &["p0", "NULL", "&gs"]);
        self.line_of("struct S1 *q0 = @, *q1 = q0;", &["NULL", "gq"]);
        self.line(format!("int i0 = {}, i1 = 2, i2 = gi % 7;", if params { "n" } else { "1" }));
        self.line("unsigned u0 = 3;");
        self.line_of("@ c0 = 5;", &["char", "unsigned char", "short"]);
        self.line_of("@ w0 = 6;", &["long", "unsigned long", "long long"]);
        self.line_of("struct S0 **pp = &@;", &["p0", "p1", "g0"]);
        self.line_of("int *ip = &@;", &["i0", "gi", "i2", "gs.k", "ga[2]"]);
        self.line("int a[3] = { 7, 8, 9 };");
        self.line("long fence[4] = { -1, -1, -1, -1 };");
        self.line("struct S0 *t[2] = { NULL, p0 };");
        self.line("struct S0 s = { 0 };");
        self.line("struct S0 *it0, *it1, *it2;");
        self.line("int n0 = 0, n1 = 0, n2 = 0;");
        self.line("int fuel = 3;");
        self.labels = 0;
        self.nonnull.clear();
    }

    /// `struct S0 *fN(struct S0 *x, int n, …)`.
    fn helper(&mut self, index: usize) {
        let kind = self.tape.below(4);
        let (result, extra) = match kind {
            0 => ("struct S0 *", ", struct S0 **at"),
            1 => ("struct S0 *", ""),
            2 => ("int ", ", int *num"),
            _ => ("struct S0 ", ", struct S0 v"),
        };
        self.open(format!("static {result}f{index}(struct S0 *x, int n{extra})"));
        self.locals(true);
        if self.tape.percent(20) {
            self.line("static int calls = 0;");
            self.line("i2 = calls++;");
        }
        match kind {
            0 => self.line("pp = at;"),
            2 => self.line("ip = num;"),
            _ => {}
        }
        if self.tape.percent(30) {
            self.line("if (n > 0)");
            let again = match kind {
                0 => format!("p1 = f{index}(x, n > 3 ? 3 : n - 1, at);"),
                1 => format!("p1 = f{index}(x, n > 3 ? 3 : n - 1);"),
                2 => format!("i1 = f{index}(x, n > 3 ? 3 : n - 1, num) % 50;"),
                _ => format!("s = f{index}(x, n > 3 ? 3 : n - 1, v);"),
            };
            self.line(format!("    {again}"));
        }
        let count = 2 + self.tape.below(4);
        self.statements(count, 2);
        match kind {
            0 | 1 => {
                let result = self.node_var();
                self.line(format!("return {result};"));
            }
            2 => {
                let value = self.small_int();
                self.line(format!("return {value};"));
            }
            _ => {
                self.line_of("s.k = @ + 1;", &["v.k % 9", "n % 9"]);
                self.line("return s;");
            }
        }
        self.close("");
        self.kinds.push(kind);
    }

    fn main(&mut self) {
        self.open("int main(void)");
        self.locals(false);
        if self.tape.percent(70) {
            self.build_list();
        }
        let count = 5 + self.tape.below(9);
        self.statements(count, 3);
        self.ending();
        self.line("return 0;");
        self.close("");
    }

    /// Gives memory back, or not.
    fn ending(&mut self) {
        if self.pool {
            if self.tape.percent(40) {
                self.line("for (n0 = 0; n0 < pooled; n0++)");
                self.line("    free(pool[n0]);");
            }
            if self.tape.percent(6) {
                self.line("memset(pool, 0, sizeof pool);");
            }
        } else if self.tape.percent(55) {
            self.destroy_list();
        }
    }
}
