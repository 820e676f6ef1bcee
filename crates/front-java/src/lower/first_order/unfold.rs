//! Terms without definitions, and with functions applied to their arguments.

use std::collections::BTreeMap;

use trellis_hol::{Kind, Quantifier, Term as HolTerm, VarId};
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
        Kind::Op(op, args) => again(Kind::Op(*op, all(args))),
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
