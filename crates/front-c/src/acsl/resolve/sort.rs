//! Types: of values, of bound variables, as written.

use super::{Resolved, Resolver, with_suggestion};
use crate::acsl::ast::{BaseType, BinderDecl, Expr, PredicateDecl, TagKind, TypeName};
use trellis_program::source::{Diagnostic, Span};
use trellis_program::spec::{Binder, Sort};
use trellis_program::types::{Type, TypeId, TypeTable};

/// What a term denotes, before null and the empty set have found their type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ty {
    Int,
    /// The null literal.
    Null,
    /// A pointer to the given type.
    Ptr(TypeId),
    /// A set of pointers to the given type; `None` for the empty set.
    Set(Option<TypeId>),
}

impl Ty {
    /// The sort of a bound variable of this type.
    pub(super) fn sort(self, types: &mut TypeTable) -> Sort {
        match self {
            Ty::Int => Sort::Int,
            Ty::Ptr(p) => Sort::Ptr(p),
            Ty::Set(Some(p)) => Sort::Set(p),
            Ty::Null => Sort::Ptr(types.intern(Type::Void)),
            Ty::Set(None) => Sort::Set(types.intern(Type::Void)),
        }
    }

    pub(super) fn is_pointer(self) -> bool {
        matches!(self, Ty::Null | Ty::Ptr(_))
    }

    /// For messages: "an integer", "a `struct node *`".
    pub(super) fn describe(self, types: &TypeTable) -> String {
        match self {
            Ty::Int => "an integer".into(),
            Ty::Null => "`NULL`".into(),
            Ty::Ptr(p) => format!("a `{}`", pointer_name(types, p)),
            Ty::Set(Some(p)) => format!("a set of `{}`", pointer_name(types, p)),
            Ty::Set(None) => "the empty set".into(),
        }
    }
}

/// A pointer type as C writes it.
pub(super) fn pointer_name(types: &TypeTable, pointee: TypeId) -> String {
    let name = types.name(pointee);
    let space = if name.ends_with('*') { "" } else { " " };
    format!("{name}{space}*")
}

/// The common type of two pointees: equal ones, or one of them `void`.
fn common_pointee(types: &TypeTable, a: TypeId, b: TypeId) -> Option<TypeId> {
    if a == b || *types.get(b) == Type::Void {
        Some(a)
    } else if *types.get(a) == Type::Void {
        Some(b)
    } else {
        None
    }
}

/// The type of both, if they go together.
pub(super) fn unify(types: &TypeTable, a: Ty, b: Ty) -> Option<Ty> {
    match (a, b) {
        (Ty::Int, Ty::Int) => Some(Ty::Int),
        (Ty::Null, p @ (Ty::Null | Ty::Ptr(_))) | (p @ Ty::Ptr(_), Ty::Null) => Some(p),
        (Ty::Ptr(a), Ty::Ptr(b)) => common_pointee(types, a, b).map(Ty::Ptr),
        (Ty::Set(None), s @ Ty::Set(_)) | (s @ Ty::Set(_), Ty::Set(None)) => Some(s),
        (Ty::Set(Some(a)), Ty::Set(Some(b))) => {
            common_pointee(types, a, b).map(|p| Ty::Set(Some(p)))
        }
        _ => None,
    }
}

/// A type as written, after its names are resolved.
enum Written {
    Integer,
    C(TypeId),
    SetOf(TypeId),
}

