//! Formulas that the contract language of the heap program can say, so that engines which know
//! nothing of higher-order logic can use them.
//!
//! That is possible where all objects are of one class, sets are asked for members only, and
//! closures are over fields (several of them: `trees`). Definitions are unfolded and functions applied; a set equation
//! becomes a quantifier. Fields are total in the logic (null leads to null), but not in the contract
//! language: a quantifier is taken apart into null and the rest, and a read of which it is not known
//! that the object is there becomes a choice.
//!
//! **Invariant:** on every state, the translation is true if and only if the formula is
//! (`tests/first_order.rs`).

use std::collections::BTreeMap;

use trellis_hol::{Binder as HolBinder, Kind, Op, Quantifier, Term as HolTerm, Type, VarId};
use trellis_program::TypeId;
use trellis_program::ir::CmpOp;
use trellis_program::spec::{
    ArithOp, Binder, BoundId, FieldRef, Formula, HolClause, HolMeaning, Label, Sort, Term,
};

/// The same formula in the contract language, if it has a form there. `node` is the class that all
/// objects are of.
///
/// `forests` are sets of fields that are known to be those of a forest wherever the formula is used.
pub(crate) fn translate(
    node: TypeId,
    clause: &HolClause,
    args: &[Term],
    forests: &[Vec<FieldRef>],
) -> Option<Formula> {
    let mut translator = Translator {
        clause,
        forests,
        args,
        node,
        vars: BTreeMap::new(),
        next: 0,
        not_null: Vec::new(),
        label: Label::Here,
    };
    let term = translator.unfold(&clause.formula.term)?;
    translator.formula(&term)
}

pub(super) struct Translator<'c> {
    clause: &'c HolClause,
    /// Sets of fields that are known to be those of a forest.
    pub(super) forests: &'c [Vec<FieldRef>],
    args: &'c [Term],
    node: TypeId,
    /// What bound variables are.
    vars: BTreeMap<VarId, Term>,
    next: u32,
    /// Terms that are not null wherever the formula at hand matters.
    not_null: Vec<Term>,
    label: Label,
}

pub(super) fn not(f: Formula) -> Formula {
    match f {
        Formula::Const(b) => Formula::Const(!b),
        Formula::Not(inner) => *inner,
        f => Formula::Not(Box::new(f)),
    }
}

pub(super) fn and(parts: Vec<Formula>) -> Formula {
    let mut kept: Vec<Formula> = parts.into_iter().filter(|p| *p != Formula::Const(true)).collect();
    match kept.len() {
        _ if kept.contains(&Formula::Const(false)) => Formula::Const(false),
        0 => Formula::Const(true),
        1 => kept.remove(0),
        _ => Formula::And(kept),
    }
}

pub(super) fn or(parts: Vec<Formula>) -> Formula {
    not(and(parts.into_iter().map(not).collect())).flattened()
}

trait Flattened {
    fn flattened(self) -> Formula;
}

