//! Declares the symbols of a procedure.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use trellis_logic::{FunId, RelId, SortId, Vocabulary};

use super::in_use::InUse;
use super::moves;
use super::spots::{Spot, Spots};
use super::vocabulary::{Cell, CellKind, FieldSymbol, Kind, ProgramVocabulary, RegSymbol, Twin};
use crate::ir::{ProcId, Program, Reg, Storage, VarId};
use crate::spec::{PredId, Sort};
use crate::types::{Scalar, TypeId};

/// Objects with more cells than this show none of them.
const MOST_CELLS: usize = 64;

/// The vocabulary of a procedure and of what it calls.
pub fn vocabulary(program: &Program, proc: ProcId) -> ProgramVocabulary {
    let used = InUse::new(program, proc);
    let spots = Spots::new(&program.types, &used);
    let mut logic = Vocabulary::new();
    let mut targets = used.targets.iter();
    let sort = match (targets.next(), targets.next()) {
        (Some(only), None) if used.roots.len() == 1 => format!("{} *", program.types.name(*only)),
        _ => "obj".to_string(),
    };
    let obj = logic.sort(sort);
    let null = logic.null("NULL", obj);
    let undefined = logic.constant("\\undefined", obj);
    let alloc = Twin {
        now: logic.state_relation("alloc", &[obj]),
        entry: logic.relation("\\old(alloc)", &[obj]),
    };
    let mut builder = Builder { program, proc, logic, obj, used, spots, sure: BTreeSet::new() };
    builder.sure.insert(null);
    let regs = builder.regs();
    let addresses = builder.addresses();
    let result = builder.result();
    let cells = builder.cells();
    let fields = cells.values().flatten().map(|f| f.kind);
    let variables = regs.values().flatten().chain(&result).map(|r| r.kind);
    let loose = fields.chain(variables).any(|k| k == Kind::Ptr(Spot::Start));
    let field_sets = builder.field_sets();
    let types = builder.types(loose);
    let marks = builder.marks();
    let Builder { logic, used, spots, sure, .. } = builder;
    let embedded = super::formula::embedded(&program.types, &used);
    let mut vocabulary = ProgramVocabulary {
        logic: Arc::new(logic),
        proc,
        obj,
        null,
        undefined,
        alloc,
        result,
        regs,
        addresses,
        cells,
        field_sets,
        types,
        marks,
        spots,
        used,
        predicates: program.predicates.clone(),
        params: program.proc(proc).params,
        sure,
        embedded,
        loose,
        void: program.types.find(&crate::types::Type::Void),
    };
    moves::refuse_moved(program, &mut vocabulary);
    vocabulary
}

pub(super) struct Builder<'a> {
    pub(super) program: &'a Program,
    pub(super) proc: ProcId,
    pub(super) logic: Vocabulary,
    pub(super) obj: SortId,
    pub(super) used: InUse,
    pub(super) spots: Spots,
    sure: BTreeSet<FunId>,
}

