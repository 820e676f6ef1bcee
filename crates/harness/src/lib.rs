//! Counterexamples as programs. In C: a file that builds the heap, calls the procedure with the recorded
//! choices, and fails where Trellis says it does.
//!
//! * [`mod@record`]: what a run chose
//! * [`heap`]: the initial heap as C that builds it
//! * [`formula`]: contracts as C, where compilers know nothing of them
//! * [`edit`]: the user's text with checks in it
//! * [`mod@write`]: the whole file; `checks`, `stubs` and `told` are parts of it
//! * [`java`]: the same for Java, a class that throws
//! * [`declare`]: types and numbers as C writes them
//!
//! **Invariant.** A harness never fails on its own account: it is gcc's sanitizers, Valgrind's
//! memcheck or a contract evaluated on the real memory that finds the failure, and the harness only
//! names the place where the finder has none. What cannot be written down is refused with a reason.

mod checks;
pub mod declare;
pub mod edit;
pub mod formula;
pub mod heap;
pub mod java;
pub mod record;
mod stubs;
mod told;
pub mod write;

pub use record::{Recording, record};
pub use write::{Case, Harness, Judge, harness};
