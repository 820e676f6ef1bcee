//! The symbols of a procedure, with the way back from each to the program.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use trellis_logic::{FunId, RelId, SortId, Vocabulary};

use super::Untranslatable;
use super::in_use::InUse;
use super::spots::{Spot, Spots};
use crate::ir::{ProcId, Reg};
use crate::spec::{Label, PredId, Predicate};
use crate::types::{IntKind, Scalar, TypeId};

/// A symbol of the current state, with its copy that keeps the state at procedure entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Twin<T> {
    /// Now.
    pub now: T,
    /// At procedure entry; the same symbol where there is no difference.
    pub entry: T,
}

impl<T: Copy> Twin<T> {
    /// The symbol for a state.
    pub fn at(self, label: Label) -> T {
        match label {
            Label::Here => self.now,
            Label::Pre => self.entry,
        }
    }
}

/// What a value is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// An integer.
    Int,
    /// A pointer, always to this spot of its object.
    Ptr(Spot),
}

/// A variable of the program in the logic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RegSymbol {
    /// A constant that steps change.
    pub fun: Twin<FunId>,
    /// What it holds.
    pub kind: Kind,
}

/// What is stored in a cell, as far as a load can tell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum CellKind {
    /// Any pointer.
    Ptr,
    /// An integer read as this kind.
    Int(IntKind),
}

impl CellKind {
    pub(super) fn of(scalar: Scalar) -> Option<CellKind> {
        match scalar {
            Scalar::Ptr(_) => Some(CellKind::Ptr),
            Scalar::Int(kind) => Some(CellKind::Int(kind)),
            Scalar::Float(_) | Scalar::Bits(_) => None,
        }
    }
}

/// A cell of the objects of a family: what a field is in memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Cell {
    /// Which family.
    pub family: usize,
    /// Its position in the family.
    pub at: i64,
    /// How it is read.
    pub kind: CellKind,
}

/// A field of the program in the logic.
#[derive(Clone, Debug)]
pub struct FieldSymbol {
    /// A function that steps change.
    pub fun: Twin<FunId>,
    /// What it yields.
    pub kind: Kind,
    /// `reach` over it, where it leads back into its own family.
    pub closure: Option<Twin<RelId>>,
    /// The type that loads read.
    pub scalar: Scalar,
    /// The types of objects that have this cell.
    pub roots: BTreeSet<TypeId>,
}

/// A set of fields that contracts follow in any order: `{left, right}`.
#[derive(Clone, Debug)]
pub struct FieldSet {
    /// The fields, as cells, in the order of memory.
    pub cells: Vec<Cell>,
    /// `reach({left, right}, x, y)`.
    pub reach: Twin<RelId>,
    /// That no node is reached from x in two ways.
    pub tree: Twin<RelId>,
}

/// The vocabulary of a procedure; see the [module](super) for what each symbol means.
#[derive(Clone, Debug)]
pub struct ProgramVocabulary {
    /// The symbols.
    pub logic: Arc<Vocabulary>,
    /// Whose variables these are.
    pub proc: ProcId,
    /// The sort of null and all objects.
    pub obj: SortId,
    /// `NULL`.
    pub null: FunId,
    /// A constant that denotes nothing in the structure of any state; in formulas it stands for
    /// what contracts leave undefined though the logic would define it (`&p->f` of null).
    pub undefined: FunId,
    /// The allocated objects.
    pub alloc: Twin<RelId>,
    /// `\result`, of procedures that return a scalar.
    pub result: Option<RegSymbol>,
    pub(super) regs: BTreeMap<Reg, Result<RegSymbol, String>>,
    pub(super) addresses: BTreeMap<Reg, (FunId, TypeId)>,
    pub(super) cells: BTreeMap<Cell, Result<FieldSymbol, String>>,
    pub(super) field_sets: Vec<FieldSet>,
    pub(super) types: BTreeMap<TypeId, RelId>,
    pub(super) marks: BTreeMap<PredId, RelId>,
    pub(super) spots: Spots,
    pub(super) used: InUse,
    pub(super) predicates: Vec<Predicate>,
    pub(super) params: usize,
    /// Constants that have a value in every structure.
    pub(super) sure: BTreeSet<FunId>,
    /// Pairs of types where the second lies in the first.
    pub(super) embedded: BTreeSet<(TypeId, TypeId)>,
    /// Whether pointers without a type may lead to objects of types not in use.
    pub(super) loose: bool,
    /// The type of no value, to which such pointers point.
    pub(super) void: Option<TypeId>,
}

/// From the program to symbols, and back.
impl ProgramVocabulary {
    /// The symbol of a variable in a register; of a parameter in memory, its value at entry.
    pub fn reg(&self, reg: Reg) -> Result<RegSymbol, Untranslatable> {
        match self.regs.get(&reg) {
            Some(Ok(symbol)) => Ok(*symbol),
            Some(Err(reason)) => Err(Untranslatable::new(reason.clone())),
            None => Err(Untranslatable::new("a variable that the logic does not have")),
        }
    }

    /// The constant for the address of a variable in memory.
    pub fn address(&self, reg: Reg) -> Option<FunId> {
        self.addresses.get(&reg).map(|(fun, _)| *fun)
    }

