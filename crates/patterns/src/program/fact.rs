//! Contract formulas over pattern words.

use trellis_program::CmpOp;

use super::Source;

/// A contract formula. It is true, false or undefined in a state; see
/// [`crate::facts`] for what a pattern says of it.
#[derive(Clone, PartialEq, Debug)]
pub enum Fact {
    /// True or false.
    Const(bool),
    /// Negation.
    Not(Box<Fact>),
    /// Conjunction.
    And(Vec<Fact>),
    /// Disjunction.
    Or(Vec<Fact>),
    /// Equivalence.
    Iff(Box<Fact>, Box<Fact>),
    /// Two pointers are equal.
    Same(Path, Path),
    /// Two mathematical integers compare.
    Cmp(CmpOp, Number, Number),
    /// A pointer leads to a cell.
    Alloc(Path),
    /// `reach`, `reach1`.
    Reach {
        /// One or more steps instead of zero or more.
        strict: bool,
        /// The field.
        over: Over,
        /// From.
        from: Path,
        /// To.
        to: Path,
    },
    /// `ls`.
    Segment {
        /// The field.
        over: Over,
        /// From.
        from: Path,
        /// To.
        to: Path,
    },
    /// `stable`: everything on the chain is allocated.
    Stable(Over, Path),
    /// Two chains have no cell in common.
    Disjoint(Over, Path, Path),
    /// `sorted`: a data field never decreases from one end of a chain to the other.
    Sorted {
        /// The field that is followed.
        over: Over,
        /// The data field.
        key: usize,
        /// From.
        from: Path,
        /// To.
        to: Path,
    },
    /// `dll`: a chain, and every step of it is undone by another field.
    Doubly {
        /// The field that is followed.
        over: Over,
        /// The pointer field that leads back.
        back: usize,
        /// From.
        from: Path,
        /// To.
        to: Path,
    },
    /// A formula is true of null, of every object of a record, and of those that were there at entry
    /// and are freed.
    Forall {
        /// The record.
        record: usize,
        /// How paths of the formula call it.
        bound: usize,
        /// The formula.
        body: Box<Fact>,
    },
}

impl Fact {
    /// All paths of the formula, those of quantified objects included.
    pub fn paths<'f>(&'f self, out: &mut Vec<&'f Path>) {
        match self {
            Fact::Const(_) => {}
            Fact::Not(f) | Fact::Forall { body: f, .. } => f.paths(out),
            Fact::And(fs) | Fact::Or(fs) => fs.iter().for_each(|f| f.paths(out)),
            Fact::Iff(a, b) => {
                a.paths(out);
                b.paths(out);
            }
            Fact::Same(a, b) | Fact::Disjoint(_, a, b) => out.extend([a, b]),
            Fact::Reach { from, to, .. }
            | Fact::Segment { from, to, .. }
            | Fact::Sorted { from, to, .. }
            | Fact::Doubly { from, to, .. } => out.extend([from, to]),
            Fact::Alloc(p) | Fact::Stable(_, p) => out.push(p),
            Fact::Cmp(_, a, b) => {
                out.extend([a, b].into_iter().filter_map(|number| match number {
                    Number::Data(path, ..) => Some(path),
                    Number::Const(_) | Number::Scalar(_) => None,
                }));
            }
        }
    }

    /// This formula and all parts of it.
    pub fn visit<'f>(&'f self, f: &mut dyn FnMut(&'f Fact)) {
        f(self);
        match self {
            Fact::Not(part) | Fact::Forall { body: part, .. } => part.visit(f),
            Fact::And(parts) | Fact::Or(parts) => parts.iter().for_each(|p| p.visit(f)),
            Fact::Iff(a, b) => {
                a.visit(f);
                b.visit(f);
            }
            Fact::Const(_)
            | Fact::Same(..)
            | Fact::Cmp(..)
            | Fact::Alloc(_)
            | Fact::Reach { .. }
            | Fact::Segment { .. }
            | Fact::Stable(..)
            | Fact::Disjoint(..)
            | Fact::Sorted { .. }
            | Fact::Doubly { .. } => {}
        }
    }
}

/// Where a path of a contract starts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Start {
    /// Null.
    Null,
    /// The value of a pointer variable.
    Var(usize),
    /// An object that a quantifier speaks of.
    Bound(usize),
}

impl From<Source> for Start {
    fn from(source: Source) -> Start {
        match source {
            Source::Null => Start::Null,
            Source::Var(v) => Start::Var(v),
        }
    }
}

/// A pointer field from a record to itself, to be followed any number of times.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Over {
    /// The record.
    pub record: usize,
    /// Its pointer field.
    pub field: usize,
}

/// A pointer in a contract: null, or a variable and fields to follow. It is undefined where a
/// field is followed from what is no cell of its record.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Path {
    /// Where it starts.
    pub start: Start,
    /// Records and pointer fields.
    pub fields: Vec<(usize, usize)>,
}

/// A mathematical integer in a contract.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Number {
    /// A constant.
    Const(i128),
    /// An integer variable.
    Scalar(usize),
    /// A data field of the cell at the end of a path.
    Data(Path, usize, usize),
}
