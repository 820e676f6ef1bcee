//! Bytes of scalars: what a value is in memory, and what some bytes are as a value.
//!
//! The machine keeps one [`Value`] a cell. A program that looks at a cell through a character
//! pointer, copies it in pieces, or reads one member of a union that it has written as another one
//! sees bytes, little endian. A pointer has no numbers in it: its bytes are pieces of the pointer,
//! which can be moved and put together again, and nothing else.
//!
//! **Invariants.** Cells that share bits agree on them. A byte is kept in [`Memory::loose`] only if
//! no cell tells it: it is padding, or its cell holds no value ([`Value::Bytes`]). What is not kept
//! there is unwritten, or, where no cell is and the object began as zeros, zero. So memories with
//! the same bytes are equal.

use crate::concrete::memory::{Fault, Memory, ObjId, Object, Pointer, Value};
use crate::types::{IntKind, Layout, Scalar, TypeTable};

/// One byte of memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Byte {
    /// Some bits of it, by a mask; the others were never written, and are 0 in `value`.
    Bits {
        /// The bits.
        value: u8,
        /// Which are known.
        known: u8,
    },
    /// A byte of a pointer, by its number.
    Piece(Pointer, u8),
}

impl Byte {
    /// Never written.
    pub const UNKNOWN: Byte = Byte::Bits { value: 0, known: 0 };
    /// Zero.
    pub const ZERO: Byte = Byte::Bits { value: 0, known: 0xff };

    /// The object that a byte of a pointer points to.
    pub fn object(self) -> Option<ObjId> {
        match self {
            Byte::Piece(p, _) => Some(p.obj),
            Byte::Bits { .. } => None,
        }
    }

    /// This byte with some bits of another one.
    fn with(self, other: Byte, mask: u8) -> Result<Byte, Fault> {
        Ok(match (self, other) {
            (old, _) if mask == 0 => old,
            (_, new) if mask == 0xff => new,
            (Byte::Bits { value: v, known: k }, Byte::Bits { value, known }) => {
                Byte::Bits { value: v & !mask | value & mask, known: k & !mask | known & mask }
            }
            _ => return Err(Fault::Unsupported("some bits of a pointer")),
        })
    }
}

/// The bytes of a value in a cell, each with the bits that belong to the cell.
fn split(types: &TypeTable, value: Value, scalar: Scalar) -> Result<Vec<(Byte, u8)>, Fault> {
    let count = types.bytes(scalar);
    if let Scalar::Bits(field) = scalar {
        let number = match value {
            Value::Int(i) => Some(i),
            Value::Undef | Value::Open => None,
            _ => return Err(Fault::Unsupported("a pointer in a bit-field")),
        };
        let all = number.map(|i| (i as u64 as u128) << field.shift);
        return Ok((0..count)
            .map(|n| {
                let mask = field.mask(n);
                let byte = match all {
                    Some(bits) => Byte::Bits { value: (bits >> (8 * n)) as u8 & mask, known: mask },
                    None => Byte::UNKNOWN,
                };
                (byte, mask)
            })
            .collect());
    }
    let byte = |n: u32| match value {
        Value::Undef | Value::Open | Value::Bytes => Ok(Byte::UNKNOWN),
        Value::Null => Ok(Byte::ZERO),
        Value::Int(i) => {
            let value = if n < 8 { (i >> (8 * n)) as u8 } else { 0 };
            Ok(Byte::Bits { value, known: 0xff })
        }
        Value::Ptr(p) if count == types.model().pointer_bytes() => Ok(Byte::Piece(p, n as u8)),
        Value::Piece(p, from, len) if u32::from(len) == count => Ok(Byte::Piece(p, from + n as u8)),
        Value::Ptr(_) | Value::Piece(..) => Err(PIECE),
    };
    (0..count).map(|n| Ok((byte(n)?, 0xff))).collect()
}

