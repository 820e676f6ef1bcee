//! The engine on something else: a doubly-linked list, described by two fields and one
//! instrumentation predicate.

use std::sync::Arc;

use trellis_canonical::engine::{Check, JoinPolicy, Limits, OnFailure, System, Transition, run};
use trellis_logic::kleene::{
    Action, Formula, KleeneStructure, Predicate, Predicates, Property, Shown, Update, Var,
};
use trellis_program::{FileId, NoResult, Span, StopReason};

const V: Var = Var::new(0);
const W: Var = Var::new(1);
const U: Var = Var::new(2);

/// `while (…) { e = malloc(…); e->f = x; if (x) x->b = e; x = e; }`, starting with nothing. With
/// `forget`, the line about `b` is missing.
fn push_front(forget: bool) -> System {
    let mut predicates = Predicates::new();
    let pointer =
        |name: &str| Predicate::core(name, 1).with(Property::Unique).shown(Shown::Pointer);
    let x = predicates.declare(pointer("x"));
    let e = predicates.declare(pointer("e"));
    let f = predicates.declare(Predicate::core("f", 2).with(Property::Functional));
    let b = predicates.declare(Predicate::core("b", 2).with(Property::Functional));
    let new = predicates.declare(Predicate::core("new", 1).no_abstraction());
    // Forth and back is where one started.
    let returns = Formula::or([Formula::atom(f, &[V, U]).not(), Formula::atom(b, &[U, V])]);
    let returns = Formula::forall(U, returns);
    let c = predicates.declare(Predicate::instrumentation("c_fb", 1, returns));
    let set = |predicate, formula| Update { predicate, formula };
    let (is_x, is_e) = (|v| Formula::atom(x, &[v]), |v| Formula::atom(e, &[v]));
    let allocate = Action {
        allocates: Some(new),
        updates: vec![
            set(e, Formula::atom(new, &[V])),
            set(c, Formula::or([Formula::atom(c, &[V]), Formula::atom(new, &[V])])),
        ],
        ..Action::default()
    };
    let back_to = |v| {
        let back = Formula::or([is_x(U).not(), Formula::atom(b, &[U, v])]);
        Formula::forall(U, back)
    };
    let link = Action {
        updates: vec![
            set(f, Formula::or([Formula::atom(f, &[V, W]), Formula::and([is_e(V), is_x(W)])])),
            set(
                c,
                Formula::or([
                    Formula::and([Formula::atom(c, &[V]), is_e(V).not()]),
                    Formula::and([is_e(V), back_to(V)]),
                ]),
            ),
        ],
        ..Action::default()
    };
    let leads_to_x = Formula::exists(U, Formula::and([is_x(U), Formula::atom(f, &[V, U])]));
    let link_back = Action {
        guard: Some(Formula::exists(U, is_x(U))),
        updates: vec![
            set(
                b,
                Formula::or([
                    Formula::and([Formula::atom(b, &[V, W]), is_x(V).not()]),
                    Formula::and([is_x(V), is_e(W)]),
                ]),
            ),
            set(
                c,
                Formula::or([
                    Formula::and([leads_to_x.clone(), is_e(V)]),
                    Formula::and([leads_to_x.not(), Formula::atom(c, &[V])]),
                ]),
            ),
        ],
        ..Action::default()
    };
    let empty = Action { guard: Some(Formula::exists(U, is_x(U)).not()), ..Action::default() };
    let skip = Action::default();
    let advance = Action {
        updates: vec![set(x, is_e(V)), set(e, Formula::Const(false.into()))],
        ..Action::default()
    };
    let step =
        |from, to, action| Transition { from, to, action, checks: Vec::new(), collects: false };
    let all_return = Formula::forall(V, Formula::atom(c, &[V]));
    let mut end = step(0, 4, Action::default());
    end.checks.push(Check { id: 0, formula: all_return, failure: OnFailure::Stops });
    let predicates = Arc::new(predicates);
    System {
        constraints: predicates.constraints(),
        collector: None,
        points: vec![Span::new(FileId(0), 0, 0); 5],
        transitions: vec![
            step(0, 1, allocate),
            step(1, 2, link),
            step(2, 3, if forget { skip } else { link_back }),
            step(2, 3, empty),
            step(3, 0, advance),
            end,
        ],
        entry: 0,
        initial: vec![KleeneStructure::new(predicates.clone(), 0)],
        predicates,
    }
}

#[test]
fn pushing_keeps_a_list_doubly_linked() {
    for join in [JoinPolicy::Relational, JoinPolicy::SameNames] {
        let limits = Limits { join, ..Limits::default() };
        let found = run(&push_front(false), &limits).unwrap();
        assert!(found.alarms.is_empty());
        // Lists of no, one, two and more nodes, and these once more where nothing is definite.
        assert!((3..8).contains(&found.states[4].len()), "{}", found.states[4].len());
        let found = run(&push_front(true), &limits).unwrap();
        assert!(found.alarms[&0].definite);
    }
}

#[test]
fn joining_keeps_fewer_structures() {
    let count = |join| {
        let limits = Limits { join, ..Limits::default() };
        run(&push_front(false), &limits).unwrap().structures()
    };
    assert!(count(JoinPolicy::SameNames) <= count(JoinPolicy::Relational));
}

#[test]
fn limits_are_kept() {
    let limits = Limits { structures: 3, ..Limits::default() };
    assert_eq!(
        run(&push_front(false), &limits).unwrap_err(),
        NoResult::Stopped(StopReason::Memory)
    );
}
