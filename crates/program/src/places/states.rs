//! States of the old procedure as states of the new one, and back.
//!
//! What a register of the new procedure says is read off the pointers and objects of the old one:
//! this is what the second leg of a proof means by the words of an invariant. It shares nothing with
//! the code that replaces instructions.
//!
//! Objects of global variables come first in the old state, those of locals last, so the others keep
//! their order.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{Place, Placed, Pointer};
use crate::concrete::initial::InitialHeap;
use crate::concrete::memory::{self, Lifetime, Memory, ObjId, Value};
use crate::concrete::state::{PreState, State};
use crate::ir::{Program, Reg, VarId};
use crate::types::{TypeId, TypeTable};

impl Placed {
    /// The state of the old program that a state of the new one stands for; `None` if it stands for
    /// none, because a pointer would be at two places.
    pub fn raise(&self, state: &State) -> Option<State> {
        if self.is_unchanged() {
            return Some(state.clone());
        }
        let (old, params) = (&self.before, self.params());
        let (was, vars) = (old.proc(self.proc).vars.len(), self.program.proc(self.proc).vars.len());
        let count = self.globals().count() as u32;
        let (memory, globals) = self.raise_globals(&state.memory, &state.globals);
        let mut out = State { memory, globals, frames: state.frames.clone(), regs: Vec::new() };
        let moved = |v: &Value| shifted(*v, count);
        out.regs.extend(state.regs[..was].iter().map(moved));
        out.regs.extend(state.regs[vars..vars + params].iter().map(moved));
        for v in self.locals() {
            let id = self.object(old, &mut out.memory, old.proc(self.proc).var(v).ty);
            let value = shifted(state.regs[v.0 as usize], count);
            let start = out.memory.object(id).start as usize;
            out.memory.cells[start] = value;
            out.regs[v.0 as usize] = Value::to_start(id);
        }
        for pointer in &self.pointers {
            let value = self.compose(old, pointer, state, &mut out)?;
            match self.variables.contains(&Reg::Local(pointer.var)) {
                true => {
                    let object = out.regs[pointer.var.0 as usize].pointer()?.obj;
                    let start = out.memory.object(object).start as usize;
                    out.memory.cells[start] = value;
                }
                false => out.regs[pointer.var.0 as usize] = value,
            }
        }
        for frame in &mut out.frames {
            frame.pre = frame.pre.as_ref().map(|pre| Arc::new(self.raise_entry(pre)));
        }
        Some(out)
    }

    /// The same for memory and globals at the entry.
    fn raise_entry(&self, pre: &PreState) -> PreState {
        let (memory, globals) = self.raise_globals(&pre.memory, &pre.globals);
        PreState { memory, globals }
    }

    fn raise_globals(&self, before: &Memory, values: &[Value]) -> (Memory, Vec<Value>) {
        let old = &self.before;
        let count = self.globals().count() as u32;
        let mut memory = Memory::default();
        let mut globals: Vec<Value> = values.iter().map(|v| shifted(*v, count)).collect();
        for g in self.globals() {
            let (types, ty) = (&old.types, old.globals[g].ty);
            let size = types.size_of(ty).unwrap_or(0);
            let id = memory.allocate(types, Some(ty), size, Lifetime::Global, |_| globals[g]);
            memory.objects[id.0 as usize].initial = true;
            globals[g] = Value::to_start(id);
        }
        let cells = memory.cells.len() as u32;
        for object in &before.objects {
            let start = object.start + cells;
            memory.objects.push(memory::Object { start, ..*object });
        }
        memory.cells.extend(before.cells.iter().map(|v| shifted(*v, count)));
        (memory, globals)
    }

    /// A new object of a local variable.
    fn object(&self, old: &Program, memory: &mut Memory, ty: TypeId) -> ObjId {
        let size = old.types.size_of(ty).unwrap_or(0);
        memory.allocate(&old.types, Some(ty), size, Lifetime::Local, |_| Value::Undef)
    }

