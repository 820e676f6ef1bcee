//! Which pointers and variables can be replaced, and where the pointers can point.
//!
//! Flow-insensitive: all assignments of a pointer are looked at together. It starts with every local
//! register that points to scalars and every scalar variable in memory, and drops those that
//! something happens to that cannot be replaced, until nothing is dropped any more.
//!
//! **Invariant.** The places of a pointer are all places that it can have; pointers that are copied
//! into one another have the same, so one that was never set is undefined in all of them. Whoever
//! uses the bits of a pointer (stores it in the heap, moves it, returns it, converts it), or gets one
//! from the heap, from a caller or from nowhere, keeps it, and everything that it may point to.

use std::collections::{BTreeMap, BTreeSet};

use super::Place;
use crate::ir::{
    CmpOp, Cond, Expr, InstrKind, ProcId, Procedure, Program, Reg, Storage, Terminator, VarId,
};
use crate::spec::{Assigns, Formula, Label, Sort, Term};
use crate::types::{Scalar, Type, TypeId, TypeTable};

/// What an expression is as a pointer to a scalar.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Source {
    /// Null.
    Null,
    /// The value of a pointer that is replaced.
    Copy(VarId),
    /// The address of a variable that is replaced.
    Variable(Reg),
    /// A field of what an expression points to.
    Field { owner: TypeId, offset: i64, base: Expr },
}

/// Where a load or store leads.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Access {
    /// To a variable that is replaced.
    Variable(Reg),
    /// Through a pointer that is replaced.
    Through(VarId),
    /// Elsewhere.
    Memory,
}

/// What is replaced.
pub(super) struct Flow<'p> {
    program: &'p Program,
    proc: ProcId,
    /// The parameters that the code sets before it reads them.
    given: BTreeSet<VarId>,
    pub(super) pointers: BTreeSet<VarId>,
    pub(super) variables: BTreeSet<Reg>,
    /// The places of every pointer.
    pub(super) places: BTreeMap<VarId, BTreeSet<Place>>,
    /// Of two pointers that have the same places, one stands for the other.
    class: BTreeMap<VarId, VarId>,
}

impl<'p> Flow<'p> {
    pub(super) fn new(program: &'p Program, proc: ProcId, given: &BTreeSet<VarId>) -> Flow<'p> {
        let mut flow = Flow {
            program,
            proc,
            given: given.clone(),
            pointers: BTreeSet::new(),
            variables: BTreeSet::new(),
            places: BTreeMap::new(),
            class: BTreeMap::new(),
        };
        flow.candidates();
        loop {
            let before = (flow.pointers.len(), flow.variables.len());
            flow.propagate();
            flow.drop_what_escapes();
            if (flow.pointers.len(), flow.variables.len()) == before {
                break;
            }
        }
        flow
    }

    /// Whether nothing is replaced. Variables alone are no reason.
    pub(super) fn is_empty(&self) -> bool {
        self.pointers.is_empty()
    }

    fn procedure(&self) -> &'p Procedure {
        self.program.proc(self.proc)
    }

