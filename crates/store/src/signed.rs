//! A store whose entries only those can write who know a secret.
//!
//! A seal ([`crate::seal`]) is a checksum: whoever can write to a store can seal. Where others can, for
//! example on a server that many share, a secret says whose entries are believed: each has an HMAC
//! (RFC 2104, SHA-256) over its kind, its key and its bytes. What was written without the secret, under
//! another key, or cut, does not exist.

use std::io;
use std::sync::Arc;

use sha2::{Digest, Sha256};

use crate::Store;

/// The variable with the secret; process lists do not show it.
pub(crate) const VARIABLE: &str = "TRELLIS_CACHE_KEY";
/// Shorter ones could be guessed.
const FEWEST_BYTES: usize = 16;
/// The bytes that SHA-256 works on at once.
const BLOCK: usize = 64;
/// The first word of every entry.
const FORMAT: &[u8] = b"trellis-signed-1 ";

/// What makes entries ours.
pub(crate) struct Secret([u8; BLOCK]);

impl Secret {
    /// That of a text.
    ///
    /// # Errors
    /// If it could be guessed.
    pub(crate) fn new(text: &str) -> io::Result<Secret> {
        if text.len() < FEWEST_BYTES {
            let why = format!("{VARIABLE} has fewer than {FEWEST_BYTES} characters");
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, why));
        }
        Ok(Secret::of(text.as_bytes()))
    }

    fn of(bytes: &[u8]) -> Secret {
        let mut block = [0; BLOCK];
        match bytes.len() > BLOCK {
            true => block[..32].copy_from_slice(&Sha256::digest(bytes)),
            false => block[..bytes.len()].copy_from_slice(bytes),
        }
        Secret(block)
    }

    /// The signature of several texts; where one ends and the next begins counts.
    fn sign(&self, texts: &[&[u8]]) -> [u8; 32] {
        let padded = |by: u8| Sha256::new_with_prefix(self.0.map(|b| b ^ by));
        let mut inner = padded(0x36);
        for text in texts {
            inner.update((text.len() as u64).to_le_bytes());
            inner.update(text);
        }
        padded(0x5c).chain_update(inner.finalize()).finalize().into()
    }

    /// An entry.
    fn write(&self, kind: &str, key: &str, bytes: &[u8]) -> Vec<u8> {
        let signature = self.sign(&[kind.as_bytes(), key.as_bytes(), bytes]);
        [FORMAT, &signature, bytes].concat()
    }

    /// What an entry holds, if it is ours.
    fn read(&self, kind: &str, key: &str, entry: &[u8]) -> Option<Vec<u8>> {
        let (signature, bytes) = entry.strip_prefix(FORMAT)?.split_at_checked(32)?;
        let expected = self.sign(&[kind.as_bytes(), key.as_bytes(), bytes]);
        // However much of it is right, it takes the same time.
        let wrong = signature.iter().zip(expected).fold(0, |wrong, (a, b)| wrong | (a ^ b));
        (wrong == 0).then(|| bytes.to_vec())
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret")
    }
}

/// A store with a secret.
#[derive(Debug)]
pub(crate) struct Signed {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) secret: Secret,
}

impl Store for Signed {
    fn get(&self, kind: &str, key: &str) -> io::Result<Option<Vec<u8>>> {
        let found = self.store.get(kind, key)?;
        Ok(found.and_then(|entry| self.secret.read(kind, key, &entry)))
    }

    fn put(&self, kind: &str, key: &str, bytes: &[u8]) -> io::Result<()> {
        self.store.put(kind, key, &self.secret.write(kind, key, bytes))
    }

    fn all(&self, kind: &str) -> io::Result<Vec<(String, Vec<u8>)>> {
        let all = self.store.all(kind)?.into_iter();
        Ok(all
            .map(|(key, entry)| {
                // One of somebody else is counted, and has nothing in it.
                let bytes = self.secret.read(kind, &key, &entry).unwrap_or_default();
                (key, bytes)
            })
            .collect())
    }

    fn clear(&self, kind: &str) -> io::Result<()> {
        self.store.clear(kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::Sqlite;

    #[test]
    fn signatures_are_those_of_the_standard() {
        // RFC 4231, the second and the sixth case; `sign` puts lengths before texts, so the parts of
        // the standard are computed here.
        let plain = |secret: &Secret, text: &[u8]| {
            let padded = |by: u8| Sha256::new_with_prefix(secret.0.map(|b| b ^ by));
            let inner = padded(0x36).chain_update(text).finalize();
            let sum = padded(0x5c).chain_update(inner).finalize();
            sum.iter().map(|b| format!("{b:02x}")).collect::<String>()
        };
        let expected = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
        assert_eq!(plain(&Secret::of(b"Jefe"), b"what do ya want for nothing?"), expected);
        let expected = "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54";
        let text = b"Test Using Larger Than Block-Size Key - Hash Key First";
        assert_eq!(plain(&Secret::of(&[0xaa; 131]), text), expected);
        let secret = Secret::of(b"Jefe");
        let framed = [&2_u64.to_le_bytes()[..], b"ab"].concat();
        let sum: String = secret.sign(&[b"ab"]).iter().map(|b| format!("{b:02x}")).collect();
        assert_eq!(sum, plain(&secret, &framed));
    }

    #[test]
    fn only_what_was_written_with_the_secret_is_there() {
        let folder = tempfile::tempdir().expect("a folder");
        let plain: Arc<dyn Store> = Arc::new(Sqlite::open(folder.path()).expect("a store"));
        let with = |text: &str| Signed {
            store: Arc::clone(&plain),
            secret: Secret::new(text).expect("long enough"),
        };
        let (ours, others) = (with("correct horse battery"), with("another one, as long"));
        ours.put("a", "k", b"ours").expect("kept");
        others.put("a", "theirs", b"theirs").expect("kept");
        plain.put("a", "plain", b"of nobody").expect("kept");
        assert_eq!(ours.get("a", "k").expect("asked"), Some(b"ours".to_vec()));
        for key in ["theirs", "plain", "none"] {
            assert_eq!(ours.get("a", key).expect("asked"), None, "{key}");
        }
        let entry = plain.get("a", "k").expect("asked").expect("it is there");
        for at in 0..entry.len() {
            let mut changed = entry.clone();
            changed[at] ^= 1;
            plain.put("a", "k", &changed).expect("kept");
            assert_eq!(ours.get("a", "k").expect("asked"), None, "changed at {at}");
            plain.put("a", "k", &entry[..at]).expect("kept");
            assert_eq!(ours.get("a", "k").expect("asked"), None, "cut at {at}");
        }
        plain.put("a", "l", &entry).expect("kept");
        plain.put("b", "k", &entry).expect("kept");
        assert_eq!(ours.get("a", "l").expect("asked"), None, "under another key");
        assert_eq!(ours.get("b", "k").expect("asked"), None, "of another kind");
        let all = ours.all("a").expect("asked");
        assert!(all.iter().all(|(_, bytes)| bytes.is_empty()), "{all:?}");
        let short = Secret::new("guess me").expect_err("it is too short");
        assert_eq!(short.kind(), io::ErrorKind::PermissionDenied);
        assert_eq!(format!("{ours:?}").matches("correct").count(), 0);
    }
}
