//! Annotations find their place, and get their meaning from the names visible there.

use trellis_program::ir::{Cond, InstrKind, Reg};
use trellis_program::source::Diagnostic;
use trellis_program::spec::Predicate;
use trellis_program::types::{TypeId, TypeTable};
use trellis_program::{CheckKind, Storage};

use super::Lower;
use super::scope::{Symbol, Tag};
use crate::acsl::{self, Annotation, Scope, TagKind, VarRef};

impl Scope for Lower<'_> {
    fn variable(&self, name: &str) -> Option<VarRef> {
        let (reg, is_param) = match self.scopes.lookup(name)? {
            Symbol::Local(v) => (Reg::Local(v), (v.0 as usize) < self.f.params),
            Symbol::Global(g) => (Reg::Global(g), false),
            _ => return None,
        };
        let (ty, storage) = self.variable_storage(reg);
        Some(VarRef { reg, ty, storage, is_param })
    }

    fn constant(&self, name: &str) -> Option<i128> {
        match self.scopes.lookup(name)? {
            Symbol::Constant(value, kind) => Some(kind.value(value)),
            _ => None,
        }
    }

    fn typedef(&self, name: &str) -> Option<TypeId> {
        match self.scopes.lookup(name)? {
            Symbol::Typedef(ty, _) => Some(ty),
            _ => None,
        }
    }

    fn tagged(&self, kind: TagKind, tag: &str) -> Option<TypeId> {
        match (self.scopes.tag(tag)?, kind) {
            (Tag::Enum(ty), TagKind::Enum) => Some(ty),
            (Tag::Record(r), TagKind::Struct | TagKind::Union)
                if self.types.record(r).is_union == (kind == TagKind::Union) =>
            {
                self.types.find(&trellis_program::Type::Record(r))
            }
            _ => None,
        }
    }

    fn names(&self) -> Vec<String> {
        self.scopes
            .names()
            .filter(|(_, s)| {
                matches!(s, Symbol::Local(_) | Symbol::Global(_) | Symbol::Constant(..))
            })
            .map(|(n, _)| n.to_owned())
            .collect()
    }

    fn types(&self) -> &TypeTable {
        &self.types
    }

    fn types_mut(&mut self) -> &mut TypeTable {
        &mut self.types
    }

    fn result_type(&self) -> Option<TypeId> {
        Some(self.f.ret)
    }

    fn predicates(&self) -> &[Predicate] {
        &self.predicates
    }
}

