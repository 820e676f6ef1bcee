//! Witnesses that assumptions share from query to query.
//!
//! An existential assumption needs witnesses only while it is assumed. So the next query's
//! assumptions get the same ones, and neither ground terms nor instances of axioms grow with the
//! number of queries. Within one query no two assumptions share a witness.

use rustc_hash::{FxHashMap, FxHashSet};
use trellis_logic::SortId;

use crate::terms::{Symbol, Terms};

#[derive(Default)]
pub(crate) struct Slots {
    pool: FxHashMap<SortId, Vec<Symbol>>,
    /// Those that the current query uses.
    taken: FxHashSet<Symbol>,
    /// Those that were taken one by one since the last [`Slots::mark`].
    recent: Vec<Symbol>,
}

impl Slots {
    /// A new query begins.
    pub(crate) fn release_all(&mut self) {
        self.taken.clear();
    }

    /// Takes these witnesses, unless one of them is taken already.
    pub(crate) fn take_all(&mut self, symbols: &[Symbol]) -> bool {
        let free = !symbols.iter().any(|s| self.taken.contains(s));
        if free {
            self.taken.extend(symbols);
        }
        free
    }

    /// Starts a record of what is taken.
    pub(crate) fn mark(&mut self) {
        self.recent.clear();
    }

    /// What was taken since the last [`Slots::mark`].
    pub(crate) fn recent(&self) -> &[Symbol] {
        &self.recent
    }

    /// Takes a witness of a sort.
    pub(crate) fn take(&mut self, terms: &mut Terms, sort: SortId) -> Symbol {
        let pool = self.pool.entry(sort).or_default();
        let free = pool.iter().copied().find(|s| !self.taken.contains(s));
        let slot = free.unwrap_or_else(|| {
            pool.push(terms.witness(sort));
            pool[pool.len() - 1]
        });
        self.taken.insert(slot);
        self.recent.push(slot);
        slot
    }
}
