//! Contracts after name and type resolution: what `requires`, `ensures`, `assert` … say.
//!
//! Meaning. A formula is evaluated on a concrete state (and the state at procedure entry) to
//! *true*, *false* or *undefined*; it is undefined when it reads memory that is not there. A
//! contract clause holds only if it is true. `false && undefined` is false, as usual in Kleene's
//! logic. Arithmetic is on mathematical integers.
//!
//! **Quantifiers over pointers** `\forall struct node *v; F` range over null, all allocated objects
//! of that type (wherever it is embedded in an object), and all objects that existed at procedure
//! entry, freed or not.

mod rewrite;

use std::sync::Arc;

use crate::ir::{CmpOp, Reg};
use crate::source::Span;
use crate::types::{Scalar, TypeId};

pub(crate) use rewrite::Rewrite;

/// What a contract term denotes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Sort {
    /// A mathematical integer (C integers of every width).
    Int,
    /// A pointer to the given type; the null literal has pointee `void`.
    Ptr(TypeId),
    /// A set of pointers to the given type.
    Set(TypeId),
}

/// A pointer field to follow: `next` in `reach(next, x, y)`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FieldRef {
    /// The type that `x` points to.
    pub owner: TypeId,
    /// Byte offset of the field in it.
    pub offset: u32,
    /// The type stored there.
    pub scalar: Scalar,
    /// As written.
    pub name: String,
}

/// The state in which something is evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Label {
    /// At procedure entry: `\old(e)`, `\at(e, Pre)`.
    Pre,
    /// Now: `\at(e, Here)` inside `\old`.
    Here,
}

/// Arithmetic on mathematical integers; division and remainder truncate as in C.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum ArithOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
}

/// Operations on two sets.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SetOp {
    /// `\union(a, b)`
    Union,
    /// `\inter(a, b)`
    Inter,
    /// `\diff(a, b)`
    Diff,
}

/// A bound variable, numbered from the outermost binder of its clause.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BoundId(pub u32);

/// A typed bound variable. An integer variable ranges over the integers of its C type.
#[derive(Clone, PartialEq, Debug)]
pub struct Binder {
    /// Its number; unique within a clause, so substitution never captures.
    pub id: BoundId,
    /// As written.
    pub name: String,
    /// Its sort.
    pub sort: Sort,
}

/// A contract term.
#[derive(Clone, PartialEq, Debug)]
pub enum Term {
    /// An integer, in the range of a signed or unsigned 64-bit one.
    Int(i128),
    /// `NULL`, `\null`.
    Null,
    /// The value of a register variable.
    Reg(Reg),
    /// The address of an object variable.
    Addr(Reg),
    /// A quantified variable, or a parameter of a predicate definition.
    Bound(BoundId),
    /// `\result`.
    Result,
    /// `*p`, `p->f`, `a[i]`: the scalar stored at the address.
    Load {
        /// The address.
        addr: Box<Term>,
        /// What is stored there.
        scalar: Scalar,
    },
    /// `&p->f`, `p + 1`.
    Offset(Box<Term>, i64),
    /// `p + i`, `&a[i]`.
    Index {
        /// The pointer.
        base: Box<Term>,
        /// How many elements.
        index: Box<Term>,
        /// Bytes of one element.
        size: u32,
    },
    /// `-t`.
    Neg(Box<Term>),
    /// `a + b` ….
    Arith(ArithOp, Box<Term>, Box<Term>),
    /// `c ? a : b`.
    Ite(Box<Formula>, Box<Term>, Box<Term>),
    /// `\old(t)`, `\at(t, L)`.
    At(Label, Box<Term>),
    /// `content(f, h)`: the non-null places reachable from `h` over `f`.
    Content(FieldRef, Box<Term>),
    /// `\empty`.
    EmptySet,
    /// `{x}`, `\set(x)`.
    Singleton(Box<Term>),
    /// Union, intersection, difference.
    SetOp(SetOp, Box<Term>, Box<Term>),
}

