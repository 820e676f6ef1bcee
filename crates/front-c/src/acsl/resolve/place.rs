//! Places: what can stand left of an assignment or under `&`.

use super::sort::{Ty, pointer_name};
use super::{Resolved, Resolver, Value, with_suggestion};
use crate::acsl::VarRef;
use crate::acsl::ast::{Expr, ExprKind, Ident, UnaryOp};
use trellis_program::ir::{Reg, Storage};
use trellis_program::source::{Diagnostic, Span};
use trellis_program::spec::{Label, Term};
use trellis_program::types::{RecordId, Scalar, Type, TypeId, TypeTable};

/// A place.
pub(super) enum Place {
    /// A variable that has no address.
    Register(VarRef),
    /// Bytes in memory.
    Memory {
        addr: Term,
        ty: TypeId,
        /// Part of a parameter's own object, whose value in `ensures` is that at entry.
        of_param: bool,
    },
}

/// A pointer moved by a constant; zero moves and moves of moves disappear.
fn moved(base: Term, bytes: i64) -> Option<Term> {
    Some(match (base, bytes) {
        (base, 0) => base,
        (Term::Offset(inner, before), _) => match before.checked_add(bytes)? {
            0 => *inner,
            sum => Term::Offset(inner, sum),
        },
        (base, _) => Term::Offset(Box::new(base), bytes),
    })
}

