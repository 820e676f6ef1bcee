//! z3 and cvc5 agree on random EPR formulas; models satisfy them; cores are unsatisfiable.
//!
//! A quick sample here; with `TRELLIS_SLOW` set a larger one.

mod common;

use common::{World, solver};
use proptest::strategy::{Strategy, ValueTree};
use trellis_logic::generate::vocabulary::vocabulary;
use trellis_logic::generate::{
    FormulaOptions, Quantifiers, Tape, VocabularyOptions, runner, tapes,
};
use trellis_logic::{Arena, FormulaId, generate};
use trellis_smtlib::{Dialect, SmtSolver};
use trellis_solver::{Answer, Limits, Solver};

/// How many conversations, each with several questions.
fn conversations() -> usize {
    if std::env::var_os("TRELLIS_SLOW").is_some() { 1000 } else { 40 }
}

/// A vocabulary, and the questions of one conversation.
fn conversation(tape: &mut Tape) -> (World, Vec<FormulaId>, Vec<Vec<FormulaId>>) {
    let options = VocabularyOptions { fields: 1, ..VocabularyOptions::default() };
    let vocabulary = vocabulary(tape, &options);
    let mut arena = Arena::new();
    let mut formula = |tape: &mut Tape| {
        let all = [
            Quantifiers::Universal,
            Quantifiers::Existential,
            Quantifiers::AlternationFree,
            Quantifiers::ExistsForall,
            Quantifiers::QuantifierFree,
        ];
        let quantifiers = all[tape.below(all.len() as u32) as usize];
        let options =
            FormulaOptions { quantifiers, variables: 3, depth: 3, ..FormulaOptions::default() };
        generate::formula::formula(tape, &mut arena, &vocabulary, &options)
    };
    let asserted = (0..tape.below(3)).map(|_| formula(tape)).collect();
    let pool: Vec<_> = (0..8).map(|_| formula(tape)).collect();
    let questions = (0..6)
        .map(|_| (0..tape.below(6)).filter_map(|_| tape.pick(&pool).copied()).collect())
        .collect();
    (World { vocabulary, arena }, asserted, questions)
}

/// Asks, and checks whatever can be checked about the answer without another solver.
fn answer(solver: &mut SmtSolver, world: &mut World, question: &[FormulaId]) -> Answer {
    let limits = Limits { minimise_core: true, ..Limits::default() };
    let answer = solver.check(&mut world.context(), question, &limits);
    match &answer {
        Answer::Sat => {
            // Every formula was evaluated in it.
            let model = solver.model(&mut world.context(), &Limits::default());
            assert!(model.is_ok(), "{}: {:?}", solver.name(), model.map_err(|e| e.to_string()));
        }
        Answer::Unsat => {
            let core: Vec<_> = solver.core().iter().map(|&i| question[i]).collect();
            assert_eq!(world.check(solver, &core), Answer::Unsat, "{}", solver.name());
            for left_out in 0..core.len() {
                let mut fewer = core.clone();
                fewer.remove(left_out);
                assert_eq!(world.check(solver, &fewer), Answer::Sat, "{}", solver.name());
            }
        }
        Answer::Unknown(unknown) => panic!("{} does not decide: {unknown}", solver.name()),
    }
    answer
}

#[test]
fn z3_and_cvc5_agree() {
    let mut runner = runner(1);
    let tapes = tapes(800);
    let (mut sat, mut unsat) = (0, 0);
    for number in 0..conversations() {
        let mut tape = tapes.new_tree(&mut runner).expect("a tape").current();
        let (mut world, asserted, questions) = conversation(&mut tape);
        let mut solvers = Dialect::ALL.map(solver);
        for solver in &mut solvers {
            for &formula in &asserted {
                assert_eq!(solver.assert(&mut world.context(), formula), Ok(()));
            }
        }
        for question in questions {
            let answers = solvers.each_mut().map(|s| answer(s, &mut world, &question));
            assert_eq!(answers[0], answers[1], "conversation {number}");
            match answers[0] {
                Answer::Sat => sat += 1,
                _ => unsat += 1,
            }
        }
    }
    // The sample is worth something.
    assert!(sat >= conversations() && unsat >= conversations() / 2, "{sat} sat, {unsat} unsat");
}
