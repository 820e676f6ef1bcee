//! Property-directed reachability as an engine (*Property-Directed Shape Analysis* and *Universal
//! Invariants or Their Absence*).
//!
//! The calls of a procedure are replaced by bodies and contracts, what is left becomes a transition
//! system, and [`trellis_pdr`] searches for an invariant.
//!
//! * `engines`: the engines, and what they can be told
//! * `search`: the searches, begun or continued
//! * `confirm`: an invariant is checked once more before it is claimed
//! * `concrete`: a symbolic counterexample becomes a heap that the interpreter fails on
//! * `show`: invariants and abstract states as text
//! * `readable`: clauses as people read them
//! * `contract`: clauses in the contract language
//!
//! **Invariants.** *Verified* is claimed only for an invariant that was checked from scratch, on
//! the original paths. *Violated* is claimed only for a run that the interpreter has made.

mod concrete;
mod confirm;
mod contract;
mod engines;
mod readable;
mod search;
mod show;

use std::sync::Arc;
use std::time::Instant;

use trellis_certify::Evidence;
use trellis_pdr::predicates::Selection;
use trellis_pdr::{Outcome, Strategy};
use trellis_program::{CheckKind, Diagnostic, Placed};
use trellis_solver::{Limits, Solver, Unknown};
use trellis_transys::{ErrorKind, TransitionSystem, Words};

use crate::cpu::CpuTime;
use crate::engine::{Answer, Budget, Claim, PdrStatistics, Statistics, Task};
use crate::machine_leg;
use crate::verdict::UnknownReason;
use crate::watch::Watch;

pub(crate) use concrete::Symbolic;
pub(crate) use confirm::confirm;
pub(crate) use engines::{PREDICATES, solver};
pub use engines::{PdrForall, PdrPredicates, WordsSetting, embedded};
pub(crate) use search::Paused;
use search::{Found, Source};
pub(crate) use show::invariants;

/// What transition systems refuse.
pub(crate) const OUTSIDE: &str = "this engine does not support ";

/// Makes solvers, on any thread.
pub type SolverFactory = Arc<dyn Fn() -> Box<dyn Solver> + Send + Sync>;

/// What invariants are made of.
#[derive(Clone, Copy)]
enum Material<'a> {
    /// Diagrams, in these words.
    Diagrams(WordsSetting),
    /// These predicates.
    Families(&'a Selection),
}

fn answer(
    task: &Task<'_>,
    budget: &Budget,
    solver: &SolverFactory,
    strategy: Strategy,
    material: Material<'_>,
) -> Answer {
    let started = Instant::now();
    let watch = Watch::new(budget);
    let mut attempt = Attempt {
        task,
        budget: watch.budget(),
        factory: &**solver,
        strategy,
        material,
        figures: PdrStatistics::default(),
        machine_seconds: 0.0,
        warnings: Vec::new(),
        loses: false,
    };
    let claim = attempt.claim().unwrap_or_else(Claim::Unknown);
    let statistics = Statistics {
        seconds: started.elapsed().as_secs_f64(),
        machine_seconds: attempt.machine_seconds,
        pdr: Some(attempt.figures),
        ..Statistics::default()
    };
    Answer { claim, statistics, warnings: attempt.warnings }
}

/// One procedure in work.
struct Attempt<'a> {
    task: &'a Task<'a>,
    budget: &'a Budget,
    factory: &'a (dyn Fn() -> Box<dyn Solver> + Send + Sync),
    strategy: Strategy,
    material: Material<'a>,
    figures: PdrStatistics,
    machine_seconds: f64,
    /// What the user should know besides.
    warnings: Vec<Diagnostic>,
    /// Whether the last search ended with a leak.
    loses: bool,
}

/// What formulas are made of in one attempt.
#[derive(Clone, Copy)]
pub(crate) struct Language {
    pub(crate) words: Words,
    /// Over how many fields in turn an object may be reached so as not to be leaked.
    pub(crate) leak_turns: usize,
}

