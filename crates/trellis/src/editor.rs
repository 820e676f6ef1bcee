//! What `trellis lsp` verifies a file with: what the file of its project says, and what the editor says.

use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

use clap::Parser;
use trellis_lsp::settings::Settings;
use trellis_program::Failure;
use trellis_session::Request;
use trellis_session::request::Excuse;

use crate::cli::{Cli, Command};
use crate::config;
use crate::excuses::Excuses;
use crate::verify::asked;

/// Time for each procedure where nobody says: an editor's user waits.
const TIMEOUT: &str = "--timeout=10s";

/// The request for a file: a command line, as every project's file is one. What the editor says comes
/// first.
///
/// # Errors
/// What is wrong with the file of the project or the editor's settings, as a sentence.
pub fn request(file: &Path, settings: &Settings) -> Result<Request, String> {
    let mut words: Vec<OsString> = vec!["trellis".into(), "verify".into()];
    match config::of_project(file) {
        Some(path) => words.push(option("--config", path)),
        None => words.push("--no-config".into()),
    }
    words.extend(settings.engine.iter().map(|name| option("--engine", name)));
    words.extend(settings.timeout_seconds.map(|s| option("--timeout", format!("{s}s"))));
    words.extend(settings.include_dirs.iter().map(|folder| option("--include", folder)));
    words.extend(settings.defines.iter().map(|name| option("--define", name)));
    words.extend(["--".into(), file.into()]);
    let (mut words, suppressions) = config::arguments(words).map_err(|bad| sentence(&bad))?;
    if !words.iter().any(|w| w.to_str().is_some_and(|w| w.starts_with("--timeout"))) {
        words.insert(2, TIMEOUT.into());
    }
    let read = Cli::try_parse_from(words).map_err(|e| {
        let text = e.to_string();
        let first = text.lines().next().unwrap_or_default();
        first.strip_prefix("error: ").unwrap_or(first).to_owned()
    })?;
    let Command::Verify(cli) = read.command else { return Err("no command of `verify`".into()) };
    let request = asked(&cli).map_err(|bad| sentence(&bad))?;
    let excuses =
        Excuses::new(cli.baseline.as_deref(), suppressions).map_err(|bad| sentence(&bad))?;
    let excuses = Arc::new(excuses);
    let excuse: Excuse = Box::new(move |report, sources| excuses.excuse(report, sources));
    Ok(Request { excuse: Some(excuse), ..request })
}

fn option(name: &str, value: impl Into<OsString>) -> OsString {
    let mut word = OsString::from(name);
    word.push("=");
    word.push(value.into());
    word
}

/// An error with its place, on one line.
fn sentence(bad: &Failure) -> String {
    let Some(first) = bad.diagnostics.first() else { return "it cannot be read".to_owned() };
    let Some(span) = first.span else { return first.message.clone() };
    let (line, column) = bad.sources.line_col(span);
    let file = &bad.sources.file(span.file).name;
    format!("{file}:{line}:{column}: {}", first.message)
}
