//! The families on all small heaps, against what lists are when one walks along them.

use std::sync::Arc;

use trellis_logic::{FormulaId, Structure};
use trellis_predicates::Family;
use trellis_transys::{Flag, TransitionSystem};

use crate::{Checked, added, parse, still, system};

const OBJECTS: usize = 3;

/// An object, or null.
type Pointer = Option<usize>;

/// A heap of [`OBJECTS`] objects, and two variables.
#[derive(Clone, Debug)]
struct Heap {
    next: [Pointer; OBJECTS],
    prev: [Pointer; OBJECTS],
    key: [u32; OBJECTS],
    alloc: [bool; OBJECTS],
    x: Pointer,
    y: Pointer,
}

/// What follows an object over a field, the object included.
fn list(field: &[Pointer; OBJECTS], from: Pointer) -> Vec<usize> {
    let mut out = Vec::new();
    let mut at = from;
    while let Some(x) = at {
        out.push(x);
        at = field[x];
    }
    out
}

impl Heap {
    /// The objects from `x` to `y`, which is among them unless it is null.
    fn segment(&self) -> Vec<usize> {
        let all = list(&self.next, self.x);
        match self.y {
            None => all,
            Some(y) => match all.iter().position(|x| *x == y) {
                Some(end) => all[..=end].to_vec(),
                None => Vec::new(),
            },
        }
    }

    /// No object outside the list points into the segment, but for its first object.
    fn is_unshared(&self) -> bool {
        let (all, segment) = (list(&self.next, self.x), self.segment());
        let enters = |b: usize| {
            let into = self.next[b];
            into != self.x && into.is_some_and(|a| segment.contains(&a))
        };
        (0..OBJECTS).all(|b| all.contains(&b) || !enters(b))
    }

    fn is_sorted(&self) -> bool {
        self.segment().windows(2).all(|pair| self.key[pair[0]] <= self.key[pair[1]])
    }

    /// `prev` goes back over the segment, whatever else it passes.
    fn is_reversed(&self) -> bool {
        let segment = self.segment();
        let Some(&last) = segment.last() else { return true };
        let mut back = list(&self.prev, Some(last));
        back.retain(|o| segment.contains(o));
        back.reverse();
        back == segment
    }

    fn is_stable(&self) -> bool {
        list(&self.next, self.x).iter().all(|&o| self.alloc[o])
    }

    /// What is allocated is on the list of `x`.
    fn is_kept(&self) -> bool {
        let all = list(&self.next, self.x);
        (0..OBJECTS).all(|o| !self.alloc[o] || all.contains(&o))
    }

    /// The heap as a structure; null is the last element.
    fn structure(&self, system: &TransitionSystem) -> Structure {
        let symbols = &system.symbols;
        let null = OBJECTS as u32;
        let sizes: Vec<u32> = system
            .vocabulary
            .sorts()
            .map(|sort| if sort == symbols.obj { null + 1 } else { 2 })
            .collect();
        let mut out = Structure::new(Arc::new(system.vocabulary.clone()), &sizes);
        let element = |p: Pointer| p.map_or(null, |o| o as u32);
        for fun in system.vocabulary.funs() {
            let value = match system.vocabulary.fun(fun).name.as_str() {
                "x" => element(self.x),
                "y" => element(self.y),
                "NULL" => null,
                _ => continue,
            };
            out.set_constant(fun, value);
        }
        for field in &symbols.pointers {
            let edges = if field.name == "next" { &self.next } else { &self.prev };
            for o in 0..OBJECTS {
                for to in list(edges, Some(o)) {
                    out.set_rel(field.relation.now, &[o as u32, to as u32], true);
                }
                out.set_rel(field.relation.now, &[o as u32, null], true);
            }
            out.set_rel(field.relation.now, &[null, null], true);
        }
        for field in &symbols.integers {
            if let Flag::Data(fun) = field.now {
                for o in 0..OBJECTS {
                    let value = trellis_logic::Value::Elem(self.key[o]);
                    out.set_fun(fun, &[o as u32], Some(value));
                }
                out.set_fun(fun, &[null], Some(trellis_logic::Value::Elem(0)));
            }
        }
        for (a, b) in [(0, 0), (0, 1), (1, 1)] {
            out.set_rel(symbols.at_most, &[a, b], true);
        }
        for o in (0..OBJECTS).filter(|&o| self.alloc[o]) {
            out.set_rel(symbols.alloc.now, &[o as u32], true);
        }
        out
    }
}

/// All ways to point without a cycle.
fn fields() -> Vec<[Pointer; OBJECTS]> {
    let values: Vec<Pointer> = std::iter::once(None).chain((0..OBJECTS).map(Some)).collect();
    let mut out = Vec::new();
    for &a in &values {
        for &b in &values {
            for &c in &values {
                let field = [a, b, c];
                let ends = |start: usize| {
                    let mut at = Some(start);
                    for _ in 0..OBJECTS {
                        at = at.and_then(|o| field[o]);
                    }
                    at.is_none()
                };
                if (0..OBJECTS).all(ends) {
                    out.push(field);
                }
            }
        }
    }
    assert_eq!(out.len(), 16, "the forests of three nodes");
    out
}

