//! The transformers are the best ones: compared with the concrete statements by enumeration.

use std::collections::BTreeSet;

use trellis_sll::concrete::{ListHeap, Target, each_length};
use trellis_sll::heap::{Garbage, Heap, Ref};
use trellis_sll::inputs::place;
use trellis_sll::transform::{Fault, Source, Transformer};

/// A statement of the small language.
#[derive(Clone, Copy, Debug)]
enum Statement {
    Assign(usize, Source),
    New(usize, Ref),
    Load(usize, usize),
    Store(usize, Source),
    Free(usize),
}

fn statements(n: usize) -> Vec<Statement> {
    let sources: Vec<Source> =
        (0..n).map(Source::Var).chain([Source::End(Ref::NULL), Source::End(Ref::UNDEF)]).collect();
    let mut all = Vec::new();
    for x in 0..n {
        all.extend(sources.iter().map(|s| Statement::Assign(x, *s)));
        all.extend(sources.iter().map(|s| Statement::Store(x, *s)));
        all.extend((0..n).map(|t| Statement::Load(x, t)));
        all.extend([Ref::NULL, Ref::UNDEF].map(|end| Statement::New(x, end)));
        all.push(Statement::Free(x));
    }
    all
}

/// All heaps of `n` variables whose lists end in null, one class a segment.
pub fn heaps(n: usize) -> BTreeSet<Heap> {
    let mut all = BTreeSet::from([Heap::empty(n, 0)]);
    for x in 0..n {
        let mut next = BTreeSet::new();
        all.iter().for_each(|h| {
            place(h, x, &mut |h| {
                next.insert(h);
            })
        });
        all = next;
    }
    all.iter().flat_map(Heap::singles).collect()
}

/// The same with every way to end lists.
fn all_ends(heap: &Heap) -> Vec<Heap> {
    let mut out = vec![heap.clone()];
    for v in 0..heap.vars.len() {
        out = out
            .into_iter()
            .flat_map(|h| match h.vars[v] {
                Ref::NULL => Ref::ENDS
                    .map(|end| {
                        let mut h = h.clone();
                        h.vars[v] = end;
                        h
                    })
                    .to_vec(),
                _ => vec![h],
            })
            .collect();
    }
    for i in 0..heap.nodes.len() {
        out = out
            .into_iter()
            .flat_map(|h| match h.nodes[i].to {
                Ref::NULL => Ref::ENDS
                    .map(|end| {
                        let mut h = h.clone();
                        h.nodes[i].to = end;
                        h
                    })
                    .to_vec(),
                _ => vec![h],
            })
            .collect();
    }
    out
}

/// What a concrete statement makes of a concrete heap, with what gets lost.
fn run(heap: &ListHeap, statement: Statement) -> Result<ListHeap, Fault> {
    let mut heap = heap.clone();
    let node = |h: &ListHeap, x: usize| match h.vars[x] {
        Target::Node(i) => Ok(i),
        Target::Null => Err(Fault::Null),
        Target::Undef => Err(Fault::Undef),
        Target::Dangling => Err(Fault::Dangling),
    };
    let end = |r: Ref| if r == Ref::NULL { Target::Null } else { Target::Undef };
    let read = |h: &ListHeap, s: Source| match s {
        Source::Var(v) => h.vars[v],
        Source::End(r) => end(r),
    };
    match statement {
        Statement::Assign(x, s) => heap.vars[x] = read(&heap, s),
        Statement::New(x, field) => {
            heap.next.push(end(field));
            heap.vars[x] = Target::Node(heap.next.len() - 1);
        }
        Statement::Load(x, t) => heap.vars[x] = heap.next[node(&heap, t)?],
        Statement::Store(x, s) => {
            let i = node(&heap, x)?;
            heap.next[i] = read(&heap, s);
        }
        Statement::Free(x) => {
            let i = match node(&heap, x) {
                Err(Fault::Null) => return Ok(heap),
                found => found?,
            };
            let last = heap.next.len() - 1;
            heap.next.swap_remove(i);
            let moved = |t: &mut Target| match *t {
                Target::Node(j) if j == i => *t = Target::Dangling,
                Target::Node(j) if j == last => *t = Target::Node(i),
                _ => {}
            };
            heap.vars.iter_mut().chain(heap.next.iter_mut()).for_each(moved);
        }
    }
    Ok(heap)
}

