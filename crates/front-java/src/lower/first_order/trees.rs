//! Formulas about trees, for `first_order`: several fields that are followed in any order.
//!
//! What has a parent is what lies below somebody, so `EX z. z..left = x | z..right = x` needs no
//! single step: closures say it, and engines know these. A pointer to the parent is given by a
//! field constraint (*Symbolic Shape Analysis*, section 2), which `field_constraint` reads by
//! cases; in a forest it says that the pointer leads back, over any number of steps.
//!
//! **Invariant:** as in `first_order`. What `ALL x y. parent x = y --> ...` becomes says the same
//! of forests only; it is used where they are demanded beside it, and stronger than what was
//! written everywhere. So is that null is reached from everywhere.

use std::collections::BTreeSet;

use trellis_hol::{Binder as HolBinder, Kind, Op, Quantifier, Term as HolTerm, Type, VarId};
use trellis_program::TypeId;
use trellis_program::spec::{Derived, FieldRef, Formula, HolClause, HolMeaning, Label, Term};

use super::build::{and, iff, implies, is_null, is_there, not, or};
use super::lists::leads_back;
use super::terms::{Of, Typed};
use super::{Translator, field_constraint};

fn reach_over(fields: &[FieldRef], from: Term, to: Term) -> Formula {
    Formula::Derived(Box::new(Derived::ReachOver(fields.to_vec(), from, to)))
}

/// A disjunction without the implications and negations in it.
pub(super) fn disjuncts(term: &HolTerm, value: bool, out: &mut Vec<HolTerm>) {
    match (&term.kind, value) {
        (Kind::Comment(_, inner), _) => disjuncts(inner, value, out),
        (Kind::Op(Op::Not, a), _) => disjuncts(&a[0], !value, out),
        (Kind::Op(Op::Or, parts), true) | (Kind::Op(Op::And, parts), false) => {
            parts.iter().for_each(|p| disjuncts(p, value, out));
        }
        (Kind::Op(Op::Implies, sides), true) => {
            disjuncts(&sides[0], false, out);
            disjuncts(&sides[1], true, out);
        }
        (_, true) => out.push(term.clone()),
        (_, false) => out.push(made(Op::Not, vec![term.clone()], term)),
    }
}

/// The conjuncts of a formula, with negations at the inside.
fn conjuncts(term: &HolTerm) -> Vec<HolTerm> {
    let mut out = Vec::new();
    disjuncts(term, false, &mut out);
    let negated = |t: HolTerm| match t.kind {
        Kind::Op(Op::Not, mut inner) => inner.remove(0),
        _ => made(Op::Not, vec![t.clone()], &t),
    };
    out.into_iter().map(negated).collect()
}

fn made(op: Op, args: Vec<HolTerm>, like: &HolTerm) -> HolTerm {
    HolTerm { kind: Kind::Op(op, args), ty: Type::Bool, at: like.at }
}

pub(super) fn is_var(term: &HolTerm, var: VarId) -> bool {
    matches!(term.bare().kind, Kind::Var(v) if v == var)
}

pub(super) fn mentions(term: &HolTerm, var: VarId) -> bool {
    let mut found = false;
    term.visit(&mut |t| found |= matches!(t.kind, Kind::Var(v) if v == var));
    found
}

/// The sides of an equation of objects, both ways round.
pub(super) fn sides(term: &HolTerm) -> Vec<(&HolTerm, &HolTerm)> {
    match &term.bare().kind {
        Kind::Op(Op::Eq, sides) if sides[0].ty == Type::Obj => {
            vec![(&sides[0], &sides[1]), (&sides[1], &sides[0])]
        }
        _ => Vec::new(),
    }
}

/// Whether two terms are the same, wherever they were written.
fn same(a: &HolTerm, b: &HolTerm) -> bool {
    let all = |a: &[HolTerm], b: &[HolTerm]| {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
    };
    match (&a.bare().kind, &b.bare().kind) {
        (Kind::Op(f, a), Kind::Op(g, b)) => f == g && all(a, b),
        (Kind::Apply(f, a), Kind::Apply(g, b)) => same(f, g) && all(a, b),
        (Kind::Bind(..), _) => false,
        (a, b) => a == b,
    }
}

