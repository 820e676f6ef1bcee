//! The interface between the driver and its engines.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use trellis_certify::{Coverage, Evidence};
use trellis_explore::Violation;
pub use trellis_logic::Budget;
use trellis_pdr::Strategy;
use trellis_program::concrete::initial::InitialHeap;
use trellis_program::concrete::step::Failure;
use trellis_program::{
    Assumptions, CheckSet, Diagnostic, Inlined, NoResult, Placed, ProcId, Program, Refusal, Span,
};
use trellis_solver::Solver;
use trellis_transys::TransitionSystem;

use crate::pdr::Paused;
use crate::prepared::Prepared;
use crate::verdict::{AbstractStep, LoopInvariant, UnknownReason};

/// An analysis that can answer tasks.
pub trait Engine: Send + Sync {
    /// Its name on the command line.
    fn name(&self) -> &'static str;

    /// Whether it is worth asking among others; one that is for another kind of procedures is not.
    fn suits(&self, _task: &Task<'_>) -> bool {
        true
    }

    /// Works on a task until it has an answer or the budget is used up.
    fn run(&self, task: &Task<'_>, budget: &Budget, progress: &Progress) -> Answer;
}

/// One procedure to look at.
#[derive(Clone)]
pub struct Task<'a> {
    /// The program it belongs to.
    pub program: &'a Program,
    /// The procedure.
    pub proc: ProcId,
    /// What to check, how far to look.
    pub options: &'a Options,
    /// What was made of it so far; copies share it.
    prepared: Arc<Prepared>,
}

impl<'a> Task<'a> {
    /// A procedure of which nothing was made yet.
    pub fn new(program: &'a Program, proc: ProcId, options: &'a Options) -> Task<'a> {
        Task { program, proc, options, prepared: Arc::default() }
    }

    /// The same procedure with other options.
    pub fn with_options<'b>(&self, options: &'b Options) -> Task<'b>
    where
        'a: 'b,
    {
        Task { program: self.program, proc: self.proc, options, prepared: self.prepared.clone() }
    }

    /// The program in which the procedure has no calls.
    ///
    /// # Errors
    /// A refusal for every call that cannot be replaced.
    pub fn inlined(&self) -> Result<Arc<Inlined>, Vec<Refusal>> {
        self.prepared.inlined(self.program, self.proc)
    }

    /// The program in which recursive calls are the only ones.
    ///
    /// # Errors
    /// A refusal for every call that cannot be replaced.
    pub fn to_recursion(&self) -> Result<Arc<Inlined>, Vec<Refusal>> {
        self.prepared.to_recursion(self.program, self.proc)
    }

    /// The program in which the procedure has neither calls nor pointers to variables, as far as
    /// these can be replaced.
    ///
    /// # Errors
    /// A refusal for every call that cannot be replaced.
    pub fn placed(&self) -> Result<Arc<Placed>, Vec<Refusal>> {
        self.prepared.placed(self.program, self.proc)
    }

    /// The procedure as a transition system, with calls replaced.
    ///
    /// # Errors
    /// What cannot be followed, or why the work could not be finished.
    pub fn system(
        &self,
        placed: &Placed,
        options: &trellis_transys::Options,
        budget: &Budget,
        solver: &dyn Fn() -> Box<dyn Solver>,
    ) -> Result<Arc<TransitionSystem>, NoResult> {
        self.prepared.system(placed, options, budget, solver)
    }

    /// Leaves a search for the next round of its engine.
    pub(crate) fn pause(&self, paused: Paused) {
        self.prepared.pause(paused);
    }

    /// Whether an earlier round has left a search for a system built in this way.
    pub(crate) fn has_paused(
        &self,
        options: &trellis_transys::Options,
        strategy: Strategy,
    ) -> bool {
        self.prepared.has_paused(&|paused| paused.is_for(options, strategy))
    }

    /// The search that an earlier round has left, if it is for a system built in this way.
    pub(crate) fn resume(
        &self,
        options: &trellis_transys::Options,
        strategy: Strategy,
    ) -> Option<Paused> {
        self.prepared.resume(&|paused| paused.is_for(options, strategy))
    }

    /// Where the precondition stands.
    pub fn precondition(&self) -> Span {
        let proc = self.program.proc(self.proc);
        let clauses = proc.contract.requires.iter().map(|clause| clause.span);
        clauses.reduce(Span::to).unwrap_or(proc.span)
    }

    /// What a *verified* takes for granted.
    pub fn assumptions(&self) -> Assumptions {
        let Options { checks, malloc_may_fail, .. } = *self.options;
        Assumptions::of(self.program, self.proc, checks, malloc_may_fail)
    }

    /// The warning that a procedure can never be called.
    pub fn contradiction(&self) -> Diagnostic {
        let name = &self.program.proc(self.proc).name;
        let text = format!("no heap satisfies the precondition of `{name}`");
        Diagnostic::warning(self.precondition(), text)
            .with_label("contradictory")
            .with_help("`verified` says nothing here; correct `requires`")
    }
}

/// What to check and how far to look: what matters to all engines, to the replay of violations, and
/// to the second leg. An engine's own options are part of the engine ([`crate::settings`]).
#[derive(Clone, Debug)]
pub struct Options {
    /// The kinds of checks that are on.
    pub checks: CheckSet,
    /// Most objects in an initial heap that is looked at.
    pub objects: usize,
    /// Most steps of one execution, counted in blocks.
    pub steps: usize,
    /// Most nondeterministic choices of one execution.
    pub choices: usize,
    /// The integers that inputs range over; `None`: chosen from the constants of the program.
    pub int_values: Option<Vec<i64>>,
    /// Whether `malloc` may also return null.
    pub malloc_may_fail: bool,
    /// How many threads to use.
    pub threads: usize,
    /// Whether a proof is wanted that can be checked without the engine, where it has a price (sll).
    pub certificate: bool,
}