    /// The symbol of the field at a byte offset in a type that is pointed to.
    pub fn field(
        &self,
        owner: TypeId,
        offset: u32,
        scalar: Scalar,
    ) -> Result<&FieldSymbol, Untranslatable> {
        let Spot::At { family, at } = self.pointee(owner)? else {
            return Err(Untranslatable::new("a field of an unknown type"));
        };
        self.cell(family, at + i64::from(offset), scalar)
    }

    /// The symbol of the cell at a position of a family.
    pub fn cell(
        &self,
        family: usize,
        at: i64,
        scalar: Scalar,
    ) -> Result<&FieldSymbol, Untranslatable> {
        if let Some(reason) = &self.spots.families[family].refused {
            return Err(Untranslatable::new(reason.clone()));
        }
        let kind = CellKind::of(scalar).ok_or_else(|| {
            Untranslatable::new(match scalar {
                Scalar::Bits(_) => "bit-fields",
                _ => "floating-point numbers",
            })
        })?;
        match self.cells.get(&Cell { family, at, kind }) {
            Some(Ok(field)) => Ok(field),
            Some(Err(reason)) => Err(Untranslatable::new(reason.clone())),
            None => Err(Untranslatable::new("memory read as another type than it has")),
        }
    }

    /// Where pointers to a type point.
    pub fn pointee(&self, ty: TypeId) -> Result<Spot, Untranslatable> {
        self.spots.of_pointer(&self.used, ty).map_err(Untranslatable::new)
    }

    /// Where an object of a type starts, if there can be such objects.
    pub fn object_spot(&self, ty: TypeId) -> Option<Spot> {
        self.spots.of_object(ty)
    }

    /// The offset in an object of type `ty` (`None`: untyped) at which a spot is.
    pub fn offset_in(&self, spot: Spot, ty: Option<TypeId>) -> Option<i64> {
        self.spots.offset_in(spot, ty)
    }

    /// The types of the objects of a family, each with its position and size.
    pub fn family(&self, family: usize) -> impl Iterator<Item = (TypeId, i64, u32)> {
        self.spots.families[family].roots.iter().map(|r| (r.ty, r.position, r.size))
    }

    /// All variables in memory: the constant for the address, and the type of the object.
    pub fn addresses(&self) -> impl Iterator<Item = (Reg, FunId, TypeId)> {
        self.addresses.iter().map(|(reg, (fun, ty))| (*reg, *fun, *ty))
    }

    /// The relation that tells the objects of a type from others; none if all have that type.
    /// It never changes: an object has its type from the start.
    pub fn type_relation(&self, ty: TypeId) -> Option<RelId> {
        self.types.get(&ty).copied()
    }

    /// The relation of an uninterpreted predicate.
    pub fn mark(&self, id: PredId) -> Option<RelId> {
        self.marks.get(&id).copied()
    }

    /// The types that objects can have.
    pub fn object_types(&self) -> impl Iterator<Item = TypeId> {
        self.used.roots.iter().copied()
    }

    /// The symbol of the cell at a byte offset in an object of a type.
    pub fn cell_of(
        &self,
        object: TypeId,
        offset: u32,
        scalar: Scalar,
    ) -> Result<&FieldSymbol, Untranslatable> {
        match self.spots.of_object(object) {
            Some(Spot::At { family, at }) => self.cell(family, at + i64::from(offset), scalar),
            _ => Err(Untranslatable::new("a type that is not in use")),
        }
    }

    /// All variables with a symbol.
    pub fn regs(&self) -> impl Iterator<Item = (Reg, RegSymbol)> {
        self.regs.iter().filter_map(|(r, s)| Some((*r, *s.as_ref().ok()?)))
    }

    /// The variables and fields without a symbol, and why.
    pub fn refused(&self) -> impl Iterator<Item = (Reg, &str)> {
        self.regs.iter().filter_map(|(r, s)| Some((*r, s.as_ref().err()?.as_str())))
    }

    /// All fields with a symbol.
    pub fn fields(&self) -> impl Iterator<Item = (Cell, &FieldSymbol)> {
        self.cells.iter().filter_map(|(c, f)| Some((*c, f.as_ref().ok()?)))
    }

    /// The sets of fields that contracts follow in any order.
    pub fn field_sets(&self) -> &[FieldSet] {
        &self.field_sets
    }

    /// The set of fields that a relation is about, in which state, and whether it is `tree`.
    pub fn field_set_of(&self, rel: RelId) -> Option<(&FieldSet, Label, bool)> {
        self.field_sets.iter().find_map(|set| {
            let is = |twin: Twin<RelId>| match twin.now == rel {
                true => Some(Label::Here),
                false => (twin.entry == rel).then_some(Label::Pre),
            };
            let reach = is(set.reach).map(|label| (set, label, false));
            reach.or_else(|| is(set.tree).map(|label| (set, label, true)))
        })
    }

    /// The variable that a constant stands for, and in which state.
    pub fn reg_of(&self, fun: FunId) -> Option<(Reg, Label)> {
        self.regs().find_map(|(reg, s)| Some((reg, label_of(s.fun, fun)?)))
    }

    /// The field that a function stands for, and in which state.
    pub fn field_of(&self, fun: FunId) -> Option<(Cell, Label)> {
        self.fields().find_map(|(cell, s)| Some((cell, label_of(s.fun, fun)?)))
    }
}

fn label_of(twin: Twin<FunId>, fun: FunId) -> Option<Label> {
    if twin.now == fun {
        return Some(Label::Here);
    }
    (twin.entry == fun).then_some(Label::Pre)
}