/// The fields of a clause that says no more than `tree [f, g]` or `ptree p [f, g]`.
pub(crate) fn forest_of(clause: &HolClause) -> Option<Vec<FieldRef>> {
    let heads = match &clause.formula.term.bare().kind {
        Kind::Op(Op::Tree, fields) => &fields[..],
        Kind::Op(Op::ParentTree, all) => &all[1..],
        _ => return None,
    };
    let field = |head: &HolTerm| match head.kind {
        Kind::Symbol(s) => match &clause.meanings[s.0 as usize] {
            HolMeaning::Field(f) => Some(f.clone()),
            _ => None,
        },
        _ => None,
    };
    heads.iter().map(field).collect()
}

/// Somebody whose children are not some term: the fields, and the term.
type NoParent = (Vec<FieldRef>, HolTerm);

impl Translator<'_> {
    /// Different fields that lead from one class back to it, at least two.
    fn fields(&self, heads: &[HolTerm]) -> Option<Vec<FieldRef>> {
        let fields: Option<Vec<FieldRef>> = heads.iter().map(|h| self.field(h).cloned()).collect();
        fields.filter(|all| {
            let apart = |i: usize| all[..i].iter().all(|f| f.offset != all[i].offset);
            let one_class = |f: &FieldRef| f.owner == all[0].owner && leads_back(f);
            all.len() > 1 && (0..all.len()).all(apart) && all.iter().all(one_class)
        })
    }

    /// `tree [f, g]`: what lies below a node is reached in one way, and the ancestors of a node are
    /// a chain.
    pub(super) fn forest(&mut self, fields: &[HolTerm]) -> Option<Formula> {
        // At entry there were fewer objects than those that quantifiers range over.
        if self.label == Label::Pre {
            return None;
        }
        let fields = self.fields(fields)?;
        let (x, at_x) = self.bound("x", fields[0].owner);
        let tree = Formula::Derived(Box::new(Derived::Tree(fields.clone(), at_x.term)));
        let trees = Formula::Forall(vec![x], Box::new(tree));
        let [(x, at_x), (y, at_y), (z, at_z)] =
            ["x", "y", "z"].map(|name| self.bound(name, fields[0].owner));
        let over = |a: &Typed, b: &Typed| reach_over(&fields, a.term.clone(), b.term.clone());
        let above = and(vec![over(&at_x, &at_z), over(&at_y, &at_z)]);
        let chain = implies(above, or(vec![over(&at_x, &at_y), over(&at_y, &at_x)]));
        let chains = Formula::Forall(vec![x, y, z], Box::new(chain));
        Some(and(vec![trees, chains]))
    }

    /// `ptree p [f, g]`.
    pub(super) fn parent_forest(&mut self, all: &[HolTerm]) -> Option<Formula> {
        let (parent, fields) = all.split_first()?;
        let parent = self.field(parent)?.clone();
        let forest = self.forest(fields)?;
        let fields = self.fields(fields)?;
        Some(and(vec![forest, self.inverse(&parent, &fields)?]))
    }

    /// That a field leads from each node of a forest to its parent, and from roots to null.
    fn inverse(&mut self, parent: &FieldRef, fields: &[FieldRef]) -> Option<Formula> {
        if self.label == Label::Pre || parent.owner != fields[0].owner || !leads_back(parent) {
            return None;
        }
        let up = |from: &Term, to: &Term| Formula::Reach {
            field: parent.clone(),
            strict: false,
            from: from.clone(),
            to: to.clone(),
        };
        let [(u, at_u), (x, at_x), (y, at_y)] =
            ["x", "x", "y"].map(|name| self.bound(name, parent.owner));
        let ends = implies(is_there(&at_u.term), up(&at_u.term, &Term::Null));
        let ends = Formula::Forall(vec![u], Box::new(ends));
        let down = reach_over(fields, at_x.term.clone(), at_y.term.clone());
        let back = iff(up(&at_y.term, &at_x.term), down);
        let back = implies(and(vec![is_there(&at_x.term), is_there(&at_y.term)]), back);
        Some(and(vec![ends, Formula::Forall(vec![x, y], Box::new(back))]))
    }

    /// The fields of a relation that says that one of several fields leads from x to y.
    pub(super) fn steps(&self, relation: &HolTerm) -> Option<Vec<FieldRef>> {
        let Kind::Bind(_, binders, body) = &relation.kind else { return None };
        let [x, y] = &binders[..] else { return None };
        let (x, y) = (x.id, y.id);
        let mut parts = Vec::new();
        disjuncts(body, true, &mut parts);
        let head = |part: &HolTerm| {
            sides(part).into_iter().find_map(|(read, end)| match &read.kind {
                Kind::Apply(head, args) if is_var(end, y) && args.len() == 1 => {
                    is_var(&args[0], x).then(|| (**head).clone())
                }
                _ => None,
            })
        };
        let heads: Option<Vec<HolTerm>> = parts.iter().map(head).collect();
        self.fields(&heads?)
    }

    /// A closure over several fields. To null there is a path over every node that lacks a child;
    /// in a forest there are such nodes below every node.
    pub(super) fn reach_by(
        &mut self,
        fields: &[FieldRef],
        from: Typed,
        to: Typed,
    ) -> Option<Formula> {
        let class = Of::Class(fields[0].owner);
        let there = self.is_there(&to.term);
        match (from.of, to.of) {
            // Null leads nowhere else.
            (Of::Nothing, _) => return Some(is_null(to.term)),
            (of, _) if of != class => return None,
            (_, of) if of == class || of == Of::Nothing => {}
            // Something of another class is not reached.
            (_, Of::Class(_) | Of::Stranger) if there => return Some(Formula::Const(false)),
            _ => return None,
        }
        let reached = reach_over(fields, from.term.clone(), to.term.clone());
        if there {
            return Some(reached);
        }
        if self.is_known_forest(fields) {
            return Some(or(vec![is_null(to.term), reached]));
        }
        let (z, at_z) = self.bound("z", fields[0].owner);
        let mut lacks = Vec::new();
        for field in fields {
            let at_z = at_z.clone();
            let child = self.knowing(vec![at_z.term.clone()], |t| t.read(field, at_z))?;
            lacks.push(is_null(child.term));
        }
        let below = reach_over(fields, from.term.clone(), at_z.term);
        let some = Formula::Exists(vec![z], Box::new(and(vec![below, or(lacks)])));
        let to_null = or(vec![is_null(from.term), some]);
        if to.term == Term::Null {
            return Some(to_null);
        }
        let to_node = and(vec![is_there(&to.term), reached]);
        Some(or(vec![to_node, and(vec![is_null(to.term), to_null])]))
    }

    fn is_known_forest(&self, fields: &[FieldRef]) -> bool {
        let cells = |set: &[FieldRef]| -> BTreeSet<(TypeId, u32)> {
            set.iter().map(|f| (f.owner, f.offset)).collect()
        };
        self.forests.iter().any(|known| cells(known) == cells(fields))
    }

    /// Quantifiers over all parents of something, moved inwards until they say that it has none;
    /// and constraints of a field that leads to parents.
    pub(super) fn trees(&mut self, binders: &[HolBinder], body: &HolTerm) -> Option<Formula> {
        if let Some((parent, fields)) = field_constraint::of_parents(self, binders, body) {
            return self.inverse(&parent, &fields);
        }
        let mut parts = Vec::new();
        disjuncts(body, true, &mut parts);
        let one = binders.iter().find(|z| self.is_about_parents(&parts, z).is_some())?;
        let others: Vec<HolBinder> = binders.iter().filter(|b| b.id != one.id).cloned().collect();
        let (about, mut rest): (Vec<_>, Vec<_>) =
            parts.into_iter().partition(|p| mentions(p, one.id));
        if others.is_empty() && rest.is_empty() {
            let (fields, child) = self.is_about_parents(&about, one)?;
            return self.no_parent(&fields, &child, about.len() > 1);
        }
        let inner = made(Op::Or, about, body);
        let kind = Kind::Bind(Quantifier::Forall, vec![one.clone()], Box::new(inner));
        rest.push(HolTerm { kind, ty: Type::Bool, at: body.at });
        let moved = made(Op::Or, rest, body);
        self.forall(&others, &moved)
    }

    /// Whether some disjuncts say, of a variable, nothing but that it is null or that something is
    /// no child of it.
    fn is_about_parents(&self, parts: &[HolTerm], z: &HolBinder) -> Option<NoParent> {
        let mut found = None;
        for part in parts.iter().filter(|p| mentions(p, z.id)) {
            let null = |(a, b): &(&HolTerm, &HolTerm)| {
                is_var(a, z.id) && matches!(b.bare().kind, Kind::Op(Op::Null, _))
            };
            if sides(part).iter().any(null) {
                continue;
            }
            if found.is_some() {
                return None;
            }
            found = Some(self.not_its_child(part, z.id)?);
        }
        found
    }

    /// `z..f ~= t & z..g ~= t`.
    fn not_its_child(&self, part: &HolTerm, z: VarId) -> Option<NoParent> {
        let (mut heads, mut child) = (Vec::new(), None);
        for unequal in conjuncts(part) {
            let Kind::Op(Op::Not, inner) = &unequal.kind else { return None };
            let (head, end) = sides(&inner[0]).into_iter().find_map(|(read, end)| {
                let Kind::Apply(head, args) = &read.kind else { return None };
                let of_z = args.len() == 1 && is_var(&args[0], z) && !mentions(end, z);
                of_z.then(|| ((**head).clone(), end.clone()))
            })?;
            if child.as_ref().is_some_and(|c| !same(c, &end)) {
                return None;
            }
            child = Some(end);
            heads.push(head);
        }
        Some((self.fields(&heads)?, child?))
    }

    /// That nobody, or no object, has a term as its child over some fields.
    fn no_parent(
        &mut self,
        fields: &[FieldRef],
        child: &HolTerm,
        objects: bool,
    ) -> Option<Formula> {
        let child = self.term(child)?;
        if self.label == Label::Pre {
            return None;
        }
        match child.of {
            Of::Nothing => {}
            of if of == Of::Class(fields[0].owner) => {}
            _ => return None,
        }
        let (z, at_z) = self.bound("z", fields[0].owner);
        let mut reads = Vec::new();
        for field in fields {
            let at_z = at_z.clone();
            let read = self.knowing(vec![at_z.term.clone()], |t| t.read(field, at_z))?;
            reads.push(read.term);
        }
        let of_all = |body: Formula| {
            let body = implies(is_there(&at_z.term), body);
            Formula::Forall(vec![z.clone()], Box::new(body))
        };
        let one_class = self.universe.classes.len() == 1 && !self.universe.others;
        // Null has a parent: itself. Whether it is the child of an object is another matter, and
        // it is that of all objects of other classes.
        let null_has_none = match objects {
            true if one_class => Some(of_all(and(reads.iter().map(is_there).collect()))),
            true => None,
            false => Some(Formula::Const(false)),
        };
        if child.term == Term::Null {
            return null_has_none;
        }
        let below = |read| not(reach_over(fields, read, child.term.clone()));
        let none = of_all(and(reads.into_iter().map(below).collect()));
        if self.is_there(&child.term) {
            return Some(none);
        }
        let null = is_null(child.term);
        let of_nodes = or(vec![null.clone(), none]);
        Some(and(vec![of_nodes, implies(null, null_has_none?)]))
    }
}