/// The derived predicates of *Property-Directed Shape Analysis*, Tables 1 and 3, and a few that
/// users expect. Their definitions in terms of the core are given with each; `evaluate` implements
/// them directly.
#[derive(Clone, PartialEq, Debug)]
pub enum Derived {
    /// `ls(f, x, y)`: `x` reaches `y`, and no path from outside enters the segment except through
    /// `x`: for all non-null `a` between `x` and `y` (ends included) and all `b` that reach `a`,
    /// `b` reaches `x` or `x` reaches `b`.
    ListSegment(FieldRef, Term, Term),
    /// `stable(f, h)`: every non-null place reachable from `h` over `f` is allocated.
    Stable(FieldRef, Term),
    /// `rev(f, b, x, y)`: on the segment from `x` to `y`, `b` is the reverse of `f`: for all
    /// non-null `u`, `v` on it, `u` reaches `v` over `f` iff `v` reaches `u` over `b`.
    Reverse(FieldRef, FieldRef, Term, Term),
    /// `sorted(f, key, x, y)`: along the segment from `x` to `y` the key never decreases (null is
    /// not on it).
    Sorted(FieldRef, FieldRef, Term, Term),
    /// `cyclic(f, x)`: `x` reaches itself over one or more steps of `f`.
    Cyclic(FieldRef, Term),
    /// `reach({f, g}, x, y)`: `y` is a node, not null, and it is `x` or reached from it over the
    /// fields, in any order. Freed memory has no successors.
    ReachOver(Vec<FieldRef>, Term, Term),
    /// `tree(f, g, x)`: each node that is reached from `x` over the fields is reached in one way
    /// only. Null is a tree. Undefined, unless some node is reached in two ways, where a field of a
    /// node that is reached cannot be read.
    Tree(Vec<FieldRef>, Term),
}

/// A predicate of the user.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PredId(pub u32);

/// `//@ predicate name(params) = formula;` or, without a body, uninterpreted.
#[derive(Clone, Debug)]
pub struct Predicate {
    /// Its name.
    pub name: String,
    /// Its parameters; the body mentions them as [`Term::Bound`].
    pub params: Vec<Binder>,
    /// The definition. `None`: an arbitrary but fixed set of objects; null is not in it.
    pub body: Option<Formula>,
    /// Whether the definition uses the predicate itself, and only positively: it means the least
    /// relation that is as it says. Who replaces a predicate by its definition has to stop here.
    pub is_recursive: bool,
    /// The name in its declaration.
    pub span: Span,
}

/// A contract formula.
#[derive(Clone, PartialEq, Debug)]
pub enum Formula {
    /// `\true`, `\false`.
    Const(bool),
    /// `!f`.
    Not(Box<Formula>),
    /// `a && b && …`.
    And(Vec<Formula>),
    /// `a || b || …`.
    Or(Vec<Formula>),
    /// `a ==> b`.
    Implies(Box<Formula>, Box<Formula>),
    /// `a <==> b`.
    Iff(Box<Formula>, Box<Formula>),
    /// Comparison of integers; `Eq`/`Ne` also of pointers and sets. Pointer order is not defined.
    Cmp(CmpOp, Term, Term),
    /// `\in(x, s)`.
    In(Term, Term),
    /// `\subset(a, b)`.
    Subset(Term, Term),
    /// `\forall T x, y; f`.
    Forall(Vec<Binder>, Box<Formula>),
    /// `\exists T x, y; f`.
    Exists(Vec<Binder>, Box<Formula>),
    /// `reach(f, x, y)`: `y` (possibly null) is reached from `x` over `f` in zero or more steps;
    /// with `strict`, in one or more (`reach1`). Null has no successor, freed memory none.
    Reach {
        /// The field to follow.
        field: FieldRef,
        /// One or more steps instead of zero or more.
        strict: bool,
        /// From.
        from: Term,
        /// To.
        to: Term,
    },
    /// `ls`, `stable`, `rev`, `sorted`, `cyclic`, `tree`, and `reach` over several fields.
    Derived(Box<Derived>),
    /// `alloc(x)`: `x` points into an allocated object (null and dangling pointers do not).
    Alloc(Term),
    /// `\valid(p)`: reading and writing `*p` (so many bytes) is allowed.
    Valid(Term, u32),
    /// `\separated(a, b, …)`: no two point into the same object.
    Separated(Vec<Term>),
    /// A user predicate.
    Pred(PredId, Vec<Term>),
    /// A formula of a richer logic, as Jahob's annotations have it, and the values of its free
    /// variables. It can be evaluated on states; an engine that knows no more of it must refuse it.
    Hol(Arc<HolClause>, Vec<Term>),
    /// `\old(f)`, `\at(f, L)`.
    At(Label, Box<Formula>),
}

