//! The code without the pointers that are replaced.
//!
//! A block keeps its number and begins as before; where a case split cuts it, new blocks follow at
//! the end of the procedure. Every new instruction and branch has the place in the source of what it
//! was made of.
//!
//! **Invariant.** A variable that is gone, or not yet there, holds nothing; every pointer to it that
//! may still be read is dead from then on.

use std::collections::{BTreeMap, BTreeSet};

use super::flow::{Access, Flow, Source};
use super::formulas::formula;
use super::{Place, Placed, Pointer};
use crate::cfg;
use crate::checks::CheckKind;
use crate::ir::{
    Block, BlockId, Body, Cond, Expr, Instr, InstrKind, ProcId, Procedure, Program, Reg, Storage,
    Terminator, Var, VarId,
};
use crate::source::Span;
use crate::spec::Assigns;
use crate::types::{IntKind, Scalar, Type, TypeId};

/// The procedure with everything that `flow` found replaced.
pub(super) fn lower(program: &Program, proc: ProcId, flow: &Flow<'_>) -> Placed {
    let procedure = program.proc(proc);
    let mut lowering = Lowering {
        flow,
        program: program.clone(),
        vars: procedure.vars.clone(),
        blocks: procedure.blocks().map(empty).collect(),
        at: BlockId(0),
        pointers: BTreeMap::new(),
        exits: procedure.blocks().any(|b| matches!(b.term, Terminator::Exit)),
        undefined: BTreeMap::new(),
        scratch: BTreeMap::new(),
        span: procedure.span,
    };
    lowering.declare(procedure);
    if let Some(body) = &procedure.body {
        let live = cfg::live_in(body, procedure.vars.len());
        for (b, block) in (0..).map(BlockId).zip(&body.blocks) {
            lowering.at = b;
            lowering.block(block, &outlived(flow, block, &live));
        }
    }
    lowering.finish(program, proc)
}

/// A block without instructions, with the end it will have if nothing cuts it.
fn empty(block: &Block) -> Block {
    Block { instrs: Vec::new(), term: block.term.clone(), term_span: block.term_span }
}

/// For every instruction that begins or ends the lifetime of a variable, the pointers to it that may
/// be read afterwards.
fn outlived(flow: &Flow<'_>, block: &Block, live: &[Vec<bool>]) -> BTreeMap<usize, Vec<VarId>> {
    let mut now = vec![false; live.first().map_or(0, Vec::len)];
    for s in cfg::successors(&block.term) {
        now.iter_mut().zip(&live[s.0 as usize]).for_each(|(n, l)| *n |= l);
    }
    if let Some(e) = block.term.expr() {
        cfg::expr_liveness(e, &mut now);
    }
    let mut out = BTreeMap::new();
    for (i, instr) in block.instrs.iter().enumerate().rev() {
        if let InstrKind::BeginLocal { var } | InstrKind::EndLocal { var } = &instr.kind {
            let place = Place::Variable(Reg::Local(*var));
            let points = |v: &VarId| flow.places.get(v).is_some_and(|all| all.contains(&place));
            // One that lives in memory may be read through another pointer.
            let read = |v: &VarId| now[v.0 as usize] || flow.variables.contains(&Reg::Local(*v));
            let all = flow.pointers.iter().copied();
            out.insert(i, all.filter(|v| points(v) && read(v)).collect());
        }
        cfg::instr_liveness(&instr.kind, &mut now);
    }
    out
}

/// What is written before it is read need not be forgotten.
fn forget_less(body: &mut Body, vars: usize, nothing: &BTreeSet<VarId>) {
    let live = cfg::live_in(body, vars);
    for block in &mut body.blocks {
        let mut now = vec![false; vars];
        for s in cfg::successors(&block.term) {
            now.iter_mut().zip(&live[s.0 as usize]).for_each(|(n, l)| *n |= l);
        }
        if let Some(e) = block.term.expr() {
            cfg::expr_liveness(e, &mut now);
        }
        let mut kept = Vec::with_capacity(block.instrs.len());
        for instr in block.instrs.drain(..).rev() {
            let forgets = match &instr.kind {
                InstrKind::Assign { dst: Reg::Local(v), value: Expr::Reg(Reg::Local(from)) } => {
                    nothing.contains(from) && !now[v.0 as usize]
                }
                _ => false,
            };
            if !forgets {
                cfg::instr_liveness(&instr.kind, &mut now);
                kept.push(instr);
            }
        }
        kept.reverse();
        block.instrs = kept;
    }
}

