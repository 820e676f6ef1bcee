//! Expressions: values, and effects without a value.

use lang_c::ast::{self, BinaryOperator, Expression, UnaryOperator};
use lang_c::span::{Node, Span as CSpan};
use trellis_program::ir::{BinOp, CmpOp, Expr, InstrKind, Reg, UnOp};
use trellis_program::types::{IntKind, Type, TypeId};

use super::arith::{arithmetic, comparison};
use super::scope::Symbol;
use super::{Lower, Val, fold};

/// What the context would like: a hint that saves temporaries and types allocations.
#[derive(Clone, Copy, Debug, Default)]
pub struct Want {
    /// The register that will receive the value.
    pub dst: Option<Reg>,
    /// The type that it will be converted to.
    pub ty: Option<TypeId>,
}

impl Want {
    /// Whether a value of type `ty` may be written to `dst` as it is.
    pub fn takes(self, lower: &Lower<'_>, ty: TypeId) -> bool {
        self.dst.is_some()
            && self.ty.is_some_and(|w| w == ty || (lower.is_pointer(w) && lower.is_pointer(ty)))
    }

    /// The same type, but no register.
    pub fn type_only(ty: TypeId) -> Want {
        Want { dst: None, ty: Some(ty) }
    }
}

impl<'a> Lower<'a> {
    /// The value of an expression.
    pub fn rvalue(&mut self, e: &'a Node<Expression>) -> Val {
        self.rvalue_for(e, Want::default())
    }

    /// The value of an expression whose context is known.
    pub fn rvalue_for(&mut self, e: &'a Node<Expression>, want: Want) -> Val {
        match &e.node {
            Expression::Identifier(id) => match self.scopes.lookup(&id.node.name) {
                Some(Symbol::Constant(value, kind)) => {
                    Val { e: Expr::Int(value), ty: self.types.intern(Type::Int(kind)) }
                }
                None if id.node.name == "__null" => self.null(),
                // Annotations are not preprocessed.
                None if id.node.name == "NULL" && self.in_ghost(e.span) => self.null(),
                _ => {
                    let lval = self.lvalue(e);
                    self.read(lval, want, e.span)
                }
            },
            Expression::Constant(c) => self.literal(c),
            Expression::StringLiteral(_)
            | Expression::Member(_)
            | Expression::CompoundLiteral(_) => {
                let lval = self.lvalue(e);
                self.read(lval, want, e.span)
            }
            Expression::Call(call) => self.call(call, e.span, want, false),
            Expression::UnaryOperator(u) => self.unary(u, e, want),
            Expression::BinaryOperator(b) => self.binary(b, e, want),
            Expression::Conditional(c) => self.conditional(c, e.span, want),
            Expression::Comma(list) => {
                let Some((last, first)) = list.split_last() else {
                    return self.unknown();
                };
                first.iter().for_each(|e| self.effect(e));
                self.rvalue_for(last, want)
            }
            Expression::Cast(c) => self.cast(c, e.span, want),
            Expression::SizeOfTy(s) => {
                let ty = self.type_name(&s.node.0);
                self.sizeof(ty, e.span)
            }
            Expression::SizeOfVal(s) => {
                if let Some((count, element)) = self.variable_length(&s.node.0) {
                    let each = Expr::Int(i64::from(self.size_of(element, e.span)));
                    let kind = self.kind_of(self.ty.size);
                    let bytes = fold::binary(BinOp::Mul, kind, count, each);
                    return Val { e: bytes, ty: self.ty.size };
                }
                let ty = self.type_of(&s.node.0);
                self.sizeof(ty, e.span)
            }
            Expression::AlignOf(a) => {
                let ty = self.type_name(&a.node.0);
                if self.is_unknown(ty) || self.odd_type(ty).is_some() {
                    let at = self.at(e.span);
                    return self.unsupported(at, "the alignment of this type");
                }
                let align = self.types.align_of(ty);
                self.size_value(i64::from(align))
            }
            Expression::OffsetOf(o) => self.offset_of(&o.node, e.span),
            Expression::Statement(s) => self.statement_expression(s, want),
            Expression::GenericSelection(_) => {
                let at = self.at(e.span);
                self.unsupported(at, "`_Generic`")
            }
            Expression::VaArg(v) => self.va_arg(v, e.span),
        }
    }

    /// The null pointer constant `(void *)0`.
    pub fn null(&self) -> Val {
        Val { e: Expr::Null, ty: self.ty.void_ptr }
    }

    fn size_value(&self, bytes: i64) -> Val {
        Val { e: Expr::Int(bytes), ty: self.ty.size }
    }

    fn sizeof(&mut self, ty: TypeId, span: CSpan) -> Val {
        // An array of length 0 may also be one whose length is not known.
        if self.is_unknown(ty) || matches!(self.types.get(ty), Type::Array(_, 0)) {
            let at = self.at(span);
            self.unsupported(at, "the size of this type");
        }
        let size = self.size_of(ty, span);
        self.size_value(i64::from(size))
    }

