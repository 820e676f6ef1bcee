//! Contracts as written: names unresolved, types unchecked.
//!
//! **Invariants.** Every node knows its place in the user's file. Terms and formulas are one
//! syntactic category, because only types tell `p` the pointer from `p` the condition; resolution
//! separates them. No expression is higher than [`MAX_HEIGHT`], so recursion over it is safe.

use trellis_program::IntKind;
use trellis_program::ir::CmpOp;
use trellis_program::source::Span;
use trellis_program::spec::ArithOp;

/// The height of the highest expression that the parser builds; an unoptimised build needs about
/// 25 kB of stack for each level.
pub const MAX_HEIGHT: u32 = 60;

/// One clause of an annotation.
#[derive(Clone, PartialEq, Debug)]
pub enum Annotation {
    /// `requires F;`
    Requires(Formula),
    /// `ensures F;`
    Ensures(Formula),
    /// `assigns P, …;`
    Assigns(Places),
    /// `behavior b: …`
    Behavior(Behavior),
    /// `loop invariant F;`
    LoopInvariant(Formula),
    /// `loop assigns P, …;`: accepted and not used, since Trellis finds what a loop writes.
    LoopAssigns(Places),
    /// `loop variant e;`: accepted and not used, since termination is not checked.
    LoopVariant(Span),
    /// `assert F;`
    Assert(Formula),
    /// `predicate p(params) = F;`
    Predicate(PredicateDecl),
    /// `ghost S;`: C text, only delimited here.
    Ghost(Ghost),
}

impl Annotation {
    /// The keyword that begins the clause.
    pub fn keyword(&self) -> &'static str {
        match self {
            Annotation::Requires(_) => "requires",
            Annotation::Ensures(_) => "ensures",
            Annotation::Assigns(_) => "assigns",
            Annotation::Behavior(_) => "behavior",
            Annotation::LoopInvariant(_) => "loop invariant",
            Annotation::LoopAssigns(_) => "loop assigns",
            Annotation::LoopVariant(_) => "loop variant",
            Annotation::Assert(_) => "assert",
            Annotation::Predicate(_) => "predicate",
            Annotation::Ghost(_) => "ghost",
        }
    }

    /// The place of what follows the keyword.
    pub fn span(&self) -> Span {
        match self {
            Annotation::Requires(f)
            | Annotation::Ensures(f)
            | Annotation::LoopInvariant(f)
            | Annotation::Assert(f) => f.span,
            Annotation::Assigns(p) | Annotation::LoopAssigns(p) => p.span,
            Annotation::Behavior(b) => b.name.span,
            Annotation::LoopVariant(span) => *span,
            Annotation::Predicate(p) => p.name.span,
            Annotation::Ghost(g) => g.span,
        }
    }
}

/// A name and its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ident {
    /// As written; logic names keep their backslash.
    pub text: String,
    /// Where.
    pub span: Span,
}

/// C text inside a `ghost` annotation, up to and including its `;`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ghost {
    /// The text; comment markers in it are blank, so that byte `i` of it is byte `start + i` of the
    /// annotation.
    pub text: String,
    /// Its first byte in the annotation.
    pub start: usize,
    /// One past its last byte in the annotation.
    pub end: usize,
    /// Its place in the user's file.
    pub span: Span,
}

/// `behavior name: assumes …; requires …; ensures …;`
#[derive(Clone, PartialEq, Debug)]
pub struct Behavior {
    /// Its name.
    pub name: Ident,
    /// When it applies: all of these, at entry.
    pub assumes: Vec<Formula>,
    /// Its preconditions.
    pub requires: Vec<Formula>,
    /// Its postconditions.
    pub ensures: Vec<Formula>,
}

/// `predicate name(params) = body;`
#[derive(Clone, PartialEq, Debug)]
pub struct PredicateDecl {
    /// Its name.
    pub name: Ident,
    /// Its parameters.
    pub params: Vec<BinderDecl>,
    /// Its definition, if it is not uninterpreted.
    pub body: Option<Formula>,
}

/// The places of an `assigns` clause.
#[derive(Clone, PartialEq, Debug)]
pub struct Places {
    /// Which.
    pub kind: PlacesKind,
    /// All of them in the source.
    pub span: Span,
}

/// Which places an `assigns` clause names.
#[derive(Clone, PartialEq, Debug)]
pub enum PlacesKind {
    /// `\nothing`
    Nothing,
    /// `\everything`
    Everything,
    /// A list.
    List(Vec<PlaceItem>),
}

/// `p->f`, or `{ p->f | T p; F }`.
#[derive(Clone, PartialEq, Debug)]
pub struct PlaceItem {
    /// The place.
    pub place: Expr,
    /// Variables of a comprehension; empty for a plain place.
    pub binders: Vec<BinderDecl>,
    /// Its filter.
    pub filter: Option<Formula>,
    /// All of it.
    pub span: Span,
}

/// A typed variable: of a quantifier, a comprehension, or a predicate.
#[derive(Clone, PartialEq, Debug)]
pub struct BinderDecl {
    /// Its name.
    pub name: Ident,
    /// Its type.
    pub ty: TypeName,
}

