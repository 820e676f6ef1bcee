//! Formulas of the contract language, simplified where they are built.

use trellis_program::ir::CmpOp;
use trellis_program::spec::{Formula, Term};

pub(super) fn not(f: Formula) -> Formula {
    match f {
        Formula::Const(b) => Formula::Const(!b),
        Formula::Not(inner) => *inner,
        f => Formula::Not(Box::new(f)),
    }
}

pub(super) fn and(parts: Vec<Formula>) -> Formula {
    let mut kept: Vec<Formula> = Vec::new();
    for part in parts {
        match part {
            Formula::Const(true) => {}
            Formula::And(inner) => kept.extend(inner),
            part => kept.push(part),
        }
    }
    match kept.len() {
        _ if kept.contains(&Formula::Const(false)) => Formula::Const(false),
        0 => Formula::Const(true),
        1 => kept.remove(0),
        _ => Formula::And(kept),
    }
}

pub(super) fn or(parts: Vec<Formula>) -> Formula {
    match not(and(parts.into_iter().map(not).collect())) {
        // `!(!a && !b)` as `a || b`.
        Formula::Not(inner) => match *inner {
            Formula::And(parts) => Formula::Or(parts.into_iter().map(not).collect()),
            other => Formula::Not(Box::new(other)),
        },
        other => other,
    }
}

pub(super) fn implies(a: Formula, b: Formula) -> Formula {
    match (a, b) {
        (Formula::Const(true), b) => b,
        (Formula::Const(false), _) | (_, Formula::Const(true)) => Formula::Const(true),
        (a, Formula::Const(false)) => not(a),
        (a, b) => Formula::Implies(Box::new(a), Box::new(b)),
    }
}

pub(super) fn iff(a: Formula, b: Formula) -> Formula {
    match (a, b) {
        (a, Formula::Const(true)) | (Formula::Const(true), a) => a,
        (a, Formula::Const(false)) | (Formula::Const(false), a) => not(a),
        (a, b) => Formula::Iff(Box::new(a), Box::new(b)),
    }
}

pub(super) fn is_null(t: Term) -> Formula {
    match t {
        Term::Null => Formula::Const(true),
        t => Formula::Cmp(CmpOp::Eq, t, Term::Null),
    }
}

pub(super) fn is_there(t: &Term) -> Formula {
    match t {
        Term::Null => Formula::Const(false),
        t => Formula::Cmp(CmpOp::Ne, t.clone(), Term::Null),
    }
}

/// The opposite of a formula, with a quantifier as its dual.
pub(super) fn negate_forall(f: Formula) -> Formula {
    match f {
        Formula::Forall(binders, body) => {
            let body = match *body {
                Formula::Implies(a, b) => and(vec![*a, negate_forall(*b)]),
                other => negate_forall(other),
            };
            Formula::Exists(binders, Box::new(body))
        }
        Formula::And(parts) => or(parts.into_iter().map(negate_forall).collect()),
        other => not(other),
    }
}

/// Terms that are not null if a formula is true, or if it is false.
pub(super) fn facts(formula: &Formula, value: bool) -> Vec<Term> {
    match (formula, value) {
        (Formula::Cmp(CmpOp::Ne, t, Term::Null), true)
        | (Formula::Cmp(CmpOp::Ne, Term::Null, t), true)
        | (Formula::Cmp(CmpOp::Eq, t, Term::Null), false)
        | (Formula::Cmp(CmpOp::Eq, Term::Null, t), false) => vec![t.clone()],
        (Formula::Not(f), v) => facts(f, !v),
        (Formula::And(parts), true) => parts.iter().flat_map(|p| facts(p, true)).collect(),
        (Formula::Or(parts), false) => parts.iter().flat_map(|p| facts(p, false)).collect(),
        _ => vec![],
    }
}
