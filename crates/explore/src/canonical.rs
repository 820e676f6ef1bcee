//! Two states that differ only in the names of allocated objects are one.
//!
//! Objects that existed at entry keep their names (contracts compare with the state at entry).
//! Later ones are numbered in the order in which a fixed traversal finds them: registers, globals,
//! then cells. What the traversal does not find is dropped, except that
//! * with quantified contracts, and where cycles are looked for, allocated objects stay, since
//!   quantifiers and that check see them;
//! * otherwise one lost heap object stays, emptied, to stand for all: the leak check needs it.
//!
//! **Invariant:** [`encode`] of canonical states is injective: equal bytes, equal states.

use trellis_program::concrete::{Byte, Frame, Lifetime, ObjId, Pointer, State, Value};

/// What a canonical state must keep besides what is reachable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Keep {
    /// All allocated objects (contracts quantify over pointers, or cycles are looked for).
    pub allocated: bool,
    /// One lost object (the leak check is on).
    pub leak: bool,
}

/// Renames and drops objects; cheap when there is nothing to do.
pub fn canonicalise(state: &mut State, keep: Keep) {
    let count = state.memory.objects.len();
    let initial = state.memory.objects.iter().take_while(|o| o.initial).count();
    if initial == count {
        return;
    }
    let order = Order::of(state, initial, keep);
    if !order.is_identity(count) || order.emptied.is_some() {
        apply(state, &order);
    }
}

/// The objects that stay, in canonical order.
struct Order {
    /// Old ids in their new order.
    kept: Vec<ObjId>,
    /// New id by old id; `u32::MAX` for dropped objects.
    new: Vec<u32>,
    /// A lost object that stays without its cells.
    emptied: Option<ObjId>,
}

impl Order {
    fn of(state: &State, initial: usize, keep: Keep) -> Order {
        let count = state.memory.objects.len();
        let mut order =
            Order { kept: Vec::with_capacity(count), new: vec![u32::MAX; count], emptied: None };
        (0..initial as u32).for_each(|i| order.find(ObjId(i)));
        state.regs.iter().chain(&state.globals).for_each(|v| order.value(*v));
        order.follow(state);
        let lost = |order: &Order, id: ObjId| {
            let o = state.memory.object(id);
            o.live && o.lifetime == Lifetime::Heap && order.new[id.0 as usize] == u32::MAX
        };
        if keep.allocated {
            for id in state.memory.ids() {
                if lost(&order, id) {
                    order.find(id);
                    order.follow(state);
                }
            }
        } else if keep.leak
            && let Some(id) = state.memory.ids().find(|id| lost(&order, *id))
        {
            order.find(id);
            order.emptied = Some(id).filter(|id| !is_empty(state, *id));
        }
        order
    }

    fn find(&mut self, id: ObjId) {
        if self.new[id.0 as usize] == u32::MAX {
            self.new[id.0 as usize] = self.kept.len() as u32;
            self.kept.push(id);
        }
    }

    fn value(&mut self, v: Value) {
        if let Some(object) = v.object() {
            self.find(object);
        }
    }

    /// Finds what live found objects point to.
    fn follow(&mut self, state: &State) {
        let mut next = 0;
        while next < self.kept.len() {
            let id = self.kept[next];
            next += 1;
            if state.memory.object(id).live {
                state.memory.cells_of(id).iter().for_each(|v| self.value(*v));
                let loose = state.memory.loose_of(id).filter_map(|(_, b)| b.object());
                loose.for_each(|object| self.find(object));
            }
        }
    }

    fn is_identity(&self, count: usize) -> bool {
        self.kept.len() == count && (0..).zip(&self.kept).all(|(i, id)| id.0 == i)
    }
}

fn is_empty(state: &State, id: ObjId) -> bool {
    state.memory.object(id).cells == 0
}

