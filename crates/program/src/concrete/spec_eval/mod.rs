//! What a contract formula means on a concrete state.
//!
//! Kleene's logic with early exit: a connective is decided as soon as its operands decide it, and
//! *undefined* otherwise. A term that reads memory which is not there has no value, and a
//! comparison with it is undefined. `\old` switches memory, globals and parameters to those of
//! procedure entry.
//!
//! * `terms`: integers, pointers, sets
//! * `paths`: `reach` and the predicates built on it
//! * `trees`: `tree`, and `reach` over several fields
//! * `domains`: what quantifiers range over
//! * `hol`: the heap as higher-order formulas see it
//! * `recursion`: predicates that are defined by themselves
//! * [`traits`]: what a formula looks at, without a state
//! * [`assigns`]: which write an `assigns` clause does not allow
//!
//! **Partial heaps.** [`Value::Open`] stands for a value not chosen yet, possibly a pointer to an
//! object that does not exist yet. *True* and *false* on a partial heap hold for every way to
//! complete it.
//!
//! **Choices.** A local that is not a parameter did not exist at entry; under `\old` it keeps its
//! current value. Without a [`SpecEnv::pre`], entry is now.

pub mod assigns;
mod domains;
mod hol;
mod paths;
mod recursion;
mod terms;
#[cfg(test)]
mod tests;
pub mod traits;
mod trees;

use smallvec::SmallVec;

use crate::concrete::memory::{Memory, ObjId, Value};
use crate::concrete::state::PreState;
use crate::ir::{CmpOp, ProcId, Program};
use crate::spec::{Binder, BoundId, Formula, Label, PredId, Sort, Term};

use domains::IntDomain;
use terms::{Set, Val};

pub use assigns::Written;
pub use domains::places_in;
pub(crate) use terms::parameter_address;
pub use traits::{Traits, formula_traits};

/// Kleene's three truth values. `Undefined`: the formula reads memory that is not there, or, in a
/// partial heap, a value that is not chosen yet.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum Truth {
    False,
    Undefined,
    True,
}

impl Truth {
    fn and(self, other: Truth) -> Truth {
        self.min(other)
    }
}

/// The opposite; undefined stays undefined.
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

/// `==` or `!=` given whether both sides are equal; nothing else is defined of sets and places.
fn equality(op: CmpOp, equal: bool) -> Truth {
    op.apply_equality(equal).map_or(Truth::Undefined, Truth::from)
}

/// Everything a formula can see.
#[derive(Clone, Copy)]
pub struct SpecEnv<'a> {
    /// The program.
    pub program: &'a Program,
    /// The procedure whose variables and result the formula names.
    pub proc: ProcId,
    /// Memory now.
    pub memory: &'a Memory,
    /// Globals now, as in [`crate::concrete::State::globals`].
    pub globals: &'a [Value],
    /// Slots of the procedure's variables now (objects: a pointer to the object).
    pub locals: &'a [Value],
    /// The parameters at entry (for an object parameter: the value passed, not an address).
    pub entry: &'a [Value],
    /// Memory and globals at entry; `None` when it was not kept because no clause looks at it
    /// (then only parameters can be read under `Pre`), or when entry is now.
    pub pre: Option<&'a PreState>,
    /// What the procedure returns, in `ensures`.
    pub result: Option<Value>,
}

impl SpecEnv<'_> {
    /// The truth of a formula.
    pub fn truth(&self, formula: &Formula) -> Truth {
        Evaluator::new(*self, Label::Here, Some(formula)).truth(formula)
    }

    /// The integers that quantifiers in a formula range over.
    pub fn integers(&self, formula: &Formula) -> Vec<i128> {
        Evaluator::new(*self, Label::Here, Some(formula)).int_domain().values()
    }
}

/// What a bound variable stands for.
#[derive(Clone)]
enum Binding {
    /// An argument without a value.
    Nothing,
    Val(Val),
    /// Rare, and much larger than a value.
    Set(Box<Set>),
}

/// One evaluation.
///
/// **Invariant.** `bound[scope..]` are the variables in scope, innermost last: quantifiers push
/// and pop, a predicate's body sees its parameters only.
struct Evaluator<'a> {
    env: SpecEnv<'a>,
    /// The state that terms read.
    view: Label,
    bound: SmallVec<[(BoundId, Binding); 4]>,
    scope: usize,
    /// Where the literals for integer quantifiers come from.
    root: Option<&'a Formula>,
    /// Computed when the first integer quantifier is met.
    ints: Option<IntDomain>,
    /// Whether the state is partial; computed when a quantifier needs it.
    partial: Option<bool>,
    /// What is known of recursive predicates.
    goals: recursion::Goals,
}

