//! Which field constraints say that a field leads to the parent (*Symbolic Shape Analysis*, section
//! 2).
//!
//! `ALL x y. parent x = y --> D` demands D of every x and its y. What D can say about them in a
//! forest depends on a few things only: at which field x hangs, and whether y is null, the one x
//! hangs at, x itself, or another node. So D is evaluated in all these cases; it says that y is the
//! parent if it is true where y is, or where y is null and x hangs nowhere, and false in all
//! others.
//!
//! **Invariant:** a value that depends on more than the case is none, and then nothing is claimed.

use std::collections::BTreeMap;

use trellis_hol::{Binder, Kind, Op, Quantifier, Term, VarId};
use trellis_program::spec::FieldRef;

use super::Translator;
use super::trees::{disjuncts, is_var, sides};

/// Who a variable stands for, seen from x.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Who {
    Null,
    /// What x hangs at.
    Parent,
    /// x itself.
    Own,
    Other,
}

/// A constraint, `parent x` being y, and a case that it is looked at in.
struct Constraint<'t, 'c> {
    translator: &'t Translator<'c>,
    parent: FieldRef,
    x: VarId,
    /// The fields over which x can hang.
    fields: Vec<FieldRef>,
    /// At which of the fields x hangs.
    hangs_at: Option<usize>,
    is_null: bool,
    /// Who y is.
    y: Who,
}

/// The field that leads to parents, and those that lead to children, if a formula `ALL x y. ...`
/// says so of a forest that is known to be one.
pub(super) fn of_parents(
    translator: &Translator<'_>,
    binders: &[Binder],
    body: &Term,
) -> Option<(FieldRef, Vec<FieldRef>)> {
    if let (Kind::Op(Op::Iff, both), [a, b]) = (&body.bare().kind, binders) {
        let found = [(a, b), (b, a)].into_iter().find_map(|(x, y)| {
            let ways = [(&both[0], &both[1]), (&both[1], &both[0])];
            ways.into_iter().find_map(|(edge, means)| {
                let parent = read_of(translator, edge, x.id, y.id)?;
                constraint(translator, parent, x.id, Some(y.id), std::slice::from_ref(means), true)
            })
        });
        return found;
    }
    let mut parts = Vec::new();
    disjuncts(body, true, &mut parts);
    match binders {
        [x] => {
            let mut parent = None;
            for part in &parts {
                part.visit(&mut |t| {
                    if let Kind::Apply(head, args) = &t.kind
                        && args.len() == 1
                        && is_var(&args[0], x.id)
                    {
                        parent = parent.take().or_else(|| translator.field(head).cloned());
                    }
                });
            }
            constraint(translator, parent?, x.id, None, &parts, false)
        }
        [a, b] => [(a, b), (b, a)].into_iter().find_map(|(x, y)| {
            let edge = |p: &Term| match &p.kind {
                Kind::Op(Op::Not, inner) => read_of(translator, &inner[0], x.id, y.id),
                _ => None,
            };
            let at = parts.iter().position(|p| edge(p).is_some())?;
            let mut rest = parts.clone();
            let parent = edge(&rest.remove(at))?;
            constraint(translator, parent, x.id, Some(y.id), &rest, false)
        }),
        _ => None,
    }
}

/// The field f of an equation `f x = y`.
fn read_of(translator: &Translator<'_>, term: &Term, x: VarId, y: VarId) -> Option<FieldRef> {
    sides(term).into_iter().find_map(|(read, end)| match &read.bare().kind {
        Kind::Apply(head, args) if args.len() == 1 && is_var(&args[0], x) && is_var(end, y) => {
            translator.field(head).cloned()
        }
        _ => None,
    })
}

fn constraint(
    translator: &Translator<'_>,
    parent: FieldRef,
    x: VarId,
    y: Option<VarId>,
    parts: &[Term],
    both_ways: bool,
) -> Option<(FieldRef, Vec<FieldRef>)> {
    let mut offsets = Vec::new();
    for part in parts {
        part.visit(&mut |t| {
            if let Kind::Apply(head, _) = &t.kind
                && let Some(field) = translator.field(head)
                && field.offset != parent.offset
                && !offsets.contains(&field.offset)
            {
                offsets.push(field.offset);
            }
        });
    }
    offsets.sort_unstable();
    let known = translator.forests.iter().find(|set| {
        let mut of_set: Vec<u32> = set.iter().map(|f| f.offset).collect();
        of_set.sort_unstable();
        of_set == offsets
    })?;
    let mut at = Constraint {
        translator,
        parent,
        x,
        fields: known.clone(),
        hangs_at: None,
        is_null: true,
        y: Who::Null,
    };
    let says = |at: &mut Constraint<'_, '_>, y_is: Who| {
        at.y = y_is;
        let mut who: BTreeMap<VarId, Who> = y.map(|y| (y, y_is)).into_iter().collect();
        who.insert(x, if at.is_null { Who::Null } else { Who::Own });
        let values: Vec<Option<bool>> = parts.iter().map(|p| at.value(p, &who)).collect();
        any(values)
    };
    // Null leads to null.
    let mut fits = says(&mut at, Who::Null) == Some(true);
    fits &= !both_ways || says(&mut at, Who::Other) == Some(false);
    at.is_null = false;
    for hangs_at in (0..at.fields.len()).map(Some).chain([None]) {
        at.hangs_at = hangs_at;
        for y in [Who::Null, Who::Parent, Who::Own, Who::Other] {
            if y != Who::Parent || hangs_at.is_some() {
                let wanted = y == if hangs_at.is_some() { Who::Parent } else { Who::Null };
                fits &= says(&mut at, y) == Some(wanted);
            }
        }
    }
    fits.then_some((at.parent, at.fields))
}

