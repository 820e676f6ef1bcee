//! Terms: integers, pointers, sets.

use super::place::Place;
use super::sort::{Ty, unify};
use super::{Resolved, Resolver, Site, Value, with_suggestion};
use crate::acsl::ast::{Expr, ExprKind, Ident, TypeName, UnaryOp};
use trellis_program::source::{Diagnostic, Span};
use trellis_program::spec::{ArithOp, Label, SetOp, Term};
use trellis_program::types::{Type, TypeId};

impl Resolver<'_> {
    /// The value of an expression; that of a formula is 1 or 0.
    pub(super) fn value(&mut self, e: &Expr) -> Resolved<Value> {
        self.step(e)?;
        if is_formula(e) {
            let formula = Box::new(self.formula(e)?);
            let term = Term::Ite(formula, Box::new(Term::Int(1)), Box::new(Term::Int(0)));
            return Ok(Value { term, ty: Ty::Int });
        }
        match &e.kind {
            ExprKind::Int(n) => Ok(Value { term: Term::Int(*n), ty: Ty::Int }),
            ExprKind::Null => Ok(Value { term: Term::Null, ty: Ty::Null }),
            ExprKind::Result => self.result(e),
            ExprKind::EmptySet => Ok(Value { term: Term::EmptySet, ty: Ty::Set(None) }),
            ExprKind::Set(elements) => self.set_literal(elements),
            ExprKind::Call(name, args) => self.call_term(name, args),
            ExprKind::Unary(UnaryOp::Addr, operand) => self.address(operand),
            ExprKind::Unary(UnaryOp::Neg, operand) => {
                let term = negated(self.integer(operand)?);
                Ok(Value { term, ty: Ty::Int })
            }
            ExprKind::Unary(UnaryOp::Plus, operand) => {
                Ok(Value { term: self.integer(operand)?, ty: Ty::Int })
            }
            ExprKind::Arith(op, a, b) => self.arith(*op, a, b),
            ExprKind::Cond(c, a, b) => self.conditional(c, a, b),
            ExprKind::At(inner, label) => {
                let (label, value) = self.at(label, |r| r.value(inner))?;
                Ok(match label {
                    Some(label) => {
                        Value { term: Term::At(label, Box::new(value.term)), ty: value.ty }
                    }
                    None => value,
                })
            }
            ExprKind::Cast(ty, operand) => self.cast(ty, operand),
            ExprKind::Sizeof(ty) => self.size_of(ty),
            ExprKind::Name(name) => match self.place(e)? {
                Some(place) => self.read(place, e),
                None => self.name(name, e.span),
            },
            _ => match self.place(e)? {
                Some(place) => self.read(place, e),
                None => Err(Diagnostic::error(e.span, "expected a value")),
            },
        }
    }

    /// An integer.
    pub(super) fn integer(&mut self, e: &Expr) -> Resolved<Term> {
        let value = self.value(e)?;
        match value.ty {
            Ty::Int => Ok(value.term),
            found => Err(self.mismatch(e, "an integer", found)),
        }
    }

    /// A pointer, null or the constant 0; its type is [`Ty::Null`] or [`Ty::Ptr`].
    pub(super) fn pointer(&mut self, e: &Expr) -> Resolved<Value> {
        let value = self.value(e)?;
        match value.ty {
            Ty::Null | Ty::Ptr(_) => Ok(value),
            Ty::Int if value.term == Term::Int(0) => Ok(Value { term: Term::Null, ty: Ty::Null }),
            found => Err(self.mismatch(e, "a pointer", found)),
        }
    }

    /// A pointer that may be compared with pointers to `pointee`.
    pub(super) fn pointer_to(&mut self, e: &Expr, pointee: TypeId) -> Resolved<Term> {
        let value = self.pointer(e)?;
        self.fits(e, value, pointee)
    }

    /// The same, of a pointer that is resolved already.
    pub(super) fn fits(&self, e: &Expr, value: Value, pointee: TypeId) -> Resolved<Term> {
        if unify(self.scope.types(), value.ty, Ty::Ptr(pointee)).is_none() {
            let expected = Ty::Ptr(pointee).describe(self.scope.types());
            return Err(self.mismatch(e, &expected, value.ty));
        }
        Ok(value.term)
    }

    /// A set and the type its elements point to.
    pub(super) fn set(&mut self, e: &Expr) -> Resolved<(Term, Option<TypeId>)> {
        let value = self.value(e)?;
        match value.ty {
            Ty::Set(element) => Ok((value.term, element)),
            found => Err(self.mismatch(e, "a set", found)),
        }
    }

    /// Two sets of the same type.
    pub(super) fn two_sets(&mut self, a: &Expr, b: &Expr) -> Resolved<(Term, Term, Ty)> {
        let (left, left_element) = self.set(a)?;
        let (right, right_element) = self.set(b)?;
        let (left_ty, right_ty) = (Ty::Set(left_element), Ty::Set(right_element));
        match unify(self.scope.types(), left_ty, right_ty) {
            Some(ty) => Ok((left, right, ty)),
            None => {
                let expected = left_ty.describe(self.scope.types());
                Err(self.mismatch(b, &expected, right_ty))
            }
        }
    }

    /// A name that is not a C variable.
    fn name(&mut self, name: &str, span: Span) -> Resolved<Value> {
        if let Some((_, id, ty)) = self.bound.iter().rev().find(|(bound, ..)| bound == name) {
            return Ok(Value { term: Term::Bound(*id), ty: *ty });
        }
        if let Some(n) = self.scope.constant(name) {
            return Ok(Value { term: Term::Int(n), ty: Ty::Int });
        }
        if name == "NULL" {
            return Ok(Value { term: Term::Null, ty: Ty::Null });
        }
        let error = Diagnostic::error(span, format!("unknown name `{name}`"));
        if self.scope.typedef(name).is_some() {
            return Err(error.with_label("this is a type"));
        }
        if self.scope.predicates().iter().any(|p| p.name == name)
            || super::call::BUILTINS.iter().any(|b| b.name == name)
        {
            return Err(error.with_label("this is a predicate; it takes arguments"));
        }
        let names = self.scope.names();
        let bound = self.bound.iter().map(|(bound, ..)| bound.as_str());
        let candidates = names.iter().map(String::as_str).chain(bound);
        Err(with_suggestion(error, name, candidates.chain(["NULL"])))
    }

    fn result(&mut self, e: &Expr) -> Resolved<Value> {
        if self.site != Site::Ensures {
            return Err(Diagnostic::error(e.span, "`\\result` stands only in `ensures`"));
        }
        let types = self.scope.types();
        match self.scope.result_type() {
            Some(ty) if *types.get(ty) != Type::Void => {
                Ok(Value { term: Term::Result, ty: self.value_type(ty, e)? })
            }
            _ => Err(Diagnostic::error(e.span, "this function returns nothing")
                .with_label("`\\result` has no value")),
        }
    }

    fn set_literal(&mut self, elements: &[Expr]) -> Resolved<Value> {
        let mut ty = Ty::Null;
        let mut terms = Vec::new();
        for e in elements {
            let value = self.pointer(e)?;
            ty = match unify(self.scope.types(), ty, value.ty) {
                Some(ty) => ty,
                None => {
                    let expected = ty.describe(self.scope.types());
                    return Err(self.mismatch(e, &expected, value.ty));
                }
            };
            terms.push(Term::Singleton(Box::new(value.term)));
        }
        let ty = match ty {
            Ty::Ptr(p) => Ty::Set(Some(p)),
            _ => Ty::Set(None),
        };
        Ok(Value { term: union(terms), ty })
    }

    fn address(&mut self, operand: &Expr) -> Resolved<Value> {
        match self.place(operand)? {
            Some(Place::Memory { addr, ty, .. }) => Ok(Value { term: addr, ty: Ty::Ptr(ty) }),
            Some(Place::Register(_)) => {
                Err(Diagnostic::error(operand.span, "this variable has no address")
                    .with_label("the program never takes it, so it is not in memory"))
            }
            None => {
                // A misspelt name is reported as such.
                self.value(operand)?;
                Err(Diagnostic::error(operand.span, "expected a place after `&`")
                    .with_label("this is a value"))
            }
        }
    }

    fn arith(&mut self, op: ArithOp, a: &Expr, b: &Expr) -> Resolved<Value> {
        let pointers = matches!(op, ArithOp::Add | ArithOp::Sub);
        let left = self.value(a)?;
        if let Ty::Ptr(element) = left.ty
            && pointers
        {
            let right = self.value(b)?;
            return match right.ty {
                Ty::Int if op == ArithOp::Add => self.shift(left, element, right.term, a),
                Ty::Int => self.shift(left, element, negated(right.term), a),
                Ty::Ptr(_) if op == ArithOp::Sub => Err(Diagnostic::error(
                    a.span.to(b.span),
                    "differences of pointers are not supported in contracts",
                )),
                found => Err(self.mismatch(b, "an integer", found)),
            };
        }
        if left.ty != Ty::Int {
            return Err(self.mismatch(a, "an integer", left.ty));
        }
        let right = self.value(b)?;
        match right.ty {
            Ty::Int => Ok(Value {
                term: Term::Arith(op, Box::new(left.term), Box::new(right.term)),
                ty: Ty::Int,
            }),
            Ty::Ptr(element) if op == ArithOp::Add => self.shift(right, element, left.term, b),
            found => Err(self.mismatch(b, "an integer", found)),
        }
    }

    /// Pointer plus integer.
    fn shift(&self, pointer: Value, element: TypeId, by: Term, at: &Expr) -> Resolved<Value> {
        Ok(Value { term: self.indexed(pointer.term, element, by, at)?, ty: pointer.ty })
    }

    fn conditional(&mut self, c: &Expr, a: &Expr, b: &Expr) -> Resolved<Value> {
        let condition = Box::new(self.formula(c)?);
        let (then, els) = (self.value(a)?, self.value(b)?);
        let then = null_beside(then, &els);
        let els = null_beside(els, &then);
        let Some(ty) = unify(self.scope.types(), then.ty, els.ty) else {
            let expected = then.ty.describe(self.scope.types());
            return Err(self.mismatch(b, &expected, els.ty));
        };
        let term = Term::Ite(condition, Box::new(then.term), Box::new(els.term));
        Ok(Value { term, ty })
    }

    fn cast(&mut self, ty: &TypeName, operand: &Expr) -> Resolved<Value> {
        let target = self.c_type(ty)?;
        let Some(pointee) = self.scope.types().pointee(target) else {
            return Err(Diagnostic::error(ty.span, "only casts to pointer types are supported")
                .with_label(format!("this is `{}`", self.scope.types().name(target)))
                .with_help("integers of contracts are mathematical and need no cast"));
        };
        let value = self.pointer(operand)?;
        Ok(Value { term: value.term, ty: Ty::Ptr(pointee) })
    }

    fn size_of(&mut self, ty: &TypeName) -> Resolved<Value> {
        let id = self.c_type(ty)?;
        let types = self.scope.types();
        match types.size_of(id) {
            Some(size) => Ok(Value { term: Term::Int(i128::from(size)), ty: Ty::Int }),
            None => {
                let message = format!("the size of `{}` is not known", types.name(id));
                Err(Diagnostic::error(ty.span, message))
            }
        }
    }

    /// Resolves something in the state that a label names; the label comes back unless that is
    /// the state in hand anyway.
    pub(super) fn at<T>(
        &mut self,
        label: &Ident,
        resolve: impl FnOnce(&mut Self) -> Resolved<T>,
    ) -> Resolved<(Option<Label>, T)> {
        let target = match label.text.as_str() {
            "Pre" | "Old" => Label::Pre,
            "Here" | "Post" => Label::Here,
            other => {
                return Err(Diagnostic::error(label.span, format!("unknown label `{other}`"))
                    .with_help("the labels are `Pre` (or `Old`) and `Here` (or `Post`)"));
            }
        };
        if target == Label::Pre {
            self.allow_entry_state(label.span)?;
        }
        let outer = std::mem::replace(&mut self.label, target);
        let inner = resolve(self);
        self.label = outer;
        Ok(((outer != target).then_some(target), inner?))
    }

    /// The entry state can be spoken of where it is not the current one.
    fn allow_entry_state(&self, span: Span) -> Resolved<()> {
        let clause = match self.site {
            Site::Ensures | Site::Statement => return Ok(()),
            Site::Requires => "requires",
            Site::Assumes => "assumes",
            Site::Assigns => "assigns",
            Site::Predicate => {
                let error = Diagnostic::error(span, "a predicate is about one state");
                return Err(error.with_help("write `\\old(…)` around its uses instead"));
            }
        };
        let message = format!("the entry state cannot be named in `{clause}`");
        Err(Diagnostic::error(span, message)
            .with_label(format!("`{clause}` is about the state at entry already")))
    }
}

