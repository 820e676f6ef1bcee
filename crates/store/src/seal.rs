//! What makes an entry self-describing: a header with its kind, its version and a checksum over
//! these, its key and its content.
//!
//! The checksum is no signature. It tells entries that were cut, mixed up or written by others; who
//! can write to a store can also seal, so a proof from a store has its evidence with it.

use sha2::{Digest, Sha256};

/// The first word of every entry.
const FORMAT: &str = "trellis-entry-1";

/// The SHA-256 of a text, in hexadecimal digits.
pub fn digest(text: &str) -> String {
    digest_of([text])
}

/// The SHA-256 of several texts; where one ends and the next begins counts.
pub fn digest_of<'t>(texts: impl IntoIterator<Item = &'t str>) -> String {
    let mut hash = Sha256::new();
    for text in texts {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text.as_bytes());
    }
    hash.finalize().iter().map(|b| format!("{b:02x}")).collect()
}

/// An entry.
pub fn seal(kind: &str, version: &str, key: &str, content: &str) -> Vec<u8> {
    let sum = digest_of([kind, version, key, content]);
    format!("{FORMAT} {kind} {version} {sum}\n{content}").into_bytes()
}

/// The content of an entry, if its seal is the right one.
pub fn open(kind: &str, version: &str, key: &str, bytes: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(bytes).ok()?;
    let (header, content) = text.split_once('\n')?;
    let sum = digest_of([kind, version, key, content]);
    (header == format!("{FORMAT} {kind} {version} {sum}")).then(|| content.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_right_seal_opens() {
        let sealed = seal("answer", "1", "k", "text\nand more");
        assert_eq!(open("answer", "1", "k", &sealed).as_deref(), Some("text\nand more"));
        assert_eq!(open("answer", "2", "k", &sealed), None, "another version");
        assert_eq!(open("proof", "1", "k", &sealed), None, "another kind");
        assert_eq!(open("answer", "1", "l", &sealed), None, "another key");
        for end in 0..sealed.len() {
            assert_eq!(open("answer", "1", "k", &sealed[..end]), None, "cut at {end}");
            let mut changed = sealed.clone();
            changed[end] ^= 1;
            assert_eq!(open("answer", "1", "k", &changed), None, "changed at {end}");
        }
    }

    #[test]
    fn the_bounds_of_texts_count() {
        assert_ne!(digest_of(["ab", "c"]), digest_of(["a", "bc"]));
    }
}