    /// The pointer that some registers stand for.
    fn compose(
        &self,
        old: &Program,
        pointer: &Pointer,
        state: &State,
        out: &mut State,
    ) -> Option<Value> {
        let count = self.globals().count() as u32;
        let read = |v: VarId| state.regs[v.0 as usize];
        let all = || pointer.at.iter().map(|(_, r)| *r).chain(pointer.dead);
        if all().all(|r| read(r) == Value::Undef) {
            return Some(Value::Undef);
        }
        if all().any(|r| read(r) == Value::Undef) {
            return None;
        }
        let is_set = |r: VarId| !matches!(read(r), Value::Null | Value::Int(0));
        if all().filter(|r| is_set(*r)).count() > 1 {
            return None;
        }
        if pointer.dead.is_some_and(is_set) {
            let ty = old.types.pointee(old.proc(self.proc).var(pointer.var).ty)?;
            let id = self.object(old, &mut out.memory, ty);
            out.memory.objects[id.0 as usize].live = false;
            return Some(Value::to_start(id));
        }
        let Some((place, register)) = pointer.at.iter().find(|(_, r)| is_set(*r)) else {
            return Some(Value::Null);
        };
        match place {
            Place::Variable(Reg::Local(v)) => Some(out.regs[v.0 as usize]),
            Place::Variable(Reg::Global(g)) => Some(out.globals[g.0 as usize]),
            Place::Field { offset, .. } => {
                let mut p = shifted(read(*register), count).pointer()?;
                p.off = p.off.checked_add(i32::try_from(*offset).ok()?)?;
                Some(Value::Ptr(p))
            }
        }
    }

    /// The state of the new program that a state of the old one is.
    pub fn read(&self, state: State) -> State {
        if self.is_unchanged() {
            return state;
        }
        self.read_off(&state)
    }

    fn read_off(&self, state: &State) -> State {
        let (old, params) = (&self.before, self.params());
        let (was, vars) = (old.proc(self.proc).vars.len(), self.program.proc(self.proc).vars.len());
        let hidden = self.hidden(old, state);
        let mut regs = vec![Value::Undef; vars];
        regs[..was].copy_from_slice(&state.regs[..was]);
        regs.extend_from_slice(&state.regs[was..was + params]);
        for v in self.locals() {
            regs[v.0 as usize] = held(&state.memory, state.regs[v.0 as usize]);
        }
        for pointer in &self.pointers {
            let raw = regs[pointer.var.0 as usize];
            regs[pointer.var.0 as usize] = Value::Undef;
            self.decompose(old, pointer, raw, state, &hidden, &mut regs);
        }
        let globals = self.read_globals(&state.memory, &state.globals);
        let (memory, renamed) = without(&state.memory, &hidden);
        let rename = |v: &mut Value| *v = renaming(*v, &renamed);
        let mut out = State { memory, globals, frames: state.frames.clone(), regs };
        out.regs.iter_mut().chain(&mut out.globals).for_each(rename);
        for frame in &mut out.frames {
            frame.pre = frame.pre.as_ref().map(|pre| {
                let mut globals = self.read_globals(&pre.memory, &pre.globals);
                let (memory, renamed) = without(&pre.memory, &hidden);
                globals.iter_mut().for_each(|v| *v = renaming(*v, &renamed));
                Arc::new(PreState { memory, globals })
            });
        }
        out
    }

    /// The same for an initial heap.
    pub fn read_heap(&self, heap: &InitialHeap) -> InitialHeap {
        let hidden: BTreeSet<ObjId> =
            self.globals().filter_map(|g| heap.globals[g].pointer()).map(|p| p.obj).collect();
        let (memory, renamed) = without(&heap.memory, &hidden);
        let renamed = |values: Vec<Value>| -> Vec<Value> {
            values.into_iter().map(|v| renaming(v, &renamed)).collect()
        };
        let globals = renamed(self.read_globals(&heap.memory, &heap.globals));
        InitialHeap { memory, globals, args: renamed(heap.args.clone()) }
    }

    fn read_globals(&self, memory: &Memory, globals: &[Value]) -> Vec<Value> {
        let mut out = globals.to_vec();
        for g in self.globals() {
            out[g] = held(memory, globals[g]);
        }
        out
    }

    /// The objects of variables that are in registers now, those that are gone included.
    fn hidden(&self, old: &Program, state: &State) -> BTreeSet<ObjId> {
        let slot = |v: VarId| state.regs[v.0 as usize].pointer().map(|p| p.obj);
        let procedure = old.proc(self.proc);
        let shown: BTreeSet<ObjId> = (0..procedure.vars.len() as u32)
            .map(VarId)
            .filter(|v| procedure.var(*v).storage == crate::ir::Storage::Object)
            .filter(|v| !self.variables.contains(&Reg::Local(*v)))
            .filter_map(slot)
            .collect();
        let types: BTreeSet<TypeId> = self.locals().map(|v| procedure.var(v).ty).collect();
        let of_local = |id: &ObjId| {
            let o = state.memory.object(*id);
            let ours = o.ty.is_some_and(|ty| types.contains(&ty));
            o.lifetime == Lifetime::Local && ours && !shown.contains(id)
        };
        let globals = self.globals().filter_map(|g| state.globals[g].pointer()).map(|p| p.obj);
        state.memory.ids().filter(of_local).chain(globals).collect()
    }

