//! From abstract heaps to invariants in the logic, so that a *verified* can be certified by solvers
//! that know nothing of shapes.
//!
//! Only for procedures that transition systems can take: fields have no cycles there. The invariant
//! of a loop is one clause, the disjunction of its shapes, and a few universal facts about
//! allocation that shapes take for granted. A solver checks it, and facts that do not hold are
//! dropped, before anyone sees it.
//!
//! **Invariant.** Nothing rests on this file: a certificate is checked from the source up.

use std::time::Duration;

use trellis_certify::report::Outcome;
use trellis_certify::{BackEnd, Evidence, Kind, Ruling, Settings, certify_invariant};
use trellis_logic::FormulaId;
use trellis_program::{Inlined, NoResult, places};
use trellis_solver::Solver;
use trellis_transys::{ErrorKind, Options, TransitionSystem, Words, build_within};

use crate::analyse::{Analysis, Options as Analyse, Outcome as Analysed, analyse};
use crate::formula::Writer;
use crate::lower::{Settings as Lower, lower};
use crate::program::{ListBlock, ListProgram};

/// Most time for one question.
const PATIENCE: Duration = Duration::from_secs(60);

/// The evidence that the shapes of a procedure without calls are an invariant.
///
/// # Errors
/// Why there is none, as a phrase.
pub fn prove(
    inlined: &Inlined,
    settings: &Lower,
    options: &Analyse,
    solver: &dyn Fn() -> Box<dyn Solver>,
) -> Result<Evidence, String> {
    let budget = &options.budget;
    let program = lower(&inlined.program, inlined.proc, settings);
    let analysis = analyse(&program, options);
    let complete = analysis.outcome == Analysed::Finished && analysis.unsupported.is_empty();
    if !complete || !analysis.alarms.is_empty() {
        return Err("with calls replaced by bodies the shapes are not the same".into());
    }
    let options = Options {
        checks: settings.checks,
        malloc_may_fail: settings.malloc_may_fail,
        words: Words::Basic,
        leak_turns: 1,
    };
    if !places(inlined).is_unchanged() {
        return Err("transition systems have other variables".into());
    }
    let system = build_within(&inlined.program, inlined.proc, &options, budget, solver);
    let mut system = system.map_err(|why| match why {
        NoResult::Refused(e) => format!("transition systems do not support {}", e.reason),
        why => why.to_string(),
    })?;
    let mut clauses = clauses(&mut system, &program, &analysis)?;
    let settings = Settings { time_per_question: PATIENCE, budget: budget.clone() };
    let prover = [BackEnd::solver("the solver", solver)];
    loop {
        let report = certify_invariant(&mut system, &clauses, &prover, &settings);
        match report.outcome() {
            Outcome::Certified => break,
            Outcome::NotDecided => {
                let rulings = report.findings.iter().flat_map(|f| &f.rulings);
                let mut why = rulings.rev().filter_map(|r| match r {
                    Ruling::Unknown(why) => Some(why.as_str()),
                    _ => None,
                });
                return Err(format!("a solver gave up: {}", why.next().unwrap_or("no reason")));
            }
            Outcome::Refuted => {}
        }
        let Some(finding) = report.refutation() else {
            return Err("a condition fails".into());
        };
        let to = match finding.kind {
            Kind::Initiation { to } | Kind::Consecution { to, .. } => to.0,
            Kind::Safety { bad, .. } => return Err(unsafe_path(inlined, bad)),
        };
        // The shapes come first; without a fact of the others there may still be a proof.
        match finding.failure().and_then(|f| f.claim) {
            Some(claim) if claim > 0 => drop(clauses[to].remove(claim)),
            _ => {
                let place = inlined.program.sources.locate(system.locations[to].span);
                return Err(format!("the shapes at {place} are not shown to be kept"));
            }
        }
    }
    Evidence::new(&inlined.program, &system, &options, &clauses).map_err(|e| e.to_string())
}

fn unsafe_path(inlined: &Inlined, bad: trellis_transys::BadState) -> String {
    let place = inlined.program.sources.locate(bad.span);
    match bad.kind {
        ErrorKind::Cycle | ErrorKind::Sharing => {
            format!("at {place} a cycle may be made, which the logic cannot follow")
        }
        ErrorKind::Check(kind) => {
            format!("the shapes do not say enough to exclude {kind} at {place}")
        }
    }
}

/// The clauses of every location: none at the entry.
fn clauses(
    system: &mut TransitionSystem,
    program: &ListProgram,
    analysis: &Analysis,
) -> Result<Vec<Vec<FormulaId>>, String> {
    let mut all = vec![Vec::new()];
    for at in 1..system.locations.len() {
        let head = system.locations[at].block;
        let starts = |b: &&ListBlock| b.at.context == 0 && b.at.block == head && b.at.instr == 0;
        let block = program.blocks.iter().position(|b| starts(&b));
        let heaps = block.map_or_else(Vec::new, |b| analysis.states.of_block(b));
        let mut writer = Writer::new(system, at, program)?;
        let shapes = heaps.into_iter().map(|h| writer.shape(h)).collect::<Result<Vec<_>, _>>()?;
        let facts = writer.facts();
        let mut clauses = vec![system.arena.or(shapes)];
        clauses.extend(facts);
        all.push(clauses);
    }
    Ok(all)
}
