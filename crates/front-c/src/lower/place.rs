//! Lvalues: where a variable, member, element or pointee lives.

use lang_c::ast::{self, Expression, MemberOperator, UnaryOperator};
use lang_c::span::{Node, Span as CSpan};
use trellis_program::ir::{Expr, InstrKind, Reg, Storage};
use trellis_program::source::{Diagnostic, suggest};
use trellis_program::types::{BitField, Scalar, Type, TypeId};

use super::element::Reach;
use super::expr::Want;
use super::scope::Symbol;
use super::{Lower, Val, fold};

/// Where a value lives.
#[derive(Clone, Debug)]
pub enum Place {
    /// In a register.
    Reg(Reg),
    /// At an address.
    Mem(Expr),
    /// At an address that need not suit the type: in a packed struct.
    Packed(Expr),
    /// Some bits of the bytes at an address.
    Bits(Expr, BitField),
    /// Reported already.
    Unknown,
}

/// An lvalue with its type (arrays and functions not decayed).
#[derive(Clone, Debug)]
pub struct Lval {
    pub place: Place,
    pub ty: TypeId,
}

impl<'a> Lower<'a> {
    fn no_lval(&self) -> Lval {
        Lval { place: Place::Unknown, ty: self.ty.unknown }
    }

    /// Whether an expression designates an object (or function) rather than computing a value.
    pub fn is_lvalue(&self, e: &Node<Expression>) -> bool {
        match &e.node {
            Expression::Identifier(id) => {
                !matches!(self.scopes.lookup(&id.node.name), Some(Symbol::Constant(..)))
            }
            Expression::Member(m) => {
                m.node.operator.node == MemberOperator::Indirect
                    || self.is_lvalue(&m.node.expression)
            }
            Expression::BinaryOperator(b) => b.node.operator.node == ast::BinaryOperator::Index,
            Expression::UnaryOperator(u) => u.node.operator.node == UnaryOperator::Indirection,
            Expression::StringLiteral(_) | Expression::CompoundLiteral(_) => true,
            _ => false,
        }
    }

    /// The place that an expression designates.
    pub fn lvalue(&mut self, e: &'a Node<Expression>) -> Lval {
        match &e.node {
            Expression::Identifier(id) => self.identifier(&id.node.name, e.span),
            Expression::Member(m) => self.member_place(m, e.span),
            Expression::BinaryOperator(_) | Expression::UnaryOperator(_) if self.is_lvalue(e) => {
                self.element_place(e, Reach::Access)
            }
            Expression::StringLiteral(s) => self.string_place(&s.node, e.span),
            Expression::CompoundLiteral(c) => self.compound_literal(c, e.span),
            _ => {
                let value = self.rvalue(e);
                if self.is_record(value.ty) {
                    return Lval { place: Place::Mem(value.e), ty: value.ty };
                }
                if !self.is_unknown(value.ty) {
                    let span = self.at(e.span);
                    self.error(span, "this is a value and has no place in memory");
                }
                self.no_lval()
            }
        }
    }

    fn identifier(&mut self, name: &str, span: CSpan) -> Lval {
        let symbol = self.scopes.lookup(name).or_else(|| self.header_variable(name));
        let reg = match symbol {
            Some(Symbol::Local(v)) => Reg::Local(v),
            Some(Symbol::Global(g)) => {
                if let Some(reason) = self.global_info[g.0 as usize].odd.clone() {
                    let at = self.at(span);
                    self.unsupported(at, reason);
                }
                Reg::Global(g)
            }
            Some(Symbol::Function(f)) => {
                let ty = self.function_type(f);
                return Lval { place: Place::Mem(self.function_address(f)), ty };
            }
            Some(Symbol::Constant(..) | Symbol::Typedef(..)) => {
                let at = self.at(span);
                self.error(at, format!("`{name}` is not a variable"));
                return self.no_lval();
            }
            None if matches!(name, "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__") => {
                let text = self.f.name.clone();
                return self.bytes_place(text.into_bytes(), None);
            }
            None => {
                self.undeclared(name, span);
                return self.no_lval();
            }
        };
        self.check_ghost_use(reg, name, span);
        let (ty, storage) = self.variable_storage(reg);
        let place = match storage {
            Storage::Register => Place::Reg(reg),
            Storage::Object => Place::Mem(Expr::Addr(reg)),
        };
        if self.is_unknown(ty) {
            let at = self.at(span);
            self.unsupported(at, format!("the type of `{name}`"));
            return self.no_lval();
        }
        Lval { place, ty }
    }

