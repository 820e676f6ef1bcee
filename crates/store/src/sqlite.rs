//! A store in a folder of this machine: one SQLite file, which several processes can use at once.
//!
//! A crash of the machine may lose the last entries, never the file: it is a cache, so nothing waits
//! for the disk.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::{Connection, OptionalExtension, params};

use crate::Store;

/// The file in a folder.
const FILE: &str = "trellis.sqlite";
/// How long to wait for others that write.
const PATIENCE: Duration = Duration::from_secs(5);
/// A file that is larger loses its oldest entries when it is opened.
const MOST_BYTES: u64 = 1 << 30;

/// A store in a file.
#[derive(Debug)]
pub struct Sqlite(Mutex<Connection>);

impl Sqlite {
    /// The store of a folder, which is made if need be.
    ///
    /// # Errors
    /// If the folder cannot be used, or its file is no store.
    pub fn open(folder: &Path) -> io::Result<Sqlite> {
        Sqlite::open_with(folder, MOST_BYTES)
    }

    /// The same, for so many bytes.
    fn open_with(folder: &Path, most: u64) -> io::Result<Sqlite> {
        std::fs::create_dir_all(folder)?;
        let open = || -> rusqlite::Result<Connection> {
            let connection = Connection::open(Sqlite::path(folder))?;
            connection.busy_timeout(PATIENCE)?;
            connection.pragma_update(None, "journal_mode", "WAL")?;
            connection.pragma_update(None, "synchronous", "OFF")?;
            connection.execute_batch(
                "CREATE TABLE IF NOT EXISTS entries (
                     number INTEGER PRIMARY KEY,
                     kind TEXT NOT NULL,
                     key TEXT NOT NULL,
                     bytes BLOB NOT NULL,
                     UNIQUE (kind, key)
                 )",
            )?;
            Ok(connection)
        };
        // Two that change the journal of a new file at once do not wait for each other by themselves.
        let begun = Instant::now();
        let connection = loop {
            match open() {
                Err(e) if is_busy(&e) && begun.elapsed() < PATIENCE => {
                    thread::sleep(Duration::from_millis(5));
                }
                done => break done.map_err(said)?,
            }
        };
        let file = std::fs::metadata(Sqlite::path(folder))?;
        if file.len() > most {
            forget_older_half(&connection).map_err(said)?;
        }
        Ok(Sqlite(Mutex::new(connection)))
    }

    /// The file of a folder.
    pub fn path(folder: &Path) -> PathBuf {
        folder.join(FILE)
    }

    fn connection(&self) -> MutexGuard<'_, Connection> {
        // A statement that was not finished left nothing behind.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(rusqlite::ErrorCode::DatabaseBusy | rusqlite::ErrorCode::DatabaseLocked)
    )
}

fn forget_older_half(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute(
        "DELETE FROM entries WHERE number <=
             (SELECT number FROM entries ORDER BY number
              LIMIT 1 OFFSET (SELECT count(*) / 2 FROM entries))",
        [],
    )?;
    connection.execute_batch("VACUUM")
}

fn said(e: rusqlite::Error) -> io::Error {
    io::Error::other(match e {
        rusqlite::Error::SqliteFailure(_, Some(text)) => text,
        other => other.to_string(),
    })
}

impl Store for Sqlite {
    fn get(&self, kind: &str, key: &str) -> io::Result<Option<Vec<u8>>> {
        let connection = self.connection();
        let ask = || -> rusqlite::Result<Option<Vec<u8>>> {
            let mut query = connection
                .prepare_cached("SELECT bytes FROM entries WHERE kind = ?1 AND key = ?2")?;
            query.query_row(params![kind, key], |row| row.get(0)).optional()
        };
        ask().map_err(said)
    }

    fn put(&self, kind: &str, key: &str, bytes: &[u8]) -> io::Result<()> {
        let connection = self.connection();
        let tell = || -> rusqlite::Result<usize> {
            let mut insert = connection.prepare_cached(
                "INSERT OR REPLACE INTO entries (kind, key, bytes) VALUES (?1, ?2, ?3)",
            )?;
            insert.execute(params![kind, key, bytes])
        };
        tell().map(drop).map_err(said)
    }

    fn all(&self, kind: &str) -> io::Result<Vec<(String, Vec<u8>)>> {
        let connection = self.connection();
        let ask = || -> rusqlite::Result<Vec<(String, Vec<u8>)>> {
            let mut query = connection
                .prepare_cached("SELECT key, bytes FROM entries WHERE kind = ?1 ORDER BY key")?;
            query.query_map([kind], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
        };
        ask().map_err(said)
    }

    fn clear(&self, kind: &str) -> io::Result<()> {
        let connection = self.connection();
        connection.execute("DELETE FROM entries WHERE kind = ?1", [kind]).map(drop).map_err(said)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_is_there_for_others() {
        let folder = tempfile::tempdir().expect("a folder");
        let (one, other) = (Sqlite::open(folder.path()), Sqlite::open(folder.path()));
        let (one, other) = (one.expect("a store"), other.expect("the same store"));
        one.put("a", "k", b"first").expect("kept");
        one.put("b", "k", b"of another kind").expect("kept");
        other.put("a", "k", b"second").expect("kept");
        other.put("a", "j", b"more").expect("kept");
        assert_eq!(one.get("a", "k").expect("asked"), Some(b"second".to_vec()));
        assert_eq!(one.get("a", "x").expect("asked"), None);
        let all: Vec<String> =
            one.all("a").expect("asked").into_iter().map(|(key, _)| key).collect();
        assert_eq!(all, ["j", "k"]);
        one.clear("a").expect("cleared");
        assert_eq!(other.all("a").expect("asked"), []);
        assert_eq!(other.all("b").expect("asked").len(), 1);
    }

    #[test]
    fn the_oldest_go_first() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Sqlite::open(folder.path()).expect("a store");
        for i in 0..100 {
            store.put("a", &i.to_string(), &[0; 4096]).expect("kept");
        }
        drop(store);
        let store = Sqlite::open_with(folder.path(), 1 << 16).expect("a store");
        assert_eq!(store.get("a", "0").expect("asked"), None);
        assert!(store.get("a", "99").expect("asked").is_some());
        assert_eq!(store.all("a").expect("asked").len(), 49);
    }

    #[test]
    fn another_file_is_no_store() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(Sqlite::path(folder.path()), "what is this? ".repeat(100)).expect("a file");
        let refused = Sqlite::open(folder.path()).expect_err("no store");
        assert_eq!(refused.to_string(), "file is not a database");
    }
}
