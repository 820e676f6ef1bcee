//! Laws of the domain: order and join of cubes and heaps, and that splitting keeps the states of a heap.

use std::collections::BTreeSet;

use proptest::collection::vec;
use proptest::prelude::*;
use trellis_bohne::context::Gamma;
use trellis_bohne::cube::{Bits, ObjectCube, has};
use trellis_bohne::heap::{Heap, HeapSpace, add_new};
use trellis_bohne::predicates::{Predicate, Predicates};
use trellis_bohne::split::{Signature, split};
use trellis_logic::{Arena, Vocabulary};

const COUNT: usize = 6;
/// `x = v` and `y = v`.
const SINGLES: [usize; 2] = [0, 1];
/// The last one does not speak of the object.
const STATE: usize = 5;

/// Six predicates, two of them singletons, one of the state.
fn predicates() -> Predicates {
    let (mut vocabulary, mut arena) = (Vocabulary::new(), Arena::new());
    let obj = vocabulary.sort("obj");
    let var = arena.variable("v", obj);
    let v = arena.var_term(var);
    let mut all = Vec::new();
    for i in 0..COUNT {
        let single = SINGLES.contains(&i).then(|| {
            let x = vocabulary.constant(format!("x{i}"), obj);
            arena.constant(x)
        });
        let formula = match single {
            Some(x) => arena.eq(x, v),
            None if i == STATE => {
                let rel = vocabulary.relation("flag", &[]);
                arena.rel(rel, &[])
            }
            None => {
                let rel = vocabulary.relation(format!("p{i}"), &[obj]);
                arena.rel(rel, &[v])
            }
        };
        all.push(Predicate { formula, single });
    }
    Predicates::new(&arena, all)
}

fn cube() -> impl Strategy<Value = ObjectCube> {
    (0..64u64, 0..64u64).prop_map(|(care, bits)| ObjectCube::of(care, bits))
}

fn heap() -> impl Strategy<Value = Vec<ObjectCube>> {
    vec(cube(), 0..5)
}

fn make(space: &HeapSpace, cubes: &[ObjectCube]) -> Heap {
    cubes.iter().fold(space.none(), |heap, cube| heap.join(&space.of(*cube)))
}

/// A state: the cubes of its objects, each variable at exactly one, the state predicate the same.
fn state() -> impl Strategy<Value = Vec<Bits>> {
    (vec(0..64u64, 1..5), any::<bool>(), any::<prop::sample::Index>(), any::<prop::sample::Index>())
        .prop_map(|(mut objects, flag, x, y)| {
            let count = objects.len();
            let at = [x.index(count), y.index(count)];
            for (i, bits) in objects.iter_mut().enumerate() {
                for (single, at) in SINGLES.iter().zip(at) {
                    *bits = *bits & !(1 << single) | u64::from(i == at) << single;
                }
                *bits = *bits & !(1 << STATE) | u64::from(flag) << STATE;
            }
            objects
        })
}

fn satisfies(state: &[Bits], heap: &Heap) -> bool {
    state.iter().all(|bits| heap.contains(*bits))
}

