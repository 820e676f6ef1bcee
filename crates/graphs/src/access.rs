//! What accesses to memory do to graphs: loads and stores of values, copies and fills of bytes, `free`.
//!
//! **Invariant.** As in [`crate::step`]: an access sees ordinary objects only. One that leads into a
//! summary asks for an element first, and where the machine would find bytes of other values there is
//! no graph.

use trellis_program::concrete::memory::Found;
use trellis_program::concrete::{Fault, Lifetime, ObjId, Pointer, Value as Concrete};
use trellis_program::{CheckKind, Expr, IntKind, Reg, Scalar};

use crate::buffer::{Buffer, is_bytes, is_zero_byte};
use crate::code::Code;
use crate::eval::{Need, Stop, full};
use crate::graph::{Graph, Node, Object};
use crate::step::{bits_range, named};
use crate::value::{NodeId, Place, Range, Value};

impl Code<'_> {
    /// The cell of an object that an access is to.
    pub(crate) fn cell(
        &self,
        graph: &Graph,
        at: Value,
        scalar: Scalar,
    ) -> Result<(NodeId, usize), Stop> {
        let place = object_at(graph, at)?;
        let Some(object) = graph.object(place) else {
            return Err(Stop::outside("a summary that was not unfolded"));
        };
        let pointer = Concrete::Ptr(Pointer { obj: ObjId(0), off: place.off });
        match object.memory().cell(&self.program.types, pointer, scalar) {
            Ok(Found::Cell(cell)) => Ok((place.node, cell)),
            Ok(Found::Bytes(..)) => Err(Stop::outside("access to bytes of a value")),
            Err(fault) => Err(fault_stop(fault)),
        }
    }

    pub(crate) fn load(&self, graph: &mut Graph, at: Value, scalar: Scalar) -> Result<Value, Stop> {
        if let Some(place) = buffer_at(graph, at) {
            return self.load_byte(graph, place, scalar);
        }
        if let Some(string) = self.load_string(graph, at, scalar)? {
            return Ok(string);
        }
        let (id, cell) = self.cell(graph, at, scalar)?;
        let value = cell_value(graph, id, cell);
        // From here on it has two copies, which are equal.
        let value = match value {
            Value::Range(r) => {
                let named = graph.fresh(r);
                set_cell(graph, id, cell, named);
                named
            }
            v => v,
        };
        let outside = |range: Range, all: Range| !all.includes(range);
        match (value, scalar) {
            (Value::Int(i), Scalar::Int(IntKind::BOOL)) if !(0..=1).contains(&i) => {
                Err(Stop::outside("a `_Bool` that is neither true nor false"))
            }
            (Value::Int(i), Scalar::Int(kind)) => Ok(Value::Int(kind.wrap(i.into()))),
            (Value::Int(i), Scalar::Bits(field)) => Ok(Value::Int(field.wrap(i))),
            (Value::Sym(s), Scalar::Bits(field))
                if outside(graph.ranges[s as usize], bits_range(field.kind, field.width)) =>
            {
                Ok(graph.fresh(bits_range(field.kind, field.width)))
            }
            (Value::Sym(s), Scalar::Int(kind)) if outside(graph.ranges[s as usize], full(kind)) => {
                match kind {
                    IntKind::BOOL => Err(Stop::outside("a `_Bool` that is neither true nor false")),
                    kind => Ok(graph.fresh(full(kind))),
                }
            }
            (Value::Int(0), Scalar::Ptr(_)) => Ok(Value::Null),
            (Value::Null, Scalar::Int(_)) => Ok(Value::Int(0)),
            (Value::Sym(_), Scalar::Ptr(_)) => Err(Stop::outside("an integer read as a pointer")),
            (Value::Mixed, _) => {
                Err(Stop::outside("bytes of a value that was written through another type"))
            }
            (value, _) => Ok(value),
        }
    }

    pub(crate) fn store(
        &self,
        graph: &mut Graph,
        addr: &Expr,
        at: Value,
        scalar: Scalar,
        value: Value,
    ) -> Result<(), Stop> {
        let types = &self.program.types;
        if let Some(place) = buffer_at(graph, at) {
            return self.store_byte(graph, place, scalar, value);
        }
        self.writable(graph, addr, at, types.bytes(scalar))?;
        let (id, cell) = self.cell(graph, at, scalar)?;
        if let (Scalar::Int(kind), Value::Sym(_)) = (scalar, value)
            && kind.bits == 8
            && graph.relations.is_some()
            && graph.node(id).object().and_then(|o| o.ty).is_some_and(|ty| is_bytes(types, ty))
        {
            // Buffers tell zeros from other characters.
            is_zero_byte(graph, kind, value)?;
        }
        if matches!(value, Value::Ptr(_) | Value::Freed) && !scalar.is_ptr() {
            return Err(Stop::outside("a pointer kept in an integer"));
        }
        let value = match (scalar, value) {
            (Scalar::Bits(field), Value::Int(i)) => Value::Int(field.wrap(i)),
            (Scalar::Bits(field), value) => match graph.range(value) {
                Some(r) if !bits_range(field.kind, field.width).includes(r) => {
                    graph.fresh(bits_range(field.kind, field.width))
                }
                _ => value,
            },
            (_, value) => value,
        };
        let value = named(graph, value);
        set_cell(graph, id, cell, value);
        self.mix(graph, id, at, scalar, cell);
        Ok(())
    }

    /// What shares bytes with a cell that was written cannot be read any more.
    pub(crate) fn mix(
        &self,
        graph: &mut Graph,
        id: NodeId,
        at: Value,
        scalar: Scalar,
        cell: usize,
    ) {
        let types = &self.program.types;
        let Node::Object(object) = graph.node(id) else { return };
        let Some(layout) = object.ty.and_then(|ty| types.layout(ty)).filter(|l| l.overlaps) else {
            return;
        };
        let (Some(place), size) = (at.place(), layout.size.max(1)) else { return };
        let (element, inner) = (place.off as u32 / size, place.off as u32 % size);
        let first = element as usize * layout.cells.len();
        let touched: Vec<usize> = layout
            .cells_in(inner, inner + types.bytes(scalar))
            .map(|(i, _)| first + i)
            .filter(|i| *i != cell)
            .collect();
        let cells = object.cells.len();
        for i in touched.into_iter().filter(|i| *i < cells) {
            set_cell(graph, id, i, Value::Mixed);
        }
    }

    /// As the machine: constant objects and members are not written, but where they are declared.
    pub(crate) fn writable(
        &self,
        graph: &Graph,
        place: &Expr,
        at: Value,
        bytes: u32,
    ) -> Result<(), Stop> {
        let Some(p) = at.place() else { return Ok(()) };
        let Some(object) = graph.object(p) else { return Ok(()) };
        let types = &self.program.types;
        let named = is_named_local(place);
        let member = || {
            object.life != Lifetime::Heap
                && object.ty.is_some_and(|ty| {
                    let size = i64::from(types.size_of(ty).unwrap_or(0)).max(1);
                    let from = i64::from(p.off).rem_euclid(size) as u64;
                    match from + u64::from(bytes) <= size as u64 {
                        true => types.touches_const(ty, from, from + u64::from(bytes)),
                        false => types.has_const(ty),
                    }
                })
        };
        let constant = object.constant && !(named && object.life == Lifetime::Local);
        match constant || (!named && member()) {
            true => Err(Stop::outside("a write to a constant object")),
            false => Ok(()),
        }
    }

    pub(crate) fn copy(
        &self,
        graph: &mut Graph,
        dst: &Expr,
        to: Value,
        from: Value,
        size: u32,
        may_overlap: bool,
    ) -> Result<(), Stop> {
        if let (Value::Ptr(p), Value::Ptr(q)) = (to, from)
            && p.node == q.node
            && p.off != q.off
            && p.off.abs_diff(q.off) < size
        {
            return Err(match may_overlap {
                true => Stop::outside("a copy between places that overlap"),
                false => Stop::Fails(CheckKind::Overlap),
            });
        }
        self.writable(graph, dst, to, size)?;
        let (p, q) = (object_at(graph, from)?, object_at(graph, to)?);
        for place in [p, q] {
            self.inside(graph, place, size)?;
        }
        if size == 0 {
            return Ok(());
        }
        let types = &self.program.types;
        let source_type = graph.object(p).and_then(|o| o.ty);
        if let (Some(ty), Node::Object(target)) = (source_type, graph.node_mut(q.node)) {
            target.retype(types, ty);
        }
        let read = self.cells_between(graph, p, size)?;
        let written = self.cells_between(graph, q, size)?;
        // An integer is read as what its cell is; of a bit-field a cell holds the number, not the bits.
        let same = |a: Scalar, b: Scalar| match (a, b) {
            (Scalar::Ptr(_), Scalar::Ptr(_)) => true,
            (Scalar::Int(_), Scalar::Int(_)) => types.bytes(a) == types.bytes(b),
            _ => a == b,
        };
        let alike = read.len() == written.len()
            && read.iter().zip(&written).all(|(a, b)| a.1 == b.1 && same(a.2, b.2));
        if !alike {
            return Err(Stop::outside("a copy between places of different types"));
        }
        for ((i, ..), (j, ..)) in read.into_iter().zip(written) {
            let value = named(graph, cell_value(graph, p.node, i));
            set_cell(graph, p.node, i, value);
            set_cell(graph, q.node, j, value);
        }
        Ok(())
    }

    pub(crate) fn fill(
        &self,
        graph: &mut Graph,
        dst: &Expr,
        to: Value,
        byte: Value,
        size: u32,
    ) -> Result<(), Stop> {
        self.writable(graph, dst, to, size)?;
        let place = object_at(graph, to)?;
        self.inside(graph, place, size)?;
        if size == 0 {
            return Ok(());
        }
        let Value::Int(byte) = byte else {
            return Err(Stop::outside("memset to a value that is not known"));
        };
        let Node::Object(object) = graph.node_mut(place.node) else {
            return Err(Stop::outside("a summary that was not unfolded"));
        };
        let whole = place.off == 0 && size == object.size;
        if object.ty.is_none() && !(byte as u8 == 0 && whole) {
            return Err(Stop::outside("memset of memory of unknown type"));
        }
        if byte as u8 == 0 && whole {
            object.zeroed = true;
        }
        if object.ty.is_none() {
            return Ok(());
        }
        for (i, _, scalar) in self.cells_between(graph, place, size)? {
            let value = match scalar {
                Scalar::Ptr(_) if byte as u8 == 0 => Value::Null,
                Scalar::Int(kind) if kind.bits > 1 || byte as u8 == 0 => {
                    let bytes = [byte as u8; 8];
                    Value::Int(kind.wrap(i64::from_ne_bytes(bytes).into()))
                }
                _ if byte as u8 == 0 => Value::Int(0),
                _ => return Err(Stop::outside("memset of a pointer to a value other than 0")),
            };
            set_cell(graph, place.node, i, value);
        }
        Ok(())
    }

    /// An object, as a buffer if it is too large to be followed cell by cell.
    pub(crate) fn sized(&self, graph: &Graph, object: Object) -> Result<Node, Stop> {
        const MOST_CELLS: usize = 1024;
        let types = &self.program.types;
        match object.cells.len() <= MOST_CELLS {
            true => Ok(Node::Object(object)),
            false => match Buffer::of(types, &object, |v| graph.range(v)) {
                Some(buffer) if graph.relations.is_some() => Ok(Node::Buffer(buffer)),
                _ => Err(Stop::outside("a large array")),
            },
        }
    }

    /// Whether so many bytes from where a pointer leads to are memory: a check fails if not.
    pub(crate) fn accessible(&self, graph: &Graph, at: Value, size: u32) -> Result<(), Stop> {
        let place = object_at(graph, at)?;
        if graph.node(place.node).buffer().is_some() {
            return Err(Stop::outside("a formula about characters"));
        }
        let end = graph.object(place).map_or(0, |o| i64::from(o.size.max(1)));
        match (0..end).contains(&place.off.into()) {
            true => self.inside(graph, place, size),
            false => Err(Stop::Fails(CheckKind::Bounds)),
        }
    }

    /// That so many bytes lie inside of an object.
    pub(crate) fn inside(&self, graph: &Graph, place: Place, size: u32) -> Result<(), Stop> {
        let pointer = Concrete::Ptr(Pointer { obj: ObjId(0), off: place.off });
        let object = graph.object(place);
        let object = object.ok_or_else(|| Stop::outside("a summary that was not unfolded"))?;
        object.memory().access(pointer, size).map(|_| ()).map_err(fault_stop)
    }

    /// The cells from a place on, as (index, offset from there, scalar): those that lie inside as a
    /// whole, if no other has bytes there.
    pub(crate) fn cells_between(
        &self,
        graph: &Graph,
        place: Place,
        size: u32,
    ) -> Result<Vec<(usize, u32, Scalar)>, Stop> {
        let types = &self.program.types;
        let unknown = || Stop::outside("a copy of memory of unknown type");
        let object = graph.object(place).ok_or_else(unknown)?;
        let layout = object.ty.and_then(|ty| types.layout(ty)).ok_or_else(unknown)?;
        if layout.overlaps || layout.tail.is_some() {
            return Err(Stop::outside("a copy of a union or of a flexible array"));
        }
        let (from, to) = (place.off as u32, place.off as u32 + size);
        let per_element = layout.cells.len().max(1);
        let mut found = Vec::new();
        for i in 0..object.cells.len() {
            let info = &layout.cells[i % per_element];
            let start = (i / per_element) as u32 * layout.size + info.offset;
            let end = start + info.bytes;
            if end <= from || start >= to {
                continue;
            }
            if start < from || end > to {
                return Err(Stop::outside("a copy that cuts a value"));
            }
            found.push((i, start - from, info.scalar));
        }
        Ok(found)
    }
}

