//! All that is kept in a store: answers about procedures, of provers, and of solvers about paths.

use std::io;

use trellis_driver::provers::Shared;
use trellis_provers::Cache;
use trellis_provers::cache::Stock as OfProvers;
use trellis_store::StoreAddress;

use crate::kept::Kept;

/// What a store has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stock {
    /// Answers about procedures.
    pub procedures: usize,
    /// Of provers.
    pub provers: OfProvers,
    /// Answers of solvers about paths.
    pub paths: usize,
    /// Entries that cannot be used.
    pub ignored: usize,
    /// Bytes of all entries.
    pub bytes: u64,
}

/// What a store has.
///
/// # Errors
/// If it cannot be read.
pub fn stock(at: &StoreAddress) -> io::Result<Stock> {
    if !at.exists() {
        return Ok(Stock::default());
    }
    let store = at.open()?;
    let procedures = Kept::shelf(&store).records()?;
    let paths = Shared::shelf(&store).records()?;
    let provers = Cache::stock(&store)?;
    Ok(Stock {
        procedures: procedures.contents.len(),
        provers,
        paths: paths.contents.len(),
        ignored: procedures.ignored + provers.ignored + paths.ignored,
        bytes: procedures.bytes + provers.bytes + paths.bytes,
    })
}

/// Removes what is kept in a store, and nothing else.
///
/// # Errors
/// If that cannot be done.
pub fn clear(at: &StoreAddress) -> io::Result<()> {
    if !at.exists() {
        return Ok(());
    }
    let store = at.open()?;
    for shelf in [Kept::shelf(&store), Cache::shelf(&store), Shared::shelf(&store)] {
        shelf.clear()?;
    }
    Ok(())
}
