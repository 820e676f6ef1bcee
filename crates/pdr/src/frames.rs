//! Frames: lemmas with the levels up to which they hold.

use trellis_logic::{Arena, EvalError, Plans, RelId};
use trellis_solver::{Limits, Unknown};
use trellis_transys::LocationId;

use crate::cube::{Cube, Lemma};
use crate::model::State;
use crate::query::{Space, Steps};

/// All lemmas; a lemma belongs to every frame up to its level.
#[derive(Default)]
pub struct Frames {
    /// The lemmas, each with the proposition that switches it on.
    pub lemmas: Vec<(Lemma, RelId)>,
    /// Every lemma that was added or raised, in order.
    log: Vec<usize>,
    /// By lemma: why it was not pushed the last time.
    obstacles: Vec<Option<Obstacle>>,
    /// How to evaluate lemmas on states.
    plans: Plans,
}

/// A state of a frame from which a step breaks a lemma.
struct Obstacle {
    state: State,
    /// The level of the frame.
    level: usize,
    /// How much of the log the frame had seen.
    seen: usize,
}

/// Every solver that must know about lemmas.
#[derive(Default)]
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
            steps.raise(space, at, switch, 1..=level)?;
        }
        self.log.push(self.lemmas.len());
        self.lemmas.push((Lemma { at, cube, clause, level }, switch));
        self.obstacles.push(None);
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
        self.log.push(lemma);
        let (lemma, switch) = &mut self.lemmas[lemma];
        let new = lemma.level + 1..=level;
        lemma.level = level;
        for steps in solvers.all() {
            steps.raise(space, lemma.at, *switch, new.clone())?;
        }
        Ok(())
    }

    /// The highest frame from a level on that is known to exclude a state, and with it its cube.
    ///
    /// # Errors
    /// If there is no time to find out.
    pub fn excludes(
        &self,
        arena: &Arena,
        state: &State,
        level: usize,
        limits: &Limits,
    ) -> Result<Option<usize>, Unknown> {
        let stop = || limits.exceeded().is_some();
        let here = self.lemmas.iter().map(|(lemma, _)| lemma).filter(|l| l.at == state.at);
        let mut highest = None;
        for lemma in here.filter(|l| l.level >= level) {
            let above = highest.is_none_or(|h| lemma.level > h);
            if !above {
                continue;
            }
            match state.structure.eval_planned(arena, lemma.clause, &self.plans, &stop) {
                Ok(false) => highest = Some(lemma.level),
                Err(EvalError::Stopped) => return Err(limits.exceeded().unwrap_or(Unknown::Time)),
                _ => {}
            }
        }
        Ok(highest)
    }

    /// Remembers why a lemma cannot be pushed out of a level.
    pub fn hinder(&mut self, lemma: usize, level: usize, state: State) {
        self.obstacles[lemma] = Some(Obstacle { state, level, seen: self.log.len() });
    }

    /// Whether what hindered a lemma at a level is still there.
    /// What there is no time to find out does not hinder it.
    pub fn is_hindered(
        &mut self,
        arena: &Arena,
        lemma: usize,
        level: usize,
        limits: &Limits,
    ) -> bool {
        let stop = || limits.exceeded().is_some();
        let Some(obstacle) = &mut self.obstacles[lemma] else { return false };
        if obstacle.level != level {
            return false;
        }
        let (news, plans) = (&self.log[obstacle.seen..], &self.plans);
        let excludes = |&i: &usize| {
            let other = &self.lemmas[i].0;
            let structure = &obstacle.state.structure;
            other.at == obstacle.state.at
                && other.level >= level
                && structure.eval_planned(arena, other.clause, plans, &stop) != Ok(true)
        };
        if news.iter().any(excludes) {
            return false;
        }
        obstacle.seen = self.log.len();
        true
    }
}