/// From the cheapest to the richest.
pub(crate) const LANGUAGES: [Language; 3] = [
    Language { words: Words::Basic, leak_turns: 1 },
    Language { words: Words::Basic, leak_turns: 2 },
    Language { words: Words::Edges, leak_turns: 2 },
];

impl Attempt<'_> {
    /// Tries one language after the other, until one is enough.
    fn claim(&mut self) -> Result<Claim, UnknownReason> {
        let placed =
            self.task.placed().map_err(|refusals| UnknownReason::refused(&refusals, ""))?;
        let allowed = |language: &&Language| match self.material {
            // The families of predicates have the steps of fields already.
            Material::Families(_) => language.words == Words::Basic,
            Material::Diagrams(WordsSetting::Auto) => true,
            Material::Diagrams(WordsSetting::Basic) => language.words == Words::Basic,
            Material::Diagrams(WordsSetting::Edges) => language.words == Words::Edges,
        };
        let languages: Vec<Language> = LANGUAGES.iter().filter(allowed).copied().collect();
        let mut last = Err(UnknownReason::Internal("no language was tried".to_owned()));
        let is_paused = |l: &Language| self.task.has_paused(&self.options(*l), self.strategy);
        let first = languages.iter().position(is_paused).unwrap_or(0);
        for (i, language) in languages.into_iter().enumerate().skip(first) {
            // Where nothing is lost, only other words can help.
            if i > first && language.words == Words::Basic && !self.loses {
                continue;
            }
            last = self.attempt(&placed, language);
            let decided = match &last {
                Ok(claim) => !matches!(claim, Claim::NoInvariant { .. }),
                // Not said in these words, or found only because of them.
                Err(UnknownReason::Unsupported(_) | UnknownReason::Internal(_)) => false,
                Err(_) => true,
            };
            if decided {
                return last;
            }
        }
        self.look_closer(last?)
    }

    /// Without an invariant there may be a violation that is longer than the abstract trace.
    fn look_closer(&self, claim: Claim) -> Result<Claim, UnknownReason> {
        Ok(small_violation(self.task, self.budget).unwrap_or(claim))
    }

    fn attempt(&mut self, placed: &Placed, language: Language) -> Result<Claim, UnknownReason> {
        let cpu = CpuTime::now();
        let options = self.options(language);
        let mut found = match self.material {
            Material::Diagrams(_) => self.search(placed, &options)?,
            Material::Families(selection) => self.search_families(placed, &options, selection)?,
        };
        let done = found.statistics;
        self.figures = PdrStatistics {
            frames: done.frames,
            queries: self.figures.queries + done.queries,
            blocking: self.figures.blocking + done.blocking,
            pushing: self.figures.pushing + done.pushing,
            lemmas: done.lemmas,
            solver_seconds: self.figures.solver_seconds + done.solver_seconds,
            search_seconds: self.figures.search_seconds + cpu.seconds(),
            ..self.figures
        };
        let claim = self.judge(placed, &options, &mut found);
        if let (Err(UnknownReason::Work), Source::Search(search)) = (&claim, found.source) {
            self.task.pause(Paused { options, strategy: self.strategy, search });
        }
        claim
    }

    /// What the outcome of a search comes to, after the checks that it needs.
    fn judge(
        &mut self,
        placed: &Placed,
        options: &trellis_transys::Options,
        found: &mut Found,
    ) -> Result<Claim, UnknownReason> {
        let system = match &mut found.source {
            Source::Search(search) => search.system(),
            Source::Families(system) => system,
        };
        self.loses = match &found.outcome {
            Outcome::Violated(trace) => is_leak(trace.error.kind),
            Outcome::NoInvariant(trace) => {
                let error = trace.last().and_then(|s| s.error(system));
                error.is_some_and(|e| is_leak(e.kind))
            }
            _ => false,
        };
        match &found.outcome {
            Outcome::Verified(invariant) => {
                self.confirm(system, invariant)?;
                let states = self.on_machine(placed, system, invariant)?;
                self.figures.clauses = invariant.len();
                self.figures.universal = show::universal(system, invariant);
                let clauses = &invariant.clauses;
                let evidence = Evidence::new(&placed.program, system, options, clauses)
                    .map_err(|foreign| UnknownReason::Internal(foreign.to_string()))?;
                Ok(Claim::Verified {
                    invariants: show::invariants(&placed.program, system, invariant),
                    evidence: Box::new(evidence),
                    states: Some(states),
                })
            }
            Outcome::Violated(trace) => {
                let (task, budget) = (self.task, self.budget);
                let (initial, error) = (&trace.initial, trace.error);
                Symbolic { task, budget, placed, system, initial, error }.concrete()
            }
            Outcome::NoInvariant(trace) => {
                let reason = found.language.clone().unwrap_or_else(|| show::language(system));
                Ok(Claim::NoInvariant { reason, trace: show::trace(system, trace) })
            }
            Outcome::Unknown(why) => Err(self.unknown(why.clone())),
        }
    }

    fn options(&self, language: Language) -> trellis_transys::Options {
        trellis_transys::Options {
            checks: self.task.options.checks,
            malloc_may_fail: self.task.options.malloc_may_fail,
            words: language.words,
            leak_turns: language.leak_turns,
        }
    }

    /// The procedure in the logic.
    fn system(
        &self,
        placed: &Placed,
        options: &trellis_transys::Options,
    ) -> Result<TransitionSystem, UnknownReason> {
        let system = self.task.system(placed, options, self.budget, &self.factory);
        let system = system.map_err(|why| UnknownReason::no_result(why, OUTSIDE, self.budget))?;
        // The search adds formulas of its own.
        Ok((*system).clone())
    }

    /// The first leg, and what it costs.
    fn confirm(
        &mut self,
        system: &mut TransitionSystem,
        invariant: &trellis_pdr::Invariant,
    ) -> Result<(), UnknownReason> {
        let cpu = CpuTime::now();
        let (task, budget, warnings) = (self.task, self.budget, &mut self.warnings);
        let done = confirm(task, budget, self.factory, system, &invariant.clauses, warnings);
        self.figures.check_seconds = cpu.seconds();
        done
    }

    /// The second leg, and what it costs.
    fn on_machine(
        &mut self,
        placed: &Placed,
        system: &TransitionSystem,
        invariant: &trellis_pdr::Invariant,
    ) -> Result<trellis_certify::Coverage, UnknownReason> {
        let cpu = CpuTime::now();
        let clauses = &invariant.clauses;
        let done = machine_leg::clauses(self.task, self.budget, placed, system, clauses);
        self.machine_seconds += cpu.seconds();
        done
    }

    fn limits(&self) -> Limits {
        Limits::of(self.budget)
    }

    fn unknown(&self, why: Unknown) -> UnknownReason {
        not_answered(self.budget, why)
    }
}

