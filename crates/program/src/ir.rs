//! Procedures, blocks, instructions, expressions.
//!
//! Registers hold scalars; everything whose address is taken, and every aggregate, lives in memory
//! as an object. Expressions are pure: reading memory is the [`InstrKind::Load`] instruction, so
//! every place where a program can go wrong is one instruction with one span.
//!
//! **Invariants.** Blocks end in a [`Terminator`] and nothing else jumps. An instruction outside
//! the supported subset is [`InstrKind::Unsupported`]: an engine that claims *verified* must refuse
//! a procedure from which one can be reached. What readers ask of all this is in `ir/access.rs`.

use crate::checks::CheckKind;
use crate::source::{SourceMap, Span};
use crate::spec::{Contract, Formula, Predicate};
use crate::types::{IntKind, Scalar, TypeId, TypeTable};

mod access;
#[cfg(test)]
mod tests;

/// A procedure of a program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ProcId(pub u32);
/// A block of a procedure.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BlockId(pub u32);
/// A local variable or parameter of a procedure.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct VarId(pub u32);
/// A global variable of a program (file-scope, `static` local, or string literal).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GlobalId(pub u32);

/// A variable, local or global.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Reg {
    /// A local of the procedure that mentions it.
    Local(VarId),
    /// A global.
    Global(GlobalId),
}

/// Where a variable's value lives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Storage {
    /// In a register: a scalar whose address is never taken.
    Register,
    /// In memory, as an object of the variable's type; reached by [`Expr::Addr`].
    Object,
}

/// A local variable, parameter or temporary.
#[derive(Clone, Debug)]
pub struct Var {
    /// The user's name; temporaries are called `%1`, `%2`, ….
    pub name: String,
    /// Its C type.
    pub ty: TypeId,
    /// Register or object. An object is born at [`InstrKind::BeginLocal`] and dies at
    /// [`InstrKind::EndLocal`] or when its procedure returns; a parameter's is born at the call.
    pub storage: Storage,
    /// Made by the front end, not by the user.
    pub is_temp: bool,
    /// Declared in ghost code: never keeps an object from being leaked.
    pub is_ghost: bool,
    /// Declared `const`: written when it is declared, and never again.
    pub is_const: bool,
    /// Where it was declared.
    pub span: Span,
}

/// A global variable.
#[derive(Clone, Debug)]
pub struct Global {
    /// The user's name (`f.count` for a `static` local `count` of `f`); a string literal is called by
    /// its text in quotes, and a number if there are several.
    pub name: String,
    /// Its C type.
    pub ty: TypeId,
    /// Register or object.
    pub storage: Storage,
    /// Initial cells as (byte offset, value); what is not listed starts as zero or null.
    pub init: Vec<(u32, Scalar, Init)>,
    /// Read-only (`const`, string literals): keeps its initial value even when a procedure is
    /// analysed on its own.
    pub is_const: bool,
    /// Declared in ghost code.
    pub is_ghost: bool,
    /// Where it was declared.
    pub span: Span,
}

impl Global {
    /// Whether it is a string literal. Different ones may share memory.
    pub fn is_literal(&self) -> bool {
        self.name.starts_with('"')
    }
}

/// A constant initial value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Init {
    /// An integer.
    Int(i64),
    /// The null pointer.
    Null,
    /// A byte offset into a global object.
    Addr(GlobalId, i64),
}

/// Operations on one integer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnOp {
    /// `-`
    Neg,
    /// `~`
    BitNot,
}

/// Operations on two integers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum BinOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    And,
    Or,
    Xor,
    Shl,
    Shr,
}

/// Comparisons of two integers or two pointers; the result is 0 or 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum CmpOp {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