pub(super) struct Lowering<'f, 'p> {
    pub(super) flow: &'f Flow<'p>,
    /// The program with the types that new variables need.
    program: Program,
    vars: Vec<Var>,
    blocks: Vec<Block>,
    /// The block that code is added to.
    at: BlockId,
    pointers: BTreeMap<VarId, Pointer>,
    /// At `exit` every variable keeps its object from being leaked, so none may outlive its life.
    exits: bool,
    /// Registers that are never written, by type.
    undefined: BTreeMap<TypeId, VarId>,
    /// Registers that are never read, by type.
    scratch: BTreeMap<TypeId, VarId>,
    /// Of what is being replaced.
    pub(super) span: Span,
}

impl Lowering<'_, '_> {
    // --- Variables.

    fn declare(&mut self, procedure: &Procedure) {
        let int = self.type_id(Type::Int(IntKind::INT));
        let body = procedure.body.as_ref();
        let live = body.map(|b| cfg::live_in(b, procedure.vars.len())).unwrap_or_default();
        let mut mortal: BTreeSet<VarId> = BTreeSet::new();
        for block in procedure.blocks() {
            mortal.extend(outlived(self.flow, block, &live).into_values().flatten());
        }
        // Copies of a pointer are as dead as it is.
        let mut classes: BTreeSet<&BTreeSet<Place>> = BTreeSet::new();
        classes.extend(mortal.iter().filter_map(|v| self.flow.places.get(v)));
        let flow = self.flow;
        for &v in &flow.pointers {
            let var = procedure.var(v).clone();
            let places = &flow.places[&v];
            let mut at = Vec::new();
            for &place in places {
                let (name, ty) = match place {
                    Place::Variable(reg) => (format!("{} == &{}", var.name, self.name(reg)), int),
                    Place::Field { owner, offset } => {
                        let field = self.field_name(owner, offset);
                        let name = format!("container_of({}, {field})", var.name);
                        (name, self.type_id(Type::Ptr(owner)))
                    }
                };
                let is_field = matches!(place, Place::Field { .. });
                let is_ghost = var.is_ghost || !is_field;
                let var = Var { name, ty, storage: Storage::Register, is_ghost, ..var.clone() };
                at.push((place, self.new_var(var)));
            }
            let dead = classes.contains(places).then(|| {
                let name = format!("dead({})", var.name);
                let (ty, storage, is_ghost) = (int, Storage::Register, true);
                self.new_var(Var { name, ty, storage, is_ghost, ..var.clone() })
            });
            // Nobody uses it any more, and it is no pointer that may lead anywhere. A parameter has a
            // value from the beginning, and with this type nobody looks at it.
            let is_param = (v.0 as usize) < procedure.params;
            self.vars[v.0 as usize].ty = if is_param { self.type_id(Type::Float(8)) } else { int };
            self.pointers.insert(v, Pointer { var: v, at, dead });
        }
        for reg in &flow.variables {
            match reg {
                Reg::Local(v) => self.vars[v.0 as usize].storage = Storage::Register,
                Reg::Global(g) => {
                    self.program.globals[g.0 as usize].storage = Storage::Register;
                }
            }
        }
    }

    fn name(&self, reg: Reg) -> String {
        match reg {
            Reg::Local(v) => self.vars[v.0 as usize].name.clone(),
            Reg::Global(g) => self.program.global(g).name.clone(),
        }
    }

    fn field_name(&self, owner: TypeId, offset: i64) -> String {
        let layout = self.program.types.layout(owner);
        let mut cells = layout.into_iter().flat_map(|l| &l.cells);
        let found = cells.find(|c| i64::from(c.offset) == offset);
        found.map_or_else(|| offset.to_string(), |c| c.path.clone())
    }

