//! A state in the middle of a path: every symbol in terms of the state at the path's beginning.
//!
//! **Invariant.** Definitions mention only symbols of the beginning and the path's witnesses, so
//! expanding a formula about the current state gives one about the beginning.

use std::collections::{BTreeMap, BTreeSet};

use trellis_logic::{Definitions, FormulaId, FunId, RelId, TermId};
use trellis_program::view::Spot;
use trellis_program::{BlockId, Reg, Span, TypeId};

use super::forest::Written;

/// The value of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Value {
    /// A pointer: the object, and where in it.
    Ptr(TermId, Spot),
    /// An integer.
    Int(IntValue),
    /// Undefined.
    Undef,
}

/// An integer as far as it is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum IntValue {
    /// This one.
    Const(i64),
    /// 1 if the formula holds, else 0.
    Bool(FormulaId),
    /// Not 0 if the formula holds, else 0.
    Truth(FormulaId),
    /// A term of the sort of data.
    Data(TermId),
    /// Any value.
    Any,
}

/// A path on its way.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    /// What every symbol is now.
    pub(crate) now: Definitions,
    /// What must hold at the beginning for the path to come here.
    pub(crate) guards: Vec<FormulaId>,
    /// The blocks passed, in order.
    pub(crate) blocks: Vec<BlockId>,
    /// How many witnesses of each sort are in use.
    pub(crate) used: Used,
    /// What cells are known to hold: by field and object.
    pub(crate) known: BTreeMap<(usize, TermId), TermId>,
    /// Writes to child fields that are not attached yet, in their order.
    pub(crate) written: Vec<Written>,
    /// Child fields that are null in the definitions since they were written.
    pub(crate) cut: BTreeSet<(usize, TermId)>,
    /// Whether what was written to child fields was attached on the way.
    pub(crate) attached: bool,
    /// How many stores the definition of a field's relation is made of.
    pub(crate) stores: BTreeMap<RelId, usize>,
    /// Constants that hold the addresses of local objects that are alive.
    pub(crate) locals: BTreeMap<Reg, TermId>,
    /// The constants that fresh objects differ from, besides those of the state.
    pub(crate) named: Vec<TermId>,
    /// The types of fresh objects.
    pub(crate) typed: BTreeMap<TermId, TypeId>,
    /// Fresh objects that have no type yet.
    pub(crate) untyped: BTreeMap<TermId, Untyped>,
    /// The integer variables that hold a constant.
    pub(crate) constants: BTreeMap<Reg, i64>,
    /// What variables without a symbol hold.
    pub(crate) moved: BTreeMap<Reg, Value>,
}

/// Memory that has no type yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Untyped {
    /// Its size in bytes.
    pub(crate) size: i64,
    /// Whether its bytes are zero.
    pub(crate) zeroed: bool,
    /// Where it was taken for something with a type, which it must then get before it is used.
    pub(crate) awaited: Option<Span>,
}

impl Run {
    /// Where memory was taken for something with a type that it never got.
    pub(crate) fn awaits_type(&self) -> Option<Span> {
        self.untyped.values().find_map(|memory| memory.awaited)
    }
}

/// How many witnesses a path uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Used {
    /// Objects.
    pub objects: usize,
    /// Data.
    pub data: usize,
    /// Truth values.
    pub truths: usize,
    /// Relations that name the one of a field after some stores, or after a call.
    pub versions: usize,
    /// Functions of objects that are chosen freely.
    pub functions: usize,
}

/// Constants and propositions for what a path finds or chooses; all paths share them.
#[derive(Clone, Debug, Default)]
pub struct Witnesses {
    /// Objects: what a load finds, what an allocation returns.
    pub objects: Vec<FunId>,
    /// Data: what is chosen freely.
    pub data: Vec<FunId>,
    /// Truth values that are chosen freely.
    pub truths: Vec<RelId>,
    /// Relations of fields between stores, and of objects and fields after calls.
    pub versions: Vec<RelId>,
    /// Functions from objects to data that are chosen freely.
    pub functions: Vec<FunId>,
}
