//! Random loops, branches and jumps, and the usual operations on lists.

use super::{Generator, Weakness};

impl Generator<'_> {
    /// Several statements; `depth` more levels may be opened.
    pub fn statements(&mut self, count: usize, depth: usize) {
        for _ in 0..count {
            if depth > 0 && self.tape.percent(45) {
                self.compound(depth - 1);
            } else {
                self.simple();
            }
        }
    }

    fn body(&mut self, depth: usize) {
        let known = self.nonnull.clone();
        let count = 1 + self.tape.below(3);
        self.statements(count, depth);
        self.nonnull = known;
    }

    /// After something that may have changed any variable.
    fn forget(&mut self) {
        self.nonnull.clear();
    }

    fn compound(&mut self, depth: usize) {
        match self.tape.below(18) {
            0..=2 => self.guarded(depth),
            3 | 4 => self.branch(depth),
            5 => self.counted_loop(depth),
            6 => self.while_loop(depth),
            7 => self.do_loop(depth),
            8 => self.switch(depth),
            9 => self.skip(depth),
            10 => self.again(depth),
            11 => self.traverse(depth),
            12 => self.build_list(),
            13 => self.reverse_list(),
            14 => self.insert_sorted(),
            15 => self.remove_through_pointer(),
            16 => self.scope(),
            _ => self.owned(),
        }
    }

    /// `if (p) { … }` with `p` known inside.
    fn guarded(&mut self, depth: usize) {
        let p = if self.tape.percent(75) { self.node_var() } else { self.holder_var() };
        self.open(format!("if ({p})"));
        let known = self.nonnull.clone();
        self.nonnull.push(p);
        let count = 1 + self.tape.below(3);
        self.statements(count, depth);
        self.close("");
        self.nonnull = known;
        self.forget();
    }

    fn branch(&mut self, depth: usize) {
        let condition = self.condition();
        self.open(format!("if ({condition})"));
        self.body(depth);
        if self.tape.percent(40) {
            self.close(" else {");
            self.indent += 1;
            self.forget();
            self.body(depth);
        }
        self.close("");
        self.forget();
    }

    /// A loop's counter, one for each depth; `None` if loops are nested too deep.
    fn enter_loop(&mut self) -> Option<(String, usize)> {
        if self.loops == 3 {
            self.simple();
            return None;
        }
        self.forget();
        self.loops += 1;
        Some((format!("n{}", self.loops - 1), 2 + self.tape.below(3)))
    }

    fn leave_loop(&mut self) {
        self.loops -= 1;
        self.forget();
    }

    fn counted_loop(&mut self, depth: usize) {
        let Some((n, most)) = self.enter_loop() else { return };
        match self.tape.below(3) {
            0 => self.open(format!("for ({n} = 0; {n} < {most}; {n}++)")),
            1 => self.open(format!("for ({n} = {most}; {n} > 0; --{n})")),
            // Over an array, by chance one too far.
            _ => {
                let (array, len) = self.tape.pick(&[("a", 3), ("ga", 4)]);
                let op = if self.careful(Weakness::Bounds) { "<" } else { "<=" };
                self.open(format!("for ({n} = 0; {n} {op} {len}; {n}++)"));
                self.line(format!("{array}[{n}] = {array}[{n}] % 50 + 1;"));
            }
        }
        self.body(depth);
        if self.tape.percent(25) {
            let condition = self.condition();
            self.line(format!("if ({condition})"));
            self.line_of("    @;", &["break", "continue"]);
        }
        self.close("");
        self.leave_loop();
    }

    fn while_loop(&mut self, depth: usize) {
        let Some((n, most)) = self.enter_loop() else { return };
        let p = self.node_var();
        self.line(format!("{n} = 0;"));
        self.open(format!("while ({p} && {n} < {most})"));
        self.line(format!("{n}++;"));
        self.nonnull.push(p.clone());
        self.body(depth);
        self.nonnull.clear();
        self.guard(&p.clone(), format!("{p} = {p}->next;"));
        self.close("");
        self.leave_loop();
    }

    fn do_loop(&mut self, depth: usize) {
        let Some((n, most)) = self.enter_loop() else { return };
        let condition = self.condition();
        self.line(format!("{n} = {most};"));
        self.open("do");
        self.body(depth);
        self.close(&format!(" while (--{n} > 0 && {condition});"));
        self.leave_loop();
    }

    fn switch(&mut self, depth: usize) {
        let i = self.int_var();
        self.forget();
        self.open(format!("switch ({i} % 4)"));
        for label in ["case 0:", "case 1:", "case -1:", "default:"] {
            if label != "default:" && self.tape.percent(25) {
                continue;
            }
            self.line(label);
            self.indent += 1;
            self.forget();
            self.body(depth.min(1));
            if self.tape.percent(70) {
                self.line("break;");
            }
            self.indent -= 1;
        }
        self.close("");
        self.forget();
    }

    /// A jump forward.
    fn skip(&mut self, depth: usize) {
        let label = format!("skip{}", self.labels);
        self.labels += 1;
        let condition = self.condition();
        self.line(format!("if ({condition})"));
        self.line(format!("    goto {label};"));
        self.body(depth);
        self.line(format!("{label}:;"));
        self.forget();
    }

    /// A jump back, at most `fuel` times in the whole function.
    fn again(&mut self, depth: usize) {
        let label = format!("again{}", self.labels);
        self.labels += 1;
        self.line(format!("{label}:;"));
        self.forget();
        self.body(depth);
        let condition = self.condition();
        self.line(format!("if (fuel-- > 0 && {condition})"));
        self.line(format!("    goto {label};"));
        self.forget();
    }

    fn traverse(&mut self, depth: usize) {
        let Some((n, most)) = self.enter_loop() else { return };
        let (p, it) = (self.node_var(), format!("it{}", self.loops - 1));
        let link = self.link();
        let bound = if self.careful(Weakness::Null) {
            format!("{it} && {n} < {most}")
        } else {
            format!("{n} < {most}")
        };
        self.open(format!("for ({it} = {p}, {n} = 0; {bound}; {it} = {it}->{link}, {n}++)"));
        self.line(format!("i1 = (i1 + {it}->k) % 60;"));
        self.body(depth.min(1));
        self.close("");
        self.leave_loop();
    }

    pub fn build_list(&mut self) {
        let Some((n, most)) = self.enter_loop() else { return };
        let (head, link) = (self.tape.pick(&["g0", "g1", "p0", "p1"]), self.link());
        self.open(format!("for ({n} = 0; {n} < {most}; {n}++)"));
        self.line(format!("p2 = make({n} * 3 % 5);"));
        self.line(format!("p2->{link} = {head};"));
        self.line(format!("{head} = p2;"));
        self.close("");
        self.leave_loop();
    }

    pub fn destroy_list(&mut self) {
        let Some((n, _)) = self.enter_loop() else { return };
        let head = self.tape.pick(&["g0", "g1", "p0"]);
        self.line(format!("{n} = 0;"));
        self.open(format!("while ({head} && {n}++ < 9)"));
        if self.careful(Weakness::Lifetime) {
            self.line(format!("it0 = {head}->next;"));
            self.line(format!("drop({head});"));
            self.line(format!("{head} = it0;"));
        } else {
            self.line(format!("drop({head});"));
            self.line(format!("{head} = {head}->next;"));
        }
        self.close("");
        self.leave_loop();
    }

    fn reverse_list(&mut self) {
        let Some((n, _)) = self.enter_loop() else { return };
        let (head, it) = (self.node_var(), format!("it{}", self.loops - 1));
        self.line(format!("{it} = NULL;"));
        self.line(format!("{n} = 0;"));
        self.open(format!("while ({head} && {n}++ < 6)"));
        self.line(format!("p2 = {head}->next;"));
        self.line(format!("{head}->next = {it};"));
        self.line(format!("{it} = {head};"));
        self.line(format!("{head} = p2;"));
        self.close("");
        self.line(format!("{head} = {it};"));
        self.leave_loop();
    }

    fn insert_sorted(&mut self) {
        let Some((n, _)) = self.enter_loop() else { return };
        let (head, i) = (self.tape.pick(&["g0", "g1", "p1"]), self.int_var());
        self.line(format!("p2 = make({i});"));
        self.line(format!("for (pp = &{head}, {n} = 0; *pp && (*pp)->k < {i} && {n} < 6; {n}++)"));
        self.line("    pp = &(*pp)->next;");
        self.line("p2->next = *pp;");
        self.line("*pp = p2;");
        self.leave_loop();
    }

    fn remove_through_pointer(&mut self) {
        let Some((n, _)) = self.enter_loop() else { return };
        let (head, i) = (self.tape.pick(&["g0", "g1", "p1"]), self.int_var());
        self.line(format!("for (pp = &{head}, {n} = 0; *pp && (*pp)->k != {i} && {n} < 6; {n}++)"));
        self.line("    pp = &(*pp)->next;");
        self.open("if (*pp)");
        self.line("p2 = *pp;");
        self.line("*pp = p2->next;");
        if !self.careful(Weakness::Lifetime) {
            self.line("drop(p2);");
            self.line_of("@ = NULL;", &["p2", "p0"]);
        }
        self.close("");
        self.leave_loop();
    }

    /// A block with its own variable, whose address may get out.
    fn scope(&mut self) {
        self.open("");
        let value = self.small_int();
        self.line(format!("int local = {value};"));
        self.line("ip = &local;");
        self.line("*ip = *ip % 30 + 1;");
        self.line("emit(local);");
        if self.careful(Weakness::Lifetime) {
            self.line("ip = &i0;");
        }
        self.close("");
        self.forget();
    }

    /// An object that nobody else knows, made, used and freed.
    pub fn owned(&mut self) {
        self.open("");
        match self.tape.below(3) {
            0 => {
                let i = self.int_var();
                self.line(format!("struct S0 *own = make({i});"));
                self.line("own->next = own;");
                self.line("emit(own->next->k % 40);");
            }
            1 => {
                self.line("struct S1 *own = hold(&gs, NULL);");
                self.line("own->item->k = 3;");
                self.line("emit(own->k);");
            }
            _ => {
                let len = 2 + self.tape.below(3);
                let last = if self.careful(Weakness::Bounds) { len - 1 } else { len };
                self.line(format!("int *own = malloc({len} * sizeof(int));"));
                self.line(format!("memset(own, 0, {len} * sizeof(int));"));
                self.line("keep(own);");
                self.line(format!("own[{last}] = 4;"));
                self.line(format!("emit(*(own + {last}));"));
            }
        }
        if !self.careful(Weakness::Free) {
            self.line_of(
                "@;",
                &[
                    "own = (void *)((char *)own + 8)",
                    "free(own)",
                    "own = (void *)&wall[2]",
                    "own = (void *)&fence[2]",
                ],
            );
        }
        self.line("drop(own);");
        self.close("");
    }
}
