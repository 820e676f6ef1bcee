//! Structures: closures, substructures, isomorphism.

use std::collections::BTreeSet;
use std::sync::Arc;

use proptest::prelude::*;
use trellis_logic::generate::{
    Case, FormulaOptions, Options, Quantifiers, StructureOptions, VocabularyOptions, cases,
    functional_graphs, runner, structure, structures, tapes,
};
use trellis_logic::{
    Arena, EvalError, FunId, RelId, Renaming, SortId, Structure, Value, Vocabulary,
};

fn lists() -> (Arc<Vocabulary>, SortId, FunId, RelId, RelId) {
    let mut vocabulary = Vocabulary::new();
    let node = vocabulary.sort("struct node *");
    let next = vocabulary.field("next", node, node);
    let reach = vocabulary.closure("reach", next);
    let between = vocabulary.between("between", next);
    vocabulary.check().unwrap();
    (Arc::new(vocabulary), node, next, reach, between)
}

fn graph(edges: &[Option<u32>]) -> Structure {
    let (vocabulary, _, next, ..) = lists();
    let mut structure = Structure::new(vocabulary, &[0, edges.len() as u32]);
    for (x, to) in edges.iter().enumerate() {
        structure.set_fun(next, &[x as u32], to.map(Value::Elem));
    }
    structure
}

/// Lengths of shortest paths by Floyd and Warshall.
fn distances(edges: &[Option<u32>]) -> Vec<Vec<usize>> {
    const FAR: usize = usize::MAX / 4;
    let n = edges.len();
    let mut d = vec![vec![FAR; n]; n];
    for x in 0..n {
        if let Some(y) = edges[x] {
            d[x][y as usize] = 1;
        }
        d[x][x] = 0;
    }
    for k in 0..n {
        for i in 0..n {
            for j in 0..n {
                d[i][j] = d[i][j].min(d[i][k] + d[k][j]);
            }
        }
    }
    for row in &mut d {
        row.iter_mut().for_each(|x| *x = if *x >= FAR { usize::MAX } else { *x });
    }
    d
}

#[test]
fn closure_and_betweenness_agree_with_shortest_paths() {
    let (_, _, _, reach, between) = lists();
    runner(200)
        .run(&functional_graphs(7), |edges| {
            let (structure, d) = (graph(&edges), distances(&edges));
            let n = edges.len();
            for x in 0..n {
                for y in 0..n {
                    let pair = [x as u32, y as u32];
                    prop_assert_eq!(structure.rel(reach, &pair), d[x][y] < usize::MAX);
                    for z in 0..n {
                        let on_path =
                            d[x][z] < usize::MAX && d[x][y].checked_add(d[y][z]) == Some(d[x][z]);
                        let triple = [x as u32, y as u32, z as u32];
                        prop_assert_eq!(structure.rel(between, &triple), on_path);
                    }
                }
            }
            Ok(())
        })
        .unwrap();
}

#[test]
fn acyclic_fields_are_recovered_from_their_closure() {
    let (vocabulary, _, next, reach, _) = lists();
    runner(200)
        .run(&functional_graphs(6), |edges| {
            let whole = graph(&edges);
            let mut closure_only = Structure::new(vocabulary.clone(), whole.sizes());
            closure_only.set_rel_table(reach, whole.rel_table(reach).into_owned());
            // A closure does not show loops from a node to itself.
            let proper: Vec<Option<u32>> =
                edges.iter().enumerate().map(|(x, to)| to.filter(|&y| y as usize != x)).collect();
            let d = distances(&proper);
            let on_cycle = |x: usize| proper[x].is_some_and(|y| d[y as usize][x] < usize::MAX);
            let cyclic = (0..edges.len()).any(on_cycle);
            prop_assert_eq!(closure_only.recover_field(reach), !cyclic);
            for (x, &to) in proper.iter().enumerate().filter(|_| !cyclic) {
                let expected = to.map(Value::Elem);
                prop_assert_eq!(closure_only.fun(next, &[x as u32]), expected);
            }
            Ok(())
        })
        .unwrap();
}

#[test]
fn universal_formulas_hold_in_substructures() {
    let options = Options {
        formula: FormulaOptions {
            quantifiers: Quantifiers::Universal,
            ..FormulaOptions::default()
        },
        structure: StructureOptions { size: 4, density: 60 },
        ..Options::default()
    };
    let checked = std::cell::Cell::new(0);
    runner(600)
        .run(&(cases(options), any::<u64>()), |(case, mask)| {
            let Case { vocabulary, arena, formula, structure } = case;
            if structure.eval(&arena, formula) != Ok(true) {
                return Ok(());
            }
            let named = |sort: SortId, x: u32| {
                let mut funs = vocabulary.funs().filter(|&f| vocabulary.fun(f).args.is_empty());
                funs.any(|f| vocabulary.fun(f).result == sort && structure.constant(f) == Some(x))
            };
            let keep = |sort: SortId, x: u32| {
                named(sort, x) || mask >> (8 * sort.index() as u32 + x) & 1 == 1
            };
            let part =
                structure.restrict(keep).expect("constants are kept, and every sort has one");
            checked.set(checked.get() + 1);
            prop_assert_eq!(part.eval(&arena, formula), Ok(true));
            Ok(())
        })
        .unwrap();
    assert!(checked.get() > 100, "only {} models", checked.get());
}

