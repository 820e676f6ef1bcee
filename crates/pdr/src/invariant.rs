//! The invariant of an inductive frame, as small as we can make it.
//!
//! Slicing: start from the lemmas that exclude the bad states, add those that these need to be
//! inductive, and so on; the cores of the solvers say which are needed (notes: 1.3 to 6 times
//! fewer clauses). What is left is inductive by itself.

use trellis_logic::{FormulaId, RelId};
use trellis_solver::{Limits, Unknown};

use crate::cube::Cube;
use crate::frames::{Frames, Solvers};
use crate::query::{Found, Space, Steps};

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
    let limits = Limits { minimise_core: false, minimise_model: false, ..limits.clone() };
    let candidates: Vec<usize> =
        (0..frames.lemmas.len()).filter(|&i| frames.lemmas[i].0.level > level).collect();
    let switches: Vec<RelId> = candidates.iter().map(|&i| frames.lemmas[i].1).collect();
    let assumptions: Vec<FormulaId> =
        switches.iter().map(|s| space.system.arena.rel(*s, &[])).collect();
    let mut slice = Slice { space, assumptions, needed: vec![false; candidates.len()], limits };
    let mut todo = Vec::new();
    for location in 1..slice.space.system.locations.len() {
        let errors = &mut solvers.errors[location];
        if !errors.is_empty() {
            slice.justify(errors, None, &mut todo)?;
        }
    }
    while let Some(i) = todo.pop() {
        let lemma = &frames.lemmas[candidates[i]].0;
        slice.justify(&mut solvers.into[lemma.at.0], Some(&lemma.cube), &mut todo)?;
    }
    let Slice { space, needed, .. } = slice;
    let mut clauses = vec![Vec::new(); space.system.locations.len()];
    for (i, _) in needed.iter().enumerate().filter(|(_, n)| **n) {
        let lemma = &frames.lemmas[candidates[i]].0;
        clauses[lemma.at.0].push(lemma.clause);
    }
    Ok(Invariant { clauses })
}

/// A slice in the making.
struct Slice<'a> {
    space: &'a mut Space,
    /// The switches of all lemmas.
    assumptions: Vec<FormulaId>,
    /// Which of them are in the slice.
    needed: Vec<bool>,
    limits: Limits,
}

impl Slice<'_> {
    /// Takes lemmas into the slice until it excludes steps into a cube, or into errors.
    fn justify(
        &mut self,
        steps: &mut Steps,
        cube: Option<&Cube>,
        todo: &mut Vec<usize>,
    ) -> Result<(), Unknown> {
        // What is in the slice already may be enough.
        let chosen: Vec<usize> = (0..self.needed.len()).filter(|&i| self.needed[i]).collect();
        let own: Vec<FormulaId> = chosen.iter().map(|&i| self.assumptions[i]).collect();
        if let Found::Nothing(_) = steps.find_with(self.space, own, cube, &self.limits)? {
            return Ok(());
        }
        for i in steps.needed(self.space, &self.assumptions, cube, &self.limits)? {
            if !std::mem::replace(&mut self.needed[i], true) {
                todo.push(i);
            }
        }
        Ok(())
    }
}