/// Why a question was not answered; when the budget is used up, that is why.
pub(crate) fn not_answered(budget: &Budget, why: Unknown) -> UnknownReason {
    if let Err(reason) = budget.check() {
        return UnknownReason::stopped(reason, budget);
    }
    match why {
        Unknown::Time => UnknownReason::Time(budget.timeout.unwrap_or_default()),
        Unknown::Memory => UnknownReason::Solver("a solver is out of memory".to_owned()),
        Unknown::Cancelled => UnknownReason::Cancelled,
        Unknown::Work => UnknownReason::Work,
        Unknown::Refused(refusal) => UnknownReason::Solver(refusal.reason),
        Unknown::BackEnd(text) | Unknown::Incomplete(text) => UnknownReason::Solver(text),
    }
}

/// A violation that exploration finds among small heaps.
pub(crate) fn small_violation(task: &Task<'_>, budget: &Budget) -> Option<Claim> {
    let config = crate::explore::config(task, budget);
    let progress = trellis_explore::Progress::default();
    let explored = trellis_explore::explore(task.program, task.proc, &config, &progress);
    match explored.outcome {
        trellis_explore::Outcome::Violated(found) => Some(Claim::from(*found)),
        _ => None,
    }
}

pub(crate) fn is_leak(kind: ErrorKind) -> bool {
    kind == ErrorKind::Check(CheckKind::Leak)
}
