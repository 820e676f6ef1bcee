//! Draws a state: variables, globals and heap, through the logic crate's [`Drawing`].
//!
//! ```text
//! h → 1{data=5} → 2 → null   x → (2)   k = 3
//! ```
//!
//! Heap objects are numbered from 1 in the order of their allocation, so an object keeps its number
//! along a trace; variables in memory and other globals are called by name. Freed objects are drawn
//! while something points to them. A pointer that was never written is shown as the value `?`. A
//! pointer into the middle of an object says where unless only one place of its type is there.
//! Variables of callers are written `caller.x`; temporaries are not shown. A long array of characters
//! is a string, one of other integers a row (`arrays`).
//!
//! **Invariant.** The drawing depends on the state only, never on hashing or addresses.

mod arrays;
mod cells;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use trellis_logic::drawing::{Drawing, Node, NodeIndex, Target, TextStyle};

use crate::concrete::memory::{Lifetime, ObjId, Object, Value};
use crate::concrete::state::State;
use crate::ir::{Program, Storage};
use crate::types::{Scalar, TypeId};

/// A drawn state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StateDrawing {
    /// Objects and the pointers between them.
    pub drawing: Drawing,
    /// Variables that are not arrows: integers, and pointers that were never written.
    pub values: Vec<(String, String)>,
    /// The object of every node.
    pub objects: Vec<ObjId>,
}

impl StateDrawing {
    /// The drawing as text: one line if it is short and has one field, several otherwise. No
    /// newline at the end.
    pub fn to_text(&self, style: TextStyle) -> String {
        /// What fits a terminal beside a margin.
        const LINE: usize = 76;
        const GAP: &str = "   ";
        let heap = self.drawing.to_text(style);
        let mut parts: Vec<&str> = heap.lines().collect();
        let values: Vec<String> = self.values.iter().map(|(n, v)| format!("{n} = {v}")).collect();
        let values = values.join(GAP);
        if !values.is_empty() {
            parts.push(&values);
        }
        let fields: BTreeSet<&str> = self.drawing.edges.iter().map(|e| e.field.as_str()).collect();
        let line = parts.join(GAP);
        if fields.len() <= 1 && line.chars().count() <= LINE {
            return line;
        }
        parts.join("\n")
    }
}

/// Draws a state.
pub fn draw(program: &Program, state: &State) -> StateDrawing {
    draw_with(program, state, &BTreeSet::new())
}

/// The fields of heap objects and variables that hold an integer which is not 0: what [`draw_with`]
/// wants of all states of a run.
pub fn integers(program: &Program, state: &State) -> BTreeSet<String> {
    let (types, memory) = (&program.types, &state.memory);
    let mut out = BTreeSet::new();
    let is_drawn = |o: &Object| o.live && !o.literal;
    for id in memory.ids().filter(|id| is_drawn(memory.object(*id))) {
        for (offset, scalar, value) in memory.contents(types, id) {
            if !scalar.is_ptr() && value != Value::Int(0) && value != Value::Undef {
                out.insert(cells::cell_name(types, memory.object(id), offset, scalar));
            }
        }
    }
    out
}

/// Draws a state. Integer fields that are 0 everywhere are left out, but for these.
pub fn draw_with(program: &Program, state: &State, fields: &BTreeSet<String>) -> StateDrawing {
    let mut artist = Artist {
        program,
        state,
        variables: variables(program, state),
        owners: BTreeMap::new(),
        nodes: BTreeMap::new(),
        fields,
        out: StateDrawing { drawing: Drawing::new(), values: Vec::new(), objects: Vec::new() },
    };
    for v in &artist.variables {
        if let (Storage::Object, Some(p)) = (v.storage, v.slot.pointer()) {
            artist.owners.insert(p.obj, v.name.clone());
        }
    }
    artist.add_nodes();
    artist.add_cells();
    artist.add_variables();
    artist.choose_list_field();
    artist.out
}

/// A variable that users see.
struct Variable {
    name: String,
    ty: TypeId,
    storage: Storage,
    /// Its value, or where its object is.
    slot: Value,
    /// A constant: drawn only if something points to it.
    is_const: bool,
}

