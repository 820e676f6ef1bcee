//! The SAT solver underneath: BatSat behind rustsat's traits.
//!
//! What rustsat has no trait for with BatSat is set when a variable is made (its phase) or when a
//! search starts (deadline and cancellation, polled inside the search). Another SAT solver would
//! replace this file and nothing else.
//!
//! **Invariant**: clauses are only added between searches, and an interrupted search leaves the
//! solver usable.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use batsat::{Callbacks, SolverInterface, SolverOpts, lbool};
use rustsat::solvers::{Solve, SolveIncremental, SolverResult};
use rustsat::types::{Cl, Lit};
use trellis_solver::{Limits, Unknown};

/// What a search found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Found {
    Model,
    /// The assumptions that cannot hold together.
    Conflict(Vec<Lit>),
    Stopped(Unknown),
}

pub(crate) struct Sat {
    solver: rustsat_batsat::Solver<Poll>,
    clauses: u64,
}

impl Sat {
    /// A solver without clauses. A seed other than zero shuffles the order of decisions.
    pub(crate) fn new(seed: u64) -> Self {
        let mut options = SolverOpts::default();
        if seed != 0 {
            options.rnd_init_act = true;
            options.random_seed = 1.0 + (seed % 1_000_000_007) as f64;
        }
        let mut solver = rustsat_batsat::Solver::<Poll>::default();
        *solver.batsat_mut() = batsat::Solver::new(options, Poll::default());
        Sat { solver, clauses: 0 }
    }

    /// A new variable that is tried with this value first.
    pub(crate) fn variable(&mut self, phase: bool) -> Lit {
        let var = self.solver.batsat_mut().new_var(lbool::new(phase), true);
        Lit::positive(var.idx())
    }

    pub(crate) fn variables(&self) -> usize {
        self.solver.batsat_ref().num_vars() as usize
    }

    /// How many clauses were ever added.
    pub(crate) fn clauses(&self) -> u64 {
        self.clauses
    }

    pub(crate) fn add(&mut self, clause: &[Lit]) {
        self.clauses += 1;
        // BatSat never refuses a clause; the trait allows other solvers to.
        self.solver.add_clause_ref(Cl::new(clause)).expect("BatSat takes any clause");
    }

    pub(crate) fn solve(&mut self, assumptions: &[Lit], limits: &Limits) -> Found {
        if let Some(why) = limits.exceeded() {
            return Found::Stopped(why);
        }
        self.solver.batsat_mut().cb_mut().watch(limits);
        match self.solver.solve_assumps(assumptions) {
            Ok(SolverResult::Sat) => Found::Model,
            Ok(SolverResult::Unsat) => match self.solver.core() {
                // rustsat's cores are clauses: the negated assumptions.
                Ok(core) => Found::Conflict(core.into_iter().map(|l| !l).collect()),
                Err(error) => Found::Stopped(Unknown::BackEnd(error.to_string())),
            },
            Ok(SolverResult::Interrupted) => {
                Found::Stopped(limits.exceeded().unwrap_or(Unknown::Time))
            }
            Err(error) => Found::Stopped(Unknown::BackEnd(error.to_string())),
        }
    }

    /// The value of a literal in the model that was found last; a variable that is younger than the
    /// model is false. The model stays readable while clauses are added.
    pub(crate) fn value(&self, lit: Lit) -> bool {
        match self.solver.batsat_ref().value_lit(batsat_lit(lit)) {
            value if value == lbool::TRUE => true,
            value if value == lbool::FALSE => false,
            _ => lit.is_neg(),
        }
    }

    /// The value that a literal has in all models from now on, if it was found out already.
    pub(crate) fn fixed(&self, lit: Lit) -> Option<bool> {
        match self.solver.batsat_ref().value_lvl_0(batsat_lit(lit)) {
            value if value == lbool::TRUE => Some(true),
            value if value == lbool::FALSE => Some(false),
            _ => None,
        }
    }
}

/// Polled by the search after every propagation; looks at the clock now and then.
#[derive(Default)]
struct Poll {
    deadline: Option<Instant>,
    cancel: Option<Arc<AtomicBool>>,
    calls: Cell<u32>,
    stopped: Cell<bool>,
}

