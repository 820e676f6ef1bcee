//! From three truth values to two.
//!
//! A clause of the user holds only if it is *true*; it is undefined where it reads an element outside
//! of an array, or a number of an object that has none, or counts integers, of which there may be no
//! end. [`holds`] is the formula of ordinary logic
//! that says so. As a hypothesis a clause is taken as it stands, which is weaker: what is true is
//! true whatever undefined parts are taken to be. Only where it stands below no quantifier, what it
//! reads must be there ([`known`]); a machine that has few integers may never ask for the element
//! that a quantifier reaches outside of an array.

use trellis_hol::{Kind, Op, Quantifier, SymbolId, Term, Type};

use crate::build::{and, apply, bind, element, implies, int, le, lt, ne, not, null, or};
use crate::signature::{Role, Signature};

/// A part that may be undefined stands where that cannot be said.
#[derive(Clone, Debug)]
pub struct Hidden(pub Term);

/// That a reduced formula is true.
///
/// # Errors
/// If something that may be undefined is below a binder that is not a quantifier.
pub fn holds(v: &mut Signature, t: &Term) -> Result<Term, Hidden> {
    says(v, t, true)
}

/// What is known where a reduced formula is true.
pub fn known(v: &mut Signature, t: &Term) -> Term {
    let mut ground = true;
    t.visit(&mut |part| ground &= !matches!(part.kind, Kind::Bind(..)));
    match &t.kind {
        Kind::Op(Op::And, args) => and(args.iter().map(|a| known(v, a)).collect()),
        _ if ground => holds(v, t).unwrap_or_else(|Hidden(_)| t.clone()),
        _ => t.clone(),
    }
}

/// That a reduced formula is true, or that it is false.
fn says(v: &mut Signature, t: &Term, value: bool) -> Result<Term, Hidden> {
    if is_total(v, t) {
        return Ok(if value { t.clone() } else { not(t.clone()) });
    }
    match &t.kind {
        Kind::Op(Op::Not, args) => says(v, &args[0], !value),
        Kind::Op(o @ (Op::And | Op::Or), args) => {
            let parts: Result<Vec<_>, _> = args.iter().map(|a| says(v, a, value)).collect();
            Ok(if (*o == Op::And) == value { and(parts?) } else { or(parts?) })
        }
        Kind::Op(Op::Implies, args) => {
            let (a, b) = (&args[0], &args[1]);
            match value {
                true if is_total(v, a) => Ok(implies(a.clone(), says(v, b, true)?)),
                true => Ok(or(vec![says(v, a, false)?, says(v, b, true)?])),
                false => Ok(and(vec![says(v, a, true)?, says(v, b, false)?])),
            }
        }
        Kind::Op(Op::Iff, args) => {
            let mut both = |x: bool, y: bool| -> Result<Term, Hidden> {
                Ok(and(vec![says(v, &args[0], x)?, says(v, &args[1], y)?]))
            };
            Ok(or(vec![both(true, value)?, both(false, !value)?]))
        }
        Kind::Op(Op::If, args) if t.ty == Type::Bool => {
            let then = and(vec![says(v, &args[0], true)?, says(v, &args[1], value)?]);
            let other = and(vec![says(v, &args[0], false)?, says(v, &args[2], value)?]);
            Ok(or(vec![then, other]))
        }
        Kind::Bind(q @ (Quantifier::Forall | Quantifier::Exists), binders, body) => {
            let body = says(v, body, value)?;
            let q = match (q, value) {
                (_, true) => *q,
                (Quantifier::Forall, _) => Quantifier::Exists,
                _ => Quantifier::Forall,
            };
            Ok(bind(q, binders.clone(), body))
        }
        _ => {
            let mut all = Vec::new();
            conditions(v, t, &mut all)?;
            all.push(if value { t.clone() } else { not(t.clone()) });
            Ok(and(all))
        }
    }
}

fn is_total(v: &Signature, t: &Term) -> bool {
    let mut total = true;
    t.visit(&mut |part| {
        if let Kind::Symbol(s) = part.kind {
            total &= *v.role(s) == Role::Plain;
        }
        total &= !matches!(part.kind, Kind::Op(Op::Div | Op::Mod, _)) && !counts_numbers(part);
    });
    total
}

/// Whether a term is the cardinality of a set that may be infinite.
fn counts_numbers(t: &Term) -> bool {
    fn is_finite(ty: &Type) -> bool {
        match ty {
            Type::Obj | Type::Bool => true,
            Type::Prod(parts) => parts.iter().all(is_finite),
            Type::Set(of) => is_finite(of),
            _ => false,
        }
    }
    matches!(&t.kind, Kind::Op(Op::Card, sets) if !sets.iter().all(|s| is_finite(&s.ty)))
}

/// What must hold so that a term has a value.
fn conditions(v: &mut Signature, t: &Term, out: &mut Vec<Term>) -> Result<(), Hidden> {
    match &t.kind {
        Kind::Apply(head, args) => {
            for arg in args {
                conditions(v, arg, out)?;
            }
            match &head.kind {
                Kind::Symbol(s) => out.extend(has_value(v, *s, args)),
                _ => conditions(v, head, out)?,
            }
            Ok(())
        }
        Kind::Op(Op::If, args) => {
            let (mut then, mut other) = (Vec::new(), Vec::new());
            conditions(v, &args[1], &mut then)?;
            conditions(v, &args[2], &mut other)?;
            let (yes, no) = (says(v, &args[0], true)?, says(v, &args[0], false)?);
            out.push(or(vec![and(vec![yes, and(then)]), and(vec![no, and(other)])]));
            Ok(())
        }
        Kind::Op(Op::Div | Op::Mod, args) => {
            out.push(ne(args[1].clone(), int(0)));
            args.iter().try_for_each(|a| conditions(v, a, out))
        }
        Kind::Op(Op::Card, _) if counts_numbers(t) => Err(Hidden(t.clone())),
        Kind::Op(_, args) => args.iter().try_for_each(|a| conditions(v, a, out)),
        Kind::Bind(_, _, body) => match is_total(v, body) {
            true => Ok(()),
            false => Err(Hidden(t.clone())),
        },
        // A function that is not applied.
        Kind::Symbol(s) if *v.role(*s) != Role::Plain => Err(Hidden(t.clone())),
        _ => Ok(()),
    }
}

fn has_value(v: &mut Signature, s: SymbolId, args: &[Term]) -> Vec<Term> {
    let role = v.role(s).clone();
    let mut all = Vec::new();
    let mut exists = |v: &Signature, who: Option<SymbolId>| {
        if let Some(who) = who {
            all.push(element(args[0].clone(), v.term(who)));
        }
    };
    match role {
        Role::Plain => {}
        Role::Partial(class, who) => {
            exists(v, who);
            all.push(v.of_class(&args[0], class));
        }
        Role::Length => {
            let arrays = v.all_arrays();
            all.push(v.of_class(&args[0], arrays));
        }
        Role::Elements(kinds, who) => {
            exists(v, who);
            all.push(ne(args[0].clone(), null()));
            let kinds = kinds.iter().map(|k| element(args[0].clone(), v.term(*k))).collect();
            all.push(or(kinds));
            if let Some(index) = args.get(1) {
                let length = v.length();
                let length = apply(v.term(length), vec![args[0].clone()]);
                all.push(le(int(0), index.clone()));
                all.push(lt(index.clone(), length));
            }
        }
    }
    all
}
