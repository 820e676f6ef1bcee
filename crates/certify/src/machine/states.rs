//! All machine states of a size at a cut point that satisfy its invariant.
//!
//! A state is built by filling *slots*: cells, variables, arguments. A clause is evaluated as soon as
//! everything that it speaks of is filled, so most states that violate the invariant are never
//! completed.
//!
//! Where the invariants or the contract speak of the entry state, states are enumerated on top of
//! every entry heap that `requires` allows; elsewhere objects are only marked as having existed at
//! the entry or not.
//!
//! **Invariant.** Nothing is left out on the word of the logic: a state is dropped only if it
//! violates the invariant as [`Abstraction`] reads it, or if no execution can be in it (a variable
//! in a register that is dead, memory at the entry that `requires` excludes).

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use trellis_logic::{FormulaId, FunId, RelId};
use trellis_program::concrete::initial::{GlobalStart, InitialHeap, global_memory};
use trellis_program::concrete::{Frame, Lifetime, Machine, ObjId, Pointer, PreState, State, Value};
use trellis_program::view::Kind;
use trellis_program::{
    BlockId, Body, InstrKind, IntKind, ProcId, Program, Reg, Scalar, Storage, TypeId, VarId, cfg,
};
use trellis_transys::{Flag, Location, RegSymbol, TransitionSystem};

use super::Work;
use super::abstraction::{Abstraction, Canvas, Needs, Stale};

pub(super) type Flow = ControlFlow<()>;

/// The states at one cut point.
pub(super) struct States<'a> {
    pub(super) program: &'a Program,
    pub(super) proc: ProcId,
    pub(super) system: &'a TransitionSystem,
    pub(super) machine: &'a Machine<'a>,
    pub(super) abstraction: &'a Abstraction<'a>,
    pub(super) at: &'a Location,
    /// What a state must satisfy: axioms and clauses.
    pub(super) formulas: Vec<FormulaId>,
    /// Whether memory at the entry is part of the state.
    pub(super) keeps_entry: bool,
}

/// A state with the memory of the entry, if that matters.
#[derive(Clone)]
pub(super) struct Start {
    pub(super) state: State,
    pub(super) pre: Option<Arc<PreState>>,
}

#[derive(Clone, Copy)]
enum Place {
    Cell(usize),
    Local(VarId),
    /// A register by its number: a parameter as it was passed.
    Entry(usize),
    /// A parameter that never changes, and its register as it was passed.
    Both(VarId, usize),
    Global(usize),
}

struct Slot {
    place: Place,
    domain: Vec<Value>,
    symbols: Vec<Symbol>,
    /// What another value changes in the structure of a state.
    changes: Stale,
    /// What can be evaluated once this is filled.
    due: Vec<FormulaId>,
}

/// What a state is evaluated with while it is filled.
struct Look {
    /// What the formulas look at.
    needs: Needs,
    canvas: Canvas,
}

const FRESH: Stale = Stale { cells: false, integers: false, variables: false, numbers: false };
/// What filling a slot changes: a cell or a variable, with a pointer or with an integer.
const POINTER_CELL: Stale = Stale { cells: true, ..FRESH };
const INTEGER_CELL: Stale = Stale { integers: true, numbers: true, ..FRESH };
const POINTER: Stale = Stale { variables: true, ..FRESH };
const INTEGER: Stale = Stale { variables: true, numbers: true, ..FRESH };

#[derive(Clone, Copy, PartialEq, Eq)]
enum Symbol {
    Fun(FunId),
    Rel(RelId),
}

/// What the code does to objects.
struct Effects {
    /// The types of heap objects that it allocates.
    makes: BTreeSet<Option<TypeId>>,
    frees: bool,
}

