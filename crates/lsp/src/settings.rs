//! What an editor says when it starts the server (`initializationOptions`).

use std::path::PathBuf;
use std::time::Duration;

use serde::Deserialize;
use trellis_driver::{Budget, Options, Selection, Settings as EngineSettings};
use trellis_session::{Chosen, FrontEnds, Reading, Request, SolverChoice, Source};

/// Memory for each procedure.
const MEMORY: u64 = 4 << 30;

/// How files are verified.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub struct Settings {
    /// The engine.
    pub engine: String,
    /// Seconds for each procedure.
    pub timeout_seconds: u64,
    /// Folders to search for headers.
    pub include_dirs: Vec<PathBuf>,
    /// Macros to define.
    pub defines: Vec<String>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            engine: "auto".to_owned(),
            timeout_seconds: 10,
            include_dirs: Vec::new(),
            defines: Vec::new(),
        }
    }
}

impl Settings {
    /// The request for a file; its budget ends when the flag is set.
    ///
    /// # Errors
    /// If there is no such engine.
    pub(crate) fn request(
        &self,
        file: PathBuf,
        selection: Selection,
        cancel: crate::work::Flag,
    ) -> Result<Request, String> {
        let reading = Reading {
            include_dirs: self.include_dirs.clone(),
            defines: self.defines.clone(),
            ..Reading::default()
        };
        let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
        Ok(Request {
            sources: vec![Source::File(file)],
            front_ends: FrontEnds::new(&reading),
            selection,
            engine: Chosen::new(&self.engine, &EngineSettings::default(), SolverChoice::default())?,
            options: Options { threads, ..Options::default() },
            budget: Budget {
                timeout: Some(Duration::from_secs(self.timeout_seconds)),
                memory: Some(MEMORY),
                cancel,
                ..Budget::default()
            },
            properties: None,
            lenient: false,
            command: None,
            kept: None,
            excuse: None,
        })
    }
}
