//! Who is asked: solvers, or provers that know neither models nor cores.

use trellis_solver::Solver;
use trellis_solver::validity::{BySolver, Prover};

/// Makes solvers.
pub type MakeSolver<'a> = dyn Fn() -> Box<dyn Solver> + 'a;

/// Makes provers.
pub type MakeProver<'a> = dyn Fn() -> Box<dyn Prover> + 'a;

/// A solver or a prover that is asked.
#[derive(Clone)]
pub struct BackEnd<'a> {
    /// Its name in reports.
    pub name: String,
    make: Make<'a>,
}

#[derive(Clone, Copy)]
enum Make<'a> {
    Solver(&'a MakeSolver<'a>),
    Prover(&'a MakeProver<'a>),
}

impl<'a> BackEnd<'a> {
    /// Solvers, which are asked about the conditions, and about the heaps that the precondition
    /// allows.
    pub fn solver(name: impl Into<String>, make: &'a MakeSolver<'a>) -> BackEnd<'a> {
        BackEnd { name: name.into(), make: Make::Solver(make) }
    }

    /// Provers, which are asked about the conditions only: to build a system takes a solver.
    pub fn prover(name: impl Into<String>, make: &'a MakeProver<'a>) -> BackEnd<'a> {
        BackEnd { name: name.into(), make: Make::Prover(make) }
    }

    /// What makes solvers, if it is one.
    pub fn make_solver(&self) -> Option<&'a MakeSolver<'a>> {
        match self.make {
            Make::Solver(make) => Some(make),
            Make::Prover(_) => None,
        }
    }

    /// A new prover.
    pub fn make_prover(&self) -> Box<dyn Prover + 'a> {
        match self.make {
            Make::Solver(make) => Box::new(BySolver::new(self.name.clone(), make)),
            Make::Prover(make) => make(),
        }
    }
}
