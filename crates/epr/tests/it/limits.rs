//! Deadlines, cancellation and bounds are answers, and the solver lives on.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use trellis_epr::{EprSolver, Options};
use trellis_logic::{Arena, FormulaId, Vocabulary};
use trellis_solver::{Answer, Context, Limits, Solver, Unknown};

/// So many pigeons in one hole less.
fn pigeons(count: usize) -> (Vocabulary, Arena, Vec<FormulaId>) {
    let mut vocabulary = Vocabulary::new();
    let (pigeon, hole) = (vocabulary.sort("pigeon"), vocabulary.sort("hole"));
    let pigeons: Vec<_> =
        (0..count).map(|i| vocabulary.constant(format!("p{i}"), pigeon)).collect();
    let holes: Vec<_> = (1..count).map(|i| vocabulary.constant(format!("h{i}"), hole)).collect();
    let sits = vocabulary.relation("sits", &[pigeon, hole]);
    let mut arena = Arena::new();
    let mut formulas = Vec::new();
    let pigeons: Vec<_> = pigeons.into_iter().map(|p| arena.constant(p)).collect();
    for (i, &p) in pigeons.iter().enumerate() {
        let somewhere: Vec<_> = holes
            .iter()
            .map(|&h| {
                let h = arena.constant(h);
                arena.rel(sits, &[p, h])
            })
            .collect();
        formulas.push(arena.or(somewhere));
        for &q in &pigeons[..i] {
            formulas.push(arena.ne(p, q));
        }
    }
    let [x, y] = ["x", "y"].map(|name| arena.variable(name, pigeon));
    let h = arena.variable("h", hole);
    let [x_term, y_term, h_term] = [x, y, h].map(|v| arena.var_term(v));
    let here = arena.rel(sits, &[x_term, h_term]);
    let there = arena.rel(sits, &[y_term, h_term]);
    let (both, same) = (arena.and([here, there]), arena.eq(x_term, y_term));
    let alone = arena.implies(both, same);
    formulas.push(arena.forall(&[x, y, h], alone));
    (vocabulary, arena, formulas)
}

#[test]
fn a_deadline_is_kept_inside_the_search() {
    let (vocabulary, mut arena, formulas) = pigeons(11);
    let mut context = Context { vocabulary: &vocabulary, arena: &mut arena };
    let mut solver = EprSolver::default();
    for &f in &formulas {
        solver.assert(&mut context, f).unwrap();
    }
    let start = Instant::now();
    let limits = Limits::within(Duration::from_millis(50));
    assert_eq!(solver.check(&mut context, &[], &limits), Answer::Unknown(Unknown::Time));
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
    assert!(solver.model(&mut context, &Limits::default()).is_err());
    assert!(solver.core().is_empty());

    let cancel = Some(Arc::new(AtomicBool::new(true)));
    let limits = Limits { cancel, ..Limits::default() };
    assert_eq!(solver.check(&mut context, &[], &limits), Answer::Unknown(Unknown::Cancelled));
    let answer = solver.check(&mut context, &[FormulaId::FALSE], &Limits::default());
    assert_eq!((answer, solver.core()), (Answer::Unsat, &[0][..]));
}

#[test]
fn a_few_pigeons_are_no_problem() {
    let (vocabulary, mut arena, formulas) = pigeons(5);
    let mut context = Context { vocabulary: &vocabulary, arena: &mut arena };
    let mut solver = EprSolver::default();
    assert_eq!(solver.check(&mut context, &formulas, &Limits::default()), Answer::Unsat);
    let limits = Limits { minimise_core: true, ..Limits::default() };
    assert_eq!(solver.check(&mut context, &formulas, &limits), Answer::Unsat);
    assert_eq!(solver.core().len(), formulas.len(), "all of it is needed");
    assert_eq!(solver.check(&mut context, &formulas[1..], &Limits::default()), Answer::Sat);
}

#[test]
fn a_bound_on_clauses_is_kept() {
    let (vocabulary, mut arena, formulas) = pigeons(8);
    let mut context = Context { vocabulary: &vocabulary, arena: &mut arena };
    let mut solver = EprSolver::new(Options { max_clauses: 50, ..Options::default() });
    let answer = solver.check(&mut context, &formulas, &Limits::default());
    assert_eq!(answer, Answer::Unknown(Unknown::Memory));
}

/// A path of so many steps, each from anywhere to anywhere, ends where it is red: everything is. To see
/// that no instance is violated takes as many tries as there are paths.
#[test]
fn a_deadline_is_kept_while_a_model_is_looked_through() {
    const STEPS: usize = 40;
    let mut vocabulary = Vocabulary::new();
    let node = vocabulary.sort("node");
    let [a, b] = ["a", "b"].map(|name| vocabulary.constant(name, node));
    let step = vocabulary.relation("step", &[node, node]);
    let red = vocabulary.relation("red", &[node]);
    let mut arena = Arena::new();
    let vars: Vec<_> = (0..STEPS).map(|i| arena.variable(format!("x{i}"), node)).collect();
    let terms: Vec<_> = vars.iter().map(|&v| arena.var_term(v)).collect();
    let [a, b] = [a, b].map(|c| arena.constant(c));
    let steps: Vec<_> = terms.windows(2).map(|pair| arena.rel(step, pair)).collect();
    let path = arena.and(steps);
    let is_red = arena.rel(red, &terms[STEPS - 1..]);
    let ends_red = arena.implies(path, is_red);
    let ends_red = arena.forall(&vars, ends_red);
    let everywhere = arena.rel(step, &terms[..2]);
    let everywhere = arena.forall(&vars[..2], everywhere);
    let all_red = arena.rel(red, &terms[..1]);
    let all_red = arena.forall(&vars[..1], all_red);
    let two = arena.ne(a, b);
    let mut context = Context { vocabulary: &vocabulary, arena: &mut arena };
    let mut solver = EprSolver::default();
    let start = Instant::now();
    let limits = Limits::within(Duration::from_millis(50));
    let all = [ends_red, everywhere, all_red, two];
    assert_eq!(solver.check(&mut context, &all, &limits), Answer::Unknown(Unknown::Time));
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    assert_eq!(solver.check(&mut context, &all[1..], &Limits::default()), Answer::Sat);
}
