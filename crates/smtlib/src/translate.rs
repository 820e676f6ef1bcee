//! From symbols and formulas to SMT-LIB text.
//!
//! Formulas share subformulas; text cannot. A subformula that is large and used more than once gets
//! a `define-fun` whose parameters are its free variables, so it can be used under any binder, and
//! by later formulas too. The text stays linear in the number of nodes.
//!
//! **Invariants**: nothing is said twice to the same process. Printing does not recurse. Bound
//! variables shadow as in the arena, because a variable's symbol has its id.

use std::collections::{BTreeMap, BTreeSet};

use trellis_logic::{
    Arena, ArithOp, Formula, FormulaId, Quantifier, SortId, Term, VarId, Vocabulary,
};
use trellis_solver::record::nodes::{Node, Walk};

use crate::names::{
    push_assumption, push_fmt, push_fun, push_rel, push_shared_formula, push_shared_term,
    push_sort, push_var,
};
use crate::shrink::Bound;

/// A repeated subformula is named if writing it out would take at least so many nodes.
const WORTH_NAMING: u64 = 12;

/// What one process was told about symbols and formulas.
#[derive(Default)]
pub(crate) struct Translation {
    sorts: usize,
    funs: usize,
    rels: usize,
    named: BTreeSet<Node>,
    assumable: BTreeSet<FormulaId>,
    /// Up to which size each sort can be bounded.
    bounded: BTreeMap<SortId, u32>,
}

/// A piece of text that is still to be written.
enum Piece {
    Text(&'static str),
    Node(Node),
}

impl Translation {
    /// Declares the symbols that are new.
    pub(crate) fn declare(&mut self, vocabulary: &Vocabulary, out: &mut String) {
        for sort in vocabulary.sorts().skip(self.sorts.max(1)) {
            out.push_str("(declare-sort ");
            push_sort(out, vocabulary, sort);
            out.push_str(" 0)\n");
        }
        for fun in vocabulary.funs().skip(self.funs) {
            out.push_str("(declare-fun ");
            push_fun(out, vocabulary, fun);
            push_signature(out, vocabulary, &vocabulary.fun(fun).args);
            push_sort(out, vocabulary, vocabulary.fun(fun).result);
            out.push_str(")\n");
        }
        for rel in vocabulary.rels().skip(self.rels) {
            out.push_str("(declare-fun ");
            push_rel(out, vocabulary, rel);
            push_signature(out, vocabulary, &vocabulary.rel(rel).args);
            out.push_str("Bool)\n");
        }
        self.sorts = vocabulary.sorts().len();
        self.funs = vocabulary.funs().len();
        self.rels = vocabulary.rels().len();
    }

    /// How many formulas can be assumed.
    pub(crate) fn assumptions(&self) -> usize {
        self.assumable.len()
    }

    /// Asserts a closed formula.
    pub(crate) fn assert(
        &mut self,
        vocabulary: &Vocabulary,
        arena: &Arena,
        formula: FormulaId,
        out: &mut String,
    ) {
        self.name_shared(vocabulary, arena, formula, out);
        out.push_str("(assert ");
        self.push(vocabulary, arena, Node::Formula(formula), out);
        out.push_str(")\n");
    }

    /// Makes sure that a closed formula can be assumed by its constant.
    pub(crate) fn make_assumable(
        &mut self,
        vocabulary: &Vocabulary,
        arena: &Arena,
        formula: FormulaId,
        out: &mut String,
    ) {
        if !self.assumable.insert(formula) {
            return;
        }
        self.name_shared(vocabulary, arena, formula, out);
        out.push_str("(declare-fun ");
        push_assumption(out, formula);
        out.push_str(" () Bool)\n(assert (=> ");
        push_assumption(out, formula);
        out.push(' ');
        self.push(vocabulary, arena, Node::Formula(formula), out);
        out.push_str("))\n");
    }

