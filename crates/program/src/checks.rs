//! What Trellis checks, and the table of all checks of a program.
//!
//! A check is a kind at a place. Its id, `procedure:kind:ordinal`, counts checks of that kind in
//! the order of the code, so it survives edits elsewhere in the file.
//!
//! **Invariant:** the table lists every (instruction, kind) pair that the interpreter can report;
//! [`CheckTable::find`] never fails on a failure the interpreter produces.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use crate::ir::{BlockId, Expr, Instr, InstrKind, ProcId, Procedure, Program, Terminator, Var};
use crate::source::Span;
use crate::spec::Assigns;

/// What can go wrong.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CheckKind {
    /// Dereference of a null pointer.
    NullDeref,
    /// Access to freed memory or to a local whose scope has ended.
    UseAfterFree,
    /// A branch, an address or a freed pointer depends on an undefined value.
    Uninit,
    /// Access outside an object, or outside the array that is indexed.
    Bounds,
    /// `memcpy` between places that overlap and are not the same.
    Overlap,
    /// `free` of something that is not the start of a heap object.
    InvalidFree,
    /// `free` of an object that is freed already.
    DoubleFree,
    /// A heap object that nobody can reach any more when the procedure ends.
    Leak,
    /// `assert` in the code.
    Assertion,
    /// A call of `reach_error` or `__VERIFIER_error`.
    ErrorCall,
    /// `__builtin_unreachable` is reached.
    Unreachable,
    /// `//@ assert`.
    SpecAssert,
    /// `//@ loop invariant`.
    LoopInvariant,
    /// A callee's `requires` at a call.
    Precondition,
    /// An `ensures` at return.
    Postcondition,
    /// An `assigns` clause at return.
    Assigns,
    /// Integer division or remainder by zero (and the one overflowing division).
    DivByZero,
    /// Signed overflow, or a shift by a negative or too large amount; off unless asked for.
    Overflow,
    /// A cycle over pointer fields exists at a loop head or at return; off unless asked for.
    Acyclic,
    /// A call through a pointer that leads to no function of that type.
    BadCall,
    /// A cast of an object to a class that it is not of (Java).
    ClassCast,
    /// A new array with a negative length (Java), or with a variable one that is not positive (C).
    NegativeSize,
}

impl CheckKind {
    /// All kinds.
    pub const ALL: [CheckKind; 22] = [
        CheckKind::NullDeref,
        CheckKind::UseAfterFree,
        CheckKind::Uninit,
        CheckKind::Bounds,
        CheckKind::Overlap,
        CheckKind::InvalidFree,
        CheckKind::DoubleFree,
        CheckKind::Leak,
        CheckKind::Assertion,
        CheckKind::ErrorCall,
        CheckKind::Unreachable,
        CheckKind::SpecAssert,
        CheckKind::LoopInvariant,
        CheckKind::Precondition,
        CheckKind::Postcondition,
        CheckKind::Assigns,
        CheckKind::DivByZero,
        CheckKind::Overflow,
        CheckKind::Acyclic,
        CheckKind::BadCall,
        CheckKind::ClassCast,
        CheckKind::NegativeSize,
    ];

