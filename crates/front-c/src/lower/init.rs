//! Initialisers: braces, elided braces and designators, flattened to (offset, type, value).

use lang_c::ast::{Designator, Expression, Initializer, InitializerListItem};
use lang_c::span::Node;
use trellis_program::types::{BitField, RecordId, Type, TypeId};

use super::Lower;
use super::literal::string_bytes;

/// One value of an initialiser.
#[derive(Debug)]
pub struct Item<'a> {
    pub offset: u32,
    pub ty: TypeId,
    /// Which bits, of a bit-field.
    pub bits: Option<BitField>,
    pub value: ItemValue<'a>,
}

/// What an item is initialised with.
#[derive(Debug)]
pub enum ItemValue<'a> {
    /// An expression: a scalar, or a whole struct.
    Expr(&'a Node<Expression>),
    /// A string in an array of characters, cut to its length.
    Bytes(Vec<u8>),
    /// Outside the subset.
    Unsupported(&'static str),
}

impl Item<'_> {
    /// The element type, of an array of characters.
    pub fn cell_type(&self, lower: &Lower<'_>) -> TypeId {
        match lower.types.get(self.ty) {
            Type::Array(element, _) => *element,
            _ => self.ty,
        }
    }
}

/// The items of one pair of braces.
struct List<'a> {
    items: &'a [Node<InitializerListItem>],
    at: usize,
}

impl<'a> List<'a> {
    fn peek(&self) -> Option<&'a InitializerListItem> {
        self.items.get(self.at).map(|n| &n.node)
    }
}

/// `[a ... b]` may stand for so many elements.
const MAX_RANGE: u64 = 10_000;

impl<'a> Lower<'a> {
    /// Flattens an initialiser of a type.
    pub fn initializer_items(&mut self, ty: TypeId, init: &'a Node<Initializer>) -> Vec<Item<'a>> {
        let mut out = Vec::new();
        match &init.node {
            Initializer::Expression(e) => {
                let value = match self.string_for(ty, e) {
                    Some(bytes) => ItemValue::Bytes(bytes),
                    None => ItemValue::Expr(e),
                };
                if matches!(self.types.get(ty), Type::Array(..))
                    && matches!(value, ItemValue::Expr(_))
                {
                    let at = self.at(e.span);
                    self.error(at, "an array needs a list of values in braces");
                    return out;
                }
                out.push(Item { offset: 0, ty, bits: None, value });
            }
            Initializer::List(items) => {
                self.braces(ty, 0, items, &mut out);
            }
        }
        out
    }

    /// The expression of a scalar's initialiser, in braces or not.
    pub fn scalar_initializer(
        &mut self,
        init: &'a Node<Initializer>,
    ) -> Option<&'a Node<Expression>> {
        match &init.node {
            Initializer::Expression(e) => Some(e),
            Initializer::List(items) => match items.as_slice() {
                [one] if one.node.designation.is_empty() => {
                    self.scalar_initializer(&one.node.initializer)
                }
                _ => {
                    let at = self.at(init.span);
                    self.error(at, "a single value is expected here");
                    None
                }
            },
        }
    }

    /// The length of `T x[] = init`.
    pub fn array_length_from(&mut self, ty: TypeId, init: &'a Node<Initializer>) -> TypeId {
        let Type::Array(element, _) = *self.types.get(ty) else {
            return ty;
        };
        let open = self.types.intern(Type::Array(element, u64::from(u32::MAX)));
        let length = match &init.node {
            Initializer::Expression(e) => match &e.node {
                Expression::StringLiteral(s) => string_bytes(&s.node).map_or(1, |b| b.len() + 1),
                _ => 0,
            },
            Initializer::List(items) => match (items.as_slice(), self.types.get(element)) {
                ([one], Type::Int(k)) if k.bits == 8 => match &one.node.initializer.node {
                    Initializer::Expression(e) if one.node.designation.is_empty() => {
                        match &e.node {
                            Expression::StringLiteral(s) => {
                                string_bytes(&s.node).map_or(1, |b| b.len() + 1)
                            }
                            _ => 1,
                        }
                    }
                    _ => self.count(open, items),
                },
                _ => self.count(open, items),
            },
        };
        let size = u64::from(self.types.size_of(element).unwrap_or(1));
        if (length as u64).saturating_mul(size) > super::declarator::MAX_BYTES {
            return self.ty.unknown;
        }
        self.types.intern(Type::Array(element, length as u64))
    }

