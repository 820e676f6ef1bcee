//! Refuting clauses with BatSat, writing down what it learns.
//!
//! **Invariant**: each learnt clause follows by unit propagation from the clauses and the learnt
//! clauses before it, as it does for every solver that learns from conflicts; and so does the empty
//! clause in the end. Nobody has to believe this: `elaborate` checks it, and the checker again.

use std::cell::Cell;

use batsat::{Callbacks, ClauseKind, SolverInterface, SolverOpts, lbool};
use trellis_proofcheck::Cnf;
use trellis_solver::{Limits, Unknown};

/// The clauses that are learnt on the way to the refutation.
pub(super) fn learnt_clauses(cnf: &Cnf, limits: &Limits) -> Result<Vec<Vec<i32>>, Unknown> {
    let recorder = Recorder { learnt: Vec::new(), limits: limits.clone(), calls: Cell::new(0) };
    let mut solver = batsat::Solver::new(SolverOpts::default(), recorder);
    let vars: Vec<batsat::Var> = cnf.meanings.iter().map(|_| solver.new_var_default()).collect();
    for clause in &cnf.clauses {
        let lit = |l: &i32| batsat::Lit::new(vars[l.unsigned_abs() as usize - 1], *l > 0);
        let mut clause: Vec<batsat::Lit> = clause.iter().map(lit).collect();
        solver.add_clause_reuse(&mut clause);
    }
    let result = solver.solve_limited(&[]);
    if result == lbool::FALSE {
        return Ok(std::mem::take(&mut solver.cb_mut().learnt));
    }
    Err(match limits.exceeded() {
        Some(why) => why,
        None => super::no_proof("the ground instances have a model"),
    })
}

struct Recorder {
    learnt: Vec<Vec<i32>>,
    limits: Limits,
    calls: Cell<u32>,
}

impl Callbacks for Recorder {
    fn on_new_clause(&mut self, clause: &[batsat::Lit], _: ClauseKind) {
        let number = |l: &batsat::Lit| {
            let var = l.var().idx() as i32 + 1;
            if l.sign() { var } else { -var }
        };
        self.learnt.push(clause.iter().map(number).collect());
    }

    fn stop(&self) -> bool {
        self.calls.set(self.calls.get().wrapping_add(1));
        self.calls.get().is_multiple_of(32) && self.limits.exceeded().is_some()
    }
}
