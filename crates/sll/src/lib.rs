//! The `sll` engine: possibly cyclic singly linked lists (paper 002: Predicate Abstraction and
//! Canonical Abstraction for Singly-Linked Lists).
//!
//! * [`program`]: the small language; [`lower`]: from a heap program to it
//! * [`heap`]: abstract heaps; [`transform`]: what statements do to them, exactly
//! * [`evaluate`]: contract formulas on abstract heaps
//! * [`inputs`]: all abstract heaps that a procedure can start from
//! * [`analyse`]: all abstract heaps that it can reach
//! * [`sharing`]: abstractions that tell shared nodes apart only up to a depth
//! * [`concrete`]: abstract heaps of concrete ones, by definition, and back
//! * [`check`]: an analysis is checked with the concrete machine, without the transformers
//! * [`view`]: predicate form, canonical form, drawings
//!
//! **Invariant:** whatever the concrete machine can do in a procedure, the analysis does in the
//! abstract or says that it does not know.

pub mod analyse;
pub mod check;
pub mod concrete;
pub mod evaluate;
pub mod heap;
pub mod initialised;
pub mod inputs;
pub mod live;
pub mod lower;
pub mod program;
pub mod sharing;
pub mod transform;
pub mod view;
