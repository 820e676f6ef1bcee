//! What is kept from run to run: entries by kind and key, for one machine or for many.
//!
//! * [`Store`]: who keeps bytes; [`sqlite`] does so in a file, [`redis`] on a server that many
//!   machines share
//! * [`address`]: which store is meant
//! * [`shelf`]: the entries of one kind, as whoever uses a store sees them
//! * [`seal`]: what makes an entry self-describing
//! * `signed`: what makes an entry ours, where others can write, too
//!
//! **Invariants.** A store is never believed: whatever it returns is sealed, and an entry whose seal
//! is not that of its kind, version, key and content does not exist. This crate knows nothing of what
//! it keeps; what an entry is worth is for its reader to judge.

pub mod address;
pub mod redis;
pub mod seal;
pub mod shelf;
mod signed;
pub mod sqlite;

use std::fmt;
use std::io;

pub use address::StoreAddress;
pub use seal::{digest, digest_of};
pub use shelf::Shelf;

/// Keeps bytes by kind and key. Several processes may use one at the same time.
pub trait Store: Send + Sync + fmt::Debug {
    /// What is kept under a key.
    ///
    /// # Errors
    /// If the store cannot be asked.
    fn get(&self, kind: &str, key: &str) -> io::Result<Option<Vec<u8>>>;

    /// Keeps bytes under a key, in place of what was there.
    ///
    /// # Errors
    /// If the store does not take them.
    fn put(&self, kind: &str, key: &str, bytes: &[u8]) -> io::Result<()>;

    /// Everything of a kind, in an order that depends on the entries only.
    ///
    /// # Errors
    /// If the store cannot be asked.
    fn all(&self, kind: &str) -> io::Result<Vec<(String, Vec<u8>)>>;

    /// Removes everything of a kind.
    ///
    /// # Errors
    /// If that cannot be done.
    fn clear(&self, kind: &str) -> io::Result<()>;
}