impl Lower<'_> {
    /// Type and storage of a variable of the current procedure or the program.
    pub fn variable_storage(&self, reg: Reg) -> (TypeId, Storage) {
        match reg {
            Reg::Local(v) => {
                let var = &self.f.vars[v.0 as usize];
                (var.ty, var.storage)
            }
            Reg::Global(g) => {
                let global = &self.globals[g.0 as usize];
                (global.ty, global.storage)
            }
        }
    }

    /// The annotations whose comments begin in a range.
    pub fn notes_between(&self, from: usize, to: usize) -> Vec<usize> {
        let list = &self.notes.list;
        let first = list.partition_point(|n| n.offset < from);
        let last = list.partition_point(|n| n.offset < to);
        (first..last.max(first)).collect()
    }

    pub fn is_contract_clause(&self, note: usize) -> bool {
        matches!(
            self.notes.list[note].clause,
            Annotation::Requires(_)
                | Annotation::Ensures(_)
                | Annotation::Assigns(_)
                | Annotation::Behavior(_)
        )
    }

    /// Declares the predicate of an annotation, if it is one.
    pub fn declare_predicate(&mut self, note: usize) -> bool {
        let Annotation::Predicate(p) = &self.notes.list[note].clause else {
            return false;
        };
        let p = p.clone();
        self.attached[note] = true;
        // A header that several units include has one predicate.
        let same = |&n: &usize| {
            matches!(&self.notes.list[n].clause, Annotation::Predicate(_))
                && self.notes.list[n].clause.span() == self.notes.list[note].clause.span()
        };
        if (0..note).any(|n| same(&n)) {
            return true;
        }
        match acsl::resolve_predicate(&p, self) {
            Ok(predicate) => self.predicates.push(predicate),
            Err(d) => self.diagnostics.push(d),
        }
        true
    }

    /// Resolves the contracts of all functions; parameters are visible in them.
    pub fn resolve_contracts(&mut self) {
        for i in 0..self.functions.len() {
            let notes = std::mem::take(&mut self.functions[i].notes);
            let Some(proc) = self.functions[i].proc.filter(|_| !notes.is_empty()) else {
                continue;
            };
            self.enter_unit(self.whole.unit_at(self.notes.list[notes[0]].offset));
            let clauses: Vec<Annotation> =
                notes.iter().map(|&n| self.notes.list[n].clause.clone()).collect();
            let procedure = &self.procs[proc.0 as usize];
            self.f.ret = procedure.ret;
            self.f.params = procedure.params;
            self.f.vars = procedure.vars.clone();
            self.scopes.enter();
            for (p, name) in self.functions[i].note_params.iter().enumerate() {
                if let Some(name) = name
                    && p < self.f.params
                {
                    let v = trellis_program::VarId(p as u32);
                    self.scopes.declare(name, Symbol::Local(v));
                }
            }
            match acsl::resolve_contract(&clauses, self) {
                Ok(contract) => {
                    let procedure = &mut self.procs[proc.0 as usize];
                    procedure.contract = contract;
                    procedure.has_contract = true;
                }
                Err(errors) => self.diagnostics.extend(errors),
            }
            self.scopes.leave();
            self.f.vars.clear();
            self.f.params = 0;
            self.f.ret = self.ty.void;
        }
    }

    /// The annotations since the last statement: asserts are lowered here, loop annotations are
    /// returned if a loop follows.
    pub fn statement_notes(&mut self, until: usize, loop_follows: bool) -> Vec<usize> {
        if self.f.is_scratch || until < self.f.cursor {
            return Vec::new();
        }
        let notes = self.notes_between(self.f.cursor, until.min(self.f.end));
        self.f.cursor = until;
        let mut of_loop = Vec::new();
        for n in notes {
            match &self.notes.list[n].clause {
                Annotation::Assert(_) => {
                    self.attached[n] = true;
                    self.spec_instr(n);
                }
                Annotation::LoopInvariant(_)
                | Annotation::LoopAssigns(_)
                | Annotation::LoopVariant(_)
                    if loop_follows =>
                {
                    self.attached[n] = true;
                    of_loop.push(n);
                }
                _ => {}
            }
        }
        of_loop
    }

    /// The invariants of a loop, at its head.
    pub fn loop_invariants(&mut self, notes: &[usize]) {
        for &n in notes {
            self.spec_instr(n);
        }
    }

    fn spec_instr(&mut self, note: usize) {
        let (kind, formula) = match &self.notes.list[note].clause {
            Annotation::Assert(f) => (CheckKind::SpecAssert, f.clone()),
            Annotation::LoopInvariant(f) => (CheckKind::LoopInvariant, f.clone()),
            _ => return,
        };
        let span = formula.span;
        match acsl::resolve_formula(&formula, self) {
            Ok(f) => {
                let cond = Cond::Spec(f);
                self.emit(InstrKind::Assert { kind, cond }, span);
            }
            Err(d) => self.diagnostics.push(d),
        }
    }

    /// Every annotation must have found its place.
    pub fn check_leftover_annotations(&mut self) {
        for (note, attached) in self.notes.list.iter().zip(&self.attached) {
            if *attached {
                continue;
            }
            let hint = match &note.clause {
                Annotation::LoopInvariant(_)
                | Annotation::LoopAssigns(_)
                | Annotation::LoopVariant(_) => "it must stand directly before a loop",
                Annotation::Assert(_) => "it must stand inside a function, before a statement",
                Annotation::Predicate(_) => "it must stand at file scope",
                _ => "it must stand directly before a function",
            };
            let message = format!("this `{}` is not attached to anything", note.clause.keyword());
            let d = Diagnostic::error(note.clause.span(), message).with_help(hint);
            self.diagnostics.push(d);
        }
    }
}
