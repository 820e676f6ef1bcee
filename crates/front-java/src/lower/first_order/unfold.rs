//! Terms without definitions, with functions applied to their arguments, and without variables that
//! can only be one thing.
//!
//! `EX v. v = t & F` is F of t. That does not only save a quantifier: the logic knows that there is a t.
//! Universal quantifiers keep such variables, which name witnesses.
//!
//! **Invariant.** Bound variables have numbers of their own, also where a definition or an argument comes
//! twice.

use std::collections::BTreeMap;

use trellis_hol::{Binder, Kind, Op, Quantifier, Term as HolTerm, Type, VarId};
use trellis_program::spec::HolClause;

/// The term without definitions, and with functions applied to their arguments.
pub(super) fn unfold(clause: &HolClause, term: &HolTerm) -> HolTerm {
    let mut next = 0;
    clause.formula.visit_all(&mut |t| {
        if let Kind::Bind(_, binders, _) = &t.kind {
            next = binders.iter().map(|b| b.id.0 + 1).fold(next, u32::max);
        }
    });
    Unfold { clause, next }.unfold(term)
}

struct Unfold<'c> {
    clause: &'c HolClause,
    /// The number of the next variable.
    next: u32,
}

impl Unfold<'_> {
    fn unfold(&mut self, term: &HolTerm) -> HolTerm {
        let again = |kind: Kind| HolTerm { kind, ty: term.ty.clone(), at: term.at };
        match &term.kind {
            Kind::Comment(_, inner) => self.unfold(inner),
            Kind::Symbol(s) => match self.clause.formula.symbol(*s).definition.clone() {
                Some(definition) => {
                    let copy = self.substitute(&definition, &BTreeMap::new());
                    self.unfold(&copy)
                }
                None => again(term.kind.clone()),
            },
            Kind::Var(_) | Kind::Int(_) => again(term.kind.clone()),
            Kind::Op(Op::Element, sides) => {
                let element = again(Kind::Op(Op::Element, self.all(sides)));
                self.member(element)
            }
            Kind::Op(op, args) => again(Kind::Op(*op, self.all(args))),
            Kind::Bind(Quantifier::Exists, binders, body) => {
                let body = self.unfold(body);
                exists(self, binders.clone(), body)
            }
            Kind::Bind(q, binders, body) => {
                again(Kind::Bind(*q, binders.clone(), Box::new(self.unfold(body))))
            }
            Kind::Apply(head, args) => {
                let (head, args) = (self.unfold(head), self.all(args));
                match head.kind {
                    Kind::Bind(Quantifier::Lambda, binders, body)
                        if binders.len() <= args.len() && may_replace(&binders, &args, &body) =>
                    {
                        let (now, rest) = args.split_at(binders.len());
                        let ids = binders.iter().map(|b| b.id);
                        let body = self.substitute(&body, &ids.zip(now).collect());
                        let body = self.unfold(&body);
                        match rest {
                            [] => body,
                            rest => again(Kind::Apply(Box::new(body), rest.to_vec())),
                        }
                    }
                    _ => again(Kind::Apply(Box::new(head), args)),
                }
            }
        }
    }

    fn all(&mut self, terms: &[HolTerm]) -> Vec<HolTerm> {
        terms.iter().map(|t| self.unfold(t)).collect()
    }

    /// `x : {y. F}` as F of x.
    fn member(&mut self, element: HolTerm) -> HolTerm {
        let Kind::Op(Op::Element, sides) = &element.kind else { return element };
        let [x, set] = &sides[..] else { return element };
        let Kind::Bind(Quantifier::Comprehension, binders, body) = &set.kind else {
            return element;
        };
        let parts: Vec<&HolTerm> = match &x.kind {
            Kind::Op(Op::Tuple, parts) if binders.len() > 1 => parts.iter().collect(),
            _ => vec![x],
        };
        let values: Vec<HolTerm> = parts.iter().map(|p| (*p).clone()).collect();
        match parts.len() == binders.len() && may_replace(binders, &values, body) {
            true => self.substitute(body, &binders.iter().map(|b| b.id).zip(parts).collect()),
            false => element,
        }
    }

    /// A copy with terms for variables, in which bound variables have new numbers.
    fn substitute(&mut self, term: &HolTerm, by: &BTreeMap<VarId, &HolTerm>) -> HolTerm {
        let kind = match &term.kind {
            Kind::Var(v) => match by.get(v) {
                Some(replacement) => return self.substitute(replacement, &BTreeMap::new()),
                None => Kind::Var(*v),
            },
            Kind::Symbol(_) | Kind::Int(_) => term.kind.clone(),
            Kind::Op(op, args) => {
                Kind::Op(*op, args.iter().map(|t| self.substitute(t, by)).collect())
            }
            Kind::Apply(head, args) => {
                let head = Box::new(self.substitute(head, by));
                Kind::Apply(head, args.iter().map(|t| self.substitute(t, by)).collect())
            }
            Kind::Bind(q, binders, body) => {
                let mut renamed = binders.clone();
                let mut names = Vec::new();
                for binder in &mut renamed {
                    let id = VarId(self.next);
                    self.next += 1;
                    let old = std::mem::replace(&mut binder.id, id);
                    let new = HolTerm { kind: Kind::Var(id), ty: binder.ty.clone(), at: term.at };
                    names.push((old, new));
                }
                let mut inside = by.clone();
                inside.extend(names.iter().map(|(old, new)| (*old, new)));
                Kind::Bind(*q, renamed, Box::new(self.substitute(body, &inside)))
            }
            Kind::Comment(text, inner) => {
                Kind::Comment(text.clone(), Box::new(self.substitute(inner, by)))
            }
        };
        HolTerm { kind, ty: term.ty.clone(), at: term.at }
    }
}

