//! Three-valued structures: the contracts of the operators, by random cases and by enumeration of
//! small heaps, and pictures.

use std::cell::Cell;
use std::sync::Arc;

use expect_test::{expect, expect_file};
use proptest::prelude::*;
use trellis_logic::drawing::TextStyle;
use trellis_logic::generate::kleene as random;
use trellis_logic::generate::{Tape, runner, tapes};
use trellis_logic::kleene::{
    Action, Constraint, Evaluator, FocusLimit, Formula, Kleene, KleeneStructure, Predicate,
    Predicates, Property, Shown, Update, Var, coerce, focus,
};

/// Counts the cases that a test is about, so that it cannot pass on none.
#[derive(Default)]
struct Count(Cell<usize>);

impl Count {
    fn add(&self, number: usize) {
        self.0.set(self.0.get() + number);
    }

    fn get(&self) -> usize {
        self.0.get()
    }
}

const A: Var = Var::new(0);
const B: Var = Var::new(1);
const C: Var = Var::new(2);

/// All definite structures with at most so many individuals.
fn all_definite(predicates: &Arc<Predicates>, size: usize) -> Vec<KleeneStructure> {
    let mut all = Vec::new();
    for n in 0..=size {
        let empty = KleeneStructure::new(predicates.clone(), n);
        let mut places = Vec::new();
        for p in predicates.ids() {
            for tuple in empty.tuples(predicates.get(p).arity) {
                places.push((p, tuple));
            }
        }
        for bits in 0..1_u32 << places.len() {
            let mut structure = empty.clone();
            for (i, (p, tuple)) in places.iter().enumerate() {
                structure.set(*p, tuple, bits >> i & 1 == 1);
            }
            all.push(structure);
        }
    }
    all
}

/// A pointer and a field, or a small variation.
fn small_predicates(properties: bool) -> Arc<Predicates> {
    let mut predicates = Predicates::new();
    let x = Predicate::core("x", 1);
    let n = Predicate::core("n", 2);
    match properties {
        true => {
            predicates.declare(x.with(Property::Unique));
            predicates.declare(n.with(Property::Functional));
        }
        false => {
            predicates.declare(x);
            predicates.declare(n);
        }
    }
    Arc::new(predicates)
}

#[test]
fn blur_embeds_and_values_agree() {
    // The embedding theorem: what is definite in blur(S) is so in S.
    let definite_values = Count::default();
    let strategy = tapes(250);
    runner(4000)
        .run(&strategy, |mut tape| {
            let predicates = random::predicates(&mut tape);
            let concrete = random::definite(&mut tape, &predicates, 5);
            let (blurred, map) = concrete.blur_with_map();
            prop_assert!(concrete.embeds(&blurred));
            prop_assert!(blurred.blur() == blurred);
            let places = tape.below(3) as usize;
            let formula = random::formula(&mut tape, &predicates, places, 4);
            for tuple in concrete.tuples(places) {
                let image: Vec<usize> = tuple.iter().map(|&u| map[u]).collect();
                let exact = Evaluator::new(&concrete).at(&formula, &tuple);
                let abstracted = Evaluator::new(&blurred).at(&formula, &image);
                prop_assert!(exact.is_definite());
                prop_assert!(exact.is_below(abstracted), "{}", formula.print(&predicates));
            }
            Ok(())
        })
        .unwrap();
    runner(500)
        .run(&strategy, |mut tape| {
            let predicates = random::predicates(&mut tape);
            let structure = random::indefinite(&mut tape, &predicates, 4).blur();
            let formula = random::formula(&mut tape, &predicates, 0, 4);
            let value = Evaluator::new(&structure).closed(&formula);
            definite_values.add(usize::from(value.is_definite()));
            Ok(())
        })
        .unwrap();
    // Else the theorem would be tested on nothing but Maybe.
    assert!(definite_values.get() > 100, "{}", definite_values.get());
}

