//! Proofs as text; `files` has the format.

use std::collections::HashMap;
use std::fmt::Write;

use trellis_logic::{
    Arena, Formula, FormulaId, FunId, Quantifier, Term, TermId, VarId, Vocabulary,
};

use crate::files::HEADER;
use crate::ground::Ground;
use crate::proof::{Atom, Proof, Step};
use crate::statement::Statement;

/// The symbols and formulas of a statement.
pub(crate) fn statement(statement: &Statement) -> String {
    let Statement { vocabulary, arena, formulas } = statement;
    let mut text = format!("{HEADER}\n");
    for sort in vocabulary.sorts().skip(1) {
        line(&mut text, &["sort", &quoted(&vocabulary.sort_of(sort).name)]);
    }
    for fun in vocabulary.funs() {
        line(&mut text, &["function", &quoted(&vocabulary.fun(fun).name), &sorts(vocabulary, fun)]);
    }
    for rel in vocabulary.rels().map(|r| vocabulary.rel(r)) {
        let args: Vec<String> = rel.args.iter().map(|s| format!("S{}", s.index())).collect();
        line(&mut text, &["relation", &quoted(&rel.name), &args.join(" ")]);
    }
    let (vars, terms) = (HashMap::new(), HashMap::new());
    let numbers = HashMap::from([(FormulaId::TRUE, 0), (FormulaId::FALSE, 1)]);
    let mut nodes = Nodes { arena, text, vars, terms, formulas: numbers };
    for &formula in formulas {
        let number = nodes.formula(formula);
        let printed = arena.print(vocabulary, formula);
        let _ = writeln!(nodes.text, "assert A{number}\n# {}", printed.replace('\n', " "));
    }
    nodes.text
}

/// The statement, the instances and the laws.
pub(crate) fn proof(proof: &Proof, ground: &Ground) -> String {
    let mut text = statement(&proof.statement);
    let universal = &ground.universal;
    let vocabulary = &universal.vocabulary;
    for (word, fun) in universal
        .witnesses
        .iter()
        .map(|f| ("witness", *f))
        .chain(universal.elements.iter().map(|(_, f)| ("element", *f)))
    {
        line(&mut text, &[word, &quoted(&vocabulary.fun(fun).name), &sorts(vocabulary, fun)]);
    }
    for (formula, parts) in universal.parts.iter().enumerate() {
        for (number, part) in parts.iter().enumerate() {
            let vars: Vec<&str> =
                part.vars.iter().map(|&v| universal.arena.var(v).name.as_str()).collect();
            let matrix = universal.arena.print(vocabulary, part.matrix).replace('\n', " ");
            let _ =
                writeln!(text, "# part {formula} {number}: for all {}: {matrix}", vars.join(", "));
        }
    }
    for term in &proof.terms {
        line(&mut text, &["ground", &format!("F{}", term.fun.index()), &numbers(&term.args)]);
    }
    for instance in &proof.instances {
        let (formula, part) = (instance.formula.to_string(), instance.part.to_string());
        line(&mut text, &["instance", &formula, &part, &numbers(&instance.terms)]);
    }
    for law in &proof.laws {
        let literal = |(positive, atom): &(bool, Atom)| {
            let sign = if *positive { "" } else { "not " };
            match atom {
                Atom::Equal(a, b) => format!("{sign}eq G{a} G{b}"),
                Atom::Holds(rel, args) => {
                    format!("{sign}R{} {}", rel.index(), numbers(args)).trim_end().to_owned()
                }
            }
        };
        let literals: Vec<String> = law.literals.iter().map(literal).collect();
        line(&mut text, &["law", &literals.join(" | ")]);
    }
    text
}

/// The ground formula in DIMACS, with the meanings of its variables as comments.
pub(crate) fn dimacs(ground: &Ground) -> String {
    let mut text = String::new();
    let arena = &ground.universal.arena;
    for (number, &meaning) in ground.cnf.meanings.iter().enumerate() {
        let printed = arena.print(&ground.universal.vocabulary, meaning).replace('\n', " ");
        let _ = writeln!(text, "c {} {printed}", number + 1);
    }
    let (variables, clauses) = (ground.cnf.meanings.len(), &ground.cnf.clauses);
    let _ = writeln!(text, "p cnf {variables} {}", clauses.len());
    for clause in clauses {
        let _ = writeln!(text, "{}0", literals(clause));
    }
    text
}

