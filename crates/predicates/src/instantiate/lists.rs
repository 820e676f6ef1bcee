//! How variables and lists lie to each other (*Property-Directed Shape Analysis*, Table 1, and its
//! formulas in Table 3).

use trellis_logic::RelId;
use trellis_transys::{FieldAt, Flag, PointerField};

use super::{Maker, Pointer};

impl Maker<'_> {
    /// Which pointers are equal, the flags, and what is fixed about the objects pointed to.
    pub(super) fn equality(&mut self) {
        for x in self.pointers.clone() {
            let is_null = self.arena.eq(x.term, self.null.term);
            self.push(is_null);
        }
        for (x, y) in self.pairs() {
            let same = self.arena.eq(x.term, y.term);
            self.push(same);
        }
        for &rel in &self.location.propositions {
            let atom = self.arena.rel(rel, &[]);
            self.push(atom);
        }
        let fixed = self.symbols.marks.values().chain(self.symbols.types.values());
        let flags = self.symbols.integers.iter().filter_map(|f| match f.now {
            Flag::Truth(rel) => Some(rel),
            Flag::Data(_) => None,
        });
        for rel in fixed.copied().chain(flags).collect::<Vec<_>>() {
            self.of_each(rel);
        }
    }

    /// Pairs of different pointers that may point to the same place.
    fn pairs(&self) -> Vec<(Pointer, Pointer)> {
        let mut pairs = Vec::new();
        for (i, &x) in self.pointers.iter().enumerate() {
            for &y in &self.pointers[i + 1..] {
                if self.symbols.view.meet(x.spot, y.spot).is_some() {
                    pairs.push((x, y));
                }
            }
        }
        pairs
    }

    /// `reach(f, x, y)`, now or at the entry.
    pub(super) fn reach(&mut self, fields: Vec<(PointerField, RelId)>) {
        for (field, rel) in fields {
            for x in self.owners(&field) {
                for y in self.targets(&field) {
                    // Null ends every list.
                    if x.term != y.term && y.term != self.null.term {
                        let atom = self.arena.rel(rel, &[x.term, y.term]);
                        self.push(atom);
                    }
                }
            }
        }
    }

    /// `x->f == y`.
    pub(super) fn edge(&mut self) {
        let symbols = self.symbols;
        for (i, field) in symbols.pointers.iter().enumerate() {
            if !self.has(field.relation.now) {
                continue;
            }
            for x in self.owners(field) {
                for y in self.targets(field) {
                    if x.term != y.term {
                        let next = self.heap().successor(FieldAt::now(i), x.term, y.term);
                        self.push(next);
                    }
                }
            }
        }
    }

    /// `ls(f, x, y)`: what points into the segment is a part of the list, or comes in through `x`.
    /// Null, which all lists share, does not count.
    pub(super) fn segment(&mut self) {
        let (vars, [a, b]) = self.variables();
        self.each_segment(|s, rel, x, y| {
            let parts = [
                s.is_object(a),
                s.arena.rel(rel, &[x, a]),
                s.reaches(rel, a, y),
                s.arena.rel(rel, &[b, a]),
            ];
            let inside = s.arena.and(parts);
            let known = [s.arena.rel(rel, &[b, x]), s.arena.rel(rel, &[x, b])];
            let known = s.arena.or(known);
            let body = s.arena.implies(inside, known);
            let unshared = s.arena.forall(&vars, body);
            s.push(unshared);
        });
    }

    /// `rev(f, b, x, y)`: within the segment, `b` leads where `f` comes from.
    pub(super) fn reverse(&mut self) {
        let (vars, [a, b]) = self.variables();
        for (_, back) in self.fields().into_iter().filter(|(f, _)| f.recursive) {
            self.each_segment(|s, rel, x, y| {
                if rel == back {
                    return;
                }
                let parts = [
                    s.is_object(a),
                    s.is_object(b),
                    s.arena.rel(rel, &[x, a]),
                    s.reaches(rel, a, y),
                    s.arena.rel(rel, &[x, b]),
                    s.reaches(rel, b, y),
                ];
                let inside = s.arena.and(parts);
                let (there, again) = (s.arena.rel(rel, &[a, b]), s.arena.rel(back, &[b, a]));
                let inverse = s.arena.iff(there, again);
                let body = s.arena.implies(inside, inverse);
                let reverse = s.arena.forall(&vars, body);
                s.push(reverse);
            });
        }
    }
}
