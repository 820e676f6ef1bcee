//! Formulas that the contract language of the heap program can say.

use trellis_program::spec::{Formula, HolClause, Term};

use super::types::Classes;

/// The same formula in the contract language, if it has a form there.
pub(crate) fn translate(_: &Classes, _: &HolClause, _: &[Term]) -> Option<Formula> {
    None
}