/// The constant 0 beside a pointer is null.
pub(super) fn null_beside(value: Value, other: &Value) -> Value {
    if other.ty.is_pointer() && value.term == Term::Int(0) {
        return Value { term: Term::Null, ty: Ty::Null };
    }
    value
}

/// The opposite of an integer; that of a constant is a constant.
fn negated(term: Term) -> Term {
    match term {
        Term::Int(n) => Term::Int(-n),
        other => Term::Neg(Box::new(other)),
    }
}

/// The union of sets, as a balanced tree.
fn union(mut sets: Vec<Term>) -> Term {
    if sets.len() < 2 {
        return sets.pop().unwrap_or(Term::EmptySet);
    }
    let right = sets.split_off(sets.len() / 2);
    Term::SetOp(SetOp::Union, Box::new(union(sets)), Box::new(union(right)))
}

/// Whether an expression can only be a formula.
pub(super) fn is_formula(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Truth(_)
        | ExprKind::Unary(UnaryOp::Not, _)
        | ExprKind::Compare(..)
        | ExprKind::In(..)
        | ExprKind::And(_)
        | ExprKind::Or(_)
        | ExprKind::Implies(..)
        | ExprKind::Iff(..)
        | ExprKind::Quantifier { .. } => true,
        ExprKind::Call(name, _) => !super::call::is_term(&name.text),
        ExprKind::At(inner, _) => is_formula(inner),
        ExprKind::Cond(_, a, b) => is_formula(a) || is_formula(b),
        _ => false,
    }
}
