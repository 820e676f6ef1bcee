//! Initial heaps.

use std::collections::BTreeSet;

use trellis_canonical::core::Core;
use trellis_canonical::initial::{ListHeap, list_heaps};
use trellis_canonical::predicates::{Instrumentation, Table3, Table7};
use trellis_logic::kleene::{KleeneStructure, Predicates};

/// All heaps with up to `size` nodes in which every node is reached from an argument, by brute force,
/// and how many there are up to renaming.
fn reachable_heaps(args: usize, size: usize) -> BTreeSet<ListHeap> {
    let mut found = BTreeSet::new();
    for n in 0..=size {
        let choices = |count: usize| (n + 1).pow(count as u32);
        for code in 0..choices(n) * choices(args) {
            let pick = |i: usize| (code / (n + 1).pow(i as u32) % (n + 1)).checked_sub(1);
            let heap = ListHeap {
                next: (0..n).map(pick).collect(),
                args: (n..n + args).map(pick).collect(),
            };
            if let Some(renamed) = in_order_of_discovery(&heap) {
                found.insert(renamed);
            }
        }
    }
    found
}

/// Nodes numbered in the order in which the arguments find them; `None` if one is not found.
fn in_order_of_discovery(heap: &ListHeap) -> Option<ListHeap> {
    let mut order: Vec<usize> = Vec::new();
    for &arg in &heap.args {
        let mut at = arg;
        while let Some(u) = at.filter(|u| !order.contains(u)) {
            order.push(u);
            at = heap.next[u];
        }
    }
    let place = |u: usize| order.iter().position(|&v| v == u);
    (order.len() == heap.next.len()).then(|| ListHeap {
        next: order.iter().map(|&u| heap.next[u].and_then(place)).collect(),
        args: heap.args.iter().map(|a| a.and_then(place)).collect(),
    })
}

#[test]
fn every_small_heap_is_enumerated_once() {
    for args in 1..=2 {
        let size = 4;
        let expected = reachable_heaps(args, size);
        let listed: Vec<ListHeap> = list_heaps(args, size + 1)
            .into_iter()
            .filter(|h| h.next.len() <= size)
            .map(|h| in_order_of_discovery(&h).expect("a node that nothing reaches"))
            .collect();
        assert_eq!(listed.len(), expected.len(), "{args} arguments");
        assert_eq!(listed.into_iter().collect::<BTreeSet<_>>(), expected);
    }
}

fn abstractions(
    mut instrumentation: impl Instrumentation,
    args: usize,
    longest: usize,
) -> Vec<KleeneStructure> {
    let mut predicates = Predicates::new();
    let names: Vec<String> = (0..args).map(|i| format!("x{i}")).collect();
    let core = Core::declare(&mut predicates, &names, "n", &[]);
    instrumentation.declare(&core, &mut predicates);
    let predicates = std::sync::Arc::new(predicates);
    let holders: Vec<Vec<usize>> = (0..args).map(|i| vec![i]).collect();
    let mut all: Vec<KleeneStructure> = Vec::new();
    for heap in list_heaps(args, longest) {
        let blurred = heap.structure(&predicates, &core, &holders).blur();
        if !all.contains(&blurred) {
            all.push(blurred);
        }
    }
    all
}

#[test]
fn longer_lists_give_no_other_abstractions() {
    for args in 1..=2 {
        let longer = if args == 1 { 6 } else { 4 };
        let table3 = abstractions(Table3::default(), args, 3);
        assert_eq!(table3.len(), abstractions(Table3::default(), args, longer).len());
        let table7 = abstractions(Table7::default(), args, 3);
        assert_eq!(table7.len(), abstractions(Table7::default(), args, longer).len());
        // Every list is told apart by its length class at full depth: nothing is lost by Table 7.
        assert_eq!(table7.len(), list_heaps(args, 3).len());
        assert!(args == 1 || table3.len() < table7.len());
    }
}
