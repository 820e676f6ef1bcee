//! Sets, and what is compared element by element.
//!
//! A set is kept as it was described and asked for members. Where two sets are compared or one is
//! counted, every value of their type is asked about; over integers these are the integers of the
//! model, and a set that has the largest or the least of them may have more members than are seen.

use std::rc::Rc;

use super::{Env, Evaluator, Truth, Val, Value, View, closure};
use crate::term::{Binder, Kind, Op, Quantifier, SymbolId, Term};
use crate::types::Type;

/// A set.
pub(super) enum Set<'a> {
    Empty,
    Everything,
    Listed(Vec<Val<'a>>),
    Symbol(SymbolId, View),
    /// Variables, formula, and the variables that it sees.
    Comprehension(&'a [Binder], &'a Term, Env<'a>, View),
    Join(Op, Rc<Set<'a>>, Rc<Set<'a>>),
    /// The closure of a relation, and the type of what it relates.
    Closure(Rc<Set<'a>>, Type),
    /// Some values of a finite type: a value of a quantified set.
    Chosen(Rc<Vec<Val<'a>>>, u32),
}

/// Sets of more values are not enumerated.
const MOST_CHOSEN: usize = 8;

impl<'a> Evaluator<'a> {
    /// The value of a term whose type is a set.
    pub(super) fn set(&mut self, op: Op, args: &'a [Term]) -> Option<Val<'a>> {
        let mut operand = |t: &'a Term| match self.value(t)? {
            Val::Set(s) => Some(s),
            _ => None,
        };
        let set = match (op, args) {
            (Op::EmptySet, _) => Set::Empty,
            (Op::Universe, _) => Set::Everything,
            (Op::Union | Op::Inter | Op::Difference, [a, b]) => {
                Set::Join(op, operand(a)?, operand(b)?)
            }
            (Op::Closure, [r]) => {
                let Type::Set(pairs) = &r.ty else { return None };
                let Type::Prod(parts) = &**pairs else { return None };
                Set::Closure(operand(r)?, parts[0].clone())
            }
            (Op::Listed, parts) => {
                let parts: Option<Vec<_>> = parts.iter().map(|p| self.value(p)).collect();
                Set::Listed(parts?)
            }
            _ => return None,
        };
        Some(Val::Set(Rc::new(set)))
    }

    /// `a : b`. A comprehension that is written out is asked without making a set of it, and a
    /// pair without making a pair.
    pub(super) fn is_element(&mut self, a: &'a Term, b: &'a Term) -> Truth {
        if let (Kind::Op(Op::Tuple, parts), Kind::Bind(Quantifier::Comprehension, vars, body)) =
            (&a.bare().kind, &b.bare().kind)
            && parts.len() == vars.len()
        {
            let values: Option<Vec<_>> = parts.iter().map(|p| self.value(p)).collect();
            let Some(values) = values else { return Truth::Undefined };
            let view = self.view;
            let env = self.env.clone();
            return self.body_at(vars, body, env, view, &values);
        }
        match (self.value(a), self.value(b)) {
            (Some(x), Some(Val::Set(s))) => self.member(&s, &x, &a.ty),
            _ => Truth::Undefined,
        }
    }

    /// Whether a value of type `ty` is in a set.
    pub(super) fn member(&mut self, set: &Set<'a>, value: &Val<'a>, ty: &Type) -> Truth {
        match set {
            Set::Empty => Truth::False,
            Set::Everything => Truth::True,
            Set::Listed(parts) => {
                let mut known = Truth::False;
                for part in parts {
                    known = known.max(self.equal(part, value, ty));
                    if known == Truth::True {
                        break;
                    }
                }
                known
            }
            Set::Symbol(id, view) => match value.object() {
                Some(object) => self.model.contains(*id, *view, object),
                None => Truth::Undefined,
            },
            Set::Comprehension(vars, body, env, view) => match (value, vars) {
                (v, [_]) => self.body_at(vars, body, env.clone(), *view, std::slice::from_ref(v)),
                (Val::Tuple(parts), vars) if parts.len() == vars.len() => {
                    self.body_at(vars, body, env.clone(), *view, parts)
                }
                _ => Truth::Undefined,
            },
            Set::Join(op, a, b) => {
                let in_a = self.member(a, value, ty);
                match (op, in_a) {
                    (Op::Union, Truth::True) => Truth::True,
                    (Op::Union, _) => in_a.max(self.member(b, value, ty)),
                    (_, Truth::False) => Truth::False,
                    (Op::Inter, _) => in_a.and(self.member(b, value, ty)),
                    _ => in_a.and(!self.member(b, value, ty)),
                }
            }
            Set::Closure(relation, element) => match value {
                Val::Tuple(parts) if parts.len() == 2 => {
                    let relation = closure::Relation::Pairs(relation.clone());
                    self.reaches(&relation, &parts[0], &parts[1], element)
                }
                _ => Truth::Undefined,
            },
            Set::Chosen(values, bits) => {
                let mut known = Truth::False;
                for (i, part) in values.iter().enumerate() {
                    if bits & 1 << i != 0 {
                        known = known.max(self.equal(part, value, ty));
                    }
                }
                known
            }
        }
    }

    /// The truth of a body with values for its variables.
    pub(super) fn body_at(
        &mut self,
        vars: &'a [Binder],
        body: &'a Term,
        env: Env<'a>,
        view: View,
        values: &[Val<'a>],
    ) -> Truth {
        let mut inner = env;
        for (var, value) in vars.iter().zip(values) {
            let scope = super::Binding { id: var.id, value: value.clone(), outer: inner };
            inner = Some(Rc::new(scope));
        }
        self.within(inner, view, |e| e.truth(body))
    }

    pub(super) fn equal_terms(&mut self, a: &'a Term, b: &'a Term) -> Truth {
        match (self.value(a), self.value(b)) {
            (Some(x), Some(y)) => self.equal(&x, &y, &a.ty),
            _ => Truth::Undefined,
        }
    }

    /// Whether two values of a type are the same.
    pub(super) fn equal(&mut self, a: &Val<'a>, b: &Val<'a>, ty: &Type) -> Truth {
        match (a, b, ty) {
            (Val::Plain(a), Val::Plain(b), _) => (a == b).into(),
            (Val::Tuple(a), Val::Tuple(b), Type::Prod(parts)) if a.len() == b.len() => {
                let mut known = Truth::True;
                for ((a, b), ty) in a.iter().zip(b.iter()).zip(parts) {
                    known = known.and(self.equal(a, b, ty));
                }
                known
            }
            (Val::Set(a), Val::Set(b), Type::Set(element)) => {
                let (a, b) = (a.clone(), b.clone());
                self.for_each_value(element, |e, v| {
                    let in_a = e.member(&a, v, element);
                    in_a.iff(e.member(&b, v, element))
                })
            }
            (a @ Val::Fun(_), b @ Val::Fun(_), Type::Fun(from, to)) => {
                let (a, b) = (a.clone(), b.clone());
                self.for_each_value(from, |e, v| {
                    match (e.apply(&a, v.clone()), e.apply(&b, v.clone())) {
                        (Some(x), Some(y)) => e.equal(&x, &y, to),
                        _ => Truth::Undefined,
                    }
                })
            }
            _ => Truth::Undefined,
        }
    }

    /// Whether a set is part of another one; with `proper`, not the same.
    pub(super) fn included(&mut self, a: &Val<'a>, b: &Val<'a>, ty: &Type, proper: bool) -> Truth {
        let (Val::Set(x), Val::Set(y), Type::Set(element)) = (a, b, ty) else {
            return Truth::Undefined;
        };
        let (x, y) = (x.clone(), y.clone());
        let inside = self.for_each_value(element, |e, v| match e.member(&x, v, element) {
            Truth::False => Truth::True,
            in_x => (!in_x).max(e.member(&y, v, element)),
        });
        match inside {
            Truth::False => Truth::False,
            inside if proper => inside.and(!self.equal(a, b, ty)),
            inside => inside,
        }
    }

    /// How many members a set has.
    pub(super) fn card(&mut self, set: &Val<'a>, ty: &Type) -> Option<i128> {
        let (Val::Set(set), Type::Set(element)) = (set, ty) else { return None };
        let set = set.clone();
        let (mut count, mut known) = (0, true);
        let ends = [self.model.ints().first().copied(), self.model.ints().last().copied()];
        let complete = self.each(element, &mut |e, v| {
            match e.member(&set, &v, element) {
                Truth::True => {
                    count += 1;
                    known &= !touches(&v, &ends);
                }
                Truth::False => {}
                Truth::Undefined => known = false,
            }
            known
        })?;
        (known && complete).then_some(count)
    }

    /// The conjunction over all values of a type; true only if there can be no others.
    fn for_each_value(
        &mut self,
        ty: &Type,
        mut f: impl FnMut(&mut Self, &Val<'a>) -> Truth,
    ) -> Truth {
        let mut known = Truth::True;
        let complete = self.each(ty, &mut |e, v| {
            known = known.and(f(e, &v));
            known != Truth::False
        });
        match complete {
            Some(true) => known,
            _ if known == Truth::False => Truth::False,
            _ => Truth::Undefined,
        }
    }

    /// Calls `f` with every value of a type until it says no. The answer is whether there can be no
    /// other values; `None` for a type whose values are not enumerated.
    pub(super) fn each(
        &mut self,
        ty: &Type,
        f: &mut dyn FnMut(&mut Self, Val<'a>) -> bool,
    ) -> Option<bool> {
        match ty {
            Type::Bool => {
                let _ = [false, true].into_iter().all(|b| f(self, Val::Plain(Value::Bool(b))));
                Some(true)
            }
            Type::Int => {
                let model = self.model;
                let _ = model.ints().iter().all(|i| f(self, Val::Plain(Value::Int(*i))));
                Some(!model.is_partial())
            }
            Type::Obj => {
                let count = self.model.objects();
                let objects = std::iter::once(None).chain((0..count).map(Some));
                let mut objects = objects.map(|o| Val::Plain(Value::Obj(o)));
                let _ = objects.all(|o| f(self, o));
                Some(!self.model.is_partial())
            }
            Type::Prod(parts) => self.each_tuple(parts, &mut Vec::new(), f).map(|(c, _)| c),
            Type::Set(element) => {
                let mut values = Vec::new();
                let complete = self.each(element, &mut |_, v| {
                    values.push(v);
                    values.len() <= MOST_CHOSEN
                })?;
                if values.len() > MOST_CHOSEN {
                    return None;
                }
                let (count, values) = (1u32 << values.len(), Rc::new(values));
                let _ = (0..count)
                    .all(|bits| f(self, Val::Set(Rc::new(Set::Chosen(values.clone(), bits)))));
                Some(complete)
            }
            Type::Unit | Type::List(_) | Type::Fun(..) | Type::Var(_) => None,
        }
    }

    /// Whether there can be no other tuples, and whether to go on.
    fn each_tuple(
        &mut self,
        parts: &[Type],
        chosen: &mut Vec<Val<'a>>,
        f: &mut dyn FnMut(&mut Self, Val<'a>) -> bool,
    ) -> Option<(bool, bool)> {
        let Some((first, rest)) = parts.split_first() else {
            let tuple = Val::Tuple(chosen.clone().into());
            return Some((true, f(self, tuple)));
        };
        let (mut complete, mut on, mut known) = (true, true, true);
        let outer = self.each(first, &mut |e, v| {
            chosen.push(v);
            let inner = e.each_tuple(rest, chosen, f);
            chosen.pop();
            match inner {
                Some((c, go)) => {
                    complete &= c;
                    on = go;
                }
                None => (known, on) = (false, false),
            }
            on
        })?;
        known.then_some((complete && outer, on))
    }
}

/// Whether a value has one of the last integers that are looked at.
fn touches(value: &Val<'_>, ends: &[Option<i128>; 2]) -> bool {
    match value {
        Val::Plain(Value::Int(i)) => ends.contains(&Some(*i)),
        Val::Tuple(parts) => parts.iter().any(|p| touches(p, ends)),
        _ => false,
    }
}