    fn new_var(&mut self, var: Var) -> VarId {
        self.vars.push(var);
        VarId(self.vars.len() as u32 - 1)
    }

    /// A register that no user declared: a ghost, which keeps no object from being leaked.
    fn register(&mut self, name: &str, ty: TypeId) -> VarId {
        let (storage, is_temp, is_ghost, is_const) = (Storage::Register, false, true, false);
        let (name, span) = (name.to_owned(), self.span);
        self.new_var(Var { name, ty, storage, is_temp, is_ghost, is_const, span })
    }

    /// A new truth value.
    pub(super) fn truth(&mut self) -> VarId {
        let int = self.type_id(Type::Int(IntKind::INT));
        self.register("%place", int)
    }

    /// A register for a scalar.
    pub(super) fn temporary(&mut self, scalar: Scalar) -> VarId {
        let ty = self.type_id(match scalar {
            Scalar::Int(kind) => Type::Int(kind),
            Scalar::Ptr(to) => Type::Ptr(to),
            Scalar::Float(bytes) => Type::Float(bytes),
            Scalar::Bits(field) => Type::Int(field.kind),
        });
        self.register("%value", ty)
    }

    /// No value.
    fn undefined(&mut self, ty: TypeId) -> Expr {
        if let Some(var) = self.undefined.get(&ty) {
            return Expr::local(*var);
        }
        let var = self.register("%undefined", ty);
        self.undefined.insert(ty, var);
        Expr::local(var)
    }

    fn type_id(&mut self, ty: Type) -> TypeId {
        if let Some(id) = self.program.types.find(&ty) {
            return id;
        }
        let id = self.program.types.intern(ty);
        self.program.types.finish();
        id
    }

    /// The registers of a pointer that is replaced.
    pub(super) fn of(&self, v: VarId) -> Pointer {
        self.pointers[&v].clone()
    }

    // --- Code.

    pub(super) fn emit(&mut self, kind: InstrKind) {
        let span = self.span;
        self.blocks[self.at.0 as usize].instrs.push(Instr { kind, span });
    }

    pub(super) fn set(&mut self, register: VarId, value: Expr) {
        self.emit(InstrKind::Assign { dst: Reg::Local(register), value });
    }

    /// A new block; the code that goes there is added with [`Lowering::go_on_at`].
    pub(super) fn new_block(&mut self) -> BlockId {
        let term_span = self.span;
        self.blocks.push(Block { instrs: Vec::new(), term: Terminator::Abort, term_span });
        BlockId(self.blocks.len() as u32 - 1)
    }

    pub(super) fn go_on_at(&mut self, block: BlockId) {
        self.at = block;
    }

    pub(super) fn end(&mut self, term: Terminator) {
        let block = &mut self.blocks[self.at.0 as usize];
        block.term = term;
        block.term_span = self.span;
    }

    /// Goes on where a condition holds; gives the block for where it does not.
    pub(super) fn branch(&mut self, cond: Expr) -> BlockId {
        let (then, els) = (self.new_block(), self.new_block());
        self.end(Terminator::Branch { cond, then, els });
        self.go_on_at(then);
        els
    }

    fn block(&mut self, block: &Block, outlived: &BTreeMap<usize, Vec<VarId>>) {
        for (i, instr) in block.instrs.iter().enumerate() {
            self.span = instr.span;
            let none = Vec::new();
            self.instr(&instr.kind, outlived.get(&i).unwrap_or(&none));
        }
        self.span = block.term_span;
        let term = match &block.term {
            Terminator::Branch { cond, then, els } => {
                let cond = self.condition(cond);
                Terminator::Branch { cond, then: *then, els: *els }
            }
            Terminator::Return(Some(e)) => Terminator::Return(Some(self.value(e))),
            Terminator::Return(None)
            | Terminator::Goto(_)
            | Terminator::Exit
            | Terminator::ExitFreed
            | Terminator::Abort => block.term.clone(),
        };
        self.end(term);
    }

