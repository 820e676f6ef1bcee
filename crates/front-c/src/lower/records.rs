//! Structs, unions, enumerations.
//!
//! Bit-fields get the bytes that the System V ABI gives them, as members without a usable name;
//! packed and over-aligned records are remembered as odd, and whoever needs their layout is
//! outside the subset.

use std::collections::{BTreeMap, BTreeSet};

use lang_c::ast::{self, StructDeclaration, StructKind};
use lang_c::span::{Node, Span as CSpan};
use trellis_program::types::{IntKind, RecordId, Type, TypeId};

use super::Lower;
use super::declarator::MAX_BYTES;
use super::scope::{Symbol, Tag};

/// What the type table does not say about a record.
#[derive(Clone, Debug, Default)]
pub struct RecordInfo {
    /// Why its layout is not known.
    pub odd: Option<&'static str>,
    /// Names of bit-fields and their types.
    pub bit_fields: BTreeMap<String, TypeId>,
    /// Neither tag nor typedef has named it yet.
    pub is_nameless: bool,
    /// The translation units that define it.
    pub units: BTreeSet<usize>,
}

/// Members in order, with bit-fields turned into bytes.
pub struct Members {
    pub list: Vec<(String, TypeId)>,
    pub bit_fields: BTreeMap<String, TypeId>,
    /// Bits used so far; exact while bit-fields are being packed.
    bits: u64,
    /// Bytes that the members in `list` take.
    bytes: u64,
    pub odd: Option<&'static str>,
    /// Which of `list` are `const`.
    pub constant: Vec<usize>,
}

impl<'a> Lower<'a> {
    /// `struct s`, `struct s { … }`, `union …`.
    pub fn struct_type(&mut self, s: &'a Node<ast::StructType>) -> TypeId {
        let is_union = s.node.kind.node == StructKind::Union;
        let keyword = if is_union { "union" } else { "struct" };
        let tag = s.node.identifier.as_ref().map(|i| i.node.name.as_str());
        let defines = s.node.declarations.is_some();
        let found =
            tag.and_then(|t| if defines { self.scopes.tag_here(t) } else { self.scopes.tag(t) });
        let found = found.or_else(|| self.linked_tag(tag?, is_union));
        let (Some(tag), declarations) = (tag, &s.node.declarations) else {
            return self.untagged_record(is_union, s);
        };
        let record = match found {
            Some(Tag::Record(r)) if self.types.record(r).is_union == is_union => r,
            Some(_) => {
                let span = self.at(s.span);
                self.error(span, format!("`{tag}` is another kind of tag"));
                return self.ty.unknown;
            }
            None => {
                let r = self.types.declare_record(format!("{keyword} {tag}"), is_union);
                self.records.insert(r, RecordInfo::default());
                self.scopes.declare_tag(tag, Tag::Record(r));
                self.share_tag(tag, is_union, r);
                r
            }
        };
        let ty = self.types.intern(Type::Record(record));
        if let Some(declarations) = declarations {
            if !self.records.entry(record).or_default().units.insert(self.unit) {
                let span = self.at(s.span);
                let name = self.types.name(ty);
                self.error(span, format!("`{name}` is defined twice"));
                return ty;
            }
            let is_known = self.types.record(record).complete;
            let members = self.members_of(is_union, declarations, s.span);
            if !is_known {
                self.define_record(record, members);
            } else if !self.has_members(record, &members) {
                // By this tag the unit means another type than the one of another unit.
                self.other_type.get_or_insert((self.unit, tag.to_owned()));
            }
        }
        ty
    }

    /// A struct or union without a tag.
    fn untagged_record(&mut self, is_union: bool, s: &'a Node<ast::StructType>) -> TypeId {
        let members = s.node.declarations.as_deref().unwrap_or_default();
        let members = self.members_of(is_union, members, s.span);
        if let Some(known) = self.linked_record(is_union, &members) {
            return self.types.intern(Type::Record(known));
        }
        let keyword = if is_union { "union" } else { "struct" };
        let record = self.types.declare_record(format!("anonymous {keyword}"), is_union);
        let info = RecordInfo { is_nameless: true, ..RecordInfo::default() };
        self.records.insert(record, info);
        if s.node.declarations.is_some() {
            self.define_record(record, members);
            self.share_nameless(record);
        }
        self.types.intern(Type::Record(record))
    }

