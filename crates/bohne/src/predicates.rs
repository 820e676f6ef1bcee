//! The predicates of a location: formulas with one free variable for an object (section 3.2).
//!
//! A **singleton predicate** `x = v` holds of exactly one object, that of a variable. A **state
//! predicate** does not speak of the object, so it has one value in a state.

use trellis_logic::{Arena, FormulaId, Subst, TermId, VarId};

use crate::cube::Bits;
use crate::heap::HeapSpace;

/// A predicate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Predicate {
    /// What it says of the object.
    pub formula: FormulaId,
    /// The variable, if it is a singleton predicate.
    pub single: Option<TermId>,
}

/// The predicates of a location.
#[derive(Clone, Debug)]
pub struct Predicates {
    /// All of them.
    pub all: Vec<Predicate>,
    /// Where heaps over them live.
    pub space: HeapSpace,
    /// The numbers of the singleton predicates.
    pub singles: Vec<usize>,
    /// The state predicates.
    pub states: Bits,
}

impl Predicates {
    /// The predicates of a location, over an object variable.
    pub fn new(arena: &Arena, all: Vec<Predicate>) -> Predicates {
        let space = HeapSpace::new(all.len());
        let singles = (0..all.len()).filter(|&i| all[i].single.is_some()).collect();
        let closed = |i: &usize| arena.free_vars(all[*i].formula).is_empty();
        let states = (0..all.len()).filter(closed).fold(0, |bits, i| bits | 1 << i);
        Predicates { all, space, singles, states }
    }

    /// What the predicates say, seen through a map of formulas.
    pub fn view(
        &self,
        arena: &mut Arena,
        var: VarId,
        object: TermId,
        mut through: impl FnMut(&mut Arena, FormulaId) -> FormulaId,
    ) -> View {
        let formulas: Vec<FormulaId> = self.all.iter().map(|p| through(arena, p.formula)).collect();
        let at = |arena: &mut Arena, formula: FormulaId, term: TermId| {
            arena.subst(formula, &Subst::single(var, term))
        };
        let of_object = formulas.iter().map(|&f| at(arena, f, object)).collect();
        let singles = self.singles.iter().filter_map(|&i| self.all[i].single);
        let of_single = singles
            .map(|x| {
                let mut of_x = |p: &Predicate| {
                    let said = at(arena, p.formula, x);
                    through(arena, said)
                };
                self.all.iter().map(&mut of_x).collect()
            })
            .collect();
        View { formulas, of_object, of_single }
    }
}

/// Predicates as formulas over the state at the beginning of a path.
#[derive(Clone, Debug)]
pub struct View {
    /// With the object variable.
    pub formulas: Vec<FormulaId>,
    /// Of the object that a question is about.
    pub of_object: Vec<FormulaId>,
    /// Of the object of every singleton predicate, in their order.
    pub of_single: Vec<Vec<FormulaId>>,
}
