//! Predicates and functions of the language, and those of the user.

use super::sort::{Ty, unify};
use super::{Resolved, Resolver, Value, with_suggestion};
use crate::acsl::ast::{Expr, ExprKind, Ident};
use trellis_program::source::Diagnostic;
use trellis_program::spec::{Derived, FieldRef, Formula, PredId, SetOp, Sort, Term};
use trellis_program::types::TypeId;

/// A predicate or function of the language.
pub(super) struct Builtin {
    /// As written.
    pub(super) name: &'static str,
    /// How it is called.
    form: &'static str,
    /// How many arguments; [`MANY`] for two or more.
    arity: usize,
}

/// Two arguments or more.
const MANY: usize = usize::MAX;

const fn builtin(name: &'static str, arity: usize, form: &'static str) -> Builtin {
    Builtin { name, form, arity }
}

/// All of them.
pub(super) const BUILTINS: [Builtin; 18] = [
    builtin("reach", 3, "reach(f, x, y)"),
    builtin("reach1", 3, "reach1(f, x, y)"),
    builtin("ls", 3, "ls(f, x, y)"),
    builtin("alloc", 1, "alloc(x)"),
    builtin("stable", 2, "stable(f, h)"),
    builtin("rev", 4, "rev(f, b, x, y)"),
    builtin("dll", 4, "dll(f, b, x, y)"),
    builtin("sorted", 4, "sorted(f, key, x, y)"),
    builtin("cyclic", 2, "cyclic(f, x)"),
    builtin("tree", MANY, "tree(f, g, x)"),
    builtin("content", 2, "content(f, h)"),
    builtin("\\in", 2, "\\in(x, s)"),
    builtin("\\subset", 2, "\\subset(s, t)"),
    builtin("\\union", 2, "\\union(s, t)"),
    builtin("\\inter", 2, "\\inter(s, t)"),
    builtin("\\diff", 2, "\\diff(s, t)"),
    builtin("\\valid", 1, "\\valid(p)"),
    builtin("\\separated", MANY, "\\separated(p, q)"),
];

/// Whether a predicate of the user may have that name: programs had their own before there was one.
pub(super) fn gives_way(name: &str) -> bool {
    matches!(name, "dll" | "tree")
}

/// Whether a call of that name is a term; all other calls are formulas.
pub(super) fn is_term(name: &str) -> bool {
    matches!(name, "content" | "\\union" | "\\inter" | "\\diff")
}

