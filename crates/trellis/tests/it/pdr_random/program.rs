//! A procedure under test as a tree, so that parts of it can be left out again.

use std::fmt::Write;

/// A statement.
#[derive(Clone, Debug)]
pub enum Stmt {
    /// One line.
    Line(String),
    /// A compound statement: `if`, `while`, `do`, or braces.
    Block {
        /// What stands before the opening brace.
        head: String,
        /// What stands between the braces.
        body: Vec<Stmt>,
        /// What stands after the closing brace.
        tail: String,
    },
}

/// A procedure `f` with its contract.
#[derive(Clone, Debug)]
pub struct Procedure {
    /// Declarations before the contract, each of which has a helper or a global.
    pub prelude: Vec<String>,
    /// The formulas of `requires`.
    pub requires: Vec<String>,
    /// The formulas of `ensures`.
    pub ensures: Vec<String>,
    /// The places of `assigns`, if there is such a clause.
    pub assigns: Option<String>,
    /// The type of the result, ready to be followed by a name.
    pub result: &'static str,
    /// The parameters, each with its type.
    pub params: Vec<&'static str>,
    /// The body.
    pub body: Vec<Stmt>,
}

impl Procedure {
    /// The C file; `ensures \false` is added on request.
    pub fn text(&self, absurd: bool) -> String {
        let mut out = String::new();
        for line in &self.prelude {
            let _ = writeln!(out, "{line}");
        }
        let requires = self.requires.iter().map(|f| ("requires", f.as_str()));
        let ensures = self.ensures.iter().map(|f| ("ensures", f.as_str()));
        let assigns = self.assigns.iter().map(|p| ("assigns", p.as_str()));
        let last = absurd.then_some(("ensures", r"\false"));
        let clauses: Vec<_> = requires.chain(assigns).chain(ensures).chain(last).collect();
        let mut open = "/*@";
        for (word, formula) in &clauses {
            let _ = write!(out, "{open} {word} {formula};");
            open = "\n   ";
        }
        if !clauses.is_empty() {
            out.push_str(" */\n");
        }
        let _ = writeln!(out, "{}f({})\n{{", self.result, self.params.join(", "));
        write(&self.body, 1, &mut out);
        out.push_str("}\n");
        out
    }

    /// Every procedure with one part fewer.
    pub fn smaller(&self) -> Vec<Procedure> {
        let mut all = Vec::new();
        for i in 0..self.ensures.len() {
            let mut one = self.clone();
            one.ensures.remove(i);
            all.push(one);
        }
        if self.assigns.is_some() {
            all.push(Procedure { assigns: None, ..self.clone() });
        }
        for i in 0..self.requires.len() {
            let mut one = self.clone();
            one.requires.remove(i);
            all.push(one);
        }
        for body in without_one(&self.body) {
            all.push(Procedure { body, ..self.clone() });
        }
        all
    }
}

fn write(stmts: &[Stmt], depth: usize, out: &mut String) {
    let space = "    ".repeat(depth);
    for stmt in stmts {
        let _ = match stmt {
            Stmt::Line(text) => writeln!(out, "{space}{text}"),
            Stmt::Block { head, body, tail } => {
                let _ = writeln!(out, "{space}{head} {{");
                write(body, depth + 1, out);
                writeln!(out, "{space}}}{tail}")
            }
        };
    }
}

/// Every way to leave out a statement, or to keep only the body of a compound one.
fn without_one(stmts: &[Stmt]) -> Vec<Vec<Stmt>> {
    let mut all = Vec::new();
    for (i, stmt) in stmts.iter().enumerate() {
        let with = |new: Vec<Stmt>| {
            let mut changed = stmts.to_vec();
            changed.splice(i..=i, new);
            changed
        };
        all.push(with(Vec::new()));
        if let Stmt::Block { head, body, tail } = stmt {
            all.push(with(body.clone()));
            for body in without_one(body) {
                let (head, tail) = (head.clone(), tail.clone());
                all.push(with(vec![Stmt::Block { head, body, tail }]));
            }
        }
    }
    all
}
