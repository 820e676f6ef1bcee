//! Random procedures on lists.
//!
//! Half of the statements are taken from the usual loops (traverse, reverse, build, free, append,
//! delete), of which one statement may be missing or changed; the others are single steps. Pointers
//! are mostly tested before they are followed, so that some procedures are right.

use super::contract;
use super::program::{Procedure, Stmt};
use crate::differential::generate::Tape;

/// What is known while a procedure is written.
pub struct Generator {
    pub tape: Tape<'static>,
    /// The second pointer field, if there is one.
    pub other: bool,
    /// How many list parameters there are.
    pub params: usize,
    /// There is a global list.
    pub global: bool,
    /// There is a parameter whose struct holds a list.
    pub header: bool,
    /// Pointers are tested before they are followed.
    careful: bool,
    /// There is a sentinel on the stack.
    dummy: bool,
    /// Loops around this place.
    loops: usize,
    /// Loops so far.
    made: usize,
    /// Names used up.
    names: usize,
}

/// Locals of every procedure besides its parameters.
const LOCALS: [&str; 3] = ["p", "q", "r"];

/// The procedure of a seed.
pub fn generate(seed: u64) -> Procedure {
    let mut tape = Tape::Seeded(seed.wrapping_mul(0x9e37_79b9).wrapping_add(17));
    let other = tape.percent(20);
    let params = 1 + usize::from(tape.percent(35));
    let global = tape.percent(12);
    let careful = tape.percent(75);
    let dummy = tape.percent(12);
    let header = tape.percent(12);
    let mut g = Generator {
        tape,
        other,
        params,
        global,
        header,
        careful,
        dummy,
        loops: 0,
        made: 0,
        names: 0,
    };
    let requires = contract::requires(&mut g);
    let body = g.body();
    let ensures = contract::ensures(&mut g);
    let assigns = contract::assigns(&mut g);
    let mut params = ["struct node *a", "struct node *b"][..params].to_vec();
    params.extend(header.then_some("struct list *h"));
    let params = params.join(", ");
    Procedure {
        prelude: g.prelude(),
        requires,
        ensures,
        assigns,
        signature: format!("struct node *f({params})"),
        body,
    }
}

impl Generator {
    fn prelude(&self) -> Vec<String> {
        let other = if self.other { " struct node *other;" } else { "" };
        let mut lines = vec![
            "void *malloc(unsigned long);".to_owned(),
            "void free(void *);".to_owned(),
            "_Bool __VERIFIER_nondet_bool(void);".to_owned(),
            "int __VERIFIER_nondet_int(void);".to_owned(),
            format!("struct node {{ struct node *next;{other} int key; _Bool flag; }};"),
        ];
        if self.global {
            lines.push("struct node *g;".to_owned());
        }
        if self.header {
            lines.push("struct list { struct node *first; };".to_owned());
        }
        lines.push("static struct node *tail(struct node *x) { return x ? x->next : 0; }".into());
        lines.push("static void mark(struct node *x) { if (x) x->flag = 1; }".into());
        lines.push(
            "static struct node *cons(struct node *x) { struct node *n = malloc(sizeof *n); \
             n->next = x; return n; }"
                .into(),
        );
        lines
    }

    fn body(&mut self) -> Vec<Stmt> {
        let mut out = Vec::new();
        if self.dummy {
            out.push(line("struct node d;"));
            out.push(line("d.next = a;"));
        }
        for local in LOCALS {
            let value = match self.tape.below(8) {
                0..=2 => " = a".to_owned(),
                3..=5 => " = 0".to_owned(),
                6 => format!(" = {}", self.var()),
                _ if self.careful => " = 0".to_owned(),
                _ => String::new(),
            };
            // A local may only be initialised by what is declared before it.
            let value =
                if LOCALS.contains(&value.trim_start_matches(" = ")) { " = 0" } else { &value };
            out.push(line(format!("struct node *{local}{value};")));
        }
        out.push(line("int i = 0;"));
        let count = 1 + self.tape.below(4);
        self.statements(count, 2, &mut out);
        let result = self.tape.pick(&["a", "p", "q", "r", "0", "q"]);
        let result = if self.dummy && self.tape.percent(60) { "d.next" } else { result };
        out.push(line(format!("return {result};")));
        out
    }

    fn statements(&mut self, count: usize, depth: usize, out: &mut Vec<Stmt>) {
        for _ in 0..count {
            match self.tape.below(10) {
                0..=2 if self.made < 2 && self.loops == 0 => self.idiom(out),
                3 | 4 if depth > 0 => self.branch(depth, out),
                5 if depth > 0 && self.made < 2 && self.loops < 2 => self.a_loop(depth, out),
                6 if self.loops > 0 => self.jump(out),
                7 if self.tape.percent(40) => self.assertion(out),
                _ => self.step(out),
            }
        }
    }

