//! The `proveit` engine: Impact with heap patterns (*Heap Interpolant Synthesis*: Oracle-Guided
//! Heap Interpolant Synthesis).
//!
//! * [`post`]: what statements do to patterns
//! * [`mod@flow`]: from one loop head to the next
//! * [`merge`]: nodes merged by keys, patterns of one skeleton joined
//! * [`mod@analyse`]: abstract interpretation, with keys refined where a proof fails
//! * [`vocabulary`]: predicates found from the program
//! * [`unwinding`], [`impact`], `learn`: the unwinding, and Algorithms 4 to 9
//! * [`examples`]: heaps that the machine reached, or follows into a failure
//! * [`oracle`]: who proposes patterns
//! * [`mod@prove`]: all of it on one procedure; [`game`]: with a person,
//!   [`transcript`]: in a file
//!
//! **Invariant:** whatever the concrete machine can do in a procedure, the engine does in patterns
//! or says that it does not know. What it claims to have proved is checked by `trellis-patterns`,
//! which has none of this.

pub mod analyse;
pub mod examples;
pub mod flow;
pub mod game;
pub mod impact;
mod learn;
pub mod merge;
pub mod oracle;
pub mod post;
pub mod prove;
pub mod transcript;
pub mod unwinding;
pub mod vocabulary;