/// A type as written.
#[derive(Clone, PartialEq, Debug)]
pub struct TypeName {
    /// What stands before the stars.
    pub base: BaseType,
    /// How many stars.
    pub pointers: u32,
    /// Its place; in a list of declarators, that of the common part.
    pub span: Span,
}

/// Which of the three kinds of tags.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TagKind {
    /// `struct`
    Struct,
    /// `union`
    Union,
    /// `enum`
    Enum,
}

impl TagKind {
    /// The C keyword.
    pub fn keyword(self) -> &'static str {
        match self {
            TagKind::Struct => "struct",
            TagKind::Union => "union",
            TagKind::Enum => "enum",
        }
    }
}

/// A type without its stars.
#[derive(Clone, PartialEq, Debug)]
pub enum BaseType {
    /// `void`
    Void,
    /// A C integer type.
    Int(IntKind),
    /// `float`, `double`: so many bits.
    Float(u16),
    /// `integer`: the mathematical integers.
    Integer,
    /// `struct node`
    Tagged(TagKind, Ident),
    /// A typedef's name.
    Named(Ident),
    /// `set<struct node *>`
    Set(Box<TypeName>),
}

/// An expression read as a formula.
pub type Formula = Expr;

/// A term or formula, with its place.
#[derive(Clone, PartialEq, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where.
    pub span: Span,
    /// One more than the highest operand; at most [`MAX_HEIGHT`].
    pub(super) height: u32,
}

/// Operators before their operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOp {
    /// `!`
    Not,
    /// `-`
    Neg,
    /// `+`
    Plus,
    /// `*`
    Deref,
    /// `&`
    Addr,
}

/// What an expression is.
#[derive(Clone, PartialEq, Debug)]
pub enum ExprKind {
    /// A numeral or character.
    Int(i128),
    /// A C name, `NULL` included.
    Name(String),
    /// `\null`
    Null,
    /// `\result`
    Result,
    /// `\true`, `\false`
    Truth(bool),
    /// `\empty`
    EmptySet,
    /// `{x, y}`, `\set(x, y)`
    Set(Vec<Expr>),
    /// `name(args)`, the name possibly with a backslash.
    Call(Ident, Vec<Expr>),
    /// A prefix operator.
    Unary(UnaryOp, Box<Expr>),
    /// Integer or pointer arithmetic.
    Arith(ArithOp, Box<Expr>, Box<Expr>),
    /// `a < b <= c`: the first operand, then comparisons with their operator's place.
    Compare(Box<Expr>, Vec<(CmpOp, Span, Expr)>),
    /// `x \in s`
    In(Box<Expr>, Box<Expr>),
    /// `a && b && …`
    And(Vec<Expr>),
    /// `a || b || …`
    Or(Vec<Expr>),
    /// `a ==> b`
    Implies(Box<Expr>, Box<Expr>),
    /// `a <==> b`
    Iff(Box<Expr>, Box<Expr>),
    /// `c ? a : b`
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `\forall T x, y; F`, `\exists T x, y; F`
    Quantifier {
        /// `\forall`, not `\exists`.
        forall: bool,
        /// Its variables.
        binders: Vec<BinderDecl>,
        /// Its scope.
        body: Box<Expr>,
    },
    /// `\at(e, L)`; `\old(e)` is `\at(e, Old)`.
    At(Box<Expr>, Ident),
    /// `(T)e`
    Cast(TypeName, Box<Expr>),
    /// `sizeof(T)`
    Sizeof(TypeName),
    /// `e.f`
    Member(Box<Expr>, Ident),
    /// `e->f`
    Arrow(Box<Expr>, Ident),
    /// `e[i]`
    Index(Box<Expr>, Box<Expr>),
}

impl Expr {
    /// The expression at a place; its height follows from its operands.
    pub(super) fn new(kind: ExprKind, span: Span) -> Expr {
        let height = 1 + kind.highest_operand();
        Expr { kind, span, height }
    }
}

impl ExprKind {
    fn highest_operand(&self) -> u32 {
        let most = |es: &[Expr]| es.iter().map(|e| e.height).max().unwrap_or(0);
        match self {
            ExprKind::Int(_)
            | ExprKind::Name(_)
            | ExprKind::Null
            | ExprKind::Result
            | ExprKind::Truth(_)
            | ExprKind::EmptySet
            | ExprKind::Sizeof(_) => 0,
            ExprKind::Set(es) | ExprKind::Call(_, es) | ExprKind::And(es) | ExprKind::Or(es) => {
                most(es)
            }
            ExprKind::Unary(_, a)
            | ExprKind::At(a, _)
            | ExprKind::Cast(_, a)
            | ExprKind::Member(a, _)
            | ExprKind::Arrow(a, _)
            | ExprKind::Quantifier { body: a, .. } => a.height,
            ExprKind::Arith(_, a, b)
            | ExprKind::In(a, b)
            | ExprKind::Implies(a, b)
            | ExprKind::Iff(a, b)
            | ExprKind::Index(a, b) => a.height.max(b.height),
            ExprKind::Cond(a, b, c) => a.height.max(b.height).max(c.height),
            ExprKind::Compare(a, rest) => {
                let last = rest.iter().map(|(_, _, e)| e.height).max();
                a.height.max(last.unwrap_or(0))
            }
        }
    }
}
