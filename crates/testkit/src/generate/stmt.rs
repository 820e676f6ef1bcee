//! Random statements that are no blocks.

use super::{Generator, Weakness};

impl Generator<'_> {
    /// A pointer field of `S0`.
    pub fn link(&mut self) -> &'static str {
        let links = self.structs.links();
        self.tape.pick(&links)
    }

    /// A number field of `S0`.
    fn number(&mut self) -> &'static str {
        if self.wild() {
            return "k";
        }
        let numbers = self.structs.numbers();
        self.tape.pick(&numbers)
    }

    /// A statement that needs `p` not to be null.
    pub fn guard(&mut self, p: &str, statement: String) {
        if !self.nonnull.iter().any(|n| n == p) && self.careful(Weakness::Null) {
            self.line(format!("if ({p})"));
            self.line(format!("    {statement}"));
        } else {
            self.line(statement);
        }
    }

    /// A statement that takes the address of a member of `*p`. With null, C has no meaning for it,
    /// while Trellis sees a failure only when the address is used: no program does that.
    fn address(&mut self, p: &str, statement: String) {
        self.line(format!("if ({p})"));
        self.line(format!("    {statement}"));
    }

    /// A statement that needs two pointers not to be null, which C may look at in any order.
    fn guard_two(&mut self, p: &str, q: &str, more: &str, statement: String) {
        if self.careful(Weakness::Null) || !more.is_empty() {
            self.line(format!("if ({p} && {q}{more})"));
            self.unsequenced(format!("    {statement}"));
        } else {
            self.unsequenced(statement);
        }
    }

    /// `p` may be null from here on.
    fn assigned(&mut self, p: &str) {
        self.nonnull.retain(|n| n != p);
    }

    pub fn simple(&mut self) {
        // What the program is careless about should happen.
        match self.weakness {
            Weakness::Lifetime if self.tape.percent(15) => return self.free(),
            Weakness::Free if self.tape.percent(15) => return self.owned(),
            Weakness::Bounds if self.tape.percent(10) => return self.array(),
            Weakness::Bounds if self.tape.percent(8) => return self.cells(),
            Weakness::Bounds if self.tape.percent(4) => return self.whole_object(),
            Weakness::Overlap if self.tape.percent(25) => return self.overlap(),
            Weakness::Promise if self.tape.percent(15) => return self.promise(),
            Weakness::Division if self.tape.percent(25) => return self.divide(),
            Weakness::Assertion if self.tape.percent(20) => return self.assertion(),
            Weakness::Overflow if self.tape.percent(25) => return self.compute(),
            _ => {}
        }
        match self.tape.below(34) {
            0 | 1 => self.new_object(),
            2 => self.move_pointer(),
            3..=5 => self.load_pointer(),
            6..=8 => self.store_pointer(),
            9 | 10 => self.load_number(),
            11 | 12 => self.store_number(),
            13 | 14 => self.compute(),
            15 => self.holder(),
            16 => self.through_double_pointer(),
            17 => self.through_int_pointer(),
            18 | 19 => self.array(),
            20 => self.table(),
            21 => self.copy_struct(),
            22 => self.memory_function(),
            23 => self.inner(),
            24 => self.assertion(),
            25 | 26 => self.call(),
            27 | 28 => self.side_effects(),
            29..=32 => self.wide(),
            _ => {
                let i = self.int_var();
                self.line(format!("emit({i});"));
            }
        }
    }

    fn new_object(&mut self) {
        let (p, i) = (self.node_var(), self.int_var());
        self.line(format!("{p} = make({i});"));
        self.nonnull.push(p);
    }

    fn move_pointer(&mut self) {
        let (p, q) = (self.node_var(), self.node_var());
        match self.tape.below(5) {
            0 => self.line(format!("{p} = NULL;")),
            1 => self.line(format!("{p} = &gs;")),
            2 => self.line(format!("{p} = {q} ? {q} : &gs;")),
            _ => self.line(format!("{p} = {q};")),
        }
        self.assigned(&p);
    }

    fn load_pointer(&mut self) {
        let (p, q, link) = (self.node_var(), self.node_var(), self.link());
        match self.tape.below(5) {
            0 if self.weakness == Weakness::Null => {
                self.guard(&q, format!("{p} = {q}->{link}->next;"))
            }
            1 => {
                let known = self.nonnull.contains(&q);
                let test = if known || !self.careful(Weakness::Null) {
                    String::new()
                } else {
                    format!("{q} && ")
                };
                self.line(format!("if ({test}{q}->{link})"));
                self.line(format!("    {p} = {q}->{link}->next;"));
            }
            _ => self.guard(&q, format!("{p} = {q}->{link};")),
        }
        self.assigned(&p);
    }

    fn store_pointer(&mut self) {
        let (p, q, link) = (self.node_var(), self.node_var(), self.link());
        match self.tape.below(4) {
            0 => {
                let other = self.link();
                self.guard_two(&p, &q, "", format!("{p}->{link} = {q}->{other};"));
            }
            _ => self.guard(&p, format!("{p}->{link} = {q};")),
        }
    }

    fn load_number(&mut self) {
        let (p, i, field) = (self.node_var(), self.int_var(), self.number());
        match self.tape.below(3) {
            0 => self.guard(&p, format!("{i} = {i} % 50 + {p}->{field} % 40;")),
            1 => self.guard(&p, format!("emit({p}->{field});")),
            _ => self.guard(&p, format!("{i} = {p}->{field};")),
        }
    }

    fn store_number(&mut self) {
        let (p, field) = (self.node_var(), self.number());
        match self.tape.below(4) {
            0 => self.guard(&p, format!("{p}->{field}++;")),
            1 => self.guard(&p, format!("{p}->{field} -= 2;")),
            2 if self.structs.array > 0 => {
                let index = self.tape.below(self.structs.array);
                self.guard(&p, format!("{p}->arr[{index}] = {p}->arr[0] % 20 + 1;"));
            }
            _ => {
                let value = self.small_int();
                self.guard(&p, format!("{p}->{field} = {value};"));
            }
        }
    }

    fn compute(&mut self) {
        let (i, value) = (self.int_var(), self.small_int());
        if self.wild() {
            return self.line(format!("{i} = {value};"));
        }
        match self.tape.below(6) {
            0 => self.line(format!("u0 = {value};")),
            1 => self.line(format!("c0 = {value};")),
            2 => self.line(format!("w0 = {value};")),
            _ => self.line(format!("{i} = {value};")),
        }
    }

    fn divide(&mut self) {
        let (i, a, b) = (self.int_var(), self.int(1), self.int(1));
        self.line_of(&format!("{i} = ({a} @ {b}) % 97;"), &["/", "%"]);
    }

    fn holder(&mut self) {
        let (q, p, other) = (self.holder_var(), self.node_var(), self.holder_var());
        match self.tape.below(4) {
            0 => {
                self.line(format!("{q} = hold({p}, {other});"));
                self.nonnull.push(q);
            }
            1 => {
                self.guard(&q, format!("{p} = {q}->item;"));
                self.assigned(&p);
            }
            2 => {
                self.guard(&q, format!("{q} = {q}->link;"));
                self.assigned(&q);
            }
            _ => self.guard(&q, format!("{q}->item = {p};")),
        }
    }

    fn through_double_pointer(&mut self) {
        let p = self.node_var();
        match self.tape.below(4) {
            0 => {
                self.line(format!("pp = &{p};"));
                self.line("*pp = &gs;");
                self.nonnull.clear();
            }
            1 => {
                self.line(format!("{p} = *pp;"));
                self.assigned(&p);
            }
            2 => self.guard("*pp", "(*pp)->k = (*pp)->k % 9 + 1;".to_owned()),
            _ => {
                let link = self.link();
                self.address(&p, format!("pp = &{p}->{link};"));
            }
        }
    }

    fn through_int_pointer(&mut self) {
        let (p, i) = (self.node_var(), self.int_var());
        match self.tape.below(5) {
            0 => self.line(format!("ip = &{i};")),
            1 => self.address(&p, format!("ip = &{p}->k;")),
            2 => self.line("ip = a + 1;"),
            3 => self.line("*ip = *ip % 20 + 3;"),
            _ => self.line(format!("{i} = *ip;")),
        }
    }

    fn array(&mut self) {
        let (array, len) = self.tape.pick(&[("a", 3), ("ga", 4)]);
        let i = self.int_var();
        let index = if self.careful(Weakness::Bounds) {
            match self.tape.below(2) {
                0 => self.tape.below(len).to_string(),
                _ => format!("(unsigned){i} % {len}"),
            }
        } else {
            self.tape.pick(&["-1", "i2", "i0", if len == 3 { "3" } else { "4" }]).to_owned()
        };
        match self.tape.below(3) {
            0 => self.line(format!("{i} = {array}[{index}] % 80;")),
            1 => self.line(format!(
                "*({array} + {}) += 1;",
                index.replace("(unsigned)", "(int)(unsigned)")
            )),
            _ => self.line(format!("{array}[{index}] = {i};")),
        }
    }

    fn table(&mut self) {
        let (table, p, index) = (self.tape.pick(&["t", "gt"]), self.node_var(), self.tape.below(2));
        let index = if self.careful(Weakness::Bounds) { index } else { 2 };
        match self.tape.below(3) {
            0 => {
                self.line(format!("{p} = {table}[{index}];"));
                self.assigned(&p);
            }
            1 if index < 2 => {
                let element = format!("{table}[{index}]");
                self.guard(&element, format!("{element}->k = 4;"));
            }
            _ => self.line(format!("{table}[{index}] = {p};")),
        }
    }

    fn copy_struct(&mut self) {
        let (p, q) = (self.node_var(), self.node_var());
        match self.tape.below(6) {
            0 => self.guard(&p, format!("s = *{p};")),
            1 => self.guard(&p, format!("*{p} = s;")),
            2 => self.line_of("@", &["gs = s;", "s = gs;"]),
            3 => self.line("s.next = &s;"),
            4 => {
                self.line("emit(s.k);");
                self.line("s.k = 7;");
            }
            _ => self.guard_two(&p, &q, "", format!("*{p} = *{q};")),
        }
    }

    fn memory_function(&mut self) {
        let (p, q) = (self.node_var(), self.node_var());
        match self.tape.below(5) {
            0 => self.guard(&p, format!("memset({p}, 0, sizeof(struct S0));")),
            1 => self.line("memset(a, 0, sizeof a);"),
            2 => {
                let size = if self.careful(Weakness::Bounds) { "3" } else { "4" };
                self.line(format!("memcpy(a, ga, {size} * sizeof(int));"));
            }
            3 => self.guard(&p, format!("memmove(&s, {p}, sizeof s);")),
            _ => {
                let more = format!(" && {p} != {q}");
                self.guard_two(&p, &q, &more, format!("memcpy({p}, {q}, sizeof *{p});"));
            }
        }
    }

    /// Embedded structs, from outside and back.
    fn inner(&mut self) {
        if !self.structs.inner {
            return self.compute();
        }
        let p = self.node_var();
        self.open("");
        self.line_of("struct Inner *in = &@;", &["s.in", "gs.in"]);
        self.address(&p, format!("in = &{p}->in;"));
        match self.tape.below(4) {
            0 => self.line(format!("in->w = {p};")),
            1 => self.line("in->u = in->u % 8 + 2;"),
            2 => {
                self.line("struct S0 *back = (struct S0 *)((char *)in - offsetof(struct S0, in));");
                self.line("emit(back->k % 50);");
            }
            _ => self.line("struct Inner copy = *in; *in = copy;"),
        }
        self.close("");
    }

    fn assertion(&mut self) {
        let p = self.node_var();
        if self.careful(Weakness::Assertion) {
            match self.tape.below(3) {
                0 => self.line("assert(i1 == i1 + 0);"),
                1 => self.line(format!("assert(!{p} || {p} != NULL);")),
                _ => self.line("assert(pooled >= 0 && pooled <= 64);"),
            }
        } else {
            let condition = self.condition();
            self.line(format!("assert({condition});"));
        }
    }

    fn call(&mut self) {
        if self.callable == 0 || self.loops > 1 {
            return self.compute();
        }
        let index = self.tape.below(self.callable);
        let (p, q, i) = (self.node_var(), self.node_var(), self.int_var());
        match self.kinds[index] {
            0 => self.line(format!("{p} = f{index}({q}, {i} % 4, &{q});")),
            1 => self.line(format!("{p} = f{index}({q}, {i} % 4);")),
            2 => self.line(format!("{i} = f{index}({q}, {i} % 4, &i1);")),
            _ => match self.tape.below(2) {
                0 => self.line(format!("s = f{index}({q}, {i} % 4, s);")),
                _ => self.line(format!("emit(f{index}({q}, {i} % 4, gs).k);")),
            },
        }
        self.nonnull.clear();
    }

    fn free(&mut self) {
        let p = self.node_var();
        match self.tape.below(3) {
            0 => self.line(format!("free({p});")),
            _ => self.line(format!("drop({p});")),
        }
        if self.tape.percent(40) {
            self.line(format!("{p} = NULL;"));
        }
        self.assigned(&p);
    }

    fn side_effects(&mut self) {
        let (p, q) = (self.node_var(), self.node_var());
        match self.tape.below(5) {
            0 => self.line("i0 = i1++ % 50 + 1;"),
            1 => self.line("i2 = (i0 = i1 % 30, i0 + 2);"),
            2 => {
                let other = if p == "p0" { "p1" } else { "p0" };
                self.line(format!("{p} = {other} = {q};"));
                self.assigned(&p);
                self.assigned(other);
            }
            3 => self.line(format!("i1 = {p} && {p}->k > 2 ? {p}->k % 30 : i0;")),
            _ => self.line("a[i1 > 1 ? 0 : 1] += i2 % 10;"),
        }
    }
}
