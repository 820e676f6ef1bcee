//! One structure in the making: what a state's objects, cells and variables are in the logic.

use trellis_logic::{FunId, RelId, Structure, Value as Element};
use trellis_program::concrete::{Memory, ObjId, PreState, State, Value};
use trellis_program::view::{Kind, Spot, Twin};
use trellis_program::{IntKind, Reg, Storage};
use trellis_transys::{FieldAt, Flag, Location, RegSymbol};

use super::needs::{Needs, Stale};
use super::{Abstraction, Mismatch, NOTHING, int_kind};

/// One structure in the making.
pub(super) struct Picture<'a> {
    pub(super) of: &'a Abstraction<'a>,
    pub(super) needs: &'a Needs,
    pub(super) at: &'a Location,
    pub(super) state: &'a State,
    pub(super) pre: Option<&'a PreState>,
    pub(super) numbers: Vec<Option<i128>>,
    /// The element that stands for each object, if one does.
    pub(super) elements: Vec<Option<u32>>,
    pub(super) first_spare: u32,
    pub(super) structure: Structure,
}

impl Picture<'_> {
    fn element(&self, id: ObjId) -> Option<u32> {
        self.elements[id.0 as usize]
    }

    /// The objects of a memory that have an element, with it.
    fn known(&self, memory: &Memory) -> Vec<(ObjId, u32)> {
        memory.ids().filter_map(|id| Some((id, self.element(id)?))).collect()
    }

    fn number(&self, value: i128) -> u32 {
        let found = self.numbers.iter().position(|n| *n == Some(value));
        found.expect("every integer of the state is an element") as u32
    }

    /// Writes anew what is stale.
    pub(super) fn write(&mut self, stale: Stale) -> Result<(), Mismatch> {
        if stale.cells {
            self.pointer_fields()?;
        }
        if stale.integers {
            for field in 0..self.of.system.symbols.integers.len() {
                self.integer_field(field)?;
            }
        }
        if stale.variables {
            self.variables()?;
        }
        self.held()
    }

    pub(super) fn order(&mut self) {
        let symbols = &self.of.system.symbols;
        self.structure.set_constant(symbols.null, 0);
        if !self.needs.data {
            return;
        }
        let size = self.numbers.len() as u32;
        for x in 0..size {
            (x..size).for_each(|y| self.structure.set_rel(symbols.at_most, &[x, y], true));
        }
        for (value, fun) in &symbols.constants {
            let element = self.number(*value);
            self.structure.set_constant(*fun, element);
        }
    }

    /// What is known of single objects; spares are not allocated.
    pub(super) fn objects(&mut self) {
        let symbols = &self.of.system.symbols;
        let real = self.known(&self.state.memory).into_iter().map(|(id, _)| {
            let o = self.state.memory.object(id);
            (o.ty, o.marks, o.live, o.initial)
        });
        let spare = self.of.spares.iter().map(|(ty, marks)| (*ty, *marks, false, false));
        for (x, (ty, marks, live, initial)) in (1..).zip(real.chain(spare)) {
            self.structure.set_rel(symbols.alloc.now, &[x], live);
            if symbols.alloc.entry != symbols.alloc.now {
                self.structure.set_rel(symbols.alloc.entry, &[x], initial);
            }
            for (t, rel) in symbols.types.iter().filter(|(_, rel)| self.needs.rel(**rel)) {
                self.structure.set_rel(*rel, &[x], ty == Some(*t));
            }
            for (bit, rel) in &self.of.marks {
                self.structure.set_rel(*rel, &[x], marks >> bit & 1 == 1);
            }
        }
    }

    /// The element that a pointer of a kind leads to.
    fn target(&self, memory: &Memory, value: Value, kind: Kind) -> Result<u32, Mismatch> {
        match value {
            Value::Null | Value::Int(0) => Ok(0),
            Value::Ptr(p) => {
                let Kind::Ptr(spot) = kind else { return Err("a pointer kept elsewhere".into()) };
                let object = memory.object(p.obj);
                let view = &self.of.system.symbols.view;
                if spot != Spot::Null && view.offset_in(spot, object.ty) != Some(p.off.into()) {
                    return Err("a pointer to another place than its type says".into());
                }
                self.element(p.obj).ok_or_else(|| "a pointer to a constant object".into())
            }
            Value::Int(_) => Err("an integer kept in a pointer".into()),
            Value::Piece(..) | Value::Bytes => Err("a part of a value".into()),
            Value::Undef | Value::Open => Err("a pointer without a value".into()),
        }
    }

    fn has_relation(&self, rel: RelId) -> bool {
        self.at.relations.contains(&rel)
    }

    pub(super) fn pointer_fields(&mut self) -> Result<(), Mismatch> {
        let symbols = &self.of.system.symbols;
        let fields: Vec<usize> = (0..symbols.pointers.len()).collect();
        let now: Vec<_> = fields.iter().map(|&i| self.cells_now(i)).collect::<Result<_, _>>()?;
        for field in &symbols.pointers {
            self.structure.clear_rel(field.relation.now);
            let others = field.edge.map(|e| e.now).into_iter().chain(field.reach);
            others.for_each(|rel| self.structure.clear_rel(rel));
        }
        for &i in &fields {
            self.write_field(FieldAt::now(i), &now)?;
        }
        let changes = |i: &usize| {
            let relation = symbols.pointers[*i].relation;
            relation.entry != relation.now
        };
        let Some(pre) = self.pre.filter(|_| fields.iter().any(changes)) else { return Ok(()) };
        let then = fields.iter().map(|&i| match changes(&i) {
            true => self.cells_of(&pre.memory, i),
            false => Ok(now[i].clone()),
        });
        let then: Vec<_> = then.collect::<Result<_, _>>()?;
        for field in fields.iter().filter(|i| changes(i)).map(|&i| &symbols.pointers[i]) {
            self.structure.clear_rel(field.relation.entry);
            let edge = field.edge.filter(|e| e.entry != e.now);
            edge.into_iter().for_each(|e| self.structure.clear_rel(e.entry));
        }
        for &i in fields.iter().filter(|i| changes(i)) {
            self.write_field(FieldAt::entry(i), &then)?;
        }
        Ok(())
    }

    /// What the cells of a field hold, by element; notes those that were never written.
    fn cells_now(&mut self, index: usize) -> Result<Vec<u32>, Mismatch> {
        let field = &self.of.system.symbols.pointers[index];
        let mut next: Vec<u32> = vec![0; self.first_spare as usize];
        for (id, x) in self.known(&self.state.memory) {
            let live = self.state.memory.object(id).live;
            let Some(value) = self.of.cell(&self.state.memory, id, field.cell) else { continue };
            let undefined = live && value == Value::Undef;
            if undefined && !self.has_relation(field.undefined) {
                return Err(format!("`{}` of an object was never written", field.name));
            }
            self.structure.set_rel(field.undefined, &[x], undefined);
            if live && !undefined {
                let target = self.target(&self.state.memory, value, field.kind);
                next[x as usize] = target.map_err(|e| format!("`{}`: {e}", field.name))?;
            }
        }
        Ok(next)
    }

    /// What the cells of a field hold at the entry, by element.
    fn cells_of(&self, memory: &Memory, index: usize) -> Result<Vec<u32>, Mismatch> {
        let field = &self.of.system.symbols.pointers[index];
        let mut next: Vec<u32> = vec![0; self.first_spare as usize];
        for (id, x) in self.known(memory) {
            if let Some(value) = self.of.cell(memory, id, field.cell) {
                let target = self.target(memory, value, field.kind);
                next[x as usize] = target.map_err(|e| format!("`{}`: {e}", field.name))?;
            }
        }
        Ok(next)
    }

    /// A field whose cells hold these; whatever does not exist leads to null alone.
    fn write_field(&mut self, at: FieldAt, cells: &[Vec<u32>]) -> Result<(), Mismatch> {
        let next = |field: usize, x: u32| cells[field].get(x as usize).copied().unwrap_or(0);
        self.of.system.symbols.fields().write(&mut self.structure, at, &next)
    }

    pub(super) fn integer_field(&mut self, index: usize) -> Result<(), Mismatch> {
        let field = &self.of.system.symbols.integers[index];
        let needs = self.needs;
        let (now, entry) = (needs.flag(field.now), needs.flag(field.entry));
        if !now && !entry && !needs.rel(field.undefined) {
            return Ok(());
        }
        let kind = int_kind(field.cell);
        for (id, x) in self.known(&self.state.memory) {
            let live = self.state.memory.object(id).live;
            let value = self.of.cell(&self.state.memory, id, field.cell);
            let undefined = live && value == Some(Value::Undef);
            if undefined && !self.has_relation(field.undefined) {
                return Err(format!("`{}` of an object was never written", field.name));
            }
            self.structure.set_rel(field.undefined, &[x], undefined);
            self.datum(field.now, x, value, kind)?;
            if field.entry != field.now {
                let before = self.pre.and_then(|p| {
                    let known = (id.0 as usize) < p.memory.objects.len();
                    known.then(|| self.of.cell(&p.memory, id, field.cell)).flatten()
                });
                self.datum(field.entry, x, before, kind)?;
            }
        }
        let first = self.first_spare;
        for x in std::iter::once(0).chain(first..first + self.of.spares.len() as u32) {
            self.datum(field.now, x, None, kind)?;
            self.datum(field.entry, x, None, kind)?;
        }
        Ok(())
    }

    fn datum(
        &mut self,
        flag: Flag<FunId>,
        x: u32,
        value: Option<Value>,
        kind: Option<IntKind>,
    ) -> Result<(), Mismatch> {
        if !self.needs.flag(flag) {
            return Ok(());
        }
        let number = match value {
            Some(Value::Int(i)) => kind.map_or(i128::from(i), |k| k.value(i)),
            Some(Value::Null) | Some(Value::Undef) | None => NOTHING,
            Some(Value::Ptr(_) | Value::Open | Value::Piece(..) | Value::Bytes) => {
                return Err("a pointer kept in an integer".into());
            }
        };
        match flag {
            Flag::Truth(rel) => self.structure.set_rel(rel, &[x], number != 0),
            Flag::Data(fun) => {
                let element = Element::Elem(self.number(number));
                self.structure.set_fun(fun, &[x], Some(element));
            }
        }
        Ok(())
    }

    pub(super) fn variables(&mut self) -> Result<(), Mismatch> {
        let of = self.of;
        let symbols = &of.system.symbols;
        for (reg, twin) in &symbols.regs {
            self.variable_of(*reg, twin)?;
        }
        for (reg, (fun, _)) in &symbols.addresses {
            let element = match self.state.slot(*reg) {
                Value::Ptr(p) => self.element(p.obj),
                // Its lifetime has not begun: some object that does not exist yet.
                _ => None,
            };
            let last = self.first_spare - 1 + u32::from(!of.spares.is_empty());
            let element = element.unwrap_or(last);
            self.structure.set_constant(*fun, element);
        }
        Ok(())
    }

    /// A variable now and at the entry.
    fn variable_of(&mut self, reg: Reg, twin: &Twin<RegSymbol>) -> Result<(), Mismatch> {
        let of = self.of;
        let unset = of.system.symbols.unset.get(&reg).copied();
        let wanted = self.needs.symbol(twin.now) || self.needs.symbol(twin.entry);
        if !wanted && !unset.is_some_and(|rel| self.needs.rel(rel)) {
            return Ok(());
        }
        let named = |e: Mismatch| format!("`{}`: {e}", of.program.reg_name(of.system.proc, reg));
        let in_memory = match reg {
            Reg::Local(v) => of.program.proc(of.system.proc).var(v).storage == Storage::Object,
            Reg::Global(_) => false,
        };
        if twin.entry != twin.now || in_memory {
            let value = of.variable_before(self.state, self.pre, reg);
            let known = !matches!(reg, Reg::Global(_)) || self.pre.is_some();
            if known && self.at.has(twin.entry) {
                self.variable(reg, twin.entry, value).map_err(named)?;
            }
        }
        if !in_memory && self.at.has(twin.now) {
            let value = of.variable_now(self.state, reg);
            let allowed = unset.is_some_and(|rel| self.at.propositions.contains(&rel));
            if let (true, Some(rel)) = (allowed, unset) {
                self.structure.set_rel(rel, &[], value == Value::Undef);
            }
            match value == Value::Undef && allowed {
                true => self.variable(reg, twin.now, Value::Null).map_err(named)?,
                false => self.variable(reg, twin.now, value).map_err(named)?,
            }
        }
        Ok(())
    }

    fn variable(&mut self, reg: Reg, symbol: RegSymbol, value: Value) -> Result<(), Mismatch> {
        if !self.needs.symbol(symbol) {
            return Ok(());
        }
        match symbol {
            RegSymbol::Ptr(fun) => {
                let kind = self.of.system.symbols.view.reg(reg).map_err(|e| e.reason)?.kind;
                let element = self.target(&self.state.memory, value, kind)?;
                self.structure.set_constant(fun, element);
            }
            RegSymbol::Int(flag) => {
                let number = match value {
                    Value::Int(i) => self.of.kind_of(reg).map_or(i128::from(i), |k| k.value(i)),
                    Value::Null => NOTHING,
                    _ => return Err("no integer".into()),
                };
                match flag {
                    Flag::Truth(rel) => self.structure.set_rel(rel, &[], number != 0),
                    Flag::Data(fun) => {
                        let element = self.number(number);
                        self.structure.set_constant(fun, element);
                    }
                }
            }
        }
        Ok(())
    }

    /// What headers held at the entry.
    pub(super) fn held(&mut self) -> Result<(), Mismatch> {
        let symbols = &self.of.system.symbols;
        for held in symbols.held.iter().filter(|held| self.needs.fun(held.fun)) {
            let field = &symbols.pointers[held.field];
            let memory = match (field.relation.entry == field.relation.now, self.pre) {
                (_, Some(pre)) => &pre.memory,
                (true, None) => &self.state.memory,
                (false, None) => return Ok(()),
            };
            let header = self.structure.constant(held.header).unwrap_or(0);
            let of_header = |(_, x): &(ObjId, u32)| *x == header;
            let known = self.known(&self.state.memory);
            let header = known.into_iter().find(of_header).map(|(id, _)| id);
            let header = header.filter(|h| {
                let here = (h.0 as usize) < memory.objects.len();
                here && memory.object(*h).initial
            });
            let value = header.and_then(|h| self.of.cell(memory, h, field.cell));
            let element = match value {
                None => 0,
                Some(value) => self.target(memory, value, field.kind)?,
            };
            self.structure.set_constant(held.fun, element);
        }
        Ok(())
    }
}