    /// The name on the command line and in ids.
    pub fn name(self) -> &'static str {
        match self {
            CheckKind::NullDeref => "null-deref",
            CheckKind::UseAfterFree => "use-after-free",
            CheckKind::Uninit => "uninit",
            CheckKind::Bounds => "bounds",
            CheckKind::Overlap => "overlap",
            CheckKind::InvalidFree => "invalid-free",
            CheckKind::DoubleFree => "double-free",
            CheckKind::Leak => "leak",
            CheckKind::Assertion => "assertion",
            CheckKind::ErrorCall => "error-call",
            CheckKind::Unreachable => "unreachable",
            CheckKind::SpecAssert => "spec-assert",
            CheckKind::LoopInvariant => "loop-invariant",
            CheckKind::Precondition => "precondition",
            CheckKind::Postcondition => "postcondition",
            CheckKind::Assigns => "assigns",
            CheckKind::DivByZero => "div-by-zero",
            CheckKind::Overflow => "overflow",
            CheckKind::Acyclic => "acyclic",
            CheckKind::BadCall => "bad-call",
            CheckKind::ClassCast => "class-cast",
            CheckKind::NegativeSize => "negative-size",
        }
    }

    /// The kinds that together are called memory safety.
    pub const MEMORY_SAFETY: [CheckKind; 7] = [
        CheckKind::NullDeref,
        CheckKind::UseAfterFree,
        CheckKind::Uninit,
        CheckKind::Bounds,
        CheckKind::InvalidFree,
        CheckKind::DoubleFree,
        CheckKind::Leak,
    ];

    /// What it means when it fails, as the headline of a report.
    pub fn failure(self) -> &'static str {
        match self {
            CheckKind::NullDeref => "null pointer is dereferenced",
            CheckKind::UseAfterFree => "memory is used after its lifetime ended",
            CheckKind::Uninit => "an uninitialised value is used",
            CheckKind::Bounds => "access outside the object",
            CheckKind::Overlap => "memcpy between overlapping places",
            CheckKind::InvalidFree => "free of something that malloc did not return",
            CheckKind::DoubleFree => "memory is freed twice",
            CheckKind::Leak => "memory is leaked",
            CheckKind::Assertion => "assertion fails",
            CheckKind::ErrorCall => "the error function is called",
            CheckKind::Unreachable => "code marked as unreachable is reached",
            CheckKind::SpecAssert => "annotated assertion fails",
            CheckKind::LoopInvariant => "loop invariant does not hold",
            CheckKind::Precondition => "precondition of the callee does not hold",
            CheckKind::Postcondition => "postcondition does not hold",
            CheckKind::Assigns => "a place outside the assigns clause is written",
            CheckKind::DivByZero => "division by zero",
            CheckKind::Overflow => "signed overflow or bad shift",
            CheckKind::Acyclic => "a cycle of pointers is made",
            CheckKind::BadCall => "something that is no such function is called",
            CheckKind::ClassCast => "an object is cast to a class that it is not of",
            CheckKind::NegativeSize => "an array is made with a length that is not allowed",
        }
    }

    /// Whether the check is on unless the user says otherwise.
    pub fn default_on(self) -> bool {
        !matches!(self, CheckKind::Overflow | CheckKind::Acyclic)
    }
}

impl fmt::Display for CheckKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for CheckKind {
    type Err = String;

    fn from_str(s: &str) -> Result<CheckKind, String> {
        CheckKind::ALL.into_iter().find(|k| k.name() == s).ok_or_else(|| {
            let near = crate::source::suggest(s, CheckKind::ALL.map(CheckKind::name));
            match near {
                Some(n) => format!("no check is called `{s}`; did you mean `{n}`?"),
                None => format!("no check is called `{s}`"),
            }
        })
    }
}

/// Functions that report an error by being called ([`CheckKind::ErrorCall`]), whatever their body is.
pub fn is_error_function(name: &str) -> bool {
    matches!(name, "reach_error" | "__VERIFIER_error")
}

/// Which kinds of checks are on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CheckSet(u32);

impl CheckSet {
    /// No check.
    pub fn none() -> CheckSet {
        CheckSet(0)
    }

    /// Whether a kind is on.
    pub fn contains(self, kind: CheckKind) -> bool {
        self.0 & (1 << kind as u32) != 0
    }

    /// Switches a kind on or off.
    pub fn set(&mut self, kind: CheckKind, on: bool) {
        if on {
            self.0 |= 1 << kind as u32;
        } else {
            self.0 &= !(1 << kind as u32);
        }
    }

    /// The kinds that are on.
    pub fn iter(self) -> impl Iterator<Item = CheckKind> {
        CheckKind::ALL.into_iter().filter(move |k| self.contains(*k))
    }
}

impl Default for CheckSet {
    fn default() -> CheckSet {
        let mut set = CheckSet::none();
        CheckKind::ALL.into_iter().for_each(|k| set.set(k, k.default_on()));
        set
    }
}

/// A place in the code where something is checked.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Point {
    /// The procedure.
    pub proc: ProcId,
    /// The block.
    pub block: BlockId,
    /// The instruction; one past the last for the terminator.
    pub instr: u32,
}

