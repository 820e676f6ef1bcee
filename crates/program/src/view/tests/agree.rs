//! Differential tests: the evaluator of contracts against the evaluator of the logic.

use trellis_logic::generate::Tape;
use trellis_logic::{Arena, EvalError};

use super::formulas::Formulas;
use super::samples::{F, boxes, heads, nodes};
use super::states::{Sample, States};
use crate::concrete::spec_eval::Truth;
use crate::ir::Program;
use crate::print::print_formula;
use crate::spec::Formula;
use crate::view::{self, ProgramVocabulary};

/// The same numbers every time (a 64-bit linear congruential generator).
pub(super) fn tape(seed: u64, length: usize) -> Tape {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(1);
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 32) as u32
    };
    next();
    Tape::new((0..length).map(|_| next()).collect())
}

/// The truth of a translated formula in the structure of a state.
fn in_logic(arena: &Arena, structure: &trellis_logic::Structure, f: trellis_logic::FormulaId) -> Truth {
    match structure.eval(arena, f) {
        Ok(b) => b.into(),
        Err(EvalError::Undefined(_) | EvalError::Overflow(_)) => Truth::Undefined,
        Err(e) => panic!("{e}"),
    }
}

fn check(program: &Program, vocabulary: &ProgramVocabulary, formula: &Formula, states: &[Sample]) -> [usize; 3] {
    let mut arena = Arena::new();
    let Ok(id) = view::formula(vocabulary, &mut arena, formula) else {
        return [0; 3];
    };
    arena.check(&vocabulary.logic, id).unwrap();
    let mut seen = [0; 3];
    for state in states {
        let env = state.env(program);
        let structure = view::structure(vocabulary, &env).unwrap();
        let (contract, logic) = (env.truth(formula), in_logic(&arena, &structure, id));
        assert_eq!(
            contract,
            logic,
            "{}\nin the logic: {}\nstate: {state:?}\nformula: {formula:?}",
            print_formula(program, F, formula),
            arena.print(&vocabulary.logic, id),
        );
        seen[contract as usize] += 1;
    }
    seen
}

/// Random formulas in random states; how often they were false, undefined, true, and how many
/// could be translated.
fn random(program: &Program, seed: u64, formulas: u64) -> ([usize; 3], usize) {
    let vocabulary = view::vocabulary(program, F);
    vocabulary.logic.check().unwrap();
    let samples = |holes: u32| -> Vec<Sample> {
        (0..120)
            .map(|i| {
                let mut tape = tape(seed + i, 400);
                States { program, vocabulary: &vocabulary, tape: &mut tape, holes }.sample()
            })
            .collect()
    };
    let (holes, full) = (samples(12), samples(0));
    assert!(holes.iter().any(Sample::has_undefined_cells));
    let targets: Vec<_> = vocabulary.used.targets.iter().copied().collect();
    let (mut seen, mut translated) = ([0; 3], 0);
    for i in 0..formulas {
        let mut tape = tape(1000 * seed + i, 400);
        let mut builder = Formulas::new(program, &mut tape, targets.clone());
        builder.strict = i % 2 == 0;
        let formula = builder.formula(1 + (i % 4) as u32);
        // The documented exception: `reach1` and `cyclic` at a field never written.
        let states = if builder.strict { &full } else { &holes };
        let counts = check(program, &vocabulary, &formula, states);
        translated += usize::from(counts != [0; 3]);
        (0..3).for_each(|t| seen[t] += counts[t]);
    }
    (seen, translated)
}

fn enough(program: &Program, seed: u64) {
    let (seen, translated) = random(program, seed, 400);
    assert!(translated >= 340, "{translated} translated");
    assert!(seen.iter().all(|&n| n > 1000), "{seen:?}");
}

#[test]
fn nodes_agree() {
    enough(&nodes(), 1);
}

#[test]
fn list_heads_agree() {
    enough(&heads(), 2);
}

#[test]
fn boxes_agree() {
    enough(&boxes(), 3);
}
