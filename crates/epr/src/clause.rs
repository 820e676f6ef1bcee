//! Clauses with universal variables: what every formula becomes before it meets ground terms.
//!
//! **Invariant**: the variables of a clause are numbered densely from zero.

use smallvec::SmallVec;
use trellis_logic::SortId;

use crate::atoms::Predicate;
use crate::terms::{Ground, Symbol};

/// A variable that may be anything.
pub(crate) const ANY: u32 = u32::MAX;

/// A term of a clause, which may have variables.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum OpenTerm {
    /// A variable, universally quantified.
    Var(u32),
    Ground(Ground),
    /// An application that contains a variable.
    App(Symbol, Box<[OpenTerm]>),
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Atom {
    Rel(Predicate, SmallVec<[OpenTerm; 3]>),
    Eq(OpenTerm, OpenTerm),
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Literal {
    pub(crate) positive: bool,
    pub(crate) atom: Atom,
}

/// A disjunction of literals under universal quantifiers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Clause {
    /// The sorts of the variables.
    pub(crate) vars: Vec<SortId>,
    pub(crate) literals: Vec<Literal>,
}

impl OpenTerm {
    pub(crate) fn each_var(&self, at: &mut impl FnMut(u32)) {
        match self {
            OpenTerm::Var(v) => at(*v),
            OpenTerm::Ground(_) => {}
            OpenTerm::App(_, args) => args.iter().for_each(|a| a.each_var(at)),
        }
    }

    fn each_var_mut(&mut self, at: &mut impl FnMut(&mut OpenTerm)) {
        match self {
            OpenTerm::Var(_) => at(self),
            OpenTerm::Ground(_) => {}
            OpenTerm::App(_, args) => args.iter_mut().for_each(|a| a.each_var_mut(at)),
        }
    }

    pub(crate) fn has_var(&self) -> bool {
        let mut found = false;
        self.each_var(&mut |_| found = true);
        found
    }
}

impl Atom {
    pub(crate) fn args(&self) -> SmallVec<[&OpenTerm; 3]> {
        match self {
            Atom::Rel(_, args) => args.iter().collect(),
            Atom::Eq(a, b) => [a, b].into_iter().collect(),
        }
    }

    fn args_mut(&mut self) -> SmallVec<[&mut OpenTerm; 3]> {
        match self {
            Atom::Rel(_, args) => args.iter_mut().collect(),
            Atom::Eq(a, b) => [a, b].into_iter().collect(),
        }
    }
}

impl Literal {
    pub(crate) fn each_var(&self, mut at: impl FnMut(u32)) {
        for arg in self.atom.args() {
            arg.each_var(&mut at);
        }
    }

    pub(crate) fn has_var(&self) -> bool {
        self.atom.args().iter().any(|a| a.has_var())
    }
}

impl Clause {
    /// The clause with dense variables, without repeated literals; `None` if it always holds.
    ///
    /// `vars` are the sorts of the variables as numbered in the literals. A variable that some
    /// literal `x != t` pins is replaced by `t`, unless it is an argument of a negated predicate
    /// that `keeps` its variables.
    ///
    /// What happens to the variables of the literals happens to those of `images` too; one that the
    /// clause does not need becomes [`ANY`].
    pub(crate) fn normal(
        mut literals: Vec<Literal>,
        vars: &[SortId],
        keeps: impl Fn(Predicate) -> bool,
        images: &mut [OpenTerm],
    ) -> Option<Clause> {
        while let Some((at, var, term)) = pinned(&literals, &keeps) {
            literals.remove(at);
            let args = literals.iter_mut().flat_map(|l| l.atom.args_mut());
            for arg in args.chain(&mut *images) {
                arg.each_var_mut(&mut |p| {
                    if *p == OpenTerm::Var(var) {
                        *p = term.clone();
                    }
                });
            }
        }
        literals.retain(|l| l.positive || !trivially_equal(l));
        if literals.iter().any(|l| l.positive && trivially_equal(l)) {
            return None;
        }
        // What is false of most tuples comes first: that is where a search for violations starts.
        literals.sort_by_key(|l| l.positive || matches!(l.atom, Atom::Eq(..)));
        let mut seen: Vec<Literal> = Vec::with_capacity(literals.len());
        for literal in literals {
            let opposite = |l: &Literal| l.positive != literal.positive && l.atom == literal.atom;
            if seen.iter().any(opposite) {
                return None;
            }
            if !seen.contains(&literal) {
                seen.push(literal);
            }
        }
        let mut numbers: Vec<u32> = Vec::new();
        for literal in &mut seen {
            for arg in literal.atom.args_mut() {
                arg.each_var_mut(&mut |p| {
                    if let OpenTerm::Var(v) = p {
                        let known = numbers.iter().position(|n| n == v);
                        let new = known.unwrap_or_else(|| {
                            numbers.push(*v);
                            numbers.len() - 1
                        });
                        *v = new as u32;
                    }
                });
            }
        }
        for image in images {
            image.each_var_mut(&mut |p| {
                if let OpenTerm::Var(v) = p {
                    *v = numbers.iter().position(|n| n == v).map_or(ANY, |new| new as u32);
                }
            });
        }
        let vars = numbers.iter().map(|&v| vars[v as usize]).collect();
        Some(Clause { vars, literals: seen })
    }
}

fn trivially_equal(literal: &Literal) -> bool {
    matches!(&literal.atom, Atom::Eq(a, b) if a == b)
}

/// A literal `x != t`, with its place.
fn pinned(
    literals: &[Literal],
    keeps: &impl Fn(Predicate) -> bool,
) -> Option<(usize, u32, OpenTerm)> {
    let kept = |var: u32| {
        literals.iter().any(|l| match &l.atom {
            Atom::Rel(p, args) => !l.positive && keeps(*p) && args.contains(&OpenTerm::Var(var)),
            Atom::Eq(..) => false,
        })
    };
    literals.iter().enumerate().find_map(|(at, literal)| match &literal.atom {
        Atom::Eq(a, b) if !literal.positive && a != b => match (a, b) {
            (OpenTerm::Var(x), OpenTerm::Var(_) | OpenTerm::Ground(_)) if !kept(*x) => {
                Some((at, *x, b.clone()))
            }
            (OpenTerm::Var(_) | OpenTerm::Ground(_), OpenTerm::Var(y)) if !kept(*y) => {
                Some((at, *y, a.clone()))
            }
            _ => None,
        },
        _ => None,
    })
}
