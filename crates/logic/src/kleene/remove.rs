//! Takes individuals out.
//!
//! **Contract**: the result has the individuals that are kept, in their order, with their values. It
//! describes the heaps of the argument without the objects that the others stand for; what
//! instrumentation says is for the caller to set right first.

use super::structure::KleeneStructure;

impl KleeneStructure {
    /// The structure without the individuals that `keep` rejects.
    #[must_use]
    pub fn retain(&self, keep: impl Fn(usize) -> bool) -> KleeneStructure {
        let kept: Vec<usize> = (0..self.size()).filter(|&u| keep(u)).collect();
        self.copy_individuals(&kept)
    }
}
