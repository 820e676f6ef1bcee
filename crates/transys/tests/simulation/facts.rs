//! A machine state as facts about the symbols of a transition system.
//!
//! Element 0 is null, the others are the objects of the later of two states in order; so what is
//! allocated between them is an element of both, not yet allocated in the first.

use trellis_logic::{FunId, RelId};
use trellis_program::concrete::{InitialHeap, Memory, ObjId, State, Value};
use trellis_program::spec::PredId;
use trellis_program::view::{Cell, CellKind, Kind, Spot};
use trellis_program::{Program, Reg, Scalar, VarId};
use trellis_transys::{Flag, Location, PointerField, RegSymbol, TransitionSystem};

/// Something that is true or not in a state.
#[derive(Clone, Debug)]
pub enum Fact {
    /// A relation of objects.
    Rel(RelId, Vec<u32>, bool),
    /// A constant denotes an object.
    Obj(FunId, u32),
    /// A constant denotes an integer.
    Int(FunId, i128),
    /// A field of an object holds an integer.
    Field(FunId, u32, i128),
}

/// Why a state has no facts.
#[derive(Debug, PartialEq, Eq)]
pub enum NoFacts {
    /// A field that is seen through its closure has a cycle, or a node of a tree two parents.
    Cycle,
    /// A value that no symbol can have.
    Unseen(String),
}

/// Which of its two symbols something has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum When {
    Now,
    Entry,
}

pub struct Facts<'a> {
    pub program: &'a Program,
    pub system: &'a TransitionSystem,
    /// The memory of the later state.
    pub last: &'a Memory,
    pub facts: Vec<Fact>,
}

