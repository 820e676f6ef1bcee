//! One structure for two.
//!
//! **Contract**: if both have the same canonical names, each for one individual, the result is the
//! most precise structure with these names that represents both; else there is none. Analyses that
//! keep sets of structures use it to keep the sets small, at the price of relations between
//! predicates without places and between individuals.

use super::structure::KleeneStructure;

impl KleeneStructure {
    /// The join of two structures that have the same canonical names, both as [blur] leaves them.
    ///
    /// [blur]: KleeneStructure::blur
    pub fn join(&self, other: &KleeneStructure) -> Option<KleeneStructure> {
        let names = |s: &KleeneStructure| (0..s.size()).map(|u| s.name_of(u)).collect::<Vec<_>>();
        let own = names(self);
        let distinct = own.windows(2).all(|pair| pair[0] < pair[1]);
        if !distinct || own != names(other) {
            return None;
        }
        let mut joined = self.clone();
        for (value, other) in joined.values.iter_mut().zip(&other.values) {
            *value = value.join(*other);
        }
        for (summary, other) in joined.summary.iter_mut().zip(&other.summary) {
            *summary |= other;
        }
        Some(joined)
    }
}
