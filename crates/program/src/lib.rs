//! The heap program: the one form in which every engine sees the user's code.
//!
//! A front end produces a [`Program`]: procedures as control-flow graphs of small [`Instr`]uctions
//! over registers and memory, with source spans, contracts and types. The pointer model is
//! **(object, byte offset)**; see [`concrete`] for its executable meaning.
//!
//! * [`arguments`]: what is believed of callers that nobody sees
//! * [`source`]: files, spans, diagnostics
//! * [`types`]: C types and memory layouts
//! * [`mod@unit`]: what a front end is, and what it makes of a source
//! * [`ir`]: procedures, blocks, instructions, expressions
//! * [`spec`]: contract terms and formulas, after name and type resolution
//! * [`checks`]: what is checked, where, under which stable id
//! * [`ending`]: programs whose ends are seen differently
//! * [`embedding`]: objects of one type inside objects of another
//! * [`fresh`]: what new memory a procedure without a body may return
//! * [`mod@cfg`]: loop heads, reachable blocks, liveness
//! * [`judgement`]: refusals, alarms, and why there is no result
//! * [`mod@inline`]: a procedure with the bodies of everything it calls
//! * [`mod@print`]: the text that `trellis show` prints
//! * [`steps`]: what the small languages of engines share
//! * [`view`]: symbols, contracts and states in the logic
//! * [`concrete`]: memory, states, the interpreter, contracts evaluated on states, heap notation

pub mod arguments;
pub mod cfg;
pub mod checks;
pub mod concrete;
pub mod dll;
pub mod embedding;
pub mod ending;
pub mod fresh;
pub mod inline;
pub mod ir;
pub mod judgement;
pub mod places;
pub mod print;
#[cfg(test)]
mod samples;
pub mod slice;
pub mod source;
pub mod spec;
pub mod steps;
pub mod trust;
pub mod types;
pub mod unit;
pub mod view;

pub use checks::{Check, CheckId, CheckKind, CheckSet, CheckTable};
pub use inline::{
    InlineLimits, Inlined, Recursion, changes_memory, first_refusal, inline, inline_to_recursion,
    promised,
};
pub use ir::{
    Arguments, BinOp, Block, BlockId, Body, CmpOp, Cond, Expr, Global, GlobalId, Instr, InstrKind,
    MemoryRules, PlainPointer, ProcId, Procedure, Program, REST, Reg, Storage, Terminator, Tracked,
    UnOp, Var, VarId,
};
pub use judgement::{Alarm, NoResult, Refusal, Rejected};
pub use places::{Placed, places};
pub use source::{Diagnostic, FileId, Severity, SourceMap, Span};
pub use trellis_logic::{Budget, StopReason, Work};
pub use trust::Assumptions;
pub use types::{
    CellInfo, Field, IntKind, Layout, Record, RecordId, Scalar, Type, TypeId, TypeTable,
};
pub use unit::{Failure, FrontEnd, Input, Setting, SettingKind, Unit};