impl Facts<'_> {
    pub fn size(&self) -> u32 {
        self.ids().len() as u32 + 1
    }

    /// The objects; functions are no memory.
    fn ids(&self) -> Vec<ObjId> {
        let types = &self.program.types;
        let is_function = |ty| types.is_function(ty);
        self.last.ids().filter(|id| !self.last.object(*id).ty.is_some_and(is_function)).collect()
    }

    /// The element that an object is.
    fn element(&self, id: ObjId) -> u32 {
        self.ids().partition_point(|other| *other < id) as u32 + 1
    }

    /// What never changes: types, marks, and the entry.
    pub fn entry(&mut self, heap: &InitialHeap) -> Result<(), NoFacts> {
        let symbols = &self.system.symbols;
        for id in self.ids() {
            let object = self.last.object(id);
            for (ty, rel) in &symbols.types {
                let x = self.element(id);
                self.facts.push(Fact::Rel(*rel, vec![x], object.ty == Some(*ty)));
            }
            for i in 0..self.program.predicates.len() {
                let rel = symbols.view.mark(PredId(i as u32)).and_then(|m| symbols.marks.get(&m));
                if let Some(rel) = rel {
                    let marked = object.marks >> i & 1 == 1;
                    let x = self.element(id);
                    self.facts.push(Fact::Rel(*rel, vec![x], marked));
                }
            }
        }
        self.memory(&heap.memory, When::Entry)?;
        let params = self.program.proc(self.system.proc).params;
        for (reg, twin) in &symbols.regs {
            let value = match reg {
                Reg::Local(v) if (v.0 as usize) < params => heap.args[v.0 as usize],
                Reg::Local(_) => continue,
                Reg::Global(g) => heap.globals[g.0 as usize],
            };
            self.variable(*reg, twin.entry, value)?;
        }
        for (reg, (fun, _)) in &symbols.addresses {
            if let Reg::Global(g) = reg
                && let Value::Ptr(p) = heap.globals[g.0 as usize]
            {
                self.facts.push(Fact::Obj(*fun, self.element(p.obj)));
            }
        }
        Ok(())
    }

    /// The state now, as far as it matters at a location.
    pub fn now(&mut self, state: &State, location: &Location) -> Result<(), NoFacts> {
        let symbols = &self.system.symbols;
        self.memory(&state.memory, When::Now)?;
        for (reg, twin) in &symbols.regs {
            let matters = match twin.now {
                RegSymbol::Ptr(fun) | RegSymbol::Int(Flag::Data(fun)) => {
                    location.constants.contains(&fun)
                }
                RegSymbol::Int(Flag::Truth(rel)) => location.propositions.contains(&rel),
            };
            if !matters || self.in_memory(*reg) {
                continue;
            }
            let value = state.slot(*reg);
            if let Some(unset) = symbols.unset.get(reg) {
                self.facts.push(Fact::Rel(*unset, vec![], value == Value::Undef));
            }
            self.variable(*reg, twin.now, value)?;
        }
        for (reg, (fun, _)) in &symbols.addresses {
            if let Value::Ptr(p) = state.slot(*reg) {
                self.facts.push(Fact::Obj(*fun, self.element(p.obj)));
            }
        }
        Ok(())
    }

    fn in_memory(&self, reg: Reg) -> bool {
        let storage = match reg {
            Reg::Local(v) => self.program.proc(self.system.proc).var(v).storage,
            Reg::Global(g) => self.program.global(g).storage,
        };
        storage == trellis_program::Storage::Object
    }

    fn variable(&mut self, reg: Reg, symbol: RegSymbol, value: Value) -> Result<(), NoFacts> {
        let scalar = self.program.types.scalar(self.program.reg_type(self.system.proc, reg));
        match (symbol, value) {
            (_, Value::Undef) => {}
            (RegSymbol::Ptr(fun), value) => {
                let Ok(Kind::Ptr(spot)) = self.system.symbols.view.reg(reg).map(|r| r.kind) else {
                    return Err(NoFacts::Unseen("a variable without a symbol".into()));
                };
                let element = self.pointer(value, spot)?;
                self.facts.push(Fact::Obj(fun, element));
            }
            (RegSymbol::Int(Flag::Truth(rel)), value) => {
                let truth = !matches!(value, Value::Int(0) | Value::Null);
                self.facts.push(Fact::Rel(rel, vec![], truth));
            }
            (RegSymbol::Int(Flag::Data(fun)), Value::Int(i)) => {
                self.facts.push(Fact::Int(fun, number(scalar, i)));
            }
            _ => return Err(NoFacts::Unseen("a pointer in an integer".into())),
        }
        Ok(())
    }

    /// The element that a pointer leads to.
    fn pointer(&self, value: Value, spot: Spot) -> Result<u32, NoFacts> {
        let Value::Ptr(p) = value else { return Ok(0) };
        let object = self.last.object(p.obj);
        let off = match (spot, object.ty.and_then(|t| self.system.symbols.view.object_spot(t))) {
            (Spot::At { family, at }, Some(Spot::At { family: own, at: start }))
                if family == own =>
            {
                at - start
            }
            (Spot::Start, _) => 0,
            _ => return Err(NoFacts::Unseen("a pointer to an object of another type".into())),
        };
        match off == i64::from(p.off) {
            true => Ok(self.element(p.obj)),
            false => Err(NoFacts::Unseen("a pointer to another place of its object".into())),
        }
    }

    fn memory(&mut self, memory: &Memory, when: When) -> Result<(), NoFacts> {
        let symbols = &self.system.symbols;
        let alloc = if when == When::Now { symbols.alloc.now } else { symbols.alloc.entry };
        for id in self.ids() {
            let live = memory.objects.get(id.0 as usize).is_some_and(|o| o.live);
            self.facts.push(Fact::Rel(alloc, vec![self.element(id)], live));
        }
        for field in &symbols.integers {
            let symbol = if when == When::Now { field.now } else { field.entry };
            for id in self.ids() {
                let (x, value) = (self.element(id), self.cell(memory, id, field.cell));
                let Some((scalar, value)) = value else { continue };
                if when == When::Now {
                    self.facts.push(Fact::Rel(field.undefined, vec![x], value == Value::Undef));
                }
                match (symbol, value) {
                    (_, Value::Undef) => {}
                    (Flag::Truth(rel), value) => {
                        let truth = !matches!(value, Value::Int(0) | Value::Null);
                        self.facts.push(Fact::Rel(rel, vec![x], truth));
                    }
                    (Flag::Data(fun), Value::Int(i)) => {
                        self.facts.push(Fact::Field(fun, x, number(Some(scalar), i)));
                    }
                    _ => return Err(NoFacts::Unseen("a pointer in an integer field".into())),
                }
            }
        }
        for field in &symbols.pointers {
            self.pointer_field(memory, field, when)?;
        }
        Ok(())
    }

    fn pointer_field(
        &mut self,
        memory: &Memory,
        field: &PointerField,
        when: When,
    ) -> Result<(), NoFacts> {
        let Kind::Ptr(spot) = field.kind else {
            return Err(NoFacts::Unseen("a field of no kind".into()));
        };
        let ids = if when == When::Now { self.ids() } else { Vec::new() };
        for id in ids {
            if let Some((_, value)) = self.cell(memory, id, field.cell) {
                let undefined = value == Value::Undef;
                self.facts.push(Fact::Rel(field.undefined, vec![self.element(id)], undefined));
            }
        }
        let next = self.held(memory, field, spot)?;
        let rel = if when == When::Now { field.relation.now } else { field.relation.entry };
        let size = self.size();
        if let Some(edge) = field.edge {
            let edge = if when == When::Now { edge.now } else { edge.entry };
            self.edges(memory, field, edge, &next);
        }
        if field.set.is_some() {
            return self.subtrees(memory, field, rel);
        }
        // The relation of cells has null among what they hold.
        if field.theory.may_lack() {
            self.edges(memory, field, rel, &next);
            return Ok(());
        }
        for x in 0..size {
            let mut reached = vec![false; size as usize];
            if field.theory.closure(field).is_none() {
                reached[next[x as usize] as usize] = next[x as usize] != 0;
            } else {
                let (mut at, mut steps) = (x, 0);
                while at != 0 {
                    reached[at as usize] = true;
                    at = next[at as usize];
                    steps += 1;
                    if steps > size {
                        return Err(NoFacts::Cycle);
                    }
                }
                reached[0] = true;
            }
            for y in 0..size {
                self.facts.push(Fact::Rel(rel, vec![x, y], reached[y as usize]));
            }
        }
        Ok(())
    }

    /// What the cells of a field hold, by element.
    fn held(&self, memory: &Memory, field: &PointerField, spot: Spot) -> Result<Vec<u32>, NoFacts> {
        let mut next = vec![0u32];
        for id in self.ids() {
            let value = self.cell(memory, id, field.cell);
            next.push(self.pointer(value.map_or(Value::Null, |v| v.1), spot)?);
        }
        Ok(next)
    }

    /// What lies in the subtrees at a field, where no node has two parents.
    fn subtrees(
        &mut self,
        memory: &Memory,
        field: &PointerField,
        rel: RelId,
    ) -> Result<(), NoFacts> {
        let Kind::Ptr(spot) = field.kind else {
            return Err(NoFacts::Unseen("a field of no kind".into()));
        };
        let fields = self.system.symbols.pointers.iter().filter(|f| f.set == field.set);
        let cells: Vec<Vec<u32>> =
            fields.map(|f| self.held(memory, f, spot)).collect::<Result<_, _>>()?;
        let own = self.held(memory, field, spot)?;
        let parents = |y: u32| cells.iter().flatten().filter(|z| **z == y).count();
        if (1..self.size()).any(|y| parents(y) > 1) {
            return Err(NoFacts::Cycle);
        }
        for x in 0..self.size() {
            let mut reached = vec![false; self.size() as usize];
            let mut todo = vec![own[x as usize]];
            while let Some(y) = todo.pop() {
                if y != 0 && !reached[y as usize] {
                    reached[y as usize] = true;
                    todo.extend(cells.iter().map(|next| next[y as usize]));
                }
            }
            if reached[x as usize] {
                return Err(NoFacts::Cycle);
            }
            for y in 0..self.size() {
                self.facts.push(Fact::Rel(rel, vec![x, y], reached[y as usize]));
            }
        }
        Ok(())
    }

    /// The single steps of a field. Nothing is said of null as the value of a cell that has none.
    fn edges(&mut self, memory: &Memory, field: &PointerField, edge: RelId, next: &[u32]) {
        for x in 0..self.size() {
            let id = x.checked_sub(1).and_then(|i| self.ids().get(i as usize).copied());
            let value = id.and_then(|id| self.cell(memory, id, field.cell));
            let known = value.is_some_and(|(_, v)| v != Value::Undef);
            for y in 0..self.size() {
                if known || y != 0 {
                    let there = known && next[x as usize] == y;
                    self.facts.push(Fact::Rel(edge, vec![x, y], there));
                }
            }
        }
    }

    /// What a cell of a live object holds, if it has that cell.
    fn cell(&self, memory: &Memory, id: ObjId, cell: Cell) -> Option<(Scalar, Value)> {
        let object = memory.objects.get(id.0 as usize).filter(|o| o.live)?;
        let Some(Spot::At { family, at }) = self.system.symbols.view.object_spot(object.ty?) else {
            return None;
        };
        let mut contents = memory.contents(&self.program.types, id);
        let found = contents.find(|(offset, scalar, _)| {
            let kind = match scalar {
                Scalar::Ptr(_) => CellKind::Ptr,
                Scalar::Int(kind) => CellKind::Int(*kind),
                Scalar::Float(_) | Scalar::Bits(_) => return false,
            };
            Cell { family, at: at + i64::from(*offset), kind } == cell
        });
        found.map(|(_, scalar, value)| (scalar, value))
    }
}

