//! What new memory the result of a procedure without a body may lead to.
//!
//! Such a procedure may return a new object, and the pointers in it may lead to further new
//! objects, as many as it likes: `\result->left != NULL` is true of a whole new tree. The machine
//! and the inliner make one object. That is all there can be only if `ensures` says of every
//! pointer in it that it is null or leads to what was there before, so [`open_pointer`] looks for
//! one of which it does not.
//!
//! It evaluates `ensures` under the hypothesis that the pointer leads to further new memory, with
//! *perhaps* for everything else. Old memory is what it was, since the callee writes nothing: what
//! is read there is old. **Invariant:** `No` is said only of formulas that are not true then, and
//! `Yes` only of such that are not false, so that undefined ones are either.

use crate::ir::{CmpOp, Procedure, Program};
use crate::spec::{BoundId, Formula, Term};
use crate::types::{CellInfo, Scalar};

/// The first pointer in a new result of `proc` that may lead to further new memory.
pub fn open_pointer<'p>(program: &'p Program, proc: &Procedure) -> Option<&'p CellInfo> {
    let Some(Scalar::Ptr(pointee)) = program.types.scalar(proc.ret) else { return None };
    let layout = program.types.new_object(pointee).ok()?;
    layout.cells.iter().filter(|cell| cell.scalar.is_ptr()).find(|cell| {
        let hypothesis = Hypothesis { program, cell: cell.offset };
        let mut clauses = proc.contract.ensures.iter();
        !clauses.any(|clause| hypothesis.truth(&clause.formula, &[]) == Truth::No)
    })
}

/// The pointer at this offset of the new result leads to another new object.
struct Hypothesis<'p> {
    program: &'p Program,
    cell: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Truth {
    Yes,
    No,
    Perhaps,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Value {
    Null,
    /// Null, or into an object that was there before the call.
    Old,
    /// Into the result, so many bytes behind its start.
    Result(i64),
    /// What the pointer of the hypothesis leads to.
    Further,
    Unknown,
}

/// What the parameters of a predicate are.
type Bound = [(BoundId, Value)];

impl Truth {
    fn of(b: bool) -> Truth {
        if b { Truth::Yes } else { Truth::No }
    }

    fn not(self) -> Truth {
        match self {
            Truth::Yes => Truth::No,
            Truth::No => Truth::Yes,
            Truth::Perhaps => Truth::Perhaps,
        }
    }

    fn and(self, other: Truth) -> Truth {
        match (self, other) {
            (Truth::No, _) | (_, Truth::No) => Truth::No,
            (Truth::Yes, Truth::Yes) => Truth::Yes,
            _ => Truth::Perhaps,
        }
    }

    fn or(self, other: Truth) -> Truth {
        self.not().and(other.not()).not()
    }
}

impl Hypothesis<'_> {
    fn truth(&self, formula: &Formula, bound: &Bound) -> Truth {
        match formula {
            Formula::Const(b) => Truth::of(*b),
            Formula::Not(a) => self.truth(a, bound).not(),
            Formula::And(fs) => fs.iter().fold(Truth::Yes, |all, f| all.and(self.truth(f, bound))),
            Formula::Or(fs) => fs.iter().fold(Truth::No, |some, f| some.or(self.truth(f, bound))),
            Formula::Implies(a, b) => self.truth(a, bound).not().or(self.truth(b, bound)),
            Formula::Iff(a, b) => {
                let (a, b) = (self.truth(a, bound), self.truth(b, bound));
                a.and(b).or(a.not().and(b.not()))
            }
            Formula::Cmp(CmpOp::Eq, a, b) => same(self.value(a, bound), self.value(b, bound)),
            Formula::Cmp(CmpOp::Ne, a, b) => same(self.value(a, bound), self.value(b, bound)).not(),
            Formula::In(x, set) => self.contains(set, self.value(x, bound), bound),
            // A variable of which nothing is known stands for all of them, and null is one.
            Formula::Forall(_, f) | Formula::Exists(_, f) => self.truth(f, bound),
            Formula::Reach { from, to, .. } => {
                old_reaches(self.value(from, bound), self.value(to, bound))
            }
            Formula::Pred(predicate, args) => {
                let predicate = &self.program.predicates[predicate.0 as usize];
                let body = predicate.body.as_ref().filter(|_| !predicate.is_recursive);
                let Some(body) = body else { return Truth::Perhaps };
                let values = args.iter().map(|a| self.value(a, bound));
                let params = predicate.params.iter().map(|p| p.id).zip(values);
                self.truth(body, &params.collect::<Vec<_>>())
            }
            Formula::Cmp(..)
            | Formula::Subset(..)
            | Formula::Derived(_)
            | Formula::Alloc(_)
            | Formula::Valid(..)
            | Formula::Separated(_)
            | Formula::Hol(..)
            | Formula::At(..) => Truth::Perhaps,
        }
    }

    fn value(&self, term: &Term, bound: &Bound) -> Value {
        match term {
            Term::Null => Value::Null,
            Term::Reg(_) | Term::Addr(_) => Value::Old,
            Term::Result => Value::Result(0),
            Term::Bound(id) => {
                bound.iter().find(|(b, _)| b == id).map_or(Value::Unknown, |(_, value)| *value)
            }
            Term::Load { addr, .. } => match self.value(addr, bound) {
                Value::Old => Value::Old,
                Value::Result(at) if at == i64::from(self.cell) => Value::Further,
                _ => Value::Unknown,
            },
            Term::Offset(base, by) => match self.value(base, bound) {
                Value::Old => Value::Old,
                Value::Result(at) => at.checked_add(*by).map_or(Value::Unknown, Value::Result),
                _ => Value::Unknown,
            },
            Term::Index { base, .. } => match self.value(base, bound) {
                Value::Old => Value::Old,
                _ => Value::Unknown,
            },
            // The address of the result is the same in all states, what is in it is not.
            Term::At(_, t) => match self.value(t, bound) {
                Value::Further => Value::Unknown,
                value => value,
            },
            Term::Ite(c, a, b) => match self.truth(c, bound) {
                Truth::Yes => self.value(a, bound),
                Truth::No => self.value(b, bound),
                Truth::Perhaps => match (self.value(a, bound), self.value(b, bound)) {
                    (a, b) if a == b => a,
                    (Value::Null, Value::Old) | (Value::Old, Value::Null) => Value::Old,
                    _ => Value::Unknown,
                },
            },
            Term::Int(_)
            | Term::Neg(_)
            | Term::Arith(..)
            | Term::Content(..)
            | Term::EmptySet
            | Term::Singleton(_)
            | Term::SetOp(..) => Value::Unknown,
        }
    }

    fn contains(&self, set: &Term, value: Value, bound: &Bound) -> Truth {
        match set {
            Term::EmptySet => Truth::No,
            Term::Singleton(t) => same(value, self.value(t, bound)),
            Term::Content(_, from) => old_reaches(self.value(from, bound), value),
            _ => Truth::Perhaps,
        }
    }
}

fn same(a: Value, b: Value) -> Truth {
    match (a, b) {
        (Value::Unknown, _) | (_, Value::Unknown) => Truth::Perhaps,
        (Value::Old, Value::Old | Value::Null) | (Value::Null, Value::Old) => Truth::Perhaps,
        _ => Truth::of(a == b),
    }
}

/// What is old leads to nothing new.
fn old_reaches(from: Value, to: Value) -> Truth {
    match (from, to) {
        (Value::Null | Value::Old, Value::Result(_) | Value::Further) => Truth::No,
        _ => Truth::Perhaps,
    }
}
