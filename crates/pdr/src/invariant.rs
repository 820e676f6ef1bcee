//! The invariant of an inductive frame, as small as we can make it.
//!
//! Slicing: start from the lemmas that exclude the bad states, add those that these need to be
//! inductive, and so on; the cores of the solvers say which are needed (notes: 1.3 to 6 times
//! fewer clauses). What is left is inductive by itself.

use trellis_logic::{FormulaId, RelId};
use trellis_solver::{Limits, Unknown};
use trellis_transys::LocationId;

use crate::frames::{Frames, Solvers};
use crate::query::Space;

/// What holds at every cut point.
#[derive(Clone, Debug)]
pub struct Invariant {
    /// By location; the entry has none but the precondition.
    pub clauses: Vec<Vec<FormulaId>>,
}

impl Invariant {
    /// How many clauses there are in all.
    pub fn len(&self) -> usize {
        self.clauses.iter().map(Vec::len).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The lemmas above a level that are needed.
///
/// # Errors
/// If a solver does not know, which it did before.
pub(crate) fn extract(
    space: &mut Space,
    solvers: &mut Solvers,
    frames: &Frames,
    level: usize,
    limits: &Limits,
) -> Result<Invariant, Unknown> {
    let limits = Limits { minimise_core: true, minimise_model: false, ..limits.clone() };
    let candidates: Vec<usize> =
        (0..frames.lemmas.len()).filter(|&i| frames.lemmas[i].0.level > level).collect();
    let switches: Vec<RelId> = candidates.iter().map(|&i| frames.lemmas[i].1).collect();
    let assumptions: Vec<FormulaId> =
        switches.iter().map(|s| space.system.arena.rel(*s, &[])).collect();
    let mut needed = vec![false; candidates.len()];
    let mut todo = Vec::new();
    let mut take = |used: Vec<usize>, todo: &mut Vec<usize>| {
        for i in used {
            if !std::mem::replace(&mut needed[i], true) {
                todo.push(i);
            }
        }
    };
    for location in (1..space.system.locations.len()).map(LocationId) {
        if !solvers.errors[location.0].is_empty() {
            let used = solvers.errors[location.0].needed(space, &assumptions, None, &limits)?;
            take(used, &mut todo);
        }
    }
    while let Some(i) = todo.pop() {
        let lemma = &frames.lemmas[candidates[i]].0;
        let used =
            solvers.into[lemma.at.0].needed(space, &assumptions, Some(&lemma.cube), &limits)?;
        take(used, &mut todo);
    }
    let mut clauses = vec![Vec::new(); space.system.locations.len()];
    for (i, _) in needed.iter().enumerate().filter(|(_, n)| **n) {
        let lemma = &frames.lemmas[candidates[i]].0;
        clauses[lemma.at.0].push(lemma.clause);
    }
    Ok(Invariant { clauses })
}
