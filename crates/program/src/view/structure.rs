//! Concrete states as finite structures.
//!
//! Element 0 is null; the others are objects, in the order of their ids.

use trellis_logic::Structure;

use super::Untranslatable;
use super::spots::Spot;
use super::terms::no;
use super::vocabulary::{Cell, FieldSymbol, Kind, ProgramVocabulary};
use crate::concrete::initial::InitialHeap;
use crate::concrete::memory::{Memory, ObjId, Object, Pointer, Value};
use crate::concrete::spec_eval::SpecEnv;
use crate::ir::{Program, Reg, Storage, VarId};
use crate::types::Scalar;

/// What a contract sees of a state, as a structure.
pub fn structure(
    vocabulary: &ProgramVocabulary,
    env: &SpecEnv<'_>,
) -> Result<Structure, Untranslatable> {
    let objects = elements(vocabulary, env)?;
    let sizes: Vec<u32> = vocabulary.logic.sorts().map(|_| objects.len() as u32 + 1).collect();
    let structure = Structure::new(vocabulary.logic.clone(), &sizes);
    let mut view = View { vocabulary, env, objects, structure };
    view.structure.set_constant(vocabulary.null, 0);
    view.variables()?;
    view.addresses()?;
    view.result()?;
    for (cell, field) in vocabulary.fields() {
        view.field(cell, field)?;
    }
    view.relations();
    vocabulary.fill_field_sets(&mut view.structure);
    Ok(view.structure)
}

/// An initial heap as a structure; entry is now.
pub fn of_heap(
    vocabulary: &ProgramVocabulary,
    program: &Program,
    heap: &InitialHeap,
) -> Result<Structure, Untranslatable> {
    let mut locals = vec![Value::Undef; program.proc(vocabulary.proc).vars.len()];
    for (slot, arg) in locals.iter_mut().zip(&heap.args) {
        *slot = *arg;
    }
    let env = SpecEnv {
        program,
        proc: vocabulary.proc,
        memory: &heap.memory,
        globals: &heap.globals,
        locals: &locals,
        entry: &heap.args,
        pre: None,
        result: None,
    };
    structure(vocabulary, &env)
}

/// The objects that are elements 1, 2, … of the state's structure: those that quantifiers range
/// over, except for objects of types that the procedure does not use. Functions are no memory.
pub fn elements(
    vocabulary: &ProgramVocabulary,
    env: &SpecEnv<'_>,
) -> Result<Vec<ObjId>, Untranslatable> {
    let mut objects = Vec::new();
    for id in env.memory.ids() {
        let object = env.memory.object(id);
        let known = is_known(vocabulary, object);
        let types = &env.program.types;
        let is_function = |o: &Object| o.ty.is_some_and(|ty| types.is_function(ty));
        if known && (object.live || object.initial) {
            check_size(vocabulary, env, object)?;
        }
        let before = env.pre.and_then(|p| p.memory.objects.get(id.0 as usize));
        match object.live || object.initial {
            true if known || (vocabulary.loose && !is_function(object)) => objects.push(id),
            false if before.is_some_and(|o| o.live) => {
                return no("an object of the entry state that is gone and forgotten");
            }
            _ => {}
        }
    }
    Ok(objects)
}

fn is_known(vocabulary: &ProgramVocabulary, object: &Object) -> bool {
    object.ty.is_some_and(|t| vocabulary.used.roots.contains(&t))
}

/// The offsets of a family hold for single objects only.
fn check_size(
    vocabulary: &ProgramVocabulary,
    env: &SpecEnv<'_>,
    object: &Object,
) -> Result<(), Untranslatable> {
    let Some(ty) = object.ty else { return Ok(()) };
    let refused = match vocabulary.spots.of_object(ty) {
        Some(Spot::At { family, .. }) => vocabulary.spots.families[family].refused.is_some(),
        _ => true,
    };
    if refused || env.program.types.size_of(ty) == Some(object.size) {
        return Ok(());
    }
    no(format!("an object that is not one `{}`", env.program.types.name(ty)))
}

