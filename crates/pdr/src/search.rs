//! The search: block bad states, extend the frames, propagate lemmas (*Universal Invariants or
//! Their Absence*, Algorithms 1–3).

use std::time::Instant;

use trellis_logic::FormulaId;
use trellis_logic::budget::Work;
use trellis_solver::{Limits, Unknown};
use trellis_transys::{BadState, LocationId, TransitionSystem};

use crate::bounded::{self, ConcreteTrace};
use crate::cube::Cube;
use crate::diagram::diagram;
use crate::frames::{Frames, Solvers};
use crate::invariant::{self, Invariant};
use crate::model::State;
use crate::obligation::{Obligation, Queue};
use crate::query::{Factory, Found, Space, Steps};
use crate::strategy::Strategy;

/// How to search.
#[derive(Clone, Debug)]
pub struct Config {
    /// What the cube of a state is.
    pub generaliser: Generaliser,
    /// What changes the cost.
    pub strategy: Strategy,
    /// Give up beyond so many frames.
    pub max_frames: usize,
    /// When to stop.
    pub limits: Limits,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            generaliser: Generaliser::Diagrams,
            strategy: Strategy::default(),
            max_frames: 100,
            limits: Limits::default(),
        }
    }
}

/// What the cube of a state is.
#[derive(Clone, Debug)]
pub enum Generaliser {
    /// Its diagram (*Universal Invariants or Their Absence*).
    Diagrams,
    /// The truth values of predicates, one list a location (*Property-Directed Shape Analysis*).
    Predicates(Vec<Vec<FormulaId>>),
}

/// How a search ends.
#[derive(Debug)]
pub enum Outcome {
    /// No bad state is reached: an inductive invariant.
    Verified(Invariant),
    /// A bad state is reached.
    Violated(Box<ConcreteTrace>),
    /// No invariant of the language exists.
    NoInvariant(Vec<AbstractState>),
    /// Neither was found.
    Unknown(Unknown),
}

/// A state of an abstract trace.
#[derive(Clone, Debug)]
pub struct AbstractState {
    /// The state.
    pub state: State,
    /// The path that leaves it, by its index in the system.
    pub path: usize,
}

/// What a search did.
#[derive(Clone, Copy, Debug, Default)]
pub struct Statistics {
    /// The last frame.
    pub frames: usize,
    /// Questions to solvers.
    pub queries: u64,
    /// Of these, for steps into the cubes of states that lead to an error.
    pub blocking: u64,
    /// Of these, for lemmas that may hold in later frames.
    pub pushing: u64,
    /// Lemmas found.
    pub lemmas: usize,
    /// Seconds in all.
    pub seconds: f64,
    /// Seconds in the solvers.
    pub solver_seconds: f64,
}

/// Searches for an invariant or a bad state.
pub fn run(
    system: TransitionSystem,
    factory: &Factory<'_>,
    config: &Config,
) -> (Outcome, Statistics, TransitionSystem) {
    let mut search = Search::new(system, config.clone());
    let outcome = search.run(factory, &config.limits);
    (outcome, search.statistics(), search.space.system)
}

/// A search that can be continued where its limits have stopped it.
///
/// **Invariant.** A limit of work stops it only where the queue has every state that is still to be
/// blocked, so that it goes on as if it had not been stopped.
pub struct Search {
    pub(crate) space: Space,
    pub(crate) config: Config,
    pub(crate) solvers: Solvers,
    pub(crate) frames: Frames,
    /// Whether the solvers know the system, and nothing is wrong at the entry.
    begun: bool,
    /// The last frame.
    last: usize,
    /// The location whose bad states are looked for.
    location: usize,
    obligations: Vec<Obligation>,
    /// Those that are open.
    queue: Queue,
    pub(crate) counts: Statistics,
}

/// What blocking came to.
enum Blocked {
    Yes,
    /// The entry is reached: the obligation that starts there.
    No(usize),
}

impl Search {
    /// A search that has not begun.
    pub fn new(system: TransitionSystem, config: Config) -> Search {
        Search {
            space: Space::new(system),
            queue: Queue::new(config.strategy.order),
            config,
            solvers: Solvers::default(),
            frames: Frames::default(),
            begun: false,
            last: 1,
            location: 1,
            obligations: Vec::new(),
            counts: Statistics::default(),
        }
    }

    /// Begins, or goes on, until there is an answer or a limit is reached.
    pub fn run(&mut self, factory: &Factory<'_>, limits: &Limits) -> Outcome {
        let started = Instant::now();
        self.config.limits = limits.clone();
        let outcome = self.search(factory).unwrap_or_else(Outcome::Unknown);
        self.counts.seconds += started.elapsed().as_secs_f64();
        outcome
    }