/// Whether a field that is seen through its closure has a cycle.
pub fn has_cycle(program: &Program, system: &TransitionSystem, memory: &Memory) -> bool {
    let mut facts = Facts { program, system, last: memory, facts: Vec::new() };
    let mut fields = system.symbols.pointers.iter().filter(|f| f.set.is_none());
    fields.any(|field| facts.pointer_field(memory, field, When::Now) == Err(NoFacts::Cycle))
}

/// Whether fields that lead to the children of trees lead to something else.
pub fn is_no_forest(program: &Program, system: &TransitionSystem, memory: &Memory) -> bool {
    let mut facts = Facts { program, system, last: memory, facts: Vec::new() };
    let mut fields = system.symbols.pointers.iter().filter(|f| f.set.is_some());
    fields.any(|field| facts.pointer_field(memory, field, When::Now) == Err(NoFacts::Cycle))
}

/// The mathematical integer of a value.
fn number(scalar: Option<Scalar>, i: i64) -> i128 {
    match scalar {
        Some(Scalar::Int(kind)) => kind.value(i),
        _ => i.into(),
    }
}

/// The first variables of a procedure, for messages.
pub fn variables(program: &Program, system: &TransitionSystem, state: &State) -> String {
    let vars = &program.proc(system.proc).vars;
    let text = |(i, v): (usize, &trellis_program::Var)| {
        format!("{} = {:?}", v.name, state.slot(Reg::Local(VarId(i as u32))))
    };
    vars.iter().enumerate().map(text).collect::<Vec<_>>().join(", ")
}
