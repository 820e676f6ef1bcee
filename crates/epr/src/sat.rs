//! The SAT solver underneath, as the rest of the crate sees it.
//!
//! Another SAT solver would replace this file and nothing else; literals are rustsat's. BatSat stood
//! here before: on recorded queries it spent most of its time on assumptions and decisions that it
//! had made for the round before (see `cdcl`).
//!
//! **Invariant**: clauses are only added between searches, and an interrupted search leaves the
//! solver usable.

use std::sync::atomic::Ordering;
use std::time::Instant;

use rustsat::types::Lit;
use trellis_solver::{Limits, Unknown};

use crate::cdcl::{self, Cdcl, Outcome};

/// How many decisions and conflicts go by between two looks at the clock; a few microseconds.
const PERIOD: u32 = 32;

/// What a search found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Found {
    Model,
    /// The assumptions that cannot hold together.
    Conflict(Vec<Lit>),
    Stopped(Unknown),
}

pub(crate) struct Sat {
    solver: Cdcl,
    clauses: u64,
    /// Shuffles the order of decisions, unless it is zero.
    random: u64,
    /// Scratch space.
    lits: Vec<cdcl::Lit>,
}

impl Sat {
    /// A solver without clauses. A seed other than zero shuffles the order of decisions.
    pub(crate) fn new(seed: u64) -> Self {
        // Seeds that differ little should not begin alike.
        let random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Sat { solver: Cdcl::default(), clauses: 0, random, lits: Vec::new() }
    }

    /// A new variable that is tried with this value first.
    pub(crate) fn variable(&mut self, phase: bool) -> Lit {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        Lit::positive(self.solver.variable(phase, self.random & 1 == 1))
    }

    pub(crate) fn variables(&self) -> usize {
        self.solver.variables()
    }

    /// How many clauses were ever added.
    pub(crate) fn clauses(&self) -> u64 {
        self.clauses
    }

    pub(crate) fn add(&mut self, clause: &[Lit]) {
        self.clauses += 1;
        self.lits.clear();
        self.lits.extend(clause.iter().map(|&l| code(l)));
        self.solver.add(&self.lits);
    }

    pub(crate) fn solve(&mut self, assumptions: &[Lit], limits: &Limits) -> Found {
        if let Some(why) = limits.exceeded() {
            return Found::Stopped(why);
        }
        self.lits.clear();
        self.lits.extend(assumptions.iter().map(|&l| code(l)));
        let mut calls = 0;
        let stop = || {
            calls += 1;
            if calls % PERIOD != 0 {
                return false;
            }
            let cancelled = limits.cancel.as_ref().is_some_and(|c| c.load(Ordering::Relaxed));
            cancelled || limits.deadline.is_some_and(|d| Instant::now() >= d)
        };
        match self.solver.solve(&self.lits, stop) {
            Outcome::Model => Found::Model,
            Outcome::Conflict(core) => {
                let lit = |l: cdcl::Lit| Lit::new(l / 2, l & 1 == 1);
                Found::Conflict(core.into_iter().map(lit).collect())
            }
            Outcome::Stopped => Found::Stopped(limits.exceeded().unwrap_or(Unknown::Time)),
        }
    }

    /// The value of a literal in the model that was found last; a variable that is younger than the
    /// model is false. The model stays readable while clauses are added.
    pub(crate) fn value(&self, lit: Lit) -> bool {
        self.solver.model(code(lit)).unwrap_or(lit.is_neg())
    }

    /// The value that a literal has in all models from now on, if it was found out already.
    pub(crate) fn fixed(&self, lit: Lit) -> Option<bool> {
        self.solver.fixed(code(lit))
    }
}

fn code(lit: Lit) -> cdcl::Lit {
    2 * lit.vidx32() + u32::from(lit.is_neg())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;
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
