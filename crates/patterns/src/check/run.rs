//! The machine, from a pattern to the next cut point.
//!
//! The machine executes every instruction that reads known values only. What it cannot know is
//! looked after here: fields that the pattern leaves open are asked for before they are read,
//! overwritten or lost; integers that are not known are symbols ([`super::symbols`]); contracts and
//! leaks are judged on the pattern of the state ([`super::result`]).

mod memory;
mod promises;

use trellis_program::checks::Point;
use trellis_program::concrete::{Choices, Finish, Value};
use trellis_program::ir::{Cond, Expr, InstrKind, Terminator};
use trellis_program::{CheckKind, Refusal, Reg, Rejected, Scalar, Span};

use super::Checker;
use super::partial::{Need, Partial};
use super::symbols::{Evaluation, Operand, Place, Trouble};
use crate::facts::truths;
use crate::pattern::Pattern;
use crate::program::Op;

/// How a run ends before it gets anywhere.
pub(super) enum End {
    /// Something must be known first.
    Need(Need),
    /// Nothing to report: the execution ends.
    Stop,
    /// A check may fail, or it cannot be judged.
    Rejected(Rejected),
}

impl From<Need> for End {
    fn from(need: Need) -> End {
        End::Need(need)
    }
}

impl From<Refusal> for End {
    fn from(refusal: Refusal) -> End {
        End::Rejected(refusal.into())
    }
}

type Exec = Result<(), End>;

/// One run.
pub(super) struct Run<'a> {
    pub checker: &'a Checker<'a>,
    pub before: &'a Pattern,
    pub partial: Partial,
    pub choices: &'a mut Choices,
}