impl Resolver<'_> {
    /// The place that an expression denotes; `None` if it denotes only a value.
    pub(super) fn place(&mut self, e: &Expr) -> Resolved<Option<Place>> {
        self.step(e)?;
        match &e.kind {
            ExprKind::Name(name) => self.variable(name, e.span),
            ExprKind::Unary(UnaryOp::Deref, pointer) => {
                let (addr, ty, of_param) = self.element_pointer(pointer)?;
                self.reject_void(ty, pointer)?;
                Ok(Some(Place::Memory { addr, ty, of_param }))
            }
            ExprKind::Arrow(base, field) => self.arrow(base, field, e).map(Some),
            ExprKind::Member(base, field) => self.member(base, field, e).map(Some),
            ExprKind::Index(base, index) => {
                let (addr, ty, of_param) = self.element_pointer(base)?;
                self.reject_void(ty, base)?;
                let mut index = self.integer(index)?;
                if of_param && self.sees_entry_values() && !matches!(index, Term::Int(_)) {
                    index = Term::At(Label::Here, Box::new(index));
                }
                let addr = self.indexed(addr, ty, index, base)?;
                Ok(Some(Place::Memory { addr, ty, of_param }))
            }
            _ => Ok(None),
        }
    }

    fn variable(&self, name: &str, span: Span) -> Resolved<Option<Place>> {
        if self.bound.iter().any(|(bound, ..)| bound == name) {
            return Ok(None);
        }
        let Some(var) = self.scope.variable(name) else {
            return Ok(None);
        };
        let is_local = matches!(var.reg, Reg::Local(_)) && !var.is_param;
        if is_local && self.label == Label::Pre {
            let message = format!("local variable `{name}` does not exist at entry");
            return Err(Diagnostic::error(span, message)
                .with_help(format!("`\\at({name}, Here)` is its current value")));
        }
        Ok(Some(match var.storage {
            Storage::Register => Place::Register(var),
            Storage::Object => {
                Place::Memory { addr: Term::Addr(var.reg), ty: var.ty, of_param: var.is_param }
            }
        }))
    }

    /// The value in a place; an array is the address of its first element.
    pub(super) fn read(&self, place: Place, at: &Expr) -> Resolved<Value> {
        let (term, ty, of_param) = match place {
            Place::Register(var) => (Term::Reg(var.reg), var.ty, var.is_param),
            Place::Memory { addr, ty, of_param } => {
                if let Type::Array(element, _) = self.scope.types().get(ty) {
                    let ty = Ty::Ptr(*element);
                    return Ok(Value { term: addr, ty });
                }
                let scalar = self.scalar(ty, at)?;
                let addr = Box::new(addr);
                (Term::Load { addr, scalar }, ty, of_param)
            }
        };
        let ty = self.value_type(ty, at)?;
        let term = if of_param && self.sees_entry_values() {
            Term::At(Label::Pre, Box::new(term))
        } else {
            term
        };
        Ok(Value { term, ty })
    }

    fn scalar(&self, ty: TypeId, at: &Expr) -> Resolved<Scalar> {
        match self.scope.types().scalar(ty) {
            Some(scalar) => Ok(scalar),
            None => Err(self.not_a_value(ty, at)),
        }
    }

    /// What a value of a C type denotes.
    pub(super) fn value_type(&self, ty: TypeId, at: &Expr) -> Resolved<Ty> {
        match self.scope.types().get(ty) {
            Type::Int(_) => Ok(Ty::Int),
            Type::Ptr(p) => Ok(Ty::Ptr(*p)),
            _ => Err(self.not_a_value(ty, at)),
        }
    }

    fn not_a_value(&self, ty: TypeId, at: &Expr) -> Diagnostic {
        let types = self.scope.types();
        let error = Diagnostic::error(at.span, "expected an integer or a pointer")
            .with_label(format!("this is a `{}`", types.name(ty)));
        match types.get(ty) {
            Type::Record(_) => error.with_help("name one of its members, or take its address"),
            Type::Float(_) => error.with_help("contracts have no floating-point values"),
            _ => error,
        }
    }

    /// A pointer or array, as the address of its first element and the element type.
    pub(super) fn element_pointer(&mut self, e: &Expr) -> Resolved<(Term, TypeId, bool)> {
        let value = match self.place(e)? {
            Some(Place::Memory { addr, ty, of_param }) => {
                if let Type::Array(element, _) = self.scope.types().get(ty) {
                    return Ok((addr, *element, of_param));
                }
                if self.scope.types().as_record(ty).is_some() {
                    let name = self.scope.types().name(ty);
                    return Err(Diagnostic::error(e.span, "expected a pointer")
                        .with_label(format!("this is a `{name}`"))
                        .with_help("its members are named with `.`"));
                }
                self.read(Place::Memory { addr, ty, of_param }, e)?
            }
            Some(register) => self.read(register, e)?,
            None => self.value(e)?,
        };
        match value.ty {
            Ty::Ptr(pointee) => Ok((value.term, pointee, false)),
            found => Err(self.mismatch(e, "a pointer", found)),
        }
    }

    fn reject_void(&self, pointee: TypeId, pointer: &Expr) -> Resolved<()> {
        if *self.scope.types().get(pointee) != Type::Void {
            return Ok(());
        }
        Err(Diagnostic::error(pointer.span, "a `void *` cannot be dereferenced")
            .with_label("expected a pointer to a known type")
            .with_help("cast it: `(struct node *)p`"))
    }

    /// `base + index` elements.
    pub(super) fn indexed(
        &self,
        base: Term,
        element: TypeId,
        index: Term,
        at: &Expr,
    ) -> Resolved<Term> {
        let types = self.scope.types();
        let Some(size) = types.size_of(element) else {
            let message = format!("the size of `{}` is not known", types.name(element));
            return Err(Diagnostic::error(at.span, message));
        };
        if let Term::Int(n) = index {
            let bytes = n.checked_mul(size.into()).and_then(|b| i64::try_from(b).ok());
            return bytes
                .and_then(|bytes| moved(base, bytes))
                .ok_or_else(|| Diagnostic::error(at.span, "offset too large for 64 bits"));
        }
        Ok(Term::Index { base: Box::new(base), index: Box::new(index), size })
    }

    fn arrow(&mut self, base: &Expr, field: &Ident, whole: &Expr) -> Resolved<Place> {
        let (addr, pointee, of_param) = self.element_pointer(base)?;
        self.reject_void(pointee, base)?;
        let types = self.scope.types();
        let Some(record) = types.as_record(pointee) else {
            let found = pointer_name(types, pointee);
            return Err(Diagnostic::error(base.span, "expected a pointer to a struct")
                .with_label(format!("this is a `{found}`")));
        };
        self.member_of(record, addr, of_param, field, whole)
    }

    fn member(&mut self, base: &Expr, field: &Ident, whole: &Expr) -> Resolved<Place> {
        let found = match self.place(base)? {
            Some(Place::Memory { addr, ty, of_param }) => {
                if let Some(record) = self.scope.types().as_record(ty) {
                    return self.member_of(record, addr, of_param, field, whole);
                }
                self.value_type(ty, base)?
            }
            Some(Place::Register(var)) => self.value_type(var.ty, base)?,
            None => self.value(base)?.ty,
        };
        let error = self.mismatch(base, "a struct before `.`", found);
        Err(match found {
            Ty::Ptr(_) => error.with_help("use `->`"),
            _ => error,
        })
    }

    fn member_of(
        &self,
        record: RecordId,
        base: Term,
        of_param: bool,
        field: &Ident,
        whole: &Expr,
    ) -> Resolved<Place> {
        let (offset, ty) = self.find_field(record, &field.text, field.span)?;
        let addr = moved(base, i64::from(offset))
            .ok_or_else(|| Diagnostic::error(whole.span, "offset too large for 64 bits"))?;
        Ok(Place::Memory { addr, ty, of_param })
    }

    /// A member of a record by name.
    pub(super) fn find_field(
        &self,
        record: RecordId,
        name: &str,
        span: Span,
    ) -> Resolved<(u32, TypeId)> {
        let types = self.scope.types();
        if let Some(found) = types.field(record, name) {
            return Ok(found);
        }
        let owner = types.record(record);
        if !owner.complete {
            let message = format!("`{}` is incomplete here", owner.name);
            return Err(Diagnostic::error(span, message));
        }
        let message = format!("`{}` has no field `{name}`", owner.name);
        let mut names = Vec::new();
        field_names(types, record, &mut names);
        Err(with_suggestion(Diagnostic::error(span, message), name, names))
    }
}

/// The names that [`TypeTable::field`] finds.
fn field_names<'t>(types: &'t TypeTable, record: RecordId, out: &mut Vec<&'t str>) {
    for field in &types.record(record).fields {
        match types.as_record(field.ty) {
            Some(inner) if field.name.is_empty() => field_names(types, inner, out),
            _ => out.push(&field.name),
        }
    }
}