    fn branch(&mut self, depth: usize, out: &mut Vec<Stmt>) {
        let condition = self.condition();
        let mut body = Vec::new();
        let count = 1 + self.tape.below(2);
        self.statements(count, depth - 1, &mut body);
        out.push(block(format!("if ({condition})"), body));
        if self.tape.percent(30) {
            let mut body = Vec::new();
            self.statements(1, depth - 1, &mut body);
            out.push(block("else".to_owned(), body));
        }
    }

    /// A loop over a pointer with a random body.
    fn a_loop(&mut self, depth: usize, out: &mut Vec<Stmt>) {
        self.made += 1;
        self.loops += 1;
        let p = self.local();
        let extra =
            if self.tape.percent(30) { format!(" && {}", self.condition()) } else { String::new() };
        let mut body = Vec::new();
        let count = 1 + self.tape.below(3);
        self.statements(count, depth - 1, &mut body);
        if self.tape.percent(80) {
            body.push(line(self.guarded(p, &format!("{p} = {p}->next;"))));
        }
        self.loops -= 1;
        let head = format!("while ({p}{extra})");
        out.push(match self.tape.below(6) {
            0 => Stmt::Block { head: "do".into(), body, tail: format!(" while ({p}{extra});") },
            _ => block(head, body),
        });
    }

    fn jump(&mut self, out: &mut Vec<Stmt>) {
        let condition = self.condition();
        let to = self.tape.pick(&["break;", "continue;", "return a;", "return q;", "break;"]);
        out.push(line(format!("if ({condition}) {to}")));
    }

    fn assertion(&mut self, out: &mut Vec<Stmt>) {
        let formula = contract::assertion(self);
        out.push(line(format!("//@ assert {formula};")));
    }