#[test]
fn blur_of_an_abstract_structure_represents_it() {
    runner(2000)
        .run(&tapes(250), |mut tape| {
            let predicates = random::predicates(&mut tape);
            let structure = random::indefinite(&mut tape, &predicates, 4);
            prop_assert!(structure.embeds(&structure.blur()));
            Ok(())
        })
        .unwrap();
}

#[test]
fn embedding_agrees_with_all_functions() {
    let predicates = small_predicates(false);
    let onto_by_hand = |from: &KleeneStructure, into: &KleeneStructure| {
        let (n, m) = (from.size(), into.size());
        (0..m.pow(n as u32)).any(|code| {
            let f: Vec<usize> = (0..n).map(|i| code / m.pow(i as u32) % m).collect();
            let onto = (0..m).all(|t| f.contains(&t));
            let equality =
                (0..n).all(|u| (0..n).all(|v| from.equal(u, v).is_below(into.equal(f[u], f[v]))));
            let values = predicates.ids().all(|p| {
                from.tuples(predicates.get(p).arity).iter().all(|tuple| {
                    let image: Vec<usize> = tuple.iter().map(|&u| f[u]).collect();
                    from.get(p, tuple).is_below(into.get(p, &image))
                })
            });
            onto && equality && values
        })
    };
    let found = Count::default();
    runner(3000)
        .run(&tapes(150), |mut tape| {
            let from = random::definite(&mut tape, &predicates, 3);
            let into = match tape.chance(50) {
                true => from.blur(),
                false => random::indefinite(&mut tape, &predicates, 3),
            };
            let embeds = from.embeds(&into);
            found.add(usize::from(embeds));
            prop_assert_eq!(embeds, onto_by_hand(&from, &into));
            Ok(())
        })
        .unwrap();
    assert!((500..2900).contains(&found.get()), "{}", found.get());
}

#[test]
fn focus_neither_loses_nor_adds_heaps() {
    let predicates = small_predicates(false);
    let heaps = all_definite(&predicates, 3);
    let cases = Count::default();
    runner(300)
        .run(&tapes(120), |mut tape| {
            let structure = random::indefinite(&mut tape, &predicates, 3);
            let places = tape.below(2) as usize;
            let formula = random::formula(&mut tape, &predicates, places, 3);
            let results = focus(structure.clone(), places, &formula, FocusLimit::default(), Some);
            cases.add(results.len());
            for heap in &heaps {
                let before = heap.embeds(&structure);
                let after = results.iter().any(|r| heap.embeds(r));
                prop_assert_eq!(before, after, "{}", formula.print(&predicates));
            }
            Ok(())
        })
        .unwrap();
    assert!(cases.get() > 350, "{}", cases.get());
}

