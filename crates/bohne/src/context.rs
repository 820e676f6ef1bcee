//! Contexts: what is known of a state besides the cube of an object (sections 3.2 and 4, Figure 8).
//!
//! A context formula Γ follows from the Boolean heaps it is made for. [`Gamma::instantiated`] is the
//! paper's: of every variable, what all cubes of its object have in common.
//!
//! State predicates need no place of their own here. They are part of every cube, so a question about
//! a complete cube has them as facts, even if what is asked does not speak of an object.
//!
//! **Invariant.** A larger set of heaps has a weaker context.

use trellis_logic::{Arena, FormulaId, VarId};

use crate::cache::Sample;
use crate::cube::ObjectCube;
use crate::heap::Heap;
use crate::meaning;
use crate::predicates::{Predicates, View};

/// A context formula, as a conjunction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Gamma {
    /// What holds of the object of every singleton predicate, in their order.
    singles: Vec<ObjectCube>,
    /// That every object is in one of these cubes.
    whole: Option<Heap>,
}

/// Where a conjunct of a context comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// A predicate of the object of a singleton predicate, by their numbers in their orders.
    Single(usize, usize),
    /// The heap.
    Whole,
}

impl Gamma {
    /// The context that says nothing.
    pub fn nothing(predicates: &Predicates) -> Gamma {
        Gamma { singles: vec![ObjectCube::TOP; predicates.singles.len()], whole: None }
    }

    /// All that a heap says (κ = id).
    pub fn whole(predicates: &Predicates, heap: Heap) -> Gamma {
        Gamma { whole: Some(heap), ..Gamma::nothing(predicates) }
    }

    /// What a heap says of the objects of variables (Figure 8).
    pub fn instantiated(predicates: &Predicates, heap: &Heap) -> Gamma {
        let cube = |&i: &usize| {
            let pointed = heap.meet(&predicates.space.of(ObjectCube::TOP.with(i, true)));
            // No object for the variable: no state, about which anything could be said.
            pointed.hull().unwrap_or(ObjectCube::TOP)
        };
        Gamma { singles: predicates.singles.iter().map(cube).collect(), whole: None }
    }

    /// Whether it holds in a sample, before the path.
    pub fn holds_in(&self, predicates: &Predicates, sample: &Sample) -> bool {
        let singles = predicates.singles.iter().zip(&self.singles);
        let mut singles = singles.filter(|(_, cube)| **cube != ObjectCube::TOP);
        let is_so = |(i, cube): (&usize, &ObjectCube)| {
            let object = sample.before.iter().find(|bits| crate::cube::has(**bits, *i));
            object.is_none_or(|bits| cube.covers(*bits))
        };
        let whole = self.whole.as_ref();
        singles.all(is_so)
            && whole.is_none_or(|heap| sample.before.iter().all(|bits| heap.contains(*bits)))
    }

    /// Whether it says at least as much as another one.
    pub fn is_below(&self, other: &Gamma) -> bool {
        let singles = self.singles.iter().zip(&other.singles);
        let whole = match (&self.whole, &other.whole) {
            (_, None) => true,
            (Some(own), Some(other)) => own.is_below(other),
            (None, Some(_)) => false,
        };
        whole && singles.into_iter().all(|(own, other)| other.is_above(*own))
    }

    /// The conjuncts, each with where it comes from.
    pub fn conjuncts(&self, arena: &mut Arena, var: VarId, view: &View) -> Vec<(FormulaId, Part)> {
        let mut all = Vec::new();
        for (s, cube) in self.singles.iter().enumerate() {
            for (i, value) in cube.literals() {
                let literal = meaning::literal(arena, view.of_single[s][i], value);
                if literal != FormulaId::TRUE {
                    all.push((literal, Part::Single(s, i)));
                }
            }
        }
        if let Some(heap) = &self.whole {
            all.push((meaning::of_heap(arena, var, &view.formulas, heap), Part::Whole));
        }
        all
    }

    /// The context of some conjuncts only.
    #[must_use]
    pub fn only(&self, parts: &[Part]) -> Gamma {
        let mut out = Gamma { singles: vec![ObjectCube::TOP; self.singles.len()], whole: None };
        for &part in parts {
            match part {
                Part::Single(s, i) => {
                    if let Some(value) = self.singles[s].get(i) {
                        out.singles[s] = out.singles[s].with(i, value);
                    }
                }
                Part::Whole => out.whole.clone_from(&self.whole),
            }
        }
        out
    }
}
