//! Random programs about bytes: structs with bit-fields, packed or not, unions, arrays of variable
//! length, and memory that is looked at, written and copied byte by byte.
//!
//! Like the others, every program ends, reads only what it has written and makes no choices; half of
//! them do one thing wrong. The bytes of the structs are put out in the end, so where members lie is
//! compared, too.

use std::collections::BTreeSet;

use super::{Generated, OUT, Tape};

/// What a program does wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Wrong {
    Nothing,
    /// A byte behind an object is written, or read.
    Byte,
    /// More is copied than there is.
    Copy,
    /// An array of no or less than no elements.
    Length,
    /// An element behind the last one.
    Element,
    /// A byte of freed memory.
    Freed,
    /// An assertion about a member.
    Assertion,
    /// Signed overflow.
    Overflow,
}

/// A member of the struct.
struct Member {
    name: String,
    /// As it is declared, without the name.
    declared: (&'static str, String),
    /// Whether its value fits an `int`, so that it can be read.
    readable: bool,
}

struct Writer<'a> {
    tape: Tape<'a>,
    wrong: Wrong,
    members: Vec<Member>,
    body: Vec<String>,
    outs: usize,
}

/// Writes the program that a tape describes.
pub fn generate_bytes(mut tape: Tape<'_>) -> Generated {
    use Wrong::*;
    let wrong = match tape.percent(50) {
        false => Nothing,
        true => tape.pick(&[Byte, Copy, Length, Element, Freed, Assertion, Overflow]),
    };
    let mut w = Writer { tape, wrong, members: Vec::new(), body: Vec::new(), outs: 0 };
    let structure = w.structure();
    let statements = 5 + w.tape.below(8);
    let at = w.tape.below(statements);
    for i in 0..statements {
        if i == at {
            w.mistake();
        }
        w.statement();
    }
    let mut text = String::from("#include <assert.h>\n#include <stdlib.h>\n#include <string.h>\n");
    text.push_str(&format!("int out[{OUT}];\nint main(void) {{\n{structure}"));
    text.push_str("    union { unsigned i; unsigned char c[4]; short s[2]; struct { int lo : 5; unsigned mid : 11, hi : 16; } b; } u;\n");
    let (first, second) = (w.tape.below(256), w.tape.below(256));
    text.push_str(&format!("    struct T a, b;\n    memset(&a, {first}, sizeof a);\n"));
    text.push_str(&format!("    memset(&b, {second}, sizeof b);\n    u.i = {second};\n"));
    for line in &w.body {
        text.push_str(&format!("    {line}\n"));
    }
    let half = OUT / 2;
    text.push_str(&format!("    for (unsigned i = 0; i < sizeof a && i < {half}; i++)\n"));
    text.push_str(&format!("        out[{half} + i] ^= ((unsigned char *)&a)[i];\n"));
    text.push_str(&format!("    for (unsigned i = 0; i < sizeof b; i++)\n        out[{half} + i % {half}] += ((unsigned char *)&b)[i] << 8;\n"));
    text.push_str("    return 0;\n}\n");
    Generated { text, unsequenced: BTreeSet::new() }
}

