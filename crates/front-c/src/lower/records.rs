//! Structs, unions, enumerations.
//!
//! What is declared is collected here, bit-fields and packing included; where it lies in memory the
//! type table says. Over-aligned records are remembered as odd, and whoever needs their layout is
//! outside the subset.

use std::collections::BTreeSet;

use lang_c::ast::{self, StructDeclaration, StructKind};
use lang_c::span::{Node, Span as CSpan};
use trellis_program::types::{IntKind, Member, Packing, RecordId, Type, TypeId};

use super::Lower;
use super::declarator::MAX_BYTES;
use super::scope::{Symbol, Tag};

/// What the type table does not say about a record.
#[derive(Clone, Debug, Default)]
pub struct RecordInfo {
    /// Why its layout is not known.
    pub odd: Option<&'static str>,
    /// What it was declared with.
    pub members: Members,
    /// Neither tag nor typedef has named it yet.
    pub is_nameless: bool,
    /// The translation units that define it.
    pub units: BTreeSet<usize>,
}

/// What a record is declared with.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Members {
    pub list: Vec<Member>,
    pub packing: Packing,
    pub odd: Option<&'static str>,
    /// At least the bytes that the members take.
    bytes: u64,
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
        let mut members = Members::default();
        for d in declarations {
            if let StructDeclaration::Field(f) = &d.node {
                self.members(&f.node, f.span, is_union, &mut members);
            }
        }
        let (own, before) = self.record_attributes(span);
        members.packing.packed = own.contains(&"packed");
        match self.pack_at(span.start) {
            Ok(most) => members.packing.most = most,
            Err(()) => members.odd = Some("a `#pragma pack` that is not understood"),
        }
        if own.contains(&"aligned") || before.iter().any(|w| ["aligned", "packed"].contains(w)) {
            members.odd = Some("a struct or union with its own alignment");
        } else if own.contains(&"scalar_storage_order") || own.contains(&"ms_struct") {
            members.odd = Some("a struct with a layout of its own");
        }
        if members.bytes > MAX_BYTES {
            members.odd = Some("a struct or union of more than a gigabyte");
            members.list.clear();
        }
        members
    }

    fn define_record(&mut self, record: RecordId, members: Members) {
        self.types.complete_packed(record, members.list.clone(), members.packing);
        let info = self.records.entry(record).or_default();
        info.odd = members.odd;
        info.members = members;
    }

    /// The most that `#pragma pack` aligns members to at a place; an error if it cannot be told.
    fn pack_at(&self, offset: usize) -> Result<Option<u32>, ()> {
        let unit = &self.whole.units[self.whole.unit_at(offset)].range;
        let (mut stack, mut now) = (Vec::new(), None);
        let number = |word: &str| match word.parse() {
            Ok(n @ (1 | 2 | 4 | 8 | 16)) => Ok(Some(n)),
            Ok(0) => Ok(None),
            _ => Err(()),
        };
        let here = self.scan.packs.iter().filter(|(p, _)| *p < offset && *p >= unit.start);
        for (_, text) in here {
            let inside = text.strip_prefix('(').and_then(|t| t.split(')').next()).ok_or(())?;
            let words: Vec<&str> = inside.split(',').map(str::trim).collect();
            match words[..] {
                [""] => now = None,
                ["push"] => stack.push(now),
                ["push", n] => {
                    stack.push(now);
                    now = number(n)?;
                }
                ["pop"] => now = stack.pop().ok_or(())?,
                [n] => now = number(n)?,
                _ => return Err(()),
            }
        }
        Ok(now)
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
        let attributes = self.member_attributes(span);
        let is_packed = attributes.contains(&"packed");
        if attributes.contains(&"aligned") || (is_packed && field.declarators.len() > 1) {
            out.odd = Some("a member with its own alignment");
        }
        if field.declarators.is_empty() {
            // An anonymous struct or union, or a declaration of a tag only.
            if let Some(r) = self.types.as_record(base)
                && self.records.get(&r).is_some_and(|i| i.is_nameless)
            {
                let member =
                    Member { is_packed, is_const: specifiers.is_const, ..Member::plain("", base) };
                self.member(member, is_union, out);
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
                    let Some(width) = self.bit_width(width, ty, name.is_some()) else {
                        out.odd = Some("a bit-field of another type than an integer");
                        continue;
                    };
                    let (name, width) = (name.unwrap_or_default(), Some(width));
                    self.member(Member { name, ty, width, is_packed, is_const }, is_union, out);
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
                    if !name.is_empty() && out.list.iter().any(|m| m.name == name) {
                        let at = self.at(d.span);
                        self.error(at, format!("there are two members called `{name}`"));
                    }
                    let member = Member { is_packed, is_const, ..Member::plain(name, ty) };
                    self.member(member, is_union, out);
                }
            }
        }
    }

    fn member(&mut self, member: Member, is_union: bool, out: &mut Members) {
        let ty = member.ty;
        if self.is_unknown(ty) {
            out.odd = out.odd.or(Some("a member whose type is outside the subset"));
        }
        out.odd = out.odd.or(self.odd_type(ty));
        let size = u64::from(self.types.size_of(ty).unwrap_or(0));
        out.bytes = if is_union { out.bytes.max(size) } else { out.bytes.saturating_add(size) };
        // The table computes with 32 bits: what does not fit is left out, and the record is odd.
        if out.bytes <= MAX_BYTES {
            out.list.push(member);
        }
    }

    /// The width of a bit-field of a type.
    fn bit_width(
        &mut self,
        width: &'a Node<ast::Expression>,
        ty: TypeId,
        is_named: bool,
    ) -> Option<u8> {
        let at = self.at(width.span);
        let Type::Int(kind) = *self.types.get(ty) else {
            if !self.is_unknown(ty) {
                self.error(at, "a bit-field must be an integer");
            }
            return None;
        };
        Some(match self.constant(width) {
            Some((0, _)) if is_named => {
                self.error(at, "a bit-field with a name has at least one bit");
                1
            }
            Some((w, k)) if (0..=i128::from(kind.bits)).contains(&k.value(w)) => w as u8,
            Some(_) => {
                self.error(at, "a bit-field has at most as many bits as its type");
                1
            }
            None => {
                self.error(at, "the width of a bit-field must be a constant");
                1
            }
        })
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
        let (own, before) = self.record_attributes(e.span);
        let packed = own.contains(&"packed") || before.contains(&"packed");
        let bits = match (packed, fits) {
            (true, _) => {
                let small = |bits: &u8| {
                    let kind = IntKind { bits: *bits, signed };
                    [lowest, highest].iter().all(|v| kind.value(kind.wrap(*v)) == *v)
                };
                [8, 16, 32].into_iter().find(small).unwrap_or(64)
            }
            (false, true) => 32,
            (false, false) => 64,
        };
        let ty = self.types.intern(Type::Int(IntKind { bits, signed }));
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
