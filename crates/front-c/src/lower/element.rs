//! Elements of arrays: `a[i]`, `*(a + i)`, `(&a[i])->m`.
//!
//! An index outside its own array is undefined even where the bytes lie inside the object, as in
//! `h->a[2]` with `int a[2]` inside a struct. The machine knows objects only, so an access through
//! an expression that names the array asserts that the index is inside: an ordinary assertion for
//! every engine. An address may point one past the end.
//!
//! A flexible member (`[]`, `[0]`) has no bound but that of its object, and neither has a pointer
//! that was kept in a variable.

use lang_c::ast::{BinaryOperator, Expression, UnaryOperator};
use lang_c::span::{Node, Span as CSpan};
use trellis_program::CheckKind;
use trellis_program::ir::{BinOp, CmpOp, Cond, Expr, InstrKind};
use trellis_program::types::{IntKind, Type};

use super::place::Lval;
use super::scope::Symbol;
use super::{Lower, Val, fold};

/// What an element is wanted for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reach {
    /// To be read or written.
    Access,
    /// Only for its address.
    Address,
}

/// Where a pointer points within an array that the expression names.
struct Within {
    /// Which element, as a `long`.
    index: Expr,
    /// How many there are.
    length: u64,
}

impl<'a> Lower<'a> {
    /// The place of `a[i]` or `*p`, with the assertion that it lies in its array.
    pub fn element_place(&mut self, e: &'a Node<Expression>, reach: Reach) -> Lval {
        let (pointer, within) = match &e.node {
            Expression::BinaryOperator(b) => self.moved(&b.node.lhs, &b.node.rhs, None, e.span),
            Expression::UnaryOperator(u) => self.pointer_within(&u.node.operand),
            _ => (self.unknown(), None),
        };
        self.check_within(within, reach, e.span);
        self.pointee_place(pointer, e.span)
    }

    /// The value of a pointer that is used at once, for instance by `->`.
    pub fn element_pointer(&mut self, e: &'a Node<Expression>, reach: Reach) -> Val {
        let (pointer, within) = self.pointer_within(e);
        self.check_within(within, reach, e.span);
        pointer
    }

    fn check_within(&mut self, within: Option<Within>, reach: Reach, span: CSpan) {
        let Some(Within { index, length }) = within else { return };
        let Ok(length) = i64::try_from(length) else { return };
        let op = if reach == Reach::Access { CmpOp::Lt } else { CmpOp::Le };
        // Read as unsigned, a negative index is a large one.
        let index = fold::convert(IntKind::SIZE, IntKind::LONG, index);
        let inside = fold::compare(op, Some(IntKind::SIZE), index, Expr::Int(length));
        if inside != Expr::Int(1) {
            let at = self.at(span);
            let cond = Cond::Expr(inside);
            self.emit(InstrKind::Assert { kind: CheckKind::Bounds, cond }, at);
        }
    }

    /// The value of an expression and, if that is an element of an array it names, which one.
    fn pointer_within(&mut self, e: &'a Node<Expression>) -> (Val, Option<Within>) {
        match &e.node {
            Expression::BinaryOperator(b) => match b.node.operator.node {
                BinaryOperator::Plus => {
                    self.moved(&b.node.lhs, &b.node.rhs, Some(BinOp::Add), e.span)
                }
                BinaryOperator::Minus => {
                    self.moved(&b.node.lhs, &b.node.rhs, Some(BinOp::Sub), e.span)
                }
                _ => self.array_start(e),
            },
            Expression::UnaryOperator(u) if u.node.operator.node == UnaryOperator::Address => {
                self.address_within(&u.node.operand, e)
            }
            Expression::Cast(c) if self.names_array(&c.node.expression) => {
                let ty = self.type_name(&c.node.type_name);
                let (value, within) = self.pointer_within(&c.node.expression);
                let size = |l: &Self, ty| l.types.pointee(ty).and_then(|t| l.types.size_of(t));
                let same = size(self, value.ty) == size(self, ty);
                (self.convert(value, ty, e.span), within.filter(|_| same))
            }
            _ => self.array_start(e),
        }
    }