    pub fn count(&mut self, open: TypeId, items: &'a [Node<InitializerListItem>]) -> usize {
        let mut list = List { items, at: 0 };
        let mut out = Vec::new();
        self.in_scratch(|l| l.array_items(open, 0, &mut list, true, &mut out)).0 as usize
    }

    /// `{ … }` for an object of a type.
    pub fn braces(
        &mut self,
        ty: TypeId,
        offset: u32,
        items: &'a [Node<InitializerListItem>],
        out: &mut Vec<Item<'a>>,
    ) {
        let mut list = List { items, at: 0 };
        match self.types.get(ty).clone() {
            Type::Array(element, _) => {
                // `char s[] = { "text" }`
                if let ([one], Some(8)) = (items, self.int_kind(element).map(|k| k.bits))
                    && let Initializer::Expression(e) = &one.node.initializer.node
                    && let Some(bytes) = self.string_for(ty, e)
                {
                    out.push(Item { offset, ty, bits: None, value: ItemValue::Bytes(bytes) });
                    return;
                }
                self.array_items(ty, offset, &mut list, true, out);
            }
            Type::Record(_) => self.record_items(ty, offset, &mut list, true, out),
            _ => match items {
                [] => return,
                [one] if one.node.designation.is_empty() => {
                    match &one.node.initializer.node {
                        Initializer::Expression(e) => {
                            out.push(Item { offset, ty, bits: None, value: ItemValue::Expr(e) })
                        }
                        Initializer::List(inner) => self.braces(ty, offset, inner, out),
                    }
                    return;
                }
                _ => {}
            },
        }
        if let Some(extra) = list.items.get(list.at) {
            let at = self.at(extra.span);
            self.error(at, "there are more values here than places");
        }
    }

    /// Items of an array; returns one past the highest index that was initialised.
    fn array_items(
        &mut self,
        ty: TypeId,
        offset: u32,
        list: &mut List<'a>,
        braced: bool,
        out: &mut Vec<Item<'a>>,
    ) -> u64 {
        let Type::Array(element, length) = *self.types.get(ty) else {
            return 0;
        };
        let size = self.types.size_of(element).unwrap_or(1);
        let place = |i: u64| {
            let bytes = i.saturating_mul(u64::from(size));
            offset.saturating_add(u32::try_from(bytes).unwrap_or(u32::MAX))
        };
        let (mut i, mut highest) = (0u64, 0u64);
        while let Some(item) = list.peek() {
            if !item.designation.is_empty() {
                if !braced {
                    break;
                }
                let Some((low, high)) = self.index_range(&item.designation[0], length) else {
                    list.at += 1;
                    continue;
                };
                for k in low..=high {
                    let rest = &item.designation[1..];
                    self.designated(element, place(k), rest, item, out);
                }
                list.at += 1;
                self.check_nested_designation(item, list, out);
                i = high + 1;
            } else {
                if i >= length {
                    break;
                }
                self.element(element, place(i), list, out);
                i += 1;
            }
            highest = highest.max(i);
        }
        highest
    }