impl Resolver<'_> {
    /// Binds the variables of a quantifier or comprehension.
    pub(super) fn binders(&mut self, decls: &[BinderDecl]) -> Resolved<Vec<Binder>> {
        self.declare(decls, |resolver, decl| resolver.quantified_type(decl))
    }

    /// Binds the parameters of a predicate.
    pub(super) fn parameters(&mut self, decl: &PredicateDecl) -> Resolved<Vec<Binder>> {
        let defined = decl.body.is_some();
        self.declare(&decl.params, |resolver, param| {
            let ty = resolver.parameter_type(param)?;
            if matches!(ty, Ty::Set(_)) && !defined {
                let message = "an uninterpreted predicate cannot take a set";
                return Err(Diagnostic::error(param.ty.span, message)
                    .with_label("expected an integer or a pointer")
                    .with_help("give the predicate a definition"));
            }
            Ok(ty)
        })
    }

    fn declare(
        &mut self,
        decls: &[BinderDecl],
        mut type_of: impl FnMut(&mut Self, &BinderDecl) -> Resolved<Ty>,
    ) -> Resolved<Vec<Binder>> {
        let mut binders: Vec<Binder> = Vec::new();
        for decl in decls {
            if binders.iter().any(|b| b.name == decl.name.text) {
                let message = format!("variable `{}` is declared twice", decl.name.text);
                return Err(Diagnostic::error(decl.name.span, message));
            }
            let ty = type_of(self, decl)?;
            binders.push(self.bind(&decl.name, ty));
        }
        Ok(binders)
    }

    fn quantified_type(&mut self, decl: &BinderDecl) -> Resolved<Ty> {
        let not_ranged = |found: String| {
            Diagnostic::error(decl.ty.span, format!("cannot quantify over {found}"))
                .with_label("expected an integer type or a pointer to a complete type")
        };
        let ty = self.parameter_type(decl)?;
        let types = self.scope.types();
        match ty {
            Ty::Ptr(p) if *types.get(p) == Type::Void => {
                Err(not_ranged("`void *`".into()).with_help("name the type it points to"))
            }
            Ty::Ptr(p) if types.size_of(p).is_none() => {
                Err(not_ranged(format!("pointers to the incomplete type `{}`", types.name(p))))
            }
            Ty::Set(_) => Err(not_ranged("sets".into())),
            _ => Ok(ty),
        }
    }

    fn parameter_type(&mut self, decl: &BinderDecl) -> Resolved<Ty> {
        let id = match self.written(&decl.ty)? {
            Written::Integer => return Ok(Ty::Int),
            Written::SetOf(p) => return Ok(Ty::Set(Some(p))),
            Written::C(id) => id,
        };
        let types = self.scope.types();
        match types.get(id) {
            Type::Int(_) => Ok(Ty::Int),
            Type::Ptr(p) => Ok(Ty::Ptr(*p)),
            _ => {
                let message = format!("a variable of a contract cannot be a `{}`", types.name(id));
                Err(Diagnostic::error(decl.ty.span, message)
                    .with_label("expected an integer or pointer type"))
            }
        }
    }

    /// A C type as written.
    pub(super) fn c_type(&mut self, ty: &TypeName) -> Resolved<TypeId> {
        match self.written(ty)? {
            Written::C(id) => Ok(id),
            Written::Integer | Written::SetOf(_) => {
                Err(Diagnostic::error(ty.span, "expected a C type"))
            }
        }
    }

    fn written(&mut self, ty: &TypeName) -> Resolved<Written> {
        let mut id = match &ty.base {
            BaseType::Integer | BaseType::Set(_) if ty.pointers > 0 => {
                return Err(Diagnostic::error(ty.span, "expected a C type before `*`"));
            }
            BaseType::Integer => return Ok(Written::Integer),
            BaseType::Set(element) => {
                let id = self.c_type(element)?;
                return match self.scope.types().pointee(id) {
                    Some(p) => Ok(Written::SetOf(p)),
                    None => Err(Diagnostic::error(element.span, "sets hold only pointers")
                        .with_label("expected a pointer type")),
                };
            }
            BaseType::Void => self.scope.types_mut().intern(Type::Void),
            BaseType::Int(kind) => self.scope.types_mut().intern(Type::Int(*kind)),
            BaseType::Float(bits) => self.scope.types_mut().intern(Type::Float(*bits)),
            BaseType::Named(name) => match self.scope.typedef(&name.text) {
                Some(id) => id,
                None => return Err(self.unknown_type(&name.text, name.span)),
            },
            BaseType::Tagged(kind, tag) => match self.scope.tagged(*kind, &tag.text) {
                Some(id) => id,
                None => return Err(self.unknown_tag(*kind, &tag.text, tag.span)),
            },
        };
        for _ in 0..ty.pointers {
            id = self.scope.types_mut().intern(Type::Ptr(id));
        }
        Ok(Written::C(id))
    }

    fn unknown_type(&self, name: &str, span: Span) -> Diagnostic {
        let error = Diagnostic::error(span, format!("unknown type `{name}`"));
        for kind in [TagKind::Struct, TagKind::Union, TagKind::Enum] {
            if self.scope.tagged(kind, name).is_some() {
                return error.with_help(format!("did you mean `{} {name}`?", kind.keyword()));
            }
        }
        let words = ["int", "char", "long", "short", "unsigned", "integer", "struct"];
        let records = self.scope.types().records().map(|(_, r)| r.name.as_str());
        with_suggestion(error, name, words.into_iter().chain(records))
    }

    fn unknown_tag(&self, kind: TagKind, tag: &str, span: Span) -> Diagnostic {
        let word = kind.keyword();
        let error = Diagnostic::error(span, format!("unknown tag `{word} {tag}`"));
        let prefix = format!("{word} ");
        let tags = self.scope.types().records();
        with_suggestion(error, tag, tags.filter_map(|(_, r)| r.name.strip_prefix(&prefix)))
    }

    /// "expected …, found …" at an expression.
    pub(super) fn mismatch(&self, at: &Expr, expected: &str, found: Ty) -> Diagnostic {
        let found = found.describe(self.scope.types());
        Diagnostic::error(at.span, format!("expected {expected}"))
            .with_label(format!("this is {found}"))
    }
}
