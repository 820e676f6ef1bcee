//! Formulas that the contract language of the heap program can say, so that engines which know
//! nothing of higher-order logic can use them.
//!
//! That is possible where sets are asked for members only, and closures are over fields.
//! Definitions are unfolded and functions applied; a set equation becomes a quantifier. Fields are
//! total in the logic (null leads to null, and so do objects of other classes), but not in the contract
//! language: a quantifier is taken apart into null and the objects of each class, and a read of which
//! it is not known that the object is there becomes a choice. Objects of no class of the program
//! ([`Of::Stranger`]) must make no difference, or nothing may depend on the class at all.
//!
//! * `unfold`: definitions and functions
//! * `terms`: values and fields, with their classes
//! * `sets`: membership
//! * `lists`: closures, `tree`
//! * `trees`, `field_constraint`: the same of several fields; parents
//! * `build`: formulas, simplified
//!
//! **Invariant:** on every state, the translation is true if and only if the formula is
//! (`tests/first_order.rs`).

mod build;
mod field_constraint;
mod lists;
mod sets;
mod terms;
mod trees;
mod unfold;

use std::collections::BTreeMap;

use trellis_hol::{Binder as HolBinder, Kind, Op, Quantifier, Term as HolTerm, Type, VarId};
use trellis_program::TypeId;
use trellis_program::ir::CmpOp;
use trellis_program::spec::{
    Binder, BoundId, FieldRef, Formula, HolClause, HolMeaning, Label, Sort, Term,
};

use build::{and, facts, iff, implies, is_there, negate_forall, not, or};
pub(crate) use terms::Of;
use terms::Typed;
pub(crate) use trees::forest_of;

/// The objects that a program may have.
#[derive(Clone, Debug)]
pub(crate) struct Universe {
    /// The classes that objects may be of.
    pub classes: Vec<TypeId>,
    /// Whether there may be others: arrays, objects of the library.
    pub others: bool,
    /// The type of anything.
    pub anything: TypeId,
}

/// The same formula in the contract language, if it has a form there. `kinds` are what the
/// arguments may be, `forests` sets of fields that are known to be those of a forest wherever the
/// formula is used.
pub(crate) fn translate(
    universe: &Universe,
    clause: &HolClause,
    args: &[Term],
    (kinds, forests): (&[Of], &[Vec<FieldRef>]),
) -> Option<Formula> {
    // Methods of objects are not called without one.
    let is_this = |m: &HolMeaning| match m {
        HolMeaning::Argument(i) => Some(*i),
        _ => None,
    };
    let named = clause.formula.symbols.iter().zip(&clause.meanings);
    let this = named.filter(|(s, _)| s.name == "this").filter_map(|(_, m)| is_this(m));
    let this: Vec<Term> = this.filter_map(|i| args.get(i).cloned()).collect();
    let mut translator = Translator {
        universe,
        clause,
        args,
        kinds,
        forests,
        vars: BTreeMap::new(),
        next: 0,
        not_null: this,
        label: Label::Here,
    };
    let term = unfold::unfold(clause, &clause.formula.term);
    translator.formula(&term)
}

struct Translator<'c> {
    universe: &'c Universe,
    clause: &'c HolClause,
    args: &'c [Term],
    kinds: &'c [Of],
    /// Sets of fields that are known to be those of a forest.
    forests: &'c [Vec<FieldRef>],
    /// What bound variables are.
    vars: BTreeMap<VarId, Typed>,
    next: u32,
    /// Terms that are not null wherever the formula at hand matters.
    not_null: Vec<Term>,
    label: Label,
}

/// A formula about an object.
type About<'f, 'c> = &'f mut dyn FnMut(&mut Translator<'c>, Typed) -> Option<Formula>;

impl<'c> Translator<'c> {
    /// Translates in another state. What is known of the values of variables of the program is
    /// not known there.
    fn at<T>(&mut self, label: Label, f: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let known = self.not_null.clone();
        self.not_null.retain(|t| matches!(t, Term::Bound(_)));
        let before = std::mem::replace(&mut self.label, label);
        // What variables stand for was found in the state outside.
        let vars = self.vars.clone();
        for value in self.vars.values_mut() {
            if !matches!(value.term, Term::Bound(_) | Term::Null | Term::At(..)) {
                let term = std::mem::replace(&mut value.term, Term::Null);
                value.term = Term::At(before, Box::new(term));
            }
        }
        let result = f(self);
        self.vars = vars;
        self.label = before;
        self.not_null = known;
        result
    }