struct View<'a> {
    vocabulary: &'a ProgramVocabulary,
    env: &'a SpecEnv<'a>,
    objects: Vec<ObjId>,
    structure: Structure,
}

impl View<'_> {
    fn element(&self, id: ObjId) -> Option<u32> {
        self.objects.binary_search(&id).ok().map(|i| i as u32 + 1)
    }

    fn slot(&self, reg: Reg) -> Value {
        let slot = match reg {
            Reg::Local(v) => self.env.locals.get(v.0 as usize),
            Reg::Global(g) => self.env.globals.get(g.0 as usize),
        };
        slot.copied().unwrap_or(Value::Undef)
    }

    /// A value in the logic; `None` if it is undefined.
    fn value(
        &self,
        value: Value,
        kind: Kind,
        scalar: Option<Scalar>,
    ) -> Result<Option<trellis_logic::Value>, Untranslatable> {
        use trellis_logic::Value::{Elem, Int};
        match (kind, value) {
            (_, Value::Undef) => Ok(None),
            (_, Value::Open) => no("a value that is not chosen yet"),
            (_, Value::Piece(..) | Value::Bytes) => no("a part of a value"),
            (Kind::Int, Value::Int(i)) => Ok(Some(Int(match scalar {
                Some(Scalar::Int(kind)) => kind.value(i),
                _ => i.into(),
            }))),
            (Kind::Int, Value::Null | Value::Ptr(_)) => no("a pointer kept in an integer"),
            (Kind::Ptr(_), Value::Null | Value::Int(0)) => Ok(Some(Elem(0))),
            (Kind::Ptr(_), Value::Int(_)) => no("an integer kept in a pointer"),
            (Kind::Ptr(spot), Value::Ptr(p)) => {
                let Some(element) = self.element(p.obj) else {
                    return no("a pointer to memory that is gone, or of a type not in use");
                };
                let ty = self.env.memory.object(p.obj).ty;
                if self.vocabulary.spots.offset_in(spot, ty) != Some(p.off.into()) {
                    return no("a pointer to another place than its type says");
                }
                Ok(Some(Elem(element)))
            }
        }
    }

    fn variables(&mut self) -> Result<(), Untranslatable> {
        let program = self.env.program;
        for (reg, symbol) in self.vocabulary.regs() {
            let name = program.reg_name(self.vocabulary.proc, reg);
            let named = |e: Untranslatable| Untranslatable::new(format!("{name}: {e}"));
            let in_memory = match reg {
                Reg::Local(v) => {
                    let var = program.proc(self.vocabulary.proc).var(v);
                    // No contract mentions a temporary.
                    if var.is_temp && self.is_gone(self.slot(reg)) {
                        continue;
                    }
                    self.in_memory(v)
                }
                Reg::Global(_) => false,
            };
            let scalar = program.types.scalar(program.reg_type(self.vocabulary.proc, reg));
            if symbol.fun.entry != symbol.fun.now || in_memory {
                let entry = self.value(self.at_entry(reg, scalar), symbol.kind, scalar);
                self.set(symbol.fun.entry, entry.map_err(named)?).map_err(named)?;
            }
            if !in_memory {
                let now = self.value(self.slot(reg), symbol.kind, scalar).map_err(named)?;
                self.set(symbol.fun.now, now).map_err(named)?;
            }
        }
        Ok(())
    }

    fn set(
        &mut self,
        constant: trellis_logic::FunId,
        value: Option<trellis_logic::Value>,
    ) -> Result<(), Untranslatable> {
        if value.is_none() && self.vocabulary.sure.contains(&constant) {
            return no("a value that is not defined");
        }
        self.structure.set_fun(constant, &[], value);
        Ok(())
    }

    fn is_gone(&self, value: Value) -> bool {
        value.pointer().is_some_and(|p| self.element(p.obj).is_none())
    }

    fn in_memory(&self, local: VarId) -> bool {
        let proc = self.env.program.proc(self.vocabulary.proc);
        proc.var(local).storage == Storage::Object
    }

    /// A variable at entry; of a parameter in memory, what was passed.
    fn at_entry(&self, reg: Reg, scalar: Option<Scalar>) -> Value {
        match (reg, self.env.pre, scalar) {
            (Reg::Local(v), ..) if (v.0 as usize) < self.env.entry.len() => {
                self.env.entry[v.0 as usize]
            }
            (Reg::Global(g), Some(pre), _) => pre.globals[g.0 as usize],
            (Reg::Local(v), _, Some(scalar)) if self.in_memory(v) => {
                let types = &self.env.program.types;
                self.env.memory.load(types, self.slot(reg), scalar).unwrap_or(Value::Undef)
            }
            _ => self.slot(reg),
        }
    }

    fn addresses(&mut self) -> Result<(), Untranslatable> {
        for (&reg, &(fun, _)) in &self.vocabulary.addresses {
            // A local whose lifetime has not begun, or has ended, has no address.
            if let Value::Ptr(p) = self.slot(reg)
                && let Some(element) = self.element(p.obj)
            {
                self.structure.set_constant(fun, element);
            }
        }
        Ok(())
    }

    fn result(&mut self) -> Result<(), Untranslatable> {
        if let (Some(symbol), Some(result)) = (self.vocabulary.result, self.env.result) {
            let program = self.env.program;
            let scalar = program.types.scalar(program.proc(self.vocabulary.proc).ret);
            let result = self.value(result, symbol.kind, scalar)?;
            self.set(symbol.fun.now, result)?;
        }
        Ok(())
    }

    fn field(&mut self, cell: Cell, field: &FieldSymbol) -> Result<(), Untranslatable> {
        let before = self.env.pre.map_or(self.env.memory, |p| &p.memory);
        for (i, &id) in self.objects.clone().iter().enumerate() {
            let spot = Spot::At { family: cell.family, at: cell.at };
            let ty = self.env.memory.object(id).ty;
            let Some(off) = self.vocabulary.spots.offset_in(spot, ty) else { continue };
            let Ok(off) = i32::try_from(off) else { continue };
            for (fun, memory) in [(field.fun.now, self.env.memory), (field.fun.entry, before)] {
                let read = self.load(memory, Pointer { obj: id, off }, field.scalar);
                let name = &self.vocabulary.logic.fun(fun).name;
                let value = self
                    .value(read, field.kind, Some(field.scalar))
                    .map_err(|e| Untranslatable::new(format!("{name}: {e}")))?;
                self.structure.set_fun(fun, &[i as u32 + 1], value);
            }
        }
        Ok(())
    }

    /// Reads a cell; what cannot be read is undefined.
    fn load(&self, memory: &Memory, at: Pointer, scalar: Scalar) -> Value {
        if at.obj.0 as usize >= memory.objects.len() {
            return Value::Undef;
        }
        let types = &self.env.program.types;
        memory.load(types, Value::Ptr(at), scalar).unwrap_or(Value::Undef)
    }

    fn relations(&mut self) {
        let vocabulary = self.vocabulary;
        let before = self.env.pre.map_or(self.env.memory, |p| &p.memory);
        for (i, &id) in self.objects.iter().enumerate() {
            let x = [i as u32 + 1];
            let object = self.env.memory.object(id);
            let was = before.objects.get(id.0 as usize).is_some_and(|o| o.live);
            self.structure.set_rel(vocabulary.alloc.now, &x, object.live);
            self.structure.set_rel(vocabulary.alloc.entry, &x, was);
            for (ty, rel) in &vocabulary.types {
                self.structure.set_rel(*rel, &x, object.ty == Some(*ty));
            }
            for (predicate, rel) in &vocabulary.marks {
                let marked = object.marks & 1 << predicate.0 != 0;
                self.structure.set_rel(*rel, &x, marked);
            }
        }
    }
}
