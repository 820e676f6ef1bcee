//! Laws of equality: disjunctions of ground literals that hold in every structure because equality
//! is an equivalence and equal arguments give equal results.
//!
//! **Invariant**: what is called valid is: if all its literals were false, the denied equalities
//! would hold, hence all that follows by congruence; and then one of the literals is true after all.

use std::collections::HashMap;

use trellis_logic::{Arena, Formula, FormulaId, Term, TermId};

/// Whether a disjunction of atoms, each asserted or denied, is valid by congruence.
pub(crate) fn is_valid(arena: &Arena, literals: &[(bool, FormulaId)]) -> bool {
    let mut classes = Classes { arena, parents: HashMap::new() };
    for &(_, atom) in literals {
        match arena.formula(atom) {
            Formula::Eq(a, b) => [*a, *b].iter().for_each(|&t| classes.insert(t)),
            Formula::Rel(_, args) => args.iter().for_each(|&t| classes.insert(t)),
            _ => return false,
        }
    }
    for &(positive, atom) in literals {
        if let (false, Formula::Eq(a, b)) = (positive, arena.formula(atom)) {
            classes.unite(*a, *b);
        }
    }
    classes.close();
    let asserted = |&(positive, atom): &(bool, FormulaId)| positive.then_some(atom);
    literals.iter().filter_map(asserted).any(|atom| match arena.formula(atom) {
        Formula::Eq(a, b) => classes.find(*a) == classes.find(*b),
        Formula::Rel(rel, args) => {
            literals.iter().any(|&(positive, other)| match arena.formula(other) {
                Formula::Rel(r, others) => !positive && r == rel && classes.same(args, others),
                _ => false,
            })
        }
        _ => false,
    })
}

/// Equivalence classes of terms.
struct Classes<'a> {
    arena: &'a Arena,
    /// By term: itself, or another one of its class.
    parents: HashMap<TermId, TermId>,
}

impl Classes<'_> {
    /// Makes a term and its subterms known.
    fn insert(&mut self, term: TermId) {
        if self.parents.insert(term, term).is_none()
            && let Term::App(_, args) = self.arena.term(term)
        {
            args.iter().for_each(|&a| self.insert(a));
        }
    }

    fn find(&self, mut term: TermId) -> TermId {
        while self.parents[&term] != term {
            term = self.parents[&term];
        }
        term
    }

    fn unite(&mut self, a: TermId, b: TermId) {
        let (a, b) = (self.find(a), self.find(b));
        self.parents.insert(a, b);
    }

    fn same(&self, left: &[TermId], right: &[TermId]) -> bool {
        left.len() == right.len()
            && left.iter().zip(right).all(|(&a, &b)| self.find(a) == self.find(b))
    }

    /// Unites applications of one function to equal arguments until there are no more.
    fn close(&mut self) {
        let terms: Vec<TermId> = self.parents.keys().copied().collect();
        let mut changed = true;
        while changed {
            changed = false;
            for (i, &s) in terms.iter().enumerate() {
                for &t in &terms[..i] {
                    if self.find(s) != self.find(t) && self.congruent(s, t) {
                        self.unite(s, t);
                        changed = true;
                    }
                }
            }
        }
    }

    fn congruent(&self, s: TermId, t: TermId) -> bool {
        match (self.arena.term(s), self.arena.term(t)) {
            (Term::App(f, left), Term::App(g, right)) => f == g && self.same(left, right),
            _ => false,
        }
    }
}
