//! Writing formulas.

use trellis_logic::{Arena, ArithOp, Formula, FormulaId, Quantifier, Term, TermId, VarId};

use super::tokens::quoted;
use crate::names::Names;

/// The text of a closed formula.
pub fn write(arena: &Arena, names: &Names, formula: FormulaId) -> String {
    let mut writer = Writer { arena, names, scope: Vec::new(), out: String::new() };
    writer.formula(formula);
    writer.out
}

struct Writer<'a> {
    arena: &'a Arena,
    names: &'a Names,
    /// The bound variables, with the names they are written under.
    scope: Vec<(VarId, String)>,
    out: String,
}

impl Writer<'_> {
    fn word(&mut self, word: &str) {
        self.out.push_str(&quoted(word));
    }

    /// `(head part part …)`.
    fn list<T: Copy>(&mut self, head: &str, parts: &[T], one: impl Fn(&mut Self, T)) {
        self.out.push('(');
        self.out.push_str(head);
        for &part in parts {
            self.out.push(' ');
            one(self, part);
        }
        self.out.push(')');
    }

    fn terms(&mut self, head: &str, terms: &[TermId]) {
        self.list(head, terms, Self::term);
    }

    fn formulas(&mut self, head: &str, formulas: &[FormulaId]) {
        self.list(head, formulas, Self::formula);
    }

    fn formula(&mut self, id: FormulaId) {
        let arena = self.arena;
        match arena.formula(id) {
            Formula::True => self.out.push_str("true"),
            Formula::False => self.out.push_str("false"),
            Formula::Rel(rel, args) => match self.names.rel(*rel) {
                (name, Some(field)) => {
                    let head = format!("{} {}", quoted(name), quoted(field));
                    self.terms(&head, args);
                }
                (name, None) if args.is_empty() => self.word(name),
                (name, None) => self.terms(&quoted(name), args),
            },
            Formula::Eq(a, b) => self.terms("=", &[*a, *b]),
            Formula::Le(a, b) => self.terms("int<=", &[*a, *b]),
            Formula::Lt(a, b) => self.terms("int<", &[*a, *b]),
            Formula::Not(a) => self.formulas("not", &[*a]),
            Formula::And(parts) => self.formulas("and", parts),
            Formula::Or(parts) => self.formulas("or", parts),
            Formula::Implies(a, b) => self.formulas("=>", &[*a, *b]),
            Formula::Iff(a, b) => self.formulas("<=>", &[*a, *b]),
            Formula::Quant(quantifier, vars, body) => self.quantified(*quantifier, vars, *body),
        }
    }

    fn quantified(&mut self, quantifier: Quantifier, vars: &[VarId], body: FormulaId) {
        let outside = self.scope.len();
        self.out.push_str(match quantifier {
            Quantifier::Forall => "(forall (",
            Quantifier::Exists => "(exists (",
        });
        for (i, &var) in vars.iter().enumerate() {
            let name = self.fresh(var);
            let sort = quoted(self.names.sort(self.arena.var(var).sort));
            self.out.push_str(if i == 0 { "(" } else { " (" });
            self.word(&name);
            self.out.push_str(&format!(" {sort})"));
            self.scope.push((var, name));
        }
        self.out.push_str(") ");
        self.formula(body);
        self.out.push(')');
        self.scope.truncate(outside);
    }

    /// A name that no variable in scope has.
    fn fresh(&self, var: VarId) -> String {
        let base = format!("?{}", self.arena.var(var).name);
        let taken = |name: &str| self.scope.iter().any(|(_, other)| other == name);
        let mut name = base.clone();
        let mut number = 1;
        while taken(&name) {
            name = format!("{base}_{number}");
            number += 1;
        }
        name
    }

    fn variable(&mut self, var: VarId) {
        let bound = self.scope.iter().rev().find(|(v, _)| *v == var);
        let name = bound.map_or_else(|| format!("?{}", self.arena.var(var).name), |b| b.1.clone());
        self.word(&name);
    }

    fn term(&mut self, id: TermId) {
        let arena = self.arena;
        match arena.term(id) {
            Term::Var(var) => self.variable(*var),
            Term::App(fun, args) if args.is_empty() => {
                let name = self.names.fun(*fun).to_owned();
                self.word(&name);
            }
            Term::App(fun, args) => {
                let head = quoted(self.names.fun(*fun)).into_owned();
                self.terms(&head, args);
            }
            Term::Num(n) => self.out.push_str(&format!("(int {n})")),
            Term::Arith(op, a, b) => {
                let head = match op {
                    ArithOp::Add => "int+",
                    ArithOp::Sub => "int-",
                    ArithOp::Mul => "int*",
                };
                self.terms(head, &[*a, *b]);
            }
            Term::Ite(condition, a, b) => {
                self.out.push_str("(ite ");
                self.formula(*condition);
                for branch in [*a, *b] {
                    self.out.push(' ');
                    self.term(branch);
                }
                self.out.push(')');
            }
        }
    }
}