impl Resolver<'_> {
    /// A call that denotes a set.
    pub(super) fn call_term(&mut self, name: &Ident, args: &[Expr]) -> Resolved<Value> {
        self.check_arity(name, args)?;
        let op = match (name.text.as_str(), args) {
            ("content", [field, head]) => {
                let value = self.pointer(head)?;
                let owner = self.owner(&[(head, &value)])?;
                let field = self.link(field, owner)?;
                return Ok(Value {
                    term: Term::Content(field, Box::new(value.term)),
                    ty: Ty::Set(Some(owner)),
                });
            }
            ("\\union", _) => SetOp::Union,
            ("\\inter", _) => SetOp::Inter,
            _ => SetOp::Diff,
        };
        let [a, b] = args else {
            return Err(self.unknown_call(name));
        };
        let (a, b, ty) = self.two_sets(a, b)?;
        Ok(Value { term: Term::SetOp(op, Box::new(a), Box::new(b)), ty })
    }

    /// A call that denotes a truth value.
    pub(super) fn call_formula(&mut self, name: &Ident, args: &[Expr]) -> Resolved<Formula> {
        let of_user = self.scope.predicates().iter().any(|p| p.name == name.text)
            || self.defining.as_ref().is_some_and(|d| d.0 == name.text);
        if gives_way(&name.text) && of_user {
            return self.user_predicate(name, args);
        }
        self.check_arity(name, args)?;
        match (name.text.as_str(), args) {
            ("reach" | "reach1", [Expr { kind: ExprKind::Set(fields), .. }, x, y]) => {
                let (from, to) = (self.pointer(x)?, self.pointer(y)?);
                let owner = self.owner(&[(x, &from), (y, &to)])?;
                if name.text == "reach1" {
                    return Err(Diagnostic::error(name.span, "`reach1` follows one field")
                        .with_help("write `reach({f, g}, x, y) && x != y`"));
                }
                if fields.is_empty() {
                    return Err(Diagnostic::error(name.span, "`reach` follows at least one field")
                        .with_help("write `reach({f, g}, x, y)`"));
                }
                let fields = self.links(fields, owner)?;
                let to = self.fits(y, to, owner)?;
                Ok(derived(Derived::ReachOver(fields, from.term, to)))
            }
            ("tree", [fields @ .., x]) => {
                let value = self.pointer(x)?;
                let owner = self.owner(&[(x, &value)])?;
                Ok(derived(Derived::Tree(self.links(fields, owner)?, value.term)))
            }
            ("reach" | "reach1", [field, x, y]) => {
                let (from, to) = (self.pointer(x)?, self.pointer(y)?);
                let owner = self.owner(&[(x, &from), (y, &to)])?;
                Ok(Formula::Reach {
                    field: self.link(field, owner)?,
                    strict: name.text == "reach1",
                    from: from.term,
                    to: self.fits(y, to, owner)?,
                })
            }
            ("ls", [field, x, y]) => {
                let (from, to) = (self.pointer(x)?, self.pointer(y)?);
                let owner = self.owner(&[(x, &from), (y, &to)])?;
                let field = self.link(field, owner)?;
                let to = self.fits(y, to, owner)?;
                Ok(derived(Derived::ListSegment(field, from.term, to)))
            }
            ("rev" | "sorted", [field, second, x, y]) => {
                let (from, to) = (self.pointer(x)?, self.pointer(y)?);
                let owner = self.owner(&[(x, &from), (y, &to)])?;
                let field = self.link(field, owner)?;
                let to = self.fits(y, to, owner)?;
                Ok(derived(if name.text == "rev" {
                    Derived::Reverse(field, self.link(second, owner)?, from.term, to)
                } else {
                    Derived::Sorted(field, self.key(second, owner)?, from.term, to)
                }))
            }
            ("dll", [field, back, x, y]) => {
                let (from, to) = (self.pointer(x)?, self.pointer(y)?);
                let owner = self.owner(&[(x, &from), (y, &to)])?;
                let (field, back) = (self.link(field, owner)?, self.link(back, owner)?);
                let to = self.fits(y, to, owner)?;
                Ok(self.doubly_linked(owner, field, back, from.term, to))
            }
            ("stable" | "cyclic", [field, x]) => {
                let value = self.pointer(x)?;
                let owner = self.owner(&[(x, &value)])?;
                let field = self.link(field, owner)?;
                Ok(derived(if name.text == "stable" {
                    Derived::Stable(field, value.term)
                } else {
                    Derived::Cyclic(field, value.term)
                }))
            }
            ("alloc", [x]) => Ok(Formula::Alloc(self.pointer(x)?.term)),
            ("\\in", [x, set]) => self.membership(x, set),
            ("\\subset", [a, b]) => {
                let (a, b, _) = self.two_sets(a, b)?;
                Ok(Formula::Subset(a, b))
            }
            ("\\valid", [p]) => self.valid(p),
            ("\\separated", _) => {
                let terms = args.iter().map(|p| Ok(self.pointer(p)?.term));
                Ok(Formula::Separated(terms.collect::<Resolved<_>>()?))
            }
            _ => self.user_predicate(name, args),
        }
    }

    /// Different pointer fields that can be followed.
    fn links(&self, fields: &[Expr], owner: TypeId) -> Resolved<Vec<FieldRef>> {
        let mut out: Vec<FieldRef> = Vec::new();
        for e in fields {
            let field = self.link(e, owner)?;
            if out.iter().any(|f| f.offset == field.offset) {
                let message = format!("the field `{}` is listed twice", field.name);
                return Err(Diagnostic::error(e.span, message).with_label("listed before"));
            }
            out.push(field);
        }
        Ok(out)
    }

    fn valid(&mut self, p: &Expr) -> Resolved<Formula> {
        let value = self.pointer(p)?;
        let size = match value.ty {
            Ty::Ptr(pointee) => self.scope.types().size_of(pointee),
            _ => None,
        };
        match size {
            Some(size) => Ok(Formula::Valid(value.term, size)),
            None => Err(self.mismatch(p, "a pointer to a complete type", value.ty)),
        }
    }

    fn user_predicate(&mut self, name: &Ident, args: &[Expr]) -> Resolved<Formula> {
        let predicates = self.scope.predicates();
        let itself = self.defining.as_ref().filter(|d| d.0 == name.text);
        let (index, params) = match (predicates.iter().position(|p| p.name == name.text), itself) {
            (Some(index), _) => (index, predicates[index].params.clone()),
            (None, Some((_, params))) => {
                let params = params.clone();
                self.is_recursive = true;
                (predicates.len(), params)
            }
            (None, None) => return Err(self.unknown_call(name)),
        };
        if params.len() != args.len() {
            let names: Vec<_> = params.iter().map(|p| p.name.as_str()).collect();
            let form = format!("{}({})", name.text, names.join(", "));
            return Err(wrong_count(name, &params.len().to_string(), args.len(), &form));
        }
        let mut terms = Vec::new();
        for (param, arg) in params.iter().zip(args) {
            terms.push(match param.sort {
                Sort::Int => self.integer(arg)?,
                Sort::Ptr(pointee) => self.pointer_to(arg, pointee)?,
                Sort::Set(pointee) => self.set_of(arg, pointee)?,
            });
        }
        Ok(Formula::Pred(PredId(index as u32), terms))
    }

    fn set_of(&mut self, e: &Expr, pointee: TypeId) -> Resolved<Term> {
        let (term, element) = self.set(e)?;
        let (expected, found) = (Ty::Set(Some(pointee)), Ty::Set(element));
        if unify(self.scope.types(), expected, found).is_none() {
            let expected = expected.describe(self.scope.types());
            return Err(self.mismatch(e, &expected, found));
        }
        Ok(term)
    }

    fn check_arity(&self, name: &Ident, args: &[Expr]) -> Resolved<()> {
        let Some(builtin) = BUILTINS.iter().find(|b| b.name == name.text) else {
            return Ok(());
        };
        let expected = match builtin.arity {
            MANY if args.len() >= 2 => return Ok(()),
            n if n == args.len() => return Ok(()),
            MANY => "2 or more".to_string(),
            n => n.to_string(),
        };
        Err(wrong_count(name, &expected, args.len(), builtin.form))
    }

    fn unknown_call(&self, name: &Ident) -> Diagnostic {
        let error = Diagnostic::error(name.span, format!("unknown predicate `{}`", name.text));
        let users = self.scope.predicates().iter().map(|p| p.name.as_str());
        let builtins = BUILTINS.iter().map(|b| b.name);
        with_suggestion(error, &name.text, builtins.chain(users))
    }
}

fn derived(derived: Derived) -> Formula {
    Formula::Derived(Box::new(derived))
}

fn wrong_count(name: &Ident, expected: &str, found: usize, form: &str) -> Diagnostic {
    let plural = if expected == "1" { "" } else { "s" };
    let message = format!("`{}` takes {expected} argument{plural}", name.text);
    Diagnostic::error(name.span, message)
        .with_label(format!("found {found}"))
        .with_help(format!("write `{form}`"))
}
