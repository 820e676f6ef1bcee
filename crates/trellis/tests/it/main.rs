//! Tests of the binary, and of the workspace as a whole.

mod annotate;
mod bench;
mod benchmarks;
mod bohne;
mod callers;
mod certify;
mod ci;
mod cli;
mod cluster;
mod determinism;
mod differential;
mod editors;
mod examples;
mod explain;
mod faults;
mod faulty_solvers;
mod forged;
mod formats;
mod java_random;
mod json;
mod kept;
mod large;
mod lsp;
mod manual;
mod mutants;
mod oracle;
mod page;
mod parts;
mod pdr;
mod pdr_random;
mod property;
mod proveit;
mod schema;
mod several;
mod sll;
mod solver_proofs;
mod whole;
mod workspace;

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The root of the workspace.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .expect("the workspace has a root")
}

/// How a run of the binary ended.
struct Ran {
    code: Option<i32>,
    out: String,
    err: String,
}

/// The binary, ready to run at the root of the workspace, without colours.
fn binary() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_trellis"));
    command
        .current_dir(root())
        .env_remove("CC")
        .env_remove("CLICOLOR_FORCE")
        .env("NO_COLOR", "1")
        .env("COLUMNS", "100")
        // Tests say themselves when an answer may be an old one.
        .env("TRELLIS_CACHE", "off")
        .stdin(Stdio::null());
    command
}

/// Runs the binary with these arguments.
fn trellis(args: &[&str]) -> Ran {
    ran(binary().args(args).output().expect("the binary starts"))
}

fn ran(output: Output) -> Ran {
    let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
    let ran =
        Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) };
    assert!(!ran.err.contains("internal error"), "a panic:\n{}", ran.err);
    ran
}

/// The numbers of what is made at random: `TRELLIS_RANDOM=FROM..TO`, or all below a count.
fn seeds(count: usize) -> std::ops::Range<usize> {
    let Ok(text) = std::env::var("TRELLIS_RANDOM") else { return 0..count };
    let (from, to) = text.split_once("..").expect("TRELLIS_RANDOM=FROM..TO");
    let number = |n: &str| n.parse().expect("TRELLIS_RANDOM has two numbers");
    number(from)..number(to)
}

/// Whether the slow tier was asked for (`./test --all`).
fn slow() -> bool {
    std::env::var_os("TRELLIS_SLOW").is_some_and(|v| v == "1")
}