/// A row of the check table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CheckId(pub u32);

/// One check.
#[derive(Clone, Debug)]
pub struct Check {
    /// `insert:null-deref:2`.
    pub name: String,
    /// What is checked.
    pub kind: CheckKind,
    /// Where in the heap program.
    pub point: Point,
    /// Which clause, for contracts with several (`ensures` number 2); 0 otherwise.
    pub clause: u32,
    /// Where in the source.
    pub span: Span,
}

/// All checks of a program.
#[derive(Clone, Debug, Default)]
pub struct CheckTable {
    checks: Vec<Check>,
    index: BTreeMap<(Point, CheckKind, u32), CheckId>,
}

impl CheckTable {
    /// Lists the checks of every procedure with a body.
    pub fn of(program: &Program) -> CheckTable {
        let mut table = CheckTable::default();
        for (i, proc) in program.procs.iter().enumerate() {
            let id = ProcId(i as u32);
            let mut counts = BTreeMap::new();
            table.add_procedure(program, id, proc, &mut counts);
        }
        table
    }

    fn add_procedure(
        &mut self,
        program: &Program,
        id: ProcId,
        proc: &Procedure,
        counts: &mut BTreeMap<CheckKind, u32>,
    ) {
        let Some(body) = &proc.body else { return };
        let heads = crate::cfg::loop_heads(body);
        for (b, block) in body.blocks.iter().enumerate() {
            let at =
                |instr: usize| Point { proc: id, block: BlockId(b as u32), instr: instr as u32 };
            let mut add = |kind, point, clause, span| {
                let n = counts.entry(kind).or_insert(0);
                *n += 1;
                let name = format!("{}:{kind}:{n}", proc.name);
                self.index.insert((point, kind, clause), CheckId(self.checks.len() as u32));
                self.checks.push(Check { name, kind, point, clause, span });
            };
            if heads.contains(&BlockId(b as u32)) {
                add(CheckKind::Acyclic, at(0), 0, block.span_at(0));
            }
            for (i, instr) in block.instrs.iter().enumerate() {
                for (kind, clause, span) in instr_checks(program, instr) {
                    add(kind, at(i), clause, span);
                }
            }
            let end = at(block.instrs.len());
            match &block.term {
                Terminator::Goto(_) | Terminator::Abort => {}
                Terminator::Branch { cond, .. } => {
                    add(CheckKind::Uninit, end, 0, block.term_span);
                    for kind in expr_checks(cond) {
                        add(kind, end, 0, block.term_span);
                    }
                }
                Terminator::Exit | Terminator::ExitFreed if program.is_collected() => {}
                Terminator::Exit | Terminator::ExitFreed => {
                    add(CheckKind::Leak, end, 0, block.term_span)
                }
                Terminator::Return(value) => {
                    let types = &program.types;
                    let is_struct =
                        types.scalar(proc.ret).is_none() && types.size_of(proc.ret).is_some();
                    let mut kinds = if is_struct { ACCESS.to_vec() } else { vec![] };
                    let of_value = value.iter().flat_map(expr_checks);
                    kinds.extend(of_value.filter(|k| !is_struct || !ACCESS.contains(k)));
                    for kind in kinds {
                        add(kind, end, 0, block.term_span);
                    }
                    for (c, clause) in proc.contract.ensures.iter().enumerate() {
                        add(CheckKind::Postcondition, end, c as u32, clause.span);
                    }
                    if let Assigns::Places(_, span) = &proc.contract.assigns {
                        add(CheckKind::Assigns, end, 0, *span);
                    }
                    add(CheckKind::Acyclic, end, 0, block.term_span);
                    if !program.is_collected() {
                        add(CheckKind::Leak, end, 0, block.term_span);
                    }
                }
            }
        }
    }

    /// The check behind a failure.
    pub fn find(&self, point: Point, kind: CheckKind, clause: u32) -> Option<CheckId> {
        self.index.get(&(point, kind, clause)).copied()
    }

    /// A row.
    pub fn get(&self, id: CheckId) -> &Check {
        &self.checks[id.0 as usize]
    }

