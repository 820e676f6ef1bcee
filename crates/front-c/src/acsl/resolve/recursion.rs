//! Which recursive definitions mean something: those that have a least solution.
//!
//! **Invariant:** a predicate that is let through uses itself only where a larger relation makes its
//! definition true of more, so the relations that fit have a least one.

use trellis_program::source::Diagnostic;
use trellis_program::spec::{Binder, Formula, PredId, Sort};

use super::Resolved;
use crate::acsl::ast::Ident;

/// Refuses a recursive definition without a least solution, and one over sets.
pub(super) fn check(
    name: &Ident,
    params: &[Binder],
    body: Option<&Formula>,
    itself: PredId,
) -> Resolved<()> {
    let error = |message: String| Err(Diagnostic::error(name.span, message));
    if params.iter().any(|p| matches!(p.sort, Sort::Set(_))) {
        return error(format!("recursive predicate `{}` cannot take a set", name.text));
    }
    if body.is_none_or(|body| is_monotone(body, itself)) {
        return Ok(());
    }
    let message = format!("predicate `{}` uses itself under a negation", name.text);
    Err(Diagnostic::error(name.span, message)
        .with_label("such a definition may have no solution")
        .with_help("use it on the right of `==>`, and under no `!` or `<==>`"))
}

/// Whether a formula uses a predicate only where more of it makes the formula true of more.
fn is_monotone(formula: &Formula, itself: PredId) -> bool {
    let of = |f: &Formula| is_monotone(f, itself);
    match formula {
        Formula::And(fs) | Formula::Or(fs) => fs.iter().all(of),
        Formula::Forall(_, f) | Formula::Exists(_, f) | Formula::At(_, f) => of(f),
        Formula::Implies(a, b) => !mentions(a, itself) && of(b),
        // Its arguments are terms.
        Formula::Pred(id, args) if *id == itself => {
            let mut inside = false;
            for arg in args {
                arg.visit(&mut |f| inside |= is_use(f, itself), &mut |_| {});
            }
            !inside
        }
        other => !mentions(other, itself),
    }
}

fn mentions(formula: &Formula, itself: PredId) -> bool {
    let mut found = false;
    formula.visit(&mut |f| found |= is_use(f, itself), &mut |_| {});
    found
}

fn is_use(formula: &Formula, itself: PredId) -> bool {
    matches!(formula, Formula::Pred(id, _) if *id == itself)
}
