//! The explore engine: every heap that satisfies `requires` up to a number of objects, every
//! nondeterministic choice up to a number of choices, every run up to a number of steps.
//!
//! It finds *violated* with a minimal run (fewest objects, then fewest steps) and otherwise knows
//! only that there is no violation up to the bounds, and on some executions beyond them. It is the reference that every other engine
//! is tested against, so it does one thing: run [`trellis_program::concrete::Machine`] breadth
//! first from each initial heap.
//!
//! * [`relevance`]: which integers and globals of an initial heap matter
//! * `arguments`: what a whole program starts with
//! * [`heaps`]: the initial heaps, each isomorphism class once, smallest first
//! * [`canonical`]: two states that differ only in the names of allocated objects are one
//! * [`visited`]: the states seen from one initial heap
//! * [`search`]: breadth-first search from one initial heap
//! * [`collect`]: all checks that fail, not only the first
//! * [`sample`]: random executions, for what lies behind the bounds
//! * [`narrow`]: a violation with the integers that it needs
//! * [`typing`]: what somebody might type who knows the program
//! * [`parallel`]: many initial heaps on several threads, with a deterministic answer
//!
//! **Invariant:** the answer depends on the program and the bounds only, not on the number of
//! threads or on timing (unless a budget runs out).

use std::sync::atomic::AtomicU64;
use std::time::Instant;

use trellis_program::concrete::{Failure, InitialHeap, Machine, MachineOptions};
pub use trellis_program::{Budget, StopReason};
use trellis_program::{CheckSet, NoResult, ProcId, Program, Span};

use crate::heaps::HeapSpace;
use crate::search::{Found, Searcher, Workspace};

mod arguments;
pub mod bench;
pub mod canonical;
pub mod collect;
pub mod heaps;
pub mod narrow;
pub mod parallel;
pub mod relevance;
pub mod sample;
pub mod search;
pub mod typing;
pub mod visited;

/// Bounds and switches.
#[derive(Clone, Debug)]
pub struct Config {
    /// Most heap objects in an initial heap.
    pub objects: usize,
    /// Most elements of an array of Java in an initial heap; `None` for as many as objects.
    pub longest: Option<usize>,
    /// Most blocks that a run executes.
    pub steps: usize,
    /// Most nondeterministic choices that a run makes.
    pub choices: usize,
    /// The values of integers that are not determined; `None` derives them from the program.
    pub int_values: Option<Vec<i64>>,
    /// Which checks are on.
    pub checks: CheckSet,
    /// Whether `malloc` may return null.
    pub malloc_may_fail: bool,
    /// How many threads; at least 1.
    pub threads: usize,
    /// When to stop; memory is for states, over all threads. A unit of work is a block that is run,
    /// or a heap that is looked at; with several threads the work that is done may differ.
    pub budget: Budget,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            objects: 4,
            longest: None,
            steps: 1000,
            choices: 10,
            int_values: None,
            checks: CheckSet::default(),
            malloc_may_fail: false,
            threads: 1,
            budget: Budget::default(),
        }
    }
}

impl Config {
    /// The machine that these settings describe for a procedure.
    pub fn machine_options(&self, program: &Program, proc: ProcId) -> MachineOptions {
        MachineOptions {
            checks: self.checks,
            malloc_may_fail: self.malloc_may_fail,
            ints: self.int_values.clone().unwrap_or_else(|| relevance::int_values(program, proc)),
            ..MachineOptions::default()
        }
    }
}

/// Counters that another thread may read while the exploration runs.
#[derive(Debug, Default)]
pub struct Progress {
    /// Initial heaps finished.
    pub heaps: AtomicU64,
    /// Distinct states seen.
    pub states: AtomicU64,
    /// Objects of the initial heaps being explored.
    pub objects: AtomicU64,
}

