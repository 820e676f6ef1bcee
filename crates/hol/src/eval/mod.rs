//! What a formula means on a finite heap.
//!
//! Objects are those of the [`Model`], integers those that it names: quantifiers range over them,
//! and so do sets. Truth is Kleene's: a formula is *undefined* where it depends on something that
//! the model does not know, such as an integer field of null, an element outside an array, or, in a
//! **partial** heap, a value that is not chosen yet. *True* and *false* on a partial heap hold for
//! every way to complete it, whatever objects are added.
//!
//! Fields are total functions in this logic. A field that holds an object leads to null from null
//! and from objects that do not have it; the model says so.
//!
//! * `sets`: membership, and what is compared element by element
//! * `closure`: reflexive and transitive closure, trees

mod closure;
mod sets;
#[cfg(test)]
mod tests;

use std::rc::Rc;

use crate::term::{Binder, Formula, Kind, Op, Quantifier, SymbolId, Term, VarId};
use crate::types::Type;
use sets::Set;

/// Kleene's three truth values.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum Truth {
    False,
    Undefined,
    True,
}

impl Truth {
    /// True only if both are, false if one is.
    pub fn and(self, other: Truth) -> Truth {
        self.min(other)
    }

    /// Whether both are the same; undefined if one is.
    pub fn iff(self, other: Truth) -> Truth {
        match (self, other) {
            (Truth::Undefined, _) | (_, Truth::Undefined) => Truth::Undefined,
            (a, b) => (a == b).into(),
        }
    }
}

impl std::ops::Not for Truth {
    type Output = Truth;

    fn not(self) -> Truth {
        match self {
            Truth::False => Truth::True,
            Truth::Undefined => Truth::Undefined,
            Truth::True => Truth::False,
        }
    }
}

impl From<bool> for Truth {
    fn from(b: bool) -> Truth {
        if b { Truth::True } else { Truth::False }
    }
}

/// The state that a term is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum View {
    /// Now.
    Now,
    /// At entry: under `old`.
    Entry,
}

/// A heap. Objects are numbers; null is `None`.
pub trait Model {
    /// How many objects there are now; they are numbered from 0.
    fn objects(&self) -> u32;

    /// Whether values are still to be chosen, so that more objects may come.
    fn is_partial(&self) -> bool;

    /// The integers that quantifiers range over, in order.
    fn ints(&self) -> &[i128];

    /// What a symbol that is no function stands for; `None` if that is not known.
    fn constant(&self, symbol: SymbolId, view: View) -> Option<Value>;

    /// Whether an object is in a set that a symbol stands for.
    fn contains(&self, symbol: SymbolId, view: View, object: Option<u32>) -> Truth;

    /// What a field is at an object.
    fn field(&self, symbol: SymbolId, view: View, object: Option<u32>) -> Option<Value>;

    /// An element of an array.
    fn element(&self, view: View, array: Option<u32>, index: i128) -> Option<Value>;
}

/// A value that a model can give.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(i128),
    /// An object or null.
    Obj(Option<u32>),
}

/// The truth of a formula.
pub fn truth(formula: &Formula, model: &dyn Model) -> Truth {
    Evaluator::new(formula, model).truth(&formula.term)
}

/// The value of a term that is an integer, an object or a truth value.
pub fn value(formula: &Formula, model: &dyn Model) -> Option<Value> {
    let mut evaluator = Evaluator::new(formula, model);
    match evaluator.value(&formula.term)? {
        Val::Plain(v) => Some(v),
        _ => None,
    }
}

