//! Expressions.
//!
//! Operands are evaluated from left to right; what the evaluation of a later one may change is kept
//! in a temporary.

use trellis_program::ir::{BlockId, CmpOp, Expr as IrExpr, InstrKind, Reg, Terminator, VarId};
use trellis_program::source::{Diagnostic, Span};
use trellis_program::{CheckKind, IntKind};

use super::arith::promote;
use super::method::Code;
use super::types::Ty;
use crate::ast::{Expr, ExprKind};

/// A value with its type.
#[derive(Clone, Debug)]
pub(crate) struct Val {
    pub e: IrExpr,
    pub ty: Ty,
}

/// A pointer moved by some bytes.
pub(crate) fn offset(base: IrExpr, by: u32) -> IrExpr {
    if by == 0 { base } else { IrExpr::Offset(Box::new(base), by.into()) }
}

/// Whether evaluating an expression may change a variable.
pub(super) fn has_effects(e: &Expr) -> bool {
    matches!(
        e.kind,
        ExprKind::Assign(..) | ExprKind::Step { .. } | ExprKind::Call { .. } | ExprKind::New { .. }
    ) || e.parts().into_iter().any(has_effects)
}

impl<'a> Code<'_, 'a> {
    /// Evaluates an expression for what it does.
    pub(super) fn effect(&mut self, e: &'a Expr) {
        match &e.kind {
            ExprKind::Call { target, name, name_span, args } => {
                self.call(target.as_deref(), name, *name_span, args, e.span);
            }
            ExprKind::Assign(op, place, value) => {
                self.assign(*op, place, value, e.span, false);
            }
            ExprKind::Step { op, place, .. } => {
                self.step(op, true, place, e.span, false);
            }
            _ => {
                self.value(e);
            }
        }
    }

    /// Evaluates an expression to a value of a type.
    pub(super) fn converted(&mut self, e: &'a Expr, ty: &Ty) -> IrExpr {
        let value = self.value(e);
        self.convert(value, ty, e)
    }

    pub(super) fn convert(&mut self, value: Val, ty: &Ty, e: &Expr) -> IrExpr {
        let classes = &self.lower.classes;
        let fits_constant = match (&e.kind, ty) {
            (ExprKind::Int(i, false), Ty::Int(k)) => i128::from(k.wrap(*i)) == *i,
            _ => false,
        };
        if !fits_constant && !classes.assignable(&value.ty, ty) {
            let (from, to) = (classes.name(&value.ty), classes.name(ty));
            let message = format!("this is of type `{from}`, but `{to}` is needed here");
            self.lower.error(Diagnostic::error(e.span, message));
        }
        match (&value.ty, ty) {
            (Ty::Int(from), Ty::Int(to)) if from != to => IrExpr::Convert(*to, Box::new(value.e)),
            _ => value.e,
        }
    }

    pub(super) fn unknown(&self) -> Val {
        Val { e: IrExpr::Int(0), ty: Ty::Unknown }
    }

    pub(super) fn refuse(&mut self, span: Span, reason: &str) -> Val {
        self.unsupported(span, reason);
        self.unknown()
    }

    /// Keeps a value in a temporary.
    pub(super) fn keep(&mut self, value: Val, span: Span) -> Val {
        if matches!(value.e, IrExpr::Int(_) | IrExpr::Null) {
            return value;
        }
        let temp = self.temp(value.ty.clone(), span);
        self.out.push(InstrKind::Assign { dst: Reg::Local(temp), value: value.e }, span);
        Val { e: IrExpr::local(temp), ty: value.ty }
    }

    /// A value that later operands cannot change.
    pub(super) fn value_before(&mut self, e: &'a Expr, later: &[&Expr]) -> Val {
        let value = self.value(e);
        match later.iter().any(|l| has_effects(l)) {
            true => self.keep(value, e.span),
            false => value,
        }
    }

    pub(super) fn value(&mut self, e: &'a Expr) -> Val {
        let span = e.span;
        match &e.kind {
            ExprKind::Int(i, long) => {
                let kind = if *long { IntKind::LONG } else { IntKind::INT };
                if i128::from(kind.wrap(*i)) != *i {
                    self.lower.error(Diagnostic::error(span, "this number does not fit"));
                }
                Val { e: IrExpr::Int(kind.wrap(*i)), ty: Ty::Int(kind) }
            }
            ExprKind::Bool(b) => Val { e: IrExpr::Int((*b).into()), ty: Ty::Bool },
            ExprKind::Null => Val { e: IrExpr::Null, ty: Ty::Null },
            ExprKind::This => match self.this {
                Some(this) => Val { e: IrExpr::local(this), ty: Ty::Class(self.class) },
                None => {
                    let message = "there is no `this` in a static method";
                    self.lower.error(Diagnostic::error(span, message));
                    self.unknown()
                }
            },
            ExprKind::Field(base, name, _) if name == "length" && self.is_array(base) => {
                let array = self.value(base);
                let Ty::Array(element) = &array.ty else { return self.unknown() };
                let size = self.lower.classes.bytes(element);
                let length = IrExpr::Extent(Box::new(array.e), size);
                self.keep(Val { e: length, ty: Ty::Int(IntKind::INT) }, span)
            }
            ExprKind::Name(_) | ExprKind::Field(..) | ExprKind::Index(..) => {
                let place = self.place(e);
                self.read(place, span)
            }
            ExprKind::Call { target, name, name_span, args } => {
                match self.call(target.as_deref(), name, *name_span, args, span) {
                    Some(value) => value,
                    None => {
                        let message = "this method returns nothing";
                        self.lower.error(Diagnostic::error(span, message));
                        self.unknown()
                    }
                }
            }
            ExprKind::New { class, args, hidden } => self.create(class, args, *hidden, span),
            ExprKind::NewArray { element, lengths, more, hidden } => {
                self.create_array(element, lengths, *more, *hidden, span)
            }
            ExprKind::Unary(op, a) => self.unary(op, a, span),
            ExprKind::Binary("&&" | "||", ..) | ExprKind::Choice(..) => self.chosen(e),
            ExprKind::Binary(op, a, b) => {
                let left = self.value_before(a, &[b]);
                let right = self.value(b);
                self.binary(op, left, right, span)
            }
            ExprKind::Assign(op, place, value) => self.assign(*op, place, value, span, true),
            ExprKind::Step { op, before, place } => self.step(op, *before, place, span, true),
            ExprKind::Cast(ty, inner) => self.cast(ty, inner, span),
            ExprKind::Unsupported(reason) => self.refuse(span, reason),
        }
    }

    /// A value that depends on a condition: `a && b`, `c ? a : b`.
    fn chosen(&mut self, e: &'a Expr) -> Val {
        let span = e.span;
        let (yes, no, after) = (self.out.block(), self.out.block(), self.out.block());
        let ExprKind::Choice(cond, then, els) = &e.kind else {
            let temp = self.temp(Ty::Bool, span);
            self.condition(e, yes, no);
            for (block, value) in [(yes, 1), (no, 0)] {
                self.out.start(block, span);
                let value = IrExpr::Int(value);
                self.out.push(InstrKind::Assign { dst: Reg::Local(temp), value }, span);
                self.out.end(Terminator::Goto(after), span);
            }
            self.out.start(after, span);
            return Val { e: IrExpr::local(temp), ty: Ty::Bool };
        };
        self.condition(cond, yes, no);
        self.out.start(yes, span);
        let first = self.value(then);
        // The type is that of the first that has one.
        let temp = self.temp(first.ty.clone(), span);
        self.store_temp(temp, first.e, then.span);
        self.out.end(Terminator::Goto(after), span);
        self.out.start(no, span);
        let second = self.value(els);
        let ty = match (&first.ty, &second.ty) {
            (Ty::Null | Ty::Unknown, other) => other.clone(),
            (Ty::Int(a), Ty::Int(b)) => Ty::Int(promote(*a, *b)),
            (ty, _) => ty.clone(),
        };
        self.types[temp.0 as usize] = ty.clone();
        self.vars[temp.0 as usize].ty = self.lower.classes.type_id(&ty);
        let second = self.convert(second, &ty, els);
        self.store_temp(temp, second, els.span);
        self.out.start(after, span);
        Val { e: IrExpr::local(temp), ty }
    }

    fn store_temp(&mut self, temp: VarId, value: IrExpr, span: Span) {
        self.out.push(InstrKind::Assign { dst: Reg::Local(temp), value }, span);
    }

    /// Goes to one of two blocks.
    pub(super) fn condition(&mut self, e: &'a Expr, yes: BlockId, no: BlockId) {
        match &e.kind {
            ExprKind::Binary("&&", a, b) => {
                let next = self.out.block();
                self.condition(a, next, no);
                self.out.start(next, b.span);
                self.condition(b, yes, no);
            }
            ExprKind::Binary("||", a, b) => {
                let next = self.out.block();
                self.condition(a, yes, next);
                self.out.start(next, b.span);
                self.condition(b, yes, no);
            }
            ExprKind::Unary("!", a) => self.condition(a, no, yes),
            _ => {
                let cond = self.converted(e, &Ty::Bool);
                self.out.end(Terminator::Branch { cond, then: yes, els: no }, e.span);
            }
        }
    }

    fn cast(&mut self, ty: &crate::ast::TypeName, inner: &'a Expr, span: Span) -> Val {
        let to = self.lower.resolve_type(ty);
        let value = self.value(inner);
        match (&value.ty, &to) {
            (Ty::Unknown, _) | (_, Ty::Unknown) => Val { e: value.e, ty: to },
            (Ty::Int(_), Ty::Int(_)) => Val { e: self.narrowed(value, &to), ty: to },
            (Ty::Object, Ty::Class(class)) => {
                let class = *class;
                let kept = self.keep(value, inner.span);
                self.class_cast(kept.e.clone(), class, span);
                Val { e: kept.e, ty: to }
            }
            (from, to_ty) if self.lower.classes.assignable(from, to_ty) => {
                Val { e: value.e, ty: to }
            }
            (Ty::Object, Ty::Array(_)) => self.refuse(span, "a cast to an array"),
            (from, _) => {
                let (from, to) = (self.lower.classes.name(from), self.lower.classes.name(&to));
                let message = format!("`{from}` is never a `{to}`");
                self.lower.error(Diagnostic::error(span, message));
                self.unknown()
            }
        }
    }

    /// A null check, as a call does one.
    pub(super) fn not_null(&mut self, e: &IrExpr, span: Span) {
        let null = Box::new(IrExpr::Null);
        let cond = IrExpr::Cmp(CmpOp::Ne, None, Box::new(e.clone()), null);
        self.check(CheckKind::NullDeref, cond, span);
    }
}
