//! One step of the concrete machine.
//!
//! [`Machine::step`] executes the next instruction or terminator of the innermost frame. All
//! nondeterminism goes through a [`Chooser`], so a run is an initial heap and a list of choices.
//!
//! **Invariant:** a check that fails is reported with the [`Point`] and kind under which the
//! [`crate::CheckTable`] lists it. A check that is switched off never fails: an execution that
//! would violate it ends, or, where going on makes sense (contracts, leaks), goes on.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::cfg;
use crate::checks::{CheckKind, CheckSet, Point};
use crate::concrete::constants;
use crate::concrete::eval::{self, EvalError};
use crate::concrete::initial::InitialHeap;
use crate::concrete::memory::{Fault, Lifetime, ObjId, Value};
use crate::concrete::spec_eval::{SpecEnv, Truth, formula_traits};
use crate::concrete::state::{Frame, State};
use crate::ir::{
    BinOp, BlockId, Cond, Expr, GlobalId, Instr, InstrKind, ProcId, Program, Reg, Terminator, VarId,
};
use crate::source::Span;
use crate::spec::{Assigns, Formula};

/// Resolves nondeterminism.
pub trait Chooser {
    /// One of `options` alternatives, at least one; answers below `options`.
    fn choose(&mut self, options: u32) -> u32;

    /// A truth value of the program: 0 or 1.
    fn choose_truth(&mut self) -> u32 {
        self.choose(2)
    }

    /// One of some integers, at least one, by its number.
    fn choose_integer(&mut self, domain: &mut dyn Iterator<Item = i64>) -> u32 {
        self.choose(domain.count() as u32)
    }
}

/// How the machine runs.
#[derive(Clone, Debug)]
pub struct MachineOptions {
    /// Which checks are on.
    pub checks: CheckSet,
    /// Whether `malloc` may return null.
    pub malloc_may_fail: bool,
    /// The integers that a nondeterministic value is chosen from (those that fit its type).
    pub ints: Vec<i64>,
    /// How many frames a run may stack.
    pub max_depth: usize,
}

impl Default for MachineOptions {
    fn default() -> MachineOptions {
        MachineOptions {
            checks: CheckSet::default(),
            malloc_may_fail: false,
            ints: vec![-1, 0, 1, 2],
            max_depth: 200,
        }
    }
}

/// A violated check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Failure {
    /// What was violated.
    pub kind: CheckKind,
    /// Where.
    pub point: Point,
    /// Which clause of a contract, from 0.
    pub clause: u32,
    /// The object concerned: accessed, freed or leaked.
    pub object: Option<ObjId>,
    /// A contract clause is undefined rather than false.
    pub undefined: bool,
}

impl Failure {
    /// Whether both are violations of the same check, whatever the objects are called.
    pub fn same_check(&self, other: &Failure) -> bool {
        (self.kind, self.point, self.clause) == (other.kind, other.point, other.clause)
    }
}

/// How a run ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Finish {
    /// The outermost procedure returned (nothing: undefined).
    Returned(Value),
    /// `exit`.
    Exited,
    /// `abort`, a false assumption, or a check that is switched off: nothing to report.
    Stopped,
    /// A check failed.
    Failed(Failure),
    /// Outside the supported subset.
    Unsupported {
        /// Where.
        span: Span,
        /// Why, as a noun phrase.
        reason: String,
    },
    /// More frames than [`MachineOptions::max_depth`].
    TooDeep,
}

/// A program made ready to run.
pub struct Machine<'p> {
    /// The program.
    pub program: &'p Program,
    /// How to run it.
    pub options: MachineOptions,
    /// For every procedure, whether its contracts look at memory or globals at entry.
    keeps_pre: Vec<bool>,
    /// For every procedure, its loop heads.
    loop_heads: Vec<BTreeSet<BlockId>>,
    /// Nondeterministic values that are only tested for truth: 0 and 1 stand for all.
    truth_only: BTreeSet<(ProcId, Reg)>,
    /// The constant objects whose address the code gives away.
    constants: Vec<GlobalId>,
    /// For every procedure, its constant local objects.
    constant_locals: Vec<Vec<VarId>>,
    /// Whether some struct has constant members.
    constant_members: bool,
    /// Bits of [`crate::concrete::Object::marks`] in use.
    pub(super) marks: Vec<u32>,
    /// The calls of procedures without a body so far, and whether some result satisfied `ensures`.
    pub(super) satisfied: Mutex<BTreeMap<(Span, ProcId), bool>>,
    /// Whether a value was chosen from some of the possible ones only.
    pub(super) sampled: AtomicBool,
}

