//! One solver for many queries against a new solver for each.

use std::cell::Cell;

use trellis_epr::{EprSolver, Options};
use trellis_logic::generate::{Tape, runner, tapes};
use trellis_logic::{Arena, FormulaId, Vocabulary};
use trellis_solver::{Answer, Context, Limits, Solver};

use crate::random::{Problem, cases, certify, problem};

fn assert_into(solver: &mut EprSolver, problem: &mut Problem, f: FormulaId) -> bool {
    let Problem { vocabulary, arena, .. } = problem;
    solver.assert(&mut Context { vocabulary, arena }, f).is_ok()
}

/// Asserts and checks at random; says how many checks there were.
fn conversation(tape: &mut Tape, options: Options, functions: bool) -> u32 {
    let mut problem = problem(tape, 6, functions);
    let mut solver = EprSolver::new(options);
    let mut asserted = Vec::new();
    let formulas = problem.formulas.clone();
    let mut checks = 0;
    for _ in 0..6 + tape.below(8) {
        if tape.chance(25) {
            let &f = tape.pick(&formulas).unwrap();
            if assert_into(&mut solver, &mut problem, f) {
                asserted.push(f);
            }
            continue;
        }
        let assumed: Vec<FormulaId> =
            (0..1 + tape.below(3)).map(|_| *tape.pick(&formulas).unwrap()).collect();
        let limits = Limits {
            minimise_core: tape.chance(30),
            minimise_model: tape.chance(30),
            ..Limits::default()
        };
        let Some(found) = certify(&mut solver, &mut problem, &asserted, &assumed, &limits) else {
            continue;
        };
        let mut fresh = EprSolver::default();
        let taken = asserted.iter().all(|&f| assert_into(&mut fresh, &mut problem, f));
        assert!(taken, "what was taken one by one is taken again");
        let again = certify(&mut fresh, &mut problem, &asserted, &assumed, &Limits::default());
        assert_eq!(Some(found), again);
        checks += 1;
    }
    checks
}

#[test]
fn a_long_conversation_gives_the_answers_of_new_solvers() {
    let checks = Cell::new(0);
    runner(cases(300))
        .run(&tapes(600), |mut tape| {
            checks.set(checks.get() + conversation(&mut tape, Options::default(), false));
            checks.set(checks.get() + conversation(&mut tape, Options::default(), true));
            Ok(())
        })
        .unwrap();
    assert!(checks.get() > 1000, "{}", checks.get());
}

#[test]
fn building_anew_changes_no_answer() {
    runner(cases(200))
        .run(&tapes(600), |mut tape| {
            let options = Options { rebuild_above: 3, seed: 7, ..Options::default() };
            conversation(&mut tape, options, false);
            Ok(())
        })
        .unwrap();
}

/// Clauses behind guards, as an engine's frames: asserted, assumed, retired.
#[test]
fn memory_does_not_grow_with_retired_clauses_and_old_assumptions() {
    let mut vocabulary = Vocabulary::new();
    let node = vocabulary.sort("node");
    let constants = ["a", "b", "c"].map(|name| vocabulary.constant(name, node));
    let edge = vocabulary.relation("edge", &[node, node]);
    let guards: Vec<_> = (0..3000).map(|i| vocabulary.relation(format!("act{i}"), &[])).collect();
    let mut arena = Arena::new();
    let [a, b, c] = constants.map(|f| arena.constant(f));
    let vars = ["x", "y"].map(|name| arena.variable(name, node));
    let [x, y] = vars.map(|v| arena.var_term(v));
    let forth = arena.rel(edge, &[x, y]);
    let back = arena.rel(edge, &[y, x]);
    let symmetric = arena.implies(forth, back);
    let (ab, bc, ca) =
        (arena.rel(edge, &[a, b]), arena.rel(edge, &[b, c]), arena.rel(edge, &[c, a]));
    let loop_free = arena.rel(edge, &[x, x]);
    let loop_free = arena.not(loop_free);
    let loop_free = arena.forall(&vars, loop_free);
    let mut solver = EprSolver::new(Options { rebuild_above: 500, ..Options::default() });
    let mut most = 0;
    for (i, &guard) in guards.iter().enumerate() {
        let act = arena.rel(guard, &[]);
        let part = [ab, bc, ca][i % 3];
        let body = arena.or([symmetric, part]);
        let clause = arena.forall(&vars, body);
        let guarded = arena.implies(act, clause);
        let apart = arena.ne(a, b);
        let some = arena.exists(&vars, forth);
        let no = arena.not(act);
        let mut context = Context { vocabulary: &vocabulary, arena: &mut arena };
        solver.assert(&mut context, guarded).unwrap();
        let assumed = [act, loop_free, apart, some];
        assert_eq!(solver.check(&mut context, &assumed, &Limits::default()), Answer::Sat);
        solver.assert(&mut context, no).unwrap();
        let answer = solver.check(&mut context, &[act], &Limits::default());
        assert_eq!((answer, solver.core()), (Answer::Unsat, &[0][..]));
        most = most.max(solver.statistics().terms);
    }
    assert!(most < 12, "{most} terms");
    assert!(solver.statistics().clauses < 30_000, "{:?}", solver.statistics());
}

#[test]
fn assuming_again_adds_no_clauses() {
    let mut vocabulary = Vocabulary::new();
    let node = vocabulary.sort("node");
    let edge = vocabulary.relation("edge", &[node, node]);
    let mut arena = Arena::new();
    let vars = ["x", "y"].map(|name| arena.variable(name, node));
    let [x, y] = vars.map(|v| arena.var_term(v));
    let (forth, back) = (arena.rel(edge, &[x, y]), arena.rel(edge, &[y, x]));
    let one_way = arena.not(back);
    let one_way = arena.and([forth, one_way]);
    let some = arena.exists(&vars, one_way);
    let symmetric = arena.implies(forth, back);
    let symmetric = arena.forall(&vars, symmetric);
    let mut solver = EprSolver::default();
    let mut context = Context { vocabulary: &vocabulary, arena: &mut arena };
    let limits = Limits::default();
    assert_eq!(solver.check(&mut context, &[some, symmetric], &limits), Answer::Unsat);
    assert_eq!(solver.check(&mut context, &[some], &limits), Answer::Sat);
    let before = solver.statistics();
    for _ in 0..10 {
        assert_eq!(solver.check(&mut context, &[some, symmetric], &limits), Answer::Unsat);
        assert_eq!(solver.core(), [0, 1]);
        assert_eq!(solver.check(&mut context, &[some], &limits), Answer::Sat);
    }
    let after = solver.statistics();
    assert_eq!((before.clauses, before.terms), (after.clauses, after.terms));
}
