//! What integer expressions and contract formulas are on an abstract heap.
//!
//! A formula may look one field ahead (`x->next`), which can split a segment; so the answer is a
//! list of heaps that together are the heap asked about, each with what the formula may be on it.
//! Without freed memory and lost nodes it is always one truth value: formulas are evaluated
//! exactly.
//!
//! **Invariant:** the truth values of a heap in the answer are at least those that
//! [`trellis_program::concrete::spec_eval`] finds on the concrete heaps that it stands for.

mod atoms;
mod sets;

use smallvec::SmallVec;
use trellis_program::IntKind;

use crate::heap::{Heap, Ref};
use crate::program::{ANY_INT, Fact, IntExpr, ListProgram, Term, UNDEF_INT};
use crate::transform::{Source, Transformer};

/// A set of Kleene's truth values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Truths(u8);

impl Truths {
    /// False.
    pub const FALSE: Truths = Truths(1);
    /// Undefined: it reads memory that is not there.
    pub const UNDEFINED: Truths = Truths(2);
    /// True.
    pub const TRUE: Truths = Truths(4);
    /// False or true.
    pub const EITHER: Truths = Truths(5);

    /// Whether it can only be true.
    pub fn must_hold(self) -> bool {
        self == Truths::TRUE
    }

    /// Whether it may be true.
    pub fn may_hold(self) -> bool {
        self.0 & 4 != 0
    }

    fn each(self) -> impl Iterator<Item = u8> {
        [1, 2, 4].into_iter().filter(move |b| self.0 & b != 0)
    }

    fn combine(self, other: Truths, f: impl Fn(u8, u8) -> u8) -> Truths {
        let pairs = self.each().flat_map(|a| other.each().map(move |b| (a, b)));
        Truths(pairs.fold(0, |all, (a, b)| all | f(a, b)))
    }

    fn and(self, other: Truths) -> Truths {
        self.combine(other, u8::min)
    }

    fn or(self, other: Truths) -> Truths {
        self.combine(other, u8::max)
    }

    fn iff(self, other: Truths) -> Truths {
        self.combine(other, |a, b| match (a, b) {
            (2, _) | (_, 2) => 2,
            (a, b) => {
                if a == b {
                    4
                } else {
                    1
                }
            }
        })
    }

    fn not(self) -> Truths {
        Truths((self.0 & 1) << 2 | self.0 & 2 | self.0 >> 2)
    }
}

impl From<bool> for Truths {
    fn from(b: bool) -> Truths {
        if b { Truths::TRUE } else { Truths::FALSE }
    }
}

/// What an integer expression is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IntValue {
    /// This number.
    Known(i64),
    /// Any number.
    Any,
    /// Undefined.
    Undef,
}

/// The value of an integer expression.
pub fn int(program: &ListProgram, heap: &Heap, e: &IntExpr) -> IntValue {
    let truth = |b: bool| IntValue::Known(i64::from(b));
    match e {
        IntExpr::Const(c) => IntValue::Known(*c),
        IntExpr::Var(i) => match heap.ints[*i] {
            ANY_INT => IntValue::Any,
            UNDEF_INT => IntValue::Undef,
            code => IntValue::Known(program.constants[code as usize]),
        },
        IntExpr::Truth(s) => match read(heap, *s) {
            Ref::UNDEF => IntValue::Undef,
            r => truth(r != Ref::NULL),
        },
        IntExpr::Same(a, b) => match same_sources(heap, *a, *b) {
            Truths::TRUE => truth(true),
            Truths::FALSE => truth(false),
            Truths::UNDEFINED => IntValue::Undef,
            _ => IntValue::Any,
        },
        IntExpr::Cmp(op, kind, a, b) => match (int(program, heap, a), int(program, heap, b)) {
            (IntValue::Undef, _) | (_, IntValue::Undef) => IntValue::Undef,
            (IntValue::Known(a), IntValue::Known(b)) => {
                truth(op.apply(exact(*kind, a), exact(*kind, b)))
            }
            _ => IntValue::Any,
        },
        IntExpr::Not(a) => match int(program, heap, a) {
            IntValue::Known(v) => truth(v == 0),
            other => other,
        },
        IntExpr::Product(kind, a, b) => match (int(program, heap, a), int(program, heap, b)) {
            (IntValue::Undef, _) | (_, IntValue::Undef) => IntValue::Undef,
            (IntValue::Known(a), IntValue::Known(b)) => {
                IntValue::Known(kind.wrap(kind.value(a).wrapping_mul(kind.value(b))))
            }
            _ => IntValue::Any,
        },
        IntExpr::Opaque(parts) => {
            let undefined = parts.iter().any(|p| int(program, heap, p) == IntValue::Undef);
            if undefined { IntValue::Undef } else { IntValue::Any }
        }
    }
}

/// The mathematical value of a wrapped one.
fn exact(kind: Option<IntKind>, value: i64) -> i128 {
    kind.map_or(value.into(), |kind| kind.value(value))
}

fn read(heap: &Heap, source: Source) -> Ref {
    match source {
        Source::End(end) => end,
        Source::Var(v) => heap.vars[v],
    }
}

fn same_sources(heap: &Heap, a: Source, b: Source) -> Truths {
    let (x, y) = (read(heap, a), read(heap, b));
    if x == Ref::UNDEF || y == Ref::UNDEF {
        return Truths::UNDEFINED;
    }
    same_refs(x, y, a == b)
}

/// Whether two defined pointers are equal. Which freed memory they point to is not known, unless
/// they are one.
fn same_refs(a: Ref, b: Ref, one: bool) -> Truths {
    if a == Ref::DANGLING && b == Ref::DANGLING && !one {
        return Truths::EITHER;
    }
    (a == b).into()
}

