//! Memory: objects of bytes, seen as typed cells.
//!
//! A pointer is an object and a byte offset, so `&var`, `&p->f`, nested structs and `container_of`
//! are one mechanism. An object of element type `T` and `n` bytes is an array of `n / sizeof(T)`
//! elements; its cells hold one [`Value`] each, in the order of `T`'s layout.
//!
//! **Invariants.** `cells[object.start..][..object.cells]` are an object's cells; objects do not
//! share cells. An untyped object has none until [`Memory::retype`]. A store to one of two
//! overlapping union cells makes the other undefined.

use crate::types::{Layout, Scalar, TypeId, TypeTable};

/// An object of one memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ObjId(pub u32);

/// A non-null pointer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Pointer {
    /// The object.
    pub obj: ObjId,
    /// Byte offset from its start; may lie outside while it is not dereferenced.
    pub off: i32,
}

/// What a register or a cell holds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Value {
    /// Never written, or overwritten through another union member.
    Undef,
    /// The null pointer.
    Null,
    /// An integer, in the range of its type.
    Int(i64),
    /// A pointer that is not null; also what such a pointer converted to an integer holds.
    Ptr(Pointer),
    /// Not chosen yet; only in the partial heaps of the enumerator.
    Open,
}

impl Value {
    /// A pointer to the start of an object.
    pub fn to_start(obj: ObjId) -> Value {
        Value::Ptr(Pointer { obj, off: 0 })
    }

    /// The zero of a type: 0 or null.
    pub fn zero(scalar: Scalar) -> Value {
        if scalar.is_ptr() { Value::Null } else { Value::Int(0) }
    }

    /// The pointer, if it is one.
    pub fn pointer(self) -> Option<Pointer> {
        match self {
            Value::Ptr(p) => Some(p),
            _ => None,
        }
    }
}

/// Who owns an object, and so when it dies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Lifetime {
    /// `malloc`: until `free`; may be leaked.
    Heap,
    /// A local of some frame.
    Local,
    /// As long as the program.
    Global,
}

/// One object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Object {
    /// Element type; `None` while untyped.
    pub ty: Option<TypeId>,
    /// Size in bytes.
    pub size: u32,
    /// First cell.
    pub start: u32,
    /// How many cells.
    pub cells: u32,
    /// Who owns it.
    pub lifetime: Lifetime,
    /// Not yet freed or out of scope.
    pub live: bool,
    /// Existed at procedure entry: keeps its identity, and quantifiers see it even when freed.
    pub initial: bool,
    /// While untyped: whether its bytes are known to be zero.
    pub zeroed: bool,
    /// A literal: may share its memory with another one.
    pub literal: bool,
    /// Truth of the uninterpreted unary predicates at this object, by predicate number.
    pub marks: u32,
}

impl Object {
    /// Whether nobody can look into it: what a `void *` of the initial heap points to.
    pub fn is_opaque(&self) -> bool {
        self.initial && self.ty.is_none()
    }
}

/// Why an access is not possible.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// Through null.
    Null,
    /// Through an undefined pointer.
    Undef,
    /// To a dead object.
    Dead(ObjId),
    /// Outside the object.
    Bounds(ObjId),
    /// A copy within the object between places that share some bytes, but not all.
    Overlap(ObjId),
    /// Outside the supported subset.
    Unsupported(&'static str),
}

/// All objects of a state.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Memory {
    /// Objects by id; ids are never reused except by renaming a whole state.
    pub objects: Vec<Object>,
    /// The cells of all objects.
    pub cells: Vec<Value>,
}

impl Memory {
    /// An object.
    pub fn object(&self, id: ObjId) -> &Object {
        &self.objects[id.0 as usize]
    }

    /// All ids.
    pub fn ids(&self) -> impl Iterator<Item = ObjId> + use<> {
        (0..self.objects.len() as u32).map(ObjId)
    }