pub(super) type Exec = Result<(), Finish>;

impl<'p> Machine<'p> {
    /// Prepares a program.
    pub fn new(program: &'p Program, options: MachineOptions) -> Machine<'p> {
        let keeps_pre = (0u32..)
            .map(ProcId)
            .zip(&program.procs)
            .map(|(id, p)| {
                let looks_back = |f: &Formula| formula_traits(program, id, f).mentions_pre_memory;
                matches!(p.contract.assigns, Assigns::Places(..))
                    || p.contract.ensures.iter().any(|c| looks_back(&c.formula))
                    || p.body_formulas().any(looks_back)
            })
            .collect();
        let loop_heads = program
            .procs
            .iter()
            .map(|p| p.body.as_ref().map(cfg::loop_heads).unwrap_or_default())
            .collect();
        let marks = (0u32..)
            .zip(&program.predicates)
            .filter(|(_, p)| p.body.is_none())
            .map(|(i, _)| i)
            .collect();
        let options = MachineOptions {
            checks: program.meaningful(options.checks),
            malloc_may_fail: options.malloc_may_fail && !program.is_collected(),
            ..options
        };
        Machine {
            program,
            options,
            keeps_pre,
            loop_heads,
            truth_only: cfg::truth_only_temporaries(program),
            constants: constants::given_away(program),
            constant_members: program.types.ids().any(|ty| program.types.has_const(ty)),
            constant_locals: program.procs.iter().map(constants::locals).collect(),
            marks,
            satisfied: Mutex::default(),
            sampled: AtomicBool::new(false),
        }
    }

    /// Whether all runs so far chose from all values that there are, so that together they are all
    /// runs of the program.
    pub fn chose_from_all(&self) -> bool {
        let undefined_goes_on = !self.options.checks.contains(CheckKind::Uninit);
        !self.sampled.load(Ordering::Relaxed) && self.marks.is_empty() && !undefined_goes_on
    }

    /// The calls that were executed without any result that satisfies the callee's `ensures`: what
    /// stands behind them was never reached.
    pub fn unsatisfied_calls(&self) -> Vec<(Span, ProcId)> {
        let calls = self.satisfied.lock().unwrap_or_else(PoisonError::into_inner);
        calls.iter().filter(|(_, satisfied)| !**satisfied).map(|(call, _)| *call).collect()
    }

    /// Whether a procedure's frames keep the state at entry.
    pub fn keeps_pre(&self, proc: ProcId) -> bool {
        self.keeps_pre[proc.0 as usize]
    }

    /// The loop heads of a procedure.
    pub fn loop_heads(&self, proc: ProcId) -> &BTreeSet<BlockId> {
        &self.loop_heads[proc.0 as usize]
    }

    /// The bits of `marks` that uninterpreted predicates use.
    pub fn mark_bits(&self) -> &[u32] {
        &self.marks
    }

    /// The state before the first instruction of `proc`.
    pub fn start(&self, proc: ProcId, heap: &InitialHeap) -> State {
        let mut state = heap.to_state();
        self.push_frame(&mut state, proc, &heap.args, None)
            .expect("arguments of the outermost procedure are scalars");
        state
    }

    /// Executes one instruction or terminator. `Some` when the run has ended.
    pub fn step(&self, state: &mut State, chooser: &mut dyn Chooser) -> Option<Finish> {
        let frame = state.top();
        let point = Point { proc: frame.proc, block: frame.block, instr: frame.instr };
        let body = self.program.body(frame.proc).expect("only bodies are entered");
        let block = body.block(frame.block);
        if let Some(failed) = self.fails_at_loop(state) {
            return Some(failed);
        }
        let result = match block.instrs.get(point.instr as usize) {
            Some(instr) => {
                let frame = state.frames.last_mut().expect("just read");
                frame.instr += 1;
                self.execute(state, instr, point, chooser)
            }
            None => self.terminate(state, &block.term, block.term_span, point, chooser),
        };
        result.err().map(|finish| match finish {
            Finish::Unsupported { span, reason } => {
                Finish::Unsupported { span: self.in_user_text(state, span), reason }
            }
            other => other,
        })
    }

    /// The place itself, or where the user calls the model that it lies in.
    fn in_user_text(&self, state: &State, span: Span) -> Span {
        let sources = &self.program.sources;
        let calls = state.frames.iter().rev().skip(1).filter_map(|frame| {
            let block = self.program.body(frame.proc)?.block(frame.block);
            block.instrs.get((frame.instr as usize).checked_sub(1)?).map(|i| i.span)
        });
        let mut all = std::iter::once(span).chain(calls);
        all.find(|s| !sources.is_model(*s)).unwrap_or(span)
    }

    /// What fails because a run is at a loop head, before anything is executed there.
    pub fn fails_at_loop(&self, state: &State) -> Option<Finish> {
        let frame = state.top();
        let point = Point { proc: frame.proc, block: frame.block, instr: frame.instr };
        if point.instr != 0
            || !self.options.checks.contains(CheckKind::Acyclic)
            || !self.loop_heads(point.proc).contains(&point.block)
        {
            return None;
        }
        let object = super::cycles::find_cycle(self.program, &state.memory)?;
        Some(self.failed(CheckKind::Acyclic, point, 0, Some(object)))
    }

    fn execute(
        &self,
        state: &mut State,
        instr: &Instr,
        at: Point,
        chooser: &mut dyn Chooser,
    ) -> Exec {
        let types = &self.program.types;
        let span = instr.span;
        let ev = |state: &State, e: &Expr| self.eval(state, e, at, span);
        match &instr.kind {
            InstrKind::Assign { dst, value } => {
                let value = ev(state, value)?;
                state.set(*dst, value);
            }
            InstrKind::Load { dst, addr, scalar } => {
                let addr = ev(state, addr)?;
                let value = state.memory.load(types, addr, *scalar);
                state.set(*dst, value.map_err(|f| self.fault(f, at, span))?);
            }
            InstrKind::Store { addr, scalar, value } => {
                let (at_addr, value) = (ev(state, addr)?, ev(state, value)?);
                self.writable(state, addr, at_addr, types.bytes(*scalar), span)?;
                let done = state.memory.store(types, at_addr, *scalar, value);
                done.map_err(|f| self.fault(f, at, span))?;
            }
            InstrKind::Copy { dst, src, size, may_overlap } => {
                let (to, dst, src) = (dst, ev(state, dst)?, ev(state, src)?);
                let size = self.size(ev(state, size)?, at, span)?;
                if !may_overlap && let Some(fault) = overlap(dst, src, size) {
                    return Err(self.fault(fault, at, span));
                }
                self.writable(state, to, dst, size, span)?;
                state.copy(types, dst, src, size).map_err(|f| self.fault(f, at, span))?;
            }
            InstrKind::Fill { dst, byte, size } => {
                let (to, dst, byte) = (dst, ev(state, dst)?, ev(state, byte)?);
                let size = self.size(ev(state, size)?, at, span)?;
                self.writable(state, to, dst, size, span)?;
                state.fill(types, dst, byte, size).map_err(|f| self.fault(f, at, span))?;
            }
            InstrKind::Alloc { dst, size, ty, zeroed } => {
                if *zeroed {
                    self.fits(size, |e| ev(state, e), span)?;
                }
                let size = self.size(ev(state, size)?, at, span)?;
                if self.options.malloc_may_fail && chooser.choose(2) == 1 {
                    state.set(*dst, Value::Null);
                    return Ok(());
                }
                let fill = |s| {
                    if *zeroed { Value::zero(s) } else { Value::Undef }
                };
                let id = state.memory.allocate(types, *ty, size, Lifetime::Heap, fill);
                state.memory.objects[id.0 as usize].zeroed = *zeroed;
                state.memory.objects[id.0 as usize].marks = self.choose_marks(chooser);
                state.set(*dst, Value::to_start(id));
            }
            InstrKind::Retype { ptr, ty } => {
                if let Value::Ptr(p) = ev(state, ptr)?
                    && p.off == 0
                {
                    state.memory.retype(types, p.obj, *ty, |_| Value::Undef);
                }
            }
            InstrKind::Free { ptr } => self.free(state, ev(state, ptr)?, at)?,
            InstrKind::BeginLocal { var } => self.begin_local(state, *var),
            InstrKind::BeginArray { var, element, count } => {
                let bytes = i64::from(types.size_of(*element).unwrap_or(0));
                let size = match ev(state, count)? {
                    Value::Int(n) if n >= 0 => Value::Int(n.saturating_mul(bytes)),
                    Value::Int(_) => Value::Int(-1),
                    value => value,
                };
                let size = self.size(size, at, span)?;
                end_local(state, *var);
                let undef = |_| Value::Undef;
                let id = state.memory.allocate(types, Some(*element), size, Lifetime::Local, undef);
                state.set(Reg::Local(*var), Value::to_start(id));
            }
            InstrKind::EndLocal { var } => end_local(state, *var),
            InstrKind::Call { dst, proc, args } => {
                let args = args.iter().map(|a| ev(state, a)).collect::<Result<Vec<_>, _>>()?;
                self.call(state, *dst, *proc, &args, at, span, chooser)?;
            }
            InstrKind::Havoc { dst, scalar } => {
                let truth_only = self.truth_only.contains(&(at.proc, *dst));
                let value = self.choose_value(state, *scalar, truth_only, chooser);
                state.set(*dst, value);
            }
            InstrKind::Assume { cond } => {
                if !self.condition(state, cond, at, span, chooser)? {
                    return Err(Finish::Stopped);
                }
            }
            InstrKind::Assert { kind, cond: Cond::Spec(f) } => {
                self.require(*kind, at, 0, || self.env(state, None).truth(f))?;
            }
            InstrKind::Assert { kind, cond } => {
                if !self.condition(state, cond, at, span, chooser)? {
                    return Err(self.failed(*kind, at, 0, None));
                }
            }
            InstrKind::Unsupported { reason } => {
                return Err(Finish::Unsupported { span, reason: reason.clone() });
            }
        }
        Ok(())
    }

    fn terminate(
        &self,
        state: &mut State,
        term: &Terminator,
        span: Span,
        at: Point,
        chooser: &mut dyn Chooser,
    ) -> Exec {
        match term {
            Terminator::Goto(target) => state.jump(*target),
            Terminator::Branch { cond, then, els } => {
                let value = self.eval(state, cond, at, span)?;
                let taken = self.decide(value, at, span, chooser)?;
                state.jump(if taken { *then } else { *els });
            }
            Terminator::Return(value) => {
                let value = match value {
                    Some(e) => self.eval(state, e, at, span)?,
                    None => Value::Undef,
                };
                self.return_from(state, value, at, span)?;
            }
            Terminator::Exit => {
                let mut roots = state.global_roots(self.program);
                roots.extend(state.frame_roots(self.program));
                self.check_leak(state, roots, at)?;
                return Err(Finish::Exited);
            }
            Terminator::ExitFreed => {
                // What the host passed is not the program's to free.
                let is_left = |id: &ObjId| {
                    let o = state.memory.object(*id);
                    o.live && o.lifetime == Lifetime::Heap && !o.initial
                };
                let left = state.memory.ids().find(is_left);
                return Err(match left {
                    Some(object) => self.failed(CheckKind::Leak, at, 0, Some(object)),
                    None => Finish::Exited,
                });
            }
            Terminator::Abort => return Err(Finish::Stopped),
        }
        Ok(())
    }

    fn begin_local(&self, state: &mut State, var: VarId) {
        end_local(state, var);
        let declared = self.program.proc(state.top().proc).var(var);
        let object = state.new_local(&self.program.types, declared.ty);
        state.memory.objects[object.0 as usize].literal = declared.is_temp && declared.is_const;
        state.set(Reg::Local(var), Value::to_start(object));
    }

    fn free(&self, state: &mut State, ptr: Value, at: Point) -> Exec {
        let p = match ptr {
            Value::Null => return Ok(()),
            Value::Ptr(p) => p,
            Value::Undef | Value::Open => return Err(self.failed(CheckKind::Uninit, at, 0, None)),
            Value::Int(_) | Value::Piece(..) | Value::Bytes => {
                return Err(self.failed(CheckKind::InvalidFree, at, 0, None));
            }
        };
        let object = &mut state.memory.objects[p.obj.0 as usize];
        if object.lifetime != Lifetime::Heap {
            return Err(self.failed(CheckKind::InvalidFree, at, 0, Some(p.obj)));
        }
        if !object.live {
            return Err(self.failed(CheckKind::DoubleFree, at, 0, Some(p.obj)));
        }
        if p.off != 0 {
            return Err(self.failed(CheckKind::InvalidFree, at, 0, Some(p.obj)));
        }
        object.live = false;
        Ok(())
    }

    pub(super) fn eval(
        &self,
        state: &State,
        e: &Expr,
        at: Point,
        span: Span,
    ) -> Result<Value, Finish> {
        let overflow = self.options.checks.contains(CheckKind::Overflow);
        eval::eval(state, e, overflow).map_err(|error| self.no_value(error, at, span))
    }

    fn no_value(&self, error: EvalError, at: Point, span: Span) -> Finish {
        match error {
            EvalError::Check(kind) => self.failed(kind, at, 0, None),
            EvalError::Unsupported(reason) => Finish::Unsupported { span, reason: reason.into() },
        }
    }

    fn condition(
        &self,
        state: &State,
        cond: &Cond,
        at: Point,
        span: Span,
        chooser: &mut dyn Chooser,
    ) -> Result<bool, Finish> {
        match cond {
            Cond::Spec(f) => Ok(self.env(state, None).truth(f) == Truth::True),
            Cond::Expr(e) => {
                let value = self.eval(state, e, at, span)?;
                self.decide(value, at, span, chooser)
            }
        }
    }

    /// Which way a condition goes; an undefined one fails, or, with that check off, either way.
    fn decide(
        &self,
        value: Value,
        at: Point,
        span: Span,
        chooser: &mut dyn Chooser,
    ) -> Result<bool, Finish> {
        let value = eval::number(value).map_err(|e| self.no_value(e, at, span))?;
        match eval::truth(value) {
            Some(t) => Ok(t),
            None if self.options.checks.contains(CheckKind::Uninit) => {
                Err(self.failed(CheckKind::Uninit, at, 0, None))
            }
            None => Ok(chooser.choose(2) == 1),
        }
    }

    /// A contract clause must be true, if its check is on.
    pub(super) fn require(
        &self,
        kind: CheckKind,
        point: Point,
        clause: u32,
        truth: impl FnOnce() -> Truth,
    ) -> Exec {
        if !self.options.checks.contains(kind) {
            return Ok(());
        }
        match truth() {
            Truth::True => Ok(()),
            t => Err(Finish::Failed(Failure {
                kind,
                point,
                clause,
                object: None,
                undefined: t == Truth::Undefined,
            })),
        }
    }

    pub(super) fn check_leak(&self, state: &State, roots: Vec<ObjId>, at: Point) -> Exec {
        if !self.options.checks.contains(CheckKind::Leak) {
            return Ok(());
        }
        let seen = state.memory.reachable(roots);
        let lost = state.memory.ids().find(|id| {
            let o = state.memory.object(*id);
            o.live && o.lifetime == Lifetime::Heap && !seen[id.0 as usize]
        });
        match lost {
            Some(object) => Err(self.failed(CheckKind::Leak, at, 0, Some(object))),
            None => Ok(()),
        }
    }

    pub(super) fn failed(
        &self,
        kind: CheckKind,
        point: Point,
        clause: u32,
        object: Option<ObjId>,
    ) -> Finish {
        if !self.options.checks.contains(kind) {
            return Finish::Stopped;
        }
        Finish::Failed(Failure { kind, point, clause, object, undefined: false })
    }

    pub(super) fn fault(&self, fault: Fault, at: Point, span: Span) -> Finish {
        match fault {
            Fault::Null => self.failed(CheckKind::NullDeref, at, 0, None),
            Fault::Undef => self.failed(CheckKind::Uninit, at, 0, None),
            Fault::Dead(o) => self.failed(CheckKind::UseAfterFree, at, 0, Some(o)),
            Fault::Bounds(o) => self.failed(CheckKind::Bounds, at, 0, Some(o)),
            Fault::Nowhere => self.failed(CheckKind::Bounds, at, 0, None),
            Fault::Overlap(o) => self.failed(CheckKind::Overlap, at, 0, Some(o)),
            Fault::Unsupported(reason) => Finish::Unsupported { span, reason: reason.into() },
        }
    }

    /// What a write to a constant object or member does is not defined, and no check is about it. A
    /// local that is written by its name is being declared; what has just been allocated was not
    /// declared at all.
    fn writable(&self, state: &State, place: &Expr, at: Value, bytes: u32, span: Span) -> Exec {
        let Some(target) = at.pointer() else { return Ok(()) };
        let written = target.obj;
        let is_it = |v: Value| v.pointer().is_some_and(|p| p.obj == written);
        let global = |g: &GlobalId| is_it(state.globals[g.0 as usize]);
        let local = |frame: &Frame| {
            let constants = &self.constant_locals[frame.proc.0 as usize];
            constants.iter().any(|v| is_it(state.regs[frame.base as usize + v.0 as usize]))
        };
        let types = &self.program.types;
        let member = || {
            let object = state.memory.object(written);
            self.constant_members
                && (object.initial || object.lifetime != Lifetime::Heap)
                && object.ty.is_some_and(|ty| {
                    constants::is_in_member(types, ty, i64::from(target.off), bytes)
                })
        };
        if self.constants.iter().any(global)
            || (!constants::is_named_local(place) && (state.frames.iter().any(local) || member()))
        {
            return Err(Finish::Unsupported {
                span,
                reason: "a write to a constant object".into(),
            });
        }
        Ok(())
    }

    fn size(&self, value: Value, at: Point, span: Span) -> Result<u32, Finish> {
        /// Larger objects are outside the subset.
        const MOST_BYTES: i64 = 1 << 24;
        match value {
            Value::Int(n) if (0..=MOST_BYTES).contains(&n) => Ok(n as u32),
            Value::Int(_) => Err(Finish::Unsupported { span, reason: "a very large size".into() }),
            Value::Undef => Err(self.failed(CheckKind::Uninit, at, 0, None)),
            _ => Err(Finish::Unsupported { span, reason: "a pointer used as a size".into() }),
        }
    }

    /// `calloc` fails where `malloc` of the product would wrap.
    fn fits(&self, size: &Expr, ev: impl Fn(&Expr) -> Result<Value, Finish>, span: Span) -> Exec {
        if let Expr::Binary(BinOp::Mul, kind, a, b) = size
            && let (Value::Int(a), Value::Int(b)) = (ev(a)?, ev(b)?)
            && kind
                .value(a)
                .checked_mul(kind.value(b))
                .is_none_or(|n| n != kind.value(kind.wrap(n)))
        {
            return Err(Finish::Unsupported { span, reason: "a very large size".into() });
        }
        Ok(())
    }

    /// What contracts of the innermost frame see.
    pub fn env<'s>(&'s self, state: &'s State, result: Option<Value>) -> SpecEnv<'s> {
        let frame = state.top();
        let proc = self.program.proc(frame.proc);
        let regs = &state.regs[frame.base as usize..];
        SpecEnv {
            program: self.program,
            proc: frame.proc,
            memory: &state.memory,
            globals: &state.globals,
            locals: &regs[..proc.vars.len()],
            entry: &regs[proc.vars.len()..][..proc.params],
            pre: frame.pre.as_deref(),
            result,
        }
    }
}

/// What forbids `memcpy` between two places. It is asked before the places are, as by the
/// sanitizers: which failure a call with several of them has is not for the user to guess.
fn overlap(dst: Value, src: Value, size: u32) -> Option<Fault> {
    let (p, q) = (dst.pointer()?, src.pointer()?);
    let distance = p.off.abs_diff(q.off);
    (p.obj == q.obj && distance != 0 && distance < size).then_some(Fault::Overlap(p.obj))
}

pub(super) fn end_local(state: &mut State, var: VarId) {
    if let Value::Ptr(p) = state.local(var) {
        state.memory.objects[p.obj.0 as usize].live = false;
    }
}