    /// `*p`.
    pub fn pointee_place(&mut self, pointer: Val, span: CSpan) -> Lval {
        match *self.types.get(pointer.ty) {
            Type::Ptr(ty) if self.is_unknown(ty) => {
                let at = self.at(span);
                self.unsupported(at, "an access to a type outside the subset");
                self.no_lval()
            }
            Type::Ptr(ty) => Lval { place: Place::Mem(pointer.e), ty },
            _ => {
                if !self.is_unknown(pointer.ty) {
                    let (at, name) = (self.at(span), self.types.name(pointer.ty));
                    self.error(at, format!("a value of type `{name}` cannot be dereferenced"));
                }
                self.no_lval()
            }
        }
    }

    fn member_place(&mut self, m: &'a Node<ast::MemberExpression>, span: CSpan) -> Lval {
        let m = &m.node;
        let arrow = m.operator.node == MemberOperator::Indirect;
        let mut in_packed = false;
        let (base, ty) = if arrow {
            let pointer = self.element_pointer(&m.expression, Reach::Access);
            match *self.types.get(pointer.ty) {
                Type::Ptr(ty) => (pointer.e, ty),
                _ => return self.not_a_pointer(pointer.ty, &m.expression),
            }
        } else {
            let lval = self.lvalue(&m.expression);
            match lval.place {
                Place::Mem(address) => (address, lval.ty),
                Place::Packed(address) => {
                    in_packed = true;
                    (address, lval.ty)
                }
                _ => return self.no_member(lval.ty, &m.identifier, false),
            }
        };
        let name = &m.identifier.node.name;
        let Some(record) = self.types.as_record(ty).filter(|_| !self.is_unknown(ty)) else {
            return self.no_member(ty, &m.identifier, arrow);
        };
        if let Some(reason) = self.odd_type(ty) {
            let at = self.at(span);
            self.unsupported(at, reason);
        }
        if let Some((offset, ty)) = self.types.field(record, name) {
            if self.is_unknown(ty) {
                let at = self.at(span);
                self.unsupported(at, "a member whose type is outside the subset");
                return self.no_lval();
            }
            let address = fold::offset(base, i64::from(offset));
            let packed = in_packed || self.types.record(record).is_packed;
            let place = match packed && self.types.align_of(ty) > 1 {
                true => Place::Packed(address),
                false => Place::Mem(address),
            };
            return Lval { place, ty };
        }
        if let Some((offset, ty, bits)) = self.types.bit_field(record, name) {
            let address = fold::offset(base, i64::from(offset));
            return Lval { place: Place::Bits(address, bits), ty };
        }
        if !self.types.record(record).complete {
            let (at, shown) = (self.at(span), self.types.name(ty));
            self.error(at, format!("`{shown}` is declared but not defined"));
            return self.no_lval();
        }
        self.no_member(ty, &m.identifier, arrow)
    }

    fn not_a_pointer(&mut self, ty: TypeId, e: &Node<Expression>) -> Lval {
        if !self.is_unknown(ty) {
            let (at, shown) = (self.at(e.span), self.types.name(ty));
            let mut d = Diagnostic::error(at, format!("this is a `{shown}`, not a pointer"));
            if self.is_record(ty) {
                d = d.with_help("use `.` to reach a member of a struct");
            }
            self.diagnostics.push(d);
        }
        self.no_lval()
    }