/// A pure expression over registers.
#[derive(Clone, PartialEq, Debug)]
pub enum Expr {
    /// An integer constant, already in the range of its type.
    Int(i64),
    /// The null pointer.
    Null,
    /// The value of a variable in a register.
    Reg(Reg),
    /// The address of a variable with [`Storage::Object`].
    Addr(Reg),
    /// Integer arithmetic in the given (promoted) type.
    Unary(UnOp, IntKind, Box<Expr>),
    /// Integer arithmetic in the given (promoted) type; both sides have it.
    Binary(BinOp, IntKind, Box<Expr>, Box<Expr>),
    /// Comparison; the kind is the common integer type, or `None` between pointers.
    Cmp(CmpOp, Option<IntKind>, Box<Expr>, Box<Expr>),
    /// Logical negation: 1 if the operand is zero or null, else 0.
    Not(Box<Expr>),
    /// Conversion to an integer type. A pointer converted to a 64-bit integer keeps its object.
    Convert(IntKind, Box<Expr>),
    /// Conversion of an integer to a pointer: 0 becomes null, a converted pointer comes back, any
    /// other integer is outside the subset when it is reached.
    ToPtr(Box<Expr>),
    /// A pointer moved by a constant number of bytes: `&p->f`, `p + 1`, `container_of`.
    Offset(Box<Expr>, i64),
    /// A pointer moved by `index * size` bytes: `p + i`, `a[i]`.
    Index {
        /// The pointer.
        base: Box<Expr>,
        /// How many elements.
        index: Box<Expr>,
        /// Bytes of one element.
        size: u32,
    },
    /// The difference of two pointers in elements of so many bytes.
    Diff(Box<Expr>, Box<Expr>, u32),
    /// How many elements of so many bytes the object has that a pointer points to: the length of an
    /// array in Java. Of null it is a null dereference.
    Extent(Box<Expr>, u32),
}

/// A pointer that is known without memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlainPointer {
    /// Null.
    Null,
    /// The value of a register, which may be no pointer.
    Reg(Reg),
}

impl Expr {
    /// The value of a local register.
    pub fn local(v: VarId) -> Expr {
        Expr::Reg(Reg::Local(v))
    }
}

/// What an assertion or assumption states.
#[derive(Clone, PartialEq, Debug)]
pub enum Cond {
    /// A C expression, true when it is not zero.
    Expr(Expr),
    /// A contract formula over the current (and the entry) state.
    Spec(Formula),
}

/// An instruction with its place.
#[derive(Clone, Debug)]
pub struct Instr {
    /// What it does.
    pub kind: InstrKind,
    /// The expression or statement it comes from.
    pub span: Span,
}

/// What an instruction does.
#[derive(Clone, Debug)]
pub enum InstrKind {
    /// `dst = value`.
    Assign {
        /// A register variable.
        dst: Reg,
        /// The new value.
        value: Expr,
    },
    /// `dst = *(scalar *)addr`.
    Load {
        /// A register variable.
        dst: Reg,
        /// Where to read.
        addr: Expr,
        /// The type read.
        scalar: Scalar,
    },
    /// `*(scalar *)addr = value`.
    Store {
        /// Where to write.
        addr: Expr,
        /// The type written.
        scalar: Scalar,
        /// What to write.
        value: Expr,
    },
    /// Copies `size` bytes: struct assignment, `memcpy`, `memmove`. All bytes are read before the
    /// first is written.
    Copy {
        /// Where to.
        dst: Expr,
        /// Where from.
        src: Expr,
        /// How many bytes (evaluates to an integer).
        size: Expr,
        /// Whether the two places may overlap. `memcpy` does not allow it, unless they are one and
        /// the same.
        may_overlap: bool,
    },
    /// `memset(dst, byte, size)`. Pointer cells can only be filled with 0.
    Fill {
        /// Where to.
        dst: Expr,
        /// The byte (evaluates to an integer).
        byte: Expr,
        /// How many bytes (evaluates to an integer).
        size: Expr,
    },
    /// A new heap object of `size` bytes. It is an array of `ty` if that is known, else untyped
    /// until [`InstrKind::Retype`].
    Alloc {
        /// Receives the pointer.
        dst: Reg,
        /// How many bytes.
        size: Expr,
        /// The element type, when the program shows it.
        ty: Option<TypeId>,
        /// `calloc`: cells start as zero or null, else undefined.
        zeroed: bool,
    },
    /// A `void *` is converted to `ty *`: gives an untyped object its element type.
    Retype {
        /// The pointer.
        ptr: Expr,
        /// The element type.
        ty: TypeId,
    },
    /// `free(ptr)`.
    Free {
        /// The pointer; null is allowed.
        ptr: Expr,
    },
    /// The lifetime of a local object begins: a fresh object, cells undefined.
    BeginLocal {
        /// A variable with [`Storage::Object`].
        var: VarId,
    },
    /// The lifetime of an array of variable length begins, as [`InstrKind::BeginLocal`]: so many
    /// elements.
    BeginArray {
        /// A variable with [`Storage::Object`].
        var: VarId,
        /// The type of the elements.
        element: TypeId,
        /// How many (evaluates to an integer).
        count: Expr,
    },
    /// The lifetime of a local object ends (no effect if it has not begun).
    EndLocal {
        /// A variable with [`Storage::Object`].
        var: VarId,
    },
    /// A call. A procedure without a body is replaced by its contract.
    Call {
        /// Receives the result.
        dst: Option<Reg>,
        /// The callee.
        proc: ProcId,
        /// One argument a parameter; aggregates are passed as the address to copy from.
        args: Vec<Expr>,
    },
    /// `dst` becomes any value of its type (a pointer: null or any object of the pointee type).
    Havoc {
        /// A register variable.
        dst: Reg,
        /// Its type.
        scalar: Scalar,
    },
    /// Executions in which the condition is false are not considered.
    Assume {
        /// The condition.
        cond: Cond,
    },
    /// The condition must hold.
    Assert {
        /// Which check this is.
        kind: CheckKind,
        /// The condition.
        cond: Cond,
    },
    /// Outside the supported subset: whoever gets here knows nothing.
    Unsupported {
        /// Why, as a noun phrase ("a call through a function pointer").
        reason: String,
    },
}

