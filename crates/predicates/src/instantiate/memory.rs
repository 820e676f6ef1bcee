//! What is allocated, what was written, and what is kept.

use trellis_logic::{RelId, TermId};

use super::Maker;

impl Maker<'_> {
    /// `alloc(x)`, `stable(f, x)`, and the same of being written.
    pub(super) fn stable(&mut self) {
        let alloc = self.symbols.alloc.now;
        self.of_each(alloc);
        let undefined: Vec<RelId> = self
            .symbols
            .pointers
            .iter()
            .map(|f| f.undefined)
            .chain(self.symbols.integers.iter().map(|f| f.undefined))
            .filter(|rel| self.has(*rel))
            .collect();
        for &rel in &undefined {
            self.of_each(rel);
        }
        let changes = self.symbols.alloc.now != self.symbols.alloc.entry;
        let (vars, [a, _]) = self.variables();
        for (field, rel) in self.fields().into_iter().filter(|(f, _)| f.recursive) {
            for x in self.owners(&field) {
                let parts = [self.is_object(a), self.arena.rel(rel, &[x.term, a])];
                let reached = self.arena.and(parts);
                let mut promises = Vec::new();
                if changes {
                    promises.push(self.arena.rel(alloc, &[a]));
                }
                for &missing in &undefined {
                    let missing = self.arena.rel(missing, &[a]);
                    promises.push(self.arena.not(missing));
                }
                for promise in promises {
                    let body = self.arena.implies(reached, promise);
                    let stable = self.arena.forall(&vars[..1], body);
                    self.push(stable);
                }
            }
        }
    }

    /// What is allocated is reached from one variable over one field, from any variable over one
    /// field, or from any over any.
    pub(super) fn kept(&mut self) {
        let mut everything = Vec::new();
        for (field, rel) in self.fields() {
            let roots: Vec<_> = self.owners(&field).iter().map(|x| (rel, x.term)).collect();
            for &root in &roots {
                self.kept_by(&[root]);
            }
            self.kept_by(&roots);
            everything.extend(roots);
        }
        self.kept_by(&everything);
    }

    /// Everything that is allocated is reached over one of the relations from the term beside it.
    fn kept_by(&mut self, roots: &[(RelId, TermId)]) {
        let (vars, [a, _]) = self.variables();
        let reached: Vec<_> = roots.iter().map(|&(rel, x)| self.arena.rel(rel, &[x, a])).collect();
        let reached = self.arena.or(reached);
        let alloc = self.arena.rel(self.symbols.alloc.now, &[a]);
        let body = self.arena.implies(alloc, reached);
        let kept = self.arena.forall(&vars[..1], body);
        self.push(kept);
    }

    /// What was allocated and reached at the entry.
    pub(super) fn entry(&mut self) {
        if self.symbols.alloc.now != self.symbols.alloc.entry {
            self.of_each(self.symbols.alloc.entry);
        }
        self.reach(self.entry_fields());
    }
}
