//! Between machine states and heaps: the procedure has no calls, so a state has one frame.
//!
//! **Invariant:** [`heap_of`] reads what is there and nothing else; what has no words is an error.

use trellis_program::concrete::memory::Lifetime;
use trellis_program::concrete::{Frame, ObjId, Object, Pointer, State, Value};
use trellis_program::{BlockId, ProcId, Program};

use crate::heap::{Cell, Heap, Place};
use crate::words::{PatternWords, Slot};

/// The record of a live heap object. Memory that has no type yet is the only record of its size:
/// whoever gives it a type makes it one.
pub fn record_of(words: &PatternWords, object: &Object) -> Option<usize> {
    let fits = |r: &usize| words.records[*r].size == object.size;
    match object.ty {
        Some(ty) => words.record(ty).filter(fits),
        None => {
            let mut fitting = (0..words.records.len()).filter(fits);
            fitting.next().filter(|_| fitting.next().is_none())
        }
    }
}

/// The register of a variable in the only frame.
pub fn register(program: &Program, proc: ProcId, state: &State, slot: Slot) -> Value {
    match slot {
        Slot::Local(v) => state.local(v),
        Slot::Entry(v) => state.regs[program.proc(proc).vars.len() + v.0 as usize],
        Slot::Global(g) => state.globals[g.0 as usize],
    }
}

/// The value of a field of an object at a byte offset.
pub fn field(program: &Program, state: &State, id: ObjId, offset: u32) -> Value {
    let object = state.memory.object(id);
    if object.ty.is_none() {
        return if object.zeroed { Value::Int(0) } else { Value::Undef };
    }
    let mut cells = state.memory.contents(&program.types, id);
    cells.find(|(off, ..)| *off == offset).map_or(Value::Undef, |(_, _, v)| v)
}

/// The heap of a state: all live heap objects, and the variables.
///
/// # Errors
/// If something has no words, as a noun phrase.
pub fn heap_of(
    program: &Program,
    proc: ProcId,
    words: &PatternWords,
    state: &State,
) -> Result<Heap, String> {
    let mut number = vec![None; state.memory.objects.len()];
    let mut ids = Vec::new();
    for id in state.memory.ids() {
        let object = state.memory.object(id);
        if object.live && object.lifetime == Lifetime::Heap {
            let record = record_of(words, object).ok_or("memory that is no record")?;
            number[id.0 as usize] = Some(ids.len());
            ids.push((id, record));
        }
    }
    let place = |v: Value| match v {
        Value::Null | Value::Int(0) => Ok(Place::Null),
        Value::Undef => Ok(Place::Undefined),
        Value::Ptr(p) if !state.memory.object(p.obj).live => Ok(Place::Freed),
        Value::Ptr(Pointer { off, .. }) if off != 0 => Err("a pointer into an object".to_owned()),
        Value::Ptr(p) => match number[p.obj.0 as usize] {
            Some(c) => Ok(Place::Cell(c)),
            None => Err("a pointer to a variable".to_owned()),
        },
        Value::Int(_) | Value::Open | Value::Piece(..) | Value::Bytes => {
            Err("a number in a pointer".to_owned())
        }
    };
    let number = |v: Value, kind: trellis_program::IntKind| match v {
        Value::Int(i) => Ok(Some(kind.value(i))),
        Value::Null => Ok(Some(0)),
        Value::Undef => Ok(None),
        Value::Ptr(_) | Value::Open | Value::Piece(..) | Value::Bytes => {
            Err("a pointer in a number".to_owned())
        }
    };
    let mut cells = Vec::new();
    for (id, record) in &ids {
        let of = &words.records[*record];
        let at = |offset: u32| field(program, state, *id, offset);
        let pointers = of.pointers.iter().map(|f| place(at(f.offset)));
        let data = of.data.iter().map(|f| number(at(f.offset), f.kind));
        cells.push(Cell {
            record: *record,
            pointers: pointers.collect::<Result<_, _>>()?,
            data: data.collect::<Result<_, _>>()?,
        });
    }
    let value = |slot: Slot| register(program, proc, state, slot);
    let vars = words.pointers.iter().map(|p| place(value(p.slot)));
    let scalars = words.scalars.iter().map(|s| number(value(s.slot), s.kind));
    Ok(Heap {
        scalars: scalars.collect::<Result<_, _>>()?,
        vars: vars.collect::<Result<_, _>>()?,
        cells,
    })
}

