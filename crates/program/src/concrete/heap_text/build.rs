//! A sketch to memory.

use std::collections::BTreeMap;

use super::infer::{list_fields, no_list_field, part};
use super::names::{Put, Sketch, Source, Spot, Target};
use super::{At, Trouble};
use crate::concrete::initial::{GlobalStart, InitialHeap, global_memory};
use crate::concrete::memory::{Lifetime, ObjId, Pointer, Value};
use crate::ir::{ProcId, Program, Reg};
use crate::types::{BitField, Scalar, Type, TypeId};

pub(super) fn build(
    program: &Program,
    proc: ProcId,
    sketch: &Sketch,
) -> Result<InitialHeap, Trouble> {
    let types = &program.types;
    let procedure = program.proc(proc);
    let (memory, globals) = global_memory(program, GlobalStart::Initialised);
    let mut args = Vec::new();
    for v in procedure.param_ids() {
        let var = procedure.var(v);
        let Some(scalar) = types.scalar(var.ty) else {
            let message = format!(
                "the parameter `{}` is passed by value as a whole `{}`, which is not supported here",
                var.name,
                types.name(var.ty)
            );
            return Err(Trouble::new(At { line: 0, column: 0 }, message));
        };
        args.push(Value::zero(scalar));
    }
    let mut builder = Builder {
        program,
        proc,
        sketch,
        objects: Vec::new(),
        done: BTreeMap::new(),
        heap: InitialHeap { memory, globals, args },
    };
    builder.allocate()?;
    for put in &sketch.puts {
        builder.put(put)?;
    }
    builder.finish();
    Ok(builder.heap)
}

/// What was assigned.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Assigned {
    Variable(Reg),
    Cell(ObjId, u32, Option<BitField>),
}

struct Builder<'a> {
    program: &'a Program,
    proc: ProcId,
    sketch: &'a Sketch,
    /// The object of each thing.
    objects: Vec<ObjId>,
    /// What was assigned already: to say so when it is assigned again, and differently.
    done: BTreeMap<Assigned, Value>,
    heap: InitialHeap,
}

