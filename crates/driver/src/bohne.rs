//! Symbolic shape analysis over sets of Boolean heaps as an engine (*Symbolic Shape Analysis*).
//!
//! The heaps at every loop become clauses of the logic, which are checked from scratch like those
//! of PDR, and tried on the machine. An alarm whose paths are an execution is run by the
//! interpreter; one that is left in the end is looked for among small heaps, and is *unknown* with
//! its place if none shows it: the abstraction is not the best one, so it proves no absence of
//! invariants.

mod higher_order;

use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use trellis_bohne::{Analysis, Outcome, analyse};
pub use trellis_bohne::{ContextKind, Techniques};
use trellis_certify::Evidence;
use trellis_logic::{FormulaId, Subst, VarId};
use trellis_pdr::Invariant;
use trellis_pdr::predicates::Selection;
use trellis_program::{Diagnostic, Placed, Refusal};
use trellis_solver::Limits;
use trellis_transys::{ErrorKind, TransitionSystem, UserPredicate, Words, user_predicate};

use crate::cpu::CpuTime;
use crate::engine::{Answer, BohneStatistics, Budget, Claim, Engine, Progress, Statistics, Task};
use crate::machine_leg;
use crate::pdr::{
    OUTSIDE, PREDICATES, SolverFactory, Symbolic, confirm, embedded, invariants, is_leak,
    not_answered, small_violation, solver,
};
use crate::provers::{CACHE, PROVER_PATH, Provers};
use crate::registry::Entry;
use crate::settings::{Setting, any_text, parse};
use crate::verdict::UnknownReason;
use crate::watch::Watch;

/// Sets of Boolean heaps (*Symbolic Shape Analysis*).
#[derive(Clone)]
pub struct Bohne {
    /// The solvers to ask.
    pub solver: SolverFactory,
    /// Which techniques are used.
    pub techniques: Techniques,
    /// Predicates of the program that are used besides.
    pub predicates: Selection,
    /// The provers for formulas of higher-order logic.
    pub provers: Arc<Provers>,
}

impl Bohne {
    /// How it is asked for.
    pub const ENTRY: Entry = Entry {
        name: "bohne",
        about: "Symbolic shape analysis: disjunctions of universal invariants over Boolean heaps",
        settings: &[WITHOUT, PREDICATES, CACHE, PROVER_PATH],
        make: |settings| {
            Arc::new(Bohne {
                solver: solver(settings),
                techniques: settings.get_or_default(),
                predicates: settings.get_or_default(),
                provers: Arc::new(Provers::new(settings)),
            })
        },
    };
}

const WITHOUT: Setting = Setting {
    name: "without",
    value: "NAME,…",
    help: "Techniques to leave out (bohne): context, instantiation, own-context, splitting, \
           cleaning, propagation, refinement",
    words: any_text,
    default: None,
    parse: parse::<Techniques>,
};

impl Default for Bohne {
    fn default() -> Bohne {
        Bohne {
            solver: embedded(),
            techniques: Techniques::default(),
            predicates: Selection::default(),
            provers: Arc::default(),
        }
    }
}

impl fmt::Debug for Bohne {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Bohne")
    }
}

impl Engine for Bohne {
    fn name(&self) -> &'static str {
        Bohne::ENTRY.name
    }

    fn run(&self, task: &Task<'_>, budget: &Budget, _: &Progress) -> Answer {
        let started = Instant::now();
        let watch = Watch::new(budget);
        let mut attempt = Attempt {
            engine: self,
            task,
            budget: watch.budget(),
            figures: BohneStatistics::default(),
            machine_seconds: 0.0,
            warnings: Vec::new(),
        };
        let claim = attempt.claim().unwrap_or_else(Claim::Unknown);
        let span = task.program.proc(task.proc).span;
        attempt.warnings.extend(self.provers.complaints(span));
        let statistics = Statistics {
            seconds: started.elapsed().as_secs_f64(),
            machine_seconds: attempt.machine_seconds,
            bohne: Some(attempt.figures),
            ..Statistics::default()
        };
        Answer { claim, statistics, warnings: attempt.warnings }
    }
}