impl Options {
    /// The same without what the language of a program has no use for: where memory is collected,
    /// nothing leaks and allocation succeeds.
    pub fn of_language(self, program: &Program) -> Options {
        Options {
            checks: program.meaningful(self.checks),
            malloc_may_fail: self.malloc_may_fail && !program.is_collected(),
            ..self
        }
    }
}

impl Default for Options {
    fn default() -> Options {
        Options {
            checks: CheckSet::default(),
            objects: 4,
            steps: 1000,
            choices: 10,
            int_values: None,
            malloc_may_fail: false,
            threads: 1,
            certificate: false,
        }
    }
}

/// What an engine has done so far, readable from another thread.
#[derive(Debug, Default)]
pub struct Progress {
    /// The counters of the explore engine.
    pub explore: trellis_explore::Progress,
}

/// What an engine says. A violation is only a claim until the driver has replayed it.
#[derive(Clone, Debug)]
pub struct Answer {
    /// What it found.
    pub claim: Claim,
    /// What it cost.
    pub statistics: Statistics,
    /// What the user should know besides.
    pub warnings: Vec<Diagnostic>,
}

/// What an engine claims to have found.
#[derive(Clone, Debug)]
pub enum Claim {
    /// No execution violates a check.
    Verified {
        /// What holds at every loop head.
        invariants: Vec<LoopInvariant>,
        /// The same as something that can be checked without the engine.
        evidence: Box<Evidence>,
        /// The states that satisfy the invariant from which the machine was run.
        states: Option<Coverage>,
    },
    /// The same, because all states of a closed program were visited.
    Exhausted {
        /// How many there are.
        states: u64,
    },
    /// This one does.
    Violated {
        /// Where it starts.
        initial: InitialHeap,
        /// How nondeterminism is resolved.
        choices: Vec<u32>,
        /// What goes wrong.
        failure: Failure,
        /// The integers that choices are made from, if not those of the task.
        ints: Option<Vec<i64>>,
    },
    /// No invariant exists in the engine's language.
    NoInvariant {
        /// Why, as a sentence.
        reason: String,
        /// The abstract execution that no invariant of the language can exclude.
        trace: Vec<AbstractStep>,
    },
    /// Nothing found.
    Unknown(UnknownReason),
}

/// What exploration found, with the integers of the task.
impl From<Violation> for Claim {
    fn from(found: Violation) -> Claim {
        let Violation { initial, choices, failure } = found;
        Claim::Violated { initial, choices, failure, ints: None }
    }
}

/// What an answer cost.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Statistics {
    /// Initial heaps tried.
    pub heaps: u64,
    /// Distinct states seen.
    pub states: u64,
    /// Instructions executed.
    pub instructions: u64,
    /// The most memory in use at once, in bytes, as counted by the engine.
    pub peak_bytes: u64,
    /// Wall-clock time.
    pub seconds: f64,
    /// Of this, running the machine before *verified* was said.
    pub machine_seconds: f64,
    /// What the PDR engines count besides.
    pub pdr: Option<PdrStatistics>,
    /// What the pattern engine counts besides.
    pub patterns: Option<PatternStatistics>,
    /// What symbolic shape analysis counts besides.
    pub bohne: Option<BohneStatistics>,
}

/// What a symbolic shape analysis cost.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct BohneStatistics {
    /// Validity questions to solvers.
    pub questions: u64,
    /// Validity questions that earlier answers had decided.
    pub hits: u64,
    /// Of the questions, for the propagation of conjuncts.
    pub propagation: u64,
    /// Predicates at all loops, in the end.
    pub predicates: usize,
    /// Boolean heaps at all loops, in the end.
    pub heaps: usize,
    /// How often predicates were added.
    pub refinements: usize,
    /// CPU time of the analysis, solver processes included.
    pub search_seconds: f64,
    /// CPU time to check the final invariant once.
    pub check_seconds: f64,
}

/// What a search for patterns cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PatternStatistics {
    /// Vertices of the unwinding.
    pub vertices: usize,
    /// Of these, covered.
    pub covers: usize,
    /// Questions to the oracle.
    pub questions: usize,
    /// Heaps that the machine reached and the oracle was shown.
    pub positives: usize,
    /// Heaps that must not fit, and heaps that lead out of a label.
    pub negatives: usize,
    /// Patterns of the invariant.
    pub patterns: usize,
    /// Their nodes together.
    pub nodes: usize,
}

/// What a search for an invariant by PDR cost.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct PdrStatistics {
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
    /// Clauses of the invariant.
    pub clauses: usize,
    /// How many of them are quantified.
    pub universal: usize,
    /// Wall-clock time in solvers.
    pub solver_seconds: f64,
    /// CPU time of the search, solver processes included.
    pub search_seconds: f64,
    /// CPU time to check the final invariant once.
    pub check_seconds: f64,
}

impl Progress {
    /// The counters as a phrase: `12 heaps, 3400 states`.
    pub fn describe(&self) -> String {
        let read = |n: &std::sync::atomic::AtomicU64| n.load(Ordering::Relaxed);
        let (heaps, states) = (read(&self.explore.heaps), read(&self.explore.states));
        format!("{heaps} heaps, {states} states")
    }
}
