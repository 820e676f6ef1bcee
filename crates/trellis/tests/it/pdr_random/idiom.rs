//! The usual loops on lists, often with a mistake.

use super::generate::{Generator, block, line};
use super::program::Stmt;

impl Generator {
    /// One of the usual loops, often with a mistake.
    pub fn idiom(&mut self, out: &mut Vec<Stmt>) {
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
