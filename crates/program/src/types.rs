//! C types, and the memory layouts they give.
//!
//! Sizes and alignments are those of the System V ABI in one of two data models, which the table
//! knows ([`DataModel`]): whoever needs a size asks the table.
//!
//! **Invariants.** Types are interned: equal types have equal ids. A [`Layout`] lists the scalar
//! cells of a type in order of their offsets; two cells share bits only through a union.

use std::collections::BTreeMap;
use std::sync::Arc;

mod layout;
mod model;
mod records;

pub use layout::{CellInfo, Layout, Tail};
pub use model::DataModel;
pub use records::{Member, Packing};

/// An interned type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TypeId(pub u32);

/// A struct or union.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RecordId(pub u32);

/// Width and signedness of an integer type. `_Bool` is `{ bits: 1, signed: false }`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct IntKind {
    /// 1 (`_Bool`), 8, 16, 32 or 64.
    pub bits: u8,
    /// Whether negative values exist.
    pub signed: bool,
}

impl IntKind {
    /// `int`.
    pub const INT: IntKind = IntKind { bits: 32, signed: true };
    /// `unsigned long`, the type of `sizeof`.
    pub const SIZE: IntKind = IntKind { bits: 64, signed: false };
    /// `long`.
    pub const LONG: IntKind = IntKind { bits: 64, signed: true };
    /// `char` (signed, as on x86-64).
    pub const CHAR: IntKind = IntKind { bits: 8, signed: true };
    /// `_Bool`.
    pub const BOOL: IntKind = IntKind { bits: 1, signed: false };

    /// Bytes in memory.
    pub fn bytes(self) -> u32 {
        u32::from(self.bits).div_ceil(8)
    }

    /// Brings a mathematical value into range by two's complement wrapping (`_Bool`: non-zero is
    /// 1). A 64-bit unsigned value is kept as the `i64` with the same bits.
    pub fn wrap(self, value: i128) -> i64 {
        match (self.bits, self.signed) {
            (1, _) => i64::from(value != 0),
            (8, true) => i64::from(value as i8),
            (8, false) => i64::from(value as u8),
            (16, true) => i64::from(value as i16),
            (16, false) => i64::from(value as u16),
            (32, true) => i64::from(value as i32),
            (32, false) => i64::from(value as u32),
            _ => value as i64,
        }
    }

    /// The mathematical value of a wrapped one: undoes the bit reuse of unsigned 64-bit values.
    pub fn value(self, wrapped: i64) -> i128 {
        if self.bits == 64 && !self.signed {
            i128::from(wrapped as u64)
        } else {
            i128::from(wrapped)
        }
    }
}

/// A type that fits one memory cell and one register.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Scalar {
    /// An integer.
    Int(IntKind),
    /// A pointer to the given type.
    Ptr(TypeId),
    /// A floating-point number of so many bits: has a size, but no operation on it is supported.
    Float(u16),
    /// A bit-field.
    Bits(BitField),
}

/// A bit-field: some bits of the bytes at an address, the least significant ones first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BitField {
    /// The type that it is declared with.
    pub kind: IntKind,
    /// Bits of the first byte that belong to others; below 8.
    pub shift: u8,
    /// How many bits it has; at least 1.
    pub width: u8,
}

impl BitField {
    /// The bytes that it has bits of.
    pub fn bytes(self) -> u32 {
        u32::from(self.shift + self.width).div_ceil(8)
    }

    /// Brings a value into range, as a store does.
    pub fn wrap(self, value: i64) -> i64 {
        let free = 64 - u32::from(self.width);
        match self.kind.signed {
            true => value << free >> free,
            false => ((value as u64) << free >> free) as i64,
        }
    }

    /// Its bits of a byte that it has bits of, counted from the first.
    pub fn mask(self, byte: u32) -> u8 {
        let all = ((1u128 << self.width) - 1) << self.shift;
        (all >> (8 * byte)) as u8
    }
}

impl Scalar {
    /// Whether this is a pointer type.
    pub fn is_ptr(self) -> bool {
        matches!(self, Scalar::Ptr(_))
    }
}

