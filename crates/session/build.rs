//! The version of what answers, for [`kept`](../src/kept.rs): a digest of the sources of all crates
//! and of the models, so that an answer of another Trellis is never taken for one of this one.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let own = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let root = own.join("../..");
    let mut roots = vec![own.join("src"), root.join("models"), root.join("Cargo.lock")];
    for entry in fs::read_dir(root.join("crates"))? {
        let folder = entry?.path();
        // What only tests use answers nothing.
        if !folder.ends_with("testkit") {
            roots.push(folder.join("src"));
        }
    }
    roots.sort();
    let mut hash = DefaultHasher::new();
    for root in roots.iter().filter(|r| r.exists()) {
        println!("cargo::rerun-if-changed={}", root.display());
        add(root, &mut hash)?;
    }
    println!("cargo::rustc-env=TRELLIS_SOURCES={:016x}", hash.finish());
    Ok(())
}

/// Adds the names and contents of the files below a path.
fn add(path: &Path, hash: &mut DefaultHasher) -> io::Result<()> {
    path.file_name().hash(hash);
    if !path.is_dir() {
        fs::read(path)?.hash(hash);
        return Ok(());
    }
    let entries: io::Result<Vec<PathBuf>> =
        fs::read_dir(path)?.map(|entry| entry.map(|e| e.path())).collect();
    let mut entries = entries?;
    entries.sort();
    entries.iter().try_for_each(|entry| add(entry, hash))
}