/// Those of the innermost frame first, then its callers', then the globals.
fn variables(program: &Program, state: &State) -> Vec<Variable> {
    let mut out = Vec::new();
    for (depth, frame) in state.frames.iter().rev().enumerate() {
        let proc = program.proc(frame.proc);
        for (i, var) in proc.vars.iter().enumerate().filter(|(_, v)| !v.is_temp) {
            let name = match depth {
                0 => var.name.clone(),
                _ => format!("{}.{}", proc.name, var.name),
            };
            out.push(Variable {
                name,
                ty: var.ty,
                storage: var.storage,
                slot: state.regs[frame.base as usize + i],
                is_const: false,
            });
        }
    }
    for (global, slot) in program.globals.iter().zip(&state.globals) {
        out.push(Variable {
            name: global.name.clone(),
            ty: global.ty,
            storage: global.storage,
            slot: *slot,
            is_const: global.is_const,
        });
    }
    out
}

struct Artist<'a> {
    program: &'a Program,
    state: &'a State,
    variables: Vec<Variable>,
    /// The variables that live in objects.
    owners: BTreeMap<ObjId, String>,
    nodes: BTreeMap<ObjId, NodeIndex>,
    /// Integer fields that are shown in any case.
    fields: &'a BTreeSet<String>,
    out: StateDrawing,
}

