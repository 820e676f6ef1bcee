//! How data compare, and sorted lists.

use trellis_logic::FunId;
use trellis_transys::Flag;

use super::Maker;

impl Maker<'_> {
    /// The integer fields of which the order matters.
    fn keys(&self) -> Vec<FunId> {
        let keys = self.symbols.integers.iter().filter_map(|f| match f.now {
            Flag::Data(fun) => Some(fun),
            Flag::Truth(_) => None,
        });
        keys.filter(|fun| self.location.functions.contains(fun)).collect()
    }

    /// How integer variables, the keys of objects and the program's constants compare.
    pub(super) fn data(&mut self) {
        let mut known = Vec::new();
        for &fun in &self.location.constants {
            if self.vocabulary.fun(fun).result == self.symbols.data {
                known.push(self.arena.constant(fun));
            }
        }
        let mut fixed = Vec::new();
        for &fun in self.symbols.constants.values() {
            fixed.push(self.arena.constant(fun));
        }
        for key in self.keys() {
            for x in self.pointers.clone() {
                known.push(self.arena.app(key, &[x.term]));
            }
        }
        for &a in &known {
            for &b in known.iter().chain(&fixed) {
                if a != b {
                    let forth = self.arena.rel(self.symbols.at_most, &[a, b]);
                    self.push(forth);
                    let back = self.arena.rel(self.symbols.at_most, &[b, a]);
                    self.push(back);
                }
            }
        }
    }

    /// `sorted(f, key, x, y)`: keys do not fall along the segment.
    pub(super) fn sorted(&mut self) {
        let (vars, [a, b]) = self.variables();
        for key in self.keys() {
            self.each_segment(|s, rel, x, y| {
                let parts = [
                    s.is_object(a),
                    s.is_object(b),
                    s.arena.rel(rel, &[x, a]),
                    s.arena.rel(rel, &[a, b]),
                    s.reaches(rel, b, y),
                ];
                let ordered = s.arena.and(parts);
                let (ka, kb) = (s.arena.app(key, &[a]), s.arena.app(key, &[b]));
                let at_most = s.arena.rel(s.symbols.at_most, &[ka, kb]);
                let body = s.arena.implies(ordered, at_most);
                let sorted = s.arena.forall(&vars, body);
                s.push(sorted);
            });
        }
    }
}