/// One procedure in work.
struct Attempt<'a> {
    engine: &'a Bohne,
    task: &'a Task<'a>,
    budget: &'a Budget,
    figures: BohneStatistics,
    machine_seconds: f64,
    warnings: Vec<Diagnostic>,
}

/// From the cheapest to the richest: the words, and over how many fields in turn an object may be
/// reached so as not to be leaked.
const LANGUAGES: [(Words, usize); 3] = [(Words::Basic, 1), (Words::Basic, 2), (Words::Edges, 2)];

/// What one language came to.
struct Tried {
    claim: Result<Claim, UnknownReason>,
    /// Whether a leak was not excluded.
    loses: bool,
    /// Whether another language may do better.
    open: bool,
}

impl Attempt<'_> {
    /// Tries one language after the other, until one is enough.
    fn claim(&mut self) -> Result<Claim, UnknownReason> {
        if !self.engine.predicates.grows {
            let span = self.task.program.proc(self.task.proc).span;
            let refusal = Refusal::at(span, "families of predicates, which are for pdr-predicates");
            return Err(UnknownReason::refused(&[refusal], OUTSIDE));
        }
        let placed =
            self.task.placed().map_err(|refusals| UnknownReason::refused(&refusals, ""))?;
        let mut last: Option<Tried> = None;
        for (words, leak_turns) in LANGUAGES {
            if let Some(last) = &last
                && (!last.open || words == Words::Basic && !last.loses)
            {
                continue;
            }
            let options = trellis_transys::Options {
                checks: self.task.options.checks,
                malloc_may_fail: self.task.options.malloc_may_fail,
                words,
                leak_turns,
            };
            last = Some(self.attempt(&placed, &options));
        }
        let Some(last) = last else {
            return Err(UnknownReason::Internal("no language was tried".to_owned()));
        };
        if let Err(UnknownReason::Unsupported(places)) = &last.claim
            && self.task.program.is_collected()
        {
            return self.by_provers(places);
        }
        match last.open && self.budget.check().is_ok() {
            true => small_violation(self.task, self.budget).map_or(last.claim, Ok),
            false => last.claim,
        }
    }

    fn attempt(&mut self, placed: &Placed, options: &trellis_transys::Options) -> Tried {
        // What these words do not have, others may.
        let refused = |why| {
            let open = matches!(why, UnknownReason::Unsupported(_));
            Tried { claim: Err(why), loses: false, open }
        };
        let cpu = CpuTime::now();
        let factory = &*self.engine.solver;
        let system = match self.task.system(placed, options, self.budget, &factory) {
            Ok(system) => (*system).clone(),
            Err(why) => return refused(UnknownReason::no_result(why, OUTSIDE, self.budget)),
        };
        if options.words == Words::Basic && system.locations.len() > 1 && has_trees(&system) {
            let claim = Err(UnknownReason::Imprecise(Vec::new()));
            return Tried { claim, loses: false, open: true };
        }
        let mut refusal = None;
        let given = self.engine.predicates.user.clone();
        let mut given_to = system;
        let mut known = Vec::new();
        for name in &given {
            match user_predicate(&placed.program, &mut given_to, name) {
                Ok(predicate) => known.push(predicate),
                Err(why) => refusal = Some(why),
            }
        }
        if let Some(why) = refusal {
            return refused(UnknownReason::refused(&[why], OUTSIDE));
        }
        let limits = Limits::of(self.budget);
        let user = |system: &mut TransitionSystem, var: VarId| about_one(system, var, &known);
        let techniques = self.engine.techniques;
        let store = self.engine.provers.store();
        let mut found = analyse(given_to, &user, &factory, &limits, techniques, store);
        let done = found.statistics;
        self.figures = BohneStatistics {
            questions: self.figures.questions + done.counts.questions,
            hits: self.figures.hits + done.counts.hits,
            propagation: self.figures.propagation + done.counts.propagation,
            predicates: done.predicates,
            heaps: done.heaps,
            refinements: self.figures.refinements + done.refinements,
            search_seconds: self.figures.search_seconds + cpu.seconds(),
            ..self.figures
        };
        self.judge(placed, options, &mut found)
    }

    /// What the outcome of an analysis comes to, after the checks that it needs.
    fn judge(
        &mut self,
        placed: &Placed,
        options: &trellis_transys::Options,
        found: &mut Analysis,
    ) -> Tried {
        let system = &mut found.system;
        match &found.outcome {
            Outcome::Verified(clauses) => {
                let claim = self.verified(placed, options, system, clauses.clone());
                Tried { claim, loses: false, open: false }
            }
            Outcome::Violated(real) => {
                let (task, budget) = (self.task, self.budget);
                let (initial, error) = (&real.initial, real.error);
                let claim = Symbolic { task, budget, placed, system, initial, error }.concrete();
                // Other words may exclude what no run of the program confirms.
                let open = claim.is_err();
                Tried { claim, loses: is_leak(error.kind), open }
            }
            Outcome::Alarm(paths) => {
                let error = paths.last().and_then(|&path| system.paths[path].error());
                let place = error.map(|error| {
                    let what = match error.kind {
                        ErrorKind::Check(kind) => kind.failure(),
                        ErrorKind::Cycle => "a cycle is made",
                        ErrorKind::Sharing => "a node gets a second parent",
                    };
                    let text = format!("the predicates of this engine do not exclude that {what}");
                    Diagnostic::unsupported(error.span, text)
                });
                let claim = Err(UnknownReason::Imprecise(place.into_iter().collect()));
                let loses = error.is_some_and(|error| is_leak(error.kind));
                Tried { claim, loses, open: true }
            }
            Outcome::Unknown(why) => {
                let claim = Err(not_answered(self.budget, why.clone()));
                Tried { claim, loses: false, open: false }
            }
        }
    }

    fn verified(
        &mut self,
        placed: &Placed,
        options: &trellis_transys::Options,
        system: &mut TransitionSystem,
        clauses: Vec<Vec<FormulaId>>,
    ) -> Result<Claim, UnknownReason> {
        let cpu = CpuTime::now();
        let (task, budget) = (self.task, self.budget);
        let factory = &*self.engine.solver;
        confirm(task, budget, factory, system, &clauses, &mut self.warnings)?;
        self.figures.check_seconds = cpu.seconds();
        let cpu = CpuTime::now();
        let states = machine_leg::clauses(task, budget, placed, system, &clauses);
        self.machine_seconds += cpu.seconds();
        let states = states?;
        let evidence = Evidence::new(&placed.program, system, options, &clauses)
            .map_err(|foreign| UnknownReason::Internal(foreign.to_string()))?;
        let invariant = Invariant { clauses };
        Ok(Claim::Verified {
            invariants: invariants(&placed.program, system, &invariant),
            evidence: Box::new(evidence),
            states: Some(states),
        })
    }
}

/// Whether there are nodes with subtrees. Where a loop goes down, the child is that below which all
/// of the subtree is: a relation of cubes of two objects, which the Cartesian post does not keep.
/// Words for single steps say it of one.
fn has_trees(system: &TransitionSystem) -> bool {
    system.symbols.pointers.iter().any(|field| field.set.is_some())
}

/// The predicates of at most one object, over a variable.
fn about_one(system: &mut TransitionSystem, var: VarId, known: &[UserPredicate]) -> Vec<FormulaId> {
    let v = system.arena.var_term(var);
    let of_one = known.iter().filter(|predicate| predicate.params.len() <= 1);
    of_one
        .map(|predicate| match predicate.params[..] {
            [(param, _)] => system.arena.subst(predicate.formula, &Subst::single(param, v)),
            _ => predicate.formula,
        })
        .collect()
}
