//! What is true of what was replaced: closures, trees and cardinalities.
//!
//! A closure is reflexive, transitive, and contains its relation. If the relation is a function, a
//! path ends at a fixed point, and only begins where nothing leads; of one that differs from another
//! function at one object, the closure follows from that of the other, unless the object is on a
//! cycle. Trees have no cycles and no two ways to one object. Sets of objects are finite, so a
//! smaller set has fewer members, and one more object is one more.
//!
//! **Invariant.** All of it holds of every heap of the machine, so whatever follows from it does.

use std::collections::BTreeMap;

use trellis_hol::{Binder, Kind, Op, Quantifier, Term, Type};
use trellis_sequents::build::{
    Fresh, and, apply, bind, element, eq, implies, int, ite, le, ne, not, null, op, or, rename,
    substitute, var,
};

use super::{Fo, Lowering, sort, variable};

/// Sets that are compared with one another; of more, each is looked at alone.
const MOST_CARDS: usize = 6;
/// Objects that may be the one more, or at which a path is followed for a step.
const MOST_OBJECTS: usize = 12;

/// Numbers for the variables of these facts, above all others.
pub(super) fn numbers() -> Fresh {
    Fresh::starting_at(2_000_000)
}

/// A closure over a function: what the function is at `x`.
struct Graph {
    x: Binder,
    at_x: Term,
}