/// How a block ends.
#[derive(Clone, Debug)]
pub enum Terminator {
    /// Unconditional.
    Goto(BlockId),
    /// To `then` if the condition is not zero, else to `els`.
    Branch {
        /// The condition.
        cond: Expr,
        /// Taken if it is not zero.
        then: BlockId,
        /// Taken if it is zero.
        els: BlockId,
    },
    /// Back to the caller. An aggregate result is returned as the address to copy from.
    Return(Option<Expr>),
    /// `exit`: the program ends here and leaks count.
    Exit,
    /// The program ends here, and whatever is left on the heap counts as a leak. Front ends do not
    /// make it; [`crate::ending::freeing_all`] does.
    ExitFreed,
    /// `abort`, or a branch the program rules out: the execution ends here, nothing is checked.
    Abort,
}

/// A basic block.
#[derive(Clone, Debug)]
pub struct Block {
    /// Straight-line code.
    pub instrs: Vec<Instr>,
    /// The end.
    pub term: Terminator,
    /// The place of the end (the condition, the `return` statement, the closing brace).
    pub term_span: Span,
}

/// A procedure.
#[derive(Clone, Debug)]
pub struct Procedure {
    /// Its name.
    pub name: String,
    /// The name in its definition.
    pub span: Span,
    /// The first so many variables are the parameters.
    pub params: usize,
    /// Parameters, locals, temporaries.
    pub vars: Vec<Var>,
    /// Result type; `void` for none.
    pub ret: TypeId,
    /// The code; `None` for a declaration.
    pub body: Option<Body>,
    /// What the user promised of it.
    pub contract: Contract,
    /// Whether the user wrote a contract.
    pub has_contract: bool,
}

/// The code of a procedure.
#[derive(Clone, Debug)]
pub struct Body {
    /// Blocks by id.
    pub blocks: Vec<Block>,
    /// Where it begins.
    pub entry: BlockId,
    /// The closing brace.
    pub end_span: Span,
}

/// The name of the parameter that points to the arguments behind all others.
pub const REST: &str = "...";

impl Procedure {
    /// Whether it takes any number of arguments. Then its last parameter points to those behind the
    /// others, in an object that only a call makes.
    pub fn is_variadic(&self) -> bool {
        self.params > 0 && self.vars[self.params - 1].name == REST
    }

    /// A variable.
    pub fn var(&self, v: VarId) -> &Var {
        &self.vars[v.0 as usize]
    }