    /// The type of an expression, arrays and functions not decayed.
    pub fn undecayed_type(&mut self, e: &'a Node<Expression>) -> TypeId {
        if self.is_lvalue(e) { self.lvalue(e).ty } else { self.rvalue(e).ty }
    }

    fn unary(
        &mut self,
        u: &'a Node<ast::UnaryOperatorExpression>,
        e: &'a Node<Expression>,
        want: Want,
    ) -> Val {
        let operand = &*u.node.operand;
        match u.node.operator.node {
            UnaryOperator::Address => self.address_of(operand, e.span),
            UnaryOperator::Indirection => {
                let lval = self.lvalue(e);
                self.read(lval, want, e.span)
            }
            UnaryOperator::PostIncrement => self.increment(operand, 1, true, true, e.span),
            UnaryOperator::PostDecrement => self.increment(operand, -1, true, true, e.span),
            UnaryOperator::PreIncrement => self.increment(operand, 1, false, true, e.span),
            UnaryOperator::PreDecrement => self.increment(operand, -1, false, true, e.span),
            UnaryOperator::Plus => {
                let v = self.rvalue(operand);
                self.promoted(v)
            }
            UnaryOperator::Minus => self.negate(UnOp::Neg, operand, e.span),
            UnaryOperator::Complement => self.negate(UnOp::BitNot, operand, e.span),
            UnaryOperator::Negate => {
                let v = self.rvalue(operand);
                let is_pointer = self.is_pointer(v.ty);
                let e = if is_pointer {
                    fold::compare(CmpOp::Eq, None, v.e, Expr::Null)
                } else {
                    let e = self.truth(v, operand.span);
                    fold::not(e)
                };
                Val { e, ty: self.ty.int }
            }
        }
    }

    fn negate(&mut self, op: UnOp, operand: &'a Node<Expression>, span: CSpan) -> Val {
        let v = self.rvalue(operand);
        let v = self.promoted(v);
        match *self.types.get(v.ty) {
            Type::Int(kind) => Val { e: fold::unary(op, kind, v.e), ty: v.ty },
            Type::Float(_) => {
                let at = self.at(span);
                self.unsupported(at, "a floating-point operation")
            }
            _ if self.is_unknown(v.ty) => v,
            _ => {
                let (at, name) = (self.at(span), self.types.name(v.ty));
                self.error(at, format!("no such operation on `{name}`"))
            }
        }
    }

    fn binary(
        &mut self,
        b: &'a Node<ast::BinaryOperatorExpression>,
        e: &'a Node<Expression>,
        want: Want,
    ) -> Val {
        let (lhs, rhs) = (&*b.node.lhs, &*b.node.rhs);
        match &b.node.operator.node {
            BinaryOperator::Index => {
                let lval = self.lvalue(e);
                self.read(lval, want, e.span)
            }
            BinaryOperator::LogicalAnd | BinaryOperator::LogicalOr => self.logical(b, e.span),
            BinaryOperator::Assign => self.assignment(lhs, rhs, e.span, true),
            op => {
                if let Some(cmp) = comparison(op) {
                    let (x, y) = self.both(lhs, rhs, e.span);
                    return self.comparison(cmp, x, y, e.span);
                }
                let Some(arith) = arithmetic(op) else {
                    return self.unknown();
                };
                if is_assignment(op) {
                    return self.compound_assignment(arith, lhs, rhs, e.span, true);
                }
                let (x, y) = self.both(lhs, rhs, e.span);
                self.arithmetic(arith, x, y, e.span)
            }
        }
    }

    /// The values of two operands in no particular order.
    fn both(
        &mut self,
        lhs: &'a Node<Expression>,
        rhs: &'a Node<Expression>,
        span: CSpan,
    ) -> (Val, Val) {
        let first = self.f.builder.mark();
        let x = self.rvalue(lhs);
        let second = self.f.builder.mark();
        let y = self.rvalue(rhs);
        let at = self.at(span);
        self.unsequenced(&[(first, Some(&x.e)), (second, Some(&y.e))], at);
        (x, y)
    }

    fn cast(&mut self, c: &'a Node<ast::CastExpression>, span: CSpan, want: Want) -> Val {
        let ty = self.type_name(&c.node.type_name);
        let operand = &*c.node.expression;
        if ty == self.ty.void {
            self.effect(operand);
            return Val { e: Expr::Int(0), ty };
        }
        // A hint reaches through pointer casts, so that `p = (T *)malloc(…)` needs no temporary.
        let through = self.is_pointer(ty) && want.takes(self, ty);
        let inner = Want { dst: if through { want.dst } else { None }, ty: Some(ty) };
        let value = self.rvalue_for(operand, inner);
        if self.is_record(value.ty) && value.ty != ty {
            let at = self.at(span);
            return self.error(at, "a struct or union cannot be cast");
        }
        self.convert(value, ty, span)
    }

