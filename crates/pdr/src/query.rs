//! What the engine asks solvers.
//!
//! One solver a target location knows all paths into it; one solver a location knows its paths into
//! errors. What is asserted stays for the whole run; a query is only assumptions: which frame, and
//! the literals of a cube after the step.
//!
//! * `path_i ==> guard` for every guard of path i, and one of the paths is taken.
//! * An atom of a cube, after path i, is its expansion by the path's update; a proposition stands for
//!   it, defined once (`after`; notes: no new clauses per query).
//! * `lemma_j && from_l ==> clause` for every lemma of location l, and `frame_i ==> lemma_j` for
//!   all frames that it belongs to, so that a frame is one assumption.
//! * Frame 0 is nothing but the entry: `start` forbids all paths from elsewhere.
//!
//! `find` asks; `ends` computes the state that a step leads to; `space` has the symbols.
//!
//! **Invariant.** Constants for elements that a cube does not use are assumed to be null, and so
//! are the witnesses that a path does not use, so that they are no elements of their own.

mod after;
mod ends;
mod find;
mod space;

use rustc_hash::{FxHashMap, FxHashSet};
use trellis_logic::{FormulaId, RelId, Structure};
use trellis_solver::{Context, Solver, Unknown};
use trellis_transys::{LocationId, Path, Target};

use crate::cube::Literal;
use ends::Ends;

pub use space::Space;

/// Makes solvers.
pub type Factory<'a> = dyn Fn() -> Box<dyn Solver> + 'a;

/// A solver that knows some paths.
pub struct Steps {
    solver: Box<dyn Solver>,
    /// The paths it knows, by their indices in the system, with their selectors.
    paths: Vec<(usize, RelId)>,
    /// What literals are after the step.
    posts: FxHashMap<Literal, FormulaId>,
    /// The literals that a claim was made for.
    claimed: FxHashSet<Literal>,
    /// The states that the paths lead to.
    ends: Ends,
    /// How many constants for elements it has seen.
    seen: usize,
    /// Which locations the paths start from, and the proposition that one of these is taken.
    sources: Vec<(LocationId, RelId)>,
}

/// What a query gave.
pub enum Found {
    /// There is a step from a state of the frame.
    Step {
        /// The path taken, by its index in the system.
        path: usize,
        /// The state before it and the witnesses.
        model: Box<Structure>,
    },
    /// There is none, because of these literals of the cube.
    Nothing(Vec<Literal>),
}

impl Steps {
    /// A solver for the paths that `wanted` chooses.
    ///
    /// # Errors
    /// If the solver refuses a formula.
    pub fn new(
        space: &mut Space,
        factory: &Factory<'_>,
        wanted: impl Fn(&Path) -> bool,
    ) -> Result<Steps, Unknown> {
        let chosen: Vec<usize> =
            (0..space.system.paths.len()).filter(|&i| wanted(&space.system.paths[i])).collect();
        let mut steps = Steps {
            solver: factory(),
            paths: Vec::new(),
            posts: FxHashMap::default(),
            claimed: FxHashSet::default(),
            ends: Ends::default(),
            seen: 0,
            sources: Vec::new(),
        };
        for axiom in space.system.axioms.clone() {
            steps.assert(space, axiom)?;
        }
        for i in chosen {
            steps.add_path(space, i)?;
        }
        let selectors: Vec<RelId> = steps.paths.iter().map(|p| p.1).collect();
        let taken: Vec<FormulaId> =
            selectors.iter().map(|s| space.system.arena.rel(*s, &[])).collect();
        let one = space.system.arena.or(taken);
        steps.assert(space, one)?;
        Ok(steps)
    }

    /// A solver for the paths into a location.
    ///
    /// # Errors
    /// If the solver refuses a formula.
    pub fn into_location(
        space: &mut Space,
        factory: &Factory<'_>,
        to: LocationId,
    ) -> Result<Steps, Unknown> {
        Steps::new(space, factory, |p| p.to == Target::Location(to))
    }