/// A C type.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Type {
    /// `void`, and the pointee of `void *`.
    Void,
    /// Any integer or enumeration type.
    Int(IntKind),
    /// A floating-point type of so many bits.
    Float(u16),
    /// A pointer.
    Ptr(TypeId),
    /// A struct or union.
    Record(RecordId),
    /// An array of known length.
    Array(TypeId, u64),
    /// A function type; only ever behind a pointer, as a declaration, or as the type of the constant
    /// object that stands for a function. Such an object has one byte and no cells.
    Func(Box<FuncType>),
}

/// What is known of a function by its type.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FuncType {
    /// Its result; `void` for none.
    pub ret: TypeId,
    /// Its parameters.
    pub params: Vec<TypeId>,
    /// Whether more arguments may follow.
    pub is_variadic: bool,
    /// Whether its parameters are known: `f()` says nothing of them.
    pub has_prototype: bool,
}

/// A member of a struct or union. An anonymous member has an empty name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// As written.
    pub name: String,
    /// Its type.
    pub ty: TypeId,
    /// Byte offset in the record; of a bit-field, that of the first byte it has bits of.
    pub offset: u32,
    /// Which bits, if it is a bit-field.
    pub bits: Option<BitField>,
    /// Declared `const`.
    pub is_const: bool,
}

/// A struct or union.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// As users call it: `struct node`, or the typedef's name for an untagged one.
    pub name: String,
    /// Whether this is a union.
    pub is_union: bool,
    /// Members in order; empty while incomplete.
    pub fields: Vec<Field>,
    /// Size in bytes, with tail padding.
    pub size: u32,
    /// Alignment in bytes.
    pub align: u32,
    /// Whether the body has been seen.
    pub complete: bool,
    /// Whether members lie closer, or further apart, than their types ask for.
    pub is_packed: bool,
}

/// All types of a program. Copies share what they have in common.
#[derive(Clone, Debug, Default)]
pub struct TypeTable {
    types: Arc<Vec<Type>>,
    ids: Arc<BTreeMap<Type, TypeId>>,
    records: Arc<Vec<Record>>,
    layouts: Arc<Vec<Option<Layout>>>,
    model: DataModel,
}

impl TypeTable {
    /// An empty table of a data model.
    pub fn of_model(model: DataModel) -> TypeTable {
        TypeTable { model, ..TypeTable::default() }
    }

    /// The id of a type.
    pub fn intern(&mut self, ty: Type) -> TypeId {
        if let Some(&id) = self.ids.get(&ty) {
            return id;
        }
        let id = TypeId(self.types.len() as u32);
        Arc::make_mut(&mut self.types).push(ty.clone());
        Arc::make_mut(&mut self.ids).insert(ty, id);
        id
    }

    /// The type behind an id.
    pub fn get(&self, id: TypeId) -> &Type {
        &self.types[id.0 as usize]
    }

    /// Every type id.
    pub fn ids(&self) -> impl Iterator<Item = TypeId> + use<> {
        (0..self.types.len() as u32).map(TypeId)
    }

    /// The id of a type that may or may not have been interned.
    pub fn find(&self, ty: &Type) -> Option<TypeId> {
        self.ids.get(ty).copied()
    }

    /// A new record, incomplete until [`TypeTable::complete`].
    pub fn declare_record(&mut self, name: impl Into<String>, is_union: bool) -> RecordId {
        Arc::make_mut(&mut self.records).push(Record {
            name: name.into(),
            is_union,
            fields: Vec::new(),
            size: 0,
            align: 1,
            complete: false,
            is_packed: false,
        });
        RecordId(self.records.len() as u32 - 1)
    }

    /// Whether a type has `const` members.
    pub fn has_const(&self, ty: TypeId) -> bool {
        self.touches_const(ty, 0, u64::MAX)
    }

