//! The cube of a state over given predicates (paper 000, section 4).

use trellis_logic::{Arena, FormulaId};

use crate::cube::{Cube, Literal};
use crate::model::State;

/// Which of the predicates hold in a state.
pub fn cube(arena: &Arena, state: &State, predicates: &[FormulaId]) -> Cube {
    let literals = predicates
        .iter()
        .filter_map(|&atom| {
            let positive = state.structure.eval(arena, atom).ok()?;
            Some(Literal { atom, positive })
        })
        .collect();
    Cube { literals, elements: 0 }
}
