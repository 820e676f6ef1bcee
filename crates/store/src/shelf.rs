//! The entries of one kind and version in a store.
//!
//! Some are asked for by key; others are *records*, whose key is their content and which are read
//! all at once.

use std::io;
use std::sync::Arc;

use crate::seal::{self, digest};
use crate::{Store, StoreAddress};

/// The entries of one kind.
#[derive(Clone, Debug)]
pub struct Shelf {
    store: Arc<dyn Store>,
    kind: &'static str,
    version: &'static str,
}

/// The records of a shelf.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Records {
    /// Their contents.
    pub contents: Vec<String>,
    /// How many entries of the kind are broken, foreign or of another version.
    pub ignored: usize,
    /// The bytes of all entries.
    pub bytes: u64,
}

impl Shelf {
    /// The entries of a kind and a version; neither has white space.
    pub fn new(store: Arc<dyn Store>, kind: &'static str, version: &'static str) -> Shelf {
        Shelf { store, kind, version }
    }

    /// Those of a store somewhere.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub fn open(at: &StoreAddress, kind: &'static str, version: &'static str) -> io::Result<Shelf> {
        Ok(Shelf::new(at.open()?, kind, version))
    }

    /// What is kept under a key; an entry that cannot be used is none.
    ///
    /// # Errors
    /// If the store cannot be asked.
    pub fn get(&self, key: &str) -> io::Result<Option<String>> {
        let found = self.store.get(self.kind, key)?;
        Ok(found.and_then(|bytes| seal::open(self.kind, self.version, key, &bytes)))
    }

    /// Keeps something under a key.
    ///
    /// # Errors
    /// If the store does not take it.
    pub fn put(&self, key: &str, content: &str) -> io::Result<()> {
        let sealed = seal::seal(self.kind, self.version, key, content);
        self.store.put(self.kind, key, &sealed)
    }

    /// Keeps a record.
    ///
    /// # Errors
    /// If the store does not take it.
    pub fn append(&self, content: &str) -> io::Result<()> {
        self.put(&digest(content), content)
    }

    /// All entries, as records.
    ///
    /// # Errors
    /// If the store cannot be asked.
    pub fn records(&self) -> io::Result<Records> {
        let mut records = Records::default();
        for (key, bytes) in self.store.all(self.kind)? {
            records.bytes += bytes.len() as u64;
            match seal::open(self.kind, self.version, &key, &bytes) {
                Some(content) => records.contents.push(content),
                None => records.ignored += 1,
            }
        }
        Ok(records)
    }

    /// Removes all entries of the kind, whatever their version.
    ///
    /// # Errors
    /// If that cannot be done.
    pub fn clear(&self) -> io::Result<()> {
        self.store.clear(self.kind)
    }
}

impl Records {
    /// What to tell of entries that were ignored.
    pub fn warning(&self, of: &str) -> Option<String> {
        let n = self.ignored;
        let (entries, are) = if n == 1 { ("entry", "is") } else { ("entries", "are") };
        let text = format!("{n} {entries} of the cache ({of}) {are} broken or of another version");
        (n > 0).then(|| format!("{text}: ignored"))
    }
}