    /// Makes sure that a bound and all smaller ones of the sort can be assumed.
    pub(crate) fn bound(&mut self, vocabulary: &Vocabulary, bound: Bound, out: &mut String) {
        let sort = bound.sort;
        let done = self.bounded.entry(sort).or_insert(0);
        while *done < bound.size {
            *done += 1;
            Bound { sort, size: *done }.push_definition(vocabulary, out);
        }
    }

    /// Defines names for what is large and used more than once in a formula.
    fn name_shared(
        &mut self,
        vocabulary: &Vocabulary,
        arena: &Arena,
        formula: FormulaId,
        out: &mut String,
    ) {
        let mut uses: BTreeMap<Node, u32> = BTreeMap::new();
        let mut order = Vec::new();
        Walk::new().visit(arena, Node::Formula(formula), |node| {
            for child in node.children(arena) {
                *uses.entry(child).or_default() += 1;
            }
            order.push(node);
        });
        // The length of each node's text if the nodes named so far are used by name.
        let mut lengths: BTreeMap<Node, u64> = BTreeMap::new();
        for node in order {
            let length = node
                .children(arena)
                .iter()
                .fold(1_u64, |sum, child| sum.saturating_add(lengths.get(child).map_or(1, |&l| l)));
            let repeated = uses.get(&node).is_some_and(|&count| count > 1);
            if repeated && length >= WORTH_NAMING && !self.named.contains(&node) {
                self.define(vocabulary, arena, node, out);
            }
            lengths.insert(node, if self.named.contains(&node) { 1 } else { length });
        }
    }

    fn define(&mut self, vocabulary: &Vocabulary, arena: &Arena, node: Node, out: &mut String) {
        out.push_str("(define-fun ");
        push_name(out, node);
        out.push(' ');
        push_binder(out, vocabulary, arena, free_vars(arena, node));
        out.push(' ');
        match node {
            Node::Formula(_) => out.push_str("Bool"),
            Node::Term(t) => push_sort(out, vocabulary, arena.sort_of(vocabulary, t)),
        }
        out.push(' ');
        self.push(vocabulary, arena, node, out);
        out.push_str(")\n");
        self.named.insert(node);
    }

    /// Writes a term or a formula.
    fn push(&self, vocabulary: &Vocabulary, arena: &Arena, root: Node, out: &mut String) {
        let mut stack = vec![Piece::Node(root)];
        let mut parts = Vec::new();
        while let Some(piece) = stack.pop() {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Node(node) if self.named.contains(&node) => push_use(out, arena, node),
                Piece::Node(node) => {
                    push_head(out, vocabulary, arena, node);
                    for child in node.children(arena) {
                        parts.extend([Piece::Text(" "), Piece::Node(child)]);
                    }
                    if !parts.is_empty() {
                        parts.push(Piece::Text(")"));
                    }
                    stack.extend(parts.drain(..).rev());
                }
            }
        }
    }
}

/// The text of a node before its children, the opening parenthesis included.
fn push_head(out: &mut String, vocabulary: &Vocabulary, arena: &Arena, node: Node) {
    let head = match node {
        Node::Term(t) => match arena.term(t) {
            Term::Var(v) => return push_var(out, arena, *v),
            Term::Num(n) if *n < 0 => {
                return push_fmt(out, format_args!("(- {})", n.unsigned_abs()));
            }
            Term::Num(n) => return push_fmt(out, format_args!("{n}")),
            Term::App(fun, args) => {
                out.push_str(if args.is_empty() { "" } else { "(" });
                return push_fun(out, vocabulary, *fun);
            }
            Term::Arith(ArithOp::Add, ..) => "(+",
            Term::Arith(ArithOp::Sub, ..) => "(-",
            Term::Arith(ArithOp::Mul, ..) => "(*",
            Term::Ite(..) => "(ite",
        },
        Node::Formula(f) => match arena.formula(f) {
            Formula::True => "true",
            Formula::False => "false",
            Formula::Rel(rel, args) => {
                out.push_str(if args.is_empty() { "" } else { "(" });
                return push_rel(out, vocabulary, *rel);
            }
            Formula::Eq(..) | Formula::Iff(..) => "(=",
            Formula::Le(..) => "(<=",
            Formula::Lt(..) => "(<",
            Formula::Not(_) => "(not",
            Formula::And(_) => "(and",
            Formula::Or(_) => "(or",
            Formula::Implies(..) => "(=>",
            Formula::Quant(quantifier, vars, _) => {
                out.push_str(match quantifier {
                    Quantifier::Forall => "(forall ",
                    Quantifier::Exists => "(exists ",
                });
                return push_binder(out, vocabulary, arena, vars);
            }
        },
    };
    out.push_str(head);
}