    /// The system, with what the search has added to it.
    pub fn system(&mut self) -> &mut TransitionSystem {
        &mut self.space.system
    }

    /// Algorithm 1: the frames grow until one is inductive or a bad state is reached.
    fn search(&mut self, factory: &Factory<'_>) -> Result<Outcome, Unknown> {
        if !self.begun {
            self.begin(factory)?;
            if let Some(bad) = self.find_bad(LocationId::ENTRY)? {
                return self.conclude(factory, bad);
            }
            self.begun = true;
        }
        loop {
            while self.location < self.space.system.locations.len() {
                if let Blocked::No(start) = self.block()? {
                    return self.conclude(factory, start);
                }
                match self.find_bad(LocationId(self.location))? {
                    Some(bad) => self.queue.push(self.last, bad),
                    None => self.location += 1,
                }
            }
            if let Some(level) = self.propagate()? {
                return self.invariant(level).map(Outcome::Verified);
            }
            if self.last >= self.config.max_frames {
                return Err(Unknown::Incomplete(format!("no invariant in {} frames", self.last)));
            }
            self.last += 1;
            self.location = 1;
        }
    }

    /// Makes the solvers.
    fn begin(&mut self, factory: &Factory<'_>) -> Result<(), Unknown> {
        self.solvers = Solvers::default();
        for l in (0..self.space.system.locations.len()).map(LocationId) {
            self.solvers.into.push(Steps::into_location(&mut self.space, factory, l)?);
            self.solvers.errors.push(Steps::into_errors(&mut self.space, factory, l)?);
        }
        Ok(())
    }

    /// A state of the last frame from which a path into an error is open.
    fn find_bad(&mut self, at: LocationId) -> Result<Option<usize>, Unknown> {
        if self.solvers.errors[at.0].is_empty() {
            return Ok(None);
        }
        let limits = self.limits();
        let found = self.solvers.errors[at.0].find(&mut self.space, self.last, None, &limits)?;
        Ok(match found {
            Found::Nothing(_) => None,
            Found::Step { path, model } => Some(self.oblige(path, *model, None)),
        })
    }

    /// Algorithm 2: blocks the states of the queue, each after all that lead to it.
    fn block(&mut self) -> Result<Blocked, Unknown> {
        self.check_limits()?;
        while let Some((level, number)) = self.queue.pop() {
            let at = self.obligations[number].at;
            if at == LocationId::ENTRY {
                return Ok(Blocked::No(number));
            }
            let state = &self.obligations[number].state;
            let (arena, limits) = (&self.space.system.arena, &self.config.limits);
            if let Some(known) = self.frames.excludes(arena, state, level, limits)? {
                if known < self.last {
                    self.queue.push(known + 1, number);
                }
                continue;
            }
            let cube = self.obligations[number].cube.clone();
            match self.find_predecessor(at, &cube, level - 1)? {
                Found::Step { path, model } => {
                    let before = self.oblige(path, *model, Some(number));
                    self.queue.push(level, number);
                    self.queue.push(level - 1, before);
                }
                Found::Nothing(core) => {
                    let core = self.drop_literals(at, Cube { literals: core, ..cube }, level)?;
                    let level = self.learn(at, core, level)?;
                    if level < self.last {
                        self.queue.push(level + 1, number);
                    }
                }
            }
            self.check_limits()?;
        }
        Ok(Blocked::Yes)
    }

    /// A step from a frame into a cube.
    fn find_predecessor(
        &mut self,
        at: LocationId,
        cube: &Cube,
        level: usize,
    ) -> Result<Found, Unknown> {
        self.counts.blocking += 1;
        let limits = self.limits();
        let steps = &mut self.solvers.into[at.0];
        // Frame 0 is the entry alone, which is outside.
        match level > 0 && self.config.strategy.from_outside {
            true => steps.find_from_outside(&mut self.space, level, at, cube, &limits),
            false => steps.find(&mut self.space, level, Some(cube), &limits),
        }
    }

    /// Adds the negation of a cube that was blocked, as high as it holds.
    fn learn(&mut self, at: LocationId, cube: Cube, level: usize) -> Result<usize, Unknown> {
        let mut level = level;
        // A later frame is weaker, so the literals that were needed are needed there as well.
        let limits = Limits { minimise_core: false, minimise_model: false, ..self.limits() };
        while level < self.last {
            self.counts.pushing += 1;
            match self.solvers.into[at.0].find(&mut self.space, level, Some(&cube), &limits)? {
                Found::Nothing(_) => level += 1,
                Found::Step { .. } => break,
            }
        }
        self.counts.lemmas += 1;
        self.frames.add(&mut self.space, &mut self.solvers, at, cube, level)?;
        Ok(level)
    }

