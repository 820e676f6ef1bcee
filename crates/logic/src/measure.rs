//! Questions about a formula: which symbols it uses, how big it is, whether it has quantifiers.
//!
//! Free variables are kept by the arena itself, see [`Arena::free_vars`].
//!
//! **Invariant**: every distinct node is visited once.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use crate::arena::{Arena, Formula, Term};
use crate::ids::{FormulaId, FunId, RelId, TermId};

/// The symbols that occur in a formula.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct SymbolsInUse {
    /// Functions and constants.
    pub funs: BTreeSet<FunId>,
    /// Relations.
    pub rels: BTreeSet<RelId>,
}

/// Visits every distinct subterm and subformula once, each node before its children.
pub(crate) struct Walk<'a> {
    arena: &'a Arena,
    seen_terms: FxHashSet<TermId>,
    seen_formulas: FxHashSet<FormulaId>,
}

/// A node met on a walk.
#[derive(Clone, Copy)]
pub(crate) enum Node {
    Term(TermId),
    Formula(FormulaId),
}

impl<'a> Walk<'a> {
    pub(crate) fn new(arena: &'a Arena) -> Self {
        let (seen_terms, seen_formulas) = (FxHashSet::default(), FxHashSet::default());
        Walk { arena, seen_terms, seen_formulas }
    }

    pub(crate) fn visit(&mut self, root: Node, mut at: impl FnMut(Node)) {
        let mut stack = vec![root];
        while let Some(node) = stack.pop() {
            let new = match node {
                Node::Term(t) => self.seen_terms.insert(t),
                Node::Formula(f) => self.seen_formulas.insert(f),
            };
            if new {
                at(node);
                let from = stack.len();
                self.children(node, &mut stack);
                stack[from..].reverse();
            }
        }
    }

    fn children(&self, node: Node, out: &mut Vec<Node>) {
        match node {
            Node::Term(t) => match self.arena.term(t) {
                Term::Var(_) | Term::Num(_) => {}
                Term::App(_, args) => out.extend(args.iter().map(|&a| Node::Term(a))),
                Term::Arith(_, a, b) => out.extend([Node::Term(*a), Node::Term(*b)]),
                Term::Ite(c, a, b) => {
                    out.extend([Node::Formula(*c), Node::Term(*a), Node::Term(*b)]);
                }
            },
            Node::Formula(f) => match self.arena.formula(f) {
                Formula::True | Formula::False => {}
                Formula::Rel(_, args) => out.extend(args.iter().map(|&a| Node::Term(a))),
                Formula::Eq(a, b) | Formula::Le(a, b) | Formula::Lt(a, b) => {
                    out.extend([Node::Term(*a), Node::Term(*b)]);
                }
                Formula::Not(a) | Formula::Quant(_, _, a) => out.push(Node::Formula(*a)),
                Formula::And(parts) | Formula::Or(parts) => {
                    out.extend(parts.iter().map(|&p| Node::Formula(p)));
                }
                Formula::Implies(a, b) | Formula::Iff(a, b) => {
                    out.extend([Node::Formula(*a), Node::Formula(*b)]);
                }
            },
        }
    }
}

impl Arena {
    /// The symbols that occur in a formula.
    pub fn symbols_in_use(&self, formula: FormulaId) -> SymbolsInUse {
        let mut used = SymbolsInUse::default();
        Walk::new(self).visit(Node::Formula(formula), |node| match node {
            Node::Term(t) => {
                if let Term::App(fun, _) = self.term(t) {
                    used.funs.insert(*fun);
                }
            }
            Node::Formula(f) => {
                if let Formula::Rel(rel, _) = self.formula(f) {
                    used.rels.insert(*rel);
                }
            }
        });
        used
    }

    /// How many distinct nodes, terms and formulas, a formula consists of.
    pub fn size(&self, formula: FormulaId) -> usize {
        let mut count = 0;
        Walk::new(self).visit(Node::Formula(formula), |_| count += 1);
        count
    }

    /// Whether a formula has no quantifier, the conditions of its terms included.
    pub fn is_quantifier_free(&self, formula: FormulaId) -> bool {
        let mut free = true;
        Walk::new(self).visit(Node::Formula(formula), |node| {
            if let Node::Formula(f) = node {
                free &= !matches!(self.formula(f), Formula::Quant(..));
            }
        });
        free
    }
}
