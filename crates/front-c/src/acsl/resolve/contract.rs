//! Function contracts.

use super::place::Place;
use super::{Resolved, Resolver, Site};
use crate::acsl::Scope;
use crate::acsl::ast::{self, Annotation, Behavior, PlaceItem, Places, PlacesKind};
use trellis_program::ir::Reg;
use trellis_program::source::Diagnostic;
use trellis_program::spec::{Assigns, AssignsItem, Contract, Formula, Label, Promise, Term};

/// Resolves the clauses of a function contract; returns all errors, not only the first.
///
/// Predicates that are declared in the same annotation are passed over; they are for
/// [`super::resolve_predicate`].
pub fn resolve_contract(
    annotations: &[Annotation],
    scope: &mut dyn Scope,
) -> Result<Contract, Vec<Diagnostic>> {
    let mut builder =
        Builder { scope, contract: Contract::default(), assigns: None, errors: Vec::new() };
    for annotation in annotations {
        builder.add(annotation);
    }
    if !builder.errors.is_empty() {
        return Err(builder.errors);
    }
    Ok(Contract { assigns: builder.assigns.unwrap_or(Assigns::Everything), ..builder.contract })
}

struct Builder<'s> {
    scope: &'s mut dyn Scope,
    contract: Contract,
    /// The `assigns` clauses so far; `None` if there was none.
    assigns: Option<Assigns>,
    errors: Vec<Diagnostic>,
}

impl Builder<'_> {
    fn add(&mut self, annotation: &Annotation) {
        match annotation {
            Annotation::Requires(f) => self.requires(f, &[]),
            Annotation::Ensures(f) => self.ensures(f, &[]),
            Annotation::Assigns(places) => self.assigns(places),
            Annotation::Behavior(b) => self.behavior(b),
            Annotation::Predicate(_) => {}
            Annotation::LoopInvariant(_)
            | Annotation::LoopAssigns(_)
            | Annotation::LoopVariant(_)
            | Annotation::Assert(_)
            | Annotation::Ghost(_) => {
                let message = format!("`{}` is no part of a contract", annotation.keyword());
                let error = Diagnostic::error(annotation.span(), message);
                self.errors.push(error.with_help("write it inside the function"));
            }
        }
    }

    /// `assumes ==> formula` at entry.
    fn requires(&mut self, formula: &ast::Formula, assumes: &[ast::Formula]) {
        let mut resolver = Resolver::new(self.scope, Site::Requires);
        let resolved = resolver.assumptions(assumes).and_then(|guard| {
            resolver.site = Site::Requires;
            Ok(guarded(guard, resolver.formula(formula)?))
        });
        match resolved {
            Ok(resolved) => {
                self.contract.requires.push(Promise { formula: resolved, span: formula.span })
            }
            Err(e) => self.errors.push(e),
        }
    }

    /// `\old(assumes) ==> formula` at return.
    fn ensures(&mut self, formula: &ast::Formula, assumes: &[ast::Formula]) {
        let mut resolver = Resolver::new(self.scope, Site::Ensures);
        let resolved = resolver.assumptions(assumes).and_then(|guard| {
            resolver.site = Site::Ensures;
            let guard = guard.map(|g| Formula::At(Label::Pre, Box::new(g)));
            Ok(guarded(guard, resolver.formula(formula)?))
        });
        match resolved {
            Ok(resolved) => {
                self.contract.ensures.push(Promise { formula: resolved, span: formula.span })
            }
            Err(e) => self.errors.push(e),
        }
    }

    fn behavior(&mut self, behavior: &Behavior) {
        let mut assumes = behavior.assumes.as_slice();
        for assumption in &behavior.assumes {
            let mut resolver = Resolver::new(self.scope, Site::Assumes);
            if let Err(e) = resolver.formula(assumption) {
                self.errors.push(e);
                // Reported once; the other clauses are still looked at.
                assumes = &[];
            }
        }
        for formula in &behavior.requires {
            self.requires(formula, assumes);
        }
        for formula in &behavior.ensures {
            self.ensures(formula, assumes);
        }
    }

    fn assigns(&mut self, places: &Places) {
        let mut items = match self.assigns.take() {
            None => Vec::new(),
            Some(Assigns::Places(items, _)) => items,
            Some(Assigns::Everything) => {
                self.assigns = Some(Assigns::Everything);
                return;
            }
        };
        match &places.kind {
            PlacesKind::Everything => {
                self.assigns = Some(Assigns::Everything);
                return;
            }
            PlacesKind::Nothing => {}
            PlacesKind::List(list) => {
                for item in list {
                    match Resolver::new(self.scope, Site::Assigns).assigned(item) {
                        Ok(item) => items.push(item),
                        Err(e) => self.errors.push(e),
                    }
                }
            }
        }
        self.assigns = Some(Assigns::Places(items, places.span));
    }
}

fn guarded(guard: Option<Formula>, formula: Formula) -> Formula {
    match guard {
        Some(guard) => Formula::Implies(Box::new(guard), Box::new(formula)),
        None => formula,
    }
}

impl Resolver<'_> {
    /// The conjunction of the `assumes` of a behavior, in the state at entry; `None` for none.
    fn assumptions(&mut self, assumes: &[ast::Formula]) -> Resolved<Option<Formula>> {
        self.site = Site::Assumes;
        let mut formulas = Vec::new();
        for f in assumes {
            formulas.push(self.formula(f)?);
        }
        if formulas.len() > 1 {
            return Ok(Some(Formula::And(formulas)));
        }
        Ok(formulas.pop())
    }

    fn assigned(&mut self, item: &PlaceItem) -> Resolved<AssignsItem> {
        let binders = self.binders(&item.binders)?;
        let filter = match &item.filter {
            Some(f) => Some(self.formula(f)?),
            None => None,
        };
        let at = item.place.span;
        let Some(place) = self.place(&item.place)? else {
            // A misspelt name is reported as such.
            self.value(&item.place)?;
            return Err(Diagnostic::error(at, "expected a place that can be assigned")
                .with_label("this is a value")
                .with_help("a place is a global variable, `*p`, `p->f` or `a[i]`"));
        };
        let (addr, ty, global) = match place {
            Place::Memory { addr, ty, of_param: false } => (addr, ty, None),
            Place::Register(var) if matches!(var.reg, Reg::Global(_)) => {
                (Term::Null, var.ty, Some(var.reg))
            }
            _ => {
                return Err(Diagnostic::error(at, "a parameter needs no `assigns`")
                    .with_label("no caller sees this change")
                    .with_help("name what it points to"));
            }
        };
        let types = self.scope.types();
        let Some(bytes) = types.size_of(ty) else {
            let message = format!("the size of `{}` is not known", types.name(ty));
            return Err(Diagnostic::error(at, message));
        };
        Ok(AssignsItem { binders, filter, addr, bytes, global, span: item.span })
    }
}
