//! Sets of objects and of tuples of objects, asked for members.

use trellis_hol::{Kind, Op, Quantifier, Term as HolTerm, Type};
use trellis_program::spec::{Formula, HolMeaning, Label, Term};

use super::Translator;
use super::build::{and, iff, implies, is_null, not, or};
use super::terms::{Of, Typed};

/// How many objects an element of a set consists of; nothing if it is something else.
fn width(set: &Type) -> Option<usize> {
    let Type::Set(of) = set else { return None };
    match &**of {
        Type::Obj => Some(1),
        Type::Prod(parts) if parts.iter().all(|p| *p == Type::Obj) => Some(parts.len()),
        _ => None,
    }
}

impl Translator<'_> {
    pub(super) fn same_set(&mut self, a: &HolTerm, b: &HolTerm) -> Option<Formula> {
        self.for_tuples(width(&a.ty)?, Vec::new(), &mut |t, x| {
            Some(iff(t.member(x, a)?, t.member(x, b)?))
        })
    }

    pub(super) fn subset(&mut self, a: &HolTerm, b: &HolTerm) -> Option<Formula> {
        self.for_tuples(width(&a.ty)?, Vec::new(), &mut |t, x| {
            Some(implies(t.member(x, a)?, t.member(x, b)?))
        })
    }

    /// For all tuples of objects and null.
    fn for_tuples(
        &mut self,
        more: usize,
        tuple: Vec<Typed>,
        body: &mut dyn FnMut(&mut Self, &[Typed]) -> Option<Formula>,
    ) -> Option<Formula> {
        if more == 0 {
            return body(self, &tuple);
        }
        self.for_each("x", &mut |t, x| {
            let mut tuple = tuple.clone();
            tuple.push(x);
            t.for_tuples(more - 1, tuple, body)
        })
    }

    /// `x : S`, where x may be a tuple.
    pub(super) fn element(&mut self, x: &HolTerm, set: &HolTerm) -> Option<Formula> {
        match (&x.kind, &set.kind) {
            (Kind::Op(Op::Tuple, ends), Kind::Op(Op::Closure, relation)) => {
                let [from, to] = &ends[..] else { return None };
                self.reach(&relation[0], from, to)
            }
            (Kind::Op(Op::Tuple, parts), _) => {
                let parts: Vec<Typed> =
                    parts.iter().map(|p| self.object(p)).collect::<Option<_>>()?;
                self.member(&parts, set)
            }
            _ => {
                let x = self.object(x)?;
                self.member(&[x], set)
            }
        }
    }

    fn object(&mut self, term: &HolTerm) -> Option<Typed> {
        match term.ty {
            Type::Obj => self.term(term),
            _ => None,
        }
    }

    /// Whether a tuple of objects is in a set.
    pub(super) fn member(&mut self, x: &[Typed], set: &HolTerm) -> Option<Formula> {
        match &set.kind {
            Kind::Op(Op::EmptySet, _) => Some(Formula::Const(false)),
            Kind::Op(Op::Universe, _) => Some(Formula::Const(true)),
            Kind::Op(Op::Listed, parts) => {
                let parts = parts.iter().map(|p| self.is_tuple(x, p));
                Some(or(parts.collect::<Option<_>>()?))
            }
            Kind::Op(op @ (Op::Union | Op::Inter | Op::Difference), sides) => {
                let (a, b) = (self.member(x, &sides[0])?, self.member(x, &sides[1])?);
                Some(match op {
                    Op::Union => or(vec![a, b]),
                    Op::Inter => and(vec![a, b]),
                    _ => and(vec![a, not(b)]),
                })
            }
            Kind::Op(Op::Old, inner) => {
                let now = |x: &Typed| match &x.term {
                    Term::Bound(_) | Term::Null => x.clone(),
                    term => Typed { term: Term::At(Label::Here, Box::new(term.clone())), of: x.of },
                };
                let x: Vec<Typed> = x.iter().map(now).collect();
                let inside = self.at(Label::Pre, |t| t.member(&x, &inner[0]))?;
                Some(match inside {
                    Formula::Const(b) => Formula::Const(b),
                    f => Formula::At(Label::Pre, Box::new(f)),
                })
            }
            Kind::Bind(Quantifier::Comprehension, binders, body) => {
                if binders.len() != x.len() {
                    return None;
                }
                for (binder, x) in binders.iter().zip(x) {
                    self.vars.insert(binder.id, x.clone());
                }
                self.formula(body)
            }
            Kind::Symbol(s) => {
                let [x] = x else { return None };
                self.of_class(x, &self.clause.meanings[s.0 as usize].clone())
            }
            _ => None,
        }
    }

    /// Whether a tuple is what a term says.
    fn is_tuple(&mut self, x: &[Typed], term: &HolTerm) -> Option<Formula> {
        let parts: Vec<&HolTerm> = match &term.kind {
            Kind::Op(Op::Tuple, parts) => parts.iter().collect(),
            _ => vec![term],
        };
        if parts.len() != x.len() {
            return None;
        }
        let mut all = Vec::new();
        for (x, part) in x.iter().zip(parts) {
            let part = self.term(part)?;
            all.push(self.equal(x.clone(), part));
        }
        Some(and(all))
    }

    /// Whether an object is in a set that the program has.
    fn of_class(&self, x: &Typed, set: &HolMeaning) -> Option<Formula> {
        let null = || match self.is_there(&x.term) {
            true => Formula::Const(false),
            false => is_null(x.term.clone()),
        };
        match set {
            HolMeaning::Objects => Some(Formula::Const(true)),
            HolMeaning::Class(ty) => match x.of {
                Of::Nothing => Some(Formula::Const(true)),
                Of::Class(class) if class == *ty => Some(Formula::Const(true)),
                Of::Any => None,
                _ => Some(null()),
            },
            HolMeaning::Allocated if self.label == Label::Here => Some(Formula::Const(true)),
            HolMeaning::Allocated => match x.term {
                Term::Null => Some(Formula::Const(true)),
                _ => Some(or(vec![null(), Formula::Alloc(x.term.clone())])),
            },
            _ => None,
        }
    }
}