impl Builder<'_> {
    fn kind(&self, ty: TypeId) -> Option<Result<Kind, String>> {
        match self.program.types.scalar(ty)? {
            Scalar::Int(_) => Some(Ok(Kind::Int)),
            Scalar::Ptr(to) => Some(self.spots.of_pointer(&self.used, to).map(Kind::Ptr)),
            Scalar::Float(_) | Scalar::Bits(_) => None,
        }
    }

    fn sort(&self, kind: Kind) -> SortId {
        match kind {
            Kind::Int => SortId::INT,
            Kind::Ptr(_) => self.obj,
        }
    }

    /// All variables that the procedure sees, globals first.
    fn variables(&self) -> Vec<(Reg, String, TypeId, Storage)> {
        let globals = self.program.globals.iter().enumerate();
        let globals = globals.map(|(i, g)| {
            (Reg::Global(crate::ir::GlobalId(i as u32)), g.name.clone(), g.ty, g.storage)
        });
        let locals = self.program.proc(self.proc).vars.iter().enumerate();
        let locals =
            locals.map(|(i, v)| (Reg::Local(VarId(i as u32)), v.name.clone(), v.ty, v.storage));
        globals.chain(locals).collect()
    }

    fn regs(&mut self) -> BTreeMap<Reg, Result<RegSymbol, String>> {
        let params = self.program.proc(self.proc).params;
        let mut regs = BTreeMap::new();
        for (reg, name, ty, storage) in self.variables() {
            let is_param = matches!(reg, Reg::Local(v) if (v.0 as usize) < params);
            // Of a parameter in memory only its value at entry is a variable.
            if storage == Storage::Object && !is_param {
                continue;
            }
            let kind = match self.kind(ty) {
                None => continue,
                Some(Err(reason)) => {
                    regs.insert(reg, Err(reason));
                    continue;
                }
                Some(Ok(kind)) => kind,
            };
            let sort = self.sort(kind);
            let kept = is_param || matches!(reg, Reg::Global(_));
            let entry = kept.then(|| self.logic.constant(format!("\\old({name})"), sort));
            let now = match (storage, entry) {
                (Storage::Object, Some(entry)) => entry,
                _ => self.logic.variable(name, sort),
            };
            let fun = Twin { now, entry: entry.unwrap_or(now) };
            if kept {
                self.sure.extend([fun.now, fun.entry]);
            }
            regs.insert(reg, Ok(RegSymbol { fun, kind }));
        }
        regs
    }

    fn addresses(&mut self) -> BTreeMap<Reg, (FunId, TypeId)> {
        let mut addresses = BTreeMap::new();
        for (reg, name, ty, storage) in self.variables() {
            if storage == Storage::Object && self.spots.of_object(ty).is_some() {
                let name = format!("&{name}");
                let fun = match reg {
                    Reg::Global(_) => self.logic.constant(name, self.obj),
                    Reg::Local(_) => self.logic.variable(name, self.obj),
                };
                if matches!(reg, Reg::Global(_)) {
                    self.sure.insert(fun);
                }
                addresses.insert(reg, (fun, ty));
            }
        }
        addresses
    }

    fn result(&mut self) -> Option<RegSymbol> {
        let kind = self.kind(self.program.proc(self.proc).ret)?.ok()?;
        let fun = self.logic.variable("\\result", self.sort(kind));
        self.sure.insert(fun);
        Some(RegSymbol { fun: Twin { now: fun, entry: fun }, kind })
    }

    fn cells(&mut self) -> BTreeMap<Cell, Result<FieldSymbol, String>> {
        // The smallest type that has a cell names it: `next`, not `link.next`.
        let mut rows = Vec::new();
        for (family, members) in self.spots.families.iter().enumerate() {
            for root in members.roots.iter().filter(|_| members.refused.is_none()) {
                let Some(layout) = self.program.types.layout(root.ty) else { continue };
                for cell in layout.cells.iter().filter(|_| layout.cells.len() <= MOST_CELLS) {
                    let Some(kind) = CellKind::of(cell.scalar) else { continue };
                    let at = root.position + i64::from(cell.offset);
                    rows.push((root.size, Cell { family, at, kind }, root.ty, cell));
                }
            }
        }
        rows.sort_by_key(|(size, cell, ty, _)| (cell.family, *size, *ty, *cell));
        let mut cells: BTreeMap<Cell, Result<FieldSymbol, String>> = BTreeMap::new();
        for (_, key, ty, cell) in rows {
            let kind = match cell.scalar {
                Scalar::Ptr(to) => self.spots.of_pointer(&self.used, to).map(Kind::Ptr),
                _ => Ok(Kind::Int),
            };
            match cells.get_mut(&key) {
                Some(Ok(field)) if kind == Ok(field.kind) => {
                    field.roots.insert(ty);
                }
                Some(entry) => {
                    let path = &cell.path;
                    *entry = Err(format!("`{path}` has different types in different objects"));
                }
                None => {
                    let symbol =
                        kind.map(|kind| self.field(&cell.path, key, kind, cell.scalar, ty));
                    cells.insert(key, symbol);
                }
            }
        }
        cells
    }

    fn field(
        &mut self,
        path: &str,
        key: Cell,
        kind: Kind,
        scalar: Scalar,
        root: TypeId,
    ) -> FieldSymbol {
        let name = if path.is_empty() { "value" } else { path };
        let (obj, sort) = (self.obj, self.sort(kind));
        let now = self.logic.field(name, obj, sort);
        let entry = self.logic.field(format!("\\old({name})"), obj, sort);
        let closure = matches!(kind, Kind::Ptr(Spot::At { family, .. }) if family == key.family)
            .then(|| Twin {
                now: self.logic.closure("reach", now),
                entry: self.logic.closure("reach", entry),
            });
        let roots = BTreeSet::from([root]);
        FieldSymbol { fun: Twin { now, entry }, kind, closure, scalar, roots }
    }

    /// With one type of objects there is nothing to tell apart, unless pointers without a type
    /// may lead to others.
    fn types(&mut self, loose: bool) -> BTreeMap<TypeId, RelId> {
        let roots: Vec<TypeId> = self.used.roots.iter().copied().collect();
        if roots.len() < 2 && !loose {
            return BTreeMap::new();
        }
        let mut types = BTreeMap::new();
        for ty in roots {
            let name = self.program.types.name(ty);
            let name = name.trim_start_matches("struct ").trim_start_matches("union ");
            let rel = self.logic.relation(format!("is_{name}"), &[self.obj]);
            types.insert(ty, rel);
        }
        types
    }

    fn marks(&mut self) -> BTreeMap<PredId, RelId> {
        /// As many as the interpreter keeps.
        const MOST_MARKS: usize = 32;
        let mut marks = BTreeMap::new();
        for (i, p) in self.program.predicates.iter().enumerate().take(MOST_MARKS) {
            let unary = matches!(&p.params[..], [b] if matches!(b.sort, Sort::Ptr(_)));
            if p.body.is_none() && unary {
                let rel = self.logic.relation(p.name.clone(), &[self.obj]);
                marks.insert(PredId(i as u32), rel);
            }
        }
        marks
    }
}