fn apply(state: &mut State, order: &Order) {
    let renamed = |p: Pointer| Pointer { obj: ObjId(order.new[p.obj.0 as usize]), off: p.off };
    let rename = |v: Value| match v {
        Value::Ptr(p) => Value::Ptr(renamed(p)),
        Value::Piece(p, from, len) => Value::Piece(renamed(p), from, len),
        v => v,
    };
    let old = std::mem::take(&mut state.memory);
    let memory = &mut state.memory;
    memory.objects.reserve(order.kept.len());
    for &id in &order.kept {
        let mut object = *old.object(id);
        let start = memory.cells.len() as u32;
        let keeps_cells = object.initial || (object.live && order.emptied != Some(id));
        if keeps_cells {
            // A dead initial object's cells may name dropped objects; they are never read again.
            let cell = |v: &Value| {
                if object.live { rename(*v) } else { Value::Undef }
            };
            memory.cells.extend(old.cells_of(id).iter().map(cell));
            let new = ObjId(memory.objects.len() as u32);
            let loose = old.loose_of(id).filter(|_| object.live).map(|(at, byte)| {
                let byte = match byte {
                    Byte::Piece(p, n) => Byte::Piece(renamed(p), n),
                    bits @ Byte::Bits { .. } => bits,
                };
                ((new, at), byte)
            });
            memory.loose.extend(loose);
        } else {
            object.cells = 0;
            object.ty = object.ty.filter(|_| order.emptied != Some(id));
            object.marks = if order.emptied == Some(id) { 0 } else { object.marks };
        }
        object.start = start;
        memory.objects.push(object);
    }
    state.regs.iter_mut().chain(&mut state.globals).for_each(|v| *v = rename(*v));
}

/// Appends the bytes of a canonical state. The first is the number of frames, so never 0.
pub fn encode(state: &State, out: &mut Vec<u8>) {
    varint(state.frames.len() as u64, out);
    for frame in &state.frames {
        encode_frame(frame, out);
    }
    state.regs.iter().chain(&state.globals).for_each(|v| encode_value(*v, out));
    for (id, object) in (0u32..).zip(&state.memory.objects) {
        let flags = u8::from(object.live)
            | u8::from(object.initial) << 1
            | u8::from(object.zeroed) << 2
            | (object.lifetime as u8) << 3
            | u8::from(object.literal) << 5;
        let loose = match object.live && !state.memory.loose.is_empty() {
            true => state.memory.loose_of(ObjId(id)).count(),
            false => 0,
        };
        out.push(flags | u8::from(loose > 0) << 6);
        if !object.initial {
            varint(object.ty.map_or(0, |t| u64::from(t.0) + 1), out);
            varint(object.size.into(), out);
            varint(object.marks.into(), out);
            varint(object.cells.into(), out);
        }
        if object.live {
            let cells = &state.memory.cells[object.start as usize..][..object.cells as usize];
            cells.iter().for_each(|v| encode_value(*v, out));
        }
        if loose > 0 {
            varint(loose as u64, out);
            state.memory.loose_of(ObjId(id)).for_each(|(at, byte)| encode_byte(at, byte, out));
        }
    }
}

fn encode_frame(frame: &Frame, out: &mut Vec<u8>) {
    varint(frame.proc.0.into(), out);
    varint(frame.block.0.into(), out);
    varint(frame.instr.into(), out);
}

fn encode_value(v: Value, out: &mut Vec<u8>) {
    /// Small integers and pointers to the start of objects take one byte.
    const INTS: std::ops::Range<i64> = -8..56;
    const FIRST_INT: u8 = 6;
    const FIRST_PTR: u8 = FIRST_INT + 64;
    match v {
        Value::Undef => out.push(0),
        Value::Null => out.push(1),
        Value::Int(i) if INTS.contains(&i) => out.push(FIRST_INT + (i - INTS.start) as u8),
        Value::Int(i) => {
            out.push(2);
            varint(((i << 1) ^ (i >> 63)) as u64, out);
        }
        Value::Ptr(Pointer { obj, off: 0 }) if obj.0 < u32::from(u8::MAX - FIRST_PTR) => {
            out.push(FIRST_PTR + obj.0 as u8);
        }
        Value::Ptr(p) => {
            out.push(3);
            varint(p.obj.0.into(), out);
            varint(u64::from(p.off as u32), out);
        }
        Value::Piece(p, from, len) => {
            out.extend([4, from, len]);
            varint(p.obj.0.into(), out);
            varint(u64::from(p.off as u32), out);
        }
        Value::Bytes => out.push(5),
        Value::Open => unreachable!("a running state has no open value"),
    }
}

fn encode_byte(at: u32, byte: Byte, out: &mut Vec<u8>) {
    varint(at.into(), out);
    match byte {
        Byte::Bits { value, known } => out.extend([0, value, known]),
        Byte::Piece(p, n) => {
            out.extend([1, n]);
            varint(p.obj.0.into(), out);
            varint(u64::from(p.off as u32), out);
        }
    }
}

fn varint(mut n: u64, out: &mut Vec<u8>) {
    while n >= 0x80 {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}
