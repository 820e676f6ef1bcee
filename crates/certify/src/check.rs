//! Asking solvers and provers.
//!
//! Every question is asked of a new prover: whether the claims follow from the facts. If it gives
//! up on all claims together, it is asked about each of them alone. A model is evaluated here before
//! it is believed, and tells which claim fails; a prover need not have one.
//!
//! **Invariant.** Nothing is carried over from one question to the next.

use std::time::{Duration, Instant};

use trellis_logic::{Budget, FormulaId, Structure};
use trellis_program::Program;
use trellis_solver::validity::{Question, Validity};
use trellis_solver::{Context, Limits};
use trellis_transys::TransitionSystem;

use crate::back_end::BackEnd;
use crate::certificate::Certificate;
use crate::conditions::{Condition, conditions};
use crate::report::{Entry, Failure, Finding, Outcome, Report, Ruling, Work};
use crate::restore::{Problem, Restored, restore};

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
    back_ends: &[BackEnd<'_>],
    settings: &Settings,
) -> Result<(Report, Restored), Problem> {
    let mut restored = restore(program, certificate, back_ends, settings)?;
    let report = certify_invariant(&mut restored.system, &restored.clauses, back_ends, settings);
    Ok((report, restored))
}

/// Checks an invariant of a transition system, one list of clauses a location. Stops at the first
/// condition that is refuted.
pub fn certify_invariant(
    system: &mut TransitionSystem,
    clauses: &[Vec<FormulaId>],
    back_ends: &[BackEnd<'_>],
    settings: &Settings,
) -> Report {
    let conditions = conditions(system, clauses);
    let mut report = Report {
        conditions: conditions.len(),
        clauses: clauses.iter().map(Vec::len).sum(),
        entry: entry(system, back_ends, settings),
        findings: Vec::new(),
        stopped: None,
        work: back_ends
            .iter()
            .map(|b| Work { solver: b.name.clone(), shown: 0, time: Duration::ZERO })
            .collect(),
    };
    for condition in &conditions {
        if let Err(reason) = settings.budget.check() {
            report.stopped = Some(reason);
            break;
        }
        let mut finding = Finding::new(condition);
        for (back_end, work) in back_ends.iter().zip(&mut report.work) {
            let started = Instant::now();
            let ruling = rule(system, condition, back_end, settings);
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

/// Whether the precondition can hold; the first back end tells.
fn entry(system: &mut TransitionSystem, back_ends: &[BackEnd<'_>], settings: &Settings) -> Entry {
    let Some(back_end) = back_ends.first() else {
        return Entry::NotKnown;
    };
    let facts: Vec<FormulaId> = system.axioms.iter().chain(&system.initial).copied().collect();
    match ask(system, &Question::contradiction(&facts), back_end, &settings.limits()) {
        Asked::Fails(_) => Entry::Possible,
        Asked::Follows => Entry::Impossible,
        Asked::Unknown(_) => Entry::NotKnown,
    }
}

fn rule(
    system: &mut TransitionSystem,
    condition: &Condition,
    back_end: &BackEnd<'_>,
    settings: &Settings,
) -> Ruling {
    let together = rule_claims(system, condition, 0..condition.claims.len(), back_end, settings);
    let given_up = matches!(together, Ruling::Unknown(_)) && condition.claims.len() > 1;
    if !given_up || settings.budget.check().is_err() {
        return together;
    }
    for i in 0..condition.claims.len() {
        match rule_claims(system, condition, i..i + 1, back_end, settings) {
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
    back_end: &BackEnd<'_>,
    settings: &Settings,
) -> Ruling {
    let asked = &condition.claims[claims.clone()];
    let question = Question { facts: &condition.facts, claims: asked };
    match ask(system, &question, back_end, &settings.limits()) {
        Asked::Follows => Ruling::Holds,
        Asked::Unknown(why) => Ruling::Unknown(why),
        Asked::Fails(state) => {
            let claim = match &state {
                Some(state) => {
                    let stop = || settings.budget.check().is_err();
                    let fails =
                        |f: &FormulaId| state.eval_until(&system.arena, *f, &stop) == Ok(false);
                    asked.iter().position(fails).map(|i| claims.start + i)
                }
                None => (claims.len() == 1).then_some(claims.start),
            };
            Ruling::Fails(Box::new(Failure { claim, state }))
        }
    }
}

enum Asked {
    Follows,
    /// With a model that was evaluated.
    Fails(Option<Structure>),
    Unknown(String),
}

/// Asks a new prover whether claims follow from facts.
fn ask(
    system: &mut TransitionSystem,
    question: &Question<'_>,
    back_end: &BackEnd<'_>,
    limits: &Limits,
) -> Asked {
    let mut context = Context { vocabulary: &system.vocabulary, arena: &mut system.arena };
    let model = match back_end.make_prover().prove(&mut context, question, limits) {
        Validity::Valid => return Asked::Follows,
        Validity::Unknown(why) => return Asked::Unknown(why.to_string()),
        Validity::Invalid(None) => return Asked::Fails(None),
        Validity::Invalid(Some(model)) => model,
    };
    let denial = question.denial(&mut context);
    let stop = || limits.exceeded().is_some();
    let holds = |f: &FormulaId| model.eval_until(&system.arena, *f, &stop) == Ok(true);
    match question.facts.iter().chain([&denial]).all(holds) {
        true => Asked::Fails(Some(*model)),
        false if stop() => Asked::Unknown("there was no time to look at a model".into()),
        false => Asked::Unknown(format!("the model of {} is none", back_end.name)),
    }
}
