//! Frames: lemmas with the levels up to which they hold.

use trellis_logic::RelId;
use trellis_solver::Unknown;
use trellis_transys::LocationId;

use crate::cube::{Cube, Lemma};
use crate::query::{Space, Steps};

/// All lemmas; a lemma belongs to every frame up to its level.
#[derive(Default)]
pub struct Frames {
    /// The lemmas, each with the proposition that switches it on.
    pub lemmas: Vec<(Lemma, RelId)>,
}

/// Every solver that must know about lemmas.
pub struct Solvers {
    /// By location: the paths into it; the entry has none.
    pub into: Vec<Steps>,
    /// By location: its paths into errors.
    pub errors: Vec<Steps>,
}

impl Solvers {
    /// All of them.
    pub fn all(&mut self) -> impl Iterator<Item = &mut Steps> {
        self.into.iter_mut().chain(self.errors.iter_mut())
    }
}

impl Frames {
    /// Adds the clause that excludes a cube.
    ///
    /// # Errors
    /// If a solver refuses it.
    pub fn add(
        &mut self,
        space: &mut Space,
        solvers: &mut Solvers,
        at: LocationId,
        cube: Cube,
        level: usize,
    ) -> Result<(), Unknown> {
        let clause = space.clause(&cube);
        if let Some(i) = self.lemmas.iter().position(|(l, _)| l.at == at && l.clause == clause) {
            if self.lemmas[i].0.level < level {
                self.raise(space, solvers, i, level)?;
            }
            return Ok(());
        }
        let switch = space.proposition("lemma");
        for steps in solvers.all() {
            steps.add_lemma(space, at, switch, clause)?;
            steps.raise(space, at, switch, level)?;
        }
        self.lemmas.push((Lemma { at, cube, clause, level }, switch));
        Ok(())
    }

    /// Records that a lemma holds up to a higher level.
    ///
    /// # Errors
    /// If a solver refuses it.
    pub fn raise(
        &mut self,
        space: &mut Space,
        solvers: &mut Solvers,
        lemma: usize,
        level: usize,
    ) -> Result<(), Unknown> {
        let (lemma, switch) = &mut self.lemmas[lemma];
        lemma.level = level;
        for steps in solvers.all() {
            steps.raise(space, lemma.at, *switch, level)?;
        }
        Ok(())
    }
}
