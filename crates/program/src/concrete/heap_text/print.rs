//! Memory to text.

use std::collections::{BTreeMap, BTreeSet};

use super::build::starts_with;
use super::infer::list_fields;
use crate::concrete::initial::{GlobalStart, InitialHeap, global_memory};
use crate::concrete::memory::{Lifetime, ObjId, Pointer, Value};
use crate::ir::{ProcId, Program, Storage};
use crate::print::part_at;
use crate::types::{IntKind, Scalar, TypeId, TypeTable};

/// A heap as [`super::parse`] reads it. Untyped objects, which no initial heap has, are left out.
pub fn print(program: &Program, proc: ProcId, heap: &InitialHeap) -> String {
    let mut printer = Printer {
        program,
        heap,
        names: names(program, proc, heap),
        chained: BTreeSet::new(),
        tells: Vec::new(),
        current: None,
        lines: Vec::new(),
    };
    let procedure = program.proc(proc);
    for (v, value) in procedure.param_ids().zip(&heap.args) {
        let var = procedure.var(v);
        if let Some(scalar) = program.types.scalar(var.ty) {
            printer.variable(&var.name, scalar, *value, Value::zero(scalar));
        }
    }
    let (initial, values) = global_memory(program, GlobalStart::Initialised);
    for (i, g) in program.globals.iter().enumerate() {
        if g.storage == Storage::Register
            && let Some(scalar) = program.types.scalar(g.ty)
        {
            printer.variable(&g.name, scalar, heap.globals[i], values[i]);
        }
    }
    for id in heap.memory.ids() {
        let before = initial.objects.get(id.0 as usize).map(|_| &initial);
        printer.object(id, before);
    }
    printer.declarations();
    printer.lines.join("\n")
}

/// The field that chains follow and the arrow for it: the only list field, or `next`.
fn chain_field(types: &TypeTable, ty: TypeId) -> Option<(&'static str, u32)> {
    match list_fields(types, ty)[..] {
        [(_, only)] => Some(("->", only)),
        ref several => {
            let next = several.iter().find(|(name, _)| *name == "next");
            next.map(|(_, offset)| ("-next->", *offset))
        }
    }
}

/// Names for all objects that are not taken by variables.
fn names(program: &Program, proc: ProcId, heap: &InitialHeap) -> BTreeMap<ObjId, String> {
    let procedure = program.proc(proc);
    let params = procedure.vars[..procedure.params].iter().map(|v| &v.name);
    let mut taken: BTreeSet<String> = params.cloned().collect();
    let mut out = BTreeMap::new();
    for (g, value) in program.globals.iter().zip(&heap.globals) {
        taken.insert(g.name.clone());
        if let (Storage::Object, Some(p)) = (g.storage, value.pointer()) {
            out.insert(p.obj, g.name.clone());
        }
    }
    let candidates = (0u32..).flat_map(|round| {
        ('a'..='z').map(move |c| match round {
            0 => c.to_string(),
            n => format!("{c}{n}"),
        })
    });
    let mut free = candidates.filter(|n| !taken.contains(n));
    for id in heap.memory.ids() {
        out.entry(id).or_insert_with(|| free.next().expect("there is always another name"));
    }
    out
}

struct Printer<'a> {
    program: &'a Program,
    heap: &'a InitialHeap,
    names: BTreeMap<ObjId, String>,
    /// Objects whose list field is printed.
    chained: BTreeSet<ObjId>,
    /// Printed pointers that tell the type of the second object once that of the first (nothing:
    /// a variable) is known.
    tells: Vec<(Option<ObjId>, ObjId)>,
    /// The object whose fields are being printed.
    current: Option<ObjId>,
    lines: Vec<String>,
}

