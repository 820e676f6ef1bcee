//! The answers that are kept in a folder: of provers, and of solvers about paths.

use std::io;
use std::path::Path;

use trellis_driver::provers::Shared;
use trellis_provers::Cache;
use trellis_provers::cache::Stock as OfProvers;

/// What a folder has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stock {
    /// Of provers.
    pub provers: OfProvers,
    /// Answers of solvers about paths.
    pub paths: usize,
}

/// What a folder has.
///
/// # Errors
/// If it cannot be read.
pub fn stock(folder: &Path) -> io::Result<Stock> {
    let paths = match Shared::path(folder).exists() {
        true => Shared::open(folder)?.records(),
        false => 0,
    };
    Ok(Stock { provers: Cache::stock(folder)?, paths })
}

/// Removes the answers of a folder, and nothing else.
///
/// # Errors
/// If that cannot be done.
pub fn clear(folder: &Path) -> io::Result<()> {
    Cache::clear(folder)?;
    match std::fs::remove_file(Shared::path(folder)) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => Err(e),
        _ => Ok(()),
    }
}
