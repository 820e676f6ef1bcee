//! Memory: objects of bytes, seen as typed cells.
//!
//! A pointer is an object and a byte offset, so `&var`, `&p->f`, nested structs and `container_of`
//! are one mechanism. An object of element type `T` and `n` bytes is an array of `n / sizeof(T)`
//! elements; its cells hold one [`Value`] each, in the order of `T`'s layout.
//!
//! A flexible array member continues a struct's cells with those of its elements. An access that is
//! to no cell goes byte by byte, see [`super::bytes`].
//!
//! **Invariants.** `cells[object.start..][..object.cells]` are an object's cells; objects do not
//! share cells. An untyped object has none until [`Memory::retype`].

use std::collections::BTreeMap;

use crate::concrete::bytes::Byte;
use crate::types::{CellInfo, IntKind, Layout, Scalar, TypeId, TypeTable};

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
    /// Some bytes of a pointer, from one on and so many: what is read through a character pointer.
    /// In a register of a wider type too; it can be stored again and is no number.
    Piece(Pointer, u8, u8),
    /// Bytes that are no value together, such as half of an integer; in cells only.
    Bytes,
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

    /// The object that a pointer points to, or some bytes of one.
    pub fn object(self) -> Option<ObjId> {
        match self {
            Value::Ptr(p) | Value::Piece(p, ..) => Some(p.obj),
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
    /// Whether the bytes that belong to no cell began as zeros: all while untyped, padding later.
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
    /// Through an integer that was converted to a pointer: outside all objects.
    Nowhere,
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
    /// Bytes that no cell tells.
    pub loose: BTreeMap<(ObjId, u32), Byte>,
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

    /// Gives an untyped object its element type; no effect on a typed one, nor if the object is too
    /// large.
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
        if object.ty.is_some() || object.is_opaque() || (layout.size == 0 && layout.tail.is_none())
        {
            return;
        }
        let (base, tail) = match layout.tail.and_then(|t| Some((t, types.layout(t.element)?))) {
            Some((tail, element)) => {
                let room = object.size.saturating_sub(tail.offset);
                (fitting(layout, object.size.min(layout.size)), fitting(element, room))
            }
            None => (fitting(layout, object.size), 0),
        };
        let Some(count) = base.checked_add(tail).filter(|n| *n <= MOST_CELLS) else {
            return;
        };
        let zeroed = object.zeroed;
        let fill = |c: &CellInfo| if zeroed { Value::zero(c.scalar) } else { fill(c.scalar) };
        object.ty = Some(ty);
        object.start = self.cells.len() as u32;
        object.cells = count as u32;
        self.cells.extend(layout.cells.iter().cycle().take(base).map(&fill));
        if let Some(element) = layout.tail.and_then(|t| types.layout(t.element)) {
            self.cells.extend(element.cells.iter().cycle().take(tail).map(&fill));
        }
    }

    /// The live object and in-bounds offset of an access of so many bytes.
    pub fn access(&self, at: Value, bytes: u32) -> Result<(ObjId, u32), Fault> {
        let p = match at {
            Value::Ptr(p) => p,
            Value::Null => return Err(Fault::Null),
            Value::Undef | Value::Open => return Err(Fault::Undef),
            Value::Int(_) => return Err(Fault::Nowhere),
            Value::Piece(..) | Value::Bytes => {
                return Err(Fault::Unsupported("a byte of a pointer used as an address"));
            }
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

    /// The cell of a scalar access, if it is to one; else the bytes of an object.
    pub fn cell(&self, types: &TypeTable, at: Value, scalar: Scalar) -> Result<Found, Fault> {
        let bytes = types.bytes(scalar);
        let (obj, off) = self.access(at, bytes)?;
        let object = self.object(obj);
        let Some((ty, layout)) = object.ty.and_then(|t| Some((t, types.layout(t)?))) else {
            return Err(Fault::Unsupported("access to memory of unknown type"));
        };
        self.aligned(types, object, ty, off, scalar)?;
        let (layout, first, off) = match layout.tail {
            Some(tail) if off >= tail.offset && off + bytes > layout.size => {
                let element = types.layout(tail.element);
                let element = element.ok_or(Fault::Unsupported("access to a very large array"))?;
                (element, layout.cells.len(), off - tail.offset)
            }
            _ => (layout, 0, off),
        };
        // Most objects have one element; a division on this path is felt.
        let (element, inner) = match off < layout.size {
            true => (0, off),
            false => (off / layout.size.max(1), off % layout.size.max(1)),
        };
        let cell = match scalar {
            Scalar::Bits(b) => layout.bits_at(inner, b.shift, b.width),
            _ => layout.cell_at(inner, bytes),
        };
        let Some(cell) = cell else {
            let (id, at) = (obj, at.pointer().map_or(0, |p| p.off as u32));
            return self.may_take_bytes(id, scalar).map(|()| Found::Bytes(id, at));
        };
        let cell = first + element as usize * layout.cells.len() + cell;
        if cell >= object.cells as usize {
            return Err(Fault::Bounds(obj));
        }
        Ok(Found::Cell(object.start as usize + cell))
    }

    /// That a scalar lies where its type may: at a multiple of its alignment, in an object that is
    /// aligned itself. Bit-fields and members of packed structs lie anywhere, and are not accessed
    /// as scalars.
    fn aligned(
        &self,
        types: &TypeTable,
        object: &Object,
        ty: TypeId,
        off: u32,
        scalar: Scalar,
    ) -> Result<(), Fault> {
        let bytes = match scalar {
            Scalar::Int(kind) => kind.bytes(),
            Scalar::Bits(_) => return Ok(()),
            Scalar::Ptr(_) | Scalar::Float(_) => types.bytes(scalar),
        };
        let align = types.model().align(bytes);
        let start = match object.lifetime {
            Lifetime::Heap => align,
            Lifetime::Local | Lifetime::Global => types.align_of(ty),
        };
        match off.is_multiple_of(align) && start >= align {
            true => Ok(()),
            false => Err(Fault::Unsupported("access at an address that is not aligned")),
        }
    }

    /// Whether an access that is to no cell can be followed. Characters may look at everything, and
    /// allocated memory is what was stored there last, at an address that suits the type.
    fn may_take_bytes(&self, id: ObjId, scalar: Scalar) -> Result<(), Fault> {
        let is_character = matches!(scalar, Scalar::Int(k) if k.bits == 8);
        let is_heap = self.object(id).lifetime == Lifetime::Heap;
        match () {
            () if is_character => Ok(()),
            () if is_heap => Ok(()),
            () => Err(Fault::Unsupported("access that does not match the object's type")),
        }
    }

    /// Reads a scalar.
    pub fn load(&self, types: &TypeTable, at: Value, scalar: Scalar) -> Result<Value, Fault> {
        let value = match self.cell(types, at, scalar)? {
            Found::Cell(cell) if self.cells[cell] != Value::Bytes => self.cells[cell],
            Found::Cell(_) => {
                let p = at.pointer().expect("a cell was found through it");
                self.load_bytes(types, p.obj, p.off as u32, scalar)?
            }
            Found::Bytes(id, off) => self.load_bytes(types, id, off, scalar)?,
        };
        match (value, scalar) {
            (Value::Int(i), Scalar::Int(IntKind::BOOL)) if !(0..=1).contains(&i) => {
                Err(Fault::Unsupported("a `_Bool` that is neither true nor false"))
            }
            (Value::Int(i), Scalar::Int(k)) => Ok(Value::Int(k.wrap(i.into()))),
            // Members of a union may share it, one with a sign, one without.
            (Value::Int(i), Scalar::Bits(field)) => Ok(Value::Int(field.wrap(i))),
            (Value::Int(0), Scalar::Ptr(_)) => Ok(Value::Null),
            (Value::Null, Scalar::Int(_)) => Ok(Value::Int(0)),
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
        let value = match (value, scalar) {
            (Value::Int(i), Scalar::Bits(field)) => Value::Int(field.wrap(i)),
            (v, _) => v,
        };
        let (id, off) = match self.cell(types, at, scalar)? {
            Found::Cell(cell) => {
                let p = at.pointer().expect("a cell was found through it");
                let simple = !matches!(value, Value::Piece(..) | Value::Ptr(_))
                    || matches!(scalar, Scalar::Ptr(_));
                let ty = self.object(p.obj).ty;
                let alone = ty.and_then(|t| types.layout(t)).is_some_and(|l| !l.overlaps)
                    && self.cells[cell] != Value::Bytes;
                if simple && alone {
                    self.cells[cell] = value;
                    return Ok(());
                }
                (p.obj, p.off as u32)
            }
            Found::Bytes(id, off) => (id, off),
        };
        self.store_bytes(types, id, off, scalar, value)
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
            .flat_map(move |l| object_cells(types, object, l))
            .zip(&self.cells[object.start as usize..][..object.cells as usize])
            .map(|((off, scalar), v)| (off, scalar, *v))
    }

    /// The cell values of an object.
    pub fn cells_of(&self, id: ObjId) -> &[Value] {
        let object = self.object(id);
        &self.cells[object.start as usize..][..object.cells as usize]
    }

    /// Copies whole elements between objects of one type, cell by cell; whether that was possible.
    pub(super) fn copy_elements(
        &mut self,
        types: &TypeTable,
        from: (ObjId, u32),
        to: (ObjId, u32),
        size: u32,
    ) -> bool {
        let (source, target) = (*self.object(from.0), *self.object(to.0));
        let Some(layout) =
            source.ty.filter(|t| target.ty == Some(*t)).and_then(|t| types.layout(t))
        else {
            return false;
        };
        let whole = |n: u32| layout.size > 0 && n.is_multiple_of(layout.size);
        let simple = !layout.overlaps
            && layout.tail.is_none()
            && self.loose.is_empty()
            && (layout.dense || source.zeroed == target.zeroed);
        if !simple || !whole(from.1) || !whole(to.1) || !whole(size) {
            return false;
        }
        let cell = |object: &Object, off: u32| {
            object.start as usize + (off / layout.size) as usize * layout.cells.len()
        };
        let (first, count) = (cell(&source, from.1), (size / layout.size) as usize);
        self.cells.copy_within(first..first + count * layout.cells.len(), cell(&target, to.1));
        true
    }

    /// Makes cells of an initial object that share bits agree: those that are chosen tell the others,
    /// and what is left is zero.
    pub fn settle(&mut self, types: &TypeTable, id: ObjId) {
        let contents: Vec<_> = self.contents(types, id).collect();
        let start = self.object(id).start as usize;
        for (i, (_, scalar, _)) in contents.iter().enumerate() {
            self.cells[start + i] = Value::zero(*scalar);
        }
        let chosen = contents.into_iter().filter(|(_, _, value)| *value != Value::Open);
        for (off, scalar, value) in chosen {
            // Chosen values are numbers and pointers, which all have bytes.
            let _ = self.store_bytes(types, id, off, scalar, value);
        }
    }

    /// The bytes of an object that no cell tells.
    pub fn loose_of(&self, id: ObjId) -> impl Iterator<Item = (u32, Byte)> + '_ {
        self.loose.range((id, 0)..=(id, u32::MAX)).map(|((_, at), byte)| (*at, *byte))
    }

    /// Marks everything reachable from `todo` through live objects.
    pub fn reachable(&self, todo: Vec<ObjId>) -> Vec<bool> {
        let mut todo = todo;
        let mut seen = vec![false; self.objects.len()];
        while let Some(id) = todo.pop() {
            if std::mem::replace(&mut seen[id.0 as usize], true) || !self.object(id).live {
                continue;
            }
            todo.extend(self.cells_of(id).iter().filter_map(|v| v.object()));
            todo.extend(self.loose_of(id).filter_map(|(_, b)| b.object()));
        }
        seen
    }
}

/// Where an access goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Found {
    /// To a cell.
    Cell(usize),
    /// To bytes of an object, from an offset on.
    Bytes(ObjId, u32),
}

/// How many cells an array of so many bytes has. An object smaller than its type keeps the cells
/// that fit, and those before them.
fn fitting(layout: &Layout, bytes: u32) -> usize {
    if layout.size == 0 {
        return 0;
    }
    let rest = bytes % layout.size;
    let last = layout.cells.iter().rposition(|c| c.end() <= rest);
    let elements = (bytes / layout.size) as usize;
    elements.saturating_mul(layout.cells.len()).saturating_add(last.map_or(0, |i| i + 1))
}

/// Byte offset and scalar of every cell of a typed object.
fn object_cells<'a>(
    types: &'a TypeTable,
    object: &Object,
    layout: &'a Layout,
) -> impl Iterator<Item = (u32, Scalar)> + use<'a> {
    let tail = layout.tail.and_then(|t| Some((t.offset, types.layout(t.element)?)));
    let per_element = layout.cells.len();
    let first = if tail.is_some() { per_element } else { usize::MAX };
    (0..object.cells as usize).map(move |i| {
        let (base, layout, i) = match tail {
            Some((offset, element)) if i >= first => (offset, element, i - first),
            _ => (0, layout, i),
        };
        let count = layout.cells.len().max(1);
        let cell = &layout.cells[i % count];
        (base + (i / count) as u32 * layout.size + cell.offset, cell.scalar)
    })
}
