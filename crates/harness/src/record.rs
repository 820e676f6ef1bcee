//! A run once more, with everything noted that a compiled program has to be told.
//!
//! **Invariant.** What is noted is in the order in which it happens, so that a program which asks for
//! the next input, or the next piece of memory, gets the one of the run.

use std::collections::BTreeMap;

use trellis_program::concrete::step::Chooser;
use trellis_program::concrete::trace::current_point;
use trellis_program::concrete::{Finish, InitialHeap, Machine, ObjId, State, Value};
use trellis_program::ir::{Block, BlockId, Body, Expr, Terminator};
use trellis_program::types::Scalar;
use trellis_program::{Instr, InstrKind, ProcId, Program, Reg, Span};

/// What happened in a run.
#[derive(Clone, Debug)]
pub struct Recording {
    /// How it ended; `None` if that took too long.
    pub finish: Option<Finish>,
    /// The state in which it ended.
    pub last: State,
    /// Values that were chosen.
    pub inputs: Vec<Input>,
    /// Calls whose order was chosen: where they stand, in the order in which they were made.
    pub orders: Vec<Vec<Span>>,
    /// Pieces of memory that were asked for.
    pub allocations: Vec<Allocation>,
    /// What procedures without a body returned.
    pub returned: Vec<Returned>,
    /// Where heap objects were allocated: the innermost place first, then those of the calls.
    pub births: BTreeMap<ObjId, Vec<Span>>,
    /// The innermost call of the last state is the one of its procedure with this number, from 1.
    pub call: u32,
}

/// A value that was chosen.
#[derive(Clone, Copy, Debug)]
pub struct Input {
    /// The value.
    pub value: Value,
    /// The code that asked for it.
    pub span: Span,
    /// Who asked for it.
    pub asker: Asker,
}

/// Who asks for a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asker {
    /// The user's code.
    Code,
    /// A function of the library, in its model.
    Model(ProcId),
    /// Nobody: C leaves the order of calls open, and this is a part of the choice.
    Order,
}

/// A piece of memory that was asked for.
#[derive(Clone, Copy, Debug)]
pub struct Allocation {
    /// The object; `None` if there was none to be had.
    pub object: Option<ObjId>,
    /// Whether a model asked for it.
    pub in_model: bool,
}

/// What a procedure without a body returned.
#[derive(Clone, Debug)]
pub struct Returned {
    /// The procedure.
    pub proc: ProcId,
    /// Its result; undefined if nobody wanted it.
    pub value: Value,
    /// If that is a new object, what was in it: byte offsets, types and values.
    pub fresh: Option<Vec<(u32, Scalar, Value)>>,
}

/// Runs a procedure for at most so many steps, and notes what happens.
pub fn record(
    machine: &Machine<'_>,
    proc: ProcId,
    initial: &InitialHeap,
    chooser: &mut dyn Chooser,
    most: usize,
) -> Recording {
    let program = machine.program;
    let mut state = machine.start(proc, initial);
    let mut calls = BTreeMap::from([(proc, 1)]);
    let mut stack = vec![1];
    let mut noted = Recording {
        finish: None,
        last: State::default(),
        inputs: Vec::new(),
        orders: Vec::new(),
        allocations: Vec::new(),
        returned: Vec::new(),
        births: BTreeMap::new(),
        call: 1,
    };
    for _ in 0..most {
        let next = next_instruction(program, &state);
        let born = ObjId(state.memory.objects.len() as u32);
        if next.is_some_and(|i| matches!(i.kind, InstrKind::Alloc { .. })) {
            noted.births.insert(born, call_places(program, &state));
        }
        let inside = state.top().proc;
        let finish = machine.step(&mut state, chooser);
        if state.frames.len() > stack.len() {
            let number = calls.entry(state.top().proc).or_insert(0);
            *number += 1;
            stack.push(*number);
        }
        stack.truncate(state.frames.len().max(1));
        if finish.is_some() {
            noted.finish = finish;
            break;
        }
        if let Some(instr) = next {
            note(program, &state, instr, (inside, born), &mut noted);
        }
    }
    noted.call = stack.last().copied().unwrap_or(1);
    noted.last = state;
    noted
}

