//! The heap that a counterexample starts from, as C that builds it.
//!
//! Objects become `o1`, `o2`, … in a function of their own, so that after it only arguments and
//! globals hold them, as the caller of the procedure does. Fresh objects are zero; only what is not is
//! written.

use std::fmt::Write;

use trellis_program::concrete::{InitialHeap, Lifetime, Memory, ObjId, Pointer, Value};
use trellis_program::types::{Scalar, Type, TypeId};
use trellis_program::{GlobalId, ProcId, Program, Storage};

use crate::declare::{declare, is_name, number, plain};

/// The initial heap of a procedure.
pub struct Heap<'a> {
    program: &'a Program,
    proc: ProcId,
    initial: &'a InitialHeap,
    /// How a program starts of its own accord.
    usual: InitialHeap,
}

/// One argument.
pub struct Argument {
    /// Its name in the harness.
    pub name: String,
    /// Its declaration.
    pub declaration: String,
}

impl<'a> Heap<'a> {
    /// That of a counterexample.
    pub fn new(program: &'a Program, proc: ProcId, initial: &'a InitialHeap) -> Heap<'a> {
        Heap { program, proc, initial, usual: InitialHeap::of_main(program) }
    }

    /// The arguments, as variables that keep them.
    pub fn arguments(&self) -> Vec<Argument> {
        let proc = self.program.proc(self.proc);
        let params = proc.vars[..proc.params].iter().take(self.initial.args.len());
        params
            .enumerate()
            .map(|(i, var)| {
                let name = match is_name(&var.name) {
                    true => format!("trellis_argument_{}", var.name),
                    false => format!("trellis_argument_{i}"),
                };
                let declaration = declare(&self.program.types, var.ty, &name);
                Argument { name, declaration }
            })
            .collect()
    }

    /// Statements that build it. `register` says how an object is made known, if it has to be.
    ///
    /// # Errors
    /// What cannot be set from outside, as a sentence.
    pub fn build(&self, register: &dyn Fn(ObjId) -> String) -> Result<String, String> {
        let memory = &self.initial.memory;
        let mut out = String::new();
        for id in memory.ids().filter(|id| self.is_built(*id)) {
            let (name, size) = (object_name(id), memory.object(id).size.max(1));
            let pointer = match memory.object(id).ty {
                Some(ty) => declare(&self.program.types, ty, &self.starred(ty, &name)),
                None => format!("void *{name}"),
            };
            let _ = writeln!(out, "    {pointer} = __builtin_calloc(1, {size});{}", register(id));
        }
        for id in memory.ids().filter(|id| self.is_built(*id)) {
            self.write_cells(&mut out, id, &object_name(id), None)?;
        }
        for (i, global) in self.program.globals.iter().enumerate() {
            let (now, before) = (self.initial.globals[i], self.usual.globals[i]);
            if global.is_ghost || global.is_literal() {
                continue;
            }
            let known = is_name(&global.name);
            let unknown = || Err(format!("`{}` cannot be set from outside", global.name));
            match global.storage {
                Storage::Register if now != before => {
                    if !known {
                        return unknown();
                    }
                    let ty = self.program.types.pointee(global.ty);
                    let _ = writeln!(out, "    {} = {};", global.name, self.value(now, ty)?);
                }
                Storage::Object if known => {
                    let Some(at) = now.pointer() else { continue };
                    let place = format!("(&{})", global.name);
                    self.write_cells(&mut out, at.obj, &place, Some(&self.usual.memory))?;
                }
                Storage::Object => {
                    let Some(at) = now.pointer() else { continue };
                    let same = memory.cells_of(at.obj) == self.usual.memory.cells_of(at.obj);
                    if !same {
                        return unknown();
                    }
                }
                Storage::Register => {}
            }
        }
        let proc = self.program.proc(self.proc);
        for (i, argument) in self.arguments().iter().enumerate() {
            let pointee = self.program.types.pointee(proc.vars[i].ty);
            let value = self.value(self.initial.args[i], pointee)?;
            let _ = writeln!(out, "    {} = {value};", argument.name);
        }
        Ok(out)
    }

    /// Writes the cells of an object that are not what they would be anyway.
    fn write_cells(
        &self,
        out: &mut String,
        id: ObjId,
        place: &str,
        usual: Option<&Memory>,
    ) -> Result<(), String> {
        let memory = &self.initial.memory;
        let types = &self.program.types;
        let object = memory.object(id);
        let Some(layout) = object.ty.and_then(|t| types.layout(t)) else { return Ok(()) };
        if object.ty.is_some_and(|t| types.is_function(t)) {
            return Ok(());
        }
        let per_element = layout.cells.len().max(1);
        let several = object.size >= 2 * layout.size.max(1) && layout.tail.is_none();
        let before = usual.map(|m| m.cells_of(id));
        for (i, (offset, scalar, value)) in memory.contents(types, id).enumerate() {
            let is_usual = match before {
                Some(cells) => cells.get(i) == Some(&value),
                None => value == Value::zero(scalar),
            };
            if is_usual || value == Value::Undef {
                continue;
            }
            let cell = (layout.tail.is_none() || i < per_element).then(|| {
                let path = layout.cells[i % per_element].path.as_str();
                match several {
                    true => joined(&format!("{place}[{}]", i / per_element), path, "."),
                    false if path.is_empty() => format!("*{place}"),
                    false => match path.starts_with('[') {
                        true => format!("(*{place}){path}"),
                        false => joined(place, path, "->"),
                    },
                }
            });
            let cell = match (cell, plain(scalar)) {
                (Some(cell), _) => cell,
                (None, Some(ty)) => format!("*({ty} *)((char *){place} + {offset})"),
                (None, None) => return Err("a cell of a flexible array cannot be named".to_owned()),
            };
            let pointee = match scalar {
                Scalar::Ptr(pointee) => Some(pointee),
                _ => None,
            };
            let _ = writeln!(out, "    {cell} = {};", self.value(value, pointee)?);
        }
        Ok(())
    }

    /// `*o1`, in brackets where a declaration goes on.
    fn starred(&self, ty: TypeId, name: &str) -> String {
        match self.program.types.get(ty) {
            Type::Array(..) | Type::Func(_) => format!("(*{name})"),
            _ => format!("*{name}"),
        }
    }

    /// Whether an object is no global of the program: what a host passes to `main` is none either.
    fn is_built(&self, id: ObjId) -> bool {
        let is_global = |v: &Value| *v == Value::to_start(id);
        let mut objects = self.program.globals.iter().zip(&self.initial.globals);
        self.initial.memory.object(id).lifetime == Lifetime::Heap
            || !objects.any(|(g, v)| g.storage == Storage::Object && is_global(v))
    }

    /// A value as an expression; a pointer is one to `pointee`.
    fn value(&self, value: Value, pointee: Option<TypeId>) -> Result<String, String> {
        Ok(match value {
            Value::Int(i) => number(i),
            Value::Null | Value::Undef | Value::Open => "0".to_owned(),
            Value::Ptr(p) => self.pointer(p, pointee)?,
            Value::Piece(..) | Value::Bytes => {
                return Err("a part of a pointer cannot be written down".to_owned());
            }
        })
    }

    fn pointer(&self, p: Pointer, pointee: Option<TypeId>) -> Result<String, String> {
        let base = match self.is_built(p.obj) {
            true => object_name(p.obj),
            false => self.global_address(p.obj)?,
        };
        Ok(match p.off {
            0 if self.initial.memory.object(p.obj).ty == pointee => base,
            0 => format!("(void *){base}"),
            off => format!("(void *)((char *){base} + {off})"),
        })
    }

    /// The address of a global object.
    fn global_address(&self, id: ObjId) -> Result<String, String> {
        let holds = |v: &Value| *v == Value::to_start(id);
        let objects = self.program.globals.iter().zip(&self.initial.globals);
        let mut found = objects.filter(|(g, v)| g.storage == Storage::Object && holds(v));
        let Some((global, _)) = found.next() else {
            return Err("a pointer leads to an object without a name".to_owned());
        };
        if global.is_literal() {
            let end = global.name.rfind('"').unwrap_or(0);
            return Ok(global.name[..=end].to_owned());
        }
        match is_name(&global.name) {
            true => Ok(format!("(&{})", global.name)),
            false => Err(format!("the address of `{}` cannot be taken from outside", global.name)),
        }
    }

    /// The globals that are objects and can be named, with their objects.
    pub fn global_objects(&self) -> impl Iterator<Item = (GlobalId, ObjId)> {
        let globals = self.program.globals.iter().zip(&self.initial.globals).enumerate();
        globals.filter_map(|(i, (global, value))| {
            let types = &self.program.types;
            let named = is_name(&global.name) && !types.is_function(global.ty);
            let fits = global.storage == Storage::Object && named && !global.is_ghost;
            fits.then(|| Some((GlobalId(i as u32), value.pointer()?.obj))).flatten()
        })
    }
}

/// What an object of the initial heap is called.
pub fn object_name(id: ObjId) -> String {
    format!("o{}", id.0)
}

fn joined(place: &str, path: &str, dot: &str) -> String {
    match path {
        "" => place.to_owned(),
        path if path.starts_with('[') => format!("{place}{path}"),
        path => format!("{place}{dot}{path}"),
    }
}
