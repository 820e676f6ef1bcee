//! Solvers for tests.

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
