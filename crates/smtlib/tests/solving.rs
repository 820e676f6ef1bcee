//! What z3 and cvc5 answer: models, cores, increments, integers, odd names.

mod common;

use common::{Heap, World, solver};
use trellis_logic::{Arena, ArithOp, FormulaId, SortId, Value, Vocabulary};
use trellis_smtlib::Dialect;
use trellis_solver::{Answer, Limits, Solver, Unknown};

#[test]
fn models_and_cores() {
    for dialect in Dialect::ALL {
        let (mut heap, mut solver) = (Heap::new(), solver(dialect));
        heap.assert_axioms(&mut solver);
        let (hi, ih, hj) = (heap.reaches(0, 1), heap.reaches(1, 0), heap.reaches(0, 2));
        let (differ, other) = (heap.differ(0, 1), heap.differ(1, 2));

        assert_eq!(heap.world.check(&mut solver, &[hi, differ, other]), Answer::Sat, "{dialect:?}");
        let model = solver.model(&mut heap.world.context(), &Limits::default());
        let model = model.unwrap_or_else(|error| panic!("{dialect:?}: {error}"));
        assert!(model.is_total());
        for f in heap.axioms.iter().chain(&[hi, differ, other]) {
            assert_eq!(model.eval(&heap.world.arena, *f), Ok(true), "{dialect:?}");
        }

        let limits = Limits { minimise_core: true, ..Limits::default() };
        let assumptions = [hj, hi, other, ih, hi, differ];
        let answer = solver.check(&mut heap.world.context(), &assumptions, &limits);
        assert_eq!(answer, Answer::Unsat, "{dialect:?}");
        assert_eq!(solver.core(), [1, 3, 5], "{dialect:?}");
        assert!(matches!(
            solver.model(&mut heap.world.context(), &Limits::default()),
            Err(Unknown::Incomplete(_))
        ));

        // The same process goes on, and what is asserted stays.
        assert_eq!(solver.assert(&mut heap.world.context(), ih), Ok(()));
        assert_eq!(heap.world.check(&mut solver, &[hi, differ]), Answer::Unsat, "{dialect:?}");
        assert_eq!(solver.core(), [0, 1], "{dialect:?}");
        assert_eq!(heap.world.check(&mut solver, &[hi]), Answer::Sat, "{dialect:?}");
        assert_eq!(heap.world.check(&mut solver, &[FormulaId::FALSE]), Answer::Unsat);
        assert_eq!(heap.world.check(&mut solver, &[FormulaId::TRUE]), Answer::Sat);
        assert_eq!(solver.starts(), 1);
        let statistics = solver.statistics();
        assert_eq!((statistics.checks, statistics.sat, statistics.unsat), (6, 3, 3));
    }
}

#[test]
fn the_vocabulary_may_grow() {
    for dialect in Dialect::ALL {
        let (mut heap, mut solver) = (Heap::new(), solver(dialect));
        heap.assert_axioms(&mut solver);
        assert_eq!(heap.world.check(&mut solver, &[]), Answer::Sat);
        let k = heap.world.vocabulary.variable("k", heap.node);
        let color = heap.world.vocabulary.sort("color");
        let paint = heap.world.vocabulary.function("paint", &[heap.node], color);
        let arena = &mut heap.world.arena;
        let (k, h) = (arena.constant(k), heap.constants[0]);
        let (of_k, of_h) = (arena.app(paint, &[k]), arena.app(paint, &[h]));
        let differ = arena.ne(of_k, of_h);
        assert_eq!(heap.world.check(&mut solver, &[differ]), Answer::Sat, "{dialect:?}");
        let model = solver.model(&mut heap.world.context(), &Limits::default());
        let model = model.unwrap_or_else(|error| panic!("{dialect:?}: {error}"));
        assert!(model.size(color) >= 2 && model.size(heap.node) >= 2);
        assert_eq!(solver.starts(), 1);
    }
}

#[test]
fn small_models_on_request() {
    for dialect in Dialect::ALL {
        let (mut heap, mut solver) = (Heap::new(), solver(dialect));
        heap.assert_axioms(&mut solver);
        let (differ, reach) = (heap.differ(0, 1), heap.reaches(1, 2));
        let limits = Limits { minimise_model: true, ..Limits::default() };
        for _ in 0..2 {
            let answer = solver.check(&mut heap.world.context(), &[differ, reach], &limits);
            assert_eq!(answer, Answer::Sat, "{dialect:?}");
            let model = solver.model(&mut heap.world.context(), &limits);
            assert_eq!(model.map(|m| m.size(heap.node)), Ok(2), "{dialect:?}");
        }
        // The bounds are gone afterwards.
        let all = [heap.differ(0, 1), heap.differ(1, 2), heap.differ(0, 2)];
        assert_eq!(heap.world.check(&mut solver, &all), Answer::Sat, "{dialect:?}");
        let answer = solver.check(&mut heap.world.context(), &all, &limits);
        assert_eq!(answer, Answer::Sat, "{dialect:?}");
        let model = solver.model(&mut heap.world.context(), &limits);
        assert_eq!(model.map(|m| m.size(heap.node)), Ok(3), "{dialect:?}");
    }
}

