//! The small language of the paper, as a control-flow graph without calls.
//!
//! [`crate::lower`] makes a [`ListProgram`] of a procedure: pointers to one kind of list node are
//! *list variables*; everything else that fits a register is an *integer*, of which only constants
//! of the program are known. Calls are inlined; each activation is a [`Context`].
//!
//! **Invariant:** a step says everything that the concrete machine can do at its point. What is
//! not said is [`Op::Unsupported`].

use trellis_program::spec::{Formula, SetOp};
use trellis_program::{BlockId, CheckKind, CmpOp, IntKind, ProcId, Refusal, Reg};

use crate::heap::Ref;
use crate::node::NodeType;

/// The code of an integer that may have any value.
pub const ANY_INT: u8 = 0xff;
/// The code of an integer that was never written.
pub const UNDEF_INT: u8 = 0xfe;
/// Codes below this are positions in [`ListProgram::constants`].
pub const MOST_CONSTANTS: usize = 0xf0;

/// A procedure in the small language.
#[derive(Clone, Debug)]
pub struct ListProgram {
    /// The procedure.
    pub proc: ProcId,
    /// The list node, if there is one.
    pub node: Option<NodeType>,
    /// List variables.
    pub vars: Vec<ListVar>,
    /// Names of integers.
    pub ints: Vec<String>,
    /// The integers that can be told apart; code `i` stands for `constants[i]`.
    pub constants: Vec<i64>,
    /// Activations of procedures; the first is the procedure itself.
    pub contexts: Vec<Context>,
    /// Globals that are in use.
    pub globals: Vec<(Reg, Slot)>,
    /// Code.
    pub blocks: Vec<ListBlock>,
    /// List variables that the caller chooses: null, or into any lists.
    pub inputs: Vec<usize>,
    /// List variables that start as copies of inputs, with those: entry values.
    pub copies: Vec<(usize, usize)>,
    /// List variables that start as null.
    pub nulls: Vec<usize>,
    /// Integers that start with a constant or any value; all others are undefined.
    pub int_inputs: Vec<(usize, u8)>,
    /// What the inputs satisfy.
    pub requires: Vec<Fact>,
    /// The conjuncts of `requires` that speak of nothing but lists, as written: of every heap of
    /// lists it is known whether they hold.
    pub of_lists: Vec<Formula>,
    /// Clauses of `requires` that could not be said, with the reason: they are left out.
    pub left_out: Vec<Refusal>,
    /// Whether heaps remember what became unreachable.
    pub track_garbage: bool,
}

/// A list variable.
#[derive(Clone, Debug)]
pub struct ListVar {
    /// As shown: `h`, `f.h` for a local of an inlined callee, `\old(h)`, `\result`.
    pub name: String,
    /// A temporary of the front end.
    pub is_temp: bool,
}

/// A value that can be stored without following a pointer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// Null, undefined, freed.
    End(Ref),
    /// The value of a variable.
    Var(usize),
}

/// Where the value of a register is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slot {
    /// In a list variable.
    List(usize),
    /// In an integer.
    Int(usize),
    /// Nowhere: an object, or never used.
    None,
}

/// An activation of a procedure.
#[derive(Clone, Debug)]
pub struct Context {
    /// The procedure.
    pub proc: ProcId,
    /// Who called: the context, and where it goes on.
    pub caller: Option<(usize, BlockId, u32)>,
    /// Where the caller wants the result.
    pub result: Option<Reg>,
    /// Variables, by number.
    pub vars: Vec<Slot>,
    /// Parameters as passed, by number.
    pub entry: Vec<Slot>,
}

/// Where a block begins: an activation, and a place in its procedure.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BlockStart {
    /// The activation.
    pub context: usize,
    /// The block.
    pub block: BlockId,
    /// The instruction.
    pub instr: u32,
}