/// A disjunction of values of which some may not be known.
fn any(values: Vec<Option<bool>>) -> Option<bool> {
    match values.contains(&Some(true)) {
        true => Some(true),
        false => values.iter().all(Option::is_some).then_some(false),
    }
}

impl Constraint<'_, '_> {
    fn who(&self, term: &Term, vars: &BTreeMap<VarId, Who>) -> Option<Who> {
        match &term.bare().kind {
            Kind::Var(v) => vars.get(v).copied(),
            Kind::Op(Op::Null, _) => Some(Who::Null),
            Kind::Apply(head, args) if args.len() == 1 && is_var(&args[0], self.x) => {
                let field = self.translator.field(head)?;
                (field.offset == self.parent.offset).then_some(self.y)
            }
            _ => None,
        }
    }

    /// The truth value of a formula in this case.
    fn value(&self, term: &Term, vars: &BTreeMap<VarId, Who>) -> Option<bool> {
        let of = |t: &Term| self.value(t, vars);
        match &term.bare().kind {
            Kind::Op(Op::True, _) => Some(true),
            Kind::Op(Op::False, _) => Some(false),
            Kind::Op(Op::Not, a) => of(&a[0]).map(|v| !v),
            Kind::Op(Op::Or, parts) => any(parts.iter().map(of).collect()),
            Kind::Op(Op::And, parts) => {
                any(parts.iter().map(|p| of(p).map(|v| !v)).collect()).map(|v| !v)
            }
            Kind::Op(Op::Implies, sides) => any(vec![of(&sides[0]).map(|v| !v), of(&sides[1])]),
            Kind::Op(Op::If, parts) => of(if of(&parts[0])? { &parts[1] } else { &parts[2] }),
            Kind::Op(Op::Iff, sides) => Some(of(&sides[0])? == of(&sides[1])?),
            Kind::Op(Op::Eq, _) => self.equation(term, vars),
            Kind::Bind(q @ (Quantifier::Forall | Quantifier::Exists), binders, body) => {
                let exists = *q == Quantifier::Exists;
                let found = self.somebody(binders, body, exists, vars)?;
                Some(found == exists)
            }
            _ => None,
        }
    }

    /// Whether there are objects or null for which a formula has a value. Null is there, and so is
    /// x with what it hangs at; another node may be.
    fn somebody(
        &self,
        binders: &[Binder],
        body: &Term,
        value: bool,
        vars: &BTreeMap<VarId, Who>,
    ) -> Option<bool> {
        let Some((first, rest)) = binders.split_first() else {
            return self.value(body, vars).map(|v| v == value);
        };
        let of = |who: Who| {
            let mut vars = vars.clone();
            vars.insert(first.id, who);
            self.somebody(rest, body, value, &vars)
        };
        let mut sure = vec![of(Who::Null)];
        sure.extend((!self.is_null).then(|| of(Who::Own)));
        sure.extend(self.hangs_at.map(|_| of(Who::Parent)));
        // Another node counts only against.
        sure.push(of(Who::Other).filter(|found| !found));
        any(sure)
    }

    fn equation(&self, term: &Term, vars: &BTreeMap<VarId, Who>) -> Option<bool> {
        let all = sides(term);
        let (a, b) = *all.first()?;
        if let (Some(of_a), Some(of_b)) = (self.who(a, vars), self.who(b, vars)) {
            let same = a.bare().kind == b.bare().kind;
            let unknown = of_a == Who::Other && of_b == Who::Other && !same;
            return (!unknown).then_some(of_a == of_b);
        }
        all.into_iter().find_map(|(read, end)| {
            let Kind::Apply(head, args) = &read.bare().kind else { return None };
            let field = self.translator.field(head)?;
            let at = self.fields.iter().position(|f| f.offset == field.offset)?;
            let [of] = &args[..] else { return None };
            self.child(at, self.who(of, vars)?, self.who(end, vars)?)
        })
    }

    /// Whether a field of somebody holds somebody.
    fn child(&self, field: usize, of: Who, is: Who) -> Option<bool> {
        match of {
            Who::Null => Some(is == Who::Null),
            _ if self.is_null => None,
            Who::Parent if self.hangs_at == Some(field) => Some(is == Who::Own),
            // In a forest x hangs at one field of one node.
            _ => (is == Who::Own).then_some(false),
        }
    }
}
