//! Formulas.

use super::sort::{Ty, unify};
use super::term::{is_formula, null_beside};
use super::{Resolved, Resolver};
use crate::acsl::ast::{Expr, ExprKind, UnaryOp};
use trellis_program::ir::CmpOp;
use trellis_program::source::{Diagnostic, Span};
use trellis_program::spec::{Formula, Term};

impl Resolver<'_> {
    /// The meaning of an expression as a formula: an integer is true if it is not 0, a pointer if
    /// it is not null.
    pub(super) fn formula(&mut self, e: &Expr) -> Resolved<Formula> {
        self.step(e)?;
        match &e.kind {
            ExprKind::Truth(b) => Ok(Formula::Const(*b)),
            ExprKind::Unary(UnaryOp::Not, a) => Ok(Formula::Not(Box::new(self.formula(a)?))),
            ExprKind::And(fs) => Ok(Formula::And(self.formulas(fs)?)),
            ExprKind::Or(fs) => Ok(Formula::Or(self.formulas(fs)?)),
            ExprKind::Implies(a, b) => {
                let a = self.formula(a)?;
                Ok(Formula::Implies(Box::new(a), Box::new(self.formula(b)?)))
            }
            ExprKind::Iff(a, b) => {
                let a = self.formula(a)?;
                Ok(Formula::Iff(Box::new(a), Box::new(self.formula(b)?)))
            }
            ExprKind::Compare(first, rest) => self.comparisons(first, rest),
            ExprKind::In(x, set) => self.membership(x, set),
            ExprKind::Quantifier { forall, binders, body } => {
                let outer = self.bound.len();
                let binders = self.binders(binders)?;
                let body = Box::new(self.formula(body)?);
                self.bound.truncate(outer);
                Ok(if *forall {
                    Formula::Forall(binders, body)
                } else {
                    Formula::Exists(binders, body)
                })
            }
            ExprKind::At(inner, label) => {
                let (label, formula) = self.at(label, |r| r.formula(inner))?;
                Ok(match label {
                    Some(label) => Formula::At(label, Box::new(formula)),
                    None => formula,
                })
            }
            ExprKind::Cond(c, a, b) if is_formula(e) => {
                let then = Formula::Implies(Box::new(self.formula(c)?), Box::new(self.formula(a)?));
                let not = Formula::Not(Box::new(self.formula(c)?));
                let els = Formula::Implies(Box::new(not), Box::new(self.formula(b)?));
                Ok(Formula::And(vec![then, els]))
            }
            ExprKind::Call(name, args) if is_formula(e) => self.call_formula(name, args),
            _ => {
                let value = self.value(e)?;
                let zero = match value.ty {
                    Ty::Int => Term::Int(0),
                    Ty::Null | Ty::Ptr(_) => Term::Null,
                    Ty::Set(_) => return Err(self.mismatch(e, "a formula", value.ty)),
                };
                Ok(Formula::Cmp(CmpOp::Ne, value.term, zero))
            }
        }
    }

    fn formulas(&mut self, es: &[Expr]) -> Resolved<Vec<Formula>> {
        es.iter().map(|e| self.formula(e)).collect()
    }

    fn comparisons(&mut self, first: &Expr, rest: &[(CmpOp, Span, Expr)]) -> Resolved<Formula> {
        let mut left = first;
        let mut parts = Vec::new();
        for (op, span, right) in rest {
            parts.push(self.comparison(*op, *span, left, right)?);
            left = right;
        }
        if parts.len() > 1 {
            return Ok(Formula::And(parts));
        }
        Ok(parts.pop().unwrap_or(Formula::Const(true)))
    }

    fn comparison(&mut self, op: CmpOp, span: Span, a: &Expr, b: &Expr) -> Resolved<Formula> {
        let (left, right) = (self.value(a)?, self.value(b)?);
        let left = null_beside(left, &right);
        let right = null_beside(right, &left);
        let types = self.scope.types();
        let Some(common) = unify(types, left.ty, right.ty) else {
            let (x, y) = (left.ty.describe(types), right.ty.describe(types));
            return Err(Diagnostic::error(a.span.to(b.span), "these cannot be compared")
                .with_label(format!("{x} and {y}")));
        };
        let is_equality = op.is_equality();
        match common {
            Ty::Null | Ty::Ptr(_) if !is_equality => {
                Err(Diagnostic::error(span, "pointers have no order in contracts")
                    .with_label("expected `==` or `!=`"))
            }
            Ty::Set(_) if !is_equality => Err(Diagnostic::error(span, "sets have no order")
                .with_label("expected `==` or `!=`")
                .with_help("inclusion is written `\\subset(a, b)`")),
            _ => Ok(Formula::Cmp(op, left.term, right.term)),
        }
    }

    /// `x \in set`.
    pub(super) fn membership(&mut self, x: &Expr, set: &Expr) -> Resolved<Formula> {
        let element = self.pointer(x)?;
        let (set, element_of) = self.set(set)?;
        if let Some(pointee) = element_of
            && unify(self.scope.types(), element.ty, Ty::Ptr(pointee)).is_none()
        {
            let expected = Ty::Ptr(pointee).describe(self.scope.types());
            return Err(self.mismatch(x, &expected, element.ty));
        }
        Ok(Formula::In(element.term, set))
    }
}
