//! Heaps that a procedure can start from.

use crate::concrete::memory::{Lifetime, Memory, Pointer, Value};
use crate::concrete::state::State;
use crate::ir::{Init, Program, Storage};
use crate::types::Scalar;

/// Memory, globals and arguments before the first instruction.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct InitialHeap {
    /// Objects of globals first (in the order of the globals), then the heap; all are `initial`.
    pub memory: Memory,
    /// One value a global, as in [`State::globals`].
    pub globals: Vec<Value>,
    /// One value a parameter.
    pub args: Vec<Value>,
}

/// How globals start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GlobalStart {
    /// As initialised: the start of `main`.
    Initialised,
    /// Not chosen yet, except for constants: a procedure on its own may find anything in them.
    Open,
}

/// The objects and values of the globals.
pub fn global_memory(program: &Program, start: GlobalStart) -> (Memory, Vec<Value>) {
    let types = &program.types;
    let mut memory = Memory::default();
    let mut values = Vec::with_capacity(program.globals.len());
    let open = |g: &crate::ir::Global| start == GlobalStart::Open && !g.is_const;
    for g in &program.globals {
        let zero = |s: Scalar| if open(g) { Value::Open } else { Value::zero(s) };
        values.push(match g.storage {
            Storage::Register => types.scalar(g.ty).map_or(Value::Undef, zero),
            Storage::Object => {
                let size = types.size_of(g.ty).unwrap_or(0);
                let id = memory.allocate(types, Some(g.ty), size, Lifetime::Global, zero);
                memory.objects[id.0 as usize].initial = true;
                memory.objects[id.0 as usize].literal = g.is_literal();
                Value::to_start(id)
            }
        });
    }
    for (i, g) in program.globals.iter().enumerate() {
        if open(g) {
            continue;
        }
        for (offset, scalar, init) in &g.init {
            let value = match init {
                Init::Int(i) => Value::Int(*i),
                Init::Null => Value::Null,
                Init::Addr(target, off) => match values[target.0 as usize] {
                    Value::Ptr(p) => Value::Ptr(Pointer { obj: p.obj, off: p.off + *off as i32 }),
                    _ => Value::Undef,
                },
            };
            match values[i] {
                Value::Ptr(p) if g.storage == Storage::Object => {
                    let at = Value::Ptr(Pointer { obj: p.obj, off: *offset as i32 });
                    // An initialiser that does not fit the layout leaves the zero in place; the
                    // front end has reported it.
                    let _ = memory.store(types, at, *scalar, value);
                }
                _ => values[i] = value,
            }
        }
    }
    (memory, values)
}

impl InitialHeap {
    /// The heap of a whole program: globals as initialised, no arguments.
    pub fn of_main(program: &Program) -> InitialHeap {
        let (memory, globals) = global_memory(program, GlobalStart::Initialised);
        InitialHeap { memory, globals, args: Vec::new() }
    }

    /// A state with this memory and no frame yet.
    pub fn to_state(&self) -> State {
        State { memory: self.memory.clone(), globals: self.globals.clone(), ..State::default() }
    }
}
