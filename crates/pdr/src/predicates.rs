//! Predicates: the language of invariants in *Property-Directed Shape Analysis*.
//!
//! A state's cube is the truth values of given predicates ([`cube`]), so that an invariant is any
//! Boolean combination of them: full predicate abstraction (section 3). The predicates come in
//! families (`trellis_predicates`), and a family is taken in when it is needed
//! ([`run_with_families`]).

mod grow;

use trellis_logic::{Arena, Evaluator, FormulaId};

use crate::cube::{Cube, Literal};
use crate::model::State;

pub use grow::{Growth, run_with_families};
pub use trellis_predicates::{Families, Selection};

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
