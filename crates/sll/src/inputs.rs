//! All abstract heaps that a procedure can start from.
//!
//! Inputs are placed one after the other: null, at a node that is there, inside a segment, or at
//! the head of a new list that ends, runs into what is there, or closes a cycle. So every heap of
//! the inputs is built, up to equality once. A conjunct of `requires` sorts heaps out as soon as
//! all its variables are placed, which keeps the number small for procedures of many lists.

use std::collections::BTreeSet;

use crate::evaluate::Evaluator;
use crate::heap::{Heap, Lengths, Ref, Segment};
use crate::program::{Fact, ListProgram, SetTerm, Term, UNDEF_INT};

/// The heaps that satisfy the precondition, as far as it can be said; `None` if `stop` did not want
/// to see so many.
pub fn inputs(program: &ListProgram, stop: &mut dyn FnMut(usize) -> bool) -> Option<Vec<Heap>> {
    let mut start = Heap::empty(program.vars.len(), program.ints.len());
    start.ints.iter_mut().for_each(|i| *i = UNDEF_INT);
    program.int_inputs.iter().for_each(|(i, code)| start.ints[*i] = *code);
    program.nulls.iter().for_each(|x| start.vars[*x] = Ref::NULL);
    let mut placed: BTreeSet<usize> = program.nulls.iter().copied().collect();
    let mut heaps = filter(program, vec![start], &placed);
    for &x in &program.inputs {
        let mut next = BTreeSet::new();
        for heap in &heaps {
            place(heap, x, &mut |h| {
                next.insert(h);
            });
            if stop(next.len()) {
                return None;
            }
        }
        placed.insert(x);
        heaps = filter(program, next.into_iter().collect(), &placed);
    }
    // A segment that nobody enters so far may be entered by a list that is placed later.
    heaps = keep(program, heaps, &mut program.requires.iter().filter(|f| mentions_segment(f)));
    for heap in &mut heaps {
        for (copy, param) in &program.copies {
            heap.vars[*copy] = heap.vars[*param];
        }
        heap.normalise();
    }
    Some(heaps)
}

/// Calls `f` with every heap in which variable `x` is placed as well.
pub fn place(heap: &Heap, x: usize, f: &mut dyn FnMut(Heap)) {
    let mut give = |mut h: Heap, at: Ref| {
        h.vars[x] = at;
        h.normalise();
        f(h);
    };
    give(heap.clone(), Ref::NULL);
    for i in 0..heap.nodes.len() {
        give(heap.clone(), Ref::node(i));
    }
    for i in 0..heap.nodes.len() {
        split(heap, i, &mut give);
    }
    let mut new_list = |mut h: Heap, to: Ref| {
        let head = h.push(to, Lengths::ANY);
        give(h, head);
    };
    new_list(heap.clone(), Ref::NULL);
    for i in 0..heap.nodes.len() {
        new_list(heap.clone(), Ref::node(i));
    }
    for i in 0..heap.nodes.len() {
        split(heap, i, &mut new_list);
    }
    // A cycle through the head, and one that the head leads to.
    new_list(heap.clone(), Ref::node(heap.nodes.len()));
    let mut knotted = heap.clone();
    let knot = Ref::node(knotted.nodes.len());
    knotted.push(knot, Lengths::ANY);
    new_list(knotted, knot);
}

/// Calls `f` with every heap in which a node inside the segment of `i` has been singled out.
fn split(heap: &Heap, i: usize, f: &mut dyn FnMut(Heap, Ref)) {
    let Segment { to, lengths } = heap.nodes[i];
    let ways: &[(Lengths, Lengths)] = match lengths.and(Lengths::LONG) {
        Lengths::LONG => &[(Lengths::ANY, Lengths::ANY)],
        Lengths::TWO => &[(Lengths::ONE, Lengths::ONE)],
        Lengths::MORE => &[(Lengths::ONE, Lengths::LONG), (Lengths::LONG, Lengths::ANY)],
        _ => &[],
    };
    for (before, after) in ways {
        let mut h = heap.clone();
        let inner = h.push(to, *after);
        h.nodes[i] = Segment { to: inner, lengths: *before };
        f(h, inner);
    }
}

/// Keeps the heaps on which the conjuncts about the placed variables may hold.
fn filter(program: &ListProgram, heaps: Vec<Heap>, placed: &BTreeSet<usize>) -> Vec<Heap> {
    let ready = |f: &&Fact| {
        let mut vars = BTreeSet::new();
        in_fact(f, &mut vars);
        vars.is_subset(placed)
    };
    let whole = |f: &&Fact| !mentions_segment(f) || matches!(f, Fact::ListSegment(..));
    keep(program, heaps, &mut program.requires.iter().filter(ready).filter(whole))
}

fn keep(
    program: &ListProgram,
    heaps: Vec<Heap>,
    facts: &mut dyn Iterator<Item = &Fact>,
) -> Vec<Heap> {
    let evaluator = Evaluator::new(program);
    let mut heaps = heaps;
    for fact in facts {
        let mut next = BTreeSet::new();
        for heap in &heaps {
            let cases = evaluator.truth(heap, fact);
            next.extend(cases.into_iter().filter(|(_, t)| t.may_hold()).map(|(h, _)| h));
        }
        heaps = next.into_iter().collect();
    }
    heaps
}

fn mentions_segment(fact: &Fact) -> bool {
    fact.any(&mut |f| matches!(f, Fact::ListSegment(..)))
}

fn in_fact(fact: &Fact, out: &mut BTreeSet<usize>) {
    match fact {
        Fact::Const(_) | Fact::Cmp(..) => {}
        Fact::Not(f) => in_fact(f, out),
        Fact::And(fs) | Fact::Or(fs) => fs.iter().for_each(|f| in_fact(f, out)),
        Fact::Iff(a, b) => {
            in_fact(a, out);
            in_fact(b, out);
        }
        Fact::Same(a, b) | Fact::Reach { from: a, to: b, .. } | Fact::ListSegment(a, b) => {
            in_term(a, out);
            in_term(b, out);
        }
        Fact::SameSet(a, b) | Fact::Subset(a, b) => {
            in_set(a, out);
            in_set(b, out);
        }
        Fact::In(x, s) => {
            in_term(x, out);
            in_set(s, out);
        }
        Fact::Stable(t) | Fact::Cyclic(t) | Fact::Alloc(t) => in_term(t, out),
        Fact::Separated(ts) => ts.iter().for_each(|t| in_term(t, out)),
    }
}

fn in_term(term: &Term, out: &mut BTreeSet<usize>) {
    match term {
        Term::Null => {}
        Term::Var(v) => {
            out.insert(*v);
        }
        Term::Next(t) => in_term(t, out),
        Term::Ite(c, a, b) => {
            in_fact(c, out);
            in_term(a, out);
            in_term(b, out);
        }
    }
}

fn in_set(set: &SetTerm, out: &mut BTreeSet<usize>) {
    match set {
        SetTerm::Empty => {}
        SetTerm::Singleton(t) | SetTerm::Content(t) => in_term(t, out),
        SetTerm::Op(_, a, b) => {
            in_set(a, out);
            in_set(b, out);
        }
    }
}
