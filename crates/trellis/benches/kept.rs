//! What a second `verify` of a thousand procedures costs when nothing has changed, by the number of
//! files that they are in: `cargo bench -p trellis --bench kept`.

use std::fmt::Write;
use std::process::Command;

use tempfile::TempDir;

fn main() {
    divan::main();
}

/// A thousand procedures in so many files, verified once; the folder.
fn folder(files: usize, options: &[&str]) -> TempDir {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let header = "struct node { struct node *next; int data; };\n";
    std::fs::write(folder.path().join("list.h"), header).expect("a file");
    for file in 0..files {
        let mut text = "#include <stdlib.h>\n#include \"list.h\"\n".to_owned();
        for n in (file * 1000 / files)..((file + 1) * 1000 / files) {
            let _ = match n % 2 {
                0 => writeln!(
                    text,
                    "//@ requires reach(next, h, NULL);\nint length_{n}(struct node *h) {{ int k = \
                     0; while (h) {{ k++; h = h->next; }} return k; }}"
                ),
                _ => writeln!(text, "int pick_{n}(struct node *h) {{ return h ? h->data : {n}; }}"),
            };
        }
        std::fs::write(folder.path().join(format!("f{file:03}.c")), text).expect("a file");
    }
    verify(&folder, options);
    folder
}

fn verify(folder: &TempDir, options: &[&str]) {
    let ran = Command::new(env!("CARGO_BIN_EXE_trellis"))
        .args(["verify", ".", "--all-procs"])
        .args(options)
        .current_dir(folder.path())
        .env("TRELLIS_CACHE", folder.path().join("cache"))
        .output()
        .expect("the binary starts");
    let out = String::from_utf8_lossy(&ran.stdout);
    assert!(out.contains("1000 procedures: 1000 verified"), "{out}");
}

#[divan::bench(args = [1, 10, 50, 200], sample_count = 5, sample_size = 1)]
fn linked(bencher: divan::Bencher<'_, '_>, files: usize) {
    let folder = folder(files, &[]);
    bencher.bench_local(|| verify(&folder, &[]));
}

#[divan::bench(args = [50, 1000], sample_count = 3, sample_size = 1)]
fn separately(bencher: divan::Bencher<'_, '_>, files: usize) {
    let folder = folder(files, &["--separately"]);
    bencher.bench_local(|| verify(&folder, &["--separately"]));
}
