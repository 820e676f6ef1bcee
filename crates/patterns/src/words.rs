//! What the patterns of one procedure speak of.
//!
//! Records of heap cells with their pointer and data fields, pointer variables, integer variables,
//! and *predicates* of cells. A cell has one value for every predicate of its record; all of them
//! together are its [`Colour`].
//!
//! **Invariant:** words belong to a procedure without calls (`program::Inlined`). Whatever the
//! procedure can touch has a word here, or [`crate::lower()`] says where it is refused.

use trellis_program::{GlobalId, IntKind, TypeId, VarId};

use crate::values::{Partition, Values};

/// Most predicates of one record: the lanes of a [`Colour`].
pub const MOST_PREDICATES: usize = 16;
/// Most pointer fields of all records together: their pairs have a bit each in
/// [`Sharing`](crate::pattern::Sharing).
pub const MOST_EDGES: usize = 10;

/// The words of a procedure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PatternWords {
    /// Kinds of heap cells.
    pub records: Vec<Record>,
    /// Pointer variables.
    pub pointers: Vec<PointerVar>,
    /// Integer variables.
    pub scalars: Vec<ScalarVar>,
    /// Pairs of integer variables whose order is spoken of, the smaller number first.
    pub pairs: Vec<(usize, usize)>,
    /// The integers that are told apart.
    pub partition: Partition,
}

/// A kind of heap cell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// The type of the objects.
    pub ty: TypeId,
    /// As the user calls it.
    pub name: String,
    /// Bytes.
    pub size: u32,
    /// Fields that are pointers.
    pub pointers: Vec<PointerField>,
    /// Fields that are integers.
    pub data: Vec<DataField>,
    /// What is said of every cell.
    pub predicates: Vec<Predicate>,
}

/// A field that is a pointer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PointerField {
    /// As the user calls it.
    pub name: String,
    /// Byte offset.
    pub offset: u32,
    /// The record that it points to by its type; `None` for a `void *`.
    pub to: Option<usize>,
    /// Its number among the pointer fields of all records.
    pub edge: usize,
}

/// A field that is an integer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DataField {
    /// As the user calls it.
    pub name: String,
    /// Byte offset.
    pub offset: u32,
    /// Its type.
    pub kind: IntKind,
}

/// Where the machine keeps a variable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Slot {
    /// A local register.
    Local(VarId),
    /// A parameter as it was passed.
    Entry(VarId),
    /// A global register.
    Global(GlobalId),
}

/// A pointer variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PointerVar {
    /// As shown: `h`, `\old(h)`.
    pub name: String,
    /// Where it is.
    pub slot: Slot,
    /// The record that it points to by its type; `None` for a `void *`.
    pub to: Option<usize>,
    /// Made by the front end.
    pub is_temp: bool,
    /// Also the parameter as it was passed, which never changes.
    pub is_entry: bool,
    /// How it starts.
    pub start: PointerStart,
}

/// An integer variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScalarVar {
    /// As shown.
    pub name: String,
    /// Where it is.
    pub slot: Slot,
    /// Its type.
    pub kind: IntKind,
    /// Made by the front end.
    pub is_temp: bool,
    /// Also the parameter as it was passed, which never changes.
    pub is_entry: bool,
    /// How it starts: `None` for any value of its type.
    pub start: Option<Values>,
}

/// How a pointer variable starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PointerStart {
    /// Never written.
    Undefined,
    /// Null.
    Null,
    /// Chosen by whoever calls: null or any cell of its record.
    Input,
    /// The same as another variable: a parameter as it was passed.
    Same(usize),
}

/// What is said of a cell. Each predicate has few values, which are numbered.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Predicate {
    /// The class of a data field: 0 if undefined, else 1 + the class.
    Data(usize),
    /// How a data field is ordered against an integer variable: an [`Order`].
    Against {
        /// The data field.
        field: usize,
        /// The variable.
        scalar: usize,
    },
    /// How a data field is ordered against a data field of the cell that a pointer field leads to:
    /// an [`Order`].
    Neighbour {
        /// The data field.
        field: usize,
        /// The pointer field.
        over: usize,
        /// The data field there.
        other: usize,
    },
    /// Whether a pointer field leads to a cell whose field leads back: 0 if it leads to no cell (of
    /// that record), 1 if not, 2 if so.
    Inverse {
        /// The pointer field.
        over: usize,
        /// The pointer field there.
        back: usize,
    },
    /// Whether a pointer field equals a variable: 1 if both are null or the same cell, else 0.
    Is {
        /// The pointer field.
        field: usize,
        /// The variable.
        pointer: usize,
    },
    /// Whether some field of some cell leads to the cell: 1 if so, else 0.
    Entered,
}