    /// Whether some of the bytes from `from` up to `to` of a value are in a `const` member.
    pub fn touches_const(&self, ty: TypeId, from: u64, to: u64) -> bool {
        let touches = |f: &Field| {
            let start = u64::from(f.offset);
            let bytes = match f.bits {
                Some(bits) => bits.bytes(),
                None => self.size_of(f.ty).unwrap_or(0),
            };
            let end = start + u64::from(bytes);
            let within = (from.saturating_sub(start), to.saturating_sub(start));
            from < end && start < to && (f.is_const || self.touches_const(f.ty, within.0, within.1))
        };
        match self.get(ty) {
            Type::Record(r) => self.record(*r).fields.iter().any(touches),
            Type::Array(element, n) => {
                let size = u64::from(self.size_of(*element).unwrap_or(0)).max(1);
                let (first, end) = (from / size, to.div_ceil(size).min(*n));
                // Of three elements in a row, one is met as a whole.
                let whole = end.saturating_sub(first) > 2 && self.has_const(*element);
                whole
                    || (first..end.min(first.saturating_add(2))).any(|i| {
                        let start = i * size;
                        let within = (from.saturating_sub(start), to.saturating_sub(start));
                        self.touches_const(*element, within.0, within.1.min(size))
                    })
            }
            _ => false,
        }
    }

    /// Changes how a record is called (an untagged struct takes its typedef's name).
    pub fn rename_record(&mut self, id: RecordId, name: impl Into<String>) {
        Arc::make_mut(&mut self.records)[id.0 as usize].name = name.into();
    }

    /// The record behind an id.
    pub fn record(&self, id: RecordId) -> &Record {
        &self.records[id.0 as usize]
    }

    /// All records, with their ids.
    pub fn records(&self) -> impl Iterator<Item = (RecordId, &Record)> {
        self.records.iter().enumerate().map(|(i, r)| (RecordId(i as u32), r))
    }

    /// The record that a type is, if it is one.
    pub fn as_record(&self, ty: TypeId) -> Option<RecordId> {
        match self.get(ty) {
            Type::Record(r) => Some(*r),
            _ => None,
        }
    }

    /// Whether a type is that of functions.
    pub fn is_function(&self, ty: TypeId) -> bool {
        matches!(self.get(ty), Type::Func(_))
    }

    /// Whether values of two types are passed alike: pointers, whatever they lead to, and numbers of
    /// the same bits.
    pub fn passed_alike(&self, one: TypeId, other: TypeId) -> bool {
        match (self.get(one), self.get(other)) {
            (Type::Ptr(_), Type::Ptr(_)) => true,
            (Type::Int(a), Type::Int(b)) => a.bits == b.bits,
            _ => one == other,
        }
    }

    /// Whether a function of one type may be what a pointer to another type is meant to lead to.
    pub fn called_alike(&self, one: TypeId, other: TypeId) -> bool {
        let (Type::Func(a), Type::Func(b)) = (self.get(one), self.get(other)) else {
            return false;
        };
        let alike = |x: TypeId, y: TypeId| self.passed_alike(x, y);
        let same = || {
            a.is_variadic == b.is_variadic
                && a.params.len() == b.params.len()
                && a.params.iter().zip(&b.params).all(|(x, y)| alike(*x, *y))
        };
        alike(a.ret, b.ret) && (!a.has_prototype || !b.has_prototype || same())
    }

    /// The pointee, if the type is a pointer.
    pub fn pointee(&self, ty: TypeId) -> Option<TypeId> {
        match self.get(ty) {
            Type::Ptr(p) => Some(*p),
            _ => None,
        }
    }

    /// The scalar that a type is, if it is one.
    pub fn scalar(&self, ty: TypeId) -> Option<Scalar> {
        match self.get(ty) {
            Type::Int(k) => Some(Scalar::Int(*k)),
            Type::Ptr(p) => Some(Scalar::Ptr(*p)),
            Type::Float(b) => Some(Scalar::Float(*b)),
            _ => None,
        }
    }

    /// Bytes of a scalar in memory.
    pub fn bytes(&self, scalar: Scalar) -> u32 {
        match scalar {
            Scalar::Int(k) => k.bytes(),
            Scalar::Ptr(_) => self.model.pointer_bytes(),
            Scalar::Float(bits) => self.model.float_bytes(bits),
            Scalar::Bits(b) => b.bytes(),
        }
    }

    /// The data model that sizes are of.
    pub fn model(&self) -> DataModel {
        self.model
    }

