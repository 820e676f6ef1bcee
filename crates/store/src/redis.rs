//! A store on a Redis server, which many machines share.
//!
//! An entry is a string under `trellis:KIND:KEY`. What is forgotten, and when, is for the server to
//! say (`maxmemory-policy`); an entry that is gone costs its work and nothing else.
//!
//! **Invariants.** Nothing waits longer than `PATIENCE`. A server that does not let us in, or cannot
//! show who it is, is refused when the store is opened. One that is not there, or goes away, is asked
//! again after a pause that grows, and not before, so that it costs errors and no time.

mod address;

use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use redis::{Client, Cmd, Connection, ErrorKind, FromRedisValue, RedisError, ServerErrorKind};

pub use self::address::RedisAddress;

use crate::Store;

/// How long to wait for a connection, and for an answer.
const PATIENCE: Duration = Duration::from_secs(5);
/// The first pause before a server that has failed is asked again.
const SHORTEST_PAUSE: Duration = Duration::from_millis(200);
/// The last one.
const LONGEST_PAUSE: Duration = Duration::from_secs(10);
/// How many keys are asked for at once.
const BATCH: usize = 500;

/// A store on a server.
pub struct Redis {
    client: Client,
    link: Mutex<Link>,
}

/// What is known of the server.
#[derive(Default)]
struct Link {
    connection: Option<Connection>,
    failed: Option<Failed>,
}

/// That the server could not be asked.
struct Failed {
    why: String,
    again: Instant,
    pause: Duration,
}

impl std::fmt::Debug for Redis {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Redis")
    }
}

impl Redis {
    /// The store of a server. That it cannot be reached now is no reason to fail.
    ///
    /// # Errors
    /// If files of the address cannot be read; if the server does not let us in.
    pub fn open(at: &RedisAddress) -> io::Result<Redis> {
        let store = Redis { client: at.client()?, link: Mutex::default() };
        match store.ask::<String>(&redis::cmd("PING")) {
            // Who listens, and does not show who it is, is not believed to be absent.
            Err(e) if !is_absent(&e) || (at.is_tls() && !e.is_connection_refusal()) => {
                Err(refused(&e))
            }
            _ => Ok(store),
        }
    }

    fn link(&self) -> MutexGuard<'_, Link> {
        // A question that was not finished leaves no connection behind, see `ask`.
        self.link.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The answer to a question. A connection that is lost is made again at once, if it had worked.
    fn ask<T: FromRedisValue>(&self, question: &Cmd) -> Result<T, RedisError> {
        let link = &mut *self.link();
        if let Some(failed) = link.failed.as_ref().filter(|f| Instant::now() < f.again) {
            return Err((ErrorKind::Io, "the server cannot be reached", failed.why.clone()).into());
        }
        let mut worked = link.connection.is_some();
        loop {
            let connection = match link.connection.take() {
                Some(connection) => Ok(connection),
                None => self.connect(),
            };
            let asked = connection.and_then(|mut c| question.query(&mut c).map(|found| (found, c)));
            match asked {
                Ok((found, connection)) => {
                    *link = Link { connection: Some(connection), failed: None };
                    return Ok(found);
                }
                Err(e) if is_absent(&e) && worked && !e.is_timeout() => worked = false,
                Err(e) => {
                    if is_absent(&e) {
                        // One that says nothing costs all of our patience every time.
                        let pause = match link.failed.take() {
                            _ if e.is_timeout() => LONGEST_PAUSE,
                            Some(failed) => (failed.pause * 2).min(LONGEST_PAUSE),
                            None => SHORTEST_PAUSE,
                        };
                        let again = Instant::now() + pause;
                        link.failed = Some(Failed { why: e.to_string(), again, pause });
                    }
                    return Err(e);
                }
            }
        }
    }

    fn connect(&self) -> Result<Connection, RedisError> {
        let connection = self.client.get_connection_with_timeout(PATIENCE)?;
        connection.set_read_timeout(Some(PATIENCE))?;
        connection.set_write_timeout(Some(PATIENCE))?;
        Ok(connection)
    }

    /// Every key of a kind, as the server has them.
    fn keys(&self, kind: &str) -> io::Result<Vec<String>> {
        let (mut keys, mut cursor) = (Vec::new(), 0_u64);
        loop {
            let mut scan = redis::cmd("SCAN");
            scan.arg(cursor).arg("MATCH").arg(name(kind, "*")).arg("COUNT").arg(BATCH);
            let (next, found): (u64, Vec<String>) = self.ask(&scan).map_err(said)?;
            keys.extend(found);
            cursor = next;
            if cursor == 0 {
                keys.sort_unstable();
                keys.dedup();
                return Ok(keys);
            }
        }
    }
}

/// The name of an entry on the server.
fn name(kind: &str, key: &str) -> String {
    format!("trellis:{kind}:{key}")
}

/// Whether the server is not there, for now: it is down, cannot be reached, or has just started.
fn is_absent(error: &RedisError) -> bool {
    let loading = ErrorKind::Server(ServerErrorKind::BusyLoading);
    error.is_connection_refusal()
        || error.is_connection_dropped()
        || error.is_timeout()
        || error.kind() == loading
}

/// Why a server is refused.
fn refused(error: &RedisError) -> io::Error {
    let text = match error.code() {
        Some("NOAUTH") => "it wants a password".to_owned(),
        Some("WRONGPASS") => "it does not take the password".to_owned(),
        _ if error.kind() == ErrorKind::AuthenticationFailed => {
            let detail = error.detail().unwrap_or("it does not take the password");
            format!("it does not let us in: {detail}")
        }
        _ => error.to_string(),
    };
    io::Error::new(io::ErrorKind::PermissionDenied, text)
}

fn said(error: RedisError) -> io::Error {
    match error.kind() {
        ErrorKind::AuthenticationFailed => refused(&error),
        _ => io::Error::other(error.to_string()),
    }
}

impl Store for Redis {
    fn get(&self, kind: &str, key: &str) -> io::Result<Option<Vec<u8>>> {
        self.ask(redis::cmd("GET").arg(name(kind, key))).map_err(said)
    }

    fn put(&self, kind: &str, key: &str, bytes: &[u8]) -> io::Result<()> {
        self.ask(redis::cmd("SET").arg(name(kind, key)).arg(bytes)).map_err(said)
    }

    fn all(&self, kind: &str) -> io::Result<Vec<(String, Vec<u8>)>> {
        let prefix = name(kind, "");
        let mut all = Vec::new();
        for keys in self.keys(kind)?.chunks(BATCH) {
            let found: Vec<Option<Vec<u8>>> =
                self.ask(redis::cmd("MGET").arg(keys)).map_err(said)?;
            let named = keys.iter().map(|k| k.strip_prefix(&prefix).unwrap_or(k).to_owned());
            all.extend(named.zip(found).filter_map(|(key, bytes)| Some((key, bytes?))));
        }
        Ok(all)
    }

    fn clear(&self, kind: &str) -> io::Result<()> {
        for keys in self.keys(kind)?.chunks(BATCH) {
            self.ask::<u64>(redis::cmd("UNLINK").arg(keys)).map_err(said)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
