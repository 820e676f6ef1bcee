//! The models of the library (`models/`) against the real one, under the sanitizers of the compiler.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Functions whose results come from outside, or that end the program: there is nothing to compare
/// them with.
const OF_INPUT: [&str; 27] = [
    "__errno_location",
    "clearerr",
    "fclose",
    "feof",
    "ferror",
    "fgetc",
    "fgets",
    "fileno",
    "fopen",
    "fread",
    "fseek",
    "ftell",
    "fwrite",
    "getc",
    "getenv",
    "getline",
    "remove",
    "rewind",
    "strerror",
    "system",
    "trellis_call_abort",
    "trellis_call_exit",
    "trellis_call_getchar",
    "trellis_call_putchar",
    "trellis_call_puts",
    "trellis_call_rand",
    "ungetc",
];

/// The names that a model defines for others: at the start of a line, without `static`.
fn offered(text: &str) -> BTreeSet<String> {
    let lines = text.lines().filter(|l| {
        l.starts_with(|c: char| c.is_ascii_alphabetic())
            && !l.starts_with("static ")
            && !l.starts_with("typedef ")
            && !l.ends_with(';')
            && !l.starts_with("struct model_")
    });
    let name = |l: &str| {
        let end = l.find('(').unwrap_or(l.len());
        let start = l[..end].rfind(|c: char| c != '_' && !c.is_ascii_alphanumeric());
        l[start.map_or(0, |at| at + 1)..end].to_owned()
    };
    lines.map(name).filter(|n| !n.is_empty()).collect()
}

#[test]
fn models_do_what_the_library_does() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = root().join("crates/front-c/tests/models");
    let harness = std::fs::read_to_string(here.join("compare.c")).expect("the harness");
    let flags = ["-std=gnu11", "-g", "-fno-builtin", "-fsanitize=address,undefined", "-w"];
    let mut objects = Vec::new();
    for file in [
        "string.c",
        "ctype.c",
        "stdlib.c",
        "stdio.c",
        "format.c",
        "pointed.c",
        "scan.c",
        "varargs.c",
    ] {
        let path = root().join("models").join(file);
        let text = std::fs::read_to_string(&path).expect("a model");
        let object = folder.path().join(file).with_extension("o");
        let mut cc = Command::new("cc");
        cc.args(flags).args(["-fno-sanitize-recover=all", "-c"]).arg(&path).arg("-o").arg(&object);
        cc.arg("-include").arg(here.join("shim.h"));
        cc.args(["stdin", "stdout", "stderr"].map(|name| format!("-D{name}=model_{name}")));
        for name in offered(&text) {
            // What works on a stream that is open for sure is called by what looks at the stream.
            let name = name.strip_prefix("__trellis_").unwrap_or(&name).to_owned();
            let compared = harness.contains(&format!("model_{name}("))
                || harness.contains(&format!("CHARACTER({name})"))
                || harness.contains(&format!("{name}("));
            assert!(
                compared || OF_INPUT.contains(&name.as_str()),
                "`{name}` of {file} is compared with nothing"
            );
            if !name.starts_with("trellis_") {
                cc.arg(format!("-D{name}=model_{name}"));
            }
        }
        let done = cc.output().expect("a C compiler");
        assert!(done.status.success(), "{file}: {}", String::from_utf8_lossy(&done.stderr));
        objects.push(object);
    }
    let program = folder.path().join("compare");
    let mut cc = Command::new("cc");
    cc.args(flags).arg("-fno-sanitize-recover=all").arg(here.join("compare.c")).args(&objects);
    let done = cc.arg("-o").arg(&program).output().expect("a C compiler");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let run = Command::new(&program).output().expect("it runs");
    let said = String::from_utf8_lossy(&run.stdout) + String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{said}");
}