fn of_bool(kind: Kind, like: &HolTerm) -> HolTerm {
    HolTerm { kind, ty: Type::Bool, at: like.at }
}

fn conjunction(mut parts: Vec<HolTerm>, like: &HolTerm) -> HolTerm {
    match parts.len() {
        0 => of_bool(Kind::Op(Op::True, Vec::new()), like),
        1 => parts.remove(0),
        _ => of_bool(Kind::Op(Op::And, parts), like),
    }
}

fn exists(unfold: &mut Unfold<'_>, mut binders: Vec<Binder>, mut body: HolTerm) -> HolTerm {
    while let Kind::Bind(Quantifier::Exists, more, inner) = body.kind {
        binders.extend(more);
        body = *inner;
    }
    let mut parts: Vec<HolTerm> = body.conjuncts().into_iter().cloned().collect();
    // What exists in one part exists for all of them.
    while let Some(i) =
        parts.iter().position(|p| matches!(p.kind, Kind::Bind(Quantifier::Exists, ..)))
    {
        if let Kind::Bind(_, more, inner) = parts.remove(i).kind {
            binders.extend(more);
            parts.extend(inner.conjuncts().into_iter().cloned());
        }
    }
    replace_known(unfold, &mut binders, &mut parts);
    let inner = conjunction(parts, &body);
    match binders.is_empty() {
        true => inner,
        false => {
            let like = inner.clone();
            of_bool(Kind::Bind(Quantifier::Exists, binders, Box::new(inner)), &like)
        }
    }
}

/// Replaces variables of which a part says what they are, objects only: a number may be undefined.
fn replace_known(unfold: &mut Unfold<'_>, binders: &mut Vec<Binder>, parts: &mut Vec<HolTerm>) {
    let is = |t: &HolTerm, b: &Binder| matches!(t.kind, Kind::Var(v) if v == b.id);
    let known = |binders: &[Binder], part: &HolTerm| {
        let Kind::Op(Op::Eq, sides) = &part.kind else { return None };
        let [a, b] = &sides[..] else { return None };
        binders.iter().enumerate().filter(|(_, v)| v.ty == Type::Obj).find_map(|(i, v)| {
            let value = match (is(a, v), is(b, v)) {
                (true, false) => b,
                (false, true) => a,
                _ => return None,
            };
            (!mentions(value, v.id)).then(|| (i, value.clone()))
        })
    };
    loop {
        let found = parts.iter().enumerate().find_map(|(k, p)| {
            let (i, value) = known(binders, p)?;
            let binder = std::slice::from_ref(&binders[i]);
            let value = std::slice::from_ref(&value);
            let fits = parts.iter().all(|p| may_replace(binder, value, p));
            fits.then(|| (k, (i, value[0].clone())))
        });
        let Some((k, (i, value))) = found else { return };
        parts.remove(k);
        let id = binders.remove(i).id;
        let by = BTreeMap::from([(id, &value)]);
        for term in parts.iter_mut() {
            *term = unfold.substitute(term, &by);
        }
    }
}

/// Whether terms can stand for variables: not under `old`, where they would mean something else.
fn may_replace(binders: &[Binder], values: &[HolTerm], body: &HolTerm) -> bool {
    let mut fine = true;
    body.visit(&mut |t| {
        if let Kind::Op(Op::Old, inner) = &t.kind {
            fine &= binders.iter().zip(values).all(|(b, value)| {
                matches!(value.kind, Kind::Var(_) | Kind::Op(Op::Null, _))
                    || !inner.iter().any(|t| mentions(t, b.id))
            });
        }
    });
    fine
}

fn mentions(term: &HolTerm, var: VarId) -> bool {
    let mut found = false;
    term.visit(&mut |t| found |= matches!(t.kind, Kind::Var(v) if v == var));
    found
}
