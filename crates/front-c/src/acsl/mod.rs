//! The contract language: comments in the shape of ACSL, read and resolved.
//!
//! [`parse`] knows only the text of one annotation; the `resolve` functions give its names and
//! types the meaning they have where it stands, as told by a [`Scope`]. The language is described
//! for users in `docs/src/contracts.md`.
//!
//! **Invariant:** nothing here panics or overflows the stack, whatever the text.

pub mod ast;
mod parse;
mod resolve;
#[cfg(test)]
mod tests;

pub use ast::{
    Annotation, Behavior, BinderDecl, Expr, Ghost, Ident, PlaceItem, Places, PredicateDecl,
    TagKind, TypeName,
};
pub use parse::parse;
pub use resolve::{resolve_contract, resolve_formula, resolve_predicate};

use trellis_program::ir::{Reg, Storage};
use trellis_program::source::Span;
use trellis_program::spec::Predicate;
use trellis_program::types::{TypeId, TypeTable};

/// A variable as an annotation sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VarRef {
    /// Which.
    pub reg: Reg,
    /// Its C type.
    pub ty: TypeId,
    /// Register or object.
    pub storage: Storage,
    /// Whether it is a parameter of the procedure.
    pub is_param: bool,
}

/// What names mean where an annotation stands.
pub trait Scope {
    /// The innermost visible variable of that name.
    fn variable(&self, name: &str) -> Option<VarRef>;
    /// An enumeration constant.
    fn constant(&self, name: &str) -> Option<i128>;
    /// A typedef.
    fn typedef(&self, name: &str) -> Option<TypeId>;
    /// A struct, union or enumeration.
    fn tagged(&self, kind: TagKind, tag: &str) -> Option<TypeId>;
    /// All visible variables and constants, to suggest.
    fn names(&self) -> Vec<String>;
    /// The types of the program.
    fn types(&self) -> &TypeTable;
    /// The same, to intern pointer types.
    fn types_mut(&mut self) -> &mut TypeTable;
    /// The result type of the function that a contract belongs to.
    fn result_type(&self) -> Option<TypeId>;
    /// The predicates declared so far; a [`trellis_program::spec::PredId`] is an index into them.
    fn predicates(&self) -> &[Predicate];
}

/// Where the annotation text lies in the user's file.
pub trait Locate {
    /// The span of bytes `start..end` of the annotation; byte 0 is the first of the comment.
    fn span(&self, start: usize, end: usize) -> Span;
}
