//! Accesses to memory, and which of them may meet.
//!
//! They are told apart by the size and kind of what is read and written, by the member of a struct
//! that it is, and by places with the same base. Members of unions meet everything.

use std::collections::BTreeSet;

use trellis_program::ir::{Expr, Global, Reg, Var};
use trellis_program::types::{RecordId, Scalar, Type, TypeId, TypeTable};

/// What is read or written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Width {
    Pointer,
    /// A number of so many bytes.
    Number(u32),
    /// Anything.
    Any,
}

/// A piece of memory as far as accesses of different procedures are told apart.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Piece {
    width: Width,
    /// The struct that it was reached by, and the byte in it; none for all of it.
    field: Option<(RecordId, Option<i64>)>,
}

impl Piece {
    pub const ANY: Piece = Piece { width: Width::Any, field: None };

    pub fn meets(self, other: Piece, types: &TypeTable) -> bool {
        // A character can be a byte of anything.
        let any = |w: Width| matches!(w, Width::Any | Width::Number(1));
        let widths = self.width == other.width || any(self.width) || any(other.width);
        let fields = match (self.field, other.field) {
            // Two structs of one type are the same or apart.
            (Some((r, i)), Some((s, j))) if r == s => i == j || i.is_none() || j.is_none(),
            (Some((r, i)), Some((s, j))) => related(types, r, s, i.is_none() || j.is_none()),
            _ => true,
        };
        widths && fields
    }
}

/// Whether a record may lie in another one, or both in a third one in which members share memory. If
/// one of the accesses is to everything, such as `free`, any third one will do.
fn related(types: &TypeTable, a: RecordId, b: RecordId, whole: bool) -> bool {
    let inside = |outer, inner| parts(types, outer).contains(&inner);
    let both = |r| inside(r, a) && inside(r, b);
    inside(a, b)
        || inside(b, a)
        || types.records().any(|(r, record)| (whole || record.is_union) && both(r))
}

/// The records that are members of a record, and those of these.
fn parts(types: &TypeTable, record: RecordId) -> BTreeSet<RecordId> {
    let (mut found, mut todo) = (BTreeSet::new(), vec![record]);
    while let Some(r) = todo.pop() {
        for field in &types.record(r).fields {
            let mut ty = field.ty;
            while let Type::Array(element, _) = types.get(ty) {
                ty = *element;
            }
            if let Some(part) = types.as_record(ty)
                && found.insert(part)
            {
                todo.push(part);
            }
        }
    }
    found
}

fn is_named(base: &Expr) -> bool {
    matches!(base, Expr::Reg(_) | Expr::Addr(_))
}

fn has_union(types: &TypeTable, record: RecordId) -> bool {
    let is_union = |r: &RecordId| types.record(*r).is_union;
    is_union(&record) || parts(types, record).iter().any(is_union)
}

/// What the registers of a body are.
#[derive(Clone, Copy)]
pub struct Declared<'s> {
    pub types: &'s TypeTable,
    pub vars: &'s [Var],
    pub globals: &'s [Global],
}

impl Declared<'_> {
    fn ty(self, reg: Reg) -> TypeId {
        match reg {
            Reg::Local(v) => self.vars[v.0 as usize].ty,
            Reg::Global(g) => self.globals[g.0 as usize].ty,
        }
    }

    /// The record at an address, by the type of the variable that leads there.
    fn record(self, base: &Expr) -> Option<RecordId> {
        match base {
            Expr::Reg(r) => self.types.as_record(self.types.pointee(self.ty(*r))?),
            Expr::Addr(r) => self.types.as_record(self.ty(*r)),
            _ => None,
        }
    }
}

/// An access to memory: what, and where, if that is a variable and a number of bytes.
#[derive(Clone, Debug)]
pub struct Access {
    pub piece: Piece,
    pub at: Option<(Expr, i64)>,
    bytes: i64,
}

impl Access {
    pub fn scalar(addr: &Expr, scalar: Scalar, declared: Declared<'_>) -> Access {
        let width = match scalar {
            Scalar::Ptr(_) => Width::Pointer,
            _ => Width::Number(declared.types.bytes(scalar)),
        };
        let (base, offset) = match addr {
            Expr::Offset(base, by) => (&**base, *by),
            base => (base, 0),
        };
        let at = is_named(base).then(|| (base.clone(), offset));
        let bytes = i64::from(declared.types.bytes(scalar));
        let piece = match declared.record(base) {
            // The members of a union have any width.
            Some(r) if has_union(declared.types, r) => Piece::ANY,
            Some(r) if offset >= 0 && offset + bytes <= declared.types.record(r).size.into() => {
                Piece { width, field: Some((r, Some(offset))) }
            }
            _ => Piece { width, field: None },
        };
        Access { piece, at, bytes }
    }

    /// All of the struct that an address is in, or of anything if that is not known. `bytes` are
    /// touched; none: those of the whole object.
    pub fn block(addr: &Expr, bytes: Option<&Expr>, declared: Declared<'_>) -> Access {
        let (base, offset) = match addr {
            Expr::Offset(base, by) => (&**base, *by),
            base => (base, 0),
        };
        let within = |r: &RecordId| {
            let size = i64::from(declared.types.record(*r).size);
            match bytes {
                None => offset == 0,
                Some(Expr::Int(n)) => offset >= 0 && offset.saturating_add(*n) <= size,
                Some(_) => false,
            }
        };
        let record = declared.record(base).filter(within);
        let piece = Piece { width: Width::Any, field: record.map(|r| (r, None)) };
        // Far enough, and sums do not overflow.
        const FAR: i64 = i64::MAX / 4;
        let (from, bytes) = match bytes {
            None => (-FAR, 2 * FAR),
            Some(Expr::Int(n)) => (offset, (*n).clamp(0, FAR)),
            Some(_) => (offset, FAR),
        };
        Access { piece, at: is_named(base).then(|| (base.clone(), from)), bytes }
    }

    /// Where it is, if it is a pointer that shares no byte with anything but itself.
    pub fn pointer_at(&self) -> Option<(Expr, i64)> {
        self.at.clone().filter(|_| self.piece.width == Width::Pointer)
    }

    pub fn meets(&self, other: &Access, types: &TypeTable) -> bool {
        if let (Some((a, i)), Some((b, j))) = (&self.at, &other.at) {
            if a == b {
                return i < &(j + other.bytes) && j < &(i + self.bytes);
            }
            if matches!((a, b), (Expr::Addr(_), Expr::Addr(_))) {
                return false;
            }
        }
        self.piece.meets(other.piece, types)
    }
}