/// What bytes are as a value; [`Value::Bytes`] if that is none.
fn join(types: &TypeTable, bytes: &[Byte], scalar: Scalar) -> Value {
    if let Scalar::Bits(field) = scalar {
        let (mut all, mut known) = (0u128, 0);
        for (n, byte) in (0u32..).zip(bytes) {
            match byte {
                Byte::Bits { value, known: k } => {
                    all |= u128::from(value & field.mask(n)) << (8 * n);
                    known += (k & field.mask(n)).count_ones();
                }
                Byte::Piece(..) => return Value::Bytes,
            }
        }
        return match known {
            0 => Value::Undef,
            k if k == u32::from(field.width) => {
                Value::Int(field.wrap((all >> field.shift) as u64 as i64))
            }
            _ => Value::Bytes,
        };
    }
    if bytes.iter().all(|b| *b == Byte::UNKNOWN) {
        return Value::Undef;
    }
    if let Some(&Byte::Piece(p, from)) = bytes.first() {
        let in_order = (from..).zip(bytes).all(|(n, b)| *b == Byte::Piece(p, n));
        return match in_order {
            true if bytes.len() as u32 == types.model().pointer_bytes() => Value::Ptr(p),
            true => Value::Piece(p, from, bytes.len() as u8),
            false => Value::Bytes,
        };
    }
    let mut number = 0u64;
    for (n, byte) in bytes.iter().enumerate() {
        match *byte {
            Byte::Bits { value, known: 0xff } if n < 8 => number |= u64::from(value) << (8 * n),
            Byte::Bits { value: 0, known: 0xff } => {}
            _ => return Value::Bytes,
        }
    }
    match scalar {
        Scalar::Int(IntKind::BOOL) if number > 1 => Value::Bytes,
        Scalar::Int(kind) => Value::Int(kind.wrap(i128::from(number))),
        Scalar::Ptr(_) if number == 0 => Value::Null,
        _ => Value::Int(number as i64),
    }
}

const PIECE: Fault = Fault::Unsupported("a byte of a pointer used as a number");

impl Memory {
    /// That the bytes of an object are known as far as they were written.
    pub(super) fn has_contents(&self, id: ObjId) -> Result<(), Fault> {
        match self.object(id).ty {
            Some(_) => Ok(()),
            None => Err(Fault::Unsupported("access to memory of unknown type")),
        }
    }

    /// What a byte is that no cell tells and nobody has written.
    fn unwritten(object: &Object) -> Byte {
        if object.zeroed { Byte::ZERO } else { Byte::UNKNOWN }
    }

    /// The bytes from `from` up to `to` of an object.
    pub fn bytes_in(
        &self,
        types: &TypeTable,
        id: ObjId,
        from: u32,
        to: u32,
    ) -> Result<Vec<Byte>, Fault> {
        let object = self.object(id);
        let loose = |at: u32| self.loose.get(&(id, at)).copied();
        let mut out: Vec<Byte> =
            (from..to).map(|at| loose(at).unwrap_or(Memory::unwritten(object))).collect();
        for (cell, start, scalar) in self.cells_touching(types, id, from, to) {
            let value = self.cells[cell];
            for (at, (byte, mask)) in (start..).zip(split(types, value, scalar)?) {
                let kept = value == Value::Bytes && loose(at).is_some();
                if (from..to).contains(&at) && !kept {
                    let slot = &mut out[(at - from) as usize];
                    *slot = slot.with(byte, mask)?;
                }
            }
        }
        Ok(out)
    }

    /// Writes bytes, each with the bits that are written; all cells that have some of them follow.
    pub fn write_bytes(
        &mut self,
        types: &TypeTable,
        id: ObjId,
        from: u32,
        bytes: &[(Byte, u8)],
    ) -> Result<(), Fault> {
        let to = from + bytes.len() as u32;
        let changed = self.cells_touching(types, id, from, to);
        let first = changed.iter().map(|c| c.1).min().unwrap_or(from).min(from);
        let last = changed.iter().map(|c| c.1 + types.bytes(c.2)).max().unwrap_or(to).max(to);
        let mut all = self.bytes_in(types, id, first, last)?;
        for (at, (byte, mask)) in (from..).zip(bytes) {
            let slot = &mut all[(at - first) as usize];
            *slot = slot.with(*byte, *mask)?;
        }
        for (cell, start, scalar) in changed {
            let at = (start - first) as usize;
            let own = &all[at..at + types.bytes(scalar) as usize];
            self.cells[cell] = join(types, own, scalar);
        }
        self.keep_loose(types, id, first, &all);
        Ok(())
    }

