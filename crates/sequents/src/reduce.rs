//! Terms without abbreviations: functions applied, sets as what is in them.
//!
//! A written function at an argument becomes a case split, membership in a described set its
//! description, equality and inclusion of sets a quantifier, closure of a set of pairs closure of a
//! predicate. What is left of sets are symbols, variables, and what only counts them.
//!
//! **Invariant.** The result means the same, undefined parts included: nothing is dropped that could
//! be undefined.

use std::collections::BTreeMap;

use trellis_hol::{Binder, Kind, Op, Quantifier, Term, Type};

use crate::build::{
    Fresh, and, apply, bind, element, eq, implies, ite, map_parts, not, op, or, rename, substitute,
    truth, var,
};

/// What reduction needs besides the term.
pub struct Reducer<'a> {
    /// Numbers for variables.
    pub fresh: &'a mut Fresh,
    /// The set that objects are taken from; all objects if there is none.
    pub domain: Option<Term>,
}

impl Reducer<'_> {
    /// The reduced term.
    pub fn reduce(&mut self, t: &Term) -> Term {
        match &t.kind {
            Kind::Comment(_, inner) => self.reduce(inner),
            Kind::Apply(head, args) => {
                let head = self.reduce(head);
                let args = args.iter().map(|a| self.reduce(a)).collect();
                self.applied(head, args)
            }
            Kind::Op(o, args) => {
                let args: Vec<Term> = args.iter().map(|a| self.reduce(a)).collect();
                self.operation(*o, args, &t.ty)
            }
            Kind::Bind(q, binders, body) => {
                let body = self.reduce(body);
                bind(*q, binders.clone(), body)
            }
            _ => map_parts(t, &mut |p| self.reduce(p)),
        }
    }

    /// A reduced function at reduced arguments.
    fn applied(&mut self, head: Term, mut args: Vec<Term>) -> Term {
        if args.is_empty() {
            return head;
        }
        match &head.kind {
            Kind::Bind(Quantifier::Lambda, binders, body) => {
                let count = binders.len().min(args.len());
                let rest = args.split_off(count);
                let inner = bind(Quantifier::Lambda, binders[count..].to_vec(), (**body).clone());
                let inner = rename(&inner, self.fresh);
                let by: BTreeMap<_, _> = binders.iter().map(|b| b.id).zip(args).collect();
                let inner = self.reduce(&substitute(&inner, &by));
                self.applied(inner, rest)
            }
            Kind::Op(Op::Update, parts) => {
                let [f, x, v] = &parts[..] else { return apply(head, args) };
                let (first, rest) = (args[0].clone(), args[1..].to_vec());
                let there = self.applied(v.clone(), rest);
                let elsewhere = self.applied(f.clone(), args);
                ite(self.same(first, x.clone()), there, elsewhere)
            }
            Kind::Op(Op::If, parts) => {
                let [c, a, b] = &parts[..] else { return apply(head, args) };
                let a = self.applied(a.clone(), args.clone());
                let b = self.applied(b.clone(), args);
                ite(c.clone(), a, b)
            }
            _ => apply(head, args),
        }
    }

    /// Equality of two objects or indices: of the same term it is true, for both are defined.
    fn same(&mut self, a: Term, b: Term) -> Term {
        if a == b { truth(true) } else { eq(a, b) }
    }

    fn operation(&mut self, o: Op, mut args: Vec<Term>, ty: &Type) -> Term {
        match (o, &args[..]) {
            (Op::And, _) => and(args),
            (Op::Or, _) => or(args),
            (Op::Not, [_]) => not(args.remove(0)),
            (Op::Implies, [a, b]) => implies(a.clone(), b.clone()),
            (Op::If, [c, a, b]) => ite(c.clone(), a.clone(), b.clone()),
            (Op::Element, [x, s]) => self.member(x.clone(), s),
            (Op::Eq, [a, b]) => self.equal(a.clone(), b.clone()),
            (Op::SubsetEq, [a, b]) => self.included(a, b),
            (Op::Subset, [a, b]) => {
                let different = not(self.equal(a.clone(), b.clone()));
                and(vec![self.included(a, b), different])
            }
            (Op::Reaches, [r, a, b]) => {
                let relation = self.as_lambda(r.clone());
                op(Op::Reaches, vec![relation, a.clone(), b.clone()], Type::Bool)
            }
            _ => op(o, args, ty.clone()),
        }
    }

    /// A predicate of two arguments, written out.
    fn as_lambda(&mut self, r: Term) -> Term {
        if matches!(&r.kind, Kind::Bind(Quantifier::Lambda, binders, _) if binders.len() == 2) {
            return r;
        }
        let Type::Fun(from, _) = r.ty.clone() else { return r };
        let (x, y) = (self.fresh.binder("x", (*from).clone()), self.fresh.binder("y", *from));
        let body = self.applied(r, vec![var(&x), var(&y)]);
        bind(Quantifier::Lambda, vec![x, y], body)
    }

    /// Membership in a reduced set.
    pub fn member(&mut self, x: Term, s: &Term) -> Term {
        match &s.kind {
            Kind::Op(Op::EmptySet, _) => truth(false),
            Kind::Op(Op::Universe, _) => truth(true),
            Kind::Op(Op::Union, parts) => {
                or(parts.iter().map(|p| self.member(x.clone(), p)).collect())
            }
            Kind::Op(Op::Inter, parts) => {
                and(parts.iter().map(|p| self.member(x.clone(), p)).collect())
            }
            Kind::Op(Op::Difference, parts) => {
                let out = not(self.member(x.clone(), &parts[1]));
                and(vec![self.member(x, &parts[0]), out])
            }
            Kind::Op(Op::Listed, parts) => {
                or(parts.iter().map(|p| self.equal(x.clone(), p.clone())).collect())
            }
            Kind::Op(Op::If, parts) => {
                let [c, a, b] = &parts[..] else { return element(x, s.clone()) };
                let (a, b) = (self.member(x.clone(), a), self.member(x, b));
                ite(c.clone(), a, b)
            }
            Kind::Bind(Quantifier::Comprehension, binders, body) => {
                let values = match (&binders[..], &x.kind) {
                    ([_], _) => vec![x],
                    (_, Kind::Op(Op::Tuple, parts)) if parts.len() == binders.len() => {
                        parts.clone()
                    }
                    _ => return element(x, s.clone()),
                };
                let by: BTreeMap<_, _> = binders.iter().map(|b| b.id).zip(values).collect();
                let body = rename(body, self.fresh);
                let body = substitute(&body, &by);
                self.reduce(&body)
            }
            Kind::Op(Op::Closure, parts) => match &x.kind {
                Kind::Op(Op::Tuple, ends) if ends.len() == 2 => {
                    let ty = ends[0].ty.clone();
                    let (a, b) = (self.fresh.binder("x", ty.clone()), self.fresh.binder("y", ty));
                    let pair_ty = Type::Prod(vec![a.ty.clone(), b.ty.clone()]);
                    let pair = op(Op::Tuple, vec![var(&a), var(&b)], pair_ty);
                    let body = self.member(pair, &parts[0]);
                    let relation = bind(Quantifier::Lambda, vec![a, b], body);
                    let args = vec![relation, ends[0].clone(), ends[1].clone()];
                    op(Op::Reaches, args, Type::Bool)
                }
                _ => element(x, s.clone()),
            },
            _ => element(x, s.clone()),
        }
    }

    fn equal(&mut self, a: Term, b: Term) -> Term {
        match (&a.ty, &a.kind, &b.kind) {
            (Type::Set(of), ..) => {
                let of = (**of).clone();
                self.for_all_elements(&of, &mut |r, x| eq(r.member(x.clone(), &a), r.member(x, &b)))
            }
            (Type::Fun(from, _), ..) => {
                let x = self.fresh.binder("x", (**from).clone());
                let (left, right) =
                    (self.applied(a, vec![var(&x)]), self.applied(b, vec![var(&x)]));
                let same = self.equal(left, right);
                bind(Quantifier::Forall, vec![x], same)
            }
            (_, Kind::Op(Op::Tuple, xs), Kind::Op(Op::Tuple, ys)) if xs.len() == ys.len() => {
                let pairs = xs.clone().into_iter().zip(ys.clone());
                and(pairs.map(|(x, y)| self.equal(x, y)).collect())
            }
            _ => eq(a, b),
        }
    }

    fn included(&mut self, a: &Term, b: &Term) -> Term {
        let Type::Set(of) = a.ty.clone() else {
            return op(Op::SubsetEq, vec![a.clone(), b.clone()], Type::Bool);
        };
        self.for_all_elements(&of, &mut |r, x| implies(r.member(x.clone(), a), r.member(x, b)))
    }

    /// A property of all values of the type of elements.
    fn for_all_elements(
        &mut self,
        of: &Type,
        body: &mut dyn FnMut(&mut Self, Term) -> Term,
    ) -> Term {
        let types = match of {
            Type::Prod(parts) => parts.clone(),
            one => vec![one.clone()],
        };
        let binders: Vec<Binder> =
            types.iter().map(|t| self.fresh.binder("v", t.clone())).collect();
        let x = match &binders[..] {
            [one] => var(one),
            many => op(Op::Tuple, many.iter().map(var).collect(), of.clone()),
        };
        let inner = body(self, x);
        self.quantified(Quantifier::Forall, binders, inner)
    }

    /// A quantifier whose objects are taken from the domain.
    pub fn quantified(&mut self, q: Quantifier, binders: Vec<Binder>, body: Term) -> Term {
        let Some(domain) = self.domain.clone() else { return bind(q, binders, body) };
        let objects = binders.iter().filter(|b| b.ty == Type::Obj);
        let inside = objects.map(|b| self.member(var(b), &domain)).collect();
        let inside = and(inside);
        let body = match q {
            Quantifier::Exists => and(vec![inside, body]),
            _ => implies(inside, body),
        };
        bind(q, binders, body)
    }
}
