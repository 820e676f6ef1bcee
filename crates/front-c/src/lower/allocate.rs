//! Allocation: which type a new heap object has.

use lang_c::ast::{BinaryOperator, Expression};
use lang_c::span::Node;
use trellis_program::ir::{BinOp, Expr, InstrKind, Reg};
use trellis_program::source::Span;
use trellis_program::types::{Type, TypeId};

use super::expr::Want;
use super::{Lower, Val, fold};

impl<'a> Lower<'a> {
    /// `malloc` and `calloc`. The element type is what the result is converted to, unless the
    /// size names a larger record (an object that is used through its first member).
    pub fn allocate(
        &mut self,
        size: Expr,
        sizes: &'a [Node<Expression>],
        zeroed: bool,
        want: Want,
        at: Span,
    ) -> Val {
        let usable =
            |l: &Self, t: &TypeId| !l.is_unknown(*t) && l.types.size_of(*t).is_some_and(|s| s > 0);
        let pointee = want.ty.and_then(|t| self.types.pointee(t)).filter(|t| usable(self, t));
        let named = sizes.iter().find_map(|e| self.type_in_size(e)).filter(|t| usable(self, t));
        let ty = match (pointee, named) {
            (Some(p), Some(n))
                if self.is_record(n) && self.types.size_of(n) > self.types.size_of(p) =>
            {
                Some(n)
            }
            (Some(p), _) => Some(p),
            (None, n) => n,
        };
        let void_ptr = self.ty.void_ptr;
        let dst = match want.dst {
            Some(d) if want.takes(self, void_ptr) => d,
            _ => {
                let ty = want.ty.filter(|_| pointee.is_some()).unwrap_or(void_ptr);
                self.temp(ty, at)
            }
        };
        self.emit(InstrKind::Alloc { dst, size, ty, zeroed }, at);
        Val {
            e: Expr::Reg(dst),
            ty: match (pointee, want.ty) {
                (Some(_), Some(w)) => w,
                _ => void_ptr,
            },
        }
    }

    /// `alloca`: an object that lives as long as the procedure runs. In a loop, or behind a label,
    /// there would be several at a time.
    pub fn allocate_local(
        &mut self,
        size: Expr,
        written: &'a Node<Expression>,
        want: Want,
        at: Span,
    ) -> Val {
        if self.f.loops > 0 || !self.f.labels.is_empty() {
            return self.unsupported(at, "a call of `alloca` in a loop");
        }
        let pointee = want.ty.and_then(|t| self.types.pointee(t));
        let named = self.type_in_size(written).filter(|t| pointee.is_none_or(|p| p == *t));
        let (element, count) = match named.and_then(|t| Some((t, self.types.size_of(t)?))) {
            Some((t, bytes)) if bytes > 0 => {
                let kind = self.types.model().size();
                (t, fold::binary(BinOp::Div, kind, size, Expr::Int(bytes.into())))
            }
            _ => (self.ty.char, size),
        };
        let array = self.types.intern(Type::Array(element, 0));
        let Reg::Local(var) = self.temp_object(array, at) else {
            return self.unknown();
        };
        self.emit(InstrKind::BeginArray { var, element, count }, at);
        let ty = self.pointer_to(element);
        Val { e: Expr::Addr(Reg::Local(var)), ty }
    }

    /// The type whose `sizeof` stands in a size, arrays as their elements.
    fn type_in_size(&mut self, e: &'a Node<Expression>) -> Option<TypeId> {
        let ty = match &e.node {
            Expression::SizeOfTy(s) => self.type_name(&s.node.0),
            Expression::SizeOfVal(s) => self.type_of(&s.node.0),
            Expression::BinaryOperator(b)
                if matches!(
                    b.node.operator.node,
                    BinaryOperator::Multiply | BinaryOperator::Plus
                ) =>
            {
                return self.type_in_size(&b.node.lhs).or_else(|| self.type_in_size(&b.node.rhs));
            }
            Expression::Cast(c) => return self.type_in_size(&c.node.expression),
            _ => return None,
        };
        let mut ty = ty;
        while let Type::Array(element, _) = *self.types.get(ty) {
            ty = element;
        }
        Some(ty)
    }
}
