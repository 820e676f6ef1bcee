//! Assignments, compound assignments, increments.

use lang_c::ast::Expression;
use lang_c::span::{Node, Span as CSpan};
use trellis_program::ir::{BinOp, Expr, InstrKind, Reg};
use trellis_program::types::{Scalar, Type};

use super::builder::Mark;
use super::expr::Want;
use super::place::{Lval, Place};
use super::{Lower, Val};

impl<'a> Lower<'a> {
    /// `lhs = rhs`; the value is that of `lhs` afterwards, if it is wanted.
    pub fn assignment(
        &mut self,
        lhs: &'a Node<Expression>,
        rhs: &'a Node<Expression>,
        span: CSpan,
        wanted: bool,
    ) -> Val {
        let first = self.f.builder.mark();
        let lval = self.assignable(lhs);
        self.check_ghost_write(&lval.place, lhs.span);
        let second = self.f.builder.mark();
        if self.is_record(lval.ty) {
            let value = self.rvalue_for(rhs, Want::type_only(lval.ty));
            self.sides(&lval, first, second, &value, span);
            return self.assign_record(lval, value, span);
        }
        let want = Want {
            dst: match lval.place {
                Place::Reg(r) => Some(r),
                _ => None,
            },
            ty: Some(lval.ty),
        };
        let value = self.rvalue_for(rhs, want);
        self.sides(&lval, first, second, &value, span);
        let value = self.convert(value, lval.ty, rhs.span);
        self.write(&lval, value.clone(), span);
        match lval.place {
            Place::Reg(r) if wanted => Val { e: Expr::Reg(r), ty: lval.ty },
            Place::Bits(_, bits) if wanted => self.kept_bits(bits, value, span),
            _ => value,
        }
    }

    /// The two sides of an assignment are evaluated in no particular order.
    fn sides(&mut self, lval: &Lval, first: Mark, second: Mark, value: &Val, span: CSpan) {
        let at = self.at(span);
        match &lval.place {
            Place::Mem(addr) | Place::Packed(addr) | Place::Bits(addr, _) => {
                self.unsequenced(&[(first, Some(addr)), (second, Some(&value.e))], at);
            }
            // `x = f()` puts the value there at once, `x = x++` writes twice.
            Place::Reg(r) if value.e != Expr::Reg(*r) => self.written_once(*r, second, at),
            _ => {}
        }
    }

    /// The place on the left of an assignment.
    fn assignable(&mut self, lhs: &'a Node<Expression>) -> Lval {
        let lval = self.lvalue(lhs);
        let what = match self.types.get(lval.ty) {
            Type::Array(..) => "an array",
            Type::Func(_) => "a function",
            Type::Void => "a `void` place",
            _ => {
                let at = self.at(lhs.span);
                self.check_written(&lval, at);
                return lval;
            }
        };
        let span = self.at(lhs.span);
        self.error(span, format!("{what} cannot be assigned"));
        Lval { place: Place::Unknown, ty: self.ty.unknown }
    }

    /// Copies a struct or union.
    pub fn assign_record(&mut self, lval: Lval, value: Val, span: CSpan) -> Val {
        let at = self.at(span);
        if self.is_unknown(value.ty) {
            return self.unknown();
        }
        if value.ty != lval.ty {
            let (from, to) = (self.types.name(value.ty), self.types.name(lval.ty));
            return self.error(at, format!("a value of type `{from}` does not convert to `{to}`"));
        }
        let (Place::Mem(dst) | Place::Packed(dst)) = lval.place else {
            return self.unknown();
        };
        let size = self.size_of(lval.ty, span);
        self.emit(
            InstrKind::Copy {
                dst: dst.clone(),
                src: value.e,
                size: Expr::Int(i64::from(size)),
                may_overlap: true,
            },
            at,
        );
        Val { e: dst, ty: lval.ty }
    }

    /// Writes a scalar that has the type of the place.
    pub fn write(&mut self, lval: &Lval, value: Val, span: CSpan) {
        let at = self.at(span);
        match &lval.place {
            Place::Reg(dst) => self.set_register(*dst, value.e, at),
            Place::Mem(addr) => {
                if let Some(scalar) = self.types.scalar(lval.ty) {
                    self.emit(InstrKind::Store { addr: addr.clone(), scalar, value: value.e }, at);
                }
            }
            Place::Packed(addr) => {
                if self.types.scalar(lval.ty).is_some() {
                    self.write_packed(addr.clone(), lval.ty, value, at);
                }
            }
            Place::Bits(addr, bits) => {
                let (addr, scalar) = (addr.clone(), Scalar::Bits(*bits));
                self.emit(InstrKind::Store { addr, scalar, value: value.e }, at);
            }
            Place::Unknown => {}
        }
    }

    /// `dst = value`, unless the value was computed there.
    pub fn set_register(&mut self, dst: Reg, value: Expr, at: trellis_program::Span) {
        if value != Expr::Reg(dst) {
            self.emit(InstrKind::Assign { dst, value }, at);
        }
    }

    /// `lhs op= rhs`.
    pub fn compound_assignment(
        &mut self,
        op: BinOp,
        lhs: &'a Node<Expression>,
        rhs: &'a Node<Expression>,
        span: CSpan,
        wanted: bool,
    ) -> Val {
        let first = self.f.builder.mark();
        let lval = self.assignable(lhs);
        self.check_ghost_write(&lval.place, lhs.span);
        let second = self.f.builder.mark();
        let right = self.rvalue(rhs);
        let third = self.f.builder.mark();
        let left = self.read(lval.clone(), Want::default(), lhs.span);
        let at = self.at(span);
        let operands = [(first, None), (second, Some(&right.e)), (third, Some(&left.e))];
        self.unsequenced(&operands, at);
        let value = self.arithmetic(op, left, right, span);
        self.update(&lval, value, span, wanted)
    }

    /// Converts a new value to the type of the place and writes it.
    fn update(&mut self, lval: &Lval, value: Val, span: CSpan, wanted: bool) -> Val {
        let mut value = self.convert(value, lval.ty, span);
        if wanted && !matches!(lval.place, Place::Reg(_)) {
            value = self.in_register(value, span);
        }
        self.write(lval, value.clone(), span);
        match lval.place {
            Place::Reg(r) => Val { e: Expr::Reg(r), ty: lval.ty },
            Place::Bits(_, bits) if wanted => self.kept_bits(bits, value, span),
            _ => value,
        }
    }

    /// `x++`, `--x` …: by `amount`; the old value if `post`.
    pub fn increment(
        &mut self,
        operand: &'a Node<Expression>,
        amount: i64,
        post: bool,
        wanted: bool,
        span: CSpan,
    ) -> Val {
        let lval = self.assignable(operand);
        self.check_ghost_write(&lval.place, operand.span);
        let mut old = self.read(lval.clone(), Want::default(), operand.span);
        if post && wanted && matches!(lval.place, Place::Reg(_)) {
            old = self.saved(old, span);
        }
        let op = if amount < 0 { BinOp::Sub } else { BinOp::Add };
        let one = self.int(1);
        let value = self.arithmetic(op, old.clone(), one, span);
        let new = self.update(&lval, value, span, wanted && !post);
        if post { old } else { new }
    }

    /// A copy of a register's value, since the register is about to change.
    fn saved(&mut self, value: Val, span: CSpan) -> Val {
        if self.types.scalar(value.ty).is_none() {
            return value;
        }
        let at = self.at(span);
        let dst = self.temp(value.ty, at);
        self.emit(InstrKind::Assign { dst, value: value.e }, at);
        Val { e: Expr::Reg(dst), ty: value.ty }
    }
}
