//! From names as written to the variables, fields, types and predicates they mean.
//!
//! A [`Resolver`] works on one clause. What a name or `\old` may mean depends on the kind of clause,
//! its [`Site`], and on the state that the surrounding `\at` speaks of.
//!
//! **Invariant:** bound variables are numbered from 0 within a clause and never twice, even where
//! an operand is needed twice (`a <= b <= c`): it is resolved twice.

mod call;
mod contract;
mod dll;
mod field;
mod formula;
mod place;
mod recursion;
mod sort;
mod term;

pub use contract::resolve_contract;

use super::ast::{self, Ident, PredicateDecl};
use super::{Scope, ast::Expr};
use sort::Ty;
use trellis_program::source::{Diagnostic, suggest};
use trellis_program::spec::{Binder, BoundId, Formula, Label, PredId, Predicate, Term};

type Resolved<T> = Result<T, Diagnostic>;

/// Steps after which a clause is too large; only hostile ones come near.
const MAX_STEPS: u32 = 100_000;

/// The kind of clause that is being resolved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Site {
    Requires,
    Ensures,
    Assumes,
    Assigns,
    Predicate,
    /// `assert`, `loop invariant`.
    Statement,
}

/// A term and what it denotes.
struct Value {
    term: Term,
    ty: Ty,
}

/// Resolves one clause.
struct Resolver<'s> {
    scope: &'s mut dyn Scope,
    site: Site,
    /// The state that the expression in hand is about.
    label: Label,
    /// Bound variables in scope, innermost last.
    bound: Vec<(String, BoundId, Ty)>,
    next_bound: u32,
    steps: u32,
    /// The predicate whose body this is, and its parameters.
    defining: Option<(String, Vec<Binder>)>,
    /// Whether the body uses the predicate itself.
    is_recursive: bool,
}

impl<'s> Resolver<'s> {
    fn new(scope: &'s mut dyn Scope, site: Site) -> Resolver<'s> {
        Resolver {
            scope,
            site,
            label: Label::Here,
            bound: Vec::new(),
            next_bound: 0,
            steps: 0,
            defining: None,
            is_recursive: false,
        }
    }

    /// Whether a parameter has to be taken back to the state at entry.
    fn sees_entry_values(&self) -> bool {
        self.site == Site::Ensures && self.label == Label::Here
    }

    /// Counts one step of work.
    fn step(&mut self, at: &Expr) -> Resolved<()> {
        self.steps += 1;
        if self.steps > MAX_STEPS {
            return Err(Diagnostic::error(at.span, "formula too large"));
        }
        Ok(())
    }

    /// The number of a new bound variable.
    fn fresh_bound(&mut self) -> BoundId {
        self.next_bound += 1;
        BoundId(self.next_bound - 1)
    }

    /// Gives a bound variable its number and brings it into scope.
    fn bind(&mut self, name: &Ident, ty: Ty) -> Binder {
        let id = self.fresh_bound();
        self.bound.push((name.text.clone(), id, ty));
        Binder { id, name: name.text.clone(), sort: ty.sort(self.scope.types_mut()) }
    }
}

/// Resolves the formula of an `assert` or a `loop invariant`.
pub fn resolve_formula(
    formula: &ast::Formula,
    scope: &mut dyn Scope,
) -> Result<Formula, Diagnostic> {
    Resolver::new(scope, Site::Statement).formula(formula)
}

/// Resolves a predicate declaration; its index among [`Scope::predicates`] is for the caller to
/// give.
pub fn resolve_predicate(
    decl: &PredicateDecl,
    scope: &mut dyn Scope,
) -> Result<Predicate, Diagnostic> {
    let name = &decl.name;
    if call::BUILTINS.iter().any(|b| b.name == name.text && !call::gives_way(b.name)) {
        let message = format!("`{}` is a predicate of the language", name.text);
        return Err(Diagnostic::error(name.span, message).with_help("choose another name"));
    }
    if scope.predicates().iter().any(|p| p.name == name.text) {
        let message = format!("predicate `{}` is declared twice", name.text);
        return Err(Diagnostic::error(name.span, message));
    }
    let mut resolver = Resolver::new(scope, Site::Predicate);
    let params = resolver.parameters(decl)?;
    resolver.defining = Some((name.text.clone(), params.clone()));
    let body = match &decl.body {
        Some(body) => Some(resolver.formula(body)?),
        None => None,
    };
    let is_recursive = resolver.is_recursive;
    let itself = PredId(scope.predicates().len() as u32);
    if is_recursive {
        recursion::check(name, &params, body.as_ref(), itself)?;
    }
    Ok(Predicate { name: name.text.clone(), params, body, is_recursive, span: name.span })
}

/// Adds "did you mean …?" if a candidate is near.
fn with_suggestion<'a>(
    error: Diagnostic,
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Diagnostic {
    // Every short name is near a name of one letter.
    match suggest(name, candidates).filter(|_| name.len() > 1) {
        Some(near) => error.with_help(format!("did you mean `{near}`?")),
        None => error,
    }
}