    fn members_of(
        &mut self,
        is_union: bool,
        declarations: &'a [Node<StructDeclaration>],
        span: CSpan,
    ) -> Members {
        let mut members = Members {
            list: Vec::new(),
            bit_fields: BTreeMap::new(),
            bits: 0,
            bytes: 0,
            odd: None,
            constant: Vec::new(),
        };
        for d in declarations {
            if let StructDeclaration::Field(f) = &d.node {
                self.members(&f.node, f.span, is_union, &mut members);
            }
        }
        if self.has_attribute(span, &["packed"]) || self.is_in_pack(span.start) {
            members.odd = Some("a packed struct or union");
        } else if self.has_attribute(span, &["aligned"]) {
            members.odd = Some("a struct or union with its own alignment");
        }
        if members.bytes > MAX_BYTES {
            members.odd = Some("a struct or union of more than a gigabyte");
            members.list.clear();
            members.constant.clear();
        }
        members
    }

    fn define_record(&mut self, record: RecordId, members: Members) {
        let info = self.records.entry(record).or_default();
        info.odd = members.odd;
        info.bit_fields = members.bit_fields;
        self.types.complete(record, members.list);
        members.constant.iter().for_each(|i| self.types.make_const(record, *i));
    }

    fn is_in_pack(&self, offset: usize) -> bool {
        let unit = &self.whole.units[self.whole.unit_at(offset)].range;
        let packs = &self.scan.packs;
        packs.iter().any(|p| *p < offset && *p >= unit.start) && !self.positions.is_system(offset)
    }

    fn members(
        &mut self,
        field: &'a ast::StructField,
        span: CSpan,
        is_union: bool,
        out: &mut Members,
    ) {
        let specifiers = self.qualifiers(&field.specifiers);
        let base = specifiers.ty;
        if self.has_attribute(span, &["aligned", "packed"]) {
            out.odd = Some("a member with its own alignment");
        }
        if field.declarators.is_empty() {
            // An anonymous struct or union, or a declaration of a tag only.
            if let Some(r) = self.types.as_record(base)
                && self.records.get(&r).is_some_and(|i| i.is_nameless)
            {
                self.member(String::new(), base, specifiers.is_const, is_union, out);
            }
            return;
        }
        for d in &field.declarators {
            let (name, ty, is_const) = match &d.node.declarator {
                Some(declarator) => {
                    let declared = self.declarator(base, declarator);
                    if declared.is_vla {
                        let at = self.at(d.span);
                        self.error(at, "the length of a member must be a constant");
                    }
                    let is_const = declared.is_const(&specifiers);
                    (declared.name.map(|n| n.node.name.clone()), declared.ty, is_const)
                }
                None => (None, base, specifiers.is_const),
            };
            match &d.node.bit_width {
                Some(width) => {
                    let width = self.constant(width).map_or(0, |(w, _)| w.clamp(0, 64) as u64);
                    self.bit_field(name, ty, width, is_union, out);
                }
                None => {
                    let name = name.unwrap_or_default();
                    if matches!(self.types.get(ty), Type::Void | Type::Func(_))
                        || (self.types.size_of(ty).is_none() && !self.is_unknown(ty))
                    {
                        let (at, shown) = (self.at(d.span), self.types.name(ty));
                        self.error(at, format!("a member cannot have type `{shown}`"));
                        continue;
                    }
                    if !name.is_empty() && out.list.iter().any(|(n, _)| *n == name) {
                        let at = self.at(d.span);
                        self.error(at, format!("there are two members called `{name}`"));
                    }
                    self.member(name, ty, is_const, is_union, out);
                }
            }
        }
    }

    fn member(
        &mut self,
        name: String,
        ty: TypeId,
        is_const: bool,
        is_union: bool,
        out: &mut Members,
    ) {
        if self.is_unknown(ty) {
            out.odd = out.odd.or(Some("a member whose type is outside the subset"));
        }
        out.odd = out.odd.or(self.odd_type(ty));
        let align = u64::from(self.types.align_of(ty));
        let size = u64::from(self.types.size_of(ty).unwrap_or(0));
        if is_union {
            out.bytes = out.bytes.max(size);
        } else {
            out.bytes = out.bytes.next_multiple_of(align).saturating_add(size);
        }
        out.bits = out.bytes * 8;
        // The table computes with 32 bits: what does not fit is left out, and the record is odd.
        if out.bytes <= MAX_BYTES {
            out.constant.extend(is_const.then_some(out.list.len()));
            out.list.push((name, ty));
        }
    }