/// A state at the start of a block with the heap of the given one. Every pointer to freed memory
/// gets memory of its own.
pub fn state_of(
    program: &Program,
    proc: ProcId,
    words: &PatternWords,
    block: BlockId,
    heap: &Heap,
) -> State {
    let types = &program.types;
    let mut state = empty_state(program, proc, block);
    let ids: Vec<ObjId> =
        heap.cells.iter().map(|c| new_object(program, words, &mut state, c.record)).collect();
    let value = |state: &mut State, p: Place, record: Option<usize>| match p {
        Place::Null => Value::Null,
        Place::Undefined => Value::Undef,
        Place::Freed => dead_object(program, words, state, record),
        Place::Cell(c) => Value::to_start(ids[c]),
    };
    for (id, cell) in ids.iter().zip(&heap.cells) {
        let of = &words.records[cell.record];
        for (field, place) in of.pointers.iter().zip(&cell.pointers) {
            let value = value(&mut state, *place, field.to);
            set_field(program, &mut state, *id, field.offset, value);
        }
        for (field, data) in of.data.iter().zip(&cell.data) {
            let value = data.map_or(Value::Undef, |v| Value::Int(field.kind.wrap(v)));
            set_field(program, &mut state, *id, field.offset, value);
        }
    }
    for (var, place) in words.pointers.iter().zip(&heap.vars) {
        let value = value(&mut state, *place, var.to);
        set_register(program, proc, &mut state, var.slot, var.is_entry, value);
    }
    for (var, number) in words.scalars.iter().zip(&heap.scalars) {
        let value = number.map_or(Value::Undef, |v| Value::Int(var.kind.wrap(v)));
        set_register(program, proc, &mut state, var.slot, var.is_entry, value);
    }
    debug_assert!(types.ids().next().is_some());
    state
}

/// A state without objects: everything is undefined.
pub(crate) fn empty_state(program: &Program, proc: ProcId, block: BlockId) -> State {
    let procedure = program.proc(proc);
    let mut state =
        State { globals: vec![Value::Undef; program.globals.len()], ..State::default() };
    state.regs = vec![Value::Undef; procedure.vars.len() + procedure.params];
    state.frames.push(Frame { proc, block, instr: 0, base: 0, result: None, pre: None });
    state
}

/// A new live heap object of a record, its fields undefined.
pub(crate) fn new_object(
    program: &Program,
    words: &PatternWords,
    state: &mut State,
    record: usize,
) -> ObjId {
    let of = &words.records[record];
    let types = &program.types;
    state.memory.allocate(types, Some(of.ty), of.size, Lifetime::Heap, |_| Value::Undef)
}

/// A pointer to an object that was freed.
pub(crate) fn dead_object(
    program: &Program,
    words: &PatternWords,
    state: &mut State,
    record: Option<usize>,
) -> Value {
    let id = match record {
        Some(r) => new_object(program, words, state, r),
        None => state.memory.allocate(&program.types, None, 1, Lifetime::Heap, |_| Value::Undef),
    };
    state.memory.objects[id.0 as usize].live = false;
    Value::to_start(id)
}

/// Writes a field of an object that has just been made.
pub(crate) fn set_field(
    program: &Program,
    state: &mut State,
    id: ObjId,
    offset: u32,
    value: Value,
) {
    if let Some(cell) = cell_index(program, state, id, offset) {
        state.memory.cells[cell] = value;
    }
}

/// The memory cell of a field.
pub(crate) fn cell_index(
    program: &Program,
    state: &State,
    id: ObjId,
    offset: u32,
) -> Option<usize> {
    let object = state.memory.object(id);
    let mut cells = state.memory.contents(&program.types, id);
    cells.position(|(off, ..)| off == offset).map(|i| object.start as usize + i)
}

/// Writes a register.
pub(crate) fn set_register(
    program: &Program,
    proc: ProcId,
    state: &mut State,
    slot: Slot,
    is_entry: bool,
    value: Value,
) {
    let vars = program.proc(proc).vars.len();
    match slot {
        Slot::Local(v) => {
            state.regs[v.0 as usize] = value;
            if is_entry {
                state.regs[vars + v.0 as usize] = value;
            }
        }
        Slot::Entry(v) => state.regs[vars + v.0 as usize] = value,
        Slot::Global(g) => state.globals[g.0 as usize] = value,
    }
}
