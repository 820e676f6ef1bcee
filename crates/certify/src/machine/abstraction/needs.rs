//! What of a structure has to be written: the symbols that formulas look at, and what has changed.

use trellis_logic::{FunId, RelId};
use trellis_transys::{Flag, RegSymbol};

/// What may have changed since a structure was made.
#[derive(Clone, Copy, Default, Debug)]
pub(in crate::machine) struct Stale {
    /// Cells with pointers.
    pub(in crate::machine) cells: bool,
    /// Cells with integers.
    pub(in crate::machine) integers: bool,
    /// Variables.
    pub(in crate::machine) variables: bool,
    /// Which integers there are.
    pub(in crate::machine) numbers: bool,
}

impl Stale {
    pub(in crate::machine) const ALL: Stale =
        Stale { cells: true, integers: true, variables: true, numbers: true };

    pub(in crate::machine) fn add(&mut self, other: Stale) {
        self.cells |= other.cells;
        self.integers |= other.integers;
        self.variables |= other.variables;
        self.numbers |= other.numbers;
    }
}

/// The symbols that some formulas look at; a structure for them may leave out the others.
#[derive(Clone, Debug)]
pub(in crate::machine) struct Needs {
    pub(super) funs: Vec<bool>,
    pub(super) rels: Vec<bool>,
    /// Whether integers are among what they look at.
    pub(super) data: bool,
}

impl Needs {
    pub(super) fn fun(&self, fun: FunId) -> bool {
        self.funs[fun.index()]
    }

    pub(super) fn rel(&self, rel: RelId) -> bool {
        self.rels[rel.index()]
    }

    pub(super) fn flag(&self, flag: Flag<FunId>) -> bool {
        match flag {
            Flag::Truth(rel) => self.rel(rel),
            Flag::Data(fun) => self.fun(fun),
        }
    }

    pub(super) fn symbol(&self, symbol: RegSymbol) -> bool {
        match symbol {
            RegSymbol::Ptr(fun) => self.fun(fun),
            RegSymbol::Int(flag) => self.flag(flag),
        }
    }
}
