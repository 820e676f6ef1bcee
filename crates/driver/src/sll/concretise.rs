//! Looks for a concrete execution behind an abstract one: the heap that the abstract execution
//! starts from is tried with longer and longer segments, with several ways to fill in data, and
//! with several ways to make choices. A search by chance with fixed seeds: it repeats to the
//! letter, and it may find nothing.

use trellis_explore::Violation;
use trellis_program::concrete::initial::{GlobalStart, global_memory};
use trellis_program::concrete::{
    Chooser, Finish, InitialHeap, Lifetime, Machine, ObjId, Pointer, Value,
};
use trellis_program::{Reg, Scalar, Storage};
use trellis_sll::concrete::{ListHeap, Target};
use trellis_sll::heap::{Heap, Lengths};
use trellis_sll::program::{ListProgram, Slot};

use crate::engine::Task;
use crate::explore::machine_options;
use crate::heaps::{SplitMix, can_start, nth};

/// Lengths of segments of three or more.
const LONGEST: usize = 7;
/// Ways to fill in data and to choose, a length.
const TRIES: usize = 5;
/// Instructions of one run.
const STEPS: usize = 4000;

/// Tries to run into a violation from the concrete heaps of an abstract one.
pub(super) fn concretise(task: &Task<'_>, program: &ListProgram, heap: &Heap) -> Option<Violation> {
    let machine = Machine::new(task.program, machine_options(task));
    let mut seed = 0;
    for longest in 1..=LONGEST {
        for single in heap.singles().iter().take(64) {
            let lengths: Vec<usize> = single
                .nodes
                .iter()
                .map(|s| match s.lengths {
                    Lengths::ONE => 1,
                    Lengths::TWO => 2,
                    _ => longest.max(3),
                })
                .collect();
            if longest > 3 && lengths.iter().all(|l| *l < longest) {
                continue;
            }
            let list = ListHeap::instance(single, &lengths);
            for _ in 0..TRIES {
                seed += 1;
                let mut random = Random { numbers: SplitMix(seed), made: Vec::new() };
                let initial = initial_heap(task, program, &list, &machine, &mut random);
                if !can_start(task, &initial) {
                    continue;
                }
                if let Some(found) = run(task, &machine, initial, &mut random) {
                    return Some(found);
                }
            }
        }
    }
    None
}

fn run(
    task: &Task<'_>,
    machine: &Machine<'_>,
    initial: InitialHeap,
    random: &mut Random,
) -> Option<Violation> {
    random.made.clear();
    let mut state = machine.start(task.proc, &initial);
    for _ in 0..STEPS.min(task.options.steps.saturating_mul(4)) {
        match machine.step(&mut state, random) {
            None => {}
            Some(Finish::Failed(failure)) => {
                return Some(Violation { initial, choices: random.made.clone(), failure });
            }
            Some(_) => return None,
        }
    }
    None
}

/// The initial heap of a concrete heap of lists; data is chosen at random.
fn initial_heap(
    task: &Task<'_>,
    program: &ListProgram,
    list: &ListHeap,
    machine: &Machine<'_>,
    random: &mut Random,
) -> InitialHeap {
    let types = &task.program.types;
    let proc = task.program.proc(task.proc);
    let whole = proc.is_whole_program();
    if whole
        && proc.params > 0
        && let Some(start) = nth(task, random.below(TRIES as u64))
    {
        // Its arguments are the host's; no list is among them.
        return start;
    }
    let start = if whole { GlobalStart::Initialised } else { GlobalStart::Open };
    let (mut memory, mut globals) = global_memory(task.program, start);
    let mut nodes: Vec<ObjId> = Vec::new();
    if let Some(node) = &program.node {
        for _ in &list.next {
            let ty = Some(node.record);
            let id = memory.allocate(types, ty, node.size, Lifetime::Heap, |_| Value::Open);
            memory.objects[id.0 as usize].initial = true;
            nodes.push(id);
        }
    }
    let value = |t: &Target| match t {
        Target::Node(i) => Value::to_start(nodes[*i]),
        _ => Value::Null,
    };
    if let Some(node) = &program.node {
        for (id, to) in nodes.iter().zip(&list.next) {
            let at = Value::Ptr(Pointer { obj: *id, off: node.offset as i32 });
            // The node was just made with this field.
            let _ = memory.store(types, at, Scalar::Ptr(node.record), value(to));
        }
    }
    let args = (0..proc.params)
        .map(|v| match program.contexts[0].vars[v] {
            Slot::List(x) => value(&list.vars[x]),
            _ => any(machine, types.scalar(proc.vars[v].ty), random),
        })
        .collect();
    for (reg, slot) in &program.globals {
        if let (Reg::Global(g), Slot::List(x)) = (reg, slot) {
            globals[g.0 as usize] = value(&list.vars[*x]);
        }
    }
    for (g, value) in task.program.globals.iter().zip(&mut globals) {
        if *value == Value::Open && g.storage == Storage::Register {
            *value = any(machine, types.scalar(g.ty), random);
        }
    }
    for id in memory.ids() {
        let cells: Vec<(u32, Scalar, Value)> = memory.contents(types, id).collect();
        let start = memory.object(id).start as usize;
        for (i, (_, scalar, held)) in cells.into_iter().enumerate() {
            if held == Value::Open {
                memory.cells[start + i] = any(machine, Some(scalar), random);
            }
        }
    }
    InitialHeap { memory, globals, args }
}

/// A value of a type: a number at random, null for pointers.
fn any(machine: &Machine<'_>, scalar: Option<Scalar>, random: &mut Random) -> Value {
    match scalar {
        Some(Scalar::Int(kind)) => {
            let count = machine.int_domain(kind).count().max(1);
            let pick = random.below(count as u64) as usize;
            Value::Int(machine.int_domain(kind).nth(pick).unwrap_or(0))
        }
        Some(Scalar::Ptr(_)) => Value::Null,
        Some(Scalar::Float(_) | Scalar::Bits(_)) | None => Value::Undef,
    }
}

/// A generator that also notes the choices that it makes.
struct Random {
    numbers: SplitMix,
    made: Vec<u32>,
}

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.numbers.next() % n
    }
}

impl Chooser for Random {
    fn choose(&mut self, options: u32) -> u32 {
        let choice = self.below(options.into()) as u32;
        self.made.push(choice);
        choice
    }
}
