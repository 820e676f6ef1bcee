//! The loop invariants that the source states, checked and no more.
//!
//! No search: what stands at every loop is the invariant, or this engine has no answer. So a
//! procedure whose invariants were written down once (`--annotate`) is verified again in the time
//! that one check takes, and the plan `auto` asks this engine first. Both legs are those of any other
//! invariant.
//!
//! `sift`: which of the stated invariants are enough.

mod sift;

use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use trellis_certify::Evidence;
use trellis_logic::{Arena, Formula, FormulaId, FunId, Quantifier, TermId};
use trellis_program::{CheckKind, Diagnostic, InstrKind, Placed, Program, Span};
use trellis_transys::{ErrorKind, LocationId, Target, TransitionSystem};

use crate::cpu::CpuTime;
use crate::engine::{Answer, Budget, Claim, Engine, Options, Progress, Statistics, Task};
use crate::machine_leg;
use crate::pdr::{LANGUAGES, Language, OUTSIDE, SolverFactory, confirm, solver};
use crate::registry::Entry;
use crate::verdict::{LoopInvariant, UnknownReason};
use crate::watch::Watch;

pub use sift::{Sifted, sift};

/// The loop invariants of the source.
#[derive(Clone)]
pub struct Stated {
    /// The solvers to ask.
    pub solver: SolverFactory,
}

impl Stated {
    /// How it is asked for.
    pub const ENTRY: Entry = Entry {
        name: "stated",
        about: "Only checks the loop invariants that the source states",
        settings: &[],
        make: |settings| Arc::new(Stated { solver: solver(settings) }),
    };
}

impl fmt::Debug for Stated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Stated")
    }
}

impl Engine for Stated {
    fn name(&self) -> &'static str {
        Stated::ENTRY.name
    }

    fn suits(&self, task: &Task<'_>) -> bool {
        states_invariants(task.program)
    }

    fn run(&self, task: &Task<'_>, budget: &Budget, _: &Progress) -> Answer {
        let started = Instant::now();
        let watch = Watch::new(budget);
        let mut warnings = Vec::new();
        let mut machine_seconds = 0.0;
        let work = Work { task, budget: watch.budget(), factory: &self.solver };
        let claim = work.claim(&mut warnings, &mut machine_seconds).unwrap_or_else(Claim::Unknown);
        let seconds = started.elapsed().as_secs_f64();
        let statistics = Statistics { seconds, machine_seconds, ..Statistics::default() };
        Answer { claim, statistics, warnings }
    }
}

/// Whether some loop of a program has an invariant of the user.
fn states_invariants(program: &Program) -> bool {
    let mut instrs = program.procs.iter().flat_map(|p| p.instrs());
    instrs.any(|i| matches!(i.kind, InstrKind::Assert { kind: CheckKind::LoopInvariant, .. }))
}

/// A stated invariant as a clause, with its place.
type Located = (Span, FormulaId);

/// One procedure in work.
struct Work<'a> {
    task: &'a Task<'a>,
    budget: &'a Budget,
    factory: &'a SolverFactory,
}

impl Work<'_> {
    /// Tries one language after the other: which one an invariant was found in, nobody has said.
    fn claim(
        &self,
        warnings: &mut Vec<Diagnostic>,
        machine_seconds: &mut f64,
    ) -> Result<Claim, UnknownReason> {
        let placed = self.placed()?;
        let mut last = None;
        for language in LANGUAGES {
            let options = self.options(language);
            let (mut system, clauses) = match self.system(&placed, &options) {
                Ok(system) => system,
                Err(why) => {
                    last.get_or_insert(why);
                    continue;
                }
            };
            let places: Vec<Vec<Span>> =
                clauses.iter().map(|all| all.iter().map(|(span, _)| *span).collect()).collect();
            let clauses: Vec<Vec<FormulaId>> =
                clauses.into_iter().map(|all| all.into_iter().map(|(_, c)| c).collect()).collect();
            let (task, budget) = (self.task, self.budget);
            match confirm(task, budget, &**self.factory, &mut system, &clauses, warnings) {
                Ok(()) => {}
                // What the user says may be wrong, and no mistake of ours.
                Err(UnknownReason::Internal(_)) => {
                    let why = "the loop invariants that the source states are not enough";
                    last.get_or_insert(UnknownReason::Abstraction(why.to_owned()));
                    continue;
                }
                // In other words it may be a question that solvers can decide.
                Err(why @ UnknownReason::Solver(_)) => {
                    last.get_or_insert(why);
                    continue;
                }
                Err(why) => return Err(why),
            }
            let cpu = CpuTime::now();
            let states = machine_leg::clauses(task, budget, &placed, &system, &clauses)?;
            *machine_seconds += cpu.seconds();
            let evidence = Evidence::new(&placed.program, &system, &options, &clauses)
                .map_err(|foreign| UnknownReason::Internal(foreign.to_string()))?;
            return Ok(Claim::Verified {
                invariants: shown(&placed.program, &system, &places),
                evidence: Box::new(evidence),
                states: Some(states),
            });
        }
        Err(last.unwrap_or(UnknownReason::Work))
    }

    fn placed(&self) -> Result<Arc<Placed>, UnknownReason> {
        self.task.placed().map_err(|refusals| UnknownReason::refused(&refusals, ""))
    }

    fn options(&self, language: Language) -> trellis_transys::Options {
        let Options { checks, malloc_may_fail, .. } = *self.task.options;
        let Language { words, leak_turns } = language;
        trellis_transys::Options { checks, malloc_may_fail, words, leak_turns }
    }

    /// The procedure in the logic, with what is stated at each location.
    fn system(
        &self,
        placed: &Placed,
        options: &trellis_transys::Options,
    ) -> Result<(TransitionSystem, Vec<Vec<Located>>), UnknownReason> {
        let make = &**self.factory;
        let system = self.task.system(placed, options, self.budget, &|| make());
        let system = system.map_err(|why| UnknownReason::no_result(why, OUTSIDE, self.budget))?;
        let mut system = (*system).clone();
        let clauses = stated(&mut system);
        Ok((system, clauses))
    }
}

