//! A session: a [`Request`] in, [`Event`]s and a report out; or a [`CertifyRequest`] in and the
//! document of a check out.
//!
//! Whoever wants answers, a command line, a web page or an editor, is a client of this crate: it
//! says what to read, which procedures, which engine and how much it may cost, is told what happens
//! as it happens, and gets the report of `trellis_report` in the end.
//!
//! * [`request`]: what a client asks for, and what it is told
//! * [`mod@verify`]: the work; [`listing`]: what it would be
//! * [`mod@certify`]: the same for a certificate that is to be checked
//! * [`mod@game`]: the pattern game, for whoever shows it to a person
//! * [`front_ends`]: which front end reads a source
//! * [`solvers`]: from a choice to solvers
//! * [`annotate`]: invariants written into their source
//! * [`certificates`]: evidence and its source as a file
//! * [`harnesses`]: violations as C programs that fail
//! * [`witnesses`]: what a witness says about its task
//! * [`kept`]: answers about procedures that are kept; [`cache`]: all that is kept
//! * [`mod@export`]: sequents as files
//! * [`side_by_side`], `pipeline`, [`patience`]: many things at once, in order; programs and their
//!   procedures at once, in order; work that must end in time
//!
//! **Invariants.** No command line, no stream, no terminal, no signal: what is to be shown is an
//! event, and work is cancelled through the flag of its budget. Events come one after the other, on
//! the thread of the client, in an order that does not depend on threads or load.

pub mod annotate;
pub mod cache;
pub mod certificates;
pub mod certify;
pub mod export;
pub mod front_ends;
pub mod game;
pub mod harnesses;
pub mod kept;
pub mod listing;
pub mod patience;
mod pipeline;
pub mod request;
pub mod side_by_side;
pub mod solvers;
pub mod verify;
pub mod witnesses;

pub use annotate::{Annotated, Annotator};
pub use cache::{Stock, clear as clear_cache, stock};
pub use certify::{CertifyRequest, Checked, Obstacle, certify};
pub use export::{Exported, export};
pub use front_ends::{FrontEnds, Reading};
pub use harnesses::Workshop;
pub use kept::Kept;
pub use listing::{Listed, list, list_one};
pub use request::{Chosen, Event, Repeat, Request, Source};
pub use solvers::{Factory, Provers, SolverChoice, SolverKind};
pub use trellis_epr::ProofFolder;
pub use trellis_front_c::CompileCommand;
pub use trellis_front_c::STANDARD_INPUT;
pub use trellis_provers::export::Format as ExportFormat;
pub use trellis_store::StoreAddress;
pub use verify::{Verified, verify};
