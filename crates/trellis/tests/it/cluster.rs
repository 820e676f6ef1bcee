//! `trellis-cluster` with real servers: its own tests, in an environment of Python that is made once
//! beside the other files of the build, and again if it does not work any more.

use std::path::Path;
use std::process::{Command, Output};

use crate::root;

/// What the tests import; `psutil` comes with `distributed`.
const NEEDED: [&str; 2] = ["distributed>=2024.1", "pytest>=7"];
/// How often packages are asked for: a registry may be busy.
const TRIES: usize = 3;

fn run(program: &Path, arguments: &[&str]) -> Output {
    Command::new(program)
        .args(arguments)
        .current_dir(root())
        .env("PYTHONPATH", root().join("cluster"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("TRELLIS_BINARY", env!("CARGO_BIN_EXE_trellis"))
        .output()
        .unwrap_or_else(|e| panic!("{} is needed (./test installs it): {e}", program.display()))
}

fn demand(output: &Output) {
    let text = [&output.stdout[..], &output.stderr[..]].concat();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&text));
}

/// Makes the environment if need be, in a folder.
fn environment(folder: &Path) {
    let python = folder.join("bin/python");
    let imports = ["-c", "import distributed, psutil, pytest"];
    if python.exists() && run(&python, &imports).status.success() {
        return;
    }
    let path = folder.to_str().expect("a UTF-8 name");
    demand(&run(Path::new("python3"), &["-m", "venv", "--clear", path]));
    let install = [&["-m", "pip", "install", "-q"][..], &NEEDED].concat();
    let failed = (1..TRIES).all(|_| !run(&python, &install).status.success());
    if failed {
        demand(&run(&python, &install));
    }
    demand(&run(&python, &imports));
}

#[test]
fn a_cluster_gives_the_report_of_one_process() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cluster-venv");
    environment(&folder);
    let tests = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "cluster/tests"];
    demand(&run(&folder.join("bin/python"), &tests));
}