/// The object that a pointer leads to; the element of a summary has to be unfolded first.
pub(crate) fn object_at(graph: &Graph, at: Value) -> Result<Place, Stop> {
    match at {
        Value::Ptr(p) => match graph.node(p.node) {
            Node::Object(_) | Node::Buffer(_) => Ok(p),
            // Loads of its strings are told before.
            Node::Arguments(_) => Err(Stop::outside("a change of the array of arguments")),
            Node::Summary(s) if s.may_be_empty() => Err(Stop::Need(Need::Elements(p.node))),
            Node::Summary(_) => Err(Stop::Need(Need::Element(p.node, p.end))),
            Node::Child { .. } => Err(Stop::outside("a summary that was not unfolded")),
        },
        Value::Null => Err(Stop::Fails(CheckKind::NullDeref)),
        Value::Undef => Err(Stop::Fails(CheckKind::Uninit)),
        Value::Freed => Err(Stop::Fails(CheckKind::UseAfterFree)),
        Value::Int(_) => Err(Stop::Fails(CheckKind::Bounds)),
        _ => Err(Stop::outside("an integer used as an address")),
    }
}

pub(crate) fn fault_stop(fault: Fault) -> Stop {
    match fault {
        Fault::Null => Stop::Fails(CheckKind::NullDeref),
        Fault::Undef => Stop::Fails(CheckKind::Uninit),
        Fault::Dead(_) => Stop::Fails(CheckKind::UseAfterFree),
        Fault::Bounds(_) | Fault::Nowhere => Stop::Fails(CheckKind::Bounds),
        Fault::Overlap(_) => Stop::Fails(CheckKind::Overlap),
        Fault::Unsupported(reason) => Stop::outside(reason),
    }
}

