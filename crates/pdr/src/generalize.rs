//! Between the core and the lemma: literals are dropped by relative induction.
//!
//! A core says which literals one step from a frame needs. A lemma about data along a list often
//! holds only if it is assumed of the state before the step; its core has literals in its place that
//! tie it to the lengths of the first few lists, a new lemma for every length. So each literal is
//! tried without, from the last one on, with a step from *outside* the smaller cube.
//!
//! Only where that pays: clauses of one variable are found without it, and in frame 1 there is no
//! state before the step to assume anything of but those at the entry. `docs/src/bench.md` has the
//! figures.
//!
//! **Invariant.** No step leads from the frame below, outside the cube, into it, and the paths from
//! the entry are among the steps. So the negation of the cube is a lemma up to the level.

use trellis_logic::Formula;
use trellis_solver::{Limits, Unknown};
use trellis_transys::LocationId;

use crate::cube::Cube;
use crate::query::Found;
use crate::search::{Generaliser, Search};

/// Clauses of fewer variables keep their core.
const VARIABLES: usize = 2;

impl Search {
    /// Drops literals of a cube that no step from the frame below a level leads into.
    pub(crate) fn drop_literals(
        &mut self,
        at: LocationId,
        mut cube: Cube,
        level: usize,
    ) -> Result<Cube, Unknown> {
        let diagrams = matches!(self.config.generaliser, Generaliser::Diagrams);
        if !diagrams || level <= 1 || self.variables(&cube) < VARIABLES {
            return Ok(cube);
        }
        let limits = Limits { minimise_core: false, minimise_model: false, ..self.limits() };
        for i in (0..cube.literals.len()).rev() {
            let mut smaller = cube.clone();
            smaller.literals.remove(i);
            self.counts.blocking += 1;
            let (space, steps) = (&mut self.space, &mut self.solvers.into[at.0]);
            let found = steps.find_from_outside(space, level - 1, at, &smaller, &limits)?;
            if matches!(found, Found::Nothing(_)) {
                cube = smaller;
            }
        }
        Ok(cube)
    }

    /// How many quantified variables the clause of a cube has.
    fn variables(&mut self, cube: &Cube) -> usize {
        let clause = self.space.clause(cube);
        match self.space.system.arena.formula(clause) {
            Formula::Quant(_, vars, _) => vars.len(),
            _ => 0,
        }
    }
}