    fn instr(&mut self, kind: &InstrKind, outlived: &[VarId]) {
        match kind {
            InstrKind::Assign { dst, value } => self.assign(*dst, value),
            InstrKind::Load { dst, addr, scalar } => match self.flow.access(addr, *scalar) {
                Access::Variable(reg) => self.assign(*dst, &Expr::Reg(reg)),
                Access::Through(v) => self.load(*dst, v, *scalar),
                Access::Memory => {
                    let addr = self.value(addr);
                    self.emit(InstrKind::Load { dst: *dst, addr, scalar: *scalar });
                }
            },
            InstrKind::Store { addr, scalar, value } => match self.flow.access(addr, *scalar) {
                Access::Variable(reg) => self.assign(reg, value),
                Access::Through(v) => self.store(v, *scalar, value),
                Access::Memory => {
                    let (addr, value) = (self.value(addr), self.value(value));
                    self.emit(InstrKind::Store { addr, scalar: *scalar, value });
                }
            },
            InstrKind::BeginLocal { var } | InstrKind::EndLocal { var }
                if self.flow.variables.contains(&Reg::Local(*var)) =>
            {
                outlived.iter().for_each(|v| self.outlive(*v, Reg::Local(*var)));
                if self.exits || matches!(kind, InstrKind::BeginLocal { .. }) {
                    self.forget(*var);
                }
            }
            InstrKind::Assume { cond: Cond::Expr(e) } => {
                let cond = Cond::Expr(self.condition(e));
                self.emit(InstrKind::Assume { cond });
            }
            InstrKind::Assert { kind, cond: Cond::Expr(e) } => {
                let (kind, cond) = (*kind, Cond::Expr(self.condition(e)));
                self.emit(InstrKind::Assert { kind, cond });
            }
            InstrKind::Assume { cond: Cond::Spec(f) } => {
                let cond = Cond::Spec(formula(f, &self.flow.variables));
                self.emit(InstrKind::Assume { cond });
            }
            InstrKind::Assert { kind, cond: Cond::Spec(f) } => {
                let (kind, cond) = (*kind, Cond::Spec(formula(f, &self.flow.variables)));
                self.emit(InstrKind::Assert { kind, cond });
            }
            InstrKind::Copy { dst, src, size, may_overlap } => {
                let (dst, src, size) = (self.value(dst), self.value(src), self.value(size));
                self.emit(InstrKind::Copy { dst, src, size, may_overlap: *may_overlap });
            }
            InstrKind::Fill { dst, byte, size } => {
                let (dst, byte, size) = (self.value(dst), self.value(byte), self.value(size));
                self.emit(InstrKind::Fill { dst, byte, size });
            }
            InstrKind::Alloc { dst, size, ty, zeroed } => {
                let size = self.value(size);
                self.emit(InstrKind::Alloc { dst: *dst, size, ty: *ty, zeroed: *zeroed });
            }
            InstrKind::Retype { ptr, ty } => {
                let ptr = self.value(ptr);
                self.emit(InstrKind::Retype { ptr, ty: *ty });
            }
            InstrKind::Free { ptr } => {
                let ptr = self.value(ptr);
                self.emit(InstrKind::Free { ptr });
            }
            InstrKind::BeginArray { var, element, count } => {
                let (var, element, count) = (*var, *element, self.value(count));
                self.emit(InstrKind::BeginArray { var, element, count });
            }
            InstrKind::BeginLocal { .. }
            | InstrKind::EndLocal { .. }
            | InstrKind::Call { .. }
            | InstrKind::Havoc { .. }
            | InstrKind::Unsupported { .. } => self.emit(kind.clone()),
        }
    }

    /// `dst = value`, whatever they are.
    pub(super) fn assign(&mut self, dst: Reg, value: &Expr) {
        let Some((v, to)) = self.flow.pointer(dst) else {
            let value = self.value(value);
            return self.emit(InstrKind::Assign { dst, value });
        };
        match self.flow.source(value, to) {
            Some(source) => self.point(v, &source),
            // Whoever has found the places knows all of them; if not, nothing is claimed.
            None => {
                let reason = "a pointer to a place that is not known".to_owned();
                self.emit(InstrKind::Unsupported { reason });
            }
        }
    }

