//! The embedded solver, z3 and cvc5 on the same random questions: they never disagree, every model
//! satisfies its formulas, every core is unsatisfiable on its own for another solver.
//!
//! A sample here; with `TRELLIS_SLOW` set at least 100,000 random EPR questions and 20,000 about
//! lists. `TRELLIS_QUESTIONS` sets the number by hand.

mod common;

use common::{World, solver};
use proptest::strategy::{Strategy, ValueTree};
use trellis_epr::EprSolver;
use trellis_logic::generate::vocabulary::vocabulary;
use trellis_logic::generate::{
    FormulaOptions, Quantifiers, Tape, VocabularyOptions, runner, tapes,
};
use trellis_logic::{Arena, FormulaId, generate};
use trellis_smtlib::Dialect;
use trellis_solver::{Answer, Limits, Solver};
use trellis_testkit::lists::Lists;

/// So many questions are put to the same three solvers.
const CONVERSATION: usize = 25;

/// How many questions to ask.
fn questions(quick: usize, slow: usize) -> usize {
    let asked = std::env::var("TRELLIS_QUESTIONS").ok().and_then(|n| n.parse().ok());
    asked.unwrap_or(if std::env::var_os("TRELLIS_SLOW").is_some() { slow } else { quick })
}

/// Three solvers that were told the same.
struct Three {
    world: World,
    asserted: Vec<FormulaId>,
    solvers: [Box<dyn Solver>; 3],
}

/// What was asked so far.
#[derive(Default, Debug)]
struct Tally {
    sat: usize,
    unsat: usize,
    refused: usize,
    /// Models of processes that could not be read.
    untold: usize,
}

impl Three {
    fn new(world: World) -> Three {
        let solvers: [Box<dyn Solver>; 3] = [
            Box::new(EprSolver::default()),
            Box::new(solver(Dialect::Z3)),
            Box::new(solver(Dialect::Cvc5)),
        ];
        Three { world, asserted: Vec::new(), solvers }
    }

    /// Asserts a formula, unless the embedded solver refuses it.
    fn assert(&mut self, formula: FormulaId) -> bool {
        let [epr, others @ ..] = &mut self.solvers;
        let taken = epr.assert(&mut self.world.context(), formula).is_ok();
        if taken {
            self.asserted.push(formula);
            for other in others {
                assert_eq!(other.assert(&mut self.world.context(), formula), Ok(()));
            }
        }
        taken
    }

    /// Asks all three and checks everything that came with the answers.
    fn ask(&mut self, assumed: &[FormulaId], limits: &[Limits; 2], tally: &mut Tally) {
        let Three { world, asserted, solvers } = self;
        let mut answers = Vec::new();
        for (number, solver) in solvers.iter_mut().enumerate() {
            let limits = &limits[number.min(1)];
            let answer = solver.check(&mut world.context(), assumed, limits);
            match &answer {
                Answer::Sat => {
                    match solver.model(&mut world.context(), limits) {
                        Ok(model) => {
                            for &formula in asserted.iter().chain(assumed) {
                                let value = model.eval(&world.arena, formula);
                                let text = || world.arena.print(&world.vocabulary, formula);
                                assert_eq!(value, Ok(true), "{}: {}", solver.name(), text());
                            }
                        }
                        // A process may define a relation by a term of any length.
                        Err(_) if number > 0 => tally.untold += 1,
                        Err(why) => panic!("{}: {why}", solver.name()),
                    }
                }
                Answer::Unsat => {}
                Answer::Unknown(trellis_solver::Unknown::Refused(_)) if answers.is_empty() => {
                    tally.refused += 1;
                    return;
                }
                Answer::Unknown(unknown) => panic!("{}: {unknown}", solver.name()),
            }
            answers.push(answer);
        }
        assert!(answers.iter().all(|a| *a == answers[0]), "{answers:?}");
        match answers[0] {
            Answer::Unsat => tally.unsat += 1,
            _ => tally.sat += 1,
        }
        if answers[0] != Answer::Unsat {
            return;
        }
        // Each core is given to the next solver.
        let cores: Vec<Vec<FormulaId>> = solvers
            .iter()
            .map(|solver| solver.core().iter().map(|&i| assumed[i]).collect())
            .collect();
        for (from, core) in cores.into_iter().enumerate() {
            let judge = &mut solvers[(from + 1) % 3];
            let answer = judge.check(&mut world.context(), &core, &Limits::default());
            assert_eq!(answer, Answer::Unsat, "a core of solver {from}");
        }
    }
}