#[test]
fn integers() {
    for dialect in Dialect::ALL {
        let mut vocabulary = Vocabulary::new();
        let node = vocabulary.sort("struct node *");
        let (h, n) = (vocabulary.variable("h", node), vocabulary.variable("n", SortId::INT));
        let data = vocabulary.field("data", node, SortId::INT);
        let mut arena = Arena::new();
        let v = arena.variable("v", node);
        let (h, count, x) = (arena.constant(h), arena.constant(n), arena.var_term(v));
        let (data_x, data_h) = (arena.app(data, &[x]), arena.app(data, &[h]));
        let (minus_7, two) = (arena.num(-7), arena.num(2));
        let twice = arena.arith(ArithOp::Mul, two, count);
        let above = arena.lt(minus_7, data_x);
        let all_above = arena.forall(&[v], above);
        let equal = arena.eq(data_h, twice);
        let negative = {
            let zero = arena.num(0);
            arena.lt(twice, zero)
        };
        let below = {
            let minus_3 = arena.num(-3);
            arena.lt(count, minus_3)
        };
        let mut solver = solver(dialect);
        let mut world = World { vocabulary, arena };
        assert_eq!(solver.assert(&mut world.context(), all_above), Ok(()));
        assert_eq!(solver.assert(&mut world.context(), equal), Ok(()));
        assert_eq!(world.check(&mut solver, &[negative]), Answer::Sat, "{dialect:?}");
        let model = solver.model(&mut world.context(), &Limits::default());
        let model = model.unwrap_or_else(|error| panic!("{dialect:?}: {error}"));
        let Some(Value::Int(value)) = model.fun(n, &[]) else { panic!("{model:?}") };
        assert!((-3..0).contains(&value), "{dialect:?}: {value}");
        assert_eq!(world.check(&mut solver, &[negative, below]), Answer::Unsat, "{dialect:?}");
        assert!(solver.core().contains(&1));

        // A quantifier over the integers cannot be evaluated, so its model is not given out.
        let i = world.arena.variable("i", SortId::INT);
        let t = world.arena.var_term(i);
        let (lt, le) = (world.arena.lt(t, two), world.arena.le(t, two));
        let body = world.arena.implies(lt, le);
        let valid = world.arena.forall(&[i], body);
        let invalid = world.arena.not(valid);
        assert_eq!(world.check(&mut solver, &[invalid]), Answer::Unsat, "{dialect:?}");
        if world.check(&mut solver, &[valid]) == Answer::Sat {
            let model = solver.model(&mut world.context(), &Limits::default());
            assert!(matches!(model, Err(Unknown::Incomplete(_))), "{model:?}");
        }
    }
}

#[test]
fn odd_names() {
    for dialect in Dialect::ALL {
        let mut vocabulary = Vocabulary::new();
        let sorts = ["struct node *", "void (*)(int|\\)", "Int", "Ünder%;\"", "@x", ".y", ""];
        let sorts = sorts.map(|name| vocabulary.sort(name));
        let mut arena = Arena::new();
        let mut formulas = Vec::new();
        for (i, &sort) in sorts.iter().enumerate() {
            let names = ["and", "a b|c", "true", "x\n!val!0", "\\", "@N_0", ".q", "0", "let"];
            let (a, b) = (names[i], names[(i + 1) % names.len()]);
            let (a, b) = (vocabulary.variable(a, sort), vocabulary.variable(b, sort));
            let p = vocabulary.relation("or", &[sort, sort]);
            let (a, b) = (arena.constant(a), arena.constant(b));
            let v = arena.variable("not |", sort);
            let x = arena.var_term(v);
            let body = arena.rel(p, &[x, a]);
            formulas.extend([arena.ne(a, b), arena.forall(&[v], body)]);
        }
        let mut solver = solver(dialect);
        let mut world = World { vocabulary, arena };
        assert_eq!(world.check(&mut solver, &formulas), Answer::Sat, "{dialect:?}");
        let model = solver.model(&mut world.context(), &Limits::default());
        let model = model.unwrap_or_else(|error| panic!("{dialect:?}: {error}"));
        for &sort in &sorts {
            assert!(model.size(sort) >= 2, "{dialect:?}");
        }
    }
}

#[test]
fn open_formulas_are_refused() {
    let (mut heap, mut solver) = (Heap::new(), solver(Dialect::Z3));
    let v = heap.world.arena.variable("loose", heap.node);
    let x = heap.world.arena.var_term(v);
    let open = heap.world.arena.rel(heap.reach, &[x, x]);
    let refusal = solver.assert(&mut heap.world.context(), open);
    assert_eq!(refusal.map_err(|r| r.reason), Err("the variable `loose` is free".into()));
    let answer = heap.world.check(&mut solver, &[open]);
    assert!(matches!(answer, Answer::Unknown(Unknown::Refused(_))), "{answer:?}");
    // The solver was not harmed.
    assert_eq!(heap.world.check(&mut solver, &[]), Answer::Sat);
}
