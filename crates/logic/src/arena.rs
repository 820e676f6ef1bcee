//! Terms and formulas, hash-consed in an arena.
//!
//! **Invariants**: two formulas that were built alike have the same id; a node's children have
//! smaller ids than the node; every node carries the sorted list of its free variables, so that
//! asking for them is free. Variables are named: a binder binds [`VarId`]s, and an inner binder of
//! the same variable shadows the outer one.
//!
//! Nodes are made by the constructors in the [`build`](crate::build) module.

use crate::ids::{FormulaId, FunId, RelId, SortId, TermId, VarId};
use crate::interner::Interner;

/// A variable: what the user calls it, and its sort. Two variables differ if either differs.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Variable {
    /// The name as the user wrote it.
    pub name: String,
    /// The sort it ranges over.
    pub sort: SortId,
}

/// An operation on integers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ArithOp {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product of any two terms; linear or not is for the solver to ask.
    Mul,
}

impl ArithOp {
    /// The exact result, if it fits.
    pub fn apply(self, a: i128, b: i128) -> Option<i128> {
        match self {
            ArithOp::Add => a.checked_add(b),
            ArithOp::Sub => a.checked_sub(b),
            ArithOp::Mul => a.checked_mul(b),
        }
    }
}

/// A node of a term.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Term {
    /// A variable.
    Var(VarId),
    /// A function applied to arguments; a constant has none.
    App(FunId, Box<[TermId]>),
    /// A numeral.
    Num(i128),
    /// Arithmetic.
    Arith(ArithOp, TermId, TermId),
    /// `c ? a : b`.
    Ite(FormulaId, TermId, TermId),
}

/// Which quantifier.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Quantifier {
    /// There is an element.
    Exists,
    /// For all elements.
    Forall,
}

impl Quantifier {
    /// The other quantifier.
    pub fn dual(self) -> Self {
        match self {
            Quantifier::Exists => Quantifier::Forall,
            Quantifier::Forall => Quantifier::Exists,
        }
    }
}

/// A node of a formula.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Formula {
    /// Always holds.
    True,
    /// Never holds.
    False,
    /// A relation applied to arguments.
    Rel(RelId, Box<[TermId]>),
    /// Equality of two terms of one sort.
    Eq(TermId, TermId),
    /// At most, on integers.
    Le(TermId, TermId),
    /// Less than, on integers.
    Lt(TermId, TermId),
    /// Negation.
    Not(FormulaId),
    /// Conjunction of two or more.
    And(Box<[FormulaId]>),
    /// Disjunction of two or more.
    Or(Box<[FormulaId]>),
    /// Implication.
    Implies(FormulaId, FormulaId),
    /// Equivalence.
    Iff(FormulaId, FormulaId),
    /// A quantifier over one or more distinct variables.
    Quant(Quantifier, Box<[VarId]>, FormulaId),
}

/// A memory of terms, formulas and variables.
#[derive(Clone, Debug)]
pub struct Arena {
    vars: Interner<Variable>,
    terms: Interner<Term>,
    formulas: Interner<Formula>,
    free_in_term: Vec<Box<[VarId]>>,
    free_in_formula: Vec<Box<[VarId]>>,
}

impl Default for Arena {
    fn default() -> Self {
        Self::new()
    }
}

impl Arena {
    /// An arena that holds only true and false.
    pub fn new() -> Self {
        let mut arena = Arena {
            vars: Interner::new(),
            terms: Interner::new(),
            formulas: Interner::new(),
            free_in_term: Vec::new(),
            free_in_formula: Vec::new(),
        };
        let top = arena.intern_formula(Formula::True);
        let bottom = arena.intern_formula(Formula::False);
        debug_assert_eq!((top, bottom), (FormulaId::TRUE, FormulaId::FALSE));
        arena
    }

    /// The variable with this name and sort.
    pub fn variable(&mut self, name: impl Into<String>, sort: SortId) -> VarId {
        VarId(self.vars.intern(Variable { name: name.into(), sort }).0)
    }