    /// What the registers of a pointer hold. One that points nowhere known has no value.
    fn decompose(
        &self,
        old: &Program,
        pointer: &Pointer,
        raw: Value,
        state: &State,
        hidden: &BTreeSet<ObjId>,
        regs: &mut [Value],
    ) {
        let mut found = None;
        if let Value::Ptr(p) = raw {
            let object = state.memory.object(p.obj);
            for (place, register) in &pointer.at {
                let value = match place {
                    Place::Variable(reg) => {
                        let here = object.live && state.slot(*reg) == raw;
                        here.then_some(Value::Int(1))
                    }
                    Place::Field { .. } if hidden.contains(&p.obj) => None,
                    Place::Field { owner, offset } => {
                        let base = starts(&old.types, object.ty, *owner)
                            .into_iter()
                            .find(|at| at + offset == i64::from(p.off));
                        let off = base.and_then(|at| i32::try_from(at).ok());
                        off.map(|off| Value::Ptr(memory::Pointer { obj: p.obj, off }))
                    }
                };
                found = found.or(value.map(|value| (*register, value)));
            }
            if found.is_none()
                && hidden.contains(&p.obj)
                && let Some(dead) = pointer.dead
            {
                found = Some((dead, Value::Int(1)));
            }
            if found.is_none() {
                return;
            }
        } else if raw != Value::Null {
            return;
        }
        for (place, register) in &pointer.at {
            regs[register.0 as usize] = match place {
                Place::Variable(_) => Value::Int(0),
                Place::Field { .. } => Value::Null,
            };
        }
        if let Some(dead) = pointer.dead {
            regs[dead.0 as usize] = Value::Int(0);
        }
        if let Some((register, value)) = found {
            regs[register.0 as usize] = value;
        }
    }

    fn params(&self) -> usize {
        self.program.proc(self.proc).params
    }

    fn locals(&self) -> impl Iterator<Item = VarId> + '_ {
        self.variables.iter().filter_map(|reg| match reg {
            Reg::Local(v) => Some(*v),
            Reg::Global(_) => None,
        })
    }

    fn globals(&self) -> impl Iterator<Item = usize> + '_ {
        self.variables.iter().filter_map(|reg| match reg {
            Reg::Global(g) => Some(g.0 as usize),
            Reg::Local(_) => None,
        })
    }
}

/// What a variable in memory holds, while it lives.
fn held(memory: &Memory, slot: Value) -> Value {
    match slot.pointer() {
        Some(p) if memory.object(p.obj).live => memory.cells[memory.object(p.obj).start as usize],
        _ => Value::Undef,
    }
}

/// Where in an object a type begins.
fn starts(types: &TypeTable, object: Option<TypeId>, owner: TypeId) -> Vec<i64> {
    let mut out = Vec::new();
    if let Some(ty) = object {
        crate::view::embedded_at(types, ty, owner, 0, &mut |at| out.push(at));
    }
    out
}

fn shifted(value: Value, by: u32) -> Value {
    match value {
        Value::Ptr(p) => Value::Ptr(memory::Pointer { obj: ObjId(p.obj.0 + by), off: p.off }),
        value => value,
    }
}

/// Memory without some objects, and the new name of every object.
fn without(memory: &Memory, hidden: &BTreeSet<ObjId>) -> (Memory, Vec<Option<ObjId>>) {
    let mut next = 0;
    let mut name = |id: ObjId| {
        let kept = !hidden.contains(&id);
        let id = kept.then_some(ObjId(next));
        next += u32::from(kept);
        id
    };
    let renamed: Vec<Option<ObjId>> = memory.ids().map(&mut name).collect();
    let mut out = Memory::default();
    for id in memory.ids().filter(|id| !hidden.contains(id)) {
        let start = out.cells.len() as u32;
        out.objects.push(memory::Object { start, ..*memory.object(id) });
        out.cells.extend(memory.cells_of(id).iter().map(|v| renaming(*v, &renamed)));
    }
    (out, renamed)
}

/// A value in terms of new names; a pointer to what has none has no value.
fn renaming(value: Value, renamed: &[Option<ObjId>]) -> Value {
    match value {
        Value::Ptr(p) => match renamed.get(p.obj.0 as usize) {
            Some(Some(obj)) => Value::Ptr(memory::Pointer { obj: *obj, off: p.off }),
            _ => Value::Undef,
        },
        value => value,
    }
}
