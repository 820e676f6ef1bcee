//! Which symbol of the logic stands for what of the program.
//!
//! | symbol | meaning |
//! |---|---|
//! | `h` | a pointer variable: a constant |
//! | `k` | an integer variable that is compared: a constant of the sort of data |
//! | `flag` | an integer variable of which only the truth matters: a proposition |
//! | `reach(next, x, y)`, `data(x, y)` | a pointer field, as its theory sees it |
//! | `next(x, y)` | a pointer field holds y, where the words have single steps |
//! | `x->data` | an integer field that is compared: a function into the data |
//! | `marked(x)` | an integer field of which only the truth matters |
//! | `alloc(x)` | allocated now |
//! | `undefined(next, x)` | the cell was never written |
//!
//! **Invariant.** A symbol that the code never changes is its own copy of the entry state; so a
//! state has no more symbols than it needs.

pub(crate) mod changes;
pub(crate) mod classes;
pub(crate) mod declare;

use std::collections::{BTreeMap, BTreeSet};

use trellis_logic::{FunId, RelId, SortId, Vocabulary};
use trellis_program::view::{Cell, CellKind, FieldSymbol, Kind, ProgramVocabulary, Spot, Twin};
use trellis_program::{CellInfo, Program, Reg, Scalar, TypeId};

use crate::contract::headers::Held;
use crate::theory::{Followed, HeapTheory};

/// A pointer field.
#[derive(Clone, Debug)]
pub struct PointerField {
    /// The cell it is in memory.
    pub cell: Cell,
    /// As the user wrote it.
    pub name: String,
    /// How it is seen.
    pub theory: &'static dyn HeapTheory,
    /// The relation that its theory sees it through.
    pub relation: Twin<RelId>,
    /// The set of fields that it is in, by a number, if it leads to the children of trees.
    pub set: Option<usize>,
    /// Whether only its single steps matter.
    pub single: bool,
    /// Whether it may have cycles at the entry.
    pub cyclic: bool,
    /// What is reached over all fields of the set, where its theory has no other word for it.
    pub reach: Option<RelId>,
    /// `next(x, y)`: its single steps, if the vocabulary has them beside its relation.
    pub edge: Option<Twin<RelId>>,
    /// The objects whose cell was never written.
    pub undefined: RelId,
    /// Whether it leads back to objects that have it, so that paths can be long.
    pub recursive: bool,
    /// Where its values point.
    pub kind: Kind,
    /// The types of objects that have it.
    pub roots: Vec<TypeId>,
    /// Whether the code writes it, or frees objects that have it.
    pub changes: bool,
    /// Whether the code writes it.
    pub stored: bool,
}

impl PointerField {
    /// How contracts follow it.
    pub(crate) fn followed(&self) -> Followed {
        followed(self.set.is_some(), self.single, self.cyclic)
    }
}

/// How contracts follow a field that may be in a set, is seen one step at a time, or has cycles.
fn followed(in_set: bool, single: bool, cyclic: bool) -> Followed {
    match (in_set, single) {
        (true, _) => Followed::InSet,
        (false, true) => Followed::Never,
        (false, false) if cyclic => Followed::Around,
        (false, false) => Followed::Alone,
    }
}

/// How a value that is no pointer is seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flag<D> {
    /// Only whether it is zero: a relation.
    Truth(RelId),
    /// Its place among the data.
    Data(D),
}

/// An integer field.
#[derive(Clone, Debug)]
pub struct DataField {
    /// The cell it is in memory.
    pub cell: Cell,
    /// As the user wrote it.
    pub name: String,
    /// Now, and at entry.
    pub now: Flag<FunId>,
    /// The same symbol as `now` if the code never writes it.
    pub entry: Flag<FunId>,
    /// The objects whose cell was never written.
    pub undefined: RelId,
    /// The types of objects that have it.
    pub roots: Vec<TypeId>,
    /// Whether the code writes it.
    pub changes: bool,
}

/// A variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RegSymbol {
    /// A constant of the sort of objects.
    Ptr(FunId),
    /// An integer.
    Int(Flag<FunId>),
}