impl Artist<'_> {
    fn object(&self, id: ObjId) -> &Object {
        self.state.memory.object(id)
    }

    /// The type of an object that is a single scalar: a variable whose address was taken.
    fn scalar(&self, id: ObjId) -> Option<Scalar> {
        self.object(id).ty.and_then(|t| self.program.types.scalar(t))
    }

    /// Nodes for what exists, and for what is gone or unimportant but pointed to.
    fn add_nodes(&mut self) {
        let memory = &self.state.memory;
        let mut wanted: BTreeSet<ObjId> = BTreeSet::new();
        for id in memory.ids().filter(|id| memory.object(*id).live) {
            let owned = self.owners.contains_key(&id);
            let is_const =
                self.variables.iter().any(|v| v.is_const && v.slot == Value::to_start(id));
            match memory.object(id).lifetime {
                Lifetime::Heap => wanted.insert(id),
                Lifetime::Local | Lifetime::Global => {
                    owned && !is_const && self.scalar(id).is_none() && wanted.insert(id)
                }
            };
        }
        let registers = self.variables.iter().filter(|v| v.storage == Storage::Register);
        let mut todo: Vec<ObjId> = wanted.iter().copied().collect();
        let mut seen: Vec<Value> = registers.map(|v| v.slot).collect();
        // Variables in memory are drawn as arrows or values, and so are the targets of these.
        let alone = self.owners.keys().filter(|id| self.scalar(**id).is_some());
        seen.extend(alone.flat_map(|id| memory.cells_of(*id)));
        loop {
            for p in seen.drain(..).filter_map(|v: Value| v.pointer()) {
                if wanted.insert(p.obj) {
                    todo.push(p.obj);
                }
            }
            let Some(id) = todo.pop() else { break };
            if memory.object(id).live {
                seen.extend(memory.cells_of(id));
            }
        }
        let mut number = 0;
        for id in memory.ids() {
            number += u32::from(memory.object(id).lifetime == Lifetime::Heap);
            if !wanted.contains(&id) {
                continue;
            }
            let label = match (self.owners.get(&id), memory.object(id).lifetime) {
                (Some(name), _) => name.clone(),
                (None, Lifetime::Heap) => number.to_string(),
                (None, Lifetime::Local) => format!("local{}", id.0),
                (None, Lifetime::Global) => format!("global{}", id.0),
            };
            let mut node = Node::new(label);
            node.freed = !memory.object(id).live;
            let index = self.out.drawing.add_node(node);
            self.nodes.insert(id, index);
            self.out.objects.push(id);
        }
    }

    fn add_cells(&mut self) {
        let shown = self.shown_integers();
        for (&id, &node) in &self.nodes.clone() {
            if !self.object(id).live {
                continue;
            }
            if self.object(id).ty.is_none() {
                let size = format!("{} bytes", self.object(id).size);
                self.out.drawing.nodes[node.0].values.push((size, String::new()));
            }
            for (i, p) in self.program.predicates.iter().enumerate().take(32) {
                if self.object(id).marks & 1 << i != 0 && p.body.is_none() {
                    self.out.drawing.nodes[node.0].values.push((p.name.clone(), String::new()));
                }
            }
            let cells: Vec<_> = self.state.memory.contents(&self.program.types, id).collect();
            let types = &self.program.types;
            let named = |(offset, scalar, value): (u32, Scalar, Value)| {
                (cells::cell_name(types, self.object(id), offset, scalar), scalar, value)
            };
            let cells: Vec<arrays::Cell> = cells.into_iter().map(named).collect();
            let mut rest = &cells[..];
            while let [(name, scalar, value), after @ ..] = rest {
                let values = &mut self.out.drawing.nodes[node.0].values;
                if let Some((name, text, length)) = arrays::array(rest) {
                    if rest[..length].iter().any(|(name, ..)| shown.contains(name)) {
                        values.push((name, text));
                    }
                    rest = &rest[length..];
                    continue;
                }
                rest = after;
                match self.arrow(*scalar, *value) {
                    Some((to, place)) => {
                        self.out.drawing.add_edge(node, format!("{name}{place}"), to);
                    }
                    None if scalar.is_ptr() || shown.contains(name) => {
                        let text = cells::value_text(*scalar, *value);
                        self.out.drawing.nodes[node.0].values.push((name.clone(), text));
                    }
                    None => {}
                }
            }
        }
    }

    /// The integer fields that are not 0 everywhere, and those that are shown in any case.
    fn shown_integers(&self) -> BTreeSet<String> {
        let types = &self.program.types;
        let mut out = self.fields.clone();
        for &id in self.nodes.keys().filter(|id| self.object(**id).live) {
            for (offset, scalar, value) in self.state.memory.contents(types, id) {
                if !scalar.is_ptr() && value != Value::Int(0) {
                    out.insert(cells::cell_name(types, self.object(id), offset, scalar));
                }
            }
        }
        out
    }

    /// Where a value points, and a note on the place in the object.
    fn arrow(&self, scalar: Scalar, value: Value) -> Option<(Target, String)> {
        match value {
            Value::Null if scalar.is_ptr() => Some((Target::Null, String::new())),
            Value::Ptr(p) => {
                let Some(&node) = self.nodes.get(&p.obj) else {
                    return Some((Target::Dangling, String::new()));
                };
                let place = cells::place_note(&self.program.types, self.object(p.obj), p, scalar);
                Some((Target::Node(node), place))
            }
            _ => None,
        }
    }

    fn add_variables(&mut self) {
        let types = &self.program.types;
        for v in std::mem::take(&mut self.variables) {
            let Some(scalar) = types.scalar(v.ty) else { continue };
            let value = match v.storage {
                Storage::Register => v.slot,
                Storage::Object => match v.slot.pointer() {
                    // Drawn as a node if something points to it.
                    Some(p) if self.nodes.contains_key(&p.obj) || v.is_const => continue,
                    Some(p) if !self.object(p.obj).live => continue,
                    Some(p) => match self.state.memory.cells_of(p.obj).first() {
                        Some(value) => *value,
                        None => continue,
                    },
                    None => continue,
                },
            };
            match self.arrow(scalar, value) {
                Some((to, place)) => {
                    self.out.drawing.add_pointer(format!("{}{place}", v.name), to);
                }
                // Integers that were never written say nothing.
                None if scalar.is_ptr() || value != Value::Undef => {
                    self.out.values.push((v.name, cells::value_text(scalar, value)));
                }
                None => {}
            }
        }
    }

    /// Lists linked through a member, `link.next`, are lists too.
    fn choose_list_field(&mut self) {
        let fields = self.out.drawing.edges.iter().map(|e| e.field.as_str());
        let mut lists = fields.filter(|f| *f == "next" || f.ends_with(".next"));
        if let Some(first) = lists.next().map(str::to_string) {
            let plain = self.out.drawing.edges.iter().any(|e| e.field == "next");
            self.out.drawing.list_field = Some(if plain { "next".into() } else { first });
        }
    }
}
