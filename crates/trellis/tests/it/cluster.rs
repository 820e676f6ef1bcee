//! `trellis-cluster` with real servers: its own tests, in an environment of Python that is made once
//! beside the other files of the build.

use std::path::Path;
use std::process::Command;

use crate::root;

fn run(program: &Path, arguments: &[&str]) {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(root())
        .env("PYTHONPATH", root().join("cluster"))
        .env("TRELLIS_BINARY", env!("CARGO_BIN_EXE_trellis"))
        .output()
        .unwrap_or_else(|e| panic!("{} is needed (./test installs it): {e}", program.display()));
    let text = [&output.stdout[..], &output.stderr[..]].concat();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&text));
}

#[test]
fn a_cluster_gives_the_report_of_one_process() {
    let folder = root().join("target/cluster-venv");
    let (python, ready) = (folder.join("bin/python"), folder.join("ready"));
    if !ready.exists() {
        let path = folder.to_str().expect("a UTF-8 name");
        run(Path::new("python3"), &["-m", "venv", path]);
        run(&python, &["-m", "pip", "install", "-q", "distributed>=2024.1", "pytest>=7"]);
        std::fs::write(&ready, "").expect("the folder is there");
    }
    run(&python, &["-m", "pytest", "-q", "-p", "no:cacheprovider", "cluster/tests"]);
}