/// The symbols of a transition system.
#[derive(Clone, Debug)]
pub struct Symbols {
    /// The procedure's own symbols, from which these were made.
    pub view: ProgramVocabulary,
    /// The sort of null and all objects.
    pub obj: SortId,
    /// The sort of integers, as far as they are compared.
    pub data: SortId,
    /// The order of the data.
    pub at_most: RelId,
    /// Null.
    pub null: FunId,
    /// The allocated objects.
    pub alloc: Twin<RelId>,
    /// The pointer fields.
    pub pointers: Vec<PointerField>,
    /// The integer fields.
    pub integers: Vec<DataField>,
    /// The variables in registers; `\result` is not among them.
    pub regs: BTreeMap<Reg, Twin<RegSymbol>>,
    /// Propositions that say that a variable has no value.
    pub unset: BTreeMap<Reg, RelId>,
    /// The objects of variables in memory.
    pub addresses: BTreeMap<Reg, (FunId, TypeId)>,
    /// `\result`.
    pub result: Option<RegSymbol>,
    /// Uninterpreted predicates of the user.
    pub marks: BTreeMap<RelId, RelId>,
    /// What tells objects of several types apart.
    pub types: BTreeMap<TypeId, RelId>,
    /// Constants for the integers that the program mentions.
    pub constants: BTreeMap<i128, FunId>,
    /// What headers hold at the entry.
    pub held: Vec<Held>,
    /// Cells that have no symbol: those that share bytes with others, so that a store to one changes the
    /// others, and those of which nobody speaks.
    hidden: BTreeSet<Cell>,
}

impl Symbols {
    /// The constant for a mathematical integer.
    pub(crate) fn constant(&mut self, logic: &mut Vocabulary, value: i128) -> FunId {
        let data = self.data;
        *self.constants.entry(value).or_insert_with(|| logic.constant(value.to_string(), data))
    }

    /// Whether a cell of objects of a type has a symbol, or would have one if it mattered.
    pub(crate) fn has_cell(&self, ty: TypeId, cell: &CellInfo) -> bool {
        let known = self.view.cell_of(ty, cell.offset, cell.scalar).is_ok();
        known && cell_at(&self.view, ty, cell).is_some_and(|c| !self.hidden.contains(&c))
    }

    /// The cell of a scalar in objects of a type.
    pub(crate) fn cell_of(&self, ty: TypeId, cell: &CellInfo) -> Option<Cell> {
        cell_at(&self.view, ty, cell)
    }

    /// The relations that say which cells were never written, one a field.
    pub(crate) fn undefined(&self) -> Vec<RelId> {
        let pointers = self.pointers.iter().map(|f| f.undefined);
        pointers.chain(self.integers.iter().map(|f| f.undefined)).collect()
    }

    /// The pointer field of a cell.
    pub fn pointer_field(&self, cell: Cell) -> Option<usize> {
        self.pointers.iter().position(|f| f.cell == cell)
    }

    /// The integer field of a cell.
    pub fn integer_field(&self, cell: Cell) -> Option<usize> {
        self.integers.iter().position(|f| f.cell == cell)
    }

    /// The pointer field whose function in the view is this, and whether it is the entry copy.
    pub(crate) fn pointer_of_view(
        &self,
        fun: FunId,
    ) -> Option<(usize, trellis_program::spec::Label)> {
        let (cell, label) = self.view.field_of(fun)?;
        Some((self.pointer_field(cell)?, label))
    }

    /// The field that a symbol of the view belongs to.
    pub(crate) fn view_field(&self, cell: Cell) -> Option<&FieldSymbol> {
        self.view.fields().find(|(c, _)| *c == cell).map(|(_, f)| f)
    }
}

/// The cell of a scalar in objects of a type.
fn cell_at(view: &ProgramVocabulary, ty: TypeId, cell: &CellInfo) -> Option<Cell> {
    let kind = match cell.scalar {
        Scalar::Ptr(_) => CellKind::Ptr,
        Scalar::Int(kind) => CellKind::Int(kind),
        Scalar::Float(_) | Scalar::Bits(_) => return None,
    };
    match view.object_spot(ty)? {
        Spot::At { family, at } => Some(Cell { family, at: at + i64::from(cell.offset), kind }),
        Spot::Null | Spot::Start => None,
    }
}

/// The cells that overlap others.
fn unions(program: &Program, view: &ProgramVocabulary) -> BTreeSet<Cell> {
    let mut out = BTreeSet::new();
    for ty in view.object_types() {
        let Some(layout) = program.types.layout(ty).filter(|l| l.overlaps) else { continue };
        for (i, a) in layout.cells.iter().enumerate() {
            let overlaps = |b: &CellInfo| a.offset < b.end() && b.offset < a.end();
            if layout.cells.iter().enumerate().any(|(j, b)| i != j && overlaps(b)) {
                out.extend(cell_at(view, ty, a));
            }
        }
    }
    out
}
