//! Closures and lists: one field that leads from its class back to it, and fields that lead there.

use trellis_hol::{Binder as HolBinder, Kind, Op, Term as HolTerm};
use trellis_program::Scalar;
use trellis_program::spec::{FieldRef, Formula, Label, Term};

use super::Translator;
use super::build::{and, implies, is_null, is_there, not, or};
use super::terms::{Of, Typed};

/// A relation `{(x, y). x..f = y}`, closed by `^*`.
struct Step {
    field: FieldRef,
    /// Whether a step to null is none.
    to_objects: bool,
}

/// Whether a field leads back to the class that has it.
pub(super) fn leads_back(field: &FieldRef) -> bool {
    field.scalar == Scalar::Ptr(field.owner)
}

fn reached(field: &FieldRef, from: Term, to: Term) -> Formula {
    Formula::Reach { field: field.clone(), strict: false, from, to }
}

impl Translator<'_> {
    /// A closure over one field, or several.
    pub(super) fn reach(
        &mut self,
        relation: &HolTerm,
        from: &HolTerm,
        to: &HolTerm,
    ) -> Option<Formula> {
        if let Some(fields) = self.steps(relation) {
            let (from, to) = (self.term(from)?, self.term(to)?);
            return self.reach_by(&fields, from, to);
        }
        let step = self.step(relation)?;
        let (from, to) = (self.term(from)?, self.term(to)?);
        let ends = self.equal(from.clone(), to.clone());
        let to_null = match self.is_there(&to.term) {
            true => Formula::Const(false),
            false => is_null(to.term.clone()),
        };
        let path = self.path(&step.field, from, to, to_null.clone())?;
        Some(match step.to_objects {
            true => or(vec![ends, and(vec![not(to_null), path])]),
            false => path,
        })
    }

    fn path(
        &mut self,
        field: &FieldRef,
        from: Typed,
        to: Typed,
        to_null: Formula,
    ) -> Option<Formula> {
        match (from.of, to.of) {
            (Of::Any, _) | (_, Of::Any) => return None,
            // Null leads nowhere else.
            (Of::Nothing, _) => return Some(to_null),
            (Of::Class(class), _) if class == field.owner => {}
            // An object of another class leads to null.
            _ => return Some(or(vec![self.equal(from, to), to_null])),
        }
        match to.of {
            Of::Class(class) if class == field.owner => {}
            Of::Nothing => {}
            _ if to_null == Formula::Const(false) => return Some(to_null),
            _ => return Some(and(vec![to_null, reached(field, from.term, Term::Null)])),
        }
        let path = reached(field, from.term.clone(), to.term);
        match self.may_be_new(&from.term) {
            // What was not there at entry led to null.
            true => {
                let new = not(Formula::Alloc(from.term));
                Some(or(vec![path, and(vec![new, to_null])]))
            }
            false => Some(path),
        }
    }

    /// The field of a relation.
    fn step(&self, relation: &HolTerm) -> Option<Step> {
        let Kind::Bind(_, binders, body) = &relation.kind else { return None };
        let [x, y] = &binders[..] else { return None };
        let is = |t: &HolTerm, b: &HolBinder| matches!(t.kind, Kind::Var(v) if v == b.id);
        let null = |t: &HolTerm| matches!(t.kind, Kind::Op(Op::Null, _));
        let (mut field, mut to_objects) = (None, false);
        for part in body.conjuncts() {
            match &part.kind {
                Kind::Op(Op::Eq, sides) => {
                    let (read, end) = match (&sides[0], &sides[1]) {
                        (a, b) if is(b, y) => (a, b),
                        (a, b) => (b, a),
                    };
                    let Kind::Apply(head, args) = &read.kind else { return None };
                    if !is(end, y) || args.len() != 1 || !is(&args[0], x) || field.is_some() {
                        return None;
                    }
                    field = Some(self.field(head)?.clone());
                }
                // Null leads to null alone, so that a step from it adds nothing.
                Kind::Op(Op::Not, inner) => {
                    let Kind::Op(Op::Eq, sides) = &inner[0].kind else { return None };
                    let end = match (&sides[0], &sides[1]) {
                        (a, b) if null(b) => a,
                        (a, b) if null(a) => b,
                        _ => return None,
                    };
                    match () {
                        () if is(end, x) => {}
                        () if is(end, y) => to_objects = true,
                        () => return None,
                    }
                }
                _ => return None,
            }
        }
        let field = field.filter(leads_back)?;
        Some(Step { field, to_objects })
    }

    /// `tree [f, …]` with one field that leads from a class back to it, and others from objects
    /// that nothing leads to.
    pub(super) fn tree(&mut self, fields: &[HolTerm]) -> Option<Formula> {
        // At entry there were fewer objects than those that quantifiers range over.
        if self.label == Label::Pre {
            return None;
        }
        let fields: Vec<FieldRef> =
            fields.iter().map(|f| self.field(f).cloned()).collect::<Option<_>>()?;
        let spine = fields.iter().find(|f| leads_back(f))?.clone();
        let heads: Vec<FieldRef> = fields.into_iter().filter(|f| *f != spine).collect();
        let leads_there = |f: &FieldRef| f.scalar == Scalar::Ptr(spine.owner);
        if !heads.iter().all(|f| f.owner != spine.owner && leads_there(f)) {
            return None;
        }
        let mut parts = self.list(&spine);
        for (i, head) in heads.iter().enumerate() {
            parts.push(self.heads_a_list(head, &spine)?);
            for other in &heads[..=i] {
                parts.push(self.apart(head, other)?);
            }
        }
        Some(and(parts))
    }

    /// Every path comes to an end, and no two objects lead to the same one. Where every path ends,
    /// the second says that of two objects from which a third is reached one is reached from the
    /// other: that way it needs no step, and is universal in the logic of closures.
    fn list(&mut self, field: &FieldRef) -> Vec<Formula> {
        let (v, at_v) = self.bound("x", field.owner);
        let ends = Formula::Forall(vec![v], Box::new(reached(field, at_v.term, Term::Null)));
        let [(x, at_x), (y, at_y), (z, at_z)] =
            ["x", "y", "z"].map(|name| self.bound(name, field.owner));
        let reach = |a: &Typed, b: &Typed| reached(field, a.term.clone(), b.term.clone());
        let guards = vec![is_there(&at_z.term), reach(&at_x, &at_z), reach(&at_y, &at_z)];
        let ordered = or(vec![reach(&at_x, &at_y), reach(&at_y, &at_x)]);
        let unshared = Formula::Forall(vec![x, y, z], Box::new(implies(and(guards), ordered)));
        vec![ends, unshared]
    }

    /// No object of a list leads to where a field leads.
    fn heads_a_list(&mut self, head: &FieldRef, spine: &FieldRef) -> Option<Formula> {
        let ((x, at_x), (y, at_y)) = (self.bound("x", head.owner), self.bound("y", spine.owner));
        let there = vec![at_x.term.clone(), at_y.term.clone()];
        let first = self.knowing(there, |t| t.read(head, at_x.clone()))?;
        let there = [&at_x, &at_y, &first].map(|t| is_there(&t.term));
        let mut guards = there.to_vec();
        guards.push(not(self.equal(at_y.clone(), first.clone())));
        let before = not(reached(spine, at_y.term, first.term));
        Some(Formula::Forall(vec![x, y], Box::new(implies(and(guards), before))))
    }

    /// No two fields of objects lead to the same list.
    fn apart(&mut self, f: &FieldRef, g: &FieldRef) -> Option<Formula> {
        let ((x, at_x), (y, at_y)) = (self.bound("x", f.owner), self.bound("y", g.owner));
        let there = vec![at_x.term.clone(), at_y.term.clone()];
        let (a, b) =
            self.knowing(there, |t| Some((t.read(f, at_x.clone())?, t.read(g, at_y.clone())?)))?;
        let mut guards = [&at_x, &at_y, &a].map(|t| is_there(&t.term)).to_vec();
        if f == g {
            guards.push(not(self.equal(at_x, at_y)));
        }
        let other = not(self.equal(a, b));
        Some(Formula::Forall(vec![x, y], Box::new(implies(and(guards), other))))
    }
}