/// What was done.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Stats {
    /// Initial heaps explored.
    pub heaps: u64,
    /// Distinct states, summed over initial heaps.
    pub states: u64,
    /// Instructions executed.
    pub instructions: u64,
    /// Bytes of all stored states (their canonical encodings and the index), summed.
    pub stored_bytes: u64,
    /// Most bytes held at one time.
    pub peak_bytes: u64,
    /// Runs that were cut at the bound on steps.
    pub cut_by_steps: u64,
    /// Runs that were cut at the bound on choices or on the depth of calls.
    pub cut_by_choices: u64,
    /// Wall-clock seconds.
    pub seconds: f64,
}

impl Stats {
    /// Whether some run was cut off at a bound, so that its end was not seen.
    pub fn was_cut(&self) -> bool {
        self.cut_by_steps > 0 || self.cut_by_choices > 0
    }

    fn add(&mut self, other: &Stats) {
        self.heaps += other.heaps;
        self.states += other.states;
        self.instructions += other.instructions;
        self.stored_bytes += other.stored_bytes;
        self.peak_bytes = self.peak_bytes.max(other.peak_bytes);
        self.cut_by_steps += other.cut_by_steps;
        self.cut_by_choices += other.cut_by_choices;
    }
}

/// A run that violates a check.
#[derive(Clone, Debug)]
pub struct Violation {
    /// Where it starts.
    pub initial: InitialHeap,
    /// The nondeterministic choices it makes.
    pub choices: Vec<u32>,
    /// The check that fails at its end.
    pub failure: Failure,
}

/// The answer.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// A check fails.
    Violated(Box<Violation>),
    /// No violation up to the bounds.
    Exhausted,
    /// No heap up to the bound satisfies `requires`.
    NoHeap,
    /// No violation so far. If it was stopped, the rest was not looked at; if it was refused, every
    /// run was followed until it left the subset, at this place first.
    Unfinished(NoResult),
}

/// Answer and statistics.
#[derive(Clone, Debug)]
pub struct Exploration {
    /// The answer.
    pub outcome: Outcome,
    /// What it took.
    pub stats: Stats,
    /// Whether these were all runs of a closed program, so that none fails a check: it starts in one
    /// way, no run was cut off, and every choice was among all values there are.
    pub complete: bool,
    /// Whether a choice was among some of the values there are only.
    pub sampled: bool,
    /// If everything was tried: calls of procedures without a body at which no result satisfied
    /// `ensures`, so that nothing behind them was run.
    pub unsatisfied: Vec<(Span, ProcId)>,
}

impl Exploration {
    fn new(outcome: Outcome, stats: Stats) -> Exploration {
        Exploration { outcome, stats, complete: false, sampled: false, unsatisfied: Vec::new() }
    }
}

/// Explores one procedure.
pub fn explore(
    program: &Program,
    proc: ProcId,
    config: &Config,
    progress: &Progress,
) -> Exploration {
    let start = Instant::now();
    let mut exploration = parallel::explore_all(program, proc, config, progress);
    exploration.stats.seconds = start.elapsed().as_secs_f64();
    exploration
}

/// Explores one procedure from a single initial heap, with all choices.
///
/// [`Outcome::NoHeap`] says that the heap does not satisfy `requires`.
pub fn explore_heap(
    program: &Program,
    proc: ProcId,
    config: &Config,
    heap: &InitialHeap,
) -> Exploration {
    let start = Instant::now();
    let machine = Machine::new(program, config.machine_options(program, proc));
    if !HeapSpace::new(&machine, proc).satisfies_requires(heap) {
        let stats = Stats::default();
        return Exploration::new(Outcome::NoHeap, stats);
    }
    let mut work = Workspace::default();
    let found = Searcher::new(&machine, proc, config).search(heap, &mut work);
    let outcome = match (found, work.unsupported) {
        (Found::Violation(violation), _) => Outcome::Violated(violation),
        (Found::Stopped(reason), _) => Outcome::Unfinished(reason.into()),
        (Found::Nothing, Some(refusal)) => Outcome::Unfinished(refusal.into()),
        (Found::Nothing, None) => Outcome::Exhausted,
    };
    let seconds = start.elapsed().as_secs_f64();
    let unsatisfied = machine.unsatisfied_calls();
    let explored = Exploration::new(outcome, Stats { seconds, ..work.stats });
    Exploration { unsatisfied, ..explored }
}