/// The steps in the LRAT format, the clauses before them being `before`.
pub(crate) fn lrat(steps: &[Step], before: usize) -> String {
    let mut text = String::new();
    for (number, step) in steps.iter().enumerate() {
        let hints: String = step.hints.iter().map(|h| format!("{h} ")).collect();
        let _ = writeln!(text, "{} {}0 {hints}0", before + number + 1, literals(&step.clause));
    }
    text
}

/// The steps in the DRAT format.
pub(crate) fn drat(steps: &[Step]) -> String {
    steps.iter().map(|step| format!("{}0\n", literals(&step.clause))).collect()
}

fn literals(clause: &[i32]) -> String {
    clause.iter().map(|l| format!("{l} ")).collect()
}

fn line(text: &mut String, words: &[&str]) {
    text.push_str(words.join(" ").trim_end());
    text.push('\n');
}

fn numbers(terms: &[usize]) -> String {
    let words: Vec<String> = terms.iter().map(|t| format!("G{t}")).collect();
    words.join(" ")
}

/// The sorts of the arguments and of the result.
fn sorts(vocabulary: &Vocabulary, fun: FunId) -> String {
    let fun = vocabulary.fun(fun);
    let all = fun.args.iter().chain([&fun.result]);
    all.map(|s| format!("S{}", s.index())).collect::<Vec<_>>().join(" ")
}

fn quoted(name: &str) -> String {
    let mut text = String::from('"');
    for c in name.chars() {
        match c {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            c => text.push(c),
        }
    }
    text.push('"');
    text
}

/// The nodes of formulas, each on a line before the first that uses it.
struct Nodes<'a> {
    arena: &'a Arena,
    text: String,
    vars: HashMap<VarId, usize>,
    terms: HashMap<TermId, usize>,
    formulas: HashMap<FormulaId, usize>,
}

impl Nodes<'_> {
    /// A variable; declared where a walk from the outside in first meets it, as in
    /// [`Statement::copy`], because Skolemisation looks at the order of variables.
    fn var(&mut self, var: VarId) -> usize {
        if let Some(&number) = self.vars.get(&var) {
            return number;
        }
        let node = self.arena.var(var);
        let sort = format!("S{}", node.sort.index());
        line(&mut self.text, &["variable", &quoted(&node.name), &sort]);
        let number = self.vars.len();
        self.vars.insert(var, number);
        number
    }

    fn term(&mut self, id: TermId) -> usize {
        if let Some(&number) = self.terms.get(&id) {
            return number;
        }
        let words = match self.arena.term(id) {
            Term::Var(v) => format!("V{}", self.var(*v)),
            Term::App(fun, args) => format!("F{}{}", fun.index(), self.terms(args)),
            Term::Ite(c, a, b) => {
                let condition = self.formula(*c);
                format!("ite A{condition}{}", self.terms(&[*a, *b]))
            }
            Term::Num(_) | Term::Arith(..) => unreachable!("a statement has no integers"),
        };
        line(&mut self.text, &["term", &words]);
        let number = self.terms.len();
        self.terms.insert(id, number);
        number
    }

    fn terms(&mut self, terms: &[TermId]) -> String {
        terms.iter().map(|&t| format!(" T{}", self.term(t))).collect()
    }

    fn formula(&mut self, id: FormulaId) -> usize {
        if let Some(&number) = self.formulas.get(&id) {
            return number;
        }
        let words = match self.arena.formula(id) {
            Formula::True | Formula::False => unreachable!("these have their numbers"),
            Formula::Rel(rel, args) => format!("R{}{}", rel.index(), self.terms(args)),
            Formula::Eq(a, b) => format!("eq{}", self.terms(&[*a, *b])),
            Formula::Le(..) | Formula::Lt(..) => unreachable!("a statement has no integers"),
            Formula::Not(a) => format!("not{}", self.all(&[*a])),
            Formula::And(parts) => format!("and{}", self.all(parts)),
            Formula::Or(parts) => format!("or{}", self.all(parts)),
            Formula::Implies(a, b) => format!("implies{}", self.all(&[*a, *b])),
            Formula::Iff(a, b) => format!("iff{}", self.all(&[*a, *b])),
            Formula::Quant(q, vars, body) => {
                let word = if *q == Quantifier::Forall { "forall" } else { "exists" };
                let bound: String = vars.iter().map(|&v| format!(" V{}", self.var(v))).collect();
                format!("{word}{}{bound}", self.all(&[*body]))
            }
        };
        line(&mut self.text, &["formula", &words]);
        let number = self.formulas.len();
        self.formulas.insert(id, number);
        number
    }

    fn all(&mut self, parts: &[FormulaId]) -> String {
        parts.iter().map(|&p| format!(" A{}", self.formula(p))).collect()
    }
}