impl Builder<'_> {
    fn allocate(&mut self) -> Result<(), Trouble> {
        /// Larger objects are surely a slip of the hand.
        const MOST_BYTES: u64 = 1 << 20;
        let types = &self.program.types;
        for thing in &self.sketch.things {
            if let Some(g) = thing.global {
                let start = self.heap.globals[g.0 as usize].pointer();
                let start = start.expect("a global object has an address");
                self.objects.push(start.obj);
                continue;
            }
            let (ty, count) = thing.ty.expect("inferred");
            let size = u64::from(types.size_of(ty).unwrap_or(0)).saturating_mul(count);
            if size > MOST_BYTES {
                return Err(Trouble::new(thing.at, "this object is too large"));
            }
            let id = self.new_object(ty, size as u32);
            self.objects.push(id);
        }
        Ok(())
    }

    fn new_object(&mut self, ty: TypeId, size: u32) -> ObjId {
        let memory = &mut self.heap.memory;
        let types = &self.program.types;
        let element = Some(ty).filter(|t| *types.get(*t) != Type::Void);
        let id = memory.allocate(types, element, size, Lifetime::Heap, Value::zero);
        memory.objects[id.0 as usize].initial = true;
        id
    }

    /// Marks, and the end of those that are freed.
    fn finish(&mut self) {
        for (thing, id) in self.sketch.things.iter().zip(&self.objects) {
            let memory = &mut self.heap.memory;
            let object = &mut memory.objects[id.0 as usize];
            object.marks = thing.marks;
            if thing.freed {
                object.live = false;
                let cells = object.start as usize..(object.start + object.cells) as usize;
                memory.cells[cells].fill(Value::Undef);
            }
        }
    }

    fn put(&mut self, put: &Put) -> Result<(), Trouble> {
        let (assigned, ty) = self.target(&put.target, put.at)?;
        let value = self.value(&put.source, ty, put.at)?;
        if self.done.insert(assigned, value).is_some_and(|v| v != value) {
            let message = "this place has another value already";
            return Err(Trouble::new(put.at, message));
        }
        match assigned {
            Assigned::Variable(Reg::Local(v)) => self.heap.args[v.0 as usize] = value,
            Assigned::Variable(Reg::Global(g)) => self.heap.globals[g.0 as usize] = value,
            Assigned::Cell(obj, offset, bits) => {
                let at = Value::Ptr(Pointer { obj, off: offset as i32 });
                let (types, memory) = (&self.program.types, &mut self.heap.memory);
                // A member of a packed struct lies anywhere.
                let stored = bits.map(Scalar::Bits).or(types.scalar(ty)).is_some_and(|scalar| {
                    memory.access(at, types.bytes(scalar)).is_ok()
                        && memory.store_bytes(types, obj, offset, scalar, value).is_ok()
                });
                if !stored {
                    return Err(Trouble::new(put.at, "this place cannot be written"));
                }
            }
        }
        Ok(())
    }

    fn target(&self, target: &Target, at: At) -> Result<(Assigned, TypeId), Trouble> {
        let types = &self.program.types;
        let (spot, list_field) = match target {
            Target::Variable(reg) => {
                let ty = self.program.reg_type(self.proc, *reg);
                return Ok((Assigned::Variable(*reg), ty));
            }
            Target::Cell(spot) => (spot, false),
            Target::ListField(spot) => (spot, true),
        };
        let thing = &self.sketch.things[spot.thing];
        if thing.freed {
            let message = format!("`{}` is freed and has no fields any more", thing.name);
            return Err(Trouble::new(at, message));
        }
        let (mut ty, mut offset, bits) = self.part(spot)?;
        if list_field {
            let fields = list_fields(types, ty);
            let [(_, field)] = fields[..] else {
                return Err(no_list_field(self.program, ty, &fields, spot.at));
            };
            offset += field;
            ty = types.find(&Type::Ptr(ty)).expect("a field has it");
        }
        if types.scalar(ty).is_none() {
            let message = format!("this is a whole `{}`; assign its fields", types.name(ty));
            return Err(Trouble::new(spot.at, message));
        }
        Ok((Assigned::Cell(self.objects[spot.thing], offset, bits), ty))
    }

    fn part(&self, spot: &Spot) -> Result<(TypeId, u32, Option<BitField>), Trouble> {
        let ty = self.sketch.things[spot.thing].ty.expect("inferred");
        part(&self.program.types, ty, spot)
    }

    fn value(&mut self, source: &Source, ty: TypeId, at: At) -> Result<Value, Trouble> {
        let types = &self.program.types;
        let wrong = |what: &str| {
            let message = format!("{what} is given, but this is of type `{}`", types.name(ty));
            Err(Trouble::new(at, message))
        };
        let scalar = types.scalar(ty).expect("checked with the target");
        match (source, scalar) {
            (Source::Undef, _) => Ok(Value::Undef),
            (Source::Null, Scalar::Ptr(_)) => Ok(Value::Null),
            (Source::Null, _) => wrong("null"),
            (Source::Int(i), Scalar::Int(kind)) => {
                let wrapped = kind.wrap(*i);
                if kind.value(wrapped) != *i {
                    let name = types.name(ty);
                    return Err(Trouble::new(at, format!("{i} does not fit `{name}`")));
                }
                Ok(Value::Int(wrapped))
            }
            (Source::Int(0), Scalar::Ptr(_)) => Ok(Value::Null),
            (Source::Int(_), _) => wrong("a number"),
            (Source::Copy(reg), _) => {
                let theirs = self.program.reg_type(self.proc, *reg);
                if theirs != ty {
                    return wrong(&format!("a value of type `{}`", types.name(theirs)));
                }
                Ok(match reg {
                    Reg::Local(v) => self.heap.args[v.0 as usize],
                    Reg::Global(g) => self.heap.globals[g.0 as usize],
                })
            }
            (Source::To { spot, bytes, explicit }, Scalar::Ptr(pointee)) => {
                let (there, offset, _) = self.part(spot)?;
                // `&a` and `&a + 8` are pointers of any type.
                let raw = *explicit && (*bytes != 0 || spot.path.is_empty());
                if !raw && !starts_with(self.program, there, pointee) {
                    let name = &self.sketch.things[spot.thing].name;
                    let is = types.name(there);
                    let message = format!("`{name}` is of type `{is}`");
                    let help = format!("a `{}` is needed here", types.name(pointee));
                    return Err(Trouble::new(at, message).help(help));
                }
                let off = i64::from(offset) + bytes;
                let off = i32::try_from(off);
                let off = off.map_err(|_| Trouble::new(at, "the offset is too large"))?;
                Ok(Value::Ptr(Pointer { obj: self.objects[spot.thing], off }))
            }
            (Source::To { .. }, _) => wrong("a pointer"),
            (Source::List(values), Scalar::Ptr(pointee)) => self.fresh_list(values, pointee, at),
            (Source::List(_), _) => wrong("a list"),
        }
    }

    /// A fresh list: the values in the first integer field, linked by the list field (`next`, if
    /// there are several) and, if there is one called `prev`, back.
    fn fresh_list(&mut self, values: &[i128], ty: TypeId, at: At) -> Result<Value, Trouble> {
        let types = &self.program.types;
        if values.is_empty() {
            return Ok(Value::Null);
        }
        let fields = list_fields(types, ty);
        let named = |name: &str| fields.iter().find(|(n, _)| *n == name).map(|(_, o)| *o);
        let next = match fields[..] {
            [(_, only)] => Some(only),
            _ => named("next"),
        };
        let Some(next) = next else {
            return Err(no_list_field(self.program, ty, &fields, at));
        };
        let prev = named("prev").filter(|p| *p != next);
        let cells = types.layout(ty).map_or(&[][..], |l| &l.cells);
        let key = cells.iter().find_map(|c| match c.scalar {
            Scalar::Int(kind) => Some((c.offset, kind)),
            _ => None,
        });
        let Some((key, kind)) = key else {
            let message = format!("`{}` has no integer field", types.name(ty));
            return Err(Trouble::new(at, message));
        };
        let size = types.size_of(ty).unwrap_or(0);
        let nodes: Vec<ObjId> = values.iter().map(|_| self.new_object(ty, size)).collect();
        let memory = &mut self.heap.memory;
        let mut store = |obj: ObjId, offset: u32, scalar: Scalar, value: Value| {
            let off = offset as i32;
            let at = Value::Ptr(Pointer { obj, off });
            memory.store(types, at, scalar, value).expect("a cell of the layout");
        };
        for (i, (&node, &v)) in nodes.iter().zip(values).enumerate() {
            let wrapped = kind.wrap(v);
            if kind.value(wrapped) != v {
                return Err(Trouble::new(at, format!("{v} does not fit the field")));
            }
            store(node, key, Scalar::Int(kind), Value::Int(wrapped));
            let link = |n: Option<&ObjId>| n.map_or(Value::Null, |n| Value::to_start(*n));
            store(node, next, Scalar::Ptr(ty), link(nodes.get(i + 1)));
            if let Some(prev) = prev {
                let before = i.checked_sub(1).and_then(|i| nodes.get(i));
                store(node, prev, Scalar::Ptr(ty), link(before));
            }
        }
        Ok(Value::to_start(nodes[0]))
    }
}

/// Whether a pointer to `wanted` may point to the start of a `ty`.
pub(super) fn starts_with(program: &Program, ty: TypeId, wanted: TypeId) -> bool {
    let types = &program.types;
    if ty == wanted || *types.get(wanted) == Type::Void {
        return true;
    }
    match types.get(ty) {
        Type::Record(r) => {
            let fields = types.record(*r).fields.iter();
            let mut first = fields.filter(|f| f.offset == 0);
            first.any(|f| starts_with(program, f.ty, wanted))
        }
        Type::Array(element, _) => starts_with(program, *element, wanted),
        _ => false,
    }
}