proptest! {
    #[test]
    fn a_heap_has_the_cubes_that_it_was_made_of(cubes in heap(), bits in 0..64u64) {
        let space = HeapSpace::new(COUNT);
        let heap = make(&space, &cubes);
        let covered = cubes.iter().any(|cube| cube.covers(bits));
        prop_assert_eq!(heap.contains(bits), covered);
        prop_assert_eq!(heap.cubes().any(|b| b == bits), covered);
        prop_assert_eq!(heap.paths().iter().any(|c| c.covers(bits)), covered);
        prop_assert_eq!(heap.few_cubes().iter().any(|c| c.covers(bits)), covered);
        prop_assert_eq!(heap.few_exclusions().iter().any(|c| c.covers(bits)), !covered);
        if let Some(hull) = heap.hull() {
            prop_assert!(heap.cubes().all(|b| hull.covers(b)));
            // A smaller cube leaves something out.
            for i in (0..COUNT).filter(|&i| hull.get(i).is_none()) {
                for value in [false, true] {
                    let smaller = hull.with(i, value);
                    prop_assert!(heap.cubes().any(|b| !smaller.covers(b)));
                }
            }
        }
    }

    #[test]
    fn order_and_join_agree(a in heap(), b in heap(), x in cube(), y in cube()) {
        let space = HeapSpace::new(COUNT);
        let (a, b) = (make(&space, &a), make(&space, &b));
        let joined = a.join(&b);
        prop_assert!(a.is_below(&joined) && b.is_below(&joined));
        prop_assert_eq!(a.is_below(&b), joined == b);
        prop_assert_eq!(a.without(&b).is_empty(), a.is_below(&b));
        prop_assert!(x.join(y).is_above(x) && x.join(y).is_above(y));
        prop_assert_eq!(x.is_above(y), space.of(y).is_below(&space.of(x)));
    }

    #[test]
    fn splitting_keeps_the_states(cubes in heap(), state in state()) {
        let predicates = predicates();
        let heap = make(&predicates.space, &cubes);
        let parts = split(&predicates, &heap);
        prop_assert_eq!(satisfies(&state, &heap), parts.iter().any(|h| satisfies(&state, h)));
        for part in &parts {
            prop_assert!(part.is_below(&heap));
            for single in SINGLES {
                prop_assert_eq!(part.cubes().filter(|bits| has(*bits, single)).count(), 1);
            }
            let flags = part.cubes().map(|bits| has(bits, STATE));
            let flags: BTreeSet<bool> = flags.collect();
            prop_assert_eq!(flags.len(), 1);
        }
    }

    #[test]
    fn no_part_is_beyond_the_number_of_signatures(cubes in heap()) {
        let predicates = predicates();
        let heap = make(&predicates.space, &cubes);
        let single = |part: &Heap, i: usize| part.cubes().find(|bits| has(*bits, i));
        let parts = split(&predicates, &heap);
        let signatures: BTreeSet<_> = parts.iter().map(|p| SINGLES.map(|i| single(p, i))).collect();
        let most = Signature::most(&predicates, &heap);
        prop_assert!(most >= signatures.len());
    }

    #[test]
    fn a_larger_heap_has_a_weaker_context(a in heap(), b in heap(), state in state()) {
        let predicates = predicates();
        let (a, b) = (make(&predicates.space, &a), make(&predicates.space, &b));
        let all = a.join(&b);
        let sample = trellis_bohne::cache::Sample { before: state.clone(), after: state.clone() };
        let contexts = |heap: &Heap| {
            [Gamma::instantiated(&predicates, heap), Gamma::whole(&predicates, heap.clone())]
        };
        for (small, large) in contexts(&a).iter().zip(&contexts(&all)) {
            // What no state satisfies has any context.
            let possible = SINGLES.iter().all(|&i| a.cubes().any(|bits| has(bits, i)));
            prop_assert!(!possible || small.is_below(large));
            prop_assert!(!satisfies(&state, &all) || large.holds_in(&predicates, &sample));
        }
    }

    #[test]
    fn what_is_added_is_covered_once(found in vec(heap(), 0..6)) {
        let space = HeapSpace::new(COUNT);
        let found: Vec<Heap> = found.iter().map(|cubes| make(&space, cubes)).collect();
        let mut known = Vec::new();
        for heap in &found {
            let new = add_new(&mut known, vec![heap.clone()]);
            prop_assert!(new.iter().all(|n| n == heap && known.contains(n)));
            prop_assert!(heap.is_empty() || known.iter().any(|k| heap.is_below(k)));
        }
        for (i, a) in known.iter().enumerate() {
            prop_assert!(known.iter().enumerate().all(|(j, b)| i == j || !a.is_below(b)));
        }
    }
}
