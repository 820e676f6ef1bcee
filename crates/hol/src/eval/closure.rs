//! Reflexive and transitive closure, and trees of fields.
//!
//! A relation `{(x, y). x..f = y | x..g = y}` is followed field by field; that is exact on partial
//! heaps too, since a field that is not chosen yet says so. Any other relation is asked about every
//! pair of values, and on a partial heap a path that is not there may still come.

use std::rc::Rc;

use super::sets::Set;
use super::{Evaluator, Fun, Truth, Val, Value, View};
use crate::term::{Binder, Kind, Op, SymbolId, Term};
use crate::types::Type;

/// A relation between two values of a type.
pub(super) enum Relation<'a> {
    /// A set of pairs.
    Pairs(Rc<Set<'a>>),
    /// A predicate of two arguments.
    Curried(Fun<'a>),
}

impl<'a> Evaluator<'a> {
    /// Whether `to` is reached from `from` in any number of steps.
    pub(super) fn reaches(
        &mut self,
        relation: &Relation<'a>,
        from: &Val<'a>,
        to: &Val<'a>,
        ty: &Type,
    ) -> Truth {
        let same = self.equal(from, to, ty);
        if same == Truth::True {
            return same;
        }
        if let (Some((fields, view)), Some(from), Some(to)) =
            (steps_by_fields(relation), from.object(), to.object())
        {
            return self.reaches_by_fields(&fields, view, from, to);
        }
        let mut values = Vec::new();
        let Some(complete) = self.each(ty, &mut |_, v| {
            values.push(v);
            true
        }) else {
            return Truth::Undefined;
        };
        let mut reached = vec![Truth::False; values.len()];
        for (i, v) in values.iter().enumerate() {
            reached[i] = self.equal(from, v, ty);
        }
        // The best path to every value: true if all its steps are, undefined if some are.
        loop {
            let mut changed = false;
            for i in 0..values.len() {
                for j in 0..values.len() {
                    if reached[i] > reached[j] {
                        let step = self.relates(relation, &values[i], &values[j]);
                        let through = reached[i].and(step);
                        changed |= through > reached[j];
                        reached[j] = reached[j].max(through);
                    }
                }
            }
            if !changed {
                break;
            }
        }
        let mut known = if complete { Truth::False } else { Truth::Undefined };
        for (v, r) in values.iter().zip(&reached) {
            known = known.max(r.and(self.equal(v, to, ty)));
        }
        known
    }

    fn relates(&mut self, relation: &Relation<'a>, x: &Val<'a>, y: &Val<'a>) -> Truth {
        match relation {
            Relation::Pairs(set) => {
                let pair = Val::Tuple([x.clone(), y.clone()].into());
                let ty = Type::Prod(vec![Type::Obj, Type::Obj]);
                self.member(set, &pair, &ty)
            }
            Relation::Curried(Fun::Lambda(vars, body, env, view)) if vars.len() == 2 => {
                let values = [x.clone(), y.clone()];
                self.body_at(vars, body, env.clone(), *view, &values)
            }
            Relation::Curried(f) => {
                let fun = Val::Fun(f.clone());
                let partial = self.apply(&fun, x.clone());
                match partial.and_then(|p| self.apply(&p, y.clone())) {
                    Some(Val::Plain(Value::Bool(b))) => b.into(),
                    _ => Truth::Undefined,
                }
            }
        }
    }

    fn reaches_by_fields(
        &self,
        fields: &[SymbolId],
        view: View,
        from: Option<u32>,
        to: Option<u32>,
    ) -> Truth {
        let mut seen = vec![from];
        let mut known = Truth::False;
        let mut next = 0;
        while next < seen.len() {
            let at = seen[next];
            next += 1;
            for field in fields {
                match self.model.field(*field, view, at) {
                    Some(Value::Obj(o)) if o == to => return Truth::True,
                    Some(Value::Obj(o)) if seen.contains(&o) => {}
                    Some(Value::Obj(o)) => seen.push(o),
                    _ => known = Truth::Undefined,
                }
            }
        }
        known
    }

    /// Where fields lead from an object, without null.
    fn children(&mut self, fields: &[Val<'a>], object: u32) -> (Vec<u32>, bool) {
        let (mut children, mut open) = (Vec::new(), false);
        for field in fields {
            match self.apply(field, Val::Plain(Value::Obj(Some(object)))) {
                Some(Val::Plain(Value::Obj(Some(o)))) => children.push(o),
                Some(Val::Plain(Value::Obj(None))) => {}
                _ => open = true,
            }
        }
        (children, open)
    }

    pub(super) fn is_tree(&mut self, fields: &'a [Term]) -> Truth {
        let fields: Option<Vec<_>> = fields.iter().map(|f| self.value(f)).collect();
        let Some(fields) = fields else { return Truth::Undefined };
        let count = self.model.objects();
        let (mut parents, mut open) = (vec![None; count as usize], self.model.is_partial());
        for object in 0..count {
            let (children, unknown) = self.children(&fields, object);
            open |= unknown;
            for child in children {
                match parents.get_mut(child as usize) {
                    Some(parent @ None) => *parent = Some(object),
                    Some(Some(_)) => return Truth::False,
                    None => open = true,
                }
            }
        }
        // With one parent each, a cycle is met by going up.
        for object in 0..count {
            let mut at = parents[object as usize];
            while let Some(up) = at {
                if up == object {
                    return Truth::False;
                }
                at = parents[up as usize].filter(|next| *next != up);
                if at.is_some_and(|next| is_on_cycle(&parents, next)) {
                    return Truth::False;
                }
            }
        }
        if open { Truth::Undefined } else { Truth::True }
    }

    /// `ptree p fields`: of a child, `p` is the parent; of everything else null.
    pub(super) fn is_parent_tree(&mut self, parent: &'a Term, fields: &'a [Term]) -> Truth {
        let tree = self.is_tree(fields);
        if tree == Truth::False {
            return tree;
        }
        let values: Option<Vec<_>> = fields.iter().map(|f| self.value(f)).collect();
        let (Some(fields), Some(parent)) = (values, self.value(parent)) else {
            return Truth::Undefined;
        };
        let count = self.model.objects();
        let mut parents = vec![None; count as usize];
        let mut open = false;
        for object in 0..count {
            let (children, unknown) = self.children(&fields, object);
            open |= unknown;
            for child in children {
                if let Some(slot) = parents.get_mut(child as usize) {
                    *slot = Some(object);
                }
            }
        }
        let mut known = tree;
        for object in 0..count {
            let up = self.apply(&parent, Val::Plain(Value::Obj(Some(object))));
            let expected = parents[object as usize];
            known = known.and(match up {
                Some(Val::Plain(Value::Obj(up))) if up == expected => Truth::True,
                // A parent may still be chosen.
                Some(Val::Plain(Value::Obj(_))) if open && expected.is_none() => Truth::Undefined,
                Some(Val::Plain(Value::Obj(_))) => Truth::False,
                _ => Truth::Undefined,
            });
        }
        known
    }
}

/// Whether going up from an object comes back to it.
fn is_on_cycle(parents: &[Option<u32>], start: u32) -> bool {
    let mut at = parents[start as usize];
    for _ in 0..parents.len() {
        match at {
            Some(up) if up == start => return true,
            Some(up) => at = parents[up as usize],
            None => return false,
        }
    }
    false
}

/// The fields of a relation that says no more than that one of them leads from the first to the
/// second, and the state that it is about.
fn steps_by_fields(relation: &Relation<'_>) -> Option<(Vec<SymbolId>, View)> {
    let (vars, body, view) = match relation {
        Relation::Pairs(set) => match &**set {
            Set::Comprehension(vars, body, _, view) => (*vars, *body, *view),
            _ => return None,
        },
        Relation::Curried(Fun::Lambda(vars, body, _, view)) => (*vars, *body, *view),
        Relation::Curried(_) => return None,
    };
    let [x, y] = vars else { return None };
    let mut fields = Vec::new();
    step(body, x, y, &mut fields)?;
    Some((fields, view))
}

fn step(body: &Term, x: &Binder, y: &Binder, fields: &mut Vec<SymbolId>) -> Option<()> {
    match &body.bare().kind {
        Kind::Op(Op::Or, parts) => parts.iter().try_for_each(|p| step(p, x, y, fields)),
        Kind::Op(Op::Eq, sides) => {
            let is = |t: &Term, b: &Binder| matches!(t.kind, Kind::Var(v) if v == b.id);
            let read = |t: &Term| match &t.kind {
                Kind::Apply(head, args) => match (&head.kind, &args[..]) {
                    (Kind::Symbol(f), [arg]) if is(arg, x) => Some(*f),
                    _ => None,
                },
                _ => None,
            };
            let (a, b) = (&sides[0], &sides[1]);
            let field = match (read(a), read(b)) {
                (Some(f), _) if is(b, y) => f,
                (_, Some(f)) if is(a, y) => f,
                _ => return None,
            };
            fields.push(field);
            Some(())
        }
        _ => None,
    }
}
