//! The core predicates of singly-linked lists, and what statements do to them (*Predicate and
//! Canonical Abstraction*, Tables 1 and 2).
//!
//! | predicate | meaning |
//! |---|---|
//! | `x(v)` | the variable x points to v; unique |
//! | `n(v, w)` | the field of v points to w; functional. No edge: it is null |
//! | `freed(v)` | v was freed; it stays while something points to it, so that using it is noticed |
//! | `undef[f](v)` | the field f of v was never written |
//! | `lost()` | something became unreachable that was not freed |
//! | `new(v)` | marks the new object during an allocation |
//!
//! As in the paper, a store is two statements: the field becomes null, then it gets its value.

use trellis_logic::kleene::{
    Action, Formula, PredId, Predicate, Predicates, Property, Shown, Update, Var,
};

/// A pointer variable, by its position in [`Core::vars`].
pub type VarIndex = usize;

/// What a statement does to a list heap.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Statement {
    /// `x = NULL`.
    Null(VarIndex),
    /// `x = t`.
    Copy(VarIndex, VarIndex),
    /// `x = t->n`; t is not null.
    Load(VarIndex, VarIndex),
    /// `x = malloc(…)`, or `calloc` if the fields start as zero.
    New(VarIndex, Fields),
    /// `x->n = NULL`; x is not null.
    StoreNull(VarIndex),
    /// `x->n = t`; x is not null, and its field is.
    Store(VarIndex, VarIndex),
    /// Field number i of the integer fields of x is written.
    StoreData(VarIndex, usize),
    /// `free(x)`; the object is not freed yet, or x is null.
    Free(VarIndex),
    /// Objects that no variable reaches disappear.
    Collect,
    /// Nothing.
    Skip,
}

/// What the fields of a new object hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fields {
    /// Zeros.
    Zero,
    /// Nothing yet.
    Undefined,
}

/// What is done with garbage that was not freed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Garbage {
    /// It is a leak, as in C.
    #[default]
    Leaks,
    /// A collector takes it, as in *Predicate and Canonical Abstraction*.
    IsCollected,
}

/// The core predicates of a procedure.
#[derive(Clone, Debug)]
pub struct Core {
    /// The pointer variables.
    pub vars: Vec<PredId>,
    /// The field.
    pub n: PredId,
    /// Freed objects.
    pub freed: PredId,
    /// Objects whose list field was never written.
    pub undef_n: PredId,
    /// Objects whose integer field of this number was never written.
    pub undef_data: Vec<PredId>,
    /// Something was lost.
    pub lost: PredId,
    /// The new object.
    pub new: PredId,
}

/// The free variables of definitions and updates.
pub const V: Var = Var::new(0);
/// The second one.
pub const W: Var = Var::new(1);
/// Variables to be bound.
pub const A: Var = Var::new(2);
/// Another.
pub const B: Var = Var::new(3);

impl Core {
    /// Declares the core predicates for variables and integer fields of these names.
    pub fn declare(
        predicates: &mut Predicates,
        vars: &[String],
        field: &str,
        data: &[String],
    ) -> Core {
        let vars = vars.iter().map(|name| {
            let pointer = Predicate::core(name, 1).with(Property::Unique).shown(Shown::Pointer);
            predicates.declare(pointer)
        });
        let vars = vars.collect();
        let n = predicates.declare(Predicate::core(field, 2).with(Property::Functional));
        let freed = predicates.declare(Predicate::core("freed", 1));
        let undef_n = predicates.declare(Predicate::core(format!("undef[{field}]"), 1));
        let undef = |name: &String| Predicate::core(format!("undef[{name}]"), 1);
        let undef_data = data.iter().map(|name| predicates.declare(undef(name))).collect();
        let lost = predicates.declare(Predicate::core("lost", 0));
        let new = predicates.declare(Predicate::core("new", 1).no_abstraction());
        Core { vars, n, freed, undef_n, undef_data, lost, new }
    }

    /// The variable points to v.
    pub fn points(&self, x: VarIndex, v: Var) -> Formula {
        Formula::atom(self.vars[x], &[v])
    }

    /// The field of v points to w.
    pub fn next(&self, v: Var, w: Var) -> Formula {
        Formula::atom(self.n, &[v, w])
    }

    /// The variable is not null.
    pub fn not_null(&self, x: VarIndex) -> Formula {
        Formula::exists(A, self.points(x, A))
    }

