//! One transition: focus, coerce, check, update, coerce, collect, blur.
//!
//! A structure out of the worklist has been sharpened before, so sharpening what a step makes of it
//! is told where it comes from, and a step that changes nothing costs nothing.

use trellis_logic::kleene::{
    Constraint, Evaluator, Formula, Kleene, KleeneStructure, coerce, coerce_from, focus,
};

use trellis_program::Refusal;

use super::{Collector, Limits, OnFailure, System, Transition};

/// What a step gives.
#[derive(Default)]
pub(super) struct Reached {
    pub(super) structures: Vec<KleeneStructure>,
    pub(super) alarms: Vec<FailedCheck>,
}

/// A check that is not true.
pub(super) struct FailedCheck {
    pub(super) check: usize,
    pub(super) definite: bool,
    pub(super) structure: KleeneStructure,
}

pub(super) fn step(
    system: &System,
    limits: &Limits,
    transition: &Transition,
    structure: &KleeneStructure,
) -> Result<Reached, Refusal> {
    let action = &transition.action;
    let sharpen = |s: KleeneStructure| coerce_from(structure, s, &system.constraints);
    let mut cases = vec![structure.clone()];
    for (places, formula) in &action.focus {
        let focused = |s| focus(s, *places, formula, limits.focus, sharpen);
        cases = cases.into_iter().flat_map(focused).collect();
    }
    let mut reached = Reached::default();
    for case in cases {
        let Some(case) = checked(system, transition, case, &mut reached.alarms) else {
            continue;
        };
        if action.updates.is_empty() && action.allocates.is_none() {
            let result = if case == *structure { case } else { case.blur() };
            reached.structures.push(result);
            continue;
        }
        let updated = coerce_from(&case, case.update(action), &system.constraints);
        let Some(updated) = updated else {
            continue;
        };
        match (&system.collector, transition.collects) {
            (Some(collector), true) => {
                let Some(collected) = collect(system, limits, collector, updated) else {
                    let span = system.points[transition.from];
                    let reason = "the predicates do not tell what is garbage";
                    return Err(Refusal::at(span, reason));
                };
                reached.structures.extend(collected.iter().map(KleeneStructure::blur));
            }
            _ => reached.structures.push(updated.blur()),
        }
    }
    Ok(reached)
}

/// The part of a case in which the transition is possible and goes on.
fn checked(
    system: &System,
    transition: &Transition,
    mut case: KleeneStructure,
    alarms: &mut Vec<FailedCheck>,
) -> Option<KleeneStructure> {
    if let Some(guard) = &transition.action.guard {
        case = assume(system, case, guard)?;
    }
    for check in &transition.checks {
        let value = Evaluator::new(&case).closed(&check.formula);
        if value == Kleene::True {
            continue;
        }
        let definite = value == Kleene::False;
        alarms.push(FailedCheck { check: check.id, definite, structure: case.clone() });
        if check.failure == OnFailure::Stops {
            case = assume(system, case, &check.formula)?;
        }
    }
    Some(case)
}

/// The part of a structure in which a closed formula may hold.
fn assume(
    system: &System,
    structure: KleeneStructure,
    formula: &Formula,
) -> Option<KleeneStructure> {
    match Evaluator::new(&structure).closed(formula) {
        Kleene::False => None,
        Kleene::True => Some(structure),
        Kleene::Maybe => {
            let given = Constraint::new("assumption", 0, [formula.clone()]);
            let assumed = coerce(structure.clone(), &[given])?;
            coerce_from(&structure, assumed, &system.constraints)
        }
    }
}

/// Takes garbage out; `None` if the predicates do not tell what it is.
fn collect(
    system: &System,
    limits: &Limits,
    collector: &Collector,
    structure: KleeneStructure,
) -> Option<Vec<KleeneStructure>> {
    let base = structure.clone();
    let sharpen = |s: KleeneStructure| coerce_from(&base, s, &system.constraints);
    let mut results = Vec::new();
    for case in focus(structure, 1, &collector.garbage, limits.focus, sharpen) {
        let garbage: Vec<Kleene> = {
            let mut evaluator = Evaluator::new(&case);
            (0..case.size()).map(|u| evaluator.at(&collector.garbage, &[u])).collect()
        };
        if garbage.contains(&Kleene::Maybe) {
            return None;
        }
        if !garbage.contains(&Kleene::True) {
            results.push(case);
            continue;
        }
        let kept = case.update(&collector.action).retain(|u| garbage[u] == Kleene::False);
        results.extend(coerce(kept, &system.constraints));
    }
    Some(results)
}