impl Poll {
    /// How many polls go by between two looks at the clock; a few microseconds.
    const PERIOD: u32 = 32;

    fn watch(&mut self, limits: &Limits) {
        self.deadline = limits.deadline;
        self.cancel.clone_from(&limits.cancel);
        self.calls.set(0);
        self.stopped.set(false);
    }
}

impl Callbacks for Poll {
    fn stop(&self) -> bool {
        if self.stopped.get() {
            return true;
        }
        self.calls.set(self.calls.get() + 1);
        if self.calls.get() < Self::PERIOD {
            return false;
        }
        self.calls.set(0);
        let cancelled = self.cancel.as_ref().is_some_and(|c| c.load(Ordering::Relaxed));
        let late = self.deadline.is_some_and(|d| Instant::now() >= d);
        self.stopped.set(cancelled || late);
        self.stopped.get()
    }
}

fn batsat_lit(lit: Lit) -> batsat::Lit {
    batsat::Lit::new(batsat::Var::unsafe_from_idx(lit.vidx32()), lit.is_pos())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn cores_are_assumptions() {
        let mut sat = Sat::new(0);
        let [a, b, c] = [(); 3].map(|()| sat.variable(false));
        sat.add(&[!a, !b]);
        assert_eq!(sat.solve(&[c], &Limits::default()), Found::Model);
        assert!(!sat.value(a) && sat.value(c));
        let Found::Conflict(mut core) = sat.solve(&[c, a, b], &Limits::default()) else {
            panic!("a and b exclude each other");
        };
        core.sort_unstable();
        assert_eq!(core, [a, b]);
        sat.add(&[!a]);
        assert_eq!(sat.solve(&[a, c], &Limits::default()), Found::Conflict(vec![a]));
        assert_eq!(sat.fixed(a), Some(false));
        assert_eq!(sat.fixed(c), None);
        sat.add(&[a]);
        assert_eq!(sat.solve(&[c], &Limits::default()), Found::Conflict(Vec::new()));
    }

    #[test]
    fn phases_decide_what_is_open() {
        let mut sat = Sat::new(0);
        let (yes, no) = (sat.variable(true), sat.variable(false));
        sat.add(&[yes, no]);
        sat.add(&[!yes, !no, yes]);
        assert_eq!(sat.solve(&[], &Limits::default()), Found::Model);
        assert!(sat.value(yes) && !sat.value(no));
    }

    /// So many pigeons in one hole less.
    fn pigeons(sat: &mut Sat, pigeons: usize) {
        let sits: Vec<Vec<Lit>> =
            (0..pigeons).map(|_| (1..pigeons).map(|_| sat.variable(false)).collect()).collect();
        for (i, pigeon) in sits.iter().enumerate() {
            sat.add(pigeon);
            for other in &sits[..i] {
                for (&a, &b) in pigeon.iter().zip(other) {
                    sat.add(&[!a, !b]);
                }
            }
        }
    }

    #[test]
    fn a_hard_search_stops_at_its_deadline_and_can_go_on() {
        let mut sat = Sat::new(0);
        pigeons(&mut sat, 12);
        let start = Instant::now();
        let limits = Limits::within(Duration::from_millis(50));
        assert_eq!(sat.solve(&[], &limits), Found::Stopped(Unknown::Time));
        assert!(start.elapsed() >= Duration::from_millis(50));
        assert!(start.elapsed() < Duration::from_millis(1000), "{:?}", start.elapsed());

        let cancel = Arc::new(AtomicBool::new(false));
        let limits = Limits { cancel: Some(cancel.clone()), ..Limits::default() };
        let canceller = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(20));
            cancel.store(true, Ordering::Relaxed);
        });
        assert_eq!(sat.solve(&[], &limits), Found::Stopped(Unknown::Cancelled));
        canceller.join().unwrap();

        let easy = sat.variable(false);
        sat.add(&[easy]);
        sat.add(&[!easy]);
        assert_eq!(sat.solve(&[], &Limits::default()), Found::Conflict(Vec::new()));
    }
}