    /// A new live object. `fill` gives the initial value of each cell; no type, no cells.
    pub fn allocate(
        &mut self,
        types: &TypeTable,
        ty: Option<TypeId>,
        size: u32,
        lifetime: Lifetime,
        fill: impl Fn(Scalar) -> Value,
    ) -> ObjId {
        let id = ObjId(self.objects.len() as u32);
        let start = self.cells.len() as u32;
        self.objects.push(Object {
            ty: None,
            size,
            start,
            cells: 0,
            lifetime,
            live: true,
            initial: false,
            zeroed: false,
            literal: false,
            marks: 0,
        });
        if let Some(ty) = ty {
            self.retype(types, id, ty, fill);
        }
        id
    }

    /// Gives an untyped object its element type; no effect on a typed one.
    pub fn retype(
        &mut self,
        types: &TypeTable,
        id: ObjId,
        ty: TypeId,
        fill: impl Fn(Scalar) -> Value,
    ) {
        /// More cells than any example of the subset needs; larger objects stay untyped.
        const MOST_CELLS: usize = 1 << 16;
        let object = &mut self.objects[id.0 as usize];
        let Some(layout) = types.layout(ty) else {
            return;
        };
        if object.ty.is_some() || object.is_opaque() || layout.size == 0 {
            return;
        }
        // An object smaller than its type keeps the cells that fit.
        let elements = (object.size / layout.size) as usize;
        let rest = object.size % layout.size;
        let partial = layout.cells.iter().filter(|c| c.offset + c.scalar.bytes() <= rest).count();
        if elements.saturating_mul(layout.cells.len()) > MOST_CELLS {
            return;
        }
        let zeroed = object.zeroed;
        let fill = |s: Scalar| if zeroed { Value::zero(s) } else { fill(s) };
        object.ty = Some(ty);
        object.start = self.cells.len() as u32;
        object.cells = (elements * layout.cells.len() + partial) as u32;
        for _ in 0..elements {
            self.cells.extend(layout.cells.iter().map(|c| fill(c.scalar)));
        }
        self.cells.extend(layout.cells.iter().take(partial).map(|c| fill(c.scalar)));
    }

    /// The live object and in-bounds offset of an access of so many bytes.
    pub fn access(&self, at: Value, bytes: u32) -> Result<(ObjId, u32), Fault> {
        let p = match at {
            Value::Ptr(p) => p,
            Value::Null => return Err(Fault::Null),
            Value::Undef | Value::Open => return Err(Fault::Undef),
            Value::Int(_) => return Err(Fault::Unsupported("an integer used as an address")),
        };
        let object = self.object(p.obj);
        if !object.live {
            return Err(Fault::Dead(p.obj));
        }
        let fits =
            p.off >= 0 && (p.off as u32).checked_add(bytes).is_some_and(|e| e <= object.size);
        if !fits {
            return Err(Fault::Bounds(p.obj));
        }
        Ok((p.obj, p.off as u32))
    }

    /// The cell of a scalar access.
    pub fn cell(&self, types: &TypeTable, at: Value, scalar: Scalar) -> Result<usize, Fault> {
        let (obj, off) = self.access(at, scalar.bytes())?;
        let object = self.object(obj);
        let Some(layout) = object.ty.and_then(|t| types.layout(t)) else {
            return Err(Fault::Unsupported("access to memory of unknown type"));
        };
        // Most objects have one element; a division on this path is felt.
        let (element, inner) = match off < layout.size {
            true => (0, off),
            false => (off / layout.size, off % layout.size),
        };
        let Some(cell) = layout.cell_at(inner, scalar.bytes()) else {
            return Err(Fault::Unsupported("access that does not match the object's type"));
        };
        let cell = element as usize * layout.cells.len() + cell;
        if cell >= object.cells as usize {
            return Err(Fault::Bounds(obj));
        }
        Ok(object.start as usize + cell)
    }

    /// Reads a scalar.
    pub fn load(&self, types: &TypeTable, at: Value, scalar: Scalar) -> Result<Value, Fault> {
        let value = self.cells[self.cell(types, at, scalar)?];
        match (value, scalar) {
            (Value::Int(i), Scalar::Int(k)) => Ok(Value::Int(k.wrap(i.into()))),
            (Value::Int(0), Scalar::Ptr(_)) => Ok(Value::Null),
            (Value::Null, Scalar::Int(_)) => Ok(Value::Int(0)),
            (Value::Int(_), Scalar::Ptr(_)) => {
                Err(Fault::Unsupported("an integer read as a pointer"))
            }
            _ => Ok(value),
        }
    }

