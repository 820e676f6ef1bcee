//! The `proveit` engine: Impact with heap patterns (paper 004: Oracle-Guided Heap Interpolant
//! Synthesis).
//!
//! * [`post`]: what statements do to patterns
//! * [`mod@analyse`]: abstract interpretation, with keys refined where a proof fails
//! * [`vocabulary`]: predicates found from the program
//! * [`merge`]: nodes merged by keys, patterns of one skeleton joined
//!
//! **Invariant:** whatever the concrete machine can do in a procedure, the engine does in patterns or
//! says that it does not know. What it claims to have proved is checked by `trellis-patterns`, which
//! has none of this.

pub mod analyse;
pub mod inputs;
pub mod merge;
pub mod post;
pub mod vocabulary;