    /// A solver for the paths from a location into errors.
    ///
    /// # Errors
    /// If the solver refuses a formula.
    pub fn into_errors(
        space: &mut Space,
        factory: &Factory<'_>,
        from: LocationId,
    ) -> Result<Steps, Unknown> {
        Steps::new(space, factory, |p| p.from == from && p.error().is_some())
    }

    /// Whether there are no paths at all.
    pub fn is_empty(&self) -> bool {
        self.paths.is_empty()
    }

    /// How many checks the solver answered.
    pub fn checks(&self) -> u64 {
        self.solver.statistics().checks
    }

    /// The time spent in the solver.
    pub fn time(&self) -> std::time::Duration {
        self.solver.statistics().time
    }

    fn assert(&mut self, space: &mut Space, formula: FormulaId) -> Result<(), Unknown> {
        let system = &mut space.system;
        let mut context = Context { vocabulary: &system.vocabulary, arena: &mut system.arena };
        self.solver.assert(&mut context, formula).map_err(Unknown::Refused)
    }

    fn source(&mut self, space: &mut Space, from: LocationId) -> Result<RelId, Unknown> {
        if let Some((_, rel)) = self.sources.iter().find(|(l, _)| *l == from) {
            return Ok(*rel);
        }
        let rel = space.proposition("from");
        self.sources.push((from, rel));
        let here = space.system.arena.rel(rel, &[]);
        if from == LocationId::ENTRY {
            for formula in space.system.initial.clone() {
                let guarded = space.system.arena.implies(here, formula);
                self.assert(space, guarded)?;
            }
        } else {
            let start = space.system.arena.rel(space.start, &[]);
            let elsewhere = space.system.arena.not(here);
            let only_entry = space.system.arena.implies(start, elsewhere);
            self.assert(space, only_entry)?;
        }
        Ok(rel)
    }

    fn add_path(&mut self, space: &mut Space, index: usize) -> Result<(), Unknown> {
        let path = space.system.paths[index].clone();
        let selector = space.proposition("path");
        let source = self.source(space, path.from)?;
        let system = &mut space.system;
        let taken = system.arena.rel(selector, &[]);
        let null = system.arena.constant(system.symbols.null);
        let mut facts = vec![system.arena.rel(source, &[])];
        facts.extend(&path.guards);
        for &unused in &system.witnesses.objects[path.used.objects..] {
            let witness = system.arena.constant(unused);
            facts.push(system.arena.eq(witness, null));
        }
        for fact in facts {
            let guarded = space.system.arena.implies(taken, fact);
            self.assert(space, guarded)?;
        }
        self.paths.push((index, selector));
        Ok(())
    }

    /// Makes a lemma known, if paths start where it holds.
    ///
    /// # Errors
    /// If the solver refuses the clause.
    pub fn add_lemma(
        &mut self,
        space: &mut Space,
        at: LocationId,
        lemma: RelId,
        clause: FormulaId,
    ) -> Result<(), Unknown> {
        let Some(&(_, source)) = self.sources.iter().find(|(l, _)| *l == at) else {
            return Ok(());
        };
        let clause = self.claim_parts(space, clause)?;
        let arena = &mut space.system.arena;
        let guard = [arena.rel(lemma, &[]), arena.rel(source, &[])];
        let guard = arena.and(guard);
        let guarded = arena.implies(guard, clause);
        self.assert(space, guarded)
    }

    /// Makes a lemma part of frames.
    ///
    /// # Errors
    /// If the solver refuses it, which it never should.
    pub fn raise(
        &mut self,
        space: &mut Space,
        at: LocationId,
        lemma: RelId,
        levels: std::ops::RangeInclusive<usize>,
    ) -> Result<(), Unknown> {
        if self.sources.iter().all(|(l, _)| *l != at) {
            return Ok(());
        }
        for level in levels {
            let frame = space.frame(level);
            let arena = &mut space.system.arena;
            let (frame, lemma) = (arena.rel(frame, &[]), arena.rel(lemma, &[]));
            let part = arena.implies(frame, lemma);
            self.assert(space, part)?;
        }
        Ok(())
    }
}