    /// Packs a bit-field as the ABI does: it never crosses a boundary of its type.
    fn bit_field(
        &mut self,
        name: Option<String>,
        ty: TypeId,
        width: u64,
        is_union: bool,
        out: &mut Members,
    ) {
        let unit = u64::from(self.types.size_of(ty).unwrap_or(4)) * 8;
        let start = if is_union { 0 } else { out.bits };
        let crosses = start / unit != (start + width.max(1) - 1) / unit;
        let start = if width == 0 || crosses { start.next_multiple_of(unit) } else { start };
        let end_bytes = (start + width).div_ceil(8);
        if is_union || name.is_some() {
            // An array of length 0 has the alignment of its element and no cells.
            let align_only = self.types.intern(Type::Array(ty, 0));
            let aligned = out.bytes.is_multiple_of(u64::from(self.types.align_of(ty)));
            if is_union || aligned {
                out.list.push((format!("%{}", out.list.len()), align_only));
            } else {
                out.odd = out.odd.or(self.late_alignment(ty, out));
            }
        }
        let used = if is_union { 0 } else { out.bytes };
        if end_bytes > used {
            let byte = self.types.intern(Type::Int(IntKind { bits: 8, signed: false }));
            let bytes = self.types.intern(Type::Array(byte, end_bytes - used));
            out.list.push((format!("%{}", out.list.len()), bytes));
        }
        out.bytes = out.bytes.max(end_bytes);
        out.bits = start + width;
        if let Some(name) = name {
            out.bit_fields.insert(name, ty);
        }
    }

    /// A bit-field in the middle of its unit raises the record's alignment without moving; that
    /// is only expressible if an earlier member is aligned as strictly.
    fn late_alignment(&self, ty: TypeId, out: &Members) -> Option<&'static str> {
        let need = self.types.align_of(ty);
        let have = out.list.iter().map(|(_, t)| self.types.align_of(*t)).max();
        (have.unwrap_or(1) < need).then_some("a struct with bit-fields of mixed types")
    }

    /// `enum e`, `enum e { … }`. As in GCC, the type is unsigned unless a constant is negative.
    pub fn enum_type(&mut self, e: &'a Node<ast::EnumType>) -> TypeId {
        let tag = e.node.identifier.as_ref().map(|i| i.node.name.as_str());
        if e.node.enumerators.is_empty() {
            return match tag.and_then(|t| self.scopes.tag(t)) {
                Some(Tag::Enum(ty)) => ty,
                _ => self.types.intern(Type::Int(IntKind { bits: 32, signed: false })),
            };
        }
        let mut next = 0i128;
        let (mut lowest, mut highest) = (0i128, 0i128);
        for c in &e.node.enumerators {
            if let Some(value) = &c.node.expression {
                match self.constant(value) {
                    Some((v, kind)) => next = kind.value(v),
                    None => {
                        let span = self.at(value.span);
                        self.error(span, "the value of an enumerator must be a constant");
                    }
                }
            }
            lowest = lowest.min(next);
            highest = highest.max(next);
            let kind = if IntKind::INT.value(IntKind::INT.wrap(next)) == next {
                IntKind::INT
            } else if next > i128::from(i64::MAX) {
                IntKind::SIZE
            } else {
                IntKind::LONG
            };
            let symbol = Symbol::Constant(kind.wrap(next), kind);
            self.scopes.declare(&c.node.identifier.node.name, symbol);
            next += 1;
        }
        let signed = lowest < 0;
        let fits = lowest >= i128::from(i32::MIN)
            && highest <= i128::from(if signed { i32::MAX as u32 } else { u32::MAX });
        let ty = self.types.intern(Type::Int(IntKind { bits: if fits { 32 } else { 64 }, signed }));
        if let Some(t) = tag {
            self.scopes.declare_tag(t, Tag::Enum(ty));
        }
        ty
    }

    /// Why the layout of a type is not known, if it is not.
    pub fn odd_type(&self, ty: TypeId) -> Option<&'static str> {
        match self.types.get(ty) {
            Type::Record(r) => self.records.get(r).and_then(|i| i.odd),
            Type::Array(element, _) => self.odd_type(*element),
            _ => None,
        }
    }
}