/// Notes what an instruction has done, in a procedure; objects from a number on are new.
fn note(
    program: &Program,
    state: &State,
    instr: &Instr,
    (inside, born): (ProcId, ObjId),
    noted: &mut Recording,
) {
    match &instr.kind {
        InstrKind::Havoc { dst, .. } => {
            let value = state.slot(*dst);
            let asker = match ordered(program, inside, instr) {
                Some(choice) => {
                    noted.orders.extend(choice.calls(value != Value::Int(0)));
                    Asker::Order
                }
                None if program.sources.is_model(instr.span) => Asker::Model(inside),
                None => Asker::Code,
            };
            noted.inputs.push(Input { value, span: instr.span, asker });
        }
        InstrKind::Alloc { dst, .. } => {
            let object = state.slot(*dst).object();
            let in_model = program.sources.is_model(instr.span);
            noted.allocations.push(Allocation { object, in_model });
        }
        InstrKind::Call { dst, proc, .. } if program.proc(*proc).body.is_none() => {
            let value = dst.map_or(Value::Undef, |dst| state.slot(dst));
            let new = value.object().filter(|o| *o >= born);
            let fresh = new.map(|o| state.memory.contents(&program.types, o).collect());
            noted.returned.push(Returned { proc: *proc, value, fresh });
        }
        _ => {}
    }
}

/// A choice among orders of calls: the blocks that make them.
struct Order<'p> {
    body: &'p Body,
    choice: Reg,
    ways: [BlockId; 2],
}

impl Order<'_> {
    /// The calls in their order, if nothing is left to choose.
    fn calls(&self, first: bool) -> Option<Vec<Span>> {
        let way = self.body.block(self.ways[usize::from(!first)]);
        let is_more =
            |i: &Instr| matches!(i.kind, InstrKind::Havoc { dst, .. } if dst == self.choice);
        let calls = way.instrs.iter().filter(|i| i.kind.callee().is_some()).map(|i| i.span);
        (!way.instrs.iter().any(is_more)).then(|| calls.collect())
    }
}

/// Whether a value is chosen for the order of calls: it stands at one of them, and a block ends with a
/// look at it.
fn ordered<'p>(program: &'p Program, inside: ProcId, instr: &Instr) -> Option<Order<'p>> {
    let InstrKind::Havoc { dst: choice, .. } = instr.kind else { return None };
    let body = program.proc(inside).body.as_ref()?;
    let calls = body.blocks.iter().flat_map(|b| &b.instrs).filter(|i| i.span == instr.span);
    let mut procs = calls.filter_map(|i| i.kind.callee());
    procs.find(|p| {
        program.proc(*p).body.is_some() && !program.sources.is_model(program.proc(*p).span)
    })?;
    let looks = |b: &&Block| {
        b.instrs.last().is_some_and(|i| std::ptr::eq(i, instr))
            && matches!(b.term, Terminator::Branch { cond: Expr::Reg(r), .. } if r == choice)
    };
    match body.blocks.iter().find(looks)?.term {
        Terminator::Branch { then, els, .. } => Some(Order { body, choice, ways: [then, els] }),
        _ => None,
    }
}

/// The next instruction, if it is no terminator.
fn next_instruction<'p>(program: &'p Program, state: &State) -> Option<&'p Instr> {
    let at = current_point(state);
    let body = program.proc(at.proc).body.as_ref().expect("it is being run");
    body.blocks[at.block.0 as usize].instrs.get(at.instr as usize)
}

/// Where the run stands: the innermost frame first, then the calls.
fn call_places(program: &Program, state: &State) -> Vec<Span> {
    let mut places = Vec::new();
    for (depth, frame) in state.frames.iter().enumerate() {
        let mut point = current_point(state);
        (point.proc, point.block, point.instr) = (frame.proc, frame.block, frame.instr);
        // A frame that has called stands behind its call already.
        if depth + 1 < state.frames.len() {
            point.instr -= 1;
        }
        places.push(program.span_at(point));
    }
    places.reverse();
    places
}