impl States<'_> {
    /// Calls `f` with every state that has exactly `objects` heap objects.
    pub(super) fn for_each(
        &self,
        entries: &[InitialHeap],
        objects: usize,
        work: &mut Work,
        f: &mut dyn FnMut(&Start, &mut Work) -> Flow,
    ) -> Flow {
        let effects = self.effects();
        if self.keeps_entry {
            for entry in entries {
                let there = heap_objects(entry);
                if there > objects || (there < objects && effects.makes.is_empty()) {
                    continue;
                }
                let base = self.on_entry(entry);
                self.add_new(base, objects - there, &effects, work, f)?;
            }
            return Flow::Continue(());
        }
        for before in 0..=objects {
            let new = objects - before;
            if new > 0 && effects.makes.is_empty() {
                continue;
            }
            self.add_before(self.without_entry(), before, None, &mut |base| {
                self.add_new(base, new, &effects, work, f)
            })?;
        }
        Flow::Continue(())
    }

    fn effects(&self) -> Effects {
        let mut effects = Effects { makes: BTreeSet::new(), frees: false };
        let mut untyped = false;
        for instr in self.program.proc(self.proc).instrs() {
            match &instr.kind {
                InstrKind::Alloc { ty, .. } => {
                    untyped |= ty.is_none();
                    effects.makes.insert(*ty);
                }
                InstrKind::Retype { ty, .. } if untyped => drop(effects.makes.insert(Some(*ty))),
                InstrKind::Free { .. } => effects.frees = true,
                _ => {}
            }
        }
        effects
    }

    /// The state of the entry itself, at this cut point.
    fn on_entry(&self, entry: &InitialHeap) -> Start {
        let pre = PreState { memory: entry.memory.clone(), globals: entry.globals.clone() };
        let pre = Some(Arc::new(pre));
        let mut state = entry.to_state();
        self.push_frame(&mut state, &entry.args, pre.as_ref());
        Start { state, pre }
    }

    /// Globals alone, arguments open.
    fn without_entry(&self) -> Start {
        let (memory, globals) = global_memory(self.program, GlobalStart::Open);
        let mut state = State { memory, globals, ..State::default() };
        let args = vec![Value::Open; self.program.proc(self.proc).params];
        self.push_frame(&mut state, &args, None);
        Start { state, pre: None }
    }

    fn push_frame(&self, state: &mut State, args: &[Value], pre: Option<&Arc<PreState>>) {
        let proc = self.program.proc(self.proc);
        state.regs = vec![Value::Undef; proc.vars.len()];
        state.regs.extend_from_slice(args);
        state.frames = vec![Frame {
            proc: self.proc,
            block: self.at.block,
            instr: 0,
            base: 0,
            result: None,
            pre: pre.filter(|_| self.machine.keeps_pre(self.proc)).cloned(),
        }];
    }

    /// Adds objects that existed at the entry, in the order of their types.
    fn add_before(
        &self,
        base: Start,
        count: usize,
        least: Option<(TypeId, u32)>,
        f: &mut dyn FnMut(Start) -> Flow,
    ) -> Flow {
        if count == 0 {
            return f(base);
        }
        for ty in self.system.symbols.view.object_types() {
            for &marks in &self.abstraction.mark_sets {
                if least.is_some_and(|l| (ty, marks) < l) {
                    continue;
                }
                let mut next = base.clone();
                let id = self.add_object(&mut next, Some(ty), marks);
                next.state.memory.objects[id.0 as usize].initial = true;
                self.add_before(next, count - 1, Some((ty, marks)), f)?;
            }
        }
        Flow::Continue(())
    }

    /// Adds objects that were allocated since, then locals in memory, and fills everything.
    fn add_new(
        &self,
        base: Start,
        count: usize,
        effects: &Effects,
        work: &mut Work,
        f: &mut dyn FnMut(&Start, &mut Work) -> Flow,
    ) -> Flow {
        let mut bases = vec![(base, None)];
        for _ in 0..count {
            let mut next = Vec::new();
            for (base, least) in bases {
                for ty in &effects.makes {
                    for &marks in &self.abstraction.mark_sets {
                        if least.is_some_and(|l| (*ty, marks) < l) {
                            continue;
                        }
                        let mut grown = base.clone();
                        self.add_object(&mut grown, *ty, marks);
                        next.push((grown, Some((*ty, marks))));
                    }
                }
            }
            bases = next;
        }
        for (base, _) in bases {
            for base in self.with_locals(base) {
                self.live_or_not(base, effects.frees, work, f)?;
            }
        }
        Flow::Continue(())
    }

    fn add_object(&self, to: &mut Start, ty: Option<TypeId>, marks: u32) -> ObjId {
        let types = &self.program.types;
        let size = ty.and_then(|t| types.size_of(t)).unwrap_or(0);
        let memory = &mut to.state.memory;
        let id = memory.allocate(types, ty, size, Lifetime::Heap, |_| Value::Open);
        memory.objects[id.0 as usize].marks = marks;
        id
    }

    /// Locals in memory: there from the start of the procedure, or from some place in it; where
    /// every way here has passed that place, they are there.
    fn with_locals(&self, base: Start) -> Vec<Start> {
        let proc = self.program.proc(self.proc);
        let there = proc.body.as_ref().map(|b| begun(b, proc.vars.len(), self.at.block));
        let there = there.unwrap_or_default();
        let mut out = vec![base];
        for (i, var) in proc.vars.iter().enumerate() {
            if var.storage != Storage::Object {
                continue;
            }
            let begun: Vec<Start> = out
                .iter()
                .map(|base| {
                    let mut next = base.clone();
                    let types = &self.program.types;
                    let size = types.size_of(var.ty).unwrap_or(0);
                    let memory = &mut next.state.memory;
                    let local = Lifetime::Local;
                    let id = memory.allocate(types, Some(var.ty), size, local, |_| Value::Open);
                    next.state.regs[i] = Value::to_start(id);
                    next
                })
                .collect();
            match i < proc.params || there.get(i) == Some(&true) {
                true => out = begun,
                false => out.extend(begun),
            }
        }
        out
    }

    /// Which heap objects are freed.
    fn live_or_not(
        &self,
        base: Start,
        frees: bool,
        work: &mut Work,
        f: &mut dyn FnMut(&Start, &mut Work) -> Flow,
    ) -> Flow {
        let heap: Vec<ObjId> = base
            .state
            .memory
            .ids()
            .filter(|id| base.state.memory.object(*id).lifetime == Lifetime::Heap)
            .collect();
        let sets = if frees { 1u32 << heap.len() } else { 1 };
        for dead in 0..sets {
            let mut next = base.clone();
            for (i, id) in heap.iter().enumerate() {
                next.state.memory.objects[id.0 as usize].live = dead >> i & 1 == 0;
            }
            self.fill(next, work, f)?;
        }
        Flow::Continue(())
    }

    fn fill(
        &self,
        mut start: Start,
        work: &mut Work,
        f: &mut dyn FnMut(&Start, &mut Work) -> Flow,
    ) -> Flow {
        let mut slots = self.slots(&mut start);
        let now = self.schedule(&mut slots);
        let needs = self.abstraction.needs(&self.formulas);
        let mut look = Look { needs, canvas: Canvas::default() };
        if !self.holds(&start, &now, &mut look, work)? {
            return Flow::Continue(());
        }
        self.fill_from(&slots, &mut start, &mut look, work, f)
    }

    fn fill_from(
        &self,
        slots: &[Slot],
        start: &mut Start,
        look: &mut Look,
        work: &mut Work,
        f: &mut dyn FnMut(&Start, &mut Work) -> Flow,
    ) -> Flow {
        let Some((slot, rest)) = slots.split_first() else {
            return f(start, work);
        };
        let before = slot.get(start);
        for &value in &slot.domain {
            slot.set(start, value);
            look.canvas.stale.add(slot.changes);
            if self.holds(start, &slot.due, look, work)? {
                self.fill_from(rest, start, look, work, f)?;
            }
        }
        slot.set(start, before);
        look.canvas.stale.add(slot.changes);
        Flow::Continue(())
    }

    /// Whether a state that is filled so far satisfies some formulas.
    fn holds(
        &self,
        start: &Start,
        due: &[FormulaId],
        look: &mut Look,
        work: &mut Work,
    ) -> ControlFlow<(), bool> {
        let costs = due.iter().map(|f| self.abstraction.cost(&start.state, *f));
        work.spend(1 + costs.sum::<u64>())?;
        if due.is_empty() {
            return ControlFlow::Continue(true);
        }
        let (state, pre) = (&start.state, start.pre.as_deref());
        let made = self.abstraction.look(&mut look.canvas, &look.needs, self.at, state, pre);
        let Ok(structure) = made else { return ControlFlow::Continue(false) };
        ControlFlow::Continue(due.iter().all(|f| self.abstraction.holds(structure, *f)))
    }

    /// Decides when each formula can be evaluated; gives those that can be from the start.
    fn schedule(&self, slots: &mut [Slot]) -> Vec<FormulaId> {
        let mut now = Vec::new();
        for &formula in &self.formulas {
            let used = self.abstraction.used(formula);
            let speaks_of = |slot: &Slot| {
                slot.symbols.iter().any(|s| match s {
                    Symbol::Fun(fun) => used.funs.contains(fun),
                    Symbol::Rel(rel) => used.rels.contains(rel),
                })
            };
            match slots.iter().rposition(speaks_of) {
                Some(last) => slots[last].due.push(formula),
                None => now.push(formula),
            }
        }
        now
    }

    /// What is to be filled, pointers first; the rest gets values that do not matter.
    fn slots(&self, start: &mut Start) -> Vec<Slot> {
        let mut slots = Vec::new();
        let symbols = &self.system.symbols;
        for field in &symbols.pointers {
            for id in start.state.memory.ids() {
                let index = self.abstraction.cell_index(&start.state.memory, id, field.cell);
                let Some(index) = index else { continue };
                let object = start.state.memory.object(id);
                let kept = object.initial && self.keeps_entry && !field.stored;
                if !object.live || kept {
                    continue;
                }
                let mut domain = self.pointers(start, field.kind, |_| true);
                if self.at.relations.contains(&field.undefined) && !object.initial {
                    domain.push(Value::Undef);
                }
                let mut of = vec![Symbol::Rel(field.relation.now), Symbol::Rel(field.undefined)];
                of.extend(field.edge.map(|e| Symbol::Rel(e.now)));
                slots.push(Slot::new(POINTER_CELL, Place::Cell(index), domain, of));
            }
        }
        self.add_variables(start, true, &mut slots);
        for field in &symbols.integers {
            for id in start.state.memory.ids() {
                let index = self.abstraction.cell_index(&start.state.memory, id, field.cell);
                let Some(index) = index else { continue };
                let object = start.state.memory.object(id);
                let kept = object.initial && self.keeps_entry && !field.changes;
                if !object.live || kept {
                    continue;
                }
                let trellis_program::view::CellKind::Int(kind) = field.cell.kind else { continue };
                let mut domain = self.integers(kind, field.now);
                if self.at.relations.contains(&field.undefined) && !object.initial {
                    domain.push(Value::Undef);
                }
                let of = vec![flag_symbol(field.now), Symbol::Rel(field.undefined)];
                slots.push(Slot::new(INTEGER_CELL, Place::Cell(index), domain, of));
            }
        }
        self.add_variables(start, false, &mut slots);
        for slot in &slots {
            // Something that fits, until the slot is filled.
            let first = slot.domain.iter().copied().find(|v| *v != Value::Undef);
            slot.set(start, first.unwrap_or(Value::Undef));
        }
        self.close(start);
        slots
    }

    fn add_variables(&self, start: &Start, pointers: bool, slots: &mut Vec<Slot>) {
        let symbols = &self.system.symbols;
        let proc = self.program.proc(self.proc);
        let stale = if pointers { POINTER } else { INTEGER };
        for (&reg, twin) in &symbols.regs {
            if matches!(twin.now, RegSymbol::Ptr(_)) != pointers {
                continue;
            }
            let domain = |symbol: RegSymbol, initial: bool| match symbol {
                RegSymbol::Ptr(_) => {
                    let kind = symbols.view.reg(reg).map(|r| r.kind);
                    kind.map_or(Vec::new(), |k| self.pointers(start, k, |o| !initial || o))
                }
                RegSymbol::Int(flag) => {
                    let ty = self.program.reg_type(self.proc, reg);
                    match self.program.types.scalar(ty) {
                        Some(Scalar::Int(kind)) => self.integers(kind, flag),
                        _ => Vec::new(),
                    }
                }
            };
            let lives = self.at.has(twin.now);
            match reg {
                Reg::Local(v) if (v.0 as usize) < proc.params => {
                    let in_memory = proc.var(v).storage == Storage::Object;
                    let changes = twin.entry != twin.now;
                    if !self.keeps_entry {
                        let passed = proc.vars.len() + v.0 as usize;
                        let place = match in_memory || changes {
                            true => Place::Entry(passed),
                            false => Place::Both(v, passed),
                        };
                        let of = vec![reg_symbol(twin.entry)];
                        slots.push(Slot::new(stale, place, domain(twin.entry, true), of));
                    }
                    if !in_memory && changes && lives {
                        let of = vec![reg_symbol(twin.now)];
                        slots.push(Slot::new(stale, Place::Local(v), domain(twin.now, false), of));
                    }
                }
                Reg::Local(v) => {
                    if lives && proc.var(v).storage == Storage::Register {
                        let mut domain = domain(twin.now, false);
                        let mut of = vec![reg_symbol(twin.now)];
                        if let Some(unset) = symbols.unset.get(&reg)
                            && self.at.propositions.contains(unset)
                        {
                            domain.push(Value::Undef);
                            of.push(Symbol::Rel(*unset));
                        }
                        slots.push(Slot::new(stale, Place::Local(v), domain, of));
                    }
                }
                Reg::Global(g) => {
                    let open = start.state.globals[g.0 as usize] == Value::Open;
                    if twin.entry != twin.now || open {
                        let of = vec![reg_symbol(twin.now)];
                        let place = Place::Global(g.0 as usize);
                        slots.push(Slot::new(stale, place, domain(twin.now, false), of));
                    }
                }
            }
        }
    }

    /// Null, and every object that pointers of a kind can lead to.
    fn pointers(&self, start: &Start, kind: Kind, allowed: impl Fn(bool) -> bool) -> Vec<Value> {
        let Kind::Ptr(spot) = kind else { return Vec::new() };
        let mut out = vec![Value::Null];
        let memory = &start.state.memory;
        for id in memory.ids() {
            let object = memory.object(id);
            if let Some(off) = self.system.symbols.view.offset_in(spot, object.ty)
                && let Ok(off) = i32::try_from(off)
                && allowed(object.initial)
            {
                out.push(Value::Ptr(Pointer { obj: id, off }));
            }
        }
        out
    }

    fn integers(&self, kind: IntKind, flag: Flag<FunId>) -> Vec<Value> {
        match flag {
            Flag::Truth(_) => vec![Value::Int(0), Value::Int(1)],
            Flag::Data(_) => self.machine.int_domain(kind).map(Value::Int).collect(),
        }
    }

    /// Gives values to what no symbol speaks of, and to parameters that never change.
    fn close(&self, start: &mut Start) {
        let proc = self.program.proc(self.proc);
        let types = &self.program.types;
        let state = &mut start.state;
        for i in 0..proc.params {
            let entry = state.regs[proc.vars.len() + i];
            let zero = types.scalar(proc.vars[i].ty).map_or(Value::Undef, Value::zero);
            let entry = if entry == Value::Open { zero } else { entry };
            state.regs[proc.vars.len() + i] = entry;
            let reg = Reg::Local(VarId(i as u32));
            let stays = self.system.symbols.regs.get(&reg).is_none_or(|t| t.now == t.entry);
            if proc.vars[i].storage == Storage::Register && stays {
                state.regs[i] = entry;
            }
        }
        for (value, global) in state.globals.iter_mut().zip(&self.program.globals) {
            if *value == Value::Open {
                *value = types.scalar(global.ty).map_or(Value::Undef, Value::zero);
            }
        }
        for id in state.memory.ids() {
            let object = *state.memory.object(id);
            let scalars: Vec<Scalar> =
                state.memory.contents(types, id).map(|(_, scalar, _)| scalar).collect();
            for (i, scalar) in scalars.into_iter().enumerate() {
                let cell = &mut state.memory.cells[object.start as usize + i];
                if *cell == Value::Open {
                    *cell = match scalar {
                        Scalar::Float(_) => Value::Undef,
                        scalar => Value::zero(scalar),
                    };
                }
            }
        }
    }
}