    /// The object at which x points has a property; `of` gets the variable for the object.
    pub fn at(&self, x: VarIndex, of: impl Fn(Var) -> Formula) -> Formula {
        Formula::exists(A, Formula::and([self.points(x, A), of(A)]))
    }

    /// The field of the object at which x points leads to v.
    pub fn successor(&self, x: VarIndex) -> Formula {
        self.at(x, |u| self.next(u, V))
    }

    /// The field of v leads to the object at which x points.
    pub fn at_next(&self, v: Var, x: VarIndex) -> Formula {
        Formula::exists(B, Formula::and([self.next(v, B), self.points(x, B)]))
    }

    /// Some program variable points to v.
    pub fn pointed(&self, v: Var) -> Formula {
        Formula::or((0..self.vars.len()).map(|x| self.points(x, v)))
    }

    /// v is heap-shared (*Predicate and Canonical Abstraction*, Table 5).
    pub fn shared(&self) -> Formula {
        let second = Formula::and([self.next(B, V), Formula::eq(A, B).not()]);
        Formula::exists(A, Formula::and([self.next(A, V), Formula::exists(B, second)]))
    }

    /// One or more steps lead from v to w.
    pub fn path(&self, v: Var, w: Var) -> Formula {
        Formula::closure(self.next(A, B), [A, B], v, w)
    }

    /// What a statement does to the core predicates. `garbage` says which objects disappear.
    pub fn action(&self, statement: Statement, garbage: &Formula) -> Action {
        let set = |predicate: PredId, formula: Formula| Update { predicate, formula };
        let no = || Formula::Const(false.into());
        let without = |p: PredId, x: VarIndex| {
            set(p, Formula::and([Formula::atom(p, &[V]), self.points(x, V).not()]))
        };
        let with = |p: PredId, more: Formula| set(p, Formula::or([Formula::atom(p, &[V]), more]));
        let cut =
            |x: VarIndex| set(self.n, Formula::and([self.next(V, W), self.points(x, V).not()]));
        let mut action = Action::default();
        match statement {
            Statement::Null(x) => action.updates.push(set(self.vars[x], no())),
            Statement::Copy(x, t) => action.updates.push(set(self.vars[x], self.points(t, V))),
            Statement::Load(x, t) => {
                action.focus.push((1, self.successor(t)));
                action.updates.push(set(self.vars[x], self.successor(t)));
            }
            Statement::New(x, fields) => {
                let is_new = || Formula::atom(self.new, &[V]);
                action.allocates = Some(self.new);
                action.updates.push(set(self.vars[x], is_new()));
                if fields == Fields::Undefined {
                    action.updates.push(with(self.undef_n, is_new()));
                    action.updates.extend(self.undef_data.iter().map(|&p| with(p, is_new())));
                }
            }
            Statement::StoreNull(x) => {
                action.focus.push((1, self.successor(x)));
                action.updates = vec![cut(x), without(self.undef_n, x)];
            }
            Statement::Store(x, t) => {
                let edge = Formula::and([self.points(x, V), self.points(t, W)]);
                action.updates.push(set(self.n, Formula::or([self.next(V, W), edge])));
            }
            Statement::StoreData(x, i) => action.updates.push(without(self.undef_data[i], x)),
            Statement::Free(x) => {
                action.focus.push((1, self.successor(x)));
                action.updates =
                    vec![cut(x), with(self.freed, self.points(x, V)), without(self.undef_n, x)];
                action.updates.extend(self.undef_data.iter().map(|&p| without(p, x)));
            }
            Statement::Collect => {
                let leaves = |v: Var| garbage.with(&[v]);
                let unfreed = Formula::and([leaves(A), Formula::atom(self.freed, &[A]).not()]);
                let lost =
                    Formula::or([Formula::atom(self.lost, &[]), Formula::exists(A, unfreed)]);
                action.updates.push(set(self.lost, lost));
                action.updates.push(set(self.n, Formula::and([self.next(V, W), leaves(V).not()])));
            }
            Statement::Skip => {}
        }
        action
    }
}

impl Statement {
    /// Whether an object can become unreachable by it.
    pub fn can_lose(self) -> bool {
        match self {
            Statement::Null(_)
            | Statement::Copy(..)
            | Statement::Load(..)
            | Statement::New(..)
            | Statement::StoreNull(_)
            | Statement::Free(_) => true,
            Statement::Store(..)
            | Statement::StoreData(..)
            | Statement::Collect
            | Statement::Skip => false,
        }
    }
}