impl<'a> Evaluator<'a> {
    fn new(env: SpecEnv<'a>, view: Label, root: Option<&'a Formula>) -> Evaluator<'a> {
        Evaluator {
            env,
            view,
            bound: SmallVec::new(),
            scope: 0,
            root,
            ints: None,
            partial: None,
            goals: recursion::Goals::default(),
        }
    }

    /// The memory that is looked at.
    fn memory(&self) -> &'a Memory {
        match (self.view, self.env.pre) {
            (Label::Pre, Some(pre)) => &pre.memory,
            _ => self.env.memory,
        }
    }

    /// Evaluates something in another state.
    fn at<T>(&mut self, label: Label, f: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.view, label);
        let value = f(self);
        self.view = before;
        value
    }

    fn truth(&mut self, formula: &'a Formula) -> Truth {
        match formula {
            Formula::Const(b) => Truth::from(*b),
            Formula::Not(f) => !self.truth(f),
            Formula::And(fs) => self.all(fs),
            Formula::Or(fs) => {
                let mut known = Truth::False;
                for f in fs {
                    known = known.max(self.truth(f));
                    if known == Truth::True {
                        break;
                    }
                }
                known
            }
            Formula::Implies(a, b) => match !self.truth(a) {
                Truth::True => Truth::True,
                not_a => not_a.max(self.truth(b)),
            },
            Formula::Iff(a, b) => match self.truth(a) {
                Truth::True => self.truth(b),
                Truth::False => !self.truth(b),
                Truth::Undefined => Truth::Undefined,
            },
            Formula::Cmp(op, a, b) => self.compare(*op, a, b),
            Formula::In(x, s) => self.member(x, s),
            Formula::Subset(a, b) => match (self.set(a), self.set(b)) {
                (Some(a), Some(b)) => a.iter().all(|x| b.binary_search(x).is_ok()).into(),
                _ => Truth::Undefined,
            },
            Formula::Forall(binders, body) => self.forall(binders, body, false),
            Formula::Exists(binders, body) => !self.forall(binders, body, true),
            Formula::Reach { field, strict, from, to } => {
                match (self.place(from), self.place(to)) {
                    (Some(x), Some(y)) => self.reach(field, *strict, x, y),
                    _ => Truth::Undefined,
                }
            }
            Formula::Derived(d) => self.derived(d),
            Formula::Alloc(t) => match self.place(t) {
                Some(x) => self.is_allocated(x).into(),
                None => Truth::Undefined,
            },
            Formula::Valid(t, bytes) => match self.place(t) {
                Some(x) => self.is_valid(x, *bytes).into(),
                None => Truth::Undefined,
            },
            Formula::Separated(ts) => self.separated(ts),
            Formula::Pred(id, args) => self.predicate(*id, args),
            Formula::Hol(clause, args) => self.hol(clause, args),
            Formula::At(label, f) => self.at(*label, |e| e.truth(f)),
        }
    }

    fn all(&mut self, fs: &'a [Formula]) -> Truth {
        let mut known = Truth::True;
        for f in fs {
            known = known.and(self.truth(f));
            if known == Truth::False {
                break;
            }
        }
        known
    }

    fn compare(&mut self, op: CmpOp, a: &'a Term, b: &'a Term) -> Truth {
        if self.is_set(a) || self.is_set(b) {
            let (Some(a), Some(b)) = (self.set(a), self.set(b)) else {
                return Truth::Undefined;
            };
            return equality(op, a == b);
        }
        let Some(a) = self.value(a) else {
            return Truth::Undefined;
        };
        let Some(b) = self.value(b) else {
            return Truth::Undefined;
        };
        match (a, b) {
            (Val::Int(a), Val::Int(b)) => op.apply(a, b).into(),
            (Val::Place(Some(a)), Val::Place(Some(b)))
                if a.obj != b.obj && [a, b].iter().all(|p| self.is_literal(p.obj)) =>
            {
                Truth::Undefined
            }
            (Val::Place(a), Val::Place(b)) => equality(op, a == b),
            // A pointer kept in an integer, or the other way round: only zero and null agree.
            (Val::Int(i), Val::Place(p)) | (Val::Place(p), Val::Int(i)) => match (i, p) {
                (0, p) => equality(op, p.is_none()),
                (_, None) => equality(op, false),
                (_, Some(_)) => Truth::Undefined,
            },
        }
    }

    /// Whether an object may share memory with another such object.
    fn is_literal(&self, id: ObjId) -> bool {
        self.env.memory.object(id).literal
    }

    fn separated(&mut self, ts: &'a [Term]) -> Truth {
        let places: SmallVec<[_; 4]> = ts.iter().map(|t| self.place(t)).collect();
        let mut known = Truth::True;
        for (i, a) in places.iter().enumerate() {
            for b in &places[..i] {
                known = known.and(match (a, b) {
                    (Some(Some(a)), Some(Some(b))) => (a.obj != b.obj).into(),
                    (Some(None), _) | (_, Some(None)) => Truth::True,
                    _ => Truth::Undefined,
                });
            }
        }
        known
    }

    fn predicate(&mut self, id: PredId, args: &'a [Term]) -> Truth {
        let predicate = &self.env.program.predicates[id.0 as usize];
        let Some(body) = &predicate.body else {
            return match (&predicate.params[..], args) {
                ([Binder { sort: Sort::Ptr(_), .. }], [arg]) => self.mark(id, arg),
                _ => Truth::Undefined,
            };
        };
        if predicate.is_recursive {
            return self.recursive(id, args);
        }
        let start = self.bound.len();
        for (param, arg) in predicate.params.iter().zip(args) {
            let binding = if matches!(param.sort, Sort::Set(_)) {
                self.set(arg).map(|set| Binding::Set(Box::new(set)))
            } else {
                self.value(arg).map(Binding::Val)
            };
            // Arguments see the caller's variables, so the scope moves only after the last one.
            self.bound.push((param.id, binding.unwrap_or(Binding::Nothing)));
        }
        let outer = std::mem::replace(&mut self.scope, start);
        let truth = self.truth(body);
        self.scope = outer;
        self.bound.truncate(start);
        truth
    }

    /// An uninterpreted predicate of one place: a bit of the object, the same at every time.
    fn mark(&mut self, id: PredId, arg: &'a Term) -> Truth {
        /// As many as [`crate::concrete::Object::marks`] has bits.
        const MOST_MARKS: u32 = 32;
        match self.place(arg) {
            _ if id.0 >= MOST_MARKS => Truth::Undefined,
            None => Truth::Undefined,
            Some(None) => Truth::False,
            Some(Some(p)) => (self.env.memory.object(p.obj).marks & 1 << id.0 != 0).into(),
        }
    }
}