    /// Keeps of some bytes what no cell tells.
    fn keep_loose(&mut self, types: &TypeTable, id: ObjId, first: u32, all: &[Byte]) {
        let last = first + all.len() as u32;
        // The bits of every byte that cells tell, and those of cells that hold no value.
        let mut told = vec![(0u8, 0u8); all.len()];
        for (cell, start, scalar) in self.cells_touching(types, id, first, last) {
            for n in 0..types.bytes(scalar) {
                let mask = match scalar {
                    Scalar::Bits(field) => field.mask(n),
                    _ => 0xff,
                };
                if let Some(slot) =
                    (start + n).checked_sub(first).and_then(|i| told.get_mut(i as usize))
                {
                    match self.cells[cell] {
                        Value::Bytes => slot.1 |= mask,
                        _ => slot.0 |= mask,
                    }
                }
            }
        }
        let unwritten = Memory::unwritten(self.object(id));
        for ((at, byte), (told, valueless)) in (first..).zip(all).zip(told) {
            let padding = !(told | valueless);
            let keep = padding | valueless;
            let usual = match unwritten {
                Byte::Bits { value, known } => {
                    Byte::Bits { value: value & padding, known: known & padding }
                }
                piece @ Byte::Piece(..) => piece,
            };
            let kept = match *byte {
                Byte::Bits { value, known } => {
                    Byte::Bits { value: value & keep, known: known & keep }
                }
                piece if keep != 0 => piece,
                _ => usual,
            };
            if kept == usual {
                self.loose.remove(&(id, at));
            } else {
                self.loose.insert((id, at), kept);
            }
        }
    }

    /// The cells of an object that have some of the bytes from `from` up to `to`, as (cell, offset,
    /// scalar).
    fn cells_touching(
        &self,
        types: &TypeTable,
        id: ObjId,
        from: u32,
        to: u32,
    ) -> Vec<(usize, u32, Scalar)> {
        let object = self.object(id);
        let Some(layout) = object.ty.and_then(|t| types.layout(t)) else {
            return Vec::new();
        };
        let mut out = Vec::new();
        let end = (object.start + object.cells) as usize;
        let mut add = |layout: &Layout, base: u32, first: usize| {
            let (from, to) = (from.saturating_sub(base), to.saturating_sub(base));
            let found =
                layout.cells_in(from, to).map(|(i, c)| (first + i, base + c.offset, c.scalar));
            out.extend(found.filter(|(i, ..)| *i < end));
        };
        match layout.tail.and_then(|t| Some((t, types.layout(t.element)?))) {
            Some((tail, element)) => {
                add(layout, 0, object.start as usize);
                let first = object.start as usize + layout.cells.len();
                for i in elements(from, to, tail.offset, element.size) {
                    let base = tail.offset + i * element.size;
                    add(element, base, first + i as usize * element.cells.len());
                }
            }
            None => {
                for i in elements(from, to, 0, layout.size) {
                    let first = object.start as usize + i as usize * layout.cells.len();
                    add(layout, i * layout.size, first);
                }
            }
        }
        out
    }

    /// Reads a scalar that is no cell, or whose cell holds no value.
    pub(super) fn load_bytes(
        &self,
        types: &TypeTable,
        id: ObjId,
        off: u32,
        scalar: Scalar,
    ) -> Result<Value, Fault> {
        let bytes = self.bytes_in(types, id, off, off + types.bytes(scalar))?;
        match join(types, &bytes, scalar) {
            Value::Bytes if scalar == Scalar::Int(IntKind::BOOL) && bytes != [Byte::UNKNOWN] => {
                Err(Fault::Unsupported("a `_Bool` that is neither true nor false"))
            }
            Value::Bytes if bytes.iter().any(|b| matches!(b, Byte::Piece(..))) => Err(PIECE),
            // Some of its bits were never written.
            Value::Bytes => Ok(Value::Undef),
            value => Ok(value),
        }
    }

    /// Writes a scalar byte by byte.
    pub(super) fn store_bytes(
        &mut self,
        types: &TypeTable,
        id: ObjId,
        off: u32,
        scalar: Scalar,
        value: Value,
    ) -> Result<(), Fault> {
        let bytes = split(types, value, scalar)?;
        self.write_bytes(types, id, off, &bytes)
    }
}

/// The elements of an array from `start` that have some of the bytes from `from` up to `to`.
fn elements(from: u32, to: u32, start: u32, size: u32) -> std::ops::Range<u32> {
    match size {
        0 => 0..0,
        _ => from.saturating_sub(start) / size..to.saturating_sub(start).div_ceil(size),
    }
}
