//! Contract formulas on abstract heaps are what they are on the concrete ones.

use trellis_front_c::load_str;
use trellis_program::concrete::memory::Lifetime;
use trellis_program::concrete::spec_eval::{SpecEnv, Truth};
use trellis_program::concrete::{Memory, ObjId, Pointer, Value};
use trellis_program::{Program, Scalar};
use trellis_sll::concrete::{ListHeap, Target, each_length};
use trellis_sll::evaluate::{Evaluator, Truths};
use trellis_sll::heap::Heap;
use trellis_sll::lower::{Settings, lower};

use crate::best::heaps;

const FORMULAS: &[&str] = &[
    "reach(n, x, y)",
    "reach1(n, x, y)",
    "reach(n, x, NULL)",
    "cyclic(n, x) || !cyclic(n, y)",
    "ls(n, x, y)",
    "ls(n, x, NULL)",
    "stable(n, x)",
    "x == y",
    "x->n == y",
    "x != NULL && x->n != NULL && x->n->n == y",
    "x->n == x->n->n || y == NULL",
    "alloc(x) <==> alloc(y)",
    "\\\\separated(x, y)",
    "content(n, x) == content(n, y)",
    "\\\\inter(content(n, x), content(n, y)) == \\\\empty",
    "\\\\subset(content(n, x), \\\\union(content(n, y), \\\\set(x)))",
    "\\\\diff(content(n, x), content(n, y)) == \\\\set(x)",
    "\\\\in(x, content(n, y))",
    "(y == NULL ? x : y) == x",
    "reach1(n, x, x->n) && !reach(n, x->n, x)",
    "\\\\valid(x) ==> \\\\valid(y)",
    "meets(x, y) || 9223372036854775807 < -9223372036854775807",
];

fn program(formula: &str) -> Program {
    let formula = formula.replace("\\\\", "\\").replace("NULL", "\\null");
    let text = format!(
        "struct node {{ struct node *n; int data; }};\n\
         //@ predicate meets(struct node *a, struct node *b) = reach(n, a, b) || a->n == b;\n\
         /*@ requires {formula}; */\nvoid f(struct node *x, struct node *y) {{ x = y; }}\n"
    );
    load_str("formula.c", &text)
        .unwrap_or_else(|e| panic!("{formula}: {:?}", e.diagnostics))
        .program
}

fn concrete_truth(program: &Program, heap: &ListHeap) -> Truth {
    let proc = program.find_proc("f").expect("f");
    let clause = &program.proc(proc).contract.requires[0];
    let types = &program.types;
    let record = types.pointee(program.proc(proc).vars[0].ty).expect("a pointer");
    let mut memory = Memory::default();
    for _ in &heap.next {
        let size = types.size_of(record).expect("complete");
        memory.allocate(types, Some(record), size, Lifetime::Heap, |_| Value::Int(0));
    }
    let value = |t: &Target| match t {
        Target::Node(i) => Value::to_start(ObjId(*i as u32)),
        _ => Value::Null,
    };
    for (i, t) in heap.next.iter().enumerate() {
        let at = Value::Ptr(Pointer { obj: ObjId(i as u32), off: 0 });
        memory.store(types, at, Scalar::Ptr(record), value(t)).expect("a field");
    }
    let locals: Vec<Value> = heap.vars.iter().map(value).collect();
    let env = SpecEnv {
        program,
        proc,
        memory: &memory,
        globals: &[],
        locals: &locals,
        entry: &locals,
        pre: None,
        result: None,
    };
    env.truth(&clause.formula)
}

#[test]
fn formulas_are_evaluated_exactly() {
    let all = heaps(2);
    for formula in FORMULAS {
        let program = program(formula);
        let proc = program.find_proc("f").expect("f");
        let list = lower(&program, proc, &Settings::default());
        assert!(list.left_out.is_empty(), "{formula}: {:?}", list.left_out);
        let evaluator = Evaluator::new(&list);
        for heap in all.iter().step_by(3) {
            // The lowered program may have more variables, for the values at entry.
            let mut wide = heap.clone();
            wide.vars.resize(list.vars.len(), trellis_sll::heap::Ref::UNDEF);
            wide.ints = Heap::empty(0, list.ints.len()).ints;
            let found = |lengths: &[usize]| {
                let list_heap = ListHeap::instance(heap, lengths);
                concrete_truth(&program, &list_heap)
            };
            let mut truths = std::collections::BTreeSet::new();
            each_length(heap, 5, &mut |lengths| {
                truths.insert(found(lengths));
            });
            let cases = evaluator.truth(&wide, &conjunction(&list.requires));
            let said: std::collections::BTreeSet<Truth> = cases
                .iter()
                .map(|(_, t)| match *t {
                    Truths::TRUE => Truth::True,
                    Truths::FALSE => Truth::False,
                    Truths::UNDEFINED => Truth::Undefined,
                    other => panic!("{formula} on {heap:?}: {other:?}"),
                })
                .collect();
            assert_eq!(said, truths, "{formula} on {heap:?}");
        }
    }
}

fn conjunction(facts: &[trellis_sll::program::Fact]) -> trellis_sll::program::Fact {
    trellis_sll::program::Fact::And(facts.to_vec())
}
