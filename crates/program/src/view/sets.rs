//! Sets of pointers as formulas about their members.
//!
//! A contract that mentions an undefined set is undefined, even where the members known would
//! decide it; so every statement about sets is made [strict](super::exact) in the terms of both.

use trellis_logic::{FormulaId, RelId, TermId};

use super::Untranslatable;
use super::formula::{Meaning, Translator};
use super::spots::Spot;
use super::terms::{common_spot, no};
use crate::spec::{SetOp, Term};

/// A set, and where its members point.
#[derive(Clone)]
pub(super) struct SetTerm {
    members: Members,
    spot: Spot,
}

#[derive(Clone)]
enum Members {
    Empty,
    Single(TermId),
    Content { closure: RelId, from: TermId },
    Op(SetOp, Box<Members>, Box<Members>),
    Ite(FormulaId, Box<Members>, Box<Members>),
}

impl<'a> Translator<'a> {
    /// Whether a term denotes a set.
    pub(super) fn is_set(&self, term: &Term) -> bool {
        match term {
            Term::Content(..) | Term::EmptySet | Term::Singleton(_) | Term::SetOp(..) => true,
            Term::At(_, t) => self.is_set(t),
            Term::Ite(_, a, b) => self.is_set(a) || self.is_set(b),
            Term::Bound(id) => {
                let scope = &self.bound[self.scope..];
                let bound = scope.iter().rev().find(|(b, _)| b == id);
                matches!(bound, Some((_, Meaning::Set(_))))
            }
            _ => false,
        }
    }

    pub(super) fn set(&mut self, term: &'a Term) -> Result<SetTerm, Untranslatable> {
        let (members, spot) = match term {
            Term::EmptySet => (Members::Empty, Spot::Null),
            Term::Singleton(t) => {
                let p = self.pointer(t)?;
                (Members::Single(p.term), p.spot)
            }
            Term::Content(field, from) => {
                let (link, place) = self.link(field)?;
                let from = self.linked(from, place)?;
                (Members::Content { closure: link.closure, from }, place)
            }
            Term::SetOp(op, a, b) => {
                let (a, b) = (self.set(a)?, self.set(b)?);
                let spot = common_spot(a.spot, b.spot)?;
                (Members::Op(*op, Box::new(a.members), Box::new(b.members)), spot)
            }
            Term::Ite(c, a, b) => {
                let c = self.formula(c)?;
                let (a, b) = (self.set(a)?, self.set(b)?);
                let spot = common_spot(a.spot, b.spot)?;
                (Members::Ite(c, Box::new(a.members), Box::new(b.members)), spot)
            }
            Term::At(label, t) => return self.at(*label, |s| s.set(t)),
            Term::Bound(id) => {
                let scope = &self.bound[self.scope..];
                return match scope.iter().rev().find(|(b, _)| b == id) {
                    Some((_, Meaning::Set(set))) => Ok(set.clone()),
                    _ => no("a value used as a set"),
                };
            }
            _ => return no("a value used as a set"),
        };
        Ok(SetTerm { members, spot })
    }

    /// `\in(x, s)`.
    pub(super) fn is_in(&mut self, x: &'a Term, s: &'a Term) -> Result<FormulaId, Untranslatable> {
        let (x, s) = (self.pointer(x)?, self.set(s)?);
        common_spot(x.spot, s.spot)?;
        let parts = vec![self.exact.defined(x.term), self.known(&s.members)];
        let known = self.exact.and(parts);
        let member = self.member(x.term, &s.members);
        Ok(self.exact.iff(known, member))
    }

    /// `\subset(a, b)`.
    pub(super) fn subset(&mut self, a: &'a Term, b: &'a Term) -> Result<FormulaId, Untranslatable> {
        self.all_members(a, b, |s, a, b| s.exact.implies(a, b))
    }

    /// `a == b`.
    pub(super) fn equal_sets(
        &mut self,
        a: &'a Term,
        b: &'a Term,
    ) -> Result<FormulaId, Untranslatable> {
        self.all_members(a, b, |s, a, b| s.exact.iff(a, b))
    }

    fn all_members(
        &mut self,
        a: &'a Term,
        b: &'a Term,
        relate: impl FnOnce(&mut Self, FormulaId, FormulaId) -> FormulaId,
    ) -> Result<FormulaId, Untranslatable> {
        let (a, b) = (self.set(a)?, self.set(b)?);
        common_spot(a.spot, b.spot)?;
        let free = self.vars.len();
        let (v, term) = self.reached("v");
        let (in_a, in_b) = (self.member(term, &a.members), self.member(term, &b.members));
        let body = relate(self, in_a, in_b);
        self.vars.truncate(free);
        let all = self.exact.arena.forall(&[v], body);
        let parts = vec![self.known(&a.members), self.known(&b.members)];
        let known = self.exact.and(parts);
        Ok(self.exact.iff(known, all))
    }

    fn member(&mut self, x: TermId, s: &Members) -> FormulaId {
        match s {
            Members::Empty => FormulaId::FALSE,
            Members::Single(t) => self.exact.eq(x, *t),
            Members::Content { closure, from } => {
                let null = self.null().term;
                let parts =
                    vec![self.exact.ne(x, null), self.exact.arena.rel(*closure, &[*from, x])];
                self.exact.and(parts)
            }
            Members::Op(op, a, b) => {
                let (a, b) = (self.member(x, a), self.member(x, b));
                match op {
                    SetOp::Union => self.exact.or(vec![a, b]),
                    SetOp::Inter => self.exact.and(vec![a, b]),
                    SetOp::Diff => {
                        let not = self.exact.arena.not(b);
                        self.exact.and(vec![a, not])
                    }
                }
            }
            Members::Ite(c, a, b) => {
                let (a, b) = (self.member(x, a), self.member(x, b));
                let not = self.exact.arena.not(*c);
                let parts = vec![self.exact.and(vec![*c, a]), self.exact.and(vec![not, b])];
                self.exact.or(parts)
            }
        }
    }

    /// True where the set is defined, else undefined.
    fn known(&mut self, s: &Members) -> FormulaId {
        match s {
            Members::Empty => FormulaId::TRUE,
            Members::Single(t) | Members::Content { from: t, .. } => self.exact.defined(*t),
            Members::Op(_, a, b) => {
                let parts = vec![self.known(a), self.known(b)];
                self.exact.and(parts)
            }
            Members::Ite(c, a, b) => {
                let (a, b) = (self.known(a), self.known(b));
                let not = self.exact.arena.not(*c);
                let parts = vec![
                    self.exact.decided(*c),
                    self.exact.implies(*c, a),
                    self.exact.implies(not, b),
                ];
                self.exact.and(parts)
            }
        }
    }
}