    /// Makes a pointer point somewhere.
    fn point(&mut self, v: VarId, source: &Source) {
        let pointer = self.of(v);
        self.judge(source);
        let value = |source: &Source, place: Place, this: &Self| match source {
            Source::Copy(from) => this.of(*from).register(place).map(Expr::local),
            Source::Variable(reg) if place == Place::Variable(*reg) => Some(Expr::Int(1)),
            Source::Field { owner, offset, base }
                if place == (Place::Field { owner: *owner, offset: *offset }) =>
            {
                Some(base.clone())
            }
            Source::Null | Source::Variable(_) | Source::Field { .. } => None,
        };
        for (place, register) in pointer.at {
            let nothing = match place {
                Place::Variable(_) => Expr::Int(0),
                Place::Field { .. } => Expr::Null,
            };
            let value = value(source, place, self).unwrap_or(nothing);
            self.set(register, value);
        }
        if let Some(dead) = pointer.dead {
            let value = match source {
                Source::Copy(from) => self.of(*from).dead.map(Expr::local),
                Source::Null | Source::Variable(_) | Source::Field { .. } => None,
            };
            self.set(dead, value.unwrap_or(Expr::Int(0)));
        }
    }

    /// Fails where evaluating a place does.
    pub(super) fn judge(&mut self, source: &Source) {
        let Source::Field { offset, base: base @ Expr::Reg(reg), .. } = source else { return };
        let same =
            Expr::Cmp(crate::ir::CmpOp::Eq, None, Box::new(base.clone()), Box::new(base.clone()));
        self.emit(InstrKind::Assert { kind: CheckKind::Uninit, cond: Cond::Expr(same) });
        if *offset != 0 {
            let ty = self.reg_type(*reg);
            let scratch = match self.scratch.get(&ty) {
                Some(&var) => var,
                None => {
                    let var = self.register("%address", ty);
                    self.scratch.insert(ty, var);
                    var
                }
            };
            self.set(scratch, Expr::Offset(Box::new(base.clone()), *offset));
        }
    }

    fn reg_type(&self, reg: Reg) -> TypeId {
        match reg {
            Reg::Local(v) => self.vars[v.0 as usize].ty,
            Reg::Global(g) => self.program.global(g).ty,
        }
    }

    /// A pointer to a variable that is gone is dead.
    fn outlive(&mut self, v: VarId, variable: Reg) {
        let pointer = self.of(v);
        let (Some(flag), Some(dead)) = (pointer.register(Place::Variable(variable)), pointer.dead)
        else {
            return;
        };
        let els = self.branch(Expr::local(flag));
        self.set(flag, Expr::Int(0));
        self.set(dead, Expr::Int(1));
        self.end(Terminator::Goto(els));
        self.go_on_at(els);
    }

    /// A variable has no value.
    fn forget(&mut self, var: VarId) {
        let registers: Vec<VarId> = match self.pointers.get(&var) {
            Some(pointer) => pointer.at.iter().map(|(_, r)| *r).chain(pointer.dead).collect(),
            None => vec![var],
        };
        for register in registers {
            let value = self.undefined(self.vars[register.0 as usize].ty);
            self.set(register, value);
        }
    }

    fn finish(mut self, before: &Program, proc: ProcId) -> Placed {
        let registers = &self.flow.variables;
        let procedure = &mut self.program.procs[proc.0 as usize];
        procedure.vars = self.vars;
        if let Some(body) = &mut procedure.body {
            body.blocks = self.blocks;
            if !self.exits {
                let nothing: BTreeSet<VarId> = self.undefined.into_values().collect();
                forget_less(body, procedure.vars.len(), &nothing);
            }
        }
        let contract = &mut procedure.contract;
        for clause in contract.requires.iter_mut().chain(&mut contract.ensures) {
            clause.formula = formula(&clause.formula, registers);
        }
        if let Assigns::Places(items, _) = &mut contract.assigns {
            for filter in items.iter_mut().filter_map(|item| item.filter.as_mut()) {
                *filter = formula(filter, registers);
            }
        }
        let variables = registers.iter().copied().collect();
        let pointers = self.pointers.into_values().collect();
        let before = before.clone();
        Placed { program: self.program, before, proc, variables, pointers, given: Vec::new() }
    }
}