impl Printer<'_> {
    fn variable(&mut self, name: &str, scalar: Scalar, value: Value, default: Value) {
        if value == default {
            return;
        }
        if let (Scalar::Ptr(ty), Value::Ptr(p)) = (scalar, value)
            && self.is_whole(p, ty)
        {
            let mut line = format!("{name} -> {}", self.names[&p.obj]);
            self.tells.push((None, p.obj));
            self.chain(p.obj, ty, &mut line);
            self.current = None;
            return self.lines.push(line);
        }
        let value = self.value(scalar, value);
        self.lines.push(format!("{name} = {value}"));
    }

    /// Whether the pointer is to the start of a live object of one `ty`.
    fn is_whole(&self, p: Pointer, ty: TypeId) -> bool {
        let object = self.heap.memory.object(p.obj);
        p.off == 0
            && object.live
            && object.ty == Some(ty)
            && self.program.types.size_of(ty) == Some(object.size)
    }

    /// Follows the list field as long as it leads to objects not followed before.
    fn chain(&mut self, from: ObjId, ty: TypeId, line: &mut String) {
        let Some((arrow, offset)) = chain_field(&self.program.types, ty) else { return };
        let mut at = from;
        while self.chained.insert(at) {
            self.current = Some(at);
            let types = &self.program.types;
            let place = Value::Ptr(Pointer { obj: at, off: offset as i32 });
            let next = self.heap.memory.load(types, place, Scalar::Ptr(ty));
            match next {
                Ok(Value::Ptr(p)) if self.is_whole(p, ty) => {
                    *line += &format!(" {arrow} {}", self.names[&p.obj]);
                    self.tells.push((self.current, p.obj));
                    at = p.obj;
                }
                Ok(value) => {
                    *line += &format!(" {arrow} {}", self.value(Scalar::Ptr(ty), value));
                    return;
                }
                Err(_) => return,
            }
        }
    }

    fn object(&mut self, id: ObjId, before: Option<&crate::concrete::Memory>) {
        let (memory, types) = (&self.heap.memory, &self.program.types);
        let object = memory.object(id);
        for (i, p) in self.program.predicates.iter().enumerate().take(32) {
            if object.marks & 1 << i != 0 && p.body.is_none() {
                self.lines.push(format!("{}({})", p.name, self.names[&id]));
            }
        }
        let Some(ty) = object.ty.filter(|_| object.live) else {
            return;
        };
        if before.is_none()
            && !self.chained.contains(&id)
            && self.is_whole(Pointer { obj: id, off: 0 }, ty)
        {
            let mut line = self.names[&id].clone();
            self.chain(id, ty, &mut line);
            self.current = Some(id);
            if line.contains("->") && !line.ends_with("-> null") || line.matches("->").count() > 1 {
                self.lines.push(line);
            }
        }
        let skip =
            chain_field(types, ty).filter(|_| self.chained.contains(&id)).map(|(_, offset)| offset);
        let defaults = before.map(|m| m.cells_of(id));
        let layout = types.layout(ty).expect("a typed object has a layout");
        let elements = object.size / layout.size.max(1);
        for (i, (offset, scalar, value)) in memory.contents(types, id).enumerate() {
            let default = defaults.map_or(Value::zero(scalar), |d| d[i]);
            let untold = matches!(value, Value::Piece(..) | Value::Bytes);
            if value == default || untold || Some(offset) == skip {
                continue;
            }
            let cell = &layout.cells[i % layout.cells.len()];
            let element =
                if elements > 1 { format!("[{}]", offset / layout.size) } else { String::new() };
            let dot = if cell.path.is_empty() || cell.path.starts_with('[') { "" } else { "." };
            let place = format!("{}{element}{dot}{}", self.names[&id], cell.path);
            let value = self.value(scalar, value);
            self.lines.push(format!("{place} = {value}"));
        }
    }

    fn value(&mut self, scalar: Scalar, value: Value) -> String {
        match (value, scalar) {
            (Value::Undef | Value::Open, _) => "?".into(),
            (Value::Null, _) => "null".into(),
            (Value::Int(i), Scalar::Int(kind)) => IntKind::value(kind, i).to_string(),
            (Value::Int(i), _) => i.to_string(),
            (Value::Ptr(p), Scalar::Ptr(ty)) => self.pointer(p, ty),
            (Value::Ptr(p), _) => self.raw(p),
            // Not in an initial heap; nothing reads them back.
            (Value::Piece(..) | Value::Bytes, _) => "?".into(),
        }
    }

    fn pointer(&mut self, p: Pointer, ty: TypeId) -> String {
        let types = &self.program.types;
        let object = self.heap.memory.object(p.obj);
        let name = &self.names[&p.obj];
        let Some(element) = object.ty else {
            return self.raw(p);
        };
        if p.off == 0 {
            if object.live && self.is_whole(p, ty) {
                self.tells.push((self.current, p.obj));
                return name.clone();
            }
            // Freed objects and arrays are declared, so the name is enough if the types fit.
            let declared = !object.live || types.size_of(element) != Some(object.size);
            return match declared && starts_with(self.program, element, ty) {
                true => name.clone(),
                false => self.raw(p),
            };
        }
        let size = types.size_of(element).unwrap_or(0);
        if p.off < 0 || size == 0 || p.off as u32 >= object.size {
            return self.raw(p);
        }
        let index = match object.size > size {
            true => format!("[{}]", p.off as u32 / size),
            false => String::new(),
        };
        match part_at(types, element, p.off as u32 % size, ty) {
            Some(path) => format!("&{name}{index}{path}"),
            None => self.raw(p),
        }
    }

    /// A pointer by its bytes, whatever lies there.
    fn raw(&self, p: Pointer) -> String {
        let name = &self.names[&p.obj];
        match p.off {
            0 => format!("&{name}"),
            off if off < 0 => format!("&{name} {off}"),
            off => format!("&{name} + {off}"),
        }
    }

    /// The types that no pointer tells: what variables, globals and declared objects do not lead
    /// to is declared, one after the other.
    fn declarations(&mut self) {
        let types = &self.program.types;
        let mut known: BTreeSet<ObjId> = BTreeSet::new();
        let mut lines = Vec::new();
        for id in self.heap.memory.ids() {
            let object = self.heap.memory.object(id);
            if object.lifetime == Lifetime::Global {
                known.insert(id);
            }
        }
        let memory = &self.heap.memory;
        let always = |id: &ObjId| {
            let object = memory.object(*id);
            !object.live || object.ty.is_some_and(|t| types.size_of(t) != Some(object.size))
        };
        let typed = |id: &ObjId| memory.object(*id).ty.is_some();
        let heap = |id: &ObjId| memory.object(*id).lifetime == Lifetime::Heap;
        for id in memory.ids().filter(|id| heap(id) && !typed(id)) {
            let freed = if memory.object(id).live { "" } else { "freed " };
            lines.push(format!("{} : {freed}void", self.names[&id]));
        }
        let ids = || memory.ids().filter(typed);
        let rest = ids().filter(|id| !always(id));
        for id in ids().filter(always).chain(rest) {
            self.spread(&mut known);
            let object = memory.object(id);
            let Some(ty) = object.ty.filter(|_| always(&id) || !known.contains(&id)) else {
                continue;
            };
            known.insert(id);
            let count = object.size / types.size_of(ty).unwrap_or(1).max(1);
            let freed = if object.live { "" } else { "freed " };
            let count = match count {
                1 => String::new(),
                n => format!("[{n}]"),
            };
            let name = &self.names[&id];
            lines.push(format!("{name} : {freed}{}{count}", types.name(ty)));
        }
        lines.append(&mut self.lines);
        self.lines = lines;
    }

    /// Adds everything whose type follows.
    fn spread(&self, known: &mut BTreeSet<ObjId>) {
        let mut more = true;
        while more {
            more = false;
            for (from, to) in &self.tells {
                if from.is_none_or(|f| known.contains(&f)) {
                    more |= known.insert(*to);
                }
            }
        }
    }
}
