//! A solver that proves what it says: every unsat answer becomes a directory with a proof, which the
//! independent checker has read back and accepted.
//!
//! **Invariant**: `Unsat` is answered only if the files of the proof were accepted, and if what they
//! prove is about formulas that were asserted or assumed, word for word. Otherwise the answer is
//! unknown and says why.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use trellis_logic::{FormulaId, Structure};
use trellis_proofcheck::{Statement, files};
use trellis_solver::{Answer, Context, Limits, OutsideFragment, Solver, Statistics, Unknown};

use crate::EprSolver;

/// Where solvers leave their proofs: each in a directory of its own, `0001`, `0002`, ….
#[derive(Debug)]
pub struct ProofFolder {
    path: PathBuf,
    begun: AtomicUsize,
    accepted: AtomicUsize,
}

impl ProofFolder {
    /// A folder, which is made when the first proof is.
    pub fn new(path: PathBuf) -> ProofFolder {
        ProofFolder { path, begun: AtomicUsize::new(0), accepted: AtomicUsize::new(0) }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How many proofs were written and accepted.
    pub fn accepted(&self) -> usize {
        self.accepted.load(Ordering::Relaxed)
    }

    fn next(&self) -> PathBuf {
        let number = self.begun.fetch_add(1, Ordering::Relaxed) + 1;
        self.path.join(format!("{number:04}"))
    }
}

/// The embedded solver with a proof for every unsat answer.
pub struct ProvingSolver {
    solver: EprSolver,
    folder: Arc<ProofFolder>,
    /// What was asserted; the solver's own list is not asked.
    asserted: Vec<FormulaId>,
}

impl ProvingSolver {
    /// Lets a solver without assertions prove its answers.
    pub fn new(solver: EprSolver, folder: Arc<ProofFolder>) -> ProvingSolver {
        ProvingSolver { solver, folder, asserted: Vec::new() }
    }

    /// Makes the proof of the last answer, writes it, reads it back and checks it.
    fn prove(
        &self,
        context: &Context<'_>,
        assumptions: &[FormulaId],
        limits: &Limits,
    ) -> Result<(), Unknown> {
        let core: Vec<FormulaId> = self.solver.core().iter().map(|&i| assumptions[i]).collect();
        let proved = self.solver.proof(context, &core, limits)?;
        let known = |f: &FormulaId| self.asserted.contains(f) || assumptions.contains(f);
        if !proved.formulas.iter().all(known) {
            return Err(wrong("it is about other formulas"));
        }
        let directory = self.folder.next();
        files::write_directory(&proved.proof, &directory).map_err(|e| wrong(&e.reason))?;
        let statement = files::check_directory(&directory).map_err(|e| wrong(&e.reason))?;
        let meant = Statement::copy(context.vocabulary, context.arena, &proved.formulas)
            .map_err(|e| wrong(&e.reason))?;
        if statement.text() != meant.text() {
            return Err(wrong("its files speak of other formulas"));
        }
        self.folder.accepted.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
}

fn wrong(why: &str) -> Unknown {
    Unknown::BackEnd(format!("epr has no accepted proof of its answer: {why}"))
}

impl Solver for ProvingSolver {
    fn name(&self) -> &str {
        self.solver.name()
    }

    fn assert(
        &mut self,
        context: &mut Context<'_>,
        formula: FormulaId,
    ) -> Result<(), OutsideFragment> {
        self.solver.assert(context, formula)?;
        self.asserted.push(formula);
        Ok(())
    }

    fn check(
        &mut self,
        context: &mut Context<'_>,
        assumptions: &[FormulaId],
        limits: &Limits,
    ) -> Answer {
        match self.solver.check(context, assumptions, limits) {
            Answer::Unsat => match self.prove(context, assumptions, limits) {
                Ok(()) => Answer::Unsat,
                Err(why) => Answer::Unknown(why),
            },
            other => other,
        }
    }

    fn model(&mut self, context: &mut Context<'_>, limits: &Limits) -> Result<Structure, Unknown> {
        self.solver.model(context, limits)
    }

    fn core(&self) -> &[usize] {
        self.solver.core()
    }

    fn statistics(&self) -> Statistics {
        self.solver.statistics()
    }
}
