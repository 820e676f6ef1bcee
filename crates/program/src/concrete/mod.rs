//! The concrete meaning of heap programs: memory, states, one step at a time.
//!
//! This is the reference that every engine is tested against and every trace is replayed by, so it
//! is written to be read: [`memory`] says what a pointer is, [`state`] what a state is, [`step`]
//! what an instruction does, [`spec_eval`] what a contract means.

pub mod bytes;
pub(crate) mod calls;
mod choices;
mod constants;
pub mod cycles;
pub mod drawing;
pub mod eval;
pub mod heap_text;
pub mod initial;
pub mod memory;
mod odometer;
#[cfg(test)]
mod rows;
pub mod spec_eval;
pub mod state;
pub mod step;
pub mod trace;

pub use bytes::Byte;
pub use choices::mark_sets;
pub use initial::InitialHeap;
pub use memory::{Fault, Lifetime, Memory, ObjId, Object, Pointer, Value};
pub use odometer::Choices;
pub use state::{Frame, PreState, State};
pub use step::{Chooser, Failure, Finish, Machine, MachineOptions};
pub use trace::{Scripted, Trace, TraceStep};
