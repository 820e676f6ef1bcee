//! The arguments of `main`, where a whole program starts.
//!
//! `argc` is at least 0 (C allows a host to pass nothing, not even a name; whether it does, the
//! precondition says, `trellis_program::arguments`), `argv` has so many strings and a null pointer
//! behind them. The strings are the objects that are counted: a heap of `n` objects is a start with
//! `argc == n`. Of a string only the first character varies; it is the empty string where that is 0.
//! Where nobody looks at `argv`, `argc` is an integer like any other that is not negative.

use trellis_program::concrete::{InitialHeap, Lifetime, Value};
use trellis_program::{IntKind, ProcId, Program, Scalar, TypeId};

/// A whole program's start with so many arguments: the heap, and the cells that hold the first
/// characters.
pub(crate) fn with_arguments(
    program: &Program,
    main: ProcId,
    count: usize,
) -> Option<(InitialHeap, Vec<u32>)> {
    let strings = vec![Vec::new(); count];
    with_strings(program, main, &strings)
}

/// A whole program's start with these arguments, and the cells that hold their first characters.
pub(crate) fn with_strings(
    program: &Program,
    main: ProcId,
    strings: &[Vec<i64>],
) -> Option<(InitialHeap, Vec<u32>)> {
    let element = string_arrays(program, main)?;
    let types = &program.types;
    let char = element.and_then(|e| types.pointee(e));
    let proc = program.proc(main);
    let mut heap = InitialHeap::of_main(program);
    let mut firsts = Vec::new();
    heap.args.push(Value::Int(strings.len() as i64));
    for param in 1..proc.params {
        // Behind `argv` there may be the environment, which is empty.
        let strings = if param == 1 { strings } else { &[] };
        let size = 8 * (strings.len() as u32 + 1);
        let memory = &mut heap.memory;
        let null = |_| Value::Null;
        let array = memory.allocate(types, element, size, Lifetime::Global, null);
        let mut made = vec![array];
        for (i, text) in strings.iter().enumerate() {
            let zero = |_| Value::Int(0);
            // There is room for a character at least, which may be chosen later.
            let size = text.len().max(1) as u32 + 1;
            let string = memory.allocate(types, char, size, Lifetime::Global, zero);
            let start = memory.object(string).start;
            for (cell, character) in (start as usize..).zip(text) {
                memory.cells[cell] = Value::Int(*character);
            }
            firsts.push(start);
            let slot = memory.object(array).start as usize + i;
            memory.cells[slot] = Value::to_start(string);
            made.push(string);
        }
        made.iter().for_each(|o| memory.objects[o.0 as usize].initial = true);
        heap.args.push(Value::to_start(array));
    }
    Some((heap, firsts))
}

/// Whether the arguments in a heap are such as a host passes; those of another kind of `main` are
/// not looked at.
pub(crate) fn are_passed(program: &Program, main: ProcId, heap: &InitialHeap) -> bool {
    if string_arrays(program, main).is_none() {
        return true;
    }
    let Some((Value::Int(count), arrays)) = heap.args.split_first() else { return false };
    if *count < 0 {
        return false;
    }
    arrays.iter().enumerate().all(|(i, array)| {
        let Some(at) = array.pointer().filter(|at| at.off == 0) else { return false };
        let slots: Vec<Value> = heap.memory.contents(&program.types, at.obj).map(|c| c.2).collect();
        let strings = slots.iter().take_while(|s| s.pointer().is_some()).count();
        (i > 0 || strings as i64 == *count) && slots.get(strings) == Some(&Value::Null)
    })
}

/// Whether `main` takes a count and arrays of strings, and if there is an array, what its elements
/// are.
fn string_arrays(program: &Program, main: ProcId) -> Option<Option<TypeId>> {
    let types = &program.types;
    let params = &program.proc(main).vars[..program.proc(main).params];
    let (count, arrays) = params.split_first()?;
    if !matches!(types.scalar(count.ty), Some(Scalar::Int(_))) {
        return None;
    }
    let mut element = None;
    for array in arrays {
        let e = types.pointee(array.ty)?;
        let char = types.scalar(types.pointee(e)?);
        if char != Some(Scalar::Int(IntKind::CHAR)) || element.is_some_and(|known| known != e) {
            return None;
        }
        element = Some(e);
    }
    Some(element)
}

/// Whether `main` looks at the number of its arguments only.
pub(crate) fn only_counts(program: &Program, main: ProcId) -> bool {
    program.proc(main).params == 1 && string_arrays(program, main).is_some()
}

/// What other parameters of `main` get: integers are 1, and the rest is not looked at.
pub(crate) fn odd_arguments(program: &Program, main: ProcId) -> Vec<Value> {
    let proc = program.proc(main);
    let scalar = |i: usize| program.types.scalar(proc.vars[i].ty);
    (0..proc.params)
        .map(|i| match scalar(i) {
            Some(Scalar::Int(_)) => Value::Int(1),
            _ => Value::Undef,
        })
        .collect()
}