/// Values of predicates that compare.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Order {
    /// Not comparable: undefined, or there is nothing to compare with.
    None = 0,
    /// Less.
    Less = 1,
    /// Equal.
    Equal = 2,
    /// Greater.
    Greater = 3,
}

/// The values of all predicates of a cell, one byte each.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Colour(pub u128);

impl Colour {
    /// The value of a predicate.
    pub fn get(self, predicate: usize) -> u8 {
        (self.0 >> (8 * predicate)) as u8
    }

    /// The same with another value of a predicate.
    #[must_use]
    pub fn with(self, predicate: usize, value: u8) -> Colour {
        let at = 8 * predicate;
        Colour(self.0 & !(0xff << at) | u128::from(value) << at)
    }
}

impl Record {
    /// The number of a predicate.
    pub fn predicate(&self, predicate: Predicate) -> Option<usize> {
        self.predicates.iter().position(|p| *p == predicate)
    }

    /// The pointer field at an offset.
    pub fn pointer_at(&self, offset: i64) -> Option<usize> {
        self.pointers.iter().position(|f| i64::from(f.offset) == offset)
    }

    /// The data field at an offset.
    pub fn data_at(&self, offset: i64) -> Option<usize> {
        self.data.iter().position(|f| i64::from(f.offset) == offset)
    }
}

impl PatternWords {
    /// The record of a type.
    pub fn record(&self, ty: TypeId) -> Option<usize> {
        self.records.iter().position(|r| r.ty == ty)
    }

    /// How many pointer fields all records have together.
    pub fn edges(&self) -> usize {
        self.records.iter().map(|r| r.pointers.len()).sum()
    }

    /// The record and the pointer field of an edge number.
    pub fn edge(&self, edge: usize) -> Option<(usize, usize)> {
        let fields = self.records.iter().enumerate();
        fields
            .flat_map(|(r, record)| (0..record.pointers.len()).map(move |f| (r, f)))
            .find(|(r, f)| self.records[*r].pointers[*f].edge == edge)
    }

    /// The pointer variable in a slot.
    pub fn pointer(&self, slot: Slot) -> Option<usize> {
        self.pointers.iter().position(|p| p.slot == slot)
    }

    /// The integer variable in a slot.
    pub fn scalar(&self, slot: Slot) -> Option<usize> {
        self.scalars.iter().position(|s| s.slot == slot)
    }

    /// Whether a predicate speaks of what there is.
    pub fn makes_sense(&self, record: usize, predicate: Predicate) -> bool {
        let of = &self.records[record];
        let there = |over: usize| of.pointers.get(over).and_then(|f| f.to);
        match predicate {
            Predicate::Data(field) => field < of.data.len(),
            Predicate::Against { field, scalar } => {
                field < of.data.len() && scalar < self.scalars.len()
            }
            Predicate::Neighbour { field, over, other } => {
                field < of.data.len()
                    && there(over).is_some_and(|r| other < self.records[r].data.len())
            }
            Predicate::Inverse { over, back } => {
                there(over).is_some_and(|r| back < self.records[r].pointers.len())
            }
            Predicate::Is { field, pointer } => {
                field < of.pointers.len() && pointer < self.pointers.len()
            }
            Predicate::Entered => true,
        }
    }

    /// Says one more thing of the cells of a record; false if it says so already, makes no sense,
    /// or there is no room.
    pub fn add_predicate(&mut self, record: usize, predicate: Predicate) -> bool {
        let sense = self.makes_sense(record, predicate);
        let of = &mut self.records[record];
        let fits = of.predicates.len() < MOST_PREDICATES && of.predicate(predicate).is_none();
        if sense && fits {
            of.predicates.push(predicate);
        }
        sense && fits
    }

    /// Speaks of the order of two integer variables.
    pub fn add_pair(&mut self, a: usize, b: usize) {
        let pair = (a.min(b), a.max(b));
        if a != b && !self.pairs.contains(&pair) {
            self.pairs.push(pair);
        }
    }

    /// How many values a predicate has.
    pub fn values_of(&self, predicate: Predicate) -> u8 {
        match predicate {
            Predicate::Data(_) => self.partition.len() as u8 + 1,
            Predicate::Against { .. } | Predicate::Neighbour { .. } => 4,
            Predicate::Inverse { .. } => 3,
            Predicate::Is { .. } | Predicate::Entered => 2,
        }
    }
}