fn abstractly(heap: &Heap, statement: Statement, t: Transformer) -> Result<Vec<Heap>, Fault> {
    let mut out = Vec::new();
    match statement {
        Statement::Assign(x, s) => out.push(t.assign(heap.clone(), x, s)),
        Statement::New(x, field) => out.push(t.allocate(heap.clone(), x, field)),
        Statement::Load(x, y) => t.load(heap.clone(), x, y, &mut out)?,
        Statement::Store(x, s) => t.store(heap.clone(), x, s, &mut out)?,
        Statement::Free(x) => t.free(heap.clone(), x, &mut out)?,
    }
    Ok(out)
}

/// Compares one heap and one statement; answers the number of concrete runs.
fn compare(heap: &Heap, statement: Statement) -> usize {
    let t = Transformer { track_garbage: true };
    let mut concrete: BTreeSet<Heap> = BTreeSet::new();
    let (mut fault, mut runs) = (None, 0);
    each_length(heap, 5, &mut |lengths| {
        runs += 1;
        match run(&ListHeap::instance(heap, lengths), statement) {
            Ok(after) => {
                let mut found = after.abstraction();
                found.garbage = after.garbage();
                concrete.insert(found);
            }
            Err(f) => fault = Some(f),
        }
    });
    match abstractly(heap, statement, t) {
        Err(f) => assert_eq!((Some(f), 0), (fault, concrete.len()), "{heap:?} {statement:?}"),
        Ok(found) => {
            let found: BTreeSet<Heap> = found.iter().flat_map(Heap::singles).collect();
            assert_eq!((None, &concrete), (fault, &found), "{heap:?} {statement:?}");
            // Without garbage it is the same but for that.
            let plain = abstractly(heap, statement, Transformer::default()).expect("no fault");
            let plain: BTreeSet<Heap> = plain.iter().flat_map(Heap::singles).collect();
            let bare = |h: &Heap| Heap { garbage: Garbage::NONE, ..h.clone() };
            assert_eq!(found.iter().map(bare).collect::<BTreeSet<_>>(), plain);
        }
    }
    runs
}

#[test]
fn two_variables_exhaustively() {
    let mut runs = 0;
    for n in 1..=2 {
        for heap in heaps(n).iter().flat_map(all_ends) {
            for statement in statements(n) {
                runs += compare(&heap, statement);
            }
        }
    }
    assert!(runs > 100_000, "only {runs} runs");
}

#[test]
fn three_variables_sampled() {
    // Every 97th heap in the order of the set, with all statements; all ends in every 7th.
    let step = if std::env::var("TRELLIS_SLOW").is_ok() { 7 } else { 97 };
    let mut runs = 0;
    for (i, heap) in heaps(3).iter().enumerate().filter(|(i, _)| i % step == 0) {
        let variants = if i % 7 == 0 { all_ends(heap) } else { vec![heap.clone()] };
        for heap in variants {
            for statement in statements(3) {
                runs += compare(&heap, statement);
            }
        }
    }
    assert!(runs > 100_000, "only {runs} runs");
}

/// Sets of lengths are handled as all their combinations.
#[test]
fn sets_of_lengths_are_unions() {
    let t = Transformer { track_garbage: true };
    for n in 1..=2 {
        let mut shapes = BTreeSet::from([Heap::empty(n, 0)]);
        for x in 0..n {
            let mut next = BTreeSet::new();
            shapes.iter().for_each(|h| {
                place(h, x, &mut |h| {
                    next.insert(h);
                })
            });
            shapes = next;
        }
        for heap in &shapes {
            for statement in statements(n) {
                let whole: Option<BTreeSet<Heap>> = abstractly(heap, statement, t)
                    .ok()
                    .map(|found| found.iter().flat_map(Heap::singles).collect());
                let parts: Result<Vec<Vec<Heap>>, Fault> =
                    heap.singles().iter().map(|h| abstractly(h, statement, t)).collect();
                let parts =
                    parts.ok().map(|p| p.iter().flatten().flat_map(Heap::singles).collect());
                assert_eq!(whole, parts, "{heap:?} {statement:?}");
            }
        }
    }
}

/// The numbers of shapes that the notes give.
#[test]
fn numbers_of_shapes() {
    let mut counts = Vec::new();
    let mut all = BTreeSet::from([Heap::empty(4, 0)]);
    for x in 0..4 {
        let mut next = BTreeSet::new();
        all.iter().for_each(|h| {
            place(h, x, &mut |h| {
                next.insert(h);
            })
        });
        all = next;
        counts.push(all.len());
    }
    assert_eq!(counts, [4, 32, 416, 7552]);
}