    /// A variable of the sort of `var` whose name no variable in `avoid` bears: `var` itself if
    /// possible, else its name with the smallest number that is free.
    pub fn variant(&mut self, var: VarId, avoid: &[VarId]) -> VarId {
        let Variable { name, sort } = self.var(var).clone();
        if !avoid.iter().any(|&v| self.var(v).name == name) {
            return var;
        }
        let stem = match name.rsplit_once('_') {
            Some((stem, digits))
                if !stem.is_empty()
                    && !digits.is_empty()
                    && digits.bytes().all(|b| b.is_ascii_digit()) =>
            {
                stem
            }
            _ => &name,
        };
        let mut number = 1;
        loop {
            let name = format!("{stem}_{number}");
            if !avoid.iter().any(|&v| self.var(v).name == name) {
                return self.variable(name, sort);
            }
            number += 1;
        }
    }

    /// The name and sort of a variable.
    pub fn var(&self, id: VarId) -> &Variable {
        self.vars.get(id.0)
    }

    /// The node of a term.
    pub fn term(&self, id: TermId) -> &Term {
        self.terms.get(id.0)
    }

    /// The node of a formula.
    pub fn formula(&self, id: FormulaId) -> &Formula {
        self.formulas.get(id.0)
    }

    /// The free variables of a term, sorted.
    pub fn free_vars_of_term(&self, id: TermId) -> &[VarId] {
        &self.free_in_term[id.index()]
    }

    /// The free variables of a formula, sorted.
    pub fn free_vars(&self, id: FormulaId) -> &[VarId] {
        &self.free_in_formula[id.index()]
    }

    pub(crate) fn intern_term(&mut self, node: Term) -> TermId {
        let mut free = Vec::new();
        match &node {
            Term::Var(v) => free.push(*v),
            Term::Num(_) => {}
            Term::App(_, args) => {
                for a in args {
                    free.extend_from_slice(self.free_vars_of_term(*a));
                }
            }
            Term::Arith(_, a, b) => {
                free.extend_from_slice(self.free_vars_of_term(*a));
                free.extend_from_slice(self.free_vars_of_term(*b));
            }
            Term::Ite(c, a, b) => {
                free.extend_from_slice(self.free_vars(*c));
                free.extend_from_slice(self.free_vars_of_term(*a));
                free.extend_from_slice(self.free_vars_of_term(*b));
            }
        }
        let (id, new) = self.terms.intern(node);
        if new {
            self.free_in_term.push(sorted(free));
        }
        TermId(id)
    }

    pub(crate) fn intern_formula(&mut self, node: Formula) -> FormulaId {
        let mut free = Vec::new();
        match &node {
            Formula::True | Formula::False => {}
            Formula::Rel(_, args) => {
                for a in args {
                    free.extend_from_slice(self.free_vars_of_term(*a));
                }
            }
            Formula::Eq(a, b) | Formula::Le(a, b) | Formula::Lt(a, b) => {
                free.extend_from_slice(self.free_vars_of_term(*a));
                free.extend_from_slice(self.free_vars_of_term(*b));
            }
            Formula::Not(a) => free.extend_from_slice(self.free_vars(*a)),
            Formula::And(parts) | Formula::Or(parts) => {
                for p in parts {
                    free.extend_from_slice(self.free_vars(*p));
                }
            }
            Formula::Implies(a, b) | Formula::Iff(a, b) => {
                free.extend_from_slice(self.free_vars(*a));
                free.extend_from_slice(self.free_vars(*b));
            }
            Formula::Quant(_, vars, body) => {
                free.extend(self.free_vars(*body).iter().filter(|v| !vars.contains(v)));
            }
        }
        let (id, new) = self.formulas.intern(node);
        if new {
            self.free_in_formula.push(sorted(free));
        }
        FormulaId(id)
    }
}

fn sorted(mut vars: Vec<VarId>) -> Box<[VarId]> {
    vars.sort_unstable();
    vars.dedup();
    vars.into_boxed_slice()
}
