//! Where the scalar cells of a type lie.
//!
//! **Invariant.** Cells are sorted by offset. Two of them share bits only through a union; bit-fields
//! may share a byte.

use super::{Scalar, Type, TypeId, TypeTable};

/// One scalar place in an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CellInfo {
    /// Byte offset in the object.
    pub offset: u32,
    /// What is stored there.
    pub scalar: Scalar,
    /// How many bytes it takes, or has bits of.
    pub bytes: u32,
    /// The path to it as users write it: `next`, `list.prev`, `slot[2]`; empty for a scalar object.
    pub path: String,
}

impl CellInfo {
    /// The first byte behind it.
    pub fn end(&self) -> u32 {
        self.offset + self.bytes
    }

    /// The bits that it takes, counted from the start of the object.
    fn bits(&self) -> (u64, u64) {
        let start = u64::from(self.offset) * 8;
        match self.scalar {
            Scalar::Bits(b) => {
                (start + u64::from(b.shift), start + u64::from(b.shift) + u64::from(b.width))
            }
            _ => (start, start + u64::from(self.bytes) * 8),
        }
    }
}

/// What follows the last member of a struct that ends in an array without a length, in objects that
/// are larger than the struct.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tail {
    /// Where the array begins.
    pub offset: u32,
    /// The type of its elements.
    pub element: TypeId,
}

/// Where the scalar cells of a type lie.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    /// Size in bytes.
    pub size: u32,
    /// The cells, by offset.
    pub cells: Vec<CellInfo>,
    /// Whether some cells overlap (unions): a store then changes the cells it overlaps.
    pub overlaps: bool,
    /// Whether every byte is of a cell, and none of a bit-field.
    pub dense: bool,
    /// A flexible array member.
    pub tail: Option<Tail>,
    /// For every byte offset, the first cell that starts there, or `u32::MAX`.
    by_offset: Vec<u32>,
}

impl Layout {
    fn new(size: u32, mut cells: Vec<CellInfo>, tail: Option<Tail>) -> Layout {
        cells.sort_by_key(|c| (c.offset, c.bits().0, c.bytes));
        cells.dedup_by(|b, a| {
            // Two union members with a cell of the same place and width share it.
            a.bits() == b.bits()
                && a.scalar.is_ptr() == b.scalar.is_ptr()
                && matches!(a.scalar, Scalar::Bits(_)) == matches!(b.scalar, Scalar::Bits(_))
        });
        let mut end = 0;
        let overlaps = cells.iter().any(|c| {
            let (from, to) = c.bits();
            let before = end;
            end = to.max(end);
            before > from
        });
        let mut by_offset = vec![u32::MAX; size as usize];
        for (i, c) in cells.iter().enumerate().rev() {
            if let Some(slot) = by_offset.get_mut(c.offset as usize) {
                *slot = i as u32;
            }
        }
        let is_whole = |c: &CellInfo| !matches!(c.scalar, Scalar::Bits(_));
        let told: u32 = cells.iter().filter(|c| is_whole(c)).map(|c| c.bytes).sum();
        let dense = !overlaps && told == size;
        Layout { size, cells, overlaps, dense, tail, by_offset }
    }

    /// The cell that starts at `offset` and is `bytes` wide.
    pub fn cell_at(&self, offset: u32, bytes: u32) -> Option<usize> {
        self.starting_at(offset, |c| c.bytes == bytes && !matches!(c.scalar, Scalar::Bits(_)))
    }

    /// The cell of a bit-field whose first byte is at `offset`.
    pub fn bits_at(&self, offset: u32, shift: u8, width: u8) -> Option<usize> {
        self.starting_at(
            offset,
            |c| matches!(c.scalar, Scalar::Bits(b) if b.shift == shift && b.width == width),
        )
    }

    fn starting_at(&self, offset: u32, is_it: impl Fn(&CellInfo) -> bool) -> Option<usize> {
        let first = *self.by_offset.get(offset as usize)? as usize;
        self.cells[first.min(self.cells.len())..]
            .iter()
            .take_while(|c| c.offset == offset)
            .position(is_it)
            .map(|i| first + i)
    }

    /// The cells that have some of the bytes from `from` up to `to`.
    pub fn cells_in(&self, from: u32, to: u32) -> impl Iterator<Item = (usize, &CellInfo)> {
        /// No scalar has more bytes.
        const WIDEST: u32 = 16;
        let first = self.cells.partition_point(|c| c.offset + WIDEST <= from);
        let near = self.cells.iter().enumerate().skip(first);
        near.take_while(move |(_, c)| c.offset < to).filter(move |(_, c)| c.end() > from)
    }
}

impl TypeTable {
    /// Computes the layouts of all complete types; call once, when no type will be added any more.
    pub fn finish(&mut self) {
        self.layouts = std::sync::Arc::new(self.ids().map(|id| self.compute_layout(id)).collect());
    }

    fn compute_layout(&self, ty: TypeId) -> Option<Layout> {
        let size = self.size_of(ty)?;
        let mut cells = Vec::new();
        self.collect_cells(ty, 0, "", &mut cells)?;
        Some(Layout::new(size, cells, self.tail(ty)))
    }

    /// The flexible array member of a struct.
    fn tail(&self, ty: TypeId) -> Option<Tail> {
        let record = self.record(self.as_record(ty)?);
        let last = record.fields.last().filter(|_| !record.is_union)?;
        match *self.get(last.ty) {
            Type::Array(element, 0) => Some(Tail { offset: last.offset, element }),
            _ => None,
        }
    }

    fn collect_cells(
        &self,
        ty: TypeId,
        at: u32,
        path: &str,
        out: &mut Vec<CellInfo>,
    ) -> Option<()> {
        /// Objects with more cells than this are outside the subset.
        const MOST_CELLS: usize = 4096;
        if out.len() > MOST_CELLS {
            return None;
        }
        match self.get(ty) {
            Type::Record(r) => {
                for f in &self.record(*r).fields {
                    let sub = match (path.is_empty(), f.name.is_empty()) {
                        (_, true) => path.to_string(),
                        (true, false) => f.name.clone(),
                        (false, false) => format!("{path}.{}", f.name),
                    };
                    if let Some(bits) = f.bits {
                        let (offset, bytes) = (at + f.offset, bits.bytes());
                        out.push(CellInfo { offset, scalar: Scalar::Bits(bits), bytes, path: sub });
                    } else {
                        self.collect_cells(f.ty, at + f.offset, &sub, out)?;
                    }
                }
            }
            Type::Array(elem, n) => {
                let step = self.size_of(*elem)?;
                for i in 0..*n {
                    self.collect_cells(*elem, at + i as u32 * step, &format!("{path}[{i}]"), out)?;
                }
            }
            Type::Func(_) => {}
            _ => {
                let scalar = self.scalar(ty)?;
                let bytes = self.bytes(scalar);
                out.push(CellInfo { offset: at, scalar, bytes, path: path.to_string() });
            }
        }
        Some(())
    }
}
