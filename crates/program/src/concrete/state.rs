//! A state of a running program: memory, globals, and a stack of frames.
//!
//! **Invariant.** `regs` holds the registers of all frames, bottom first. A frame owns
//! `regs[base..base + vars]`, followed by `entry` copies of its parameters as they were at the
//! call: contracts read them, and at the end of the outermost procedure they are what the caller
//! still holds.

use std::sync::Arc;

use crate::concrete::memory::{Memory, ObjId, Value};
use crate::ir::{BlockId, ProcId, Program, Reg, Storage, VarId};

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
    /// [`Storage::Object`] it is a pointer to the object, undefined before its lifetime begins.
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
            .filter_map(|(_, v)| v.pointer())
            .map(|p| p.obj)
            .collect()
    }

    /// The objects that real variables of all frames keep alive.
    pub fn frame_roots(&self, program: &Program) -> Vec<ObjId> {
        let mut roots = Vec::new();
        for frame in &self.frames {
            let vars = &program.proc(frame.proc).vars;
            for (i, var) in vars.iter().enumerate() {
                if !var.is_ghost
                    && let Some(p) = self.regs[frame.base as usize + i].pointer()
                {
                    roots.push(p.obj);
                }
            }
        }
        roots
    }

    /// Whether a variable's slot is a pointer to its object rather than its value.
    pub fn is_object(program: &Program, proc: ProcId, reg: Reg) -> bool {
        let storage = match reg {
            Reg::Local(v) => program.proc(proc).var(v).storage,
            Reg::Global(g) => program.global(g).storage,
        };
        storage == Storage::Object
    }
}
