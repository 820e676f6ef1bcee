//! Initial heaps from models: the way back from the logic to memory.
//!
//! A counterexample of an engine begins in a structure over the entry's symbols. Every element that
//! is allocated there becomes an object, a cell holds what the theory of its field reads there, and
//! the data become integers that compare as the order says.
//!
//! **Invariant.** The heap has the structure that it was made from, as far as the entry's symbols
//! tell. What no symbol tells is zero or null. An order may be denser than the integers are; then
//! there is no heap, and [`NoHeap::Integers`] says so.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use trellis_logic::{FunId, Structure};
use trellis_program::concrete::initial::{GlobalStart, global_memory};
use trellis_program::concrete::{InitialHeap, Lifetime, ObjId, Pointer, Value};
use trellis_program::spec::PredId;
use trellis_program::view::{Cell, CellKind, Kind, Spot};
use trellis_program::{GlobalId, Program, Reg, Scalar, Storage, TypeId, VarId};

use crate::symbols::{Flag, RegSymbol, Symbols};
use crate::system::TransitionSystem;
use crate::theory::FieldAt;

/// Why a structure is no heap.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoHeap {
    /// Its data are ordered as no integers of the program's types are.
    Integers(String),
    /// Something does not fit together: our bug.
    Malformed(String),
}

impl fmt::Display for NoHeap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoHeap::Integers(text) | NoHeap::Malformed(text) => f.write_str(text),
        }
    }
}

/// The initial heap of a structure.
#[derive(Clone, Debug)]
pub struct Concrete {
    /// Everything that can be reached.
    pub heap: InitialHeap,
    /// Whether the structure has objects that nobody can reach, which are no part of an initial heap.
    pub has_garbage: bool,
}

/// The initial heap of a structure over the entry's symbols. `program` may be the one from before
/// calls were replaced: types, globals and parameters are the same.
///
/// # Errors
/// If there is none.
pub fn concretise(
    program: &Program,
    system: &TransitionSystem,
    entry: &Structure,
) -> Result<Concrete, NoHeap> {
    let integers = integers(system, entry)?;
    let with_garbage = make(program, system, entry, &integers, &BTreeSet::new())?;
    let garbage = with_garbage.unreachable();
    if garbage.is_empty() {
        return Ok(Concrete { heap: with_garbage.heap, has_garbage: false });
    }
    let heap = make(program, system, entry, &integers, &garbage)?.heap;
    Ok(Concrete { heap, has_garbage: true })
}

/// The heap of all allocated elements but some.
fn make<'a>(
    program: &'a Program,
    system: &'a TransitionSystem,
    entry: &'a Structure,
    integers: &'a [i128],
    without: &BTreeSet<u32>,
) -> Result<Making<'a>, NoHeap> {
    let (memory, globals) = global_memory(program, GlobalStart::Open);
    let heap = InitialHeap { memory, globals, args: Vec::new() };
    let symbols = &system.symbols;
    let mut making = Making { program, symbols, entry, integers, heap, objects: BTreeMap::new() };
    making.place_objects(without)?;
    for id in making.heap.memory.ids() {
        making.fill(id)?;
    }
    making.set_marks();
    making.set_globals()?;
    making.pass_arguments(system)?;
    Ok(making)
}

/// The integers that the data of a structure stand for, by element.
///
/// # Errors
/// If the order leaves no room for them.
pub fn integers(system: &TransitionSystem, entry: &Structure) -> Result<Vec<i128>, NoHeap> {
    let symbols = &system.symbols;
    let size = entry.size(symbols.data);
    let below = |e: &u32| (0..size).filter(|o| entry.rel(symbols.at_most, &[*o, *e])).count();
    let mut order: Vec<u32> = (0..size).collect();
    order.sort_by_key(|e| (below(e), *e));
    // Where in the order an integer is known.
    let mut known: Vec<(usize, i128)> = Vec::new();
    for (&value, &constant) in &symbols.constants {
        let Some(element) = entry.constant(constant) else { continue };
        let at = order.iter().position(|e| *e == element);
        known.push((at.ok_or_else(|| malformed("a constant is no element"))?, value));
    }
    let mut values = vec![0; order.len()];
    let full = |from: i128, to: i128| {
        NoHeap::Integers(format!("there are not enough integers between {from} and {to}"))
    };
    for pair in known.windows(2) {
        let ((at, value), (next, after)) = (pair[0], pair[1]);
        let room = after - value;
        if next <= at || room < (next - at) as i128 {
            return Err(full(value, after));
        }
        (at..next).for_each(|i| values[i] = value + (i - at) as i128);
    }
    let (first, last) = match (known.first(), known.last()) {
        (Some(first), Some(last)) => (*first, *last),
        _ => ((0, 0), (0, 0)),
    };
    for (i, slot) in values.iter_mut().enumerate().take(first.0) {
        *slot = first.1 - (first.0 - i) as i128;
    }
    for (i, slot) in values.iter_mut().enumerate().skip(last.0) {
        *slot = last.1 + (i - last.0) as i128;
    }
    let mut out = vec![0; order.len()];
    for (element, value) in order.into_iter().zip(values) {
        out[element as usize] = value;
    }
    Ok(out)
}