    /// Whether it returns nothing.
    pub fn ret_is_void(&self, types: &TypeTable) -> bool {
        *types.get(self.ret) == crate::types::Type::Void
    }

    /// The parameters.
    pub fn param_ids(&self) -> impl Iterator<Item = VarId> + use<> {
        (0..self.params as u32).map(VarId)
    }
}

/// A translation unit.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The files that spans point into; file 0 is the one the user named.
    pub sources: SourceMap,
    /// The types, finished.
    pub types: TypeTable,
    /// Globals.
    pub globals: Vec<Global>,
    /// Procedures, in the order of their first declaration.
    pub procs: Vec<Procedure>,
    /// User predicates, defined and uninterpreted.
    pub predicates: Vec<Predicate>,
    /// How the language treats memory.
    pub memory: MemoryRules,
    /// What the user wants to be told about loops (`track` in Jahob's annotations): terms for
    /// engines that search with predicates.
    pub tracked: Vec<Tracked>,
    /// What callers that nobody sees are believed to pass.
    pub arguments: Arguments,
    /// What [`crate::slice`] has taken for granted of the caller, as phrases.
    pub granted: Vec<String>,
}

/// What a procedure without a contract is given by callers that nobody sees. Where the procedure to
/// look at is cut out of its program ([`crate::slice`]), this becomes part of its precondition.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Arguments {
    /// Whatever C allows; a host may pass nothing to `main`, not even a name.
    Any,
    /// The same, but a host passes at least a name to `main`.
    #[default]
    Usual,
    /// Pointers are not null, structures are acyclic and disjoint.
    Valid,
}

impl Arguments {
    /// As it is asked for, and as certificates have it.
    pub fn name(self) -> &'static str {
        match self {
            Arguments::Any => "nothing",
            Arguments::Usual => "usual-arguments",
            Arguments::Valid => "valid-arguments",
        }
    }
}

/// How a language treats memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum MemoryRules {
    /// As C does: whoever allocates frees, and allocation may fail.
    #[default]
    Manual,
    /// As Java does: nothing is freed or leaked, and allocation succeeds. A pointer to a scalar
    /// points to the start of an array of any length.
    Collected,
}

/// A term that the user wants to be followed.
#[derive(Clone, Debug)]
pub struct Tracked {
    /// The procedure in which it was said.
    pub proc: ProcId,
    /// The term, of any type, with what its symbols stand for.
    pub clause: std::sync::Arc<crate::spec::HolClause>,
    /// The arguments of the clause.
    pub args: Vec<crate::spec::Term>,
    /// Where it was said.
    pub span: Span,
}

impl Program {
    /// A procedure.
    pub fn proc(&self, id: ProcId) -> &Procedure {
        &self.procs[id.0 as usize]
    }

    /// A procedure by name.
    pub fn find_proc(&self, name: &str) -> Option<ProcId> {
        self.procs.iter().position(|p| p.name == name).map(|i| ProcId(i as u32))
    }

    /// A global.
    pub fn global(&self, id: GlobalId) -> &Global {
        &self.globals[id.0 as usize]
    }

    /// The type of a variable as seen from `proc`.
    pub fn reg_type(&self, proc: ProcId, reg: Reg) -> TypeId {
        match reg {
            Reg::Local(v) => self.proc(proc).var(v).ty,
            Reg::Global(g) => self.global(g).ty,
        }
    }

    /// Whether memory is collected.
    pub fn is_collected(&self) -> bool {
        self.memory == MemoryRules::Collected
    }

    /// Those of the checks that the language has a use for.
    pub fn meaningful(&self, mut checks: crate::checks::CheckSet) -> crate::checks::CheckSet {
        if self.is_collected() {
            checks.set(CheckKind::Leak, false);
        }
        checks
    }

    /// The name of a variable as seen from `proc`.
    pub fn reg_name(&self, proc: ProcId, reg: Reg) -> &str {
        match reg {
            Reg::Local(v) => &self.proc(proc).var(v).name,
            Reg::Global(g) => &self.global(g).name,
        }
    }
}
