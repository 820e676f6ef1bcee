use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;
use crate::concrete::initial::{GlobalStart, global_memory};
use crate::concrete::memory::{Lifetime, ObjId, Pointer, Value};
use crate::samples::{Lists, lists, nowhere};
use crate::spec::{Binder, BoundId, Predicate, Sort};
use crate::types::{Scalar, TypeId};

const F: ProcId = ProcId(0);

/// The sample program with an uninterpreted predicate, and `struct node` without `prev`.
fn sample() -> Lists {
    let mut l = lists();
    let param = Binder { id: BoundId(0), name: "v".into(), sort: Sort::Ptr(l.node) };
    l.program.predicates.push(Predicate {
        name: "Marked".into(),
        params: vec![param],
        is_recursive: false,
        body: None,
        span: nowhere(),
    });
    l
}

/// What the text means, printed again.
fn check(text: &str, expected: Expect) {
    let l = sample();
    let shown = match parse(&l.program, F, text) {
        Ok(heap) => print(&l.program, F, &heap),
        Err(e) => e.to_string(),
    };
    expected.assert_eq(&shown);
}

#[test]
fn heaps_are_read() {
    check(
        "x -> a -next-> b -next-> null; y = b; k = 7",
        expect![[r#"
            x -> a -next-> b -next-> null
            y -> b
            k = 7"#]],
    );
    check(
        "x = [3, 1, 2]; count = -4 # two statements",
        expect![[r#"
            x -> a -next-> b -next-> c -next-> null
            count = -4
            a.data = 3
            b.prev = a
            b.data = 1
            c.prev = b
            c.data = 2"#]],
    );
    check(
        "x -next-> a\na -prev-> x",
        expect![[r#"
            x -> b -next-> a -next-> null
            a.prev = b"#]],
    );
    check(
        "it -> i -link.next-> &j.link -> &anchor -> &i.link\nj.key = 5",
        expect![[r#"
        b : struct item
        it -> a
        anchor.next = &a.link
        a.link.next = &b.link
        b.key = 5
        b.link.next = anchor"#]],
    );
    check(
        "x -> d; d : freed struct node; a : struct node; a.prev = d; a.data = ?",
        expect![[r#"
        a : freed struct node
        b : struct node
        x = a
        b.prev = a
        b.data = ?"#]],
    );
    check(
        "p : struct node[3]; x = &p[1]; p[2].next = &p[0]; Marked(p)",
        expect![[r#"
        a : struct node[3]
        x = &a[1]
        Marked(a)
        a[2].next = a"#]],
    );
    check(
        "head → a\nx = head\ny = ?",
        expect![[r#"
            x -> a -next-> null
            y = ?
            head -> a"#]],
    );
    check(
        "a : int; a = 5; it = &a; x = &a + 4",
        expect![[r#"
        a : int
        x = &a + 4
        it = &a
        a = 5"#]],
    );
}

#[test]
fn mistakes_are_pointed_at() {
    check(
        "x -> a -> b",
        expect![[r#"
            1:8: `struct node` has several list fields: `next`, `prev`
              x -> a -> b
                     ^
              say which: `-next->`"#]],
    );
    check(
        "x -> a; a.nxt = null",
        expect![[r#"
        1:9: `struct node` has no field `nxt`
          x -> a; a.nxt = null
                  ^
          did you mean `next`?"#]],
    );
    check(
        "x -> a; it -> a",
        expect![[r#"
        1:15: `a` is of type `struct node`
          x -> a; it -> a
                        ^
          a `struct item` is needed here"#]],
    );
    check(
        "kk = 3",
        expect![[r#"
        1:1: the type of `kk` is not known
          kk = 3
          ^
          did you mean the variable `k`?"#]],
    );
    check(
        "k = 7;\n  k = a",
        expect![[r#"
            2:7: a pointer is given, but this is of type `int`
                k = a
                    ^"#]],
    );
    check(
        "k = 5000000000",
        expect![[r#"
        1:5: 5000000000 does not fit `int`
          k = 5000000000
              ^"#]],
    );
    check(
        "x -> a; x -> b",
        expect![[r#"
        1:14: this place has another value already
          x -> a; x -> b
                       ^"#]],
    );
    check(
        "a : struct nod",
        expect![[r#"
        1:1: there is no type `struct nod`
          a : struct nod
          ^
          did you mean `struct node`?"#]],
    );
    check(
        "x.data = 3",
        expect![[r#"
        1:1: `x` is a variable, not an object
          x.data = 3
          ^
          name the object: `x -> a`, then `a`"#]],
    );
    check(
        "x -> a -next b",
        expect![[r#"
        1:8: an arrow begins here and does not end
          x -> a -next b
                 ^
          write `-next->` for the field `next`"#]],
    );
    check(
        "x = ",
        expect![[r#"
        1:5: expected a value, found the end of the statement
          x = 
              ^"#]],
    );
    check(
        "Maked(a)",
        expect![[r#"
        1:1: `Maked` is not an uninterpreted predicate of one place
          Maked(a)
          ^
          did you mean `Marked`?"#]],
    );
    check(
        "x -> d; d : freed struct node; d.data = 3",
        expect![[r#"
        1:41: `d` is freed and has no fields any more
          x -> d; d : freed struct node; d.data = 3
                                                  ^"#]],
    );
    check(
        "x -> a; a = 3",
        expect![[r#"
        1:9: this is a whole `struct node`; assign its fields
          x -> a; a = 3
                  ^"#]],
    );
}

/// A random heap of up to four objects: nodes, items and one array of nodes.
fn heaps() -> impl Strategy<Value = Vec<(u8, bool, Vec<u8>)>> {
    let object = (0u8..4, prop::bool::weighted(0.15), prop::collection::vec(0u8..20, 9));
    prop::collection::vec(object, 0..5)
}

fn build(l: &Lists, objects: &[(u8, bool, Vec<u8>)], args: &[u8]) -> InitialHeap {
    let types = &l.program.types;
    let (mut memory, mut globals) = global_memory(&l.program, GlobalStart::Initialised);
    let fixed = memory.objects.len() as u32;
    for (kind, freed, _) in objects {
        let (ty, count) = match kind {
            0 | 1 => (l.node, 1),
            2 => (l.item, 1),
            _ => (l.node, 2),
        };
        let size = count * types.size_of(ty).unwrap();
        let id = memory.allocate(types, Some(ty), size, Lifetime::Heap, |_| Value::Undef);
        memory.objects[id.0 as usize].initial = true;
        memory.objects[id.0 as usize].live = !freed;
    }
    let frozen = memory.clone();
    let choose = |n: u8, scalar: Scalar| match scalar {
        Scalar::Int(_) if n == 0 => Value::Undef,
        Scalar::Int(_) => Value::Int(i64::from(n) - 10),
        Scalar::Ptr(ty) => pointer(l, &frozen, n, ty),
        Scalar::Float(_) | Scalar::Bits(_) => Value::Undef,
    };
    for (i, (_, freed, cells)) in objects.iter().enumerate() {
        let id = ObjId(fixed + i as u32);
        memory.objects[id.0 as usize].marks = u32::from(cells[8] == 0);
        if *freed {
            continue;
        }
        let scalars: Vec<Scalar> = memory.contents(types, id).map(|c| c.1).collect();
        let start = memory.object(id).start as usize;
        for (j, scalar) in scalars.into_iter().enumerate() {
            memory.cells[start + j] = choose(cells[j], scalar);
        }
    }
    let head = Scalar::Ptr(l.head);
    memory.cells[0] = choose(args[4], head);
    globals[0] = choose(args[5], Scalar::Ptr(l.node));
    let vars = &l.program.procs[0].vars;
    let args = vars.iter().zip(args);
    let args = args.map(|(v, n)| choose(*n, types.scalar(v.ty).unwrap()));
    InitialHeap { args: args.collect(), memory, globals }
}

/// Null, undefined, or some pointer, well-typed or not.
fn pointer(l: &Lists, memory: &crate::concrete::Memory, n: u8, ty: TypeId) -> Value {
    let mut places = vec![Value::Undef];
    for obj in memory.ids() {
        let object = memory.object(obj);
        crate::concrete::spec_eval::places_in(&l.program.types, object, ty, &mut |off| {
            places.push(Value::Ptr(Pointer { obj, off }));
        });
        if n == 19 {
            places.push(Value::Ptr(Pointer { obj, off: -4 }));
            places.push(Value::Ptr(Pointer { obj, off: 0 }));
        }
    }
    match n {
        0..6 => Value::Null,
        _ => places[usize::from(n) % places.len()],
    }
}

/// The heap with its objects in another order.
fn permuted(heap: &InitialHeap, l: &Lists, order: &[usize]) -> InitialHeap {
    let mut to = vec![0; order.len()];
    for (new, &old) in order.iter().enumerate() {
        to[old] = new as u32;
    }
    let map = |v: &Value| match v {
        Value::Ptr(p) => Value::Ptr(Pointer { obj: ObjId(to[p.obj.0 as usize]), off: p.off }),
        v => *v,
    };
    let mut memory = crate::concrete::Memory::default();
    for &old in order {
        let object = heap.memory.object(ObjId(old as u32));
        let types = &l.program.types;
        let id = memory.allocate(types, object.ty, object.size, object.lifetime, |_| Value::Undef);
        let start = memory.object(id).start as usize;
        let cells = heap.memory.cells_of(ObjId(old as u32)).iter().map(map);
        memory.cells.splice(start.., cells);
        let new = &mut memory.objects[id.0 as usize];
        (new.live, new.initial, new.marks) = (object.live, object.initial, object.marks);
    }
    InitialHeap {
        memory,
        globals: heap.globals.iter().map(map).collect(),
        args: heap.args.iter().map(map).collect(),
    }
}

fn permutations(n: usize) -> Vec<Vec<usize>> {
    if n == 0 {
        return vec![vec![]];
    }
    let mut out = Vec::new();
    for p in permutations(n - 1) {
        for at in 0..n {
            let mut q = p.clone();
            q.insert(at, n - 1);
            out.push(q);
        }
    }
    out
}

proptest! {
    #[test]
    fn printed_heaps_are_read_back(objects in heaps(), args in prop::collection::vec(0u8..20, 6)) {
        let l = sample();
        let heap = build(&l, &objects, &args);
        let text = print(&l.program, F, &heap);
        let back = match parse(&l.program, F, &text) {
            Ok(back) => back,
            Err(e) => panic!("{text}\n{e}"),
        };
        let n = heap.memory.objects.len();
        let same = back.memory.objects.len() == n
            && permutations(n).iter().any(|order| permuted(&back, &l, order) == permuted(&heap, &l, &(0..n).collect::<Vec<_>>()));
        prop_assert!(same, "{}\n{:#?}\n{:#?}", text, heap, back);
    }
}