    /// Writes a scalar.
    pub fn store(
        &mut self,
        types: &TypeTable,
        at: Value,
        scalar: Scalar,
        value: Value,
    ) -> Result<(), Fault> {
        let cell = self.cell(types, at, scalar)?;
        self.cells[cell] = value;
        let pointer = at.pointer().expect("a cell was found through it");
        self.forget_overlapping(types, pointer, cell);
        Ok(())
    }

    /// After a write to `cell`: the union cells that share bytes with it lose their value.
    fn forget_overlapping(&mut self, types: &TypeTable, at: Pointer, cell: usize) {
        let object = *self.object(at.obj);
        let Some(layout) = object.ty.and_then(|t| types.layout(t)) else {
            return;
        };
        if !layout.overlaps {
            return;
        }
        let per_element = layout.cells.len();
        let index = (cell - object.start as usize) % per_element;
        let first = cell - index;
        let mine = &layout.cells[index];
        for (i, other) in layout.cells.iter().enumerate() {
            let disjoint = mine.offset + mine.scalar.bytes() <= other.offset
                || other.offset + other.scalar.bytes() <= mine.offset;
            if i != index && !disjoint && first + i < (object.start + object.cells) as usize {
                self.cells[first + i] = Value::Undef;
            }
        }
    }

    /// The cells that `size` bytes from `at` consist of, as (offset from `at`, scalar, cell).
    /// Fails when a cell is cut.
    pub fn cells_in(
        &self,
        types: &TypeTable,
        at: Value,
        size: u32,
    ) -> Result<Vec<(u32, Scalar, usize)>, Fault> {
        let (obj, off) = self.access(at, size)?;
        let object = self.object(obj);
        let Some(layout) = object.ty.and_then(|t| types.layout(t)) else {
            return Err(Fault::Unsupported("access to memory of unknown type"));
        };
        let mut out = Vec::new();
        for (i, (offset, scalar)) in object_cells(object, layout).enumerate() {
            let (start, end) = (offset, offset + scalar.bytes());
            if end <= off || start >= off + size {
                continue;
            }
            if start < off || end > off + size {
                return Err(Fault::Unsupported("access to a part of a scalar"));
            }
            out.push((start - off, scalar, object.start as usize + i));
        }
        Ok(out)
    }

    /// The cells of an object as (byte offset, scalar, value).
    pub fn contents<'a>(
        &'a self,
        types: &'a TypeTable,
        id: ObjId,
    ) -> impl Iterator<Item = (u32, Scalar, Value)> + 'a {
        let object = self.object(id);
        let layout = object.ty.and_then(|t| types.layout(t));
        layout
            .into_iter()
            .flat_map(move |l| object_cells(object, l))
            .zip(&self.cells[object.start as usize..][..object.cells as usize])
            .map(|((off, scalar), v)| (off, scalar, *v))
    }

    /// The cell values of an object.
    pub fn cells_of(&self, id: ObjId) -> &[Value] {
        let object = self.object(id);
        &self.cells[object.start as usize..][..object.cells as usize]
    }

    /// Marks everything reachable from `todo` through live objects.
    pub fn reachable(&self, todo: Vec<ObjId>) -> Vec<bool> {
        let mut todo = todo;
        let mut seen = vec![false; self.objects.len()];
        while let Some(id) = todo.pop() {
            if std::mem::replace(&mut seen[id.0 as usize], true) || !self.object(id).live {
                continue;
            }
            todo.extend(self.cells_of(id).iter().filter_map(|v| v.pointer()).map(|p| p.obj));
        }
        seen
    }
}

/// Byte offset and scalar of every cell of a typed object.
fn object_cells<'a>(
    object: &Object,
    layout: &'a Layout,
) -> impl Iterator<Item = (u32, Scalar)> + use<'a> {
    let per_element = layout.cells.len().max(1);
    (0..object.cells as usize).map(move |i| {
        let cell = &layout.cells[i % per_element];
        ((i / per_element) as u32 * layout.size + cell.offset, cell.scalar)
    })
}
