//! The same calls give the same answers, models and cores.

use trellis_epr::{EprSolver, Options};
use trellis_logic::generate::{Tape, runner, tapes};
use trellis_solver::{Answer, Context, Limits, Solver};

use crate::random::{Problem, problem};

fn transcript(tape: &mut Tape, seed: u64) -> String {
    let Problem { vocabulary, mut arena, formulas } = problem(tape, 5, false);
    let mut solver = EprSolver::new(Options { seed, ..Options::default() });
    let mut context = Context { vocabulary: &vocabulary, arena: &mut arena };
    let mut text = String::new();
    for _ in 0..4 {
        let assumed: Vec<_> = (0..3).map(|_| *tape.pick(&formulas).unwrap()).collect();
        let limits = Limits {
            minimise_core: tape.chance(50),
            minimise_model: tape.chance(50),
            ..Limits::default()
        };
        match solver.check(&mut context, &assumed, &limits) {
            Answer::Sat => text += &format!("{:?}\n", solver.model(&mut context, &limits)),
            Answer::Unsat => text += &format!("{:?}\n", solver.core()),
            Answer::Unknown(why) => text += &format!("{why}\n"),
        }
    }
    let statistics = solver.statistics();
    text + &format!("{} terms, {} clauses", statistics.terms, statistics.clauses)
}

#[test]
fn twice_the_same() {
    for seed in [0, 1, 12345] {
        runner(100)
            .run(&tapes(400), |tape| {
                let once = transcript(&mut tape.clone(), seed);
                assert_eq!(once, transcript(&mut tape.clone(), seed));
                Ok(())
            })
            .unwrap();
    }
}