/// What to minimise: for the embedded solver, and for the processes, which take long for it.
fn limits(tape: &mut Tape) -> [Limits; 2] {
    [50, 3].map(|percent| Limits {
        minimise_core: tape.chance(percent),
        minimise_model: tape.chance(percent),
        ..Limits::default()
    })
}

/// Several sorts, equality, relations with up to three arguments, up to three variables.
fn formula(tape: &mut Tape, world: &mut World) -> FormulaId {
    let all = [
        Quantifiers::Universal,
        Quantifiers::Existential,
        Quantifiers::AlternationFree,
        Quantifiers::ExistsForall,
        Quantifiers::QuantifierFree,
    ];
    let quantifiers = *tape.pick(&all).expect("there are some");
    let (variables, depth) = (1 + tape.below(3), 2 + tape.below(2));
    let options = FormulaOptions { quantifiers, variables, depth, ..FormulaOptions::default() };
    generate::formula::formula(tape, &mut world.arena, &world.vocabulary, &options)
}

#[test]
fn random_formulas() {
    let wanted = questions(1_000, 100_000);
    let (mut runner, tapes) = (runner(1), tapes(4000));
    let mut tally = Tally::default();
    while tally.sat + tally.unsat < wanted {
        let mut tape = tapes.new_tree(&mut runner).expect("a tape").current();
        let options = VocabularyOptions {
            sorts: 2,
            constants: 3,
            relations: 4,
            arity: 3,
            functions: 0,
            fields: tape.below(2),
        };
        let vocabulary = vocabulary(&mut tape, &options);
        let mut three = Three::new(World { vocabulary, arena: Arena::new() });
        for _ in 0..tape.below(3) {
            let formula = formula(&mut tape, &mut three.world);
            three.assert(formula);
        }
        for _ in 0..CONVERSATION {
            let assumed: Vec<_> =
                (0..1 + tape.below(4)).map(|_| formula(&mut tape, &mut three.world)).collect();
            three.ask(&assumed, &limits(&mut tape), &mut tally);
        }
    }
    println!("{tally:?}");
    // The sample is worth something.
    let Tally { sat, unsat, refused, untold } = tally;
    assert!(
        sat > wanted / 10 && unsat > wanted / 20 && refused < wanted && untold <= wanted / 500,
        "{sat} {unsat} {refused} {untold}"
    );
}

#[test]
fn questions_about_lists() {
    let wanted = questions(200, 20_000);
    let (mut runner, tapes) = (runner(1), tapes(4000));
    let mut tally = Tally::default();
    while tally.sat + tally.unsat < wanted {
        let mut tape = tapes.new_tree(&mut runner).expect("a tape").current();
        let mut lists = Lists::new(&mut tape, 5);
        let questions: Vec<_> = (0..CONVERSATION).map(|_| lists.question(&mut tape, 8)).collect();
        let Lists { vocabulary, arena, axioms, .. } = lists;
        let mut three = Three::new(World { vocabulary, arena });
        assert!(axioms.into_iter().all(|axiom| three.assert(axiom)));
        for assumed in questions {
            three.ask(&assumed, &limits(&mut tape), &mut tally);
        }
    }
    println!("{tally:?}");
    let Tally { sat, unsat, refused, untold } = tally;
    assert!(
        sat > wanted / 10 && unsat > wanted / 10 && refused == 0 && untold <= wanted / 500,
        "{sat} {unsat} {refused} {untold}"
    );
}