impl Lowering<'_> {
    /// Adds what is true of everything that was replaced. Sets may have closures in them, relations of
    /// closures too, and functions that differ in one place others.
    pub(super) fn close(&mut self, objects: &[Term]) {
        let objects = &objects[..objects.len().min(MOST_OBJECTS)];
        let mut fresh = numbers();
        self.of_cards(objects, &mut fresh);
        while let Some((f, fields)) = self.trees.pop() {
            match &fields[..] {
                [field] if matches!(field.kind, Kind::Op(Op::Update, _)) => {
                    self.of_written_tree(f, field, &mut fresh);
                }
                _ => self.of_tree(f, &fields, &mut fresh),
            }
        }
        while let Some((_, relation)) = self.closures.pop() {
            self.of_closure(&relation, objects, &mut fresh);
        }
    }

    fn fact(&mut self, t: &Term) {
        let fact = self.formula(t);
        self.problem.facts.push(fact);
    }

    fn of_closure(&mut self, relation: &Term, objects: &[Term], fresh: &mut Fresh) {
        let Kind::Bind(Quantifier::Lambda, binders, step) = rename(relation, fresh).kind else {
            return;
        };
        let [x, y] = &binders[..] else { return };
        if variable(x).is_none() || variable(y).is_none() {
            return;
        }
        let z = fresh.binder("z", x.ty.clone());
        let reach = |a: &Term, b: &Term| {
            op(Op::Reaches, vec![relation.clone(), a.clone(), b.clone()], Type::Bool)
        };
        let (vx, vy, vz) = (var(x), var(y), var(&z));
        let all = |vars: &[&Binder], body: Term| {
            bind(Quantifier::Forall, vars.iter().map(|b| (*b).clone()).collect(), body)
        };
        self.fact(&all(&[x], reach(&vx, &vx)));
        self.fact(&all(&[x, y], implies((*step).clone(), reach(&vx, &vy))));
        let both = and(vec![reach(&vx, &vy), reach(&vy, &vz)]);
        self.fact(&all(&[x, y, &z], implies(both, reach(&vx, &vz))));
        let Some(graph) = graph(x, y, &step) else { return };
        let at = |t: &Term| substitute(&graph.at_x, &BTreeMap::from([(graph.x.id, t.clone())]));
        let stays = and(vec![eq(at(&vx), vx.clone()), reach(&vx, &vy)]);
        self.fact(&all(&[x, y], implies(stays, eq(vx.clone(), vy.clone()))));
        let led_to = bind(Quantifier::Exists, vec![z.clone()], eq(at(&vz), vy.clone()));
        let begins = or(vec![eq(vx.clone(), vy.clone()), led_to]);
        self.fact(&all(&[x, y], implies(reach(&vx, &vy), begins)));
        for o in objects {
            let on = or(vec![eq(o.clone(), vy.clone()), reach(&at(o), &vy)]);
            self.fact(&all(&[y], implies(reach(o, &vy), on)));
        }
        self.of_write(&graph, relation, fresh);
    }

    /// The closure of a function that is `b` at `a` and another function elsewhere.
    fn of_write(&mut self, graph: &Graph, relation: &Term, fresh: &mut Fresh) {
        let Kind::Op(Op::If, parts) = &graph.at_x.kind else { return };
        let ([_, b, rest], Kind::Op(Op::Eq, sides)) = (&parts[..], &parts[0].kind) else { return };
        let is_x = |t: &Term| t.kind == Kind::Var(graph.x.id);
        let a = match &sides[..] {
            [x, a] if is_x(x) => a,
            [a, x] if is_x(x) => a,
            _ => return,
        };
        if !is_closed(a) || !is_closed(b) {
            return;
        }
        let (x, y) = (fresh.binder("x", Type::Obj), fresh.binder("y", Type::Obj));
        let before = |t: &Term| substitute(rest, &BTreeMap::from([(graph.x.id, t.clone())]));
        let lambda = |fresh: &mut Fresh| {
            let (u, v) = (fresh.binder("u", Type::Obj), fresh.binder("v", Type::Obj));
            let body = eq(before(&var(&u)), var(&v));
            bind(Quantifier::Lambda, vec![u, v], body)
        };
        let old = lambda(fresh);
        let reach = |r: &Term, from: &Term, to: &Term| {
            op(Op::Reaches, vec![r.clone(), from.clone(), to.clone()], Type::Bool)
        };
        let (vx, vy) = (var(&x), var(&y));
        let apart = and(vec![not(reach(&old, b, a)), not(reach(&old, &before(a), a))]);
        let not_past = or(vec![not(reach(&old, &vx, a)), reach(&old, &vy, a)]);
        let without = and(vec![reach(&old, &vx, &vy), not_past]);
        let through = and(vec![reach(&old, &vx, a), reach(&old, b, &vy)]);
        let is = eq(reach(relation, &vx, &vy), or(vec![without, through]));
        self.fact(&implies(apart, bind(Quantifier::Forall, vec![x, y], is)));
    }

    /// A tree has no cycles, and no object hangs at two places.
    fn of_tree(&mut self, tree: usize, fields: &[Term], fresh: &mut Fresh) {
        let (x, y) = (fresh.binder("x", Type::Obj), fresh.binder("y", Type::Obj));
        let at = |f: &Term, b: &Binder| apply(f.clone(), vec![var(b)]);
        let mut all = Vec::new();
        for (i, f) in fields.iter().enumerate() {
            let (u, v) = (fresh.binder("u", Type::Obj), fresh.binder("v", Type::Obj));
            let step = eq(at(f, &u), var(&v));
            let relation = bind(Quantifier::Lambda, vec![u, v], step);
            let back = op(Op::Reaches, vec![relation, at(f, &x), var(&x)], Type::Bool);
            let one = implies(ne(var(&x), null()), not(back));
            all.push(bind(Quantifier::Forall, vec![x.clone()], one));
            for (j, g) in fields.iter().enumerate().skip(i) {
                let meet = and(vec![
                    ne(var(&x), null()),
                    ne(var(&y), null()),
                    ne(at(f, &x), null()),
                    eq(at(f, &x), at(g, &y)),
                ]);
                let same =
                    if i == j { eq(var(&x), var(&y)) } else { op(Op::False, vec![], Type::Bool) };
                let body = implies(meet, same);
                all.push(bind(Quantifier::Forall, vec![x.clone(), y.clone()], body));
            }
        }
        let facts = self.formula(&and(all));
        let fact = Fo::Op(Op::Implies, vec![Fo::Apply(tree, vec![]), facts]);
        self.problem.facts.push(fact);
    }

    /// A list stays one where nothing, or what nobody else leads to, is hung behind one of its objects
    /// and does not lead back to it.
    fn of_written_tree(&mut self, tree: usize, field: &Term, fresh: &mut Fresh) {
        let Kind::Op(Op::Update, parts) = &field.kind else { return };
        let [before, a, b] = &parts[..] else { return };
        let (x, u, v) = (
            fresh.binder("x", Type::Obj),
            fresh.binder("u", Type::Obj),
            fresh.binder("v", Type::Obj),
        );
        let step = eq(value_at(before, &var(&u)), var(&v));
        let relation = bind(Quantifier::Lambda, vec![u, v], step);
        let back = op(Op::Reaches, vec![relation, b.clone(), a.clone()], Type::Bool);
        let other = and(vec![ne(var(&x), null()), ne(var(&x), a.clone())]);
        let free = implies(other, ne(value_at(before, &var(&x)), b.clone()));
        let hung = and(vec![not(back), bind(Quantifier::Forall, vec![x], free)]);
        let fits = and(vec![
            op(Op::Tree, vec![before.clone()], Type::Bool),
            ne(a.clone(), null()),
            or(vec![eq(b.clone(), null()), hung]),
        ]);
        let fits = self.formula(&fits);
        self.problem.facts.push(Fo::Op(Op::Implies, vec![fits, Fo::Apply(tree, vec![])]));
    }

    fn of_cards(&mut self, objects: &[Term], fresh: &mut Fresh) {
        let cards = std::mem::take(&mut self.cards);
        let x = fresh.binder("x", Type::Obj);
        let mut has = |card: &Term, of: &Term| -> Term {
            let Kind::Op(_, sets) = &card.kind else { return element(of.clone(), card.clone()) };
            let Kind::Bind(_, binders, body) = rename(&sets[0], fresh).kind else {
                return element(of.clone(), sets[0].clone());
            };
            substitute(&body, &BTreeMap::from([(binders[0].id, of.clone())]))
        };
        let all = |body: Term| bind(Quantifier::Forall, vec![x.clone()], body);
        for card in &cards {
            let none = all(not(has(card, &var(&x))));
            self.fact(&le(int(0), card.clone()));
            self.fact(&eq(eq(card.clone(), int(0)), none));
            for o in objects.iter().chain([&null()]) {
                let alone = all(eq(has(card, &var(&x)), eq(var(&x), o.clone())));
                self.fact(&implies(alone, eq(card.clone(), int(1))));
            }
        }
        if cards.len() > MOST_CARDS {
            return;
        }
        let pairs = cards.iter().flat_map(|a| cards.iter().map(move |b| (a, b)));
        for (a, b) in pairs.filter(|(a, b)| a != b) {
            let inside = all(implies(has(a, &var(&x)), has(b, &var(&x))));
            self.fact(&implies(inside.clone(), le(a.clone(), b.clone())));
            let back = all(implies(has(b, &var(&x)), has(a, &var(&x))));
            self.fact(&implies(and(vec![inside, eq(a.clone(), b.clone())]), back));
            for o in objects {
                let grown = or(vec![has(a, &var(&x)), eq(var(&x), o.clone())]);
                let one_more = and(vec![not(has(a, o)), all(eq(has(b, &var(&x)), grown))]);
                let sum = op(Op::Plus, vec![a.clone(), int(1)], Type::Int);
                self.fact(&implies(one_more, eq(b.clone(), sum)));
            }
        }
    }
}

