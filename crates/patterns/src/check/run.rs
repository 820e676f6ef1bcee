//! The machine, from a pattern to the next cut point.
//!
//! The machine executes every instruction that reads known values only. What it cannot know is
//! looked after here: fields that the pattern leaves open are asked for before they are read,
//! overwritten or lost; integers that are not known are symbols ([`super::symbols`]); contracts and
//! leaks are judged on the pattern of the state ([`super::result`]).

use trellis_program::checks::Point;
use trellis_program::concrete::{Choices, Finish, ObjId, State, Value};
use trellis_program::ir::{Cond, Expr, InstrKind, Terminator};
use trellis_program::{CheckKind, Refusal, Reg, Rejected, Scalar, Span};

use super::Checker;
use super::lost::Made;
use super::partial::{Need, Partial};
use super::result::Results;
use super::symbols::{Evaluation, Operand, Place, Trouble};
use crate::facts::{holds, truths};
use crate::machine::{cell_index, field};
use crate::pattern::Pattern;
use crate::program::{Fact, Op, Source};

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
                    let now = self.now(span)?;
                    let words = &self.checker.code.words;
                    if !truths(words, &now.pattern, &fact).may_be_true() {
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
            Terminator::Return(_) | Terminator::Exit => {
                self.leave(point, span)?;
                return Err(End::Stop);
            }
            Terminator::Abort => return Err(End::Stop),
        }
        Ok(())
    }

    /// The end of the procedure: what it promised, and what nobody holds any more.
    fn leave(&mut self, point: Point, span: Span) -> Exec {
        let words = &self.checker.code.words;
        let steps = &self.checker.code.blocks[point.block.0 as usize].steps;
        for step in steps.iter().filter(|s| s.point == point) {
            match &step.op {
                Op::AssertFact { kind, fact, .. } => self.must_hold(fact, *kind, step.span)?,
                Op::Leak { roots } => {
                    let now = self.now(span)?;
                    let held = now.without_vars(|x| roots.contains(&Source::Var(x)));
                    if !held.nothing_lost(words) {
                        return Err(self.fails(CheckKind::Leak, span));
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The pattern of the state.
    fn now(&self, span: Span) -> Result<Made, End> {
        self.made().map_err(|what| Refusal::at(span, what).into())
    }

    /// The pattern of the state, or what it has no words for.
    pub(super) fn made(&self) -> Result<Made, String> {
        let results = Results {
            program: self.checker.program,
            proc: self.checker.code.proc,
            words: &self.checker.code.words,
            before: self.before,
            partial: &self.partial,
        };
        results.made()
    }

    fn facts_at(&self, point: Point) -> Vec<Fact> {
        let steps = &self.checker.code.blocks[point.block.0 as usize].steps;
        let facts = steps.iter().filter(|s| s.point == point).filter_map(|s| match &s.op {
            Op::AssertFact { fact, .. } | Op::AssumeFact(fact) => Some(fact.clone()),
            _ => None,
        });
        facts.collect()
    }

    fn must_hold(&self, fact: &Fact, kind: CheckKind, span: Span) -> Exec {
        if !self.checker.options.checks.contains(kind) {
            return Ok(());
        }
        // What was lost before may lead into a list, and is not part of any pattern.
        if !self.checker.code.checks_leaks && mentions_segment(fact) {
            let what = "`ls` where cells may have been lost (leaks are not checked)";
            return Err(Refusal::at(span, what).into());
        }
        let words = &self.checker.code.words;
        let now = self.now(span)?;
        let cases = now.collected(words);
        // Whatever is lost may still lead into a list, so `ls` is not sure of it.
        let ok = |(case, missing): &(Pattern, bool)| {
            holds(words, case, fact) && !(*missing && mentions_segment(fact))
        };
        match cases.is_some_and(|cases| cases.iter().all(ok)) {
            true => Ok(()),
            false => Err(self.fails(kind, span)),
        }
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

    /// The object and offset of an access that the machine can make.
    fn place(&self, addr: &Expr, scalar: Scalar) -> Option<(ObjId, u32)> {
        let value = trellis_program::concrete::eval::eval(&self.partial.state, addr, false).ok()?;
        self.partial.state.memory.access(value, scalar.bytes()).ok()
    }

    /// The live object that a pointer leads to.
    fn object(&self, pointer: &Expr) -> Option<ObjId> {
        self.place(pointer, Scalar::Int(trellis_program::IntKind::CHAR)).map(|(id, _)| id)
    }

    /// Asks for a field that the pattern leaves open; the symbol in it, if it is an integer that is
    /// not known.
    fn resolve(&mut self, id: ObjId, offset: u32, scalar: Scalar) -> Result<Option<usize>, End> {
        let program = self.checker.program;
        let state: &State = &self.partial.state;
        if field(program, state, id, offset) != Value::Open {
            return Ok(None);
        }
        let cell = cell_index(program, state, id, offset);
        if let Some(symbol) = cell.and_then(|c| self.partial.symbols.cells.get(&c).copied()) {
            // Orders of its data against others are values of a colour.
            if let Some(n) = self.partial.nodes.get(&id)
                && self.before.nodes[*n].colours.len() > 1
            {
                return Err(Need::Colour(*n).into());
            }
            return Ok(self.evaluation().define(symbol).then_some(symbol));
        }
        let Some(node) = self.partial.nodes.get(&id).copied() else {
            return Err(Refusal::at(self.span(), "a field that is not known").into());
        };
        let record = &self.checker.code.words.records[self.before.nodes[node].record];
        match (scalar, record.pointer_at(i64::from(offset))) {
            (Scalar::Ptr(_), Some(f)) => Err(Need::Field(node, f).into()),
            _ => Err(Need::Colour(node).into()),
        }
    }

    fn span(&self) -> Span {
        let frame = self.partial.state.top();
        let point = Point { proc: frame.proc, block: frame.block, instr: frame.instr };
        self.checker.program.span_at(point)
    }

    /// Asks for all pointer fields of an object that are open, and for its data if wanted.
    fn resolve_all(&mut self, id: ObjId, data: bool) -> Exec {
        let Some(node) = self.partial.nodes.get(&id).copied() else { return Ok(()) };
        let record = &self.checker.code.words.records[self.before.nodes[node].record];
        for (f, of) in record.pointers.iter().enumerate() {
            if field(self.checker.program, &self.partial.state, id, of.offset) == Value::Open {
                return Err(Need::Field(node, f).into());
            }
        }
        match data && self.before.nodes[node].colours.len() > 1 {
            true => Err(Need::Colour(node).into()),
            false => Ok(()),
        }
    }

    /// All fields of an object are being written with known values.
    fn touch(&mut self, id: ObjId) {
        let object = *self.partial.state.memory.object(id);
        for cell in object.start as usize..(object.start + object.cells) as usize {
            self.partial.written.insert(cell);
            self.partial.symbols.cells.remove(&cell);
        }
    }

    fn store(&mut self, addr: &Expr, scalar: Scalar, value: &Expr, span: Span) -> Exec {
        let place = self.place(addr, scalar);
        if let (Some((id, offset)), Scalar::Ptr(_)) = (place, scalar) {
            // What the field led to may be lost.
            self.resolve(id, offset, scalar)?;
        }
        let operand = self.open_value(value, span)?;
        // The machine sees unknown integers as undefined; what it stores is put right below.
        let hidden: Vec<Reg> = match operand {
            Some(_) => self.open_registers(value),
            None => Vec::new(),
        };
        hidden.iter().for_each(|r| self.partial.state.set(*r, Value::Undef));
        let done = match operand {
            // Overflow and the like have been looked at.
            Some(_) => self.quiet_store(addr, scalar, span),
            None => self.machine_step(span),
        };
        hidden.iter().for_each(|r| self.partial.state.set(*r, Value::Open));
        done?;
        let Some((id, offset)) = place else { return Ok(()) };
        let Some(cell) = cell_index(self.checker.program, &self.partial.state, id, offset) else {
            return Ok(());
        };
        self.partial.written.insert(cell);
        self.partial.symbols.cells.remove(&cell);
        match operand {
            Some(Operand::Symbol(s)) => {
                self.partial.state.memory.cells[cell] = Value::Open;
                self.partial.symbols.cells.insert(cell, s);
            }
            Some(Operand::Value(v)) => self.partial.state.memory.cells[cell] = v,
            None => {}
        }
        Ok(())
    }

    /// A store of an integer that is not known: the place is judged as the machine does it.
    fn quiet_store(&mut self, addr: &Expr, scalar: Scalar, span: Span) -> Exec {
        use trellis_program::concrete::eval::eval;
        use trellis_program::concrete::memory::Fault;
        let types = &self.checker.program.types;
        let at = eval(&self.partial.state, addr, false);
        let at = at.map_err(|_| End::from(Refusal::at(span, "an address that is not known")))?;
        let stored = self.partial.state.memory.store(types, at, scalar, Value::Undef);
        let kind = match stored {
            Ok(()) => {
                self.skip();
                return Ok(());
            }
            Err(Fault::Null) => CheckKind::NullDeref,
            Err(Fault::Undef) => CheckKind::Uninit,
            Err(Fault::Dead(_)) => CheckKind::UseAfterFree,
            Err(Fault::Bounds(_)) => CheckKind::Bounds,
            Err(Fault::Overlap(_)) => CheckKind::Overlap,
            Err(Fault::Unsupported(reason)) => return Err(Refusal::at(span, reason).into()),
        };
        Err(self.fails(kind, span))
    }

    fn open_registers(&self, e: &Expr) -> Vec<Reg> {
        let mut out = Vec::new();
        e.visit_regs(&mut |r| {
            if self.partial.state.slot(r) == Value::Open && !out.contains(&r) {
                out.push(r);
            }
        });
        out
    }

    fn copy(&mut self, dst: &Expr, src: &Expr, span: Span) -> Exec {
        let (to, from) = (self.object(dst), self.object(src));
        if let Some(id) = to {
            self.resolve_all(id, false)?;
        }
        if let Some(id) = from {
            self.resolve_all(id, true)?;
        }
        self.machine_step(span)?;
        let (Some(to), Some(from)) = (to, from) else { return Ok(()) };
        if to == from {
            return Ok(());
        }
        self.touch(to);
        let memory = &self.partial.state.memory;
        let (to, from) = (*memory.object(to), *memory.object(from));
        for i in 0..to.cells.min(from.cells) {
            let symbol = self.partial.symbols.cells.get(&((from.start + i) as usize)).copied();
            if let Some(symbol) = symbol {
                self.partial.symbols.cells.insert((to.start + i) as usize, symbol);
            }
        }
        Ok(())
    }
}

fn mentions_segment(fact: &Fact) -> bool {
    match fact {
        Fact::Segment { .. } => true,
        Fact::Not(f) => mentions_segment(f),
        Fact::And(fs) | Fact::Or(fs) => fs.iter().any(mentions_segment),
        Fact::Iff(a, b) => mentions_segment(a) || mentions_segment(b),
        Fact::Const(_)
        | Fact::Same(..)
        | Fact::Cmp(..)
        | Fact::Alloc(_)
        | Fact::Reach { .. }
        | Fact::Stable(..)
        | Fact::Disjoint(..) => false,
    }
}