#[test]
fn focus_makes_the_successor_of_a_variable_definite() {
    let predicates = small_predicates(true);
    let [x, n] = ["x", "n"].map(|name| predicates.find(name).unwrap());
    let constraints = predicates.constraints();
    let successor =
        Formula::exists(B, Formula::and([Formula::atom(x, &[B]), Formula::atom(n, &[B, A])]));
    // x → summary, with maybe edges: the classic first picture of focus.
    let mut list = KleeneStructure::new(predicates.clone(), 2);
    list.set(x, &[0], true);
    list.set_summary(1, true);
    list.set(n, &[0, 1], Kleene::Maybe);
    list.set(n, &[1, 1], Kleene::Maybe);
    let results = focus(list, 1, &successor, FocusLimit::default(), |s| coerce(s, &constraints));
    let mut pictures: Vec<String> =
        results.iter().map(|r| r.drawing().to_text(TextStyle::Unicode)).collect();
    pictures.sort();
    for r in &results {
        for u in 0..r.size() {
            assert!(Evaluator::new(r).at(&successor, &[u]).is_definite());
        }
    }
    expect![[r#"
        1{x}
        2* ⇢ (2*)

        1{x} → 2
        2 ⇢ (2)

        1{x} → 3
        3 ⇢ 2*, ⇢ (3)
        2* ⇢ (2*), ⇢ (3)"#]]
    .assert_eq(&pictures.join("\n\n"));
}

/// Clauses over x and n, some of them with formulas that are not literals.
fn random_constraint(tape: &mut Tape, predicates: &Predicates) -> Constraint {
    let places = tape.below(3) as usize;
    let disjuncts: Vec<Formula> =
        (0..=tape.below(2)).map(|_| random::formula(tape, predicates, places, 2)).collect();
    Constraint::new("random", places, disjuncts)
}

fn satisfies(heap: &KleeneStructure, constraints: &[Constraint]) -> bool {
    constraints.iter().all(|c| {
        heap.tuples(c.places())
            .iter()
            .all(|tuple| c.disjuncts().any(|d| Evaluator::new(heap).at(d, tuple) == Kleene::True))
    })
}

#[test]
fn coerce_loses_no_heap_that_satisfies_the_constraints_and_adds_none() {
    let predicates = small_predicates(true);
    let heaps = all_definite(&predicates, 3);
    let (sharpened, rejected) = (Count::default(), Count::default());
    runner(300)
        .run(&tapes(150), |mut tape| {
            let structure = random::indefinite(&mut tape, &predicates, 3);
            let mut constraints = predicates.constraints();
            constraints.push(random_constraint(&mut tape, &predicates));
            let result = coerce(structure.clone(), &constraints);
            match &result {
                None => rejected.add(1),
                Some(result) if *result != structure => sharpened.add(1),
                Some(_) => {}
            }
            for heap in &heaps {
                let after = result.as_ref().is_some_and(|r| heap.embeds(r));
                let before = heap.embeds(&structure);
                if before && satisfies(heap, &constraints) {
                    prop_assert!(after, "a heap was lost");
                }
                prop_assert!(before || !after, "a heap was added");
            }
            Ok(())
        })
        .unwrap();
    assert!(sharpened.get() > 30 && rejected.get() > 30);
}

#[test]
fn coerce_settles_functional_unique_and_summary() {
    let predicates = small_predicates(true);
    let [x, n] = ["x", "n"].map(|name| predicates.find(name).unwrap());
    let mut structure = KleeneStructure::new(predicates.clone(), 3);
    structure.set(x, &[0], true);
    structure.set_summary(0, true);
    structure.set(x, &[1], Kleene::Maybe);
    structure.set(n, &[0, 2], true);
    structure.set(n, &[0, 1], Kleene::Maybe);
    structure.set_summary(2, true);
    let sharp = coerce(structure, &predicates.constraints()).unwrap();
    // x is unique, so 0 is one object and 1 is not pointed to; its field has one value.
    assert!(!sharp.is_summary(0) && !sharp.is_summary(2));
    assert_eq!(sharp.get(x, &[1]), Kleene::False);
    assert_eq!(sharp.get(n, &[0, 1]), Kleene::False);
    let mut twice = sharp.clone();
    twice.set(n, &[0, 1], true);
    assert!(coerce(twice, &predicates.constraints()).is_none());
}

#[test]
fn updates_commute_with_blur_up_to_embedding() {
    let grown = Count::default();
    runner(3000)
        .run(&tapes(400), |mut tape| {
            let base = random::predicates(&mut tape);
            // One instrumentation predicate of one place on top, without an update formula.
            let mut predicates = Predicates::clone(&base);
            let definition = random::formula(&mut tape, &base, 1, 3);
            predicates.declare(Predicate::instrumentation("i", 1, definition));
            let predicates = Arc::new(predicates);
            let core: Vec<_> = base.ids().collect();
            let mut action = Action::default();
            for &p in &core {
                if tape.chance(60) {
                    let arity = base.get(p).arity;
                    let formula = random::formula(&mut tape, &base, arity, 3);
                    action.updates.push(Update { predicate: p, formula });
                }
            }
            if tape.chance(40) {
                action.allocates = core.iter().copied().find(|&p| base.get(p).arity == 1);
            }
            let mut concrete = random::definite(&mut tape, &predicates, 4);
            concrete.instrument();
            let stepped = concrete.update(&action);
            grown.add(usize::from(stepped.size() > concrete.size()));
            let mut again = stepped.clone();
            again.instrument();
            prop_assert!(again == stepped, "instrumentation is not what its definition says");
            prop_assert!(stepped.embeds(&concrete.blur().update(&action)));
            prop_assert!(stepped.embeds(&concrete.blur().update(&action).blur()));
            Ok(())
        })
        .unwrap();
    assert!(grown.get() > 300, "{}", grown.get());
}

#[test]
fn updates_may_speak_of_new_values_of_earlier_predicates() {
    let mut predicates = Predicates::new();
    let x = predicates.declare(Predicate::core("x", 1));
    let y = predicates.declare(Predicate::core("y", 1));
    let predicates = Arc::new(predicates);
    let swap = Action {
        updates: vec![
            Update { predicate: x, formula: Formula::atom(y, &[A]) },
            Update { predicate: y, formula: Formula::after(x, &[A]).not() },
        ],
        ..Action::default()
    };
    let mut structure = KleeneStructure::new(predicates, 2);
    structure.set(x, &[0], true);
    structure.set(y, &[1], true);
    let after = structure.update(&swap);
    let values = |p| [after.get(p, &[0]), after.get(p, &[1])];
    assert_eq!(values(x), [Kleene::False, Kleene::True]);
    assert_eq!(values(y), [Kleene::True, Kleene::False]);
}

#[test]
fn keys_agree_with_all_bijections() {
    let permutations = |n: usize| -> Vec<Vec<usize>> {
        let mut all = vec![Vec::new()];
        for _ in 0..n {
            all = all
                .into_iter()
                .flat_map(|p: Vec<usize>| {
                    (0..n)
                        .filter(|u| !p.contains(u))
                        .map(|u| p.iter().copied().chain([u]).collect())
                        .collect::<Vec<_>>()
                })
                .collect();
        }
        all
    };
    let predicates = small_predicates(false);
    let same = Count::default();
    runner(1500)
        .run(&tapes(200), |mut tape| {
            let a = random::indefinite(&mut tape, &predicates, 4);
            let b = match tape.chance(50) {
                true => {
                    let all = permutations(a.size());
                    let renamed = a.copy_individuals(tape.pick(&all).unwrap());
                    prop_assert!(a.is_isomorphic(&renamed));
                    renamed
                }
                false => random::indefinite(&mut tape, &predicates, 2),
            };
            let by_hand = a.size() == b.size()
                && permutations(a.size()).iter().any(|p| a.copy_individuals(p) == b);
            same.add(usize::from(by_hand));
            prop_assert_eq!(a.is_isomorphic(&b), by_hand);
            if a.blur().is_isomorphic(&b.blur()) {
                prop_assert!(a.blur() == b.blur(), "blur is not canonical");
            }
            Ok(())
        })
        .unwrap();
    assert!(same.get() > 500, "{}", same.get());
}

#[test]
fn join_represents_both_and_no_more_than_it_must() {
    let joined = Count::default();
    runner(2000)
        .run(&tapes(250), |mut tape| {
            let predicates = random::predicates(&mut tape);
            let a = random::indefinite(&mut tape, &predicates, 3).blur();
            let mut b = a.clone();
            for p in predicates.ids() {
                if !predicates.get(p).abstraction {
                    for tuple in b.tuples(predicates.get(p).arity) {
                        b.set(p, &tuple, tape.chance(50));
                    }
                }
            }
            let Some(join) = a.join(&b) else {
                return Err(TestCaseError::fail("same names do not join"));
            };
            joined.add(1);
            prop_assert!(a.embeds(&join) && b.embeds(&join));
            // Making any value that both share definite again would lose nothing else.
            for p in predicates.ids() {
                for tuple in join.tuples(predicates.get(p).arity) {
                    let (u, v) = (a.get(p, &tuple), b.get(p, &tuple));
                    prop_assert_eq!(join.get(p, &tuple), if u == v { u } else { Kleene::Maybe });
                }
            }
            let other = random::indefinite(&mut tape, &predicates, 3).blur();
            let names =
                |s: &KleeneStructure| -> Vec<_> { (0..s.size()).map(|u| s.name_of(u)).collect() };
            prop_assert_eq!(a.join(&other).is_some(), names(&a) == names(&other));
            Ok(())
        })
        .unwrap();
    assert!(joined.get() > 1000);
}

#[test]
fn substitution_does_not_capture() {
    let predicates = small_predicates(false);
    let n = predicates.find("n").unwrap();
    let two_steps =
        Formula::exists(C, Formula::and([Formula::atom(n, &[A, C]), Formula::atom(n, &[C, B])]));
    let moved = two_steps.with(&[C, A]);
    expect!["E v3. (n(v2, v3) & n(v3, v0))"].assert_eq(&moved.print(&predicates));
    runner(2000)
        .run(&tapes(200), |mut tape| {
            let formula = random::formula(&mut tape, &predicates, 2, 4);
            let structure = random::indefinite(&mut tape, &predicates, 3);
            let swapped = formula.with(&[B, A]);
            let moved = formula.with(&[C, B]);
            for t in structure.tuples(3) {
                let value = Evaluator::new(&structure).at(&formula, &[t[0], t[1]]);
                prop_assert_eq!(Evaluator::new(&structure).at(&swapped, &[t[1], t[0]]), value);
                prop_assert_eq!(Evaluator::new(&structure).at(&moved, &[t[2], t[1], t[0]]), value);
            }
            Ok(())
        })
        .unwrap();
}

/// Fig. 4(b) of *Predicate and Canonical Abstraction*: x, y and z on a cycle, its other nodes one
/// summary.
fn three_on_a_cycle() -> KleeneStructure {
    let mut predicates = Predicates::new();
    let vars = ["x", "y", "z"].map(|name| {
        predicates.declare(Predicate::core(name, 1).with(Property::Unique).shown(Shown::Pointer))
    });
    let n = predicates.declare(Predicate::core("n", 2).with(Property::Functional));
    let step = Formula::atom(n, &[A, B]);
    let on_cycle = Formula::closure(step, [A, B], A, A);
    predicates.declare(Predicate::instrumentation("c_n", 1, on_cycle));
    let mut cycle = KleeneStructure::new(Arc::new(predicates), 7);
    for (var, at) in vars.into_iter().zip([0, 2, 5]) {
        cycle.set(var, &[at], true);
    }
    for u in 0..7 {
        cycle.set(n, &[u, (u + 1) % 7], true);
    }
    cycle.instrument();
    cycle
}

#[test]
fn drawings_show_summaries_and_maybe_edges() {
    let cycle = three_on_a_cycle();
    expect![[r"
        x → 1{c_n} → 2{c_n} → 3{c_n} → 4{c_n} → 5{c_n} → 6{c_n} → 7{c_n} → (1)
        y → (3)
        z → (6)"]]
    .assert_eq(&cycle.drawing().to_text(TextStyle::Unicode));
    let blurred = cycle.blur();
    expect![[r#"
        x → 4{c_n}
        y → 3{c_n}
        z → 2{c_n}
        4 ⇢ 1*{c_n}
        3 ⇢ (1*)
        2 ⇢ (1*)
        1* ⇢ (1*), ⇢ (2), ⇢ (3), ⇢ (4)"#]]
    .assert_eq(&blurred.drawing().to_text(TextStyle::Unicode));
    expect_file!["svg/three_on_a_cycle.svg"].assert_eq(&blurred.drawing().to_svg());
}