    /// `&a[i]`, `&*(a + i)`: the pointer that was made of the array.
    fn address_within(
        &mut self,
        operand: &'a Node<Expression>,
        whole: &'a Node<Expression>,
    ) -> (Val, Option<Within>) {
        let (pointer, within) = match &operand.node {
            Expression::BinaryOperator(b) if b.node.operator.node == BinaryOperator::Index => {
                self.moved(&b.node.lhs, &b.node.rhs, None, operand.span)
            }
            Expression::UnaryOperator(u) if u.node.operator.node == UnaryOperator::Indirection => {
                self.pointer_within(&u.node.operand)
            }
            _ => return (self.rvalue(whole), None),
        };
        let lval = self.pointee_place(pointer.clone(), operand.span);
        match lval.place {
            super::place::Place::Mem(e) => (Val { e, ty: pointer.ty }, within),
            _ => (self.unknown(), None),
        }
    }

    /// A sum or difference; without an operator, that of a pointer and an index in either order.
    fn moved(
        &mut self,
        lhs: &'a Node<Expression>,
        rhs: &'a Node<Expression>,
        op: Option<BinOp>,
        span: CSpan,
    ) -> (Val, Option<Within>) {
        let first = self.f.builder.mark();
        let (a, in_a) = self.pointer_within(lhs);
        let second = self.f.builder.mark();
        let (b, in_b) = self.pointer_within(rhs);
        let at = self.at(span);
        self.unsequenced(&[(first, Some(&a.e)), (second, Some(&b.e))], at);
        let (within, by) = match (in_a, in_b) {
            (Some(w), None) => (Some(w), b.clone()),
            (None, Some(w)) => (Some(w), a.clone()),
            _ => (None, b.clone()),
        };
        let within = within.zip(self.int_kind(by.ty)).map(|(w, kind)| {
            let by = fold::convert(IntKind::LONG, kind, by.e);
            let index = match (op.unwrap_or(BinOp::Add), &w.index) {
                (BinOp::Add, Expr::Int(0)) => by,
                (op, _) => fold::binary(op, IntKind::LONG, w.index, by),
            };
            Within { index, length: w.length }
        });
        let value = match op {
            Some(op) => self.arithmetic(op, a, b, span),
            None => self.pointer_add(a, b, false, span),
        };
        (value, within)
    }

    /// Whether an expression, casts left aside, is made of an array that it names.
    fn names_array(&self, e: &Node<Expression>) -> bool {
        match &e.node {
            Expression::Cast(c) => self.names_array(&c.node.expression),
            Expression::UnaryOperator(u) => u.node.operator.node == UnaryOperator::Address,
            Expression::BinaryOperator(b) => matches!(
                b.node.operator.node,
                BinaryOperator::Index | BinaryOperator::Plus | BinaryOperator::Minus
            ),
            Expression::Identifier(_) | Expression::Member(_) => true,
            _ => false,
        }
    }

    /// The value of an expression; if it is an array, its first element.
    fn array_start(&mut self, e: &'a Node<Expression>) -> (Val, Option<Within>) {
        let designates = match &e.node {
            Expression::Identifier(id) => matches!(
                self.scopes.lookup(&id.node.name),
                Some(Symbol::Local(_) | Symbol::Global(_))
            ),
            _ => self.is_lvalue(e),
        };
        if !designates {
            return (self.rvalue(e), None);
        }
        let lval = self.lvalue(e);
        let within = match *self.types.get(lval.ty) {
            Type::Array(_, length) if length > 0 => Some(Within { index: Expr::Int(0), length }),
            _ => None,
        };
        (self.read(lval, super::expr::Want::default(), e.span), within)
    }
}
