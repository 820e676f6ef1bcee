//! What the engine asks solvers.
//!
//! One solver a target location knows all paths into it; one solver a location knows its paths into
//! errors. What is asserted stays for the whole run; a query is only assumptions: which frame, and
//! the literals of a cube after the step.
//!
//! * `path_i ==> guard` for every guard of path i, and one of the paths is taken.
//! * An atom of a cube, after path i, is its expansion by the path's update. Where all paths agree
//!   it is assumed directly; otherwise a proposition stands for it, defined once for every path
//!   (notes: no new clauses per query).
//! * `lemma_j && from_l ==> clause` for every lemma of location l, and `frame_i ==> lemma_j` for
//!   all frames that it belongs to, so that a frame is one assumption.
//! * Frame 0 is nothing but the entry: `start` forbids all paths from elsewhere.
//!
//! **Invariant.** Constants for elements that a cube does not use are assumed to be null, and so
//! are the witnesses that a path does not use, so that they are no elements of their own.

use rustc_hash::FxHashMap;
use trellis_logic::{Formula, FormulaId, FunId, RelId, Structure, VarId};
use trellis_solver::{Answer, Context, Limits, Solver, Unknown};
use trellis_transys::{LocationId, Path, Target, TransitionSystem};

use crate::cube::{Cube, Literal};

/// Makes solvers.
pub type Factory<'a> = dyn Fn() -> Box<dyn Solver> + 'a;

/// The transition system, with the symbols that queries add.
pub struct Space {
    /// The system; its vocabulary and arena grow.
    pub system: TransitionSystem,
    /// The constants e₁, e₂, … for elements of cubes.
    pub elements: Vec<FunId>,
    /// The variables that stand for them in lemmas.
    pub vars: Vec<VarId>,
    frames: Vec<RelId>,
    start: RelId,
    /// The propositions for atoms after a step.
    posts: FxHashMap<FormulaId, RelId>,
    /// How many propositions were made, for their names.
    made: usize,
}

impl Space {
    /// A space without elements.
    pub fn new(mut system: TransitionSystem) -> Space {
        let start = system.vocabulary.relation("start", &[]);
        Space {
            system,
            elements: Vec::new(),
            vars: Vec::new(),
            frames: Vec::new(),
            start,
            posts: FxHashMap::default(),
            made: 0,
        }
    }

    /// Makes sure that there are constants for so many elements.
    pub fn reserve(&mut self, count: usize) {
        let obj = self.system.symbols.obj;
        while self.elements.len() < count {
            let i = self.elements.len() + 1;
            self.elements.push(self.system.vocabulary.constant(format!("e{i}"), obj));
            self.vars.push(self.system.arena.variable(format!("v{i}"), obj));
        }
    }

    /// A new proposition.
    pub fn proposition(&mut self, name: &str) -> RelId {
        self.made += 1;
        self.system.vocabulary.relation(format!("{name}{}", self.made), &[])
    }

    /// The proposition of a frame; frame 0 is the entry alone.
    pub fn frame(&mut self, level: usize) -> RelId {
        if level == 0 {
            return self.start;
        }
        while self.frames.len() < level {
            let name = format!("frame{}", self.frames.len() + 1);
            self.frames.push(self.system.vocabulary.relation(name, &[]));
        }
        self.frames[level - 1]
    }

    /// The clause that excludes a cube.
    pub fn clause(&mut self, cube: &Cube) -> FormulaId {
        cube.negation(&mut self.system.arena, &self.elements, &self.vars)
    }
}

