//! Functions with a variable number of arguments: `...`, `va_list`, `va_arg`.
//!
//! What is passed behind the parameters is an object of the caller, with eight bytes for each
//! argument, and a last parameter that nobody can name points to it. A `va_list` is an array of one
//! place in such an object, so it is passed on by its address, as compilers do. Reading an argument
//! that was not passed is outside the object, and reading one as something of another size matches no
//! cell of it.
//!
//! **Invariant.** Only calls make such objects; a procedure that has them for an input is never judged
//! on its own (`Procedure::is_variadic`).

use lang_c::ast::{self, Expression};
use lang_c::span::{Node, Span as CSpan};
use trellis_program::REST;
use trellis_program::ir::{Expr, InstrKind, Storage, Var, VarId};
use trellis_program::source::Span;
use trellis_program::types::{Scalar, Type, TypeId};

use super::{Lower, Val, fold};

/// Bytes of one argument.
const SLOT: i64 = 8;

impl<'a> Lower<'a> {
    /// `va_list`.
    pub fn va_list_type(&mut self) -> TypeId {
        if let Some(ty) = self.va_list {
            return ty;
        }
        let place = self.rest_type();
        let record = self.types.declare_record("va_list", false);
        self.types.complete(record, vec![("at".into(), place)]);
        let record = self.types.intern(Type::Record(record));
        let ty = self.types.intern(Type::Array(record, 1));
        self.va_list = Some(ty);
        ty
    }

    /// A place among the arguments behind the parameters.
    fn rest_type(&mut self) -> TypeId {
        self.pointer_to(self.ty.char)
    }

    /// The parameter for the arguments behind the others.
    pub fn rest_parameter(&mut self, span: Span) -> Var {
        Var {
            name: REST.to_owned(),
            ty: self.rest_type(),
            storage: Storage::Register,
            is_temp: false,
            is_ghost: false,
            is_const: true,
            span,
        }
    }

    /// Puts arguments into an object; its address.
    pub fn rest_argument(&mut self, values: &[Val], at: Span) -> Expr {
        let types: Vec<TypeId> = values.iter().map(|v| v.ty).collect();
        let record = self.rest_record(&types);
        let object = Expr::Addr(self.temp_object(record, at));
        for (value, i) in values.iter().zip(0..) {
            let Some(scalar) = self.types.scalar(value.ty) else {
                self.unsupported(at, "a struct behind the parameters of a function");
                continue;
            };
            let addr = fold::offset(object.clone(), i * SLOT);
            self.emit(InstrKind::Store { addr, scalar, value: value.e.clone() }, at);
        }
        object
    }

    fn rest_record(&mut self, types: &[TypeId]) -> TypeId {
        if let Some(ty) = self.rests.get(types) {
            return *ty;
        }
        let record = self.types.declare_record(REST, false);
        // An array of length 0 has the alignment of its element and no cells.
        let slot = self.types.intern(Type::Array(self.ty.long, 0));
        let members = types.iter().zip(1..).flat_map(|(ty, i)| {
            let ty = if self.types.scalar(*ty).is_some() { *ty } else { self.ty.int };
            [(format!("%{i}"), slot), (format!("argument {i}"), ty)]
        });
        let members = members.collect();
        self.types.complete(record, members);
        let ty = self.types.intern(Type::Record(record));
        self.rests.insert(types.to_vec(), ty);
        ty
    }

    /// An argument behind all parameters, promoted.
    pub fn rest_value(&mut self, a: &'a Node<Expression>) -> Val {
        if let Expression::Constant(c) = &a.node
            && matches!(c.node, ast::Constant::Float(_))
        {
            // Nobody computes with it.
            let ty = self.types.intern(Type::Float(64));
            let at = self.at(a.span);
            return Val { e: self.no_value(ty, at), ty };
        }
        let value = self.rvalue(a);
        let value = self.promoted(value);
        match self.types.get(value.ty) {
            Type::Float(32) => Val { ty: self.types.intern(Type::Float(64)), ..value },
            _ => value,
        }
    }

    /// `va_start(ap, last)`.
    pub fn va_start(&mut self, ap: &'a Node<Expression>, at: Span) {
        let Some(last) = self.f.params.checked_sub(1).filter(|v| self.f.vars[*v].name == REST)
        else {
            self.error(at, "`va_start` in a function without `...`");
            return;
        };
        let Some((place, scalar)) = self.va_place(ap, at) else { return };
        let value = Expr::local(VarId(last as u32));
        self.emit(InstrKind::Store { addr: place, scalar, value }, at);
    }

    /// `va_copy(to, from)`.
    pub fn va_copy(&mut self, to: &'a Node<Expression>, from: &'a Node<Expression>, at: Span) {
        let (to, from) = (self.va_place(to, at), self.va_place(from, at));
        let (Some((addr, scalar)), Some((from, _))) = (to, from) else { return };
        let dst = self.rest_type();
        let dst = self.temp(dst, at);
        self.emit(InstrKind::Load { dst, addr: from, scalar }, at);
        self.emit(InstrKind::Store { addr, scalar, value: Expr::Reg(dst) }, at);
    }

    /// `va_arg(ap, T)`.
    pub fn va_arg(&mut self, e: &'a Node<ast::VaArgExpression>, span: CSpan) -> Val {
        let at = self.at(span);
        let ty = self.type_name(&e.node.type_name);
        let Some((place, pointer)) = self.va_place(&e.node.va_list, at) else {
            return self.unknown();
        };
        let is_promoted = self.int_kind(ty).is_none_or(|k| k.bits >= 32);
        let Some(scalar) = self.types.scalar(ty).filter(|s| is_promoted && *s != FLOAT) else {
            return self.unsupported(at, "`va_arg` of a type that is never passed like that");
        };
        let rest = self.rest_type();
        let (next, dst) = (self.temp(rest, at), self.temp(ty, at));
        self.emit(InstrKind::Load { dst: next, addr: place.clone(), scalar: pointer }, at);
        self.emit(InstrKind::Load { dst, addr: Expr::Reg(next), scalar }, at);
        let value = fold::offset(Expr::Reg(next), SLOT);
        self.emit(InstrKind::Store { addr: place, scalar: pointer, value }, at);
        Val { e: Expr::Reg(dst), ty }
    }

    /// Where a `va_list` keeps its place.
    fn va_place(&mut self, ap: &'a Node<Expression>, at: Span) -> Option<(Expr, Scalar)> {
        let list = self.va_list_type();
        let list = self.decayed(list);
        let value = self.rvalue(ap);
        if value.ty != list {
            if !self.is_unknown(value.ty) {
                let shown = self.types.name(value.ty);
                self.error(at, format!("this is a `{shown}`, not a `va_list`"));
            }
            return None;
        }
        let value = self.in_register(value, ap.span);
        Some((value.e, Scalar::Ptr(self.ty.char)))
    }
}

const FLOAT: Scalar = Scalar::Float(32);
