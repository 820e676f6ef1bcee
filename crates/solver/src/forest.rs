//! The laws of forests: heaps in which every node has at most one parent, over the fields of a set.
//!
//! For each field of the set a relation `F(x, y)` says that y lies in the subtree at that field of
//! x. Together they tell what is below a node: `D(x, y)` if x = y or y lies in one of its subtrees.
//! The ancestors of a node are a chain, so this is the order of lists, read upwards; everything here
//! is universal or without quantifiers.
//!
//! **Invariants.** Every forest satisfies the axioms, and on forests all formulas here are exact: a
//! load holds of what the cell holds, [`detach`](Forest::detach) is the store of null, [`attach`](Forest::attach) the store of a node
//! to an empty cell where it is not [`forbidden`](Forest::forbidden). The converse fails in one way: a model of the
//! axioms may have several children at one field. A load of that field has no such model.

use trellis_logic::{Arena, Definitions, FormulaId, RelId, SortId, TermId, VarId};

#[cfg(test)]
#[path = "forest_tests.rs"]
mod tests;

/// Where formulas about a forest are made.
#[derive(Debug)]
pub struct Forest<'a> {
    arena: &'a mut Arena,
    /// What lies in the subtrees, one relation a field.
    rels: &'a [RelId],
    null: TermId,
    /// Three variables whose names no program has.
    vars: [VarId; 3],
    terms: [TermId; 3],
}

impl<'a> Forest<'a> {
    /// The forest of some relations on a sort.
    pub fn new(arena: &'a mut Arena, rels: &'a [RelId], sort: SortId, null: TermId) -> Self {
        let vars = ["$x", "$y", "$z"].map(|name| arena.variable(name, sort));
        let terms = vars.map(|v| arena.var_term(v));
        Forest { arena, rels, null, vars, terms }
    }

    /// y is x or lies below it.
    pub fn below(&mut self, x: TermId, y: TermId) -> FormulaId {
        let mut parts = vec![self.arena.eq(x, y)];
        parts.push(self.strictly_below(x, y));
        self.arena.or(parts)
    }

    /// y lies in a subtree of x.
    fn strictly_below(&mut self, x: TermId, y: TermId) -> FormulaId {
        let parts: Vec<FormulaId> = self.rels.iter().map(|r| self.arena.rel(*r, &[x, y])).collect();
        self.arena.or(parts)
    }

    /// What every forest satisfies.
    pub fn axioms(&mut self) -> Vec<FormulaId> {
        let [x, y, z] = self.terms;
        let mut axioms = Vec::new();
        for i in 0..self.rels.len() {
            let rel = self.rels[i];
            for args in [[x, x], [x, self.null], [self.null, x]] {
                let atom = self.arena.rel(rel, &args);
                let never = self.arena.not(atom);
                axioms.push(self.arena.forall(&self.vars[..1], never));
            }
            let (xy, xz) = (self.arena.rel(rel, &[x, y]), self.arena.rel(rel, &[x, z]));
            for other in &self.rels[..i] {
                let apart = self.arena.rel(*other, &[x, y]);
                let both = self.arena.and([xy, apart]);
                let never = self.arena.not(both);
                axioms.push(self.arena.forall(&self.vars[..2], never));
            }
            let on = self.strictly_below(y, z);
            let premise = self.arena.and([xy, on]);
            let body = self.arena.implies(premise, xz);
            axioms.push(self.arena.forall(&self.vars, body));
        }
        let (xz, yz) = (self.below(x, z), self.below(y, z));
        let (xy, yx) = (self.below(x, y), self.below(y, x));
        let (premise, chain) = (self.arena.and([xz, yz]), self.arena.or([xy, yx]));
        let body = self.arena.implies(premise, chain);
        axioms.push(self.arena.forall(&self.vars, body));
        axioms
    }

    /// `x->f == y`, for the field with this number. It has a universal quantifier.
    pub fn load(&mut self, field: usize, x: TermId, y: TermId) -> FormulaId {
        let z = self.terms[2];
        let rel = self.rels[field];
        let (child, none) = (self.arena.rel(rel, &[x, y]), self.arena.eq(y, self.null));
        let (there, first) = (self.arena.rel(rel, &[x, z]), self.below(y, z));
        let body = self.arena.implies(there, first);
        let nearest = self.arena.forall(&self.vars[2..], body);
        let some = self.arena.or([none, child]);
        self.arena.and([some, nearest])
    }

    /// y is reached from x over the field with this number alone, or is null. It has a universal
    /// quantifier: whoever lies between them has y in its subtree at that field.
    pub fn spine(&mut self, field: usize, x: TermId, y: TermId) -> FormulaId {
        let z = self.terms[2];
        let none = self.arena.eq(y, self.null);
        let (to, from) = (self.below(x, z), self.below(z, y));
        let (apart, there) = (self.arena.ne(z, y), self.arena.rel(self.rels[field], &[z, y]));
        let premise = self.arena.and([to, from, apart]);
        let body = self.arena.implies(premise, there);
        let along = self.arena.forall(&self.vars[2..], body);
        let below = self.below(x, y);
        let reached = self.arena.and([below, along]);
        self.arena.or([none, reached])
    }

    /// What hangs at a field of x, or at all of them, gets no parent instead: `x->f = NULL`.
    pub fn detach(&mut self, field: Option<usize>, x: TermId) -> Definitions {
        let [a, b, _] = self.terms;
        let above = self.below(a, x);
        let lost = match field {
            Some(field) => self.arena.rel(self.rels[field], &[x, b]),
            None => self.strictly_below(x, b),
        };
        let cut = self.arena.and([above, lost]);
        let kept = self.arena.not(cut);
        let mut out = Definitions::new();
        for &rel in self.rels {
            let before = self.arena.rel(rel, &[a, b]);
            let after = self.arena.and([before, kept]);
            out.define_rel(rel, &self.vars[..2], after);
        }
        out
    }

    /// `x->f = y` where that field of x is null and a condition holds; nothing changes where not, or
    /// where y is null. Right where it is not [`forbidden`](Forest::forbidden)(Forest::forbidden).
    pub fn attach(&mut self, field: usize, when: FormulaId, x: TermId, y: TermId) -> Definitions {
        let [a, b, _] = self.terms;
        let (some, hangs) = (self.arena.ne(y, self.null), self.below(y, b));
        let mut out = Definitions::new();
        for (i, &rel) in self.rels.iter().enumerate() {
            let before = self.arena.rel(rel, &[a, b]);
            let mut above = vec![self.arena.rel(rel, &[a, x])];
            if i == field {
                above.push(self.arena.eq(a, x));
            }
            let above = self.arena.or(above);
            let new = self.arena.and([when, some, hangs, above]);
            let after = self.arena.or([before, new]);
            out.define_rel(rel, &self.vars[..2], after);
        }
        out
    }

    /// That y cannot hang at x: it has a parent already, or x lies below it.
    pub fn forbidden(&mut self, x: TermId, y: TermId) -> FormulaId {
        let a = self.terms[0];
        let parent = self.strictly_below(a, y);
        let shared = self.arena.exists(&self.vars[..1], parent);
        let (closes, some) = (self.below(y, x), self.arena.ne(y, self.null));
        let wrong = self.arena.or([shared, closes]);
        self.arena.and([some, wrong])
    }
}