fn free_vars(arena: &Arena, node: Node) -> &[VarId] {
    match node {
        Node::Term(t) => arena.free_vars_of_term(t),
        Node::Formula(f) => arena.free_vars(f),
    }
}

fn push_name(out: &mut String, node: Node) {
    match node {
        Node::Term(t) => push_shared_term(out, t),
        Node::Formula(f) => push_shared_formula(out, f),
    }
}

fn push_use(out: &mut String, arena: &Arena, node: Node) {
    let vars = free_vars(arena, node);
    if vars.is_empty() {
        return push_name(out, node);
    }
    out.push('(');
    push_name(out, node);
    for &var in vars {
        out.push(' ');
        push_var(out, arena, var);
    }
    out.push(')');
}

fn push_binder(out: &mut String, vocabulary: &Vocabulary, arena: &Arena, vars: &[VarId]) {
    out.push('(');
    for (i, &var) in vars.iter().enumerate() {
        out.push_str(if i == 0 { "(" } else { " (" });
        push_var(out, arena, var);
        out.push(' ');
        push_sort(out, vocabulary, arena.var(var).sort);
        out.push(')');
    }
    out.push(')');
}

fn push_signature(out: &mut String, vocabulary: &Vocabulary, args: &[SortId]) {
    out.push_str(" (");
    for (i, &sort) in args.iter().enumerate() {
        out.push_str(if i == 0 { "" } else { " " });
        push_sort(out, vocabulary, sort);
    }
    out.push_str(") ");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_stays_linear_in_shared_formulas() {
        let mut vocabulary = Vocabulary::new();
        let node = vocabulary.sort("node");
        let p = vocabulary.relation("p", &[node]);
        let mut arena = Arena::new();
        let v = arena.variable("v", node);
        let x = arena.var_term(v);
        let mut formula = arena.rel(p, &[x]);
        for _ in 0..200 {
            let negated = arena.not(formula);
            let both = arena.and([formula, negated]);
            assert_eq!(both, FormulaId::FALSE);
            let not_equal = arena.iff(formula, negated);
            formula = arena.iff(not_equal, formula);
        }
        let formula = arena.forall(&[v], formula);
        let mut out = String::new();
        let mut translation = Translation::default();
        translation.declare(&vocabulary, &mut out);
        translation.assert(&vocabulary, &arena, formula, &mut out);
        assert!(out.len() < 100_000, "{} bytes", out.len());
    }

    #[test]
    fn assuming_again_says_nothing() {
        let mut vocabulary = Vocabulary::new();
        let p = vocabulary.relation("p", &[]);
        let mut arena = Arena::new();
        let formula = arena.rel(p, &[]);
        let (mut first, mut second) = (String::new(), String::new());
        let mut translation = Translation::default();
        translation.declare(&vocabulary, &mut first);
        translation.make_assumable(&vocabulary, &arena, formula, &mut first);
        translation.declare(&vocabulary, &mut second);
        translation.make_assumable(&vocabulary, &arena, formula, &mut second);
        assert_eq!(
            first,
            "(declare-fun |p r0| () Bool)\n\
             (declare-fun |assume a2| () Bool)\n\
             (assert (=> |assume a2| |p r0|))\n"
        );
        assert_eq!(second, "");
    }
}