    /// Size in bytes, of a function that of the object that stands for it; `None` for `void` and
    /// incomplete records.
    pub fn size_of(&self, ty: TypeId) -> Option<u32> {
        match self.get(ty) {
            Type::Void => None,
            Type::Func(_) => Some(1),
            Type::Int(k) => Some(k.bytes()),
            Type::Float(b) => Some(self.model.float_bytes(*b)),
            Type::Ptr(_) => Some(self.model.pointer_bytes()),
            Type::Record(r) => {
                let r = self.record(*r);
                r.complete.then_some(r.size)
            }
            Type::Array(elem, n) => self.size_of(*elem)?.checked_mul(u32::try_from(*n).ok()?),
        }
    }

    /// Alignment in bytes (1 for types without a size).
    pub fn align_of(&self, ty: TypeId) -> u32 {
        match self.get(ty) {
            Type::Void | Type::Func(_) => 1,
            Type::Int(k) => self.model.align(k.bytes()),
            Type::Float(b) => self.model.align(self.model.float_bytes(*b)),
            Type::Ptr(_) => self.model.pointer_bytes(),
            Type::Record(r) => self.record(*r).align,
            Type::Array(elem, _) => self.align_of(*elem),
        }
    }

    /// A member by name that is no bit-field, looking into anonymous members; the offset is from the
    /// record's start.
    pub fn field(&self, record: RecordId, name: &str) -> Option<(u32, TypeId)> {
        self.member(record, name).filter(|(_, f)| f.bits.is_none()).map(|(at, f)| (at, f.ty))
    }

    /// A bit-field by name, as [`TypeTable::field`].
    pub fn bit_field(&self, record: RecordId, name: &str) -> Option<(u32, TypeId, BitField)> {
        self.member(record, name).and_then(|(at, f)| Some((at, f.ty, f.bits?)))
    }

    fn member(&self, record: RecordId, name: &str) -> Option<(u32, &Field)> {
        self.record(record).fields.iter().find_map(|f| {
            if f.name == name {
                return Some((f.offset, f));
            }
            let inner = (f.name.is_empty()).then(|| self.as_record(f.ty)).flatten()?;
            self.member(inner, name).map(|(o, inner)| (f.offset + o, inner))
        })
    }

    /// Every type as C writes it: `struct node *`, `int`, `int[4]`.
    pub fn name(&self, ty: TypeId) -> String {
        match self.get(ty) {
            Type::Void => "void".into(),
            Type::Func(f) => self.function_name(f, ""),
            Type::Int(k) => match (k.bits, k.signed) {
                (1, _) => "_Bool",
                (8, true) => "char",
                (8, false) => "unsigned char",
                (16, true) => "short",
                (16, false) => "unsigned short",
                (32, true) => "int",
                (32, false) => "unsigned int",
                (_, true) if self.model == DataModel::Ilp32 => "long long",
                (_, false) if self.model == DataModel::Ilp32 => "unsigned long long",
                (_, true) => "long",
                (_, false) => "unsigned long",
            }
            .into(),
            Type::Float(32) => "float".into(),
            Type::Float(64) => "double".into(),
            Type::Float(_) => "long double".into(),
            Type::Ptr(p) => {
                if let Type::Func(f) = self.get(*p) {
                    return self.function_name(f, "(*)");
                }
                let inner = self.name(*p);
                if inner.ends_with('*') { format!("{inner}*") } else { format!("{inner} *") }
            }
            Type::Record(r) => self.record(*r).name.clone(),
            Type::Array(e, n) => format!("{}[{n}]", self.name(*e)),
        }
    }

    fn function_name(&self, f: &FuncType, declarator: &str) -> String {
        let mut params: Vec<String> = f.params.iter().map(|p| self.name(*p)).collect();
        params.extend(f.is_variadic.then(|| "...".into()));
        if params.is_empty() && f.has_prototype {
            params.push("void".into());
        }
        let ret = self.name(f.ret);
        let gap = if ret.ends_with('*') { "" } else { " " };
        format!("{ret}{gap}{declarator}({})", params.join(", "))
    }

    /// The layout of a type; `None` for types without a size or with too many cells to model.
    ///
    /// # Panics
    /// If [`TypeTable::finish`] has not run since the type was interned.
    pub fn layout(&self, ty: TypeId) -> Option<&Layout> {
        self.layouts[ty.0 as usize].as_ref()
    }

