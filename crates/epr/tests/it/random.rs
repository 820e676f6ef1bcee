//! Random EPR formulas against brute force.

use std::cell::Cell;

use proptest::prelude::*;
use trellis_epr::EprSolver;
use trellis_logic::generate::formula::{FormulaOptions, Quantifiers, formula};
use trellis_logic::generate::vocabulary::{VocabularyOptions, vocabulary};
use trellis_logic::generate::{Tape, runner, tapes};
use trellis_logic::{Arena, FormulaId, Vocabulary};
use trellis_solver::{Answer, Context, Limits, Solver};

use crate::oracle;

/// More cases in the slow tier.
pub fn cases(quick: u32) -> u32 {
    if std::env::var_os("TRELLIS_SLOW").is_some() { 40 * quick } else { quick }
}

/// Some formulas over one vocabulary.
pub struct Problem {
    pub vocabulary: Vocabulary,
    pub arena: Arena,
    pub formulas: Vec<FormulaId>,
}

pub fn problem(tape: &mut Tape, count: u32, functions: bool) -> Problem {
    let options = VocabularyOptions {
        sorts: 2,
        constants: 3,
        relations: 4,
        arity: 3,
        functions: if functions { 2 } else { 0 },
        fields: 1,
    };
    let vocabulary = vocabulary(tape, &options);
    let mut arena = Arena::new();
    let formulas = (0..count)
        .map(|_| {
            let all = [
                Quantifiers::ExistsForall,
                Quantifiers::AlternationFree,
                Quantifiers::Universal,
                Quantifiers::Any,
            ];
            let quantifiers = *tape.pick(&all).unwrap();
            let (depth, variables) = (2 + tape.below(3), 1 + tape.below(3));
            let ites = tape.chance(20);
            let options = FormulaOptions { quantifiers, depth, variables, functions, ites };
            formula(tape, &mut arena, &vocabulary, &options)
        })
        .collect();
    Problem { vocabulary, arena, formulas }
}

/// Checks one answer with everything that came with it; `None` if a formula was refused.
pub fn certify(
    solver: &mut EprSolver,
    problem: &mut Problem,
    asserted: &[FormulaId],
    assumed: &[FormulaId],
    limits: &Limits,
) -> Option<bool> {
    let Problem { vocabulary, arena, .. } = problem;
    let mut context = Context { vocabulary, arena };
    match solver.check(&mut context, assumed, limits) {
        Answer::Sat => {
            let model = solver.model(&mut context, limits).unwrap();
            assert!(model.is_total());
            for &f in asserted.iter().chain(assumed) {
                assert_eq!(model.eval(arena, f), Ok(true), "{}", arena.print(vocabulary, f));
            }
            Some(true)
        }
        Answer::Unsat => {
            let core: Vec<FormulaId> = solver.core().iter().map(|&i| assumed[i]).collect();
            let all: Vec<FormulaId> = asserted.iter().chain(&core).copied().collect();
            let found = oracle::has_model(arena, vocabulary, &all, 3);
            let texts = || all.iter().map(|&f| arena.print(vocabulary, f)).collect::<Vec<_>>();
            assert!(!found, "there is a model of {:#?}", texts());
            Some(false)
        }
        Answer::Unknown(trellis_solver::Unknown::Refused(_)) => None,
        Answer::Unknown(why) => panic!("{why}"),
    }
}

fn against_brute_force(count: u32, functions: bool, quick: u32) {
    let (sat, unsat, refused) = (Cell::new(0), Cell::new(0), Cell::new(0));
    runner(cases(quick))
        .run(&tapes(300), |mut tape| {
            let asserted = tape.below(count + 1) as usize;
            let mut problem = problem(&mut tape, count, functions);
            let limits = Limits {
                minimise_core: tape.chance(50),
                minimise_model: tape.chance(50),
                ..Limits::default()
            };
            let mut solver = EprSolver::default();
            let formulas = problem.formulas.clone();
            let (assert, assume) = formulas.split_at(asserted);
            let mut kept = Vec::new();
            for &f in assert {
                let Problem { vocabulary, arena, .. } = &mut problem;
                let mut context = Context { vocabulary, arena };
                match solver.assert(&mut context, f) {
                    Ok(()) => kept.push(f),
                    Err(refusal) => prop_assert!(!refusal.reason.is_empty()),
                }
            }
            let tally = match certify(&mut solver, &mut problem, &kept, assume, &limits) {
                Some(true) => &sat,
                Some(false) => &unsat,
                None => &refused,
            };
            tally.set(tally.get() + 1);
            Ok(())
        })
        .unwrap();
    let (sat, unsat, refused) = (sat.get(), unsat.get(), refused.get());
    println!("{sat} sat, {unsat} unsat, {refused} refused");
    assert!(sat > quick / 20 && unsat > quick / 20, "{sat} sat, {unsat} unsat, {refused} refused");
}

#[test]
fn single_formulas() {
    against_brute_force(1, false, 2000);
}

#[test]
fn several_formulas() {
    against_brute_force(4, false, 1000);
}

#[test]
fn formulas_with_functions() {
    against_brute_force(2, true, 1000);
}
