//! Calls and returns of the concrete machine.
//!
//! The outermost procedure ends with its contract and the leak check: every allocated heap object
//! must be reachable from what the caller still holds, which is the arguments it passed, the
//! result, and the globals.

use std::sync::{Arc, PoisonError};

use crate::checks::{CheckKind, Point};
use crate::concrete::memory::{Fault, Lifetime, Value};
use crate::concrete::spec_eval::Truth;
use crate::concrete::state::{Frame, PreState, State};
use crate::concrete::step::{Chooser, Exec, Finish, Machine, end_local};
use crate::fresh::open_pointer;
use crate::ir::{BlockId, ProcId, Procedure, Reg, Storage, VarId};
use crate::source::Span;
use crate::spec::Assigns;
use crate::types::{CellInfo, Layout, Scalar, TypeId};

impl Machine<'_> {
    #[allow(clippy::too_many_arguments)]
    pub(super) fn call(
        &self,
        state: &mut State,
        dst: Option<Reg>,
        callee: ProcId,
        args: &[Value],
        at: Point,
        span: Span,
        chooser: &mut dyn Chooser,
    ) -> Exec {
        if state.frames.len() >= self.options.max_depth {
            return Err(Finish::TooDeep);
        }
        self.push_frame(state, callee, args, dst).map_err(|f| self.fault(f, at, span))?;
        let proc = self.program.proc(callee);
        for (i, clause) in proc.contract.requires.iter().enumerate() {
            self.require(CheckKind::Precondition, at, i as u32, || {
                self.env(state, None).truth(&clause.formula)
            })?;
        }
        if proc.body.is_none() {
            self.apply_contract(state, callee, span, chooser)?;
        }
        Ok(())
    }

    /// A new heap object with any contents: what a procedure without a body may have allocated.
    fn new_object(
        &self,
        state: &mut State,
        ty: TypeId,
        layout: &Layout,
        chooser: &mut dyn Chooser,
    ) -> Result<Value, Finish> {
        if self.options.malloc_may_fail && chooser.choose(2) == 1 {
            return Err(Finish::Stopped);
        }
        let types = &self.program.types;
        let fill = |_| Value::Undef;
        let id = state.memory.allocate(types, Some(ty), layout.size, Lifetime::Heap, fill);
        state.memory.objects[id.0 as usize].marks = self.choose_marks(chooser);
        for (i, cell) in layout.cells.iter().enumerate() {
            let value = self.choose_value(state, cell.scalar, false, chooser);
            let start = state.memory.object(id).start as usize;
            state.memory.cells[start + i] = value;
        }
        Ok(Value::to_start(id))
    }

    /// A procedure without a body returns anything that its `ensures` allows: null, an object that
    /// is there, or a new one.
    fn apply_contract(
        &self,
        state: &mut State,
        callee: ProcId,
        span: Span,
        chooser: &mut dyn Chooser,
    ) -> Exec {
        let proc = self.program.proc(callee);
        let unsupported = |reason: String| Err(Finish::Unsupported { span, reason });
        match &proc.contract.assigns {
            Assigns::Places(items, _) if items.is_empty() => {}
            _ => {
                return unsupported(format!(
                    "a call of `{}`, which has no body and may write memory (add `assigns \
                     \\nothing;` to its contract if it writes none)",
                    proc.name
                ));
            }
        }
        end_objects(state, proc);
        let types = &self.program.types;
        let result = match types.scalar(proc.ret) {
            Some(Scalar::Ptr(pointee)) if chooser.choose(2) == 1 => {
                if let Some(cell) = open_pointer(self.program, proc)
                    && chooser.choose(2) == 1
                {
                    self.called(span, callee, true);
                    return unsupported(further_reason(proc, cell));
                }
                match types.new_object(pointee) {
                    Ok(layout) => self.new_object(state, pointee, layout, chooser)?,
                    Err(what) => {
                        self.called(span, callee, true);
                        return unsupported(fresh_reason(proc, what));
                    }
                }
            }
            Some(scalar) => self.choose_value(state, scalar, false, chooser),
            None if proc.ret_is_void(types) => Value::Undef,
            None => return unsupported(format!("the struct that `{}` returns", proc.name)),
        };
        let env = self.env(state, Some(result));
        let allowed = proc.contract.ensures.iter().all(|c| env.truth(&c.formula) == Truth::True);
        if !proc.contract.ensures.is_empty() {
            self.called(span, callee, allowed);
        }
        if !allowed {
            return Err(Finish::Stopped);
        }
        if let Some(dst) = pop_frame(state) {
            state.set(dst, result);
        }
        Ok(())
    }

    /// Remembers whether a call of a procedure without a body has a result that `ensures` allows,
    /// be it one that cannot be followed.
    fn called(&self, span: Span, callee: ProcId, allowed: bool) {
        let mut calls = self.satisfied.lock().unwrap_or_else(PoisonError::into_inner);
        *calls.entry((span, callee)).or_default() |= allowed;
    }

    pub(super) fn push_frame(
        &self,
        state: &mut State,
        callee: ProcId,
        args: &[Value],
        result: Option<Reg>,
    ) -> Result<(), Fault> {
        let proc = self.program.proc(callee);
        let types = &self.program.types;
        let base = state.regs.len();
        let pre = self.keeps_pre(callee).then(|| {
            Arc::new(PreState { memory: state.memory.clone(), globals: state.globals.clone() })
        });
        state.regs.resize(base + proc.vars.len(), Value::Undef);
        for (i, arg) in args.iter().enumerate().take(proc.params) {
            let var = &proc.vars[i];
            state.regs[base + i] = match (var.storage, types.scalar(var.ty)) {
                (Storage::Register, _) => *arg,
                (Storage::Object, scalar) => {
                    let object = Value::to_start(state.new_local(types, var.ty));
                    match scalar {
                        Some(scalar) => state.memory.store(types, object, scalar, *arg)?,
                        None => {
                            state.copy(types, object, *arg, types.size_of(var.ty).unwrap_or(0))?;
                        }
                    }
                    object
                }
            };
        }
        state.regs.extend((0..proc.params).map(|i| args.get(i).copied().unwrap_or(Value::Undef)));
        state.frames.push(Frame {
            proc: callee,
            block: proc.body.as_ref().map_or(BlockId(0), |b| b.entry),
            instr: 0,
            base: base as u32,
            result,
            pre,
        });
        Ok(())
    }

    pub(super) fn return_from(
        &self,
        state: &mut State,
        value: Value,
        at: Point,
        span: Span,
    ) -> Exec {
        let types = &self.program.types;
        let proc = self.program.proc(at.proc);
        // A struct result is taken out of its local object before that dies.
        let aggregate = match (types.scalar(proc.ret), types.size_of(proc.ret)) {
            (None, Some(size)) => {
                let read = state
                    .memory
                    .access(value, size)
                    .and_then(|(id, off)| state.memory.bytes_in(types, id, off, off + size));
                Some(read.map_err(|f| self.fault(f, at, span))?)
            }
            _ => None,
        };
        end_objects(state, proc);
        let result = if aggregate.is_some() { Value::Undef } else { value };
        for (i, clause) in proc.contract.ensures.iter().enumerate() {
            self.require(CheckKind::Postcondition, at, i as u32, || {
                self.env(state, Some(result)).truth(&clause.formula)
            })?;
        }
        if self.options.checks.contains(CheckKind::Assigns)
            && let Some(w) = self.env(state, None).first_write_outside(&proc.contract.assigns)
        {
            return Err(self.failed(CheckKind::Assigns, at, 0, w.object()));
        }
        if self.options.checks.contains(CheckKind::Acyclic)
            && let Some(object) = super::cycles::find_cycle(self.program, &state.memory)
        {
            return Err(self.failed(CheckKind::Acyclic, at, 0, Some(object)));
        }
        if state.frames.len() == 1 {
            let mut roots = state.global_roots(self.program);
            let entry = (0..proc.params as u32).map(|i| state.entry_param(self.program, VarId(i)));
            roots.extend(entry.chain([value]).filter_map(Value::object));
            self.check_leak(state, roots, at)?;
            return Err(Finish::Returned(result));
        }
        match (pop_frame(state), aggregate) {
            (Some(dst), None) => state.set(dst, result),
            (Some(dst), Some(bytes)) => {
                // The caller's temporary has the callee's result type, so every byte fits.
                if let Value::Ptr(object) = state.slot(dst) {
                    let bytes: Vec<_> = bytes.into_iter().map(|b| (b, 0xff)).collect();
                    let written = state.memory.write_bytes(types, object.obj, 0, &bytes);
                    written.map_err(|f| self.fault(f, at, span))?;
                }
            }
            (None, _) => {}
        }
        Ok(())
    }
}

/// Back in the caller: where it wants the result.
fn pop_frame(state: &mut State) -> Option<Reg> {
    let frame = state.frames.pop().expect("a callee is active");
    state.regs.truncate(frame.base as usize);
    frame.result
}

/// Why a call of a procedure without a body that returns new memory cannot be followed.
pub(crate) fn fresh_reason(proc: &Procedure, what: &str) -> String {
    format!("a call of `{}`, which has no body and may return new memory: {what}", proc.name)
}

/// Why a call cannot be followed that may return more than one new object.
pub(crate) fn further_reason(proc: &Procedure, cell: &CellInfo) -> String {
    let path = if cell.path.is_empty() { "*\\result" } else { &cell.path };
    fresh_reason(proc, &format!("where `{path}` in it leads is not said (say it in `ensures`)"))
}

/// All local objects of the innermost frame die.
fn end_objects(state: &mut State, proc: &Procedure) {
    for (i, var) in proc.vars.iter().enumerate() {
        if var.storage == Storage::Object {
            end_local(state, VarId(i as u32));
        }
    }
}
