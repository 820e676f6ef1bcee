//! What holds of every state, and what holds at the entry.
//!
//! Pointers that a procedure receives are null or valid, everything that can be reached is
//! allocated, and nothing else is: the heap of a procedure is what its arguments and the globals
//! reach. The precondition comes on top.
//!
//! **Invariant.** Axioms hold of every state of the interpreter; what holds at the entry holds of
//! every initial heap that the precondition allows.

use trellis_logic::{FormulaId, FunId, RelId, TermId};
use trellis_program::concrete::Value;
use trellis_program::concrete::initial::{GlobalStart, global_memory};
use trellis_program::view::{Kind, Spot};
use trellis_program::{CellInfo, GlobalId, IntKind, Refusal, Reg, Scalar, Storage, TypeId};
use trellis_solver::theory;

use crate::execute::Builder;
use crate::symbols::{Flag, PointerField, RegSymbol};
use crate::theory::FieldAt;

impl Builder<'_> {
    /// What holds of every state.
    pub(crate) fn axioms(&mut self) -> Vec<FormulaId> {
        let mut axioms = theory::axioms_of(&mut self.arena, &self.logic, self.symbols.at_most);
        for i in 0..self.symbols.pointers.len() {
            axioms.extend(self.heap().axioms(FieldAt::now(i)));
            let relation = self.symbols.pointers[i].relation;
            if relation.entry != relation.now {
                axioms.extend(self.heap().axioms(FieldAt::entry(i)));
            }
        }
        axioms.extend(self.edge_axioms());
        axioms.extend(self.forest_axioms());
        axioms.extend(self.held_axioms());
        // A field that leads to other objects than those that have it has paths of one step.
        for i in 0..self.symbols.pointers.len() {
            if !self.symbols.pointers[i].recursive {
                axioms.extend(self.heap().one_step_axioms(FieldAt::now(i)));
                axioms.extend(self.heap().one_step_axioms(FieldAt::entry(i)));
            }
        }
        let x = self.arena.variable("$x", self.symbols.obj);
        let (xt, null) = (self.arena.var_term(x), self.null());
        let alloc = self.symbols.alloc;
        let types: Vec<RelId> = self.symbols.types.values().copied().collect();
        let marks: Vec<RelId> = self.symbols.marks.values().copied().collect();
        let unary = [alloc.now, alloc.entry].into_iter().chain(types.clone()).chain(marks);
        for rel in unary {
            let of_null = self.arena.rel(rel, &[null]);
            axioms.push(self.arena.not(of_null));
        }
        for (i, a) in types.iter().enumerate() {
            for b in &types[..i] {
                let (a, b) = (self.arena.rel(*a, &[xt]), self.arena.rel(*b, &[xt]));
                let both = self.arena.and([a, b]);
                let never = self.arena.not(both);
                axioms.push(self.arena.forall(&[x], never));
            }
        }
        if !self.may_allocate {
            let (end, there) = (self.arena.eq(xt, null), self.arena.rel(alloc.entry, &[xt]));
            let body = self.arena.or([end, there]);
            axioms.push(self.arena.forall(&[x], body));
        }
        let constants: Vec<FunId> = self.symbols.constants.values().copied().collect();
        for pair in constants.windows(2) {
            let (a, b) = (self.arena.constant(pair[0]), self.arena.constant(pair[1]));
            let back = self.at_most(b, a);
            axioms.push(self.arena.not(back));
        }
        axioms
    }

    /// What holds at the entry, in terms of the entry state.
    pub(crate) fn initial(&mut self) -> Result<Vec<FormulaId>, Refusal> {
        let mut initial = self.heap_of_arguments();
        initial.extend(self.nothing_else());
        initial.extend(self.no_local_yet());
        let proc = self.program.proc(self.view().proc);
        for clause in &proc.contract.requires {
            let next = self.precondition(&clause.formula, &initial, clause.span)?;
            initial.push(next);
        }
        Ok(initial)
    }

    /// The object of a local is none that the caller passes, whether or not its lifetime begins.
    fn no_local_yet(&mut self) -> Vec<FormulaId> {
        let locals = self.symbols.addresses.iter().filter(|(r, _)| matches!(r, Reg::Local(_)));
        let locals: Vec<FunId> = locals.map(|(_, (fun, _))| *fun).collect();
        let not_there = |fun| {
            let object = self.arena.constant(fun);
            let there = self.arena.rel(self.symbols.alloc.entry, &[object]);
            self.arena.not(there)
        };
        locals.into_iter().map(not_there).collect()
    }

    /// Where the procedure can start: its pointer arguments, the globals, and what headers hold.
    pub(crate) fn entry_roots(&mut self) -> Vec<TermId> {
        let given = self.symbols.regs.iter().filter(|(reg, _)| self.is_given(**reg));
        let funs = given.filter_map(|(_, twin)| match twin.entry {
            RegSymbol::Ptr(fun) => Some(fun),
            RegSymbol::Int(_) => None,
        });
        let objects = self.symbols.addresses.iter();
        let objects = objects.filter(|(reg, _)| matches!(reg, Reg::Global(_)));
        let held = self.symbols.held.iter().map(|h| h.fun);
        let funs: Vec<FunId> = funs.chain(objects.map(|(_, (fun, _))| *fun)).chain(held).collect();
        funs.into_iter().map(|fun| self.arena.constant(fun)).collect()
    }

    /// Arguments are null or valid, and what is allocated leads to what is allocated.
    pub(crate) fn heap_of_arguments(&mut self) -> Vec<FormulaId> {
        let mut out = Vec::new();
        let null = self.null();
        let alloc = self.symbols.alloc.entry;
        let twins: Vec<_> = self.symbols.regs.iter().map(|(r, t)| (*r, *t)).collect();
        for (reg, twin) in twins {
            let RegSymbol::Ptr(fun) = twin.entry else { continue };
            if !self.is_given(reg) {
                continue;
            }
            let root = self.arena.constant(fun);
            let mut valid = vec![self.arena.rel(alloc, &[root])];
            if let Ok(Kind::Ptr(spot)) = self.view().reg(reg).map(|r| r.kind) {
                valid.extend(self.typed(spot, self.pointee(reg), root));
                if self.has_host_memory() && matches!(reg, Reg::Local(_)) {
                    valid.push(self.is_of_host(root));
                }
            }
            let (is_null, valid) = (self.arena.eq(root, null), self.arena.and(valid));
            out.push(self.arena.or([is_null, valid]));
        }
        out.extend(self.globals_in_memory());
        out.extend(self.initialised_globals());
        let [x, y] = ["$x", "$y"].map(|n| self.arena.variable(n, self.symbols.obj));
        let [xt, yt] = [x, y].map(|v| self.arena.var_term(v));
        let there = self.arena.rel(alloc, &[xt]);
        let fields = self.symbols.pointers.clone();
        for (i, field) in fields.iter().enumerate() {
            let reach = self.heap().reach(FieldAt::entry(i), xt, yt);
            let mut valid = vec![self.arena.rel(alloc, &[yt])];
            if let Kind::Ptr(spot) = field.kind {
                valid.extend(self.typed(spot, self.pointee_of(field), yt));
            }
            let (end, valid) = (self.arena.eq(yt, null), self.arena.and(valid));
            let fine = self.arena.or([end, valid]);
            let apart = self.arena.ne(xt, yt);
            let premise = self.arena.and([there, reach, apart]);
            let body = self.arena.implies(premise, fine);
            out.push(self.arena.forall(&[x, y], body));
            // What is not allocated, or has no such cell, leads nowhere.
            let has = self.has_field(&field.roots, xt);
            let leads = self.arena.and([there, has]);
            let away = self.arena.and([reach, apart]);
            let to_something = self.arena.ne(yt, null);
            let away = self.arena.and([away, to_something]);
            let body = self.arena.implies(away, leads);
            out.push(self.arena.forall(&[x, y], body));
        }
        out
    }

    /// Whether the host of a whole program passes memory to it: the strings of `argv`.
    pub(crate) fn has_host_memory(&self) -> bool {
        let pointers =
            self.symbols.regs.iter().filter(|(_, t)| matches!(t.entry, RegSymbol::Ptr(_)));
        let mut locals = pointers.map(|(reg, _)| *reg).filter(|reg| matches!(reg, Reg::Local(_)));
        self.program.is_whole_program(self.view().proc) && locals.any(|reg| self.is_given(reg))
    }

    /// That an object may be one that the host of a whole program passes: it is of no type of the
    /// program. Such memory leads to more of its kind in ways that the logic does not follow.
    pub(crate) fn is_of_host(&mut self, x: TermId) -> FormulaId {
        if !self.has_host_memory() {
            return FormulaId::FALSE;
        }
        let types: Vec<RelId> = self.symbols.types.values().copied().collect();
        let of_type: Vec<FormulaId> =
            types.into_iter().map(|rel| self.arena.rel(rel, &[x])).collect();
        let typed = self.arena.or(of_type);
        self.arena.not(typed)
    }

    fn globals_in_memory(&mut self) -> Vec<FormulaId> {
        let mut out = Vec::new();
        let objects: Vec<(FunId, TypeId)> = self
            .symbols
            .addresses
            .iter()
            .filter(|(reg, _)| matches!(reg, Reg::Global(_)))
            .map(|(_, at)| *at)
            .collect();
        for (i, (fun, ty)) in objects.iter().enumerate() {
            let address = self.arena.constant(*fun);
            out.push(self.arena.rel(self.symbols.alloc.entry, &[address]));
            if let Some(&rel) = self.symbols.types.get(ty) {
                out.push(self.arena.rel(rel, &[address]));
            }
            for (other, _) in &objects[..i] {
                let other = self.arena.constant(*other);
                out.push(self.arena.ne(address, other));
            }
        }
        out
    }

    /// The globals of a whole program have their initial values; a procedure on its own may find
    /// anything in them. What cannot be said is left open.
    fn initialised_globals(&mut self) -> Vec<FormulaId> {
        let program = self.program;
        if !program.is_whole_program(self.view().proc) {
            return Vec::new();
        }
        let (memory, values) = global_memory(program, GlobalStart::Initialised);
        let mut out = Vec::new();
        for (i, global) in program.globals.iter().enumerate() {
            let reg = Reg::Global(GlobalId(i as u32));
            if global.storage == Storage::Register {
                let kind = self.view().reg(reg).map(|r| r.kind);
                if let (Some(twin), Ok(kind)) = (self.symbols.regs.get(&reg).copied(), kind) {
                    let int = int_kind(program.types.scalar(global.ty));
                    out.extend(self.starts_with(twin.entry, kind, int, &values, values[i]));
                }
                continue;
            }
            let (Some(&(fun, ty)), Some(at)) =
                (self.symbols.addresses.get(&reg), values[i].pointer())
            else {
                continue;
            };
            let address = self.arena.constant(fun);
            for (offset, scalar, value) in memory.contents(&program.types, at.obj) {
                let cell = CellInfo {
                    offset,
                    scalar,
                    bytes: program.types.bytes(scalar),
                    path: String::new(),
                };
                out.extend(self.cell_starts_with(address, ty, &cell, &values, value));
            }
        }
        out
    }

    /// That a variable has a value.
    fn starts_with(
        &mut self,
        symbol: RegSymbol,
        kind: Kind,
        int: IntKind,
        globals: &[Value],
        value: Value,
    ) -> Option<FormulaId> {
        match (symbol, value) {
            (RegSymbol::Ptr(fun), _) => {
                let target = self.global_object(kind, globals, value)?;
                let constant = self.arena.constant(fun);
                Some(self.arena.eq(constant, target))
            }
            (RegSymbol::Int(Flag::Truth(rel)), Value::Int(i)) => {
                let truth = self.arena.rel(rel, &[]);
                Some(if i != 0 { truth } else { self.arena.not(truth) })
            }
            (RegSymbol::Int(Flag::Data(fun)), Value::Int(i)) => {
                let value = self.data_constant(int.value(i));
                let constant = self.arena.constant(fun);
                Some(self.arena.eq(constant, value))
            }
            _ => None,
        }
    }

    fn cell_starts_with(
        &mut self,
        address: TermId,
        ty: TypeId,
        cell: &CellInfo,
        globals: &[Value],
        value: Value,
    ) -> Option<FormulaId> {
        let int = int_kind(Some(cell.scalar));
        let cell = self.symbols.cell_of(ty, cell)?;
        if let Some(i) = self.symbols.pointer_field(cell) {
            let kind = self.symbols.pointers[i].kind;
            let target = self.global_object(kind, globals, value)?;
            return Some(self.heap().successor(FieldAt::entry(i), address, target));
        }
        let i = self.symbols.integer_field(cell)?;
        match (self.symbols.integers[i].entry, value) {
            (Flag::Truth(rel), Value::Int(i)) => {
                let truth = self.arena.rel(rel, &[address]);
                Some(if i != 0 { truth } else { self.arena.not(truth) })
            }
            (Flag::Data(fun), Value::Int(i)) => {
                let value = self.data_constant(int.value(i));
                let field = self.arena.app(fun, &[address]);
                Some(self.arena.eq(field, value))
            }
            _ => None,
        }
    }

    /// What an initialised pointer leads to, if it is null or leads where pointers of its kind do.
    fn global_object(&mut self, kind: Kind, globals: &[Value], value: Value) -> Option<TermId> {
        let at = match value {
            Value::Null => return Some(self.null()),
            Value::Ptr(at) => at,
            _ => return None,
        };
        let owner = |v: &Value| v.pointer().is_some_and(|p| p.obj == at.obj && p.off == 0);
        let reg = globals.iter().enumerate().find_map(|(i, v)| {
            let reg = Reg::Global(GlobalId(i as u32));
            (owner(v) && self.symbols.addresses.contains_key(&reg)).then_some(reg)
        })?;
        let (fun, ty) = self.symbols.addresses[&reg];
        let start = self.view().object_spot(ty)?;
        let there = match at.off {
            0 => start,
            off => self.view().shift(start, off.into())?,
        };
        let Kind::Ptr(wanted) = kind else { return None };
        (wanted == there).then(|| self.arena.constant(fun))
    }

    /// That an object is of a type in which a spot lies, with all of what is pointed to there;
    /// nothing if there is no other. The place of a pointer alone says less: it is also outside of
    /// smaller objects of its family.
    fn typed(&mut self, spot: Spot, pointee: Option<TypeId>, object: TermId) -> Option<FormulaId> {
        let Spot::At { family, at } = spot else { return None };
        if self.symbols.types.is_empty() {
            return None;
        }
        let size = pointee.and_then(|ty| self.program.types.size_of(ty)).unwrap_or(0);
        let fits = |&(_, start, all): &(TypeId, i64, u32)| {
            start <= at && at + i64::from(size) <= start + i64::from(all)
        };
        let members: Vec<TypeId> =
            self.view().family(family).filter(fits).map(|(ty, _, _)| ty).collect();
        let rels: Vec<RelId> =
            members.iter().filter_map(|ty| self.symbols.types.get(ty)).copied().collect();
        let parts: Vec<FormulaId> = rels.iter().map(|r| self.arena.rel(*r, &[object])).collect();
        Some(self.arena.or(parts))
    }

    /// What a variable points to.
    fn pointee(&self, reg: Reg) -> Option<TypeId> {
        let ty = match reg {
            Reg::Global(g) => self.program.globals[g.0 as usize].ty,
            Reg::Local(v) => self.program.proc(self.view().proc).vars[v.0 as usize].ty,
        };
        pointee_of_scalar(self.program.types.scalar(ty))
    }

    /// What the values of a field point to.
    fn pointee_of(&self, field: &PointerField) -> Option<TypeId> {
        let cell = field.cell;
        field.roots.iter().find_map(|&ty| {
            let Some(Spot::At { family, at }) = self.view().object_spot(ty) else { return None };
            let layout = self.program.types.layout(ty).filter(|_| family == cell.family)?;
            let found = layout.cells.iter().find(|c| at + i64::from(c.offset) == cell.at)?;
            pointee_of_scalar(Some(found.scalar))
        })
    }

    pub(crate) fn has_field(&mut self, roots: &[TypeId], object: TermId) -> FormulaId {
        if self.symbols.types.is_empty() {
            return FormulaId::TRUE;
        }
        let rels: Vec<RelId> =
            roots.iter().filter_map(|ty| self.symbols.types.get(ty)).copied().collect();
        let parts: Vec<FormulaId> = rels.iter().map(|r| self.arena.rel(*r, &[object])).collect();
        self.arena.or(parts)
    }
}

fn pointee_of_scalar(scalar: Option<Scalar>) -> Option<TypeId> {
    match scalar {
        Some(Scalar::Ptr(pointee)) => Some(pointee),
        _ => None,
    }
}

fn int_kind(scalar: Option<Scalar>) -> IntKind {
    match scalar {
        Some(Scalar::Int(kind)) => kind,
        _ => IntKind::LONG,
    }
}
