//! Control flow inside expressions: `&&`, `||`, `?:`, conditions of statements.

use lang_c::ast::{self, BinaryOperator, Expression, UnaryOperator};
use lang_c::span::{Node, Span as CSpan};
use trellis_program::ir::{BlockId, Expr, InstrKind, Terminator};
use trellis_program::types::{Type, TypeId};

use super::convert::common_kind;
use super::expr::Want;
use super::{Lower, Val};
use crate::old;

impl<'a> Lower<'a> {
    /// Branches to `then` if the condition holds, else to `els`.
    pub fn branch(&mut self, e: &'a Node<Expression>, then: BlockId, els: BlockId) {
        let at = self.at(e.span);
        match &e.node {
            Expression::UnaryOperator(u) if u.node.operator.node == UnaryOperator::Negate => {
                self.branch(&u.node.operand, els, then);
            }
            Expression::BinaryOperator(b)
                if matches!(
                    b.node.operator.node,
                    BinaryOperator::LogicalAnd | BinaryOperator::LogicalOr
                ) =>
            {
                let second = self.f.builder.block();
                if b.node.operator.node == BinaryOperator::LogicalAnd {
                    self.branch(&b.node.lhs, second, els);
                } else {
                    self.branch(&b.node.lhs, then, second);
                }
                self.f.builder.start(second, at);
                self.branch(&b.node.rhs, then, els);
            }
            _ => {
                let value = self.rvalue(e);
                let cond = self.truth(value, e.span);
                self.end_branch(cond, then, els, at);
            }
        }
    }

    /// Ends the block with a branch, or a jump if the condition is constant.
    pub fn end_branch(
        &mut self,
        cond: Expr,
        then: BlockId,
        els: BlockId,
        at: trellis_program::Span,
    ) {
        let term = match cond {
            Expr::Int(0) => Terminator::Goto(els),
            Expr::Int(_) => Terminator::Goto(then),
            cond => Terminator::Branch { cond, then, els },
        };
        self.f.builder.end(term, at);
    }

    /// `a && b`, `a || b` as a value.
    pub fn logical(&mut self, b: &'a Node<ast::BinaryOperatorExpression>, span: CSpan) -> Val {
        let is_and = b.node.operator.node == BinaryOperator::LogicalAnd;
        let at = self.at(span);
        let left = self.rvalue(&b.node.lhs);
        let left = self.truth(left, b.node.lhs.span);
        if let Expr::Int(n) = left {
            if (n != 0) != is_and {
                return self.int(i64::from(!is_and));
            }
            let right = self.rvalue(&b.node.rhs);
            return Val { e: self.boolean(right, b.node.rhs.span), ty: self.ty.int };
        }
        let (second, decided, join) =
            (self.f.builder.block(), self.f.builder.block(), self.f.builder.block());
        let dst = self.temp(self.ty.int, at);
        let (then, els) = if is_and { (second, decided) } else { (decided, second) };
        self.end_branch(left, then, els, at);
        self.f.builder.start(second, at);
        let right = self.rvalue(&b.node.rhs);
        let value = self.boolean(right, b.node.rhs.span);
        self.emit(InstrKind::Assign { dst, value }, at);
        self.f.builder.end(Terminator::Goto(join), at);
        self.f.builder.start(decided, at);
        let value = Expr::Int(i64::from(!is_and));
        self.emit(InstrKind::Assign { dst, value }, at);
        self.f.builder.start(join, at);
        Val { e: Expr::Reg(dst), ty: self.ty.int }
    }

    /// `a && f();`
    pub fn logical_effect(&mut self, b: &'a Node<ast::BinaryOperatorExpression>, span: CSpan) {
        let at = self.at(span);
        let (second, join) = (self.f.builder.block(), self.f.builder.block());
        if b.node.operator.node == BinaryOperator::LogicalAnd {
            self.branch(&b.node.lhs, second, join);
        } else {
            self.branch(&b.node.lhs, join, second);
        }
        self.f.builder.start(second, at);
        self.effect(&b.node.rhs);
        self.f.builder.start(join, at);
    }