    fn index_range(&mut self, d: &'a Node<Designator>, length: u64) -> Option<(u64, u64)> {
        let (low, high) = match &d.node {
            Designator::Index(e) => (e, e),
            Designator::Range(r) => (&r.node.from, &r.node.to),
            Designator::Member(m) => {
                let at = self.at(m.span);
                self.error(at, "an array has no members");
                return None;
            }
        };
        let (a, b) = (self.constant(low), self.constant(high));
        let bounds = a.zip(b).and_then(|((a, _), (b, _))| {
            let (a, b) = (u64::try_from(a).ok()?, u64::try_from(b).ok()?);
            (a <= b && b < length && b - a < MAX_RANGE).then_some((a, b))
        });
        if bounds.is_none() {
            let at = self.at(d.span);
            self.error(at, "this is not a range of the array's indices");
        }
        bounds
    }

    fn record_items(
        &mut self,
        ty: TypeId,
        offset: u32,
        list: &mut List<'a>,
        braced: bool,
        out: &mut Vec<Item<'a>>,
    ) {
        let Some(record) = self.types.as_record(ty) else {
            return;
        };
        if let (true, Some(reason)) = (list.peek().is_some(), self.odd_type(ty)) {
            out.push(Item { offset, ty, bits: None, value: ItemValue::Unsupported(reason) });
            list.at = list.items.len();
            return;
        }
        let fields = self.types.record(record).fields.clone();
        let is_union = self.types.record(record).is_union;
        let mut next = 0;
        while let Some(item) = list.peek() {
            if let Some(first) = item.designation.first() {
                if !braced {
                    return;
                }
                list.at += 1;
                let Designator::Member(name) = &first.node else {
                    let at = self.at(first.span);
                    self.error(at, "a struct has no elements");
                    continue;
                };
                let text = &name.node.name;
                let Some((o, t, bits)) = self.member_place_of(record, text) else {
                    let (at, shown) = (self.at(name.span), self.types.name(ty));
                    self.error(at, format!("`{shown}` has no member `{text}`"));
                    continue;
                };
                let first = out.len();
                self.designated(t, offset + o, &item.designation[1..], item, out);
                out[first..].iter_mut().for_each(|i| i.bits = i.bits.or(bits));
                self.check_nested_designation(item, list, out);
                next = self.position_of(&fields, text).map_or(fields.len(), |i| i + 1);
            } else {
                let done = next >= fields.len() || (is_union && next > 0);
                if done {
                    return;
                }
                let f = &fields[next];
                let first = out.len();
                self.element(f.ty, offset + f.offset, list, out);
                if f.bits.is_some() {
                    out[first..].iter_mut().for_each(|i| i.bits = f.bits);
                }
                next += 1;
            }
        }
    }

    /// A member by name, be it a bit-field.
    fn member_place_of(
        &self,
        record: RecordId,
        name: &str,
    ) -> Option<(u32, TypeId, Option<BitField>)> {
        let bits = self.types.bit_field(record, name).map(|(o, t, b)| (o, t, Some(b)));
        bits.or_else(|| self.types.field(record, name).map(|(o, t)| (o, t, None)))
    }

    /// The index of a member, or of the anonymous member that holds it.
    fn position_of(&self, fields: &[trellis_program::Field], name: &str) -> Option<usize> {
        fields.iter().position(|f| {
            f.name == name
                || (f.name.is_empty()
                    && self
                        .types
                        .as_record(f.ty)
                        .is_some_and(|r| self.member_place_of(r, name).is_some()))
        })
    }

    /// After `.a.b = v`, a value without designator would go on inside `.a`.
    fn check_nested_designation(
        &mut self,
        item: &InitializerListItem,
        list: &List<'a>,
        out: &mut Vec<Item<'a>>,
    ) {
        let nested = item.designation.len() > 1;
        if nested && list.peek().is_some_and(|i| i.designation.is_empty()) {
            out.push(Item {
                offset: 0,
                ty: self.ty.unknown,
                bits: None,
                value: ItemValue::Unsupported("a value after a nested designator"),
            });
        }
    }

