//! z3 and cvc5 behind the [`Solver`](trellis_solver::Solver) trait: processes that speak SMT-LIB
//! over pipes and live as long as the conversation.
//!
//! Start with [`SmtSolver`]; the rest is named after what it does: [`dialect`] how the two solvers
//! differ, `translate` formulas to text, `session` what the process was told, `process` pipes and
//! deadlines, `model` and `interpret` from the text of a model to a structure, `shrink` small
//! models.
//!
//! **Invariants**: a thread that waits for a solver always wakes at the deadline or when cancelled,
//! whether the process reads, writes, hangs or floods us. Whatever a process prints, the worst that
//! happens is an [`Unknown`](trellis_solver::Unknown). A process that misbehaved is killed and
//! waited for; the next query starts a new one and tells it the assertions again. A model is given
//! out only after every asserted and assumed formula evaluated to true in it.
//!
//! Closures and orders are plain relations here: the caller asserts the axioms.
//!
//! We drive the pipes ourselves because the crates for that block in their reads and writes, so a
//! deadline or a cancellation would still need the threads that are the whole of `process`.

pub mod dialect;
mod interpret;
mod model;
mod names;
mod process;
mod session;
mod sexpr;
mod shrink;
mod solver;
mod transcript;
mod translate;

pub use dialect::{Dialect, Settings};
pub use solver::SmtSolver;
