//! Random procedures on lists.
//!
//! Half of the statements are taken from the usual loops (traverse, reverse, build, free, append,
//! delete), of which one statement may be missing or changed; the others are single steps. Pointers
//! are mostly tested before they are followed, so that some procedures are right. What goes beyond
//! lists is in [`super::wide`].

use super::contract;
use super::program::{Procedure, Stmt};
use super::wide::{self, Feature};
use trellis_testkit::generate::Tape;

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
    /// What there is besides lists.
    pub features: Vec<Feature>,
    /// What is returned.
    pub result: Returned,
    /// Pointers are tested before they are followed.
    pub careful: bool,
    /// There is a sentinel on the stack.
    dummy: bool,
    /// Loops around this place.
    pub loops: usize,
    /// Loops so far.
    pub made: usize,
    /// Names used up.
    names: usize,
}

/// What a procedure returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Returned {
    /// A list.
    Node,
    /// An `int`.
    Int,
    /// An unsigned 64-bit number.
    Word,
    /// A pointer without a type.
    Any,
}

/// Locals of every procedure besides its parameters.
const LOCALS: [&str; 3] = ["p", "q", "r"];

/// The procedure of a seed.
pub fn generate(seed: u64) -> Procedure {
    let mut tape = Tape::Seeded(seed.wrapping_mul(0x9e37_79b9).wrapping_add(17));
    let other = tape.percent(20);
    let params = 1 + usize::from(tape.percent(35));
    let global = tape.percent(12);
    let careful = tape.percent(85);
    let dummy = tape.percent(12);
    let header = tape.percent(12);
    let features = wide::choose(&mut tape);
    let result = match tape.below(10) {
        0 => Returned::Int,
        1..=4 if features.contains(&Feature::Words) => Returned::Word,
        1..=3 if features.contains(&Feature::Any) => Returned::Any,
        _ => Returned::Node,
    };
    let mut g = Generator {
        tape,
        other,
        params,
        global,
        header,
        features,
        result,
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
    params.extend(g.wide_params());
    let result = match g.result {
        Returned::Node => "struct node *",
        Returned::Int => "int ",
        Returned::Word => "unsigned long ",
        Returned::Any => "void *",
    };
    Procedure { prelude: g.prelude(), requires, ensures, assigns, result, params, body }
}

impl Generator {
    fn prelude(&self) -> Vec<String> {
        let other = if self.other { " struct node *other;" } else { "" };
        let mut lines = vec![
            "void *malloc(unsigned long);".to_owned(),
            "void free(void *);".to_owned(),
            "void abort(void);".to_owned(),
            "_Bool __VERIFIER_nondet_bool(void);".to_owned(),
            "int __VERIFIER_nondet_int(void);".to_owned(),
        ];
        lines.extend(self.wide_prelude());
        let wide = self.wide_fields();
        lines.push(format!(
            "struct node {{ struct node *next;{other} int key; _Bool flag;{wide} }};"
        ));
        lines.extend(self.wide_declarations());
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
        out.extend(self.wide_locals().into_iter().map(line));
        let count = 1 + self.tape.below(4);
        self.statements(count, 2, &mut out);
        let result = self.returned();
        out.push(line(format!("return {result};")));
        out
    }

    /// Something of the type that is returned.
    fn returned(&mut self) -> &'static str {
        match self.result {
            Returned::Int => self.tape.pick(&["i", "i", "1", "a != 0"]),
            Returned::Word => self.tape.pick(&["w", "w", "w", "u", "~0ul", "i"]),
            Returned::Any => self.tape.pick(&["v", "v", "q", "p", "0"]),
            Returned::Node if self.dummy && self.tape.percent(60) => "d.next",
            Returned::Node => self.tape.pick(&["a", "p", "q", "r", "0", "q"]),
        }
    }

    pub fn statements(&mut self, count: usize, depth: usize, out: &mut Vec<Stmt>) {
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
        let to = match self.tape.below(5) {
            0 | 1 => "break;".to_owned(),
            2 => "continue;".to_owned(),
            _ => format!("return {};", self.returned()),
        };
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
    pub fn target(&mut self) -> &'static str {
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
        if let Some(condition) = self.wide_condition() {
            return condition;
        }
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
        if let Some(text) = self.wide_step() {
            out.push(line(text));
            return;
        }
        let (x, y, z) = (self.target(), self.var(), self.var());
        let field = self.field();
        let text = match self.tape.below(22) {
            0 | 1 => format!("{x} = {y};"),
            2..=4 | 11 => self.guarded(y, &format!("{x} = {y}->{field};")),
            5..=7 => self.guarded(y, &format!("{y}->{field} = {z};")),
            8 => self.guarded(y, &format!("{y}->{field} = 0;")),
            9 => format!("{x} = 0;"),
            10 => {
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

    pub fn name(&mut self) -> String {
        self.names += 1;
        format!("n{}", self.names)
    }
}

pub fn line(text: impl Into<String>) -> Stmt {
    Stmt::Line(text.into())
}

pub fn block(head: String, body: Vec<Stmt>) -> Stmt {
    Stmt::Block { head, body, tail: String::new() }
}
