//! Fields as arguments: `next`, `link.next`, `next[0]`.

use super::sort::Ty;
use super::{Resolved, Resolver, Value};
use crate::acsl::ast::{Expr, ExprKind};
use trellis_program::source::Diagnostic;
use trellis_program::spec::FieldRef;
use trellis_program::types::{Scalar, Type, TypeId};

/// A path into an object, as far as it has been followed.
struct Path {
    offset: u32,
    ty: TypeId,
    name: String,
}

impl Resolver<'_> {
    /// The type in which fields are looked up: what the first argument that is not null points to.
    pub(super) fn owner(&self, args: &[(&Expr, &Value)]) -> Resolved<TypeId> {
        let typed = args.iter().find(|(_, v)| v.ty != Ty::Null);
        let Some((e, value)) = typed else {
            let (first, _) = args[0];
            return Err(Diagnostic::error(first.span, "the type of `NULL` is not known here")
                .with_label("expected a pointer to a struct")
                .with_help("cast it: `(struct node *)NULL`"));
        };
        let types = self.scope.types();
        match value.ty {
            Ty::Ptr(p) if types.as_record(p).is_some() => Ok(p),
            found => Err(self.mismatch(e, "a pointer to a struct", found)),
        }
    }

    /// A pointer field that can be followed again and again: it points to its owner's type.
    pub(super) fn link(&self, e: &Expr, owner: TypeId) -> Resolved<FieldRef> {
        let field = self.field(e, owner)?;
        let types = self.scope.types();
        let Scalar::Ptr(target) = field.scalar else {
            return Err(Diagnostic::error(e.span, "expected a pointer field")
                .with_label(format!("this is {}", describe(field.scalar))));
        };
        if target != owner && *types.get(target) != Type::Void {
            let (owner, target) = (types.name(owner), types.name(target));
            let message = format!("`{}` leads from `{owner}` to `{target}`", field.name);
            let error = Diagnostic::error(e.span, message)
                .with_label(format!("expected a field that leads to `{owner}` again"));
            return Err(match field.name.rsplit_once('.') {
                Some((path, last)) => {
                    error.with_help(format!("follow `{last}` from the address of `{path}` instead"))
                }
                None => error,
            });
        }
        Ok(field)
    }

    /// An integer field.
    pub(super) fn key(&self, e: &Expr, owner: TypeId) -> Resolved<FieldRef> {
        let field = self.field(e, owner)?;
        match field.scalar {
            Scalar::Int(_) => Ok(field),
            other => Err(Diagnostic::error(e.span, "expected an integer field")
                .with_label(format!("this is {}", describe(other)))),
        }
    }

    fn field(&self, e: &Expr, owner: TypeId) -> Resolved<FieldRef> {
        let path = self.path(e, owner)?;
        let types = self.scope.types();
        let Some(scalar) = types.scalar(path.ty) else {
            return Err(Diagnostic::error(e.span, "expected a scalar field")
                .with_label(format!("this is a `{}`", types.name(path.ty))));
        };
        Ok(FieldRef { owner, offset: path.offset, scalar, name: path.name })
    }

    fn path(&self, e: &Expr, owner: TypeId) -> Resolved<Path> {
        let types = self.scope.types();
        let too_far = || Diagnostic::error(e.span, "offset too large");
        let (base, field, span) = match &e.kind {
            ExprKind::Name(name) => {
                (Path { offset: 0, ty: owner, name: String::new() }, name, e.span)
            }
            ExprKind::Member(base, field) => (self.path(base, owner)?, &field.text, field.span),
            ExprKind::Index(base, index) => {
                let base_path = self.path(base, owner)?;
                let (Type::Array(element, len), ExprKind::Int(i)) =
                    (types.get(base_path.ty), &index.kind)
                else {
                    return Err(not_a_field(e));
                };
                let i = u32::try_from(*i).ok().filter(|i| u64::from(*i) < *len);
                let Some(i) = i else {
                    return Err(Diagnostic::error(index.span, "index out of bounds")
                        .with_label(format!("`{}` has {len} elements", base_path.name)));
                };
                let size = types.size_of(*element).unwrap_or(0);
                let moved = size.checked_mul(i).ok_or_else(too_far)?;
                return Ok(Path {
                    offset: base_path.offset.checked_add(moved).ok_or_else(too_far)?,
                    ty: *element,
                    name: format!("{}[{i}]", base_path.name),
                });
            }
            _ => return Err(not_a_field(e)),
        };
        let Some(record) = types.as_record(base.ty) else {
            let found = types.name(base.ty);
            return Err(Diagnostic::error(span, "expected a struct before `.`")
                .with_label(format!("`{}` is a `{found}`", base.name)));
        };
        let (offset, ty) = self.find_field(record, field, span)?;
        let dot = if base.name.is_empty() { "" } else { "." };
        Ok(Path {
            offset: base.offset.checked_add(offset).ok_or_else(too_far)?,
            ty,
            name: format!("{}{dot}{field}", base.name),
        })
    }
}

fn not_a_field(e: &Expr) -> Diagnostic {
    Diagnostic::error(e.span, "expected a field such as `next`, `link.next` or `next[0]`")
}

fn describe(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Int(_) => "an integer",
        Scalar::Ptr(_) => "a pointer",
        Scalar::Float(_) => "a floating-point number",
        Scalar::Bits(_) => "a bit-field",
    }
}
