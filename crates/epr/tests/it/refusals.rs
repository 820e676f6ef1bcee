//! What is outside EPR is refused, by name, and leaves no trace.

use trellis_epr::EprSolver;
use trellis_logic::{Arena, SortId, Vocabulary};
use trellis_solver::{Answer, Context, Limits, Solver, Unknown};

#[test]
fn alternations_are_named() {
    let mut vocabulary = Vocabulary::new();
    let node = vocabulary.sort("node");
    let edge = vocabulary.relation("edge", &[node, node]);
    let mut arena = Arena::new();
    let [x, y] = ["x", "y"].map(|name| arena.variable(name, node));
    let (x_term, y_term) = (arena.var_term(x), arena.var_term(y));
    let atom = arena.rel(edge, &[x_term, y_term]);
    let some = arena.exists(&[y], atom);
    let total = arena.forall(&[x], some);
    let open = arena.rel(edge, &[x_term, x_term]);
    let mut context = Context { vocabulary: &vocabulary, arena: &mut arena };
    let mut solver = EprSolver::default();
    let refusal = solver.assert(&mut context, total).unwrap_err();
    assert!(refusal.reason.contains(r"\exists node y; edge(x, y)"), "{refusal}");
    let answer = solver.check(&mut context, &[total], &Limits::default());
    assert_eq!(answer, Answer::Unknown(Unknown::Refused(refusal)));
    assert!(solver.assert(&mut context, open).unwrap_err().reason.contains("`x` is free"));
    assert_eq!(solver.check(&mut context, &[], &Limits::default()), Answer::Sat);
    assert_eq!(solver.statistics().clauses, 0);
}

#[test]
fn two_formulas_may_be_too_much_together() {
    let mut vocabulary = Vocabulary::new();
    let (a, b) = (vocabulary.sort("a"), vocabulary.sort("b"));
    let (to_b, to_a) = (vocabulary.function("f", &[a], b), vocabulary.function("g", &[b], a));
    let (p, q) = (vocabulary.relation("p", &[a, b]), vocabulary.relation("q", &[b, a]));
    let mut arena = Arena::new();
    let (x, y) = (arena.variable("x", a), arena.variable("y", b));
    let (x_term, y_term) = (arena.var_term(x), arena.var_term(y));
    let (fx, gy) = (arena.app(to_b, &[x_term]), arena.app(to_a, &[y_term]));
    let (first, second) = (arena.rel(p, &[x_term, fx]), arena.rel(q, &[y_term, gy]));
    let (first, second) = (arena.forall(&[x], first), arena.forall(&[y], second));
    let mut context = Context { vocabulary: &vocabulary, arena: &mut arena };
    let mut solver = EprSolver::default();
    solver.assert(&mut context, first).unwrap();
    let refusal = solver.assert(&mut context, second).unwrap_err();
    assert!(refusal.reason.starts_with("not stratified (a → b → a)"), "{refusal}");
    assert_eq!(solver.check(&mut context, &[], &Limits::default()), Answer::Sat);
    EprSolver::default().assert(&mut context, second).unwrap();
}

#[test]
fn integers_and_fields_beside_their_closures_are_refused() {
    let mut vocabulary = Vocabulary::new();
    let node = vocabulary.sort("node");
    let h = vocabulary.constant("h", node);
    let size = vocabulary.constant("size", SortId::INT);
    let next = vocabulary.field("next", node, node);
    let reach = vocabulary.closure("reach", next);
    let mut arena = Arena::new();
    let (h, size, one) = (arena.constant(h), arena.constant(size), arena.num(1));
    let small = arena.le(size, one);
    let step = arena.app(next, &[h]);
    let cyclic = arena.eq(step, h);
    let reached = arena.rel(reach, &[h, h]);
    let mut context = Context { vocabulary: &vocabulary, arena: &mut arena };
    let mut solver = EprSolver::default();
    assert!(solver.assert(&mut context, small).unwrap_err().reason.contains("`size`"));
    solver.assert(&mut context, cyclic).unwrap();
    let refusal = solver.assert(&mut context, reached).unwrap_err();
    assert!(refusal.reason.contains("applies the field"), "{refusal}");
    assert_eq!(solver.check(&mut context, &[], &Limits::default()), Answer::Sat);
    let model = solver.model(&mut context, &Limits::default()).unwrap();
    assert_eq!(model.eval(&arena, cyclic), Ok(true));
}