impl Flattened for Formula {
    /// `!(!a && !b)` as `a || b`.
    fn flattened(self) -> Formula {
        match self {
            Formula::Not(inner) => match *inner {
                Formula::And(parts) => Formula::Or(parts.into_iter().map(not).collect()),
                other => Formula::Not(Box::new(other)),
            },
            other => other,
        }
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

pub(super) fn equal(a: Term, b: Term) -> Formula {
    match (&a, &b) {
        (Term::Null, Term::Null) => Formula::Const(true),
        _ => Formula::Cmp(CmpOp::Eq, a, b),
    }
}

impl Translator<'_> {
    /// The term without definitions, and with functions applied to their arguments.
    fn unfold(&self, term: &HolTerm) -> Option<HolTerm> {
        let again = |kind: Kind| Some(HolTerm { kind, ty: term.ty.clone(), at: term.at });
        let all = |terms: &[HolTerm]| -> Option<Vec<HolTerm>> {
            terms.iter().map(|t| self.unfold(t)).collect()
        };
        match &term.kind {
            Kind::Comment(_, inner) => self.unfold(inner),
            Kind::Symbol(s) => match &self.clause.formula.symbol(*s).definition {
                Some(definition) => self.unfold(definition),
                None => again(term.kind.clone()),
            },
            Kind::Var(_) | Kind::Int(_) => again(term.kind.clone()),
            Kind::Op(op, args) => again(Kind::Op(*op, all(args)?)),
            Kind::Bind(q, binders, body) => {
                again(Kind::Bind(*q, binders.clone(), Box::new(self.unfold(body)?)))
            }
            Kind::Apply(head, args) => {
                let (head, args) = (self.unfold(head)?, all(args)?);
                match head.kind {
                    Kind::Bind(Quantifier::Lambda, binders, body)
                        if binders.len() <= args.len() =>
                    {
                        let (now, rest) = args.split_at(binders.len());
                        let ids = binders.iter().map(|b| b.id);
                        let body = substitute(&body, &ids.zip(now).collect());
                        let body = self.unfold(&body)?;
                        match rest {
                            [] => Some(body),
                            rest => again(Kind::Apply(Box::new(body), rest.to_vec())),
                        }
                    }
                    _ => again(Kind::Apply(Box::new(head), args)),
                }
            }
        }
    }

    pub(super) fn field(&self, head: &HolTerm) -> Option<&FieldRef> {
        let Kind::Symbol(s) = head.kind else { return None };
        match &self.clause.meanings[s.0 as usize] {
            HolMeaning::Field(f) if f.owner == self.node => Some(f),
            _ => None,
        }
    }

    pub(super) fn term(&mut self, term: &HolTerm) -> Option<Term> {
        match &term.kind {
            Kind::Var(v) => self.vars.get(v).cloned(),
            Kind::Int(i) => Some(Term::Int(*i)),
            Kind::Symbol(s) => match &self.clause.meanings[s.0 as usize] {
                HolMeaning::Argument(i) if term.ty != Type::Bool => self.args.get(*i).cloned(),
                _ => None,
            },
            Kind::Op(Op::Null, _) => Some(Term::Null),
            Kind::Op(op @ (Op::Plus | Op::Minus | Op::Times), sides) => {
                let op = match op {
                    Op::Plus => ArithOp::Add,
                    Op::Minus => ArithOp::Sub,
                    _ => ArithOp::Mul,
                };
                let (a, b) = (self.term(&sides[0])?, self.term(&sides[1])?);
                Some(Term::Arith(op, Box::new(a), Box::new(b)))
            }
            Kind::Op(Op::Negate, a) => Some(Term::Neg(Box::new(self.term(&a[0])?))),
            Kind::Op(Op::Old, a) => {
                let inner = self.at(Label::Pre, |t| t.term(&a[0]))?;
                Some(Term::At(Label::Pre, Box::new(inner)))
            }
            Kind::Apply(head, args) => {
                let field = self.field(head)?.clone();
                let [object] = &args[..] else { return None };
                let object = self.term(object)?;
                self.read(&field, object)
            }
            _ => None,
        }
    }

    pub(super) fn read(&self, field: &FieldRef, object: Term) -> Option<Term> {
        let is_pointer = field.scalar.is_ptr();
        if object == Term::Null {
            return is_pointer.then_some(Term::Null);
        }
        let addr = match field.offset {
            0 => object.clone(),
            by => Term::Offset(Box::new(object.clone()), by.into()),
        };
        let load = Term::Load { addr: Box::new(addr), scalar: field.scalar };
        if !is_pointer || self.not_null.contains(&object) {
            return Some(load);
        }
        let there = Formula::Cmp(CmpOp::Ne, object, Term::Null);
        Some(Term::Ite(Box::new(there), Box::new(load), Box::new(Term::Null)))
    }

    /// Whether a term is known not to be null.
    pub(super) fn is_there(&self, term: &Term) -> bool {
        self.not_null.contains(term)
    }

    /// Translates in another state. What is known of the values of variables of the program is
    /// not known there.
    fn at<T>(&mut self, label: Label, f: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let known = self.not_null.clone();
        self.not_null.retain(|t| matches!(t, Term::Bound(_)));
        let before = std::mem::replace(&mut self.label, label);
        let result = f(self);
        self.label = before;
        self.not_null = known;
        result
    }

    /// Translates where some terms are known not to be null.
    pub(super) fn knowing<T>(&mut self, terms: Vec<Term>, f: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.not_null.len();
        self.not_null.extend(terms);
        let result = f(self);
        self.not_null.truncate(before);
        result
    }

    fn formula(&mut self, term: &HolTerm) -> Option<Formula> {
        match &term.kind {
            Kind::Op(op, args) => self.operation(*op, args),
            Kind::Bind(Quantifier::Forall, binders, body) => self.forall(binders, body),
            Kind::Bind(Quantifier::Exists, binders, body) => {
                let negated = HolTerm {
                    kind: Kind::Op(Op::Not, vec![(**body).clone()]),
                    ty: Type::Bool,
                    at: body.at,
                };
                Some(negate_forall(self.forall(binders, &negated)?))
            }
            Kind::Symbol(s) => match &self.clause.meanings[s.0 as usize] {
                HolMeaning::Argument(i) => {
                    Some(Formula::Cmp(CmpOp::Ne, self.args.get(*i)?.clone(), Term::Int(0)))
                }
                _ => None,
            },
            Kind::Apply(..) if term.ty == Type::Bool => {
                Some(Formula::Cmp(CmpOp::Ne, self.term(term)?, Term::Int(0)))
            }
            _ => None,
        }
    }

    fn operation(&mut self, op: Op, args: &[HolTerm]) -> Option<Formula> {
        match (op, args) {
            (Op::True, _) => Some(Formula::Const(true)),
            (Op::False, _) => Some(Formula::Const(false)),
            (Op::Not, [a]) => Some(not(self.formula(a)?)),
            (Op::And, parts) => self.chain(parts, true).map(and),
            (Op::Or, parts) => self.chain(parts, false).map(or),
            (Op::Implies, [a, b]) => {
                let a = self.formula(a)?;
                if a == Formula::Const(false) {
                    return Some(Formula::Const(true));
                }
                let b = self.knowing(facts(&a, true), |t| t.formula(b))?;
                Some(implies(a, b))
            }
            (Op::Iff, [a, b]) => {
                Some(Formula::Iff(Box::new(self.formula(a)?), Box::new(self.formula(b)?)))
            }
            (Op::Old, [a]) => {
                let inner = self.at(Label::Pre, |t| t.formula(a))?;
                Some(Formula::At(Label::Pre, Box::new(inner)))
            }
            (Op::Eq, [a, b]) => match &a.ty {
                Type::Obj | Type::Int => Some(equal(self.term(a)?, self.term(b)?)),
                Type::Set(of) if **of == Type::Obj => self.for_each(|t, x| {
                    let (in_a, in_b) = (t.member(x.clone(), a)?, t.member(x, b)?);
                    Some(match (in_a, in_b) {
                        (a, Formula::Const(true)) => a,
                        (a, Formula::Const(false)) => not(a),
                        (Formula::Const(true), b) => b,
                        (Formula::Const(false), b) => not(b),
                        (a, b) => Formula::Iff(Box::new(a), Box::new(b)),
                    })
                }),
                _ => None,
            },
            (Op::Less | Op::LessEq, [a, b]) => {
                let cmp = if op == Op::Less { CmpOp::Lt } else { CmpOp::Le };
                Some(Formula::Cmp(cmp, self.term(a)?, self.term(b)?))
            }
            (Op::SubsetEq, [a, b]) if a.ty == Type::set(Type::Obj) => self.for_each(|t, x| {
                let (in_a, in_b) = (t.member(x.clone(), a)?, t.member(x, b)?);
                Some(implies(in_a, in_b))
            }),
            (Op::Element, [x, set]) => match (&x.kind, &set.kind) {
                (Kind::Op(Op::Tuple, ends), Kind::Op(Op::Closure, relation)) => {
                    let [from, to] = &ends[..] else { return None };
                    self.reach(&relation[0], from, to)
                }
                _ if x.ty == Type::Obj => {
                    let x = self.term(x)?;
                    self.member(x, set)
                }
                _ => None,
            },
            (Op::Reaches, [relation, from, to]) => self.reach(relation, from, to),
            (Op::Tree, [field]) => self.list(field),
            (Op::Tree, fields) => self.forest(fields),
            (Op::ParentTree, all) => self.parent_forest(all),
            _ => None,
        }
    }

    /// Parts of a conjunction, each knowing those before; of a disjunction, knowing that those
    /// before are false.
    fn chain(&mut self, parts: &[HolTerm], conjunction: bool) -> Option<Vec<Formula>> {
        let before = self.not_null.len();
        let mut all = Vec::new();
        for part in parts {
            let Some(formula) = self.formula(part) else {
                self.not_null.truncate(before);
                return None;
            };
            self.not_null.extend(facts(&formula, conjunction));
            // What follows does not matter, and may have no translation: a number of null has none.
            let decided = formula == Formula::Const(!conjunction);
            all.push(formula);
            if decided {
                break;
            }
        }
        self.not_null.truncate(before);
        Some(all)
    }

    pub(super) fn bound(&mut self) -> Option<(Binder, Term)> {
        let id = BoundId(self.next);
        self.next += 1;
        let binder = Binder { id, name: format!("x{}", id.0), sort: Sort::Ptr(self.node) };
        Some((binder, Term::Bound(id)))
    }

    /// For null, and for all objects.
    fn for_each(
        &mut self,
        mut body: impl FnMut(&mut Self, Term) -> Option<Formula>,
    ) -> Option<Formula> {
        let of_null = body(self, Term::Null)?;
        let (binder, x) = self.bound()?;
        let inside = self.knowing(vec![x.clone()], |t| body(t, x.clone()))?;
        let there = Formula::Cmp(CmpOp::Ne, x, Term::Null);
        let of_objects = match implies(there, inside) {
            Formula::Const(b) => Formula::Const(b),
            f => Formula::Forall(vec![binder], Box::new(f)),
        };
        Some(and(vec![of_null, of_objects]))
    }

    pub(super) fn forall(&mut self, binders: &[HolBinder], body: &HolTerm) -> Option<Formula> {
        let Some((first, rest)) = binders.split_first() else { return self.formula(body) };
        if first.ty != Type::Obj {
            return None;
        }
        if let Some(formula) = self.trees(binders, body) {
            return Some(formula);
        }
        // With two variables, nested quantifiers become one again.
        let formula = self.for_each(|t, x| {
            t.vars.insert(first.id, x);
            t.forall(rest, body)
        })?;
        Some(formula)
    }

    /// Whether a term is in a set of objects.
    fn member(&mut self, x: Term, set: &HolTerm) -> Option<Formula> {
        match &set.kind {
            Kind::Op(Op::EmptySet, _) => Some(Formula::Const(false)),
            Kind::Op(Op::Universe, _) => Some(Formula::Const(true)),
            Kind::Op(Op::Listed, parts) => {
                let parts = parts.iter().map(|p| Some(equal(x.clone(), self.term(p)?)));
                Some(or(parts.collect::<Option<_>>()?))
            }
            Kind::Op(op @ (Op::Union | Op::Inter | Op::Difference), sides) => {
                let a = self.member(x.clone(), &sides[0])?;
                let b = self.member(x, &sides[1])?;
                Some(match op {
                    Op::Union => or(vec![a, b]),
                    Op::Inter => and(vec![a, b]),
                    _ => and(vec![a, not(b)]),
                })
            }
            Kind::Op(Op::Old, inner) => {
                let x = match x {
                    Term::Bound(_) | Term::Null => x,
                    x => Term::At(Label::Here, Box::new(x)),
                };
                let inside = self.at(Label::Pre, |t| t.member(x, &inner[0]))?;
                Some(match inside {
                    Formula::Const(b) => Formula::Const(b),
                    f => Formula::At(Label::Pre, Box::new(f)),
                })
            }
            Kind::Bind(Quantifier::Comprehension, binders, body) => {
                let [one] = &binders[..] else { return None };
                self.vars.insert(one.id, x);
                self.formula(body)
            }
            Kind::Symbol(s) => match &self.clause.meanings[s.0 as usize] {
                HolMeaning::Objects => Some(Formula::Const(true)),
                HolMeaning::Class(ty) if *ty == self.node => Some(Formula::Const(true)),
                HolMeaning::Allocated if self.label == Label::Here => Some(Formula::Const(true)),
                _ => None,
            },
            _ => None,
        }
    }

    /// A closure over one field, or several.
    fn reach(&mut self, relation: &HolTerm, from: &HolTerm, to: &HolTerm) -> Option<Formula> {
        let Kind::Bind(_, binders, body) = &relation.kind else { return None };
        if let [x, y] = &binders[..]
            && let Some(fields) = self.steps(body, x.id, y.id)
        {
            let (from, to) = (self.term(from)?, self.term(to)?);
            return self.reach_by(&fields, from, to);
        }
        let ([x, y], Kind::Op(Op::Eq, sides)) = (&binders[..], &body.kind) else { return None };
        let is = |t: &HolTerm, b: &HolBinder| matches!(t.kind, Kind::Var(v) if v == b.id);
        let (read, end) = match (&sides[0], &sides[1]) {
            (a, b) if is(b, y) => (a, b),
            (a, b) => (b, a),
        };
        let Kind::Apply(head, args) = &read.kind else { return None };
        if !is(end, y) || args.len() != 1 || !is(&args[0], x) {
            return None;
        }
        let field = self.field(head)?.clone();
        if !field.scalar.is_ptr() {
            return None;
        }
        let (from, to) = (self.term(from)?, self.term(to)?);
        Some(match (&from, &to) {
            // Null leads nowhere else.
            (Term::Null, _) => equal(to, Term::Null),
            _ => Formula::Reach { field, strict: false, from, to },
        })
    }

    /// No object is reached from itself, and no two lead to the same one.
    fn list(&mut self, field: &HolTerm) -> Option<Formula> {
        let field = self.field(field)?.clone();
        let (x, at_x) = self.bound()?;
        let strict = Formula::Reach {
            field: field.clone(),
            strict: true,
            from: at_x.clone(),
            to: at_x.clone(),
        };
        let there = |t: &Term| Formula::Cmp(CmpOp::Ne, t.clone(), Term::Null);
        let acyclic = implies(there(&at_x), not(strict));
        let acyclic = Formula::Forall(vec![x], Box::new(acyclic));
        let ((y, at_y), (z, at_z)) = (self.bound()?, self.bound()?);
        let ends = vec![at_y.clone(), at_z.clone()];
        let (from_y, from_z) =
            self.knowing(ends, |t| (t.read(&field, at_y.clone()), t.read(&field, at_z.clone())));
        let (from_y, from_z) = (from_y?, from_z?);
        let guards = vec![
            there(&at_y),
            there(&at_z),
            there(&from_y),
            Formula::Cmp(CmpOp::Eq, from_y, from_z),
        ];
        let unshared = implies(and(guards), equal(at_y, at_z));
        let unshared = Formula::Forall(vec![y, z], Box::new(unshared));
        Some(and(vec![acyclic, unshared]))
    }
}

/// The opposite of a formula, with a quantifier as its dual.
fn negate_forall(f: Formula) -> Formula {
    match f {
        Formula::Forall(binders, body) => {
            let body = match *body {
                Formula::Implies(a, b) => and(vec![*a, not(*b)]),
                other => not(other),
            };
            Formula::Exists(binders, Box::new(body))
        }
        Formula::And(parts) => Formula::Or(parts.into_iter().map(negate_forall).collect()),
        other => not(other),
    }
}

/// Terms that are not null if a formula is true, or if it is false.
fn facts(formula: &Formula, value: bool) -> Vec<Term> {
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
