//! When a formula needs a solver that knows the integers, and where to get one.

use std::path::Path;

use trellis_logic::{Arena, Formula, FormulaId, SortId, Term, Vocabulary};
use trellis_solver::Unknown;
use trellis_solver::record::nodes::{Node, Walk};

use crate::dialect::{Dialect, Settings};

/// What to tell a user who has integers and no solver for them.
pub const INSTALL: &str = "integer arithmetic needs z3 or cvc5: install the Debian package `z3`";

/// Whether a formula speaks about integers.
pub fn needs_arithmetic(vocabulary: &Vocabulary, arena: &Arena, formula: FormulaId) -> bool {
    let mut found = false;
    Walk::new().visit(arena, Node::Formula(formula), |node| {
        found |= match node {
            Node::Term(t) => match arena.term(t) {
                Term::Num(_) | Term::Arith(..) => true,
                Term::Var(v) => arena.var(*v).sort == SortId::INT,
                Term::App(f, _) => vocabulary.fun(*f).result == SortId::INT,
                Term::Ite(..) => false,
            },
            Node::Formula(f) => matches!(arena.formula(f), Formula::Le(..) | Formula::Lt(..)),
        }
    });
    found
}

/// The settings of the first solver for integers that is installed.
///
/// # Errors
/// If there is none; the text says what to install.
pub fn find_solver() -> Result<Settings, Unknown> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    find_solver_in(std::env::split_paths(&path).collect::<Vec<_>>())
}

/// The same, looking only in the given directories.
///
/// # Errors
/// If there is none; the text says what to install.
pub fn find_solver_in(directories: impl AsRef<[std::path::PathBuf]>) -> Result<Settings, Unknown> {
    let has = |directory: &Path, dialect: Dialect| directory.join(dialect.name()).is_file();
    Dialect::ALL
        .into_iter()
        .find_map(|dialect| {
            let directory = directories.as_ref().iter().find(|d| has(d, dialect))?;
            let program = Some(directory.join(dialect.name()));
            Some(Settings { program, ..Settings::new(dialect) })
        })
        .ok_or_else(|| Unknown::BackEnd(INSTALL.into()))
}
