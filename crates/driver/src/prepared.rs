//! What is made of a procedure once for all who look at it: the program with calls replaced, and the
//! transition system for each way to build it.
//!
//! A task carries it, so the engines and rounds of a plan share it with the checks of what they
//! claim. An engine that adds formulas to a system works on a copy: a copy costs a small part of
//! what building costs, which asks a solver about the precondition and follows every path.
//!
//! **Invariant.** Only what would be the same the next time is kept: a result, or a refusal. That
//! the budget was used up, or that a solver gave up, is asked anew by whoever has more time. So what
//! a round finds here depends on the rounds before it in the plan, not on the clock. The same holds
//! of a search that is left for the next round: only a limit of work leaves one, and the rounds of an
//! engine run one after the other.
//!
//! **Why a shared system can be trusted as much as one built twice.** Building is deterministic, so
//! a second system of the same procedure in the same run would have the same mistakes, if any. What
//! guards against those is the second leg, which looks at no path of a system: it runs the machine
//! on the procedure, and reads the clauses of an invariant off memory by itself. And a certificate
//! is checked in another run from the source up ([`trellis_certify::restore()`]), where nothing of
//! this is there.

use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use trellis_program::{
    InlineLimits, Inlined, NoResult, Placed, ProcId, Program, Recursion, Refusal, cfg, inline,
    inline_to_recursion, places,
};
use trellis_solver::Solver;
use trellis_transys::{Options, TransitionSystem, build_within};

use crate::engine::Budget;
use crate::pdr::Paused;

/// A system, or what of the procedure cannot be followed in it.
type Built = Result<Arc<TransitionSystem>, Refusal>;

/// What was made of a procedure so far.
#[derive(Default)]
pub struct Prepared {
    inlined: OnceLock<Result<Arc<Inlined>, Vec<Refusal>>>,
    to_recursion: OnceLock<Result<Arc<Inlined>, Vec<Refusal>>>,
    placed: OnceLock<Result<Arc<Placed>, Vec<Refusal>>>,
    /// By how they were built; there are few.
    systems: Mutex<Vec<(Options, Built)>>,
    /// What the last round of PDR has left.
    paused: Mutex<Option<Paused>>,
}

impl fmt::Debug for Prepared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Prepared")
    }
}

impl Prepared {
    /// The program in which the procedure has no calls.
    pub(crate) fn inlined(
        &self,
        program: &Program,
        proc: ProcId,
    ) -> Result<Arc<Inlined>, Vec<Refusal>> {
        let make = || inline(program, proc, InlineLimits::default()).map(Arc::new);
        self.inlined.get_or_init(make).clone()
    }

    /// The same, where recursive calls stay.
    pub(crate) fn to_recursion(
        &self,
        program: &Program,
        proc: ProcId,
    ) -> Result<Arc<Inlined>, Vec<Refusal>> {
        let make = || match cfg::recursive_procs(program, proc).is_empty() {
            true => self.inlined(program, proc),
            false => inline_to_recursion(program, proc).map(Arc::new),
        };
        self.to_recursion.get_or_init(make).clone()
    }

    /// The same without pointers to variables, as far as these can be replaced.
    pub(crate) fn placed(
        &self,
        program: &Program,
        proc: ProcId,
    ) -> Result<Arc<Placed>, Vec<Refusal>> {
        // A call of the procedure by itself may stay: contracts say what it does.
        let limits = InlineLimits { recursion: Recursion::OfItself, ..InlineLimits::default() };
        let make = || match self.inlined(program, proc) {
            Ok(inlined) => Ok(Arc::new(places(&inlined))),
            Err(_) => inline(program, proc, limits).map(|inlined| Arc::new(places(&inlined))),
        };
        self.placed.get_or_init(make).clone()
    }

    /// The procedure without calls as a transition system.
    pub(crate) fn system(
        &self,
        placed: &Placed,
        options: &Options,
        budget: &Budget,
        solver: &dyn Fn() -> Box<dyn Solver>,
    ) -> Result<Arc<TransitionSystem>, NoResult> {
        if let Some(built) = self.find(options) {
            return built.map_err(NoResult::from);
        }
        // Nobody waits for another's work: that could take longer than there is time.
        let built = build_within(&placed.program, placed.proc, options, budget, solver);
        let built = match built {
            Ok(system) => Ok(Arc::new(system)),
            Err(NoResult::Refused(refusal)) => Err(refusal),
            Err(unfinished) => return Err(unfinished),
        };
        self.keep(options, built.clone());
        built.map_err(NoResult::from)
    }

    /// Leaves a search for a later round.
    pub(crate) fn pause(&self, paused: Paused) {
        *self.paused.lock().unwrap_or_else(PoisonError::into_inner) = Some(paused);
    }

    /// Whether such a search was left.
    pub(crate) fn has_paused(&self, wanted: &dyn Fn(&Paused) -> bool) -> bool {
        self.paused.lock().unwrap_or_else(PoisonError::into_inner).as_ref().is_some_and(wanted)
    }

    /// Takes the search that was left, if it is such a one.
    pub(crate) fn resume(&self, wanted: &dyn Fn(&Paused) -> bool) -> Option<Paused> {
        let mut paused = self.paused.lock().unwrap_or_else(PoisonError::into_inner);
        paused.take_if(|paused| wanted(paused))
    }

    fn find(&self, options: &Options) -> Option<Built> {
        let systems = self.systems.lock().unwrap_or_else(PoisonError::into_inner);
        systems.iter().find(|(o, _)| o == options).map(|(_, built)| built.clone())
    }

    fn keep(&self, options: &Options, built: Built) {
        let mut systems = self.systems.lock().unwrap_or_else(PoisonError::into_inner);
        if systems.iter().all(|(o, _)| o != options) {
            systems.push((options.clone(), built));
        }
    }
}
