//! The embedded solver as a prover says what it says as a solver, on the random questions of the
//! other tests.

use std::cell::Cell;

use trellis_epr::EprSolver;
use trellis_logic::generate::{runner, tapes};
use trellis_logic::{Arena, FormulaId, Vocabulary};
use trellis_solver::validity::{BySolver, Prover, Question, Validity};
use trellis_solver::{Answer, Context, Limits, Solver};

use crate::random::{Problem, cases, problem};
use trellis_testkit::lists;

/// What came out, to see that questions of every kind were asked.
#[derive(Default)]
struct Tally {
    valid: Cell<u32>,
    invalid: Cell<u32>,
}

/// Asks whether the negations of `denied` follow from the facts, in both ways.
fn compare(
    vocabulary: &Vocabulary,
    arena: &mut Arena,
    facts: &[FormulaId],
    denied: &[FormulaId],
    tally: &Tally,
) {
    let limits = Limits::default();
    let claims: Vec<FormulaId> = denied.iter().map(|&f| arena.not(f)).collect();
    let question = Question { facts, claims: &claims };
    let mut context = Context { vocabulary, arena };
    let mut prover = BySolver::new("epr", EprSolver::default);
    assert_eq!(prover.name(), "epr");
    let found = prover.prove(&mut context, &question, &limits);

    let mut solver = EprSolver::default();
    let denial = question.denial(&mut context);
    let refused = facts.iter().any(|&f| solver.assert(&mut context, f).is_err());
    let answer = solver.check(&mut context, &[denial], &limits);
    match found {
        Validity::Valid => {
            assert!(!refused);
            assert_eq!(answer, Answer::Unsat);
            tally.valid.set(tally.valid.get() + 1);
        }
        Validity::Invalid(model) => {
            assert!(!refused);
            assert_eq!(answer, Answer::Sat);
            let model = model.expect("the embedded solver has models");
            assert!(facts.iter().all(|&f| model.eval(context.arena, f) == Ok(true)));
            assert!(claims.iter().any(|&f| model.eval(context.arena, f) == Ok(false)));
            tally.invalid.set(tally.invalid.get() + 1);
        }
        Validity::Unknown(why) => {
            assert!(refused || matches!(answer, Answer::Unknown(_)), "{why}: {answer:?}");
        }
    }
}

fn assert_both(tally: &Tally, least: u32) {
    let (valid, invalid) = (tally.valid.get(), tally.invalid.get());
    assert!(valid > least && invalid > least, "{valid} valid, {invalid} invalid");
}

#[test]
fn random_formulas() {
    for functions in [false, true] {
        let tally = Tally::default();
        runner(cases(500))
            .run(&tapes(300), |mut tape| {
                let facts = tape.below(4) as usize;
                let Problem { vocabulary, mut arena, formulas } = problem(&mut tape, 4, functions);
                let (facts, denied) = formulas.split_at(facts);
                compare(&vocabulary, &mut arena, facts, denied, &tally);
                Ok(())
            })
            .unwrap();
        assert_both(&tally, 10);
    }
}

#[test]
fn random_questions_about_lists() {
    let tally = Tally::default();
    runner(cases(300))
        .run(&tapes(200), |mut tape| {
            let lists::Question { vocabulary, mut arena, mut axioms, mut assumed } =
                lists::question(&mut tape, 4, 9);
            // Some of what is assumed is known, the rest is denied.
            let known = assumed.len() - assumed.len().min(1 + tape.below(2) as usize);
            let denied = assumed.split_off(known);
            axioms.extend(assumed);
            compare(&vocabulary, &mut arena, &axioms, &denied, &tally);
            Ok(())
        })
        .unwrap();
    assert_both(&tally, 30);
}

#[test]
fn contradictions_and_their_absence() {
    let (vocabulary, mut arena) = (Vocabulary::new(), Arena::new());
    let mut context = Context { vocabulary: &vocabulary, arena: &mut arena };
    let mut prover = BySolver::new("epr", EprSolver::default);
    let mut ask = |facts: &[FormulaId]| {
        prover.prove(&mut context, &Question::contradiction(facts), &Limits::default())
    };
    assert_eq!(ask(&[FormulaId::FALSE]), Validity::Valid);
    assert!(matches!(ask(&[]), Validity::Invalid(Some(_))));
    assert!(matches!(ask(&[FormulaId::TRUE]), Validity::Invalid(Some(_))));
}