/// All heaps, and all values of the variables, with something that varies besides.
fn heaps(vary: impl Fn(&Heap) -> Vec<Heap>) -> Vec<Heap> {
    let variables: Vec<Pointer> = std::iter::once(None).chain((0..OBJECTS).map(Some)).collect();
    let mut out = Vec::new();
    for next in fields() {
        for &x in &variables {
            for &y in &variables {
                let (prev, key, alloc) = ([None; OBJECTS], [0; OBJECTS], [true; OBJECTS]);
                out.extend(vary(&Heap { next, prev, key, alloc, x, y }));
            }
        }
    }
    out
}

/// All triples of truth values.
fn triples() -> impl Iterator<Item = [bool; OBJECTS]> {
    (0..8u32).map(|bits| [bits & 1 != 0, bits & 2 != 0, bits & 4 != 0])
}

/// The predicate with this beginning, which no other has.
fn predicate(system: &mut TransitionSystem, family: Family, mentions: &[&str]) -> FormulaId {
    let all = added(system, family);
    let fits = |p: &&FormulaId| {
        let text = system.arena.print(&system.vocabulary, **p);
        mentions.iter().all(|m| text.contains(m))
    };
    let found: Vec<&FormulaId> = all.iter().filter(fits).collect();
    assert_eq!(found.len(), 1, "{family}: {mentions:?}");
    *found[0]
}

/// Evaluates a predicate in heaps; both truth values must occur.
fn check(
    system: &TransitionSystem,
    predicate: FormulaId,
    heaps: &[Heap],
    meaning: impl Fn(&Heap) -> bool,
) {
    let mut seen = [0, 0];
    for heap in heaps {
        let expected = meaning(heap);
        seen[usize::from(expected)] += 1;
        let value = heap.structure(system).eval(&system.arena, predicate);
        assert_eq!(value, Ok(expected), "{heap:?}");
    }
    assert!(seen[0] > 0 && seen[1] > 0, "{seen:?}");
}

#[test]
fn an_edge_is_one_step_and_reach_is_many() {
    let mut system = still();
    let all = heaps(|heap| vec![heap.clone()]);
    let edge = predicate(&mut system, Family::Edge, &["reach(next, x, y) && x != y"]);
    // Null has no field; its edge to anything is false.
    check(&system, edge, &all, |h| h.x.is_some_and(|x| h.next[x] == h.y));
    let reach = predicate(&mut system, Family::Reach, &["reach(next, x, y)"]);
    check(&system, reach, &all, |h| h.y.is_none_or(|y| list(&h.next, h.x).contains(&y)));
    let same = predicate(&mut system, Family::Equality, &["x == y"]);
    check(&system, same, &all, |h| h.x == h.y);
}

#[test]
fn a_segment_is_unshared() {
    let mut system = still();
    let ls = predicate(&mut system, Family::Segment, &["reach(next, x, u)", "reach(next, u, y)"]);
    check(&system, ls, &heaps(|heap| vec![heap.clone()]), Heap::is_unshared);
}

#[test]
fn a_list_is_reversed() {
    let mut system = still();
    let rev = predicate(&mut system, Family::Reverse, &["reach(next, x, u)", "reach(next, u, y)"]);
    let all =
        heaps(|heap| fields().into_iter().map(|prev| Heap { prev, ..heap.clone() }).collect());
    check(&system, rev, &all, Heap::is_reversed);
}

#[test]
fn a_segment_is_sorted() {
    let mut system = still();
    let sorted =
        predicate(&mut system, Family::Sorted, &["reach(next, x, u)", "reach(next, v, y)"]);
    let all = heaps(|heap| {
        triples().map(|keys| Heap { key: keys.map(u32::from), ..heap.clone() }).collect()
    });
    check(&system, sorted, &all, Heap::is_sorted);
}

#[test]
fn a_key_is_at_most_another() {
    let mut system = still();
    let at_most = predicate(&mut system, Family::Data, &["x->key <= y->key"]);
    let all = heaps(|heap| {
        triples().map(|keys| Heap { key: keys.map(u32::from), ..heap.clone() }).collect()
    });
    let key = |h: &Heap, p: Pointer| p.map_or(0, |o| h.key[o]);
    check(&system, at_most, &all, |h| key(h, h.x) <= key(h, h.y));
}

/// A loop before something is freed.
fn freeing() -> TransitionSystem {
    let code = "void free(void *);\nstruct node { struct node *next; int key; };\n\
        /*@ requires x != NULL && y != NULL && reach(next, x, NULL) && reach(next, y, NULL); */\n\
        void f(struct node *x, struct node *y) { while (x->key <= y->key) { } free(x); free(y); }";
    system(&parse(code), "f", Checked::Everything)
}

#[test]
fn a_list_is_stable_and_memory_is_kept() {
    let mut system = freeing();
    let all = heaps(|heap| triples().map(|alloc| Heap { alloc, ..heap.clone() }).collect());
    let stable = predicate(&mut system, Family::Stable, &["reach(next, x, u)", "alloc(u)"]);
    check(&system, stable, &all, Heap::is_stable);
    let mut kept = added(&mut system, Family::Kept);
    assert_eq!(kept.len(), 3, "by x, by y, by one of them");
    check(&system, kept.swap_remove(0), &all, Heap::is_kept);
}
