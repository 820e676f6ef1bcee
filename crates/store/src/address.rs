//! Which store is meant.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use crate::Store;
use crate::redis::{Redis, RedisAddress};
use crate::signed::{self, Secret, Signed};
use crate::sqlite::Sqlite;

/// Where a store is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StoreAddress {
    /// In a folder of this machine.
    Folder(PathBuf),
    /// On a Redis server.
    Redis(RedisAddress),
}

impl StoreAddress {
    /// Opens the store, which is made if need be. If `TRELLIS_CACHE_KEY` is a secret, entries are
    /// signed with it, and no others are there.
    ///
    /// # Errors
    /// If it cannot be used; [`io::ErrorKind::PermissionDenied`] if it is there and does not let us
    /// in, or is not who it should be, or if the secret could be guessed.
    pub fn open(&self) -> io::Result<Arc<dyn Store>> {
        let text = std::env::var(signed::VARIABLE).ok().filter(|text| !text.is_empty());
        let secret = text.map(|text| Secret::new(&text)).transpose()?;
        let store: Arc<dyn Store> = match self {
            StoreAddress::Folder(folder) => Arc::new(Sqlite::open(folder)?),
            StoreAddress::Redis(address) => Arc::new(Redis::open(address)?),
        };
        Ok(match secret {
            Some(secret) => Arc::new(Signed { store, secret }),
            None => store,
        })
    }

    /// Whether there is something to open.
    pub fn exists(&self) -> bool {
        match self {
            StoreAddress::Folder(folder) => Sqlite::path(folder).exists(),
            StoreAddress::Redis(_) => true,
        }
    }
}

impl FromStr for StoreAddress {
    type Err = String;

    fn from_str(text: &str) -> Result<StoreAddress, String> {
        match text.split_once("://") {
            Some(("redis" | "rediss", _)) => text.parse().map(StoreAddress::Redis),
            Some((scheme, _)) => Err(format!("there is no store of the kind `{scheme}`")),
            None if text.is_empty() => Err("a folder has a name".to_owned()),
            None => Ok(StoreAddress::Folder(text.into())),
        }
    }
}

impl fmt::Display for StoreAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreAddress::Folder(folder) => folder.display().fmt(f),
            StoreAddress::Redis(address) => address.fmt(f),
        }
    }
}