    /// The layout of an object of arbitrary contents, or why there is none.
    pub fn new_object(&self, ty: TypeId) -> Result<&Layout, &'static str> {
        /// Every cell is a choice.
        const MOST_CELLS: usize = 64;
        let layout = self.layout(ty).filter(|l| l.size > 0 && !self.is_function(ty));
        let layout = layout.ok_or("how large that is is not known")?;
        if layout.overlaps {
            return Err("which member of a union it holds is not known");
        }
        if layout.cells.len() > MOST_CELLS {
            return Err("an object that is too large");
        }
        Ok(layout)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_records_flatten_to_cells() {
        let mut t = TypeTable::default();
        let int = t.intern(Type::Int(IntKind::INT));
        let head = t.declare_record("struct list_head", false);
        let head_ty = t.intern(Type::Record(head));
        let head_ptr = t.intern(Type::Ptr(head_ty));
        t.complete(head, vec![("next".into(), head_ptr), ("prev".into(), head_ptr)]);
        let item = t.declare_record("struct item", false);
        let item_ty = t.intern(Type::Record(item));
        t.complete(item, vec![("key".into(), int), ("link".into(), head_ty)]);
        t.finish();
        let layout = t.layout(item_ty).unwrap();
        let paths: Vec<_> = layout.cells.iter().map(|c| (c.offset, c.path.as_str())).collect();
        assert_eq!(paths, [(0, "key"), (8, "link.next"), (16, "link.prev")]);
        assert_eq!(layout.size, 24);
        assert_eq!(layout.cell_at(8, 8), Some(1));
        assert_eq!(layout.cell_at(8, 4), None);
        assert_eq!(layout.cell_at(4, 4), None);
        assert!(!layout.overlaps);
    }

    #[test]
    fn unions_overlap() {
        let mut t = TypeTable::default();
        let int = t.intern(Type::Int(IntKind::INT));
        let void = t.intern(Type::Void);
        let ptr = t.intern(Type::Ptr(void));
        let u = t.declare_record("union u", true);
        let ty = t.intern(Type::Record(u));
        t.complete(u, vec![("i".into(), int), ("p".into(), ptr)]);
        t.finish();
        let layout = t.layout(ty).unwrap();
        assert!(layout.overlaps);
        assert_eq!((layout.cell_at(0, 4), layout.cell_at(0, 8)), (Some(0), Some(1)));
    }

    #[test]
    fn functions_are_called_as_c_does() {
        let mut t = TypeTable::default();
        let int = t.intern(Type::Int(IntKind::INT));
        let void = t.intern(Type::Void);
        let ptr = t.intern(Type::Ptr(void));
        let of = |ret, params: &[TypeId], is_variadic, has_prototype| {
            let params = params.to_vec();
            Type::Func(Box::new(FuncType { ret, params, is_variadic, has_prototype }))
        };
        let all = [
            (of(int, &[ptr, int], false, true), "int (void *, int)", "int (*)(void *, int)"),
            (of(ptr, &[], false, true), "void *(void)", "void *(*)(void)"),
            (of(void, &[], false, false), "void ()", "void (*)()"),
            (of(int, &[ptr], true, true), "int (void *, ...)", "int (*)(void *, ...)"),
        ];
        for (ty, plain, pointer) in all {
            let f = t.intern(ty);
            let p = t.intern(Type::Ptr(f));
            assert_eq!((t.name(f).as_str(), t.name(p).as_str()), (plain, pointer));
        }
        t.finish();
        let f = t.ids().find(|id| t.is_function(*id)).unwrap();
        let layout = t.layout(f).unwrap();
        assert_eq!((layout.size, layout.cells.len()), (1, 0), "nobody can look into a function");
        assert!(t.new_object(f).is_err(), "nor make one");
    }

    #[test]
    fn wrapping_follows_c() {
        assert_eq!(IntKind { bits: 8, signed: false }.wrap(-1), 255);
        assert_eq!(IntKind::INT.wrap(1 << 31), i64::from(i32::MIN));
        assert_eq!(IntKind::SIZE.value(-1), i128::from(u64::MAX));
        assert_eq!(IntKind::BOOL.wrap(7), 1);
    }
}
