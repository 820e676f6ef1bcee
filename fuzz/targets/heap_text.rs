//! Any text is a heap or refused, and a heap that is printed reads back as the same heap.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use trellis_program::concrete::heap_text::{parse, print};
use trellis_program::concrete::{InitialHeap, ObjId, Value};
use trellis_program::{ProcId, Program};

static PROGRAM: LazyLock<(Program, ProcId)> = LazyLock::new(|| {
    let source = "
        struct list_head { struct list_head *next, *prev; };
        struct node { struct node *next; int data; };
        struct item { int key; struct list_head link; struct node *list; char tag[4]; };
        struct tree { struct tree *kids[2]; struct tree *up; long value; };
        struct node *global; int count = 3; static struct list_head heads[2];
        //@ predicate Marked(struct node *v);
        //@ requires Marked(x) || \\true;
        int visit(struct node *h, struct node *x, struct node **pp, struct item *it,
                  struct tree *t, int k, unsigned char c, void *any) { return k; }
    ";
    let unit = trellis_front_c::load_str("heap.c", source);
    let unit = unit.unwrap_or_else(|f| panic!("the fixed program is correct: {:?}", f.diagnostics));
    let proc = unit.program.find_proc("visit").expect("it is there");
    (unit.program, proc)
});

fuzz_target!(|text: &str| {
    let (program, proc) = &*PROGRAM;
    match parse(program, *proc, text) {
        Err(error) => drop(error.to_string()),
        Ok(heap) => {
            let printed = print(program, *proc, &heap);
            let again = parse(program, *proc, &printed);
            let again = again.unwrap_or_else(|e| panic!("`{printed}` does not read back: {e}"));
            assert_eq!(shape(&heap), shape(&again), "read back differently:\n{printed}");
        }
    }
});

/// The heap with its objects numbered in the order in which they are reached, and how many are not
/// reached: the same for heaps that differ in the names of objects.
fn shape(heap: &InitialHeap) -> (Vec<String>, usize) {
    let mut order: Vec<ObjId> = Vec::new();
    let mut lines = Vec::new();
    let name = |v: &Value, order: &mut Vec<ObjId>| match v {
        Value::Ptr(p) => {
            let known = order.iter().position(|o| *o == p.obj);
            let n = known.unwrap_or_else(|| {
                order.push(p.obj);
                order.len() - 1
            });
            format!("#{n}+{}", p.off)
        }
        v => format!("{v:?}"),
    };
    lines.extend(heap.args.iter().chain(&heap.globals).map(|v| name(v, &mut order)));
    let mut next = 0;
    while let Some(id) = order.get(next).copied() {
        next += 1;
        let object = heap.memory.object(id);
        let (ty, size, live, marks) = (object.ty, object.size, object.live, object.marks);
        lines.push(format!("#{} {ty:?} {size} {live} {marks}", next - 1));
        if live {
            let cells = heap.memory.cells_of(id).iter();
            lines.extend(cells.map(|v| name(v, &mut order)));
        }
    }
    (lines, heap.memory.objects.len() - order.len())
}