/// Straight-line code.
#[derive(Clone, Debug)]
pub struct ListBlock {
    /// Where it begins.
    pub at: BlockStart,
    /// Whether it is a loop head.
    pub is_loop_head: bool,
    /// What it does.
    pub steps: Vec<Step>,
    /// Where it goes.
    pub exit: Exit,
    /// The list variables whose value is still needed at its start.
    pub live_vars: Vec<bool>,
    /// The integers whose value is still needed at its start.
    pub live_ints: Vec<bool>,
}

/// How a block ends.
pub type Exit = trellis_program::steps::Exit<IntExpr>;

/// One operation with its place.
pub type Step = trellis_program::steps::Step<Op>;

/// What a step does.
#[derive(Clone, Debug)]
pub enum Op {
    /// `dst = value`.
    Assign {
        /// A list variable.
        dst: usize,
        /// Its new value.
        value: Source,
    },
    /// Locals of a callee become undefined.
    Reset {
        /// List variables.
        vars: Vec<usize>,
        /// Integers.
        ints: Vec<usize>,
    },
    /// `dst = src->next`.
    Load {
        /// A list variable.
        dst: usize,
        /// The node's variable.
        src: usize,
    },
    /// `dst->next = value`.
    Store {
        /// The node's variable.
        dst: usize,
        /// The new value of its field.
        value: Source,
    },
    /// `dst = malloc(…)`.
    Allocate {
        /// A list variable.
        dst: usize,
        /// How many bytes; must be those of a node.
        size: IntExpr,
        /// `calloc`.
        zeroed: bool,
        /// May give null instead.
        may_fail: bool,
    },
    /// `free(var)`.
    Free {
        /// A list variable.
        var: usize,
    },
    /// Access to a field that is not followed.
    Data {
        /// The node's variable.
        var: usize,
        /// Byte offset of the field.
        field: u32,
        /// The integer that receives it, if it is read.
        read: Option<usize>,
        /// If the field of some node may not be written yet: variables that all point to that
        /// node; see [`crate::initialised`].
        unwritten: Option<Vec<usize>>,
    },
    /// So many bytes must be those of a node, or the engine does not know what is touched.
    WholeNode {
        /// How many bytes.
        size: IntExpr,
    },
    /// Data written to a node must be defined, or the engine does not know what is.
    DefinedData {
        /// What is written.
        values: Vec<IntExpr>,
    },
    /// `dst = value` for an integer.
    Int {
        /// An integer.
        dst: usize,
        /// Its new value.
        value: IntExpr,
    },
    /// A contract formula must hold.
    Assert {
        /// Which check this is.
        kind: CheckKind,
        /// Which clause of a contract.
        clause: u32,
        /// The formula.
        fact: Fact,
    },
    /// A C condition must hold.
    Test {
        /// Which check this is.
        kind: CheckKind,
        /// The condition.
        cond: IntExpr,
    },
    /// Executions in which a formula is not true end here.
    AssumeFact(Fact),
    /// Executions in which a condition is zero end here.
    Assume(IntExpr),
    /// A check that may fail for reasons outside of the abstraction.
    MayFail(CheckKind),
    /// No node lies on a cycle.
    Acyclic,
    /// Everything is reachable from these variables.
    Leak {
        /// What whoever goes on still holds.
        roots: Vec<usize>,
    },
    /// These variables matter to the end: what only they reach is not lost.
    Keep {
        /// What the caller still holds.
        roots: Vec<usize>,
    },
    /// Outside the small language: whoever gets here knows nothing.
    Unsupported(String),
}

/// An integer expression.
#[derive(Clone, PartialEq, Debug)]
pub enum IntExpr {
    /// A constant.
    Const(i64),
    /// An integer.
    Var(usize),
    /// Whether a list pointer is not null.
    Truth(Source),
    /// Whether two list pointers are equal.
    Same(Source, Source),
    /// Comparison.
    Cmp(CmpOp, Option<IntKind>, Box<IntExpr>, Box<IntExpr>),
    /// 1 if the operand is zero, else 0.
    Not(Box<IntExpr>),
    /// A product in the given type; only of sizes.
    Product(IntKind, Box<IntExpr>, Box<IntExpr>),
    /// Any value, if the operands are defined.
    Opaque(Vec<IntExpr>),
}