/// The locals whose lifetime has begun, and not ended, on every way to a block.
fn begun(body: &Body, vars: usize, at: BlockId) -> Vec<bool> {
    let mut before: Vec<Option<Vec<bool>>> = vec![None; body.blocks.len()];
    before[body.entry.0 as usize] = Some(vec![false; vars]);
    let mut todo = vec![body.entry];
    while let Some(b) = todo.pop() {
        let block = body.block(b);
        let mut now = before[b.0 as usize].clone().unwrap_or_default();
        for instr in &block.instrs {
            match instr.kind {
                InstrKind::BeginLocal { var } => now[var.0 as usize] = true,
                InstrKind::EndLocal { var } => now[var.0 as usize] = false,
                _ => {}
            }
        }
        for next in cfg::successors(&block.term) {
            let known = &mut before[next.0 as usize];
            let met = match known {
                None => now.clone(),
                Some(known) => known.iter().zip(&now).map(|(a, b)| *a && *b).collect(),
            };
            if known.as_ref() != Some(&met) {
                *known = Some(met);
                todo.push(next);
            }
        }
    }
    before[at.0 as usize].take().unwrap_or_default()
}

impl Slot {
    fn new(changes: Stale, place: Place, domain: Vec<Value>, symbols: Vec<Symbol>) -> Slot {
        Slot { place, domain, symbols, changes, due: Vec::new() }
    }

