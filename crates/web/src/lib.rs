//! The pattern game in the browser: a small server on this machine, and the page that it serves.
//!
//! * [`serve`](mod@serve): from a library of games to a server that runs until it is told to stop
//! * [`library`]: which games there are
//! * [`table`]: the game that is played, its draft and its file
//! * [`journal`]: the file: append, wait for the disk, read again
//! * [`tabs`]: which tab may edit
//! * [`connections`]: so many at a time, and none that only holds its place
//! * [`guard`]: who may ask at all: this machine, with the token of this session
//! * [`routes`]: one function a request
//! * [`assets`]: the page, inside the binary
//!
//! **Invariants.** Nothing is answered before it is on the disk: whatever a person was told to be
//! saved or judged is there after a crash. One tab edits, all others watch. This crate decides
//! nothing about patterns: that is behind `trellis_session::game`. No command line, no signals.

pub mod assets;
pub mod connections;
pub mod guard;
pub mod journal;
pub mod library;
pub mod routes;
pub mod serve;
pub mod table;
pub mod tabs;

pub use library::Library;
pub use serve::{Options, Server};
