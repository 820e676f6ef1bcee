//! A small language of heap statements over [`PatternWords`].
//!
//! [`crate::lower()`] makes a [`PatternProgram`] of a procedure without calls. Blocks have the numbers
//! of the procedure's blocks, and steps stand in the order of its instructions, each with its place.
//!
//! **Invariant:** a step says everything that the concrete machine can do at its point. What is
//! not said is [`Op::Unsupported`]. That a pointer is followed means that the usual checks (null,
//! freed, undefined) are made there; they have no steps of their own.

mod fact;

use std::collections::BTreeSet;

use trellis_program::{BinOp, CheckKind, CmpOp, IntKind, ProcId, Refusal, Span, UnOp};

pub use fact::{Fact, Number, Over, Path, Start};

use crate::words::PatternWords;

/// A procedure in the small language.
#[derive(Clone, Debug)]
pub struct PatternProgram {
    /// The procedure.
    pub proc: ProcId,
    /// What patterns of it speak of.
    pub words: PatternWords,
    /// Code.
    pub blocks: Vec<Block>,
    /// Where it begins.
    pub entry: usize,
    /// Loop heads: every cycle passes one.
    pub heads: BTreeSet<usize>,
    /// Whether a cell that nobody reaches any more is a violation (when the procedure ends).
    pub checks_leaks: bool,
    /// Whether signed overflow is a violation.
    pub checks_overflow: bool,
    /// Whether to depend on an undefined value is a violation.
    pub checks_uninit: bool,
    /// What holds at the start.
    pub requires: Vec<Fact>,
    /// Clauses of `requires` that have no words: they are not made use of.
    pub left_out: Vec<Refusal>,
}

/// Straight-line code.
#[derive(Clone, Debug)]
pub struct Block {
    /// What it does.
    pub steps: Vec<Step>,
    /// Where it goes.
    pub exit: Exit,
    /// The pointer variables whose value at its start may still be read, or keeps cells alive.
    pub live_pointers: Vec<bool>,
    /// The integer variables whose value at its start may still be read.
    pub live_scalars: Vec<bool>,
    /// Where it begins in the source.
    pub span: Span,
}

/// How a block ends.
pub type Exit = trellis_program::steps::Exit<IntExpr>;

/// One operation with its place.
pub type Step = trellis_program::steps::Step<Op>;

/// A pointer that needs no memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// Null.
    Null,
    /// The value of a pointer variable.
    Var(usize),
}

/// A field of the cell that a variable points to. A cell of another record is outside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    /// The pointer variable.
    pub var: usize,
    /// The record that the code takes the cell for.
    pub record: usize,
    /// The field, among the pointers or the data of the record.
    pub field: usize,
}

/// What a step does.
#[derive(Clone, Debug)]
pub enum Op {
    /// `dst = value`.
    Assign {
        /// A pointer variable.
        dst: usize,
        /// Its new value.
        value: Source,
    },
    /// `dst = var->field`.
    Load {
        /// A pointer variable.
        dst: usize,
        /// A pointer field.
        from: Access,
    },
    /// `var->field = value`.
    Store {
        /// A pointer field.
        to: Access,
        /// Its new value.
        value: Source,
    },
    /// `dst = var->data`.
    LoadData {
        /// An integer variable.
        dst: usize,
        /// A data field.
        from: Access,
    },
    /// `var->data = value`.
    StoreData {
        /// A data field.
        to: Access,
        /// Its new value.
        value: IntExpr,
    },
    /// `*dst = *src`, the whole cell.
    Copy {
        /// Where to.
        dst: usize,
        /// Where from.
        src: usize,
        /// The record of both.
        record: usize,
    },
    /// All fields of a cell become zero or null.
    Zero {
        /// The pointer variable.
        var: usize,
        /// The record.
        record: usize,
    },
    /// `dst = malloc(…)`: a cell that nobody else points to, its fields undefined, or zero and
    /// null.
    Allocate {
        /// A pointer variable.
        dst: usize,
        /// The record.
        record: usize,
        /// `calloc`.
        zeroed: bool,
        /// May give null instead.
        may_fail: bool,
    },
    /// `free(var)`; null is allowed.
    Free {
        /// A pointer variable.
        var: usize,
    },
    /// `dst = value` for an integer.
    Set {
        /// An integer variable.
        dst: usize,
        /// Its new value.
        value: IntExpr,
    },
    /// An integer becomes any value of its type.
    Havoc {
        /// An integer variable.
        dst: usize,
    },
    /// A number is computed and forgotten: it may fail to have a value.
    Evaluate {
        /// The number.
        value: IntExpr,
        /// Its type.
        kind: IntKind,
    },
    /// A C condition must hold.
    Assert {
        /// Which check this is.
        kind: CheckKind,
        /// The condition.
        cond: IntExpr,
    },
    /// A contract formula must be true.
    AssertFact {
        /// Which check this is.
        kind: CheckKind,
        /// Which clause of a contract.
        clause: u32,
        /// The formula.
        fact: Fact,
    },
    /// Executions in which a condition is zero end here.
    Assume(IntExpr),
    /// Executions in which a formula is not true end here.
    AssumeFact(Fact),
    /// Every cell must be reachable from these.
    Leak {
        /// What whoever goes on still holds.
        roots: Vec<Source>,
    },
    /// Outside the small language: whoever gets here knows nothing.
    Unsupported(String),
}

/// An integer expression, as the machine evaluates it. Undefined operands make it undefined.
#[derive(Clone, PartialEq, Debug)]
pub enum IntExpr {
    /// A constant, wrapped into the type where it stands.
    Const(i64),
    /// An integer variable.
    Scalar(usize),
    /// Whether a pointer is not null.
    Truth(Source),
    /// Whether two pointers are equal.
    Same(Source, Source),
    /// Comparison in a type.
    Cmp(CmpOp, IntKind, Box<IntExpr>, Box<IntExpr>),
    /// 1 if the operand is zero, else 0.
    Not(Box<IntExpr>),
    /// Arithmetic in a type.
    Unary(UnOp, IntKind, Box<IntExpr>),
    /// Arithmetic in a type.
    Binary(BinOp, IntKind, Box<IntExpr>, Box<IntExpr>),
    /// Conversion to a type.
    Convert(IntKind, Box<IntExpr>),
}
