//! What an editor says when it starts the server (`initializationOptions`).

use std::path::{Path, PathBuf};

use serde::Deserialize;
use trellis_session::Request;

/// How files are verified; what is not said is as the project has it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub struct Settings {
    /// The engine.
    pub engine: Option<String>,
    /// Seconds for each procedure.
    pub timeout_seconds: Option<u64>,
    /// Folders to search for headers.
    pub include_dirs: Vec<PathBuf>,
    /// Macros to define.
    pub defines: Vec<String>,
}

/// From a file and what the editor says to the request for it, or to a sentence that says why there is
/// none. Whoever starts the server knows the files of projects.
pub type Asking = dyn Fn(&Path, &Settings) -> Result<Request, String> + Send + Sync;
