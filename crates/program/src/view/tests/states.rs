//! Random and enumerated states of the samples.

use trellis_logic::generate::Tape;

use super::samples::F;
use crate::concrete::memory::{Lifetime, Memory, ObjId, Pointer, Value};
use crate::concrete::spec_eval::SpecEnv;
use crate::concrete::state::PreState;
use crate::ir::{Program, Storage};
use crate::types::{Scalar, TypeId};
use crate::view::{ProgramVocabulary, Spot};

/// What a [`SpecEnv`] borrows.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    pub(super) memory: Memory,
    pub(super) globals: Vec<Value>,
    pub(super) locals: Vec<Value>,
    pub(super) entry: Vec<Value>,
    pub(super) pre: PreState,
    pub(super) result: Option<Value>,
}

impl Sample {
    pub(super) fn env<'a>(&'a self, program: &'a Program) -> SpecEnv<'a> {
        SpecEnv {
            program,
            proc: F,
            memory: &self.memory,
            globals: &self.globals,
            locals: &self.locals,
            entry: &self.entry,
            pre: Some(&self.pre),
            result: self.result,
        }
    }

    /// Whether some field was never written.
    pub(super) fn has_undefined_cells(&self) -> bool {
        [&self.memory, &self.pre.memory].iter().any(|m| m.cells.contains(&Value::Undef))
    }
}

/// Builds states in which every pointer is where its type says.
pub(super) struct States<'a> {
    pub(super) program: &'a Program,
    pub(super) vocabulary: &'a ProgramVocabulary,
    pub(super) tape: &'a mut Tape,
    /// How many cells in a hundred are undefined.
    pub(super) holes: u32,
}

impl States<'_> {
    pub(super) fn sample(&mut self) -> Sample {
        let program = self.program;
        let types = &program.types;
        let mut memory = Memory::default();
        let mut globals: Vec<Value> = program
            .globals
            .iter()
            .map(|g| match g.storage {
                Storage::Object => self.object(&mut memory, g.ty, Lifetime::Global, true),
                Storage::Register => Value::Null,
            })
            .collect();
        let roots: Vec<TypeId> = self.vocabulary.used.targets.iter().copied().collect();
        for _ in 0..self.tape.below(4) {
            let ty = *self.tape.pick(&roots).unwrap();
            self.object(&mut memory, ty, Lifetime::Heap, true);
        }
        self.fill(&mut memory);
        for (slot, g) in globals.iter_mut().zip(&program.globals) {
            if g.storage == Storage::Register {
                *slot = self.value(&memory, types.scalar(g.ty).unwrap(), 0);
            }
        }
        let proc = program.proc(F);
        let entry: Vec<Value> = proc.vars[..proc.params]
            .iter()
            .map(|v| self.value(&memory, types.scalar(v.ty).unwrap(), 0))
            .collect();
        let pre = PreState { memory: memory.clone(), globals: globals.clone() };
        self.evolve(&mut memory);
        let locals: Vec<Value> = proc
            .vars
            .iter()
            .enumerate()
            .map(|(i, v)| match v.storage {
                Storage::Object => self.object(&mut memory, v.ty, Lifetime::Local, false),
                Storage::Register => {
                    let holes = if i < proc.params { 0 } else { self.holes };
                    self.value(&memory, types.scalar(v.ty).unwrap(), holes)
                }
            })
            .collect();
        for (slot, g) in globals.iter_mut().zip(&program.globals) {
            if g.storage == Storage::Register {
                *slot = self.value(&memory, types.scalar(g.ty).unwrap(), 0);
            }
        }
        let result = types.scalar(proc.ret).map(|s| self.value(&memory, s, 0));
        Sample { memory, globals, locals, entry, pre, result }
    }

    fn object(
        &mut self,
        memory: &mut Memory,
        ty: TypeId,
        lifetime: Lifetime,
        initial: bool,
    ) -> Value {
        let types = &self.program.types;
        let size = types.size_of(ty).unwrap();
        let hole = self.tape.chance(self.holes);
        let fill = |s| if hole { Value::Undef } else { Value::zero(s) };
        let id = memory.allocate(types, Some(ty), size, lifetime, fill);
        let object = &mut memory.objects[id.0 as usize];
        object.initial = initial;
        object.marks = self.tape.below(2);
        Value::to_start(id)
    }

    /// Frees some objects, allocates others, and writes to some cells.
    fn evolve(&mut self, memory: &mut Memory) {
        for object in &mut memory.objects {
            if object.lifetime == Lifetime::Heap && self.tape.chance(25) {
                object.live = false;
            }
        }
        let roots: Vec<TypeId> = self.vocabulary.used.targets.iter().copied().collect();
        if self.tape.chance(50) {
            let ty = *self.tape.pick(&roots).unwrap();
            self.object(memory, ty, Lifetime::Heap, false);
        }
        if self.tape.chance(70) {
            self.fill(memory);
        }
    }

    fn fill(&mut self, memory: &mut Memory) {
        let rows: Vec<(usize, Scalar)> = memory
            .ids()
            .flat_map(|id| {
                let start = memory.object(id).start as usize;
                let contents = memory.contents(&self.program.types, id);
                contents.enumerate().map(move |(i, (_, scalar, _))| (start + i, scalar))
            })
            .collect();
        for (cell, scalar) in rows {
            memory.cells[cell] = self.value(memory, scalar, self.holes);
        }
    }

    fn value(&mut self, memory: &Memory, scalar: Scalar, holes: u32) -> Value {
        if self.tape.chance(holes) {
            return Value::Undef;
        }
        match scalar {
            Scalar::Int(_) => Value::Int(i64::from(self.tape.below(4)) - 1),
            Scalar::Float(_) | Scalar::Bits(_) => Value::Undef,
            Scalar::Ptr(ty) => {
                let mut places = vec![Value::Null];
                let odd = self.tape.chance(20);
                places.extend(memory.ids().filter_map(|id| self.place(memory, id, ty, odd)));
                *self.tape.pick(&places).unwrap()
            }
        }
    }

    /// The place of a `ty` in an object; with `odd`, also where none lies.
    fn place(&self, memory: &Memory, id: ObjId, ty: TypeId, odd: bool) -> Option<Value> {
        let object = memory.object(id);
        if !object.live && !object.initial {
            return None;
        }
        let spot = self.vocabulary.pointee(ty).unwrap();
        let off = self.vocabulary.spots.offset_in(spot, object.ty)?;
        let lies = spot == Spot::Start || self.vocabulary.embedded.contains(&(object.ty?, ty));
        (lies || odd).then_some(Value::Ptr(Pointer { obj: id, off: off as i32 }))
    }
}