/// The invariants in the user's own words.
fn shown(program: &Program, system: &TransitionSystem, places: &[Vec<Span>]) -> Vec<LoopInvariant> {
    let words = |span: &Span| {
        let text = &program.sources.file(span.file).text;
        let text = text.get(span.start as usize..span.end as usize).unwrap_or("");
        // A formula may go on behind another `//@`.
        let words = text.split_whitespace().filter(|word| *word != "//@" && *word != "@");
        words.collect::<Vec<_>>().join(" ")
    };
    let locations = system.locations.iter().zip(places).skip(1);
    let one = locations.map(|(location, places)| LoopInvariant {
        place: location.span,
        formulas: places.iter().map(words).collect(),
        short: Vec::new(),
        contract: Vec::new(),
    });
    let mut all: Vec<LoopInvariant> = one.collect();
    all.sort_by_key(|i| i.place);
    all
}

/// What the source states at each location: where it does not hold, a path from there fails at once.
fn stated(system: &mut TransitionSystem) -> Vec<Vec<Located>> {
    let mut out = vec![Vec::new(); system.locations.len()];
    for path in &system.paths {
        let Target::Error(bad) = path.to else { continue };
        let at_head = path.blocks[..] == [system.locations[path.from.0].block];
        if bad.kind == ErrorKind::Check(CheckKind::LoopInvariant)
            && at_head
            && path.from != LocationId::ENTRY
            && let [fails] = path.guards[..]
        {
            let clause = system.arena.not(fails);
            let clause = without_null(&mut system.arena, system.symbols.null, clause);
            out[path.from.0].push((bad.span, clause));
        }
    }
    out
}

/// The same clause, where what it says of objects besides null is not about null any more: reaching null
/// takes a quantifier, under which solvers cannot assume it.
fn without_null(arena: &mut Arena, null: FunId, clause: FormulaId) -> FormulaId {
    let null = arena.constant(null);
    let (vars, body) = match arena.formula(clause).clone() {
        Formula::Quant(Quantifier::Forall, vars, body) => (vars.to_vec(), body),
        _ => (Vec::new(), clause),
    };
    let Formula::Or(parts) = arena.formula(body).clone() else { return clause };
    let is_null = |arena: &Arena, part: FormulaId| match arena.formula(part) {
        Formula::Eq(a, b) if *a == null => Some(*b),
        Formula::Eq(a, b) if *b == null => Some(*a),
        _ => None,
    };
    let others: Vec<TermId> = parts.iter().filter_map(|&part| is_null(arena, part)).collect();
    let mut simpler = Vec::new();
    for &part in &parts {
        simpler.push(match is_null(arena, part) {
            Some(_) => part,
            None => assuming(arena, part, &|arena, f| {
                is_null(arena, f).is_some_and(|term| others.contains(&term))
            }),
        });
    }
    let body = arena.or(simpler);
    if vars.is_empty() { body } else { arena.forall(&vars, body) }
}

/// A formula where some atoms are false; quantified parts stay as they are.
fn assuming(
    arena: &mut Arena,
    formula: FormulaId,
    is_false: &dyn Fn(&Arena, FormulaId) -> bool,
) -> FormulaId {
    if is_false(arena, formula) {
        return FormulaId::FALSE;
    }
    match arena.formula(formula).clone() {
        Formula::Not(inner) => {
            let inner = assuming(arena, inner, is_false);
            arena.not(inner)
        }
        Formula::And(parts) => {
            let parts: Vec<_> = parts.iter().map(|&p| assuming(arena, p, is_false)).collect();
            arena.and(parts)
        }
        Formula::Or(parts) => {
            let parts: Vec<_> = parts.iter().map(|&p| assuming(arena, p, is_false)).collect();
            arena.or(parts)
        }
        _ => formula,
    }
}