fn malformed(text: &str) -> NoHeap {
    NoHeap::Malformed(text.to_owned())
}

/// A heap in the making.
struct Making<'a> {
    program: &'a Program,
    symbols: &'a Symbols,
    entry: &'a Structure,
    /// By element of the data.
    integers: &'a [i128],
    heap: InitialHeap,
    /// The object of every allocated element.
    objects: BTreeMap<u32, ObjId>,
}

impl Making<'_> {
    /// Globals in memory have their objects; every other allocated element gets one.
    fn place_objects(&mut self, without: &BTreeSet<u32>) -> Result<(), NoHeap> {
        for (reg, (fun, _)) in &self.symbols.addresses {
            if let Reg::Global(g) = reg
                && let Some(element) = self.entry.constant(*fun)
                && let Some(p) = self.heap.globals[g.0 as usize].pointer()
                && self.objects.insert(element, p.obj).is_some()
            {
                return Err(malformed("two globals are one object"));
            }
        }
        let null = self.entry.constant(self.symbols.null);
        for element in 0..self.entry.size(self.symbols.obj) {
            let there = self.entry.rel(self.symbols.alloc.entry, &[element]);
            if !there
                || without.contains(&element)
                || Some(element) == null
                || self.objects.contains_key(&element)
            {
                continue;
            }
            let ty = self.type_of(element);
            let types = &self.program.types;
            let size = ty.and_then(|t| types.size_of(t)).unwrap_or(0);
            let memory = &mut self.heap.memory;
            let id = memory.allocate(types, ty, size, Lifetime::Heap, |_| Value::Open);
            memory.objects[id.0 as usize].initial = true;
            self.objects.insert(element, id);
        }
        Ok(())
    }

    /// The elements whose objects neither an argument nor a global leads to.
    fn unreachable(&self) -> BTreeSet<u32> {
        let memory = &self.heap.memory;
        let values = self.heap.args.iter().chain(&self.heap.globals);
        let mut roots: Vec<ObjId> = values.filter_map(|v| v.pointer()).map(|p| p.obj).collect();
        roots.extend(memory.ids().filter(|id| memory.object(*id).lifetime == Lifetime::Global));
        let reached = memory.reachable(roots);
        let lost = self.objects.iter().filter(|(_, id)| !reached[id.0 as usize]);
        lost.map(|(element, _)| *element).collect()
    }

    /// The type of an element; nobody looks into one without a type.
    fn type_of(&self, element: u32) -> Option<TypeId> {
        if self.symbols.types.is_empty() {
            return self.symbols.view.object_types().next();
        }
        let is = |rel| self.entry.rel(rel, &[element]);
        self.symbols.types.iter().find(|(_, rel)| is(**rel)).map(|(ty, _)| *ty)
    }

    /// Fills the open cells of an object.
    fn fill(&mut self, id: ObjId) -> Result<(), NoHeap> {
        let object = *self.heap.memory.object(id);
        let element = self.objects.iter().find(|(_, o)| **o == id).map(|(e, _)| *e);
        let global =
            self.heap.globals.iter().position(|v| v.pointer().is_some_and(|p| p.obj == id));
        let global = global.map(|g| Reg::Global(GlobalId(g as u32)));
        // A global in memory has a symbol of its own where pointers to it were replaced.
        let global = global.filter(|reg| self.symbols.regs.contains_key(reg));
        let contents: Vec<_> = self.heap.memory.contents(&self.program.types, id).collect();
        for (i, (offset, scalar, value)) in contents.into_iter().enumerate() {
            if value != Value::Open {
                continue;
            }
            let value = match (global, element, object.ty) {
                (Some(reg), ..) => self.variable(reg, Some(scalar))?,
                (None, Some(element), Some(ty)) => self.cell(element, ty, offset, scalar)?,
                _ => Value::zero(scalar),
            };
            self.heap.memory.cells[object.start as usize + i] = value;
        }
        Ok(())
    }

    /// What a cell of an element holds.
    fn cell(&self, x: u32, ty: TypeId, offset: u32, scalar: Scalar) -> Result<Value, NoHeap> {
        let kind = match scalar {
            Scalar::Ptr(_) => CellKind::Ptr,
            Scalar::Int(kind) => CellKind::Int(kind),
            Scalar::Float(_) | Scalar::Bits(_) => return Ok(Value::Undef),
        };
        let Some(Spot::At { family, at }) = self.symbols.view.object_spot(ty) else {
            return Ok(Value::zero(scalar));
        };
        let cell = Cell { family, at: at + i64::from(offset), kind };
        if let Some(field) = self.symbols.pointer_field(cell) {
            let Kind::Ptr(spot) = self.symbols.pointers[field].kind else {
                return Ok(Value::zero(scalar));
            };
            return match self.symbols.fields().read(self.entry, FieldAt::entry(field), x) {
                Some(next) => self.pointer(next, spot),
                None => Ok(Value::Null),
            };
        }
        match self.symbols.integer_field(cell).map(|f| self.symbols.integers[f].entry) {
            Some(Flag::Truth(rel)) => Ok(Value::Int(self.entry.rel(rel, &[x]).into())),
            Some(Flag::Data(fun)) => self.integer(fun, &[x], scalar),
            None => Ok(Value::zero(scalar)),
        }
    }

    /// A pointer to a spot of an element.
    fn pointer(&self, element: u32, spot: Spot) -> Result<Value, NoHeap> {
        if self.entry.constant(self.symbols.null) == Some(element) {
            return Ok(Value::Null);
        }
        let Some(&obj) = self.objects.get(&element) else {
            return Err(malformed("a pointer leads to memory that is not allocated"));
        };
        let off = match (spot, self.heap.memory.object(obj).ty) {
            (Spot::Null | Spot::Start, _) => Some(0),
            (Spot::At { family, at }, Some(ty)) => match self.symbols.view.object_spot(ty) {
                Some(Spot::At { family: of_object, at: start }) if of_object == family => {
                    i32::try_from(at - start).ok()
                }
                _ => None,
            },
            (Spot::At { .. }, None) => None,
        };
        let off = off.ok_or_else(|| malformed("a pointer leads to an object of another type"))?;
        Ok(Value::Ptr(Pointer { obj, off }))
    }

    /// A datum as an integer of a type.
    fn integer(&self, fun: FunId, args: &[u32], scalar: Scalar) -> Result<Value, NoHeap> {
        // A model says nothing of what nothing depends on; any value will do there.
        let value = match self.entry.fun(fun, args) {
            Some(trellis_logic::Value::Elem(element)) => self.integers[element as usize],
            _ => 0,
        };
        match scalar {
            Scalar::Int(kind) if kind.value(kind.wrap(value)) == value => {
                Ok(Value::Int(kind.wrap(value)))
            }
            Scalar::Int(_) => {
                Err(NoHeap::Integers(format!("{value} is outside the range of its type")))
            }
            _ => Err(malformed("a pointer has a number")),
        }
    }

    fn set_marks(&mut self) {
        for i in 0..self.program.predicates.len().min(32) {
            let Some(mark) = self.symbols.view.mark(PredId(i as u32)) else { continue };
            let Some(&rel) = self.symbols.marks.get(&mark) else { continue };
            for (element, id) in &self.objects {
                let marks = &mut self.heap.memory.objects[id.0 as usize].marks;
                *marks |= u32::from(self.entry.rel(rel, &[*element])) << i;
            }
        }
    }

    fn set_globals(&mut self) -> Result<(), NoHeap> {
        for (i, global) in self.program.globals.iter().enumerate() {
            if global.storage == Storage::Register && self.heap.globals[i] == Value::Open {
                let scalar = self.program.types.scalar(global.ty);
                self.heap.globals[i] = self.variable(Reg::Global(GlobalId(i as u32)), scalar)?;
            }
        }
        Ok(())
    }

    fn pass_arguments(&mut self, system: &TransitionSystem) -> Result<(), NoHeap> {
        let proc = self.program.proc(system.proc);
        for (i, var) in proc.vars[..proc.params].iter().enumerate() {
            let scalar = self.program.types.scalar(var.ty);
            if scalar.is_none() {
                return Err(malformed("a struct is passed by value"));
            }
            let value = self.variable(Reg::Local(VarId(i as u32)), scalar)?;
            self.heap.args.push(value);
        }
        Ok(())
    }

    /// A variable at the entry.
    fn variable(&self, reg: Reg, scalar: Option<Scalar>) -> Result<Value, NoHeap> {
        let Some(scalar) = scalar else { return Ok(Value::Undef) };
        let Some(twin) = self.symbols.regs.get(&reg) else {
            return Ok(if matches!(scalar, Scalar::Float(_)) {
                Value::Undef
            } else {
                Value::zero(scalar)
            });
        };
        match twin.entry {
            RegSymbol::Ptr(fun) => {
                let element = self.entry.constant(fun);
                let element = element.ok_or_else(|| malformed("a pointer has no value"))?;
                match self.symbols.view.reg(reg).map(|r| r.kind) {
                    Ok(Kind::Ptr(spot)) => self.pointer(element, spot),
                    _ => Err(malformed("a pointer is no pointer")),
                }
            }
            RegSymbol::Int(Flag::Truth(rel)) => Ok(Value::Int(self.entry.rel(rel, &[]).into())),
            RegSymbol::Int(Flag::Data(fun)) => self.integer(fun, &[], scalar),
        }
    }
}
