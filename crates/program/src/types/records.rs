//! Where the members of structs and unions lie: the System V ABI, as gcc has it, with bit-fields and
//! with packing.
//!
//! **Invariant.** A bit-field of an ordinary struct has no bits in two units of its type; one of a
//! packed struct begins at the next bit.

use super::{BitField, Field, RecordId, Type, TypeId, TypeTable};
use std::sync::Arc;

/// A member as it is declared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Member {
    /// Its name; empty for an anonymous struct or union, and for a bit-field that only takes room.
    pub name: String,
    /// Its type.
    pub ty: TypeId,
    /// The width of a bit-field.
    pub width: Option<u8>,
    /// `__attribute__((packed))` on the member alone.
    pub is_packed: bool,
    /// Declared `const`.
    pub is_const: bool,
}

impl Member {
    /// An ordinary member.
    pub fn plain(name: impl Into<String>, ty: TypeId) -> Member {
        Member { name: name.into(), ty, width: None, is_packed: false, is_const: false }
    }
}

/// How a record is packed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Packing {
    /// `__attribute__((packed))`: no member is aligned.
    pub packed: bool,
    /// `#pragma pack(n)`: no member is aligned to more than so many bytes.
    pub most: Option<u32>,
}

/// Where the next member goes; counts bits.
struct Placer {
    is_union: bool,
    packing: Packing,
    at: u64,
    end: u64,
    align: u32,
}

impl Placer {
    /// The alignment of a member, in bytes.
    fn align_of(&self, natural: u32, is_packed: bool) -> u32 {
        let packed = if self.packing.packed || is_packed { 1 } else { natural };
        packed.min(self.packing.most.unwrap_or(u32::MAX)).max(1)
    }

    /// The byte at which a member begins.
    fn place(&mut self, align: u32, bytes: u32) -> u64 {
        let bits = u64::from(align) * 8;
        let start = if self.is_union { 0 } else { self.at.next_multiple_of(bits) };
        self.align = self.align.max(align);
        self.at = start + u64::from(bytes) * 8;
        self.end = self.end.max(self.at);
        start / 8
    }

    /// The bit at which a bit-field begins.
    fn place_bits(&mut self, natural: u32, bytes: u32, member: &Member, width: u8) -> u64 {
        let unit = u64::from(natural) * 8;
        let mut start = if self.is_union { 0 } else { self.at };
        let packed = self.packing.packed || member.is_packed;
        if width == 0 {
            // Nothing but a new unit, in packed structs as well.
            start = start
                .next_multiple_of(self.packing.most.map_or(unit, |m| unit.min(8 * u64::from(m))));
        } else if !packed && self.packing.most.is_none() {
            let units = (start % unit + u64::from(width)).div_ceil(unit);
            if units > u64::from(bytes) * 8 / unit {
                start = start.next_multiple_of(unit);
            }
        }
        if !member.name.is_empty() {
            self.align = self.align.max(self.align_of(natural, member.is_packed));
        }
        self.at = start + u64::from(width);
        self.end = self.end.max(self.at);
        start
    }
}

impl TypeTable {
    /// Whether a type is a packed record, or has one.
    pub fn has_packed(&self, ty: TypeId) -> bool {
        match self.get(ty) {
            Type::Record(r) => {
                let record = self.record(*r);
                record.is_packed || record.fields.iter().any(|f| self.has_packed(f.ty))
            }
            Type::Array(element, _) => self.has_packed(*element),
            _ => false,
        }
    }

    /// Gives a record its members, none of them a bit-field or packed.
    pub fn complete(&mut self, id: RecordId, members: Vec<(String, TypeId)>) {
        let members = members.into_iter().map(|(name, ty)| Member::plain(name, ty));
        self.complete_packed(id, members.collect(), Packing::default());
    }

    /// Gives a record its members.
    pub fn complete_packed(&mut self, id: RecordId, members: Vec<Member>, packing: Packing) {
        let is_union = self.record(id).is_union;
        let mut placer = Placer { is_union, packing, at: 0, end: 0, align: 1 };
        let mut fields = Vec::new();
        let is_packed = packing != Packing::default() || members.iter().any(|m| m.is_packed);
        for member in members {
            let (natural, bytes) = (self.align_of(member.ty), self.size_of(member.ty).unwrap_or(0));
            let (offset, bits) = match (member.width, self.get(member.ty)) {
                (Some(width), Type::Int(kind)) => {
                    let start = placer.place_bits(natural, bytes, &member, width);
                    let shift = (start % 8) as u8;
                    (start / 8, Some(BitField { kind: *kind, shift, width }))
                }
                _ => (placer.place(placer.align_of(natural, member.is_packed), bytes), None),
            };
            // A bit-field without a name is room that nobody can use.
            if bits.is_none() || !member.name.is_empty() {
                let Member { name, ty, is_const, .. } = member;
                let offset = u32::try_from(offset).unwrap_or(u32::MAX);
                fields.push(Field { name, ty, offset, bits, is_const });
            }
        }
        let size = u32::try_from(placer.end.div_ceil(8)).unwrap_or(u32::MAX);
        let record = &mut Arc::make_mut(&mut self.records)[id.0 as usize];
        record.fields = fields;
        record.align = placer.align;
        record.size = size.checked_next_multiple_of(placer.align).unwrap_or(u32::MAX);
        record.is_packed = is_packed;
        record.complete = true;
    }
}
