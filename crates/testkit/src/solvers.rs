//! Solvers for tests.

use std::path::{Path, PathBuf};
use std::process::Command;

use trellis_epr::EprSolver;
use trellis_smtlib::{Dialect, Settings, SmtSolver};
use trellis_solver::Solver;

/// The embedded solver.
pub fn epr() -> Box<dyn Solver> {
    Box::new(EprSolver::default())
}

/// Z3.
pub fn z3() -> Box<dyn Solver> {
    Box::new(process(Dialect::Z3))
}

/// cvc5.
pub fn cvc5() -> Box<dyn Solver> {
    Box::new(process(Dialect::Cvc5))
}

/// A process that is installed.
///
/// # Panics
/// If it is not: then a test fails instead of passing without having asked anybody.
pub fn process(dialect: Dialect) -> SmtSolver {
    let found = std::env::var_os("PATH").is_some_and(|path| {
        std::env::split_paths(&path).any(|directory| directory.join(dialect.name()).is_file())
    });
    assert!(
        found,
        "this test needs {0}: `./test` installs the Debian packages z3 and cvc5",
        dialect.name()
    );
    SmtSolver::new(Settings::new(dialect))
}

/// An executable shell script in a folder, `fake`, which plays a solver.
///
/// It is written by another process: if this one had it open for writing while another test starts
/// a process, that would inherit the open file, and the script would be "busy".
///
/// # Panics
/// If it cannot be written.
pub fn script(folder: &Path, body: &str) -> PathBuf {
    let path = folder.join("fake");
    let status = Command::new("sh")
        .args([
            "-c",
            "printf '%s' \"$2\" > \"$1.new\" && chmod 755 \"$1.new\" && mv \"$1.new\" \"$1\"",
        ])
        .arg("sh")
        .arg(&path)
        .arg(format!("#!/bin/sh\n{body}\n"))
        .status();
    assert!(status.is_ok_and(|status| status.success()), "the script is written");
    path
}
