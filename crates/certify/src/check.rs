//! Asking solvers.
//!
//! Every question is asked of a new solver: the facts, and that one of the claims is false. If a
//! solver gives up on all claims together, it is asked about each of them alone. A model is
//! evaluated here before it is believed, and tells which claim fails.
//!
//! **Invariant.** Nothing is carried over from one question to the next.

use std::time::{Duration, Instant};

use trellis_logic::{Budget, FormulaId, Structure};
use trellis_program::Program;
use trellis_solver::{Answer, Context, Limits, Solver};
use trellis_transys::TransitionSystem;

use crate::certificate::Certificate;
use crate::conditions::{Condition, conditions};
use crate::report::{Entry, Failure, Finding, Outcome, Report, Ruling, Work};
use crate::restore::{Problem, Restored, restore};

/// A solver that is asked.
pub struct Prover<'a> {
    /// Its name in reports.
    pub name: String,
    /// Makes a new one.
    pub make: &'a dyn Fn() -> Box<dyn Solver>,
}

/// How long to ask.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Most time for one question.
    pub time_per_question: Duration,
    /// What all questions together, and building the system, may cost.
    pub budget: Budget,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { time_per_question: Duration::from_secs(60), budget: Budget::default() }
    }
}

impl Settings {
    pub(crate) fn limits(&self) -> Limits {
        Limits::of(&self.budget.at_most(self.time_per_question))
    }
}

/// Checks a certificate against a program, which was read from the source.
///
/// # Errors
/// If the certificate does not fit the program, or the program cannot be followed.
pub fn check(
    program: &Program,
    certificate: &Certificate,
    provers: &[Prover<'_>],
    settings: &Settings,
) -> Result<(Report, Restored), Problem> {
    let mut restored = restore(program, certificate, provers, settings)?;
    let report = certify_invariant(&mut restored.system, &restored.clauses, provers, settings);
    Ok((report, restored))
}

/// Checks an invariant of a transition system, one list of clauses a location. Stops at the first
/// condition that is refuted.
pub fn certify_invariant(
    system: &mut TransitionSystem,
    clauses: &[Vec<FormulaId>],
    provers: &[Prover<'_>],
    settings: &Settings,
) -> Report {
    let conditions = conditions(system, clauses);
    let mut report = Report {
        conditions: conditions.len(),
        clauses: clauses.iter().map(Vec::len).sum(),
        entry: entry(system, provers, settings),
        findings: Vec::new(),
        stopped: None,
        work: provers
            .iter()
            .map(|p| Work { solver: p.name.clone(), shown: 0, time: Duration::ZERO })
            .collect(),
    };
    for condition in &conditions {
        if let Err(reason) = settings.budget.check() {
            report.stopped = Some(reason);
            break;
        }
        let mut finding = Finding::new(condition);
        for (prover, work) in provers.iter().zip(&mut report.work) {
            let started = Instant::now();
            let ruling = rule(system, condition, prover, settings);
            work.time += started.elapsed();
            work.shown += usize::from(matches!(ruling, Ruling::Holds));
            finding.rulings.push(ruling);
        }
        let refuted = finding.outcome() == Outcome::Refuted;
        report.findings.push(finding);
        if refuted {
            break;
        }
    }
    report
}

/// Whether the precondition can hold; the first solver tells.
fn entry(system: &mut TransitionSystem, provers: &[Prover<'_>], settings: &Settings) -> Entry {
    let Some(prover) = provers.first() else {
        return Entry::NotKnown;
    };
    let facts: Vec<FormulaId> = system.axioms.iter().chain(&system.initial).copied().collect();
    match ask(system, &facts, prover, &settings.limits()) {
        Asked::Sat(_) => Entry::Possible,
        Asked::Unsat => Entry::Impossible,
        Asked::Unknown(_) => Entry::NotKnown,
    }
}

fn rule(
    system: &mut TransitionSystem,
    condition: &Condition,
    prover: &Prover<'_>,
    settings: &Settings,
) -> Ruling {
    let together = rule_claims(system, condition, 0..condition.claims.len(), prover, settings);
    let given_up = matches!(together, Ruling::Unknown(_)) && condition.claims.len() > 1;
    if !given_up || settings.budget.check().is_err() {
        return together;
    }
    for i in 0..condition.claims.len() {
        match rule_claims(system, condition, i..i + 1, prover, settings) {
            Ruling::Holds => {}
            ruling => return ruling,
        }
    }
    Ruling::Holds
}

fn rule_claims(
    system: &mut TransitionSystem,
    condition: &Condition,
    claims: std::ops::Range<usize>,
    prover: &Prover<'_>,
    settings: &Settings,
) -> Ruling {
    let mut question = condition.facts.clone();
    let denied: Vec<FormulaId> =
        condition.claims[claims.clone()].iter().map(|&c| system.arena.not(c)).collect();
    question.push(system.arena.or(denied.iter().copied()));
    match ask(system, &question, prover, &settings.limits()) {
        Asked::Unsat => Ruling::Holds,
        Asked::Unknown(why) => Ruling::Unknown(why),
        Asked::Sat(state) => {
            let claim = match &state {
                Some(state) => {
                    let stop = || settings.budget.check().is_err();
                    let holds =
                        |f: &FormulaId| state.eval_until(&system.arena, *f, &stop) == Ok(true);
                    denied.iter().position(holds).map(|i| claims.start + i)
                }
                None => (claims.len() == 1).then_some(claims.start),
            };
            Ruling::Fails(Box::new(Failure { claim, state }))
        }
    }
}

enum Asked {
    /// With a model that was evaluated.
    Sat(Option<Structure>),
    Unsat,
    Unknown(String),
}

/// Asks a new solver whether formulas have a common model.
fn ask(
    system: &mut TransitionSystem,
    formulas: &[FormulaId],
    prover: &Prover<'_>,
    limits: &Limits,
) -> Asked {
    let mut solver = (prover.make)();
    let mut context = Context { vocabulary: &system.vocabulary, arena: &mut system.arena };
    for &formula in formulas {
        if let Err(refusal) = solver.assert(&mut context, formula) {
            return Asked::Unknown(refusal.to_string());
        }
    }
    match solver.check(&mut context, &[], limits) {
        Answer::Unsat => Asked::Unsat,
        Answer::Unknown(why) => Asked::Unknown(why.to_string()),
        Answer::Sat => {
            let limits = Limits { minimise_model: true, ..limits.clone() };
            let Ok(model) = solver.model(&mut context, &limits) else {
                return Asked::Sat(None);
            };
            let stop = || limits.exceeded().is_some();
            let holds = |f: &FormulaId| model.eval_until(&system.arena, *f, &stop) == Ok(true);
            match formulas.iter().all(holds) {
                true => Asked::Sat(Some(model)),
                false if stop() => Asked::Unknown("there was no time to look at a model".into()),
                false => Asked::Unknown(format!("the model of {} is none", prover.name)),
            }
        }
    }
}
