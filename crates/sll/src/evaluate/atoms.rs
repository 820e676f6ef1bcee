//! Equality, reachability and the predicates built on it.

use super::{Cases, Evaluator, Place, Truths, Value, one, pointer, same_refs};
use crate::heap::{Heap, Ref};
use crate::program::{Fact, Term};

impl Evaluator<'_> {
    /// Formulas whose arguments are pointers.
    pub(super) fn atom(&self, heap: Heap, fact: &Fact) -> Cases<Truths> {
        let terms: Vec<&Term> = match fact {
            Fact::Same(a, b) | Fact::ListSegment(a, b) | Fact::Reach { from: a, to: b, .. } => {
                vec![a, b]
            }
            Fact::Stable(a) | Fact::Cyclic(a) | Fact::Alloc(a) => vec![a],
            Fact::Separated(ts) => ts.iter().collect(),
            _ => Vec::new(),
        };
        let mut cases: Cases<Vec<Value>> = one(heap, Vec::new());
        for term in terms {
            let mut next = Cases::new();
            for (h, values) in cases {
                next.extend(self.term(h, term).into_iter().map(|(h, v)| {
                    let mut values = values.clone();
                    values.push(v);
                    (h, values)
                }));
            }
            cases = next;
        }
        let judge = |(h, values): (Heap, Vec<Value>)| {
            let truth = match fact {
                Fact::Separated(_) => separated(&h, &values),
                _ => match values.iter().copied().collect::<Option<Vec<Place>>>() {
                    None => Truths::UNDEFINED,
                    Some(places) => defined_atom(&h, fact, &places),
                },
            };
            (h, truth)
        };
        cases.into_iter().map(judge).collect()
    }
}

fn defined_atom(heap: &Heap, fact: &Fact, places: &[Place]) -> Truths {
    let at = |i: usize| pointer(heap, places[i]);
    match fact {
        Fact::Same(..) => same_refs(at(0), at(1), places[0] == places[1]),
        Fact::Reach { strict, .. } => reach(heap, *strict, at(0), at(1), places[0] == places[1]),
        Fact::ListSegment(..) => list_segment(heap, at(0), at(1)),
        Fact::Stable(_) => (heap.end(at(0)) != Some(Ref::DANGLING)).into(),
        Fact::Cyclic(_) => at(0).index().is_some_and(|i| heap.on_cycle(i)).into(),
        _ => at(0).index().is_some().into(),
    }
}

/// `reach`, or with `strict`, `reach1`; `one` if both ends are the same variable.
fn reach(heap: &Heap, strict: bool, from: Ref, to: Ref, one: bool) -> Truths {
    let start = if strict {
        let Some(i) = from.index() else {
            return Truths::FALSE;
        };
        heap.nodes[i].to
    } else {
        match same_refs(from, to, one) {
            Truths::FALSE => from,
            known => return known,
        }
    };
    match to.index() {
        Some(j) => heap.path(start).contains(&j).into(),
        None => match heap.end(start) {
            Some(end) if end == to => same_refs(end, to, false),
            _ => Truths::FALSE,
        },
    }
}

/// `ls`: from `x` to `y`, and entered from outside only through `x`.
fn list_segment(heap: &Heap, x: Ref, y: Ref) -> Truths {
    let path = heap.path(x);
    let cycle = path.last().and_then(|&l| heap.nodes[l].to.index());
    // Where the cycle begins in the path, if there is one.
    let cycle = cycle.and_then(|c| path.iter().position(|p| *p == c));
    let inside: &[usize] = match y.index() {
        Some(j) => match path.iter().position(|p| *p == j) {
            None => &[],
            Some(at) if cycle.is_some_and(|c| at >= c) => &path,
            Some(at) => &path[..=at],
        },
        None if y == Ref::NULL && heap.end(x) == Some(Ref::NULL) => &path,
        // The memory at the end may be the memory that is meant.
        None if y == Ref::DANGLING && heap.end(x) == Some(Ref::DANGLING) => {
            return Truths::EITHER;
        }
        None => &[],
    };
    if inside.is_empty() {
        return same_refs(x, y, false);
    }
    if cycle == Some(0) {
        return Truths::TRUE;
    }
    let entered = (0..heap.nodes.len()).any(|b| {
        let to = heap.nodes[b].to.index();
        !path.contains(&b) && to.is_some_and(|a| inside[1..].contains(&a))
    });
    match entered {
        true => Truths::FALSE,
        // What was lost may still point into the segment.
        false if heap.garbage.any() => Truths::EITHER,
        false => Truths::TRUE,
    }
}

/// `\separated`: null is separated from everything, and an undefined pointer from null only.
fn separated(heap: &Heap, values: &[Value]) -> Truths {
    let mut known = Truths::TRUE;
    for (i, a) in values.iter().enumerate() {
        for b in &values[..i] {
            let is_null = |v: &Value| v.is_some_and(|p| pointer(heap, p) == Ref::NULL);
            let truth = match (a, b) {
                _ if is_null(a) || is_null(b) => Truths::TRUE,
                (Some(a), Some(b)) => same_refs(pointer(heap, *a), pointer(heap, *b), a == b).not(),
                _ => Truths::UNDEFINED,
            };
            known = known.and(truth);
        }
    }
    known
}