/// What a term is on a heap: null, or a variable of it (of the program, or a temporary behind
/// those); `None` if it has no value.
type Value = Option<Place>;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    Null,
    Var(usize),
}

/// A heap, and what was asked about it.
type Cases<T> = SmallVec<[(Heap, T); 4]>;

/// Evaluates formulas of a program.
#[derive(Clone, Copy)]
pub struct Evaluator<'p> {
    program: &'p ListProgram,
    transformer: Transformer,
}

impl<'p> Evaluator<'p> {
    /// For a program.
    pub fn new(program: &'p ListProgram) -> Evaluator<'p> {
        let track_garbage = program.track_garbage;
        Evaluator { program, transformer: Transformer { track_garbage } }
    }

    /// What a formula is on a heap; together the heaps of the answer are the heap.
    pub fn truth(&self, heap: &Heap, fact: &Fact) -> Vec<(Heap, Truths)> {
        let vars = heap.vars.len();
        let mut out = Vec::new();
        for (mut h, truth) in self.fact(heap.clone(), fact) {
            if h.vars.len() > vars {
                h.vars.truncate(vars);
                self.transformer.finish(&mut h);
            }
            out.push((h, truth));
        }
        out
    }

    fn fact(&self, heap: Heap, fact: &Fact) -> Cases<Truths> {
        match fact {
            Fact::Const(b) => one(heap, (*b).into()),
            Fact::Not(f) => {
                let mut cases = self.fact(heap, f);
                cases.iter_mut().for_each(|(_, t)| *t = t.not());
                cases
            }
            Fact::And(fs) => self.fold(heap, fs, Truths::TRUE, Truths::FALSE, Truths::and),
            Fact::Or(fs) => self.fold(heap, fs, Truths::FALSE, Truths::TRUE, Truths::or),
            Fact::Iff(a, b) => {
                let mut out = Cases::new();
                for (h, ta) in self.fact(heap, a) {
                    out.extend(self.fact(h, b).into_iter().map(|(h, tb)| (h, ta.iff(tb))));
                }
                out
            }
            Fact::Cmp(op, a, b) => {
                let values =
                    (int(self.program, &heap, &a.value), int(self.program, &heap, &b.value));
                let truth = match values {
                    (IntValue::Undef, _) | (_, IntValue::Undef) => Truths::UNDEFINED,
                    (IntValue::Known(x), IntValue::Known(y)) => {
                        op.apply(exact(a.kind, x), exact(b.kind, y)).into()
                    }
                    _ => Truths::EITHER,
                };
                one(heap, truth)
            }
            Fact::SameSet(a, b) => self.compare_sets(heap, a, b, sets::Comparison::Equal),
            Fact::Subset(a, b) => self.compare_sets(heap, a, b, sets::Comparison::Subset),
            Fact::In(x, s) => self.member(heap, x, s),
            atom => self.atom(heap, atom),
        }
    }

    /// A connective over a list: ends early when it is decided.
    fn fold(
        &self,
        heap: Heap,
        facts: &[Fact],
        start: Truths,
        decided: Truths,
        f: impl Fn(Truths, Truths) -> Truths,
    ) -> Cases<Truths> {
        let mut cases = one(heap, start);
        for fact in facts {
            let mut next = Cases::new();
            for (h, known) in cases {
                if known == decided {
                    next.push((h, known));
                    continue;
                }
                next.extend(self.fact(h, fact).into_iter().map(|(h, t)| (h, f(known, t))));
            }
            cases = next;
        }
        cases
    }

    /// The value of a term.
    fn term(&self, heap: Heap, term: &Term) -> Cases<Value> {
        match term {
            Term::Null => one(heap, Some(Place::Null)),
            Term::Var(v) => {
                let defined = heap.vars[*v] != Ref::UNDEF;
                one(heap, defined.then_some(Place::Var(*v)))
            }
            Term::Next(t) => {
                let mut out = Cases::new();
                for (h, base) in self.term(heap, t) {
                    self.next(h, base, &mut out);
                }
                out
            }
            Term::Ite(c, a, b) => {
                let mut out = Cases::new();
                for (h, truth) in self.fact(heap, c) {
                    if truth.may_hold() {
                        out.extend(self.term(h.clone(), a));
                    }
                    if truth.not().may_hold() {
                        out.extend(self.term(h.clone(), b));
                    }
                    if truth.0 & Truths::UNDEFINED.0 != 0 {
                        out.push((h, None));
                    }
                }
                out
            }
        }
    }

    /// Follows the field of a place; the value is in a new temporary.
    fn next(&self, mut heap: Heap, base: Value, out: &mut Cases<Value>) {
        let Some(Place::Var(v)) = base.filter(|b| self.is_node(&heap, *b)) else {
            out.push((heap, None));
            return;
        };
        let temporary = heap.vars.len();
        heap.vars.push(Ref::UNDEF);
        let mut loaded = Vec::new();
        // It is a node, so it can be followed.
        let _ = self.transformer.load(heap, temporary, v, &mut loaded);
        for h in loaded {
            let defined = h.vars[temporary] != Ref::UNDEF;
            out.push((h, defined.then_some(Place::Var(temporary))));
        }
    }

    fn is_node(&self, heap: &Heap, place: Place) -> bool {
        match place {
            Place::Null => false,
            Place::Var(v) => heap.vars[v].index().is_some(),
        }
    }
}

fn one<T>(heap: Heap, value: T) -> Cases<T> {
    let mut cases = Cases::new();
    cases.push((heap, value));
    cases
}

/// The pointer at a place.
fn pointer(heap: &Heap, place: Place) -> Ref {
    match place {
        Place::Null => Ref::NULL,
        Place::Var(v) => heap.vars[v],
    }
}
