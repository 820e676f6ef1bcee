//! What registers and cells of a memory graph hold.
//!
//! Integers that are not known are *symbols* with a range: copies of one value are one symbol, so a
//! comparison of two copies is decided. A range without a symbol is a value of which there is one
//! copy only.

use serde::{Deserialize, Serialize};

/// A node of a graph, or of an alternative.
pub type NodeId = u32;
/// An integer that is not known; an index into [`crate::Graph::ranges`].
pub type Symbol = u32;

/// A set of integers, as registers hold them: an interval without at most one of its members.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Range {
    /// The smallest.
    pub lo: i64,
    /// The largest.
    pub hi: i64,
    /// A member of the interval that is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hole: Option<i64>,
}

impl Range {
    /// Everything between two numbers.
    pub fn between(lo: i64, hi: i64) -> Range {
        Range { lo, hi, hole: None }
    }

    /// One number.
    pub fn one(i: i64) -> Range {
        Range::between(i, i)
    }

    /// Whether nothing is in it.
    pub fn is_empty(self) -> bool {
        self.lo > self.hi || (self.lo == self.hi && self.hole == Some(self.lo))
    }

    /// The number, if there is just one.
    pub fn single(self) -> Option<i64> {
        let this = self.trimmed();
        (this.lo == this.hi).then_some(this.lo)
    }

    /// The same without a hole at one of its ends, or outside.
    #[must_use]
    pub fn trimmed(mut self) -> Range {
        match self.hole {
            Some(h) if h == self.lo && self.lo < self.hi => {
                self.lo += 1;
                self.hole = None;
            }
            Some(h) if h == self.hi && self.lo < self.hi => {
                self.hi -= 1;
                self.hole = None;
            }
            Some(h) if h < self.lo || h > self.hi => self.hole = None,
            _ => {}
        }
        self
    }

    /// Whether a number is in it.
    pub fn contains(self, i: i64) -> bool {
        self.lo <= i && i <= self.hi && self.hole != Some(i)
    }

    /// Whether everything in another one is in it.
    pub fn includes(self, other: Range) -> bool {
        self.lo <= other.lo && other.hi <= self.hi && self.hole.is_none_or(|h| !other.contains(h))
    }

    /// The smallest one with both in it.
    #[must_use]
    pub fn hull(self, other: Range) -> Range {
        let hole = [self.hole, other.hole]
            .into_iter()
            .flatten()
            .find(|h| !self.contains(*h) && !other.contains(*h));
        Range { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi), hole }.trimmed()
    }

    /// How many numbers are in it, at most.
    pub fn count(self) -> u128 {
        (i128::from(self.hi) - i128::from(self.lo) + 1).max(0) as u128
    }
}

/// Which element of a summary is meant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum End {
    /// The first one; also an object itself.
    First,
    /// The last one, of a segment only.
    Last,
}

/// Where a pointer points.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Place {
    /// An object, or a summary.
    pub node: NodeId,
    /// Of a summary, which element.
    pub end: End,
    /// Bytes from the start of the object.
    pub off: i32,
    /// In a buffer: so many bytes further.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Symbol>,
}

impl Place {
    /// A place in an object, or in an element at an end of a summary.
    pub fn new(node: NodeId, end: End, off: i32) -> Place {
        Place { node, end, off, at: None }
    }

    /// Another place in the same object; nothing is said of a symbol.
    #[must_use]
    pub fn with_position(self, position: Value) -> Option<Place> {
        match position {
            Value::Int(i) => Some(Place { off: i32::try_from(i).ok()?, at: None, ..self }),
            Value::Sym(s) => Some(Place { off: 0, at: Some(s), ..self }),
            _ => None,
        }
    }

    /// How many bytes from the start of the object, where that is one value.
    pub fn position(self) -> Option<Value> {
        match (self.at, self.off) {
            (None, off) => Some(Value::Int(off.into())),
            (Some(s), 0) => Some(Value::Sym(s)),
            (Some(_), _) => None,
        }
    }
}

/// What an alternative says of its surroundings.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Formal {
    /// The element behind it, or what follows the segment.
    Next,
    /// The element before it (above it, in a tree), or what comes before the summary.
    Prev,
    /// The same for all elements.
    Param(u8),
}

/// What a register or a cell holds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Value {
    /// Nobody will look at it.
    Any,
    /// Never written.
    Undef,
    /// The null pointer.
    Null,
    /// An integer.
    Int(i64),
    /// An integer that is not known.
    Sym(Symbol),
    /// Some integer.
    Range(Range),
    /// A pointer that is not null; also one converted to an integer.
    Ptr(Place),
    /// A pointer to memory whose lifetime has ended.
    Freed,
    /// Shares bytes with something that was written; cannot be read.
    Mixed,
    /// In alternatives: one of its surroundings, so many bytes further.
    Formal(Formal, i32),
}

impl Value {
    /// A pointer to an object.
    pub fn to(node: NodeId, off: i32) -> Value {
        Value::Ptr(Place::new(node, End::First, off))
    }

    /// The symbol that it is.
    pub fn symbol(self) -> Option<Symbol> {
        match self {
            Value::Sym(s) => Some(s),
            _ => None,
        }
    }

    /// The symbol that it is, or that says where in a buffer it points.
    pub fn mentions(self) -> Option<Symbol> {
        match self {
            Value::Sym(s) => Some(s),
            Value::Ptr(p) => p.at,
            _ => None,
        }
    }

    /// Where it points.
    pub fn place(self) -> Option<Place> {
        match self {
            Value::Ptr(p) => Some(p),
            _ => None,
        }
    }

    /// The same some bytes further. Null stays null only where it stands.
    pub fn shifted(self, by: i32) -> Option<Value> {
        match self {
            Value::Ptr(p) => Some(Value::Ptr(Place { off: p.off.checked_add(by)?, ..p })),
            Value::Formal(f, d) => Some(Value::Formal(f, d.checked_add(by)?)),
            // Which memory it was is not known any more, so neither is where in it.
            Value::Freed => Some(Value::Freed),
            v => (by == 0).then_some(v),
        }
    }

    /// How far one pointer is behind another one into the same object.
    pub fn distance(self, from: Value) -> Option<i32> {
        match (self, from) {
            (Value::Ptr(p), Value::Ptr(q)) if (p.node, p.end, p.at) == (q.node, q.end, q.at) => {
                p.off.checked_sub(q.off)
            }
            (a, b) => (a == b && !matches!(a, Value::Ptr(_))).then_some(0),
        }
    }
}