    /// `offsetof(T, a.b[2])`.
    fn offset_of(&mut self, o: &'a ast::OffsetOfExpression, span: CSpan) -> Val {
        let mut ty = self.type_name(&o.type_name);
        let mut offset = 0i64;
        let base = &o.designator.node.base;
        let Some((o1, t1)) = self.offset_member(ty, base) else {
            return self.unknown();
        };
        (offset, ty) = (offset + o1, t1);
        for m in &o.designator.node.members {
            let step = match &m.node {
                ast::OffsetMember::Member(name) | ast::OffsetMember::IndirectMember(name) => {
                    self.offset_member(ty, name)
                }
                ast::OffsetMember::Index(i) => {
                    match (self.constant(i), self.types.get(ty).clone()) {
                        (Some((n, _)), Type::Array(element, _)) => {
                            let size = i64::from(self.size_of(element, span));
                            n.checked_mul(size).map(|b| (b, element))
                        }
                        _ => {
                            let at = self.at(i.span);
                            self.unsupported(at, "`offsetof` with a variable index");
                            None
                        }
                    }
                }
            };
            let Some((more, t)) = step else {
                return self.unknown();
            };
            (offset, ty) = (offset.saturating_add(more), t);
        }
        self.size_value(offset)
    }

    fn offset_member(
        &mut self,
        ty: TypeId,
        name: &'a Node<ast::Identifier>,
    ) -> Option<(i64, TypeId)> {
        if let Some(reason) = self.odd_type(ty) {
            let at = self.at(name.span);
            self.unsupported(at, reason);
        }
        let found = self.types.as_record(ty).and_then(|r| self.types.field(r, &name.node.name));
        if found.is_none() && !self.is_unknown(ty) {
            let (at, shown) = (self.at(name.span), self.types.name(ty));
            self.error(at, format!("`{shown}` has no member `{}`", name.node.name));
        }
        found.map(|(o, t)| (i64::from(o), t))
    }

    /// Evaluates an expression for what it does.
    pub fn effect(&mut self, e: &'a Node<Expression>) {
        match &e.node {
            Expression::Call(call) => {
                self.call(call, e.span, Want::default(), true);
            }
            Expression::UnaryOperator(u) => {
                let (amount, post) = match u.node.operator.node {
                    UnaryOperator::PostIncrement => (1, true),
                    UnaryOperator::PostDecrement => (-1, true),
                    UnaryOperator::PreIncrement => (1, false),
                    UnaryOperator::PreDecrement => (-1, false),
                    _ => {
                        self.rvalue(e);
                        return;
                    }
                };
                self.increment(&u.node.operand, amount, post, false, e.span);
            }
            Expression::BinaryOperator(b) => {
                let (lhs, rhs) = (&*b.node.lhs, &*b.node.rhs);
                match &b.node.operator.node {
                    BinaryOperator::Assign => {
                        self.assignment(lhs, rhs, e.span, false);
                    }
                    BinaryOperator::LogicalAnd | BinaryOperator::LogicalOr => {
                        self.logical_effect(b, e.span);
                    }
                    op => match arithmetic(op).filter(|_| is_assignment(op)) {
                        Some(arith) => {
                            self.compound_assignment(arith, lhs, rhs, e.span, false);
                        }
                        None => {
                            self.rvalue(e);
                        }
                    },
                }
            }
            Expression::Conditional(c) => self.conditional_effect(c, e.span),
            Expression::Comma(list) => list.iter().for_each(|e| self.effect(e)),
            Expression::Cast(c) => {
                let ty = self.type_name(&c.node.type_name);
                if ty == self.ty.void {
                    self.effect(&c.node.expression);
                } else {
                    self.cast(c, e.span, Want::default());
                }
            }
            Expression::Statement(s) => self.statement_expression_effect(s),
            _ => {
                self.rvalue(e);
            }
        }
    }

    /// Puts a value that is used twice into a register, unless it is one already.
    pub fn in_register(&mut self, value: Val, span: CSpan) -> Val {
        if matches!(value.e, Expr::Reg(_) | Expr::Int(_) | Expr::Null | Expr::Addr(_))
            || self.types.scalar(value.ty).is_none()
        {
            return value;
        }
        let at = self.at(span);
        let dst = self.temp(value.ty, at);
        self.emit(InstrKind::Assign { dst, value: value.e }, at);
        Val { e: Expr::Reg(dst), ty: value.ty }
    }

    /// `int` arithmetic's kind, for values that the front end makes itself.
    pub fn kind_of(&self, ty: TypeId) -> IntKind {
        self.int_kind(ty).unwrap_or(IntKind::INT)
    }
}

/// `+=` and the like.
fn is_assignment(op: &BinaryOperator) -> bool {
    use BinaryOperator as B;
    matches!(
        op,
        B::AssignPlus
            | B::AssignMinus
            | B::AssignMultiply
            | B::AssignDivide
            | B::AssignModulo
            | B::AssignShiftLeft
            | B::AssignShiftRight
            | B::AssignBitwiseAnd
            | B::AssignBitwiseOr
            | B::AssignBitwiseXor
    )
}
