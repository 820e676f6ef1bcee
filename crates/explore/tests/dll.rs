//! `dll` says, in terms of closures, what it means step by step: on every small heap.

use std::ops::ControlFlow;

use trellis_explore::Config;
use trellis_explore::heaps::HeapSpace;
use trellis_program::Program;
use trellis_program::concrete::spec_eval::{SpecEnv, Truth};
use trellis_program::concrete::{InitialHeap, Machine, Value};

const TEXT: &str = "struct node { struct node *next, *prev; };
/*@ ensures dll(next, prev, x, y); */
void f(struct node *x, struct node *y, struct node *more) { if (x == y || more == x) { } }
";

/// The number of the node that a pointer leads to; 0 for null.
fn number(v: Value) -> usize {
    v.pointer().map_or(0, |p| p.obj.0 as usize + 1)
}

/// What `dll(next, prev, x, y)` means, step by step.
fn by_steps(next: &[usize], prev: &[usize], x: usize, y: usize) -> bool {
    let mut way = Vec::new();
    let mut at = x;
    while at != 0 && at != y {
        if way.contains(&at) {
            return false;
        }
        way.push(at);
        at = next[at];
    }
    if at != y {
        return false;
    }
    if y != 0 {
        way.push(y);
    }
    // A cycle may begin behind `y`, but must not lead back to the way.
    let mut behind = y;
    for _ in 0..next.len() {
        behind = next[behind];
        if behind != y && way.contains(&behind) || (behind == y && y != 0 && next[y] != y) {
            return false;
        }
    }
    let undone = way.windows(2).all(|pair| prev[pair[1]] == pair[0]);
    // From `x`, `prev` leads neither to the list nor around to `x`.
    let mut at = x;
    let mut returns = false;
    for _ in 0..=prev.len() {
        let step = prev[at];
        if step == at {
            break;
        }
        at = step;
        returns |= at != 0 && way.contains(&at);
    }
    undone && !(x != 0 && returns)
}

#[test]
fn closures_say_what_steps_say() {
    let unit = trellis_front_c::load_str("dll.c", TEXT).expect("C");
    let program: &Program = &unit.program;
    let f = program.find_proc("f").expect("f");
    let clause = &program.proc(f).contract.ensures[0].formula;
    let machine = Machine::new(program, Config::default().machine_options(program, f));
    let space = HeapSpace::new(&machine, f);
    let (mut holds, mut all) = (0, 0);
    for objects in 0..=3 {
        let flow = space.for_each(objects, &mut |heap: &InitialHeap| {
            let env = SpecEnv {
                program,
                proc: f,
                memory: &heap.memory,
                globals: &heap.globals,
                locals: &heap.args,
                entry: &heap.args,
                pre: None,
                result: None,
            };
            let nodes = heap.memory.objects.len();
            let cells = |field: usize| -> Vec<usize> {
                let of = |id| heap.memory.cells_of(id);
                let of = heap.memory.ids().map(of);
                let steps = of.map(|c| if c.len() == 2 { number(c[field]) } else { 0 });
                std::iter::once(0).chain(steps).collect()
            };
            let (next, prev) = (cells(0), cells(1));
            let expected = by_steps(&next, &prev, number(heap.args[0]), number(heap.args[1]));
            let found = env.truth(clause);
            assert_eq!(found == Truth::True, expected, "{nodes}: {next:?} {prev:?} {heap:?}");
            holds += u32::from(expected);
            all += 1;
            ControlFlow::Continue(())
        });
        assert!(flow.is_continue());
    }
    assert!(all > 5000 && holds > 50, "{holds} of {all}");
}