/// A field, written some times, at an object.
fn value_at(field: &Term, at: &Term) -> Term {
    match &field.kind {
        Kind::Op(Op::Update, parts) => {
            let here = eq(at.clone(), parts[1].clone());
            ite(here, parts[2].clone(), value_at(&parts[0], at))
        }
        _ => apply(field.clone(), vec![at.clone()]),
    }
}

/// Whether a term is a field, or one that was written at objects.
pub(super) fn is_written_field(t: &Term) -> bool {
    match &t.kind {
        Kind::Symbol(_) => true,
        Kind::Op(Op::Update, parts) => is_written_field(&parts[0]) && parts.iter().all(is_closed),
        _ => false,
    }
}

/// `F x`, if a step is `F x = y`.
fn graph(x: &Binder, y: &Binder, step: &Term) -> Option<Graph> {
    let Kind::Op(Op::Eq, sides) = &step.kind else { return None };
    let is_y = |t: &Term| t.kind == Kind::Var(y.id);
    let at_x = match &sides[..] {
        [f, v] if is_y(v) => f,
        [v, f] if is_y(v) => f,
        _ => return None,
    };
    let mut mentions = false;
    at_x.visit(&mut |t| mentions |= t.kind == Kind::Var(y.id));
    let fits = !mentions && sort(&at_x.ty).is_some() && x.ty == Type::Obj && y.ty == Type::Obj;
    fits.then(|| Graph { x: x.clone(), at_x: at_x.clone() })
}

fn is_closed(t: &Term) -> bool {
    let mut closed = true;
    t.visit(&mut |part| closed &= !matches!(part.kind, Kind::Var(_)));
    closed
}