    /// Translates where some terms are known not to be null.
    fn knowing<T>(&mut self, terms: Vec<Term>, f: impl FnOnce(&mut Self) -> T) -> T {
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
                Some(Formula::Cmp(CmpOp::Ne, self.term(term)?.term, Term::Int(0)))
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
            (Op::Iff, [a, b]) => Some(iff(self.formula(a)?, self.formula(b)?)),
            (Op::If, [c, a, b]) => {
                let c = self.formula(c)?;
                let a = self.knowing(facts(&c, true), |t| t.formula(a))?;
                let b = self.knowing(facts(&c, false), |t| t.formula(b))?;
                Some(and(vec![implies(c.clone(), a), implies(not(c), b)]))
            }
            (Op::Old, [a]) => {
                let inner = self.at(Label::Pre, |t| t.formula(a))?;
                Some(match inner {
                    Formula::Const(b) => Formula::Const(b),
                    f => Formula::At(Label::Pre, Box::new(f)),
                })
            }
            (Op::Eq, [a, b]) => match &a.ty {
                Type::Obj | Type::Int => {
                    let (a, b) = (self.term(a)?, self.term(b)?);
                    Some(self.equal(a, b))
                }
                Type::Set(_) => self.same_set(a, b),
                _ => None,
            },
            (Op::Less | Op::LessEq, [a, b]) => {
                let cmp = if op == Op::Less { CmpOp::Lt } else { CmpOp::Le };
                Some(Formula::Cmp(cmp, self.term(a)?.term, self.term(b)?.term))
            }
            (Op::SubsetEq, [a, b]) => self.subset(a, b),
            (Op::Subset, [a, b]) => {
                let (inside, back) = (self.subset(a, b)?, self.subset(b, a)?);
                Some(and(vec![inside, negate_forall(back)]))
            }
            (Op::Element, [x, set]) => self.element(x, set),
            (Op::Reaches, [relation, from, to]) => self.reach(relation, from, to),
            (Op::Tree, fields) => self.tree(fields).or_else(|| self.forest(fields)),
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

    fn binder(&mut self, name: &str, ty: TypeId) -> (Binder, Term) {
        let id = BoundId(self.next);
        self.next += 1;
        (Binder { id, name: name.to_owned(), sort: Sort::Ptr(ty) }, Term::Bound(id))
    }

    /// A new variable for objects of a class, and null.
    fn bound(&mut self, name: &str, class: TypeId) -> (Binder, Typed) {
        let (binder, term) = self.binder(name, class);
        (binder, Typed { term, of: Of::Class(class) })
    }

    /// For null, and for all objects.
    fn for_each(&mut self, name: &str, body: About<'_, 'c>) -> Option<Formula> {
        // Before a quantifier is taken apart: perhaps nothing depends on classes.
        if self.universe.others
            && let Some(formula) = self.for_all_of(name, Of::Any, body)
        {
            let of_null = body(self, Typed::NULL)?;
            return Some(and(vec![of_null, formula]));
        }
        let mut parts = vec![body(self, Typed::NULL)?];
        for class in self.universe.classes.clone() {
            parts.push(self.for_all_of(name, Of::Class(class), body)?);
        }
        if self.universe.others {
            match self.for_all_of(name, Of::Stranger, body)? {
                Formula::Const(true) => {}
                _ => return None,
            }
        }
        Some(and(parts))
    }

    /// For all objects of a kind.
    fn for_all_of(&mut self, name: &str, of: Of, body: About<'_, 'c>) -> Option<Formula> {
        let ty = match of {
            Of::Class(class) => class,
            _ => self.universe.anything,
        };
        let (binder, x) = self.binder(name, ty);
        let about = Typed { term: x.clone(), of };
        let inside = self.knowing(vec![x.clone()], |t| body(t, about))?;
        Some(match implies(is_there(&x), inside) {
            Formula::Const(true) => Formula::Const(true),
            f => Formula::Forall(vec![binder], Box::new(f)),
        })
    }

    fn forall(&mut self, binders: &[HolBinder], body: &HolTerm) -> Option<Formula> {
        let Some((first, rest)) = binders.split_first() else { return self.formula(body) };
        if first.ty != Type::Obj {
            return None;
        }
        if let Some(formula) = self.trees(binders, body) {
            return Some(formula);
        }
        self.for_each(&first.name, &mut |t, x| {
            t.vars.insert(first.id, x);
            t.forall(rest, body)
        })
    }
}
