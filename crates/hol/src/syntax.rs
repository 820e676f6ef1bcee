//! Formulas as they are written, before names and types are looked at.

use crate::types::Type;

/// Where something stands: bytes of the text that was parsed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct At {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl At {
    /// The smallest stretch around both.
    pub fn to(self, other: At) -> At {
        At { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// What is wrong with a text, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    /// The place.
    pub at: At,
    /// One sentence, no full stop.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl Error {
    /// An error without advice.
    pub fn new(at: At, message: impl Into<String>) -> Error {
        Error { at, message: message.into(), help: None }
    }

    /// The same with advice.
    pub fn with_help(self, help: impl Into<String>) -> Error {
        Error { help: Some(help.into()), ..self }
    }
}

/// A part of a formula with its place.
#[derive(Clone, PartialEq, Debug)]
pub struct Node {
    /// What it is.
    pub kind: Syntax,
    /// Where it stands.
    pub at: At,
}

/// A bound variable as written: name, type if one is given, place.
pub type Bound = (String, Option<Type>, At);

/// A way to write a part of a formula.
#[derive(Clone, PartialEq, Debug)]
pub enum Syntax {
    /// `x`, `Node.next`.
    Name(String),
    /// A number.
    Int(i128),
    /// An operator or constant by its ASCII name (`&`, `=`, `Un`, `card`, `True`, `{}`, …), with
    /// its operands.
    Op(&'static str, Vec<Node>),
    /// `f x y`.
    Apply(Box<Node>, Vec<Node>),
    /// `x..f`.
    Field(Box<Node>, Box<Node>),
    /// `ALL`, `EX`, `%`.
    Binder(&'static str, Vec<Bound>, Box<Node>),
    /// `{x. F}`, `{(x, y). F}`.
    Comprehension(Vec<Bound>, Box<Node>),
    /// `{a, b}`.
    Listed(Vec<Node>),
    /// `[f, g]`.
    List(Vec<Node>),
    /// `(a, b)`.
    Tuple(Vec<Node>),
    /// `let x = t in F`.
    Let(Bound, Box<Node>, Box<Node>),
    /// `t :: int`.
    Typed(Box<Node>, Type),
    /// `comment ''why'' F`.
    Comment(String, Box<Node>),
}
