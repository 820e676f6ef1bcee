//! The user's own predicates.

use trellis_logic::{FormulaId, Subst, TermId, fragment};
use trellis_transys::UserPredicate;

use super::{Maker, Pointer};

impl Maker<'_> {
    /// A predicate of the user for all tuples of pointers that fit, null included.
    pub(super) fn user(&mut self, predicate: &UserPredicate) {
        let mut tuples: Vec<Subst> = vec![Subst::new()];
        for &(var, spot) in &predicate.params {
            let fits = |p: &&Pointer| self.symbols.view.meet(p.spot, spot).is_some();
            let all = self.pointers.iter().chain([&self.null]);
            let values: Vec<TermId> = all.filter(fits).map(|p| p.term).collect();
            let longer = tuples.iter().flat_map(|tuple| {
                values.iter().map(move |&value| {
                    let mut tuple = tuple.clone();
                    tuple.insert(var, value);
                    tuple
                })
            });
            tuples = longer.collect();
        }
        for tuple in tuples {
            let formula = self.arena.subst(predicate.formula, &tuple);
            let opposite = self.arena.not(formula);
            let mut is_decidable =
                |f: FormulaId| fragment(self.arena, self.vocabulary, f).is_decidable();
            if is_decidable(formula) && is_decidable(opposite) {
                self.push(formula);
            }
        }
    }
}
