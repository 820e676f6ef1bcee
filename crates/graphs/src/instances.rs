//! The small memories of a graph, as states of the machine.
//!
//! Summaries are unfolded until none is left; of integers that are not known a few are taken. So
//! these are some of the memories of a graph: all shapes up to a size, with samples of integers.

use std::ops::ControlFlow;

use trellis_program::concrete::{
    Frame, Lifetime, Memory, ObjId, Pointer, State, Value as Concrete,
};
use trellis_program::{BlockId, TypeTable};

use crate::arguments::Arguments;
use crate::buffer::{Buffer, Tail};
use crate::code::{Code, MOST_CELLS};
use crate::graph::{Graph, Node};
use crate::linear::Form;
use crate::unfold::{emptied, unfold};
use crate::value::{End, Range, Symbol, Value};

/// What the enumeration comes by.
pub enum Found<'a> {
    /// A step of work.
    Step,
    /// A state at the start of the block, and the pointers that callers hold.
    State(&'a State, &'a [Concrete]),
}

/// How many samples of integers are taken of a shape.
const SAMPLES: usize = 3;

/// All memories of a graph with just so many heap objects.
pub fn each(
    code: &Code<'_>,
    block: BlockId,
    graph: &Graph,
    objects: usize,
    visit: &mut dyn FnMut(Found<'_>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    visit(Found::Step)?;
    let count = graph.ids().filter(|id| is_heap_object(graph.node(*id))).count();
    // Every element has at least one object.
    let least = |id| graph.node(id).summary().map_or(0, |s| s.least as usize);
    let more = graph.ids().map(least).sum::<usize>();
    if count + more > objects {
        return ControlFlow::Continue(());
    }
    let Some(id) = graph.ids().find(|id| graph.node(*id).summary().is_some()) else {
        if count < objects {
            return ControlFlow::Continue(());
        }
        for sample in 0..SAMPLES {
            if let Some((state, held)) = state(code, block, graph, sample) {
                visit(Found::State(&state, &held))?;
            }
            if graph.ranges.is_empty() && sample == 0 && !has_ranges(graph) {
                break;
            }
        }
        return ControlFlow::Continue(());
    };
    if let Some(mut without) = emptied(graph, id)
        && without.refine()
    {
        each(code, block, &without, objects, visit)?;
    }
    for mut unfolded in unfold(graph, id, End::First).unwrap_or_default() {
        if unfolded.refine() {
            each(code, block, &unfolded, objects, visit)?;
        }
    }
    ControlFlow::Continue(())
}

fn is_heap_object(node: &Node) -> bool {
    node.object().is_some_and(|o| o.life == Lifetime::Heap)
}

fn has_ranges(graph: &Graph) -> bool {
    graph
        .ids()
        .flat_map(|id| graph.node(id).values())
        .chain(graph.roots())
        .any(|v| matches!(v, Value::Range(_)))
}

/// Some member of a range.
fn pick(range: Range, sample: usize) -> i64 {
    let some = [range.lo, 0, 1, range.hi, range.lo.saturating_add(1), range.hi.saturating_sub(1)];
    let inside: Vec<i64> = some.into_iter().filter(|i| range.contains(*i)).collect();
    let first = inside.first().copied().unwrap_or(range.lo);
    inside.get(sample % inside.len().max(1)).copied().unwrap_or(first)
}

/// Numbers for the symbols of a graph; `None` if the sample does not fit.
fn numbers(graph: &Graph, sample: usize) -> Option<Vec<i64>> {
    let mut fixed = graph.clone();
    let Some(relations) = &graph.relations else {
        return Some(graph.ranges.iter().enumerate().map(|(i, r)| pick(*r, sample + i)).collect());
    };
    fixed.refine().then_some(())?;
    for s in 0..graph.ranges.len() {
        let with = |number: i64| {
            let mut out = fixed.clone();
            out.set_symbol(s as Symbol, Value::Int(number));
            out.refine().then_some(out)
        };
        let range = fixed.ranges[s];
        fixed = (0..SAMPLES).find_map(|other| with(pick(range, sample + s + other)))?;
    }
    let numbers: Vec<i64> = fixed.ranges.iter().map(|r| r.lo).collect();
    let value = |s: Symbol| Some(Form::number(numbers[s as usize]));
    let holds = |row: &Form| row.mapped(value) == Some(Form::default());
    relations.rows.rows().all(holds).then_some(numbers)
}

/// A buffer with some characters; `None` if it is too large to be tried.
fn written(
    types: &TypeTable,
    memory: &mut Memory,
    b: &Buffer,
    integer: &dyn Fn(Value) -> Option<i64>,
) -> Option<ObjId> {
    const MOST_BYTES: i64 = 4096;
    let length = integer(b.length)?;
    let size = if b.passed { length + 1 } else { integer(b.size)? };
    let more = if b.more == Value::Any { length } else { integer(b.more)? };
    (b.more == Value::Any || length < more && more < size).then_some(())?;
    let least = i64::from(b.tail == Tail::Zero);
    (0 <= length && length + least <= size && size <= MOST_BYTES).then_some(())?;
    let made = memory.allocate(types, b.ty, size as u32, b.life, |_| Concrete::Undef);
    let meta = &mut memory.objects[made.0 as usize];
    (meta.literal, meta.initial) = (b.literal, b.initial);
    meta.zeroed = b.tail == Tail::Zeros && b.ty.is_none();
    if b.ty.is_none() {
        return (length == 0).then_some(made);
    }
    let (start, cells) = (meta.start as usize, i64::from(meta.cells));
    (cells == size).then_some(())?;
    for (i, cell) in (0i64..).zip(&mut memory.cells[start..start + size as usize]) {
        *cell = match b.tail {
            _ if i < length => Concrete::Int(i64::from(b'a')),
            Tail::Zero if i == length || i == more => Concrete::Int(0),
            Tail::Zero if i < more => Concrete::Int(i64::from(b'b')),
            Tail::Zeros => Concrete::Int(0),
            Tail::Unknown | Tail::Zero => Concrete::Undef,
        };
    }
    Some(made)
}

/// An array of strings, all of them of one character; `None` if there are too many.
fn passed(
    types: &TypeTable,
    memory: &mut Memory,
    a: &Arguments,
    integer: &dyn Fn(Value) -> Option<i64>,
) -> Option<ObjId> {
    const MOST: i64 = 16;
    let end = integer(a.end)?;
    let step = i64::from(a.step);
    (end % step == 0 && (0..=MOST * step).contains(&end)).then_some(())?;
    let size = (end + step) as u32;
    let null = |_| Concrete::Null;
    let array = memory.allocate(types, Some(a.element), size, Lifetime::Global, null);
    memory.objects[array.0 as usize].initial = true;
    let start = memory.object(array).start as usize;
    for cell in 0..(end / step) as usize {
        let string = Buffer::passed_by_host(types.pointee(a.element)?, Value::Int(1));
        let string = written(types, memory, &string, integer)?;
        memory.cells[start + cell] = Concrete::to_start(string);
    }
    Some(array)
}

/// The state of a graph without summaries; `None` if the sample does not fit, or bytes are missing.
fn state(
    code: &Code<'_>,
    block: BlockId,
    graph: &Graph,
    sample: usize,
) -> Option<(State, Vec<Concrete>)> {
    let types = &code.program.types;
    let graph = &graph.buffers_named();
    let symbols = numbers(graph, sample)?;
    if graph.less.iter().any(|(a, b)| symbols[*a as usize] >= symbols[*b as usize]) {
        return None;
    }
    let mut memory = Memory::default();
    let mut number: Vec<Option<ObjId>> = vec![None; graph.nodes.len()];
    let integer = |v: Value| match v {
        Value::Int(i) => Some(i),
        Value::Sym(s) => symbols.get(s as usize).copied(),
        _ => None,
    };
    for id in graph.ids() {
        if let Node::Buffer(b) = graph.node(id) {
            number[id as usize] = Some(written(types, &mut memory, b, &integer)?);
            continue;
        }
        if let Node::Arguments(a) = graph.node(id) {
            number[id as usize] = Some(passed(types, &mut memory, a, &integer)?);
            continue;
        }
        let object = graph.node(id).object()?;
        let made = memory.allocate(types, object.ty, object.size, object.life, |_| Concrete::Undef);
        number[id as usize] = Some(made);
        let meta = &mut memory.objects[made.0 as usize];
        meta.zeroed = object.zeroed;
        meta.literal = object.literal;
        meta.initial = object.initial;
    }
    (memory.cells.len() <= MOST_CELLS).then_some(())?;
    let dead = memory.allocate(types, None, 8, Lifetime::Heap, |_| Concrete::Undef);
    memory.objects[dead.0 as usize].live = false;
    let mut count = sample;
    let mut lower = |v: Value| {
        Some(match v {
            Value::Any | Value::Undef => Concrete::Undef,
            Value::Null => Concrete::Null,
            Value::Int(i) => Concrete::Int(i),
            Value::Sym(s) => Concrete::Int(symbols[s as usize]),
            Value::Range(r) => {
                count += 1;
                Concrete::Int(pick(r, count))
            }
            Value::Ptr(p) => {
                let at = p.at.map_or(Some(0), |s| i32::try_from(symbols[s as usize]).ok())?;
                let off = p.off.checked_add(at)?;
                Concrete::Ptr(Pointer { obj: number[p.node as usize]?, off })
            }
            Value::Freed => Concrete::Ptr(Pointer { obj: dead, off: 0 }),
            Value::Mixed | Value::Formal(..) => return None,
        })
    };
    for id in graph.ids().filter(|id| graph.node(*id).object().is_some()) {
        let made = number[id as usize]?;
        let start = memory.object(made).start as usize;
        for (i, v) in graph.node(id).values().into_iter().enumerate() {
            memory.cells[start + i] = lower(v)?;
        }
    }
    for id in graph.ids() {
        let Node::Arguments(a) = graph.node(id) else { continue };
        let made = memory.object(number[id as usize]?);
        let (start, cells) = (made.start as usize, made.cells as usize);
        for (at, string) in &a.seen {
            let cell = usize::try_from(integer(*at)?).ok()? / a.step as usize;
            (cell + 1 < cells).then_some(())?;
            memory.cells[start + cell] = lower(*string)?;
        }
    }
    let globals = graph.globals.iter().map(|v| lower(*v)).collect::<Option<Vec<_>>>()?;
    let mut regs = graph.locals.iter().map(|v| lower(*v)).collect::<Option<Vec<_>>>()?;
    let held = graph.held.iter().map(|v| lower(*v)).collect::<Option<Vec<_>>>()?;
    let params = code.program.proc(code.proc).params;
    regs.extend((0..params).map(|_| Concrete::Undef));
    let frame = Frame { proc: code.proc, block, instr: 0, base: 0, result: None, pre: None };
    Some((State { memory, globals, frames: vec![frame], regs }, held))
}