impl Writer<'_> {
    /// The struct, on lines of its own.
    fn structure(&mut self) -> String {
        let packed = self.tape.percent(33);
        let mut text = String::from("    struct T {\n");
        for i in 0..2 + self.tape.below(5) {
            if self.tape.percent(12) {
                let ty = self.tape.pick(&["char", "short", "int", "long"]);
                let most = match ty {
                    "char" => 8,
                    "short" => 16,
                    _ => 20,
                };
                let width = if self.tape.percent(60) { 0 } else { 1 + self.tape.below(most) };
                text.push_str(&format!("        {ty} : {width};\n"));
            }
            let name = format!("m{i}");
            let member = if self.tape.percent(60) {
                let (ty, most) = self.tape.pick(&[
                    ("int", 32),
                    ("unsigned", 32),
                    ("signed char", 8),
                    ("unsigned char", 8),
                    ("short", 16),
                    ("unsigned short", 16),
                    ("long", 64),
                    ("unsigned long", 64),
                    ("_Bool", 1),
                ]);
                let width = 1 + self.tape.below(most);
                let readable = width <= 32;
                Member { name, declared: (ty, format!(" : {width}")), readable }
            } else {
                let ty = self.tape.pick(&["signed char", "short", "int", "unsigned", "long"]);
                Member { name, declared: (ty, String::new()), readable: true }
            };
            let (ty, bits) = &member.declared;
            text.push_str(&format!("        {ty} {}{bits};\n", member.name));
            self.members.push(member);
        }
        let attribute = if packed { " __attribute__((packed))" } else { "" };
        text.push_str(&format!("    }}{attribute};\n"));
        text
    }

    fn line(&mut self, text: impl Into<String>) {
        self.body.push(text.into());
    }

    fn object(&mut self) -> &'static str {
        self.tape.pick(&["a", "b"])
    }

    /// Where a number is put out.
    fn out(&mut self) -> String {
        self.outs += 1;
        format!("out[{}]", self.outs % (OUT / 2))
    }

    fn number(&mut self) -> i64 {
        match self.tape.below(4) {
            0 => self.tape.below(4) as i64,
            1 => -(self.tape.below(40) as i64),
            2 => self.tape.below(1 << 16) as i64,
            _ => self.tape.below(1 << 30) as i64 * if self.tape.percent(50) { -1 } else { 1 },
        }
    }

    /// A member that can be read, as an expression of at most 32 bits.
    fn member(&mut self) -> Option<String> {
        let readable: Vec<usize> =
            (0..self.members.len()).filter(|i| self.members[*i].readable).collect();
        if readable.is_empty() {
            return None;
        }
        let i = self.tape.pick(&readable);
        let object = self.object();
        Some(format!("{object}.{}", self.members[i].name))
    }

    fn statement(&mut self) {
        let n = self.number();
        let object = self.object();
        let byte = self.tape.below(256);
        let out = self.out();
        match self.tape.below(14) {
            0 | 1 => {
                let i = self.tape.below(self.members.len());
                self.line(format!("{object}.{} = {n};", self.members[i].name));
            }
            2 => {
                if let Some(m) = self.member() {
                    let op = self.tape.pick(&["^=", "&=", "|="]);
                    self.line(format!("{m} {op} {n};"));
                }
            }
            3 => {
                if let Some(m) = self.member() {
                    self.line(format!("{m} = {m} / 2 + {};", byte % 7));
                }
            }
            4 => {
                if let Some(m) = self.member() {
                    self.line(format!("{out} ^= (int)({m} < {n}) + 2 * (int)({m} - 1 < 0);"));
                }
            }
            5 => {
                if let Some(m) = self.member() {
                    self.line(format!("{out} ^= (int)({m} = {n});"));
                }
            }
            6 => {
                self.line(format!("((unsigned char *)&{object})[{byte} % sizeof {object}] = {n};"));
            }
            7 => self.line("b = a;"),
            8 => {
                let bytes = 1 + self.tape.below(4);
                self.line(format!("{{ int x = {n}; memcpy(&x, (char *)&{object} + (sizeof {object} > {bytes} ? sizeof {object} - {bytes} : 0), sizeof {object} < {bytes} ? sizeof {object} : {bytes}); {out} ^= x; }}"));
            }
            9 => {
                self.line(format!("{{ unsigned h = {byte}; for (unsigned i = 0; i < sizeof {object}; i++) h = h * 31 + ((unsigned char *)&{object})[i]; {out} ^= (int)(h >> 1); }}"));
            }
            10 => self.line(format!("{out} ^= memcmp(&a, &b, sizeof a) != 0;")),
            11 => {
                let write = self.tape.pick(&["u.c[2]", "u.s[1]", "u.b.lo", "u.b.mid", "u.i"]);
                let read = self.tape.pick(&["u.c[1]", "u.s[0]", "u.b.lo", "u.b.hi", "(int)u.i"]);
                self.line(format!("{write} = {n}; {out} ^= {read};"));
            }
            12 => {
                let count = 1 + self.tape.below(4);
                self.line(format!("{{ int n = {count}; short v[n]; memset(v, {byte}, sizeof v); v[n - 1] = {n}; {out} ^= v[0] + (int)sizeof v; }}"));
            }
            _ => {
                self.line(format!("{{ char *h = malloc(sizeof a); if (h) {{ memcpy(h, &{object}, sizeof a); struct T *t = (struct T *)h; b = *t; {out} ^= h[0]; free(h); }} }}"));
            }
        }
    }

    fn mistake(&mut self) {
        let object = self.object();
        let out = self.out();
        let reads = self.tape.percent(50);
        match self.wrong {
            Wrong::Nothing => {}
            Wrong::Byte if reads => {
                self.line(format!("{out} ^= ((unsigned char *)&{object})[sizeof {object}];"));
            }
            Wrong::Byte => self.line(format!("((char *)&{object})[sizeof {object}] = 1;")),
            Wrong::Copy => {
                self.line(format!("{{ char *h = malloc(sizeof a - 1); if (h) memcpy(h, &{object}, sizeof a); free(h); }}"));
            }
            Wrong::Length => {
                let n = self.tape.pick(&[0, -1, -100]);
                self.line(format!("{{ int n = {n}; int v[n]; {out} ^= (int)sizeof v; }}"));
            }
            Wrong::Element => {
                let n = 1 + self.tape.below(4);
                self.line(format!("{{ int n = {n}; int v[n]; v[n] = 1; {out} ^= v[0]; }}"));
            }
            Wrong::Freed => {
                self.line(format!("{{ int *h = malloc(8); if (h) {{ h[1] = 5; unsigned char *c = (unsigned char *)h; free(h); {out} ^= c[5]; }} }}"));
            }
            Wrong::Assertion => {
                let m = self.member().unwrap_or_else(|| "u.c[0]".to_owned());
                self.line(format!("assert(((unsigned char *)&{object})[0] + {m} - {m} == 256);"));
            }
            Wrong::Overflow => {
                let m = self.member().unwrap_or_else(|| "u.s[0]".to_owned());
                self.line(format!("{{ int x = 2147483647 - ({m} < 0); {out} ^= x + 2; }}"));
            }
        }
    }
}
