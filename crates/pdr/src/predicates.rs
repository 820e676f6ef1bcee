//! Predicates: the language of invariants in paper 000.
//!
//! A state's cube is the truth values of given predicates ([`cube`]), so that an invariant is any
//! Boolean combination of them: full predicate abstraction (section 3). The predicates come in
//! families (Tables 1 and 3), and a family is taken in when it is needed.
//!
//! * `families`: what families there are, and how the user names them
//! * `instantiate`: the predicates of a family over the variables of a location
//! * `select`: which family to add, given a trace that the predicates do not exclude
//! * `grow`: the search with more and more families
//!
//! **Invariant.** A predicate is a Boolean combination of closed universal formulas over the
//! symbols of a state, so that it and its negation can both be assumed and asked for.

mod families;
mod grow;
mod instantiate;
mod select;

use trellis_logic::{Arena, Evaluator, FormulaId};

use crate::cube::{Cube, Literal};
use crate::model::State;

pub use families::{Families, Family, Selection};
pub use grow::{Growth, run_with_families};
pub use instantiate::instantiate;
pub use select::Need;

/// Which of the predicates hold in a state.
pub fn cube(arena: &Arena, state: &State, predicates: &[FormulaId]) -> Cube {
    let mut evaluator = Evaluator::new(&state.structure, arena);
    let literals = predicates
        .iter()
        .filter_map(|&atom| {
            let positive = evaluator.formula(atom).ok()?;
            Some(Literal { atom, positive })
        })
        .collect();
    Cube { literals, elements: 0 }
}
