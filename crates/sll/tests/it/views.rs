//! The predicate form and the canonical form tell the same heaps apart (*Predicate and Canonical
//! Abstraction*, Theorem 1): at full depth always; at depth 1 except where a shared node has no
//! name.

use std::collections::BTreeMap;

use expect_test::expect;
use trellis_sll::concrete::{ListHeap, Target};
use trellis_sll::heap::Heap;
use trellis_sll::sharing::{depths, full_depth, project};
use trellis_sll::view::canonical::{Canonical, Table, canonical};
use trellis_sll::view::predicates::predicates;

use crate::best::heaps;

fn names(n: usize) -> Vec<String> {
    ["x", "y", "z", "w"][..n].iter().map(|s| (*s).to_owned()).collect()
}

/// Whether two functions of heaps have the same classes.
fn same_classes<A: Ord + Clone, B: Ord + Clone>(pairs: &[(A, B)]) -> bool {
    let forth: BTreeMap<A, B> = pairs.iter().cloned().collect();
    let back: BTreeMap<B, A> = pairs.iter().map(|(a, b)| (b.clone(), a.clone())).collect();
    pairs.iter().all(|(a, b)| forth[a] == *b && back[b] == *a)
}

fn forms(n: usize, heap: &Heap, depth: Option<usize>) -> (Vec<String>, Canonical) {
    let vars = names(n);
    (predicates(&vars, heap, depth), canonical(&vars, heap, Table::Seven { depth }))
}

#[test]
fn the_forms_are_equivalent_at_full_depth() {
    for n in 1..=2 {
        let all = heaps(n);
        let pairs: Vec<_> = all.iter().map(|h| forms(n, h, None)).collect();
        assert!(same_classes(&pairs));
        // Both tell all heaps apart, and so does the linear form.
        let by_predicates: BTreeMap<_, _> =
            pairs.iter().zip(&all).map(|((p, _), h)| (p, h)).collect();
        assert_eq!(by_predicates.len(), all.len());
        let linear: BTreeMap<_, _> =
            all.iter().map(|h| (canonical(&names(n), h, Table::Eight), h)).collect();
        assert_eq!(linear.len(), all.len(), "Table 8 with {n} variables");
    }
}

#[test]
fn the_forms_are_equivalent_at_full_depth_for_three_variables() {
    let step = if std::env::var("TRELLIS_SLOW").is_ok() { 1 } else { 29 };
    let all: Vec<Heap> = heaps(3).into_iter().step_by(step).collect();
    let pairs: Vec<_> = all.iter().map(|h| forms(3, h, None)).collect();
    assert!(same_classes(&pairs));
    let by_predicates: BTreeMap<_, _> = pairs.iter().zip(&all).map(|((p, _), h)| (p, h)).collect();
    assert_eq!(by_predicates.len(), all.len());
}

#[test]
fn at_depth_one_they_are_equivalent_where_all_shared_nodes_have_names() {
    let all: Vec<Heap> =
        heaps(2).into_iter().filter(|h| depths(h).iter().all(|d| *d <= 1)).collect();
    let pairs: Vec<_> = all.iter().map(|h| forms(2, h, Some(1))).collect();
    assert!(same_classes(&pairs));
}

/// Two variables point to nodes `x` and `y` of a heap given by its fields.
fn heap(next: &[Option<usize>], x: usize, y: usize) -> Heap {
    let target = |t: &Option<usize>| t.map_or(Target::Null, Target::Node);
    let list = ListHeap {
        vars: vec![Target::Node(x), Target::Node(y)],
        next: next.iter().map(target).collect(),
    };
    list.abstraction()
}

#[test]
fn at_depth_one_each_form_sees_something_that_the_other_does_not() {
    // 0→1→2→3→null, 4→1 against the same with 3→3.
    let open = heap(&[Some(1), Some(2), Some(3), None, Some(1)], 0, 4);
    let closed = heap(&[Some(1), Some(2), Some(3), Some(3), Some(1)], 0, 4);
    let (a, b) = (forms(2, &open, Some(1)), forms(2, &closed, Some(1)));
    assert_ne!(a.0, b.0);
    assert_eq!(a.1, b.1);
    // 0→1→2→2, 3→1 against 0→1→2→3→2, 4→1.
    let short = heap(&[Some(1), Some(2), Some(2), Some(1)], 0, 3);
    let long = heap(&[Some(1), Some(2), Some(3), Some(2), Some(1)], 0, 4);
    let (a, b) = (forms(2, &short, Some(1)), forms(2, &long, Some(1)));
    assert_eq!(a.0, b.0);
    assert_ne!(a.1, b.1);
}

/// The projection to a depth and the predicate form of that depth tell the same heaps apart, and
/// the full depth is enough.
#[test]
fn projections_are_the_predicate_form() {
    let all = heaps(2);
    for k in 1..=2 {
        let pairs: Vec<_> =
            all.iter().map(|h| (project(h, k), predicates(&names(2), h, Some(k)))).collect();
        assert!(same_classes(&pairs), "depth {k}");
    }
    for n in 1..=3 {
        let deepest = heaps(n).iter().flat_map(depths).max();
        assert_eq!(deepest, Some(full_depth(n)));
    }
}

/// The paper's Fig. 3(a), in the forms of Fig. 6(a) and Fig. 7(a).
#[test]
fn the_running_example() {
    // A cycle x → · → y → · → · → z → · → x.
    let next = [1, 2, 3, 4, 5, 6, 0].map(Target::Node).to_vec();
    let list = ListHeap { vars: [0, 2, 5].map(Target::Node).to_vec(), next };
    let heap = list.abstraction();
    let shown = predicates(&names(3), &heap, Some(1)).join(" ");
    expect!["Aliased[x,x] Aliased[y,y] Aliased[z,z] UList2[x,y] UList[x,y] UList[y,z] UList2[z,x] UList[z,x]"]
        .assert_eq(&shown);
    let shown = canonical(&names(3), &heap, Table::Seven { depth: Some(1) }).lines().join("\n");
    expect![[r#"
        u0: cul[x](v); n -> u1
        u1: cul[x](v), y(v); n -> u2 maybe
        u2 (several nodes): cul[y](v); n -> u2 maybe, n -> u3 maybe
        u3: cul[y](v), z(v); n -> u4
        u4: cul[z](v); n -> u5
        u5: cul[z](v), x(v); n -> u0"#]]
    .assert_eq(&shown);
}
