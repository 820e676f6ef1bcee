//! A state of a running program: memory, globals, and a stack of frames.
//!
//! **Invariant.** `regs` holds the registers of all frames, bottom first. A frame owns
//! `regs[base..base + vars]`, followed by `entry` copies of its parameters as they were at the
//! call: contracts read them, and at the end of the outermost procedure they are what the caller
//! still holds.

use std::sync::Arc;

use crate::concrete::bytes::Byte;
use crate::concrete::memory::{Fault, Lifetime, Memory, ObjId, Value};
use crate::ir::{BlockId, ProcId, Program, Reg, VarId};
use crate::types::{TypeId, TypeTable};

/// An activation of a procedure.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The procedure.
    pub proc: ProcId,
    /// The block being executed.
    pub block: BlockId,
    /// The next instruction in it.
    pub instr: u32,
    /// Where its registers begin.
    pub base: u32,
    /// Where the caller wants the result.
    pub result: Option<Reg>,
    /// The state at entry, kept when the contract looks at memory or globals of then.
    pub pre: Option<Arc<PreState>>,
}

/// What a contract can see of the past.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PreState {
    /// Memory at entry.
    pub memory: Memory,
    /// Globals at entry.
    pub globals: Vec<Value>,
}

/// A state.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// All objects.
    pub memory: Memory,
    /// One value a global: its value if it is a register, else a pointer to its object.
    pub globals: Vec<Value>,
    /// Outermost procedure first.
    pub frames: Vec<Frame>,
    /// Registers of all frames.
    pub regs: Vec<Value>,
}

impl State {
    /// The innermost frame.
    ///
    /// # Panics
    /// If the program has ended.
    pub fn top(&self) -> &Frame {
        self.frames.last().expect("a running state has a frame")
    }

    /// The register slot of a local in the innermost frame. Of a variable with
    /// [`crate::Storage::Object`] it is a pointer to the object, undefined before its lifetime
    /// begins.
    pub fn local(&self, v: VarId) -> Value {
        self.regs[self.top().base as usize + v.0 as usize]
    }

    /// A parameter of the innermost frame as it was at the call.
    pub fn entry_param(&self, program: &Program, v: VarId) -> Value {
        let frame = self.top();
        self.regs[frame.base as usize + program.proc(frame.proc).vars.len() + v.0 as usize]
    }

    /// The slot of a variable: its value if it is a register, else a pointer to its object.
    pub fn slot(&self, reg: Reg) -> Value {
        match reg {
            Reg::Local(v) => self.local(v),
            Reg::Global(g) => self.globals[g.0 as usize],
        }
    }

    /// Writes a register.
    pub fn set(&mut self, reg: Reg, value: Value) {
        match reg {
            Reg::Local(v) => {
                let base = self.top().base as usize;
                self.regs[base + v.0 as usize] = value;
            }
            Reg::Global(g) => self.globals[g.0 as usize] = value,
        }
    }

    /// The objects that real (not ghost) globals keep alive.
    pub fn global_roots(&self, program: &Program) -> Vec<ObjId> {
        program
            .globals
            .iter()
            .zip(&self.globals)
            .filter(|(g, _)| !g.is_ghost)
            .filter_map(|(_, v)| v.object())
            .collect()
    }

    /// The objects that the user's variables of all frames keep alive. Ghosts do not, and neither do
    /// temporaries: what only they still point to, nobody can free any more.
    pub fn frame_roots(&self, program: &Program) -> Vec<ObjId> {
        let mut roots = Vec::new();
        for frame in &self.frames {
            let vars = &program.proc(frame.proc).vars;
            for (i, var) in vars.iter().enumerate() {
                if !var.is_ghost
                    && !var.is_temp
                    && let Some(object) = self.regs[frame.base as usize + i].object()
                {
                    roots.push(object);
                }
            }
        }
        roots
    }

    /// The innermost frame goes on at the start of a block.
    pub fn jump(&mut self, target: BlockId) {
        if let Some(frame) = self.frames.last_mut() {
            frame.block = target;
            frame.instr = 0;
        }
    }

    /// A fresh object for a local variable.
    pub fn new_local(&mut self, types: &TypeTable, ty: TypeId) -> ObjId {
        let size = types.size_of(ty).unwrap_or(0);
        self.memory.allocate(types, Some(ty), size, Lifetime::Local, |_| Value::Undef)
    }

    /// `memcpy`, byte by byte. An untyped destination takes the type of the source.
    pub fn copy(
        &mut self,
        types: &TypeTable,
        dst: Value,
        src: Value,
        size: u32,
    ) -> Result<(), Fault> {
        let from = self.memory.access(src, size)?;
        let to = self.memory.access(dst, size)?;
        if size == 0 {
            return Ok(());
        }
        if let (Some(ty), None) = (self.memory.object(from.0).ty, self.memory.object(to.0).ty) {
            self.memory.retype(types, to.0, ty, |_| Value::Undef);
        }
        if self.memory.copy_elements(types, from, to, size) {
            return Ok(());
        }
        self.memory.has_contents(from.0)?;
        self.memory.has_contents(to.0)?;
        let bytes = self.memory.bytes_in(types, from.0, from.1, from.1 + size)?;
        let bytes: Vec<_> = bytes.into_iter().map(|b| (b, 0xff)).collect();
        self.memory.write_bytes(types, to.0, to.1, &bytes)
    }

    /// `memset`.
    pub fn fill(
        &mut self,
        types: &TypeTable,
        dst: Value,
        byte: Value,
        size: u32,
    ) -> Result<(), Fault> {
        let (obj, off) = self.memory.access(dst, size)?;
        if size == 0 {
            return Ok(());
        }
        let byte = match byte {
            Value::Int(b) => Byte::Bits { value: b as u8, known: 0xff },
            Value::Undef | Value::Open => Byte::UNKNOWN,
            _ => return Err(Fault::Unsupported("memset to the value of a pointer")),
        };
        let object = *self.memory.object(obj);
        let whole = off == 0 && size == object.size;
        if object.ty.is_none() && !(byte == Byte::ZERO && whole) {
            return Err(Fault::Unsupported("memset of memory of unknown type"));
        }
        if byte == Byte::ZERO && whole {
            self.memory.objects[obj.0 as usize].zeroed = true;
        }
        self.memory.write_bytes(types, obj, off, &vec![(byte, 0xff); size as usize])
    }
}
