//! The logic of Jahob's annotations (*Symbolic Shape Analysis*, section 2): a typed higher-order
//! logic in the notation of Isabelle, over objects, integers and truth values.
//!
//! * [`parse`] reads text into a [`Syntax`] tree without types, with the place of every part;
//! * [`elaborate`] finds out what names mean, with the help of a [`Naming`], and what types terms
//!   have; what is overloaded in the notation (`=`, `<=`, `-`, `f x`) is decided there;
//! * [`Formula`] is what remains: a typed [`Term`] and the [`Symbol`]s that it mentions. Whoever
//!   made it knows what the symbols stand for;
//! * [`eval`] says what a formula means on a finite heap, which may be partly chosen only.
//!
//! This crate knows no programs. Who gives symbols a meaning implements [`Naming`] and
//! [`eval::Model`].
//!
//! **Invariants.** No text makes this crate panic. A [`Formula`] has no type variable left, and
//! every bound variable has a number of its own.

pub mod eval;
mod infer;
mod lex;
mod parse;
mod print;
mod resolve;
mod syntax;
mod term;
mod types;

pub use infer::elaborate;
pub use parse::{parse, parse_definition, parse_type};
pub use resolve::{Meaning, Naming, Position};
pub use syntax::{At, Error, Node, Syntax};
pub use term::{Binder, Formula, Kind, Op, Quantifier, Symbol, SymbolId, Term, VarId};
pub use types::Type;
