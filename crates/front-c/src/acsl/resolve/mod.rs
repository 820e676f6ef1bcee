//! From names as written to the variables, fields, types and predicates they mean.

use super::Scope;
use super::ast::{self, Annotation, PredicateDecl};
use trellis_program::source::Diagnostic;
use trellis_program::spec::{Contract, Formula, Predicate};

/// Resolves the clauses of a function contract; returns all errors, not only the first.
pub fn resolve_contract(
    _annotations: &[Annotation],
    _scope: &mut dyn Scope,
) -> Result<Contract, Vec<Diagnostic>> {
    Ok(Contract::default())
}

/// Resolves the formula of an `assert` or a `loop invariant`.
pub fn resolve_formula(
    formula: &ast::Formula,
    _scope: &mut dyn Scope,
) -> Result<Formula, Diagnostic> {
    Err(Diagnostic::unsupported(
        formula.span,
        "contracts are being built",
    ))
}

/// Resolves a predicate declaration.
pub fn resolve_predicate(
    decl: &PredicateDecl,
    _scope: &mut dyn Scope,
) -> Result<Predicate, Diagnostic> {
    Err(Diagnostic::unsupported(
        decl.name.span,
        "contracts are being built",
    ))
}