/// A number in a contract, where integers are mathematical ones.
#[derive(Clone, PartialEq, Debug)]
pub struct Number {
    /// Its value, wrapped into 64 bits.
    pub value: IntExpr,
    /// The type that says what a wrapped value stands for; `None` for its own value.
    pub kind: Option<IntKind>,
}

/// A contract formula about lists.
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
    Same(Term, Term),
    /// Two integers compare.
    Cmp(CmpOp, Number, Number),
    /// Two sets are equal.
    SameSet(SetTerm, SetTerm),
    /// One set is part of another.
    Subset(SetTerm, SetTerm),
    /// A place is in a set.
    In(Term, SetTerm),
    /// `reach`, `reach1`.
    Reach {
        /// One or more steps instead of zero or more.
        strict: bool,
        /// From.
        from: Term,
        /// To.
        to: Term,
    },
    /// `ls`.
    ListSegment(Term, Term),
    /// `stable`.
    Stable(Term),
    /// `cyclic`.
    Cyclic(Term),
    /// `alloc`, `\valid`.
    Alloc(Term),
    /// `\separated`.
    Separated(Vec<Term>),
}

/// A pointer in a contract.
#[derive(Clone, PartialEq, Debug)]
pub enum Term {
    /// Null.
    Null,
    /// A list variable.
    Var(usize),
    /// `t->next`.
    Next(Box<Term>),
    /// `c ? a : b`.
    Ite(Box<Fact>, Box<Term>, Box<Term>),
}

/// A set of nodes in a contract.
#[derive(Clone, PartialEq, Debug)]
pub enum SetTerm {
    /// No node.
    Empty,
    /// One place.
    Singleton(Term),
    /// Everything reachable.
    Content(Term),
    /// Union, intersection, difference.
    Op(SetOp, Box<SetTerm>, Box<SetTerm>),
}

impl Fact {
    /// Whether some part of the formula, or the formula itself, is as asked for.
    pub fn any(&self, f: &mut dyn FnMut(&Fact) -> bool) -> bool {
        f(self)
            || match self {
                Fact::Const(_) | Fact::Cmp(..) => false,
                Fact::Not(part) => part.any(f),
                Fact::And(parts) | Fact::Or(parts) => parts.iter().any(|p| p.any(f)),
                Fact::Iff(a, b) => a.any(f) || b.any(f),
                Fact::Same(a, b) | Fact::Reach { from: a, to: b, .. } | Fact::ListSegment(a, b) => {
                    a.any_fact(f) || b.any_fact(f)
                }
                Fact::SameSet(a, b) | Fact::Subset(a, b) => a.any_fact(f) || b.any_fact(f),
                Fact::In(x, s) => x.any_fact(f) || s.any_fact(f),
                Fact::Stable(t) | Fact::Cyclic(t) | Fact::Alloc(t) => t.any_fact(f),
                Fact::Separated(ts) => ts.iter().any(|t| t.any_fact(f)),
            }
    }
}

impl Term {
    fn any_fact(&self, f: &mut dyn FnMut(&Fact) -> bool) -> bool {
        match self {
            Term::Null | Term::Var(_) => false,
            Term::Next(t) => t.any_fact(f),
            Term::Ite(c, a, b) => c.any(f) || a.any_fact(f) || b.any_fact(f),
        }
    }
}

impl SetTerm {
    fn any_fact(&self, f: &mut dyn FnMut(&Fact) -> bool) -> bool {
        match self {
            SetTerm::Empty => false,
            SetTerm::Singleton(t) | SetTerm::Content(t) => t.any_fact(f),
            SetTerm::Op(_, a, b) => a.any_fact(f) || b.any_fact(f),
        }
    }
}

impl ListProgram {
    /// The code of a constant.
    pub fn code(&self, value: i64) -> u8 {
        self.constants.iter().position(|c| *c == value).map_or(ANY_INT, |i| i as u8)
    }
}