    /// Algorithm 3: pushes lemmas forward. Gives the level of an inductive frame.
    fn propagate(&mut self) -> Result<Option<usize>, Unknown> {
        for level in 1..=self.last {
            for i in 0..self.frames.lemmas.len() {
                if self.frames.lemmas[i].0.level == level {
                    self.check_limits()?;
                    self.push(i, level)?;
                }
            }
            if self.frames.lemmas.iter().all(|(l, _)| l.level != level) {
                return Ok(Some(level));
            }
        }
        Ok(None)
    }

    /// Pushes one lemma out of a level, if it holds in the next one.
    fn push(&mut self, lemma: usize, level: usize) -> Result<(), Unknown> {
        let (arena, limits) = (&self.space.system.arena, &self.config.limits);
        if self.frames.is_hindered(arena, lemma, level, limits) {
            return Ok(());
        }
        let (at, cube) = (self.frames.lemmas[lemma].0.at, self.frames.lemmas[lemma].0.cube.clone());
        self.counts.pushing += 1;
        let limits = Limits { minimise_core: false, minimise_model: false, ..self.limits() };
        match self.solvers.into[at.0].find(&mut self.space, level, Some(&cube), &limits)? {
            Found::Nothing(_) => {
                self.frames.raise(&mut self.space, &mut self.solvers, lemma, level + 1)
            }
            Found::Step { path, model } => {
                let from = self.space.system.paths[path].from;
                let state = State::read(&self.space.system, from, *model);
                self.frames.hinder(lemma, level, state);
                Ok(())
            }
        }
    }

    /// A new obligation from a model: the state before the path.
    fn oblige(
        &mut self,
        path: usize,
        model: trellis_logic::Structure,
        leads_to: Option<usize>,
    ) -> usize {
        let system = &self.space.system;
        let step = &system.paths[path];
        let state = State::read(system, step.from, model);
        self.space.reserve(state.elements.len());
        let cube = self.cube(&state);
        let at = state.at;
        self.obligations.push(Obligation { at, cube, state, path, leads_to });
        self.obligations.len() - 1
    }

    fn cube(&mut self, state: &State) -> Cube {
        match &self.config.generaliser {
            Generaliser::Diagrams => {
                let mut arena = std::mem::take(&mut self.space.system.arena);
                let cube = diagram(&self.space.system, &mut arena, state, &self.space.elements);
                self.space.system.arena = arena;
                cube
            }
            Generaliser::Predicates(predicates) => {
                crate::predicates::cube(&self.space.system.arena, state, &predicates[state.at.0])
            }
        }
    }

    /// The entry is reached in the abstraction: is it in the program?
    fn conclude(&mut self, factory: &Factory<'_>, start: usize) -> Result<Outcome, Unknown> {
        let mut trace = Vec::new();
        let mut next = Some(start);
        while let Some(i) = next {
            let obligation = &self.obligations[i];
            trace.push(AbstractState { state: obligation.state.clone(), path: obligation.path });
            next = obligation.leads_to;
        }
        // The work for the answer is done.
        let limits = Limits { work: Work::default(), ..self.config.limits.clone() };
        let concrete = bounded::find(&mut self.space, factory, &trace, &limits)?;
        Ok(match concrete {
            Some(concrete) => Outcome::Violated(Box::new(concrete)),
            None => Outcome::NoInvariant(trace),
        })
    }

    fn invariant(&mut self, level: usize) -> Result<Invariant, Unknown> {
        let limits = self.limits();
        invariant::extract(&mut self.space, &mut self.solvers, &self.frames, level, &limits)
    }

    pub(crate) fn limits(&self) -> Limits {
        Limits {
            minimise_core: true,
            minimise_model: self.config.strategy.small_states,
            ..self.config.limits.clone()
        }
    }

    fn check_limits(&self) -> Result<(), Unknown> {
        self.config.limits.exceeded().map_or(Ok(()), Err)
    }

    /// What it did so far.
    pub fn statistics(&mut self) -> Statistics {
        let (mut queries, mut seconds) = (0, 0.0);
        for steps in self.solvers.all() {
            queries += steps.checks();
            seconds += steps.time().as_secs_f64();
        }
        Statistics { frames: self.last, queries, solver_seconds: seconds, ..self.counts }
    }
}

impl AbstractState {
    /// The bad state that the path leads into, for the last one of a trace.
    pub fn error(&self, system: &TransitionSystem) -> Option<BadState> {
        system.paths[self.path].error()
    }
}