    /// The value of `.a[2].b = v`, from the second designator on.
    fn designated(
        &mut self,
        ty: TypeId,
        offset: u32,
        rest: &'a [Node<Designator>],
        item: &'a InitializerListItem,
        out: &mut Vec<Item<'a>>,
    ) {
        let Some((first, rest)) = rest.split_first() else {
            self.one(ty, offset, &item.initializer, out);
            return;
        };
        let found = match (&first.node, self.types.get(ty).clone()) {
            (Designator::Member(name), Type::Record(r)) => self.member_place_of(r, &name.node.name),
            (Designator::Index(_) | Designator::Range(_), Type::Array(element, n)) => {
                let size = u64::from(self.types.size_of(element).unwrap_or(1));
                match self.index_range(first, n) {
                    Some((a, b)) if a == b => {
                        u32::try_from(a * size).ok().map(|o| (o, element, None))
                    }
                    _ => None,
                }
            }
            _ => None,
        };
        match found {
            Some((o, t, bits)) => {
                let from = out.len();
                self.designated(t, offset.saturating_add(o), rest, item, out);
                out[from..].iter_mut().for_each(|i| i.bits = i.bits.or(bits));
            }
            None => {
                let at = self.at(first.span);
                self.error(at, "there is no such place to initialise");
            }
        }
    }

    /// One initialiser for a place of a known type.
    fn one(
        &mut self,
        ty: TypeId,
        offset: u32,
        init: &'a Node<Initializer>,
        out: &mut Vec<Item<'a>>,
    ) {
        match &init.node {
            Initializer::List(items) => self.braces(ty, offset, items, out),
            Initializer::Expression(e) => {
                if let Some(bytes) = self.string_for(ty, e) {
                    out.push(Item { offset, ty, bits: None, value: ItemValue::Bytes(bytes) });
                } else if matches!(self.types.get(ty), Type::Array(..)) {
                    let at = self.at(e.span);
                    self.error(at, "an array needs a list of values in braces");
                } else {
                    out.push(Item { offset, ty, bits: None, value: ItemValue::Expr(e) });
                }
            }
        }
    }

    /// The next item for a place: its own, or the first of those that fill it without braces.
    fn element(&mut self, ty: TypeId, offset: u32, list: &mut List<'a>, out: &mut Vec<Item<'a>>) {
        let Some(item) = list.peek() else {
            return;
        };
        let is_aggregate = matches!(self.types.get(ty), Type::Array(..) | Type::Record(_));
        let whole = match &item.initializer.node {
            Initializer::List(_) => true,
            Initializer::Expression(e) => {
                !is_aggregate
                    || self.string_for(ty, e).is_some()
                    || (self.is_record(ty) && self.may_be_record(e) && self.type_of(e) == ty)
            }
        };
        if whole || self.is_unknown(ty) {
            list.at += 1;
            self.one(ty, offset, &item.initializer, out);
            return;
        }
        let before = list.at;
        match self.types.get(ty) {
            Type::Array(..) => {
                self.array_items(ty, offset, list, false, out);
            }
            _ => self.record_items(ty, offset, list, false, out),
        }
        if list.at == before {
            list.at += 1;
            let at = self.at(item.initializer.span);
            self.error(at, "there is no place for this value");
        }
    }

    fn may_be_record(&self, e: &Node<Expression>) -> bool {
        !matches!(
            e.node,
            Expression::Constant(_) | Expression::StringLiteral(_) | Expression::SizeOfTy(_)
        )
    }

    /// The bytes that a string literal puts into an array of characters.
    fn string_for(&self, ty: TypeId, e: &Node<Expression>) -> Option<Vec<u8>> {
        let (Type::Array(element, n), Expression::StringLiteral(s)) = (self.types.get(ty), &e.node)
        else {
            return None;
        };
        if self.int_kind(*element)?.bits != 8 {
            return None;
        }
        let mut bytes = string_bytes(&s.node)?;
        bytes.truncate(usize::try_from(*n).unwrap_or(usize::MAX));
        Some(bytes)
    }
}
