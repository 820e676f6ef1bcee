//! The `sll` engine: possibly cyclic singly linked lists (*Predicate and Canonical Abstraction*:
//! Predicate Abstraction and Canonical Abstraction for Singly-Linked Lists).
//!
//! * [`program`], [`lower`]: the small language, and from a heap program to it (`trellis-shapes`)
//! * [`heap`]: abstract heaps (`trellis-shapes`); [`transform`]: what statements do to them,
//!   exactly
//! * [`evaluate`]: contract formulas on abstract heaps
//! * [`inputs`]: all abstract heaps that a procedure can start from
//! * [`analyse`]: all abstract heaps that it can reach
//! * [`sharing`]: abstractions that tell shared nodes apart only up to a depth
//! * [`mod@check`]: an analysis is checked with the concrete machine, by `trellis-shapes`, which
//!   has none of the above but the language
//! * [`mod@prove`]: an analysis as an invariant in the logic, for certificates (shapes as formulas:
//!   `formula`)
//! * [`view`]: predicate form, canonical form, drawings
//!
//! **Invariant:** whatever the concrete machine can do in a procedure, the analysis does in the
//! abstract or says that it does not know.

pub mod analyse;
pub mod check;
pub mod evaluate;
mod formula;
pub mod inputs;
pub mod prove;
pub mod sharing;
pub mod transform;
pub mod view;

pub use trellis_shapes::{concrete, heap, lower, program};