    /// `c ? a : b` for its effects.
    pub fn conditional_effect(&mut self, c: &'a Node<ast::ConditionalExpression>, span: CSpan) {
        let at = self.at(span);
        if self.assertion(&c.node.condition, &c.node.then_expression, &c.node.else_expression) {
            return;
        }
        let (then, els, join) =
            (self.f.builder.block(), self.f.builder.block(), self.f.builder.block());
        self.branch(&c.node.condition, then, els);
        self.f.builder.start(then, at);
        if !is_same(&c.node.then_expression) {
            self.effect(&c.node.then_expression);
        }
        self.f.builder.end(Terminator::Goto(join), at);
        self.f.builder.start(els, at);
        self.effect(&c.node.else_expression);
        self.f.builder.start(join, at);
    }

    /// `c ? a : b`.
    pub fn conditional(
        &mut self,
        c: &'a Node<ast::ConditionalExpression>,
        span: CSpan,
        want: Want,
    ) -> Val {
        let at = self.at(span);
        let c = &c.node;
        if is_same(&c.then_expression) {
            return self.value_or(c, span);
        }
        if self.assertion(&c.condition, &c.then_expression, &c.else_expression) {
            return Val { e: Expr::Int(0), ty: self.ty.void };
        }
        // Constant expressions are lowered in a scratch procedure, where a value is what counts;
        // elsewhere `&&`, `||` and `!` branch without one.
        let condition = if self.f.is_scratch || !is_logical(&c.condition) {
            let value = self.rvalue(&c.condition);
            let truth = self.truth(value, c.condition.span);
            if let Expr::Int(n) = truth {
                return self.constant_conditional(c, n != 0, span, want);
            }
            Some(truth)
        } else {
            None
        };
        let (then, els, join) =
            (self.f.builder.block(), self.f.builder.block(), self.f.builder.block());
        match condition {
            Some(cond) => {
                let at = self.at(c.condition.span);
                self.end_branch(cond, then, els, at);
            }
            None => self.branch(&c.condition, then, els),
        }
        self.f.builder.start(then, at);
        let a = self.rvalue_for(&c.then_expression, want);
        let then_end = self.f.builder.here();
        self.f.builder.leave();
        self.f.builder.start(els, at);
        let b = self.rvalue_for(&c.else_expression, want);
        self.f.builder.here();
        let ty = self.conditional_type(&a, &b, span);
        if ty == self.ty.void || self.is_unknown(ty) {
            self.f.builder.start(join, at);
            self.f.builder.resume(then_end);
            self.f.builder.end(Terminator::Goto(join), at);
            self.f.builder.resume(join);
            return Val { e: Expr::Int(0), ty };
        }
        // A struct or union travels as its address.
        let carried = if self.is_record(ty) { self.pointer_to(ty) } else { ty };
        let dst = match want.dst {
            Some(d) if carried == ty && want.takes(self, ty) => d,
            _ => self.temp(carried, at),
        };
        self.finish_arm(b, ty, dst, &c.else_expression);
        self.f.builder.start(join, at);
        self.f.builder.resume(then_end);
        self.finish_arm(a, ty, dst, &c.then_expression);
        self.f.builder.end(Terminator::Goto(join), at);
        self.f.builder.resume(join);
        Val { e: Expr::Reg(dst), ty }
    }

    /// `a ?: b`: `a` is evaluated once.
    fn value_or(&mut self, c: &'a ast::ConditionalExpression, span: CSpan) -> Val {
        let at = self.at(span);
        let value = self.rvalue(&c.condition);
        let value = self.promoted(value);
        let value = self.in_register(value, c.condition.span);
        let truth = self.truth(value.clone(), c.condition.span);
        if let Expr::Int(n) = truth {
            let (other, _) = self.in_scratch(|l| l.rvalue(&c.else_expression));
            let ty = self.conditional_type(&value, &other, span);
            let value = if n != 0 { value } else { self.rvalue(&c.else_expression) };
            return self.convert(value, ty, span);
        }
        let [els, same, join] = [(); 3].map(|()| self.f.builder.block());
        self.end_branch(truth, same, els, at);
        self.f.builder.start(els, at);
        let other = self.rvalue(&c.else_expression);
        self.f.builder.here();
        let ty = self.conditional_type(&value, &other, span);
        if self.types.scalar(ty).is_none() {
            self.f.builder.start(join, at);
            self.f.builder.place(same);
            self.f.builder.resume(same);
            self.f.builder.end(Terminator::Goto(join), at);
            self.f.builder.resume(join);
            return Val { e: Expr::Int(0), ty };
        }
        let dst = self.temp(ty, at);
        self.finish_arm(other, ty, dst, &c.else_expression);
        self.f.builder.end(Terminator::Goto(join), at);
        self.f.builder.start(same, at);
        self.finish_arm(value, ty, dst, &c.condition);
        self.f.builder.start(join, at);
        Val { e: Expr::Reg(dst), ty }
    }

