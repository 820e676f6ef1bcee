//! What an invariant may speak of: the symbols of the state at its cut point, and those that are
//! the same in every state.
//!
//! **Invariant.** Witnesses of paths are never among them. They stand for another element in every
//! step, so a formula about them at one end of a path says nothing at the other.

use std::collections::BTreeSet;

use trellis_logic::{FormulaId, FunId, RelId};
use trellis_transys::{LocationId, TransitionSystem};

use crate::names::Names;

/// The symbols that matter at a cut point.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    /// Constants and functions.
    pub funs: BTreeSet<FunId>,
    /// Propositions and relations.
    pub rels: BTreeSet<RelId>,
}

impl State {
    /// The state at a cut point.
    pub fn at(system: &TransitionSystem, at: LocationId) -> State {
        let location = &system.locations[at.0];
        let mut funs: BTreeSet<FunId> = location.constants.iter().copied().collect();
        funs.extend(&location.functions);
        funs.insert(system.symbols.null);
        funs.extend(system.symbols.constants.values());
        let mut rels: BTreeSet<RelId> = location.propositions.iter().copied().collect();
        rels.extend(&location.relations);
        rels.insert(system.symbols.at_most);
        State { funs, rels }
    }

    /// The name of a symbol in a formula that the state does not have.
    pub fn foreign_symbol(
        &self,
        system: &TransitionSystem,
        names: &Names,
        formula: FormulaId,
    ) -> Option<String> {
        let used = system.arena.symbols_in_use(formula);
        let fun = used.funs.difference(&self.funs).next().map(|f| names.fun(*f).to_owned());
        fun.or_else(|| {
            let rel = used.rels.difference(&self.rels).next()?;
            Some(match names.rel(*rel) {
                (name, Some(field)) => format!("{name} {field}"),
                (name, None) => name.to_owned(),
            })
        })
    }
}
