//! Cubes and clauses over the elements of a state.
//!
//! **Invariant.** A cube is a conjunction of literals over the symbols of a state and the constants
//! e₁, e₂, … that stand for some elements; as a formula the constants are existential. Its negation
//! is the clause in which they are universal variables: a lemma.

use std::collections::BTreeSet;

use trellis_logic::{Arena, Formula, FormulaId, FunId, Term, TermId, VarId};
use trellis_transys::LocationId;

/// An atom and its truth value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Literal {
    /// The atom; a formula of the state.
    pub atom: FormulaId,
    /// Whether it holds.
    pub positive: bool,
}

/// A conjunction of literals.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cube {
    /// The literals.
    pub literals: Vec<Literal>,
    /// How many of the constants e₁, e₂, … it may mention.
    pub elements: usize,
}

/// A clause that holds in the frames up to a level.
#[derive(Clone, Debug)]
pub struct Lemma {
    /// Where it holds.
    pub at: LocationId,
    /// What it excludes.
    pub cube: Cube,
    /// The clause as a formula, universal over the elements.
    pub clause: FormulaId,
    /// The highest frame in which it is known to hold.
    pub level: usize,
}

impl Literal {
    /// The literal as a formula.
    pub fn formula(self, arena: &mut Arena) -> FormulaId {
        if self.positive { self.atom } else { arena.not(self.atom) }
    }
}

impl Cube {
    /// The clause that excludes the cube. `elements` are the constants for elements, `vars` the
    /// variables that stand for them.
    ///
    /// An element that equals a constant of the state is replaced by it.
    pub fn negation(&self, arena: &mut Arena, elements: &[FunId], vars: &[VarId]) -> FormulaId {
        let literals = self.without_pinned(arena, elements);
        let mut parts = Vec::with_capacity(literals.len());
        for literal in literals {
            let formula = literal.formula(arena);
            parts.push(arena.not(formula));
        }
        let body = arena.or(parts);
        close(arena, body, &elements[..self.elements], vars)
    }

    /// The literals without elements that the cube says are equal to a constant of the state.
    pub fn without_pinned(&self, arena: &mut Arena, elements: &[FunId]) -> Vec<Literal> {
        let mut literals = self.literals.clone();
        let known: BTreeSet<FunId> = elements[..self.elements].iter().copied().collect();
        while let Some((element, term)) = literals.iter().find_map(|l| pinned(arena, *l, &known)) {
            let definitions = {
                let mut d = trellis_logic::Definitions::new();
                d.define_fun(element, &[], term);
                d
            };
            let mut kept = Vec::new();
            for literal in &literals {
                let atom = arena.expand(literal.atom, &definitions);
                match (atom, literal.positive) {
                    (FormulaId::TRUE, true) | (FormulaId::FALSE, false) => {}
                    (atom, positive) => kept.push(Literal { atom, positive }),
                }
            }
            literals = kept;
        }
        literals
    }
}

/// An element and the constant that the literal says it equals.
fn pinned(arena: &Arena, literal: Literal, elements: &BTreeSet<FunId>) -> Option<(FunId, TermId)> {
    let Formula::Eq(a, b) = arena.formula(literal.atom) else { return None };
    let constant = |t: TermId| match arena.term(t) {
        Term::App(fun, args) if args.is_empty() => Some(*fun),
        _ => None,
    };
    if !literal.positive {
        return None;
    }
    match (constant(*a)?, constant(*b)?) {
        (_, e) if elements.contains(&e) => Some((e, *a)),
        (e, _) if elements.contains(&e) => Some((e, *b)),
        _ => None,
    }
}

/// Replaces the constants that occur by the first variables and quantifies over them.
fn close(arena: &mut Arena, body: FormulaId, elements: &[FunId], vars: &[VarId]) -> FormulaId {
    let used = arena.symbols_in_use(body).funs;
    let occurring = elements.iter().filter(|e| used.contains(e));
    let mut definitions = trellis_logic::Definitions::new();
    let mut count = 0;
    for (fun, var) in occurring.zip(vars) {
        let term = arena.var_term(*var);
        definitions.define_fun(*fun, &[], term);
        count += 1;
    }
    let body = arena.expand(body, &definitions);
    arena.forall(&vars[..count], body)
}