fn small() -> Options {
    Options {
        vocabulary: VocabularyOptions { sorts: 2, functions: 1, ..VocabularyOptions::default() },
        structure: StructureOptions { size: 3, density: 30 },
        ..Options::default()
    }
}

#[test]
fn keys_do_not_depend_on_names() {
    let options = Options { structure: StructureOptions { size: 6, density: 20 }, ..small() };
    runner(200)
        .run(&(structures(options), tapes(40)), |(original, mut tape)| {
            let renamed = original.rename(&structure::renaming(&mut tape, &original));
            prop_assert_eq!(original.canonical_key(), renamed.canonical_key());
            prop_assert_eq!(original.canonical(), renamed.canonical());
            let isomorphism = original.isomorphism(&renamed).expect("isomorphic");
            prop_assert_eq!(original.rename(&isomorphism), renamed.clone());
            prop_assert_eq!(renamed.rename(&isomorphism.inverse()), original);
            Ok(())
        })
        .unwrap();
}

fn permutations(n: u32) -> Vec<Vec<u32>> {
    if n == 0 {
        return vec![Vec::new()];
    }
    let shorter = permutations(n - 1);
    let insert = |p: &Vec<u32>| {
        let p = p.clone();
        (0..=p.len()).map(move |i| {
            let mut longer = p.clone();
            longer.insert(i, n - 1);
            longer
        })
    };
    shorter.iter().flat_map(insert).collect()
}

fn isomorphic_by_brute_force(a: &Structure, b: &Structure) -> bool {
    if a.sizes() != b.sizes() {
        return false;
    }
    let mut renamings: Vec<Vec<Vec<u32>>> = vec![Vec::new()];
    for &size in a.sizes() {
        renamings = renamings
            .iter()
            .flat_map(|r| {
                permutations(size).into_iter().map(move |p| {
                    let mut longer = r.clone();
                    longer.push(p);
                    longer
                })
            })
            .collect();
    }
    renamings.into_iter().any(|r| a.rename(&Renaming::new(r).expect("permutations")) == *b)
}

#[test]
fn keys_are_equal_exactly_for_isomorphic_structures() {
    let (same, different) = (std::cell::Cell::new(0), std::cell::Cell::new(0));
    runner(300)
        .run(&(structures(small()), tapes(40)), |(original, mut tape)| {
            let mut other = original.rename(&structure::renaming(&mut tape, &original));
            // Move or change one tuple, which often gives an isomorphic structure again.
            let plain: Vec<RelId> = original
                .vocabulary()
                .rels()
                .filter(|&r| original.vocabulary().rel(r).kind.field().is_none())
                .collect();
            if let Some(&r) = tape.pick(&plain) {
                let space = other.rel_space(r);
                let (i, j) = (tape.below(space.len() as u32), tape.below(space.len() as u32));
                let (i, j) = (space.tuple(i as usize), space.tuple(j as usize));
                let (at_i, at_j) = (other.rel(r, &i), other.rel(r, &j));
                match tape.chance(50) {
                    true => other.set_rel(r, &i, !at_i),
                    false => {
                        other.set_rel(r, &i, at_j);
                        other.set_rel(r, &j, at_i);
                    }
                }
            }
            let equal = original.canonical_key() == other.canonical_key();
            let counter = if equal { &same } else { &different };
            counter.set(counter.get() + 1);
            prop_assert_eq!(equal, isomorphic_by_brute_force(&original, &other));
            prop_assert_eq!(equal, original.isomorphism(&other).is_some());
            Ok(())
        })
        .unwrap();
    assert!(same.get() > 30 && different.get() > 30, "{} {}", same.get(), different.get());
}

/// The numbers of isomorphism classes are known: OEIS A000595 (relations) and A001372 (maps).
#[test]
fn the_number_of_keys_is_the_number_of_isomorphism_classes() {
    let mut vocabulary = Vocabulary::new();
    let node = vocabulary.sort("node");
    let r = vocabulary.relation("r", &[node, node]);
    let vocabulary = Arc::new(vocabulary);
    for (n, classes) in [(1u32, 2), (2, 10), (3, 104)] {
        let keys: BTreeSet<_> = (0u32..1 << (n * n))
            .map(|bits| {
                let mut structure = Structure::new(vocabulary.clone(), &[0, n]);
                for i in 0..n * n {
                    structure.set_rel(r, &[i / n, i % n], bits >> i & 1 == 1);
                }
                structure.canonical_key()
            })
            .collect();
        assert_eq!(keys.len(), classes);
    }
    for (n, classes) in [(1u32, 1), (2, 3), (3, 7), (4, 19), (5, 47)] {
        let keys: BTreeSet<_> = (0..n.pow(n))
            .map(|code| {
                let edges: Vec<_> = (0..n).map(|x| Some(code / n.pow(x) % n)).collect();
                graph(&edges).canonical_key()
            })
            .collect();
        assert_eq!(keys.len(), classes);
    }
}