/// A solver that knows some paths.
pub struct Steps {
    solver: Box<dyn Solver>,
    /// The paths it knows, by their indices in the system, with their selectors.
    paths: Vec<(usize, RelId)>,
    /// What atoms are after the step.
    posts: FxHashMap<FormulaId, FormulaId>,
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
        self.find_with(space, vec![frame], cube, limits)
    }

    /// The same with other assumptions in place of a frame.
    ///
    /// # Errors
    /// If the solver does not know.
    pub fn find_with(
        &mut self,
        space: &mut Space,
        frame: Vec<FormulaId>,
        cube: Option<&Cube>,
        limits: &Limits,
    ) -> Result<Found, Unknown> {
        let mut assumptions = frame;
        let first = assumptions.len();
        if let Some(cube) = cube {
            for literal in &cube.literals {
                let post = self.after(space, literal.atom)?;
                assumptions.push(if literal.positive {
                    post
                } else {
                    space.system.arena.not(post)
                });
            }
        }
        let used = cube.map_or(0, |c| c.elements);
        self.seen = self.seen.max(used);
        let system = &mut space.system;
        let null = system.arena.constant(system.symbols.null);
        for &unused in &space.elements[used..self.seen] {
            let element = system.arena.constant(unused);
            assumptions.push(system.arena.eq(element, null));
        }
        let mut context = Context { vocabulary: &system.vocabulary, arena: &mut system.arena };
        match self.solver.check(&mut context, &assumptions, limits) {
            Answer::Unknown(why) => Err(why),
            Answer::Unsat => {
                let literals = cube.map_or(&[][..], |c| &c.literals);
                let core = self.solver.core().iter().filter_map(|i| i.checked_sub(first));
                Ok(Found::Nothing(core.filter_map(|i| literals.get(i).copied()).collect()))
            }
            Answer::Sat => {
                let model = self.solver.model(&mut context, limits)?;
                let taken = self.paths.iter().find(|(_, s)| model.rel(*s, &[]));
                let Some(&(path, _)) = taken else {
                    return Err(Unknown::Incomplete("no path is taken in the model".into()));
                };
                Ok(Found::Step { path, model: Box::new(model) })
            }
        }
    }

    /// Which of some switches are needed so that no step into a cube (or an error) is left.
    ///
    /// # Errors
    /// If the solver does not know, or there is such a step.
    pub fn needed(
        &mut self,
        space: &mut Space,
        switches: &[FormulaId],
        cube: Option<&Cube>,
        limits: &Limits,
    ) -> Result<Vec<usize>, Unknown> {
        match self.find_with(space, switches.to_vec(), cube, limits)? {
            Found::Nothing(_) => {
                let core = self.solver.core().iter().copied();
                Ok(core.filter(|i| *i < switches.len()).collect())
            }
            Found::Step { .. } => Err(Unknown::Incomplete("the invariant is not inductive".into())),
        }
    }

    /// An atom after the step, as something to assume.
    fn after(&mut self, space: &mut Space, atom: FormulaId) -> Result<FormulaId, Unknown> {
        if let Some(&known) = self.posts.get(&atom) {
            return Ok(known);
        }
        let mut groups: Vec<(FormulaId, Vec<FormulaId>)> = Vec::new();
        for &(index, selector) in &self.paths {
            let system = &mut space.system;
            let after = system.arena.expand(atom, &system.paths[index].update);
            let taken = system.arena.rel(selector, &[]);
            match groups.iter_mut().find(|(f, _)| *f == after) {
                Some((_, selectors)) => selectors.push(taken),
                None => groups.push((after, vec![taken])),
            }
        }
        let post = match &groups[..] {
            [(after, _)] if is_literal(space, *after) => *after,
            _ => {
                let prop = match space.posts.get(&atom) {
                    Some(&prop) => prop,
                    None => {
                        let prop = space.proposition("after");
                        space.posts.insert(atom, prop);
                        prop
                    }
                };
                let post = space.system.arena.rel(prop, &[]);
                for (after, selectors) in groups {
                    let arena = &mut space.system.arena;
                    let same = arena.iff(post, after);
                    let taken = arena.or(selectors);
                    let definition = arena.implies(taken, same);
                    self.assert(space, definition)?;
                }
                post
            }
        };
        self.posts.insert(atom, post);
        Ok(post)
    }
}

fn is_literal(space: &Space, formula: FormulaId) -> bool {
    match space.system.arena.formula(formula) {
        Formula::True | Formula::False | Formula::Rel(..) => true,
        Formula::Eq(a, b) => {
            let arena = &space.system.arena;
            let plain = |t| matches!(arena.term(t), trellis_logic::Term::App(..));
            plain(*a) && plain(*b)
        }
        Formula::Not(inner) => is_literal(space, *inner),
        _ => false,
    }
}