pub(crate) fn free(graph: &mut Graph, ptr: Value) -> Result<(), Stop> {
    let place = match ptr {
        Value::Null => return Ok(()),
        Value::Int(_) | Value::Sym(_) | Value::Range(_) => {
            return Err(Stop::Fails(CheckKind::InvalidFree));
        }
        Value::Freed => return Err(Stop::Fails(CheckKind::DoubleFree)),
        ptr => object_at(graph, ptr)?,
    };
    let life = match graph.node(place.node) {
        Node::Object(o) => Some(o.life),
        Node::Buffer(b) => Some(b.life),
        Node::Arguments(_) | Node::Summary(_) | Node::Child { .. } => None,
    };
    let is_start = place.off == 0 && place.at.is_none();
    if life != Some(Lifetime::Heap) || !is_start {
        return Err(Stop::Fails(CheckKind::InvalidFree));
    }
    graph.free(place.node);
    Ok(())
}

/// Where a pointer leads into a buffer.
pub(crate) fn buffer_at(graph: &Graph, at: Value) -> Option<Place> {
    at.place().filter(|p| graph.node(p.node).buffer().is_some())
}

pub(crate) fn cell_value(graph: &Graph, id: NodeId, cell: usize) -> Value {
    match graph.node(id) {
        Node::Object(o) => o.cells[cell],
        _ => Value::Mixed,
    }
}

pub(crate) fn set_cell(graph: &mut Graph, id: NodeId, cell: usize, value: Value) {
    if let Node::Object(o) = graph.node_mut(id) {
        o.cells[cell] = value;
    }
}

fn is_named_local(place: &Expr) -> bool {
    match place {
        Expr::Addr(Reg::Local(_)) => true,
        Expr::Offset(base, _) | Expr::Index { base, .. } => is_named_local(base),
        _ => false,
    }
}