fn undirected(n: u32, edges: impl IntoIterator<Item = (u32, u32)>) -> Structure {
    let mut vocabulary = Vocabulary::new();
    let node = vocabulary.sort("node");
    let r = vocabulary.relation("r", &[node, node]);
    let mut structure = Structure::new(Arc::new(vocabulary), &[0, n]);
    for (x, y) in edges {
        structure.set_rel(r, &[x, y], true);
        structure.set_rel(r, &[y, x], true);
    }
    structure
}

/// Colour refinement alone cannot tell these apart, and without automorphisms the symmetric ones
/// would take n! steps.
#[test]
fn regular_and_symmetric_structures() {
    let hexagon = undirected(6, (0..6).map(|i| (i, (i + 1) % 6)));
    let triangles = undirected(6, (0..6).map(|i| (i, i / 3 * 3 + (i + 1) % 3)));
    assert_ne!(hexagon.canonical_key(), triangles.canonical_key());

    let prism = undirected(
        6,
        (0..3).flat_map(|i| [(i, (i + 1) % 3), (3 + i, 3 + (i + 1) % 3), (i, 3 + i)]),
    );
    let bipartite = undirected(6, (0..3).flat_map(|i| (3..6).map(move |j| (i, j))));
    assert_ne!(prism.canonical_key(), bipartite.canonical_key());

    let isolated = undirected(16, []);
    let reversed = Renaming::new(vec![vec![], (0..16).rev().collect()]).unwrap();
    assert_eq!(isolated.canonical_key(), isolated.rename(&reversed).canonical_key());
    let cube = undirected(16, (0..16u32).flat_map(|x| (0..4).map(move |b| (x, x ^ (1 << b)))));
    assert_eq!(cube.canonical_key(), cube.rename(&reversed).canonical_key());
}

/// The search must come back from a copy to the right place: first an ambiguity that means nothing,
/// then one between elements that are really different.
#[test]
fn copies_do_not_hide_what_is_different() {
    let mut vocabulary = Vocabulary::new();
    vocabulary.sort("idle");
    let node = vocabulary.sort("node");
    let r = vocabulary.relation("r", &[node, node]);
    let mut structure = Structure::new(Arc::new(vocabulary), &[0, 2, 12]);
    for i in 0..6u32 {
        for (x, y) in [(i, (i + 1) % 6), (6 + i, 6 + i / 3 * 3 + (i + 1) % 3)] {
            structure.set_rel(r, &[x, y], true);
            structure.set_rel(r, &[y, x], true);
        }
    }
    let key = structure.canonical_key();
    for shift in 0..12 {
        let shifted = (0..12).map(|x| (x + shift) % 12).collect();
        let renaming = Renaming::new(vec![vec![], vec![1, 0], shifted]).unwrap();
        assert_eq!(structure.rename(&renaming).canonical_key(), key);
    }
}

#[test]
fn undefined_terms_matter_only_where_nothing_else_decides() {
    let mut vocabulary = Vocabulary::new();
    let node = vocabulary.sort("struct node *");
    let null = vocabulary.null("NULL", node);
    let x = vocabulary.variable("x", node);
    let next = vocabulary.field("next", node, node);
    let mut heap = Structure::new(Arc::new(vocabulary), &[0, 1]);
    heap.set_constant(null, 0);
    heap.set_constant(x, 0);
    let mut arena = Arena::new();
    let (x, null) = (arena.constant(x), arena.constant(null));
    let after = arena.app(next, &[x]);
    let loops = arena.eq(after, x);
    let safe = arena.ne(x, null);
    assert_eq!(heap.eval(&arena, loops), Err(EvalError::Undefined(after)));
    for parts in [[safe, loops], [loops, safe]] {
        let guarded = arena.and(parts);
        assert_eq!(heap.eval(&arena, guarded), Ok(false));
    }
    let guarded = arena.implies(safe, loops);
    assert_eq!(heap.eval(&arena, guarded), Ok(true));
}

#[test]
fn integers_are_evaluated_and_not_enumerated() {
    let mut vocabulary = Vocabulary::new();
    let node = vocabulary.sort("struct node *");
    let h = vocabulary.variable("h", node);
    let data = vocabulary.field("data", node, SortId::INT);
    let mut heap = Structure::new(Arc::new(vocabulary), &[0, 1]);
    heap.set_constant(h, 0);
    heap.set_fun(data, &[0], Some(Value::Int(6)));
    let mut arena = Arena::new();
    let h = arena.constant(h);
    let value = arena.app(data, &[h]);
    let seven = arena.num(7);
    let square = arena.arith(trellis_logic::ArithOp::Mul, value, value);
    let small = arena.lt(value, seven);
    let large = arena.le(seven, square);
    let both = arena.and([small, large]);
    assert_eq!(heap.eval(&arena, both), Ok(true));
    let i = arena.variable("i", SortId::INT);
    let index = arena.var_term(i);
    let bounded = arena.le(index, value);
    let all = arena.forall(&[i], bounded);
    assert_eq!(heap.eval(&arena, all), Err(EvalError::IntegerQuantifier(all)));
}
