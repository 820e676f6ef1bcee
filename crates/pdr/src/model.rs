//! States read off solver models.
//!
//! **Invariant.** The elements of a [`State`] are null and what the solver's model has besides: the
//! values of constants and witnesses, found or Skolem ones. Solvers give small models, because a
//! substructure keeps universal formulas true (*Universal Invariants or Their Absence*, section 5).

use trellis_logic::Structure;
use trellis_transys::{LocationId, TransitionSystem};

/// A state of the program.
#[derive(Clone, Debug)]
pub struct State {
    /// Where it is.
    pub at: LocationId,
    /// The structure.
    pub structure: Structure,
    /// The elements besides null, ascending.
    pub elements: Vec<u32>,
}

impl State {
    /// The state in a model.
    pub fn read(system: &TransitionSystem, at: LocationId, structure: Structure) -> State {
        let null = structure.constant(system.symbols.null);
        let elements =
            (0..structure.size(system.symbols.obj)).filter(|e| Some(*e) != null).collect();
        State { at, structure, elements }
    }
}