    fn types(&self) -> &'p TypeTable {
        &self.program.types
    }

    fn ty(&self, reg: Reg) -> TypeId {
        self.program.reg_type(self.proc, reg)
    }

    /// Whether a type is that of a pointer to a scalar.
    fn to_scalar(&self, ty: TypeId) -> bool {
        let to = self.types().pointee(ty);
        to.is_some_and(|to| {
            matches!(self.types().scalar(to), Some(Scalar::Int(_) | Scalar::Ptr(_)))
        })
    }

    fn candidates(&mut self) {
        let procedure = self.procedure();
        // Quantifiers range over variables in memory, too, if these have their type.
        let formulas = procedure
            .formulas()
            .chain(self.program.predicates.iter().filter_map(|p| p.body.as_ref()));
        let mut ranges = false;
        for formula in formulas {
            formula.visit(
                &mut |f| {
                    if let Formula::Forall(binders, _) | Formula::Exists(binders, _) = f {
                        ranges |= binders.iter().any(|b| match b.sort {
                            Sort::Ptr(ty) | Sort::Set(ty) => self.types().scalar(ty).is_some(),
                            Sort::Int => false,
                        });
                    }
                },
                &mut |_| {},
            );
        }
        if ranges {
            return;
        }
        for (i, var) in procedure.vars.iter().enumerate() {
            let v = VarId(i as u32);
            let points = self.to_scalar(var.ty);
            let is_scalar =
                matches!(self.types().scalar(var.ty), Some(Scalar::Int(_) | Scalar::Ptr(_)));
            match var.storage {
                Storage::Register
                    if points && (i >= procedure.params || self.given.contains(&v)) =>
                {
                    self.pointers.insert(v);
                }
                Storage::Object if is_scalar && !var.is_const => {
                    if points && i < procedure.params {
                        continue;
                    }
                    self.variables.insert(Reg::Local(v));
                    if points {
                        self.pointers.insert(v);
                    }
                }
                Storage::Register | Storage::Object => {}
            }
        }
        self.global_candidates();
    }

    fn global_candidates(&mut self) {
        if matches!(self.procedure().contract.assigns, Assigns::Places(..)) {
            return;
        }
        let named: BTreeSet<Reg> = self.named_elsewhere();
        let given = self.given();
        for (i, global) in self.program.globals.iter().enumerate() {
            let reg = Reg::Global(crate::ir::GlobalId(i as u32));
            let scalar = self.types().scalar(global.ty);
            let is_scalar = matches!(scalar, Some(Scalar::Int(_) | Scalar::Ptr(_)));
            if global.storage == Storage::Object
                && is_scalar
                && !global.is_const
                && !global.is_literal()
                && !self.to_scalar(global.ty)
                && !named.contains(&reg)
                && !given.contains(&Type::Void)
                && !given.contains(self.types().get(global.ty))
            {
                self.variables.insert(reg);
            }
        }
    }

    /// What pointers of the initial heap may point to: a `void *` in it may be the address of a
    /// global. A whole program starts with its globals alone, of which initialisers are known.
    fn given(&self) -> BTreeSet<Type> {
        let procedure = self.procedure();
        let passed = (0u32..).zip(&procedure.vars[..procedure.params]);
        let params = passed.filter(|(i, _)| !self.given.contains(&VarId(*i))).map(|(_, v)| v.ty);
        let globals = self.program.globals.iter().map(|g| g.ty);
        let mut todo: Vec<TypeId> = match procedure.is_whole_program() {
            true => params.collect(),
            false => params.chain(globals).collect(),
        };
        let (mut seen, mut given) = (BTreeSet::new(), BTreeSet::new());
        while let Some(ty) = todo.pop() {
            if !seen.insert(ty) {
                continue;
            }
            match self.types().get(ty) {
                Type::Ptr(to) => {
                    given.insert(self.types().get(*to).clone());
                    todo.push(*to);
                }
                Type::Array(element, _) => todo.push(*element),
                Type::Record(r) => {
                    todo.extend(self.types().record(*r).fields.iter().map(|f| f.ty));
                }
                Type::Void | Type::Int(_) | Type::Float(_) | Type::Func(_) => {}
            }
        }
        given
    }

    /// The globals whose address an initialiser or a predicate has.
    fn named_elsewhere(&self) -> BTreeSet<Reg> {
        let mut named = BTreeSet::new();
        for (_, _, init) in self.program.globals.iter().flat_map(|g| &g.init) {
            if let crate::ir::Init::Addr(g, _) = init {
                named.insert(Reg::Global(*g));
            }
        }
        for body in self.program.predicates.iter().filter_map(|p| p.body.as_ref()) {
            body.visit(&mut |_| {}, &mut |t| {
                if let Term::Addr(reg) = t {
                    named.insert(*reg);
                }
            });
        }
        named
    }

    /// What an expression is as a pointer to `to`; nothing if that is not known.
    pub(super) fn source(&self, e: &Expr, to: TypeId) -> Option<Source> {
        let (base, offset) = peel(e);
        match base {
            Expr::Null if offset == 0 => return Some(Source::Null),
            Expr::ToPtr(a) if offset == 0 && **a == Expr::Int(0) => return Some(Source::Null),
            Expr::Reg(Reg::Local(v)) if self.pointers.contains(v) => {
                let same = self.types().pointee(self.ty(Reg::Local(*v))) == Some(to);
                return (offset == 0 && same).then_some(Source::Copy(*v));
            }
            Expr::Addr(reg) if self.variables.contains(reg) => {
                let same = self.ty(*reg) == to;
                return (offset == 0 && same).then_some(Source::Variable(*reg));
            }
            _ => {}
        }
        let owner = match base {
            Expr::Reg(reg) => self.types().pointee(self.ty(*reg))?,
            Expr::Addr(reg) => self.ty(*reg),
            _ => return None,
        };
        let Type::Record(_) = self.types().get(owner) else { return None };
        let layout = self.types().layout(owner).filter(|l| !l.overlaps)?;
        let scalar = self.types().scalar(to)?;
        let at = u32::try_from(offset).ok()?;
        let cell = &layout.cells[layout.cell_at(at, self.types().bytes(scalar))?];
        let fits = cell.scalar == scalar && !self.types().has_const(owner);
        fits.then(|| Source::Field { owner, offset, base: base.clone() })
    }

    /// Where an access to a scalar at an address leads.
    pub(super) fn access(&self, addr: &Expr, scalar: Scalar) -> Access {
        match peel(addr) {
            (Expr::Addr(reg), 0) if self.variables.contains(reg) => {
                match self.types().scalar(self.ty(*reg)) == Some(scalar) {
                    true => Access::Variable(*reg),
                    false => Access::Memory,
                }
            }
            (Expr::Reg(Reg::Local(v)), 0) if self.pointers.contains(v) => {
                let to = self.types().pointee(self.ty(Reg::Local(*v)));
                match to.and_then(|to| self.types().scalar(to)) == Some(scalar) {
                    true => Access::Through(*v),
                    false => Access::Memory,
                }
            }
            _ => Access::Memory,
        }
    }

    /// The two sides of a comparison of places; `None` if it is none of pointers that are replaced.
    pub(super) fn comparison(&self, op: CmpOp, a: &Expr, b: &Expr) -> Option<(Source, Source)> {
        if !op.is_equality() {
            return None;
        }
        let to = [a, b].into_iter().find_map(|e| match peel(e) {
            (Expr::Reg(Reg::Local(v)), 0) if self.pointers.contains(v) => {
                self.types().pointee(self.ty(Reg::Local(*v)))
            }
            (Expr::Addr(reg), 0) if self.variables.contains(reg) => Some(self.ty(*reg)),
            _ => None,
        })?;
        let (a, b) = (self.source(a, to)?, self.source(b, to)?);
        (!self.confusable(&a, &b)).then_some((a, b))
    }

    /// Whether two places of different names may be one: a struct that is a part of another one.
    fn confusable(&self, a: &Source, b: &Source) -> bool {
        let owners: BTreeSet<TypeId> = [a, b].into_iter().flat_map(|s| self.owners(s)).collect();
        owners.iter().any(|outer| {
            owners.iter().any(|inner| {
                let mut embeds = false;
                crate::view::embedded_at(self.types(), *outer, *inner, 0, &mut |_| embeds = true);
                outer != inner && embeds
            })
        })
    }

    fn owners(&self, source: &Source) -> Vec<TypeId> {
        match source {
            Source::Null | Source::Variable(_) => Vec::new(),
            Source::Field { owner, .. } => vec![*owner],
            Source::Copy(v) => {
                let places = self.places.get(v).into_iter().flatten();
                let owner = |p: &Place| match p {
                    Place::Field { owner, .. } => Some(*owner),
                    Place::Variable(_) => None,
                };
                places.filter_map(owner).collect()
            }
        }
    }

    // --- Where pointers can point.

    fn root(&self, mut v: VarId) -> VarId {
        while self.class[&v] != v {
            v = self.class[&v];
        }
        v
    }

    fn unite(&mut self, a: VarId, b: VarId) {
        let (a, b) = (self.root(a), self.root(b));
        self.class.insert(a, b);
    }

    fn propagate(&mut self) {
        self.class = self.pointers.iter().map(|v| (*v, *v)).collect();
        // What pointers to pointers lead to is known only as they grow.
        loop {
            let before = (self.places.clone(), self.class.clone());
            let mut own: BTreeMap<VarId, BTreeSet<Place>> = BTreeMap::new();
            for instr in self.procedure().instrs() {
                self.flows(&instr.kind, &mut own);
            }
            let mut of_class: BTreeMap<VarId, BTreeSet<Place>> = BTreeMap::new();
            for (v, places) in own {
                of_class.entry(self.root(v)).or_default().extend(places);
            }
            let of = |v: &VarId| of_class.get(&self.root(*v)).cloned().unwrap_or_default();
            self.places = self.pointers.iter().map(|v| (*v, of(v))).collect();
            if (&self.places, &self.class) == (&before.0, &before.1) {
                break;
            }
        }
    }

    fn flows(&mut self, kind: &InstrKind, own: &mut BTreeMap<VarId, BTreeSet<Place>>) {
        match kind {
            InstrKind::Assign { dst, value } => self.flow(*dst, value, own),
            InstrKind::Load { dst, addr, scalar } => {
                for reg in self.reached(addr, *scalar) {
                    self.flow(*dst, &Expr::Reg(reg), own);
                }
            }
            InstrKind::Store { addr, scalar, value } => {
                for reg in self.reached(addr, *scalar) {
                    self.flow(reg, value, own);
                }
            }
            InstrKind::Copy { .. }
            | InstrKind::Fill { .. }
            | InstrKind::Alloc { .. }
            | InstrKind::Retype { .. }
            | InstrKind::Free { .. }
            | InstrKind::BeginLocal { .. }
            | InstrKind::BeginArray { .. }
            | InstrKind::EndLocal { .. }
            | InstrKind::Call { .. }
            | InstrKind::Havoc { .. }
            | InstrKind::Assume { .. }
            | InstrKind::Assert { .. }
            | InstrKind::Unsupported { .. } => {}
        }
    }

    fn flow(&mut self, dst: Reg, value: &Expr, own: &mut BTreeMap<VarId, BTreeSet<Place>>) {
        let Some((v, to)) = self.pointer(dst) else { return };
        match self.source(value, to) {
            Some(Source::Copy(from)) => self.unite(v, from),
            Some(Source::Variable(reg)) => {
                own.entry(v).or_default().insert(Place::Variable(reg));
            }
            Some(Source::Field { owner, offset, .. }) => {
                own.entry(v).or_default().insert(Place::Field { owner, offset });
            }
            Some(Source::Null) | None => {}
        }
    }

    /// A pointer that is replaced, and what it points to.
    pub(super) fn pointer(&self, reg: Reg) -> Option<(VarId, TypeId)> {
        let Reg::Local(v) = reg else { return None };
        let to = self.types().pointee(self.ty(reg))?;
        self.pointers.contains(&v).then_some((v, to))
    }

    /// The variables that an access may lead to.
    fn reached(&self, addr: &Expr, scalar: Scalar) -> Vec<Reg> {
        match self.access(addr, scalar) {
            Access::Memory => Vec::new(),
            Access::Variable(reg) => vec![reg],
            Access::Through(v) => {
                let places = self.places.get(&v).into_iter().flatten();
                let variable = |p: &Place| match p {
                    Place::Variable(reg) => Some(*reg),
                    Place::Field { .. } => None,
                };
                places.filter_map(variable).collect()
            }
        }
    }

    fn has_fields(&self, v: VarId) -> bool {
        let mut places = self.places.get(&v).into_iter().flatten();
        places.any(|p| matches!(p, Place::Field { .. }))
    }

    // --- What cannot be replaced.

    fn drop_what_escapes(&mut self) {
        let procedure = self.procedure();
        for block in procedure.blocks() {
            for instr in &block.instrs {
                self.instr(&instr.kind);
            }
            match &block.term {
                Terminator::Branch { cond, .. } => self.condition(cond),
                Terminator::Return(Some(e)) => self.bits(e),
                Terminator::Return(None)
                | Terminator::Goto(_)
                | Terminator::Exit
                | Terminator::ExitFreed
                | Terminator::Abort => {}
            }
        }
        let contract = &procedure.contract;
        for clause in contract.requires.iter().chain(&contract.ensures) {
            self.formula(&clause.formula);
        }
        if let Assigns::Places(items, _) = &contract.assigns {
            for item in items {
                item.filter.iter().for_each(|f| self.formula(f));
                self.term(&item.addr, Label::Pre);
            }
        }
        // A pointer to nothing is undefined or null, and nothing would tell which.
        let nowhere = |v: &VarId| self.places.get(v).is_none_or(BTreeSet::is_empty);
        let nowhere: Vec<VarId> = self.pointers.iter().copied().filter(nowhere).collect();
        nowhere.into_iter().for_each(|v| self.keep(v));
        // A pointer and the variable it lives in are replaced together.
        for reg in self.variables.clone() {
            if let Reg::Local(v) = reg
                && self.to_scalar(self.ty(reg))
                && !self.pointers.contains(&v)
            {
                self.variables.remove(&reg);
            }
        }
    }

    /// A pointer stays as it is, with all that it may point to.
    fn keep(&mut self, v: VarId) {
        self.pointers.remove(&v);
        self.variables.remove(&Reg::Local(v));
        for place in self.places.get(&v).cloned().unwrap_or_default() {
            if let Place::Variable(reg) = place {
                self.keep_variable(reg);
            }
        }
    }

    fn keep_variable(&mut self, reg: Reg) {
        self.variables.remove(&reg);
        if let Reg::Local(v) = reg {
            self.pointers.remove(&v);
        }
    }

    fn instr(&mut self, kind: &InstrKind) {
        match kind {
            InstrKind::Assign { dst, value } => self.assign(*dst, value),
            InstrKind::Load { dst, addr, scalar } => {
                match self.access(addr, *scalar) {
                    Access::Memory => {
                        self.bits(addr);
                        self.unknown(*dst);
                    }
                    Access::Variable(_) => {}
                    Access::Through(v) if self.has_fields(v) => self.unknown(*dst),
                    Access::Through(_) => {}
                }
                for reg in self.reached(addr, *scalar) {
                    self.assign(*dst, &Expr::Reg(reg));
                }
            }
            InstrKind::Store { addr, scalar, value } => {
                let in_heap = match self.access(addr, *scalar) {
                    Access::Memory => {
                        self.bits(addr);
                        true
                    }
                    Access::Variable(_) => false,
                    Access::Through(v) => self.has_fields(v),
                };
                if in_heap {
                    self.bits(value);
                }
                for reg in self.reached(addr, *scalar) {
                    self.assign(reg, value);
                }
            }
            InstrKind::Alloc { dst, .. } | InstrKind::Havoc { dst, .. } => {
                kind.exprs().for_each(|e| self.bits(e));
                self.unknown(*dst);
            }
            InstrKind::Copy { .. }
            | InstrKind::Fill { .. }
            | InstrKind::Retype { .. }
            | InstrKind::BeginArray { .. }
            | InstrKind::Free { .. } => kind.exprs().for_each(|e| self.bits(e)),
            InstrKind::Call { dst, .. } => {
                kind.exprs().for_each(|e| self.bits(e));
                dst.iter().for_each(|dst| self.unknown(*dst));
            }
            InstrKind::Assume { cond } | InstrKind::Assert { cond, .. } => match cond {
                Cond::Expr(e) => self.condition(e),
                Cond::Spec(f) => self.formula(f),
            },
            InstrKind::BeginLocal { .. }
            | InstrKind::EndLocal { .. }
            | InstrKind::Unsupported { .. } => {}
        }
    }

    /// A value that is not known.
    fn unknown(&mut self, dst: Reg) {
        if let Some((v, _)) = self.pointer(dst) {
            self.keep(v);
        }
    }

    fn assign(&mut self, dst: Reg, value: &Expr) {
        let Some((v, to)) = self.pointer(dst) else { return self.bits(value) };
        if self.source(value, to).is_none() {
            self.keep(v);
            self.bits(value);
        }
    }

    /// An expression whose value is used, whatever it is.
    fn bits(&mut self, e: &Expr) {
        match e {
            Expr::Reg(Reg::Local(v)) if self.pointers.contains(v) => self.keep(*v),
            Expr::Addr(reg) => self.keep_variable(*reg),
            Expr::Not(a) => self.condition(a),
            Expr::Cmp(op, None, a, b) if self.comparison(*op, a, b).is_some() => {}
            _ => e.operands().for_each(|e| self.bits(e)),
        }
    }

    /// An expression of which only the truth matters.
    fn condition(&mut self, e: &Expr) {
        match e {
            Expr::Reg(_) => {}
            e => self.bits(e),
        }
    }

    fn formula(&mut self, formula: &Formula) {
        super::formulas::terms(formula, Label::Here, &mut |term, label| self.term(term, label));
    }

    /// A term of a contract: a variable may be read by its name, now. A parameter and a global have
    /// a value at the entry.
    fn term(&mut self, term: &Term, label: Label) {
        match super::formulas::variable(term) {
            Some((reg, scalar)) if self.variables.contains(&reg) => {
                let is_param =
                    matches!(reg, Reg::Local(v) if (v.0 as usize) < self.procedure().params);
                let then = is_param || matches!(reg, Reg::Global(_));
                let points = matches!(reg, Reg::Local(v) if self.pointers.contains(&v));
                let fits = self.types().scalar(self.ty(reg)) == Some(scalar);
                if points || !fits || (label == Label::Pre && !then) {
                    self.keep_variable(reg);
                }
            }
            Some(_) => {}
            None => match term {
                Term::Reg(Reg::Local(v)) if self.pointers.contains(v) => self.keep(*v),
                Term::Addr(reg) => self.keep_variable(*reg),
                _ => {}
            },
        }
    }
}

/// An address without what only moves it.
pub(super) fn peel(e: &Expr) -> (&Expr, i64) {
    match e {
        Expr::Offset(a, by) => {
            let (base, offset) = peel(a);
            // What is out of range is no field.
            (base, offset.checked_add(*by).unwrap_or(i64::MAX))
        }
        Expr::Index { base, index, size } => match **index {
            Expr::Int(i) => {
                let (base, offset) = peel(base);
                let by = i.checked_mul(i64::from(*size));
                (base, by.and_then(|by| offset.checked_add(by)).unwrap_or(i64::MAX))
            }
            _ => (e, 0),
        },
        e => (e, 0),
    }
}