    fn no_member(&mut self, ty: TypeId, name: &Node<ast::Identifier>, arrow: bool) -> Lval {
        if self.is_unknown(ty) {
            return self.no_lval();
        }
        let (span, shown, text) = (self.at(name.span), self.types.name(ty), &name.node.name);
        let mut d = match *self.types.get(ty) {
            Type::Record(r) => {
                let fields = self.types.record(r).fields.iter();
                let near = suggest(text, fields.map(|f| f.name.as_str()));
                let mut d = Diagnostic::error(span, format!("`{shown}` has no member `{text}`"));
                if let Some(near) = near {
                    d = d.with_help(format!("did you mean `{near}`?"));
                }
                d
            }
            _ => Diagnostic::error(
                span,
                format!("`{shown}` is not a struct or union, so it has no member `{text}`"),
            ),
        };
        match *self.types.get(ty) {
            Type::Ptr(p) if !arrow && self.is_record(p) => {
                d = d.with_help("use `->` to reach a member through a pointer");
            }
            _ => {}
        }
        self.diagnostics.push(d);
        self.no_lval()
    }

    /// The value at a place; arrays and functions become pointers.
    pub fn read(&mut self, lval: Lval, want: Want, span: CSpan) -> Val {
        if self.is_unknown(lval.ty) {
            return self.unknown();
        }
        let address = match lval.place {
            Place::Reg(reg) => {
                return Val { e: Expr::Reg(reg), ty: lval.ty };
            }
            Place::Mem(address) => address,
            Place::Packed(address) => match self.types.scalar(lval.ty) {
                Some(_) => self.unpacked(address, lval.ty, span),
                None => address,
            },
            Place::Bits(address, bits) => {
                let at = self.at(span);
                let ty = self.promoted_bits(bits, at);
                let dst = self.temp(ty, at);
                self.emit(InstrKind::Load { dst, addr: address, scalar: Scalar::Bits(bits) }, at);
                return Val { e: Expr::Reg(dst), ty };
            }
            Place::Unknown => return self.unknown(),
        };
        match *self.types.get(lval.ty) {
            Type::Array(..) | Type::Func(_) => Val { e: address, ty: self.decayed(lval.ty) },
            Type::Record(_) => Val { e: address, ty: lval.ty },
            Type::Void => {
                let at = self.at(span);
                self.error(at, "a `void` value cannot be read");
                self.unknown()
            }
            _ => {
                let scalar = self.scalar(lval.ty);
                let at = self.at(span);
                let dst = match want.dst {
                    Some(d) if want.takes(self, lval.ty) => d,
                    _ => self.temp(lval.ty, at),
                };
                self.emit(InstrKind::Load { dst, addr: address, scalar }, at);
                Val { e: Expr::Reg(dst), ty: lval.ty }
            }
        }
    }

    /// `&e`.
    pub fn address_of(&mut self, e: &'a Node<Expression>, span: CSpan) -> Val {
        if self.variable_length(e).is_some() {
            let at = self.at(span);
            return self.unsupported(at, "the address of an array of variable length");
        }
        let lval = match &e.node {
            Expression::BinaryOperator(_) | Expression::UnaryOperator(_) if self.is_lvalue(e) => {
                self.element_place(e, Reach::Address)
            }
            _ => self.lvalue(e),
        };
        let ty = self.pointer_to(lval.ty);
        match lval.place {
            Place::Mem(address) | Place::Packed(address) => Val { e: address, ty },
            Place::Reg(_) => {
                // Cannot happen: a variable behind `&` is an object.
                let at = self.at(span);
                self.unsupported(at, "the address of this variable")
            }
            Place::Bits(..) => {
                let at = self.at(span);
                self.error(at, "a bit-field has no address")
            }
            Place::Unknown => self.unknown(),
        }
    }
}