    /// All rows, procedure by procedure.
    pub fn iter(&self) -> impl Iterator<Item = (CheckId, &Check)> {
        self.checks.iter().enumerate().map(|(i, c)| (CheckId(i as u32), c))
    }
}

/// What an access through a pointer can violate.
const ACCESS: [CheckKind; 4] =
    [CheckKind::NullDeref, CheckKind::UseAfterFree, CheckKind::Uninit, CheckKind::Bounds];

/// The checks of one instruction: kind, clause number, span.
fn instr_checks(program: &Program, instr: &Instr) -> Vec<(CheckKind, u32, Span)> {
    use CheckKind::*;
    let here = |kinds: &[CheckKind]| kinds.iter().map(|&k| (k, 0, instr.span)).collect::<Vec<_>>();
    let mut out: Vec<_> = match &instr.kind {
        InstrKind::Load { .. } | InstrKind::Store { .. } => here(&ACCESS),
        InstrKind::Fill { .. } | InstrKind::Copy { may_overlap: true, .. } => here(&ACCESS),
        InstrKind::Copy { may_overlap: false, .. } => {
            let mut kinds = here(&ACCESS);
            kinds.extend(here(&[Overlap]));
            kinds
        }
        InstrKind::Free { .. } => here(&[InvalidFree, DoubleFree, Uninit]),
        InstrKind::Alloc { .. } | InstrKind::BeginArray { .. } | InstrKind::Assume { .. } => {
            here(&[Uninit])
        }
        InstrKind::Assert { kind, .. } => here(&[*kind, Uninit]),
        InstrKind::Call { proc, .. } => {
            let callee = program.proc(*proc);
            let is_struct = |v: &Var| program.types.scalar(v.ty).is_none();
            let passes_struct = callee.vars[..callee.params].iter().any(is_struct);
            let mut kinds = if passes_struct { here(&ACCESS) } else { vec![] };
            let requires = (0u32..).zip(&callee.contract.requires);
            kinds.extend(requires.map(|(c, _)| (Precondition, c, instr.span)));
            kinds
        }
        InstrKind::Assign { .. }
        | InstrKind::Retype { .. }
        | InstrKind::BeginLocal { .. }
        | InstrKind::EndLocal { .. }
        | InstrKind::Havoc { .. }
        | InstrKind::Unsupported { .. } => vec![],
    };
    let arith: std::collections::BTreeSet<_> = instr.kind.exprs().flat_map(expr_checks).collect();
    let new: Vec<_> = arith.into_iter().filter(|k| !out.iter().any(|(o, ..)| o == k)).collect();
    out.extend(new.into_iter().map(|k| (k, 0, instr.span)));
    out
}

/// The checks that evaluating an expression can violate.
fn expr_checks(expr: &Expr) -> Vec<CheckKind> {
    use crate::ir::{BinOp, UnOp};
    let mut kinds = std::collections::BTreeSet::new();
    expr.visit(&mut |e| match e {
        Expr::Unary(UnOp::Neg, kind, _) if kind.signed => drop(kinds.insert(CheckKind::Overflow)),
        Expr::Binary(BinOp::Div | BinOp::Rem, ..) => drop(kinds.insert(CheckKind::DivByZero)),
        Expr::Binary(BinOp::Shl | BinOp::Shr, ..) => drop(kinds.insert(CheckKind::Overflow)),
        Expr::Binary(BinOp::Add | BinOp::Sub | BinOp::Mul, kind, ..) if kind.signed => {
            kinds.insert(CheckKind::Overflow);
        }
        Expr::Offset(..) | Expr::Index { .. } | Expr::Extent(..) => {
            kinds.insert(CheckKind::NullDeref);
        }
        Expr::Int(_)
        | Expr::Null
        | Expr::Reg(_)
        | Expr::Addr(_)
        | Expr::Unary(..)
        | Expr::Binary(..)
        | Expr::Cmp(..)
        | Expr::Not(_)
        | Expr::Convert(..)
        | Expr::ToPtr(_)
        | Expr::Diff(..) => {}
    });
    kinds.into_iter().collect()
}
