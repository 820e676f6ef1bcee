//! Machine states of abstract heaps, and abstract heaps of machine states.

use smallvec::SmallVec;
use trellis_program::concrete::memory::Lifetime;
use trellis_program::concrete::{Frame, Memory, ObjId, State, Value};
use trellis_program::{Program, Reg, Scalar};

use crate::concrete::{ListHeap, Target};
use crate::heap::{Garbage, Heap, Ref};
use crate::program::{ANY_INT, ListProgram, Slot, UNDEF_INT};

/// Between machine states and heaps of lists.
pub(super) struct Mapping<'a> {
    program: &'a Program,
    list: &'a ListProgram,
}

impl<'a> Mapping<'a> {
    pub(super) fn new(program: &'a Program, list: &'a ListProgram) -> Mapping<'a> {
        Mapping { program, list }
    }

    /// The states at the start of a block that a concrete heap of lists is. There is more than one
    /// if it has several pointers to freed memory, which may be the same memory or not; `None` if
    /// there are too many of them.
    pub(super) fn states(
        &self,
        block: usize,
        heap: &Heap,
        concrete: &ListHeap,
    ) -> Option<Vec<State>> {
        let dangling = |t: &&Target| **t == Target::Dangling;
        let freed = concrete.vars.iter().chain(&concrete.next).filter(dangling).count();
        let ways = (freed <= MOST_FREED).then(|| partitions(freed))?;
        Some(ways.iter().map(|p| self.state(block, heap, concrete, p)).collect())
    }

    fn state(&self, block: usize, heap: &Heap, concrete: &ListHeap, freed: &[usize]) -> State {
        let types = &self.program.types;
        let mut state = State::default();
        let node = self.list.node.as_ref();
        let allocate = |memory: &mut Memory| {
            let (ty, size) = node.map_or((None, 0), |n| (Some(n.record), n.size));
            memory.allocate(types, ty, size, Lifetime::Heap, |_| Value::Undef)
        };
        let nodes: Vec<ObjId> = concrete.next.iter().map(|_| allocate(&mut state.memory)).collect();
        let dead: Vec<ObjId> = (0..freed.iter().max().map_or(0, |m| m + 1))
            .map(|_| allocate(&mut state.memory))
            .collect();
        let lost = heap.garbage.any().then(|| allocate(&mut state.memory));
        let mut which = freed.iter();
        let mut value = |t: &Target| match t {
            Target::Node(i) => Value::to_start(nodes[*i]),
            Target::Null => Value::Null,
            Target::Undef => Value::Undef,
            Target::Dangling => which.next().map_or(Value::Undef, |w| Value::to_start(dead[*w])),
        };
        let vars: Vec<Value> = concrete.vars.iter().map(&mut value).collect();
        let fields: Vec<Value> = concrete.next.iter().map(&mut value).collect();
        if let Some(node) = node {
            let mut link = |id: ObjId, to: Value| {
                let at = trellis_program::concrete::Pointer { obj: id, off: node.offset as i32 };
                // The object was just made with this field.
                let scalar = Scalar::Ptr(node.record);
                let _ = state.memory.store(types, Value::Ptr(at), scalar, to);
            };
            nodes.iter().zip(fields).for_each(|(id, to)| link(*id, to));
            if let Some(id) = lost {
                let own = if heap.garbage.cyclic() { Value::to_start(id) } else { Value::Null };
                link(id, own);
            }
        }
        dead.iter().for_each(|id| state.memory.objects[id.0 as usize].live = false);
        self.fill_registers(block, heap, &vars, &mut state);
        state
    }

    fn fill_registers(&self, block: usize, heap: &Heap, vars: &[Value], state: &mut State) {
        let types = &self.program.types;
        let slot_value = |slot: Slot, ty: trellis_program::TypeId| match slot {
            Slot::List(x) => vars[x],
            Slot::Int(i) => self.int_value(heap.ints[i], types.scalar(ty)),
            Slot::None => Value::Undef,
        };
        state.globals = vec![Value::Undef; self.program.globals.len()];
        for (reg, slot) in &self.list.globals {
            if let Reg::Global(g) = reg {
                state.globals[g.0 as usize] = slot_value(*slot, self.program.global(*g).ty);
            }
        }
        let at = self.list.blocks[block].at;
        let mut frames = vec![(at.context, at.block, at.instr)];
        let mut context = at.context;
        while let Some((caller, block, instr)) = self.list.contexts[context].caller {
            frames.push((caller, block, instr));
            context = caller;
        }
        for (c, block, instr) in frames.into_iter().rev() {
            let context = &self.list.contexts[c];
            let proc = self.program.proc(context.proc);
            let base = state.regs.len() as u32;
            let types_of = proc.vars.iter().map(|v| v.ty);
            let slots = context.vars.iter().zip(types_of.clone());
            state.regs.extend(slots.map(|(s, ty)| slot_value(*s, ty)));
            let entry = context.entry.iter().zip(types_of);
            state.regs.extend(entry.map(|(s, ty)| slot_value(*s, ty)));
            let result = context.result;
            state.frames.push(Frame { proc: context.proc, block, instr, base, result, pre: None });
        }
    }

    fn int_value(&self, code: u8, scalar: Option<Scalar>) -> Value {
        match (code, scalar) {
            (ANY_INT, _) => Value::Open,
            (UNDEF_INT, _) => Value::Undef,
            (code, Some(s)) => match self.list.constants[code as usize] {
                0 => Value::zero(s),
                c => Value::Int(c),
            },
            (_, None) => Value::Undef,
        }
    }

    /// The value of a slot in a state at the start of a block.
    fn each_slot(&self, block: usize, state: &State, f: &mut dyn FnMut(Slot, Value)) {
        for (reg, slot) in &self.list.globals {
            if let Reg::Global(g) = reg {
                f(*slot, state.globals[g.0 as usize]);
            }
        }
        let mut context = Some(self.list.blocks[block].at.context);
        for frame in state.frames.iter().rev() {
            let Some(c) = context else { return };
            let of = &self.list.contexts[c];
            let slots = of.vars.iter().chain(&of.entry);
            for (i, slot) in slots.enumerate() {
                f(*slot, state.regs[frame.base as usize + i]);
            }
            context = of.caller.map(|(caller, ..)| caller);
        }
    }

    /// The value of a list variable while a block is run, if it is in a register.
    pub(super) fn value(&self, block: usize, state: &State, var: usize) -> Option<Value> {
        let mut found = None;
        self.each_slot(block, state, &mut |slot, value| {
            if slot == Slot::List(var) {
                found = Some(value);
            }
        });
        found
    }

    /// The abstraction of a state at the start of a block, by definition; integers are left out.
    pub(super) fn abstraction(&self, block: usize, state: &State) -> Result<Heap, String> {
        let node = self.list.node.as_ref();
        // Memory that has no type yet is a node if it is large enough: whoever gives it a type
        // makes it one.
        let is_node = |o: &trellis_program::concrete::Object| {
            node.is_some_and(|n| o.ty == Some(n.record) || o.ty.is_none() && o.size == n.size)
        };
        let mut number = vec![None; state.memory.objects.len()];
        let mut ids = Vec::new();
        for id in state.memory.ids() {
            let object = state.memory.object(id);
            if object.live && object.lifetime == Lifetime::Heap && is_node(object) {
                number[id.0 as usize] = Some(ids.len());
                ids.push(id);
            }
        }
        let target = |v: Value| match v {
            Value::Null => Ok(Target::Null),
            Value::Ptr(p) if p.off != 0 => Err("a pointer into a node"),
            Value::Ptr(p) => Ok(number[p.obj.0 as usize].map_or(Target::Dangling, Target::Node)),
            Value::Undef => Ok(Target::Undef),
            Value::Open | Value::Int(_) | Value::Piece(..) | Value::Bytes => {
                Err("a number in a list variable")
            }
        };
        let offset = self.list.node.as_ref().map_or(0, |n| n.offset);
        let field = |id: &ObjId| {
            let object = state.memory.object(*id);
            if object.ty.is_none() && object.zeroed {
                return Value::Null;
            }
            let mut cells = state.memory.contents(&self.program.types, *id);
            cells.find(|(off, ..)| *off == offset).map_or(Value::Undef, |(_, _, v)| v)
        };
        let next: Result<Vec<Target>, _> = ids.iter().map(|id| target(field(id))).collect();
        let mut heap = ListHeap { vars: vec![Target::Undef; self.list.vars.len()], next: next? };
        let mut wrong = None;
        let live = &self.list.blocks[block].live_vars;
        self.each_slot(block, state, &mut |slot, value| {
            if let Slot::List(x) = slot
                && live[x]
            {
                match target(value) {
                    Ok(t) => heap.vars[x] = t,
                    Err(why) => wrong = Some(why),
                }
            }
        });
        if let Some(why) = wrong {
            return Err(why.to_owned());
        }
        let mut found = heap.abstraction();
        if self.list.track_garbage {
            found.garbage = heap.garbage();
        } else {
            found.garbage = Garbage::NONE;
        }
        debug_assert!(found.vars.iter().all(|v| *v != Ref::DEEP));
        Ok(found)
    }

    /// The codes of the integers of a state; those that do not matter may be any.
    pub(super) fn int_codes(&self, block: usize, state: &State) -> SmallVec<[u8; 8]> {
        let live = &self.list.blocks[block].live_ints;
        let mut codes: SmallVec<[u8; 8]> = SmallVec::from_elem(ANY_INT, self.list.ints.len());
        self.each_slot(block, state, &mut |slot, value| {
            if let Slot::Int(i) = slot
                && live[i]
            {
                codes[i] = match value {
                    Value::Undef => UNDEF_INT,
                    Value::Null => self.list.code(0),
                    Value::Int(v) => self.list.code(v),
                    Value::Open | Value::Ptr(_) | Value::Piece(..) | Value::Bytes => ANY_INT,
                };
            }
        });
        codes
    }
}

/// Most pointers to freed memory in one heap: they have 877 partitions.
const MOST_FREED: usize = 7;

/// All ways to say which of `n` things are the same, as a number for each.
fn partitions(n: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..n {
        all = all
            .into_iter()
            .flat_map(|p: Vec<usize>| {
                let new = p.iter().max().map_or(0, |m| m + 1);
                (0..=new).map(move |k| {
                    let mut p = p.clone();
                    p.push(k);
                    p
                })
            })
            .collect();
    }
    all
}