/// Values of all types.
#[derive(Clone)]
enum Val<'a> {
    Plain(Value),
    Tuple(Rc<[Val<'a>]>),
    Set(Rc<Set<'a>>),
    Fun(Fun<'a>),
}

/// A function.
#[derive(Clone)]
enum Fun<'a> {
    /// A field.
    Symbol(SymbolId, View),
    /// An abstraction with the variables that it sees, and how many of its own have values.
    Lambda(&'a [Binder], &'a Term, Env<'a>, View),
    /// A field as it is after one write.
    Update(Rc<Val<'a>>, Option<u32>, Rc<Val<'a>>),
}

/// Variables with their values, innermost first.
type Env<'a> = Option<Rc<Binding<'a>>>;

struct Binding<'a> {
    id: VarId,
    value: Val<'a>,
    outer: Env<'a>,
}

struct Evaluator<'a> {
    formula: &'a Formula,
    model: &'a dyn Model,
    env: Env<'a>,
    view: View,
}

impl<'a> Val<'a> {
    fn int(&self) -> Option<i128> {
        match self {
            Val::Plain(Value::Int(i)) => Some(*i),
            _ => None,
        }
    }

    fn object(&self) -> Option<Option<u32>> {
        match self {
            Val::Plain(Value::Obj(o)) => Some(*o),
            _ => None,
        }
    }
}

impl<'a> Evaluator<'a> {
    fn new(formula: &'a Formula, model: &'a dyn Model) -> Evaluator<'a> {
        Evaluator { formula, model, env: None, view: View::Now }
    }

    /// Evaluates with other variables, in another state.
    fn within<T>(&mut self, env: Env<'a>, view: View, f: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.env, env);
        let before = std::mem::replace(&mut self.view, view);
        let result = f(self);
        self.env = outer;
        self.view = before;
        result
    }

    fn with<T>(&mut self, id: VarId, value: Val<'a>, f: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.env.clone();
        let env = Some(Rc::new(Binding { id, value, outer }));
        let view = self.view;
        self.within(env, view, f)
    }

    fn variable(&self, id: VarId) -> Option<Val<'a>> {
        let mut env = &self.env;
        while let Some(scope) = env {
            if scope.id == id {
                return Some(scope.value.clone());
            }
            env = &scope.outer;
        }
        None
    }

    fn truth(&mut self, term: &'a Term) -> Truth {
        match &term.kind {
            Kind::Op(op, args) => self.connective(*op, args, term),
            Kind::Bind(Quantifier::Forall, binders, body) => self.forall(binders, body, false),
            Kind::Bind(Quantifier::Exists, binders, body) => !self.forall(binders, body, true),
            Kind::Comment(_, inner) => self.truth(inner),
            _ => self.as_truth(term),
        }
    }

    fn as_truth(&mut self, term: &'a Term) -> Truth {
        match self.value(term) {
            Some(Val::Plain(Value::Bool(b))) => b.into(),
            _ => Truth::Undefined,
        }
    }

    fn connective(&mut self, op: Op, args: &'a [Term], term: &'a Term) -> Truth {
        match (op, args) {
            (Op::True, _) => Truth::True,
            (Op::False, _) => Truth::False,
            (Op::Not, [a]) => !self.truth(a),
            (Op::And, _) => self.all(args, |e, a| e.truth(a)),
            (Op::Or, _) => !self.all(args, |e, a| !e.truth(a)),
            (Op::Implies, [a, b]) => match !self.truth(a) {
                Truth::True => Truth::True,
                not_a => not_a.max(self.truth(b)),
            },
            (Op::Iff, [a, b]) => match self.truth(a) {
                Truth::Undefined => Truth::Undefined,
                a => a.iff(self.truth(b)),
            },
            (Op::If, [c, a, b]) => match self.truth(c) {
                Truth::True => self.truth(a),
                Truth::False => self.truth(b),
                Truth::Undefined => Truth::Undefined,
            },
            (Op::Old, [a]) => {
                let env = self.env.clone();
                self.within(env, View::Entry, |e| e.truth(a))
            }
            (Op::Eq, [a, b]) => self.equal_terms(a, b),
            (Op::Less | Op::LessEq, [a, b]) => match (self.integer(a), self.integer(b)) {
                (Some(a), Some(b)) if op == Op::Less => (a < b).into(),
                (Some(a), Some(b)) => (a <= b).into(),
                _ => Truth::Undefined,
            },
            (Op::SubsetEq | Op::Subset, [a, b]) => match (self.value(a), self.value(b)) {
                (Some(x), Some(y)) => self.included(&x, &y, &a.ty, op == Op::Subset),
                _ => Truth::Undefined,
            },
            (Op::Element, [a, b]) => self.is_element(a, b),
            (Op::Reaches, [relation, from, to]) => {
                match (self.value(relation), self.value(from), self.value(to)) {
                    (Some(Val::Fun(f)), Some(from), Some(to)) => {
                        self.reaches(&closure::Relation::Curried(f), &from, &to, &from_type(term))
                    }
                    _ => Truth::Undefined,
                }
            }
            (Op::Tree, fields) => self.is_tree(fields),
            (Op::ParentTree, [parent, fields @ ..]) => self.is_parent_tree(parent, fields),
            _ => self.as_truth(term),
        }
    }

    fn all(&mut self, args: &'a [Term], f: impl Fn(&mut Self, &'a Term) -> Truth) -> Truth {
        let mut known = Truth::True;
        for arg in args {
            known = known.and(f(self, arg));
            if known == Truth::False {
                break;
            }
        }
        known
    }

    /// Whether the body, or with `negated` its opposite, is true of all values.
    fn forall(&mut self, binders: &'a [Binder], body: &'a Term, negated: bool) -> Truth {
        let Some((binder, rest)) = binders.split_first() else {
            let truth = self.truth(body);
            return if negated { !truth } else { truth };
        };
        let mut known = Truth::True;
        let Some(complete) = self.each(&binder.ty, &mut |e, value| {
            let truth = e.with(binder.id, value, |e| e.forall(rest, body, negated));
            known = known.and(truth);
            known != Truth::False
        }) else {
            return Truth::Undefined;
        };
        if known == Truth::True && !complete { Truth::Undefined } else { known }
    }

    fn integer(&mut self, term: &'a Term) -> Option<i128> {
        self.value(term)?.int()
    }

    fn value(&mut self, term: &'a Term) -> Option<Val<'a>> {
        match &term.kind {
            Kind::Var(id) => self.variable(*id),
            Kind::Symbol(id) => self.symbol(*id),
            Kind::Int(i) => Some(Val::Plain(Value::Int(*i))),
            Kind::Comment(_, inner) => self.value(inner),
            Kind::Apply(head, args) => {
                let mut value = self.value(head)?;
                for arg in args {
                    let arg = self.value(arg)?;
                    value = self.apply(&value, arg)?;
                }
                Some(value)
            }
            Kind::Bind(Quantifier::Lambda, binders, body) => {
                Some(Val::Fun(Fun::Lambda(binders, body, self.env.clone(), self.view)))
            }
            Kind::Bind(Quantifier::Comprehension, binders, body) => {
                let set = Set::Comprehension(binders, body, self.env.clone(), self.view);
                Some(Val::Set(Rc::new(set)))
            }
            Kind::Bind(..) => self.truth_value(term),
            Kind::Op(op, args) => self.operation(*op, args, term),
        }
    }

    fn truth_value(&mut self, term: &'a Term) -> Option<Val<'a>> {
        match self.truth(term) {
            Truth::True => Some(Val::Plain(Value::Bool(true))),
            Truth::False => Some(Val::Plain(Value::Bool(false))),
            Truth::Undefined => None,
        }
    }

    fn symbol(&mut self, id: SymbolId) -> Option<Val<'a>> {
        let formula = self.formula;
        let symbol = formula.symbol(id);
        if let Some(definition) = &symbol.definition {
            let view = self.view;
            return self.within(None, view, |e| e.value(definition));
        }
        match symbol.ty {
            Type::Fun(..) => Some(Val::Fun(Fun::Symbol(id, self.view))),
            Type::Set(_) => Some(Val::Set(Rc::new(Set::Symbol(id, self.view)))),
            _ => self.model.constant(id, self.view).map(Val::Plain),
        }
    }

    fn apply(&mut self, fun: &Val<'a>, arg: Val<'a>) -> Option<Val<'a>> {
        let Val::Fun(fun) = fun else { return None };
        match fun {
            Fun::Symbol(id, view) => self.model.field(*id, *view, arg.object()?).map(Val::Plain),
            Fun::Lambda(binders, body, env, view) => {
                let (first, rest) = binders.split_first()?;
                let scope = Binding { id: first.id, value: arg, outer: env.clone() };
                let env = Some(Rc::new(scope));
                match rest {
                    [] => self.within(env, *view, |e| match body.ty {
                        Type::Bool => e.truth_value(body),
                        _ => e.value(body),
                    }),
                    rest => Some(Val::Fun(Fun::Lambda(rest, body, env, *view))),
                }
            }
            Fun::Update(fun, at, value) => {
                if arg.object()? == *at {
                    return Some((**value).clone());
                }
                self.apply(fun, arg)
            }
        }
    }

    fn operation(&mut self, op: Op, args: &'a [Term], term: &'a Term) -> Option<Val<'a>> {
        let int = |i: Option<i128>| i.map(|i| Val::Plain(Value::Int(i)));
        match (op, args) {
            (Op::Null, _) => Some(Val::Plain(Value::Obj(None))),
            (Op::Plus | Op::Minus | Op::Times | Op::Div | Op::Mod, [a, b]) => {
                let (a, b) = (self.integer(a)?, self.integer(b)?);
                int(match op {
                    Op::Plus => a.checked_add(b),
                    Op::Minus => a.checked_sub(b),
                    Op::Times => a.checked_mul(b),
                    Op::Div => floor_div(a, b),
                    _ => floor_div(a, b).and_then(|q| a.checked_sub(q.checked_mul(b)?)),
                })
            }
            (Op::Negate, [a]) => int(self.integer(a)?.checked_neg()),
            (Op::Card, [a]) => {
                let set = self.value(a)?;
                int(self.card(&set, &a.ty))
            }
            (Op::If, [c, a, b]) => match self.truth(c) {
                Truth::True => self.value(a),
                Truth::False => self.value(b),
                Truth::Undefined => None,
            },
            (Op::Old, [a]) => {
                let env = self.env.clone();
                self.within(env, View::Entry, |e| e.value(a))
            }
            (Op::Element1, [a, i]) => {
                let (array, index) = (self.value(a)?.object()?, self.integer(i)?);
                self.model.element(self.view, array, index).map(Val::Plain)
            }
            (Op::Tuple, parts) => {
                let parts: Option<Vec<_>> = parts.iter().map(|p| self.value(p)).collect();
                Some(Val::Tuple(parts?.into()))
            }
            (Op::Update, [f, x, v]) => {
                let (f, x, v) = (self.value(f)?, self.value(x)?.object()?, self.value(v)?);
                Some(Val::Fun(Fun::Update(Rc::new(f), x, Rc::new(v))))
            }
            (Op::List, _) => None,
            _ if matches!(term.ty, Type::Set(_)) => self.set(op, args),
            _ if term.ty == Type::Bool => self.truth_value(term),
            _ => None,
        }
    }
}

/// The type of the ends of `rtrancl_pt`.
fn from_type(term: &Term) -> Type {
    match &term.kind {
        Kind::Op(Op::Reaches, args) => args[1].ty.clone(),
        _ => Type::Obj,
    }
}

/// Division that rounds down.
fn floor_div(a: i128, b: i128) -> Option<i128> {
    let (q, r) = (a.checked_div(b)?, a.checked_rem(b)?);
    Some(if r != 0 && (r < 0) != (b < 0) { q - 1 } else { q })
}
