//! Local initialisers and compound literals: the items are stored one by one.

use std::collections::{BTreeMap, BTreeSet};

use lang_c::ast::{self, Initializer};
use lang_c::span::{Node, Span as CSpan};
use trellis_program::ir::{Expr, InstrKind, Reg};
use trellis_program::types::{Type, TypeId};

use super::expr::Want;
use super::init::{Item, ItemValue};
use super::place::{Lval, Place};
use super::{Lower, fold};

impl<'a> Lower<'a> {
    /// Stores an initialiser into a local object.
    pub fn initialize_object(
        &mut self,
        address: Expr,
        ty: TypeId,
        init: &'a Node<Initializer>,
        span: CSpan,
    ) {
        let items = self.initializer_items(ty, init);
        self.store_items(address, ty, items, span);
    }

    fn store_items(&mut self, address: Expr, ty: TypeId, items: Vec<Item<'a>>, span: CSpan) {
        let at = self.at(span);
        if !self.initialise_all(ty, &items) {
            let size = self.size_of(ty, span);
            self.emit(
                InstrKind::Fill {
                    dst: address.clone(),
                    byte: Expr::Int(0),
                    size: Expr::Int(i64::from(size)),
                },
                at,
            );
        }
        let mut operands = Vec::new();
        let packed = self.types.has_packed(ty);
        let again = repeated(&items);
        for item in items {
            let place = fold::offset(address.clone(), i64::from(item.offset));
            match &item.value {
                ItemValue::Expr(e) => {
                    let before = self.f.builder.mark();
                    let value = self.rvalue_for(e, Want::type_only(item.ty));
                    let read = self.is_record(item.ty).then_some(&value.e);
                    self.check_item(before, &address, read, again.contains(&e.span.start), at);
                    let after = self.f.builder.mark();
                    operands.push(self.effects(before, after, Some(&value.e)));
                    let place = match item.bits {
                        Some(bits) => Place::Bits(place, bits),
                        // Initialisers do not ask how the object lies.
                        None if packed && self.types.align_of(item.ty) > 1 => Place::Packed(place),
                        None => Place::Mem(place),
                    };
                    let lval = Lval { place, ty: item.ty };
                    if self.is_record(item.ty) {
                        self.assign_record(lval, value, e.span);
                    } else {
                        let value = self.convert(value, item.ty, e.span);
                        self.write(&lval, value, e.span);
                    }
                }
                ItemValue::Bytes(bytes) => self.store_bytes(place, &item, bytes.clone(), at),
                ItemValue::Unsupported(reason) => {
                    self.unsupported(at, *reason);
                }
            }
        }
        self.in_any_order(operands, at);
    }

    fn store_bytes(
        &mut self,
        place: Expr,
        item: &Item<'a>,
        bytes: Vec<u8>,
        at: trellis_program::Span,
    ) {
        let room = self.types.size_of(item.ty).unwrap_or(0) as usize;
        let count = (bytes.len() + 1).min(room);
        if let Place::Mem(src) = self.bytes_place(bytes, None).place {
            let size = Expr::Int(count as i64);
            self.emit(InstrKind::Copy { dst: place, src, size, may_overlap: true }, at);
        }
    }

    /// Whether the items initialise every scalar of the object.
    fn initialise_all(&self, ty: TypeId, items: &[Item<'a>]) -> bool {
        if items.iter().any(|i| i.bits.is_some()) {
            // Bits that belong to nobody are cleared, too.
            return false;
        }
        let offsets: BTreeSet<u32> = items.iter().map(|i| i.offset).collect();
        let initialised: u64 = items
            .iter()
            .map(|i| match &i.value {
                ItemValue::Bytes(b) => b.len() as u64 + 1,
                _ => self.leaf_bytes(i.ty),
            })
            .sum();
        offsets.len() == items.len() && initialised >= self.leaf_bytes(ty)
    }

    /// The bytes of a type that are not padding.
    fn leaf_bytes(&self, ty: TypeId) -> u64 {
        match self.types.get(ty) {
            Type::Array(element, n) => self.leaf_bytes(*element).saturating_mul(*n),
            Type::Record(r) => {
                let record = self.types.record(*r);
                let sizes = record.fields.iter().map(|f| match f.bits {
                    Some(bits) => u64::from(bits.bytes()),
                    None => self.leaf_bytes(f.ty),
                });
                if record.is_union { sizes.max().unwrap_or(0) } else { sizes.sum() }
            }
            _ => u64::from(self.types.size_of(ty).unwrap_or(0)),
        }
    }

    /// `(T){ … }`: an object of the enclosing block.
    pub fn compound_literal(&mut self, c: &'a Node<ast::CompoundLiteral>, span: CSpan) -> Lval {
        let at = self.at(span);
        let (mut ty, is_const) = self.qualified_type_name(&c.node.type_name);
        if let Type::Array(_, 0) = self.types.get(ty) {
            let Type::Array(element, _) = *self.types.get(ty) else {
                return self.lvalue_unknown();
            };
            let open = self.types.intern(Type::Array(element, u64::from(u32::MAX)));
            let n = self.count(open, &c.node.initializer_list) as u64;
            ty = self.types.intern(Type::Array(element, n));
        }
        if self.is_unknown(ty) || self.types.size_of(ty).is_none() {
            if !self.is_unknown(ty) {
                let shown = self.types.name(ty);
                self.error(at, format!("a value cannot have type `{shown}`"));
            }
            return self.lvalue_unknown();
        }
        let mut items = Vec::new();
        self.braces(ty, 0, &c.node.initializer_list, &mut items);
        if self.scopes.depth() == 0 {
            self.unsupported(at, "a compound literal outside a function");
            return self.lvalue_unknown();
        }
        let reg: Reg = self.temp_object(ty, at);
        if let Reg::Local(v) = reg {
            self.f.vars[v.0 as usize].is_const = is_const;
        }
        self.store_items(Expr::Addr(reg), ty, items, span);
        Lval { place: Place::Mem(Expr::Addr(reg)), ty }
    }

    fn lvalue_unknown(&self) -> Lval {
        Lval { place: Place::Unknown, ty: self.ty.unknown }
    }
}

/// The values of items that share their value or their place with another one, by where they stand.
fn repeated(items: &[Item<'_>]) -> BTreeSet<usize> {
    let (mut places, mut values) = (BTreeMap::<_, u32>::new(), BTreeMap::<_, u32>::new());
    let value = |item: &Item<'_>| match item.value {
        ItemValue::Expr(e) => Some(e.span.start),
        _ => None,
    };
    for item in items {
        *places.entry((item.offset, item.bits)).or_default() += 1;
        *values.entry(value(item)).or_default() += 1;
    }
    let again = |i: &&Item<'_>| places[&(i.offset, i.bits)] > 1 || values[&value(i)] > 1;
    items.iter().filter(again).filter_map(value).collect()
}