    fn get(&self, start: &Start) -> Value {
        let state = &start.state;
        match self.place {
            Place::Cell(i) => state.memory.cells[i],
            Place::Local(v) => state.regs[v.0 as usize],
            Place::Entry(i) | Place::Both(_, i) => state.regs[i],
            Place::Global(g) => state.globals[g],
        }
    }

    fn set(&self, start: &mut Start, value: Value) {
        let state = &mut start.state;
        match self.place {
            Place::Cell(i) => state.memory.cells[i] = value,
            Place::Local(v) => state.regs[v.0 as usize] = value,
            Place::Entry(i) => state.regs[i] = value,
            Place::Both(v, i) => {
                state.regs[i] = value;
                state.regs[v.0 as usize] = value;
            }
            Place::Global(g) => state.globals[g] = value,
        }
    }
}

fn flag_symbol(flag: Flag<FunId>) -> Symbol {
    match flag {
        Flag::Truth(rel) => Symbol::Rel(rel),
        Flag::Data(fun) => Symbol::Fun(fun),
    }
}

fn reg_symbol(symbol: RegSymbol) -> Symbol {
    match symbol {
        RegSymbol::Ptr(fun) => Symbol::Fun(fun),
        RegSymbol::Int(flag) => flag_symbol(flag),
    }
}

/// How many heap objects an entry heap has.
pub(super) fn heap_objects(heap: &InitialHeap) -> usize {
    heap.memory.objects.iter().filter(|o| o.lifetime == Lifetime::Heap).count()
}