/// A formula (or any other closed term) of higher-order logic about the heap of a program. What
/// belongs to one procedure, such as its variables, is not part of it: those are the arguments
/// where the clause is used.
#[derive(Clone, PartialEq, Debug)]
pub struct HolClause {
    /// The formula, with types and places.
    pub formula: trellis_hol::Formula,
    /// What its symbols stand for, one each.
    pub meanings: Vec<HolMeaning>,
    /// The file position of the first byte of its text: places in the formula count from there.
    pub origin: Span,
}

/// What a symbol of a [`HolClause`] stands for.
#[derive(Clone, PartialEq, Debug)]
pub enum HolMeaning {
    /// The argument with this number.
    Argument(usize),
    /// A field, as a function from objects. An object without it, or null, has null there; an
    /// integer or a truth value is undefined.
    Field(FieldRef),
    /// The objects of a class, and null.
    Class(TypeId),
    /// All objects, and null: the class `Object`.
    Objects,
    /// The objects that are allocated, and null.
    Allocated,
    /// The length of an array, as a function; undefined of everything else.
    Length,
    /// Objects of which an uninterpreted predicate is true.
    Mark(PredId),
    /// What its definition says.
    Defined,
}

impl HolClause {
    /// The integers that are written in it.
    pub fn literals(&self) -> Vec<i128> {
        let mut all = Vec::new();
        self.formula.visit_all(&mut |t| {
            if let trellis_hol::Kind::Int(i) = t.kind {
                all.push(i);
            }
        });
        all
    }
}

impl Formula {
    /// The conjuncts of this formula.
    pub fn conjuncts(&self) -> Vec<&Formula> {
        match self {
            Formula::And(parts) => parts.iter().flat_map(Formula::conjuncts).collect(),
            other => vec![other],
        }
    }

    /// Calls `f` on this formula, all subformulas and, through `on_term`, all terms in it.
    pub fn visit(&self, on_formula: &mut impl FnMut(&Formula), on_term: &mut impl FnMut(&Term)) {
        on_formula(self);
        match self {
            Formula::Const(_) => {}
            Formula::Not(a) | Formula::Forall(_, a) | Formula::Exists(_, a) | Formula::At(_, a) => {
                a.visit(on_formula, on_term);
            }
            Formula::And(fs) | Formula::Or(fs) => {
                fs.iter().for_each(|f| f.visit(on_formula, on_term));
            }
            Formula::Implies(a, b) | Formula::Iff(a, b) => {
                a.visit(on_formula, on_term);
                b.visit(on_formula, on_term);
            }
            Formula::Cmp(_, a, b)
            | Formula::In(a, b)
            | Formula::Subset(a, b)
            | Formula::Reach { from: a, to: b, .. } => {
                a.visit(on_formula, on_term);
                b.visit(on_formula, on_term);
            }
            Formula::Derived(d) => {
                d.terms().into_iter().for_each(|t| t.visit(on_formula, on_term));
            }
            Formula::Alloc(t) | Formula::Valid(t, _) => t.visit(on_formula, on_term),
            Formula::Separated(ts) | Formula::Pred(_, ts) | Formula::Hol(_, ts) => {
                ts.iter().for_each(|t| t.visit(on_formula, on_term));
            }
        }
    }
}

