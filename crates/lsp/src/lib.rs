//! A language server: one more client of `trellis_session`, for editors.
//!
//! A file is verified when it is opened or saved. What is wrong becomes diagnostics, with the states of a
//! violation as related places; what each procedure came to stands above it as a code lens; what holds
//! at a loop is shown where the pointer hovers. Code actions write invariants into the source, go to the
//! failing step, and open the page of the run.
//!
//! * [`settings`]: what an editor says, and how that becomes a request
//! * `server`: the loop over messages of the editor and of workers
//! * `document`: an open file, its answers, and where places are in it
//! * `work`: sessions on threads of their own
//! * `answers`: from reports to what the protocol has
//! * `edits`: what an annotated text adds
//!
//! **Invariants.** The loop never waits for an engine. A change of a file cancels its work at once, and
//! what a cancelled worker says is dropped. Nothing is said about a text that is not the saved one.

mod answers;
mod document;
mod edits;
mod server;
pub mod settings;
mod work;

use std::io;
use std::sync::Arc;

use lsp_server::Connection;

use crate::settings::Asking;

/// Serves an editor over the standard streams until it leaves.
///
/// # Errors
/// If the streams fail, or what comes is not the protocol.
pub fn serve(asking: Arc<Asking>) -> io::Result<()> {
    let (connection, threads) = Connection::stdio();
    server::run(connection, asking).map_err(io::Error::other)?;
    threads.join()
}
