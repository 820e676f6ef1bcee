//! Programs from text: formulas as parenthesised prefix notation.
//!
//! `(forall v … body)`, `and or not => <=> = !=`, relations by name; a field's name is its closure,
//! and `(succ next x y)` says that y is the next node after x.

use trellis_logic::{
    Arena, Definitions, FormulaId, FunId, RelId, SortId, TermId, VarId, Vocabulary,
};
use trellis_solver::theory;

/// A program as text.
pub struct Source {
    pub name: &'static str,
    /// What no step changes.
    pub constants: &'static str,
    pub variables: &'static str,
    pub fields: &'static str,
    /// Unary relations.
    pub relations: &'static str,
    pub order: &'static str,
    pub init: &'static [&'static str],
    pub paths: &'static [Path],
    /// States that must not be reached; the formula is about the state after the stores, but for
    /// what it says of variables that are not assigned.
    pub bad: &'static [Path],
}

/// A way through the loop: when, the stores in order, then assignments all at once.
pub struct Path {
    pub guard: &'static str,
    pub stores: &'static [(&'static str, &'static str, &'static str)],
    pub assigns: &'static [(&'static str, &'static str)],
}

/// A program in the logic.
pub struct Program {
    pub vocabulary: Vocabulary,
    pub arena: Arena,
    pub node: SortId,
    pub null: FunId,
    /// What diagrams speak of beside relations.
    pub constants: Vec<FunId>,
    pub relations: Vec<RelId>,
    pub axioms: Vec<FormulaId>,
    pub init: FormulaId,
    pub paths: Vec<(FormulaId, Vec<Definitions>)>,
    pub bad: Vec<FormulaId>,
}

/// Reads a program.
pub fn program(source: &Source) -> Program {
    let mut vocabulary = Vocabulary::new();
    let node = vocabulary.sort("struct node *");
    let null = vocabulary.null("null", node);
    let mut constants = vec![null];
    for name in source.constants.split_whitespace() {
        let constant = vocabulary.constant(name, node);
        if name != "t" {
            constants.push(constant);
        }
    }
    constants.extend(source.variables.split_whitespace().map(|n| vocabulary.variable(n, node)));
    let mut relations = Vec::new();
    for name in source.fields.split_whitespace() {
        let field = vocabulary.field(format!("->{name}"), node, node);
        relations.push(vocabulary.closure(name, field));
    }
    let unary = source.relations.split_whitespace();
    relations.extend(unary.map(|n| vocabulary.relation(n, &[node])));
    let mut arena = Arena::new();
    let mut axioms = theory::axioms(&mut arena, &vocabulary);
    for name in source.order.split_whitespace() {
        let order = vocabulary.relation(name, &[node, node]);
        axioms.extend(theory::total_preorder(&mut arena, &vocabulary, order));
        relations.push(order);
    }
    let mut read = Read { vocabulary: &vocabulary, arena: &mut arena, node, bound: Vec::new() };
    let init: Vec<_> = source.init.iter().map(|text| read.formula(text)).collect();
    let paths = source.paths.iter().map(|p| (read.formula(p.guard), read.steps(p))).collect();
    let bad = source
        .bad
        .iter()
        .map(|path| {
            let (formula, steps) = (read.formula(path.guard), read.steps(path));
            after(read.arena, formula, &steps)
        })
        .collect();
    let init = arena.and(init);
    Program { vocabulary, arena, node, null, constants, relations, axioms, init, paths, bad }
}

/// A formula about the state after some steps, as one about the state before.
pub fn after(arena: &mut Arena, formula: FormulaId, steps: &[Definitions]) -> FormulaId {
    steps.iter().rev().fold(formula, |formula, step| arena.expand(formula, step))
}

struct Read<'a> {
    vocabulary: &'a Vocabulary,
    arena: &'a mut Arena,
    node: SortId,
    bound: Vec<VarId>,
}

impl Read<'_> {
    fn steps(&mut self, path: &Path) -> Vec<Definitions> {
        let mut steps = Vec::new();
        for (field, x, y) in path.stores {
            let rel = self.vocabulary.find_rel(field).expect(field);
            let (x, y) = (self.term(x), self.term(y));
            steps.push(theory::store(self.arena, self.vocabulary, rel, x, y));
        }
        let mut last = Definitions::new();
        for (variable, value) in path.assigns {
            let variable = self.vocabulary.find_fun(variable).expect(variable);
            let value = self.term(value);
            last.define_fun(variable, &[], value);
        }
        steps.push(last);
        steps
    }

    fn formula(&mut self, text: &str) -> FormulaId {
        let spaced = text.replace('(', " ( ").replace(')', " ) ");
        let words: Vec<&str> = spaced.split_whitespace().collect();
        let mut rest = &words[..];
        let formula = self.parse(&mut rest);
        assert!(rest.is_empty(), "{text}");
        formula
    }

    fn term(&mut self, name: &str) -> TermId {
        let bound = self.bound.iter().rev().find(|&&v| self.arena.var(v).name == name);
        match bound {
            Some(&var) => self.arena.var_term(var),
            None => self.arena.constant(self.vocabulary.find_fun(name).expect(name)),
        }
    }

    fn parse(&mut self, words: &mut &[&str]) -> FormulaId {
        assert_eq!(take(words), "(");
        let head = take(words);
        if head == "forall" || head == "exists" {
            let depth = self.bound.len();
            while words[0] != "(" {
                let var = self.arena.variable(take(words), self.node);
                self.bound.push(var);
            }
            let body = self.parse(words);
            assert_eq!(take(words), ")");
            let vars = self.bound.split_off(depth);
            return match head {
                "forall" => self.arena.forall(&vars, body),
                _ => self.arena.exists(&vars, body),
            };
        }
        let (mut parts, mut names) = (Vec::new(), Vec::new());
        while words[0] != ")" {
            match words[0] {
                "(" => parts.push(self.parse(words)),
                _ => names.push(take(words)),
            }
        }
        take(words);
        let terms = |read: &mut Self, names: &[&str]| -> Vec<TermId> {
            names.iter().map(|n| read.term(n)).collect()
        };
        match head {
            "and" => self.arena.and(parts),
            "or" => self.arena.or(parts),
            "not" => self.arena.not(parts[0]),
            "=>" => self.arena.implies(parts[0], parts[1]),
            "<=>" => self.arena.iff(parts[0], parts[1]),
            "=" | "!=" => {
                let terms = terms(self, &names);
                match head {
                    "=" => self.arena.eq(terms[0], terms[1]),
                    _ => self.arena.ne(terms[0], terms[1]),
                }
            }
            "succ" => {
                let rel = self.vocabulary.find_rel(names[0]).expect(names[0]);
                let terms = terms(self, &names[1..]);
                theory::successor(self.arena, self.vocabulary, rel, terms[0], terms[1])
            }
            name => {
                let rel = self.vocabulary.find_rel(name).expect(name);
                let terms = terms(self, &names);
                self.arena.rel(rel, &terms)
            }
        }
    }
}

fn take<'a>(words: &mut &[&'a str]) -> &'a str {
    let (first, rest) = words.split_first().expect("a word");
    *words = rest;
    first
}