impl Term {
    /// Calls `on_term` on this term and all subterms, `on_formula` on formulas inside it.
    pub fn visit(&self, on_formula: &mut impl FnMut(&Formula), on_term: &mut impl FnMut(&Term)) {
        on_term(self);
        match self {
            Term::Int(_)
            | Term::Null
            | Term::Reg(_)
            | Term::Addr(_)
            | Term::Bound(_)
            | Term::Result
            | Term::EmptySet => {}
            Term::Load { addr: a, .. }
            | Term::Offset(a, _)
            | Term::Neg(a)
            | Term::At(_, a)
            | Term::Content(_, a)
            | Term::Singleton(a) => a.visit(on_formula, on_term),
            Term::Index { base: a, index: b, .. } | Term::Arith(_, a, b) | Term::SetOp(_, a, b) => {
                a.visit(on_formula, on_term);
                b.visit(on_formula, on_term);
            }
            Term::Ite(c, a, b) => {
                c.visit(on_formula, on_term);
                a.visit(on_formula, on_term);
                b.visit(on_formula, on_term);
            }
        }
    }
}

impl Derived {
    /// Its terms, in order.
    pub fn terms(&self) -> Vec<&Term> {
        match self {
            Derived::Stable(_, a) | Derived::Cyclic(_, a) | Derived::Tree(_, a) => vec![a],
            Derived::ListSegment(_, a, b)
            | Derived::ReachOver(_, a, b)
            | Derived::Reverse(_, _, a, b)
            | Derived::Sorted(_, _, a, b) => vec![a, b],
        }
    }

    /// Its fields, in order.
    pub fn fields(&self) -> Vec<&FieldRef> {
        match self {
            Derived::Stable(f, _) | Derived::Cyclic(f, _) | Derived::ListSegment(f, _, _) => {
                vec![f]
            }
            Derived::Reverse(f, g, _, _) | Derived::Sorted(f, g, _, _) => vec![f, g],
            Derived::ReachOver(fields, ..) | Derived::Tree(fields, _) => fields.iter().collect(),
        }
    }

    /// The fields that it follows in any order; none if it follows them one by one.
    pub fn field_set(&self) -> Option<&[FieldRef]> {
        match self {
            Derived::ReachOver(fields, ..) | Derived::Tree(fields, _) => Some(fields),
            _ => None,
        }
    }
}

/// One clause of a contract.
#[derive(Clone, Debug)]
pub struct Promise {
    /// What it says.
    pub formula: Formula,
    /// The formula in the source.
    pub span: Span,
}

/// What a procedure may write, besides memory that it allocates itself.
#[derive(Clone, Debug)]
pub enum Assigns {
    /// No `assigns` clause, or `\everything`.
    Everything,
    /// The listed places only; empty for `\nothing`.
    Places(Vec<AssignsItem>, Span),
}

/// One item of an `assigns` clause, evaluated at procedure entry.
#[derive(Clone, Debug)]
pub struct AssignsItem {
    /// Variables of a set comprehension `{ p->f | T x; F }`; empty for a plain place.
    pub binders: Vec<Binder>,
    /// Its filter.
    pub filter: Option<Formula>,
    /// The address of the place.
    pub addr: Term,
    /// Bytes that may be written there.
    pub bytes: u32,
    /// A register global, when the place is one (then `addr` is not used).
    pub global: Option<Reg>,
    /// In the source.
    pub span: Span,
}

/// The contract of a procedure.
#[derive(Clone, Debug)]
pub struct Contract {
    /// Assumed at entry, checked at calls.
    pub requires: Vec<Promise>,
    /// Checked at return, assumed at calls of procedures without a body.
    pub ensures: Vec<Promise>,
    /// What may be written.
    pub assigns: Assigns,
}

impl Default for Contract {
    fn default() -> Contract {
        Contract { requires: Vec::new(), ensures: Vec::new(), assigns: Assigns::Everything }
    }
}