impl Run<'_> {
    /// Executes the next instruction or terminator.
    pub(super) fn step(&mut self) -> Exec {
        let program = self.checker.program;
        let frame = self.partial.state.top();
        let point = Point { proc: frame.proc, block: frame.block, instr: frame.instr };
        let Some(body) = program.body(point.proc) else { return Err(End::Stop) };
        let block = body.block(point.block);
        let span = block.span_at(point.instr);
        self.refuse_outside(point)?;
        match block.instrs.get(point.instr as usize) {
            Some(instr) => self.instruction(&instr.kind, point, span),
            None => self.terminator(&block.term, point, span),
        }
    }

    /// What the small language does not have is not judged here.
    fn refuse_outside(&self, point: Point) -> Exec {
        let steps = &self.checker.code.blocks[point.block.0 as usize].steps;
        for step in steps.iter().filter(|s| s.point == point) {
            if let Op::Unsupported(reason) = &step.op {
                return Err(Refusal::at(step.span, reason.clone()).into());
            }
        }
        Ok(())
    }

    fn instruction(&mut self, kind: &InstrKind, point: Point, span: Span) -> Exec {
        match kind {
            InstrKind::Assign { dst, value } => {
                match self.open_value(value, span)? {
                    Some(operand) => {
                        self.set_register(*dst, operand);
                        self.skip();
                    }
                    None => {
                        self.machine_step(span)?;
                        self.partial.symbols.forget(*dst);
                    }
                }
                self.written_register(*dst);
            }
            InstrKind::Load { dst, addr, scalar } => {
                let place = self.place(addr, *scalar);
                let symbol = match place {
                    Some((id, offset)) => self.resolve(id, offset, *scalar)?,
                    None => None,
                };
                self.machine_step(span)?;
                self.partial.symbols.forget(*dst);
                if let Some(symbol) = symbol {
                    self.partial.symbols.registers.insert(Place::of(*dst), symbol);
                }
                self.written_register(*dst);
            }
            InstrKind::Store { addr, scalar, value } => self.store(addr, *scalar, value, span)?,
            InstrKind::Copy { dst, src, .. } => self.copy(dst, src, span)?,
            InstrKind::Fill { dst, .. } => {
                let id = self.object(dst);
                if let Some(id) = id {
                    self.resolve_all(id, false)?;
                    self.touch(id);
                }
                self.machine_step(span)?;
            }
            InstrKind::Free { ptr } => {
                if let Some(id) = self.object(ptr) {
                    self.resolve_all(id, false)?;
                }
                self.machine_step(span)?;
            }
            InstrKind::Havoc { dst, scalar: Scalar::Int(kind) } => {
                let values = self.checker.code.words.partition.all(*kind);
                let symbol = self.partial.symbols.fresh(values, *kind);
                self.set_register(*dst, Operand::Symbol(symbol));
                self.written_register(*dst);
                self.skip();
            }
            InstrKind::Assume { cond: Cond::Expr(e) } => {
                if !self.condition(e, span)? {
                    return Err(End::Stop);
                }
                self.skip();
            }
            InstrKind::Assert { kind, cond: Cond::Expr(e) } => {
                if !self.condition(e, span)? {
                    return Err(self.fails(*kind, span));
                }
                self.skip();
            }
            InstrKind::Assume { cond: Cond::Spec(_) } => {
                for fact in self.facts_at(point) {
                    let words = &self.checker.code.words;
                    // Formulas are judged where all cells are reached.
                    let cases = self.now(span)?.collected(words);
                    let may =
                        |(case, _): &(Pattern, bool)| truths(words, case, &fact).may_be_true();
                    if cases.is_some_and(|cases| !cases.iter().any(may)) {
                        return Err(End::Stop);
                    }
                }
                self.skip();
            }
            InstrKind::Assert { kind, cond: Cond::Spec(_) } => {
                for fact in self.facts_at(point) {
                    self.must_hold(&fact, *kind, span)?;
                }
                self.skip();
            }
            InstrKind::Alloc { dst, .. } => {
                self.machine_step(span)?;
                self.partial.symbols.forget(*dst);
                self.written_register(*dst);
            }
            InstrKind::Retype { .. } => self.machine_step(span)?,
            InstrKind::Havoc { .. }
            | InstrKind::BeginLocal { .. }
            | InstrKind::BeginArray { .. }
            | InstrKind::EndLocal { .. }
            | InstrKind::Call { .. }
            | InstrKind::Unsupported { .. } => {
                return Err(Refusal::at(span, "an instruction that is not followed").into());
            }
        }
        Ok(())
    }

    fn terminator(&mut self, term: &Terminator, point: Point, span: Span) -> Exec {
        match term {
            Terminator::Goto(to) => self.partial.state.jump(*to),
            Terminator::Branch { cond, then, els } => {
                let taken = self.condition(cond, span)?;
                self.partial.state.jump(if taken { *then } else { *els });
            }
            Terminator::Return(value) => {
                // A number may fail to have a value; pointers are read where they are judged.
                let ret = self.checker.program.proc(point.proc).ret;
                let is_int = matches!(self.checker.program.types.scalar(ret), Some(Scalar::Int(_)));
                if let Some(e) = value.as_ref().filter(|_| is_int) {
                    let evaluated = self.evaluation().eval(e);
                    evaluated.map_err(|trouble| self.trouble(trouble, span))?;
                }
                self.leave(point, span)?;
                return Err(End::Stop);
            }
            Terminator::Exit => {
                self.leave(point, span)?;
                return Err(End::Stop);
            }
            Terminator::ExitFreed => {
                return Err(Refusal::at(span, "an end where nothing may be left").into());
            }
            Terminator::Abort => return Err(End::Stop),
        }
        Ok(())
    }

    /// A check that may fail, if it is on; else the execution ends.
    fn fails(&self, kind: CheckKind, span: Span) -> End {
        if !self.checker.options.checks.contains(kind) {
            return End::Stop;
        }
        let place = self.checker.program.sources.locate(span);
        End::Rejected(Rejected::Wrong(format!("may violate {kind} at {place}")))
    }

    fn trouble(&self, trouble: Trouble, span: Span) -> End {
        match trouble {
            Trouble::Check(kind) => self.fails(kind, span),
            Trouble::Outside(reason) => Refusal::at(span, reason).into(),
        }
    }

    fn evaluation(&mut self) -> Evaluation<'_> {
        Evaluation {
            symbols: &mut self.partial.symbols,
            state: &mut self.partial.state,
            partition: &self.checker.code.words.partition,
            overflow: self.checker.options.checks.contains(CheckKind::Overflow),
            chooser: self.choices,
        }
    }

    /// The value of an expression that reads symbols; `None` if it reads none.
    fn open_value(&mut self, e: &Expr, span: Span) -> Result<Option<Operand>, End> {
        let mut evaluation = self.evaluation();
        if !evaluation.is_open(e) {
            return Ok(None);
        }
        match evaluation.eval(e) {
            Ok(operand) => Ok(Some(operand)),
            Err(trouble) => Err(self.trouble(trouble, span)),
        }
    }

    /// Which way a condition goes.
    fn condition(&mut self, e: &Expr, span: Span) -> Result<bool, End> {
        let mut evaluation = self.evaluation();
        let truth = evaluation.eval(e).map(|v| evaluation.truth(v));
        match truth {
            Err(trouble) => Err(self.trouble(trouble, span)),
            Ok(Some(truth)) => Ok(truth),
            Ok(None) if self.checker.options.checks.contains(CheckKind::Uninit) => {
                Err(self.fails(CheckKind::Uninit, span))
            }
            Ok(None) => {
                use trellis_program::concrete::Chooser;
                Ok(self.choices.choose(2) == 1)
            }
        }
    }

    /// A step of the machine, all of whose operands are known.
    fn machine_step(&mut self, span: Span) -> Exec {
        let finish = self.checker.machine.step(&mut self.partial.state, self.choices);
        match finish {
            None => Ok(()),
            Some(Finish::Failed(failure)) => Err(self.fails(failure.kind, span)),
            Some(Finish::Unsupported { span, reason }) => Err(Refusal::at(span, reason).into()),
            Some(Finish::TooDeep) => Err(Refusal::at(span, "calls too deep").into()),
            Some(Finish::Returned(_) | Finish::Exited | Finish::Stopped) => Err(End::Stop),
        }
    }

    fn skip(&mut self) {
        if let Some(frame) = self.partial.state.frames.last_mut() {
            frame.instr += 1;
        }
    }

    fn set_register(&mut self, dst: Reg, operand: Operand) {
        self.partial.symbols.forget(dst);
        match operand {
            Operand::Value(v) => self.partial.state.set(dst, v),
            Operand::Symbol(s) => {
                self.partial.state.set(dst, Value::Open);
                self.partial.symbols.registers.insert(Place::of(dst), s);
            }
        }
    }

    /// A pointer variable that is written is known again.
    fn written_register(&mut self, dst: Reg) {
        let slot = match dst {
            Reg::Local(v) => crate::words::Slot::Local(v),
            Reg::Global(g) => crate::words::Slot::Global(g),
        };
        if let Some(x) = self.checker.code.words.pointer(slot) {
            self.partial.dead.remove(&x);
        }
    }

    fn span(&self) -> Span {
        let frame = self.partial.state.top();
        let point = Point { proc: frame.proc, block: frame.block, instr: frame.instr };
        self.checker.program.span_at(point)
    }
}
