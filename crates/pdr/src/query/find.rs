//! Looking for steps.
//!
//! A cube over predicates has hundreds of quantified literals, each with witnesses of its own, and
//! few of them matter. So a quantified literal is assumed only once there is a step into a state that
//! violates it; the ground ones are assumed from the beginning.
//!
//! **Invariants.** A step that is found leads into the whole cube. If there is none, that follows from
//! the literals that were assumed. A question that was begun is not cut off by a limit of work, only
//! by one of time or memory: so a search stops between questions, and can go on.

use trellis_logic::budget::Work;
use trellis_logic::{Evaluator, FormulaId, Structure};
use trellis_solver::{Answer, Context, Limits, Unknown};
use trellis_transys::LocationId;

use super::{Found, Space, Steps};
use crate::cube::{Cube, Literal};

/// What a question costs at least, in units of work.
const QUESTION: u64 = 100;
/// So many clauses of the solver cost one unit more.
const CLAUSES: u64 = 20;

impl Steps {
    /// Looks for a step from a frame into a cube (or, without one, into an error).
    ///
    /// # Errors
    /// If the solver does not know.
    pub fn find(
        &mut self,
        space: &mut Space,
        level: usize,
        cube: Option<&Cube>,
        limits: &Limits,
    ) -> Result<Found, Unknown> {
        let frame = space.frame(level);
        let frame = space.system.arena.rel(frame, &[]);
        self.find_with(space, &[frame], cube, limits)
    }

    /// Looks for a step from a frame into a cube at a location, from outside the cube.
    ///
    /// # Errors
    /// If the solver does not know.
    pub fn find_from_outside(
        &mut self,
        space: &mut Space,
        level: usize,
        at: LocationId,
        cube: &Cube,
        limits: &Limits,
    ) -> Result<Found, Unknown> {
        let (frame, outside) = (space.frame(level), space.proposition("outside"));
        let clause = space.clause(cube);
        self.add_lemma(space, at, outside, clause)?;
        let assumed = [frame, outside].map(|rel| space.system.arena.rel(rel, &[]));
        let found = self.find_with(space, &assumed, Some(cube), limits)?;
        let retired = space.system.arena.not(assumed[1]);
        self.assert(space, retired)?;
        Ok(found)
    }

    /// Which of some switches are needed so that no step into a cube (or an error) is left; nothing
    /// if there is such a step.
    ///
    /// # Errors
    /// If the solver does not know.
    pub fn needed(
        &mut self,
        space: &mut Space,
        switches: &[FormulaId],
        cube: Option<&Cube>,
        limits: &Limits,
    ) -> Result<Option<Vec<usize>>, Unknown> {
        Ok(match self.find_with(space, switches, cube, limits)? {
            Found::Nothing(_) => {
                let core = self.solver.core().iter().copied();
                Some(core.filter(|i| *i < switches.len()).collect())
            }
            Found::Step { .. } => None,
        })
    }

    /// Looks for a step from the states that satisfy a formula for a frame.
    fn find_with(
        &mut self,
        space: &mut Space,
        frame: &[FormulaId],
        cube: Option<&Cube>,
        limits: &Limits,
    ) -> Result<Found, Unknown> {
        let unused = self.unused(space, cube.map_or(0, |c| c.elements));
        let (mut assumed, mut open) = (Vec::new(), Vec::new());
        for &literal in cube.iter().flat_map(|c| &c.literals) {
            match space.system.arena.is_quantifier_free(literal.atom) {
                true => assumed.push(literal),
                false => open.push(literal),
            }
        }
        let mut posts = Vec::with_capacity(assumed.len());
        for &literal in &assumed {
            posts.push(self.after(space, literal)?);
        }
        loop {
            let assumptions = [frame, &posts, &unused].concat();
            let system = &mut space.system;
            let mut context = Context { vocabulary: &system.vocabulary, arena: &mut system.arena };
            limits.work.spend(QUESTION + self.solver.statistics().clauses / CLAUSES);
            let limits = &Limits { work: Work::default(), ..limits.clone() };
            match self.solver.check(&mut context, &assumptions, limits) {
                Answer::Unknown(why) => return Err(why),
                Answer::Unsat => {
                    let core = self.solver.core().iter().filter_map(|i| i.checked_sub(frame.len()));
                    let core = core.filter_map(|i| assumed.get(i).copied());
                    return Ok(Found::Nothing(core.collect()));
                }
                Answer::Sat => {}
            }
            let violated = match self.step(space, &open, limits)? {
                Attempt::Into(found) => return Ok(found),
                Attempt::Past(violated) => open.remove(violated),
            };
            assumed.push(violated);
            posts.push(self.after(space, violated)?);
        }
    }

    /// That constants for elements which a cube does not use are null.
    fn unused(&mut self, space: &mut Space, used: usize) -> Vec<FormulaId> {
        self.seen = self.seen.max(used);
        let arena = &mut space.system.arena;
        let null = arena.constant(space.system.symbols.null);
        let unused = space.elements[used..self.seen].iter();
        unused
            .map(|&element| {
                let element = arena.constant(element);
                arena.eq(element, null)
            })
            .collect()
    }

    /// The step of the solver's model, if it satisfies the literals that were not assumed.
    fn step(
        &mut self,
        space: &mut Space,
        open: &[Literal],
        limits: &Limits,
    ) -> Result<Attempt, Unknown> {
        if open.is_empty() {
            let model = self.model(space, limits)?;
            return Ok(Attempt::Into(self.found(model)?));
        }
        let found = self.model(space, &Limits { minimise_model: false, ..limits.clone() })?;
        if let Some(violated) = self.violated(space, &found, open)? {
            return Ok(Attempt::Past(violated));
        }
        if limits.minimise_model {
            let smaller = self.model(space, limits)?;
            if self.violated(space, &smaller, open)?.is_none() {
                return Ok(Attempt::Into(self.found(smaller)?));
            }
        }
        Ok(Attempt::Into(self.found(found)?))
    }

    fn model(&mut self, space: &mut Space, limits: &Limits) -> Result<Structure, Unknown> {
        let limits = &Limits { work: Work::default(), ..limits.clone() };
        let system = &mut space.system;
        let mut context = Context { vocabulary: &system.vocabulary, arena: &mut system.arena };
        self.solver.model(&mut context, limits)
    }

    /// The path that is taken in a model.
    fn taken(&self, model: &Structure) -> Result<usize, Unknown> {
        let taken = self.paths.iter().find(|(_, s)| model.rel(*s, &[]));
        let missing = || Unknown::Incomplete("no path is taken in the model".into());
        taken.map(|(path, _)| *path).ok_or_else(missing)
    }

    fn found(&self, model: Structure) -> Result<Found, Unknown> {
        Ok(Found::Step { path: self.taken(&model)?, model: Box::new(model) })
    }

    /// The first of some literals that does not hold after the step of a model.
    fn violated(
        &mut self,
        space: &mut Space,
        model: &Structure,
        open: &[Literal],
    ) -> Result<Option<usize>, Unknown> {
        let path = self.taken(model)?;
        let after = self.ends.after(space, path, model, open);
        let mut evaluator = Evaluator::new(&after, &space.system.arena);
        Ok(open.iter().position(|l| evaluator.formula(l.atom) != Ok(l.positive)))
    }
}

/// What a model shows.
enum Attempt {
    /// A step into the cube.
    Into(Found),
    /// A step that misses it because of this literal, by its place among the open ones.
    Past(usize),
}
