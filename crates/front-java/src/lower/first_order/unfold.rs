//! Terms without definitions, with functions applied to their arguments, and without variables that
//! can only be one thing.
//!
//! `EX v. v = t & F` is F of t, and `ALL v. v = t & F --> G` is `F --> G` of t. That does not only save a
//! quantifier: the logic knows that there is a t.

use std::collections::BTreeMap;

use trellis_hol::{Binder, Kind, Op, Quantifier, Term as HolTerm, Type, VarId};
use trellis_program::spec::HolClause;

/// The term without definitions, and with functions applied to their arguments.
pub(super) fn unfold(clause: &HolClause, term: &HolTerm) -> HolTerm {
    let again = |kind: Kind| HolTerm { kind, ty: term.ty.clone(), at: term.at };
    let all =
        |terms: &[HolTerm]| -> Vec<HolTerm> { terms.iter().map(|t| unfold(clause, t)).collect() };
    match &term.kind {
        Kind::Comment(_, inner) => unfold(clause, inner),
        Kind::Symbol(s) => match &clause.formula.symbol(*s).definition {
            Some(definition) => unfold(clause, definition),
            None => again(term.kind.clone()),
        },
        Kind::Var(_) | Kind::Int(_) => again(term.kind.clone()),
        Kind::Op(Op::Element, sides) => member(again(Kind::Op(Op::Element, all(sides)))),
        Kind::Op(op, args) => again(Kind::Op(*op, all(args))),
        Kind::Bind(q @ (Quantifier::Exists | Quantifier::Forall), binders, body) => {
            let (binders, body) = (binders.clone(), unfold(clause, body));
            match q {
                Quantifier::Exists => exists(binders, body),
                _ => forall(binders, body),
            }
        }
        Kind::Bind(q, binders, body) => {
            again(Kind::Bind(*q, binders.clone(), Box::new(unfold(clause, body))))
        }
        Kind::Apply(head, args) => {
            let (head, args) = (unfold(clause, head), all(args));
            match head.kind {
                Kind::Bind(Quantifier::Lambda, binders, body) if binders.len() <= args.len() => {
                    let (now, rest) = args.split_at(binders.len());
                    let ids = binders.iter().map(|b| b.id);
                    let body = substitute(&body, &ids.zip(now).collect());
                    let body = unfold(clause, &body);
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

/// `x : {y. F}` as F of x.
fn member(element: HolTerm) -> HolTerm {
    let Kind::Op(Op::Element, sides) = &element.kind else { return element };
    let [x, set] = &sides[..] else { return element };
    let Kind::Bind(Quantifier::Comprehension, binders, body) = &set.kind else { return element };
    let parts: Vec<&HolTerm> = match &x.kind {
        Kind::Op(Op::Tuple, parts) if binders.len() > 1 => parts.iter().collect(),
        _ => vec![x],
    };
    match parts.len() == binders.len() {
        true => substitute(body, &binders.iter().map(|b| b.id).zip(parts).collect()),
        false => element,
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

fn exists(mut binders: Vec<Binder>, mut body: HolTerm) -> HolTerm {
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
    replace_known(&mut binders, &mut parts, &mut []);
    let inner = conjunction(parts, &body);
    match binders.is_empty() {
        true => inner,
        false => {
            let like = inner.clone();
            of_bool(Kind::Bind(Quantifier::Exists, binders, Box::new(inner)), &like)
        }
    }
}

fn forall(mut binders: Vec<Binder>, mut body: HolTerm) -> HolTerm {
    while let Kind::Bind(Quantifier::Forall, more, inner) = body.kind {
        binders.extend(more);
        body = *inner;
    }
    if let Kind::Op(Op::Implies, sides) = &body.kind
        && let [premise, conclusion] = &sides[..]
    {
        let mut parts: Vec<HolTerm> = premise.conjuncts().into_iter().cloned().collect();
        while let Some(i) =
            parts.iter().position(|p| matches!(p.kind, Kind::Bind(Quantifier::Exists, ..)))
        {
            if let Kind::Bind(_, more, inner) = parts.remove(i).kind {
                binders.extend(more);
                parts.extend(inner.conjuncts().into_iter().cloned());
            }
        }
        let mut conclusion = [conclusion.clone()];
        replace_known(&mut binders, &mut parts, &mut conclusion);
        let [conclusion] = conclusion;
        let premise = conjunction(parts, &body);
        body = of_bool(Kind::Op(Op::Implies, vec![premise, conclusion]), &body);
    }
    match binders.is_empty() {
        true => body,
        false => {
            let like = body.clone();
            of_bool(Kind::Bind(Quantifier::Forall, binders, Box::new(body)), &like)
        }
    }
}

/// Replaces variables of which a part says what they are, objects only: a number may be undefined.
fn replace_known(
    binders: &mut Vec<Binder>,
    parts: &mut Vec<HolTerm>,
    others: &mut [HolTerm],
) {
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
        let found = parts.iter().enumerate().find_map(|(k, p)| Some((k, known(binders, p)?)));
        let Some((k, (i, value))) = found else { return };
        parts.remove(k);
        let id = binders.remove(i).id;
        let by = BTreeMap::from([(id, &value)]);
        for term in parts.iter_mut().chain(others.iter_mut()) {
            *term = substitute(term, &by);
        }
    }
}

fn mentions(term: &HolTerm, var: VarId) -> bool {
    let mut found = false;
    term.visit(&mut |t| found |= matches!(t.kind, Kind::Var(v) if v == var));
    found
}

/// Variables replaced by terms. Numbers of bound variables are unique, so nothing is captured.
fn substitute(term: &HolTerm, by: &BTreeMap<VarId, &HolTerm>) -> HolTerm {
    let all = |terms: &[HolTerm]| terms.iter().map(|t| substitute(t, by)).collect();
    let kind = match &term.kind {
        Kind::Var(v) => match by.get(v) {
            Some(replacement) => return (*replacement).clone(),
            None => Kind::Var(*v),
        },
        Kind::Symbol(_) | Kind::Int(_) => term.kind.clone(),
        Kind::Op(op, args) => Kind::Op(*op, all(args)),
        Kind::Apply(head, args) => Kind::Apply(Box::new(substitute(head, by)), all(args)),
        Kind::Bind(q, binders, body) => {
            Kind::Bind(*q, binders.clone(), Box::new(substitute(body, by)))
        }
        Kind::Comment(text, inner) => Kind::Comment(text.clone(), Box::new(substitute(inner, by))),
    };
    HolTerm { kind, ty: term.ty.clone(), at: term.at }
}