    pub fn local(&mut self) -> &'static str {
        self.tape.pick(&LOCALS)
    }

    /// A variable that may be assigned.
    fn target(&mut self) -> &'static str {
        if self.global && self.tape.percent(15) {
            return "g";
        }
        if self.header && self.tape.percent(15) {
            return "h->first";
        }
        match self.tape.below(8) {
            0 => "a",
            1 if self.params > 1 => "b",
            _ => self.local(),
        }
    }

    pub fn var(&mut self) -> &'static str {
        if self.dummy && self.tape.percent(8) {
            return "&d";
        }
        self.target()
    }

    fn field(&mut self) -> &'static str {
        if self.other && self.tape.percent(40) { "other" } else { "next" }
    }

    /// A statement that follows a pointer, mostly after a test.
    fn guarded(&mut self, p: &str, stmt: &str) -> String {
        if p == "&d" {
            return stmt.replace("&d->", "d.");
        }
        if self.careful || self.tape.percent(40) {
            format!("if ({p}) {stmt}")
        } else {
            stmt.to_owned()
        }
    }

    fn condition(&mut self) -> String {
        let (p, q) = (self.local(), self.target());
        match self.tape.below(10) {
            0 => format!("{p} == {q}"),
            1 => format!("{p} != {q}"),
            2 => format!("{p} && {p}->flag"),
            3 => format!("{p} && {q} && {p}->key <= {q}->key"),
            4 => format!("{p} && {p}->key == 3"),
            5 => format!("{p} && {p}->next == 0"),
            6 => format!("!{q}"),
            7 => "i".to_owned(),
            _ => "__VERIFIER_nondet_bool()".to_owned(),
        }
    }

    /// One step.
    fn step(&mut self, out: &mut Vec<Stmt>) {
        let (x, y, z) = (self.target(), self.var(), self.var());
        let field = self.field();
        let text = match self.tape.below(22) {
            0 | 1 => format!("{x} = {y};"),
            2..=4 => self.guarded(y, &format!("{x} = {y}->{field};")),
            5..=7 => self.guarded(y, &format!("{y}->{field} = {z};")),
            8 => self.guarded(y, &format!("{y}->{field} = 0;")),
            9 => format!("{x} = 0;"),
            10 | 11 => {
                let n = self.name();
                let init = if self.tape.percent(85) {
                    format!("{n}->next = {y}; ")
                } else {
                    String::new()
                };
                let key = if self.tape.percent(60) {
                    format!("{n}->key = 2; {n}->flag = 0; ")
                } else {
                    String::new()
                };
                format!("{{ struct node *{n} = malloc(sizeof *{n}); {init}{key}{x} = {n}; }}")
            }
            12 if y != "&d" => format!("free({y});"),
            13 if y != "&d" => format!("free({y}); {y} = 0;"),
            14 => self.guarded(y, &format!("{y}->key = 3;")),
            15 if z != "&d" => self.guarded(y, &format!("if ({z}) {y}->key = {z}->key;")),
            16 => {
                let value = self.tape.pick(&["1", "0", "__VERIFIER_nondet_bool()", "i"]);
                self.guarded(y, &format!("{y}->flag = {value};"))
            }
            17 => self.guarded(y, &format!("i = {y}->flag;")),
            18 => format!("{x} = tail({y});"),
            19 => format!("mark({y});"),
            20 => format!("{x} = cons({y});"),
            _ => self.tape.pick(&["i = 0;", "i = 1;", "i = __VERIFIER_nondet_int();"]).to_owned(),
        };
        out.push(line(text));
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("n{}", self.names)
    }

    /// One of the usual loops, often with a mistake.
    fn idiom(&mut self, out: &mut Vec<Stmt>) {
        self.made += 1;
        let (from, p) = (self.tape.pick(&["a", "a", "p", "q"]), self.local());
        let q = self.tape.pick(&["q", "r"]);
        let t = self.name();
        let head = format!("while ({p})");
        let next = format!("{p} = {p}->next;");
        let (before, head, mut body, after): (Vec<String>, String, Vec<String>, Vec<String>) =
            match self.tape.below(8) {
                // Traverse.
                0 => (
                    vec![format!("{p} = {from};")],
                    head,
                    vec![format!("{p}->key = 3;"), next],
                    vec![],
                ),
                // Reverse.
                1 => (
                    vec![format!("{p} = {from};"), format!("{q} = 0;")],
                    head,
                    vec![
                        format!("struct node *{t} = {p}->next;"),
                        format!("{p}->next = {q};"),
                        format!("{q} = {p};"),
                        format!("{p} = {t};"),
                    ],
                    vec![],
                ),
                // Free all.
                2 => (
                    vec![format!("{p} = {from};")],
                    head,
                    vec![
                        format!("struct node *{t} = {p}->next;"),
                        format!("free({p});"),
                        format!("{p} = {t};"),
                    ],
                    vec![],
                ),
                // The last one.
                3 => (
                    vec![format!("{p} = {from};")],
                    format!("while ({p} && {p}->next)"),
                    vec![next],
                    vec![format!("if ({p}) {p}->next = {};", self.tape.pick(&["0", "q", "r"]))],
                ),
                // Build.
                4 => (
                    vec![],
                    "while (__VERIFIER_nondet_bool())".to_owned(),
                    vec![
                        format!("struct node *{t} = malloc(sizeof *{t});"),
                        format!("{t}->next = {q};"),
                        format!("{t}->key = 3;"),
                        format!("{q} = {t};"),
                    ],
                    vec![],
                ),
                // Delete the marked ones behind the first.
                5 => (
                    vec![format!("{p} = {from};")],
                    format!("while ({p} && {p}->next)"),
                    vec![format!(
                        "if ({p}->next->flag) {{ struct node *{t} = {p}->next; {p}->next = {t}->next; \
                         free({t}); }} else {p} = {p}->next;"
                    )],
                    vec![],
                ),
                // Find.
                6 => (
                    vec![format!("{p} = {from};")],
                    format!("while ({p} && {p}->key != 3)"),
                    vec![format!("{q} = {p};"), next],
                    vec![],
                ),
                // Two pointers.
                _ => (
                    vec![format!("{p} = {from};"), format!("{q} = {from};")],
                    head,
                    vec![
                        next,
                        format!("if ({p}) {{ {p} = {p}->next; if ({q}) {q} = {q}->next; }}"),
                    ],
                    vec![],
                ),
            };
        if self.tape.percent(12) {
            let missing = self.tape.below(body.len());
            match body[missing].split_once(" = ") {
                // What is declared stays declared.
                Some((declared, _)) if declared.starts_with("struct") => {
                    body[missing] = format!("{declared} = 0;");
                }
                _ => drop(body.remove(missing)),
            }
        }
        out.extend(before.into_iter().map(line));
        let mut body: Vec<Stmt> = body.into_iter().map(line).collect();
        if self.tape.percent(20) {
            self.loops += 1;
            let mut more = Vec::new();
            self.statements(1, 1, &mut more);
            self.loops -= 1;
            body.extend(more);
        }
        out.push(block(head, body));
        out.extend(after.into_iter().map(line));
    }
}

fn line(text: impl Into<String>) -> Stmt {
    Stmt::Line(text.into())
}

fn block(head: String, body: Vec<Stmt>) -> Stmt {
    Stmt::Block { head, body, tail: String::new() }
}
