//! What the code of a procedure changes and mentions, before any path is followed.
//!
//! **Invariant.** A cell or variable that no path changes need not have a copy of the entry, and one
//! that nobody mentions no symbol; whatever is said here to stay the same does so on every path.

use std::collections::BTreeSet;

use trellis_logic::{Arena, FormulaId, RelKind};
use trellis_program::view::{self, Cell, ProgramVocabulary};
use trellis_program::{Body, InstrKind, Program, Reg, Storage};

use crate::execute::expr::address_in;

/// What the code changes and mentions.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    pub(crate) alloc: bool,
    pub(crate) free: bool,
    written: BTreeSet<Cell>,
    mentioned: BTreeSet<Cell>,
    assigned: BTreeSet<Reg>,
    everything: bool,
}

impl Changes {
    pub(crate) fn mentions(&self, cell: Cell) -> bool {
        cell.kind == view::CellKind::Ptr || self.everything || self.mentioned.contains(&cell)
    }

    /// Whether neither code nor contracts have to do with a cell, not even by a new object.
    pub(crate) fn ignores(&self, cell: Cell) -> bool {
        !self.everything && !self.alloc && !self.mentioned.contains(&cell)
    }

    pub(crate) fn writes(&self, cell: Cell) -> bool {
        let killed = self.free && cell.kind == view::CellKind::Ptr;
        killed || self.stores(cell)
    }

    pub(crate) fn stores(&self, cell: Cell) -> bool {
        self.everything || self.written.contains(&cell)
    }

    pub(crate) fn assigns(&self, reg: Reg) -> bool {
        self.assigned.contains(&reg)
    }

    /// Whether a variable is assigned that others can start from when the procedure has returned.
    pub(crate) fn assigns_global(&self) -> bool {
        self.assigned.iter().any(|reg| matches!(reg, Reg::Global(_)))
    }

    pub(crate) fn new(program: &Program, view: &ProgramVocabulary, body: &Body) -> Changes {
        let mut changes = Changes::default();
        let proc = program.proc(view.proc);
        let object_params = proc.vars[..proc.params].iter().any(|v| v.storage == Storage::Object);
        changes.alloc |= object_params;
        changes.free |= object_params;
        for instr in body.instrs() {
            changes.instr(view, &instr.kind);
        }
        changes
    }

    fn instr(&mut self, view: &ProgramVocabulary, kind: &InstrKind) {
        self.assigned.extend(kind.dst());
        match kind {
            InstrKind::Load { addr, scalar, .. } => {
                self.mentioned.extend(address_in(view, addr, *scalar));
            }
            InstrKind::Store { addr, scalar, .. } => {
                let cell = address_in(view, addr, *scalar);
                self.mentioned.extend(cell);
                self.written.extend(cell);
            }
            InstrKind::Copy { .. } | InstrKind::Fill { .. } => self.everything = true,
            InstrKind::Alloc { zeroed, .. } => {
                self.alloc = true;
                self.everything |= zeroed;
            }
            InstrKind::Free { .. } => self.free = true,
            InstrKind::BeginLocal { .. }
            | InstrKind::BeginArray { .. }
            | InstrKind::EndLocal { .. } => {
                self.alloc = true;
                self.free = true;
            }
            InstrKind::Assign { .. }
            | InstrKind::Havoc { .. }
            | InstrKind::Call { .. }
            | InstrKind::Retype { .. }
            | InstrKind::Assume { .. }
            | InstrKind::Assert { .. }
            | InstrKind::Unsupported { .. } => {}
        }
    }

    /// The fields that a contract formula reads or follows.
    pub(crate) fn clause(&mut self, view: &ProgramVocabulary, arena: &Arena, clause: FormulaId) {
        let used = arena.symbols_in_use(clause);
        let followed = used.rels.iter().filter_map(|rel| match view.logic.rel(*rel).kind {
            RelKind::Closure { field } => Some(field),
            _ => None,
        });
        for fun in used.funs.iter().copied().chain(followed) {
            if let Some((cell, _)) = view.field_of(fun) {
                self.mentioned.insert(cell);
            }
        }
        for (set, ..) in used.rels.iter().filter_map(|rel| view.field_set_of(*rel)) {
            self.mentioned.extend(set.cells.iter().copied());
        }
    }
}
