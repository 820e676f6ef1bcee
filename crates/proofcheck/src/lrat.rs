//! The propositional part: clauses that follow by unit propagation, down to the empty clause.
//!
//! This is LRAT without the steps that only keep satisfiability (RAT), and without deletions.
//!
//! **Invariant**: every step that was accepted follows from the clauses and the steps before it: if
//! all its literals were false, each hint but the last would force one literal, and the last hint
//! would be false.

use crate::cnf::Cnf;
use crate::proof::Step;
use crate::{Rejection, reject};

/// Checks that the steps derive the empty clause.
pub(crate) fn check(cnf: &Cnf, steps: &[Step]) -> Result<(), Rejection> {
    let mut clauses: Vec<&[i32]> = cnf.clauses.iter().map(Vec::as_slice).collect();
    // By literal: whether it is true.
    let mut truth = Truth { values: vec![false; 2 * cnf.meanings.len() + 2] };
    for (number, step) in steps.iter().enumerate() {
        if let Err(why) = follows(&clauses, step, &mut truth) {
            return reject(format!("step {number} {why}"));
        }
        clauses.push(&step.clause);
    }
    match steps.last() {
        Some(step) if step.clause.is_empty() => Ok(()),
        _ => reject("the last step is not the empty clause"),
    }
}

fn follows(clauses: &[&[i32]], step: &Step, truth: &mut Truth) -> Result<(), &'static str> {
    if step.clause.iter().any(|&l| !truth.knows(l)) {
        return Err("has an unknown variable");
    }
    let mut forced: Vec<i32> = step.clause.iter().map(|l| -l).collect();
    forced.iter().for_each(|&l| truth.set(l, true));
    let outcome = propagate(clauses, &step.hints, truth, &mut forced);
    forced.iter().for_each(|&l| truth.set(l, false));
    outcome
}

fn propagate(
    clauses: &[&[i32]],
    hints: &[usize],
    truth: &mut Truth,
    forced: &mut Vec<i32>,
) -> Result<(), &'static str> {
    for &hint in hints {
        let Some(clause) = hint.checked_sub(1).and_then(|index| clauses.get(index)) else {
            return Err("names a clause that is not there");
        };
        let mut open = clause.iter().filter(|&&l| !truth.is(-l));
        match (open.next(), open.next()) {
            (None, _) => return Ok(()),
            (Some(&literal), None) => {
                truth.set(literal, true);
                forced.push(literal);
            }
            (Some(_), Some(_)) => return Err("has a hint that forces nothing"),
        }
    }
    Err("has hints without a conflict")
}

/// Which literals are true.
struct Truth {
    values: Vec<bool>,
}

impl Truth {
    fn index(literal: i32) -> usize {
        2 * literal.unsigned_abs() as usize + usize::from(literal < 0)
    }

    fn knows(&self, literal: i32) -> bool {
        literal != 0 && Self::index(literal) < self.values.len()
    }

    fn is(&self, literal: i32) -> bool {
        self.values[Self::index(literal)]
    }

    fn set(&mut self, literal: i32, value: bool) {
        let index = Self::index(literal);
        self.values[index] = value;
    }
}