    fn finish_arm(
        &mut self,
        value: Val,
        ty: TypeId,
        dst: trellis_program::Reg,
        arm: &'a Node<Expression>,
    ) {
        let value = self.convert(value, ty, arm.span);
        let at = self.at(arm.span);
        self.set_register(dst, value.e, at);
    }

    /// `c ? a : b` with `c` constant: only one arm is code.
    fn constant_conditional(
        &mut self,
        c: &'a ast::ConditionalExpression,
        holds: bool,
        span: CSpan,
        want: Want,
    ) -> Val {
        let (taken, other) = if holds {
            (&c.then_expression, &c.else_expression)
        } else {
            (&c.else_expression, &c.then_expression)
        };
        let (other, _) = self.in_scratch(|l| l.rvalue(other));
        let value = self.rvalue_for(taken, want);
        let ty = self.conditional_type(&value, &other, span);
        self.convert(value, ty, span)
    }

    /// The type of `c ? a : b`.
    fn conditional_type(&mut self, a: &Val, b: &Val, span: CSpan) -> TypeId {
        if self.is_unknown(a.ty) {
            return b.ty;
        }
        if self.is_unknown(b.ty) || a.ty == b.ty {
            return a.ty;
        }
        let is_null = |v: &Val| matches!(v.e, Expr::Null) || v.e == Expr::Int(0);
        match (self.types.get(a.ty).clone(), self.types.get(b.ty).clone()) {
            (Type::Void, _) | (_, Type::Void) => self.ty.void,
            (Type::Int(x), Type::Int(y)) => self.types.intern(Type::Int(common_kind(x, y))),
            (Type::Ptr(_), Type::Int(_)) => a.ty,
            (Type::Int(_), Type::Ptr(_)) => b.ty,
            (Type::Ptr(_), Type::Ptr(_)) if is_null(a) && a.ty == self.ty.void_ptr => b.ty,
            (Type::Ptr(_), Type::Ptr(_)) if is_null(b) && b.ty == self.ty.void_ptr => a.ty,
            (Type::Ptr(p), Type::Ptr(q)) if p == self.ty.void || q == self.ty.void => {
                self.ty.void_ptr
            }
            (Type::Ptr(_), Type::Ptr(_)) => a.ty,
            (Type::Float(x), Type::Float(y)) => self.types.intern(Type::Float(x.max(y))),
            (Type::Float(_), Type::Int(_)) => a.ty,
            (Type::Int(_), Type::Float(_)) => b.ty,
            _ => {
                let (x, y) = (self.types.name(a.ty), self.types.name(b.ty));
                let at = self.at(span);
                self.error(at, format!("`{x}` and `{y}` have no common type"));
                self.ty.unknown
            }
        }
    }
}

/// Whether nothing stands between `?` and `:`.
fn is_same(e: &Node<Expression>) -> bool {
    matches!(&e.node, Expression::Identifier(id) if id.node.name == old::SAME)
}

fn is_logical(e: &Node<Expression>) -> bool {
    match &e.node {
        Expression::UnaryOperator(u) => u.node.operator.node == UnaryOperator::Negate,
        Expression::BinaryOperator(b) => {
            matches!(b.node.operator.node, BinaryOperator::LogicalAnd | BinaryOperator::LogicalOr)
        }
        _ => false,
    }
}
