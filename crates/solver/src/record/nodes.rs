//! Walking the nodes of formulas, children first.
//!
//! **Invariants**: a walk meets every distinct node once, however many roots it starts from, and
//! every node after its children. It does not recurse.

use std::collections::BTreeSet;

use trellis_logic::{Arena, Formula, FormulaId, Term, TermId};

/// A term or a formula.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Node {
    /// A term.
    Term(TermId),
    /// A formula.
    Formula(FormulaId),
}

impl Node {
    /// The direct subterms and subformulas.
    pub fn children(self, arena: &Arena) -> Vec<Node> {
        let terms = |args: &[TermId]| args.iter().map(|&a| Node::Term(a)).collect();
        match self {
            Node::Term(t) => match arena.term(t) {
                Term::Var(_) | Term::Num(_) => Vec::new(),
                Term::App(_, args) => terms(args),
                Term::Arith(_, a, b) => terms(&[*a, *b]),
                Term::Ite(c, a, b) => vec![Node::Formula(*c), Node::Term(*a), Node::Term(*b)],
            },
            Node::Formula(f) => match arena.formula(f) {
                Formula::True | Formula::False => Vec::new(),
                Formula::Rel(_, args) => terms(args),
                Formula::Eq(a, b) | Formula::Le(a, b) | Formula::Lt(a, b) => terms(&[*a, *b]),
                Formula::Not(a) | Formula::Quant(_, _, a) => vec![Node::Formula(*a)],
                Formula::And(parts) | Formula::Or(parts) => {
                    parts.iter().map(|&p| Node::Formula(p)).collect()
                }
                Formula::Implies(a, b) | Formula::Iff(a, b) => {
                    vec![Node::Formula(*a), Node::Formula(*b)]
                }
            },
        }
    }
}

/// A walk over one arena.
#[derive(Clone, Default, Debug)]
pub struct Walk {
    seen: BTreeSet<Node>,
}

impl Walk {
    /// A walk that has seen nothing.
    pub fn new() -> Walk {
        Walk::default()
    }

    /// Meets all nodes below and including `root` that were not met before.
    pub fn visit(&mut self, arena: &Arena, root: Node, mut at: impl FnMut(Node)) {
        let mut stack = vec![(root, false)];
        while let Some((node, children_done)) = stack.pop() {
            if children_done {
                at(node);
            } else if self.seen.insert(node) {
                stack.push((node, true));
                stack.extend(node.children(arena).into_iter().rev().map(|child| (child, false)));
            }
        }
    }
}
