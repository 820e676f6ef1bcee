//! The types and variables that matter to a procedure and to what it calls.

use std::collections::BTreeSet;

use super::spots::places;
use crate::cfg::reachable_procs;
use crate::ir::{Expr, Instr, InstrKind, ProcId, Program, Storage};
use crate::spec::{Assigns, Formula, Sort};
use crate::types::{Type, TypeId, TypeTable};

/// The types in use.
#[derive(Clone, Debug, Default)]
pub(super) struct InUse {
    /// Complete records that are pointed to.
    pub(super) targets: BTreeSet<TypeId>,
    /// The types that objects can have: the targets, allocated types, variables in memory, and
    /// whatever embeds a target.
    pub(super) roots: BTreeSet<TypeId>,
    /// Types of which several may be allocated in a row.
    pub(super) repeated: BTreeSet<TypeId>,
    seen: BTreeSet<TypeId>,
}

impl InUse {
    pub(super) fn new(program: &Program, proc: ProcId) -> InUse {
        let mut used = InUse::default();
        let types = &program.types;
        for global in &program.globals {
            // String literals and constant tables: nothing of the heap.
            if global.storage == Storage::Object && global.is_const {
                continue;
            }
            used.variable(types, global.ty, global.storage);
        }
        for predicate in &program.predicates {
            predicate.params.iter().for_each(|p| used.sort(types, p.sort));
            if let Some(body) = &predicate.body {
                used.formula(types, body);
            }
        }
        for proc in reachable_procs(program, proc) {
            let proc = program.proc(proc);
            used.ty(types, proc.ret);
            for var in &proc.vars {
                used.variable(types, var.ty, var.storage);
            }
            proc.instrs().for_each(|i| used.instr(types, i));
            proc.formulas().for_each(|f| used.formula(types, f));
            if let Assigns::Places(items, _) = &proc.contract.assigns {
                for item in items {
                    item.binders.iter().for_each(|b| used.sort(types, b.sort));
                    item.filter.iter().for_each(|f| used.formula(types, f));
                }
            }
        }
        used.containers(types);
        used
    }

    fn variable(&mut self, types: &TypeTable, ty: TypeId, storage: Storage) {
        self.ty(types, ty);
        if storage == Storage::Object && types.layout(ty).is_some() {
            self.roots.insert(ty);
        }
    }

    /// A pointer that is handed in may point into any struct that embeds what it points to.
    fn containers(&mut self, types: &TypeTable) {
        let records: Vec<TypeId> = types
            .ids()
            .filter(|t| types.as_record(*t).is_some() && types.layout(*t).is_some())
            .collect();
        loop {
            let before = self.roots.len();
            for &outer in &records {
                let mut embeds = false;
                for &inner in &self.targets {
                    places(types, outer, inner, 0, &mut |_| embeds = true);
                }
                if embeds {
                    self.roots.insert(outer);
                    self.ty(types, outer);
                }
            }
            if self.roots.len() == before {
                break;
            }
        }
    }

    fn instr(&mut self, types: &TypeTable, instr: &Instr) {
        match &instr.kind {
            InstrKind::Alloc { size, ty: Some(ty), .. } => {
                self.pointee(types, *ty);
                let one = types.size_of(*ty).map(|s| Expr::Int(s.into()));
                if one.as_ref() != Some(size) {
                    self.repeated.insert(*ty);
                }
            }
            InstrKind::Retype { ty, .. } => self.pointee(types, *ty),
            _ => {}
        }
    }

    /// Adds the types that quantifiers range over.
    fn formula(&mut self, types: &TypeTable, formula: &Formula) {
        formula.visit(
            &mut |f| {
                if let Formula::Forall(binders, _) | Formula::Exists(binders, _) = f {
                    binders.iter().for_each(|b| self.sort(types, b.sort));
                }
            },
            &mut |_| {},
        );
    }

    fn sort(&mut self, types: &TypeTable, sort: Sort) {
        if let Sort::Ptr(ty) | Sort::Set(ty) = sort {
            self.pointee(types, ty);
        }
    }

    /// Adds a type and all that can be reached from a value of it.
    fn ty(&mut self, types: &TypeTable, ty: TypeId) {
        if !self.seen.insert(ty) {
            return;
        }
        match types.get(ty) {
            Type::Ptr(to) => self.pointee(types, *to),
            Type::Record(r) => {
                types.record(*r).fields.iter().for_each(|f| self.ty(types, f.ty));
            }
            Type::Array(element, _) => self.ty(types, *element),
            Type::Void | Type::Int(_) | Type::Float(_) | Type::Func(_) => {}
        }
    }

    fn pointee(&mut self, types: &TypeTable, ty: TypeId) {
        if types.as_record(ty).is_some() && types.layout(ty).is_some() {
            self.targets.insert(ty);
            self.roots.insert(ty);
        }
        self.ty(types, ty);
    }
}
