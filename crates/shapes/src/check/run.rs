//! The machine, from the start of one block to the start of the next.

use trellis_program::checks::Point;
use trellis_program::concrete::eval;
use trellis_program::concrete::{Chooser, Finish, Frame, State, Value};
use trellis_program::ir::{Cond, Expr, InstrKind, Terminator};
use trellis_program::{CheckKind, Refusal, Reg, Rejected, Scalar, Span};

use super::{Checker, Stack, arithmetic};
use crate::program::Op;

/// Replays a prefix of choices and notes how many options there were.
#[derive(Default)]
struct Choices {
    digits: Vec<(u32, u32)>,
    position: usize,
}

impl Choices {
    /// The next combination; false if there is none.
    fn advance(&mut self) -> bool {
        self.digits.truncate(self.position);
        self.position = 0;
        while let Some((choice, options)) = self.digits.pop() {
            if choice + 1 < options {
                self.digits.push((choice + 1, options));
                return true;
            }
        }
        false
    }
}

impl Chooser for Choices {
    fn choose(&mut self, options: u32) -> u32 {
        if self.position == self.digits.len() {
            self.digits.push((0, options));
        }
        self.position += 1;
        self.digits[self.position - 1].0
    }
}

impl Checker<'_> {
    /// Runs a block in every way and looks at where it gets.
    pub(super) fn run(&mut self, block: usize, state: State) -> Result<(), Rejected> {
        let mut choices = Choices::default();
        loop {
            self.run_once(block, state.clone(), &mut choices)?;
            if !choices.advance() {
                return Ok(());
            }
        }
    }

    /// What goes wrong because data is taken for undefined is no contradiction: that it was never
    /// written is only not excluded.
    fn run_once(
        &mut self,
        block: usize,
        state: State,
        choices: &mut Choices,
    ) -> Result<(), Rejected> {
        let mut unwritten = None;
        match (self.run_through(block, state, choices, &mut unwritten), unwritten) {
            (Err(Rejected::Wrong(_)), Some(span)) => {
                Err(Refusal::at(span, "data that may be undefined").into())
            }
            (done, _) => done,
        }
    }

    /// Runs a block; notes where data was read that was taken for undefined.
    fn run_through(
        &mut self,
        block: usize,
        mut state: State,
        choices: &mut Choices,
        unwritten: &mut Option<Span>,
    ) -> Result<(), Rejected> {
        loop {
            if let Some(kind) = self.open_hazard(&state) {
                return Err(Rejected::Wrong(format!("violates {kind}")));
            }
            if let Some(span) = self.undefined_data(block, &state) {
                return Err(Refusal::at(span, "data that may be undefined").into());
            }
            let wrong = match self.step(block, &mut state, choices, unwritten) {
                None => {
                    let stack: Stack =
                        state.frames.iter().map(|f| (f.proc, f.block, f.instr)).collect();
                    match self.blocks.get(&stack) {
                        Some(&next) => {
                            return self.describes(next, &state).map_err(Rejected::Wrong);
                        }
                        None => continue,
                    }
                }
                Some(Finish::Failed(failure)) => format!("violates {}", failure.kind),
                // What the machine does not follow it does not refute.
                Some(Finish::Unsupported { span, reason }) => {
                    return Err(Refusal::at(span, reason).into());
                }
                Some(Finish::TooDeep) => "calls too deep".to_owned(),
                Some(Finish::Returned(_) | Finish::Exited | Finish::Stopped) => return Ok(()),
            };
            return Err(Rejected::Wrong(wrong));
        }
    }

    /// Where the next step is if it may write an undefined value to data: nobody knows later that
    /// the field is undefined.
    fn undefined_data(&self, block: usize, state: &State) -> Option<Span> {
        let frame = state.top();
        let body = self.machine.program.body(frame.proc)?;
        let instr = body.block(frame.block).instrs.get(frame.instr as usize)?;
        let undefined = match &instr.kind {
            InstrKind::Store { value, scalar, .. } => {
                !self.follows_field(*scalar) && holds(state, value, Value::Undef)
            }
            InstrKind::Copy { .. } => self.may_be_unwritten(block, state),
            _ => false,
        };
        undefined.then_some(instr.span)
    }

    /// Whether data that the next step reads may never have been written: then the node is the one
    /// to which all of some variables point.
    fn may_be_unwritten(&self, block: usize, state: &State) -> bool {
        let Frame { proc, block: at, instr, .. } = *state.top();
        let here = Point { proc, block: at, instr };
        let steps = self.reads.get(&(block, here)).into_iter().flatten();
        let steps = steps.map(|i| &self.list.blocks[block].steps[*i]);
        let mut reads = steps.filter_map(|s| match &s.op {
            Op::Data { var, read: Some(_), unwritten: Some(all), .. } => Some((*var, all)),
            _ => None,
        });
        reads.any(|(var, all)| {
            let node = self.mapping.value(block, state, var);
            let elsewhere = |v: &usize| {
                let other = self.mapping.value(block, state, *v);
                matches!(other, Some(Value::Ptr(_))) && node.is_some() && other != node
            };
            !all.iter().any(elsewhere)
        })
    }

    /// Whether a scalar may be the field that leads from node to node.
    fn follows_field(&self, scalar: Scalar) -> bool {
        self.list.node.as_ref().is_some_and(|n| scalar == Scalar::Ptr(n.record))
    }

    /// What the next step may fail for some values of open integers.
    fn open_hazard(&self, state: &State) -> Option<CheckKind> {
        let frame = state.top();
        let code = self.machine.program.body(frame.proc)?.block(frame.block);
        let fails = |e: &Expr| arithmetic::fails(state, e, self.options.checks);
        match code.instrs.get(frame.instr as usize) {
            Some(instr) => instr.kind.exprs().find_map(fails),
            None => code.term.expr().and_then(fails),
        }
    }

    /// One step; what depends on open integers is done here, everything else by the machine.
    fn step(
        &self,
        block: usize,
        state: &mut State,
        choices: &mut Choices,
        taken: &mut Option<Span>,
    ) -> Option<Finish> {
        let frame = state.top();
        let body = self.machine.program.body(frame.proc).expect("only bodies are entered");
        let code = body.block(frame.block);
        let span = code.span_at(frame.instr);
        match code.instrs.get(frame.instr as usize).map(|i| &i.kind) {
            Some(InstrKind::Assign { dst, value }) if holds(state, value, Value::Open) => {
                let undefined = holds(state, value, Value::Undef);
                state.set(*dst, if undefined { Value::Undef } else { Value::Open });
                skip(state)
            }
            Some(InstrKind::Havoc { dst, scalar }) if !scalar.is_ptr() => {
                state.set(*dst, Value::Open);
                skip(state)
            }
            Some(InstrKind::Assume { cond: Cond::Expr(e) }) if only_open(state, e) => skip(state),
            // Where it is false, the execution ends without a report.
            Some(InstrKind::Assert { kind, cond: Cond::Expr(e) })
                if only_open(state, e) && !self.options.checks.contains(*kind) =>
            {
                skip(state)
            }
            Some(InstrKind::Load { dst, scalar, .. }) => {
                let unwritten = self.may_be_unwritten(block, state);
                let finish = self.without_open(state, choices);
                if finish.is_none() && !self.follows_field(*scalar) {
                    let undefined = unwritten && choices.choose(2) == 1;
                    if undefined {
                        taken.get_or_insert(span);
                    }
                    state.set(*dst, if undefined { Value::Undef } else { Value::Open });
                }
                finish
            }
            Some(InstrKind::Call { args, .. }) => {
                let open: Vec<bool> = args.iter().map(|a| holds(state, a, Value::Open)).collect();
                let depth = state.frames.len();
                let finish = self.without_open(state, choices);
                if finish.is_none() && state.frames.len() > depth {
                    let frame = state.top();
                    let vars = self.machine.program.proc(frame.proc).vars.len();
                    let base = frame.base as usize;
                    for (i, _) in open.iter().enumerate().filter(|(_, open)| **open) {
                        state.regs[base + i] = Value::Open;
                        state.regs[base + vars + i] = Value::Open;
                    }
                }
                finish
            }
            Some(_) => self.without_open(state, choices),
            None => match &code.term {
                Terminator::Branch { cond, then, els } if only_open(state, cond) => {
                    let value = eval::eval(state, cond, false);
                    let taken = match value.ok().and_then(eval::truth) {
                        Some(known) => known,
                        None => choices.choose(2) == 1,
                    };
                    state.jump(if taken { *then } else { *els });
                    None
                }
                Terminator::Return(Some(e)) if holds(state, e, Value::Open) => {
                    let result = state.top().result;
                    let finish = self.without_open(state, choices);
                    if let (None, Some(dst)) = (&finish, result) {
                        state.set(dst, Value::Open);
                    }
                    finish
                }
                _ => self.without_open(state, choices),
            },
        }
    }

    /// A step of the machine, which cannot compute with open integers: it sees them as undefined.
    /// What it writes is what it says, undefined or not.
    fn without_open(&self, state: &mut State, choices: &mut Choices) -> Option<Finish> {
        let open = |values: &[Value]| -> Vec<usize> {
            (0..values.len()).filter(|i| values[*i] == Value::Open).collect()
        };
        let (regs, globals) = (open(&state.regs), open(&state.globals));
        regs.iter().for_each(|i| state.regs[*i] = Value::Undef);
        globals.iter().for_each(|i| state.globals[*i] = Value::Undef);
        let (written, depth) = (self.written(state), state.frames.len());
        let finish = self.machine.step(state, choices);
        // A callee has begun: its result comes later.
        let written = written.filter(|_| state.frames.len() <= depth);
        let is_written = |reg: Reg, base: usize, i: usize, global: bool| match reg {
            Reg::Local(v) => !global && base + v.0 as usize == i,
            Reg::Global(g) => global && g.0 as usize == i,
        };
        for (places, values, global) in
            [(regs, &mut state.regs, false), (globals, &mut state.globals, true)]
        {
            for i in places {
                let kept = written.is_none_or(|(reg, base)| !is_written(reg, base, i, global));
                if kept && values.get(i) == Some(&Value::Undef) {
                    values[i] = Value::Open;
                }
            }
        }
        finish
    }

    /// The register that the next step writes, and where the registers of its frame begin.
    fn written(&self, state: &State) -> Option<(Reg, usize)> {
        let frame = state.top();
        let code = self.machine.program.body(frame.proc)?.block(frame.block);
        match code.instrs.get(frame.instr as usize) {
            Some(instr) => instr.kind.dst().map(|dst| (dst, frame.base as usize)),
            None if matches!(code.term, Terminator::Return(_)) => {
                let caller = state.frames.len().checked_sub(2).map(|i| &state.frames[i])?;
                frame.result.map(|dst| (dst, caller.base as usize))
            }
            None => None,
        }
    }
}

/// Whether a register that an expression reads holds a value.
pub(super) fn holds(state: &State, e: &Expr, value: Value) -> bool {
    let mut found = false;
    e.visit_regs(&mut |r| found |= state.slot(r) == value);
    found
}

/// Whether an expression depends on open integers; what is undefined as well is for the machine to
/// judge.
fn only_open(state: &State, e: &Expr) -> bool {
    holds(state, e, Value::Open) && !holds(state, e, Value::Undef)
}

fn skip(state: &mut State) -> Option<Finish> {
    if let Some(frame) = state.frames.last_mut() {
        frame.instr += 1;
    }
    None
}
